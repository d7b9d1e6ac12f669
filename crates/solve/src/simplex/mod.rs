//! Linear arithmetic over integers: finds values, or a certificate that there are none.
//!
//! The rational relaxation is decided by [`Tableau`]. Constraints are tightened when
//! they are made ([`Constraint`]), so many integer problems are settled there by a
//! *Farkas certificate*: multiples of constraints that add up to `1 <= 0`. Otherwise:
//! - equations are solved over the integers (`equalities`);
//! - a few rounds of *cuts*, which exclude fractional values ([`Tableau::cuts`]);
//! - a variable with a fractional value is *split*, `x <= k` or `x >= k + 1`, to a bounded depth.
//!
//! [`Certificate::verify`] believes nothing of this. What has no bounds can take for ever, so
//! the effort is bounded and the answer may be `Unknown`.

mod equalities;
mod tableau;

pub use tableau::{Feasibility, Tableau};

use logic::Rational;
use logic::certificate::{Certificate, Farkas, Outcome, Problem, split, sum};
use logic::constraint::{Constraint, LinearVar};

/// Cuts with larger coefficients are not used: numbers would grow without end.
const MAX_COEFFICIENT_UNITS: i128 = 1 << 24;

/// So many cuts are taken from one solution: more would slow down each further step.
const MAX_CUTS: usize = 4;

/// How long to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Pivot steps altogether.
    pub steps: u64,
    /// How deep splits of fractional variables are nested.
    pub depth: usize,
    /// Rounds of cuts before the first split; after it there are few.
    pub rounds: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { steps: 20_000, depth: 40, rounds: 8 }
    }
}

/// Looks for integers.
pub fn solve(problem: &Problem, effort: Effort) -> Outcome {
    let outcome = search(problem, effort);
    if let Outcome::Infeasible(certificate) = &outcome {
        debug_assert!(certificate.verify(&problem.constraints), "a certificate should be right");
    }
    outcome
}

fn search(problem: &Problem, effort: Effort) -> Outcome {
    let Problem { variables, constraints } = problem;
    let mut tableau = Tableau::new(*variables);
    for (index, constraint) in constraints.iter().enumerate() {
        if let Err(farkas) = tableau.assert(constraint, index) {
            return Outcome::Infeasible(Certificate::Farkas(farkas));
        }
    }
    let mut steps = effort.steps;
    match tableau.check(&mut steps) {
        Feasibility::Infeasible(farkas) => Outcome::Infeasible(Certificate::Farkas(farkas)),
        Feasibility::Unknown => Outcome::Unknown,
        Feasibility::Feasible if tableau.fractional().is_none() => integers(&tableau),
        Feasibility::Feasible => match equalities::refute(constraints, *variables) {
            Some(certificate) => Outcome::Infeasible(certificate),
            None => {
                let mut search = BranchAndCut { tableau, constraints: constraints.clone(), steps };
                search.settle(effort.depth, effort.rounds)
            }
        },
    }
}

fn integers(tableau: &Tableau) -> Outcome {
    let value = |index: usize| tableau.value(LinearVar(index as u32)).clone();
    Outcome::Integers((0..tableau.variables()).map(value).collect())
}

struct BranchAndCut {
    tableau: Tableau,
    /// Those of the problem, of the cases we are in, and cuts: as numbered in the tableau.
    constraints: Vec<Constraint>,
    steps: u64,
}

impl BranchAndCut {
    /// Decides what is asserted, and leaves it asserted.
    fn settle(&mut self, depth: usize, rounds: usize) -> Outcome {
        let (mark, count) = (self.tableau.mark(), self.constraints.len());
        let mut cuts = Vec::new();
        let outcome = self.cut_and_split(depth, rounds, &mut cuts);
        self.tableau.undo(mark);
        self.constraints.truncate(count);
        let Outcome::Infeasible(last) = outcome else { return outcome };
        let certificate = cuts
            .into_iter()
            .rev()
            .fold(last, |rest, multiples| Certificate::Cut { multiples, rest: rest.into() });
        Outcome::Infeasible(certificate)
    }

    /// Notes the cuts it makes.
    fn cut_and_split(&mut self, depth: usize, rounds: usize, cuts: &mut Vec<Farkas>) -> Outcome {
        for round in 0.. {
            match self.tableau.check(&mut self.steps) {
                Feasibility::Unknown => return Outcome::Unknown,
                Feasibility::Infeasible(farkas) => {
                    return Outcome::Infeasible(Certificate::Farkas(farkas));
                }
                Feasibility::Feasible => {}
            }
            if self.tableau.fractional().is_none() {
                return integers(&self.tableau);
            }
            let new = if round < rounds { self.new_cuts() } else { Vec::new() };
            if new.is_empty() {
                break;
            }
            for (multiples, constraint) in new {
                cuts.push(multiples);
                if let Err(farkas) = self.assert(constraint) {
                    return Outcome::Infeasible(Certificate::Farkas(farkas));
                }
            }
        }
        if depth == 0 { Outcome::Unknown } else { self.split(depth) }
    }

    /// Constraints that follow, with why; none has large numbers.
    fn new_cuts(&self) -> Vec<(Farkas, Constraint)> {
        let small = |value: &Rational| value.abs() <= Rational::from(MAX_COEFFICIENT_UNITS);
        let cuts = self.tableau.cuts().filter_map(|multiples| {
            let sum = sum(&multiples, &self.constraints)?;
            let constraint = Constraint::at_most_zero(sum);
            let form = constraint.form();
            let simple = small(&form.constant) && form.coefficients().iter().all(|c| small(&c.1));
            simple.then_some((multiples, constraint))
        });
        cuts.take(MAX_CUTS).collect()
    }

    fn split(&mut self, depth: usize) -> Outcome {
        let var = self.tableau.fractional().expect("a fractional value should be split");
        let at = self.tableau.value(var).floor();
        let mut certificates = Vec::new();
        for half in split(var, &at) {
            let (mark, count) = (self.tableau.mark(), self.constraints.len());
            let outcome = match self.assert(half) {
                Err(farkas) => Outcome::Infeasible(Certificate::Farkas(farkas)),
                Ok(()) => self.settle(depth - 1, 1),
            };
            self.tableau.undo(mark);
            self.constraints.truncate(count);
            match outcome {
                Outcome::Infeasible(certificate) => certificates.push(Box::new(certificate)),
                settled => return settled,
            }
        }
        let high = certificates.pop().expect("both cases should have failed");
        let low = certificates.pop().expect("both cases should have failed");
        Outcome::Infeasible(Certificate::Split { var, at, low, high })
    }

    fn assert(&mut self, constraint: Constraint) -> Result<(), Farkas> {
        let result = self.tableau.assert(&constraint, self.constraints.len());
        self.constraints.push(constraint);
        result
    }
}
