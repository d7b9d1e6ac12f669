//! Condition (5) of `assertions`: where all views hold, no state is wrong.

use super::AssertionsChecker;
use super::case::{Case, Premise};
use super::location_set::LocationSet;
use crate::refuse;
use ccfa::text::location_name;
use ccfa::{Count, LocKind, Location};
use evidence::Reason;
use logic::Term;

impl AssertionsChecker<'_> {
    /// (5)
    pub(super) fn property(&mut self) -> Result<(), Reason> {
        let property = &self.program.property;
        let ends = |kind: &LocKind| *kind != LocKind::Plain && !property.forbids(kind);
        for thread in self.program.threads.iter().filter(|thread| thread.count == Count::Any) {
            let template = &self.program.templates[thread.template.index()];
            if ends(&template.locations[template.entry.index()].kind) {
                return refuse(format!("{} ends the program where it starts", thread.name));
            }
        }
        self.locations()
    }

    /// (5)
    fn locations(&mut self) -> Result<(), Reason> {
        for instance in self.finite.environment(&self.system, &[]) {
            let (instances, premises) = self.premises_about(&[instance]);
            let mut at: Vec<LocationSet> = instances.iter().map(|i| self.anywhere(*i)).collect();
            let forbids = |location: &Location| self.program.property.forbids(&location.kind);
            for location in self.locations_where(instance, &|_, location| forbids(location)).iter()
            {
                at[0] = self.only(instance, location);
                self.tell_safety(instance, location);
                if !self.excluded(&premises, &[], &at)? {
                    let name = location_name(self.system.template(instance), location);
                    let thread = self.system.instances[instance].thread;
                    let thread = &self.program.threads[thread.index()].name;
                    return refuse(format!("{thread} may be at {name}, a forbidden location"));
                }
            }
        }
        Ok(())
    }

    /// These instances and then all others; and the premises about these, and all premises.
    fn premises_about(&mut self, first: &[usize]) -> (Vec<usize>, [Vec<Premise>; 2]) {
        let others = (0..self.system.instances.len()).filter(|other| !first.contains(other));
        let instances: Vec<usize> = first.iter().copied().chain(others).collect();
        let all = self.premises(&instances, None);
        let speaks_of = |premise: &&Premise| premise.positions.iter().any(|p| *p < first.len());
        let own = all.iter().filter(speaks_of).cloned().collect();
        (instances, [own, all])
    }

    /// Do the views exclude that these hold, with the instances at these locations?
    fn excluded(
        &mut self,
        premises: &[Vec<Premise>; 2],
        known: &[Term],
        at: &[LocationSet],
    ) -> Result<bool, Reason> {
        for premises in premises {
            let case = Case { known: known.to_vec(), premises, goals: Vec::new() };
            if self.views.follows(&case, at)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
