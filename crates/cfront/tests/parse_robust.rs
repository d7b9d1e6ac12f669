//! The parser never panics, hangs or overflows its stack, whatever it is fed.
//! These tests run with the stack of a test thread (2 MiB).

use std::time::{Duration, Instant};

use ccfa::random::Rng;
use cfront::syntax::parse;

const DEPTH: usize = 100_000;

/// A bomb: what comes first, what is repeated, the middle, what closes each, and the end.
type Bomb = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip] // A table.
const NESTED: &[Bomb] = &[
    ("int x = ", "(", "1", ")", ";"),
    ("int x = ", "-", "1", "", ";"),
    ("int x = ", "- - + ~ ! * & ", "y", "", ";"),
    ("int x = ", "(int)", "1", "", ";"),
    ("int x = ", "(int)(", "1", ")", ";"),
    ("int x = ", "sizeof ", "y", "", ";"),
    ("int x = ", "sizeof(int[", "1", "])", ";"),
    ("int x = ", "_Alignof(typeof(", "1", "))", ";"),
    ("int x = ", "__extension__ ", "1", "", ";"),
    ("int x = ", "__extension__ -", "1", "", ";"),
    ("int x = ", "(int){", "1", "}", ";"),
    ("int x = ", "f(", "1", ")", ";"),
    ("int x = ", "a[", "1", "]", ";"),
    ("int x = ", "f", "(1)", "(1)", ";"),
    ("int x = ", "a ? ", "1", " : 1", ";"),
    ("int x = ", "a ? 1 : ", "1", "", ";"),
    ("int x = ", "a ?: ", "1", "", ";"),
    ("int x = ", "a = ", "1", "", ";"),
    ("int x = ", "1 + ", "1", "", ";"),
    ("int x = ", "(1 + ", "1", ")", ";"),
    ("int x = ", "1 || 1 && 1 | 1 ^ 1 & 1 == 1 < 1 << 1 + 1 * (", "1", ")", ";"),
    ("int x = (", "1, ", "1", "", ");"),
    ("int x = ", "a.b", "", ".b[1]->c++", ";"),
    ("int x = ", "({ ", "1", "; })", ";"),
    ("int x = ", "({ int x = ", "1", "; 1; })", ";"),
    ("int x = ", "_Generic(", "1", ", default: 1)", ";"),
    ("int x = ", "_Generic(1, default: ", "1", ")", ";"),
    ("int x = ", "__builtin_choose_expr(1, ", "1", ", 1)", ";"),
    ("int x = ", "__builtin_offsetof(struct { int a[", "1", "]; }, a)", ";"),
    ("int x = ", "{", "1", "}", ";"),
    ("int x = ", "{[0] = ", "1", "}", ";"),
    ("int x = ", "{.a = {[0 ... 1] = ", "1", "}}", ";"),
    ("int x", "[", "1", "]", ";"),
    ("int x", "[1]", "", "", ";"),
    ("int ", "*", "x", "", ";"),
    ("int ", "* const ", "x", "", ";"),
    ("int ", "(", "x", ")", ";"),
    ("int ", "(*", "x", ")", ";"),
    ("int ", "(*", "x", ")(int)", ";"),
    ("int ", "(*", "x", "[1])", ";"),
    ("int f", "(int", "", ")", ";"),
    ("int f", "(int (*)", "(int)", ")", ";"),
    ("int f", "(int a[sizeof(int", "", ")])", ";"),
    ("", "struct { ", "int x;", " } a;", ""),
    ("", "struct { int x[sizeof(", "int", ")]; };", ""),
    ("", "enum { A = sizeof(", "int", ") } x;", ""),
    ("", "typeof(", "int", ") x;", ""),
    ("", "typeof(", "1", ")", " x;"),
    ("", "_Atomic(", "int", ")", " x;"),
    ("", "_Alignas(", "int", ") int", " x;"),
    ("int x ", "__attribute__((aligned(sizeof(int ", "", "))))", ";"),
    ("", "__attribute__((a)) ", "int x;", "", ""),
    ("", "__attribute__((a(", "", ")))", "int x;"),
    ("", "__extension__ ", "int x;", "", ""),
    ("void f(void) ", "{", "", "}", ""),
    ("void f(void) ", "{ int x; ", "", "}", ""),
    ("void f(void) { ", "if (1) ", ";", "", "}"),
    ("void f(void) { ", "if (1) { ", ";", " } else ; ", "}"),
    ("void f(void) { ", "if (1) ; else ", ";", "", "}"),
    ("void f(void) { ", "if (1) ; else { ", ";", "}", "}"),
    ("void f(void) { ", "while (1) ", ";", "", "}"),
    ("void f(void) { ", "for (;;) ", ";", "", "}"),
    ("void f(void) { ", "for (int i;;) ", ";", "", "}"),
    ("void f(void) { ", "do ", ";", " while (1);", "}"),
    ("void f(void) { ", "switch (1) ", ";", "", "}"),
    ("void f(void) { ", "switch (1) case 1: ", ";", "", "}"),
    ("void f(void) { ", "case 1: ", ";", "", "}"),
    ("void f(void) { ", "l: ", ";", "", "}"),
    ("void f(void) { ", "l: __attribute__((a)) ", ";", "", "}"),
    ("void f(void) { ", "__attribute__((a)) ", ";", "", "}"),
    ("void f(void) { ", "__attribute__((a)) __extension__ ", "x;", "", "}"),
    ("void f(void) { ", "int f(void) { ", "", "}", "}"),
    ("void f(void) { ", "({ ", "1;", "});", "}"),
    ("void f(void) { asm(\"\" : : \"r\"(", "({ asm(\"\" : : \"r\"(", "1", ")); 1; })", ")); }"),
    ("int f(a) ", "int (*a)(a) ", "", "", "{ }"),
    ("int x = ", "(int (*)(", "int", "))1", ";"),
    ("char *s = ", "\"x\" ", "", "", ";"),
];

#[test]
fn nesting_bombs() {
    for &(first, open, middle, close, last) in NESTED {
        let text = [first, &open.repeat(DEPTH), middle, &close.repeat(DEPTH), last].concat();
        check_quick(&text, open);
        // Not closed: the same up to the middle.
        check_quick(&[first, &open.repeat(DEPTH)].concat(), open);
    }
}

/// Below and around the limits, where trees are really built and dropped.
#[test]
fn nesting_near_the_limits() {
    for &(first, open, middle, close, last) in NESTED {
        for depth in [1, 2, 20, 60, 100, 126, 200, 254, 255, 256, 2_000, 4_998, 5_001] {
            let text = [first, &open.repeat(depth), middle, &close.repeat(depth), last].concat();
            let is_too_deep = parse(&text).is_err_and(|e| e.message == "nested too deeply");
            assert!(depth > 20 || !is_too_deep, "{text}");
        }
    }
}

/// Chains within parentheses within chains: only the height of the tree is high.
#[test]
fn nested_chains() {
    let mut text = "1".to_string();
    for _ in 0..100 {
        text = format!("({text}{})", " + 1".repeat(1000));
    }
    let diagnostic = parse(&format!("int x = {text};")).unwrap_err();
    assert_eq!(diagnostic.message, "nested too deeply");
    let mut text = ";".to_string();
    for _ in 0..50 {
        text = format!("if (1) {{ {text} }} {}", "else if (1) ; ".repeat(1000));
        text = format!("{} {{ {text} }}", "case 1: ".repeat(1000));
    }
    check_quick(&format!("void f(void) {{ {text} }}"), "chains");
}

fn check_quick(text: &str, name: &str) {
    let start = Instant::now();
    if let Err(diagnostic) = parse(text) {
        assert!(diagnostic.range.hi as usize <= text.len(), "{name}: {diagnostic:?}");
    }
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(5), "`{name}` took {elapsed:?}");
}

/// A bit of everything.
const SAMPLE: &str = r#"# 1 "sample.c"
typedef unsigned long size_t; typedef struct node { struct node *next; int bits : 3, é; } node;
extern int printf(const char *restrict, ...) __attribute__((__format__(__printf__, 1, 2)));
enum { A = 1, B = A << 2, } __attribute__((packed)); /* a comment */
static _Atomic(int) counter = 0x1Fu; _Thread_local char text[] = "a\x41\n" "b\u00e9", c = '\'';
int table[3][2] = {[0] = {1, 2}, [1 ... 2] = {[1] 3}}; struct node n = {.bits = 1, next: 0};
_Static_assert(sizeof(int) == 4, "size"); double d = 1.5e-3f + 0x1.8p3;
int old(a, b) char *b; { return a + *b; }
void *(*worker(int (*f)(size_t), node *p))(void *) {
    __label__ out; int i = ({ __auto_type x = 3; x ?: 4; }), T = (int)sizeof (node){0}.bits;
    for (int i = 0; i < 10 && p->next; i++, --T) { if (i % 2) continue; else if (i) break; else goto out; }
    do { switch (i) { case 0 ... 3: case 4: i += _Generic(i, int: 1, default: 2); default: ; } } while (i);
    asm volatile ("mov %1, %[o]" : [o] "=r"(i) : "r"(T) : "memory"); // done
    void *target = &&out; goto *target;
out: __attribute__((unused)); return i ? 0 : (void *(*)(void *))__builtin_offsetof(node, next);
}
"#;

#[test]
fn the_sample_parses() {
    parse(SAMPLE).unwrap();
}

#[test]
fn truncation_at_every_byte() {
    for end in 0..SAMPLE.len() {
        if SAMPLE.is_char_boundary(end) {
            check_quick(&SAMPLE[..end], "prefix");
            check_quick(&SAMPLE[end..], "suffix");
        }
    }
}

#[test]
fn mutations_of_bytes() {
    const BYTES: &[u8] = b"(){}[];,:?.*&+-=<>!~|^%/\\\"'#@$ \n\t0aLxeT_\xC3\xA9\x00";
    for seed in 0..3000 {
        let mut random = Rng::new(seed);
        let mut bytes = SAMPLE.as_bytes().to_vec();
        for _ in 0..=random.below(8) {
            let at = random.below(bytes.len());
            let byte = BYTES[random.below(BYTES.len())];
            match random.below(3) {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        check_quick(&String::from_utf8_lossy(&bytes), &format!("seed {seed}"));
    }
}

#[test]
fn mutations_of_tokens() {
    let words: Vec<&str> = SAMPLE.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
    for seed in 0..3000 {
        let mut random = Rng::new(seed);
        let mut mutant = words.clone();
        for _ in 0..=random.below(5) {
            let (a, b) = (random.below(mutant.len()), random.below(mutant.len()));
            match random.below(3) {
                0 => mutant.swap(a, b),
                1 => mutant.insert(a, mutant[b]),
                _ => drop(mutant.remove(a)),
            }
        }
        check_quick(&mutant.concat(), &format!("seed {seed}"));
    }
}
