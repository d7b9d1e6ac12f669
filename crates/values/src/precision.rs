//! What threads look at: which cells they follow, and which of them keep states apart.

use crate::fixpoint::{Fixpoint, Precision, Threads};
use crate::ranges::Ranges;
use crate::step::{Cells, Stepper};
use ccfa::{Expr, Place, Rhs, VarRef};
use std::collections::{BTreeMap, BTreeSet};

/// A shared cell with more values than this keeps no states apart: it counts, or it is data.
const MAX_VALUES_OF_SHARED_KEYS: usize = 12;

/// A local cell may have more of them: loops with this many rounds are followed round by round.
const MAX_VALUES_OF_LOCAL_KEYS: usize = 300;

/// So many cells keep the states of a thread apart at most: their values multiply.
const MAX_KEYS: usize = 8;

/// Which cells keep states apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    Shared,
    Locals,
    Both,
}

/// What is tried, the cheapest first.
pub(crate) const ATTEMPTS: [Keys; 3] = [Keys::Shared, Keys::Locals, Keys::Both];

/// Everything is followed, and nothing keeps states apart.
pub(crate) fn coarsest(threads: &Threads) -> Precision {
    let all = |one: usize| vec![true; threads.layouts[one].places.len()];
    let tracked = (0..threads.count()).map(all).collect();
    Precision { tracked, keys: vec![Vec::new(); threads.count()] }
}

/// What a thread accesses, as far as a fixpoint knows.
struct Accessed {
    /// Cells that guards read, at an element that is known.
    guards: BTreeSet<usize>,
    /// Cells that are read or written.
    all: BTreeSet<usize>,
}

/// The precision after a fixpoint that left too much open: with keys of this kind. A thread follows what it accesses.
pub(crate) fn with_keys(fixpoint: &mut Fixpoint, threads: &Threads, keys: Keys) -> Precision {
    let mut precision = only_accessed(fixpoint, threads, &coarsest(threads));
    for thread in 0..threads.count() {
        let shared = threads.layouts[thread].shared;
        let values = values(fixpoint, threads, thread);
        let guards = accessed(fixpoint, threads, thread).guards;
        let is_key = |cell: &usize| {
            let (wanted, most) = match *cell < shared {
                true => (matches!(keys, Keys::Shared | Keys::Both), MAX_VALUES_OF_SHARED_KEYS),
                false => (matches!(keys, Keys::Locals | Keys::Both), MAX_VALUES_OF_LOCAL_KEYS),
            };
            let values = values.get(cell).and_then(|values| values.values(most));
            wanted && values.is_some_and(|values| values.len() > 1)
        };
        let guards = guards.into_iter().filter(is_key).collect();
        let sources = sources(threads, thread, guards);
        let mut chosen: Vec<usize> = sources.into_iter().filter(is_key).collect();
        // Those with few values first.
        chosen.sort_by_key(|cell| values[cell].values(MAX_VALUES_OF_LOCAL_KEYS).map(|v| v.len()));
        chosen.truncate(MAX_KEYS);
        precision.keys[thread] = chosen;
    }
    precision
}

/// These cells, and the scalars of the thread that they are computed from: a counter may be kept in another variable for a step.
fn sources(threads: &Threads, thread: usize, mut cells: BTreeSet<usize>) -> BTreeSet<usize> {
    let layout = &threads.layouts[thread];
    let cell = |var| layout.cells(&threads.system, thread, var).map(|cells| cells.start);
    loop {
        let before = cells.len();
        for assign in threads.system.template(thread).edges.iter().flat_map(|edge| &edge.assigns) {
            let (Place::Var(target), Rhs::Expr(value)) = (&assign.place, &assign.value) else {
                continue;
            };
            if cell(*target).is_some_and(|target| cells.contains(&target)) {
                value.walk(&mut |part| {
                    if let Expr::Var(var @ VarRef::Local(_)) = part {
                        cells.extend(cell(*var));
                    }
                });
            }
        }
        if cells.len() == before {
            return cells;
        }
    }
}

/// The same, but each thread follows only the shared cells that it accesses, as far as the fixpoint knows.
pub(crate) fn only_accessed(
    fixpoint: &mut Fixpoint,
    threads: &Threads,
    precision: &Precision,
) -> Precision {
    let mut less = precision.clone();
    for thread in 0..threads.count() {
        let all = accessed(fixpoint, threads, thread).all;
        let shared = threads.layouts[thread].shared;
        for cell in 0..shared {
            let is_key = precision.keys[thread].contains(&cell);
            less.tracked[thread][cell] = is_key || all.contains(&cell);
        }
    }
    less
}

/// All values that each cell of a thread has somewhere.
fn values(fixpoint: &Fixpoint, threads: &Threads, thread: usize) -> BTreeMap<usize, Ranges> {
    let mut values: BTreeMap<usize, Ranges> = BTreeMap::new();
    for partition in fixpoint.partitions.iter().filter(|one| one.thread == thread) {
        for (cell, id) in partition.cells.iter().enumerate() {
            let ty = threads.layouts[thread].types[cell];
            let known = fixpoint.table.get(*id).cloned().unwrap_or_else(|| Ranges::of_type(ty));
            let all = values.entry(cell).or_insert(Ranges::EMPTY);
            *all = all.join(&known);
        }
    }
    values
}

/// The cells that the steps of a thread access.
fn accessed(fixpoint: &mut Fixpoint, threads: &Threads, thread: usize) -> Accessed {
    let mut accessed = Accessed { guards: BTreeSet::new(), all: BTreeSet::new() };
    let template = threads.system.template(thread);
    for partition in fixpoint.partitions.iter().filter(|one| one.thread == thread) {
        let stepper = Stepper {
            system: &threads.system,
            instance: thread,
            layout: &threads.layouts[thread],
            table: &mut fixpoint.table,
        };
        let cells = |var, index| stepper.accessed(&partition.cells, var, index);
        for edge in template.edges.iter().filter(|edge| edge.source == partition.at) {
            edge.for_each_access(|var, index, _| accessed.all.extend(cells(var, index).0));
            edge.guard.walk(&mut |part| {
                let read = match part {
                    Expr::Var(var) => cells(*var, None),
                    Expr::Index(var, index) => cells(*var, Some(index)),
                    _ => return,
                };
                if let (read, true) = read {
                    accessed.guards.extend(read);
                }
            });
        }
    }
    accessed
}

impl Stepper<'_, '_> {
    /// The cells that an access may mean, and whether it is certain which one it is.
    fn accessed(&self, cells: &Cells, var: VarRef, index: Option<&Expr>) -> (Vec<usize>, bool) {
        let Some(range) = self.layout.cells(self.system, self.instance, var) else {
            return (Vec::new(), false);
        };
        let Some(index) = index else { return (range.clone().collect(), range.len() == 1) };
        let elements = Ranges::new(vec![(0, range.len() as i128 - 1)]);
        let elements = self.eval(cells, index).meet(&elements).values(range.len());
        let elements = elements.unwrap_or_default();
        let is_certain = elements.len() == 1;
        (elements.into_iter().map(|one| range.start + one as usize).collect(), is_certain)
    }
}
