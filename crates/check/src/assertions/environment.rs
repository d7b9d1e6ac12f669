//! Conditions (3) and (4) of `assertions`: environment transitions over-approximate the steps of other
//! instances, and keep the assertion.

use super::case::{Case, Goal, Premise};
use super::instantiated::{Substitution, TransitionFormulas, Variable, ViewFormulas};
use super::location_set::LocationSet;
use super::{AssertionsChecker, TrackedStep};
use crate::refuse;
use ccfa::Edge;
use evidence::Reason;
use logic::{Sort, Term};

impl AssertionsChecker<'_> {
    /// (4): the step is one of the environment transitions, or it changes neither shared variables nor a
    /// tracked thread.
    pub(super) fn is_approximated(
        &mut self,
        step: &TrackedStep,
        transitions: &[TransitionFormulas],
    ) -> Result<(), Reason> {
        let goals = self.goals_of_approximation(step, transitions);
        if goals.iter().any(|goal| goal.at.is_empty() && goal.holds.is_empty()) {
            return Ok(());
        }
        let mut case = self.case(step, &[], goals);
        let enabled = case.known.clone();
        for (region, at) in self.before(step) {
            case.known = [&enabled, &self.views.region(step.view, region)[..]].concat();
            if !self.views.follows(&case, &at)? {
                return refuse(format!(
                    "{}: {} in region {region} is no environment transition",
                    self.assertion(step.view),
                    self.describe(step)
                ));
            }
        }
        Ok(())
    }

    /// The environment transitions that a step may be, and that it may change nothing.
    fn goals_of_approximation<'c>(
        &mut self,
        step: &TrackedStep,
        transitions: &'c [TransitionFormulas],
    ) -> Vec<Goal<'c>> {
        let now = self.views.instantiated[step.view].now.clone();
        let after = self.after(step);
        let Edge { source, target, .. } = *self.edge(step);
        let mut goals = Vec::new();
        if step.is_environment_step() || source == target {
            let holds = self.same(&now, &after, |_| true);
            goals.extend(holds.map(|holds| Goal { at: Vec::new(), holds }));
        }
        let mut substitution = Substitution::new([&now[..], &after].concat());
        for transition in transitions {
            let leads = step.is_environment_step()
                || transition.from[step.mover].contains(source)
                    && transition.to[step.mover].contains(target);
            let stays = |slot: &usize| *slot != 0 && *slot != step.mover;
            let mut others = (0..step.formulas.slots()).filter(stays);
            if !leads || !others.all(|slot| transition.from[slot].meets(&transition.to[slot])) {
                continue;
            }
            let Some(mut holds) = self.same(&now, &after, |number| !transition.writes[number])
            else {
                continue;
            };
            let terms = self.views.obligations.terms();
            holds.extend(step.formulas.substitute(terms, &transition.holds, &mut substitution));
            let to = transition.to.iter().enumerate().filter(|(slot, _)| stays(slot));
            goals.push(Goal { at: transition.from.iter().enumerate().chain(to).collect(), holds });
        }
        goals
    }

    /// The variables of the view after a step.
    fn after(&self, step: &TrackedStep) -> Vec<Term> {
        let obligations = &self.views.obligations;
        let view = &self.views.instantiated[step.view];
        let assigns = obligations.assigns(step.transition());
        let after = |(variable, now): (&Variable, &Term)| {
            let symbol = obligations.vocabulary().symbol(view.owner(*variable), variable.var);
            assigns.get(&symbol).copied().unwrap_or(*now)
        };
        step.formulas.variables.iter().zip(&view.now).map(after).collect()
    }

    /// That all these variables have the same value; `None` if that is not easily said.
    fn same(
        &mut self,
        now: &[Term],
        after: &[Term],
        which: impl Fn(usize) -> bool,
    ) -> Option<Vec<Term>> {
        let terms = self.views.obligations.terms();
        let mut same = Vec::new();
        for (number, (now, after)) in now.iter().zip(after).enumerate() {
            match terms.sort(*now) {
                _ if now == after || !which(number) => {}
                Sort::Array { .. } => return None,
                Sort::Scalar(_) => {
                    let equal = terms.eq(*now, *after);
                    same.extend(terms.conjuncts(equal));
                }
            }
        }
        Some(same)
    }

    /// (3): the environment transitions keep the assertion.
    pub(super) fn environment_keeps(&mut self, view: usize) -> Result<(), Reason> {
        let (formulas, instances) = self.view(view);
        let Some(transitions) = &formulas.environment else { return Ok(()) };
        let environment = !self.finite.environment(&self.system, &instances).is_empty();
        let movers = instances.len() + usize::from(environment);
        let premises = self.premises(&instances, Some(view));
        for (number, transition) in transitions.iter().enumerate() {
            for mover in 1..movers {
                let broken = self.transition_breaks(view, &premises, transition, mover)?;
                if let Some(region) = broken {
                    let assertion = self.assertion(view);
                    return refuse(format!(
                        "{assertion} need not hold after environment transition {number} in region {region}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// A region that does not lead to a region by this environment transition. The thread in
    /// slot `mover` makes it, or an environment thread if there is no such slot.
    fn transition_breaks(
        &mut self,
        view: usize,
        premises: &[Premise],
        transition: &TransitionFormulas,
        mover: usize,
    ) -> Result<Option<usize>, Reason> {
        let (formulas, instances) = self.view(view);
        let from = self.sources(&instances, transition, mover);
        if from.iter().any(LocationSet::is_empty) {
            return Ok(None);
        }
        let now = self.views.instantiated[view].now.clone();
        let after = self.after_transition(&formulas, &now, transition, mover);
        let mut substitution = Substitution::new([&now[..], &after].concat());
        let terms = self.views.obligations.terms();
        let holds = formulas.substitute(terms, &transition.holds, &mut substitution);
        let mut substitution = Substitution::new(after);
        for region in formulas.matching(&from.iter().collect::<Vec<_>>()) {
            let mut at: Vec<LocationSet> =
                from.iter().zip(&formulas.regions[region].at).map(|(a, b)| a.and(b)).collect();
            // Where the mover is afterwards has a number of its own.
            at.extend(transition.to.get(mover).cloned());
            let number = |slot| if slot == mover { instances.len() } else { slot };
            let reached: Vec<&LocationSet> = (0..instances.len()).map(|r| &at[number(r)]).collect();
            let mut goals = Vec::new();
            for goal in formulas.matching(&reached) {
                let goal_at = formulas.regions[goal].at.iter().enumerate();
                let goal_at = goal_at.map(|(slot, at)| (number(slot), at)).collect();
                let terms = self.views.obligations.terms();
                goals.push(Goal {
                    at: goal_at,
                    holds: formulas.region(terms, goal, &mut substitution),
                });
            }
            let known = [&holds, &self.views.region(view, region)[..]].concat();
            let case = Case { known, premises, goals };
            if !self.views.follows(&case, &at)? {
                return Ok(Some(region));
            }
        }
        Ok(None)
    }

    /// Where the tracked threads are when `mover` makes an environment transition.
    fn sources(
        &self,
        instances: &[usize],
        transition: &TransitionFormulas,
        mover: usize,
    ) -> Vec<LocationSet> {
        let source = |(slot, instance): (usize, &usize)| {
            let may_be = self.may_be(*instance, slot == mover).and(&transition.from[slot]);
            let stays = slot != 0 && slot != mover;
            if stays { may_be.and(&transition.to[slot]) } else { may_be }
        };
        instances.iter().enumerate().map(source).collect()
    }

    /// The variables of the view after `mover` has made an environment transition.
    fn after_transition(
        &mut self,
        formulas: &ViewFormulas,
        now: &[Term],
        transition: &TransitionFormulas,
        mover: usize,
    ) -> Vec<Term> {
        let mut after = now.to_vec();
        for (number, variable) in formulas.variables.iter().enumerate() {
            if transition.writes[number] && variable.slot.is_none_or(|slot| slot == mover) {
                after[number] = self.views.obligations.terms().symbol(formulas.after(number));
            }
        }
        after
    }
}
