//! Constant folding, on two occasions.
//!
//! `simplify` folds every expression as it is built, but only where C defines
//! the result: an overflow or a division by zero stays in the program, for the
//! verifier to see. `fold` computes the value where C demands a constant; it
//! wraps, as gcc does.

use super::{Res, Sema, constant, error};
use crate::hir::{BinaryOp, Expr, ExprKind, Place, PlaceKind, Type, TypeId, UnaryOp};
use crate::syntax::ast;

impl Sema {
    /// The value of an expression where C demands an integer constant.
    pub(super) fn integer_constant(&mut self, expr: &ast::Expr, what: &str) -> Res<i128> {
        let value = self.value(expr)?;
        if !self.types.is_integer(value.ty) {
            return error(value.range, format!("{what} must be an integer"));
        }
        match self.fold(&value) {
            Some(constant) => Ok(constant),
            None if has_zero_divisor(&value) => {
                error(value.range, format!("{what} divides by zero"))
            }
            None => error(value.range, format!("{what} must be a constant")),
        }
    }

    /// Reduces a value to the range of an integer or pointer type.
    pub(super) fn wrap(&self, value: i128, ty: TypeId) -> i128 {
        match self.types.get(ty) {
            Type::Bool => i128::from(value != 0),
            Type::Pointer(_) => wrap_bits(value, 8 * self.types.pointer_size() as u32, false),
            _ => match self.types.integer(ty) {
                Some(integer) => wrap_bits(value, integer.bits, integer.signed),
                None => value,
            },
        }
    }

    /// Folds an expression whose operands are folded already.
    pub(super) fn simplify(&self, expr: Expr) -> Expr {
        let value = match &*expr.kind {
            ExprKind::Unary(op, operand) => {
                as_constant(operand).and_then(|v| self.unary(*op, v, operand.ty, expr.ty, true))
            }
            ExprKind::Binary(op, left, right) => match (as_constant(left), as_constant(right)) {
                (Some(a), Some(b)) => self.binary(*op, a, b, left.ty, true),
                _ => None,
            },
            ExprKind::PtrAdd(..) | ExprKind::PtrDiff(..) | ExprKind::And(..) | ExprKind::Or(..) => {
                self.evaluate(&expr, true)
            }
            ExprKind::AddrOf(place) => self.address(place, true),
            _ => None,
        };
        match value {
            Some(value) => constant(value, expr.ty, expr.range),
            None => expr,
        }
    }

    /// The value of a constant expression; wraps where it overflows.
    pub(super) fn fold(&self, expr: &Expr) -> Option<i128> {
        self.evaluate(expr, false)
    }

    fn evaluate(&self, expr: &Expr, exact: bool) -> Option<i128> {
        match &*expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Load(place) if !exact => self.const_variable(place),
            ExprKind::AddrOf(place) => self.address(place, exact),
            ExprKind::Unary(op, e) => {
                self.unary(*op, self.evaluate(e, exact)?, e.ty, expr.ty, exact)
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.evaluate(a, exact)?, self.evaluate(b, exact)?);
                self.binary(*op, x, y, a.ty, exact)
            }
            ExprKind::PtrAdd(pointer, index, size) => {
                let base = self.evaluate(pointer, exact)?;
                let step = self.evaluate(index, exact)?.wrapping_mul(i128::from(*size));
                Some(self.wrap(base.wrapping_add(step), expr.ty))
            }
            ExprKind::PtrDiff(a, b, size) => {
                let (x, y) = (self.evaluate(a, exact)?, self.evaluate(b, exact)?);
                Some(self.wrap(x.wrapping_sub(y) / i128::from(*size).max(1), expr.ty))
            }
            ExprKind::And(a, b) => match self.evaluate(a, exact)? {
                0 => Some(0),
                _ => Some(i128::from(self.evaluate(b, exact)? != 0)),
            },
            ExprKind::Or(a, b) => match self.evaluate(a, exact)? {
                0 => Some(i128::from(self.evaluate(b, exact)? != 0)),
                _ => Some(1),
            },
            ExprKind::Cond(c, a, b) => match self.evaluate(c, exact)? {
                0 => self.evaluate(b, exact),
                _ => self.evaluate(a, exact),
            },
            ExprKind::Cast(inner) if self.types.integer(expr.ty).is_some() => {
                Some(self.wrap(self.evaluate(inner, exact)?, expr.ty))
            }
            ExprKind::Cast(inner) if self.types.is_pointer(expr.ty) => {
                Some(self.wrap(self.evaluate(inner, exact)?, expr.ty))
            }
            _ => None,
        }
    }

    fn const_variable(&self, place: &Place) -> Option<i128> {
        match place.kind {
            PlaceKind::Var(var) if place.bits.is_none() => self.const_values.get(&var).copied(),
            _ => None,
        }
    }

    /// The address of a place below a constant pointer (as in `offsetof`).
    fn address(&self, place: &Place, exact: bool) -> Option<i128> {
        match &place.kind {
            PlaceKind::Deref(pointer) => self.evaluate(pointer, exact),
            PlaceKind::Field(base, offset) => {
                Some(self.address(base, exact)?.wrapping_add(i128::from(*offset)))
            }
            PlaceKind::Index(base, index, size) => {
                let step = self.evaluate(index, exact)?.wrapping_mul(i128::from(*size));
                Some(self.address(base, exact)?.wrapping_add(step))
            }
            PlaceKind::Var(_) | PlaceKind::Temporary(_) => None,
        }
    }

    fn unary(&self, op: UnaryOp, value: i128, of: TypeId, ty: TypeId, exact: bool) -> Option<i128> {
        let result = match op {
            UnaryOp::Not => return Some(i128::from(value == 0)),
            UnaryOp::Neg => value.wrapping_neg(),
            UnaryOp::BitNot => !value,
        };
        let wrapped = self.wrap(result, ty);
        let signed = self.types.integer(of)?.signed;
        (!exact || !signed || wrapped == result).then_some(wrapped)
    }

    fn binary(&self, op: BinaryOp, a: i128, b: i128, ty: TypeId, exact: bool) -> Option<i128> {
        let truth = |holds: bool| Some(i128::from(holds));
        let result = match op {
            BinaryOp::Lt => return truth(a < b),
            BinaryOp::Le => return truth(a <= b),
            BinaryOp::Gt => return truth(a > b),
            BinaryOp::Ge => return truth(a >= b),
            BinaryOp::Eq => return truth(a == b),
            BinaryOp::Ne => return truth(a != b),
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div => a.checked_div(b)?,
            BinaryOp::Rem => a.checked_rem(b)?,
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::Shl | BinaryOp::Shr => {
                let bits = self.types.integer(ty)?.bits;
                let amount = u32::try_from(b).ok().filter(|n| *n < bits)?;
                match op {
                    BinaryOp::Shl if exact && a < 0 => return None,
                    BinaryOp::Shl => a.wrapping_shl(amount),
                    _ => a >> amount,
                }
            }
        };
        let integer = self.types.integer(ty)?;
        let wrapped = self.wrap(result, ty);
        // `INT_MIN % -1` is as undefined as the quotient.
        let overflows = op == BinaryOp::Rem && b == -1 && self.wrap(-a, ty) != -a;
        let defined = !integer.signed || (wrapped == result && !overflows);
        (!exact || defined).then_some(wrapped)
    }
}

/// The value of an expression that is a number already.
pub(super) fn as_constant(expr: &Expr) -> Option<i128> {
    match *expr.kind {
        ExprKind::Const(value) => Some(value),
        _ => None,
    }
}

fn wrap_bits(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let low = value & ((1i128 << bits) - 1);
    if signed && low >> (bits - 1) & 1 == 1 { low - (1i128 << bits) } else { low }
}

fn has_zero_divisor(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Binary(op, a, b) => {
            (matches!(op, BinaryOp::Div | BinaryOp::Rem) && as_constant(b) == Some(0))
                || has_zero_divisor(a)
                || has_zero_divisor(b)
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => has_zero_divisor(a),
        _ => false,
    }
}
