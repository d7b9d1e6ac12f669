//! The refutation: case splits until linear arithmetic contradicts each case.
//!
//! A branch has facts (constraints) and clauses (disjunctions), each from a group.
//! The simplex gives a model of the facts; a clause that is false in it is split, and if
//! all are true but the model is not integral, a variable is split (`x <= k` or
//! `x >= k + 1`, as a clause of a group in which it occurs). A clause that is true in the
//! models is never looked at.
//!
//! Let a clause of group `p` be split, and `I1`, …, `Im` be the interpolants that its
//! cases have for a cut. If `p` is on side A, then A is the disjunction of its cases, and
//! so the interpolant is `I1 || … || Im`; if `p` is on side B, it is `I1 && … && Im`. In a
//! sequence, cut `i` (from 1) has the groups `0..i` on side A: conjunction for `i <= p`,
//! disjunction for `i > p`. They fit together: before and after `p`, case by case; at `p`,
//! the conjunction `I_p` gives the interpolant of every case, the clause says that one
//! case holds, and this case gives one part of the disjunction `I_{p+1}`.
//!
//! If the refutation of a case does not use what the case assumes, it refutes the
//! whole branch, and the other cases are not looked at.

use super::farkas::{self, BranchFact, FactOrigin};
use super::join::{conjunction, disjunction};
use super::{Cut, Limits};
use crate::linear::{Formula, Linear};
use crate::simplex::{Feasibility, Tableau};
use logic::Terms;
use logic::certificate::{Farkas, split};
use logic::constraint::LinearVar;
use std::collections::BTreeSet;

/// The interpolant of each cut, if the conjunctions `groups` contradict each other.
pub(super) fn refute(
    terms: &Terms,
    linear: &Linear,
    groups: &[Formula],
    cuts: &[Cut],
    limits: Limits,
) -> Option<Vec<Formula>> {
    let tableau = Tableau::new(linear.variables());
    let (facts, clauses) = Default::default();
    let mut search =
        SplitSearch { groups, cuts, tableau, facts, clauses, limits, leaves: 0, decisions: 0 };
    Some(search.run(terms, linear)?.interpolants)
}

struct SplitSearch<'a> {
    groups: &'a [Formula],
    cuts: &'a [Cut],
    tableau: Tableau,
    facts: Vec<BranchFact>,
    clauses: Vec<Clause>,
    limits: Limits,
    leaves: usize,
    decisions: usize,
}

struct Clause {
    cases: Vec<Formula>,
    group: usize,
    /// The split, if any, in one of whose cases it holds.
    decision: Option<usize>,
    /// Is it being split?
    busy: bool,
}

struct Refutation {
    interpolants: Vec<Formula>,
    /// The splits whose cases it uses.
    decisions: BTreeSet<usize>,
}

impl SplitSearch<'_> {
    fn run(&mut self, terms: &Terms, linear: &Linear) -> Option<Refutation> {
        let mut conflict = None;
        for index in 0..linear.variables() {
            let var = LinearVar(index as u32);
            for constraint in linear.range(terms, var) {
                let range =
                    BranchFact { constraint, origin: FactOrigin::Range(var), decision: None };
                conflict = conflict.or(self.assume(range).err());
            }
        }
        let groups = self.groups;
        for (group, formula) in groups.iter().enumerate() {
            conflict = conflict.or(self.add(formula, group, None).err());
        }
        match conflict {
            Some(farkas) => Some(self.leaf(farkas)),
            None => self.search(0),
        }
    }

    fn search(&mut self, depth: usize) -> Option<Refutation> {
        match self.tableau.check(&mut self.limits.steps.clone()) {
            Feasibility::Unknown => None,
            Feasibility::Infeasible(farkas) => {
                self.leaves += 1;
                (self.leaves <= self.limits.leaves).then(|| self.leaf(farkas))
            }
            Feasibility::Feasible if depth == self.limits.depth => None,
            Feasibility::Feasible => {
                let clause = match self.violated_clause() {
                    Some(clause) => clause,
                    None => self.integrality_clause()?,
                };
                self.clauses[clause].busy = true;
                let refutation = self.split(clause, depth);
                self.clauses[clause].busy = false;
                refutation
            }
        }
    }

    /// The smallest clause that is false in the model.
    fn violated_clause(&self) -> Option<usize> {
        let value = |var| self.tableau.value(var);
        let violated =
            |clause: &Clause| !clause.busy && !clause.cases.iter().any(|c| c.holds(&value));
        let clauses = self.clauses.iter().enumerate().filter(|(_, clause)| violated(clause));
        clauses.min_by_key(|(_, clause)| clause.cases.len()).map(|(index, _)| index)
    }

    /// A new clause that excludes the value of a variable that is not an integer.
    fn integrality_clause(&mut self) -> Option<usize> {
        let var = self.tableau.fractional()?;
        let cases = split(var, &self.tableau.value(var).floor()).map(Formula::Atom).into();
        let group = self.groups.iter().position(|formula| formula.mentions(var))?;
        self.clauses.push(Clause { cases, group, decision: None, busy: false });
        Some(self.clauses.len() - 1)
    }

    fn split(&mut self, clause: usize, depth: usize) -> Option<Refutation> {
        let Clause { cases, group, decision, .. } = &self.clauses[clause];
        let (cases, group, outer) = (cases.clone(), *group, *decision);
        let own = self.decisions;
        self.decisions += 1;
        let mut refutations = Vec::new();
        for case in &cases {
            let refutation = self.refute_case(case, group, own, depth)?;
            if !refutation.decisions.contains(&own) {
                return Some(refutation);
            }
            refutations.push(refutation);
        }
        let mut decisions: BTreeSet<usize> = outer.into_iter().collect();
        decisions.extend(refutations.iter().flat_map(|refutation| &refutation.decisions));
        decisions.remove(&own);
        let combine = |(index, cut): (usize, &Cut)| {
            let parts = refutations.iter().map(|refutation| refutation.interpolants[index].clone());
            if cut[group] { disjunction(parts) } else { conjunction(parts) }
        };
        let interpolants = self.cuts.iter().enumerate().map(combine).collect();
        Some(Refutation { interpolants, decisions })
    }

    fn refute_case(
        &mut self,
        case: &Formula,
        group: usize,
        decision: usize,
        depth: usize,
    ) -> Option<Refutation> {
        let (facts, clauses, mark) = (self.facts.len(), self.clauses.len(), self.tableau.mark());
        let refutation = match self.add(case, group, Some(decision)) {
            Err(farkas) => Some(self.leaf(farkas)),
            Ok(()) => self.search(depth + 1),
        };
        self.facts.truncate(facts);
        self.clauses.truncate(clauses);
        self.tableau.undo(mark);
        refutation
    }

    fn add(
        &mut self,
        formula: &Formula,
        group: usize,
        decision: Option<usize>,
    ) -> Result<(), Farkas> {
        match formula {
            Formula::Atom(constraint) => {
                let origin = FactOrigin::Group(group);
                self.assume(BranchFact { constraint: constraint.clone(), origin, decision })
            }
            Formula::All(parts) => {
                // All parts are added even after a conflict: another one may be simpler.
                let mut result = Ok(());
                for part in parts {
                    result = result.and(self.add(part, group, decision));
                }
                result
            }
            Formula::Any(cases) => {
                self.clauses.push(Clause { cases: cases.clone(), group, decision, busy: false });
                Ok(())
            }
        }
    }

    fn assume(&mut self, fact: BranchFact) -> Result<(), Farkas> {
        let result = self.tableau.assert(&fact.constraint, self.facts.len());
        self.facts.push(fact);
        result
    }

    fn leaf(&mut self, farkas: Farkas) -> Refutation {
        let variables = self.tableau.variables();
        let farkas = farkas::better(&self.facts, variables, farkas, self.limits.steps);
        let decisions =
            farkas.iter().filter_map(|(index, _)| self.facts[*index].decision).collect();
        Refutation {
            interpolants: farkas::interpolants(&self.facts, &farkas, self.cuts),
            decisions,
        }
    }
}
