//! Between which numbers the values of a term lie.
//!
//! The range of a term is computed once, when the term is made, from the ranges of
//! its operands: the exact result over the integers if it fits the type (then
//! nothing wraps), else the bounds of the type. It may be too wide, never too
//! narrow. `None` is a mathematical integer without known bounds.

use crate::term::{ArithOp, Node, Sort, Term, Terms};
use ccfa::Type;

/// The least and the greatest value.
pub type Range = Option<(i128, i128)>;

impl Terms {
    /// The range of a node that is about to be made.
    pub fn node_range(&self, node: &Node, sort: Sort) -> Range {
        let Sort::Scalar(ty) = sort else { return None };
        let exact = match node {
            Node::Const(value, _) => Some((*value, *value)),
            Node::Cast(_, a) => self.range(*a),
            Node::Ite(_, a, b) => union(self.range(*a), self.range(*b)),
            Node::Arith(op, a, b) => exact_range(*op, ty, self.range(*a), self.range(*b)),
            _ => None,
        };
        if fits(exact, ty) { exact } else { ty.bounds() }
    }

    /// The range of `a op b`, of type `ty`, for operands of these ranges.
    pub fn arith_range(op: ArithOp, ty: Type, a: Range, b: Range) -> Range {
        let exact = exact_range(op, ty, a, b);
        if fits(exact, ty) { exact } else { ty.bounds() }
    }

    /// Do all values of `a` belong to `ty`, so that a cast to it changes none?
    pub fn keeps_value(&self, ty: Type, a: Term) -> bool {
        fits(self.range(a), ty)
    }

    /// Does `a op b`, of type `ty`, never wrap?
    pub fn never_wraps(&self, op: ArithOp, ty: Type, a: Term, b: Term) -> bool {
        ty == Type::Int || fits(exact_range(op, ty, self.range(a), self.range(b)), ty)
    }
}

/// Do all values of a range belong to `ty`?
fn fits(range: Range, ty: Type) -> bool {
    match (range, ty.bounds()) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some((low, high)), Some((least, greatest))) => least <= low && high <= greatest,
    }
}

fn union(a: Range, b: Range) -> Range {
    let ((a_low, a_high), (b_low, b_high)) = (a?, b?);
    Some((a_low.min(b_low), a_high.max(b_high)))
}

/// The range of `a op b` before it is wrapped into `ty`; `None` if not known.
fn exact_range(op: ArithOp, ty: Type, a: Range, b: Range) -> Range {
    let ((a_low, a_high), (b_low, b_high)) = (a?, b?);
    let single = (b_low == b_high).then_some(b_low);
    match op {
        ArithOp::Add => Some((a_low.checked_add(b_low)?, a_high.checked_add(b_high)?)),
        ArithOp::Sub => Some((a_low.checked_sub(b_high)?, a_high.checked_sub(b_low)?)),
        ArithOp::Mul => product((a_low, a_high), (b_low, b_high)),
        ArithOp::Div => match single {
            Some(0) => Some((0, 0)),
            Some(divisor) => {
                let (x, y) = (a_low.checked_div(divisor)?, a_high.checked_div(divisor)?);
                Some((x.min(y), x.max(y)))
            }
            None => (a_low >= 0 && b_low >= 0).then_some((0, a_high)),
        },
        ArithOp::Rem => {
            // The remainder is no further from zero than the dividend, and nearer than the divisor.
            let (low, high) = (a_low.min(0), a_high.max(0));
            match single {
                None | Some(0) => Some((low, high)),
                Some(divisor) => {
                    let most = divisor.checked_abs()? - 1;
                    Some((low.max(-most), high.min(most)))
                }
            }
        }
        ArithOp::Shl | ArithOp::Shr => {
            let Type::Bits { width, .. } = ty else { return None };
            let amount = single.filter(|amount| (0..i128::from(width)).contains(amount));
            match (op, amount) {
                (ArithOp::Shl, Some(amount)) => {
                    product((a_low, a_high), (1 << amount, 1 << amount))
                }
                (ArithOp::Shl, None) => None,
                (_, Some(amount)) => Some((a_low >> amount, a_high >> amount)),
                (_, None) => Some((a_low.min(0), a_high.max(-1))),
            }
        }
        ArithOp::BitAnd => match (a_low >= 0, b_low >= 0) {
            (true, true) => Some((0, a_high.min(b_high))),
            (true, false) => Some((0, a_high)),
            (false, true) => Some((0, b_high)),
            (false, false) => None,
        },
        ArithOp::BitOr | ArithOp::BitXor => {
            if a_low < 0 || b_low < 0 {
                return None;
            }
            let bits = 128 - (a_high | b_high).leading_zeros();
            let all_ones = 1i128.checked_shl(bits)?.checked_sub(1)?;
            let low = if op == ArithOp::BitOr { a_low.max(b_low) } else { 0 };
            Some((low, all_ones))
        }
    }
}

fn product(a: (i128, i128), b: (i128, i128)) -> Range {
    let corners = [
        a.0.checked_mul(b.0)?,
        a.0.checked_mul(b.1)?,
        a.1.checked_mul(b.0)?,
        a.1.checked_mul(b.1)?,
    ];
    Some((*corners.iter().min()?, *corners.iter().max()?))
}
