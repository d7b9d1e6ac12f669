//! Engine **explore**: explicit states, hashing, partial-order reduction,
//! shortest counterexamples. Decides finite programs of moderate size, and is
//! the oracle of the other engines.
//!
//! One search answers for one number of instances:
//! - an error (or a deadlock, if these are asked for) on a path for which all values are known: UNSAFE, with the path;
//! - no error and no model limit among all states: SAFE, with the states as the proof;
//! - otherwise UNKNOWN.
//!
//! Arbitrary values of large types are `ANY` (`any`); an error behind them is
//! UNSAFE only if values are found that lead to it (`concretise`). Programs with
//! parameterised threads are searched with 0, 1, 2, … instances for errors, and
//! are never found SAFE.
//!
//! Reading order: `search` (the loop), `store` (the states), `machine`
//! (the steps) with `compile` and `code`, `reduce` with `rank` and `between` (what
//! need not be searched or stored), `probe` (deadlocks found by trying), `trace` and `concretise` (the way to an error). `pct` is another engine.
//!
//! Soundness rests on `check`, which confirms proofs and witnesses; the modules
//! say why it will.

mod any;
mod between;
mod code;
mod compile;
#[cfg(test)]
mod compile_tests;
mod concretise;
mod descriptor;
mod initial;
mod machine;
mod pct;
mod probe;
mod rank;
mod reduce;
mod search;
mod store;
mod trace;

use ccfa::Program;
use ccfa::semantics::System;
use compile::TooLarge;
use engine::{Budget, Engine, Observer, by_instances};
use evidence::{Layout, Proof, Reason, Verdict};
use machine::Machine;
use reduce::PersistentSets;
use search::{Ended, StateSearch};

pub use descriptor::{EXPLORE, PCT};
pub use pct::{Pct, RandomExecutions};

/// Instances of each thread of a parameterised program that are searched: states are so many more
/// with each of them that seven are hardly ever done.
const MAX_INSTANCES: u32 = 6;

/// The engine and its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explorer {
    /// Which states come first.
    pub order: SearchOrder,
    /// Leave out steps that other steps make superfluous. Counterexamples may
    /// get longer.
    pub reduce: bool,
    /// With so many states, those are left out from then on from which one thread goes on alone, to one state.
    pub keep: usize,
}

/// A set of fewer states is kept whole: it is what the user sees, and errors in it are few steps away.
const MIN_STATES: usize = 10_000;

/// Which states are expanded first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOrder {
    /// Those nearest to the start: counterexamples are short.
    BreadthFirst,
    /// Those found last.
    DepthFirst,
}

impl Default for Explorer {
    fn default() -> Explorer {
        Explorer { order: SearchOrder::BreadthFirst, reduce: true, keep: MIN_STATES }
    }
}

impl Engine for Explorer {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn finds_deadlocks(&self) -> bool {
        true
    }

    fn is_exhaustive(&self) -> bool {
        true
    }

    fn verify(
        &mut self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict {
        by_instances(program, 0..=MAX_INSTANCES, observer, |program, observer| {
            self.search(program, budget, observer)
        })
    }
}

impl Explorer {
    /// `Err` says what was found instead of a proof.
    fn search(
        &self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Verdict, Reason> {
        let Ok(model) = CompiledProgram::new(program) else {
            let why = "a constant or an argument does not fit its type or 64 bits";
            return Ok(Verdict::Unknown(Reason::Beyond(why.into())));
        };
        let reduction = self.reduce.then(|| PersistentSets::new(&model.system)).flatten();
        let mut search = StateSearch::new(&model, self, reduction);
        match search.run(budget, observer) {
            Err(Ended::Error(witness)) => Ok(Verdict::Unsafe(witness)),
            Err(Ended::Gave(reason)) => Ok(Verdict::Unknown(reason)),
            Ok(()) => match search.obstacles.reason() {
                Some(reason) => Err(reason),
                None => Ok(Verdict::Safe(Proof::Closed(search.into_proof()))),
            },
        }
    }
}

/// A program that is not parameterised, ready to be searched.
struct CompiledProgram<'p> {
    system: System<'p>,
    any_cells: Vec<bool>,
    layout: Layout,
    machine: Machine,
}

impl<'p> CompiledProgram<'p> {
    fn new(program: &'p Program) -> Result<CompiledProgram<'p>, TooLarge> {
        let system = System::new(program, 0);
        let any_cells = any::any_cells(&system);
        let layout = Layout::new(&system, &|cell| any_cells[cell]);
        let machine = Machine::new(&system, &layout)?;
        Ok(CompiledProgram { system, any_cells, layout, machine })
    }

    /// Does a state stand for several?
    fn has_any(&self, state: &[u64]) -> bool {
        self.layout.cells.iter().any(|cell| cell.any.is_some_and(|any| any.get(state) == 1))
    }
}
