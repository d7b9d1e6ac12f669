//! Equations without integer solutions, such as `a = 2x` with `a = 2y + 1`.
//!
//! Splits and cuts do not end on these where variables have no bounds. So equations are solved
//! one by one, as by W. Pugh ("The Omega test", 1991, Section 2.2): one with a coefficient 1 or
//! -1 gives a variable, which is replaced in the others; if there is none, the variable `x` with the
//! smallest coefficient `a` is replaced by `t - floor(b / a) y - …`, for all other `b y`, where
//! `t` is a new variable: this makes coefficients smaller and maps integers to integers one to one. An
//! equation whose coefficients have a divisor that its constant does not have is a
//! contradiction.
//!
//! Each equation remembers of which multiples of the given ones it is the sum. These
//! rounded up, and their negation rounded up, are two cuts that contradict each other: so
//! the certificate knows nothing of the new variables.

use logic::FastMap;
use logic::Rational;
use logic::certificate::Certificate;
use logic::constraint::{Constraint, Form, LinearVar, Relation};

/// So many replacements are tried: coefficients may grow with each.
const MAX_REPLACEMENTS: usize = 200;

/// A certificate that the equations among `constraints` have no integer solution.
pub(super) fn refute(constraints: &[Constraint], variables: usize) -> Option<Certificate> {
    let given = equations(constraints);
    let start = |(number, equation): (usize, &Given)| Equation {
        form: equation.form.clone(),
        sources: Form::variable(LinearVar(number as u32)),
    };
    let mut open: Vec<Equation> = given.iter().enumerate().map(start).collect();
    let mut next = LinearVar(variables as u32);
    for _ in 0..MAX_REPLACEMENTS {
        let mut equation = open.pop()?;
        if !equation.divide() {
            continue;
        }
        if !equation.form.constant.is_integer() {
            return Some(certificate(&given, &equation.sources, constraints.len()));
        }
        let smallest = equation.form.coefficients().iter().min_by_key(|(_, c)| c.abs());
        let (var, coefficient) = smallest.expect("an equation should have variables").clone();
        if coefficient.abs() == Rational::ONE {
            open.iter_mut().for_each(|other| other.eliminate(var, &coefficient, &equation));
        } else {
            let value = replacement(&equation.form, var, &coefficient, next);
            open.push(equation);
            open.iter_mut().for_each(|other| other.replace(var, &value));
            next.0 += 1;
        }
    }
    None
}

/// An equation `form = 0` among constraints, each with its number: `high` times one of them says
/// `form <= 0`, `low` times one says `-form <= 0`.
struct Given {
    form: Form,
    high: (usize, Rational),
    low: (usize, Rational),
}

/// Equal constraints, and inequalities that are opposite to each other.
fn equations(constraints: &[Constraint]) -> Vec<Given> {
    let mut inequalities: FastMap<Form, usize> = FastMap::default();
    let mut found = Vec::new();
    for (index, constraint) in constraints.iter().enumerate() {
        let form = constraint.form().clone();
        if constraint.relation() == Relation::Equal {
            let (high, low) = ((index, Rational::ONE), (index, Rational::MINUS_ONE));
            found.push(Given { form, high, low });
        } else if let Some(other) = inequalities.get(&form.scaled(&Rational::MINUS_ONE)) {
            let (high, low) = ((index, Rational::ONE), (*other, Rational::ONE));
            found.push(Given { form, high, low });
        } else {
            inequalities.insert(form, index);
        }
    }
    found
}

/// An equation, and of which multiples of the given ones (as variables) it is the sum.
struct Equation {
    form: Form,
    sources: Form,
}

impl Equation {
    /// Makes the coefficients coprime integers; is there one?
    fn divide(&mut self) -> bool {
        let cells = self.form.coefficients();
        let common = cells.iter().fold(Rational::ZERO, |sum, (_, c)| sum.gcd(c));
        if common.is_zero() {
            return false;
        }
        let factor = common.reciprocal();
        self.form = self.form.scaled(&factor);
        self.sources = self.sources.scaled(&factor);
        true
    }

    /// Takes a variable away by a multiple of an equation in which it has the given coefficient.
    fn eliminate(&mut self, var: LinearVar, coefficient: &Rational, by: &Equation) {
        let factor = -&(&self.form.coefficient(var) / coefficient);
        self.form.add_multiple(&factor, &by.form);
        self.sources.add_multiple(&factor, &by.sources);
    }

    fn replace(&mut self, var: LinearVar, value: &Form) {
        let coefficient = self.form.coefficient(var);
        self.form.add_multiple(&coefficient, &value.minus(&Form::variable(var)));
    }
}

/// What `var` is, by a new variable that makes the other coefficients of `form` smaller than its.
fn replacement(form: &Form, var: LinearVar, coefficient: &Rational, new: LinearVar) -> Form {
    let mut value = Form::variable(new);
    for (other, own) in form.coefficients().iter().filter(|cell| cell.0 != var) {
        let quotient = (own / coefficient).floor();
        value.add_multiple(&-&quotient, &Form::variable(*other));
    }
    value
}

/// The sum rounded up and its negation rounded up contradict each other.
fn certificate(given: &[Given], sources: &Form, count: usize) -> Certificate {
    let side = |turned: bool| {
        let multiple = |(source, multiple): &(LinearVar, Rational)| {
            let Given { high, low, .. } = &given[source.index()];
            let (index, own) = if multiple.is_negative() != turned { low } else { high };
            (*index, own * &multiple.abs())
        };
        sources.coefficients().iter().map(multiple).collect()
    };
    let both = vec![(count, Rational::ONE), (count + 1, Rational::ONE)];
    let below = Certificate::Cut { multiples: side(true), rest: Certificate::Farkas(both).into() };
    Certificate::Cut { multiples: side(false), rest: below.into() }
}
