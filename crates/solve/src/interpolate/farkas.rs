//! A leaf of a refutation: facts of groups that contradict each other linearly.
//!
//! In a Farkas certificate, multiples of facts add up to `1 <= 0`. The interpolant of a
//! cut is the part of that sum that comes from side A, `S <= 0`: A implies it, the rest
//! of the sum is B's and contradicts it, and a variable that only one side has is
//! cancelled within its side. If one cut's A has a group more than another's, the sum
//! grows by facts of this group: so the interpolants of a sequence imply one another.
//! Each sum is tightened over the integers, which every argument above survives.
//!
//! Interpolants become invariants, so certificates are chosen with care
//! ([`better`]): without the ranges of types if possible, with late groups only (what
//! comes before needs no interpolant then), and with few facts.

use super::Cut;
use crate::linear::Formula;
use crate::simplex::{Feasibility, Tableau};
use logic::Rational;
use logic::certificate::{Farkas, verify_farkas};
use logic::constraint::{Constraint, Form, LinearVar};

/// Certificates with more facts are not improved one by one: each attempt is a simplex.
const MAX_FACTS: usize = 24;

/// A constraint that holds in a branch of the refutation.
#[derive(Clone, Debug)]
pub(super) struct BranchFact {
    pub constraint: Constraint,
    pub origin: FactOrigin,
    /// The split, if any, in one of whose cases it holds.
    pub decision: Option<usize>,
}

/// Why a fact holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FactOrigin {
    /// It comes from a formula of this group.
    Group(usize),
    /// It is the range of the type of a variable: a fact of every group in which that occurs.
    Range(LinearVar),
}

/// A certificate like the given one, preferably a simpler one.
pub(super) fn better(facts: &[BranchFact], variables: usize, given: Farkas, steps: u64) -> Farkas {
    let search = Improve { facts, variables, steps };
    let mut best = given;
    let mut allowed: Vec<bool> = vec![true; facts.len()];
    for avoid in [BranchFact::is_range_like as fn(&BranchFact) -> bool, BranchFact::is_range] {
        let fewer: Vec<bool> = facts.iter().map(|fact| !avoid(fact)).collect();
        if best.iter().all(|(index, _)| fewer[*index]) {
            allowed = fewer;
            break;
        }
        if let Some(found) = search.refute(&fewer) {
            (best, allowed) = (found, fewer);
            break;
        }
    }
    search.late_groups_only(&mut best, &mut allowed);
    search.without_one(&mut best, &allowed);
    best
}

struct Improve<'a> {
    facts: &'a [BranchFact],
    variables: usize,
    steps: u64,
}

impl Improve<'_> {
    fn refute(&self, allowed: &[bool]) -> Option<Farkas> {
        let mut tableau = Tableau::new(self.variables);
        for (index, fact) in self.facts.iter().enumerate().filter(|(index, _)| allowed[*index]) {
            if let Err(farkas) = tableau.assert(&fact.constraint, index) {
                return Some(farkas);
            }
        }
        match tableau.check(&mut self.steps.clone()) {
            Feasibility::Infeasible(farkas) => Some(farkas),
            _ => None,
        }
    }

    /// Leaves out as many of the first groups as possible.
    fn late_groups_only(&self, best: &mut Farkas, allowed: &mut Vec<bool>) {
        let first =
            |farkas: &Farkas| farkas.iter().filter_map(|(f, _)| self.facts[*f].group()).min();
        let last = self.facts.iter().filter_map(BranchFact::group).max().unwrap_or(0);
        // Facts from group `low` on contradict each other; those from `high` on do not.
        let (mut low, mut high) = (first(best).unwrap_or(0), last + 1);
        while low + 1 < high {
            let middle = low.midpoint(high);
            let late = |fact: &BranchFact| fact.group().is_none_or(|group| group >= middle);
            let fewer: Vec<bool> =
                self.facts.iter().zip(&*allowed).map(|(fact, old)| *old && late(fact)).collect();
            match self.refute(&fewer) {
                Some(found) => {
                    low = first(&found).unwrap_or(middle).max(middle);
                    (*best, *allowed) = (found, fewer);
                }
                None => high = middle,
            }
        }
    }

    /// Leaves out each of the facts in turn, in the hope for fewer ones.
    fn without_one(&self, best: &mut Farkas, allowed: &[bool]) {
        if best.len() > MAX_FACTS {
            return;
        }
        let mut allowed = allowed.to_vec();
        for (index, _) in best.clone() {
            allowed[index] = false;
            if let Some(found) = self.refute(&allowed)
                && found.len() < best.len()
            {
                *best = found;
            }
            allowed[index] = true;
        }
    }
}

/// The interpolant of each cut.
pub(super) fn interpolants(facts: &[BranchFact], farkas: &Farkas, cuts: &[Cut]) -> Vec<Formula> {
    debug_assert!(
        verify_farkas(farkas, &facts.iter().map(|f| f.constraint.clone()).collect::<Vec<_>>()),
        "a certificate should add up to a contradiction"
    );
    let mut sums = vec![Form::constant(0); cuts.len()];
    for (index, multiple) in farkas {
        if let FactOrigin::Group(group) = facts[*index].origin {
            add(&mut sums, cuts, group, multiple, &facts[*index].constraint);
        }
    }
    for (index, multiple) in farkas {
        if let FactOrigin::Range(var) = facts[*index].origin {
            let home = home(facts, farkas, var, multiple, &facts[*index].constraint, &sums, cuts);
            add(&mut sums, cuts, home, multiple, &facts[*index].constraint);
        }
    }
    let formula = |sum| {
        let constraint = Constraint::at_most_zero(sum);
        constraint.truth().map_or(Formula::Atom(constraint), Formula::truth)
    };
    sums.into_iter().map(formula).collect()
}

fn add(
    sums: &mut [Form],
    cuts: &[Cut],
    group: usize,
    multiple: &Rational,
    constraint: &Constraint,
) {
    for (sum, cut) in sums.iter_mut().zip(cuts) {
        if cut[group] {
            sum.add_multiple(multiple, constraint.form());
        }
    }
}

/// The group that contributes the range of `var`: one in which it occurs, chosen such that the
/// variable is in few interpolants.
fn home(
    facts: &[BranchFact],
    farkas: &Farkas,
    var: LinearVar,
    multiple: &Rational,
    range: &Constraint,
    sums: &[Form],
    cuts: &[Cut],
) -> usize {
    let share = multiple * &range.form().coefficient(var);
    let occurrences = |group: &usize| {
        let remains = |(sum, cut): (&Form, &Cut)| {
            let own = sum.coefficient(var);
            let total = if cut[*group] { &own + &share } else { own };
            !total.is_zero()
        };
        sums.iter().zip(cuts).filter(|pair| remains(*pair)).count()
    };
    let with_var = farkas.iter().map(|(index, _)| &facts[*index]).filter_map(|fact| {
        let occurs = !fact.constraint.form().coefficient(var).is_zero();
        fact.group().filter(|_| occurs)
    });
    let mut groups: Vec<usize> = with_var.collect();
    groups.sort_by_key(|group| std::cmp::Reverse(*group));
    groups.into_iter().min_by_key(occurrences).expect("a range should not contradict itself")
}

impl BranchFact {
    fn group(&self) -> Option<usize> {
        match self.origin {
            FactOrigin::Group(group) => Some(group),
            FactOrigin::Range(_) => None,
        }
    }

    fn is_range(&self) -> bool {
        self.group().is_none()
    }

    /// A range, or "it fits": an inequality with a very large constant.
    fn is_range_like(&self) -> bool {
        let large = Rational::from(1 << 30);
        self.is_range() || self.constraint.form().constant.abs() >= large
    }
}
