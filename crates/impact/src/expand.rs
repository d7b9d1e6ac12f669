//! EXPAND: the successors of a node.
//!
//! A step that plainly cannot be taken gets no node: the label is strengthened until it
//! excludes the step. Then it may suffice for a cover, and nothing is expanded.
//!
//! Where a thread is a *singleton persistent set* (`ccfa::footprint`), so that its next steps conflict with nothing that
//! the others can come to, the others can wait. That is sPOR as the paper has it, if the thread touches nothing
//! shared; with dPOR it is done for all that no other thread interferes with. The others
//! are not put off for ever: a thread is no such set at the head of a loop. `check::tree` has the argument.

use crate::PartialOrderReduction;
use crate::action::Action;
use crate::search::{Search, UnwindError};
use crate::tree::NodeId;
use std::rc::Rc;

impl Search<'_, '_> {
    /// EXPAND: every thread that is not skipped.
    pub(crate) fn expand(&mut self, v: NodeId) -> Result<(), UnwindError> {
        self.tree[v].open = false;
        let known = self.tree[v].label.len();
        self.tree[v].singleton = self.singleton(v)?;
        let mut actions = Vec::new();
        for thread in self.movers(v) {
            if !self.skip_with_covers(v, thread)? {
                actions.extend(self.possible(thread, v)?);
            }
        }
        if self.tree[v].label.len() != known && self.close(v)? {
            self.tree[v].open = true;
            self.tree[v].expanded.fill(false);
            return Ok(());
        }
        self.grow_all(v, &actions);
        Ok(())
    }

    /// EXPAND-THREAD: a node for each action of the thread; says how many.
    pub(crate) fn expand_thread(&mut self, thread: usize, v: NodeId) -> Result<usize, UnwindError> {
        let actions = self.possible(thread, v)?;
        self.grow_all(v, &actions);
        Ok(actions.len())
    }

    fn grow_all(&mut self, v: NodeId, actions: &[Rc<Action>]) {
        let grown: Vec<NodeId> = actions.iter().map(|action| self.grow(v, action)).collect();
        self.queue.extend(&self.tree, grown);
    }

    /// The threads to look at in `v`: all, or the one at an atomic location, or the one that is a singleton persistent set.
    pub(crate) fn movers(&self, v: NodeId) -> Vec<usize> {
        match self.at_atomic(v).or(self.tree[v].singleton) {
            Some(only) => vec![only],
            None => (0..self.system.instances.len()).collect(),
        }
    }

    /// The thread that is at an atomic location: then no other thread moves.
    fn at_atomic(&self, v: NodeId) -> Option<usize> {
        let locations = self.tree.locations(self.tree[v].place);
        (0..locations.len()).find(|&instance| {
            self.system.template(instance).locations[locations[instance].index()].atomic
        })
    }

    /// The thread that is a singleton persistent set at `v`, if it plainly can take a step there; the label is
    /// strengthened until it says so.
    fn singleton(&mut self, v: NodeId) -> Result<Option<usize>, UnwindError> {
        let locations = Rc::clone(self.tree.locations(self.tree[v].place));
        let first = self.summaries.first_singleton_persistent(&locations);
        let Some(thread) = first.filter(|_| self.at_atomic(v).is_none()) else { return Ok(None) };
        let is_local = self.summaries.of(thread, locations[thread]).next.is_empty();
        if self.configuration.reduction == PartialOrderReduction::Static && !is_local {
            return Ok(None);
        }
        let mut ways = Vec::new();
        for action in self.actions.at(thread, locations[thread]) {
            ways.push(self.terms.and(action.guards.iter().copied()));
        }
        let can_move = self.terms.or(ways);
        let now = self.on_path(can_move, v);
        let plainly = self.terms.constant_value(now) == Some(1) && self.may_unroll(v, can_move)?;
        Ok((plainly && self.establish(v, can_move)?).then_some(thread))
    }

    /// The actions of a thread that is expanded, but for those which the label excludes or can.
    fn possible(&mut self, thread: usize, v: NodeId) -> Result<Vec<Rc<Action>>, UnwindError> {
        self.tree[v].expanded[thread] = true;
        let location = self.tree.locations(self.tree[v].place)[thread];
        let mut possible = Vec::new();
        for action in self.actions.at(thread, location).to_vec() {
            if !self.blocked(v, &action)? {
                possible.push(action);
            }
        }
        Ok(possible)
    }

    /// If a guard is plainly false on the path to `v`: strengthens the label
    /// until it says so, too.
    fn blocked(&mut self, v: NodeId, action: &Action) -> Result<bool, UnwindError> {
        for guard in &action.guards {
            let now = self.on_path(*guard, v);
            if self.terms.constant_value(now) == Some(0) && self.may_unroll(v, *guard)? {
                let not = self.terms.not(*guard);
                return self.establish(v, not);
            }
        }
        Ok(false)
    }
}
