//! Assertions and steps in words, for the sentences in which evidence is refused.

use super::{AssertionsChecker, TrackedStep};
use crate::describe::describe_edge;

impl AssertionsChecker<'_> {
    /// The assertion of an instantiated view, for people.
    pub(super) fn assertion(&self, view: usize) -> String {
        let number = self.views.instantiated[view].view;
        let view = &self.proof.views[number];
        let name = |slot| view.slot_name(self.program, slot);
        let names: Vec<String> = (0..view.slots.len()).map(name).collect();
        format!("view {number} of {}", names.join(", "))
    }

    /// A step, for people.
    pub(super) fn describe(&self, step: &TrackedStep) -> String {
        let mover = step.instances[step.mover];
        let instance = self.system.instances[mover];
        let view = &self.proof.views[self.views.instantiated[step.view].view];
        let name = match self.finite.named[instance.thread.index()] {
            _ if !step.is_environment_step() => view.slot_name(self.program, step.mover),
            true => self.program.instance_name(instance),
            false => format!("another {}", self.program.threads[instance.thread.index()].name),
        };
        format!("{name}: {}", describe_edge(self.system.template(mover), step.edge))
    }
}
