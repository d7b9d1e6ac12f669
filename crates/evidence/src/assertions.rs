//! Assertions about threads, invariant under interference: the proof of rely-guarantee reasoning.
//!
//! POPL'11, Figure 5 (proof rule REACHENV): for each thread i an assertion `R_i` that the steps of all threads keep. (There, an
//! *environment transition* `E_i` over-approximates the steps of the other threads. A proof need not name it: if every such step is
//! in `E_i`, and `E_i` keeps `R_i`, then every such step keeps `R_i`.) Here an assertion belongs to a [`View`]: it speaks of one or several *tracked threads*
//! and the shared variables. The first tracked thread is the *owner*, the
//! `i` of the paper; a proof is *modular* if each view tracks its owner alone.
//!
//! A view has [`Slot`]s, not instances, and its assertion is meant for **every** *instantiation*:
//! every choice of different instances for its slots. So a proof about any instance of T, or
//! about any two, is a proof for the parameterised program, with every number of
//! instances: the instances in no slot are *environment threads*, and the assertion is invariant
//! under their interference, too.
//!
//! The views prove that the program has its property (`ccfa::property`) if
//! 1. **CS1**: each assertion holds initially;
//! 2. **CS2**: it still holds after a step of its owner;
//! 3. **CS3, CS4**: it still holds after a step of any other instance, tracked or not: interference freedom (Owicki and
//!    Gries, 1976);
//! 4. **CS5**: all assertions together exclude bad states and model limits.
//!
//! Before a step, all assertions about the tracked threads and the mover may be
//! assumed. Why this suffices is argued where it is checked, in `check::assertions`.

use ccfa::{Expr, LocId, Program, Template, ThreadId, Var};

/// Assertions that are invariant under all steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertions {
    /// The assertions with the threads they track.
    pub views: Vec<View>,
}

/// An assertion about some tracked threads.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The tracked threads: different instances. The first is the owner.
    pub slots: Vec<Slot>,
    /// `R`: one of these holds.
    pub regions: Vec<Region>,
}

/// A place for a tracked thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// An instance of this thread:
    pub thread: ThreadId,
    /// the one with this index, or any if `None`. A parameterised thread has no particular
    /// instances.
    pub index: Option<u32>,
}

/// Some states of the tracked threads and the shared variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// For each slot, the locations where its instance is; `None` for anywhere.
    pub at: Vec<Option<Vec<LocId>>>,
    /// All of these hold. An expression is false where it is undefined. Local variable number n
    /// is the n-th of the locals of all slots, in order: see [`View::scope`].
    pub holds: Vec<Expr>,
}

impl View {
    /// What regions can speak of, as a template with the locals of all slots.
    pub fn scope(&self, program: &Program) -> Template {
        let mut scope = Template { name: "tracked threads".to_string(), ..Template::default() };
        for (number, slot) in self.slots.iter().enumerate() {
            let owner = self.slot_name(program, number);
            let locals = program.template_of(slot.thread).locals.iter();
            scope.locals.extend(
                locals.map(|var| Var { name: format!("{owner}.{}", var.name), ..var.clone() }),
            );
        }
        scope
    }
}
