//! Which blocks the locals and the labels of functions are in: C's lifetimes end with blocks.
//!
//! A block is named by the way to it: the numbers of the blocks around it, outermost first. What
//! is declared in a statement expression counts to the block around it.

use crate::hir::{LabelId, Stmt, StmtKind, Unit, VarId};
use std::collections::HashMap;

/// The way to a block; parameters and the body of a function are at the empty one.
pub type Block = Vec<u32>;

/// The blocks of locals and labels.
#[derive(Clone, Debug, Default)]
pub struct LocalScopes {
    vars: HashMap<VarId, Block>,
    /// By function and label.
    labels: HashMap<(usize, LabelId), Block>,
}

impl LocalScopes {
    /// Of a whole program.
    pub fn of(unit: &Unit) -> LocalScopes {
        let mut scopes = LocalScopes::default();
        for (function, declared) in unit.functions.iter().enumerate() {
            let mut walk = ScopeWalk { scopes: &mut scopes, function, path: Vec::new(), count: 0 };
            walk.statements(declared.body.as_deref().unwrap_or_default());
        }
        scopes
    }

    /// The block that a local is declared in.
    pub fn of_var(&self, var: VarId) -> &[u32] {
        self.vars.get(&var).map_or(&[], Vec::as_slice)
    }

    /// Is a label in the block of a local?
    pub fn is_around(&self, var: VarId, function: usize, label: LabelId) -> bool {
        let label = self.labels.get(&(function, label)).map_or(&[][..], Vec::as_slice);
        label.starts_with(self.of_var(var))
    }
}

struct ScopeWalk<'s> {
    scopes: &'s mut LocalScopes,
    function: usize,
    path: Block,
    /// The blocks met so far.
    count: u32,
}

impl ScopeWalk<'_> {
    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Declare(var, _) => {
                self.scopes.vars.insert(*var, self.path.clone());
            }
            StmtKind::Label(label) => {
                self.scopes.labels.insert((self.function, *label), self.path.clone());
            }
            StmtKind::Block(statements) => {
                self.count += 1;
                self.path.push(self.count);
                self.statements(statements);
                self.path.pop();
            }
            StmtKind::If(_, then, otherwise) => {
                self.statement(then);
                otherwise.iter().for_each(|otherwise| self.statement(otherwise));
            }
            StmtKind::Loop { body, .. } | StmtKind::Switch { body, .. } => self.statement(body),
            StmtKind::Expr(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Fence
            | StmtKind::Unsupported(_) => {}
        }
    }
}
