//! One solver for dataflow problems of a template (G. A. Kildall, *A unified approach to global program
//! optimization*, POPL 1973). **Trusted**, for `footprint`, `liveness` and `irrelevant`.

use crate::program::{EdgeId, Template};

/// Along the edges, or against them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// What holds at the source of an edge says something of its target.
    Forward,
    /// What holds at the target of an edge says something of its source.
    Backward,
}

/// The facts at the locations, when no edge adds anything more. `flow` adds to the facts at the end of an
/// edge what follows from those at its beginning, as seen in this direction, and says whether that
/// changed them. What is found does not depend on the order of edges if `flow` is monotone; this
/// ends if facts cannot change for ever.
pub fn solve<F: Clone>(
    template: &Template,
    direction: Direction,
    mut facts: Vec<F>,
    mut flow: impl FnMut(EdgeId, &F, &mut F) -> bool,
) -> Vec<F> {
    let mut next = vec![Vec::new(); facts.len()];
    for (edge, id) in template.edges.iter().zip((0..).map(EdgeId)) {
        let (from, to) = match direction {
            Direction::Forward => (edge.source.index(), edge.target.index()),
            Direction::Backward => (edge.target.index(), edge.source.index()),
        };
        next[from].push((id, to));
    }
    let mut waiting: Vec<usize> = (0..facts.len()).collect();
    if direction == Direction::Forward {
        waiting.reverse();
    }
    let mut is_waiting = vec![true; facts.len()];
    while let Some(from) = waiting.pop() {
        is_waiting[from] = false;
        let here = facts[from].clone();
        for (edge, to) in &next[from] {
            if flow(*edge, &here, &mut facts[*to]) && !std::mem::replace(&mut is_waiting[*to], true)
            {
                waiting.push(*to);
            }
        }
    }
    facts
}
