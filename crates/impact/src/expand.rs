//! EXPAND: the successors of a node.

use crate::action::Action;
use crate::search::{Search, Stuck};
use crate::tree::NodeId;
use std::rc::Rc;

impl Search<'_, '_> {
    /// EXPAND: every thread that is not skipped.
    pub(crate) fn expand(&mut self, v: NodeId) -> Result<(), Stuck> {
        self.tree[v].open = false;
        let mut grown = Vec::new();
        for thread in self.movers(v) {
            if !self.skip_with_covers(v, thread)? {
                grown.extend(self.expand_thread(thread, v)?);
            }
        }
        self.queue.extend(&self.tree, grown);
        Ok(())
    }

    /// The threads that may move at `v`: all, or the one at an atomic location.
    pub(crate) fn movers(&self, v: NodeId) -> Vec<usize> {
        let locations = self.tree.locations(self.tree[v].place);
        let atomic = (0..locations.len()).find(|&instance| {
            self.system.template(instance).locations[locations[instance].index()].atomic
        });
        match atomic {
            Some(only) => vec![only],
            None => (0..locations.len()).collect(),
        }
    }

    /// EXPAND-THREAD: a node for each action of the thread. Where an action cannot be
    /// taken, the label says so instead; but without force covers, nodes with
    /// labels would hardly ever be covered, and errors alone give labels.
    pub(crate) fn expand_thread(&mut self, thread: usize, v: NodeId) -> Result<Vec<NodeId>, Stuck> {
        self.tree[v].expanded[thread] = true;
        let location = self.tree.locations(self.tree[v].place)[thread];
        let actions: Vec<Rc<Action>> = self.actions.at(thread, location).to_vec();
        let mut grown = Vec::new();
        for action in &actions {
            if !(self.configuration.force_cover && self.blocked(v, action)?) {
                grown.push(self.grow(v, action));
            }
        }
        Ok(grown)
    }

    /// If a guard is plainly false on the path to `v`: strengthens the label
    /// until it says so, too.
    fn blocked(&mut self, v: NodeId, action: &Action) -> Result<bool, Stuck> {
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
