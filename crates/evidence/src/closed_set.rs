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
//! 2. none of its threads is about to enter an atomic location, and no thread is in one,
//! 3. no step of one of its threads that leaves the thread's present location conflicts (one
//!    writes what the other reads or writes; if races are asked for, accesses count) with any step
//!    that a thread outside the set may ever take from where it is, and
//! 4. every successor has a smaller `rank`; so on every path a state with rank 0
//!    comes up, whose set is all threads (the proviso against ignoring threads for ever).
//!
//! Why this suffices is argued where it is checked, in `check::closed`.
//!
//! A state is covered by the member that is equal to it, but for cells that are `ANY` in every
//! member: these are *abstracted*. Where a step or the
//! initial state takes arbitrary values, cells of types with at most 256 values
//! are covered value by value, and the others as `ANY`. (A member with `ANY` in
//! the last few of them, in the order in which they are written, is as good.)

use ccfa::semantics::{State, System, Value};
use ccfa::{LocId, Type};

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
    /// 0 for all threads; otherwise larger than that of every successor.
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
    fn mask(self) -> u64 {
        if self.width == 64 { u64::MAX } else { (1 << self.width) - 1 }
    }

    /// Reads the field.
    pub fn get(self, words: &[u64]) -> u64 {
        if self.width == 0 { 0 } else { words[self.word as usize] >> self.shift & self.mask() }
    }

    /// Writes the field.
    pub fn set(self, words: &mut [u64], value: u64) {
        if self.width > 0 {
            let word = &mut words[self.word as usize];
            *word = *word & !(self.mask() << self.shift) | (value & self.mask()) << self.shift;
        }
    }
}

impl Layout {
    /// The layout for a system. `may_be_any` says which cells may be `ANY`.
    pub fn new(system: &System, may_be_any: &impl Fn(usize) -> bool) -> Layout {
        let mut packer = Packer::default();
        let instances = 0..system.instances.len();
        let locations = instances
            .map(|instance| {
                let last = system.template(instance).locations.len().saturating_sub(1) as u64;
                packer.place((u64::BITS - last.leading_zeros()) as u8)
            })
            .collect();
        let cells = cell_types(system)
            .into_iter()
            .enumerate()
            .map(|(number, ty)| {
                let width = match ty {
                    Type::Bool => 1,
                    Type::Bits { width, .. } => width,
                    Type::Int => 64,
                };
                let any = may_be_any(number).then(|| packer.place(1));
                Cell { ty, value: packer.place(width), any }
            })
            .collect();
        Layout { words: packer.free.len().max(1), locations, cells }
    }

    /// Packs a state; `None` if a cell is `ANY` where that was not foreseen, or
    /// a mathematical integer does not fit.
    pub fn pack(&self, state: &State, words: &mut [u64]) -> Option<()> {
        words.fill(0);
        for (bits, location) in self.locations.iter().zip(&state.locations) {
            bits.set(words, u64::from(location.0));
        }
        for (cell, value) in self.cells.iter().zip(&state.cells) {
            match value {
                None => cell.any?.set(words, 1),
                Some(value) => {
                    if cell.ty == Type::Int && i64::try_from(*value).is_err() {
                        return None;
                    }
                    cell.value.set(words, *value as u64);
                }
            }
        }
        Some(())
    }

    /// Unpacks a state.
    pub fn unpack(&self, words: &[u64]) -> State {
        let locations = self.locations.iter().map(|bits| LocId(bits.get(words) as u32)).collect();
        let cell = |cell: &Cell| -> Value {
            if cell.any.is_some_and(|any| any.get(words) == 1) {
                return None;
            }
            let raw = cell.value.get(words);
            Some(match cell.ty {
                Type::Int => i128::from(raw as i64),
                ty => ty.wrap(i128::from(raw)),
            })
        };
        State { locations, cells: self.cells.iter().map(cell).collect() }
    }
}

/// The type of every cell of a system, in order.
fn cell_types(system: &System) -> Vec<Type> {
    let shared = system.program.shared.iter();
    let locals = (0..system.instances.len()).flat_map(|i| system.template(i).locals.iter());
    shared.chain(locals).flat_map(|var| std::iter::repeat_n(var.ty, var.cells())).collect()
}

/// Hands out bits: first word with room wins.
#[derive(Default)]
struct Packer {
    free: Vec<u8>,
}

impl Packer {
    fn place(&mut self, width: u8) -> Bits {
        if width == 0 {
            return Bits { word: 0, shift: 0, width: 0 };
        }
        let recent = self.free.len().saturating_sub(4);
        let found = self.free[recent..].iter().position(|&free| free >= width);
        let word = found.map_or(self.free.len(), |position| position + recent);
        if word == self.free.len() {
            self.free.push(64);
        }
        let shift = 64 - self.free[word];
        self.free[word] -= width;
        Bits { word: word as u32, shift, width }
    }
}
