//! An abstract thread as a state machine, as in the figures of the paper: nodes
//! with assertions, moves with a relation between the old and the new values of
//! the shared variables. A move changes what it names and nothing else; every
//! node has, beside its moves, the hidden idle step that changes nothing.
//!
//! Expressions here speak of shared variables *before* a move by their own number
//! and of those *after* it by [`Machine::after`]; a local variable `k` is the
//! thread's argument `k`. Conditions are always defined (they say themselves
//! what their parts need), and a move's values are whenever its guard is true.

use ccfa::{Assign, Expr, LocKind, Place, SharedId, Span, Type, VarRef};
use std::collections::BTreeSet;

/// A state machine that stands for a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The name of the abstract thread.
    pub name: String,
    /// How many shared variables the program has.
    pub shared: u32,
    /// The types of the thread's arguments.
    pub params: Vec<Type>,
    /// The states.
    pub nodes: Vec<MachineState>,
    /// Where it can start: indices of nodes.
    pub initial: Vec<usize>,
    /// The steps.
    pub moves: Vec<Move>,
}

/// A state of an abstract thread.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineState {
    /// For people: its label, or the line where it stands.
    pub name: String,
    /// Where it stands.
    pub span: Option<Span>,
    /// When the thread goes wrong here. The assertion of the paper says that
    /// none of these holds.
    pub failures: Vec<MachineFailure>,
}

/// A way to go wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineFailure {
    /// When.
    pub condition: Expr,
    /// An error or a model limit: what is wrong then.
    pub kind: LocKind,
    /// Where it is asserted.
    pub span: Option<Span>,
}

/// A step of an abstract thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// From this node
    pub from: usize,
    /// to that one
    pub to: usize,
    /// if this holds of the old values.
    pub guard: Expr,
    /// What it assigns to shared variables, all at once; everything else stays.
    pub effects: Vec<Assign>,
    /// What holds of old and new values then; restricts arbitrary values.
    pub ensure: Expr,
    /// Where it stands.
    pub span: Option<Span>,
}

impl Machine {
    /// The value of a shared variable after a move.
    pub fn after(&self, id: SharedId) -> SharedId {
        SharedId(id.0 + self.shared)
    }

    /// The variable that `var` is the new value of, if it is one.
    pub fn is_after(&self, var: VarRef) -> Option<SharedId> {
        match var {
            VarRef::Shared(id) => id.0.checked_sub(self.shared).map(SharedId),
            VarRef::Local(_) => None,
        }
    }

    /// All ways to go wrong.
    pub fn failures_mut(&mut self) -> impl Iterator<Item = &mut MachineFailure> {
        self.nodes.iter_mut().flat_map(|node| &mut node.failures)
    }

    /// Every shared variable that it reads or writes.
    pub fn mentioned(&self) -> BTreeSet<SharedId> {
        let mut found = BTreeSet::new();
        for expr in self.expressions() {
            expr.walk(&mut |part| {
                if let Expr::Var(var @ VarRef::Shared(id))
                | Expr::Index(var @ VarRef::Shared(id), _) = part
                {
                    found.insert(self.is_after(*var).unwrap_or(*id));
                }
            });
        }
        found.extend(self.moves.iter().flat_map(Move::changed));
        found
    }

    /// Every shared variable that it writes.
    pub fn written(&self) -> BTreeSet<SharedId> {
        self.moves.iter().flat_map(Move::changed).collect()
    }

    fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let failures = self.nodes.iter().flat_map(|node| &node.failures);
        let moves = self.moves.iter().flat_map(|step| {
            let indices = step.effects.iter().filter_map(|effect| match &effect.place {
                Place::Element(_, index) => Some(index),
                Place::Var(_) => None,
            });
            let values = step.effects.iter().filter_map(|effect| match &effect.value {
                ccfa::Rhs::Expr(value) => Some(value),
                ccfa::Rhs::Havoc => None,
            });
            [&step.guard, &step.ensure].into_iter().chain(indices).chain(values)
        });
        failures.map(|failure| &failure.condition).chain(moves)
    }
}

impl MachineState {
    /// When the thread goes wrong here.
    pub fn fails(&self) -> Expr {
        crate::formula::any(self.failures.iter().map(|failure| failure.condition.clone()))
    }
}

impl Move {
    /// The shared variables it assigns.
    pub fn changed(&self) -> BTreeSet<SharedId> {
        let id = |effect: &Assign| match effect.place {
            Place::Var(VarRef::Shared(id)) | Place::Element(VarRef::Shared(id), _) => Some(id),
            _ => None,
        };
        self.effects.iter().filter_map(id).collect()
    }
}
