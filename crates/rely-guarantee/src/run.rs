//! The program as the modular rule sees it, by values.
//!
//! For each *watcher*, an instance, there are states: where it is, and the values of its own and of the shared variables.
//! From states come states by its own steps, and by what the steps of others, from states of theirs in which shared variables have the
//! same values, write to shared variables. Nobody who is at an atomic location is disturbed.
//!
//! A watcher need not look at all variables: one that it does not look at may have any value
//! (`ccfa::semantics::ANY`), and a step from there covers all steps that are possible with some value.
//! So what is reached covers what would be if it looked at more.

use crate::numbered::Numbered;
use crate::setting::Setting;
use ccfa::semantics::{State, Value};
use ccfa::{EdgeId, LocId, LocKind, Place, Var};
use logic::{FastMap, FastSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// Which cells each watcher looks at.
pub(crate) type Sights = Vec<Vec<bool>>;

/// A state, as a watcher sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seen {
    pub watcher: usize,
    pub at: LocId,
    /// The numbers of the values of the cells that it looks at.
    values: Rc<[u32]>,
}

/// All that was reached.
pub(crate) struct Reached {
    pub states: Vec<Seen>,
    /// The cells that each watcher looks at.
    looked_at: Vec<Vec<usize>>,
    values: Numbered<Value>,
}

impl Reached {
    /// The cells that the watcher of a state looks at, and their values.
    pub fn cells(&self, seen: &Seen) -> impl Iterator<Item = (usize, Value)> {
        let values = seen.values.iter().map(|number| *self.values.get(*number as usize));
        self.looked_at[seen.watcher].iter().copied().zip(values)
    }
}

/// Why a run did not come to its end.
pub(crate) enum Stop {
    /// An error was reached; for sure, or perhaps only because a value was not known.
    Error { sure: bool },
    /// A shared variable that somebody looks at may have any value.
    Vague(usize),
    /// There are more states than allowed, or than there is time for.
    TooMany,
}

/// What a step of somebody writes: places among the cells that a watcher looks at, and values.
type Writes = Rc<[(usize, u32)]>;

/// Who looks, who moves, and the values of the cells that both look at.
type Meeting = (usize, usize, Box<[u32]>);

pub(crate) struct Run<'r, 'p> {
    setting: &'r Setting<'p>,
    watchers: &'r [usize],
    /// So many states are allowed.
    most: usize,
    /// So many cells belong to shared variables.
    shared: usize,
    /// For two watchers, the places of the shared cells that both look at, among those of the first.
    both: Vec<Vec<Vec<usize>>>,
    /// A state of which nothing is known.
    blank: State,
    /// No step was taken only because a value was not known.
    sure: bool,
    reached: Reached,
    known: FastSet<Seen>,
    queue: VecDeque<usize>,
    /// The states that can be disturbed.
    disturbed: FastMap<Meeting, Vec<usize>>,
    /// What those who move write that those who look can see.
    changes: FastMap<Meeting, Vec<Writes>>,
}

impl<'r, 'p> Run<'r, 'p> {
    /// Of watchers, which are instances, who look at so much.
    pub fn new(
        setting: &'r Setting<'p>,
        watchers: &'r [usize],
        sights: &Sights,
        most: usize,
    ) -> Run<'r, 'p> {
        let shared = setting.system.program.shared.iter().map(Var::cells).sum();
        let cells = |sight: &Vec<bool>| (0..sight.len()).filter(|cell| sight[*cell]).collect();
        let looked_at: Vec<Vec<usize>> = sights.iter().map(cells).collect();
        let both = |one: &Vec<usize>, other: &Vec<bool>| {
            let places = one.iter().enumerate();
            places.filter(|(_, c)| **c < shared && other[**c]).map(|(place, _)| place).collect()
        };
        let of_one = |one| sights.iter().map(|other| both(one, other)).collect();
        let mut blank = setting.system.initial();
        blank.cells.fill(None);
        Run {
            setting,
            watchers,
            most,
            shared,
            both: looked_at.iter().map(of_one).collect(),
            blank,
            sure: true,
            reached: Reached { states: Vec::new(), looked_at, values: Numbered::default() },
            known: FastSet::default(),
            queue: VecDeque::new(),
            disturbed: FastMap::default(),
            changes: FastMap::default(),
        }
    }

    /// All that can be reached.
    pub fn all(mut self) -> Result<Reached, Stop> {
        let start = self.setting.system.initial();
        for watcher in 0..self.watchers.len() {
            self.see(watcher, &start)?;
        }
        while let Some(number) = self.queue.pop_front() {
            if self.setting.pause().is_err() {
                return Err(Stop::TooMany);
            }
            self.disturb(number)?;
            self.moves(number)?;
        }
        Ok(self.reached)
    }

    /// Adds what a watcher sees of a state.
    fn see(&mut self, watcher: usize, state: &State) -> Result<(), Stop> {
        let Reached { looked_at, values, .. } = &mut self.reached;
        let number = |cell: &usize| match state.cells[*cell] {
            None if *cell < self.shared => Err(Stop::Vague(*cell)),
            value => Ok(values.number(value) as u32),
        };
        let values: Rc<[u32]> = looked_at[watcher].iter().map(number).collect::<Result<_, _>>()?;
        let at = state.locations[self.watchers[watcher]];
        self.add(Seen { watcher, at, values })
    }

    fn add(&mut self, seen: Seen) -> Result<(), Stop> {
        if !self.known.insert(seen.clone()) {
            return Ok(());
        }
        let template = self.setting.system.template(self.watchers[seen.watcher]);
        if template.locations[seen.at.index()].kind != LocKind::Plain {
            return Err(Stop::Error { sure: self.sure });
        }
        if self.reached.states.len() == self.most {
            return Err(Stop::TooMany);
        }
        self.queue.push_back(self.reached.states.len());
        self.reached.states.push(seen);
        Ok(())
    }

    fn meeting(&self, seen: &Seen, watcher: usize, mover: usize) -> Meeting {
        let other = watcher + mover - seen.watcher;
        let places = &self.both[seen.watcher][other];
        (watcher, mover, places.iter().map(|place| seen.values[*place]).collect())
    }

    /// What others do in a new state, as far as it is known.
    fn disturb(&mut self, number: usize) -> Result<(), Stop> {
        let seen = self.reached.states[number].clone();
        if self.setting.is_atomic(self.watchers[seen.watcher], seen.at) {
            return Ok(());
        }
        for mover in (0..self.watchers.len()).filter(|mover| *mover != seen.watcher) {
            let meeting = self.meeting(&seen, seen.watcher, mover);
            for writes in self.changes.get(&meeting).cloned().unwrap_or_default() {
                self.suffer(number, &writes)?;
            }
            self.disturbed.entry(meeting).or_default().push(number);
        }
        Ok(())
    }

    fn suffer(&mut self, number: usize, writes: &Writes) -> Result<(), Stop> {
        let mut seen = self.reached.states[number].clone();
        let mut values = seen.values.to_vec();
        for (place, value) in writes.iter() {
            values[*place] = *value;
        }
        seen.values = values.into();
        self.add(seen)
    }

    /// Steps, and what they write before the eyes of others.
    fn moves(&mut self, number: usize) -> Result<(), Stop> {
        let seen = self.reached.states[number].clone();
        let instance = self.watchers[seen.watcher];
        let mut state = self.blank.clone();
        state.locations[instance] = seen.at;
        for (cell, value) in self.reached.cells(&seen) {
            state.cells[cell] = value;
        }
        let system = &self.setting.system;
        for edge in self.setting.leaving(instance, seen.at) {
            let taken = &system.template(instance).edges[edge.index()];
            let Some(after) = system.step(&state, instance, taken, &mut |_| None) else { continue };
            self.sure &= matches!(system.eval(&state, instance, &taken.guard), Ok(Some(_)));
            self.see(seen.watcher, &after)?;
            let written = self.written(instance, *edge, &state, &after);
            for watcher in (0..self.watchers.len()).filter(|watcher| *watcher != seen.watcher) {
                let writes = self.noticed(watcher, &written, &after)?;
                if !writes.is_empty() {
                    self.change(self.meeting(&seen, watcher, seen.watcher), writes)?;
                }
            }
        }
        Ok(())
    }

    /// The shared cells that a step writes.
    fn written(&self, instance: usize, edge: EdgeId, before: &State, after: &State) -> Vec<usize> {
        let system = &self.setting.system;
        let mut written = Vec::new();
        for assign in &system.template(instance).edges[edge.index()].assigns {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            let offset = system.offset(instance, *var);
            written.extend(offset..offset + system.var(instance, *var).cells());
        }
        let same =
            |cell: usize| before.cells[cell].is_some() && before.cells[cell] == after.cells[cell];
        written.retain(|cell| *cell < self.shared && !same(*cell));
        written
    }

    /// What a watcher notices of what is written.
    fn noticed(
        &mut self,
        watcher: usize,
        written: &[usize],
        after: &State,
    ) -> Result<Writes, Stop> {
        let mut writes = Vec::new();
        for cell in written {
            let Ok(place) = self.reached.looked_at[watcher].binary_search(cell) else { continue };
            if after.cells[*cell].is_none() {
                return Err(Stop::Vague(*cell));
            }
            writes.push((place, self.reached.values.number(after.cells[*cell]) as u32));
        }
        Ok(writes.into())
    }

    /// Does to all that can be disturbed by it what somebody writes.
    fn change(&mut self, meeting: Meeting, writes: Writes) -> Result<(), Stop> {
        let known = self.changes.entry(meeting.clone()).or_default();
        if !known.contains(&writes) {
            known.push(writes.clone());
            for number in self.disturbed.get(&meeting).cloned().unwrap_or_default() {
                self.suffer(number, &writes)?;
            }
        }
        Ok(())
    }
}
