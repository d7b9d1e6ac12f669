//! Conditions (5) and (6) of `assertions`: where all views hold, no state is wrong.

use super::AssertionsChecker;
use super::case::{Case, Goal, Premise};
use super::location_set::LocationSet;
use crate::refuse;
use ccfa::text::location_name;
use ccfa::{Count, EdgeId, LocKind, Location};
use evidence::Reason;
use logic::Term;

impl AssertionsChecker<'_> {
    /// (5) and (6)
    pub(super) fn property(&mut self) -> Result<(), Reason> {
        let property = &self.program.property;
        let ends = |kind: &LocKind| *kind != LocKind::Plain && !property.forbids(kind);
        for thread in self.program.threads.iter().filter(|thread| thread.count == Count::Any) {
            let template = &self.program.templates[thread.template.index()];
            if ends(&template.locations[template.entry.index()].kind) {
                return refuse(format!("{} ends the program where it starts", thread.name));
            }
        }
        self.locations()?;
        if property.deadlocks { self.deadlocks() } else { Ok(()) }
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

    /// (6): the finite instance has all instances of the program.
    fn deadlocks(&mut self) -> Result<(), Reason> {
        if self.program.is_parameterised() {
            return refuse("assertions say nothing about deadlocks of parameterised programs");
        }
        let instances: Vec<usize> = (0..self.system.instances.len()).collect();
        let anywhere: Vec<LocationSet> = instances.iter().map(|i| self.anywhere(*i)).collect();
        let left: Vec<LocationSet> = instances.iter().map(|i| self.left(*i)).collect();
        let among = |which: &dyn Fn(&Location, bool) -> bool| -> Vec<LocationSet> {
            let which = |i: &usize| {
                self.locations_where(*i, &|at, location| which(location, left[*i].contains(at)))
            };
            instances.iter().map(which).collect()
        };
        let calm = among(&|location, _| !location.atomic);
        let stays = among(&|location, is_left| location.resting || !is_left);
        let ends = among(&|location, is_left| {
            location.kind != LocKind::Plain || location.atomic && !is_left
        });
        let mut goals = vec![Goal { at: stays.iter().enumerate().collect(), holds: Vec::new() }];
        goals.extend(ends.iter().enumerate().map(|end| Goal { at: vec![end], holds: Vec::new() }));
        let sources = instances.iter().map(|i| {
            let edges = self.system.template(*i).edges.iter();
            edges.map(|edge| self.only(*i, edge.source)).collect()
        });
        let sources: Vec<Vec<LocationSet>> = sources.collect();
        for (instance, sources) in sources.iter().enumerate() {
            for (edge, source) in sources.iter().enumerate() {
                let others = calm.iter().enumerate().filter(|(other, _)| *other != instance);
                let at = others.chain([(instance, source)]).collect();
                let step = (instance, EdgeId(edge as u32));
                goals.push(Goal { at, holds: self.views.obligations.enabled(step).to_vec() });
            }
        }
        let premises = self.premises(&instances, None);
        let case = Case { known: Vec::new(), premises: &premises, goals };
        match self.views.follows(&case, &anywhere)? {
            true => Ok(()),
            false => refuse("there may be a deadlock"),
        }
    }

    /// The locations of an instance that edges leave.
    fn left(&self, instance: usize) -> LocationSet {
        let template = self.system.template(instance);
        LocationSet::of(template.locations.len(), template.edges.iter().map(|edge| edge.source))
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
