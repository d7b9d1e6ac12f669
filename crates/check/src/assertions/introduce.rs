//! What is known of one who moves, whoever looks on.
//!
//! Before a step all views hold, in whatever way they are filled. Take a view, a way to fill it
//! from the stage, and one of its slots. (Instances that fill it in this way exist: of a thread in any
//! number there are enough, of others not more on the stage than in the program.) If the instance in that slot is at the source of an edge, one of
//! the regions holds that are possible there, wherever the others are. So what all of these say
//! holds whenever the instance takes the edge. What they say of the locals of others is left out:
//! it is no use where these are not in sight.

use super::Checker;
use super::places::Places;
use super::stage::ways;
use ccfa::{Edge, EdgeId};
use std::collections::HashSet;

impl Checker<'_> {
    /// Adds to the guard of each edge what all regions of a view of its instance say at its source,
    /// as far as that is about no other instance.
    pub(super) fn introduce(&mut self) {
        let everyone: Vec<usize> = (0..self.system.instances.len()).collect();
        for (number, view) in self.proof.views.iter().enumerate() {
            let mut introduced: HashSet<(usize, usize)> = HashSet::new();
            for actors in ways(&self.system, &view.slots, &everyone) {
                let scene = self.script.scene(number, &actors);
                for (slot, actor) in actors.iter().enumerate() {
                    if introduced.insert((slot, *actor)) {
                        self.introduce_one(scene, slot, *actor);
                    }
                }
            }
        }
    }

    /// The same for one who plays this slot.
    fn introduce_one(&mut self, scene: usize, slot: usize, actor: usize) {
        let (_, actors) = self.scene(scene);
        let anywhere =
            |actor: &usize| Places::said(self.system.template(*actor).locations.len(), &None);
        let mut places: Vec<Places> = actors.iter().map(anywhere).collect();
        for (edge, Edge { source, .. }) in self.system.template(actor).edges.iter().enumerate() {
            places[slot] = self.only(actor, *source);
            let known = self.script.agreed(scene, slot, &places.iter().collect::<Vec<_>>());
            self.script.obligations.suppose((actor, EdgeId(edge as u32)), &known);
        }
    }
}
