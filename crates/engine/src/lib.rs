//! What every engine shares: one verb, a budget, and events for whoever
//! watches. Engines do not print, do not read clocks and do not know each other.

mod descriptor;

use ccfa::{Program, Property};
use evidence::{Reason, Verdict};

pub use ccfa::{Budget, Stop};
pub use descriptor::{Descriptor, EngineOption, NoSuchValue, Settings, Values};

/// Decides programs. It can be moved to another thread.
pub trait Engine: Send {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Can an error location of `program` be reached? Ends soon after `budget`
    /// is exhausted, with its reason.
    fn verify(
        &mut self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict;
}

/// Why no engine decides this property, if that is so. Engines look for error locations alone: what
/// they would say of races, say, is about something else.
pub fn unknown_property(property: &Property) -> Option<Reason> {
    let why = "only whether error locations can be reached is decided yet, \
               not undefined behaviour, races or deadlocks";
    (*property != Property::default()).then(|| Reason::Beyond(why.to_string()))
}

/// Watches an engine at work.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: Event);
}

/// What engines tell. New kinds may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// An explicit search has so many states, of which so many wait.
    Explored {
        /// States found.
        states: u64,
        /// States not yet expanded.
        waiting: u64,
    },
    /// Lazy abstraction has a tree of this size.
    Impact {
        /// Nodes made.
        nodes: u64,
        /// Times that a node was covered.
        covers: u64,
        /// Implications put to the deciding layer for covers.
        implications: u64,
        /// Nodes made by cover expansions.
        cover_expansions: u64,
    },
    /// Thread-modular checking on decision diagrams.
    ThreadModular {
        /// The most nodes at a time.
        nodes: u64,
        /// Times that predicates were exposed.
        refinements: u64,
        /// Predicates exposed, those of identical processes counted for each.
        predicates: u64,
    },
    /// Rely-guarantee reasoning has gone round once.
    Assertions {
        /// Threads looked at together.
        in_view: u64,
        /// Abstract states found.
        regions: u64,
        /// Predicates used.
        predicates: u64,
        /// Refinements made before.
        refinements: u64,
    },
    /// The search starts again with so many copies of each unbounded thread.
    Copies(u32),
}

/// Watches nothing.
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _: Event) {}
}
