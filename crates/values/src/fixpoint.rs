//! The fixpoint: the states of each thread, by its own steps and by the interference of the others.
//!
//! What is known of a thread at a location is kept apart for each value of some *key* cells (trace partitioning: X. Rival, L. Mauborgne, *The trace
//! partitioning abstract domain*, TOPLAS 2007; a digest, in the words of M. Schwarz and others, *Clustered relational thread-modular
//! abstract interpretation with local traces*, ESOP 2023). So values of cells are related by way of keys and in no other way.
//!
//! Interference of a thread with another: both know something of the shared cells, and in the state in which the one moves, both
//! are right. So the step is taken from what both say. A thread that owns a lock knows that it does, and who writes what the lock protects knows that
//! *it* owns it: both together are impossible, and there is no interference.

use crate::layout::CellLayout;
use crate::ranges::Ranges;
use crate::step::{Cells, Stepper};
use crate::table::{ValueTable, ValuesId};
use ccfa::semantics::System;
use ccfa::{Budget, Edge, EdgeId, LocId, LocKind, VarRef};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// So many pairs of a state and another thread are computed at most: `check` looks at each of them, and would take longer with more than
/// another engine takes for a proof.
const MAX_PAIRS: usize = 20_000;

/// A key cell that may have more values at once keeps no states apart: each of them would be one.
const MAX_SPLIT_VALUES: usize = 32;

/// A state that became larger so often is widened: most that end at all are complete by then.
const MAX_UPDATES: u32 = 24;

/// What each thread looks at.
#[derive(Clone)]
pub(crate) struct Precision {
    /// For each thread and cell: does it follow the cell?
    pub tracked: Vec<Vec<bool>>,
    /// For each thread: the cells that keep states apart.
    pub keys: Vec<Vec<usize>>,
}

/// What is known of a thread at a location.
pub(crate) struct Partition {
    pub thread: usize,
    pub at: LocId,
    pub cells: Cells,
    updates: u32,
    /// Its own steps, and its interference, are still to be computed.
    has_steps_to_take: bool,
    is_to_interfere: bool,
}

/// Why there is no fixpoint.
pub(crate) enum Failed {
    /// There are too many states.
    TooMany,
    /// The budget is exhausted.
    Stopped(ccfa::Stop),
}

/// The program as it is looked at: its instances, and where their cells lie.
pub(crate) struct Threads<'p> {
    pub system: System<'p>,
    pub layouts: Vec<CellLayout>,
    edges_from: Vec<Vec<Vec<EdgeId>>>,
    /// For each instance and edge: the shared cells that it may write.
    written: Vec<Vec<Vec<usize>>>,
    /// Numbers that the program mentions, and their neighbours: where widening stops.
    thresholds: Vec<i128>,
}

impl<'p> Threads<'p> {
    pub fn new(program: &'p ccfa::Program) -> Threads<'p> {
        let system = System::new(program, 0);
        let count = system.instances.len();
        let layouts: Vec<CellLayout> =
            (0..count).map(|one| CellLayout::new(program, &system.template(one).locals)).collect();
        let edges_from = (0..count).map(|one| system.template(one).edges_from()).collect();
        let written = |one: usize| {
            let edges = system.template(one).edges.iter();
            edges.map(|edge| written(&system, &layouts[one], one, edge)).collect()
        };
        let written = (0..count).map(written).collect();
        let thresholds = thresholds(program);
        Threads { layouts, edges_from, written, thresholds, system }
    }

    pub fn count(&self) -> usize {
        self.system.instances.len()
    }

    fn edge(&self, thread: usize, edge: EdgeId) -> &'p Edge {
        &self.system.template(thread).edges[edge.index()]
    }

    fn is_atomic(&self, thread: usize, at: LocId) -> bool {
        self.system.template(thread).locations[at.index()].atomic
    }

    /// Is this no location where the program or the model ends?
    fn is_plain(&self, thread: usize, at: LocId) -> bool {
        self.system.template(thread).locations[at.index()].kind == LocKind::Plain
    }
}

/// The shared cells that an edge may write.
fn written(system: &System, layout: &CellLayout, instance: usize, edge: &Edge) -> Vec<usize> {
    let mut written = Vec::new();
    for assign in &edge.assigns {
        let (var, _) = assign.place.parts();
        if let VarRef::Shared(_) = var {
            written.extend(layout.cells(system, instance, var).into_iter().flatten());
        }
    }
    written
}

fn thresholds(program: &ccfa::Program) -> Vec<i128> {
    let mut numbers = Vec::new();
    for edge in program.templates.iter().flat_map(|template| &template.edges) {
        edge.guard.walk(&mut |part| {
            if let ccfa::Expr::Const(value, _) = part {
                numbers.extend([value - 1, *value, value + 1]);
            }
        });
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The states of all threads.
pub(crate) struct Fixpoint<'a, 'p> {
    threads: &'a Threads<'p>,
    precision: &'a Precision,
    budget: &'a Budget,
    pub table: ValueTable,
    pub partitions: Vec<Partition>,
    numbers: FxHashMap<(usize, LocId, Vec<ValuesId>), usize>,
    of_thread: Vec<Vec<usize>>,
    /// Those with steps to take, and those that are to interfere.
    steps: VecDeque<usize>,
    interference: Vec<usize>,
    /// For a thread, another one and a location of the first: the steps there that write what the other follows.
    visible: Vec<Vec<Vec<Rc<[EdgeId]>>>>,
    /// Does a thread come to a location where it must not come?
    pub fails: bool,
}

/// Computes it. If `until_error`, it ends as soon as a thread comes to a location where it must not come.
pub(crate) fn fixpoint<'a, 'p>(
    threads: &'a Threads<'p>,
    precision: &'a Precision,
    until_error: bool,
    budget: &'a Budget,
) -> Result<Fixpoint<'a, 'p>, Failed> {
    let mut fixpoint = Fixpoint {
        threads,
        precision,
        budget,
        table: ValueTable::new(),
        partitions: Vec::new(),
        numbers: FxHashMap::default(),
        of_thread: vec![Vec::new(); threads.count()],
        steps: VecDeque::new(),
        interference: Vec::new(),
        visible: visible_steps(threads, precision),
        fails: false,
    };
    fixpoint.start()?;
    loop {
        fixpoint.take_steps()?;
        if fixpoint.interference.is_empty() || until_error && fixpoint.fails {
            return Ok(fixpoint);
        }
        fixpoint.interfere_with_each_other()?;
    }
}

/// For a thread, another one and a location of the first: the steps there that write what the other follows.
fn visible_steps(threads: &Threads, precision: &Precision) -> Vec<Vec<Vec<Rc<[EdgeId]>>>> {
    let of_location = |thread: usize, other: usize, edges: &Vec<EdgeId>| {
        let is_visible = |edge: &&EdgeId| {
            let written = &threads.written[thread][edge.index()];
            thread != other && written.iter().any(|cell| precision.tracked[other][*cell])
        };
        edges.iter().filter(is_visible).copied().collect()
    };
    let of_pair = |thread: usize, other: usize| {
        threads.edges_from[thread].iter().map(|edges| of_location(thread, other, edges)).collect()
    };
    let count = threads.count();
    (0..count).map(|one| (0..count).map(|other| of_pair(one, other)).collect()).collect()
}

impl Fixpoint<'_, '_> {
    /// The initial states.
    fn start(&mut self) -> Result<(), Failed> {
        let threads = self.threads;
        let initial = threads.system.initial();
        for thread in 0..threads.count() {
            let layout = &threads.layouts[thread];
            let mut cells: Cells = Vec::with_capacity(layout.places.len());
            for (var, element) in &layout.places {
                let cell = threads.system.offset(thread, *var) + element.unwrap_or(0) as usize;
                cells.push(match initial.cells[cell] {
                    Some(value) => self.table.insert(Ranges::one(value)),
                    None => ValuesId::ANY,
                });
            }
            if let Some(condition) = &threads.system.program.initial {
                // A condition that cannot hold leaves no state; then nothing is reachable, and nothing is lost.
                let _ = self.stepper(thread).assume(&mut cells, condition, true);
            }
            self.add(thread, threads.system.template(thread).entry, cells)?;
        }
        Ok(())
    }

    fn stepper(&mut self, thread: usize) -> Stepper<'_, '_> {
        Stepper {
            system: &self.threads.system,
            instance: thread,
            layout: &self.threads.layouts[thread],
            table: &mut self.table,
        }
    }

    /// All threads take steps of their own, as long as there are new states.
    fn take_steps(&mut self) -> Result<(), Failed> {
        while let Some(number) = self.steps.pop_front() {
            self.budget.check().map_err(Failed::Stopped)?;
            let partition = &mut self.partitions[number];
            partition.has_steps_to_take = false;
            let (thread, at, cells) = (partition.thread, partition.at, partition.cells.clone());
            for edge in &self.threads.edges_from[thread][at.index()] {
                let edge = self.threads.edge(thread, *edge);
                let mut stepper = self.stepper(thread);
                let Some(enabled) = stepper.enabled(&cells, edge) else { continue };
                let Some(after) = stepper.after(&enabled, edge) else { continue };
                self.add(thread, edge.target, after)?;
            }
        }
        Ok(())
    }

    /// What became larger interferes with all others, and all others interfere with it.
    fn interfere_with_each_other(&mut self) -> Result<(), Failed> {
        let changed = std::mem::take(&mut self.interference);
        for number in changed {
            self.budget.check().map_err(Failed::Stopped)?;
            let partition = &mut self.partitions[number];
            partition.is_to_interfere = false;
            let thread = partition.thread;
            for other in (0..self.threads.count()).filter(|other| *other != thread) {
                for place in 0..self.of_thread[other].len() {
                    let other = self.of_thread[other][place];
                    self.interfere(number, other)?;
                    // One that has become larger, too, interferes when it is its turn.
                    if !self.partitions[other].is_to_interfere {
                        self.interfere(other, number)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The steps of the mover, while the other thread is in a state of its own.
    fn interfere(&mut self, mover: usize, other: usize) -> Result<(), Failed> {
        let Partition { thread, at, .. } = self.partitions[mover];
        let edges = self.visible[thread][self.partitions[other].thread][at.index()].clone();
        for edge in edges.iter() {
            self.step_beside(mover, *edge, other)?;
        }
        Ok(())
    }

    /// One of them.
    fn step_beside(&mut self, mover: usize, edge: EdgeId, other: usize) -> Result<(), Failed> {
        let Partition { thread: other_thread, at, .. } = self.partitions[other];
        let thread = self.partitions[mover].thread;
        if self.threads.is_atomic(other_thread, at) || !self.threads.is_plain(other_thread, at) {
            return Ok(());
        }
        let shared = self.threads.layouts[thread].shared;
        let mut both = self.partitions[mover].cells.clone();
        for (cell, known) in both[..shared].iter_mut().zip(&self.partitions[other].cells) {
            *cell = self.table.meet(*cell, *known);
            if *cell == ValuesId::NONE {
                return Ok(());
            }
        }
        let edge = self.threads.edge(thread, edge);
        let mut stepper = self.stepper(thread);
        let Some(enabled) = stepper.enabled(&both, edge) else { return Ok(()) };
        let Some(after) = stepper.after(&enabled, edge) else { return Ok(()) };
        let mut cells = self.partitions[other].cells.clone();
        cells[..shared].copy_from_slice(&after[..shared]);
        self.add(other_thread, at, cells)
    }

    /// A thread may be in this state.
    fn add(&mut self, thread: usize, at: LocId, mut cells: Cells) -> Result<(), Failed> {
        if !self.threads.is_plain(thread, at) {
            self.fails = true;
            return Ok(());
        }
        for (cell, tracked) in cells.iter_mut().zip(&self.precision.tracked[thread]) {
            if !tracked {
                *cell = ValuesId::ANY;
            }
        }
        let mut split = vec![cells];
        for key in &self.precision.keys[thread] {
            split = split.into_iter().flat_map(|cells| self.split(cells, *key)).collect();
        }
        for cells in split {
            self.add_one(thread, at, cells)?;
        }
        Ok(())
    }

    /// The same state for each value of a cell, if these are few.
    fn split(&mut self, cells: Cells, key: usize) -> Vec<Cells> {
        let values = self.table.get(cells[key]).and_then(|values| values.values(MAX_SPLIT_VALUES));
        let Some(values) = values.filter(|values| values.len() > 1) else { return vec![cells] };
        let with = |value: i128| {
            let mut cells = cells.clone();
            cells[key] = self.table.insert(Ranges::one(value));
            cells
        };
        values.into_iter().map(with).collect()
    }

    fn add_one(&mut self, thread: usize, at: LocId, cells: Cells) -> Result<(), Failed> {
        let key = |cell: &usize| match self.table.get(cells[*cell]).and_then(Ranges::single) {
            Some(_) => cells[*cell],
            None => ValuesId::ANY,
        };
        let key: Vec<ValuesId> = self.precision.keys[thread].iter().map(key).collect();
        let new = self.partitions.len();
        let number = *self.numbers.entry((thread, at, key)).or_insert(new);
        if number == new {
            if new * self.threads.count() > MAX_PAIRS {
                return Err(Failed::TooMany);
            }
            self.of_thread[thread].push(new);
            let partition = Partition {
                thread,
                at,
                cells,
                updates: 0,
                has_steps_to_take: false,
                is_to_interfere: false,
            };
            self.partitions.push(partition);
            self.enqueue(new);
            return Ok(());
        }
        let old = &self.partitions[number].cells;
        let mut joined: Cells =
            old.iter().zip(&cells).map(|(old, new)| self.table.join(*old, *new)).collect();
        if joined == *old {
            return Ok(());
        }
        if self.partitions[number].updates >= MAX_UPDATES {
            joined = self.widen(number, joined);
        }
        let partition = &mut self.partitions[number];
        partition.cells = joined;
        partition.updates += 1;
        self.enqueue(number);
        Ok(())
    }

    fn enqueue(&mut self, number: usize) {
        let partition = &mut self.partitions[number];
        if !std::mem::replace(&mut partition.has_steps_to_take, true) {
            self.steps.push_back(number);
        }
        if !std::mem::replace(&mut partition.is_to_interfere, true) {
            self.interference.push(number);
        }
    }

    /// What grew goes on to the next threshold.
    fn widen(&mut self, number: usize, mut cells: Cells) -> Cells {
        let Partition { thread, cells: old, .. } = &self.partitions[number];
        let types = &self.threads.layouts[*thread].types;
        for ((cell, old), ty) in cells.iter_mut().zip(old).zip(types) {
            let (Some(before), Some(after)) = (self.table.get(*old), self.table.get(*cell)) else {
                continue;
            };
            if *old == *cell {
                continue;
            }
            let wide = before.widen(after, &self.threads.thresholds, *ty);
            *cell = match wide == Ranges::of_type(*ty) {
                true => ValuesId::ANY,
                false => self.table.insert(wide),
            };
        }
        cells
    }
}
