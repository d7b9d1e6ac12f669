//! Q: the nodes to look at.
//!
//! Depth first: what was added last comes first, and so do, of the children of a node, those of the
//! last thread. (The threads that main creates come before what main does afterwards, and
//! errors tend to be there.) But a path that has gone round loops many times comes after
//! all that have not: a search that is depth first alone would never return from a loop
//! without end.

use crate::tree::{NodeId, ReachabilityTree};

/// So many more rounds of loops on the path to a node make it wait for the others; loops with smaller
/// bounds should not be torn apart.
const MIN_ROUNDS: usize = 256;

/// Nodes that wait, by how often the paths to them have closed loops, in steps of `MIN_ROUNDS`.
#[derive(Default)]
pub(crate) struct Worklist {
    by_rounds: Vec<Vec<NodeId>>,
}

impl Worklist {
    /// Adds nodes, the last of which comes first.
    pub fn extend(&mut self, tree: &ReachabilityTree, nodes: impl IntoIterator<Item = NodeId>) {
        for v in nodes {
            let rounds = tree[v].rounds / MIN_ROUNDS;
            if self.by_rounds.len() <= rounds {
                self.by_rounds.resize_with(rounds + 1, Vec::new);
            }
            self.by_rounds[rounds].push(v);
        }
    }

    /// Takes the next one out.
    pub fn pop(&mut self) -> Option<NodeId> {
        self.by_rounds.iter_mut().find_map(Vec::pop)
    }
}
