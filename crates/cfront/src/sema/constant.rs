//! Constant folding, on two occasions.
//!
//! `simplify` folds every expression as it is built, but only where C defines
//! the result: an overflow or a division by zero stays in the program, for the
//! verifier to see. `Constants::fold` computes the value where C demands a constant; it
//! wraps, as gcc does, and knows the values of `const` integers.

use super::objects::Objects;
use super::{Res, constant, error};
use crate::hir::{
    BinaryOp, Expr, ExprKind, InitEntry, Lifetime, Place, PlaceKind, TypeId, UnaryOp, VarId,
};
use crate::syntax::ast::Qualifiers;
use crate::types::Types;
use std::collections::HashMap;

/// The values of `const` integers that are initialised by constants.
#[derive(Default)]
pub(super) struct Constants {
    values: HashMap<VarId, i128>,
}

impl Constants {
    /// `const int n = 5;` may be used where a constant is needed, as gcc does. The initialiser is the variable's own, if it is not given.
    pub fn note(
        &mut self,
        types: &Types,
        objects: &mut Objects,
        (var, qualifiers): (VarId, Qualifiers),
        entries: Option<&[InitEntry]>,
    ) {
        let declared = objects.var_mut(var);
        let is_pointer = types.is_pointer(types.innermost_element(declared.ty));
        declared.is_const = qualifiers.is_const && !is_pointer;
        let may_vary = !qualifiers.is_const || qualifiers.is_volatile;
        if may_vary || declared.limit.is_some() || !types.is_integer(declared.ty) {
            return;
        }
        let value = match entries.or(declared.init.as_deref()).unwrap_or_default() {
            [] => Some(0),
            [entry] => as_constant(&entry.value),
            _ => None,
        };
        self.values.extend(value.map(|value| (var, value)));
    }

    /// The value of a constant expression; wraps where it overflows.
    pub fn fold(&self, types: &Types, expr: &Expr) -> Option<i128> {
        Evaluation { types, known: Some(&self.values) }.evaluate(expr)
    }

    /// The value of an expression where C demands an integer constant.
    pub fn integer(&self, types: &Types, value: &Expr, what: &str) -> Res<i128> {
        if !types.is_integer(value.ty) {
            return error(value.range, format!("{what} must be an integer"));
        }
        match self.fold(types, value) {
            Some(constant) => Ok(constant),
            None if has_zero_divisor(value) => {
                error(value.range, format!("{what} divides by zero"))
            }
            None => error(value.range, format!("{what} must be a constant")),
        }
    }
}

/// Folds an expression whose operands are folded already, where C defines the result.
pub(super) fn simplify(types: &Types, expr: Expr) -> Expr {
    let exact = Evaluation { types, known: None };
    let value = match &*expr.kind {
        ExprKind::Unary(op, operand) => {
            as_constant(operand).and_then(|v| exact.unary(*op, v, operand.ty, expr.ty))
        }
        ExprKind::Binary(op, left, right) => match (as_constant(left), as_constant(right)) {
            (Some(a), Some(b)) => exact.binary(*op, a, b, left.ty),
            _ => None,
        },
        ExprKind::PtrAdd(..) | ExprKind::PtrDiff(..) | ExprKind::And(..) | ExprKind::Or(..) => {
            exact.evaluate(&expr)
        }
        ExprKind::AddrOf(place) => exact.address(place),
        _ => None,
    };
    match value {
        Some(value) => constant(value, expr.ty, expr.range),
        None => expr,
    }
}

/// One of the two ways to compute a constant.
#[derive(Clone, Copy)]
struct Evaluation<'a> {
    types: &'a Types,
    /// Where C demands a constant, the values of `const` integers; `None` if only what C
    /// defines is computed.
    known: Option<&'a HashMap<VarId, i128>>,
}

impl Evaluation<'_> {
    fn evaluate(&self, expr: &Expr) -> Option<i128> {
        match &*expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Load(place) => self.const_variable(place),
            ExprKind::AddrOf(place) => self.address(place),
            ExprKind::Unary(op, e) => self.unary(*op, self.evaluate(e)?, e.ty, expr.ty),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.evaluate(a)?, self.evaluate(b)?);
                self.binary(*op, x, y, a.ty)
            }
            ExprKind::PtrAdd(pointer, index, size) => {
                let base = self.evaluate(pointer)?;
                let step = self.evaluate(index)?.wrapping_mul(i128::from(*size));
                Some(self.types.wrap(base.wrapping_add(step), expr.ty))
            }
            ExprKind::PtrDiff(a, b, size) => {
                let (x, y) = match (self.evaluate(a), self.evaluate(b)) {
                    (Some(x), Some(y)) => (x, y),
                    _ => self.in_one_object(a, b)?,
                };
                Some(self.types.wrap(x.wrapping_sub(y) / i128::from(*size).max(1), expr.ty))
            }
            ExprKind::And(a, b) => match self.evaluate(a)? {
                0 => Some(0),
                _ => Some(i128::from(self.evaluate(b)? != 0)),
            },
            ExprKind::Or(a, b) => match self.evaluate(a)? {
                0 => Some(i128::from(self.evaluate(b)? != 0)),
                _ => Some(1),
            },
            ExprKind::Cond(c, a, b) => match self.evaluate(c)? {
                0 => self.evaluate(b),
                _ => self.evaluate(a),
            },
            ExprKind::Cast(inner) if self.types.integer(expr.ty).is_some() => {
                Some(self.types.wrap(self.evaluate(inner)?, expr.ty))
            }
            ExprKind::Cast(inner) if self.types.is_pointer(expr.ty) => {
                Some(self.types.wrap(self.evaluate(inner)?, expr.ty))
            }
            _ => None,
        }
    }

    /// How far two addresses lie behind the start of one variable, where C demands a constant.
    fn in_one_object(&self, a: &Expr, b: &Expr) -> Option<(i128, i128)> {
        self.known?;
        let ((x, behind_x), (y, behind_y)) = (self.object_address(a)?, self.object_address(b)?);
        (x == y).then_some((behind_x, behind_y))
    }

    /// A variable, and how far an address lies behind its start.
    fn object_address(&self, address: &Expr) -> Option<(VarId, i128)> {
        match &*address.kind {
            ExprKind::AddrOf(place) => self.object_place(place),
            ExprKind::Cast(inner) if self.types.is_pointer(inner.ty) => self.object_address(inner),
            ExprKind::PtrAdd(pointer, index, size) => {
                let (var, behind) = self.object_address(pointer)?;
                Some((var, behind + self.evaluate(index)?.checked_mul(i128::from(*size))?))
            }
            _ => None,
        }
    }

    fn object_place(&self, place: &Place) -> Option<(VarId, i128)> {
        match &place.kind {
            PlaceKind::Var(var) => Some((*var, 0)),
            PlaceKind::Deref(pointer) => self.object_address(pointer),
            PlaceKind::Field(base, offset) => {
                let (var, behind) = self.object_place(base)?;
                Some((var, behind + i128::from(*offset)))
            }
            PlaceKind::Index(base, index, size) => {
                let (var, behind) = self.object_place(base)?;
                Some((var, behind + self.evaluate(index)?.checked_mul(i128::from(*size))?))
            }
            PlaceKind::Temporary(_) => None,
        }
    }

    /// Has an overflow a value?
    fn wraps(self) -> bool {
        self.known.is_some()
    }

    fn const_variable(&self, place: &Place) -> Option<i128> {
        match place.kind {
            PlaceKind::Var(var) if place.bits.is_none() => self.known?.get(&var).copied(),
            _ => None,
        }
    }

    /// The address of a place below a constant pointer (as in `offsetof`).
    fn address(&self, place: &Place) -> Option<i128> {
        match &place.kind {
            PlaceKind::Deref(pointer) => self.evaluate(pointer),
            PlaceKind::Field(base, offset) => {
                Some(self.address(base)?.wrapping_add(i128::from(*offset)))
            }
            PlaceKind::Index(base, index, size) => {
                let step = self.evaluate(index)?.wrapping_mul(i128::from(*size));
                Some(self.address(base)?.wrapping_add(step))
            }
            PlaceKind::Var(_) | PlaceKind::Temporary(_) => None,
        }
    }

    fn unary(&self, op: UnaryOp, value: i128, of: TypeId, ty: TypeId) -> Option<i128> {
        let result = match op {
            UnaryOp::Not => return Some(i128::from(value == 0)),
            UnaryOp::Neg => value.wrapping_neg(),
            UnaryOp::BitNot => !value,
        };
        let wrapped = self.types.wrap(result, ty);
        let signed = self.types.integer(of)?.signed;
        (self.wraps() || !signed || wrapped == result).then_some(wrapped)
    }

    fn binary(&self, op: BinaryOp, a: i128, b: i128, ty: TypeId) -> Option<i128> {
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
                    BinaryOp::Shl if !self.wraps() && a < 0 => return None,
                    BinaryOp::Shl => a.wrapping_shl(amount),
                    _ => a >> amount,
                }
            }
        };
        let integer = self.types.integer(ty)?;
        let wrapped = self.types.wrap(result, ty);
        // `INT_MIN % -1` is as undefined as the quotient.
        let overflows = op == BinaryOp::Rem && b == -1 && self.types.wrap(-a, ty) != -a;
        let defined = !integer.signed || (wrapped == result && !overflows);
        (self.wraps() || defined).then_some(wrapped)
    }
}

/// Is a value known before the program runs: a number, or the address of something static?
pub(super) fn is_address_constant(objects: &Objects, value: &Expr) -> bool {
    match &*value.kind {
        ExprKind::Const(_) | ExprKind::FunctionAddr(_) | ExprKind::Unsupported(_) => true,
        ExprKind::AddrOf(place) => is_static_place(objects, place),
        ExprKind::Cast(inner) => is_address_constant(objects, inner),
        ExprKind::PtrAdd(pointer, index, _) => {
            is_address_constant(objects, pointer) && as_constant(index).is_some()
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            is_address_constant(objects, a) && is_address_constant(objects, b)
        }
        _ => false,
    }
}

fn is_static_place(objects: &Objects, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(var) => objects.var(*var).lifetime == Lifetime::Static,
        PlaceKind::Field(base, _) => is_static_place(objects, base),
        PlaceKind::Index(base, index, _) => {
            is_static_place(objects, base) && as_constant(index).is_some()
        }
        PlaceKind::Deref(pointer) => is_address_constant(objects, pointer),
        PlaceKind::Temporary(_) => false,
    }
}

/// The value of an expression that is a number already.
pub(super) fn as_constant(expr: &Expr) -> Option<i128> {
    match *expr.kind {
        ExprKind::Const(value) => Some(value),
        _ => None,
    }
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
