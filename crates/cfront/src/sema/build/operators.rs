//! Operators on values (C11, 6.5.3–6.5.15): arithmetic, comparison, pointers, choice.

use super::Builder;
use super::convert::{is_null, is_unsupported};
use crate::hir::{BinaryOp, Expr, ExprKind, Type, TypeId, UnaryOp};
use crate::sema::constant::{as_constant, simplify};
use crate::sema::{FLOATING, Res, VARIABLE_ARRAY, WIDE, constant, error, expr, unsupported};
use crate::syntax::ast::Range;
use crate::types::Types;

impl Builder<'_> {
    /// `-`, `~` and unary `+` (no operator at all).
    pub fn unary(&mut self, op: Option<UnaryOp>, value: Expr, range: Range) -> Res<Expr> {
        if !self.types.is_arithmetic(value.ty) {
            let symbol = match op {
                Some(UnaryOp::Neg) => "-",
                Some(UnaryOp::BitNot) => "~",
                Some(UnaryOp::Not) => "!",
                None => "+",
            };
            let name = self.types.name(value.ty);
            return error(value.range, format!("`{symbol}` does not work on {name}"));
        }
        let value = self.promote(value);
        let ty = value.ty;
        Ok(match op {
            None => Expr { range, ..value },
            Some(op) => match self.beyond(ty) {
                Some(what) => unsupported(what, ty, range),
                None => self.unary_expr(op, value, ty, range),
            },
        })
    }

    /// `!` of a condition.
    pub fn not(&mut self, condition: Expr, range: Range) -> Expr {
        self.unary_expr(UnaryOp::Not, condition, Types::INT, range)
    }

    /// `&&` or `||` of conditions.
    pub fn logical(&mut self, is_and: bool, a: Expr, b: Expr, range: Range) -> Expr {
        let decided = as_constant(&a).is_some_and(|v| (v == 0) == is_and);
        if decided {
            return constant(i128::from(!is_and), Types::INT, range);
        }
        let kind = match is_and {
            true => ExprKind::And(a, b),
            false => ExprKind::Or(a, b),
        };
        simplify(self.types, expr(kind, Types::INT, range))
    }

    fn unary_expr(&mut self, op: UnaryOp, value: Expr, ty: TypeId, range: Range) -> Expr {
        match &*value.kind {
            ExprKind::Unsupported(what) => unsupported(what, ty, range),
            _ => simplify(self.types, expr(ExprKind::Unary(op, value), ty, range)),
        }
    }

    /// Why arithmetic in a type is not modelled, if it is not.
    pub fn beyond(&self, ty: TypeId) -> Option<&'static str> {
        if self.types.is_float(ty) {
            return Some(FLOATING);
        }
        match self.types.integer(ty) {
            Some(integer) if integer.bits > 64 => Some(WIDE),
            _ => None,
        }
    }

    /// Any operator but `&&` and `||`, on values.
    pub fn binary_expr(&mut self, op: BinaryOp, a: Expr, b: Expr, range: Range) -> Res<Expr> {
        let (pa, pb) = (self.types.is_pointer(a.ty), self.types.is_pointer(b.ty));
        match op {
            _ if is_comparison(op) && (pa || pb) => self.compare_pointers(op, a, b, range),
            BinaryOp::Add if pa => self.pointer_add(a, b, range),
            BinaryOp::Add if pb => self.pointer_add(b, a, range),
            BinaryOp::Sub if pa && pb => self.pointer_difference(a, b, range),
            BinaryOp::Sub if pa => self.pointer_subtract(a, b, range),
            _ => self.arithmetic(op, a, b, range),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr, range: Range) -> Res<Expr> {
        for side in [&a, &b] {
            if !self.types.is_arithmetic(side.ty) {
                let name = self.types.name(side.ty);
                return error(side.range, format!("this operator does not work on {name}"));
            }
        }
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let compute = match is_shift {
            true => self.types.promoted(a.ty),
            false => self.types.common(a.ty, b.ty),
        };
        if let (true, Some(what)) = (is_shift, self.beyond(b.ty)) {
            return Ok(unsupported(what, compute, range));
        }
        let ty = if is_comparison(op) { Types::INT } else { compute };
        if let Some(what) = self.beyond(compute) {
            return Ok(unsupported(what, ty, range));
        }
        let a = self.cast_scalar(a, compute);
        let b = match is_shift {
            true => self.promote(b),
            false => self.cast_scalar(b, compute),
        };
        Ok(simplify(self.types, expr(ExprKind::Binary(op, a, b), ty, range)))
    }

    fn compare_pointers(&mut self, op: BinaryOp, a: Expr, b: Expr, range: Range) -> Res<Expr> {
        for side in [&a, &b] {
            if !self.types.is_scalar(side.ty) || self.types.is_float(side.ty) {
                let name = self.types.name(side.ty);
                return error(side.range, format!("a pointer does not compare with {name}"));
            }
        }
        let ty = self.common_pointer(&a, &b);
        let (a, b) = (self.cast_scalar(a, ty), self.cast_scalar(b, ty));
        let comparison = expr(ExprKind::Binary(op, a, b), Types::INT, range);
        Ok(simplify(self.types, comparison))
    }

    /// The type of two pointers, or a pointer and an integer, used together.
    fn common_pointer(&self, a: &Expr, b: &Expr) -> TypeId {
        let is_void = |e: &Expr| self.types.pointee(e.ty) == Some(Types::VOID);
        if !self.types.is_pointer(a.ty) || is_null(self.types, a) {
            return if self.types.is_pointer(b.ty) { b.ty } else { a.ty };
        }
        if self.types.is_pointer(b.ty) && is_void(b) && !is_null(self.types, b) {
            return b.ty;
        }
        a.ty
    }

    /// `p + i`
    pub fn pointer_add(&mut self, pointer: Expr, index: Expr, range: Range) -> Res<Expr> {
        let ty = pointer.ty;
        if is_unsupported(&index) {
            return self.convert(index, ty);
        }
        if !self.types.is_integer(index.ty) {
            let name = self.types.name(index.ty);
            return error(index.range, format!("a pointer plus {name} has no meaning"));
        }
        let size = match self.step_size(ty, range)? {
            Some(size) => size,
            None => return Ok(unsupported(VARIABLE_ARRAY, ty, range)),
        };
        let sum = expr(ExprKind::PtrAdd(pointer, index, size), ty, range);
        Ok(simplify(self.types, sum))
    }

    fn pointer_subtract(&mut self, pointer: Expr, index: Expr, range: Range) -> Res<Expr> {
        if !self.types.is_integer(index.ty) {
            let name = self.types.name(index.ty);
            return error(index.range, format!("a pointer minus {name} has no meaning"));
        }
        let ty = self.types.ptrdiff_t();
        let at = index.range;
        let index = self.cast_scalar(index, ty);
        let negative = self.unary_expr(UnaryOp::Neg, index, ty, at);
        self.pointer_add(pointer, negative, range)
    }

    fn pointer_difference(&mut self, a: Expr, b: Expr, range: Range) -> Res<Expr> {
        let ty = self.types.ptrdiff_t();
        let size = match self.step_size(a.ty, range)? {
            Some(size) => size.max(1),
            None => return Ok(unsupported(VARIABLE_ARRAY, ty, range)),
        };
        let b = self.cast_scalar(b, a.ty);
        Ok(simplify(self.types, expr(ExprKind::PtrDiff(a, b, size), ty, range)))
    }

    /// Size of what a pointer points to; `None` if only known at run time.
    pub fn step_size(&mut self, pointer: TypeId, range: Range) -> Res<Option<u64>> {
        let target = self.types.pointee(pointer).unwrap_or(Types::VOID);
        if let Some(size) = self.types.size_of(target) {
            return Ok(Some(size));
        }
        if matches!(self.types.get(target), Type::VariableArray(_)) {
            return Ok(None);
        }
        let name = self.types.name(target);
        error(range, format!("the size of {name} is not known here"))
    }

    /// `c ? a : b`
    pub fn choose(&mut self, condition: Expr, a: Expr, b: Expr, range: Range) -> Res<Expr> {
        let ty = self.conditional_type(&a, &b, range)?;
        let (a, b) = match ty == Types::VOID {
            true => (self.cast_scalar(a, ty), self.cast_scalar(b, ty)),
            false => (self.convert(a, ty)?, self.convert(b, ty)?),
        };
        Ok(match as_constant(&condition) {
            Some(0) => Expr { range, ..b },
            Some(_) => Expr { range, ..a },
            None => expr(ExprKind::Cond(condition, a, b), ty, range),
        })
    }

    fn conditional_type(&mut self, a: &Expr, b: &Expr, range: Range) -> Res<TypeId> {
        if a.ty == Types::VOID || b.ty == Types::VOID {
            return Ok(Types::VOID);
        }
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return Ok(self.types.common(a.ty, b.ty));
        }
        if a.ty == b.ty {
            return Ok(a.ty);
        }
        let pointers = self.types.is_pointer(a.ty) || self.types.is_pointer(b.ty);
        if pointers && self.types.is_scalar(a.ty) && self.types.is_scalar(b.ty) {
            return Ok(self.common_pointer(a, b));
        }
        if self.types.as_record(a.ty).is_some() && self.types.as_record(b.ty).is_some() {
            return Ok(a.ty);
        }
        let (a, b) = (self.types.name(a.ty), self.types.name(b.ty));
        error(range, format!("`?:` cannot choose between {a} and {b}"))
    }

    /// `(T)e`
    pub fn cast(&mut self, value: Expr, ty: TypeId, range: Range) -> Res<Expr> {
        if value.ty == ty || is_unsupported(&value) {
            return Ok(Expr { ty, range, ..value });
        }
        let to_scalar = ty == Types::VOID || self.types.is_scalar(ty);
        if to_scalar && (ty == Types::VOID || self.types.is_scalar(value.ty)) {
            let value = self.cast_scalar(value, ty);
            return Ok(Expr { range, ..value });
        }
        match self.types.as_record(ty) {
            Some(union) if self.types.record(union).is_union => self.union_of(value, ty, union),
            _ => self.convert(value, ty),
        }
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne
    )
}
