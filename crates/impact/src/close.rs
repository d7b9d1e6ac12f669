//! CLOSE: covers a node by an earlier one whose label it implies.
//!
//! Labels are *carried over* for that: what a label above says, or assignments on the way have made
//! true, may be added to the labels down to the node. No question is asked, and
//! what guards tell is not looked at: that is left to force cover. Since steps that cannot be
//! taken are excluded by labels at once (`expand`), nodes have labels when those that could be
//! covered by them have none yet; without carrying over, spinning would not end before errors are found.
//!
//! With dPOR (Algorithm 2), what would have been expanded at the covered node is
//! expanded at the covering one: a *cover expansion*. Without it, a thread that
//! was skipped there because of *that* node's history would be forgotten here.

use crate::round::Loops;
use crate::search::{Search, UnwindError};
use crate::tree::NodeId;
use logic::Term;

/// Formulas of so many parts or more are not carried over: they are seldom what a cover needs.
const MAX_CARRIED_PARTS: usize = 20;

impl Search<'_, '_> {
    /// CLOSE: is `v` covered now?
    pub(crate) fn close(&mut self, v: NodeId) -> Result<bool, UnwindError> {
        for w in self.candidates(v) {
            if self.implies_label(v, w)? {
                self.cover(v, w)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// CLOSE without questions: is `v` covered now by a node whose label is part of its own?
    pub(crate) fn close_plainly(&mut self, v: NodeId) -> Result<bool, UnwindError> {
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

    /// φ(v) ⇒ φ(w), perhaps after φ(v) was strengthened by what is plain.
    fn implies_label(&mut self, v: NodeId, w: NodeId) -> Result<bool, UnwindError> {
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
        let mut plain = Vec::new();
        for part in missing {
            match self.carried_over(v, w, part) {
                Some(labels) => plain.extend(labels),
                None if self.label_implies(v, part)? => {}
                None => return Ok(false),
            }
        }
        #[cfg(debug_assertions)]
        self.check_interpolants(&plain);
        for (node, formula) in plain {
            self.strengthen(node, formula)?;
        }
        Ok(self.tree.counts(v) && self.tree.counts(w))
    }

    /// What labels up to `v` do not say yet, so that `formula` holds at `v`; nothing unless it
    /// is said further up, or made true by assignments alone, whatever guards say. The label of `w`,
    /// from which `formula` comes, stays as it is: else it might ask for more, round by round of a loop.
    fn carried_over(&mut self, v: NodeId, w: NodeId, formula: Term) -> Option<Vec<(NodeId, Term)>> {
        let mut unsaid = Vec::new();
        let (mut node, mut formula, mut is_new) = (v, formula, true);
        while self.terms.constant_value(formula) != Some(1)
            && self.tree[node].label.binary_search(&formula).is_err()
        {
            if node == w
                || is_new && self.terms.size(formula, MAX_CARRIED_PARTS) >= MAX_CARRIED_PARTS
            {
                return None;
            }
            unsaid.push((node, formula));
            let Some((parent, action)) = self.tree[node].parent.clone() else {
                let at_first = self.on_path(formula, node);
                return (self.terms.constant_value(at_first) == Some(1)).then_some(unsaid);
            };
            let before = self.before(&action, formula);
            is_new = before != formula;
            if is_new && (self.is_unrolled(formula) || self.takes_inputs(&action, before)) {
                return None;
            }
            (node, formula) = (parent, before);
        }
        Some(unsaid)
    }

    /// Does a loop change what it says, and are loops not to be unrolled?
    fn is_unrolled(&self, formula: Term) -> bool {
        matches!(self.loops, Loops::Kept { .. }) && self.is_carried(formula)
    }

    /// v ▷ w, with the cover expansions.
    pub(crate) fn cover(&mut self, v: NodeId, w: NodeId) -> Result<(), UnwindError> {
        let again = self.tree.cover(v, w);
        self.queue.extend(&self.tree, again);
        self.tally.covers += 1;
        for thread in self.movers(w) {
            if !self.tree[w].open && !self.tree[w].expanded[thread] && !self.skip(v, thread)? {
                self.tally.cover_expansions += self.expand_thread(thread, w)? as u64;
            }
        }
        Ok(())
    }
}
