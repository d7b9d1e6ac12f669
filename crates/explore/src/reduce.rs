//! Partial-order reduction: sets of threads whose steps suffice (persistent
//! sets; Godefroid, *Partial-Order Methods*, LNCS 1032, chapter 4).
//!
//! A set of threads is closed if no edge that leaves the present location of a
//! member, enabled or not, conflicts with an edge that a thread outside can ever
//! come to. The closure of each single thread is computed from the access summaries
//! of `ccfa::footprint` (next and future accesses of a location); the smallest comes
//! first. Where that leaves several successors, what the state knows of indices and of blocked threads is asked (`ccfa::lookahead`):
//! from each thread that can move on, with one more thread as long as one outside gets in the way; the set with the
//! fewest successors is taken. Who never gains by that stops asking.
//!
//! `evidence::ClosedSet` states the four conditions, and `check::closed`
//! proves that they suffice. Here: (3) is the closure; (2) the search does not ask when an instance is
//! at an atomic location; (1) a set counts only if a step of it may be enabled; (4) is the task of [`crate::rank`].

use crate::CompiledProgram;
use crate::machine::{Machine, Overflow, StepTarget, Successors};
use ccfa::LocId;
use ccfa::footprint::{AccessSummaries, AccessSummary, Footprint};
use ccfa::lookahead::Lookahead;
use ccfa::semantics::{State, System};
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// A set of instances, as a mask.
pub(crate) type ThreadSet = u128;

/// Instances of a program that is reduced or tried: sets of more would not be masks.
pub(crate) const MAX_INSTANCES: usize = ThreadSet::BITS as usize;

/// The static tables, and the sets of threads in use.
pub(crate) struct PersistentSets<'p> {
    /// For each instance and location: the class of what its next edges access.
    next: Vec<Vec<u32>>,
    /// For each instance and location: the class of all it may ever access.
    future: Vec<Vec<u32>>,
    /// For each instance and location: may an edge enter an atomic location?
    enters_atomic: Vec<Vec<bool>>,
    /// `next` class × `future` class: do they conflict?
    conflicts: Vec<bool>,
    futures: usize,
    numbers: HashMap<ThreadSet, u32>,
    /// The sets in use, by number; the first is all threads.
    masks: Vec<ThreadSet>,
    locations: Vec<usize>,
    candidates: Vec<ThreadSet>,
    ahead: Lookahead<'p>,
    /// Are there so many states that sets are found in haste?
    pub in_haste: bool,
    /// In how many states looking ahead was tried, and in how many it left fewer successors.
    tried: usize,
    helped: usize,
    /// How many pairs of threads it has compared.
    compared: Cell<usize>,
}

/// States in which looking ahead is tried before it must have helped: most programs show by then whether it does.
const MIN_TRIES: usize = 500;
/// States in which it is tried for each in which it helps: with more, it would take longer than what it saves.
const MAX_TRIES: usize = 8;
/// States of single threads that looking ahead follows beside [`MAX_TRIES`] for each state in which it helps: more would take longer than a second.
const MAX_FOLLOWED_STATES: usize = 300_000;
/// Pairs of threads that looking ahead compares beside [`MIN_PAIRS`] for each state in which it helps: more would take longer than half a second.
const MAX_COMPARED_PAIRS: usize = 4_000_000;
/// Pairs that it may compare for each state in which it helps: so many are there if the largest number of threads is looked at once.
const MIN_PAIRS: usize = MAX_INSTANCES * MAX_INSTANCES;

impl<'p> PersistentSets<'p> {
    /// The tables for a system, if it is small enough: sets are masks.
    pub fn new(system: &System<'p>) -> Option<PersistentSets<'p>> {
        let count = system.instances.len();
        if !(2..=MAX_INSTANCES).contains(&count) {
            return None;
        }
        let ahead = Lookahead::new(system, &[]);
        let summaries = &ahead.summaries;
        let (mut nexts, mut futures) = (Classes::default(), Classes::default());
        Some(PersistentSets {
            next: table(system, summaries, |summary| nexts.number(&summary.next)),
            future: table(system, summaries, |summary| futures.number(&summary.future)),
            enters_atomic: table(system, summaries, |summary| summary.enters_atomic),
            conflicts: nexts.conflicts(&futures),
            futures: futures.all.len(),
            numbers: HashMap::new(),
            masks: vec![ThreadSet::MAX >> (MAX_INSTANCES - count)],
            locations: Vec::new(),
            candidates: Vec::new(),
            tried: 0,
            helped: 0,
            compared: Cell::default(),
            in_haste: false,
            ahead,
        })
    }

    /// Finds the successors of a state by the threads of a set that suffices. No instance is at an atomic location.
    pub fn expand(
        &mut self,
        model: &CompiledProgram,
        state: &[u64],
        successors: &mut Successors,
    ) -> Result<Option<ThreadSet>, Overflow> {
        let mut best = None;
        for &set in self.candidates(&model.machine, state) {
            best = choices(model, state, set, successors)?.map(|choices| (choices, set));
            if best.is_some() {
                break;
            }
        }
        if best.is_none_or(|(choices, _)| choices > 1) && self.looks_ahead() {
            let better = self.look_ahead(model, state, successors)?;
            let helps = better.is_some_and(|(new, _)| best.is_none_or(|(old, _)| new < old));
            (self.tried, self.helped) = (self.tried + 1, self.helped + usize::from(helps));
            best = if helps { better } else { best };
        }
        if let Some((_, set)) = best {
            choices(model, state, set, successors)?;
        }
        Ok(best.map(|(_, set)| set))
    }

    /// Is it still worth it?
    fn looks_ahead(&self) -> bool {
        let most_pairs = MAX_COMPARED_PAIRS + self.helped * MIN_PAIRS;
        let is_cheap = self.ahead.followed.get() < MAX_FOLLOWED_STATES + self.helped * MAX_TRIES
            && self.compared.get() < most_pairs;
        is_cheap && self.helped * MAX_TRIES + MIN_TRIES > self.tried
    }

    /// The set with the fewest successors that looking ahead shows to be persistent, and how many these are. None if
    /// a thread comes to an error or where the model ends: to put that off would be right, but it is what we look for. Threads at
    /// heads of loops come last: they could go round for long while others wait.
    fn look_ahead(
        &self,
        model: &CompiledProgram,
        state: &[u64],
        successors: &mut Successors,
    ) -> Result<Option<(usize, ThreadSet)>, Overflow> {
        successors.clear();
        model.machine.expand(state, successors)?;
        if successors.moves.iter().any(|by| by.reaches != StepTarget::Plain) {
            return Ok(None);
        }
        let unpacked = model.layout.unpack(state);
        let ahead = StateAhead::new(&self.ahead, &unpacked, successors, self.in_haste);
        let mut best: Option<(usize, ThreadSet)> = None;
        let is_head = |i: usize| self.ahead.summaries.of(i, unpacked.locations[i]).head;
        let mut order: Vec<usize> = (0..self.locations.len()).collect();
        order.sort_by_key(|i| is_head(*i));
        let mut looked_at: ThreadSet = 0;
        for instance in order {
            let is_known = looked_at >> instance & 1 != 0;
            if is_known || choices(model, state, 1 << instance, successors)?.is_none() {
                continue;
            }
            let mut ours = vec![instance];
            let mut others: Vec<usize> =
                (0..self.locations.len()).filter(|i| *i != instance).collect();
            ahead.add_neighbours(&mut ours, &mut others);
            // Whichever of them comes first, the others are added.
            looked_at |= as_set(&ours);
            while !others.is_empty()
                && best.is_none_or(|(old, _)| ahead.choices(&ours) < old)
                && let Some(other) =
                    self.ahead.conflicting(&unpacked, &ours, &others, false).first()
            {
                self.compared.set(self.compared.get() + others.len() * others.len());
                if !self.looks_ahead() {
                    return Ok(best);
                }
                ours.push(*other);
                others.retain(|i| i != other);
                ahead.add_neighbours(&mut ours, &mut others);
            }
            let set = as_set(&ours);
            let found = choices(model, state, set, successors)?.filter(|_| !others.is_empty());
            if let Some(choices) = found
                && best.is_none_or(|(old, _)| choices < old)
            {
                best = Some((choices, set));
                if choices == 1 {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// May a state in which one instance has just come where it is be left out (`between`)? Then it goes on alone, to one state, which is found.
    pub fn passes(
        &mut self,
        model: &CompiledProgram,
        state: &[u64],
        instance: usize,
        next: &mut Successors,
    ) -> Result<bool, Overflow> {
        if choices(model, state, 1 << instance, next)? != Some(1)
            || next.moves[0].reaches != StepTarget::Plain
        {
            return Ok(false);
        }
        if let Some(only) = model.machine.atomic_instance(state) {
            return Ok(only == instance);
        }
        self.locate(&model.machine, state);
        if self.closure(instance) == Some(1 << instance) {
            return Ok(true);
        }
        if !self.looks_ahead() {
            return Ok(false);
        }
        let unpacked = model.layout.unpack(state);
        let others: Vec<usize> = (0..self.locations.len()).filter(|i| *i != instance).collect();
        self.compared.set(self.compared.get() + others.len() * others.len());
        let alone = self.ahead.conflicting(&unpacked, &[instance], &others, false).is_empty();
        (self.tried, self.helped) = (self.tried + 1, self.helped + usize::from(alone));
        Ok(alone)
    }

    /// The closed sets of threads, smallest first, that are not all threads.
    pub fn candidates(&mut self, machine: &Machine, state: &[u64]) -> &[ThreadSet] {
        self.locate(machine, state);
        self.candidates.clear();
        for instance in 0..self.locations.len() {
            if let Some(set) = self.closure(instance)
                && !self.candidates.contains(&set)
            {
                self.candidates.push(set);
            }
        }
        self.candidates.sort_by_key(|set| set.count_ones());
        &self.candidates
    }

    fn locate(&mut self, machine: &Machine, state: &[u64]) {
        self.locations.clear();
        self.locations.extend(machine.processes.iter().map(|process| process.location(state)));
    }

    /// The smallest closed set with this thread; `None` if it is of no use.
    fn closure(&self, instance: usize) -> Option<ThreadSet> {
        let count = self.locations.len();
        let all = ThreadSet::MAX >> (MAX_INSTANCES - count);
        let (mut set, mut open): (ThreadSet, ThreadSet) = (1 << instance, 1 << instance);
        while open != 0 {
            let member = open.trailing_zeros() as usize;
            open &= open - 1;
            if self.enters_atomic[member][self.locations[member]] {
                return None;
            }
            let row = self.next[member][self.locations[member]] as usize * self.futures;
            for other in 0..count {
                let column = self.future[other][self.locations[other]] as usize;
                if set >> other & 1 == 0 && self.conflicts[row + column] {
                    set |= 1 << other;
                    open |= 1 << other;
                }
            }
            if set == all {
                return None;
            }
        }
        Some(set)
    }

    /// The number of a set in the proof.
    pub fn number(&mut self, set: ThreadSet) -> u32 {
        *self.numbers.entry(set).or_insert_with(|| {
            self.masks.push(set);
            self.masks.len() as u32 - 1
        })
    }

    /// The set with a number.
    pub fn mask(&self, number: u32) -> ThreadSet {
        self.masks[number as usize]
    }

    /// The sets by number.
    pub fn sets(&self) -> Vec<Vec<usize>> {
        let members = |mask: &ThreadSet| {
            (0..MAX_INSTANCES).filter(|member| mask >> member & 1 != 0).collect()
        };
        self.masks.iter().map(members).collect()
    }
}

/// What is next in a state.
struct StateAhead {
    /// For each instance: what its first block touches. Empty if there is time to look closely.
    blocks: Vec<Rc<Footprint>>,
    /// For each instance: how many successors it has.
    successors: Vec<usize>,
}

impl StateAhead {
    fn new(ahead: &Lookahead, state: &State, all: &Successors, in_haste: bool) -> StateAhead {
        let instances = 0..if in_haste { state.locations.len() } else { 0 };
        let blocks = instances.map(|i| ahead.future(state, i, &ahead.abstracted, true)).collect();
        let mut successors = vec![0; state.locations.len()];
        all.moves.iter().for_each(|by| successors[by.instance as usize] += 1);
        StateAhead { blocks, successors }
    }

    /// In haste, adds those of the others that can move now, and whose first block conflicts with one of ours: most of them get in the way for as long as they
    /// are outside. (Not all: of a block, edges count that cannot be taken.)
    fn add_neighbours(&self, ours: &mut Vec<usize>, others: &mut Vec<usize>) {
        let mut next = if self.blocks.is_empty() { ours.len() } else { 0 };
        while let Some(one) = ours.get(next).copied() {
            others.retain(|other| {
                let is_apart = self.successors[*other] == 0
                    || !self.blocks[one].conflicts(&self.blocks[*other]);
                if !is_apart {
                    ours.push(*other);
                }
                is_apart
            });
            next += 1;
        }
    }

    /// How many successors these have.
    fn choices(&self, ours: &[usize]) -> usize {
        ours.iter().map(|i| self.successors[*i]).sum()
    }
}

fn as_set(instances: &[usize]) -> ThreadSet {
    instances.iter().fold(0, |set, i| set | 1 << i)
}

/// Finds the successors by the threads of a set, and says how many there are, if one of these can move. (Where deadlocks are asked for,
/// that must be certain.)
fn choices(
    model: &CompiledProgram,
    state: &[u64],
    set: ThreadSet,
    successors: &mut Successors,
) -> Result<Option<usize>, Overflow> {
    successors.clear();
    model.machine.expand_set(state, set, successors)?;
    let mut can_move = !successors.moves.is_empty();
    if can_move && model.system.program.property.deadlocks && model.has_any(state) {
        let unpacked = model.layout.unpack(state);
        can_move = successors.moves.iter().any(|by| {
            by.reaches == StepTarget::Plain
                && !model.system.may_be_blocked(&unpacked, by.instance as usize)
        });
    }
    Ok(can_move.then_some(successors.moves.len()))
}

/// For each instance and location.
fn table<T>(
    system: &System,
    summaries: &AccessSummaries,
    mut entry: impl FnMut(&AccessSummary) -> T,
) -> Vec<Vec<T>> {
    let mut row = |instance: usize| {
        let locations = (0..system.template(instance).locations.len() as u32).map(LocId);
        locations.map(|at| entry(summaries.of(instance, at))).collect()
    };
    (0..system.instances.len()).map(&mut row).collect()
}

/// Numbers for distinct footprints: locations share them a lot.
#[derive(Default)]
struct Classes {
    numbers: HashMap<Footprint, u32>,
    all: Vec<Footprint>,
}

impl Classes {
    fn number(&mut self, footprint: &Footprint) -> u32 {
        if let Some(number) = self.numbers.get(footprint) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.numbers.insert(footprint.clone(), number);
        self.all.push(footprint.clone());
        number
    }

    fn conflicts(&self, futures: &Classes) -> Vec<bool> {
        let row = |next| futures.all.iter().map(move |future: &Footprint| future.conflicts(next));
        self.all.iter().flat_map(row).collect()
    }
}
