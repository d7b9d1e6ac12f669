//! Which shared variables the steps at a location touch, and which ones a
//! thread may still touch from there on.
//!
//! Two steps of different threads **conflict** if one writes a shared variable
//! that the other reads or writes (an array is one variable). Steps that do not
//! conflict commute: neither can enable, disable or change the other, and both
//! orders end in one state. For whether a step is enabled, what it writes and
//! where depend on the variables it reads alone, and it changes only those it
//! writes; locals are no concern of other threads.

use ccfa::{Edge, EdgeId, LocId, Program, Template};

/// A set of reads and writes: one bit for each shared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Footprint {
    reads: Vec<u64>,
    writes: Vec<u64>,
}

/// What is known about a location, whoever is there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The edges that leave it.
    pub edges: Vec<EdgeId>,
    /// What these edges touch, enabled or not.
    pub next: Footprint,
    /// What they and all edges that can follow them touch.
    pub future: Footprint,
    /// One of these edges leads to an atomic location.
    pub enters_atomic: bool,
}

/// The places of a template, by location.
pub(crate) fn places(program: &Program, template: &Template) -> Vec<Place> {
    let touched: Vec<Footprint> =
        template.edges.iter().map(|edge| Footprint::of(program, edge)).collect();
    let future = futures(program, template, &touched);
    let place = |(edges, future): (Vec<EdgeId>, Footprint)| {
        let mut next = Footprint::none(program);
        for edge in &edges {
            next.add(&touched[edge.index()]);
        }
        let target = |edge: &EdgeId| template.edges[edge.index()].target;
        let is_atomic = |location: LocId| template.locations[location.index()].atomic;
        let enters_atomic = edges.iter().any(|edge| is_atomic(target(edge)));
        Place { edges, next, future, enters_atomic }
    };
    template.edges_from().into_iter().zip(future).map(place).collect()
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

    /// Does a step of one conflict with a step of the other?
    pub fn conflicts(&self, other: &Footprint) -> bool {
        let meet = |a: &[u64], b: &[u64]| a.iter().zip(b).any(|(a, b)| a & b != 0);
        meet(&self.writes, &other.writes)
            || meet(&self.writes, &other.reads)
            || meet(&self.reads, &other.writes)
    }
}
