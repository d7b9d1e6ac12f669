//! Locals that are read before they have a value.
//!
//! To read a local that has no value yet, and whose address is never taken, is undefined behaviour (C11, 6.3.2.1p2): it might be a register that holds anything, or nothing. Where undefined behaviour is asked for, a flag
//! says of each such scalar whether it was assigned since it came to life: each step that assigns it sets the flag, whichever part of the front end has made the step. Where it is not asked for, and of all
//! other objects, such a read gives any value, which is what C says of them for types without trap representations.

use super::Lowerer;
use super::build::set;
use crate::hir::{Place, PlaceKind, VarId};
use ccfa::{Expr, FailedOperation, Init, LocalId, Template, Type, Undefined, VarRef};
use std::collections::BTreeMap;

/// By local: the flag that says whether it has a value.
pub(super) type Flags = BTreeMap<LocalId, VarRef>;

impl Lowerer<'_> {
    /// A local comes to life without a value.
    pub(super) fn has_no_value(&mut self, var: VarId) {
        let declared = &self.input.unit.vars[var.index()];
        let is_scalar = self.input.scalar_type(declared.ty).is_some();
        let is_watched = self.input.options.choices.uninitialised && is_scalar;
        let may_be_a_register = !self.input.points_to.is_address_taken(var);
        if !is_watched || !may_be_a_register || self.is_in_model() {
            return;
        }
        let Some(local) = self.only_cell(var) else { return };
        let flag = match self.t.flags.get(&local) {
            Some(flag) => *flag,
            None => VarRef::Local(self.t.local(".has_value", Type::Bool, None, Init::Value(0))),
        };
        self.t.flags.insert(local, flag);
        self.t.step(Expr::TRUE, vec![set(flag, Expr::FALSE)]);
    }

    /// Behaviour is undefined here, if this is a local that has no value.
    pub(super) fn require_value(&mut self, place: &Place) {
        let PlaceKind::Var(var) = place.kind else { return };
        if self.t.flags.is_empty() {
            return;
        }
        let flag = self.only_cell(var).and_then(|local| self.t.flags.get(&local).copied());
        if let Some(flag) = flag {
            let name = self.input.unit.vars[var.index()].name.clone();
            let operands = FailedOperation::Local(name);
            self.t.require_of(operands, Expr::Var(flag), Undefined::Uninitialised);
        }
    }

    /// The variable of the model for a local that is one scalar and nobody else's.
    fn only_cell(&mut self, var: VarId) -> Option<LocalId> {
        let object = self.memory().object_of(var).ok()?;
        match self.t.private.get(&object)?[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// Sets the flags where locals are assigned.
pub(super) fn note_values(flags: &Flags, template: &mut Template) {
    for edge in template.edges.iter_mut().filter(|_| !flags.is_empty()) {
        let written: Vec<VarRef> =
            edge.assigns.iter().map(|assign| assign.place.parts().0).collect();
        for (local, flag) in flags {
            if written.contains(&VarRef::Local(*local)) && !written.contains(flag) {
                edge.assigns.push(set(*flag, Expr::TRUE));
            }
        }
    }
}
