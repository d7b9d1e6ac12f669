//! The orders in which the actions of a plan can run, as a graph: its nodes say what is done, its
//! edges are actions. Orders that have done the same are at one node, so that `n` rivals have `2^n`
//! nodes and not `n!` ends. An action without rivals left runs alone, as soon as it can.

use super::plan::{Action, Part, Plan};
use std::collections::BTreeMap;

/// Expressions with more states between their evaluations than this are not modelled: eight calls
/// that all conflict with each other have so many.
const MAX_STATES: usize = 256;

/// How far an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    Pending,
    /// A decision; what depends on it is not done yet.
    Decided(bool),
    Done,
    /// Not needed, as a decision says.
    Skipped,
}

/// What is done, by action.
pub type State = Vec<Status>;

/// An action and where it leads: a decision leads to two states.
pub struct Turn {
    pub action: usize,
    /// By what was decided; other actions: only the first counts.
    pub next: [usize; 2],
}

/// The states in an order in which each comes behind those that lead to it. The first is the begin, the
/// last the end.
pub struct Schedule {
    pub states: Vec<(State, Vec<Turn>)>,
}

/// The schedule of a plan; `None` if it is too large.
pub fn schedule(plan: &Plan) -> Option<Schedule> {
    let mut found: BTreeMap<State, Vec<(usize, Vec<State>)>> = BTreeMap::new();
    let mut pending = vec![vec![Status::Pending; plan.actions.len()]];
    while let Some(state) = pending.pop() {
        if found.contains_key(&state) {
            continue;
        }
        if found.len() >= MAX_STATES {
            return None;
        }
        let steps = plan.choices(&state);
        let ways: Vec<(usize, Vec<State>)> =
            steps.into_iter().map(|action| (action, plan.after(&state, action))).collect();
        pending.extend(ways.iter().flat_map(|(_, next)| next.iter().cloned()));
        found.insert(state, ways);
    }
    Some(numbered(found))
}

/// Numbers the states by how much is done, and leaves out those that do not lead to the end.
fn numbered(found: BTreeMap<State, Vec<(usize, Vec<State>)>>) -> Schedule {
    let open = |state: &State| {
        let is_open = |status: &&Status| !matches!(status, Status::Done | Status::Skipped);
        (
            state.iter().filter(|status| **status == Status::Pending).count(),
            state.iter().filter(is_open).count(),
        )
    };
    let mut states: Vec<&State> = found.keys().collect();
    states.sort_by_key(|state| open(state));
    // From the end on: what leads there is known before what leads to that.
    let mut kept: Vec<&State> = Vec::new();
    for state in states {
        let leads = |next: &Vec<State>| next.iter().all(|state| kept.contains(&state));
        if open(state) == (0, 0) || found[state].iter().any(|(_, next)| leads(next)) {
            kept.push(state);
        }
    }
    kept.reverse();
    let number = |state: &State| kept.iter().position(|other| *other == state);
    let turn = |(action, next): &(usize, Vec<State>)| {
        let (first, last) = (number(next.first()?)?, number(next.last()?)?);
        Some(Turn { action: *action, next: [last, first] })
    };
    let states = kept
        .iter()
        .map(|state| ((*state).clone(), found[*state].iter().filter_map(turn).collect()))
        .collect();
    Schedule { states }
}

impl Plan<'_> {
    /// What may come next: one action if its turn makes no difference.
    fn choices(&self, state: &State) -> Vec<usize> {
        let can_run: Vec<usize> =
            (0..self.actions.len()).filter(|action| self.can_run(state, *action)).collect();
        let is_pending = |other: &usize| state[*other] == Status::Pending;
        let makes_no_difference = |action: &&usize| {
            let relations = &self.actions[**action].relations;
            !relations.rivals.iter().chain(&relations.hidden).any(is_pending)
        };
        match can_run.iter().find(makes_no_difference) {
            Some(action) => vec![*action],
            None => can_run,
        }
    }

    fn can_run(&self, state: &State, number: usize) -> bool {
        let action = &self.actions[number];
        let is_over = |earlier: &usize| state[*earlier] != Status::Pending;
        // While `x op= y` is half done, no call that conflicts with it runs.
        let is_apart = || {
            !action.relations.rivals.iter().any(|rival| {
                let write = self.write_of(*rival);
                let is_half_done = |write: usize| {
                    state[*rival] == Status::Done
                        && state[write] == Status::Pending
                        && !self.actions[write].after.contains(&number)
                };
                write.is_some_and(is_half_done)
            })
        };
        state[number] == Status::Pending
            && action.after.iter().all(is_over)
            && (!action.is_call || is_apart())
    }

    /// The write that belongs to the read of `x op= y`.
    fn write_of(&self, read: usize) -> Option<usize> {
        let read = &self.actions[read];
        let belongs =
            |other: &Action| other.part == Part::Write && std::ptr::eq(other.node, read.node);
        (read.part == Part::ReadOld).then(|| self.actions.iter().position(belongs))?
    }

    /// The states after an action: two after a decision, the one for "no" first.
    fn after(&self, state: &State, action: usize) -> Vec<State> {
        let with = |status: Status| {
            let mut next = state.clone();
            next[action] = status;
            self.skip(&mut next);
            self.forget(&mut next);
            next
        };
        match self.actions[action].part {
            Part::Branch => vec![with(Status::Decided(false)), with(Status::Decided(true))],
            _ => vec![with(Status::Done)],
        }
    }

    /// What a decision makes needless is skipped.
    fn skip(&self, state: &mut State) {
        for number in 0..self.actions.len() {
            let needless = self.actions[number].inside.iter().any(|(branch, when)| {
                state[*branch] == Status::Decided(!when) || state[*branch] == Status::Skipped
            });
            if needless && state[number] == Status::Pending {
                state[number] = Status::Skipped;
            }
        }
    }

    /// When all that depends on a decision is done and nothing asks any more whether it was, the
    /// decision does not matter.
    fn forget(&self, state: &mut State) {
        // Inner decisions come behind outer ones.
        for branch in (0..self.actions.len()).rev() {
            let is_inside =
                |action: &Action| action.inside.iter().any(|(other, _)| *other == branch);
            let inside: Vec<usize> =
                (0..self.actions.len()).filter(|one| is_inside(&self.actions[*one])).collect();
            let is_over = |one: &usize| matches!(state[*one], Status::Done | Status::Skipped);
            let meet = |one: &Action| {
                one.part == Part::Meet && std::ptr::eq(one.node, self.actions[branch].node)
            };
            let has_met = self.actions.iter().position(meet).is_some_and(|meet| is_over(&meet));
            let is_asked = |one: &usize| {
                let mut partners = self.actions[*one].relations.partners.iter();
                partners.any(|partner| !is_over(partner))
            };
            if matches!(state[branch], Status::Decided(_))
                && has_met
                && inside.iter().all(is_over)
                && !inside.iter().any(is_asked)
            {
                state[branch] = Status::Done;
                inside.into_iter().for_each(|one| state[one] = Status::Done);
            }
        }
    }
}
