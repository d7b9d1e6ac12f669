//! Algorithms 1, 2 and 3 of the paper: thread-modular checking, and its refinement until it is
//! conclusive.
//!
//! [`tmmc`] is Algorithm 1. [`tmmcir`] is Algorithm 2: views are computed, and if they do not
//! exclude the error, [`Round::refine`] (Algorithm 3) exposes essential predicates, or, if there
//! are no new ones, extends the error set by its predecessors and looks again. Algorithm 3 takes
//! the states of R̄ ⋈ *error* one by one; here all are taken at once, as sets.
//!
//! Views track a few processes at a time ([`crate::views`]), so *error* is a set of states of these
//! with predecessors by their steps. It contains an initial state only if the tracked processes
//! can reach the error while no other process moves: then it is found by [`crate::forward`].
//! If neither predicates nor predecessors are left, more is tracked, in the end
//! everything: then views are exact. So the method is complete for finitely many processes.

use crate::Run;
use crate::bdd::{Bdd, Result, beyond, is_empty};
use crate::expose::Exposed;
use crate::forward;
use crate::process::Processes;
use crate::proof;
use crate::relations;
use crate::space::{Cell, Space};
use crate::tracking::{Tracking, all_views};
use crate::views::Views;
use evidence::{Proof, Verdict};
use std::collections::BTreeSet;

/// With a parameterised process, at most so many others are tracked: views of more grow too large.
const MAX_OTHERS: u32 = 4;

/// The tracked processes and cells of a view.
type Tracked = (Vec<usize>, BTreeSet<Cell>);

/// The owner alone is tracked, with what it uses.
const OWNER_ONLY: Tracking = Tracking { others: 0, only_used: true, pairwise: false };
/// The same, with relations between two cells at a time: quick if it suffices.
const PAIRWISE: Tracking = Tracking { pairwise: true, ..OWNER_ONLY };

/// Algorithm 1.
pub(crate) fn tmmc(processes: &Processes, run: &mut Run) -> Result<Verdict> {
    for tracking in owner_only(processes)? {
        let level = Level { processes, tracking, refines: false };
        if let Some(verdict) = level.decide(&mut Exposed::nothing(processes), run)? {
            return Ok(verdict);
        }
    }
    Err(beyond("thread-modular checking without refinement is not conclusive"))
}

/// Algorithm 2.
pub(crate) fn tmmcir(processes: &Processes, run: &mut Run) -> Result<Verdict> {
    let mut exposed = Exposed::nothing(processes);
    let mut last = None;
    for tracking in owner_only(processes)?.into_iter().chain(with_others(processes)) {
        let shown = (tracking.pairwise, all_views(processes, tracking)?);
        if last.as_ref() != Some(&shown) {
            let level = Level { processes, tracking, refines: !tracking.pairwise };
            if let Some(verdict) = level.decide(&mut exposed, run)? {
                return Ok(verdict);
            }
            last = Some(shown);
        }
    }
    Err(beyond("no proof was found with a few tracked threads"))
}

/// The owner alone is tracked: by pairs of cells, if views have enough for that to make a difference, then
/// exactly.
fn owner_only(processes: &Processes) -> Result<Vec<Tracking>> {
    let views = all_views(processes, OWNER_ONLY)?;
    let many = views.iter().any(|(_, cells)| relations::make_a_difference(cells.len()));
    Ok(if many { vec![PAIRWISE, OWNER_ONLY] } else { vec![OWNER_ONLY] })
}

/// Others are tracked, too: from few to all.
fn with_others(processes: &Processes) -> impl Iterator<Item = Tracking> {
    let total = processes.total();
    let most = if total == u32::MAX { MAX_OTHERS } else { total.saturating_sub(1) };
    let neighbours = (most > 0).then_some(Tracking { others: 1, ..OWNER_ONLY });
    let more =
        (1..=most as usize).map(|others| Tracking { others, only_used: false, pairwise: false });
    neighbours.into_iter().chain(more)
}

/// Views that track so much.
struct Level<'a> {
    processes: &'a Processes<'a>,
    tracking: Tracking,
    refines: bool,
}

impl Level<'_> {
    /// The verdict that views allow, after refinement if that is wanted.
    fn decide(&self, exposed: &mut Exposed, run: &mut Run) -> Result<Option<Verdict>> {
        let tracked = all_views(self.processes, self.tracking)?;
        let slots = (self.processes.total() as usize).min(self.tracking.others + 2);
        let occupants = vec![(0..self.processes.list.len()).collect::<Vec<usize>>(); slots];
        let space = Space::new(self.processes, &occupants, &run.capacity)?;
        let errors = tracked.iter().map(|(tracked, _)| bad(&space, tracked));
        let mut errors = errors.collect::<Result<Vec<Bdd>>>()?;
        loop {
            let known = exposed.clone();
            let views = Views::new(&space, self.tracking, &known)?;
            let mut round = Round { views, tracked: &tracked };
            round.views.reach()?;
            let outcome = round.judge(&mut errors, exposed, self.refines)?;
            run.tell();
            match outcome {
                RoundEnd::Pass => return proof::of_views(&round.views).map(Some),
                RoundEnd::Failure(tracked) => {
                    return forward::among(self.processes, &tracked, run).map(Some);
                }
                RoundEnd::Inconclusive => return Ok(None),
                RoundEnd::Refined => run.refined(exposed.count(self.processes)),
            }
            if self.tracking.others == 0 {
                return Ok(None); // predicates are about others
            }
        }
    }
}

/// ¬π: where a tracked process can take a step to an error or to a model limit, or can escape.
pub(crate) fn bad(space: &Space, tracked: &[usize]) -> Result<Bdd> {
    let mut bad = space.dd.none();
    for (slot, process) in tracked.iter().enumerate() {
        let steps = &space.slot(slot, *process).steps;
        let ends = steps.errors.iter().chain(&steps.limits).map(|(_, enabled)| enabled);
        for enabled in ends.chain([&steps.escapes]) {
            bad = space.dd.or(&bad, &space.others_free(enabled, tracked, slot)?)?;
        }
    }
    Ok(bad)
}

/// What a round ends with.
enum RoundEnd {
    Pass,
    /// The tracked processes can reach the error.
    Failure(Vec<usize>),
    Refined,
    Inconclusive,
}

/// One round of Algorithm 2.
struct Round<'r, 's, 'a> {
    views: Views<'s, 'a>,
    tracked: &'r [Tracked],
}

impl Round<'_, '_, '_> {
    fn judge(
        &mut self,
        errors: &mut [Bdd],
        exposed: &mut Exposed,
        refine: bool,
    ) -> Result<RoundEnd> {
        let joins = self.joins()?;
        if self.excludes_errors(&joins, errors)? {
            return Ok(RoundEnd::Pass);
        }
        if !refine {
            return Ok(RoundEnd::Inconclusive);
        }
        self.refine(&joins, errors, exposed)
    }

    fn joins(&mut self) -> Result<Vec<Bdd>> {
        self.tracked.iter().map(|(tracked, _)| self.views.join(tracked)).collect()
    }

    /// R̄ ⋈ *error* = ∅: each process has a view in which it does no wrong.
    fn excludes_errors(&self, joins: &[Bdd], errors: &[Bdd]) -> Result<bool> {
        let mut wrong: BTreeSet<usize> =
            self.tracked.iter().map(|(tracked, _)| tracked[0]).collect();
        for ((tracked, _), (join, error)) in self.tracked.iter().zip(joins.iter().zip(errors)) {
            if wrong.contains(&tracked[0]) && is_empty(&self.views.space.dd.and(join, error)?) {
                wrong.remove(&tracked[0]);
            }
        }
        Ok(wrong.is_empty())
    }

    /// Algorithm 3. Predicates make a difference to views that track others; as long as none does,
    /// predicates and predecessors are collected until there are no more.
    fn refine(
        &mut self,
        joins: &[Bdd],
        errors: &mut [Bdd],
        exposed: &mut Exposed,
    ) -> Result<RoundEnd> {
        let space = self.views.space;
        let track_others = self.tracked.iter().any(|(tracked, _)| tracked.len() > 1);
        let mut new = false;
        loop {
            let (mut exposes, mut grows) = (false, false);
            for (number, (tracked, _)) in self.tracked.iter().enumerate() {
                let s = space.dd.and(&joins[number], &errors[number])?;
                if is_empty(&s) {
                    continue;
                }
                if !is_empty(&space.dd.and(&s, &space.initial(tracked)?)?) {
                    return Ok(RoundEnd::Failure(tracked.clone()));
                }
                for (slot, process) in tracked.iter().enumerate() {
                    exposes |= exposed.essential(space, &s, slot, *process)?;
                }
                if !exposes || !track_others {
                    let larger =
                        space.dd.or(&errors[number], &predecessors(space, &s, tracked)?)?;
                    grows |= larger != errors[number];
                    errors[number] = larger;
                }
            }
            new |= exposes;
            let finished = !grows && !exposes;
            if new && (track_others || finished) {
                return Ok(RoundEnd::Refined);
            }
            if finished {
                let more = exposed.expose_all(space);
                return Ok(if more { RoundEnd::Refined } else { RoundEnd::Inconclusive });
            }
        }
    }
}

/// The predecessors of a set, by steps of the tracked processes.
fn predecessors(space: &Space, set: &Bdd, tracked: &[usize]) -> Result<Bdd> {
    let mut all = space.dd.none();
    for (slot, process) in tracked.iter().enumerate() {
        for step in &space.slot(slot, *process).steps.plain {
            let before = step.preimage(space, set)?;
            all = space.dd.or(&all, &space.others_free(&before, tracked, slot)?)?;
        }
    }
    Ok(all)
}

/// A proof as a verdict.
pub(crate) fn safe(views: Vec<evidence::View>) -> Verdict {
    Verdict::Safe(Proof::Assertions(evidence::Assertions { views }))
}
