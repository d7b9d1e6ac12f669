//! The text form of programs: `.rely` files, written by [`print()`] or by hand.
//!
//! ```text
//! program "ticket lock"                 // comments: // and /* */
//! file 0 "ticket.c"                     // sources that `@file:line:column` speaks of
//! const N = 3                           // a name for a number
//! shared next: u8 = 0                   // types: bool, int, i1 to i64, u1 to u64
//! shared seen: bool[N] = false          // arrays; `= {1, 2, 3}` for each element
//! shared serving: u8 = any              // `any`: some value, we do not say which
//! initial serving == next               // only shared variables
//! template customer(me: u8) {           // parameters are locals; `_` for one without
//!   local mine: u8 = any
//!   entry start                         // else: where the first step starts
//!   start -> wait: mine := next, next := next + 1 @0:12:5
//!   wait -> inside: when serving == mine then seen[me] := true
//!   inside -> inside                    // a step that changes nothing
//!   atomic location inside              // while here, no other thread moves
//!   error bad: "mutual exclusion"       // an assertion; `error bad: call "abort"` a call
//!   undefined gone: dead_object         // undefined behaviour, by its short name
//!   limit unsupported end: "longjmp"    // the model ends here; also `limit bound`
//! }
//! thread first = customer(0)
//! thread other[2] = customer(index + 1) // two instances, with arguments 1 and 2
//! thread more[*] = customer(9)          // any number of instances
//! ```
//!
//! All assignments of a step happen at once; `x := any` assigns an arbitrary
//! value, also to a whole array. Things are declared before they are used; a
//! location is declared by its first mention and numbered in that order. A
//! location without name is written `#7`. Before `location`, `error` and so on may stand `atomic`, and
//! `resting` for the entry of a thread that others create. Names that are not plain words stand
//! in backticks: `` `t[2]` ``. Where a local hides a shared variable, `::x` is
//! the shared one. Line breaks mean nothing.
//!
//! Expressions are C's, without conversions: operators with C's precedence,
//! `ite(c, a, b)`, and casts `u8(e)`. A number has the type its place needs, as
//! in `next + 1`; where nothing needs a type (an index, the operand of a cast,
//! `1 < 2`) it is an `i32`; the amount of a shift is by itself of the type of
//! the left operand. A suffix gives the type by hand: `5u8`, `3int`. `-5` is a
//! constant, `-(5)` an operator and a constant.
//!
//! `property error, memory, race, deadlock` says what is asked; without it, `error` alone is. (Also
//! `undefined` for all its classes, and `nothing`.)
//!
//! What the lowering of C adds can be left out: behind a step, the memory it accesses and the call it
//! belongs to, `a -> b: x := 1 { write x atomic release @0:3:1-3:6 } @0:3:1-3:7 call 2`; behind a variable, what
//! it is in C; the tables of objects and calls.
//!
//! ```text
//! shared items.next: u64[3] = 0 source "items" "struct item *" pointer part 0 of 0
//! object 0 "items" at 4096 size 48 { "[].next" at 8 size 8 [3 by 16] }
//! call 0 "main"
//! call 1 "worker" from 0 @0:12:3-12:11
//! ```
//!
//! For well-formed programs `parse(print(p)) == p`, and what `print` gives is
//! canonical: the same for all texts of the same program.

mod access;
mod body;
mod elaborate;
mod lex;
mod parse;
mod print;
mod property;
mod source;
mod syntax;
mod words;

use crate::expr::{BinOp, Expr, Type, UnOp};
use crate::program::{Program, Template};
use std::fmt;

pub use print::{location_name, print, print_expr, print_step};

/// Reads a program. What it accepts is well-formed.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    parse::program(text)
}

/// Reads one expression of type `ty`, as seen from a template (from none:
/// shared variables only).
pub fn parse_expr(
    program: &Program,
    template: Option<&Template>,
    ty: Type,
    text: &str,
) -> Result<Expr, ParseError> {
    parse::expression(program, template, ty, text)
}

/// Why a text is not a program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// In plain words.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// How a type is written.
pub fn type_name(ty: Type) -> String {
    match ty {
        Type::Bool => "bool".to_string(),
        Type::Int => "int".to_string(),
        Type::Bits { width, signed } => format!("{}{width}", if signed { 'i' } else { 'u' }),
    }
}

/// The type that is written so.
pub fn type_named(name: &str) -> Option<Type> {
    match name {
        "bool" => return Some(Type::Bool),
        "int" => return Some(Type::Int),
        _ => {}
    }
    let signed = name.starts_with('i');
    let width = name.strip_prefix(['i', 'u'])?;
    if width.starts_with(['0', '+']) {
        return None;
    }
    let width = width.parse().ok().filter(|width| (1..=64).contains(width))?;
    Some(Type::Bits { width, signed })
}

/// How an operator on one operand is written.
pub fn unary_symbol(op: UnOp) -> &'static str {
    match op {
        UnOp::Neg => "-",
        UnOp::BitNot => "~",
        UnOp::Not => "!",
    }
}

/// How an operator on two operands is written.
pub fn binary_symbol(op: BinOp) -> &'static str {
    OPERATORS.iter().find(|(_, _, other)| *other == op).map_or("?", |(symbol, ..)| symbol)
}

/// The binary operators: symbol and precedence (larger binds tighter), as in C.
const OPERATORS: [(&str, u8, BinOp); 16] = [
    ("||", 1, BinOp::Or),
    ("&&", 2, BinOp::And),
    ("|", 3, BinOp::BitOr),
    ("^", 4, BinOp::BitXor),
    ("&", 5, BinOp::BitAnd),
    ("==", 6, BinOp::Eq),
    ("!=", 6, BinOp::Ne),
    ("<", 7, BinOp::Lt),
    ("<=", 7, BinOp::Le),
    ("<<", 8, BinOp::Shl),
    (">>", 8, BinOp::Shr),
    ("+", 9, BinOp::Add),
    ("-", 9, BinOp::Sub),
    ("*", 10, BinOp::Mul),
    ("/", 10, BinOp::Div),
    ("%", 10, BinOp::Rem),
];

fn precedence(op: BinOp) -> u8 {
    OPERATORS.iter().find(|(_, _, other)| *other == op).map_or(0, |(_, precedence, _)| *precedence)
}

/// The type of a number that no other type is asked of.
const NUMBER: Type = Type::signed(32);

/// Words that are never names, unless in backticks.
const RESERVED: [&str; 6] = ["true", "false", "any", "when", "then", "_"];
