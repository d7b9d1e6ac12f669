//! Scopes: names and tags, innermost last. `scopes[0]` is the file scope.

use super::{Res, Sema, error};
use crate::hir::{FuncId, RecordId, TypeId, Var, VarId};
use crate::syntax::ast::Range;
use std::collections::HashMap;
use std::rc::Rc;

/// What a name means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    Var(VarId),
    Function(FuncId),
    /// An enumeration constant.
    Constant(i128, TypeId),
    /// A type name, with the alignment its attributes demand.
    Typedef(TypeId, Option<u64>),
}

/// What a tag means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

#[derive(Default)]
pub(super) struct Scope {
    pub symbols: HashMap<Rc<str>, Symbol>,
    pub tags: HashMap<Rc<str>, Tag>,
}

impl Sema {
    pub(super) fn push_scope(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.symbols.get(name).copied())
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name).copied())
    }

    pub(super) fn scope(&mut self) -> &mut Scope {
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    pub(super) fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// Enters a name into the innermost scope.
    pub(super) fn bind(&mut self, name: &Rc<str>, symbol: Symbol) {
        self.scope().symbols.insert(name.clone(), symbol);
    }

    /// Enters a name that must be new in its block.
    pub(super) fn bind_new(&mut self, name: &Rc<str>, symbol: Symbol, range: Range) -> Res<()> {
        if self.scope().symbols.contains_key(name) {
            return error(range, format!("`{name}` is declared twice in one block"));
        }
        self.bind(name, symbol);
        Ok(())
    }

    pub(super) fn new_var(&mut self, var: Var) -> VarId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(var);
        id
    }
}
