//! Lazy abstraction with interpolants for threads: B. Wachter, D. Kroening and
//! J. Ouaknine, *Verifying Multi-threaded Software with Impact*, FMCAD 2013.
//!
//! The tree of interleavings is unwound node by node. Every node has a label that
//! holds whenever a run gets there; at first it is *true*. An error node whose path
//! is infeasible is refuted by interpolants, which strengthen the labels along the
//! path. A node whose label implies that of an earlier node at the same locations
//! is covered by it, and need not be expanded.
//!
//! The paper's procedures, one in each file: `MAIN` here, `expand`, `close`,
//! `refine` and `force` (force cover) of Algorithm 1; `SKIP` and `LOOP` in
//! `skip` and the cover expansions in `close` of Algorithm 2. `tree` is the
//! abstract reachability tree, `action` what its edges are labelled with.
//!
//! Where we differ:
//! - the path to a node is executed symbolically when the node is made. A step that
//!   plainly cannot be taken is not unwound until an error shows it: the label of
//!   the node is strengthened at once until it excludes the step (`expand`). On all of
//!   the paper's programs that saves nodes. It unrolls loops with constant bounds; if one is
//!   unrolled too often, the search begins anew without that for loops (`round`);
//! - covers are helped along, in all configurations, by what is plain: labels are carried over
//!   steps that change nothing of what they say (`close`). Force cover is for what must be asked;
//! - a thread that no other interferes with goes first, and the others wait (`expand`);
//! - long formulas are specialised to the values on the path (`interpolant`);
//! - of parameterised programs only errors are found, with a few instances;
//! - threads may block and locations may be atomic (`skip`);
//! - interpolants are weakest preconditions along the core of the refutation, as
//!   in the paper, strengthened by what the path tells; for loops they come from
//!   linear arithmetic (`interpolant`, `linear`).
//!
//! Nothing here is trusted: `check` verifies the tree and replays the path.

mod action;
mod close;
mod descriptor;
mod expand;
mod force;
mod inputs;
mod interpolant;
mod linear;
mod proof;
mod refine;
mod round;
mod search;
mod skip;
mod tree;
mod witness;
mod worklist;

use ccfa::Program;
use engine::{Budget, Engine, Observer, by_instances};
use evidence::Verdict;
use round::{ATTEMPTS, Loops};
use search::{Search, UnwindError};
use tree::NodeId;

pub use descriptor::IMPACT;

/// Of parameterised threads up to so many instances are tried, for errors alone: the tree of more would hardly be complete.
const MAX_INSTANCES: u32 = 4;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Impact {
    /// Which of the paper's four configurations.
    pub configuration: Configuration,
}

/// How interleavings are reduced, and whether covers are forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// sPOR or dPOR.
    pub reduction: PartialOrderReduction,
    /// FC
    pub force_cover: bool,
}

/// Which interleavings are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialOrderReduction {
    /// sPOR: threads are switched only where shared variables are touched.
    Static,
    /// dPOR: independent actions come in one order only.
    Dynamic,
}

impl Default for Configuration {
    fn default() -> Configuration {
        Configuration { reduction: PartialOrderReduction::Dynamic, force_cover: true }
    }
}

impl Engine for Impact {
    fn name(&self) -> &'static str {
        "impact"
    }

    fn solves_for_values(&self) -> bool {
        true
    }

    fn verify(
        &mut self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict {
        by_instances(program, 1..=MAX_INSTANCES, observer, |program, observer| {
            Ok(self.decide(program, budget, observer))
        })
    }
}

impl Impact {
    /// Decides a program with a fixed number of threads.
    fn decide(&self, program: &Program, budget: &Budget, observer: &mut dyn Observer) -> Verdict {
        let [attempts @ .., last] = ATTEMPTS;
        for loops in attempts {
            if let Some(verdict) = self.attempt(program, loops, budget, observer) {
                return verdict;
            }
        }
        self.attempt(program, last, budget, observer)
            .expect("the last attempt should have no limit of its own")
    }

    /// Decides it, treating loops in one way; nothing if that does not lead far.
    fn attempt(
        &self,
        program: &Program,
        loops: Loops,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Option<Verdict> {
        let mut search = Search::new(program, self.configuration, loops, budget, observer);
        let verdict = match search.main() {
            Ok(()) => Some(search.proof()),
            Err(UnwindError::Reached(v)) => Some(search.witness(v)),
            Err(UnwindError::Because(reason)) => Some(Verdict::Unknown(reason)),
            Err(UnwindError::Unrolling) => None,
        };
        search.report();
        verdict
    }
}

impl Search<'_, '_> {
    /// MAIN of Algorithm 1: ends when the tree is complete, or an [`UnwindError`] stops it.
    fn main(&mut self) -> Result<(), UnwindError> {
        self.plant()?;
        while let Some(v) = self.select()? {
            if self.is_bad(v) {
                self.refine(v)?;
            } else if !self.close(v)? && !self.force_cover(v)? {
                self.expand(v)?;
            }
        }
        Ok(())
    }

    /// The next node that is neither covered nor expanded.
    fn select(&mut self) -> Result<Option<NodeId>, UnwindError> {
        while let Some(v) = self.queue.pop() {
            if self.tree.counts(v) && self.tree[v].open {
                self.pause()?;
                return Ok(Some(v));
            }
        }
        Ok(None)
    }
}
