//! The program as the modular rule sees it, by values.
//!
//! For each *watcher*, an instance, there are states: where it is, and the values of its own and of the shared variables.
//! From states come states by its own steps, and by what the steps of others, from states of theirs in which shared variables have the
//! same values, write to shared variables. Nobody who is at an atomic location is disturbed.
//!
//! A watcher need not look at all variables: one that it does not look at may have any value
//! (`ccfa::semantics::ANY`), and a step from there covers all steps that are possible with some value.
//! So what is reached covers what would be if it looked at more.

use crate::setting::Setting;
use ccfa::semantics::{State, Value};
use ccfa::{EdgeId, LocKind, Place, Var};
use logic::{FastMap, FastSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// What was reached: who looks, and the state, in which others are where they start.
pub(crate) type States = Vec<(usize, Rc<State>)>;

/// Which cells each watcher looks at.
pub(crate) type Sights = Vec<Vec<bool>>;

/// Why a run did not come to its end.
pub(crate) enum Stop {
    /// An error was reached; for sure, or perhaps only because a value was not known.
    Error { sure: bool },
    /// A shared variable that somebody looks at may have any value.
    Vague(usize),
    /// There are more states than allowed.
    TooMany,
}

/// What a step of somebody writes to shared cells.
type Writes = Rc<[(usize, Value)]>;
/// The values of the cells that two look at.
type Key = Box<[Value]>;

pub(crate) struct Run<'r, 'p> {
    setting: &'r Setting<'p>,
    watchers: &'r [usize],
    sights: &'r Sights,
    /// So many cells belong to shared variables.
    shared: usize,
    /// So many states are allowed.
    most: usize,
    /// No step was taken only because a value was not known.
    sure: bool,
    states: States,
    known: FastSet<(usize, Rc<State>)>,
    queue: VecDeque<usize>,
    /// The states that can be disturbed, by who looks, who moves, and what both see.
    seen: FastMap<(usize, usize, Key), Vec<usize>>,
    /// What the steps of who moves write that who looks can see.
    changes: FastMap<(usize, usize, Key), Vec<Writes>>,
}

impl<'r, 'p> Run<'r, 'p> {
    pub fn new(
        setting: &'r Setting<'p>,
        watchers: &'r [usize],
        sights: &'r Sights,
        most: usize,
    ) -> Run<'r, 'p> {
        Run {
            setting,
            watchers,
            sights,
            shared: shared_cells(setting),
            most,
            sure: true,
            states: Vec::new(),
            known: FastSet::default(),
            queue: VecDeque::new(),
            seen: FastMap::default(),
            changes: FastMap::default(),
        }
    }

    /// All that can be reached.
    pub fn all(mut self) -> Result<States, Stop> {
        let start = self.setting.system.initial();
        for watcher in 0..self.watchers.len() {
            self.add(watcher, start.clone())?;
        }
        while let Some(number) = self.queue.pop_front() {
            let (watcher, state) = self.states[number].clone();
            self.disturb(number)?;
            self.moves(watcher, &state)?;
        }
        Ok(self.states)
    }

    /// Adds what a watcher can see of a state.
    fn add(&mut self, watcher: usize, mut state: State) -> Result<(), Stop> {
        for (number, (cell, looks)) in state.cells.iter_mut().zip(&self.sights[watcher]).enumerate()
        {
            match looks {
                false => *cell = None,
                true if cell.is_none() && number < self.shared => return Err(Stop::Vague(number)),
                true => {}
            }
        }
        let state = Rc::new(state);
        if self.known.insert((watcher, state.clone())) {
            let instance = self.watchers[watcher];
            let at = state.locations[instance].index();
            if self.setting.system.template(instance).locations[at].kind != LocKind::Plain {
                return Err(Stop::Error { sure: self.sure });
            }
            if self.states.len() == self.most {
                return Err(Stop::TooMany);
            }
            self.queue.push_back(self.states.len());
            self.states.push((watcher, state));
        }
        Ok(())
    }

    /// What both look at.
    fn key(&self, state: &State, one: usize, other: usize) -> Key {
        let both = self.sights[one].iter().zip(&self.sights[other]).map(|(a, b)| *a && *b);
        let cells = state.cells[..self.shared].iter().zip(both);
        cells.map(|(cell, both)| if both { *cell } else { None }).collect()
    }

    /// What others do in a new state, as far as it is known.
    fn disturb(&mut self, number: usize) -> Result<(), Stop> {
        let (watcher, state) = self.states[number].clone();
        let instance = self.watchers[watcher];
        if self.setting.is_atomic(instance, state.locations[instance]) {
            return Ok(());
        }
        for mover in (0..self.watchers.len()).filter(|mover| *mover != watcher) {
            let key = (watcher, mover, self.key(&state, watcher, mover));
            for writes in self.changes.get(&key).cloned().unwrap_or_default() {
                self.suffer(number, &writes)?;
            }
            self.seen.entry(key).or_default().push(number);
        }
        Ok(())
    }

    fn suffer(&mut self, number: usize, writes: &Writes) -> Result<(), Stop> {
        let (watcher, state) = self.states[number].clone();
        let mut after = state.as_ref().clone();
        for (cell, value) in writes.iter() {
            after.cells[*cell] = *value;
        }
        self.add(watcher, after)
    }

    /// Steps, and what they write before the eyes of others.
    fn moves(&mut self, mover: usize, state: &State) -> Result<(), Stop> {
        let instance = self.watchers[mover];
        let system = &self.setting.system;
        for edge in self.setting.leaving(instance, state.locations[instance]) {
            let taken = &system.template(instance).edges[edge.index()];
            let Some(after) = system.step(state, instance, taken, &mut |_| None) else { continue };
            self.sure &= matches!(system.eval(state, instance, &taken.guard), Ok(Some(_)));
            let writes = self.writes(instance, *edge, state, &after);
            self.add(mover, after)?;
            for watcher in (0..self.watchers.len()).filter(|watcher| *watcher != mover) {
                let looks = |(cell, _): &&(usize, Value)| self.sights[watcher][*cell];
                let noticed: Writes = writes.iter().filter(looks).copied().collect();
                if !noticed.is_empty() {
                    let key = (watcher, mover, self.key(state, watcher, mover));
                    self.change(key, noticed)?;
                }
            }
        }
        Ok(())
    }

    /// Does to all that can be disturbed by it what somebody writes.
    fn change(&mut self, key: (usize, usize, Key), writes: Writes) -> Result<(), Stop> {
        let known = self.changes.entry(key.clone()).or_default();
        if !known.contains(&writes) {
            known.push(writes.clone());
            for number in self.seen.get(&key).cloned().unwrap_or_default() {
                self.suffer(number, &writes)?;
            }
        }
        Ok(())
    }

    /// The shared cells that a step writes, and what.
    fn writes(
        &self,
        instance: usize,
        edge: EdgeId,
        before: &State,
        after: &State,
    ) -> Vec<(usize, Value)> {
        let system = &self.setting.system;
        let mut writes = Vec::new();
        for assign in &system.template(instance).edges[edge.index()].assigns {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            let offset = system.offset(instance, *var);
            for cell in offset..offset + system.var(instance, *var).cells() {
                let same = before.cells[cell].is_some() && before.cells[cell] == after.cells[cell];
                if cell < self.shared && !same {
                    writes.push((cell, after.cells[cell]));
                }
            }
        }
        writes
    }
}

/// How many cells belong to shared variables.
pub(crate) fn shared_cells(setting: &Setting) -> usize {
    setting.system.program.shared.iter().map(Var::cells).sum()
}
