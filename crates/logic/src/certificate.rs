//! Why no integers satisfy constraints, in a form that is easy to verify. **Trusted.**
//!
//! A certificate is a proof with three rules, each of which keeps all integer solutions:
//! - *sum*: multiples of constraints (of inequalities not negative ones) add up to a constraint;
//! - *cut*: a sum is divided by what its coefficients have in common and its constant rounded up
//!   ([`Constraint`]; V. Chvátal, 1973), which gives a further constraint;
//! - *split*: for an integer `k`, `x <= k` or `x >= k + 1`.
//!
//! [`Certificate::verify`] follows them by exact arithmetic and knows nothing of the search: the
//! caller that asks for a certificate is given the [`IntegerSearch`] that looks for it, and verifies what that finds.

use crate::constraint::{Constraint, Form, LinearVar, Relation};
use crate::rational::Rational;
use std::collections::BTreeSet;

/// Multiples of constraints (each by its number) that add up to a positive constant `<= 0`.
/// Multiples of inequalities are positive.
pub type Farkas = Vec<(usize, Rational)>;

/// Constraints that should hold together, over variables `LinearVar(0)`, `LinearVar(1)`, ….
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// How many variables there are.
    pub variables: usize,
    /// The constraints; certificates name them by their index.
    pub constraints: Vec<Constraint>,
}

/// What is known of a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No integers satisfy it.
    Infeasible(Certificate),
    /// These do: the value of each variable.
    Integers(Vec<Rational>),
    /// Not settled.
    Unknown,
}

/// Looks for integers, or for a certificate that there are none. It is not believed.
pub type IntegerSearch = fn(&Problem) -> Outcome;

/// Why no integers satisfy constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Multiples of constraints that add up to a contradiction.
    Farkas(Farkas),
    /// One more constraint follows, numbered after all others.
    Cut {
        /// Multiples of constraints: their sum, tightened, is the new one.
        multiples: Farkas,
        /// Why they fail with it.
        rest: Box<Certificate>,
    },
    /// Both cases fail. Each of them has one more constraint, numbered after all others.
    Split {
        /// What is split.
        var: LinearVar,
        /// An integer `k`.
        at: Rational,
        /// Why `var <= k` fails.
        low: Box<Certificate>,
        /// Why `var >= k + 1` fails.
        high: Box<Certificate>,
    },
}

impl Certificate {
    /// Does it show that no integers satisfy all of `constraints`?
    pub fn verify(&self, constraints: &[Constraint]) -> bool {
        self.verify_with(&mut constraints.to_vec())
    }

    fn verify_with(&self, constraints: &mut Vec<Constraint>) -> bool {
        match self {
            Certificate::Farkas(farkas) => verify_farkas(farkas, constraints),
            Certificate::Cut { multiples, rest } => match sum(multiples, constraints) {
                Some(sum) => rest.verify_after(Constraint::at_most_zero(sum), constraints),
                None => false,
            },
            Certificate::Split { var, at, low, high } => {
                let [below, above] = split(*var, at);
                at.is_integer()
                    && low.verify_after(below, constraints)
                    && high.verify_after(above, constraints)
            }
        }
    }

    fn verify_after(&self, further: Constraint, constraints: &mut Vec<Constraint>) -> bool {
        constraints.push(further);
        let holds = self.verify_with(constraints);
        constraints.pop();
        holds
    }

    /// The constraints, of `count`, that it needs.
    pub fn needed(&self, count: usize) -> BTreeSet<usize> {
        let all = |farkas: &Farkas| farkas.iter().map(|(index, _)| *index).collect();
        match self {
            Certificate::Farkas(farkas) => all(farkas),
            Certificate::Cut { multiples, rest } => {
                let mut needed = rest.needed(count + 1);
                if needed.remove(&count) {
                    let sources: BTreeSet<usize> = all(multiples);
                    needed.extend(sources);
                }
                needed
            }
            Certificate::Split { low, high, .. } => {
                let mut needed = low.needed(count + 1);
                needed.extend(high.needed(count + 1));
                needed.remove(&count);
                needed
            }
        }
    }
}

/// Do these multiples of constraints add up to a contradiction?
pub fn verify_farkas(farkas: &[(usize, Rational)], constraints: &[Constraint]) -> bool {
    let sum = sum(farkas, constraints);
    sum.is_some_and(|sum| sum.coefficients().is_empty() && sum.constant.is_positive())
}

/// What is at most 0 since these multiples of constraints are; `None` if an inequality is turned
/// round, or a constraint does not exist.
pub fn sum(multiples: &[(usize, Rational)], constraints: &[Constraint]) -> Option<Form> {
    let mut sum = Form::constant(0);
    for (index, multiple) in multiples {
        let constraint = constraints.get(*index)?;
        if constraint.relation() == Relation::AtMost && multiple.is_negative() {
            return None;
        }
        sum.add_multiple(multiple, constraint.form());
    }
    Some(sum)
}

/// `var <= at` and `var >= at + 1`.
pub fn split(var: LinearVar, at: &Rational) -> [Constraint; 2] {
    let mut difference = Form::variable(var);
    difference.constant = -at;
    [Constraint::at_most_zero(difference.clone()), Constraint::lt(&Form::constant(0), &difference)]
}
