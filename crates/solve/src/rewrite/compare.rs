//! `==` and `<=`.
//!
//! A comparison with a constant is pushed through everything that can be undone:
//! choices between constants, conversions that lose nothing, offsets. What is left
//! is a bound on the innermost term. Between two terms, offsets are collected on the
//! right; an equation has the older term on the left. Over mathematical integers,
//! `!(a <= b)` is `b <= a - 1`.

use super::Rewriter;
use super::bounds::Bound;
use ccfa::Type;
use logic::{ArithOp, Node, Term};

impl Rewriter<'_> {
    /// `a == b`
    pub(super) fn eq(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.truth(true);
        }
        match (self.constant_value(a), self.constant_value(b)) {
            _ if self.ty(a) == Type::Bool => self.eq_of_formulas(a, b),
            (Some(value), _) => self.is(b, value),
            (_, Some(value)) => self.is(a, value),
            _ if self.always_less(a, b) || self.always_less(b, a) => self.truth(false),
            _ => self.eq_of_numbers(a, b),
        }
    }

    /// `a <= b`
    pub(super) fn le(&mut self, a: Term, b: Term) -> Term {
        match (self.constant_value(a), self.constant_value(b)) {
            _ if a == b => self.truth(true),
            _ if self.ty(a) == Type::Bool => self.implies(a, b),
            (Some(value), _) => self.is_at_least(b, value),
            (_, Some(value)) => self.is_at_most(a, value),
            _ if self.always_less(a, b) => self.truth(true),
            _ if self.always_less(b, a) => self.truth(false),
            _ => self.le_of_numbers(a, b),
        }
    }

    fn always_less(&self, a: Term, b: Term) -> bool {
        self.range(a).zip(self.range(b)).is_some_and(|((_, high), (low, _))| high < low)
    }

    fn eq_of_formulas(&mut self, a: Term, b: Term) -> Term {
        match (self.node(a), self.node(b)) {
            (Node::Const(1, _), _) => b,
            (_, Node::Const(1, _)) => a,
            (Node::Const(..), _) => self.not(b),
            (_, Node::Const(..)) => self.not(a),
            (Node::Not(inner), _) => {
                let inner = *inner;
                self.ne(inner, b)
            }
            (_, Node::Not(inner)) => {
                let inner = *inner;
                self.ne(a, inner)
            }
            _ => {
                if self.not(a) == b {
                    return self.truth(false);
                }
                self.intern(Node::Eq(a.min(b), a.max(b)))
            }
        }
    }

    /// `x == value`, for a number `x`.
    fn is(&mut self, x: Term, value: i128) -> Term {
        if self.range(x).is_some_and(|(low, high)| value < low || high < value) {
            return self.truth(false);
        }
        let ty = self.ty(x);
        match *self.node(x) {
            Node::Const(constant, _) => self.truth(constant == value),
            Node::Ite(c, a, b) if self.is_choice(a, b) => {
                let (a, b) = (self.is(a, value), self.is(b, value));
                self.ite(c, a, b)
            }
            Node::Cast(_, inner) if self.keeps_value(ty, inner) => self.is(inner, value),
            Node::Cast(_, inner) if is_injective(self.ty(inner), ty) => {
                let before = self.ty(inner).wrap(value);
                if ty.wrap(before) == value { self.is(inner, before) } else { self.truth(false) }
            }
            Node::Arith(op, a, b) => match self.undone(op, ty, a, b, value) {
                Some(Some((operand, before))) => self.is(operand, before),
                Some(None) => self.truth(false),
                None => self.bound_atom(x, Bound::Is(value)),
            },
            _ => self.bound_atom(x, Bound::Is(value)),
        }
    }

    /// Which operand of `a op b` must be what for the result to be `value`: `Some(None)` if
    /// none can, `None` if there is no single answer.
    fn undone(
        &self,
        op: ArithOp,
        ty: Type,
        a: Term,
        b: Term,
        value: i128,
    ) -> Option<Option<(Term, i128)>> {
        match (op, self.constant_value(a), self.constant_value(b)) {
            (ArithOp::Add, _, Some(offset)) => Some(Some((a, ty.wrap(value.checked_sub(offset)?)))),
            (ArithOp::Sub, Some(from), _) => Some(Some((b, ty.wrap(from.checked_sub(value)?)))),
            (ArithOp::BitXor, _, Some(mask)) => Some(Some((a, value ^ mask))),
            (ArithOp::Mul, _, Some(factor)) if self.never_wraps(op, ty, a, b) => {
                match value.checked_rem(factor)? {
                    0 => Some(Some((a, value.checked_div(factor)?))),
                    _ => Some(None),
                }
            }
            _ => None,
        }
    }

    /// `x <= most`, for a number `x`.
    fn is_at_most(&mut self, x: Term, most: i128) -> Term {
        match self.range(x) {
            Some((_, high)) if high <= most => return self.truth(true),
            Some((low, _)) if most < low => return self.truth(false),
            _ => {}
        }
        let ty = self.ty(x);
        match *self.node(x) {
            Node::Const(constant, _) => self.truth(constant <= most),
            Node::Ite(c, a, b) if self.is_choice(a, b) => {
                let (a, b) = (self.is_at_most(a, most), self.is_at_most(b, most));
                self.ite(c, a, b)
            }
            Node::Cast(_, inner) if self.keeps_value(ty, inner) => self.is_at_most(inner, most),
            Node::Arith(op, a, b) if self.never_wraps(op, ty, a, b) => {
                match self.bound_on_operand(op, a, b, most) {
                    Some((operand, Bound::AtLeast(least))) => self.is_at_least(operand, least),
                    Some((operand, Bound::AtMost(most))) => self.is_at_most(operand, most),
                    _ => self.bound_atom(x, Bound::AtMost(most)),
                }
            }
            _ => self.bound_atom(x, Bound::AtMost(most)),
        }
    }

    /// The bound on an operand that says `a op b <= most`, over the integers.
    fn bound_on_operand(&self, op: ArithOp, a: Term, b: Term, most: i128) -> Option<(Term, Bound)> {
        match (op, self.constant_value(a), self.constant_value(b)) {
            (ArithOp::Add, _, Some(offset)) => Some((a, Bound::AtMost(most.checked_sub(offset)?))),
            (ArithOp::Sub, Some(from), _) => Some((b, Bound::AtLeast(from.checked_sub(most)?))),
            (ArithOp::Mul, _, Some(factor)) if factor > 0 => {
                Some((a, Bound::AtMost(most.div_euclid(factor))))
            }
            (ArithOp::Mul, _, Some(factor)) if factor < 0 => {
                let quotient = most.checked_div_euclid(factor.checked_neg()?)?;
                Some((a, Bound::AtLeast(quotient.checked_neg()?)))
            }
            _ => None,
        }
    }

    /// `least <= x`, for a number `x`.
    fn is_at_least(&mut self, x: Term, least: i128) -> Term {
        match least.checked_sub(1) {
            Some(below) => {
                let less = self.is_at_most(x, below);
                self.not(less)
            }
            None => self.bound_atom(x, Bound::AtLeast(least)),
        }
    }

    /// Is a choice between these worth being asked for each?
    fn is_choice(&self, a: Term, b: Term) -> bool {
        self.constant_value(a).is_some() || self.constant_value(b).is_some()
    }

    fn eq_of_numbers(&mut self, a: Term, b: Term) -> Term {
        let ty = self.ty(a);
        let ((x, j), (y, k)) = (self.split_offset(a), self.split_offset(b));
        if x == y {
            return self.truth(j == k);
        }
        if j == k
            && let Some((x, y)) = self.before_casts(x, y)
            && (is_injective(self.ty(x), ty) || self.cast_keeps_both(ty, x, y))
        {
            return self.eq(x, y);
        }
        // x + j == y + k, with the offset beside the newer term.
        let ((x, j), (y, k)) = if x < y { ((x, j), (y, k)) } else { ((y, k), (x, j)) };
        let right = match k.checked_sub(j) {
            Some(difference) => {
                let difference = self.constant(difference, ty);
                self.arith(ArithOp::Add, y, difference)
            }
            None => return self.intern(Node::Eq(a.min(b), a.max(b))),
        };
        self.intern(Node::Eq(x, right))
    }

    fn le_of_numbers(&mut self, a: Term, b: Term) -> Term {
        let ty = self.ty(a);
        if let Some((x, y)) = self.before_casts(a, b)
            && self.cast_keeps_both(ty, x, y)
        {
            return self.le(x, y);
        }
        if ty != Type::Int {
            return self.intern(Node::Le(a, b));
        }
        let ((x, j), (y, k)) = (self.split_offset(a), self.split_offset(b));
        let Some(difference) = k.checked_sub(j) else {
            return self.intern(Node::Le(a, b));
        };
        match (difference, self.before_casts(x, y)) {
            _ if x == y => self.truth(0 <= difference),
            (0, Some((x, y))) => self.le(x, y),
            (-1, Some((x, y))) => self.lt(x, y),
            _ => {
                let difference = self.constant(difference, ty);
                let right = self.arith(ArithOp::Add, y, difference);
                self.intern(Node::Le(x, right))
            }
        }
    }

    /// What two casts convert, if it is of one type.
    fn before_casts(&self, a: Term, b: Term) -> Option<(Term, Term)> {
        match (self.node(a), self.node(b)) {
            (Node::Cast(_, x), Node::Cast(_, y)) if self.ty(*x) == self.ty(*y) => Some((*x, *y)),
            _ => None,
        }
    }

    fn cast_keeps_both(&self, ty: Type, x: Term, y: Term) -> bool {
        self.keeps_value(ty, x) && self.keeps_value(ty, y)
    }
}

/// Do different values of `from` stay different in `to`?
fn is_injective(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Bits { width: from, .. }, Type::Bits { width: to, .. }) => from <= to,
        _ => to == Type::Int,
    }
}
