//! Labels of a function: those of `goto`, with GNU's `__label__` scopes, and
//! the case labels of its switches.

use super::{Current, Res, Sema, error};
use crate::hir::{LabelId, StmtKind, TypeId};
use crate::syntax::ast::{Expr, Ident, Range};
use std::collections::HashMap;
use std::rc::Rc;

/// The labels of a function. The first scope is the function's own.
pub(super) struct Labels {
    scopes: Vec<HashMap<Rc<str>, Label>>,
    next: u32,
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
        Labels { scopes: vec![HashMap::new()], next: 0 }
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

impl Sema {
    /// The label a `goto` means.
    pub(super) fn use_label(&mut self, name: &Ident) -> Res<LabelId> {
        let range = self.at(name.range);
        let current = self.function_context(range)?;
        Ok(current.labels.entry(&name.name, range).id)
    }

    pub(super) fn define_label(&mut self, name: &Ident) -> Res<LabelId> {
        let range = self.at(name.range);
        let current = self.function_context(range)?;
        let label = current.labels.entry(&name.name, range);
        if label.defined {
            return error(range, format!("the label `{}` is defined twice", name.name));
        }
        label.defined = true;
        Ok(label.id)
    }

    /// `case low ... high:`; gives its label.
    pub(super) fn case_label(
        &mut self,
        low: &Expr,
        high: Option<&Expr>,
        at: Range,
    ) -> Res<LabelId> {
        let Some(ty) = self.innermost_switch().map(|s| s.ty) else {
            return error(at, "`case` stands outside of any `switch`");
        };
        let from = self.case_value(low, ty)?;
        let to = match high {
            Some(high) => self.case_value(high, ty)?,
            None => from,
        };
        let current = self.function_context(at)?;
        let label = current.fresh_label();
        if let Some(switch) = current.switches.last_mut()
            && from <= to
        {
            switch.cases.push((from, to, label));
            switch.ranges.push(at);
        }
        Ok(label)
    }

    fn case_value(&mut self, value: &Expr, ty: TypeId) -> Res<i128> {
        let constant = self.integer_constant(value, "a case label")?;
        Ok(self.wrap(constant, ty))
    }

    pub(super) fn default_label(&mut self, at: Range) -> Res<LabelId> {
        let current = self.function_context(at)?;
        let label = current.fresh_label();
        match current.switches.last_mut() {
            None => error(at, "`default` stands outside of any `switch`"),
            Some(switch) if switch.default.is_some() => {
                error(at, "this `switch` has two `default` labels")
            }
            Some(switch) => {
                switch.default = Some(label);
                Ok(label)
            }
        }
    }

    fn innermost_switch(&self) -> Option<&SwitchCases> {
        self.current.as_ref()?.switches.last()
    }

    pub(super) fn function_context(&mut self, at: Range) -> Res<&mut Current> {
        match &mut self.current {
            Some(current) => Ok(current),
            None => error(at, "a statement stands outside of any function"),
        }
    }

    pub(super) fn break_statement(&mut self, at: Range) -> Res<StmtKind> {
        match self.function_context(at)?.breakable {
            0 => error(at, "`break` stands outside of any loop or `switch`"),
            _ => Ok(StmtKind::Break),
        }
    }

    pub(super) fn continue_statement(&mut self, at: Range) -> Res<StmtKind> {
        match self.function_context(at)?.loops {
            0 => error(at, "`continue` stands outside of any loop"),
            _ => Ok(StmtKind::Continue),
        }
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
