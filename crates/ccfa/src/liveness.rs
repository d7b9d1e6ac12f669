//! Live variables (the classical backward analysis): the locals that a thread may read at a location
//! before it overwrites them. (The indices of accesses count as read.) **Trusted.**

use crate::access::Access;
use crate::program::{Edge, LocalId, Place, Template, VarRef};
use std::collections::BTreeSet;

/// By location: the locals that are live there.
pub fn live_locals(template: &Template) -> Vec<BTreeSet<LocalId>> {
    let from = template.edges_from();
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); template.locations.len()];
    for (number, edge) in template.edges.iter().enumerate() {
        into[edge.target.index()].push(number);
    }
    let uses: Vec<_> = template.edges.iter().map(uses).collect();
    let mut live = vec![BTreeSet::new(); template.locations.len()];
    let mut waiting: Vec<usize> = (0..template.locations.len()).collect();
    while let Some(location) = waiting.pop() {
        let mut now: BTreeSet<LocalId> = BTreeSet::new();
        for edge in &from[location] {
            let (reads, kills) = &uses[edge.index()];
            let target = template.edges[edge.index()].target;
            now.extend(reads);
            now.extend(live[target.index()].difference(kills));
        }
        if now.len() > live[location].len() {
            live[location] = now;
            waiting.extend(into[location].iter().map(|edge| template.edges[*edge].source.index()));
        }
    }
    live
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
    let kills = edge.assigns.iter().filter_map(|assign| match &assign.place {
        Place::Var(var) => local(var),
        Place::Element(..) => None,
    });
    (reads, kills.collect())
}
