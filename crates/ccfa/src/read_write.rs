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
        self.for_each_access(|var, _, is_write| {
            if is_write { &mut sets.writes } else { &mut sets.reads }.insert(var);
        });
        sets
    }

    /// Visits each access of this step: to which variable, with which index, and whether it is a write. What an
    /// expression might read counts as read, also where `&&`, `||` or `ite` do not look at it.
    pub fn for_each_access<'e>(&'e self, mut visit: impl FnMut(VarRef, Option<&'e Expr>, bool)) {
        for expr in self.expressions() {
            expr.walk(&mut |part| match part {
                Expr::Var(var) => visit(*var, None, false),
                Expr::Index(var, index) => visit(*var, Some(index), false),
                _ => {}
            });
        }
        for assign in &self.assigns {
            let (var, index) = assign.place.parts();
            visit(var, index, true);
        }
    }

    /// Every expression that this step evaluates.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let assigned = self.assigns.iter().flat_map(|assign| {
            let value = if let Rhs::Expr(value) = &assign.value { Some(value) } else { None };
            value.into_iter().chain(assign.place.parts().1)
        });
        std::iter::once(&self.guard).chain(assigned)
    }
}

impl Place {
    /// The variable, and the index of an element.
    pub fn parts(&self) -> (VarRef, Option<&Expr>) {
        match self {
            Place::Var(var) => (*var, None),
            Place::Element(var, index) => (*var, Some(index)),
        }
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
