//! Access summaries: which shared variables the edges from a location touch, and which ones a
//! thread may still touch from there on.
//!
//! Two steps of different threads **conflict** if one writes a shared variable
//! that the other reads or writes. Here, where only locations are known, an array is one variable; `lookahead` knows indices. Steps that do not
//! conflict commute: neither can enable, disable or change the other, and both
//! orders end in one state. For whether a step is enabled, what it writes and
//! where depend on the variables it reads alone, and it changes only those it
//! writes; no other thread reads or writes its locals.
//!
//! If the next edges of an instance conflict with no edge that other instances can ever come
//! to, the instance is a *singleton persistent set* (Godefroid, Partial-Order Methods for the
//! Verification of Concurrent Systems, 1996, chapter 4; here of threads, with all their edges):
//! it is enough to follow its steps first ([`AccessSummaries::is_singleton_persistent`]). Proofs rest on
//! that (`check::closed`, `check::tree`), so this is **trusted**.

use crate::dataflow::solve;
use crate::program::{Edge, EdgeId, Instance, LocId, Template, Var, VarRef};
use crate::semantics::System;
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// A set of reads and writes: one bit for each cell of a shared variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Footprint {
    reads: FixedBitSet,
    pub(crate) writes: FixedBitSet,
}

/// What a thread at a location touches next and later on.
#[derive(Clone, Debug)]
pub struct AccessSummary {
    /// The edges that leave it.
    pub edges: Vec<EdgeId>,
    /// What these edges touch, enabled or not.
    pub next: Footprint,
    /// What they and all edges that can follow them touch.
    pub future: Footprint,
    /// One of these edges leads to an atomic location.
    pub enters_atomic: bool,
    /// It is the head of a loop: every loop of the template has one.
    pub head: bool,
}

/// The summary of each location of a template.
fn access_summaries(system: &System, template: &Template) -> Vec<AccessSummary> {
    let none = Footprint::none(system);
    let touched = |edge: &Edge| {
        let mut touched = none.clone();
        edge.for_each_access(|var, _, is_write| {
            if let VarRef::Shared(_) = var {
                touched.access(system.cells_of(0, var), is_write);
            }
        });
        touched
    };
    let touched: Vec<Footprint> = template.edges.iter().map(touched).collect();
    // The least solution of: the future of a location contains each edge that leaves it and the future of its target.
    let future = solve(
        template,
        |edge| (edge.target, edge.source),
        vec![none.clone(); template.locations.len()],
        |edge, after, here| here.add(&touched[edge.index()]) | here.add(after),
    );
    let mut heads = vec![false; template.locations.len()];
    for (edge, is_back) in template.edges.iter().zip(back_edges(template)) {
        heads[edge.target.index()] |= is_back;
    }
    let summary = |(at, (edges, future)): (usize, (Vec<EdgeId>, Footprint))| {
        let mut next = none.clone();
        edges.iter().for_each(|edge| _ = next.add(&touched[edge.index()]));
        let target = |edge: &EdgeId| template.edges[edge.index()].target.index();
        let enters_atomic = edges.iter().any(|edge| template.locations[target(edge)].atomic);
        AccessSummary { edges, next, future, enters_atomic, head: heads[at] }
    };
    template.edges_from().into_iter().zip(future).enumerate().map(summary).collect()
}

/// Which edges lead back to a location that a depth-first search has not left yet: of every cycle, the
/// edge to the location that the search enters first. Where the search never comes, all edges count.
pub fn back_edges(template: &Template) -> Vec<bool> {
    let from = template.edges_from();
    let (mut entered, mut left) = (vec![false; from.len()], vec![false; from.len()]);
    let mut back = vec![false; template.edges.len()];
    let mut stack = vec![(template.entry, 0)];
    entered[template.entry.index()] = true;
    while let Some((location, next)) = stack.pop() {
        let Some(edge) = from[location.index()].get(next) else {
            left[location.index()] = true;
            continue;
        };
        stack.push((location, next + 1));
        let target = template.edges[edge.index()].target;
        if !std::mem::replace(&mut entered[target.index()], true) {
            stack.push((target, 0));
        } else {
            back[edge.index()] = !left[target.index()];
        }
    }
    back.iter().zip(&template.edges).map(|(back, e)| *back || !entered[e.source.index()]).collect()
}

impl Footprint {
    pub(crate) fn none(system: &System) -> Footprint {
        let cells = system.program.shared.iter().map(Var::cells).sum();
        let none = FixedBitSet::with_capacity(cells);
        Footprint { reads: none.clone(), writes: none }
    }

    /// Adds an access to cells, if they are shared.
    pub(crate) fn access(&mut self, cells: Range<usize>, is_write: bool) {
        if cells.end <= self.reads.len() {
            if is_write { &mut self.writes } else { &mut self.reads }.insert_range(cells);
        }
    }

    /// Adds another one; says whether that changed anything.
    pub(crate) fn add(&mut self, other: &Footprint) -> bool {
        let new = !other.reads.is_subset(&self.reads) || !other.writes.is_subset(&self.writes);
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
        new
    }

    /// Does it touch no shared variable?
    pub fn is_empty(&self) -> bool {
        self.reads.is_clear() && self.writes.is_clear()
    }

    /// Does a step of one conflict with a step of the other?
    pub fn conflicts(&self, other: &Footprint) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }
}

/// The access summaries of all instances of a system.
pub struct AccessSummaries {
    /// By template and location.
    summaries: Vec<Vec<AccessSummary>>,
    /// The template of each instance.
    templates: Vec<usize>,
}

impl AccessSummaries {
    /// The access summaries of a system.
    pub fn new(system: &System) -> AccessSummaries {
        let program = system.program;
        let of_template = |template: &Template| access_summaries(system, template);
        let template =
            |instance: &Instance| program.threads[instance.thread.index()].template.index();
        AccessSummaries {
            summaries: program.templates.iter().map(of_template).collect(),
            templates: system.instances.iter().map(template).collect(),
        }
    }

    /// The access summary of an instance at a location.
    pub fn of(&self, instance: usize, location: LocId) -> &AccessSummary {
        &self.summaries[self.templates[instance]][location.index()]
    }

    /// Is the instance a singleton persistent set when all are at these locations? Then it has
    /// edges there, and none of them conflicts with any edge that another instance can ever come to.
    /// Besides, none of them leads to an atomic location or leaves the head of a loop: so no cycle
    /// of states consists of such steps alone, and no other instance is ignored for ever.
    pub fn is_singleton_persistent(&self, at: &[LocId], instance: usize) -> bool {
        let mine = self.of(instance, at[instance]);
        let others: Vec<usize> = (0..at.len()).filter(|other| *other != instance).collect();
        !mine.edges.is_empty() && !mine.head && self.commutes(at, instance, &others)
    }

    /// Does no edge of the instance lead to an atomic location, or conflict with any edge that one of the others can ever come to?
    pub fn commutes(&self, at: &[LocId], instance: usize, others: &[usize]) -> bool {
        let mine = self.of(instance, at[instance]);
        let conflicts = |other: &usize| mine.next.conflicts(&self.of(*other, at[*other]).future);
        !mine.enters_atomic && !others.iter().any(conflicts)
    }

    /// Where a step of an instance stands in the *order of steps* when all are at these locations:
    /// first those of instances that are singleton persistent sets, if none of their edges there
    /// touches a shared variable; then the other singleton persistent sets; then steps that touch a shared
    /// variable; then the rest. Among each kind by instance.
    pub fn order(&self, at: &[LocId], instance: usize, step_is_local: bool) -> (u8, usize) {
        let kind = match self.is_singleton_persistent(at, instance) {
            true => u8::from(!self.of(instance, at[instance]).next.is_empty()),
            false => 2 + u8::from(step_is_local),
        };
        (kind, instance)
    }

    /// Of the instances that are singleton persistent sets, the first in the order of steps.
    pub fn first_singleton_persistent(&self, at: &[LocId]) -> Option<usize> {
        let all = (0..at.len()).filter(|instance| self.is_singleton_persistent(at, *instance));
        all.min_by_key(|instance| self.order(at, *instance, true))
    }
}
