//! The search for integers that the bits of `logic` are given: the simplex, and then fewer facts.
//!
//! Sums that contradict themselves need each of their constraints; cuts and splits may not. A lemma is the
//! stronger the fewer facts it needs, so those are left out one by one, as long as there is still a
//! certificate.

use crate::simplex::{Effort, solve};
use logic::certificate::{Certificate, Outcome, Problem};
use logic::constraint::{Constraint, Form};

/// How long to try, once.
const EFFORT: Effort = Effort { steps: 5_000, depth: 30, rounds: 8 };

/// How long to try with fewer constraints.
const LESS_EFFORT: Effort = Effort { steps: 500, depth: 6, rounds: 4 };

/// Certificates that need more constraints are not tried to be made smaller: each attempt is a search.
const MAX_CONSTRAINTS: usize = 16;

/// Looks for integers, or for a certificate that there are none, which needs few constraints.
pub fn integers(problem: &Problem) -> Outcome {
    match solve(problem, EFFORT) {
        Outcome::Infeasible(certificate) => Outcome::Infeasible(smaller(problem, certificate)),
        outcome => outcome,
    }
}

/// A certificate for the problem that preferably needs fewer constraints.
fn smaller(problem: &Problem, certificate: Certificate) -> Certificate {
    let needed = certificate.needed(problem.constraints.len());
    if matches!(certificate, Certificate::Farkas(_)) || needed.len() > MAX_CONSTRAINTS {
        return certificate;
    }
    // What is left out becomes `0 = 0`, so that all others keep their numbers.
    let nothing = Constraint::zero(Form::constant(0));
    let mut kept = problem.clone();
    for (index, constraint) in kept.constraints.iter_mut().enumerate() {
        if !needed.contains(&index) {
            *constraint = nothing.clone();
        }
    }
    let mut best = certificate;
    for index in needed {
        let constraint = std::mem::replace(&mut kept.constraints[index], nothing.clone());
        match solve(&kept, LESS_EFFORT) {
            Outcome::Infeasible(certificate) => best = certificate,
            _ => kept.constraints[index] = constraint,
        }
    }
    best
}
