//! Which blocks the locals and the labels of functions are in: C's lifetimes end with blocks.
//!
//! A block is named by the way to it: the numbers of the blocks around it, outermost first. Statements that choose or
//! repeat are blocks, and so are their parts (C11 6.8.4, 3; 6.8.5, 5), and gcc's statement expressions. A compound literal counts to the block around it.

use crate::hir::{Expr, ExprKind, LabelId, Lifetime, Stmt, StmtKind, Unit, Var, VarId};
use crate::points_to::walk::{Event, walk_expr};
use std::collections::HashMap;

/// The way to a block; parameters and the body of a function are at the empty one.
pub type Block = Vec<u32>;

/// The blocks of locals and labels.
#[derive(Clone, Debug, Default)]
pub struct LocalScopes {
    vars: HashMap<VarId, Spot>,
    /// By function and label.
    labels: HashMap<(usize, LabelId), Spot>,
    /// The locals whose declarations jumps to a label leave out, by function and label.
    entered: HashMap<(usize, LabelId), Vec<VarId>>,
}

/// Where something stands.
#[derive(Clone, Debug)]
struct Spot {
    block: Block,
    /// How many statements of its function come before.
    number: u32,
}

impl LocalScopes {
    /// Of a whole program.
    pub fn of(unit: &Unit) -> LocalScopes {
        let mut scopes = LocalScopes::default();
        for (function, declared) in unit.functions.iter().enumerate() {
            let body = declared.body.as_deref().unwrap_or_default();
            let mut walk = ScopeWalk::new(unit, &mut scopes, function, false);
            walk.statements(body);
            walk.find_entered();
        }
        scopes.add_nested(unit);
        scopes
    }

    /// The block that a local is declared in.
    pub fn of_var(&self, var: VarId) -> &[u32] {
        self.vars.get(&var).map_or(&[], |spot| &spot.block)
    }

    /// Is a label in the block of a local?
    pub fn is_around(&self, var: VarId, function: usize, label: LabelId) -> bool {
        let label = self.labels.get(&(function, label)).map_or(&[][..], |spot| &spot.block);
        label.starts_with(self.of_var(var))
    }

    /// Is a label in the block of a local, behind its declaration?
    pub fn is_declared_at(&self, var: VarId, function: usize, label: LabelId) -> bool {
        let (label_at, var_at) = (self.labels.get(&(function, label)), self.vars.get(&var));
        let is_behind = label_at.zip(var_at).is_none_or(|(label, var)| var.number < label.number);
        is_behind && self.is_around(var, function, label)
    }

    /// The locals in whose blocks a label is, and whose declarations jumps to it may leave out.
    pub fn entered_at(&self, function: usize, label: LabelId) -> &[VarId] {
        self.entered.get(&(function, label)).map_or(&[], Vec::as_slice)
    }

    /// May a jump leave out the declaration of a local?
    pub fn is_left_out(&self, var: VarId) -> bool {
        self.entered.values().any(|vars| vars.contains(&var))
    }

    /// Finds the locals that are declared inside expressions: compound literals, mostly.
    fn add_nested(&mut self, unit: &Unit) {
        let is_nested = |(number, var): (usize, &Var)| {
            let Lifetime::Local(function) = var.lifetime else { return false };
            let id = VarId(number as u32);
            !self.vars.contains_key(&id) && !unit.functions[function.index()].params.contains(&id)
        };
        if !unit.vars.iter().enumerate().any(is_nested) {
            return;
        }
        for (function, declared) in unit.functions.iter().enumerate() {
            let body = declared.body.as_deref().unwrap_or_default();
            ScopeWalk::new(unit, self, function, true).statements(body);
        }
    }
}

struct ScopeWalk<'s> {
    unit: &'s Unit,
    scopes: &'s mut LocalScopes,
    function: usize,
    path: Block,
    /// The blocks met so far.
    blocks: u32,
    /// The statements met so far.
    number: u32,
    /// The locals met so far.
    declared: Vec<VarId>,
    /// Where it jumps to a label.
    jumps: Vec<(LabelId, Spot)>,
    /// Are only declarations inside expressions looked for?
    is_nested: bool,
}

impl<'s> ScopeWalk<'s> {
    fn new(
        unit: &'s Unit,
        scopes: &'s mut LocalScopes,
        function: usize,
        is_nested: bool,
    ) -> ScopeWalk<'s> {
        ScopeWalk {
            unit,
            scopes,
            function,
            path: Vec::new(),
            blocks: 0,
            number: 0,
            declared: Vec::new(),
            jumps: Vec::new(),
            is_nested,
        }
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.number += 1;
        match &statement.kind {
            StmtKind::Block(statements) => self.block(|walk| walk.statements(statements)),
            StmtKind::If(condition, then, otherwise) => self.block(|walk| {
                walk.nested([condition]);
                walk.block(|walk| walk.statement(then));
                walk.block(|walk| otherwise.iter().for_each(|part| walk.statement(part)));
            }),
            StmtKind::Loop { condition, body, step, .. } => self.block(|walk| {
                walk.nested(condition.iter().chain(step));
                walk.block(|walk| walk.statement(body));
            }),
            StmtKind::Switch { value, body, cases, default } => self.block(|walk| {
                walk.nested([value]);
                let labels = cases.iter().map(|(.., label)| label).chain(default);
                let here = walk.here();
                walk.jumps.extend(labels.map(|label| (*label, here.clone())));
                walk.block(|walk| walk.statement(body));
            }),
            StmtKind::Declare(var, init) => {
                let here = self.here();
                self.scopes.vars.entry(*var).or_insert(here);
                self.declared.push(*var);
                self.nested(init.iter().flatten().map(|entry| &entry.value));
            }
            StmtKind::Label(label) => {
                let here = self.here();
                self.scopes.labels.entry((self.function, *label)).or_insert(here);
            }
            StmtKind::Goto(label) => self.jumps.push((*label, self.here())),
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.nested([expr]),
            StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Fence(_)
            | StmtKind::Unsupported(_) => {}
        }
    }

    fn block(&mut self, inside: impl FnOnce(&mut Self)) {
        self.blocks += 1;
        self.path.push(self.blocks);
        inside(self);
        self.path.pop();
    }

    fn here(&self) -> Spot {
        Spot { block: self.path.clone(), number: self.number }
    }

    /// What is declared inside expressions of the block at hand.
    fn nested<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        if !self.is_nested {
            return;
        }
        let here = self.here();
        for expr in exprs {
            let (mut blocks, mut births) = (Vec::new(), Vec::new());
            walk_expr(expr, &mut |event| match event {
                Event::Expr(Expr { kind, .. }) => match &**kind {
                    ExprKind::Stmt(statements, _) if !self.unit.is_literal(statements) => {
                        blocks.push(statements);
                    }
                    _ => {}
                },
                Event::Birth(var) => births.push(var),
                _ => {}
            });
            for statements in blocks {
                self.block(|walk| walk.statements(statements));
            }
            for var in births {
                self.scopes.vars.entry(var).or_insert(here.clone());
            }
        }
    }

    /// For each label: the locals in its block whose declarations a jump to it leaves out.
    fn find_entered(&mut self) {
        let Some((_, first)) = self.jumps.first() else { return };
        let spot = |var: &VarId| (*var, self.scopes.vars[var].clone());
        let is_late = |(_, at): &(VarId, Spot)| !at.block.is_empty() || at.number > first.number;
        let late: Vec<(VarId, Spot)> = self.declared.iter().map(spot).filter(is_late).collect();
        for (label, from) in &self.jumps {
            let key = (self.function, *label);
            let Some(to) = self.scopes.labels.get(&key) else { continue };
            for (var, at) in &late {
                let is_inside = to.block.starts_with(&at.block) && at.number < to.number;
                let is_declared = from.block.starts_with(&at.block) && at.number < from.number;
                let entered = self.scopes.entered.entry(key).or_default();
                if is_inside && !is_declared && !entered.contains(var) {
                    entered.push(*var);
                }
            }
        }
    }
}
