//! The rules that the checker believes. **Trusted.**
//!
//! They fold constants, keep what `term` says of its nodes, and make equal what is often written in two ways. The bits
//! see the rest: what a circuit finds out by itself (see `bits::circuit`) is no rule here.

use crate::term::{ArithOp, Node, Term, Terms};
use ccfa::Type;

/// The type of constant indices.
const INDEX: Type = Type::unsigned(32);

/// A term that means what the node means.
pub(crate) fn rules(terms: &mut Terms, node: Node) -> Term {
    match node {
        Node::Not(a) => not(terms, a),
        Node::And(parts) => junction(terms, parts.into_vec(), true),
        Node::Or(parts) => junction(terms, parts.into_vec(), false),
        Node::Eq(a, b) => eq(terms, a, b),
        Node::Le(a, b) => le(terms, a, b),
        Node::Arith(op, a, b) => arith(terms, op, a, b),
        Node::Cast(ty, a) => cast(terms, ty, a),
        Node::Ite(c, a, b) => ite(terms, c, a, b),
        Node::Select(array, index) => select(terms, array, index),
        Node::Store(array, index, value) => store(terms, array, index, value),
        Node::Const(..) | Node::ConstArray(..) | Node::Symbol(_) => terms.intern(node),
    }
}

fn not(terms: &mut Terms, a: Term) -> Term {
    match *terms.node(a) {
        Node::Const(value, _) => terms.truth(value == 0),
        Node::Not(inner) => inner,
        _ => terms.intern(Node::Not(a)),
    }
}

/// `And`, or `Or`, of these operands.
fn junction(terms: &mut Terms, parts: Vec<Term>, and: bool) -> Term {
    let Some(parts) = terms.flattened(parts, and) else { return terms.truth(!and) };
    let is_denied = |part: &Term| match terms.node(*part) {
        Node::Not(inner) => parts.binary_search(inner).is_ok(),
        _ => false,
    };
    match parts[..] {
        [] => terms.truth(and),
        [part] => part,
        _ if parts.iter().any(is_denied) => terms.truth(!and),
        _ if and => terms.intern(Node::And(parts.into())),
        _ => terms.intern(Node::Or(parts.into())),
    }
}

fn eq(terms: &mut Terms, a: Term, b: Term) -> Term {
    match (terms.constant_value(a), terms.constant_value(b)) {
        _ if a == b => terms.truth(true),
        (Some(x), Some(y)) => terms.truth(x == y),
        (Some(_), None) => eq(terms, b, a),
        (None, Some(value)) if terms.ty(a) == Type::Bool => match value {
            0 => terms.not(a),
            _ => a,
        },
        (None, Some(_)) => terms.intern(Node::Eq(a, b)),
        (None, None) => terms.intern(Node::Eq(a.min(b), a.max(b))),
    }
}

fn le(terms: &mut Terms, a: Term, b: Term) -> Term {
    match (terms.constant_value(a), terms.constant_value(b)) {
        _ if a == b => terms.truth(true),
        (Some(x), Some(y)) => terms.truth(x <= y),
        _ if terms.ty(a) == Type::Bool => terms.implies(a, b),
        _ => terms.intern(Node::Le(a, b)),
    }
}

fn arith(terms: &mut Terms, op: ArithOp, a: Term, b: Term) -> Term {
    let ty = terms.ty(a);
    let constants = terms.constant_value(a).zip(terms.constant_value(b));
    match (op, constants.and_then(|(x, y)| op.apply(ty, x, y))) {
        (_, Some(value)) => terms.constant(value, ty),
        (ArithOp::BitAnd, _) if ty == Type::Bool => terms.and([a, b]),
        (ArithOp::BitOr, _) if ty == Type::Bool => terms.or([a, b]),
        (ArithOp::BitXor, _) if ty == Type::Bool => terms.ne(a, b),
        _ => terms.intern(Node::Arith(op, a, b)),
    }
}

fn cast(terms: &mut Terms, ty: Type, a: Term) -> Term {
    let from = terms.ty(a);
    match (terms.constant_value(a), ty, from) {
        _ if from == ty => a,
        (Some(value), ..) => terms.constant(value, ty),
        (_, Type::Bool, _) => {
            let zero = terms.constant(0, from);
            terms.ne(a, zero)
        }
        (_, _, Type::Bool) => {
            let (one, zero) = (terms.constant(1, ty), terms.constant(0, ty));
            terms.ite(a, one, zero)
        }
        _ => terms.intern(Node::Cast(ty, a)),
    }
}

fn ite(terms: &mut Terms, c: Term, a: Term, b: Term) -> Term {
    match terms.constant_value(c) {
        _ if a == b => a,
        Some(0) => b,
        Some(_) => a,
        None => terms.intern(Node::Ite(c, a, b)),
    }
}

/// The element, from the last store that may have written it back to the first.
fn select(terms: &mut Terms, array: Term, index: Term) -> Term {
    let (element, len) = terms.array_sort(array);
    let Some(index) = place(terms, index, len) else { return terms.constant(0, element) };
    let mut stores = Vec::new();
    let mut base = array;
    while let Node::Store(before, written, value) = *terms.node(base) {
        let here = [terms.same_index(written, index), terms.in_bounds(index, len)];
        let here = terms.and(here);
        stores.push((here, value));
        base = before;
    }
    let position = terms.constant_value(index).map(|position| position as usize);
    let mut result = match (terms.node(base), position) {
        (Node::ConstArray(values, ..), Some(position)) => {
            let value = values[if values.len() == 1 { 0 } else { position }];
            terms.constant(value, element)
        }
        _ => terms.intern(Node::Select(base, index)),
    };
    for (here, value) in stores.into_iter().rev() {
        result = terms.ite(here, value, result);
    }
    result
}

fn store(terms: &mut Terms, array: Term, index: Term, value: Term) -> Term {
    let (_, len) = terms.array_sort(array);
    match place(terms, index, len) {
        Some(index) => terms.intern(Node::Store(array, index, value)),
        None => array,
    }
}

/// An index, of one type if it is constant; `None` if that is out of bounds.
fn place(terms: &mut Terms, index: Term, len: u32) -> Option<Term> {
    match terms.constant_value(index) {
        Some(place) if (0..i128::from(len)).contains(&place) => Some(terms.constant(place, INDEX)),
        Some(_) => None,
        None => Some(index),
    }
}

impl ArithOp {
    /// The value on constants of type `ty`; `None` if a mathematical integer leaves our
    /// range, or has no such operator.
    pub fn apply(self, ty: Type, a: i128, b: i128) -> Option<i128> {
        let width = match ty {
            Type::Bits { width, .. } => Some(i128::from(width)),
            _ => None,
        };
        let value = match self {
            ArithOp::Mul if ty != Type::Int => a.wrapping_mul(b),
            ArithOp::Add => a.checked_add(b)?,
            ArithOp::Sub => a.checked_sub(b)?,
            ArithOp::Mul => a.checked_mul(b)?,
            ArithOp::Div if b == 0 => 0,
            ArithOp::Div => a.checked_div(b)?,
            ArithOp::Rem if b == 0 => a,
            ArithOp::Rem => a.checked_rem(b)?,
            ArithOp::Shl if (0..width?).contains(&b) => a << b,
            ArithOp::Shl => 0,
            ArithOp::Shr if (0..width?).contains(&b) => a >> b,
            ArithOp::Shr => {
                if a < 0 {
                    -1
                } else {
                    0
                }
            }
            ArithOp::BitAnd => a & b,
            ArithOp::BitOr => a | b,
            ArithOp::BitXor => a ^ b,
        };
        Some(ty.wrap(value))
    }
}
