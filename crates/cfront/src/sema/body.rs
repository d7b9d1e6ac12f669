//! The function whose body is being analysed: its labels, and what is around a statement.

use super::labels::{Labels, SwitchCases};
use super::{Res, error};
use crate::hir::{FuncId, LabelId, StmtKind, TypeId, VarId};
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
    /// How many loops are around, and how many loops and switches.
    loops: u32,
    breakable: u32,
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
            loops: 0,
            breakable: 0,
            variable_arrays: HashMap::new(),
        }
    }

    pub fn enter_loop(&mut self) {
        self.loops += 1;
        self.breakable += 1;
    }

    pub fn leave_loop(&mut self) {
        self.loops -= 1;
        self.breakable -= 1;
    }

    /// Enters a switch over a value of this type.
    pub fn enter_switch(&mut self, ty: TypeId) {
        self.switches.push(SwitchCases::new(ty));
        self.breakable += 1;
    }

    /// Leaves the innermost switch; gives its cases.
    pub fn leave_switch(&mut self, at: Range) -> Res<SwitchCases> {
        self.breakable -= 1;
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

    pub fn break_statement(&self, at: Range) -> Res<StmtKind> {
        match self.breakable {
            0 => error(at, "`break` stands outside of any loop or `switch`"),
            _ => Ok(StmtKind::Break),
        }
    }

    pub fn continue_statement(&self, at: Range) -> Res<StmtKind> {
        match self.loops {
            0 => error(at, "`continue` stands outside of any loop"),
            _ => Ok(StmtKind::Continue),
        }
    }
}
