//! Algorithms 1, 2 and 3 of the paper: thread-modular checking, and its refinement until it is
//! conclusive.
//!
//! [`tmmc`] is Algorithm 1. [`tmmcir`] is Algorithm 2: views are computed, and if they do not
//! exclude the error, [`Round::refine`] (Algorithm 3) exposes essential predicates, or, if there
//! are no new ones, extends the error set by its predecessors and looks again. Algorithm 3 takes
//! the states of R̄ ⋈ *error* one by one; here all are taken at once, as sets.
//!
//! Views show a few processes at a time ([`crate::views`]), so *error* is a set of states of those
//! in view, with predecessors by their steps. It contains an initial state only if those in
//! view can reach the error while nobody else moves: then it is found by [`crate::forward`].
//! If neither predicates nor predecessors are left, more is taken into sight, in the end
//! everything: then views are exact. So the method is complete for finitely many processes.

use crate::Run;
use crate::bdd::{Bdd, Maybe, beyond, is_empty};
use crate::expose::Exposed;
use crate::forward;
use crate::process::Processes;
use crate::proof;
use crate::relations;
use crate::sight::{Sight, all_roles};
use crate::space::{Cell, Space};
use crate::views::Views;
use evidence::{Proof, Verdict};
use std::collections::BTreeSet;

/// Processes in any number are looked at with at most so many others.
const MOST_OTHERS: u32 = 4;

/// The roles of a view and the cells that it shows.
type Roles = (Vec<usize>, BTreeSet<Cell>);

/// The owner alone in view, with what it uses.
const ALONE: Sight = Sight { others: 0, near: true, loose: false };
/// The same, with relations between two cells at a time: quick if it suffices.
const LOOSELY: Sight = Sight { loose: true, ..ALONE };

/// Algorithm 1.
pub(crate) fn tmmc(processes: &Processes, run: &mut Run) -> Maybe<Verdict> {
    for sight in alone(processes)? {
        let stage = Stage { processes, sight, refines: false };
        if let Some(verdict) = stage.decide(&mut Exposed::nothing(processes), run)? {
            return Ok(verdict);
        }
    }
    Err(beyond("thread-modular checking without refinement is not conclusive"))
}

/// Algorithm 2.
pub(crate) fn tmmcir(processes: &Processes, run: &mut Run) -> Maybe<Verdict> {
    let mut exposed = Exposed::nothing(processes);
    let mut last = None;
    for sight in alone(processes)?.into_iter().chain(together(processes)) {
        let shown = (sight.loose, all_roles(processes, sight)?);
        if last.as_ref() != Some(&shown) {
            let stage = Stage { processes, sight, refines: !sight.loose };
            if let Some(verdict) = stage.decide(&mut exposed, run)? {
                return Ok(verdict);
            }
            last = Some(shown);
        }
    }
    Err(beyond("no proof with a few threads in sight"))
}

/// The owner alone in view: loosely, if views show enough for that to make a difference, then
/// exactly.
fn alone(processes: &Processes) -> Maybe<Vec<Sight>> {
    let views = all_roles(processes, ALONE)?;
    let many = views.iter().any(|(_, cells)| relations::make_a_difference(cells.len()));
    Ok(if many { vec![LOOSELY, ALONE] } else { vec![ALONE] })
}

/// Others in view, from little in sight to everything.
fn together(processes: &Processes) -> impl Iterator<Item = Sight> {
    let total = processes.total();
    let most = if total == u32::MAX { MOST_OTHERS } else { total.saturating_sub(1) };
    let neighbours = (most > 0).then_some(Sight { others: 1, ..ALONE });
    let more = (1..=most as usize).map(|others| Sight { others, near: false, loose: false });
    neighbours.into_iter().chain(more)
}

/// Views with one sight.
struct Stage<'a> {
    processes: &'a Processes<'a>,
    sight: Sight,
    refines: bool,
}

impl Stage<'_> {
    /// The verdict that views allow, after refinement if that is wanted.
    fn decide(&self, exposed: &mut Exposed, run: &mut Run) -> Maybe<Option<Verdict>> {
        let roles = all_roles(self.processes, self.sight)?;
        let seats = (self.processes.total() as usize).min(self.sight.others + 2);
        let seating = vec![(0..self.processes.list.len()).collect::<Vec<usize>>(); seats];
        let space = Space::new(self.processes, &seating, &run.room)?;
        let errors = roles.iter().map(|(roles, _)| bad(&space, roles));
        let mut errors = errors.collect::<Maybe<Vec<Bdd>>>()?;
        loop {
            let known = exposed.clone();
            let views = Views::new(&space, self.sight, &known)?;
            let mut round = Round { views, roles: &roles };
            round.views.reach()?;
            let outcome = round.judge(&mut errors, exposed, self.refines)?;
            run.tell();
            match outcome {
                Outcome::Pass => return proof::of_views(&round.views).map(Some),
                Outcome::Failure(roles) => {
                    return forward::among(self.processes, &roles, run).map(Some);
                }
                Outcome::Inconclusive => return Ok(None),
                Outcome::Refined => run.refined(exposed.count(self.processes)),
            }
            if self.sight.others == 0 {
                return Ok(None); // predicates are for others
            }
        }
    }
}

/// ¬π: where someone in view can take a step to an error or to a gap, or can escape.
pub(crate) fn bad(space: &Space, roles: &[usize]) -> Maybe<Bdd> {
    let mut bad = space.dd.none();
    for (seat, role) in roles.iter().enumerate() {
        let steps = &space.seat(seat, *role).steps;
        let ends = steps.errors.iter().chain(&steps.gaps).map(|(_, enabled)| enabled);
        for enabled in ends.chain([&steps.escapes]) {
            bad = space.dd.or(&bad, &space.others_free(enabled, roles, seat)?)?;
        }
    }
    Ok(bad)
}

/// What a round ends with.
enum Outcome {
    Pass,
    /// Those in view can reach the error.
    Failure(Vec<usize>),
    Refined,
    Inconclusive,
}

/// One round of Algorithm 2.
struct Round<'r, 's, 'a> {
    views: Views<'s, 'a>,
    roles: &'r [Roles],
}

impl Round<'_, '_, '_> {
    fn judge(&mut self, errors: &mut [Bdd], exposed: &mut Exposed, refine: bool) -> Maybe<Outcome> {
        let joins = self.joins()?;
        if self.excludes_errors(&joins, errors)? {
            return Ok(Outcome::Pass);
        }
        if !refine {
            return Ok(Outcome::Inconclusive);
        }
        self.refine(&joins, errors, exposed)
    }

    fn joins(&mut self) -> Maybe<Vec<Bdd>> {
        self.roles.iter().map(|(roles, _)| self.views.join(roles)).collect()
    }

    /// R̄ ⋈ *error* = ∅: each process has a view in which it does no wrong.
    fn excludes_errors(&self, joins: &[Bdd], errors: &[Bdd]) -> Maybe<bool> {
        let mut wrong: BTreeSet<usize> = self.roles.iter().map(|(roles, _)| roles[0]).collect();
        for ((roles, _), (join, error)) in self.roles.iter().zip(joins.iter().zip(errors)) {
            if wrong.contains(&roles[0]) && is_empty(&self.views.space.dd.and(join, error)?) {
                wrong.remove(&roles[0]);
            }
        }
        Ok(wrong.is_empty())
    }

    /// Algorithm 3. Predicates make a difference to views that show others; as long as none does,
    /// predicates and predecessors are collected until there are no more.
    fn refine(
        &mut self,
        joins: &[Bdd],
        errors: &mut [Bdd],
        exposed: &mut Exposed,
    ) -> Maybe<Outcome> {
        let space = self.views.space;
        let show_others = self.roles.iter().any(|(roles, _)| roles.len() > 1);
        let mut new = false;
        loop {
            let (mut exposes, mut grows) = (false, false);
            for (number, (roles, _)) in self.roles.iter().enumerate() {
                let s = space.dd.and(&joins[number], &errors[number])?;
                if is_empty(&s) {
                    continue;
                }
                if !is_empty(&space.dd.and(&s, &space.initial(roles)?)?) {
                    return Ok(Outcome::Failure(roles.clone()));
                }
                for (seat, role) in roles.iter().enumerate() {
                    exposes |= exposed.essential(space, &s, seat, *role)?;
                }
                if !exposes || !show_others {
                    let larger = space.dd.or(&errors[number], &predecessors(space, &s, roles)?)?;
                    grows |= larger != errors[number];
                    errors[number] = larger;
                }
            }
            new |= exposes;
            let finished = !grows && !exposes;
            if new && (show_others || finished) {
                return Ok(Outcome::Refined);
            }
            if finished {
                let more = exposed.expose_all(space);
                return Ok(if more { Outcome::Refined } else { Outcome::Inconclusive });
            }
        }
    }
}

/// The predecessors of a set, by steps of those in view.
fn predecessors(space: &Space, set: &Bdd, roles: &[usize]) -> Maybe<Bdd> {
    let mut all = space.dd.none();
    for (seat, role) in roles.iter().enumerate() {
        for step in &space.seat(seat, *role).steps.plain {
            let before = step.preimage(space, set)?;
            all = space.dd.or(&all, &space.others_free(&before, roles, seat)?)?;
        }
    }
    Ok(all)
}

/// A proof as a verdict.
pub(crate) fn safe(views: Vec<evidence::View>) -> Verdict {
    Verdict::Safe(Proof::Assertions(evidence::Assertions { views }))
}
