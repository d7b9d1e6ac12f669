//! Strongly connected components, after Tarjan, *Depth-first search and linear
//! graph algorithms*, SIAM J. Comput. 1972, with the stack made explicit.

use super::solve::ConstraintNode;

/// The components of the graph on `0..edges.len()` with the given successors.
/// A component comes before those from which it is reached.
pub(super) fn components(edges: &[&[ConstraintNode]]) -> Vec<Vec<ConstraintNode>> {
    let mut search = CycleSearch {
        edges,
        // 0 = not visited yet.
        index: vec![0; edges.len()],
        low: vec![u32::MAX; edges.len()],
        visited: 0,
        open: Vec::new(),
        found: Vec::new(),
    };
    for start in (0..edges.len() as u32).map(ConstraintNode) {
        if search.index[start.index()] == 0 {
            search.run(start);
        }
    }
    search.found
}

struct CycleSearch<'a> {
    edges: &'a [&'a [ConstraintNode]],
    index: Vec<u32>,
    /// `u32::MAX` once the component is found.
    low: Vec<u32>,
    visited: u32,
    /// Visited nodes whose component is not complete.
    open: Vec<ConstraintNode>,
    found: Vec<Vec<ConstraintNode>>,
}

impl CycleSearch<'_> {
    fn run(&mut self, start: ConstraintNode) {
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some((node, position)) = path.last_mut() {
            let node = *node;
            if let Some(&next) = self.edges[node.index()].get(*position) {
                *position += 1;
                if self.index[next.index()] == 0 {
                    self.enter(next);
                    path.push((next, 0));
                } else if self.low[next.index()] != u32::MAX {
                    self.lower(node, self.index[next.index()]);
                }
                continue;
            }
            path.pop();
            let low = self.low[node.index()];
            if low == self.index[node.index()] {
                self.close(node);
            } else if let Some((parent, _)) = path.last() {
                self.lower(*parent, low);
            }
        }
    }

    fn enter(&mut self, node: ConstraintNode) {
        self.visited += 1;
        self.index[node.index()] = self.visited;
        self.low[node.index()] = self.visited;
        self.open.push(node);
    }

    fn lower(&mut self, node: ConstraintNode, low: u32) {
        self.low[node.index()] = self.low[node.index()].min(low);
    }

    fn close(&mut self, root: ConstraintNode) {
        let start = self.open.iter().rposition(|node| *node == root).unwrap_or(0);
        let component = self.open.split_off(start);
        for node in &component {
            self.low[node.index()] = u32::MAX;
        }
        self.found.push(component);
    }
}
