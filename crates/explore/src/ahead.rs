//! Looking ahead: which cells the threads can touch from a state on, as far as the state says.
//!
//! An edge of an instance in a state touches what its guard, its right-hand sides and its indices read there, and what it writes;
//! where an index is known, that element of the array only.
//!
//! What some instances may touch *as long as no other moves* is found for each of them on its own: it takes all
//! its steps from the state on, and cells that another one of them may write hold `ANY`. Which cells those are
//! is the least solution of that. A thread that waits for what none of them writes is blocked, and touches nothing.
//! So forks of an array are told apart, and whatever is behind a lock that the one thread holds does not count.
//!
//! What an instance touches on its own depends on its location and the cells that it reads; so it is found once for
//! each of these.
//!
//! No proof rests on this: only `probe` asks it.

use ccfa::semantics::{ANY, State, System, Value};
use ccfa::{Edge, Expr, LocId, Place, Rhs, VarRef};
use fixedbitset::FixedBitSet;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// So many states of one instance are followed; with more, looking ahead would take longer than what it saves.
const MAX_LOCAL_STATES: usize = 500;

/// What an instance touches on its own if the cells that it looks at have these values.
type Alone = (Vec<(usize, Value)>, Rc<Cells>);

/// What threads may touch from a state on: what of it was found before, by instance and location.
#[derive(Default)]
pub(crate) struct Lookahead {
    found: HashMap<(usize, LocId), Vec<Alone>>,
}

impl Lookahead {
    /// May a next edge of some instances, enabled or not, conflict with a step that the others take before it?
    pub fn conflict(
        &mut self,
        system: &System,
        state: &State,
        ours: &[usize],
        others: &[usize],
    ) -> bool {
        let mut next = Cells::none(system.cell_count());
        for i in ours {
            system.next(state, *i).for_each(|(_, edge)| next.touch(system, state, *i, edge));
        }
        let mut futures = vec![Cells::none(system.cell_count()); system.instances.len()];
        loop {
            let mut changed = false;
            for i in others {
                let mut written = FixedBitSet::with_capacity(system.cell_count());
                let rest = others.iter().filter(|other| *other != i);
                rest.for_each(|other| written.union_with(&futures[*other].writes));
                changed |= futures[*i].add(&self.alone(system, state, *i, &written));
            }
            if !changed {
                return futures.iter().any(|future| next.conflicts(future));
            }
        }
    }

    /// What an instance may touch from a state on if others write these cells only.
    fn alone(
        &mut self,
        system: &System,
        state: &State,
        instance: usize,
        written: &FixedBitSet,
    ) -> Rc<Cells> {
        let value = |cell: usize| if written.contains(cell) { ANY } else { state.cells[cell] };
        let found = self.found.entry((instance, state.locations[instance])).or_default();
        let fits = |alone: &&Alone| alone.0.iter().all(|(cell, known)| *known == value(*cell));
        if let Some((_, touched)) = found.iter().find(fits) {
            return touched.clone();
        }
        let mut looked_at = Cells::none(system.cell_count());
        let mut touched = looked_at.clone();
        let (mut waiting, mut seen) = (vec![state.clone()], HashSet::new());
        while let Some(mut state) = waiting.pop() {
            written.ones().for_each(|cell| state.cells[cell] = ANY);
            if seen.len() > MAX_LOCAL_STATES {
                touched.writes.insert_range(..);
            } else if seen.insert(state.clone()) {
                for (_, edge) in system.next(&state, instance) {
                    looked_at.touch(system, &state, instance, edge);
                    if let Some(next) = system.step(&state, instance, edge, &mut |_| ANY) {
                        touched.touch(system, &state, instance, edge);
                        waiting.push(next);
                    }
                }
            }
        }
        let known = looked_at.reads.ones().map(|cell| (cell, value(cell))).collect();
        found.push((known, Rc::new(touched)));
        found[found.len() - 1].1.clone()
    }
}

/// Cells that steps read and write.
#[derive(Clone)]
struct Cells {
    reads: FixedBitSet,
    writes: FixedBitSet,
}

impl Cells {
    fn none(cells: usize) -> Cells {
        let none = FixedBitSet::with_capacity(cells);
        Cells { reads: none.clone(), writes: none }
    }

    /// Adds others; says whether that changed anything.
    fn add(&mut self, other: &Cells) -> bool {
        let new = !other.reads.is_subset(&self.reads) || !other.writes.is_subset(&self.writes);
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
        new
    }

    fn conflicts(&self, other: &Cells) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }

    /// Adds the cells that an edge of an instance touches in a state.
    fn touch(&mut self, system: &System, state: &State, instance: usize, edge: &Edge) {
        self.read(system, state, instance, &edge.guard);
        for assign in &edge.assigns {
            if let Rhs::Expr(value) = &assign.value {
                self.read(system, state, instance, value);
            }
            match &assign.place {
                Place::Var(var) => add_cells(&mut self.writes, system, state, instance, *var, None),
                Place::Element(var, index) => {
                    self.read(system, state, instance, index);
                    add_cells(&mut self.writes, system, state, instance, *var, Some(index));
                }
            }
        }
    }

    fn read(&mut self, system: &System, state: &State, instance: usize, expr: &Expr) {
        expr.walk(&mut |part| match part {
            Expr::Var(var) => add_cells(&mut self.reads, system, state, instance, *var, None),
            Expr::Index(var, index) => {
                add_cells(&mut self.reads, system, state, instance, *var, Some(index));
            }
            _ => {}
        });
    }
}

/// Adds a variable or one element of it; where the index is not known, all of the array.
fn add_cells(
    cells: &mut FixedBitSet,
    system: &System,
    state: &State,
    instance: usize,
    var: VarRef,
    index: Option<&Expr>,
) {
    let (first, declared) = (system.offset(instance, var), system.var(instance, var));
    match index.map(|index| system.eval(state, instance, index)) {
        Some(Ok(Some(index))) if declared.has_element(index) => {
            cells.insert(first + index as usize);
        }
        _ => cells.insert_range(first..first + declared.cells()),
    }
}
