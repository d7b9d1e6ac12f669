//! Looking ahead: which cells the threads can touch from a state on, as far as the state says. **Trusted.**
//!
//! Footprints of locations (`footprint`) take an array for one variable, and count what is behind a lock that another
//! thread holds. A state knows more: the values of indices, and who is blocked.
//!
//! Let P be some instances, U the others, *m* a state in which no instance is at an atomic location. A **block** of an instance is
//! a step from where it is and, as long as it is at an atomic location then, the steps that follow. P is **persistent** in *m*
//! ([`Lookahead::is_persistent`]) if from no concrete state that *m* stands for
//!
//! - the first block of an instance in P, whether or not its steps can be taken, and
//! - a step of U that can be taken while P stays where it is, or an edge from an atomic location that U comes to so
//!
//! conflict: the one writes a cell that the other reads or writes. `check::closed` argues why it is enough to follow P then.
//!
//! # Why what is found is all
//!
//! A step of an instance in a state touches the cells of variables that it mentions: where an index is known, that element
//! ([`System::step`] on a state with `ANY` covers all concrete ones). What it does depends on the cells that it reads.
//!
//! *U.* What an instance *i* of U may do is found for it by itself: it takes all its steps, and cells that another one of U may write hold
//! `ANY`, always. Let U take steps from *c*. By induction each step of *i* is among those found: cells that no other instance of
//! U writes hold what *i* has left there, since P does not move; all others are `ANY`. Which cells each of U may write is
//! the least solution of that: no footprint changes any more.
//!
//! *P.* No cell that a block from *m* reads is written by U. So after steps of U the same blocks are there, and do the same.
//!
//! *Too many states.* Then the footprint of the location takes their place: it has whatever the instance can ever come to.
//!
//! *Found before.* What is found for an instance depends on its location, on which cells are `ANY` and on the values of the cells that were read to
//! find it, and on nothing else: where these are equal, so is it.

use crate::expr::Expr;
use crate::footprint::{AccessSummaries, Footprint};
use crate::program::{LocId, VarRef};
use crate::semantics::{ANY, State, System, Value};
use fixedbitset::FixedBitSet;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// So many states of one instance are followed; with more, looking ahead would take longer than what it saves.
const MAX_LOCAL_STATES: usize = 500;

/// What an instance touches if the cells that it reads have these values (`None`: are unknown always).
type Future = (Vec<(usize, Option<Value>)>, Rc<Footprint>);

/// What threads may touch from a state on, and what of it was found before.
pub struct Lookahead<'p> {
    /// What they touch as far as their locations say.
    pub summaries: AccessSummaries,
    system: System<'p>,
    /// Cells that hold `ANY` whatever a block writes there.
    pub abstracted: FixedBitSet,
    /// How many states of instances were followed.
    pub followed: Cell<usize>,
    /// By instance, by location, and whether it is about a block only; what was asked for last comes first.
    found: RefCell<Vec<Vec<[Vec<Future>; 2]>>>,
}

impl<'p> Lookahead<'p> {
    /// For a system in whose states these cells are `ANY` always.
    pub fn new(system: &System<'p>, abstracted: &[usize]) -> Lookahead<'p> {
        let places = |i| vec![Default::default(); system.template(i).locations.len()];
        Lookahead {
            summaries: AccessSummaries::new(system),
            system: system.clone(),
            abstracted: abstracted.iter().copied().collect(),
            followed: Cell::default(),
            found: RefCell::new((0..system.instances.len()).map(places).collect()),
        }
    }

    /// Are these instances persistent in a state, in which no instance is at an atomic location? Their locations may show it;
    /// else the state is asked.
    pub fn is_persistent(&self, state: &State, ours: &[usize], others: &[usize]) -> bool {
        let shown = |i: &usize| self.summaries.commutes(&state.locations, *i, others);
        ours.iter().all(shown)
            || [false, true].iter().any(|a| self.conflicting(state, ours, others, *a).is_empty())
    }

    /// Those of the others that may come to a step that conflicts with a first block of ours. What they
    /// write into abstracted cells is perhaps not looked at.
    pub fn conflicting(
        &self,
        state: &State,
        ours: &[usize],
        others: &[usize],
        abstracts: bool,
    ) -> Vec<usize> {
        let mut next = Footprint::none(&self.system);
        let mut futures = vec![next.clone(); others.len()];
        for i in ours {
            next.add(&self.future(state, *i, &self.abstracted, true));
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (number, i) in others.iter().enumerate() {
                let mut unknown =
                    if abstracts { self.abstracted.clone() } else { FixedBitSet::new() };
                let rest = futures.iter().enumerate().filter(|(other, _)| *other != number);
                rest.for_each(|(_, future)| unknown.union_with(&future.writes));
                changed |= futures[number].add(&self.future(state, *i, &unknown, false));
            }
        }
        let in_conflict = others.iter().zip(&futures).filter(|(_, future)| next.conflicts(future));
        in_conflict.map(|(other, _)| *other).collect()
    }

    /// What an instance may touch from a state on, in a block or at all, if these cells hold `ANY` always.
    pub fn future(&self, state: &State, i: usize, any: &FixedBitSet, block: bool) -> Rc<Footprint> {
        let (at, system, template) = (state.locations[i], &self.system, self.system.template(i));
        let value = |cell: usize| (!any.contains(cell)).then(|| state.cells[cell]);
        let mut found = self.found.borrow_mut();
        let found = &mut found[i][at.index()][usize::from(block)];
        let fits = |one: &Future| one.0.iter().all(|(cell, known)| *known == value(*cell));
        if let Some(place) = found.iter().position(fits) {
            found.swap(0, place);
            return found[0].1.clone();
        }
        let is_atomic = |at: LocId| template.locations[at.index()].atomic;
        let mut reads = FixedBitSet::with_capacity(system.cell_count());
        let mut touched = Footprint::none(system);
        let (mut waiting, mut seen) = (vec![state.clone()], BTreeSet::new());
        while let Some(mut now) = waiting.pop() {
            any.ones().for_each(|cell| now.cells[cell] = ANY);
            if !seen.insert(now.clone()) {
                continue;
            }
            self.followed.set(self.followed.get() + 1);
            if seen.len() > MAX_LOCAL_STATES {
                touched.add(&self.summaries.of(i, at).future);
                break;
            }
            for edge in &self.summaries.of(i, now.locations[i]).edges {
                let edge = &template.edges[edge.index()];
                let next = system.step(&now, i, edge, &mut |_| ANY);
                let counts = block || next.is_some() || is_atomic(edge.source);
                edge.for_each_access(|var, index, is_write| {
                    let cells = self.cells(&now, i, var, index);
                    if !is_write {
                        reads.insert_range(cells.clone());
                    }
                    if counts {
                        touched.access(cells, is_write);
                    }
                });
                waiting.extend(next.filter(|_| !block || is_atomic(edge.target)));
            }
        }
        let touched = Rc::new(touched);
        found.push((reads.ones().map(|cell| (cell, value(cell))).collect(), touched.clone()));
        touched
    }

    /// The cells of a variable, or of one element if its index is known.
    fn cells(&self, state: &State, i: usize, var: VarRef, index: Option<&Expr>) -> Range<usize> {
        let all = self.system.cells_of(i, var);
        match index.map(|index| self.system.eval(state, i, index)) {
            Some(Ok(Some(index))) if self.system.var(i, var).has_element(index) => {
                let cell = all.start + index as usize;
                cell..cell + 1
            }
            _ => all,
        }
    }
}
