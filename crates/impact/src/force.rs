//! Force cover: makes a node coverable where the path to it allows that.
//!
//! McMillan looks from the nearest common ancestor of the two nodes; we look from
//! the root, since what the path to the node makes of a formula is at hand, and
//! strengthen labels only as far up as needed.

use crate::search::{Search, Stuck};
use crate::tree::NodeId;
use logic::Term;

/// How many nodes are tried, the youngest first.
const TRIED: usize = 32;

impl Search<'_, '_> {
    /// Is `v` covered now, perhaps after its label was strengthened?
    pub(crate) fn force_cover(&mut self, v: NodeId) -> Result<bool, Stuck> {
        if !self.configuration.force_cover {
            return Ok(false);
        }
        for w in self.candidates(v).into_iter().rev().take(TRIED) {
            if self.tree.counts(w) && self.force(v, w)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn force(&mut self, v: NodeId, w: NodeId) -> Result<bool, Stuck> {
        let goals: Vec<Term> = self.tree[w].label.clone();
        for goal in &goals {
            let now = self.on_path(*goal, v);
            if self.terms.constant_value(now) == Some(0) {
                return Ok(false);
            }
        }
        // All or nothing: labels are not to be strengthened in vain.
        for goal in &goals {
            self.tally.implications += 1;
            if self.refute(v, *goal)?.is_none() {
                return Ok(false);
            }
        }
        for goal in goals {
            self.establish(v, goal)?;
        }
        // Strengthening may have changed what stands above.
        if self.tree.counts(v) && self.tree.counts(w) {
            return self.close(v);
        }
        Ok(!self.tree.counts(v))
    }
}
