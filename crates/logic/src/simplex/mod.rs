//! Linear arithmetic over integers: finds values, or a certificate that there are none.
//!
//! The rational relaxation is decided by [`Tableau`]. Constraints are tightened when
//! they are made ([`Constraint`]), so many integer problems are settled there by a
//! *Farkas certificate*: multiples of constraints that add up to `1 <= 0`. Otherwise
//! a variable with a fractional value is split, `x <= k` or `x >= k + 1`, to a bounded depth.
//! [`Certificate::verify`] believes nothing of this.

mod form;
mod tableau;

pub use form::{Constraint, Form, Relation, Var};
pub use tableau::{Farkas, Feasibility, Tableau};

use crate::rational::Rational;

/// Constraints that should hold together, over variables `Var(0)`, `Var(1)`, ….
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// How many variables there are.
    pub variables: usize,
    /// The constraints; certificates name them by their index.
    pub constraints: Vec<Constraint>,
}

/// How long to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Pivot steps altogether.
    pub steps: u64,
    /// How deep splits of fractional variables are nested.
    pub depth: usize,
}

/// What is known of a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No integers satisfy it.
    Infeasible(Certificate),
    /// These do: the value of each variable.
    Integers(Vec<Rational>),
    /// Not settled with this effort.
    Unknown,
}

/// Why no integers satisfy constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Multiples of constraints that add up to a contradiction.
    Farkas(Farkas),
    /// Both cases fail. Each of them has one more constraint, numbered after all others.
    Split {
        /// What is split.
        var: Var,
        /// An integer `k`.
        at: Rational,
        /// Why `var <= k` fails.
        low: Box<Certificate>,
        /// Why `var >= k + 1` fails.
        high: Box<Certificate>,
    },
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { steps: 20_000, depth: 12 }
    }
}

impl Problem {
    /// Looks for integers.
    pub fn solve(&self, effort: Effort) -> Outcome {
        let mut tableau = Tableau::new(self.variables);
        for (index, constraint) in self.constraints.iter().enumerate() {
            if let Err(farkas) = tableau.assert(constraint, index) {
                return Outcome::Infeasible(Certificate::Farkas(farkas));
            }
        }
        let mut steps = effort.steps;
        let outcome = branch(&mut tableau, self.constraints.len(), effort.depth, &mut steps);
        if let Outcome::Infeasible(certificate) = &outcome {
            debug_assert!(certificate.verify(&self.constraints), "a certificate should be right");
        }
        outcome
    }
}

fn branch(tableau: &mut Tableau, next: usize, depth: usize, steps: &mut u64) -> Outcome {
    match tableau.check(steps) {
        Feasibility::Unknown => return Outcome::Unknown,
        Feasibility::Infeasible(farkas) => {
            return Outcome::Infeasible(Certificate::Farkas(farkas));
        }
        Feasibility::Feasible => {}
    }
    let Some(var) = tableau.fractional() else {
        let value = |index: usize| tableau.value(Var(index as u32)).clone();
        return Outcome::Integers((0..tableau.variables()).map(value).collect());
    };
    if depth == 0 {
        return Outcome::Unknown;
    }
    let at = tableau.value(var).floor();
    let mut certificates = Vec::new();
    for half in split(var, &at) {
        let mark = tableau.mark();
        let outcome = match tableau.assert(&half, next) {
            Err(farkas) => Outcome::Infeasible(Certificate::Farkas(farkas)),
            Ok(()) => branch(tableau, next + 1, depth - 1, steps),
        };
        tableau.undo(mark);
        match outcome {
            Outcome::Infeasible(certificate) => certificates.push(Box::new(certificate)),
            settled => return settled,
        }
    }
    let high = certificates.pop().expect("both cases should have failed");
    let low = certificates.pop().expect("both cases should have failed");
    Outcome::Infeasible(Certificate::Split { var, at, low, high })
}

/// `var <= at` and `var >= at + 1`.
pub(crate) fn split(var: Var, at: &Rational) -> [Constraint; 2] {
    let mut difference = Form::variable(var);
    difference.constant = -at;
    [Constraint::at_most_zero(difference.clone()), Constraint::lt(&Form::constant(0), &difference)]
}

impl Certificate {
    /// Does it show that no integers satisfy all of `constraints`?
    pub fn verify(&self, constraints: &[Constraint]) -> bool {
        match self {
            Certificate::Farkas(farkas) => verify_farkas(farkas, constraints),
            Certificate::Split { var, at, low, high } => {
                let with = |half: &Constraint| [constraints, std::slice::from_ref(half)].concat();
                let [below, above] = split(*var, at);
                at.is_integer() && low.verify(&with(&below)) && high.verify(&with(&above))
            }
        }
    }
}

/// Do these multiples of constraints add up to a contradiction?
pub fn verify_farkas(farkas: &[(usize, Rational)], constraints: &[Constraint]) -> bool {
    let mut sum = Form::constant(0);
    for (index, multiple) in farkas {
        let Some(constraint) = constraints.get(*index) else { return false };
        if constraint.relation() == Relation::AtMost && multiple.is_negative() {
            return false;
        }
        sum.add_multiple(multiple, constraint.form());
    }
    sum.coefficients().is_empty() && sum.constant.is_positive()
}
