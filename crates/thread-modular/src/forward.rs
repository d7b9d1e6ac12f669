//! AFR: asynchronous forward reachability of the whole system, and interleavings that lead to
//! errors.
//!
//! Each instance has its own seat, and the set of reached states is extended by one step of one
//! instance after the other, each from all that has been reached so far (chaining). What
//! each of these images adds is remembered. So a way back from an error state is
//! found link by link: a state that was first added by a step has a predecessor by
//! that step among what had been added before.

use crate::Run;
use crate::bdd::{Bdd, Maybe, Room, Stuck, beyond, is_empty};
use crate::process::Processes;
use crate::proof;
use crate::refine::bad;
use crate::space::Space;
use crate::step::Part;
use crate::weaken::weaker;
use crate::witness::Schedule;
use ccfa::{EdgeId, LocKind, Location};
use evidence::{Reason, Verdict};

/// More instances than these are too many.
const MOST_INSTANCES: u32 = 4000;

/// The search with every instance in sight.
pub(crate) fn afr(processes: &Processes, run: &mut Run) -> Maybe<Verdict> {
    if processes.total() > MOST_INSTANCES {
        return Err(beyond("too many threads to look at them all together"));
    }
    let list = processes.list.iter().enumerate();
    let everyone: Vec<usize> = list
        .flat_map(|(number, process)| std::iter::repeat_n(number, process.count as usize))
        .collect();
    let mut search = Search::new(processes, &everyone, &run.room)?;
    let verdict = search.decide()?;
    run.tell();
    match verdict {
        Some(verdict) => Ok(verdict),
        None => search.proof(),
    }
}

/// The error that is known to be reachable by these processes alone.
pub(crate) fn among(processes: &Processes, roles: &[usize], run: &mut Run) -> Maybe<Verdict> {
    let mut search = Search::new(processes, roles, &run.room)?;
    let verdict = search.decide()?;
    run.tell();
    verdict.ok_or_else(|| beyond("an error that should be reachable was not reached"))
}

/// The verdict if somebody starts at an error or at a gap.
pub(crate) fn at_once(processes: &Processes, run: &Run) -> Maybe<Option<Verdict>> {
    for (number, process) in processes.list.iter().enumerate() {
        let entry = &process.template.locations[process.template.entry.index()];
        let space = match entry.kind {
            LocKind::Plain => continue,
            LocKind::Limit(..) | LocKind::Undefined(_) => return Ok(Some(gap(entry))),
            LocKind::Error(_) => Space::new(processes, &[vec![number]], &run.room)?,
        };
        if !is_empty(&space.shared_initial) {
            return Schedule::new(&space, &[number]).from(&space.shared_initial).map(Some);
        }
    }
    Ok(None)
}

/// A search.
struct Search<'a> {
    space: Space<'a>,
    roles: Vec<usize>,
    reached: Bdd,
    history: Vec<Added>,
}

/// What one image has added.
struct Added {
    states: Bdd,
    by: Link,
}

/// A step of the process on a seat, by number among its steps.
#[derive(Clone, Copy)]
struct Link {
    seat: usize,
    step: usize,
}

impl<'a> Search<'a> {
    fn new(processes: &'a Processes<'a>, roles: &[usize], room: &Room<'a>) -> Maybe<Search<'a>> {
        let seating: Vec<Vec<usize>> = roles.iter().map(|role| vec![*role]).collect();
        let space = Space::new(processes, &seating, room)?;
        let reached = space.initial(roles)?;
        let start = Added { states: reached.clone(), by: Link { seat: 0, step: 0 } };
        Ok(Search { space, roles: roles.to_vec(), reached, history: vec![start] })
    }

    /// Extends the reached states until nothing new comes, or an error.
    fn decide(&mut self) -> Maybe<Option<Verdict>> {
        loop {
            if let Some(verdict) = self.error()? {
                return Ok(Some(verdict));
            }
            let before = self.history.len();
            for seat in 0..self.roles.len() {
                self.advance(seat)?;
            }
            if self.history.len() == before {
                return self.reached_gap();
            }
        }
    }

    /// All steps of one instance, once.
    fn advance(&mut self, seat: usize) -> Maybe<()> {
        let dd = &self.space.dd;
        let process = self.space.seat(seat, self.roles[seat]);
        for (number, step) in process.steps.plain.iter().enumerate() {
            let from = self.space.others_free(&self.reached, &self.roles, seat)?;
            let image = step.image(&self.space, &from)?;
            let states = dd.minus(&image, &self.reached)?;
            if !is_empty(&states) {
                self.reached = dd.or(&self.reached, &states)?;
                self.history.push(Added { states, by: Link { seat, step: number } });
            }
        }
        Ok(())
    }

    /// The proof that the reached states are, or weaker ones.
    fn proof(&self) -> Maybe<Verdict> {
        let Search { space, roles, reached, .. } = self;
        if let Some(weaker) = weaker(space, roles, reached)?
            && self.is_proof(&weaker.states)?
        {
            return proof::of_all(space, roles, &weaker.states, weaker.relations);
        }
        proof::of_all(space, roles, reached, Vec::new())
    }

    /// Are these states as good as they must be, and does no step lead out of them?
    fn is_proof(&self, states: &Bdd) -> Maybe<bool> {
        let Search { space, roles, .. } = self;
        if !is_empty(&space.dd.and(states, &bad(space, roles)?)?) {
            return Ok(false);
        }
        for (seat, role) in roles.iter().enumerate() {
            let free = space.others_free(states, roles, seat)?;
            for step in &space.seat(seat, *role).steps.plain {
                let image = step.image(space, &free)?;
                if !is_empty(&space.dd.minus(&image, states)?) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The interleaving to an error, if one is reached.
    fn error(&self) -> Maybe<Option<Verdict>> {
        for (seat, role) in self.roles.iter().enumerate() {
            for (edge, enabled) in &self.space.seat(seat, *role).steps.errors {
                let wrong = self.able(enabled, seat)?;
                if !is_empty(&wrong) {
                    return self.schedule(&wrong, seat, *edge).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// What stands against a proof: an escape or a gap.
    fn reached_gap(&self) -> Maybe<Option<Verdict>> {
        for (seat, role) in self.roles.iter().enumerate() {
            if !is_empty(&self.able(&self.space.seat(seat, *role).steps.escapes, seat)?) {
                return Err(Stuck::Values);
            }
        }
        for (seat, role) in self.roles.iter().enumerate() {
            for (edge, enabled) in &self.space.seat(seat, *role).steps.gaps {
                if !is_empty(&self.able(enabled, seat)?) {
                    let template = self.space.processes.list[*role].template;
                    let target = template.edges[edge.index()].target;
                    return Ok(Some(gap(&template.locations[target.index()])));
                }
            }
        }
        Ok(None)
    }

    /// Reached states where a step of the process on this seat is enabled.
    fn able(&self, enabled: &Bdd, seat: usize) -> Maybe<Bdd> {
        let here = self.space.dd.and(&self.reached, enabled)?;
        self.space.others_free(&here, &self.roles, seat)
    }

    /// The way to one of these states, and the last step.
    fn schedule(&self, wrong: &Bdd, seat: usize, edge: EdgeId) -> Maybe<Verdict> {
        let mut schedule = Schedule::new(&self.space, &self.roles);
        let mut state = self.one_of(wrong)?;
        schedule.last(seat, edge, &state)?;
        loop {
            let first = self.first_of(&state)?;
            if first == 0 {
                return schedule.from(&state);
            }
            let link = self.history[first].by;
            let step = &self.space.seat(link.seat, self.roles[link.seat]).steps.plain[link.step];
            let (part, before) = self.link(&step.parts, &state, link.seat, first)?;
            schedule.step(link.seat, step.edge, &part.havoc, &state)?;
            state = before;
        }
    }

    /// A predecessor of a state, among what was there before addition number `first`.
    fn link<'p>(
        &self,
        parts: &'p [Part],
        state: &Bdd,
        seat: usize,
        first: usize,
    ) -> Maybe<(&'p Part, Bdd)> {
        for part in parts {
            let before = part.preimage(&self.space, state)?;
            let before = self.space.others_free(&before, &self.roles, seat)?;
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
    fn first_of(&self, state: &Bdd) -> Maybe<usize> {
        for (number, added) in self.history.iter().enumerate() {
            if !is_empty(&self.space.dd.and(&added.states, state)?) {
                return Ok(number);
            }
        }
        Err(beyond("a state that was not reached"))
    }

    /// A single state of a set.
    fn one_of(&self, states: &Bdd) -> Maybe<Bdd> {
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
fn gap(location: &Location) -> Verdict {
    let ends = || Reason::Beyond("the model ends".to_string());
    Verdict::Unknown(Reason::of_limit(location).unwrap_or_else(ends))
}
