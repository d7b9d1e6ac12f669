//! Operators in the syntax tree: what they are applied to. What they mean is in `build`.

use super::build::is_unsupported;
use super::constant::as_constant;
use super::literal::float_value;
use super::{Res, Sema, constant, error, expr};
use crate::hir::{BinaryOp, Expr, ExprKind, InitEntry, Stmt, StmtKind, TypeId, UnaryOp};
use crate::syntax::ast::{self, Range, TypeName};
use crate::types::Types;

impl Sema {
    pub(super) fn unary_operator(
        &mut self,
        op: ast::UnaryOp,
        e: &ast::Expression,
        range: Range,
    ) -> Res<Expr> {
        let op = match op {
            ast::UnaryOp::AddressOf => {
                let operand = self.operand(e)?;
                return self.build().address_of(operand, range);
            }
            ast::UnaryOp::Not => {
                let value = self.condition(e)?;
                return Ok(self.build().not(value, range));
            }
            ast::UnaryOp::Plus | ast::UnaryOp::Deref => None,
            ast::UnaryOp::Minus => Some(UnaryOp::Neg),
            ast::UnaryOp::BitNot => Some(UnaryOp::BitNot),
        };
        let value = self.value(e)?;
        self.build().unary(op, value, range)
    }

    pub(super) fn binary_operator(
        &mut self,
        op: ast::BinaryOp,
        a: &ast::Expression,
        b: &ast::Expression,
        range: Range,
    ) -> Res<Expr> {
        let Some(arithmetic) = arithmetic_op(op) else {
            let (a, b) = (self.condition(a)?, self.condition(b)?);
            return Ok(self.build().logical(op == ast::BinaryOp::And, a, b, range));
        };
        let (a, b) = (self.value(a)?, self.value(b)?);
        self.build().binary_expr(arithmetic, a, b, range)
    }

    pub(super) fn assign(
        &mut self,
        to: &ast::Expression,
        from: &ast::Expression,
        range: Range,
    ) -> Res<Expr> {
        let lvalue = self.lvalue(to)?;
        let value = self.value(from)?;
        self.build().assign_value(lvalue, value, range)
    }

    pub(super) fn assign_op(
        &mut self,
        op: ast::BinaryOp,
        to: &ast::Expression,
        from: &ast::Expression,
        range: Range,
    ) -> Res<Expr> {
        let Some(op) = arithmetic_op(op) else {
            return error(range, "this operator does not combine with `=`");
        };
        let lvalue = self.lvalue(to)?;
        let value = self.value(from)?;
        self.build().update(lvalue, op, value, false, range)
    }

    /// `++` and `--`
    pub(super) fn step(
        &mut self,
        increment: bool,
        prefix: bool,
        operand: &ast::Expression,
        range: Range,
    ) -> Res<Expr> {
        let lvalue = self.lvalue(operand)?;
        let one = constant(1, Types::INT, range);
        let op = match increment {
            true => BinaryOp::Add,
            false => BinaryOp::Sub,
        };
        self.build().update(lvalue, op, one, !prefix, range)
    }

    pub(super) fn conditional(
        &mut self,
        c: &ast::Expression,
        a: Option<&ast::Expression>,
        b: &ast::Expression,
        range: Range,
    ) -> Res<Expr> {
        let Some(a) = a else {
            return self.elvis(c, b, range);
        };
        let condition = self.condition(c)?;
        let (a, b) = (self.value(a)?, self.value(b)?);
        self.build().choose(condition, a, b, range)
    }

    /// GNU's `a ?: b`: `a` is evaluated once.
    fn elvis(&mut self, a: &ast::Expression, b: &ast::Expression, range: Range) -> Res<Expr> {
        let value = self.value(a)?;
        if as_constant(&value).is_some() || is_unsupported(&value) {
            let condition = self.build().as_condition(value.clone())?;
            let b = self.value(b)?;
            return self.build().choose(condition, value, b, range);
        }
        let ty = value.ty;
        let var = self.build().fresh_local(ty, range)?;
        let entry = InitEntry { offset: 0, bits: None, ty, value };
        let declare = Stmt { kind: StmtKind::Declare(var, Some(vec![entry])), range };
        let load = self.build().load_of(var, range);
        let condition = self.build().as_condition(load.clone())?;
        let b = self.value(b)?;
        let whole = self.build().choose(condition, load, b, range)?;
        let ty = whole.ty;
        Ok(expr(ExprKind::Stmt(vec![declare], Some(whole)), ty, range))
    }

    pub(super) fn cast(&mut self, name: &TypeName, e: &ast::Expression, range: Range) -> Res<Expr> {
        let ty = self.type_name(name)?;
        let ty = self.types.unatomic(ty);
        if let Some(number) = cast_literal(&self.types, e, ty) {
            return Ok(constant(number, ty, range));
        }
        let value = self.value(e)?;
        self.build().cast(value, ty, range)
    }
}

/// A floating constant right below a cast to an integer type is an integer constant (C11, 6.6p6).
fn cast_literal(types: &Types, e: &ast::Expression, ty: TypeId) -> Option<i128> {
    let ast::ExprKind::Float(text) = &*e.kind else { return None };
    let value = float_value(text)?;
    if ty == Types::BOOL {
        return Some(i128::from(value != 0.0));
    }
    let number = value.trunc() as i128;
    (types.integer(ty).is_some() && types.wrap(number, ty) == number).then_some(number)
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
