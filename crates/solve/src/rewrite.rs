//! The rules by which engines make terms: each gives a normal form of what it is asked for.
//!
//! Engines execute paths by substitution, so what can be decided by looking at a
//! term and its operands is decided here, and no solver sees it. Every rule is an
//! equivalence under all valuations, in the types it is used for; every rule
//! looks at a bounded neighbourhood only (chains of stores, of constants in `Ite` and
//! of nested `And`/`Or` are walked once). Rules give up where a mathematical integer
//! would leave `i128`. `check` makes its terms by other, fewer rules: a rule that were wrong could cost
//! an answer, but not make one wrong.
//!
//! What holds of terms beyond what `logic::term` says:
//! - `Not` stands before atoms only, never before `And`, `Or` or `Not`, nor before a
//!   `Le` with a constant side or of mathematical integers, unless `i128` is too small
//!   for the constant;
//! - a constant is the right operand of commutative operators; `x - k` is `x + -k`;
//! - a constant amount of a shift has the type of what is shifted;
//! - a constant array that is selected from has different elements.
//!
//! The parts: [`boolean`] (`not`, `and`, `or`), [`choice`] (`ite`), [`bounds`] (what several bounds
//! on one term say together), [`compare`] (`==`, `<=`), [`arith`] (arithmetic and
//! conversions), [`array`](mod@array) (`select`, `store`).

mod arith;
mod array;
mod boolean;
mod bounds;
mod choice;
mod compare;

use ccfa::Type;
use logic::{ArithOp, Node, Sort, Term, Terms};
use std::ops::{Deref, DerefMut};

/// No terms yet; they are made by the rules of this module.
pub fn terms() -> Terms {
    Terms::with_rules(rules)
}

fn rules(terms: &mut Terms, node: Node) -> Term {
    let mut rewriter = Rewriter(terms);
    match node {
        Node::Not(a) => rewriter.not(a),
        Node::And(parts) => rewriter.and(parts),
        Node::Or(parts) => rewriter.or(parts),
        Node::Eq(a, b) => rewriter.eq(a, b),
        Node::Le(a, b) => rewriter.le(a, b),
        Node::Arith(op, a, b) => rewriter.arith(op, a, b),
        Node::Cast(ty, a) => rewriter.cast(ty, a),
        Node::Ite(c, a, b) => rewriter.ite(c, a, b),
        Node::Select(array, index) => rewriter.select(array, index),
        Node::Store(array, index, value) => rewriter.store(array, index, value),
        Node::Const(..) | Node::ConstArray(..) | Node::Symbol(_) => rewriter.intern(node),
    }
}

/// Terms, with these rules.
struct Rewriter<'a>(&'a mut Terms);

impl Deref for Rewriter<'_> {
    type Target = Terms;

    fn deref(&self) -> &Terms {
        self.0
    }
}

impl DerefMut for Rewriter<'_> {
    fn deref_mut(&mut self) -> &mut Terms {
        self.0
    }
}

impl Rewriter<'_> {
    /// The term of a scalar node: a constant if it can have one value only.
    fn scalar(&mut self, node: Node, ty: Type) -> Term {
        match self.node_range(&node, Sort::Scalar(ty)) {
            Some((low, high)) if low == high => self.constant(low, ty),
            _ => self.intern(node),
        }
    }

    /// `x` and `k` if the term is `x + k` with a constant `k`, else the term and 0.
    fn split_offset(&self, term: Term) -> (Term, i128) {
        match *self.node(term) {
            Node::Arith(ArithOp::Add, x, k) => match self.constant_value(k) {
                Some(k) => (x, k),
                None => (term, 0),
            },
            _ => (term, 0),
        }
    }
}
