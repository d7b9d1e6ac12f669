//! The read and write sets of a step: the variables its expressions mention. Arrays count as a whole.
//! (Which memory of the source a step accesses, and how, is another matter: [`crate::access`].)

use crate::expr::Expr;
use crate::program::{Edge, Place, Rhs, SharedId, Template, VarRef};
use std::collections::BTreeSet;

/// The variables an edge reads and those it writes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReadWriteSets {
    /// Read by the guard, a right-hand side or an index.
    pub reads: BTreeSet<VarRef>,
    /// Assigned.
    pub writes: BTreeSet<VarRef>,
}

impl ReadWriteSets {
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
    pub fn read_write_sets(&self) -> ReadWriteSets {
        let mut sets = ReadWriteSets::default();
        collect_reads(&self.guard, &mut sets.reads);
        for assign in &self.assigns {
            if let Rhs::Expr(value) = &assign.value {
                collect_reads(value, &mut sets.reads);
            }
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            sets.writes.insert(*var);
            if let Place::Element(_, index) = &assign.place {
                collect_reads(index, &mut sets.reads);
            }
        }
        sets
    }
}

impl Template {
    /// The variables that some step assigns.
    pub fn assigned(&self) -> BTreeSet<VarRef> {
        self.edges.iter().flat_map(|edge| edge.read_write_sets().writes).collect()
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
