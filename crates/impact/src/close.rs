//! CLOSE: covers a node by an earlier one whose label it implies.
//!
//! With dPOR (Algorithm 2), what would have been expanded at the covered node is
//! expanded at the covering one: a *cover expansion*. Without it, a thread that
//! was skipped there because of *that* node's history would be forgotten here.

use crate::search::{Search, Stuck};
use crate::tree::NodeId;

impl Search<'_, '_> {
    /// CLOSE: is `v` covered now?
    pub(crate) fn close(&mut self, v: NodeId) -> Result<bool, Stuck> {
        for w in self.candidates(v) {
            if self.implies_label(v, w)? {
                self.cover(v, w)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// CLOSE without questions: is `v` covered now by a node whose label is part of its own?
    pub(crate) fn close_plainly(&mut self, v: NodeId) -> Result<bool, Stuck> {
        let have = &self.tree[v].label;
        let contained =
            |w: &NodeId| self.tree[*w].label.iter().all(|part| have.binary_search(part).is_ok());
        match self.candidates(v).into_iter().find(contained) {
            Some(w) => self.cover(v, w).map(|()| true),
            None => Ok(false),
        }
    }

    /// The nodes that may cover `v`, the oldest first: they are the least likely to be
    /// covered themselves, which would uncover `v` again.
    pub(crate) fn candidates(&self, v: NodeId) -> Vec<NodeId> {
        let here = self.tree.at(self.tree[v].place).iter();
        here.copied().filter(|&w| w < v && self.tree.counts(w)).collect()
    }

    /// φ(v) ⇒ φ(w)
    fn implies_label(&mut self, v: NodeId, w: NodeId) -> Result<bool, Stuck> {
        let missing: Vec<_> = {
            let have = &self.tree[v].label;
            let wanted = self.tree[w].label.iter();
            wanted.copied().filter(|part| have.binary_search(part).is_err()).collect()
        };
        // What is false on the path to v cannot follow from a label that is true on it.
        for part in &missing {
            let now = self.on_path(*part, v);
            if self.terms.constant_value(now) == Some(0) {
                return Ok(false);
            }
        }
        for part in missing {
            if !self.label_implies(v, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// v ▷ w, with the cover expansions.
    pub(crate) fn cover(&mut self, v: NodeId, w: NodeId) -> Result<(), Stuck> {
        let again = self.tree.cover(v, w);
        self.queue.extend(&self.tree, again);
        self.tally.covers += 1;
        for thread in self.movers(w) {
            if !self.tree[w].open && !self.tree[w].expanded[thread] && !self.skip(v, thread)? {
                let grown = self.expand_thread(thread, w)?;
                self.tally.cover_expansions += grown.len() as u64;
                self.queue.extend(&self.tree, grown);
            }
        }
        Ok(())
    }
}
