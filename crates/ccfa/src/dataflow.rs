//! One solver for dataflow problems of a template (G. A. Kildall, *A unified approach to global program
//! optimization*, POPL 1973). **Trusted**, for `footprint`, `liveness` and `irrelevant`.

use crate::program::{Edge, EdgeId, LocId, Template};

/// The facts at the locations, when no edge adds anything more. `ends` says from where to where facts flow
/// along an edge: from source to target in a forward problem, from target to source in a backward one. `flow` adds to the
/// facts there what follows from those here, and says whether that changed them. What is found does not depend on the
/// order of edges if `flow` is monotone; this ends if facts cannot change for ever.
pub fn solve<F: Clone>(
    template: &Template,
    ends: impl Fn(&Edge) -> (LocId, LocId),
    mut facts: Vec<F>,
    mut flow: impl FnMut(EdgeId, &F, &mut F) -> bool,
) -> Vec<F> {
    let mut next = vec![Vec::new(); facts.len()];
    for (edge, id) in template.edges.iter().zip((0..).map(EdgeId)) {
        let (from, to) = ends(edge);
        next[from.index()].push((id, to.index()));
    }
    let mut waiting: Vec<usize> = (0..facts.len()).collect();
    while let Some(from) = waiting.pop() {
        let here = facts[from].clone();
        let changed = |(edge, to): &&(EdgeId, usize)| flow(*edge, &here, &mut facts[*to]);
        waiting.extend(next[from].iter().filter(changed).map(|(_, to)| *to));
    }
    facts
}
