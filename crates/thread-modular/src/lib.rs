//! Finite-state thread-modular checking on BDDs, made complete: W. Meng, F. He, B.-Y. Wang and
//! Q. Liu, *Thread-Modular Model Checking with Iterative Refinement*, NFM 2012.
//!
//! For each process its reachable states are computed alone, with what the others can do to the shared variables
//! (their *guarantees*) as its environment: TMMC, Algorithm 1. Where that is too little, predicates
//! of other processes are tracked, too: TMMCIR, Algorithms 2 and 3. The baseline tracks all
//! processes together: AFR.
//!
//! Reading order: `process` (identical processes), `values` and `relevant` (what is worth a bit),
//! `space`, `variable`, `cases` and `step` (programs as diagrams), `tracking` and `views` (reachable
//! component states), `expose` (essential predicates), `refine` (the algorithms), `forward` (AFR), `proof`,
//! `weaken` and `witness` (evidence). `bdd` is the only file that knows the library.
//!
//! What is beyond the paper is described where it happens: identical processes are computed
//! once (`process`), a view tracks a few others at a time and only what these use
//! (`views`), relations between two shared cells are tried first (`relations`), variables that do
//! not matter are left out (`relevant`), and how large a counter gets is guessed and
//! proved (`values`). Nothing here is trusted: `check` verifies the assertions and replays
//! the interleavings.

mod access;
mod bdd;
mod cases;
mod descriptor;
#[cfg(test)]
mod example_tests;
mod expose;
mod forward;
#[cfg(test)]
mod limit_tests;
mod process;
mod proof;
mod refine;
mod relations;
mod relevant;
mod space;
mod step;
mod tracking;
#[cfg(test)]
mod tracking_tests;
mod values;
mod variable;
mod views;
mod weaken;
mod witness;

use bdd::{NodeCapacity, Result, RunError};
use ccfa::Program;
use engine::{Budget, Counter, Engine, Event, Observer};
use evidence::{Reason, Verdict};
use process::Processes;

pub use descriptor::THREAD_MODULAR;

/// Capacity for so many nodes; the next is tried when the one before is not enough.
const CAPACITIES: [usize; 4] = [SMALL_CAPACITY, 1 << 18, 1 << 21, 1 << 24];

/// The capacity, in nodes, that costs no time. It is enough for states of few bits; where states have
/// as many bits as its number, it is left out.
const SMALL_CAPACITY: usize = 1 << 15;

/// So many values are guessed for a variable that seems to have too many; more if these
/// are not enough.
const WINDOWS: [usize; 3] = [4, 16, 128];

/// Up to so many threads, [`Method::Auto`] tracks all of them together: their states are few enough, and exact.
pub const MAX_JOINT_THREADS: u32 = 3;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadModular {
    /// Which method.
    pub method: Method,
}

/// The methods that the paper compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// AFR for up to [`MAX_JOINT_THREADS`] threads, TMMCIR for more or for any number: the set of all states of a
    /// few threads is small and exact, and guarantees are a rough abstraction; the set
    /// for many threads grows with each of them, while views track a few at a time.
    #[default]
    Auto,
    /// Thread-modular model checking: incomplete by design.
    Tmmc,
    /// With iterative refinement: complete for finitely many threads.
    Tmmcir,
    /// Asynchronous forward reachability, all threads at once.
    Afr,
}

impl Engine for ThreadModular {
    fn name(&self) -> &'static str {
        "thread-modular"
    }

    fn verify(
        &mut self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict {
        self.verify_within(&CAPACITIES, program, budget, observer)
    }
}

impl ThreadModular {
    /// The verdict, with the first of these capacities for nodes that is enough.
    fn verify_within(
        &self,
        capacities: &[usize],
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict {
        for window in WINDOWS {
            let processes = Processes::new(program, window, budget);
            let decide = |processes| self.decide_within(capacities, &processes, budget, observer);
            return match processes.and_then(decide) {
                Ok(verdict) => verdict,
                Err(RunError::Because(reason)) => Verdict::Unknown(reason),
                Err(RunError::OutOfNodes) => {
                    too_many("the decision diagrams would have too many nodes")
                }
                Err(RunError::OutOfValues) => continue,
            };
        }
        too_many("a variable has too many values for decision diagrams")
    }

    /// The same, for these processes.
    fn decide_within(
        &self,
        capacities: &[usize],
        processes: &Processes,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Verdict> {
        let bits = space::bits(processes).unwrap_or(0);
        let is_too_small =
            |capacity: &&usize| **capacity <= SMALL_CAPACITY && bits > SMALL_CAPACITY.ilog2();
        let small = capacities.iter().take_while(is_too_small).count();
        for capacity in &capacities[small.min(capacities.len() - 1)..] {
            let capacity = NodeCapacity::new(*capacity, budget);
            let mut run = Run { capacity, observer, refinements: 0, predicates: 0 };
            match self.decide(processes, &mut run) {
                Err(RunError::OutOfNodes) => {}
                decided => return decided,
            }
        }
        Err(RunError::OutOfNodes)
    }

    fn decide(&self, processes: &Processes, run: &mut Run) -> Result<Verdict> {
        if processes.list.is_empty() {
            return Ok(refine::safe(Vec::new()));
        }
        if processes.have_unbounded_indices() {
            return Err(bdd::beyond("a parameterised thread whose instances have an index"));
        }
        if let Some(verdict) = forward::at_once(processes, run)? {
            return Ok(verdict);
        }
        match self.method {
            Method::Tmmc => refine::tmmc(processes, run),
            Method::Auto if processes.total() <= MAX_JOINT_THREADS => forward::afr(processes, run),
            Method::Auto | Method::Tmmcir => refine::tmmcir(processes, run),
            Method::Afr => forward::afr(processes, run),
        }
    }
}

fn too_many(why: &str) -> Verdict {
    Verdict::Unknown(Reason::Beyond(why.to_string()))
}

/// A run: its capacity and its numbers, as the paper's tables have them.
struct Run<'r> {
    capacity: NodeCapacity<'r>,
    observer: &'r mut dyn Observer,
    refinements: u64,
    predicates: u64,
}

impl Run<'_> {
    /// One more refinement; now there are so many predicates.
    fn refined(&mut self, predicates: u64) {
        self.refinements += 1;
        self.predicates = predicates;
        self.tell();
    }

    fn tell(&mut self) {
        let nodes = self.capacity.peak() as u64;
        let Run { refinements, predicates, .. } = *self;
        self.observer.event(Event::Counters(&[
            Counter { name: "nodes of decision diagrams", value: nodes },
            Counter { name: "refinements", value: refinements },
            Counter { name: "predicates", value: predicates },
        ]));
    }
}
