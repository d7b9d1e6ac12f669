//! What a step reads and writes. Arrays count as a whole.

use crate::expr::Expr;
use crate::program::{Edge, Place, Rhs, SharedId, VarRef};
use std::collections::BTreeSet;

/// The variables an edge reads and those it writes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Access {
    /// Read by the guard, a right-hand side or an index.
    pub reads: BTreeSet<VarRef>,
    /// Assigned.
    pub writes: BTreeSet<VarRef>,
}

impl Access {
    /// The shared variables among the reads.
    pub fn shared_reads(&self) -> impl Iterator<Item = SharedId> + '_ {
        shared(&self.reads)
    }

    /// The shared variables among the writes.
    pub fn shared_writes(&self) -> impl Iterator<Item = SharedId> + '_ {
        shared(&self.writes)
    }

    /// Touches no shared variable?
    pub fn is_local(&self) -> bool {
        self.shared_reads().next().is_none() && self.shared_writes().next().is_none()
    }
}

fn shared(vars: &BTreeSet<VarRef>) -> impl Iterator<Item = SharedId> + '_ {
    vars.iter().filter_map(|var| match var {
        VarRef::Shared(id) => Some(*id),
        VarRef::Local(_) => None,
    })
}

impl Edge {
    /// What this step reads and writes.
    pub fn access(&self) -> Access {
        let mut access = Access::default();
        collect_reads(&self.guard, &mut access.reads);
        for assign in &self.assigns {
            if let Rhs::Expr(value) = &assign.value {
                collect_reads(value, &mut access.reads);
            }
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            access.writes.insert(*var);
            if let Place::Element(_, index) = &assign.place {
                collect_reads(index, &mut access.reads);
            }
        }
        access
    }
}

/// Adds every variable that `expr` reads.
pub fn collect_reads(expr: &Expr, reads: &mut BTreeSet<VarRef>) {
    expr.walk(&mut |part| {
        if let Expr::Var(var) | Expr::Index(var, _) = part {
            reads.insert(*var);
        }
    });
}
