//! Thread-modular reachability by explicit values: C. Flanagan and S. Qadeer, *Thread-modular model checking*, SPIN 2003.
//!
//! For each tracked instance there are states: its location, and the values of its own and of the shared variables (their `R`).
//! From states come states by its own edges, and by interference: what edges of other threads, taken from states of theirs in which shared
//! variables have the same values, write to shared variables (their `G`). No interference applies to a thread that is at an atomic location.
//!
//! What differs: a thread need not track all variables. One that it does not track may have any value
//! (`ccfa::semantics::ANY`), and an edge from there covers all transitions that are possible with some value.
//! So what is reached covers what would be if more were tracked.

use crate::context::Context;
use crate::ids::{Id, InstanceId, Interner, TrackedId, ValueId};
use ccfa::semantics::{State, Value};
use ccfa::{EdgeId, LocId, LocKind, Place, Var};
use logic::{FastMap, FastSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// For each thread and cell, whether the thread tracks the cell.
pub(crate) type TrackedCells = Vec<Vec<bool>>;

/// A state of one thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ThreadState {
    pub thread: TrackedId,
    pub at: LocId,
    /// The values of the cells that it tracks.
    values: Rc<[ValueId]>,
}

/// All that was reached.
pub(crate) struct ReachedStates {
    pub states: Vec<ThreadState>,
    /// The cells that each thread tracks.
    cells: Vec<Vec<usize>>,
    values: Interner<ValueId, Value>,
}

impl ReachedStates {
    /// The cells that the thread of a state tracks, and their values.
    pub fn cells(&self, state: &ThreadState) -> impl Iterator<Item = (usize, Value)> {
        let values = state.values.iter().map(|value| *self.values.get(*value));
        self.cells[state.thread.index()].iter().copied().zip(values)
    }
}

/// Why the states were not all computed.
pub(crate) enum Incomplete {
    /// An error was reached; definitely, or perhaps only because a value was not known.
    Error { definite: bool },
    /// A shared cell that a thread tracks may have any value.
    AnyValue(usize),
    /// There are more states than allowed, or than there is time for.
    TooMany,
}

/// What an edge writes: positions among the cells that a thread tracks, and values.
type Writes = Rc<[(usize, ValueId)]>;

/// Where interference applies: the thread it applies to, the thread that moves, and the values of the shared cells that both track.
type Guarantee = (TrackedId, TrackedId, Box<[ValueId]>);

pub(crate) struct Explicit<'r, 'p> {
    context: &'r Context<'p>,
    threads: &'r [InstanceId],
    /// So many states are allowed.
    max_states: usize,
    /// So many cells belong to shared variables.
    shared: usize,
    /// For two threads, the shared cells that both track, as positions among those of the first.
    common: Vec<Vec<Vec<usize>>>,
    /// A state of which nothing is known.
    blank: State,
    /// No edge was taken only because a value was not known.
    definite: bool,
    reached: ReachedStates,
    known: FastSet<ThreadState>,
    queue: VecDeque<usize>,
    /// The states to which interference applies.
    exposed: FastMap<Guarantee, Vec<usize>>,
    /// What is written to cells that the other thread tracks.
    interference: FastMap<Guarantee, Vec<Writes>>,
}

impl<'r, 'p> Explicit<'r, 'p> {
    pub fn new(
        context: &'r Context<'p>,
        threads: &'r [InstanceId],
        tracked: &TrackedCells,
        max_states: usize,
    ) -> Explicit<'r, 'p> {
        let shared = context.system.program.shared.iter().map(Var::cells).sum();
        let cells_of =
            |tracks: &Vec<bool>| (0..tracks.len()).filter(|cell| tracks[*cell]).collect();
        let cells: Vec<Vec<usize>> = tracked.iter().map(cells_of).collect();
        let common = |one: &Vec<usize>, other: &Vec<bool>| {
            let positions = one.iter().enumerate();
            positions.filter(|(_, c)| **c < shared && other[**c]).map(|(place, _)| place).collect()
        };
        let of_one = |one| tracked.iter().map(|other| common(one, other)).collect();
        let mut blank = context.system.initial();
        blank.cells.fill(None);
        Explicit {
            context,
            threads,
            max_states,
            shared,
            common: cells.iter().map(of_one).collect(),
            blank,
            definite: true,
            reached: ReachedStates { states: Vec::new(), cells, values: Interner::default() },
            known: FastSet::default(),
            queue: VecDeque::new(),
            exposed: FastMap::default(),
            interference: FastMap::default(),
        }
    }

    /// All states that can be reached.
    pub fn reach(mut self) -> Result<ReachedStates, Incomplete> {
        let start = self.context.system.initial();
        for thread in 0..self.threads.len() {
            self.add_projection(TrackedId(thread), &start)?;
        }
        while let Some(number) = self.queue.pop_front() {
            if self.context.check_budget().is_err() {
                return Err(Incomplete::TooMany);
            }
            self.apply_known_interference(number)?;
            self.take_edges(number)?;
        }
        Ok(self.reached)
    }

    fn others(&self, thread: TrackedId) -> impl Iterator<Item = TrackedId> + use<> {
        (0..self.threads.len()).map(TrackedId).filter(move |other| *other != thread)
    }

    /// Adds what a thread tracks of a state.
    fn add_projection(&mut self, thread: TrackedId, state: &State) -> Result<(), Incomplete> {
        let ReachedStates { cells, values, .. } = &mut self.reached;
        let value = |cell: &usize| match state.cells[*cell] {
            None if *cell < self.shared => Err(Incomplete::AnyValue(*cell)),
            value => Ok(values.intern(value)),
        };
        let values = cells[thread.index()].iter().map(value).collect::<Result<_, _>>()?;
        let at = state.locations[self.threads[thread.index()].index()];
        self.add(ThreadState { thread, at, values })
    }

    fn add(&mut self, state: ThreadState) -> Result<(), Incomplete> {
        if !self.known.insert(state.clone()) {
            return Ok(());
        }
        let template = self.context.template(self.threads[state.thread.index()]);
        if template.locations[state.at.index()].kind != LocKind::Plain {
            return Err(Incomplete::Error { definite: self.definite });
        }
        if self.reached.states.len() == self.max_states {
            return Err(Incomplete::TooMany);
        }
        self.queue.push_back(self.reached.states.len());
        self.reached.states.push(state);
        Ok(())
    }

    /// What `state`, of one of two threads, says of the shared cells that both track.
    fn guarantee(&self, state: &ThreadState, thread: TrackedId, mover: TrackedId) -> Guarantee {
        let other = if state.thread == thread { mover } else { thread };
        let positions = &self.common[state.thread.index()][other.index()];
        (thread, mover, positions.iter().map(|position| state.values[*position]).collect())
    }

    /// Applies the known interference to a new state, and exposes it to interference that is found later.
    fn apply_known_interference(&mut self, number: usize) -> Result<(), Incomplete> {
        let state = self.reached.states[number].clone();
        if self.context.is_atomic(self.threads[state.thread.index()], state.at) {
            return Ok(());
        }
        for mover in self.others(state.thread) {
            let guarantee = self.guarantee(&state, state.thread, mover);
            for writes in self.interference.get(&guarantee).cloned().unwrap_or_default() {
                self.apply(number, &writes)?;
            }
            self.exposed.entry(guarantee).or_default().push(number);
        }
        Ok(())
    }

    /// Applies the writes of another thread to a state.
    fn apply(&mut self, number: usize, writes: &Writes) -> Result<(), Incomplete> {
        let mut state = self.reached.states[number].clone();
        let mut values = state.values.to_vec();
        for (position, value) in writes.iter() {
            values[*position] = *value;
        }
        state.values = values.into();
        self.add(state)
    }

    /// The successors of a state by edges of its thread, and how these interfere with other threads.
    fn take_edges(&mut self, number: usize) -> Result<(), Incomplete> {
        let thread_state = self.reached.states[number].clone();
        let thread = thread_state.thread;
        let instance = self.threads[thread.index()];
        let mut state = self.blank.clone();
        state.locations[instance.index()] = thread_state.at;
        for (cell, value) in self.reached.cells(&thread_state) {
            state.cells[cell] = value;
        }
        let system = &self.context.system;
        for edge in self.context.leaving(instance, thread_state.at) {
            let taken = &system.template(instance.index()).edges[edge.index()];
            let after = system.step(&state, instance.index(), taken, &mut |_| None);
            let Some(after) = after else { continue };
            let guard = system.eval(&state, instance.index(), &taken.guard);
            self.definite &= matches!(guard, Ok(Some(_)));
            self.add_projection(thread, &after)?;
            let written = self.written(instance, *edge, &state, &after);
            for other in self.others(thread) {
                let writes = self.visible_writes(other, &written, &after)?;
                if !writes.is_empty() {
                    self.interfere(self.guarantee(&thread_state, other, thread), writes)?;
                }
            }
        }
        Ok(())
    }

    /// The shared cells that an edge writes.
    fn written(
        &self,
        instance: InstanceId,
        edge: EdgeId,
        before: &State,
        after: &State,
    ) -> Vec<usize> {
        let system = &self.context.system;
        let mut written = Vec::new();
        for assign in &self.context.template(instance).edges[edge.index()].assigns {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            let offset = system.offset(instance.index(), *var);
            written.extend(offset..offset + self.context.var(instance, *var).cells());
        }
        let same =
            |cell: usize| before.cells[cell].is_some() && before.cells[cell] == after.cells[cell];
        written.retain(|cell| *cell < self.shared && !same(*cell));
        written
    }

    /// The writes to cells that a thread tracks.
    fn visible_writes(
        &mut self,
        thread: TrackedId,
        written: &[usize],
        after: &State,
    ) -> Result<Writes, Incomplete> {
        let mut writes = Vec::new();
        for cell in written {
            let Ok(position) = self.reached.cells[thread.index()].binary_search(cell) else {
                continue;
            };
            if after.cells[*cell].is_none() {
                return Err(Incomplete::AnyValue(*cell));
            }
            writes.push((position, self.reached.values.intern(after.cells[*cell])));
        }
        Ok(writes.into())
    }

    /// Adds interference, and applies it to every exposed state.
    fn interfere(&mut self, guarantee: Guarantee, writes: Writes) -> Result<(), Incomplete> {
        let known = self.interference.entry(guarantee.clone()).or_default();
        if !known.contains(&writes) {
            known.push(writes.clone());
            for number in self.exposed.get(&guarantee).cloned().unwrap_or_default() {
                self.apply(number, &writes)?;
            }
        }
        Ok(())
    }
}
