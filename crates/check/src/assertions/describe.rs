//! Assertions and steps in words, for the sentences in which evidence is refused, and for an observer.

use super::{AssertionsChecker, TrackedStep};
use crate::describe::describe_edge;
use crate::observe::Premise;
use ccfa::text::location_name;
use ccfa::{LocId, Span};

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

    pub(super) fn tell_initiation(&self, view: usize) {
        self.premise("initiation", None, || {
            format!("a region of {} holds in every initial state", self.instantiated(view))
        });
    }

    pub(super) fn tell_step(&self, step: &TrackedStep) {
        let rule = match step.is_environment_step() {
            true => "interference freedom",
            false => "consecution",
        };
        self.premise(rule, self.edge(step).span, || {
            let (what, step) = (self.instantiated(step.view), self.describe(step));
            format!("after {step} a region of {what} holds again")
        });
    }

    pub(super) fn tell_safety(&self, instance: usize, location: LocId) {
        let template = self.system.template(instance);
        self.premise("safety", template.locations[location.index()].span, || {
            let name = self.program.instance_name(self.system.instances[instance]);
            let location = location_name(template, location);
            format!("the views exclude that {name} is at {location}, where it must not come")
        });
    }

    fn premise(&self, rule: &'static str, place: Option<Span>, words: impl FnOnce() -> String) {
        let told = || Premise { rule, words: words(), place };
        self.views.obligations.means.premise(told);
    }

    /// The assertion of an instantiated view, and of which instances.
    fn instantiated(&self, view: usize) -> String {
        let instances = self.views.instantiated[view].instances.iter();
        let name = |i: &usize| self.finite.program.instance_name(self.system.instances[*i]);
        let names: Vec<String> = instances.map(name).collect();
        format!("{} (instances {})", self.assertion(view), names.join(", "))
    }
}
