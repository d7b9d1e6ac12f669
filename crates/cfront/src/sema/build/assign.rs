//! Assignments to a place, simple and compound (C11, 6.5.16), and `++` and `--`.

use super::{Builder, Lvalue, Operand};
use crate::hir::{BinaryOp, Expr, ExprKind, Lifetime, Place, PlaceKind};
use crate::sema::objects::Objects;
use crate::sema::{Res, VARIABLE_ARRAY, error, expr, unsupported};
use crate::syntax::ast::Range;
use crate::types::Types;

impl Builder<'_> {
    /// `to = value`
    pub fn assign_value(&mut self, to: Lvalue, value: Expr, range: Range) -> Res<Expr> {
        if self.types.element(to.place.ty).is_some() {
            return error(range, "an array cannot be assigned to");
        }
        let value = self.convert(value, to.declared)?;
        let ty = self.types.unatomic(to.place.ty);
        let value = self.convert(value, ty)?;
        let bits = to.place.bits;
        let stored = expr(ExprKind::Assign(to.place, value), ty, range);
        Ok(match bits {
            Some(bits) => self.bit_field_value(stored, bits, to.declared),
            None => stored,
        })
    }

    /// `to op= value`; its value is the old one for `to++` and `to--`.
    pub fn update(
        &mut self,
        to: Lvalue,
        op: BinaryOp,
        value: Expr,
        result_is_old: bool,
        range: Range,
    ) -> Res<Expr> {
        let ty = self.types.unatomic(to.place.ty);
        if let ExprKind::Unsupported(what) = &*value.kind {
            return Ok(unsupported(what, ty, range));
        }
        if self.types.is_pointer(ty) {
            return self.update_pointer(to, op, value, result_is_old, range);
        }
        if !self.types.is_arithmetic(ty) || !self.types.is_arithmetic(value.ty) {
            let wrong = if self.types.is_arithmetic(ty) { value.ty } else { ty };
            let name = self.types.name(wrong);
            return error(range, format!("this operator does not work on {name}"));
        }
        let left = match to.place.bits {
            Some(bits) => self.types.promoted_bits(bits, to.declared),
            None => self.types.unatomic(to.declared),
        };
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let compute = match is_shift {
            true => self.types.promoted(left),
            false => self.types.common(left, value.ty),
        };
        if let Some(what) = self.beyond(compute).or(self.beyond(ty)) {
            return Ok(unsupported(what, ty, range));
        }
        if to.place.bits.is_some() && to.declared == Types::BOOL && ty != Types::BOOL {
            return self.update_bool_bit(to, op, value, result_is_old, range);
        }
        let operand = match is_shift {
            true => self.promote(value),
            false => self.cast_scalar(value, compute),
        };
        let bits = to.place.bits;
        let kind =
            ExprKind::AssignOp { place: to.place, op, operand, compute, scale: 1, result_is_old };
        let updated = expr(kind, ty, range);
        Ok(match bits {
            Some(bits) => self.bit_field_value(updated, bits, to.declared),
            None => updated,
        })
    }

    fn update_pointer(
        &mut self,
        to: Lvalue,
        op: BinaryOp,
        value: Expr,
        result_is_old: bool,
        range: Range,
    ) -> Res<Expr> {
        let ty = self.types.unatomic(to.place.ty);
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !self.types.is_integer(value.ty) {
            return error(range, "this operator does not work on a pointer");
        }
        let Some(scale) = self.step_size(ty, range)? else {
            return Ok(unsupported(VARIABLE_ARRAY, ty, range));
        };
        let kind = ExprKind::AssignOp {
            place: to.place,
            op,
            operand: self.promote(value),
            compute: ty,
            scale,
            result_is_old,
        };
        Ok(expr(kind, ty, range))
    }

    /// A `_Bool` bit-field in a unit of another type: what is stored must be
    /// converted to `_Bool` first, which `AssignOp` does not say.
    fn update_bool_bit(
        &mut self,
        to: Lvalue,
        op: BinaryOp,
        value: Expr,
        result_is_old: bool,
        range: Range,
    ) -> Res<Expr> {
        if result_is_old || !is_repeatable_place(self.objects, &to.place) {
            let what = "compound assignment to a `_Bool` bit-field";
            return Ok(unsupported(what, Types::INT, range));
        }
        let old = Lvalue { place: to.place.clone(), declared: to.declared };
        let old = self.rvalue(Operand::Place(old))?;
        let new = self.binary_expr(op, old, value, range)?;
        self.assign_value(to, new, range)
    }
}

/// May a value be computed twice, with one effect and one result? Shared
/// variables are not read twice: another thread could come between.
pub(in crate::sema) fn is_repeatable(objects: &Objects, value: &Expr) -> bool {
    match &*value.kind {
        ExprKind::Const(_) | ExprKind::FunctionAddr(_) | ExprKind::Unsupported(_) => true,
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Var(var) => {
                matches!(objects.var(var).lifetime, Lifetime::Local(_))
            }
            _ => false,
        },
        ExprKind::AddrOf(place) => is_repeatable_place(objects, place),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => is_repeatable(objects, a),
        ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b, _) | ExprKind::PtrDiff(a, b, _) => {
            is_repeatable(objects, a) && is_repeatable(objects, b)
        }
        _ => false,
    }
}

fn is_repeatable_place(objects: &Objects, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(_) => true,
        PlaceKind::Deref(pointer) => is_repeatable(objects, pointer),
        PlaceKind::Field(base, _) => is_repeatable_place(objects, base),
        PlaceKind::Index(base, index, _) => {
            is_repeatable_place(objects, base) && is_repeatable(objects, index)
        }
        PlaceKind::Temporary(_) => false,
    }
}
