//! The search: every reachable state once.
//!
//! Breadth first, the states wait in the order of the store, so the queue is a
//! number, and the first error found is a nearest one (if nothing is reduced).
//! Depth first, the numbers of waiting states lie on a stack.
//!
//! Where an execution ends, at an error or where the model ends, no state is stored: if the
//! search goes on after that, there will be no proof, and of the errors on a
//! real path the first counts. A reduced state from which such a place was
//! reached is expanded in full, so that reduction hides no error behind it.

use crate::concretise::concretise;
use crate::initial::initial_states;
use crate::machine::{Overflow, StepTarget, Successors, Transition};
use crate::rank::{Graph, Ranks};
use crate::reduce::{MAX_INSTANCES, PersistentSets, ThreadSet};
use crate::store::{Full, Store, hash};
use crate::trace::Sketch;
use crate::{CompiledProgram, Explorer, SearchOrder};
use ccfa::{Bad, LocKind};
use engine::{Budget, Counter, Event, Observer};
use evidence::{ClosedSet, Expansion, MAX_PASSED_STATES, Reason, Witness};

/// The parent of an initial state.
const NO_PARENT: u32 = u32::MAX;

/// Successors between two looks at the budget: a few milliseconds of work.
const MAX_UNWATCHED_SUCCESSORS: usize = 1 << 12;

/// States between two events for the observer; a few of them in each second.
const MIN_REPORTED_STATES: usize = 100_000;

/// Steps of reduced states in a row; then a state is expanded in full. No proof
/// needs that, but an endless loop must not hide what others do.
const MAX_REDUCED_STEPS: u32 = 1 << 12;

/// Steps that may be spent on values for errors behind `ANY`: about a second of work.
const MAX_CONCRETE_STEPS: usize = 1_000_000;

/// A search under way.
pub(crate) struct StateSearch<'a> {
    pub model: &'a CompiledProgram<'a>,
    options: Explorer,
    asks_deadlocks: bool,
    reduction: Option<PersistentSets<'a>>,
    pub store: Store,
    /// For each state, by which it was found.
    parents: Vec<u32>,
    /// With reduction: for each state, whose steps were taken. While the search
    /// runs, a rank is the number of steps since a state expanded in full.
    expansions: Vec<Expansion>,
    ranks: Ranks,
    /// Breadth first: the next state to expand. Depth first: how many were.
    expanded: u32,
    /// Depth first: the states to expand.
    stack: Vec<u32>,
    pub successors: Successors,
    /// Where a successor goes on alone.
    passing: Successors,
    hashes: Vec<u32>,
    /// Successors since the last look at the budget.
    work: usize,
    /// Were single executions tried, or need not be?
    pub probed: bool,
    /// How many states there were when the observer was told.
    told: usize,
    /// What is left of `MAX_CONCRETE_STEPS`.
    fuel: usize,
    /// What stands between us and a proof.
    pub obstacles: Obstacles,
}

/// The first of each kind found.
#[derive(Default)]
pub(crate) struct Obstacles {
    pub model_end: Option<Reason>,
    pub open_error: Option<Reason>,
}

impl Obstacles {
    /// What stands in the way, if anything does: model limits say most.
    pub fn reason(&self) -> Option<Reason> {
        self.model_end.clone().or_else(|| self.open_error.clone())
    }
}

/// Why a search ended early.
pub(crate) enum Ended {
    Error(Witness),
    Gave(Reason),
}

impl From<Overflow> for Ended {
    fn from(_: Overflow) -> Ended {
        Ended::Gave(Reason::Beyond("a mathematical integer outgrew 64 bits".into()))
    }
}

impl From<Full> for Ended {
    fn from(_: Full) -> Ended {
        Ended::Gave(Reason::OutOfMemory)
    }
}

impl<'a> StateSearch<'a> {
    pub fn new(
        model: &'a CompiledProgram<'a>,
        options: &Explorer,
        reduction: Option<PersistentSets<'a>>,
    ) -> Self {
        StateSearch {
            model,
            options: *options,
            asks_deadlocks: model.system.program.property.deadlocks,
            reduction,
            store: Store::new(model.layout.words),
            parents: Vec::new(),
            expansions: Vec::new(),
            ranks: Ranks::default(),
            expanded: 0,
            stack: Vec::new(),
            successors: Successors::default(),
            passing: Successors::default(),
            hashes: Vec::new(),
            work: 0,
            probed: !model.system.program.property.deadlocks
                || model.system.instances.len() > MAX_INSTANCES,
            told: 0,
            fuel: MAX_CONCRETE_STEPS,
            obstacles: Obstacles::default(),
        }
    }

    /// Searches until an error, the end of the budget or the last state.
    pub fn run(&mut self, budget: &Budget, observer: &mut dyn Observer) -> Result<(), Ended> {
        self.start()?;
        loop {
            while let Some(state) = self.next() {
                if self.work >= MAX_UNWATCHED_SUCCESSORS {
                    self.poll(budget, observer)?;
                    self.probe_once(budget)?;
                }
                match self.expand_reduced(state)? {
                    Some(set) if self.settle(state)? => self.note(state, set),
                    done => self.expand_rest(state, done)?,
                }
            }
            let closing = self.find_cycles(budget)?;
            if closing.is_empty() {
                return Ok(());
            }
            for (state, done) in closing {
                self.expand_rest(state, Some(done))?;
            }
        }
    }

    fn next(&mut self) -> Option<u32> {
        let state = match self.options.order {
            SearchOrder::BreadthFirst => {
                Some(self.expanded).filter(|&state| (state as usize) < self.store.len())?
            }
            SearchOrder::DepthFirst => self.stack.pop()?,
        };
        self.expanded += 1;
        Some(state)
    }

    /// Finds the successors by the threads of a small set that suffices.
    fn expand_reduced(&mut self, state: u32) -> Result<Option<ThreadSet>, Ended> {
        let Some(reduction) = &mut self.reduction else { return Ok(None) };
        reduction.in_haste = self.store.len() >= self.options.keep;
        let words = self.store.state(state);
        let has_gone_on = self.expansions[state as usize].rank >= MAX_REDUCED_STEPS;
        if has_gone_on || self.model.machine.atomic_instance(words).is_some() {
            return Ok(None);
        }
        Ok(reduction.expand(self.model, words, &mut self.successors)?)
    }

    /// Finds and stores the successors by all threads but those of `done`.
    fn expand_rest(&mut self, state: u32, done: Option<ThreadSet>) -> Result<(), Ended> {
        match done {
            Some(set) => {
                let (machine, words) = (&self.model.machine, self.store.state(state));
                self.successors.clear();
                machine.expand_set(words, !set, &mut self.successors)?;
            }
            None => self.expand_all(state)?,
        }
        if let Some(expansion) = self.expansions.get_mut(state as usize) {
            expansion.rank = 0;
        }
        self.settle(state)?;
        Ok(())
    }

    /// Finds the successors by all threads; there may be none.
    pub fn expand_all(&mut self, state: u32) -> Result<(), Ended> {
        let (machine, words) = (&self.model.machine, self.store.state(state));
        self.successors.clear();
        machine.expand(words, &mut self.successors)?;
        self.look_for_deadlock(state)
    }

    /// Another search in the same program, from the start and without reduction.
    pub fn another(&self) -> StateSearch<'a> {
        StateSearch::new(self.model, &self.options, None)
    }

    /// A state that was expanded in full may be a deadlock.
    fn look_for_deadlock(&mut self, state: u32) -> Result<(), Ended> {
        let model = self.model;
        let has_any = || model.has_any(self.store.state(state));
        if !self.asks_deadlocks || !self.successors.moves.is_empty() && !has_any() {
            return Ok(());
        }
        let unpacked = model.layout.unpack(self.store.state(state));
        if model.system.bad(&unpacked) != Some(Bad::Deadlock) {
            return Ok(());
        }
        let sketch = self.sketch(state, None)?;
        match concretise(&model.system, &sketch, &mut self.fuel) {
            Some(witness) => Err(Ended::Error(witness)),
            None => {
                self.open("a deadlock can happen");
                Ok(())
            }
        }
    }

    /// Stores the successors. Did the execution end at none of them?
    fn settle(&mut self, state: u32) -> Result<bool, Ended> {
        let mut goes_on = true;
        self.work += 1 + self.successors.moves.len();
        let words = self.model.layout.words;
        self.hashes.clear();
        for next in self.successors.words.chunks_exact(words) {
            let hash = hash(next);
            self.store.prepare(hash);
            self.hashes.push(hash);
        }
        for number in 0..self.successors.moves.len() {
            let by = self.successors.moves[number];
            if by.reaches != StepTarget::Plain {
                self.reach_end(state, by)?;
                goes_on = false;
                continue;
            }
            let (found, new) = match self.passed(number)? {
                Some(behind) => self.store.insert(&behind, hash(&behind))?,
                None => {
                    let next = &self.successors.words[number * words..][..words];
                    self.store.insert(next, self.hashes[number])?
                }
            };
            if new {
                self.enter(found, state);
            }
        }
        Ok(goes_on)
    }

    /// The state that is stored in the place of a successor, if some are left out (`between`).
    fn passed(&mut self, number: usize) -> Result<Option<Vec<u64>>, Ended> {
        let (model, words) = (self.model, self.model.layout.words);
        let Some(reduction) = &mut self.reduction else { return Ok(None) };
        if self.store.len() < self.options.keep {
            return Ok(None);
        }
        let instance = self.successors.moves[number].instance as usize;
        // Behind a state that is left out there must be one that has a rank: at no atomic location.
        let mut behind: Option<Vec<u64>> = None;
        let mut here = self.successors.words[number * words..][..words].to_vec();
        for passed in 0..=MAX_PASSED_STATES {
            if model.machine.atomic_instance(&here).is_none() {
                if passed > 0 {
                    behind.get_or_insert_default().clone_from(&here);
                }
                if self.store.find(&here, hash(&here)).is_some() {
                    break;
                }
            }
            if !reduction.passes(model, &here, instance, &mut self.passing)? {
                break;
            }
            here.copy_from_slice(&self.passing.words);
            self.work += 1;
        }
        Ok(behind)
    }

    pub fn enter(&mut self, state: u32, parent: u32) {
        self.parents.push(parent);
        if self.options.order == SearchOrder::DepthFirst {
            self.stack.push(state);
        }
        if self.reduction.is_some() {
            let parent = self.expansions.get(parent as usize);
            let rank = parent.map_or(0, |parent| parent.rank + 1);
            self.expansions.push(Expansion { persistent_set: 0, rank });
        }
    }

    /// Remembers that `state` was expanded by the threads of `set` only.
    fn note(&mut self, state: u32, set: ThreadSet) {
        if let Some(reduction) = &mut self.reduction {
            self.expansions[state as usize].persistent_set = reduction.number(set);
        }
    }

    /// Reduced states that close a cycle of such; they are reduced no more.
    fn find_cycles(&mut self, budget: &Budget) -> Result<Vec<(u32, ThreadSet)>, Ended> {
        let Some(reduction) = &self.reduction else { return Ok(Vec::new()) };
        let (machine, store) = (&self.model.machine, &self.store);
        let graph = Graph { machine, store, reduction, budget };
        self.ranks.update(&graph, &mut self.expansions)
    }

    /// Stores the initial states.
    pub fn start(&mut self) -> Result<(), Ended> {
        let model = self.model;
        let instances = 0..model.system.instances.len();
        let entries: Vec<_> = instances
            .map(|instance| {
                let template = model.system.template(instance);
                &template.locations[template.entry.index()]
            })
            .collect();
        let starts_in_error = entries.iter().any(|entry| matches!(entry.kind, LocKind::Error(_)));
        let model_end = entries
            .iter()
            .find(|entry| matches!(entry.kind, LocKind::Limit(..) | LocKind::Undefined(_)));
        let mut words = vec![0; model.layout.words];
        initial_states(&model.system, |state| {
            model.layout.pack(state, &mut words).ok_or(Overflow)?;
            if let Some(entry) = model_end {
                self.reach_model_end(entry);
                return Ok(());
            }
            if starts_in_error {
                let sketch = Sketch::new(model, &[&words], None)?;
                return self.reach_error(&sketch);
            }
            let (found, new) = self.store.insert(&words, hash(&words))?;
            if new {
                self.enter(found, NO_PARENT);
            }
            Ok(())
        })
    }

    /// A step from `state` leads to an error or to where the model ends.
    fn reach_end(&mut self, state: u32, by: Transition) -> Result<(), Ended> {
        let template = self.model.system.template(by.instance as usize);
        let edge = &template.edges[self.model.machine.step(by).edge.index()];
        let end = &template.locations[edge.target.index()];
        match by.reaches {
            StepTarget::Error if self.fuel > 0 => {
                let sketch = self.sketch(state, Some(by))?;
                self.reach_error(&sketch)
            }
            StepTarget::ModelEnd if self.obstacles.model_end.is_none() => {
                if self.is_shown(state, by)? {
                    self.reach_model_end(end);
                } else {
                    let is_undefined = matches!(end.kind, LocKind::Undefined(_));
                    self.open(if is_undefined {
                        "behaviour is undefined"
                    } else {
                        "the model ends"
                    });
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The path to a state and perhaps a step from there.
    fn sketch(&self, state: u32, by: Option<Transition>) -> Result<Sketch, Overflow> {
        let mut path = vec![state];
        while let Some(&parent) = path.last().map(|&last| &self.parents[last as usize])
            && parent != NO_PARENT
        {
            path.push(parent);
        }
        let states: Vec<_> = path.iter().rev().map(|&state| self.store.state(state)).collect();
        Sketch::new(self.model, &states, by)
    }

    /// Is there an execution with values that takes a step from a state?
    fn is_shown(&mut self, state: u32, by: Transition) -> Result<bool, Overflow> {
        if self.fuel == 0 {
            return Ok(false);
        }
        let sketch = self.sketch(state, Some(by))?;
        Ok(concretise(&self.model.system, &sketch, &mut self.fuel).is_some())
    }

    fn reach_error(&mut self, sketch: &Sketch) -> Result<(), Ended> {
        if let Some(witness) = concretise(&self.model.system, sketch, &mut self.fuel) {
            return Err(Ended::Error(witness));
        }
        self.open("an error is reachable");
        Ok(())
    }

    /// Something bad may be there, but no execution shows it.
    fn open(&mut self, what: &str) {
        self.obstacles.open_error.get_or_insert_with(|| {
            Reason::Beyond(format!("needs an engine that reasons about values: {what} if some arbitrary values can be chosen well, and no such values were found"))
        });
    }

    fn reach_model_end(&mut self, location: &ccfa::Location) {
        if self.obstacles.model_end.is_none() {
            self.obstacles.model_end = Reason::of_limit(location);
        }
    }

    fn poll(&mut self, budget: &Budget, observer: &mut dyn Observer) -> Result<(), Ended> {
        self.work = 0;
        budget.check().map_err(|stop| Ended::Gave(stop.into()))?;
        if self.store.len() >= self.told + MIN_REPORTED_STATES {
            self.told = self.store.len();
            let states = self.told as u64;
            let waiting = states - u64::from(self.expanded);
            observer.event(Event::Counters(&[
                Counter { name: "states", value: states },
                Counter { name: "waiting", value: waiting },
            ]));
        }
        Ok(())
    }

    /// The states as a proof.
    pub fn into_proof(mut self) -> ClosedSet {
        let states = self.store.len();
        let persistent_sets = match self.reduction {
            Some(reduction) => {
                for (number, expansion) in self.expansions.iter_mut().enumerate() {
                    expansion.rank = self.ranks.get(number);
                }
                reduction.sets()
            }
            None => {
                drop(self.parents);
                self.expansions = vec![Expansion::default(); states];
                vec![(0..self.model.system.instances.len()).collect()]
            }
        };
        ClosedSet {
            any_cells: self.model.any_cells.clone(),
            states: self.store.into_states(),
            expansions: self.expansions,
            persistent_sets,
        }
    }
}
