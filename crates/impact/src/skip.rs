//! SKIP and LOOP: which threads need not be expanded at a node (Section IV-C), and
//! conditional dependence (Section IV-D).
//!
//! A thread may be skipped at a node that was reached by an action of a *later*
//! thread if both actions are independent: then the interleaving with the two in
//! the other order leads to the same state. So of each class of equivalent
//! interleavings one is left, the monotonic one.
//!
//! The paper's threads never block. Ours do, and nothing changes: what an action
//! needs to be enabled counts among what it reads, so independent actions neither
//! enable nor disable each other. While a thread is at an atomic location no other thread
//! moves, so an action that leaves one, or leads to one, is not independent of
//! others. The order of actions is by thread, but a singleton persistent set comes first, and what touches no
//! shared variable else comes last (`AccessSummaries::order`); with sPOR only actions that touch none are reordered.

use crate::PartialOrderReduction;
use crate::action::{Action, Touch};
use crate::search::{Search, UnwindError};
use crate::tree::NodeId;
use logic::Term;
use std::rc::Rc;

impl Search<'_, '_> {
    /// May `thread` be left out at `v` and at every node that `v` covers?
    pub(crate) fn skip_with_covers(
        &mut self,
        v: NodeId,
        thread: usize,
    ) -> Result<bool, UnwindError> {
        if !self.skip(v, thread)? {
            return Ok(false);
        }
        for u in self.tree[v].covers.clone() {
            if !self.skip(u, thread)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// SKIP: may `thread` be left out at `v`?
    pub(crate) fn skip(&mut self, v: NodeId, thread: usize) -> Result<bool, UnwindError> {
        let Some((parent, last)) = self.tree[v].parent.clone() else { return Ok(false) };
        let before = Rc::clone(self.tree.locations(self.tree[parent].place));
        let location = self.tree.locations(self.tree[v].place)[thread];
        let actions: Vec<Rc<Action>> = self.actions.at(thread, location).to_vec();
        if last.instance == thread || last.from_atomic || self.is_loop(&last) {
            return Ok(false);
        }
        let mut apart = Vec::new();
        for action in &actions {
            let order = |step: &Action| self.summaries.order(&before, step.instance, step.local);
            let later = order(&last) > order(action);
            let considered =
                last.local || self.configuration.reduction == PartialOrderReduction::Dynamic;
            if !later || !considered || action.to_atomic {
                return Ok(false);
            }
            match self.independent(&last, action) {
                Some(conditions) => apart.extend(conditions),
                None => return Ok(false),
            }
        }
        for condition in &apart {
            let now = self.on_path(*condition, v);
            if self.terms.constant_value(now) == Some(0) {
                return Ok(false);
            }
        }
        for condition in apart {
            if !self.establish(v, condition)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// LOOP: did the last action close a loop of its thread?
    fn is_loop(&self, last: &Action) -> bool {
        last.back && self.configuration.reduction == PartialOrderReduction::Dynamic
    }

    /// a ∥ a', under these conditions at the node between them (negated alias
    /// expressions); `None` if they are dependent whatever holds.
    fn independent(&mut self, last: &Action, next: &Action) -> Option<Vec<Term>> {
        let mut conditions = Vec::new();
        for before in &last.touches {
            for after in &next.touches {
                if before.symbol == after.symbol && (before.write || after.write) {
                    conditions.extend(self.apart(last, before, after)?);
                }
            }
        }
        Some(conditions)
    }

    /// When two accesses to one variable do not go to the same cell; nothing if never.
    fn apart(&mut self, last: &Action, before: &Touch, after: &Touch) -> Option<Option<Term>> {
        let (first, second) = (before.index?, after.index?);
        // The index of the last action is to be read after it: it must not have changed.
        let changed = self.terms.symbols_of(first).iter().any(|s| last.assigns.contains_key(s));
        if changed {
            return None;
        }
        let alias = self.terms.same_index(first, second);
        match self.terms.constant_value(alias) {
            Some(0) => Some(None),
            Some(_) => None,
            None => Some(Some(self.terms.not(alias))),
        }
    }
}
