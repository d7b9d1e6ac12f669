//! Where the edges of a template lead, whatever their guards say.

use crate::dataflow::solve;
use crate::program::{Edge, LocId, Template};

impl Template {
    /// By location: does a path lead there from one of these? From each of these itself, the empty one does.
    pub fn reachable(&self, from: impl IntoIterator<Item = LocId>) -> Vec<bool> {
        self.closure(from, |edge| (edge.source, edge.target))
    }

    /// By location: does a path lead from there to one of these? To each of these itself, the empty one does.
    pub fn leading_to(&self, ends: impl IntoIterator<Item = LocId>) -> Vec<bool> {
        self.closure(ends, |edge| (edge.target, edge.source))
    }

    fn closure(
        &self,
        of: impl IntoIterator<Item = LocId>,
        ends: impl Fn(&Edge) -> (LocId, LocId),
    ) -> Vec<bool> {
        let mut members = vec![false; self.locations.len()];
        of.into_iter().for_each(|location| members[location.index()] = true);
        solve(self, ends, members, |_, here, there| *here && !std::mem::replace(there, true))
    }
}
