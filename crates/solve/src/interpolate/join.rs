//! Conjunctions and disjunctions of constraints, kept small.
//!
//! Constraints with the same linear part are intervals of its values: a conjunction
//! intersects them (`x <= i` and `x >= i` become `x == i`), a disjunction unites those that
//! meet. What an atom implies or is implied by is absorbed.

use crate::linear::Formula;
use logic::Rational;
use logic::constraint::{Constraint, Form, Relation};

/// `low <= part <= high`
#[derive(Clone, PartialEq, Eq)]
struct Interval {
    /// Coprime integers, the first one positive.
    part: Form,
    low: Option<Rational>,
    high: Option<Rational>,
}

/// All hold.
pub(super) fn conjunction(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let (atoms, others) = dissolved(Formula::all(parts), true);
    let mut intervals: Vec<Interval> = Vec::new();
    for atom in atoms.iter().map(interval) {
        match intervals.iter_mut().find(|other| other.part == atom.part) {
            Some(other) => other.intersect(&atom),
            None => intervals.push(atom),
        }
    }
    if intervals.iter().any(Interval::is_empty) {
        return Formula::truth(false);
    }
    let follows = |part: &Formula| match part {
        Formula::Atom(atom) => {
            let atom = interval(atom);
            intervals.iter().any(|have| have.part == atom.part && have.within(&atom))
        }
        _ => false,
    };
    let needed = |part: &Formula| match part {
        Formula::Any(inner) => !inner.iter().any(follows),
        _ => true,
    };
    let others = others.into_iter().filter(needed);
    Formula::all(intervals.iter().flat_map(Interval::atoms).chain(others))
}

/// One holds.
pub(super) fn disjunction(parts: impl IntoIterator<Item = Formula>) -> Formula {
    let (atoms, others) = dissolved(Formula::any(parts), false);
    let mut intervals: Vec<Interval> = Vec::new();
    for mut atom in atoms.iter().map(interval) {
        while let Some(place) = intervals.iter().position(|other| other.meets(&atom)) {
            atom.unite(&intervals.swap_remove(place));
        }
        if atom.low.is_none() && atom.high.is_none() {
            return Formula::truth(true);
        }
        intervals.push(atom);
    }
    let inside = |part: &Formula| match part {
        Formula::Atom(atom) => {
            let atom = interval(atom);
            intervals.iter().any(|have| have.part == atom.part && atom.within(have))
        }
        _ => false,
    };
    let needed = |part: &Formula| match part {
        Formula::All(inner) => !inner.iter().any(inside),
        _ => true,
    };
    let others = others.into_iter().filter(needed);
    let atoms = intervals.iter().map(|interval| Formula::all(interval.atoms()));
    Formula::any(atoms.chain(others))
}

/// The atoms and the other parts of a conjunction (or disjunction), each once.
fn dissolved(formula: Formula, all: bool) -> (Vec<Constraint>, Vec<Formula>) {
    let parts = match formula {
        Formula::All(parts) if all => parts,
        Formula::Any(parts) if !all => parts,
        single => vec![single],
    };
    let (mut atoms, mut others) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Formula::Atom(atom) => atoms.push(atom),
            other if others.contains(&other) => {}
            other => others.push(other),
        }
    }
    (atoms, others)
}

fn interval(atom: &Constraint) -> Interval {
    let mut part = atom.form().clone();
    let constant = std::mem::replace(&mut part.constant, Rational::ZERO);
    let negative = part.coefficients().first().is_some_and(|(_, first)| first.is_negative());
    if negative {
        return Interval {
            part: part.scaled(&Rational::MINUS_ONE),
            low: Some(constant),
            high: None,
        };
    }
    let high = -&constant;
    let low = (atom.relation() == Relation::Equal).then(|| high.clone());
    Interval { part, low, high: Some(high) }
}

impl Interval {
    fn intersect(&mut self, other: &Interval) {
        self.low = self.low.clone().max(other.low.clone());
        self.high = match (self.high.clone(), other.high.clone()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    /// The smallest interval around both.
    fn unite(&mut self, other: &Interval) {
        self.low = match (self.low.take(), other.low.clone()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            _ => None,
        };
        self.high = match (self.high.take(), other.high.clone()) {
            (Some(a), Some(b)) => Some(a.max(b)),
            _ => None,
        };
    }

    fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    /// Is no integer between the two?
    fn meets(&self, other: &Interval) -> bool {
        let reaches = |low: &Option<Rational>, high: &Option<Rational>| match (low, high) {
            (Some(low), Some(high)) => *low <= high + &Rational::ONE,
            _ => true,
        };
        self.part == other.part
            && reaches(&self.low, &other.high)
            && reaches(&other.low, &self.high)
    }

    fn within(&self, other: &Interval) -> bool {
        let low = other.low.is_none() || self.low >= other.low;
        let high = match (&self.high, &other.high) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own <= other,
        };
        low && high
    }

    fn atoms(&self) -> Vec<Formula> {
        let shifted = |bound: &Rational| {
            let mut form = self.part.clone();
            form.constant = -bound;
            form
        };
        if self.low == self.high
            && let Some(value) = &self.low
        {
            return vec![Formula::Atom(Constraint::zero(shifted(value)))];
        }
        let mut atoms = Vec::new();
        if let Some(low) = &self.low {
            let form = shifted(low).scaled(&Rational::MINUS_ONE);
            atoms.push(Formula::Atom(Constraint::at_most_zero(form)));
        }
        if let Some(high) = &self.high {
            atoms.push(Formula::Atom(Constraint::at_most_zero(shifted(high))));
        }
        atoms
    }
}
