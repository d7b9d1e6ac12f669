//! Statements and blocks (C11, 6.8), statement expressions, inline assembly.

use super::labels::SwitchCases;
use super::{FLOATING, Res, Sema, error, expr, unsupported};
use crate::hir::{Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::ast::{
    self, Asm, Block, BlockItem, ForInit, FunctionDef, Range, StmtKind as Kind,
};
use crate::types::Types;

impl Sema {
    /// The items of a block, in the innermost scope.
    pub(super) fn block_items(&mut self, items: &[BlockItem], out: &mut Vec<Stmt>) -> Res<()> {
        let opened = self.open_local_labels(items)?;
        for item in items {
            self.block_item(item, out)?;
        }
        self.close_local_labels(opened)
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
        self.function_context(first)?.labels.push(&names);
        Ok(true)
    }

    fn close_local_labels(&mut self, opened: bool) -> Res<()> {
        match (&mut self.current, opened) {
            (Some(current), true) => current.labels.pop(),
            _ => Ok(()),
        }
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
            Kind::Expr(Some(e)) => StmtKind::Expr(self.value(e)?),
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
                self.for_statement(init.as_ref(), c.as_ref(), step.as_ref(), body)?
            }
            Kind::Switch(value, body) => self.switch_statement(value, body)?,
            Kind::Return(value) => return self.return_statement(value.as_ref(), range, out),
            Kind::Asm(asm) => asm_statement(asm),
            Kind::ComputedGoto(_) => StmtKind::Unsupported("computed goto".to_string()),
            Kind::Goto(label) => StmtKind::Goto(self.use_label(label)?),
            Kind::Continue => self.continue_statement(range)?,
            Kind::Break => self.break_statement(range)?,
            Kind::Case(..) | Kind::Default(_) | Kind::Label(..) => {
                return self.labelled(stmt, range, out);
            }
        };
        out.push(Stmt { kind, range });
        Ok(())
    }

    fn labelled(&mut self, stmt: &ast::Stmt, range: Range, out: &mut Vec<Stmt>) -> Res<()> {
        let (label, inner) = match &*stmt.kind {
            Kind::Case(low, high, inner) => {
                (self.case_label(low, high.as_ref(), self.at(low.range))?, inner)
            }
            Kind::Default(inner) => (self.default_label(range)?, inner),
            Kind::Label(name, inner) => (self.define_label(name)?, inner),
            _ => return error(range, "a label is missing here"),
        };
        out.push(Stmt { kind: StmtKind::Label(label), range });
        self.statement(inner, out)
    }

    fn block(&mut self, block: &Block) -> Res<Vec<Stmt>> {
        let mut out = Vec::new();
        self.push_scope();
        self.block_items(&block.items, &mut out)?;
        self.pop_scope();
        Ok(out)
    }

    fn loop_statement(
        &mut self,
        condition: Option<&ast::Expr>,
        test_first: bool,
        body: &ast::Stmt,
        step: Option<&ast::Expr>,
    ) -> Res<StmtKind> {
        let condition = condition.map(|c| self.condition(c)).transpose()?;
        let step = step.map(|s| self.value(s)).transpose()?;
        self.nest(1, 1);
        let body = self.single(body)?;
        self.nest(-1, -1);
        Ok(StmtKind::Loop { condition, test_first, body, step })
    }

    fn nest(&mut self, loops: i32, breakable: i32) {
        if let Some(current) = &mut self.current {
            current.loops = current.loops.saturating_add_signed(loops);
            current.breakable = current.breakable.saturating_add_signed(breakable);
        }
    }

    fn for_statement(
        &mut self,
        init: Option<&ForInit>,
        condition: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
    ) -> Res<StmtKind> {
        let Some(init) = init else {
            return self.loop_statement(condition, true, body, step);
        };
        let mut out = Vec::new();
        self.push_scope();
        let range = match init {
            ForInit::Declaration(declaration) => {
                self.declaration(declaration, &mut out)?;
                self.at(declaration.range)
            }
            ForInit::Expr(e) => {
                let kind = StmtKind::Expr(self.value(e)?);
                let range = self.at(e.range);
                out.push(Stmt { kind, range });
                range
            }
        };
        let kind = self.loop_statement(condition, true, body, step)?;
        self.pop_scope();
        let range = Range { lo: range.lo, hi: self.at(body.range).hi };
        out.push(Stmt { kind, range });
        Ok(StmtKind::Block(out))
    }

    fn switch_statement(&mut self, value: &ast::Expr, body: &ast::Stmt) -> Res<StmtKind> {
        let value = self.value(value)?;
        let value = match self.types.is_float(value.ty) {
            true => unsupported(FLOATING, Types::INT, value.range),
            false => value,
        };
        if !self.types.is_integer(value.ty) {
            return error(value.range, "`switch` needs an integer");
        }
        let value = self.promote(value);
        let current = self.function_context(value.range)?;
        current.switches.push(SwitchCases::new(value.ty));
        self.nest(0, 1);
        let body = self.single(body)?;
        self.nest(0, -1);
        let Some(switch) = self.function_context(value.range)?.switches.pop() else {
            return error(value.range, "`switch` is not nested properly");
        };
        switch.check()?;
        Ok(StmtKind::Switch { value, cases: switch.cases, default: switch.default, body })
    }

    fn return_statement(
        &mut self,
        value: Option<&ast::Expr>,
        range: Range,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let ret = self.function_context(range)?.ret;
        let mut result = None;
        if let Some(value) = value {
            let value = self.value(value)?;
            if ret == Types::VOID {
                let kind = StmtKind::Expr(value);
                out.push(Stmt { kind, range });
            } else {
                result = Some(self.convert(value, ret)?);
            }
        }
        out.push(Stmt { kind: StmtKind::Return(result), range });
        Ok(())
    }

    /// `({ … })`: the last expression is the value.
    pub(super) fn statement_expression(&mut self, block: &Block, range: Range) -> Res<Expr> {
        self.function_context(range)?;
        self.push_scope();
        let opened = self.open_local_labels(&block.items)?;
        let mut out = Vec::new();
        let mut value = None;
        for (index, item) in block.items.iter().enumerate() {
            match item {
                BlockItem::Stmt(stmt) if index + 1 == block.items.len() => {
                    value = self.last_statement(stmt, &mut out)?;
                }
                _ => self.block_item(item, &mut out)?,
            }
        }
        self.close_local_labels(opened)?;
        self.pop_scope();
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

/// Assembly that at most orders memory accesses is a fence.
fn asm_statement(asm: &Asm) -> StmtKind {
    let no_operands = asm.outputs.is_empty() && asm.labels.is_empty();
    let template = asm.template.trim();
    let harmless =
        no_operands && (template.is_empty() || (asm.inputs.is_empty() && is_fence(template)));
    match harmless {
        true => StmtKind::Fence,
        false => StmtKind::Unsupported("inline assembly".to_string()),
    }
}

fn is_fence(template: &str) -> bool {
    const FENCES: &[&str] = &[
        "mfence", "lfence", "sfence", "dmb", "dsb", "isb", "sync", "lwsync", "hwsync", "isync",
        "eieio", "fence", "nop", "pause", "yield", "rep", "lock",
    ];
    let text = template.to_ascii_lowercase();
    text.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty()).all(|line| {
        let line = line.strip_prefix("lock").map_or(line, str::trim_start);
        let mut words = line.split_whitespace();
        match words.next() {
            None => true,
            Some("addl" | "orl" | "addq" | "orq") => {
                words.next().is_some_and(|w| w.starts_with("$0,") || w.starts_with("$0x0,"))
            }
            Some("rep") => words.all(|w| w == "nop"),
            Some(word) => FENCES.contains(&word),
        }
    })
}
