//! Operators: arithmetic, comparison, logic, assignment, conditional, cast.

use super::convert::{is_null, is_unsupported};
use super::fold::as_constant;
use super::{FLOATING, Lvalue, Res, Sema, WIDE, constant, error, expr, unsupported};
use crate::hir::{
    BinaryOp, Expr, ExprKind, InitEntry, Lifetime, Place, PlaceKind, Stmt, StmtKind, TypeId,
    UnaryOp,
};
use crate::syntax::ast::{self, Range, TypeName};
use crate::types::Types;

impl Sema {
    pub(super) fn unary_operator(
        &mut self,
        op: ast::UnaryOp,
        e: &ast::Expr,
        range: Range,
    ) -> Res<Expr> {
        let (op, symbol) = match op {
            ast::UnaryOp::AddressOf => {
                let operand = self.operand(e)?;
                return self.address_of(operand, range);
            }
            ast::UnaryOp::Not => {
                let value = self.condition(e)?;
                return Ok(self.unary_expr(UnaryOp::Not, value, Types::INT, range));
            }
            ast::UnaryOp::Plus | ast::UnaryOp::Deref => {
                let value = self.arithmetic_operand(e, "+")?;
                return Ok(Expr { range, ..self.promote(value) });
            }
            ast::UnaryOp::Minus => (UnaryOp::Neg, "-"),
            ast::UnaryOp::BitNot => (UnaryOp::BitNot, "~"),
        };
        let value = self.arithmetic_operand(e, symbol)?;
        let value = self.promote(value);
        let ty = value.ty;
        if let Some(what) = self.beyond(ty) {
            return Ok(unsupported(what, ty, range));
        }
        Ok(self.unary_expr(op, value, ty, range))
    }

    fn unary_expr(&mut self, op: UnaryOp, value: Expr, ty: TypeId, range: Range) -> Expr {
        match &*value.kind {
            ExprKind::Unsupported(what) => unsupported(what, ty, range),
            _ => self.simplify(expr(ExprKind::Unary(op, value), ty, range)),
        }
    }

    fn arithmetic_operand(&mut self, e: &ast::Expr, symbol: &str) -> Res<Expr> {
        let value = self.value(e)?;
        if self.is_arithmetic(value.ty) {
            return Ok(value);
        }
        let name = self.types.name(value.ty);
        error(value.range, format!("`{symbol}` does not work on {name}"))
    }

    fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.types.is_integer(ty) || self.types.is_float(ty)
    }

    /// Why arithmetic in a type is not modelled, if it is not.
    fn beyond(&self, ty: TypeId) -> Option<&'static str> {
        if self.types.is_float(ty) {
            return Some(FLOATING);
        }
        match self.types.integer(ty) {
            Some(integer) if integer.bits > 64 => Some(WIDE),
            _ => None,
        }
    }

    pub(super) fn binary_operator(
        &mut self,
        op: ast::BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        range: Range,
    ) -> Res<Expr> {
        let Some(arithmetic) = arithmetic_op(op) else {
            return self.logical(op == ast::BinaryOp::And, a, b, range);
        };
        let (a, b) = (self.value(a)?, self.value(b)?);
        self.binary_expr(arithmetic, a, b, range)
    }

    fn logical(&mut self, is_and: bool, a: &ast::Expr, b: &ast::Expr, range: Range) -> Res<Expr> {
        let a = self.condition(a)?;
        let b = self.condition(b)?;
        let decided = as_constant(&a).is_some_and(|v| (v == 0) == is_and);
        if decided {
            return Ok(constant(i128::from(!is_and), Types::INT, range));
        }
        let kind = match is_and {
            true => ExprKind::And(a, b),
            false => ExprKind::Or(a, b),
        };
        Ok(self.simplify(expr(kind, Types::INT, range)))
    }

    /// Any operator but `&&` and `||`, on values.
    pub(super) fn binary_expr(
        &mut self,
        op: BinaryOp,
        a: Expr,
        b: Expr,
        range: Range,
    ) -> Res<Expr> {
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
            if !self.is_arithmetic(side.ty) {
                let name = self.types.name(side.ty);
                return error(side.range, format!("this operator does not work on {name}"));
            }
        }
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let compute = match is_shift {
            true => self.promoted(a.ty),
            false => self.common(a.ty, b.ty),
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
        Ok(self.simplify(expr(ExprKind::Binary(op, a, b), ty, range)))
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
        Ok(self.simplify(comparison))
    }

    /// The type of two pointers, or a pointer and an integer, used together.
    fn common_pointer(&self, a: &Expr, b: &Expr) -> TypeId {
        let is_void = |e: &Expr| self.types.pointee(e.ty) == Some(Types::VOID);
        if !self.types.is_pointer(a.ty) || is_null(&self.types, a) {
            return if self.types.is_pointer(b.ty) { b.ty } else { a.ty };
        }
        if self.types.is_pointer(b.ty) && is_void(b) && !is_null(&self.types, b) {
            return b.ty;
        }
        a.ty
    }

    /// `p + i`
    pub(super) fn pointer_add(&mut self, pointer: Expr, index: Expr, range: Range) -> Res<Expr> {
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
            None => return Ok(unsupported(super::VARIABLE_ARRAY, ty, range)),
        };
        let sum = expr(ExprKind::PtrAdd(pointer, index, size), ty, range);
        Ok(self.simplify(sum))
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
            None => return Ok(unsupported(super::VARIABLE_ARRAY, ty, range)),
        };
        let b = self.cast_scalar(b, a.ty);
        Ok(self.simplify(expr(ExprKind::PtrDiff(a, b, size), ty, range)))
    }

    /// Size of what a pointer points to; `None` if only known at run time.
    fn step_size(&mut self, pointer: TypeId, range: Range) -> Res<Option<u64>> {
        let target = self.types.pointee(pointer).unwrap_or(Types::VOID);
        if let Some(size) = self.types.size_of(target) {
            return Ok(Some(size));
        }
        if matches!(self.types.get(target), crate::hir::Type::VariableArray(_)) {
            return Ok(None);
        }
        let name = self.types.name(target);
        error(range, format!("the size of {name} is not known here"))
    }

    pub(super) fn assign(&mut self, to: &ast::Expr, from: &ast::Expr, range: Range) -> Res<Expr> {
        let lvalue = self.lvalue(to)?;
        let value = self.value(from)?;
        self.assign_value(lvalue, value, range)
    }

    fn assign_value(&mut self, to: Lvalue, value: Expr, range: Range) -> Res<Expr> {
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

    pub(super) fn assign_op(
        &mut self,
        op: ast::BinaryOp,
        to: &ast::Expr,
        from: &ast::Expr,
        range: Range,
    ) -> Res<Expr> {
        let Some(op) = arithmetic_op(op) else {
            return error(range, "this operator does not combine with `=`");
        };
        let lvalue = self.lvalue(to)?;
        let value = self.value(from)?;
        self.update(lvalue, op, value, false, range)
    }

    /// `++` and `--`
    pub(super) fn step(
        &mut self,
        increment: bool,
        prefix: bool,
        operand: &ast::Expr,
        range: Range,
    ) -> Res<Expr> {
        let lvalue = self.lvalue(operand)?;
        let one = constant(1, Types::INT, range);
        let op = match increment {
            true => BinaryOp::Add,
            false => BinaryOp::Sub,
        };
        self.update(lvalue, op, one, !prefix, range)
    }

    fn update(
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
        if !self.is_arithmetic(ty) || !self.is_arithmetic(value.ty) {
            let wrong = if self.is_arithmetic(ty) { value.ty } else { ty };
            let name = self.types.name(wrong);
            return error(range, format!("this operator does not work on {name}"));
        }
        let left = match to.place.bits {
            Some(bits) => self.bit_field_type(bits, to.declared),
            None => self.types.unatomic(to.declared),
        };
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let compute = match is_shift {
            true => self.promoted(left),
            false => self.common(left, value.ty),
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
            return Ok(unsupported(super::VARIABLE_ARRAY, ty, range));
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
        if result_is_old || !self.is_repeatable_place(&to.place) {
            let what = "compound assignment to a `_Bool` bit-field";
            return Ok(unsupported(what, Types::INT, range));
        }
        let old = Lvalue { place: to.place.clone(), declared: to.declared };
        let old = self.rvalue(super::Operand::Place(old))?;
        let new = self.binary_expr(op, old, value, range)?;
        self.assign_value(to, new, range)
    }

    pub(super) fn conditional(
        &mut self,
        c: &ast::Expr,
        a: Option<&ast::Expr>,
        b: &ast::Expr,
        range: Range,
    ) -> Res<Expr> {
        let Some(a) = a else {
            return self.elvis(c, b, range);
        };
        let condition = self.condition(c)?;
        let (a, b) = (self.value(a)?, self.value(b)?);
        self.choose(condition, a, b, range)
    }

    /// GNU's `a ?: b`: `a` is evaluated once.
    fn elvis(&mut self, a: &ast::Expr, b: &ast::Expr, range: Range) -> Res<Expr> {
        let value = self.value(a)?;
        if as_constant(&value).is_some() || is_unsupported(&value) {
            let condition = self.as_condition(value.clone())?;
            let b = self.value(b)?;
            return self.choose(condition, value, b, range);
        }
        let place = self.fresh_local(value.ty, range)?;
        let PlaceKind::Var(var) = place.kind else {
            return error(range, "a temporary must be a variable");
        };
        let ty = value.ty;
        let entry = InitEntry { offset: 0, bits: None, ty, value };
        let declare = Stmt { kind: StmtKind::Declare(var, Some(vec![entry])), range };
        let load = expr(ExprKind::Load(place), ty, range);
        let condition = self.as_condition(load.clone())?;
        let b = self.value(b)?;
        let whole = self.choose(condition, load, b, range)?;
        let ty = whole.ty;
        Ok(expr(ExprKind::Stmt(vec![declare], Some(whole)), ty, range))
    }

    fn choose(&mut self, condition: Expr, a: Expr, b: Expr, range: Range) -> Res<Expr> {
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
        if self.is_arithmetic(a.ty) && self.is_arithmetic(b.ty) {
            return Ok(self.common(a.ty, b.ty));
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

    pub(super) fn cast(&mut self, name: &TypeName, e: &ast::Expr, range: Range) -> Res<Expr> {
        let ty = self.type_name(name)?;
        let ty = self.types.unatomic(ty);
        let value = self.value(e)?;
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

fn arithmetic_op(op: ast::BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        ast::BinaryOp::Mul => BinaryOp::Mul,
        ast::BinaryOp::Div => BinaryOp::Div,
        ast::BinaryOp::Rem => BinaryOp::Rem,
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Sub => BinaryOp::Sub,
        ast::BinaryOp::Shl => BinaryOp::Shl,
        ast::BinaryOp::Shr => BinaryOp::Shr,
        ast::BinaryOp::Lt => BinaryOp::Lt,
        ast::BinaryOp::Le => BinaryOp::Le,
        ast::BinaryOp::Gt => BinaryOp::Gt,
        ast::BinaryOp::Ge => BinaryOp::Ge,
        ast::BinaryOp::Eq => BinaryOp::Eq,
        ast::BinaryOp::Ne => BinaryOp::Ne,
        ast::BinaryOp::BitAnd => BinaryOp::BitAnd,
        ast::BinaryOp::BitXor => BinaryOp::BitXor,
        ast::BinaryOp::BitOr => BinaryOp::BitOr,
        ast::BinaryOp::And | ast::BinaryOp::Or => return None,
    })
}

impl Sema {
    /// May a value be computed twice, with one effect and one result? Shared
    /// variables are not read twice: another thread could come between.
    pub(super) fn is_repeatable(&self, value: &Expr) -> bool {
        match &*value.kind {
            ExprKind::Const(_) | ExprKind::FunctionAddr(_) | ExprKind::Unsupported(_) => true,
            ExprKind::Load(place) => match place.kind {
                PlaceKind::Var(var) => {
                    matches!(self.vars[var.index()].lifetime, Lifetime::Local(_))
                }
                _ => false,
            },
            ExprKind::AddrOf(place) => self.is_repeatable_place(place),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.is_repeatable(a),
            ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b, _) | ExprKind::PtrDiff(a, b, _) => {
                self.is_repeatable(a) && self.is_repeatable(b)
            }
            _ => false,
        }
    }

    fn is_repeatable_place(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Var(_) => true,
            PlaceKind::Deref(pointer) => self.is_repeatable(pointer),
            PlaceKind::Field(base, _) => self.is_repeatable_place(base),
            PlaceKind::Index(base, index, _) => {
                self.is_repeatable_place(base) && self.is_repeatable(index)
            }
            PlaceKind::Temporary(_) => false,
        }
    }
}
