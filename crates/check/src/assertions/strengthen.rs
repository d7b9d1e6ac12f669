//! Strengthening of guards by what the assertions say of the mover.
//!
//! Before a step all assertions hold, for every instantiation. Take a view, an instantiation in the
//! finite instance, and one of its slots. (Instances of the program that instantiate it in this way
//! exist: of a parameterised thread there are enough, of others the finite instance has not
//! more than the program.) If the instance in that slot is at the source of an edge, one of
//! the regions holds that are possible there, wherever the other tracked threads are. So what all of
//! these regions say holds whenever the instance takes the edge. What they say of the locals of
//! other tracked threads is left out: it is no use where those are not tracked.

use super::AssertionsChecker;
use super::finite_instance::instantiations_among;
use super::location_set::LocationSet;
use ccfa::{Edge, EdgeId};
use std::collections::HashSet;

impl AssertionsChecker<'_> {
    /// Adds to the guard of each edge of each instance what all regions of a view that tracks the
    /// instance say at the source of the edge, as far as that is about no other instance.
    pub(super) fn strengthen_guards(&mut self) {
        let all: Vec<usize> = (0..self.system.instances.len()).collect();
        for (number, view) in self.proof.views.iter().enumerate() {
            let mut done: HashSet<(usize, usize)> = HashSet::new();
            for instances in instantiations_among(&self.system, &view.slots, &all) {
                let view = self.views.instantiate(number, &instances);
                for (slot, instance) in instances.iter().enumerate() {
                    if done.insert((slot, *instance)) {
                        self.strengthen_guards_of(view, slot, *instance);
                    }
                }
            }
        }
    }

    /// The same for the instance in one slot.
    fn strengthen_guards_of(&mut self, view: usize, slot: usize, instance: usize) {
        let (_, instances) = self.view(view);
        let mut at: Vec<LocationSet> = instances.iter().map(|i| self.anywhere(*i)).collect();
        for (edge, Edge { source, .. }) in self.system.template(instance).edges.iter().enumerate() {
            at[slot] = self.only(instance, *source);
            let known = self.views.agreed(view, slot, &at.iter().collect::<Vec<_>>());
            self.views.obligations.suppose((instance, EdgeId(edge as u32)), &known);
        }
    }
}
