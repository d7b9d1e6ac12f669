//! Arithmetic and conversions.
//!
//! Constants stand on the right of commutative operators and outside of sums;
//! subtraction of a constant is addition. Operators on `Bool` are formulas, and
//! conversions from and to `Bool` are choices and comparisons, so that `Cast` is
//! between numbers only. Sums and products of bits are taken modulo a power of two,
//! where all laws used here hold as they do over the integers.

use super::Rewriter;
use ccfa::Type;
use logic::{ArithOp, Node, Term};

impl Rewriter<'_> {
    /// Arithmetic.
    pub(super) fn arith(&mut self, op: ArithOp, a: Term, b: Term) -> Term {
        let ty = self.ty(a);
        match op {
            ArithOp::BitAnd if ty == Type::Bool => return self.and([a, b]),
            ArithOp::BitOr if ty == Type::Bool => return self.or([a, b]),
            ArithOp::BitXor if ty == Type::Bool => return self.ne(a, b),
            _ => {}
        }
        let b = match op {
            ArithOp::Shl | ArithOp::Shr => self.shift_amount(op, ty, b),
            _ => b,
        };
        if let Some(result) = self.arith_of_constants(op, a, b) {
            return result;
        }
        let (a, b) = if is_commutative(op) { self.constant_last(a, b) } else { (a, b) };
        match op {
            _ if ty == Type::Bool => self.plain(op, a, b),
            ArithOp::Add => self.add(ty, a, b),
            ArithOp::Sub => self.sub(ty, a, b),
            ArithOp::Mul => self.mul(ty, a, b),
            ArithOp::Div | ArithOp::Rem => self.quotient(op, ty, a, b),
            ArithOp::Shl | ArithOp::Shr => self.shift(op, ty, a, b),
            ArithOp::BitAnd | ArithOp::BitOr | ArithOp::BitXor => self.bitwise(op, ty, a, b),
        }
    }

    fn plain(&mut self, op: ArithOp, a: Term, b: Term) -> Term {
        let ty = self.ty(a);
        self.scalar(Node::Arith(op, a, b), ty)
    }

    /// On two constants, or on a constant and a choice between constants.
    fn arith_of_constants(&mut self, op: ArithOp, a: Term, b: Term) -> Option<Term> {
        let ty = self.ty(a);
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => Some(op.apply(ty, x, y)).flatten().map(|z| self.constant(z, ty)),
            (None, Some(_)) => {
                let (c, x, y) = self.choice_of_constants(a)?;
                let (x, y) = (self.arith(op, x, b), self.arith(op, y, b));
                Some(self.ite(c, x, y))
            }
            (Some(_), None) => {
                let (c, x, y) = self.choice_of_constants(b)?;
                let (x, y) = (self.arith(op, a, x), self.arith(op, a, y));
                Some(self.ite(c, x, y))
            }
            (None, None) => None,
        }
    }

    /// The parts of an `Ite` between constants.
    fn choice_of_constants(&self, term: Term) -> Option<(Term, Term, Term)> {
        match *self.node(term) {
            Node::Ite(c, x, y) => {
                self.constant_value(x).and(self.constant_value(y)).map(|_| (c, x, y))
            }
            _ => None,
        }
    }

    fn constant_last(&self, a: Term, b: Term) -> (Term, Term) {
        let key = |term: Term| (self.constant_value(term).is_some(), term);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    /// `x + value`, or `None` if the sum with an offset already there does not exist.
    fn plus(&mut self, ty: Type, x: Term, value: Option<i128>) -> Option<Term> {
        let value = self.constant(value?, ty);
        Some(self.arith(ArithOp::Add, x, value))
    }

    /// `from - x`, in the same way.
    fn minus(&mut self, ty: Type, from: Option<i128>, x: Term) -> Option<Term> {
        let from = self.constant(from?, ty);
        Some(self.arith(ArithOp::Sub, from, x))
    }

    /// `k` and `x` if the term is `k - x` with a constant `k`.
    fn split_difference(&self, term: Term) -> Option<(i128, Term)> {
        match *self.node(term) {
            Node::Arith(ArithOp::Sub, k, x) => self.constant_value(k).map(|k| (k, x)),
            _ => None,
        }
    }

    fn add(&mut self, ty: Type, a: Term, b: Term) -> Term {
        self.simpler_sum(ty, a, b).unwrap_or_else(|| self.plain(ArithOp::Add, a, b))
    }

    fn simpler_sum(&mut self, ty: Type, a: Term, b: Term) -> Option<Term> {
        let (x, j) = self.split_offset(a);
        if let Some(k) = self.constant_value(b) {
            return match self.split_difference(a) {
                _ if k == 0 => Some(a),
                Some((from, x)) => self.minus(ty, from.checked_add(k), x),
                None if j != 0 => self.plus(ty, x, j.checked_add(k)),
                None => None,
            };
        }
        let (y, k) = self.split_offset(b);
        if (j, k) != (0, 0) {
            let offset = j.checked_add(k)?;
            let sum = self.arith(ArithOp::Add, x, y);
            return self.plus(ty, sum, Some(offset));
        }
        for (term, other) in [(a, b), (b, a)] {
            if let Some((from, x)) = self.split_difference(term) {
                let difference = self.arith(ArithOp::Sub, other, x);
                return self.plus(ty, difference, Some(from));
            }
            if let Node::Arith(ArithOp::Sub, x, y) = *self.node(term)
                && y == other
            {
                return Some(x);
            }
        }
        None
    }

    fn sub(&mut self, ty: Type, a: Term, b: Term) -> Term {
        self.simpler_difference(ty, a, b).unwrap_or_else(|| self.plain(ArithOp::Sub, a, b))
    }

    fn simpler_difference(&mut self, ty: Type, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.constant(0, ty));
        }
        if let Some(k) = self.constant_value(b) {
            return self.plus(ty, a, k.checked_neg());
        }
        let ((x, j), (y, k)) = (self.split_offset(a), self.split_offset(b));
        if let Some(from) = self.constant_value(a) {
            return match self.split_difference(b) {
                Some((k, x)) => self.plus(ty, x, from.checked_sub(k)),
                None if k != 0 => self.minus(ty, from.checked_sub(k), y),
                None => None,
            };
        }
        if (j, k) != (0, 0) {
            let offset = j.checked_sub(k)?;
            let difference = self.arith(ArithOp::Sub, x, y);
            return self.plus(ty, difference, Some(offset));
        }
        if let Some((from, x)) = self.split_difference(b) {
            let offset = from.checked_neg()?;
            let sum = self.arith(ArithOp::Add, a, x);
            return self.plus(ty, sum, Some(offset));
        }
        match *self.node(a) {
            Node::Arith(ArithOp::Add, x, y) if y == b => Some(x),
            Node::Arith(ArithOp::Add, x, y) if x == b => Some(y),
            _ => None,
        }
    }

    fn mul(&mut self, ty: Type, a: Term, b: Term) -> Term {
        let simpler = self.constant_value(b).and_then(|k| self.multiple(ty, a, k));
        simpler.unwrap_or_else(|| self.plain(ArithOp::Mul, a, b))
    }

    /// `a * factor`, if there is something simpler.
    fn multiple(&mut self, ty: Type, a: Term, factor: i128) -> Option<Term> {
        match factor {
            0 => return Some(self.constant(0, ty)),
            1 => return Some(a),
            _ if factor == ty.wrap(-1) => return self.minus(ty, Some(0), a),
            _ => {}
        }
        let Node::Arith(op, x, k) = *self.node(a) else { return None };
        let product = ArithOp::Mul.apply(ty, self.constant_value(k)?, factor)?;
        match op {
            ArithOp::Mul => {
                let factor = self.constant(product, ty);
                Some(self.arith(ArithOp::Mul, x, factor))
            }
            // A linear form; of bits it would hide that nothing wraps.
            ArithOp::Add if ty == Type::Int => {
                let factor = self.constant(factor, ty);
                let scaled = self.arith(ArithOp::Mul, x, factor);
                self.plus(ty, scaled, Some(product))
            }
            _ => None,
        }
    }

    /// Division and remainder.
    fn quotient(&mut self, op: ArithOp, ty: Type, a: Term, b: Term) -> Term {
        let (x, y) = (self.constant_value(a), self.constant_value(b));
        match (op, y) {
            _ if x == Some(0) => a,
            (ArithOp::Div, Some(0)) => b,
            (ArithOp::Div, Some(1)) => a,
            (ArithOp::Div, Some(-1)) => {
                let zero = self.constant(0, ty);
                self.arith(ArithOp::Sub, zero, a)
            }
            (ArithOp::Rem, Some(0)) => a,
            (ArithOp::Rem, _) if a == b => self.constant(0, ty),
            (ArithOp::Rem, Some(divisor)) if self.is_nearer_to_zero(a, divisor) => a,
            // Unsigned and by a power of two: bits, which are cheaper to decide.
            (ArithOp::Rem, Some(divisor)) if is_unsigned(ty) && is_power_of_two(divisor) => {
                let mask = self.constant(divisor - 1, ty);
                self.arith(ArithOp::BitAnd, a, mask)
            }
            (ArithOp::Div, Some(divisor)) if is_unsigned(ty) && is_power_of_two(divisor) => {
                let amount = self.constant(i128::from(divisor.trailing_zeros()), ty);
                self.arith(ArithOp::Shr, a, amount)
            }
            _ => self.plain(op, a, b),
        }
    }

    fn is_nearer_to_zero(&self, a: Term, divisor: i128) -> bool {
        match (self.range(a), divisor.checked_abs()) {
            (Some((low, high)), Some(size)) => -size < low && high < size,
            _ => false,
        }
    }

    /// The amount of a shift, without conversions that keep its value. A constant one has
    /// the type of what is shifted; what shifts everything out is as small as it can be.
    fn shift_amount(&mut self, op: ArithOp, ty: Type, amount: Term) -> Term {
        let amount = self.without_casts(amount);
        let (Type::Bits { width, signed }, Some(value)) = (ty, self.constant_value(amount)) else {
            return amount;
        };
        let width = i128::from(width);
        let value = match (0..width).contains(&value) {
            true => value,
            // Only the sign is left.
            false if op == ArithOp::Shr && signed => width - 1,
            // -1 or the greatest value is out of range in every type.
            false => -1,
        };
        self.constant(value, ty)
    }

    /// The operand of conversions that keep the value.
    pub(super) fn without_casts(&self, mut term: Term) -> Term {
        while let Node::Cast(ty, inner) = *self.node(term)
            && self.keeps_value(ty, inner)
        {
            term = inner;
        }
        term
    }

    fn shift(&mut self, op: ArithOp, ty: Type, a: Term, b: Term) -> Term {
        let Type::Bits { width, signed } = ty else { return self.plain(op, a, b) };
        let width = i128::from(width);
        match self.constant_value(b) {
            _ if self.constant_value(a) == Some(0) => a,
            Some(0) => a,
            Some(amount) if !(0..width).contains(&amount) => self.constant(0, ty),
            Some(amount) => match *self.node(a) {
                Node::Arith(before, x, k) if before == op => match self.constant_value(k) {
                    Some(k) if k + amount < width || !(op == ArithOp::Shr && signed) => {
                        let total = self.constant(k + amount, Type::Int);
                        self.arith(op, x, total)
                    }
                    Some(_) => {
                        let total = self.constant(width - 1, Type::Int);
                        self.arith(op, x, total)
                    }
                    None => self.plain(op, a, b),
                },
                _ => self.plain(op, a, b),
            },
            None => self.plain(op, a, b),
        }
    }

    fn bitwise(&mut self, op: ArithOp, ty: Type, a: Term, b: Term) -> Term {
        if a == b {
            return if op == ArithOp::BitXor { self.constant(0, ty) } else { a };
        }
        let Some(mask) = self.constant_value(b) else { return self.plain(op, a, b) };
        let ones = ty.wrap(-1);
        match op {
            ArithOp::BitAnd if mask == 0 => return b,
            ArithOp::BitAnd if mask == ones || self.is_within_mask(a, mask) => return a,
            ArithOp::BitOr if mask == ones => return b,
            ArithOp::BitOr | ArithOp::BitXor if mask == 0 => return a,
            _ => {}
        }
        match *self.node(a) {
            Node::Arith(before, x, k) if before == op => {
                let both = self.constant_value(k).and_then(|k| op.apply(ty, k, mask));
                match both {
                    Some(both) => {
                        let both = self.constant(both, ty);
                        self.arith(op, x, both)
                    }
                    None => self.plain(op, a, b),
                }
            }
            _ => self.plain(op, a, b),
        }
    }

    /// Is the mask all ones from bit 0 on, and are no bits of `a` above it?
    fn is_within_mask(&self, a: Term, mask: i128) -> bool {
        mask > 0
            && mask & mask.wrapping_add(1) == 0
            && self.range(a).is_some_and(|(low, high)| 0 <= low && high <= mask)
    }

    /// Conversion.
    pub(super) fn cast(&mut self, ty: Type, a: Term) -> Term {
        let from = self.ty(a);
        if from == ty {
            return a;
        }
        if ty == Type::Bool {
            let zero = self.constant(0, from);
            return self.ne(a, zero);
        }
        if from == Type::Bool {
            let (one, zero) = (self.constant(1, ty), self.constant(0, ty));
            return self.ite(a, one, zero);
        }
        if let Some((c, x, y)) = self.choice_of_constants(a) {
            let (x, y) = (self.cast(ty, x), self.cast(ty, y));
            return self.ite(c, x, y);
        }
        match *self.node(a) {
            Node::Const(value, _) => self.constant(value, ty),
            Node::Cast(_, inner) if self.keeps_value(from, inner) || truncates(from, ty) => {
                self.cast(ty, inner)
            }
            _ => self.scalar(Node::Cast(ty, a), ty),
        }
    }
}

fn is_unsigned(ty: Type) -> bool {
    matches!(ty, Type::Bits { signed: false, .. })
}

fn is_power_of_two(value: i128) -> bool {
    value > 0 && value & (value - 1) == 0
}

fn is_commutative(op: ArithOp) -> bool {
    use ArithOp::*;
    matches!(op, Add | Mul | BitAnd | BitOr | BitXor)
}

/// Does a value of `to` depend only on bits that `from` has?
fn truncates(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::Bits { width: from, .. }, Type::Bits { width: to, .. }) => to <= from,
        (Type::Int, Type::Bits { .. }) => true,
        _ => false,
    }
}
