//! Ranks for reduced states, and the cycles that stand against them.
//!
//! Condition (4) of `evidence::ClosedSet` asks that no cycle consists of reduced
//! states only: else the threads left out could be put off for ever (the
//! *ignoring problem*; Valmari, *Stubborn sets for reduced state space
//! generation*, 1989). The search does not care while it runs. When nothing waits any
//! more, a depth-first walk through the reduced states looks for such cycles. A
//! state from which a step leads back onto the walk's own path closes one, and
//! it loses its reduction: the search expands the rest of it, goes on with what
//! that brings, and comes back here. Each round, at least one state is expanded in
//! full for good, so this ends.
//!
//! A reduced state gets its rank when the walk leaves it: then all its successors are
//! full (rank 0) or were left before (smaller rank). Later rounds change nothing
//! about states already left, and count on.

use crate::machine::{Machine, Overflow, Successors};
use crate::reduce::PersistentSets;
use crate::search::Ended;
use crate::store::{Store, hash};
use engine::Budget;
use evidence::Expansion;

/// The rank of each state, as far as the walk has come.
#[derive(Default)]
pub(crate) struct Ranks {
    ranks: Vec<u32>,
    last: u32,
    successors: Successors,
}

/// The rank of a state on the path of the walk.
const OPEN: u32 = u32::MAX;

/// What the walk sees.
pub(crate) struct Graph<'a> {
    pub machine: &'a Machine,
    pub store: &'a Store,
    pub reduction: &'a PersistentSets,
    pub budget: &'a Budget,
}

/// A state on the path: its successors that were not looked at yet lie from
/// `first` on in the walk's list.
struct Frame {
    state: u32,
    first: usize,
}

impl Ranks {
    /// Ranks all reduced states. Those that close a cycle lose their reduction
    /// and are returned, with the set of threads that was expanded.
    pub fn update(
        &mut self,
        graph: &Graph,
        expansions: &mut [Expansion],
    ) -> Result<Vec<(u32, u64)>, Ended> {
        self.ranks.resize(expansions.len(), 0);
        let mut closing = Vec::new();
        for root in 0..expansions.len() as u32 {
            if expansions[root as usize].persistent_set != 0 && self.ranks[root as usize] == 0 {
                self.walk(root, graph, expansions, &mut closing)?;
            }
        }
        Ok(closing)
    }

    /// The rank of a state.
    pub fn get(&self, state: usize) -> u32 {
        self.ranks[state]
    }

    fn walk(
        &mut self,
        root: u32,
        graph: &Graph,
        expansions: &mut [Expansion],
        closing: &mut Vec<(u32, u64)>,
    ) -> Result<(), Ended> {
        let mut ahead = Vec::new();
        let mut path = vec![self.enter(root, graph, expansions, &mut ahead)?];
        while let Some(&Frame { state, first }) = path.last() {
            if ahead.len() == first {
                self.last += 1;
                self.ranks[state as usize] = self.last;
                path.pop();
                continue;
            }
            let next = ahead.pop().expect("there are more than `first`") as usize;
            match self.ranks[next] {
                _ if expansions[next].persistent_set == 0 => {}
                0 => path.push(self.enter(next as u32, graph, expansions, &mut ahead)?),
                OPEN => {
                    let expansion = &mut expansions[state as usize];
                    closing.push((state, graph.reduction.mask(expansion.persistent_set)));
                    expansion.persistent_set = 0;
                    self.ranks[state as usize] = 0;
                    ahead.truncate(first);
                    path.pop();
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn enter(
        &mut self,
        state: u32,
        graph: &Graph,
        expansions: &[Expansion],
        ahead: &mut Vec<u32>,
    ) -> Result<Frame, Ended> {
        graph.budget.check().map_err(|stop| Ended::Gave(stop.into()))?;
        self.ranks[state as usize] = OPEN;
        let first = ahead.len();
        self.find_successors(state, graph, expansions)?;
        let words = self.successors.words.chunks_exact(graph.store.words());
        ahead.extend(words.map(|next| graph.store.find(next, hash(next))));
        Ok(Frame { state, first })
    }

    fn find_successors(
        &mut self,
        state: u32,
        graph: &Graph,
        expansions: &[Expansion],
    ) -> Result<(), Overflow> {
        self.successors.clear();
        let set = graph.reduction.mask(expansions[state as usize].persistent_set);
        graph.machine.expand_set(graph.store.state(state), set, &mut self.successors)
    }
}
