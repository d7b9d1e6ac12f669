//! Conditions (3) and (4) of `assertions`: what the views that have an environment say of others.

use super::case::{Case, Goal, Saying};
use super::places::Places;
use super::scene::{Changing, Meaning, Statement, Variable};
use super::{Checker, Step};
use crate::refuse;
use ccfa::Edge;
use evidence::Reason;
use logic::{Sort, Term};

impl Checker<'_> {
    /// (4): the step is one of the changes or changes nothing in view.
    pub(super) fn is_foreseen(&mut self, step: &Step, changes: &[Changing]) -> Result<(), Reason> {
        let goals = self.goals_in_view(step, changes);
        if goals.iter().any(|goal| goal.at.is_empty() && goal.holds.is_empty()) {
            return Ok(());
        }
        let mut case = self.case(step, &[], goals);
        let enabled = case.known.clone();
        for (region, places) in self.before(step) {
            case.known = [&enabled, &self.script.region(step.scene, region)[..]].concat();
            if !self.script.follows(&case, &places)? {
                return refuse(format!(
                    "{}: {} in region {region} is none of the changes",
                    self.assertion(step.scene),
                    self.describe(step)
                ));
            }
        }
        Ok(())
    }

    /// What a step may be in the eyes of those in view.
    fn goals_in_view<'c>(&mut self, step: &Step, changes: &'c [Changing]) -> Vec<Goal<'c>> {
        let now = self.script.scenes[step.scene].now.clone();
        let after = self.after(step);
        let Edge { source, target, .. } = *self.edge(step);
        let mut goals = Vec::new();
        if step.is_outside() || source == target {
            let holds = self.same(&now, &after, |_| true);
            goals.extend(holds.map(|holds| Goal { at: Vec::new(), holds }));
        }
        let mut meaning = Meaning::new([&now[..], &after].concat());
        for change in changes {
            let leads = step.is_outside()
                || change.from[step.who].contains(source) && change.to[step.who].contains(target);
            let stays = |slot: &usize| *slot != 0 && *slot != step.who;
            let mut others = (0..step.statement.slots()).filter(stays);
            if !leads || !others.all(|slot| change.from[slot].meets(&change.to[slot])) {
                continue;
            }
            let Some(mut holds) = self.same(&now, &after, |number| !change.writes[number]) else {
                continue;
            };
            let terms = self.script.obligations.terms();
            holds.extend(step.statement.formulas(terms, &change.holds, &mut meaning));
            let to = change.to.iter().enumerate().filter(|(slot, _)| stays(slot));
            goals.push(Goal { at: change.from.iter().enumerate().chain(to).collect(), holds });
        }
        goals
    }

    /// The variables in view after a step.
    fn after(&self, step: &Step) -> Vec<Term> {
        let obligations = &self.script.obligations;
        let scene = &self.script.scenes[step.scene];
        let assigns = obligations.assigns(step.mover());
        let after = |(variable, now): (&Variable, &Term)| {
            let symbol = obligations.vocabulary().symbol(scene.owner(*variable), variable.var);
            assigns.get(&symbol).copied().unwrap_or(*now)
        };
        step.statement.variables.iter().zip(&scene.now).map(after).collect()
    }

    /// That all these variables have the same value; `None` if that is not easily said.
    fn same(
        &mut self,
        now: &[Term],
        after: &[Term],
        which: impl Fn(usize) -> bool,
    ) -> Option<Vec<Term>> {
        let terms = self.script.obligations.terms();
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

    /// (3): the changes keep the assertion.
    pub(super) fn changes(&mut self, scene: usize) -> Result<(), Reason> {
        let (statement, actors) = self.scene(scene);
        let Some(changes) = &statement.changes else { return Ok(()) };
        let outside = !self.stage.others(&self.system, &actors).is_empty();
        let last = actors.len() + usize::from(outside);
        let sayings = self.sayings(&actors, Some(scene));
        for (number, change) in changes.iter().enumerate() {
            for who in 1..last {
                let kept = self.change(scene, &sayings, change, who)?;
                if let Some(region) = kept {
                    let assertion = self.assertion(scene);
                    return refuse(format!(
                        "{assertion} need not hold after change {number} in region {region}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// A region that does not lead to a region by this change; `who` moves, or someone who is
    /// not in the scene.
    fn change(
        &mut self,
        scene: usize,
        sayings: &[Saying],
        change: &Changing,
        who: usize,
    ) -> Result<Option<usize>, Reason> {
        let (statement, actors) = self.scene(scene);
        let from = self.starts(&actors, change, who);
        if from.iter().any(Places::is_empty) {
            return Ok(None);
        }
        let now = self.script.scenes[scene].now.clone();
        let after = self.changed(&statement, &now, change, who);
        let mut meaning = Meaning::new([&now[..], &after].concat());
        let terms = self.script.obligations.terms();
        let changed = statement.formulas(terms, &change.holds, &mut meaning);
        let mut meaning = Meaning::new(after);
        for region in statement.matching(&from.iter().collect::<Vec<_>>()) {
            let at = &statement.regions[region].at;
            let mut places: Vec<Places> = from.iter().zip(at).map(|(a, b)| a.and(b)).collect();
            // Where the one who moves is afterwards has a number of its own.
            places.extend(change.to.get(who).cloned());
            let number = |slot| if slot == who { actors.len() } else { slot };
            let reached: Vec<&Places> = (0..actors.len()).map(|r| &places[number(r)]).collect();
            let mut goals = Vec::new();
            for goal in statement.matching(&reached) {
                let at = statement.regions[goal].at.iter().enumerate();
                let at = at.map(|(slot, at)| (number(slot), at)).collect();
                let terms = self.script.obligations.terms();
                goals.push(Goal { at, holds: statement.region(terms, goal, &mut meaning) });
            }
            let known = [&changed, &self.script.region(scene, region)[..]].concat();
            let case = Case { known, sayings, goals };
            if !self.script.follows(&case, &places)? {
                return Ok(Some(region));
            }
        }
        Ok(None)
    }

    /// Where those in view are when `who` makes a change.
    fn starts(&self, actors: &[usize], change: &Changing, who: usize) -> Vec<Places> {
        let start = |(slot, actor): (usize, &usize)| {
            let may_be = self.may_be(*actor, slot == who).and(&change.from[slot]);
            let stays = slot != 0 && slot != who;
            if stays { may_be.and(&change.to[slot]) } else { may_be }
        };
        actors.iter().enumerate().map(start).collect()
    }

    /// The variables in view after `who` has made a change.
    fn changed(
        &mut self,
        statement: &Statement,
        now: &[Term],
        change: &Changing,
        who: usize,
    ) -> Vec<Term> {
        let mut after = now.to_vec();
        for (number, variable) in statement.variables.iter().enumerate() {
            if change.writes[number] && variable.slot.is_none_or(|slot| slot == who) {
                after[number] = self.script.obligations.terms().symbol(statement.after(number));
            }
        }
        after
    }
}
