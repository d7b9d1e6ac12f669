//! What each step of a template does with its thread's store buffer.

use super::StoreOrder;
use crate::access::{Access, AccessKind, Direction, Mode, Order};
use crate::dataflow::solve;
use crate::program::{Edge, LocId, Program, SharedId, Template, TemplateId};
use crate::sharing::Sharing;
use std::collections::{BTreeMap, BTreeSet};

/// What a step does with the buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// It waits until the buffer is empty.
    Drains,
    /// What is written before it becomes visible before what is written after it.
    Orders,
    /// It is inside a section that is as under sequential consistency: the buffer is empty.
    InSection,
    /// It writes memory that others access.
    Writes(Write),
}

/// How a step writes memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// The variables that it writes so.
    pub vars: BTreeSet<SharedId>,
    /// What is written before becomes visible first.
    pub releases: bool,
    /// Does it make a difference to delay it, also if nothing waits yet?
    pub matters: bool,
}

impl Effect {
    /// May it put something into the buffer?
    pub fn may_delay(&self) -> bool {
        matches!(self, Effect::Writes(Write { matters: true, .. }))
    }
}

/// The effects of a template's edges, by number.
pub fn effects(
    template: &Template,
    id: TemplateId,
    order: StoreOrder,
    sharing: &Sharing,
) -> Vec<Effect> {
    let waits = waiting(template);
    let in_section = in_sections(template);
    let steps = Steps { template, id, order, sharing };
    let observed = steps.observed(&waits);
    let effect = |(edge, waits): (&Edge, &bool)| {
        let vars: BTreeSet<SharedId> = stored(edge).filter(|var| steps.is_seen(*var)).collect();
        if in_section[edge.source.index()] {
            Effect::InSection
        } else if *waits {
            Effect::Drains
        } else if !vars.is_empty() {
            let releases = order == StoreOrder::Partial && edge.accesses.iter().any(releases);
            let matters = observed[edge.target.index()] || steps.reads_what_others_write(edge);
            Effect::Writes(Write { vars, releases, matters })
        } else if order == StoreOrder::Partial && edge.accesses.iter().any(releases) {
            Effect::Orders
        } else {
            Effect::None
        }
    };
    template.edges.iter().zip(&waits).map(effect).collect()
}

/// For each variable that some step assigns though none of its accesses says so: which others such a step assigns with it. With the contents of an object
/// that comes, these are what its life is in.
pub fn lives(program: &Program) -> BTreeMap<SharedId, BTreeSet<SharedId>> {
    let mut lives: BTreeMap<SharedId, BTreeSet<SharedId>> = BTreeMap::new();
    for edge in program.templates.iter().flat_map(|template| &template.edges) {
        let together = by_the_model(edge);
        for var in &together {
            lives.entry(*var).or_default().extend(&together);
        }
    }
    lives
}

/// The shared variables that an edge assigns though none of its accesses says so.
pub fn by_the_model(edge: &Edge) -> BTreeSet<SharedId> {
    let is_access = |var: &SharedId| edge.accesses.iter().any(|access| is_write_of(access, *var));
    edge.read_write_sets().shared_writes().filter(|var| !is_access(var)).collect()
}

fn is_write_of(access: &Access, var: SharedId) -> bool {
    access.writes() && access.cell().is_some_and(|cell| cell.var == var)
}

/// The variables that an edge stores to.
fn stored(edge: &Edge) -> impl Iterator<Item = SharedId> {
    edge.accesses.iter().filter_map(|access| match &access.kind {
        AccessKind::Memory(Direction::Write, cell, _) => Some(cell.var),
        _ => None,
    })
}

/// Does an access, by itself, wait until the buffer is empty?
fn drains(access: &Access) -> bool {
    match &access.kind {
        AccessKind::Memory(direction, _, mode) => match direction {
            Direction::Read => false,
            Direction::Write => *mode == Mode::Atomic(Order::SeqCst),
            Direction::Update => true,
        },
        AccessKind::Fence(order) => *order == Order::SeqCst,
        AccessKind::SignalFence(_) => false,
        AccessKind::Lock(..) => true,
    }
}

/// Is what was written before an access to become visible before what it, or a later one, writes?
fn releases(access: &Access) -> bool {
    let releases = |order: &Order| matches!(order, Order::Release | Order::AcqRel);
    match &access.kind {
        AccessKind::Memory(Direction::Write, _, Mode::Atomic(order)) => releases(order),
        AccessKind::Fence(order) => releases(order),
        _ => false,
    }
}

/// By edge: does it wait until the buffer is empty? So does one that enters an atomic section in which another does.
fn waiting(template: &Template) -> Vec<bool> {
    let is_atomic = |at: LocId| template.locations[at.index()].atomic;
    let waits: Vec<bool> =
        template.edges.iter().map(|edge| edge.accesses.iter().any(drains)).collect();
    let backwards = |edge: &Edge| (edge.target, edge.source);
    let none = vec![false; template.locations.len()];
    let later = solve(template, backwards, none, |edge, after, before| {
        let source = template.edges[edge.index()].source;
        let found = is_atomic(source) && (waits[edge.index()] || *after);
        !std::mem::replace(before, *before || found) && found
    });
    let enters = |edge: &Edge| !is_atomic(edge.source) && later[edge.target.index()];
    template.edges.iter().zip(waits).map(|(edge, waits)| waits || enters(edge)).collect()
}

/// By location: is it inside an atomic section that a fence begins?
fn in_sections(template: &Template) -> Vec<bool> {
    let is_atomic = |at: LocId| template.locations[at.index()].atomic;
    let is_fence = |access: &Access| access.kind == AccessKind::Fence(Order::SeqCst);
    let forwards = |edge: &Edge| (edge.source, edge.target);
    let none = vec![false; template.locations.len()];
    solve(template, forwards, none, |edge, before, after| {
        let edge = &template.edges[edge.index()];
        let begins = !is_atomic(edge.source) && edge.accesses.iter().any(is_fence);
        let found = is_atomic(edge.target) && (begins || *before);
        !std::mem::replace(after, *after || found) && found
    })
}

struct Steps<'p> {
    template: &'p Template,
    id: TemplateId,
    order: StoreOrder,
    sharing: &'p Sharing,
}

impl Steps<'_> {
    /// Does another instance read or write the variable?
    fn is_seen(&self, var: SharedId) -> bool {
        self.sharing.others_read(self.id, var) || self.sharing.others_write(self.id, var)
    }

    fn reads_what_others_write(&self, edge: &Edge) -> bool {
        edge.read_write_sets().shared_reads().any(|var| self.sharing.others_write(self.id, var))
    }

    /// Does a step depend on what others have done, or do others see it though it does not go through the buffer?
    fn observes(&self, edge: &Edge) -> bool {
        let seen_at_once = match self.order {
            StoreOrder::Total => by_the_model(edge),
            StoreOrder::Partial => edge.read_write_sets().shared_writes().collect(),
        };
        self.reads_what_others_write(edge) || seen_at_once.iter().any(|var| self.is_seen(*var))
    }

    /// By location: may the thread observe on a path from there, before a step that waits?
    fn observed(&self, waits: &[bool]) -> Vec<bool> {
        let backwards = |edge: &Edge| (edge.target, edge.source);
        let none = vec![false; self.template.locations.len()];
        solve(self.template, backwards, none, |edge, after, before| {
            let found = !waits[edge.index()]
                && (*after || self.observes(&self.template.edges[edge.index()]));
            !std::mem::replace(before, *before || found) && found
        })
    }
}
