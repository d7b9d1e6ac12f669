//! Which shared variables the steps at a location touch, and which ones a
//! thread may still touch from there on.
//!
//! Two steps of different threads **conflict** if one writes a shared variable
//! that the other reads or writes (an array is one variable). Steps that do not
//! conflict commute: neither can enable, disable or change the other, and both
//! orders end in one state. For whether a step is enabled, what it writes and
//! where depend on the variables it reads alone, and it changes only those it
//! writes; locals are no concern of other threads.
//!
//! An instance whose next steps conflict with nothing that others can ever come to is *alone*
//! ([`Outlooks::is_alone`]): it may go first, and what the others do can wait. Proofs rest on
//! that (`check::closed`, `check::tree`), so this is **trusted**.

use crate::program::{Edge, EdgeId, Instance, LocId, Program, Template};
use crate::semantics::System;

/// A set of reads and writes: one bit for each shared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprint {
    reads: Vec<u64>,
    writes: Vec<u64>,
}

/// What is known about a location, whoever is there.
#[derive(Clone, Debug)]
pub struct Outlook {
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

/// The outlooks of a template, by location.
pub fn outlooks(program: &Program, template: &Template) -> Vec<Outlook> {
    let touched: Vec<Footprint> =
        template.edges.iter().map(|edge| Footprint::of(program, edge)).collect();
    let future = futures(program, template, &touched);
    let heads = heads(template);
    let outlook = |(at, (edges, future)): (usize, (Vec<EdgeId>, Footprint))| {
        let mut next = Footprint::none(program);
        for edge in &edges {
            next.add(&touched[edge.index()]);
        }
        let target = |edge: &EdgeId| template.edges[edge.index()].target;
        let is_atomic = |location: LocId| template.locations[location.index()].atomic;
        let enters_atomic = edges.iter().any(|edge| is_atomic(target(edge)));
        Outlook { edges, next, future, enters_atomic, head: heads[at] }
    };
    template.edges_from().into_iter().zip(future).enumerate().map(outlook).collect()
}

/// The targets of edges that lead back to a location that a depth-first search has not left yet.
/// (Of every cycle, the location that the search enters first is one; where it never comes, all are.)
fn heads(template: &Template) -> Vec<bool> {
    let from = template.edges_from();
    let (mut entered, mut left) = (vec![false; from.len()], vec![false; from.len()]);
    let mut heads = vec![false; from.len()];
    let mut stack = vec![(template.entry, 0)];
    entered[template.entry.index()] = true;
    while let Some((location, next)) = stack.pop() {
        let Some(edge) = from[location.index()].get(next) else {
            left[location.index()] = true;
            continue;
        };
        stack.push((location, next + 1));
        let target = template.edges[edge.index()].target;
        if !entered[target.index()] {
            entered[target.index()] = true;
            stack.push((target, 0));
        } else if !left[target.index()] {
            heads[target.index()] = true;
        }
    }
    heads.iter().zip(entered).map(|(head, entered)| *head || !entered).collect()
}

/// The least solution of: the future of a location contains each edge that
/// leaves it and the future of that edge's target.
fn futures(program: &Program, template: &Template, touched: &[Footprint]) -> Vec<Footprint> {
    let mut future = vec![Footprint::none(program); template.locations.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (edge, touched) in template.edges.iter().zip(touched).rev() {
            let after = future[edge.target.index()].clone();
            let here = &mut future[edge.source.index()];
            changed |= here.add(touched) | here.add(&after);
        }
    }
    future
}

impl Footprint {
    fn none(program: &Program) -> Footprint {
        let words = program.shared.len().div_ceil(64);
        Footprint { reads: vec![0; words], writes: vec![0; words] }
    }

    fn of(program: &Program, edge: &Edge) -> Footprint {
        let mut footprint = Footprint::none(program);
        let access = edge.access();
        for id in access.shared_reads() {
            footprint.reads[id.index() / 64] |= 1 << (id.index() % 64);
        }
        for id in access.shared_writes() {
            footprint.writes[id.index() / 64] |= 1 << (id.index() % 64);
        }
        footprint
    }

    /// Adds another one; says whether that changed anything.
    fn add(&mut self, other: &Footprint) -> bool {
        let mut changed = false;
        let reads = self.reads.iter_mut().zip(&other.reads);
        for (mine, theirs) in reads.chain(self.writes.iter_mut().zip(&other.writes)) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    /// Touches it nothing that is shared?
    pub fn is_empty(&self) -> bool {
        self.reads.iter().chain(&self.writes).all(|word| *word == 0)
    }

    /// Does a step of one conflict with a step of the other?
    pub fn conflicts(&self, other: &Footprint) -> bool {
        let meet = |a: &[u64], b: &[u64]| a.iter().zip(b).any(|(a, b)| a & b != 0);
        meet(&self.writes, &other.writes)
            || meet(&self.writes, &other.reads)
            || meet(&self.reads, &other.writes)
    }
}

/// The outlooks of all instances of a system.
pub struct Outlooks {
    /// By template and location.
    outlooks: Vec<Vec<Outlook>>,
    /// The template of each instance.
    templates: Vec<usize>,
}

impl Outlooks {
    /// Those of a system.
    pub fn new(system: &System) -> Outlooks {
        let program = system.program;
        let of_template = |template: &Template| outlooks(program, template);
        let template =
            |instance: &Instance| program.threads[instance.thread.index()].template.index();
        Outlooks {
            outlooks: program.templates.iter().map(of_template).collect(),
            templates: system.instances.iter().map(template).collect(),
        }
    }

    /// What an instance has before it at a location.
    pub fn of(&self, instance: usize, location: LocId) -> &Outlook {
        &self.outlooks[self.templates[instance]][location.index()]
    }

    /// Is an instance *alone* when all are at these locations? Then it has edges before it, and no
    /// step along them conflicts with any step that others can ever come to. Besides, none of
    /// them leads to an atomic location or leaves the head of a loop: an instance that goes round
    /// for ever would not be alone for ever.
    pub fn is_alone(&self, at: &[LocId], instance: usize) -> bool {
        let mine = self.of(instance, at[instance]);
        let disturbed = |(other, location): (usize, &LocId)| {
            other != instance && mine.next.conflicts(&self.of(other, *location).future)
        };
        let can_go_on = !mine.edges.is_empty() && !mine.head && !mine.enters_atomic;
        can_go_on && !at.iter().enumerate().any(disturbed)
    }

    /// Where a step of an instance stands in the *order of steps* when all are at these locations:
    /// first those of instances that are alone, if all that these can do touches nothing shared;
    /// then the others that are alone; then steps that touch something shared; then the rest. Among
    /// each kind by instance.
    pub fn order(&self, at: &[LocId], instance: usize, step_is_local: bool) -> (u8, usize) {
        let kind = match self.is_alone(at, instance) {
            true => u8::from(!self.of(instance, at[instance]).next.is_empty()),
            false => 2 + u8::from(step_is_local),
        };
        (kind, instance)
    }

    /// Of the instances that are alone, the first in the order of steps.
    pub fn first_alone(&self, at: &[LocId]) -> Option<usize> {
        let alone = (0..at.len()).filter(|instance| self.is_alone(at, *instance));
        alone.min_by_key(|instance| self.order(at, *instance, true))
    }
}
