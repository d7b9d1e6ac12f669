//! Expressions: what each node of the syntax tree denotes. Operators, calls
//! and queries (`sizeof` and its kin) have their own files.

use super::build::{Lvalue, is_unsupported, whole};
use super::init::{Init, initializer, static_initializer};
use super::literal::{self, Spelling};
use super::scope::Symbol;
use super::{
    Builder, FLOATING, Operand, Res, Sema, VARIABLE_ARGUMENTS, constant, error, expr, unsupported,
};
use crate::hir::{self, Expr, Lifetime, Place, PlaceKind, Stmt, StmtKind, TypeId};
use crate::syntax::ast::{self, ExprKind, Ident, InitItem, Range, TypeName, UnaryOp};
use crate::types::Types;

impl Sema {
    /// The value of an expression: arrays and functions decay.
    pub(super) fn value(&mut self, expr: &ast::Expression) -> Res<Expr> {
        let operand = self.operand(expr)?;
        self.build().rvalue(operand)
    }

    /// A scalar that is compared with zero.
    pub(super) fn condition(&mut self, condition: &ast::Expression) -> Res<Expr> {
        let value = self.value(condition)?;
        self.build().as_condition(value)
    }

    /// The place an expression denotes; what it must be, if it is none.
    pub(super) fn lvalue(&mut self, expr: &ast::Expression) -> Res<Lvalue> {
        let range = self.at(expr.range);
        match self.operand(expr)? {
            Operand::Place(lvalue) => Ok(lvalue),
            Operand::Value(value) if is_unsupported(&value) => {
                Ok(self.build().unsupported_place(value))
            }
            _ => error(range, "this is not a variable that can be changed"),
        }
    }

    /// The value of an expression where C demands an integer constant.
    pub(super) fn integer_constant(&mut self, expr: &ast::Expression, what: &str) -> Res<i128> {
        let value = self.value(expr)?;
        self.constants.integer(&self.types, &value, what)
    }

    /// What an expression denotes: a value, a place or a function.
    pub(super) fn operand(&mut self, e: &ast::Expression) -> Res<Operand> {
        let range = self.at(e.range);
        match &*e.kind {
            ExprKind::Ident(name) => self.name(name),
            ExprKind::Str(units, prefix) => Ok(self.build().string(units, *prefix, range)),
            ExprKind::Unary(UnaryOp::Deref, operand) => self.deref(operand, range),
            ExprKind::Index(a, i) => self.index(a, i, range),
            ExprKind::Member { base, arrow, field } => self.member(base, *arrow, field, range),
            ExprKind::CompoundLiteral(name, items) => self.compound_literal(name, items, range),
            ExprKind::Generic(control, cases) => self.generic(control, cases, range),
            ExprKind::ChooseExpr(condition, a, b) => {
                let holds = self.integer_constant(condition, "the condition")? != 0;
                self.operand(if holds { a } else { b })
            }
            _ => Ok(Operand::Value(self.plain_value(e, range)?)),
        }
    }

    /// Expressions that never denote a place.
    fn plain_value(&mut self, e: &ast::Expression, range: Range) -> Res<Expr> {
        match &*e.kind {
            ExprKind::Int { value, unsigned, longs, decimal } => {
                let how = Spelling { unsigned: *unsigned, longs: *longs, decimal: *decimal };
                literal::integer(&mut self.types, *value, how, range)
            }
            ExprKind::Float(text) => Ok(literal::floating(&mut self.types, text, range)),
            ExprKind::Char(value, prefix) => {
                Ok(literal::character(&mut self.types, i128::from(*value), *prefix, range))
            }
            ExprKind::Unary(op, operand) => self.unary_operator(*op, operand, range),
            ExprKind::IncDec { increment, prefix, operand } => {
                self.step(*increment, *prefix, operand, range)
            }
            ExprKind::Binary(op, a, b) => self.binary_operator(*op, a, b, range),
            ExprKind::Assign(None, to, from) => self.assign(to, from, range),
            ExprKind::Assign(Some(op), to, from) => self.assign_op(*op, to, from, range),
            ExprKind::Conditional(c, a, b) => self.conditional(c, a.as_ref(), b, range),
            ExprKind::Comma(a, b) => self.comma(a, b, range),
            ExprKind::Cast(name, operand) => self.cast(name, operand, range),
            ExprKind::Call(callee, args) => self.call(callee, args, range),
            ExprKind::StmtExpr(block) => self.statement_expression(block, range),
            ExprKind::VaArg(_, name) => {
                let ty = self.type_name(name)?;
                let ty = self.types.decayed(ty);
                Ok(unsupported(VARIABLE_ARGUMENTS, ty, range))
            }
            ExprKind::LabelAddress(_) => {
                let ty = self.types.pointer(Types::VOID);
                Ok(unsupported("address of a label", ty, range))
            }
            ExprKind::ComplexPart(operand) => {
                let ty = self.value(operand)?.ty;
                Ok(unsupported(FLOATING, ty, range))
            }
            _ => self.query(e, range),
        }
    }

    fn comma(&mut self, a: &ast::Expression, b: &ast::Expression, range: Range) -> Res<Expr> {
        let first = self.value(a)?;
        let second = self.value(b)?;
        let ty = second.ty;
        Ok(expr(hir::ExprKind::Comma(first, second), ty, range))
    }

    fn deref(&mut self, operand: &ast::Expression, range: Range) -> Res<Operand> {
        match self.operand(operand)? {
            Operand::Function(id, _) => Ok(Operand::Function(id, range)),
            other => {
                let pointer = self.build().rvalue(other)?;
                self.build().deref(pointer, range)
            }
        }
    }

    fn index(&mut self, a: &ast::Expression, i: &ast::Expression, range: Range) -> Res<Operand> {
        let base = self.operand(a)?;
        let index = self.value(i)?;
        self.build().subscript(base, index, range)
    }

    /// `e.f` and `e->f`
    fn member(
        &mut self,
        base: &ast::Expression,
        arrow: bool,
        field: &Ident,
        range: Range,
    ) -> Res<Operand> {
        let mut operand = self.operand(base)?;
        if arrow {
            let pointer = self.build().rvalue(operand)?;
            let at = pointer.range;
            operand = self.build().deref(pointer, at)?;
        }
        let at = self.at(field.range);
        self.build().member(operand, (&field.name, at), range)
    }

    fn name(&mut self, name: &Ident) -> Res<Operand> {
        let range = self.at(name.range);
        let found = self.scopes.lookup(&name.name);
        if let (Some(found), Some(body)) = (&found, &self.body) {
            self.linkage.note_use(&self.objects, body.id, found);
        }
        match found {
            Some(Symbol::Var(var)) => {
                match self.body.as_ref().and_then(|body| body.variable_array(var)) {
                    Some(array) => Ok(self.build().variable_array_place(var, array.ty, range)),
                    None => Ok(self.build().variable(var, range)),
                }
            }
            Some(Symbol::Function(id)) => Ok(Operand::Function(id, range)),
            Some(Symbol::Constant(value, ty)) => Ok(Operand::Value(constant(value, ty, range))),
            Some(Symbol::Typedef(..)) => {
                error(range, format!("`{}` is a type, not a value", name.name))
            }
            None => self.unknown_name(name, range),
        }
    }

    fn unknown_name(&mut self, name: &Ident, range: Range) -> Res<Operand> {
        let is_function_name =
            matches!(&*name.name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__");
        if is_function_name && let Some(body) = &self.body {
            let units: Vec<u32> = body.name.bytes().map(u32::from).collect();
            return Ok(self.build().string(&units, '\0', range));
        }
        if name.name.starts_with("__builtin_") {
            let id = self.library_function(&name.name, range);
            return Ok(Operand::Function(id, range));
        }
        let hint = match self.scopes.similar_name(&name.name) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => "declare it first, or include the header that does".to_string(),
        };
        error(range, format!("`{}` is not declared: {hint}", name.name))
    }

    /// `(T){ … }`: a variable that comes to life where the literal stands.
    fn compound_literal(
        &mut self,
        name: &TypeName,
        items: &[InitItem],
        range: Range,
    ) -> Res<Operand> {
        let ty = self.type_name(name)?;
        let list = Init::List(items);
        if self.body.is_none() {
            let (entries, ty) = static_initializer(self, ty, list, range)?;
            let name = literal_name(&self.types, ty);
            let var = self.objects.add_plain(&name, ty, Lifetime::Static, range);
            self.objects.var_mut(var).init = Some(entries);
            return Ok(self.build().variable(var, range));
        }
        let (entries, ty) = initializer(self, ty, list, range)?;
        let var = self.build().fresh_local(ty, range)?;
        self.objects.var_mut(var).name = literal_name(&self.types, ty);
        let declare = Stmt { kind: StmtKind::Declare(var, Some(entries)), range };
        let pointer = self.types.pointer(ty);
        let place = self.objects.place(var, range);
        let address = expr(hir::ExprKind::AddrOf(place), pointer, range);
        let pointer = expr(hir::ExprKind::Stmt(vec![declare], Some(address)), pointer, range);
        Ok(Operand::Place(whole(Place { kind: PlaceKind::Deref(pointer), ty, bits: None, range })))
    }
}

/// An object without a name is the program's own all the same: reports speak of it, and it may be raced for.
fn literal_name(types: &Types, ty: TypeId) -> String {
    format!("({}){{...}}", types.name(ty))
}

impl Builder<'_> {
    /// A string literal.
    pub fn string(&mut self, units: &[u32], prefix: char, range: Range) -> Operand {
        let literal = (units, prefix);
        let var = literal::string(self.types, self.objects, literal, range);
        self.variable(var, range)
    }
}
