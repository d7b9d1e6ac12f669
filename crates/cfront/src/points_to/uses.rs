//! Which variables are assigned, and of which the address is taken.

use super::walk::{Event, walk, walk_entries};
use crate::hir::{ExprKind, Lifetime, Place, PlaceKind, Unit, VarId};

/// How each variable is used.
#[derive(Clone, Debug)]
pub(super) struct VariableUses {
    /// Its address is used other than to access it there and then.
    pub(super) address_taken: Vec<bool>,
    /// It is assigned by name, or is a local with an initialiser.
    pub(super) assigned: Vec<bool>,
    /// It is assigned by name.
    pub(super) reassigned: Vec<bool>,
}

impl VariableUses {
    /// The uses in a whole program, static initialisers included.
    pub(super) fn of(unit: &Unit) -> VariableUses {
        let unused = vec![false; unit.vars.len()];
        let mut uses = VariableUses {
            address_taken: unused.clone(),
            assigned: unused.clone(),
            reassigned: unused,
        };
        let mut see = |event: Event| uses.see(unit, &event);
        for entries in unit.vars.iter().filter_map(|var| var.init.as_ref()) {
            walk_entries(entries, &mut see);
        }
        for body in unit.functions.iter().filter_map(|function| function.body.as_ref()) {
            walk(body, &mut see);
        }
        uses
    }

    /// Does the variable hold its first value for ever?
    pub(super) fn is_constant(&self, var: VarId) -> bool {
        !self.assigned[var.index()] && !self.address_taken[var.index()]
    }

    fn see(&mut self, unit: &Unit, event: &Event) {
        let (place, list) = match event {
            Event::Declare(var, _) => {
                let is_local = matches!(unit.vars[var.index()].lifetime, Lifetime::Local(_));
                self.assigned[var.index()] |= is_local;
                return;
            }
            Event::Return(_)
            | Event::Birth(_)
            | Event::Loop(_)
            | Event::Label(_)
            | Event::Goto(_) => return,
            Event::Expr(expr) => match &*expr.kind {
                ExprKind::AddrOf(place) => (place, &mut self.address_taken),
                ExprKind::Assign(place, _) | ExprKind::AssignOp { place, .. } => {
                    if let Some(var) = root(place) {
                        self.reassigned[var.index()] = true;
                    }
                    (place, &mut self.assigned)
                }
                _ => return,
            },
        };
        if let Some(var) = root(place) {
            list[var.index()] = true;
        }
    }
}

/// The variable a place is part of, if it is named there.
fn root(place: &Place) -> Option<VarId> {
    match &place.kind {
        PlaceKind::Var(var) => Some(*var),
        PlaceKind::Field(base, _) | PlaceKind::Index(base, ..) => root(base),
        PlaceKind::Temporary(_) => None,
        PlaceKind::Deref(pointer) => match &*pointer.kind {
            ExprKind::AddrOf(place) => root(place),
            _ => None,
        },
    }
}
