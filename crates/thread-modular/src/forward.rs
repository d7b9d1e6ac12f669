//! AFR: asynchronous forward reachability of the whole system, and interleavings that lead to
//! errors.
//!
//! Each instance has its own slot, and the set of reached states is extended by one step of one
//! instance after the other, each from all that has been reached so far (chaining). What
//! each of these images adds is remembered. So a way back from an error state is
//! found link by link: a state that was first added by a step has a predecessor by
//! that step among what had been added before.

use crate::Run;
use crate::bdd::{Bdd, NodeCapacity, Result, RunError, beyond, is_empty};
use crate::process::Processes;
use crate::proof;
use crate::refine::bad;
use crate::space::Space;
use crate::step::EdgePart;
use crate::weaken::weaker;
use crate::witness::Schedule;
use ccfa::{EdgeId, LocKind, Location};
use evidence::{Reason, Verdict};

/// More instances are not tracked together: each has bits of its own.
const MAX_INSTANCES: u32 = 4000;

/// The search with every instance tracked.
pub(crate) fn afr(processes: &Processes, run: &mut Run) -> Result<Verdict> {
    if processes.total() > MAX_INSTANCES {
        return Err(beyond("too many threads to look at them all together"));
    }
    let list = processes.list.iter().enumerate();
    let all_slots: Vec<usize> = list
        .flat_map(|(number, process)| std::iter::repeat_n(number, process.count as usize))
        .collect();
    let mut search = ForwardSearch::new(processes, &all_slots, &run.capacity)?;
    let verdict = search.decide()?;
    run.tell();
    match verdict {
        Some(verdict) => Ok(verdict),
        None => search.proof(),
    }
}

/// The error that is known to be reachable by these processes alone.
pub(crate) fn among(processes: &Processes, tracked: &[usize], run: &mut Run) -> Result<Verdict> {
    let mut search = ForwardSearch::new(processes, tracked, &run.capacity)?;
    let verdict = search.decide()?;
    run.tell();
    verdict.ok_or_else(|| beyond("an error that should be reachable was not reached"))
}

/// The verdict if a process starts at an error or at a model limit.
pub(crate) fn at_once(processes: &Processes, run: &Run) -> Result<Option<Verdict>> {
    for (number, process) in processes.list.iter().enumerate() {
        let entry = &process.template.locations[process.template.entry.index()];
        let space = match entry.kind {
            LocKind::Plain => continue,
            LocKind::Limit(..) | LocKind::Undefined(_) => return Ok(Some(model_limit(entry))),
            LocKind::Error(_) => Space::new(processes, &[vec![number]], &run.capacity)?,
        };
        if !is_empty(&space.shared_initial) {
            return Schedule::new(&space, &[number]).from(&space.shared_initial).map(Some);
        }
    }
    Ok(None)
}

/// A search.
struct ForwardSearch<'a> {
    space: Space<'a>,
    tracked: Vec<usize>,
    reached: Bdd,
    history: Vec<Added>,
}

/// What one image has added.
struct Added {
    states: Bdd,
    by: Link,
}

/// A step of the process in a slot, by number among its steps.
#[derive(Clone, Copy)]
struct Link {
    slot: usize,
    step: usize,
}

impl<'a> ForwardSearch<'a> {
    fn new(
        processes: &'a Processes<'a>,
        tracked: &[usize],
        capacity: &NodeCapacity<'a>,
    ) -> Result<ForwardSearch<'a>> {
        let occupants: Vec<Vec<usize>> = tracked.iter().map(|process| vec![*process]).collect();
        let space = Space::new(processes, &occupants, capacity)?;
        let reached = space.initial(tracked)?;
        let start = Added { states: reached.clone(), by: Link { slot: 0, step: 0 } };
        Ok(ForwardSearch { space, tracked: tracked.to_vec(), reached, history: vec![start] })
    }

    /// Extends the reached states until nothing new comes, or an error.
    fn decide(&mut self) -> Result<Option<Verdict>> {
        loop {
            if let Some(verdict) = self.error()? {
                return Ok(Some(verdict));
            }
            let before = self.history.len();
            for slot in 0..self.tracked.len() {
                self.advance(slot)?;
            }
            if self.history.len() == before {
                return self.reached_limit();
            }
        }
    }

    /// All steps of one instance, once.
    fn advance(&mut self, slot: usize) -> Result<()> {
        let dd = &self.space.dd;
        let process = self.space.slot(slot, self.tracked[slot]);
        for (number, step) in process.steps.plain.iter().enumerate() {
            let from = self.space.others_free(&self.reached, &self.tracked, slot)?;
            let image = step.image(&self.space, &from)?;
            let states = dd.minus(&image, &self.reached)?;
            if !is_empty(&states) {
                self.reached = dd.or(&self.reached, &states)?;
                self.history.push(Added { states, by: Link { slot, step: number } });
            }
        }
        Ok(())
    }

    /// The proof that the reached states are, or weaker ones.
    fn proof(&self) -> Result<Verdict> {
        let ForwardSearch { space, tracked, reached, .. } = self;
        if let Some(weaker) = weaker(space, tracked, reached)?
            && self.is_proof(&weaker.states)?
        {
            return proof::of_all(space, tracked, &weaker.states, weaker.relations);
        }
        proof::of_all(space, tracked, reached, Vec::new())
    }

    /// Are these states as good as they must be, and does no step lead out of them?
    fn is_proof(&self, states: &Bdd) -> Result<bool> {
        let ForwardSearch { space, tracked, .. } = self;
        if !is_empty(&space.dd.and(states, &bad(space, tracked)?)?) {
            return Ok(false);
        }
        for (slot, process) in tracked.iter().enumerate() {
            let free = space.others_free(states, tracked, slot)?;
            for step in &space.slot(slot, *process).steps.plain {
                let image = step.image(space, &free)?;
                if !is_empty(&space.dd.minus(&image, states)?) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The interleaving to an error, if one is reached.
    fn error(&self) -> Result<Option<Verdict>> {
        for (slot, process) in self.tracked.iter().enumerate() {
            for (edge, enabled) in &self.space.slot(slot, *process).steps.errors {
                let wrong = self.able(enabled, slot)?;
                if !is_empty(&wrong) {
                    return self.schedule(&wrong, slot, *edge).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// What stands against a proof: an escape or a model limit.
    fn reached_limit(&self) -> Result<Option<Verdict>> {
        for (slot, process) in self.tracked.iter().enumerate() {
            if !is_empty(&self.able(&self.space.slot(slot, *process).steps.escapes, slot)?) {
                return Err(RunError::OutOfValues);
            }
        }
        for (slot, process) in self.tracked.iter().enumerate() {
            for (edge, enabled) in &self.space.slot(slot, *process).steps.limits {
                if !is_empty(&self.able(enabled, slot)?) {
                    let template = self.space.processes.list[*process].template;
                    let target = template.edges[edge.index()].target;
                    return Ok(Some(model_limit(&template.locations[target.index()])));
                }
            }
        }
        Ok(None)
    }

    /// Reached states where a step of the process in this slot is enabled.
    fn able(&self, enabled: &Bdd, slot: usize) -> Result<Bdd> {
        let here = self.space.dd.and(&self.reached, enabled)?;
        self.space.others_free(&here, &self.tracked, slot)
    }

    /// The way to one of these states, and the last step.
    fn schedule(&self, wrong: &Bdd, slot: usize, edge: EdgeId) -> Result<Verdict> {
        let mut schedule = Schedule::new(&self.space, &self.tracked);
        let mut state = self.one_of(wrong)?;
        schedule.last(slot, edge, &state)?;
        loop {
            let first = self.first_of(&state)?;
            if first == 0 {
                return schedule.from(&state);
            }
            let link = self.history[first].by;
            let step = &self.space.slot(link.slot, self.tracked[link.slot]).steps.plain[link.step];
            let (part, before) = self.link(&step.parts, &state, link.slot, first)?;
            schedule.step(link.slot, step.edge, &part.havoc, &state)?;
            state = before;
        }
    }

    /// A predecessor of a state, among what was there before addition number `first`.
    fn link<'p>(
        &self,
        parts: &'p [EdgePart],
        state: &Bdd,
        slot: usize,
        first: usize,
    ) -> Result<(&'p EdgePart, Bdd)> {
        for part in parts {
            let before = part.preimage(&self.space, state)?;
            let before = self.space.others_free(&before, &self.tracked, slot)?;
            for added in &self.history[..first] {
                let found = self.space.dd.and(&before, &added.states)?;
                if !is_empty(&found) {
                    return Ok((part, self.one_of(&found)?));
                }
            }
        }
        Err(beyond("a reached state has no predecessor"))
    }

    /// The first addition that a state is in.
    fn first_of(&self, state: &Bdd) -> Result<usize> {
        for (number, added) in self.history.iter().enumerate() {
            if !is_empty(&self.space.dd.and(&added.states, state)?) {
                return Ok(number);
            }
        }
        Err(beyond("a state that was not reached"))
    }

    /// A single state of a set.
    fn one_of(&self, states: &Bdd) -> Result<Bdd> {
        let mut one = self.space.dd.all();
        let bits = self.space.dd.pick(states).unwrap_or_default();
        for (number, set) in bits.iter().enumerate().rev() {
            let bit = self.space.dd.bit(number as u32)?;
            one = if *set {
                self.space.dd.and(&one, &bit)?
            } else {
                self.space.dd.minus(&one, &bit)?
            };
        }
        Ok(one)
    }
}

/// The verdict where the model ends.
fn model_limit(location: &Location) -> Verdict {
    let ends = || Reason::Beyond("the model ends".to_string());
    Verdict::Unknown(Reason::of_limit(location).unwrap_or_else(ends))
}
