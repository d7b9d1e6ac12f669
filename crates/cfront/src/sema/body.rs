//! The function whose body is being analysed: its labels, and what is around a statement.

use super::labels::{Labels, SwitchCases};
use super::scope_end::Cleanup;
use super::{Res, error};
use crate::hir::{FuncId, LabelId, TypeId, VarId};
use crate::syntax::ast::Range;
use std::collections::HashMap;

/// What is known of the function whose body is being analysed.
pub(super) struct Body {
    pub id: FuncId,
    pub name: String,
    pub ret: TypeId,
    pub labels: Labels,
    /// The switches around, innermost last.
    switches: Vec<SwitchCases>,
    /// For each loop around, and for each loop or switch around: how many cleanups wait outside of it.
    loops: Vec<usize>,
    breakable: Vec<usize>,
    /// Variables in scope whose cleanup waits, innermost last.
    pub cleanups: Vec<Cleanup>,
    /// Arrays of variable length, by the pointer that stands for them.
    pub variable_arrays: HashMap<VarId, VariableArray>,
}

/// An array of variable length: `T a[n]` is a pointer to memory of the frame.
#[derive(Clone, Copy)]
pub(super) struct VariableArray {
    /// The type of the array.
    pub ty: TypeId,
    /// Holds its size in bytes.
    pub size: VarId,
}

impl Body {
    pub fn new(id: FuncId, name: String, ret: TypeId) -> Body {
        Body {
            id,
            name,
            ret,
            labels: Labels::new(),
            switches: Vec::new(),
            loops: Vec::new(),
            breakable: Vec::new(),
            cleanups: Vec::new(),
            variable_arrays: HashMap::new(),
        }
    }

    pub fn enter_loop(&mut self) {
        self.loops.push(self.cleanups.len());
        self.breakable.push(self.cleanups.len());
    }

    pub fn leave_loop(&mut self) {
        self.loops.pop();
        self.breakable.pop();
    }

    /// Enters a switch over a value of this type.
    pub fn enter_switch(&mut self, ty: TypeId) {
        self.switches.push(SwitchCases::new(ty));
        self.breakable.push(self.cleanups.len());
    }

    /// Leaves the innermost switch; gives its cases.
    pub fn leave_switch(&mut self, at: Range) -> Res<SwitchCases> {
        self.breakable.pop();
        match self.switches.pop() {
            Some(switch) => switch.check().map(|()| switch),
            None => error(at, "`switch` is not nested properly"),
        }
    }

    /// The type of the innermost switch's value.
    pub fn switch_type(&self) -> Option<TypeId> {
        self.switches.last().map(|switch| switch.ty)
    }

    /// `case from ... to:`; gives its label.
    pub fn case_label(&mut self, from: i128, to: i128, at: Range) -> LabelId {
        let label = self.labels.fresh();
        if let Some(switch) = self.switches.last_mut()
            && from <= to
        {
            switch.cases.push((from, to, label));
            switch.ranges.push(at);
        }
        label
    }

    pub fn default_label(&mut self, at: Range) -> Res<LabelId> {
        let label = self.labels.fresh();
        match self.switches.last_mut() {
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

    /// How many cleanups still wait after a `break`.
    pub fn after_break(&self, at: Range) -> Res<usize> {
        match self.breakable.last() {
            Some(depth) => Ok(*depth),
            None => error(at, "`break` stands outside of any loop or `switch`"),
        }
    }

    /// How many cleanups still wait after a `continue`.
    pub fn after_continue(&self, at: Range) -> Res<usize> {
        match self.loops.last() {
            Some(depth) => Ok(*depth),
            None => error(at, "`continue` stands outside of any loop"),
        }
    }
}
