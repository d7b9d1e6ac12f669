//! Formulas as SMT-LIB 2 scripts, with exactly the meaning of [`Node`].
//!
//! Bits become bit vectors, arrays become arrays over 32-bit indices. A mathematical integer
//! with known bounds becomes a bit vector that is wide enough for nothing to wrap, since
//! solvers are bad at mixing integers and bits; only what depends on an unbounded symbol is
//! an `Int`. Where SMT-LIB means something else (division by zero, rounding of integer
//! division, shifts out of the width, elements out of bounds) the difference is written out.
//! Each term is defined once, so a script is as long as its formulas are large.

use ccfa::Type;
use logic::{ArithOp, Node, Sort, Symbol, Term, Terms};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Says that all of `formulas` hold: declarations, definitions and assertions, but no
/// `set-logic` and no `check-sat`.
///
/// # Errors
/// Shifts of mathematical integers have no meaning and are not written.
pub fn assertions(terms: &Terms, formulas: &[Term]) -> Result<String, String> {
    let mut writer = Writer { terms, text: String::new(), done: HashMap::new() };
    for formula in formulas {
        let truth = writer.term(*formula)?;
        let _ = writeln!(writer.text, "(assert {})", truth.text);
    }
    Ok(writer.text)
}

/// A complete script: its answer is `sat` if all of `formulas` can hold.
///
/// # Errors
/// As for [`assertions`].
pub fn script(terms: &Terms, formulas: &[Term]) -> Result<String, String> {
    let body = assertions(terms, formulas)?;
    Ok(format!("(set-logic {})\n{body}(check-sat)\n", logic(&body)))
}

/// The logic that a script needs.
fn logic(body: &str) -> &'static str {
    let has_bits = ["BitVec", "bv2nat", "int2bv"].iter().any(|word| body.contains(word));
    match (body.contains("Int"), has_bits, body.contains("Array")) {
        (true, true, _) => "ALL",
        (true, false, _) => "QF_NIA",
        (false, _, true) => "QF_ABV",
        (false, ..) => "QF_BV",
    }
}

/// A script of several cases, in each of which some formulas cannot hold together, if that is right: its answer is `sat`
/// if there is a case in which all can. What cases have in common is defined once.
#[derive(Default)]
pub struct Cases {
    text: String,
    done: HashMap<Term, Written>,
    asked: HashSet<Vec<Term>>,
}

impl Cases {
    /// One more case; all of them are of the same terms. A case that is there already is not written again.
    ///
    /// # Errors
    /// As for [`assertions`].
    pub fn add(&mut self, terms: &Terms, formulas: &[Term]) -> Result<(), String> {
        if self.asked.contains(formulas) {
            return Ok(());
        }
        let (text, done) = (std::mem::take(&mut self.text), std::mem::take(&mut self.done));
        let mut writer = Writer { terms, text, done };
        let truths: Result<Vec<_>, _> = formulas.iter().map(|term| writer.term(*term)).collect();
        (self.text, self.done) = (writer.text, writer.done);
        let truths: Vec<String> = truths?.into_iter().map(|truth| truth.text).collect();
        self.asked.insert(formulas.to_vec());
        let (number, all) = (self.asked.len(), truths.join(" "));
        let _ = writeln!(self.text, "(define-fun case{number} () Bool (and true {all}))");
        Ok(())
    }

    /// How many cases there are.
    pub fn count(&self) -> usize {
        self.asked.len()
    }

    /// The script as a whole.
    pub fn script(&self) -> String {
        let cases: String = (1..=self.count()).map(|number| format!(" case{number}")).collect();
        let logic = logic(&self.text);
        format!("(set-logic {logic})\n{}(assert (or false{cases}))\n(check-sat)\n", self.text)
    }
}

/// The name of a symbol in scripts. (Names that begin with `.` or `@` belong to the solver.)
pub fn name(terms: &Terms, symbol: Symbol) -> String {
    let plain = terms.symbol_name(symbol).trim_start_matches(['.', '@']).replace(['|', '\\'], "_");
    format!("|{plain}!{}|", symbol.0)
}

/// The element of an array symbol in scripts.
pub fn element(terms: &Terms, array: Symbol, place: u32) -> String {
    format!("(select {} {})", name(terms, array), bits(i128::from(place), 32))
}

/// How a value is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Truth,
    /// A bit vector; as a number of its type.
    Vector(usize),
    /// A mathematical integer as a signed bit vector.
    Wide(usize),
    Integer,
}

#[derive(Clone, Debug)]
struct Written {
    text: String,
    kind: Kind,
}

impl Kind {
    fn sort(self) -> String {
        match self {
            Kind::Truth => "Bool".into(),
            Kind::Vector(width) | Kind::Wide(width) => format!("(_ BitVec {width})"),
            Kind::Integer => "Int".into(),
        }
    }

    fn of(ty: Type) -> Kind {
        match ty {
            Type::Bool => Kind::Truth,
            Type::Bits { width, .. } => Kind::Vector(usize::from(width)),
            Type::Int => Kind::Integer,
        }
    }
}

struct Writer<'a> {
    terms: &'a Terms,
    text: String,
    done: HashMap<Term, Written>,
}

impl Writer<'_> {
    /// Defines a term and all it is made of; gives its name.
    fn term(&mut self, root: Term) -> Result<Written, String> {
        let mut stack = vec![root];
        while let Some(term) = stack.last().copied() {
            let waiting = stack.len();
            if !self.done.contains_key(&term) {
                let parts = self.terms.operands(term);
                stack.extend(parts.filter(|part| !self.done.contains_key(part)));
            }
            if stack.len() == waiting {
                stack.pop();
                if !self.done.contains_key(&term) {
                    let written = self.define(term)?;
                    self.done.insert(term, written);
                }
            }
        }
        Ok(self.done[&root].clone())
    }

    fn define(&mut self, term: Term) -> Result<Written, String> {
        let terms = self.terms;
        match terms.node(term) {
            Node::Symbol(symbol) => Ok(self.declare(*symbol)),
            Node::Const(value, ty) => Ok(constant(*value, *ty)),
            Node::ConstArray(..) => Ok(Written { text: String::new(), kind: Kind::Truth }),
            _ => {
                let written = self.compound(term)?;
                let name = format!("t{}", self.done.len());
                let sort = written.kind.sort();
                let _ = writeln!(self.text, "(define-fun {name} () {sort} {})", written.text);
                Ok(Written { text: name, kind: written.kind })
            }
        }
    }

    fn declare(&mut self, symbol: Symbol) -> Written {
        let name = name(self.terms, symbol);
        let (kind, sort) = match self.terms.symbol_sort(symbol) {
            Sort::Scalar(ty) => (Kind::of(ty), Kind::of(ty).sort()),
            Sort::Array { element, .. } => {
                let kind = Kind::of(element);
                (kind, format!("(Array (_ BitVec 32) {})", kind.sort()))
            }
        };
        let _ = writeln!(self.text, "(declare-fun {name} () {sort})");
        Written { text: name, kind }
    }

    fn compound(&self, term: Term) -> Result<Written, String> {
        let part = |part: &Term| self.done[part].clone();
        let list = |operator: &str, parts: &[Term]| {
            let parts: Vec<String> = parts.iter().map(|p| part(p).text).collect();
            truth(format!("({operator} {})", parts.join(" ")))
        };
        Ok(match self.terms.node(term) {
            Node::Not(a) => truth(format!("(not {})", part(a).text)),
            Node::And(parts) => list("and", parts),
            Node::Or(parts) => list("or", parts),
            Node::Eq(a, b) => {
                let (a, b) = aligned(part(a), part(b));
                truth(format!("(= {} {})", a.text, b.text))
            }
            Node::Le(a, b) => {
                let signed = is_signed(self.terms.ty(*a));
                less_equal(part(a), part(b), signed)
            }
            Node::Arith(op, a, b) => self.arith(*op, *a, *b)?,
            Node::Cast(ty, a) => cast(*ty, part(a), self.terms.ty(*a)),
            Node::Ite(c, a, b) => {
                let (a, b) = aligned(part(a), part(b));
                let text = format!("(ite {} {} {})", part(c).text, a.text, b.text);
                Written { text, kind: a.kind }
            }
            Node::Select(array, index) => self.select(*array, *index),
            Node::Const(..) | Node::ConstArray(..) | Node::Symbol(_) | Node::Store(..) => {
                return Err("an array should occur in a select only".into());
            }
        })
    }

    fn arith(&self, op: ArithOp, a: Term, b: Term) -> Result<Written, String> {
        let ty = self.terms.ty(a);
        let (x, y) = (self.done[&a].clone(), self.done[&b].clone());
        match (op, ty) {
            (ArithOp::Shl | ArithOp::Shr, Type::Bits { width, signed }) => {
                let amount = integer(y, self.terms.ty(b));
                Ok(shift(op, x, usize::from(width), signed, amount))
            }
            (ArithOp::Shl | ArithOp::Shr, _) => Err("a shift of a number without width".into()),
            (_, Type::Bool) => Ok(bool_arith(op, &x.text, &y.text)),
            (_, Type::Bits { signed, .. }) => Ok(vector_arith(op, &x, &y, signed)),
            (_, Type::Int) => match (x.kind, y.kind) {
                (Kind::Wide(m), Kind::Wide(n)) => {
                    let width = if op == ArithOp::Mul { m + n } else { m.max(n) + 1 };
                    Ok(vector_arith(op, &extended(x, width), &extended(y, width), true))
                }
                _ => integer_arith(op, &unbounded(x).text, &unbounded(y).text),
            },
        }
    }

    fn select(&self, array: Term, index: Term) -> Written {
        let Sort::Array { element, len } = self.terms.sort(array) else {
            unreachable!("an array should be selected from")
        };
        let index = integer(self.done[&index].clone(), self.terms.ty(index));
        let inside = in_range(&index, i128::from(len));
        let place = cast(Type::unsigned(32), index, Type::Int).text;
        let (kind, read) = match self.terms.node(array) {
            Node::ConstArray(values, ..) if values.len() == 1 => {
                let value = unbounded(constant(values[0], element));
                (value.kind, value.text)
            }
            Node::ConstArray(values, ..) => {
                let kind = Kind::of(element);
                let sort = format!("(Array (_ BitVec 32) {})", kind.sort());
                let mut table = format!("((as const {sort}) {})", zero(kind));
                for (place, value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
                    let value = unbounded(constant(*value, element)).text;
                    table = format!("(store {table} {} {value})", bits(place as i128, 32));
                }
                (kind, format!("(select {table} {place})"))
            }
            _ => {
                let array = &self.done[&array];
                (array.kind, format!("(select {} {place})", array.text))
            }
        };
        Written { text: format!("(ite {inside} {read} {})", zero(kind)), kind }
    }
}

fn truth(text: String) -> Written {
    Written { text, kind: Kind::Truth }
}

fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Int | Type::Bits { signed: true, .. })
}

/// `value` modulo 2^`width`.
fn bits(value: i128, width: usize) -> String {
    let bit = |place: usize| if value >> place.min(127) & 1 == 1 { '1' } else { '0' };
    let digits: String = (0..width).rev().map(bit).collect();
    format!("#b{digits}")
}

fn constant(value: i128, ty: Type) -> Written {
    match ty {
        Type::Bool => truth((value == 1).to_string()),
        Type::Bits { width, .. } => {
            let width = usize::from(width);
            Written { text: bits(value, width), kind: Kind::Vector(width) }
        }
        Type::Int => {
            let magnitude = if value < 0 { !value } else { value };
            let width = 129 - magnitude.leading_zeros() as usize;
            Written { text: bits(value, width), kind: Kind::Wide(width) }
        }
    }
}

fn zero(kind: Kind) -> String {
    match kind {
        Kind::Truth => "false".into(),
        Kind::Vector(width) | Kind::Wide(width) => bits(0, width),
        Kind::Integer => "0".into(),
    }
}

/// A wide integer with more bits.
fn extended(value: Written, to: usize) -> Written {
    match value.kind {
        Kind::Wide(width) if width < to => {
            let text = format!("((_ sign_extend {}) {})", to - width, value.text);
            Written { text, kind: Kind::Wide(to) }
        }
        _ => value,
    }
}

/// An integer as an `Int`.
fn unbounded(value: Written) -> Written {
    let Kind::Wide(width) = value.kind else { return value };
    if let Some(number) = number(&value.text) {
        let text = match number < 0 {
            true => format!("(- {})", number.unsigned_abs()),
            false => number.to_string(),
        };
        return Written { text, kind: Kind::Integer };
    }
    let text = &value.text;
    let sign = format!("(= ((_ extract {0} {0}) {text}) #b1)", width - 1);
    let power = match 1i128.checked_shl(width as u32) {
        Some(power) if width < 127 => power.to_string(),
        _ => format!("(* {})", vec!["2"; width].join(" ")),
    };
    let text = format!("(- (bv2nat {text}) (ite {sign} {power} 0))");
    Written { text, kind: Kind::Integer }
}

/// The number that signed bits stand for, if they are written out.
fn number(text: &str) -> Option<i128> {
    let digits = text.strip_prefix("#b")?;
    let sign = if digits.starts_with('1') { -1 } else { 0 };
    Some(digits.bytes().fold(sign, |number, digit| number << 1 | i128::from(digit == b'1')))
}

/// Both sides in one representation.
fn aligned(a: Written, b: Written) -> (Written, Written) {
    match (a.kind, b.kind) {
        (Kind::Wide(m), Kind::Wide(n)) => (extended(a, m.max(n)), extended(b, m.max(n))),
        (Kind::Integer, _) | (_, Kind::Integer) => (unbounded(a), unbounded(b)),
        _ => (a, b),
    }
}

fn less_equal(a: Written, b: Written, signed: bool) -> Written {
    let (a, b) = aligned(a, b);
    let operator = match a.kind {
        Kind::Truth => return truth(format!("(=> {} {})", a.text, b.text)),
        Kind::Integer => "<=",
        _ if signed => "bvsle",
        _ => "bvule",
    };
    truth(format!("({operator} {} {})", a.text, b.text))
}

/// A scalar as a mathematical integer.
fn integer(value: Written, ty: Type) -> Written {
    match (value.kind, ty) {
        (Kind::Truth, _) => {
            Written { text: format!("(ite {} #b01 #b00)", value.text), kind: Kind::Wide(2) }
        }
        (Kind::Vector(width), Type::Bits { signed: false, .. }) => Written {
            text: format!("((_ zero_extend 1) {})", value.text),
            kind: Kind::Wide(width + 1),
        },
        (Kind::Vector(width), _) => Written { text: value.text, kind: Kind::Wide(width) },
        _ => value,
    }
}

/// `0 <= value < most`, for an integer.
fn in_range(value: &Written, most: i128) -> String {
    let low = less_equal(constant(0, Type::Int), value.clone(), true);
    let high = less_equal(value.clone(), constant(most - 1, Type::Int), true);
    format!("(and {} {})", low.text, high.text)
}

fn cast(ty: Type, value: Written, from: Type) -> Written {
    let value = integer(value, from);
    match (ty, value.kind) {
        (Type::Int, _) => value,
        (Type::Bool, kind) => truth(format!("(not (= {} {}))", value.text, zero(kind))),
        (Type::Bits { width, .. }, Kind::Integer) => {
            let width = usize::from(width);
            let text = format!("((_ int2bv {width}) {})", value.text);
            Written { text, kind: Kind::Vector(width) }
        }
        (Type::Bits { width, .. }, _) => {
            let width = usize::from(width);
            let wide = extended(value, width);
            let text = format!("((_ extract {} 0) {})", width - 1, wide.text);
            Written { text, kind: Kind::Vector(width) }
        }
    }
}

fn shift(op: ArithOp, value: Written, width: usize, signed: bool, amount: Written) -> Written {
    let inside = in_range(&amount, width as i128);
    let places = cast(Type::unsigned(width as u8), amount, Type::Int).text;
    let a = value.text;
    let (operator, outside) = match op {
        ArithOp::Shl => ("bvshl", bits(0, width)),
        _ if signed => {
            let negative = format!("(bvslt {a} {})", bits(0, width));
            ("bvashr", format!("(ite {negative} {} {})", bits(-1, width), bits(0, width)))
        }
        _ => ("bvlshr", bits(0, width)),
    };
    let text = format!("(ite {inside} ({operator} {a} {places}) {outside})");
    Written { text, kind: Kind::Vector(width) }
}

fn bool_arith(op: ArithOp, a: &str, b: &str) -> Written {
    truth(match op {
        ArithOp::Add | ArithOp::BitOr => format!("(or {a} {b})"),
        ArithOp::Sub | ArithOp::BitXor => format!("(xor {a} {b})"),
        ArithOp::Rem => format!("(and {a} (not {b}))"),
        _ => format!("(and {a} {b})"),
    })
}

/// Both sides have one width.
fn vector_arith(op: ArithOp, a: &Written, b: &Written, signed: bool) -> Written {
    let (x, y) = (&a.text, &b.text);
    let text = match op {
        ArithOp::Add => format!("(bvadd {x} {y})"),
        ArithOp::Sub => format!("(bvsub {x} {y})"),
        ArithOp::Mul => format!("(bvmul {x} {y})"),
        ArithOp::Div => {
            let operator = if signed { "bvsdiv" } else { "bvudiv" };
            let zero = zero(a.kind);
            format!("(ite (= {y} {zero}) {zero} ({operator} {x} {y}))")
        }
        ArithOp::Rem => format!("({} {x} {y})", if signed { "bvsrem" } else { "bvurem" }),
        ArithOp::BitAnd => format!("(bvand {x} {y})"),
        ArithOp::BitOr => format!("(bvor {x} {y})"),
        ArithOp::BitXor => format!("(bvxor {x} {y})"),
        ArithOp::Shl | ArithOp::Shr => unreachable!("shifts should be written elsewhere"),
    };
    Written { text, kind: a.kind }
}

fn integer_arith(op: ArithOp, a: &str, b: &str) -> Result<Written, String> {
    // SMT-LIB rounds quotients so that remainders are never negative; ours go towards zero.
    let quotient = format!(
        "(ite (= {b} 0) 0 (ite (= (< {a} 0) (< {b} 0)) (div (abs {a}) (abs {b})) \
         (- (div (abs {a}) (abs {b})))))"
    );
    let text = match op {
        ArithOp::Add => format!("(+ {a} {b})"),
        ArithOp::Sub => format!("(- {a} {b})"),
        ArithOp::Mul => format!("(* {a} {b})"),
        ArithOp::Div => quotient,
        ArithOp::Rem => format!("(- {a} (* {b} {quotient}))"),
        _ => return Err("a bitwise operation on unbounded integers".into()),
    };
    Ok(Written { text, kind: Kind::Integer })
}
