//! The premises of a tree in words, for an observer.

use super::TreeChecker;
use crate::describe::describe;
use crate::obligations::Transition;
use crate::observe::Premise;
use ccfa::text::location_name;
use ccfa::{LocId, Span};

impl TreeChecker<'_> {
    pub(super) fn tell_root(&self) {
        self.premise("initiation", None, || {
            "the label of the root, node 0, holds in every initial state".into()
        });
    }

    pub(super) fn tell_safety(&self, number: usize, is_forbidden: bool) {
        if is_forbidden {
            self.premise("safety", None, || {
                format!("node {number} ({}), where the program must not come, is not reached: its label is false", self.at(number))
            });
        }
    }

    pub(super) fn tell_edge(&self, parent: usize, child: usize, step: Transition) {
        self.premise("well-labelled", Some(step), || {
            let step = describe(&self.system, step);
            format!("from the label of node {parent}, after {step}, the label of its child {child} holds ({})", self.at(child))
        });
    }

    pub(super) fn tell_cover(&self, number: usize, cover: usize) {
        self.premise("cover", None, || {
            format!(
                "the label of node {number} implies that of node {cover}, which covers it ({})",
                self.at(cover)
            )
        });
    }

    pub(super) fn tell_completeness(&self, number: usize) {
        self.premise("completeness", None, || {
            format!(
                "steps for which node {number} ({}) has no child are excluded by its label, or commute with the step that leads to it and come before it in the order, or another thread can move whose steps are enough",
                self.at(number)
            )
        });
    }

    fn premise(
        &self,
        rule: &'static str,
        step: Option<Transition>,
        words: impl FnOnce() -> String,
    ) {
        self.obligations.means.premise(|| {
            let place: Option<Span> = step.and_then(|step| self.edge(step).span);
            Premise { rule, words: words(), place }
        });
    }

    /// The locations of a node.
    fn at(&self, number: usize) -> String {
        let at = self.skeleton[number].at.locations.iter().enumerate();
        let name = |(instance, location): (usize, &LocId)| {
            let name = self.system.program.instance_name(self.system.instances[instance]);
            format!("{name} at {}", location_name(self.system.template(instance), *location))
        };
        at.map(name).collect::<Vec<_>>().join(", ")
    }
}
