//! What a template can still do from each of its locations.
//!
//! The strongly connected components of the control flow, by Tarjan's algorithm
//! (with an explicit stack: templates can be long), come out with successors
//! first. So one pass over them gives the accesses that may ever follow.

use ccfa::{Edge, Template};
use std::collections::BTreeSet;

/// A set of shared variables.
pub(crate) type SharedSet = BTreeSet<u32>;

/// Shared variables read and written.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Accesses {
    pub reads: SharedSet,
    pub writes: SharedSet,
}

/// The control flow of a template.
pub(crate) struct Flow {
    /// The component of each location; no edge leads to a larger one.
    pub component: Vec<u32>,
    /// What the edges that leave each location access.
    pub next: Vec<Accesses>,
    /// By component: what its threads may ever access from there on.
    pub future: Vec<Accesses>,
}

impl Flow {
    pub fn new(template: &Template) -> Flow {
        let component = components(template);
        let mut next = vec![Accesses::default(); template.locations.len()];
        for edge in &template.edges {
            next[edge.source.index()].add_edge(edge);
        }
        let future = futures(template, &component, &next);
        Flow { component, next, future }
    }
}

impl Accesses {
    fn add_edge(&mut self, edge: &Edge) {
        let access = edge.read_write_sets();
        self.reads.extend(access.shared_reads().map(|id| id.0));
        self.writes.extend(access.shared_writes().map(|id| id.0));
    }

    fn add(&mut self, other: &Accesses) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    /// Does one write what the other reads or writes?
    pub fn conflicts(&self, other: &Accesses) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }
}

fn futures(template: &Template, component: &[u32], next: &[Accesses]) -> Vec<Accesses> {
    let mut future = vec![Accesses::default(); template.locations.len()];
    let mut edges: Vec<&Edge> = template.edges.iter().collect();
    edges.sort_by_key(|edge| component[edge.source.index()]);
    for edge in edges {
        let source = component[edge.source.index()] as usize;
        let target = component[edge.target.index()] as usize;
        future[source].add(&next[edge.source.index()]);
        if source != target {
            let after = future[target].clone();
            future[source].add(&after);
        }
    }
    future
}

/// The strongly connected component of each location, numbered so that no edge
/// leads to a larger number.
fn components(template: &Template) -> Vec<u32> {
    let mut targets = vec![Vec::new(); template.locations.len()];
    for edge in &template.edges {
        targets[edge.source.index()].push(edge.target.index());
    }
    let mut tarjan = Tarjan {
        numbers: vec![u32::MAX; targets.len()],
        low: vec![0; targets.len()],
        component: vec![u32::MAX; targets.len()],
        open: Vec::new(),
        components: 0,
        visited: 0,
    };
    for root in 0..targets.len() {
        if tarjan.numbers[root] == u32::MAX {
            tarjan.visit(root, &targets);
        }
    }
    tarjan.component
}

struct Tarjan {
    numbers: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    open: Vec<usize>,
    components: u32,
    visited: u32,
}

impl Tarjan {
    fn visit(&mut self, root: usize, targets: &[Vec<usize>]) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            if let Some(&target) = targets[at].get(*next) {
                *next += 1;
                if self.numbers[target] == u32::MAX {
                    self.enter(target);
                    path.push((target, 0));
                } else if self.component[target] == u32::MAX {
                    self.low[at] = self.low[at].min(self.numbers[target]);
                }
            } else {
                path.pop();
                self.leave(at);
                if let Some(&(parent, _)) = path.last() {
                    self.low[parent] = self.low[parent].min(self.low[at]);
                }
            }
        }
    }

    fn enter(&mut self, at: usize) {
        self.numbers[at] = self.visited;
        self.low[at] = self.visited;
        self.visited += 1;
        self.open.push(at);
    }

    /// Closes the component of `at` if it is the first visited of it.
    fn leave(&mut self, at: usize) {
        if self.low[at] < self.numbers[at] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = self.components;
            if member == at {
                break;
            }
        }
        self.components += 1;
    }
}
