//! Interpolants: why formulas cannot hold together, in the words two sides share.
//!
//! The formulas are given in *groups*, and *cuts* divide the groups into two sides,
//! A and B. The interpolant of a cut follows from A, contradicts B, and speaks of symbols
//! of both sides only. [`sequence`] cuts a path at each of its steps, [`tree`] cuts a
//! tree at each of its edges; all interpolants come from one refutation, so that they
//! fit together (see there). The refutation is a tree of case splits (`split`) whose
//! leaves are Farkas certificates (`farkas`); the rules are those of McMillan ("An
//! interpolating theorem prover", TACAS 2004) for the groups at once.
//!
//! What is found holds for the linear reading of the formulas ([`crate::linear`]), which
//! takes arithmetic as if it did not wrap: a caller that needs certainty asks the bits.

mod farkas;
mod join;
mod split;
mod tree;

pub use tree::tree;

use crate::linear::{Formula, Linear};
use logic::{Term, Terms};

/// How long to try.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Leaves of the tree of case splits.
    pub leaves: usize,
    /// Pivot steps for each question to the simplex.
    pub steps: u64,
    /// How deep splits are nested.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { leaves: 64, steps: 5_000, depth: 32 }
    }
}

/// Interpolants of a sequence of `groups` of formulas that do not hold together: as many as there
/// are groups, less one. `groups[0]` implies the first; the `i`-th (from 1) and `groups[i]` imply
/// the next one; the last one and the last group contradict each other. The `i`-th speaks of
/// symbols only that occur in `groups[..i]` and in `groups[i..]`.
///
/// `None`: there is no refutation in linear arithmetic, or not within the limits.
pub fn sequence(terms: &mut Terms, groups: &[Vec<Term>], limits: Limits) -> Option<Vec<Term>> {
    let inside = |cut: usize| (0..groups.len()).map(|group| group < cut).collect();
    let cuts: Vec<Cut> = (1..groups.len()).map(inside).collect();
    let problem = Linearised::new(terms, groups)?;
    let first = problem.refute(terms, &cuts, limits)?;
    let best = problem.late_groups_only(terms, &cuts, limits, first);
    problem.terms(terms, &best)
}

/// For each group: is it on the side A?
type Cut = Vec<bool>;

/// Groups of formulas as linear ones.
struct Linearised {
    linear: Linear,
    groups: Vec<Formula>,
}

impl Linearised {
    fn new(terms: &mut Terms, groups: &[Vec<Term>]) -> Option<Linearised> {
        let mut linear = Linear::new();
        let mut conjunction = |group: &Vec<Term>| {
            let parts: Option<Vec<Formula>> =
                group.iter().map(|formula| linear.formula(terms, *formula, true)).collect();
            Some(Formula::All(parts?))
        };
        let groups: Option<Vec<Formula>> = groups.iter().map(&mut conjunction).collect();
        Some(Linearised { groups: groups?, linear })
    }

    /// The interpolant of each cut.
    fn refute(&self, terms: &Terms, cuts: &[Cut], limits: Limits) -> Option<Vec<Formula>> {
        split::refute(terms, &self.linear, &self.groups, cuts, limits)
    }

    /// Weak interpolants cover more: leaves out as many of the first groups as possible, and
    /// starts from the interpolants of a sequence.
    fn late_groups_only(
        &self,
        terms: &Terms,
        cuts: &[Cut],
        limits: Limits,
        mut best: Vec<Formula>,
    ) -> Vec<Formula> {
        let is_true = |formula: &&Formula| formula.constant() == Some(true);
        // The groups from `low` on contradict each other; those from `high` on seem not to.
        let (mut low, mut high) = (best.iter().take_while(is_true).count(), self.groups.len());
        while low + 1 < high {
            let middle = low.midpoint(high);
            let mut groups = self.groups.clone();
            groups[..middle].fill(Formula::truth(true));
            match split::refute(terms, &self.linear, &groups, cuts, limits) {
                Some(found) => (best, low) = (found, middle),
                None => high = middle,
            }
        }
        best
    }

    fn terms(&self, terms: &mut Terms, formulas: &[Formula]) -> Option<Vec<Term>> {
        formulas.iter().map(|formula| self.linear.term(terms, formula)).collect()
    }
}
