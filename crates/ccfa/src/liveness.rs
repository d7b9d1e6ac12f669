//! Live variables (the classical backward analysis): the locals that a thread may read at a location
//! before it overwrites them. (The indices of accesses count as read.) **Trusted.**

use crate::access::Access;
use crate::dataflow::solve;
use crate::program::{Edge, LocalId, Template, VarRef};
use std::collections::BTreeSet;

/// By location: the locals that are live there.
pub fn live_locals(template: &Template) -> Vec<BTreeSet<LocalId>> {
    let uses: Vec<_> = template.edges.iter().map(uses).collect();
    let none = vec![BTreeSet::new(); template.locations.len()];
    solve(
        template,
        |edge| (edge.target, edge.source),
        none,
        |edge, after, here| {
            let before = here.len();
            let (reads, kills) = &uses[edge.index()];
            here.extend(reads);
            here.extend(after.difference(kills));
            here.len() > before
        },
    )
}

/// The locals an edge reads, and those it overwrites wholly.
fn uses(edge: &Edge) -> (BTreeSet<LocalId>, BTreeSet<LocalId>) {
    let local = |var: &VarRef| match var {
        VarRef::Local(id) => Some(*id),
        VarRef::Shared(_) => None,
    };
    let mut reads: BTreeSet<LocalId> =
        edge.read_write_sets().reads.iter().filter_map(local).collect();
    reads.extend(edge.accesses.iter().flat_map(Access::variables).filter_map(|var| local(&var)));
    let places = edge.assigns.iter().map(|assign| assign.place.parts());
    let whole = places.filter(|(_, index)| index.is_none());
    (reads, whole.filter_map(|(var, _)| local(&var)).collect())
}
