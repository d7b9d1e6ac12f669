//! Weak memory models: the program whose interleavings are the executions under the model takes the place of the one that was read. **Trusted**, for answers
//! about these models.
//!
//! Data races are asked of sequentially consistent executions under every model (`ccfa::property`, clause 4), and before anything else: **if there is none, the program is taken as it was
//! read**. Without a race its executions under the model are interleavings: C11 promises that to programs whose atomics are sequentially consistent (H.-J. Boehm, S. V. Adve: Foundations of the C++ concurrency memory
//! model. PLDI 2008, Section 4), and `ccfa::store_buffers` gives atomics, locks and fences the meaning that published compilation schemes do, which keep C11's promises. (For
//! total store order see also S. Owens: Reasoning about the implementation of concurrency abstractions on x86-TSO. ECOOP 2010, Section 4.) Where orders are weaker, so that interleavings do not say
//! whether there is a race, `transform` gives no proof, and the program gets its store buffers; so it does where the proof takes for granted what overflow gives.
//!
//! Where no bound of store buffers suffices, they are abstract ([`Capacity::Abstracts`]): then only a proof is an answer ([`proof_or_first`]).

use crate::decided::DecidedTask;
use crate::input::ReadProgram;
use crate::question::{Asked, Question};
use ccfa::store_buffers::{Buffered, Capacity, Delays, StoreOrder, with_store_buffers};
use ccfa::{Limit, MemoryModel, Program};
use cfront::{Assumption, Bounds};
use evidence::{Reason, Verdict};
use std::collections::BTreeSet;

/// The memory model that is asked for, and what is known of the program.
#[derive(Clone, Copy)]
pub struct Memory {
    model: MemoryModel,
    /// Was it proved that there is no race? `None`: it was not tried.
    is_race_free: Option<bool>,
    /// Are store buffers abstract where they have no room?
    is_abstract: bool,
}

impl ReadProgram {
    /// The memory model, if it is not fixed.
    pub fn memory(&mut self) -> Option<&mut Memory> {
        match self {
            ReadProgram::C { memory, .. } => Some(memory),
            ReadProgram::Model(_) => None,
        }
    }
}

impl Memory {
    /// This model. Nothing is known of the program.
    pub fn new(model: MemoryModel) -> Memory {
        Memory { model, is_race_free: None, is_abstract: false }
    }

    /// Is it worth knowing whether there is a race, before this is asked?
    pub fn wants_races(&self, asked: &Asked) -> bool {
        self.is_race_free.is_none() && self.asked(asked).0.is_some()
    }

    /// It will not be found out whether there is a race.
    pub fn give_up(&mut self) {
        self.is_race_free = Some(false);
    }

    /// What was found out about races.
    pub fn learn(&mut self, races: &DecidedTask) {
        use Assumption::{OverflowGivesValue, OverflowMayGiveValue, ReadsGiveValue};
        let task = races.task();
        let is_guess = [OverflowGivesValue, OverflowMayGiveValue, ReadsGiveValue]
            .iter()
            .any(|assumption| task.assumptions.contains(assumption));
        let is_about_races = task.questions == BTreeSet::from([Question::Races]);
        let is_proof = matches!(races.verdict(), Verdict::Safe(_)) && is_about_races && !is_guess;
        self.is_race_free = Some(is_proof);
    }

    /// From here on, store buffers are abstract where they have no room, or are not.
    pub fn abstract_buffers(&mut self, is_abstract: bool) {
        self.is_abstract = is_abstract;
    }

    /// What is asked, and how store buffers are ordered; there are none if interleavings are asked.
    pub fn asked(&self, asked: &Asked) -> (Option<StoreOrder>, Asked) {
        let mut others = asked.clone();
        others.questions.remove(&Question::Races);
        match StoreOrder::of(self.model).filter(|_| self.is_race_free != Some(true)) {
            Some(order) if !others.questions.is_empty() => (Some(order), others),
            _ => (None, asked.clone()),
        }
    }

    /// What is assumed of memory, where under interleavings it would be sequential consistency.
    pub fn assumed(
        &self,
        order: Option<StoreOrder>,
        mut assumptions: BTreeSet<Assumption>,
    ) -> BTreeSet<Assumption> {
        let is_meant = order.is_some() || self.is_race_free == Some(true);
        let instead = match StoreOrder::of(self.model).filter(|_| is_meant) {
            None => return assumptions,
            Some(StoreOrder::Total) => Assumption::TotalStoreOrder,
            Some(StoreOrder::Partial) => Assumption::PartialStoreOrder,
        };
        if assumptions.remove(&Assumption::SequentialConsistency) {
            assumptions.insert(instead);
        }
        assumptions
    }

    /// Gives the threads of a program store buffers, if they have some.
    pub fn buffer(
        &self,
        program: &mut Program,
        order: Option<StoreOrder>,
        bounds: Bounds,
    ) -> Delays {
        let Some(order) = order else { return Delays::default() };
        let capacity = match self.is_abstract {
            true => Capacity::Abstracts(bounds.delayed_writes),
            false => Capacity::Ends(bounds.delayed_writes),
        };
        let Buffered { program: buffered, delays } = with_store_buffers(program, order, capacity);
        let problems = ccfa::wellformed::check(&buffered);
        assert_eq!(problems, Ok(()), "a program with store buffers should be well-formed");
        *program = buffered;
        delays
    }
}

/// What was decided first, about buffers with bounds; instead, what was decided about abstract buffers, if that is a proof. Nothing else is an answer there.
pub fn proof_or_first(first: DecidedTask, abstracted: DecidedTask) -> DecidedTask {
    match abstracted.verdict() {
        Verdict::Safe(_) => abstracted,
        Verdict::Unsafe(_) | Verdict::Unknown(_) => first,
    }
}

/// Is there no answer because a bound was reached, perhaps the room of store buffers?
pub fn has_reached_a_bound(decided: &DecidedTask) -> bool {
    let bound = |reason: &Reason| matches!(reason, Reason::Limit { limit: Limit::Bound, .. });
    let reached = matches!(decided.verdict(), Verdict::Unknown(reason) if bound(reason));
    reached && !decided.task().delays.delayed.is_empty()
}
