//! Labels of a function: those of `goto`, with GNU's `__label__` scopes, and
//! the case labels of its switches.

use super::{Res, error};
use crate::hir::{LabelId, TypeId};
use crate::syntax::ast::Range;
use std::collections::HashMap;
use std::rc::Rc;

/// The labels of a function. The first scope is the function's own.
pub(super) struct Labels {
    scopes: Vec<HashMap<Rc<str>, Label>>,
    next: u32,
    /// Those that stand in the text, with their names.
    pub named: Vec<(LabelId, String)>,
}

struct Label {
    id: LabelId,
    defined: bool,
    used_at: Range,
}

/// What the cases inside a switch have collected so far.
pub(super) struct SwitchCases {
    pub ty: TypeId,
    pub cases: Vec<(i128, i128, LabelId)>,
    pub ranges: Vec<Range>,
    pub default: Option<LabelId>,
}

impl Labels {
    pub fn new() -> Labels {
        Labels { scopes: vec![HashMap::new()], next: 0, named: Vec::new() }
    }

    pub fn count(&self) -> u32 {
        self.next
    }

    pub fn fresh(&mut self) -> LabelId {
        self.next += 1;
        LabelId(self.next - 1)
    }

    /// Opens a scope in which these labels are local.
    pub fn push(&mut self, names: &[(Rc<str>, Range)]) {
        let mut scope = HashMap::new();
        for (name, range) in names {
            let label = Label { id: self.fresh(), defined: false, used_at: *range };
            scope.insert(name.clone(), label);
        }
        self.scopes.push(scope);
    }

    /// Closes the innermost scope; all its labels must be defined.
    pub fn pop(&mut self) -> Res<()> {
        for (name, label) in self.scopes.pop().unwrap_or_default() {
            if !label.defined {
                return error(
                    label.used_at,
                    format!("the label `{name}` is used but not defined in this function"),
                );
            }
        }
        Ok(())
    }

    /// The label a `goto` means.
    pub fn mention(&mut self, name: &Rc<str>, range: Range) -> LabelId {
        self.entry(name, range).id
    }

    /// The label that stands here.
    pub fn define(&mut self, name: &Rc<str>, range: Range) -> Res<LabelId> {
        let label = self.entry(name, range);
        if label.defined {
            return error(range, format!("the label `{name}` is defined twice"));
        }
        label.defined = true;
        let id = label.id;
        self.named.push((id, name.to_string()));
        Ok(id)
    }

    fn entry(&mut self, name: &Rc<str>, range: Range) -> &mut Label {
        let depth =
            (0..self.scopes.len()).rev().find(|&i| self.scopes[i].contains_key(name)).unwrap_or(0);
        let fresh = LabelId(self.next);
        let next = &mut self.next;
        self.scopes[depth].entry(name.clone()).or_insert_with(|| {
            *next += 1;
            Label { id: fresh, defined: false, used_at: range }
        })
    }
}

impl SwitchCases {
    pub fn new(ty: TypeId) -> SwitchCases {
        SwitchCases { ty, cases: Vec::new(), ranges: Vec::new(), default: None }
    }

    /// No two cases may overlap.
    pub fn check(&self) -> Res<()> {
        let mut order: Vec<usize> = (0..self.cases.len()).collect();
        order.sort_by_key(|&i| (self.cases[i].0, i));
        for pair in order.windows(2) {
            if self.cases[pair[0]].1 >= self.cases[pair[1]].0 {
                let later = pair[0].max(pair[1]);
                let value = self.cases[pair[1]].0;
                return error(self.ranges[later], format!("the value {value} has two case labels"));
            }
        }
        Ok(())
    }
}
