//! Statements and blocks (C11, 6.8), statement expressions.

use super::assembly::asm_statement;
use super::body::Body;
use super::{FLOATING, Res, Sema, error, expr, unsupported};
use crate::hir::{Expr, ExprKind, LabelId, Stmt, StmtKind, TypeId};
use crate::syntax::ast::{
    self, Block, BlockItem, ForInit, FunctionDef, Ident, Range, StmtKind as Kind,
};
use crate::types::Types;

impl Sema {
    /// The items of a block, in the innermost scope.
    pub(super) fn block_items(&mut self, items: &[BlockItem], out: &mut Vec<Stmt>) -> Res<()> {
        let opened = self.open_local_labels(items)?;
        let depth = self.scope_end().depth();
        for item in items {
            self.block_item(item, out)?;
        }
        self.scope_end().end(depth, out)?;
        close_local_labels(self.body.as_mut().filter(|_| opened))
    }

    fn block_item(&mut self, item: &BlockItem, out: &mut Vec<Stmt>) -> Res<()> {
        match item {
            BlockItem::Declaration(declaration) => self.declaration(declaration, out),
            BlockItem::Stmt(stmt) => self.statement(stmt, out),
            BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
            BlockItem::NestedFunction(function) => self.nested_function(function, out),
            BlockItem::LocalLabels(_) => Ok(()),
        }
    }

    /// `__label__` declarations stand at the head of their block.
    fn open_local_labels(&mut self, items: &[BlockItem]) -> Res<bool> {
        let mut names = Vec::new();
        for item in items {
            if let BlockItem::LocalLabels(labels) = item {
                names.extend(labels.iter().map(|l| (l.name.clone(), self.at(l.range))));
            }
        }
        let Some(first) = names.first().map(|n| n.1) else {
            return Ok(false);
        };
        self.body(first)?.labels.push(&names);
        Ok(true)
    }

    fn nested_function(&mut self, function: &FunctionDef, out: &mut Vec<Stmt>) -> Res<()> {
        let base = self.base(&function.specifiers)?;
        let ty = self.derive(base.ty, &function.declarator)?;
        if let Some(name) = &function.declarator.name {
            self.declare_function(name, ty, &function.specifiers, &function.declarator)?;
        }
        out.push(Stmt {
            kind: StmtKind::Unsupported("nested function".to_string()),
            range: self.at(function.range),
        });
        Ok(())
    }

    /// A statement as one: several become a block.
    fn single(&mut self, stmt: &ast::Stmt) -> Res<Box<Stmt>> {
        let mut out = Vec::new();
        self.statement(stmt, &mut out)?;
        match <[Stmt; 1]>::try_from(out) {
            Ok([only]) => Ok(Box::new(only)),
            Err(several) => {
                Ok(Box::new(Stmt { kind: StmtKind::Block(several), range: self.at(stmt.range) }))
            }
        }
    }

    pub(super) fn statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Res<()> {
        let range = self.at(stmt.range);
        let kind = match &*stmt.kind {
            Kind::Expr(None) => return Ok(()),
            Kind::Expr(Some(e)) => StmtKind::Expr(self.unused_value(e)?),
            Kind::Block(block) => StmtKind::Block(self.block(block)?),
            Kind::If(c, a, b) => {
                let condition = self.condition(c)?;
                let then = self.single(a)?;
                let otherwise = b.as_ref().map(|b| self.single(b)).transpose()?;
                StmtKind::If(condition, then, otherwise)
            }
            Kind::While(c, body) => self.loop_statement(Some(c), true, body, None)?,
            Kind::DoWhile(body, c) => self.loop_statement(Some(c), false, body, None)?,
            Kind::For(init, c, step, body) => {
                self.for_statement(init.as_ref(), c.as_ref(), step.as_ref(), body, range)?
            }
            Kind::Switch(value, body) => self.switch_statement(value, body)?,
            Kind::Return(value) => return self.return_statement(value.as_ref(), range, out),
            Kind::Asm(asm) => asm_statement(asm),
            Kind::ComputedGoto(_) => StmtKind::Unsupported("computed goto".to_string()),
            Kind::Goto(label) => match (self.use_label(label)?, self.scope_end().depth()) {
                (label, 0) => StmtKind::Goto(label),
                _ => StmtKind::Unsupported(
                    "`goto` in the scope of a variable with `cleanup`".to_string(),
                ),
            },
            Kind::Continue => {
                let depth = self.body(range)?.after_continue(range)?;
                self.scope_end().run(depth, out)?;
                StmtKind::Continue
            }
            Kind::Break => {
                let depth = self.body(range)?.after_break(range)?;
                self.scope_end().run(depth, out)?;
                StmtKind::Break
            }
            Kind::Case(..) | Kind::Default(_) | Kind::Label(..) => {
                return self.labelled(stmt, range, out);
            }
        };
        out.push(Stmt { kind, range });
        Ok(())
    }

    /// The label a `goto` means.
    fn use_label(&mut self, name: &Ident) -> Res<LabelId> {
        let range = self.at(name.range);
        Ok(self.body(range)?.labels.mention(&name.name, range))
    }

    fn define_label(&mut self, name: &Ident) -> Res<LabelId> {
        let range = self.at(name.range);
        self.body(range)?.labels.define(&name.name, range)
    }

    /// `case low ... high:`; gives its label.
    fn case_label(
        &mut self,
        low: &ast::Expression,
        high: Option<&ast::Expression>,
    ) -> Res<LabelId> {
        let at = self.at(low.range);
        let Some(ty) = self.body(at)?.switch_type() else {
            return error(at, "`case` stands outside of any `switch`");
        };
        let from = self.case_value(low, ty)?;
        let to = match high {
            Some(high) => self.case_value(high, ty)?,
            None => from,
        };
        Ok(self.body(at)?.case_label(from, to, at))
    }

    fn case_value(&mut self, value: &ast::Expression, ty: TypeId) -> Res<i128> {
        let constant = self.integer_constant(value, "a case label")?;
        Ok(self.types.wrap(constant, ty))
    }

    fn labelled(&mut self, stmt: &ast::Stmt, range: Range, out: &mut Vec<Stmt>) -> Res<()> {
        let (label, inner) = match &*stmt.kind {
            Kind::Case(low, high, inner) => (self.case_label(low, high.as_ref())?, inner),
            Kind::Default(inner) => (self.body(range)?.default_label(range)?, inner),
            Kind::Label(name, inner) => (self.define_label(name)?, inner),
            _ => return error(range, "a label is missing here"),
        };
        let range = Range { hi: self.at(inner.range).lo.max(range.lo), ..range };
        out.push(Stmt { kind: StmtKind::Label(label), range });
        self.statement(inner, out)
    }

    fn block(&mut self, block: &Block) -> Res<Vec<Stmt>> {
        let mut out = Vec::new();
        self.scopes.push();
        self.block_items(&block.items, &mut out)?;
        self.scopes.pop();
        Ok(out)
    }

    fn loop_statement(
        &mut self,
        condition: Option<&ast::Expression>,
        test_first: bool,
        body: &ast::Stmt,
        step: Option<&ast::Expression>,
    ) -> Res<StmtKind> {
        let at = self.at(body.range);
        let condition = condition.map(|c| self.condition(c)).transpose()?;
        let step = step.map(|s| self.unused_value(s)).transpose()?;
        self.body(at)?.enter_loop();
        let body = self.single(body)?;
        self.body(at)?.leave_loop();
        Ok(StmtKind::Loop { condition, test_first, body, step })
    }

    fn for_statement(
        &mut self,
        init: Option<&ForInit>,
        condition: Option<&ast::Expression>,
        step: Option<&ast::Expression>,
        body: &ast::Stmt,
        head: Range,
    ) -> Res<StmtKind> {
        let Some(init) = init else {
            return self.loop_statement(condition, true, body, step);
        };
        let mut out = Vec::new();
        self.scopes.push();
        let depth = self.scope_end().depth();
        match init {
            ForInit::Declaration(declaration) => self.declaration(declaration, &mut out)?,
            ForInit::Expr(e) => {
                let kind = StmtKind::Expr(self.unused_value(e)?);
                out.push(Stmt { kind, range: self.at(e.range) });
            }
        }
        let kind = self.loop_statement(condition, true, body, step)?;
        out.push(Stmt { kind, range: head });
        self.scope_end().end(depth, &mut out)?;
        self.scopes.pop();
        Ok(StmtKind::Block(out))
    }

    fn switch_statement(&mut self, value: &ast::Expression, body: &ast::Stmt) -> Res<StmtKind> {
        let value = self.value(value)?;
        let value = match self.types.is_float(value.ty) {
            true => unsupported(FLOATING, Types::INT, value.range),
            false => value,
        };
        if !self.types.is_integer(value.ty) {
            return error(value.range, "`switch` needs an integer");
        }
        let value = self.build().promote(value);
        self.body(value.range)?.enter_switch(value.ty);
        let body = self.single(body)?;
        let switch = self.body(value.range)?.leave_switch(value.range)?;
        Ok(StmtKind::Switch { value, cases: switch.cases, default: switch.default, body })
    }

    fn return_statement(
        &mut self,
        value: Option<&ast::Expression>,
        range: Range,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let ret = self.body(range)?.ret;
        let mut result = None;
        if let Some(value) = value {
            let value = self.value(value)?;
            if ret == Types::VOID {
                let kind = StmtKind::Expr(value);
                out.push(Stmt { kind, range });
            } else {
                let value = self.build().convert(value, ret)?;
                result = Some(self.scope_end().keep(0, value, out)?);
            }
        }
        self.scope_end().run(0, out)?;
        out.push(Stmt { kind: StmtKind::Return(result), range });
        Ok(())
    }

    /// `({ … })`: the last expression is the value.
    pub(super) fn statement_expression(&mut self, block: &Block, range: Range) -> Res<Expr> {
        self.body(range)?;
        self.scopes.push();
        let opened = self.open_local_labels(&block.items)?;
        let mut out = Vec::new();
        let mut value = None;
        let depth = self.scope_end().depth();
        for (index, item) in block.items.iter().enumerate() {
            match item {
                BlockItem::Stmt(stmt) if index + 1 == block.items.len() => {
                    value = self.last_statement(stmt, &mut out)?;
                }
                _ => self.block_item(item, &mut out)?,
            }
        }
        if let Some(computed) = value.take() {
            value = Some(self.scope_end().keep(depth, computed, &mut out)?);
        }
        self.scope_end().end(depth, &mut out)?;
        close_local_labels(self.body.as_mut().filter(|_| opened))?;
        self.scopes.pop();
        let ty = value.as_ref().map_or(Types::VOID, |v| v.ty);
        Ok(expr(ExprKind::Stmt(out, value), ty, range))
    }

    fn last_statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Res<Option<Expr>> {
        match &*stmt.kind {
            Kind::Label(name, inner) => {
                let kind = StmtKind::Label(self.define_label(name)?);
                let range = self.at(stmt.range);
                out.push(Stmt { kind, range });
                self.last_statement(inner, out)
            }
            Kind::Expr(Some(e)) => {
                let value = self.value(e)?;
                if value.ty != Types::VOID {
                    return Ok(Some(value));
                }
                let range = self.at(stmt.range);
                let kind = StmtKind::Expr(value);
                out.push(Stmt { kind, range });
                Ok(None)
            }
            _ => {
                self.statement(stmt, out)?;
                Ok(None)
            }
        }
    }
}

fn close_local_labels(opened: Option<&mut Body>) -> Res<()> {
    opened.map_or(Ok(()), |body| body.labels.pop())
}
