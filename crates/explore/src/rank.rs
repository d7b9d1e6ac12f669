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
//! full (rank 0) or were left before (smaller rank). Each round ranks all of them anew.
//!
//! States within an atomic section that a reduced state leads to are ranked, too. They cannot be expanded any further: those
//! from which nothing leads on, or that close a cycle, have no rank, and a reduced state that leads to one
//! without rank loses its reduction.

use crate::between::stored;
use crate::machine::{Machine, Overflow, StepTarget, Successors};
use crate::reduce::{PersistentSets, ThreadSet};
use crate::search::Ended;
use crate::store::Store;
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
/// The rank of a state in an atomic section from which nothing leads on.
const NONE: u32 = u32::MAX - 1;

/// What the walk sees.
pub(crate) struct Graph<'a> {
    pub machine: &'a Machine,
    pub store: &'a Store,
    pub reduction: &'a PersistentSets<'a>,
    pub budget: &'a Budget,
}

impl Graph<'_> {
    /// Was a state expanded by all threads, none of which is at an atomic location?
    fn is_full(&self, state: u32, expansions: &[Expansion]) -> bool {
        let is_atomic = || self.machine.atomic_instance(self.store.state(state)).is_some();
        expansions[state as usize].persistent_set == 0 && !is_atomic()
    }
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
    ) -> Result<Vec<(u32, ThreadSet)>, Ended> {
        // What was stored since may lie between a state and what was found behind it.
        (self.last, self.ranks) = (0, vec![0; expansions.len()]);
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
        Some(self.ranks[state]).filter(|rank| *rank != NONE).unwrap_or(0)
    }

    fn walk(
        &mut self,
        root: u32,
        graph: &Graph,
        expansions: &mut [Expansion],
        closing: &mut Vec<(u32, ThreadSet)>,
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
            let next = ahead.pop().expect("there are more than `first`");
            match self.ranks[next as usize] {
                _ if graph.is_full(next, expansions) => {}
                0 => path.push(self.enter(next, graph, expansions, &mut ahead)?),
                OPEN | NONE => {
                    let expansion = &mut expansions[state as usize];
                    self.ranks[state as usize] = NONE;
                    if expansion.persistent_set != 0 {
                        closing.push((state, graph.reduction.mask(expansion.persistent_set)));
                        expansion.persistent_set = 0;
                        self.ranks[state as usize] = 0;
                    }
                    ahead.truncate(first);
                    path.pop();
                    // The state before it on the path looks at it once more.
                    ahead.push(state);
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
        let next = words.zip(&self.successors.moves);
        let plain = next.filter(|(_, by)| by.reaches == StepTarget::Plain);
        for (next, by) in plain {
            ahead.push(stored(graph.machine, graph.store, next, by.instance)?);
        }
        if ahead.len() == first {
            // Nothing leads on from here, no more than from a cycle.
            ahead.push(state);
        }
        Ok(Frame { state, first })
    }

    fn find_successors(
        &mut self,
        state: u32,
        graph: &Graph,
        expansions: &[Expansion],
    ) -> Result<(), Overflow> {
        self.successors.clear();
        let words = graph.store.state(state);
        match expansions[state as usize].persistent_set {
            0 => graph.machine.expand(words, &mut self.successors),
            set => {
                let set = graph.reduction.mask(set);
                graph.machine.expand_set(words, set, &mut self.successors)
            }
        }
    }
}
