//! Mutants of C programs: seeds, and changes of tokens and statements.
//!
//! Bytes changed at random seldom survive a parser. So a seed is cut into
//! tokens, and what changes is a token, a statement or an operator; what a
//! mutant gets comes from itself, from another seed or from a dictionary. Many
//! mutants are still C, and reach the type checker and the translation.
//!
//! Used by the fuzzers in this folder and, with fixed seeds, by the tests
//! `crates/cfront/tests/robust.rs` and `crates/rely/tests/bad_input.rs`.

#![allow(dead_code)] // Each user has its own part of this.

use ccfa::random::Rng;
use std::path::{Path, PathBuf};

/// The headers of all seeds, so that statements can move from one to another.
pub const HEADERS: &str = "\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int i, n, v[4];
struct s { int a; struct s *next; int b[3]; } x, *p;
union u { int i; char c[4]; long l; } y;
void *any;
pthread_t t;
pthread_mutex_t k;
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
";

/// What a mutant can get beside tokens of seeds: words, one in a line.
pub const DICTIONARY: &str = include_str!("c.dict");

/// Numbers at which something changes.
const NUMBERS: [&str; 20] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "31",
    "32",
    "33",
    "63",
    "64",
    "65",
    "127",
    "255",
    "65536",
    "2147483647",
    "4294967295u",
    "0x7fffffffffffffffLL",
    "0xffffffffffffffffULL",
    "1000000",
];

/// Words that begin a type.
const TYPES: [&str; 14] = [
    "int",
    "char",
    "unsigned",
    "long",
    "short",
    "_Bool",
    "void",
    "double",
    "struct s",
    "union s",
    "_Atomic int",
    "unsigned char",
    "long long",
    "const int",
];

/// Operators of two operands.
const BINARY: &[&str] = &[
    "+", "-", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "|", "^", "&&", "||", "=",
    "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=",
];

/// Operators, with those that have several meanings.
const OPERATORS: [&str; 8] = ["*", "&", ",", ".", "->", "?", ":", "..."];

/// What can stand before an expression.
const PREFIXES: [&str; 14] = [
    "*",
    "&",
    "!",
    "~",
    "-",
    "++",
    "--",
    "(char)",
    "(unsigned)",
    "(void *)",
    "(int *)",
    "(long long)",
    "sizeof",
    "(void)",
];

/// What can stand after an expression.
const SUFFIXES: [&str; 9] = ["++", "--", "[0]", "[1]", "[i]", "->next", ".a", "()", "? 1 : 0"];

/// Statements and declarations to put anywhere.
const SNIPPETS: [&str; 43] = [
    "struct s x , * p = & x ; p -> next = p ;",
    "y . i = 1 ; i = y . c [ 2 ] + v [ i ] ;",
    "struct e { } z ;",
    "struct f { int n ; int flexible [ ] ; } * q ;",
    "struct b { int low : 3 ; unsigned high : 29 ; int : 0 ; } bits ;",
    "int i ;",
    "int a [ 10 ] ;",
    "int m [ 3 ] [ 4 ] = { { 1 } , [ 2 ] = { 2 , 3 } } ;",
    "int big [ 100000 ] ;",
    "int huge [ 1000000000 ] ;",
    "static int s = 1 ;",
    "char text [ ] = \"text\" ;",
    "int n = 3 ; int v [ n ] ;",
    "int ( * call ) ( int ) = 0 ; call ( 1 ) ;",
    "void * any = malloc ( 8 ) ; free ( any ) ;",
    "struct s * h = malloc ( sizeof ( struct s ) ) ; h -> a = 1 ;",
    "int * r = calloc ( 4 , 4 ) ; r [ 3 ] ++ ;",
    "goto l ;",
    "l : ;",
    "for ( ; ; ) { }",
    "for ( int i = 0 ; i < 1000 ; i ++ )",
    "while ( 1 )",
    "do { i ++ ; } while ( i < 3 ) ;",
    "switch ( i ) { case 0 : i = 1 ; break ; case 1 ... 5 : default : i = 2 ; }",
    "if ( i )",
    "break ;",
    "continue ;",
    "return ;",
    "return main ( ) ;",
    "return i ;",
    "pthread_create ( & t , 0 , ( void * ( * ) ( void * ) ) main , & t ) ;",
    "for ( ; ; ) { pthread_t u ; pthread_create ( & u , 0 , worker , 0 ) ; }",
    "pthread_mutex_lock ( & k ) ;",
    "pthread_join ( t , & any ) ;",
    "pthread_exit ( 0 ) ;",
    "__VERIFIER_atomic_begin ( ) ;",
    "__VERIFIER_atomic_end ( ) ;",
    "__VERIFIER_assume ( i > 0 ) ;",
    "i = __VERIFIER_nondet_int ( ) ;",
    "reach_error ( ) ;",
    "x = ( struct s ) { . a = 1 , . b [ 1 ] = 2 } ;",
    "i = ( { int w = i ; w + 1 ; } ) ;",
    "* ( char * ) & i = 3 ; memcpy ( & x , & y , sizeof x ) ;",
];

/// The C programs below these folders, in a fixed order.
pub fn files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in folders {
        collect(folder, &mut found);
    }
    found.sort();
    found
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), found);
        }
    } else if path.extension().is_some_and(|end| end == "c" || end == "i") {
        found.push(path.to_path_buf());
    }
}

/// What stands in the file itself of a text that went through the preprocessor.
pub fn own_part(name: &str, text: &str) -> String {
    let mut own = true;
    let mut part = String::new();
    for line in text.lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            own = marker.contains(&format!("\"{name}\""));
        } else if own && !line.trim().is_empty() {
            part.push_str(line);
            part.push('\n');
        }
    }
    part
}

/// The tokens of a text; comments, white space and directives are dropped.
pub fn tokens(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let end = token_end(&characters, at);
        let token: String = characters[at..end].iter().collect();
        let is_dropped = token.starts_with(char::is_whitespace)
            || token.starts_with('#')
            || token.starts_with("//")
            || token.starts_with("/*");
        if !is_dropped {
            tokens.push(token);
        }
        at = end;
    }
    tokens
}

/// The end of the token that starts at `at`, after it.
fn token_end(text: &[char], at: usize) -> usize {
    let while_true = |from: usize, good: &dyn Fn(char) -> bool| {
        text[from..].iter().position(|&c| !good(c)).map_or(text.len(), |length| from + length)
    };
    let next = text.get(at + 1).copied().unwrap_or(' ');
    match text[at] {
        c if c.is_whitespace() => while_true(at, &char::is_whitespace),
        '#' => while_true(at, &|c| c != '\n'),
        '/' if next == '/' => while_true(at, &|c| c != '\n'),
        '/' if next == '*' => {
            let close = text[at + 2..].windows(2).position(|pair| pair == ['*', '/']);
            close.map_or(text.len(), |length| at + length + 4)
        }
        c if c.is_alphabetic() || c == '_' => while_true(at, &|c| c.is_alphanumeric() || c == '_'),
        c if c.is_ascii_digit() => while_true(at, &|c| c.is_alphanumeric() || c == '.'),
        quote @ ('"' | '\'') => literal_end(text, at, quote),
        _ => {
            let longest = [3, 2].into_iter().find(|&length| {
                let symbol: String = text[at..].iter().take(length).collect();
                symbol.chars().count() == length
                    && [BINARY, &OPERATORS, &["++", "--"]].concat().contains(&symbol.as_str())
            });
            at + longest.unwrap_or(1)
        }
    }
}

fn literal_end(text: &[char], at: usize, quote: char) -> usize {
    let mut end = at + 1;
    while end < text.len() && text[end] != quote && text[end] != '\n' {
        end += if text[end] == '\\' { 2 } else { 1 };
    }
    (end + 1).min(text.len())
}

/// The text of these tokens, a statement in each line.
pub fn text(tokens: &[String]) -> String {
    let mut text = String::new();
    for token in tokens {
        text.push_str(token);
        text.push(if matches!(token.as_str(), ";" | "{" | "}") { '\n' } else { ' ' });
    }
    text
}

/// A mutant of one of these programs (lists of tokens; not empty). Most changes
/// are gentle, or hardly a mutant would be C.
pub fn mutant(seeds: &[Vec<String>], rng: &mut Rng) -> Vec<String> {
    let mut tokens = rng.pick(seeds).clone();
    let rough = rng.one_in(4);
    for _ in 0..1 + rng.below(4) {
        if tokens.is_empty() {
            break;
        }
        if rough {
            change(&mut tokens, seeds, rng);
        } else {
            change_gently(&mut tokens, seeds, rng);
        }
    }
    tokens
}

/// One change of a program that is not empty.
pub fn change(tokens: &mut Vec<String>, seeds: &[Vec<String>], rng: &mut Rng) {
    let at = rng.below(tokens.len());
    let other = rng.below(tokens.len());
    match rng.below(12) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[other].clone()),
        2 => tokens.swap(at, other),
        3 => tokens[at] = tokens[other].clone(),
        4 => tokens[at] = one_of_dictionary(rng),
        5 => tokens.insert(at, one_of_dictionary(rng)),
        6 => replace_kind(tokens, at, |token| OPERATORS.contains(&token), rng, &OPERATORS),
        _ => change_gently(tokens, seeds, rng),
    }
}

/// One change after which a program may still be C.
fn change_gently(tokens: &mut Vec<String>, seeds: &[Vec<String>], rng: &mut Rng) {
    let at = rng.below(tokens.len());
    let other = rng.below(tokens.len());
    match rng.below(16) {
        0 | 1 => replace_kind(tokens, at, is_number, rng, &NUMBERS),
        2 | 3 => replace_kind(tokens, at, |token| BINARY.contains(&token), rng, BINARY),
        4 | 5 => replace_kind(tokens, at, |token| TYPES.contains(&token), rng, &TYPES),
        6 => replace_name(tokens, at, rng),
        7 => replace_number_by_name(tokens, at, rng),
        8 => before_name(tokens, at, rng),
        9 => after_name(tokens, at, rng),
        10 => drop(tokens.drain(statement(tokens, at))),
        11 => {
            let copy = tokens[statement(tokens, at)].to_vec();
            insert_statement(tokens, other, copy);
        }
        12 => {
            let moved: Vec<String> = tokens.drain(statement(tokens, at)).collect();
            insert_statement(tokens, other, moved);
        }
        13 => {
            let donor = rng.pick(seeds);
            if !donor.is_empty() {
                let given = statement(donor, rng.below(donor.len()));
                insert_statement(tokens, at, donor[given].to_vec());
            }
        }
        _ => {
            let snippet = rng.pick(&SNIPPETS).split(' ').map(str::to_string).collect();
            insert_statement(tokens, at, snippet);
        }
    }
}

fn one_of_dictionary(rng: &mut Rng) -> String {
    let words: Vec<&str> = DICTIONARY.lines().filter(|line| line.starts_with('"')).collect();
    rng.pick(&words).trim_matches('"').to_string()
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The first token from `at` on (around the end) for which `good` holds.
fn find(tokens: &[String], at: usize, good: impl Fn(&str) -> bool) -> Option<usize> {
    let around = (at..tokens.len()).chain(0..at);
    around.into_iter().find(|&index| good(&tokens[index]))
}

fn replace_kind(
    tokens: &mut [String],
    at: usize,
    good: impl Fn(&str) -> bool,
    rng: &mut Rng,
    by: &[&str],
) {
    if let Some(index) = find(tokens, at, good) {
        tokens[index] = rng.pick(by).to_string();
    }
}

fn replace_name(tokens: &mut [String], at: usize, rng: &mut Rng) {
    let names: Vec<String> = tokens.iter().filter(|token| is_name(token)).cloned().collect();
    if let Some(index) = find(tokens, at, is_name) {
        tokens[index] = rng.pick(&names).clone();
    }
}

fn replace_number_by_name(tokens: &mut [String], at: usize, rng: &mut Rng) {
    let names: Vec<String> = tokens.iter().filter(|token| is_name(token)).cloned().collect();
    if let (Some(index), false) = (find(tokens, at, is_number), names.is_empty()) {
        tokens[index] = rng.pick(&names).clone();
    }
}

fn before_name(tokens: &mut Vec<String>, at: usize, rng: &mut Rng) {
    if let Some(index) = find(tokens, at, is_name) {
        tokens.insert(index, rng.pick(&PREFIXES).to_string());
    }
}

fn after_name(tokens: &mut Vec<String>, at: usize, rng: &mut Rng) {
    if let Some(index) = find(tokens, at, is_name) {
        tokens.insert(index + 1, rng.pick(&SUFFIXES).to_string());
    }
}

/// The statement, block or declaration around a token: up to the semicolon, or
/// up to the brace that closes what is opened first.
fn statement(tokens: &[String], at: usize) -> std::ops::Range<usize> {
    let is_border = |token: &String| matches!(token.as_str(), ";" | "{" | "}");
    let start = tokens[..at].iter().rposition(is_border).map_or(0, |border| border + 1);
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" => depth += 1,
            "}" if depth <= 1 => return start..index + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return start..index + 1,
            _ => {}
        }
    }
    start..tokens.len()
}

/// Inserts tokens at the border of statements nearest before `at`, where a
/// statement may begin.
fn insert_statement(tokens: &mut Vec<String>, at: usize, inserted: Vec<String>) {
    let may_begin = |index: usize| {
        let next = tokens.get(index + 1).map_or("", String::as_str);
        matches!(tokens[index].as_str(), ";" | "{" | "}") && !matches!(next, "else" | ")")
    };
    let border = (0..at.min(tokens.len())).rev().find(|&index| may_begin(index));
    let border = border.map_or(0, |border| border + 1);
    tokens.splice(border..border, inserted);
}

/// A smaller program with the same finding: drops ever shorter runs of tokens.
pub fn shrink(tokens: &[String], still_found: impl Fn(&[String]) -> bool) -> Vec<String> {
    let mut best = tokens.to_vec();
    let mut length = best.len() / 2;
    while length > 0 {
        let mut start = 0;
        while start < best.len() {
            let end = (start + length).min(best.len());
            let smaller = [&best[..start], &best[end..]].concat();
            if still_found(&smaller) {
                best = smaller;
            } else {
                start = end;
            }
        }
        length /= 2;
    }
    best
}
