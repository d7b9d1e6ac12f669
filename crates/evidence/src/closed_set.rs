//! A closed set of states: the proof of an explicit search.
//!
//! The set contains a state that covers each initial one; the steps of the threads in a
//! state's *persistent set* lead to states of the set again; no state of the set is bad in the sense
//! of `ccfa::property`, and in none does the model end.
//!
//! An [`Expansion`] names the persistent set of a state (Godefroid, Partial-Order Methods for
//! the Verification of Concurrent Systems, 1996, chapter 4; here a set of threads: all
//! their transitions, enabled or not). All threads together are one. A smaller one
//! is justified if
//! 1. at least one step of its threads that leads to a plain location may be enabled:
//!    `System::step` gives a state (that the step is enabled must be certain only if deadlocks are
//!    asked for),
//! 2. no thread is at an atomic location,
//! 3. no step that one of its threads takes first, with those that follow it in an atomic section, conflicts (one
//!    writes what the other reads or writes) with any step
//!    that the threads outside the set can take while those inside stay where they are (`ccfa::lookahead`), and
//! 4. every successor has a smaller `rank`, and within an atomic section again, until it is left; so on every path a state with rank 0
//!    comes up, whose set is all threads (the proviso against ignoring threads for ever).
//!
//! Why this suffices is argued where it is checked, in `check::closed`.
//!
//! States *between* members are left out: from where a step leads, the steps of the same thread alone lead to members, within [`MAX_PASSED_STATES`] states, and
//! as a persistent set by itself, or in an atomic section.
//!
//! A state is covered by the member that is equal to it, but for cells that are `ANY` in every
//! member: these are *abstracted*. Where a step or the
//! initial state takes arbitrary values, cells of types with at most 256 values
//! are covered value by value, and the others as `ANY`. (A member with `ANY` in
//! the last few of them, in the order in which they are written, is as good.)

use ccfa::semantics::{State, System, Value};
use ccfa::{LocId, Type};

/// So many states may follow each other that are left out: most sections under a lock have fewer steps, and who looks for what is behind them does so in a moment.
pub const MAX_PASSED_STATES: u32 = 32;

/// A set of states in packed form.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedSet {
    /// For each cell of `System`, whether it may be `ANY` in some state: what
    /// `Layout::new` was asked with. A reader of the set computes the layout again.
    pub any_cells: Vec<bool>,
    /// The states, one after the other, each `Layout::words` long.
    pub states: Vec<u64>,
    /// For each state, the threads whose steps are followed from it.
    pub expansions: Vec<Expansion>,
    /// The persistent sets: instances, by index into `System::instances`. The first is all of them.
    pub persistent_sets: Vec<Vec<usize>>,
}

/// Which threads' steps are followed from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Expansion {
    /// Index into `ClosedSet::persistent_sets`; 0 is all threads.
    pub persistent_set: u32,
    /// 0 for all threads; otherwise larger than that of every successor. Within an atomic section it may be either.
    pub rank: u32,
}

/// How a state is packed into 64-bit words. Every location and every cell has
/// its own bits; no field crosses a word. A cell that may be `ANY` has one more
/// bit that says so (its value bits are then zero).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Length of a packed state in words.
    pub words: usize,
    /// The location of each instance.
    pub locations: Vec<Bits>,
    /// Each cell, in the order of `System`.
    pub cells: Vec<Cell>,
}

/// Some bits of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Which word.
    pub word: u32,
    /// The lowest bit.
    pub shift: u8,
    /// How many bits: 0 to 64.
    pub width: u8,
}

/// Where a cell lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its type.
    pub ty: Type,
    /// Its value (of a mathematical integer: the low 64 bits).
    pub value: Bits,
    /// Its `ANY` flag, if it may be `ANY`.
    pub any: Option<Bits>,
}

impl Bits {
    pub(crate) fn mask(self) -> u64 {
        if self.width == 64 { u64::MAX } else { (1 << self.width) - 1 }
    }

    /// Reads the field.
    pub fn get(self, words: &[u64]) -> u64 {
        if self.width == 0 { 0 } else { words[self.word as usize] >> self.shift & self.mask() }
    }
}

impl Layout {
    /// The locations of the instances in a packed state.
    fn locations(&self, words: &[u64]) -> impl Iterator<Item = LocId> {
        self.locations.iter().map(|bits| LocId(bits.get(words) as u32))
    }

    /// The values of the cells in a packed state.
    fn values(&self, words: &[u64]) -> impl Iterator<Item = Value> {
        self.cells.iter().map(|cell| {
            if cell.any.is_some_and(|any| any.get(words) == 1) {
                return None;
            }
            let raw = cell.value.get(words);
            Some(match cell.ty {
                Type::Int => i128::from(raw as i64),
                ty => ty.wrap(i128::from(raw)),
            })
        })
    }

    /// Unpacks a state.
    pub fn unpack(&self, words: &[u64]) -> State {
        State { locations: self.locations(words).collect(), cells: self.values(words).collect() }
    }

    /// Is it this state that these words unpack to?
    pub fn unpacks_to(&self, words: &[u64], state: &State) -> bool {
        self.locations(words).eq(state.locations.iter().copied())
            && self.values(words).eq(state.cells.iter().copied())
    }
}

/// The type of every cell of a system, in order.
pub fn cell_types(system: &System) -> Vec<Type> {
    let shared = system.program.shared.iter();
    let locals = (0..system.instances.len()).flat_map(|i| system.template(i).locals.iter());
    shared.chain(locals).flat_map(|var| std::iter::repeat_n(var.ty, var.cells())).collect()
}
