//! Finite-state thread-modular checking on BDDs, made complete: W. Meng, F. He, B.-Y. Wang and
//! Q. Liu, *Thread-Modular Model Checking with Iterative Refinement*, NFM 2012.
//!
//! Each process is looked at alone, with what the others can do to the shared variables
//! (their *guarantees*) as its environment: TMMC, Algorithm 1. Where that is too little, a process
//! also sees predicates of others: TMMCIR, Algorithms 2 and 3. The baseline looks at all
//! processes together: AFR.
//!
//! Reading order: `process` (who there is), `values` and `relevant` (what is worth a bit),
//! `space`, `variable`, `cases` and `step` (programs as diagrams), `sight` and `views` (reachable
//! component states), `expose` (essential predicates), `refine` (the algorithms), `forward` (AFR), `proof`,
//! `weaken` and `witness` (evidence). `bdd` is the only file that knows the library.
//!
//! What is beyond the paper is described where it happens: identical processes are computed
//! once (`process`), a view shows a few others at a time and only what those in view use
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
mod sight;
#[cfg(test)]
mod sight_tests;
mod space;
mod step;
mod values;
mod variable;
mod views;
mod weaken;
mod witness;

use bdd::{Maybe, Room, Stuck};
use ccfa::Program;
use engine::{Budget, Engine, Event, Observer};
use evidence::{Reason, Verdict};
use process::Processes;

pub use descriptor::THREAD_MODULAR;

/// Room for so many nodes; the next is tried when the one before is not enough.
const ROOM: [usize; 4] = [SMALL, 1 << 18, 1 << 21, 1 << 24];

/// This room is made in no time, and is enough for states of few bits: with more bits than
/// its size has, it is not tried.
const SMALL: usize = 1 << 15;

/// So many values are guessed for a variable that seems to have too many; more if these
/// are not enough.
const WINDOWS: [usize; 3] = [4, 16, 128];

/// So many threads are few.
pub const FEW: u32 = 3;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadModular {
    /// Which method.
    pub method: Method,
}

/// The methods that the paper compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// AFR for up to [`FEW`] threads, TMMCIR for more or for any number: the set of all states of a
    /// few threads is small and exact, and what others may do is a rough guess; the set
    /// for many threads grows with each of them, while views show a few at a time.
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
        self.verify_within(&ROOM, program, budget, observer)
    }
}

impl ThreadModular {
    /// The verdict, with room for so many nodes: as many as are needed, of these numbers.
    fn verify_within(
        &self,
        rooms: &[usize],
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict {
        for window in WINDOWS {
            let processes = Processes::new(program, window, budget);
            let decide = |processes| self.decide_within(rooms, &processes, budget, observer);
            return match processes.and_then(decide) {
                Ok(verdict) => verdict,
                Err(Stuck::Because(reason)) => Verdict::Unknown(reason),
                Err(Stuck::Nodes) => too_many("the decision diagrams would have too many nodes"),
                Err(Stuck::Values) => continue,
            };
        }
        too_many("a variable has too many values for decision diagrams")
    }

    /// The same, for these processes.
    fn decide_within(
        &self,
        rooms: &[usize],
        processes: &Processes,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Maybe<Verdict> {
        let bits = space::bits(processes).unwrap_or(0);
        let is_too_small = |room: &&usize| **room <= SMALL && bits > SMALL.ilog2();
        let small = rooms.iter().take_while(is_too_small).count();
        for room in &rooms[small.min(rooms.len() - 1)..] {
            let room = Room::new(*room, budget);
            let mut run = Run { room, observer, refinements: 0, predicates: 0 };
            match self.decide(processes, &mut run) {
                Err(Stuck::Nodes) => {}
                decided => return decided,
            }
        }
        Err(Stuck::Nodes)
    }

    fn decide(&self, processes: &Processes, run: &mut Run) -> Maybe<Verdict> {
        if processes.list.is_empty() {
            return Ok(refine::safe(Vec::new()));
        }
        if processes.are_numbered_without_end() {
            return Err(bdd::beyond("any number of threads, each with a number of its own"));
        }
        if let Some(verdict) = forward::at_once(processes, run)? {
            return Ok(verdict);
        }
        match self.method {
            Method::Tmmc => refine::tmmc(processes, run),
            Method::Auto if processes.total() <= FEW => forward::afr(processes, run),
            Method::Auto | Method::Tmmcir => refine::tmmcir(processes, run),
            Method::Afr => forward::afr(processes, run),
        }
    }
}

fn too_many(why: &str) -> Verdict {
    Verdict::Unknown(Reason::Beyond(why.to_string()))
}

/// A run: its room and its numbers, as the paper's tables have them.
struct Run<'r> {
    room: Room<'r>,
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
        let nodes = self.room.peak() as u64;
        let Run { refinements, predicates, .. } = *self;
        self.observer.event(Event::ThreadModular { nodes, refinements, predicates });
    }
}
