//! What the bits leave open, decided by linear arithmetic over the integers.
//!
//! `blast` gives free bits to what is said of integers without bounds. A model of the SAT
//! solver proposes values for these bits; here it is asked whether integers exist for them.
//! - `read` says what a model means as linear *facts*, each with the literals (*guards*) under
//!   which it holds, whatever the model. **Trusted.**
//! - An [`IntegerSearch`] looks for integers. If there are none, its certificate is verified
//!   ([`Certificate::verify`](crate::certificate::Certificate::verify), **trusted**), and "the guards of the facts it needs do not all
//!   hold" is a lemma that is true in general: the SAT solver is asked again. This is lazy SMT
//!   (R. Nieuwenhuis, A. Oliveras, C. Tinelli, JACM 2006).
//! - If there are integers, they are a candidate for a model: a caller that needs a model evaluates the
//!   question under it (`solve::bits`).
//!
//! **Bits and integers share** some numbers: conversions from bits, what an integer is
//! modulo 2^w, places in arrays. For the integers such a number is a variable within its
//! range; in the model of the bits it has a value. First the facts are looked at without
//! these values. Then the values are added as bounds `x <= v` and `x >= v`, each guarded by a
//! comparison of the bits. If that contradicts the facts linearly, the multiples of the facts
//! add up to a constraint on shared numbers alone: a circuit says the same (`lemma`), and
//! excludes not this value alone but all that fail for the same reason. (That this
//! suffices needs no theorem about combinations: a model has one value for each shared
//! number, and is evaluated in the end.)
//!
//! `Unsat` needs nothing but the SAT solver and true lemmas. What is not linear is a variable
//! of its own here: lemmas stay true, models fail when they are evaluated, and the answer is
//! `Unknown`.

mod lemma;
mod needs;
mod read;

use super::blast::Blaster;
use super::circuit::Lit;
use super::cnf::Instance;
use super::sat::Sat;
use crate::FastMap;
use crate::certificate::{IntegerSearch, Outcome, Problem};
use crate::constraint::{Constraint, LinearVar};
use crate::rational::Rational;
use crate::term::{Symbol, Term, Terms};
use read::{Fact, Reading, Unknown};
use std::collections::BTreeSet;

/// What the values of open terms mean for the integers.
pub enum Judgement {
    /// They are possible: [`Integers::symbol`], [`Integers::element`].
    Possible,
    /// They are not: in general, one of these holds.
    Lemma(Vec<Lit>),
    /// Not known.
    Unknown,
}

/// Decides what the bits leave open.
pub struct Integers {
    search: IntegerSearch,
    /// For an equation: if it fails, is the left side smaller? For a dividend: is it at least 0?
    signs: FastMap<Term, Lit>,
    /// What is read of the present question.
    open: Vec<Term>,
    values: FastMap<Unknown, i128>,
    loose: bool,
}

impl Integers {
    /// With who looks for integers.
    pub fn new(search: IntegerSearch) -> Integers {
        let (signs, open, values, loose) = Default::default();
        Integers { search, signs, open, values, loose }
    }

    /// Takes up a question with these open terms. All that matters for what they say is loaded, so
    /// that the next model tells it.
    pub fn prepare<S: Sat>(
        &mut self,
        terms: &Terms,
        blaster: &mut Blaster,
        instance: &mut Instance<S>,
        open: &BTreeSet<Term>,
    ) {
        self.open.clear();
        self.values.clear();
        self.loose = false;
        let mut waiting: Vec<Term> = open.iter().copied().collect();
        loop {
            // What the SAT solver never heard of does not matter; what others depend on does.
            let (known, others): (Vec<Term>, Vec<Term>) = waiting.into_iter().partition(|term| {
                needs::own_bits(blaster, *term).iter().any(|lit| instance.knows(*lit))
            });
            if known.is_empty() {
                break;
            }
            for term in &known {
                for lit in needs::bits(terms, blaster, &mut self.signs, *term) {
                    instance.load(&blaster.circuit, lit);
                }
            }
            self.open.extend(known);
            waiting = others;
        }
    }

    /// Are there integers for the present model, in which literals have these values?
    pub fn judge(
        &mut self,
        terms: &Terms,
        blaster: &mut Blaster,
        value: &mut dyn FnMut(Lit) -> bool,
    ) -> Judgement {
        if self.open.is_empty() {
            return Judgement::Possible;
        }
        let reading = Reading::new(terms, blaster, &self.signs, value, &self.open);
        let integers = match self.integers(&reading.facts, reading.unknowns.len()) {
            Outcome::Unknown => return Judgement::Unknown,
            Outcome::Infeasible(certificate) => {
                return lemma::of_facts(&reading.facts, &certificate);
            }
            Outcome::Integers(integers) => integers,
        };
        let agrees = |(var, shared): (&LinearVar, &read::Shared)| {
            integers.get(var.index()) == Some(&Rational::from(shared.value))
        };
        let integers = if reading.shared.iter().all(agrees) {
            integers
        } else {
            let facts = with_values(blaster, &reading);
            match self.integers(&facts, reading.unknowns.len()) {
                Outcome::Unknown => return Judgement::Unknown,
                Outcome::Infeasible(certificate) => {
                    return lemma::of_values(blaster, &reading, &facts, &certificate);
                }
                Outcome::Integers(integers) => integers,
            }
        };
        self.keep(&reading, &integers)
    }

    fn integers(&self, facts: &[Fact], variables: usize) -> Outcome {
        (self.search)(&Problem { variables, constraints: constraints(facts) })
    }

    fn keep(&mut self, reading: &Reading, integers: &[Rational]) -> Judgement {
        self.loose = reading.loose;
        for (unknown, value) in reading.unknowns.iter().zip(integers) {
            let Some(value) = value.to_i128() else { return Judgement::Unknown };
            self.values.insert(*unknown, value);
        }
        Judgement::Possible
    }

    /// After `Possible`: may they fail to fit what is not linear?
    pub fn is_loose(&self) -> bool {
        self.loose
    }

    /// After `Possible`: the value of a symbol; 0 if it does not matter.
    pub fn symbol(&self, symbol: Term) -> i128 {
        self.values.get(&Unknown::Number(symbol)).copied().unwrap_or(0)
    }

    /// After `Possible`: the element of an array of integers; 0 if it does not matter.
    pub fn element(&self, array: Symbol, place: i128) -> i128 {
        let place = u32::try_from(place).ok();
        let value = place.and_then(|place| self.values.get(&Unknown::Element(array, place)));
        value.copied().unwrap_or(0)
    }
}

/// The facts and the values of shared numbers.
fn with_values(blaster: &mut Blaster, reading: &Reading) -> Vec<Fact> {
    let mut facts = reading.facts.clone();
    for (var, shared) in &reading.shared {
        facts.extend(shared.bounds(&mut blaster.circuit, *var));
    }
    facts
}

fn constraints(facts: &[Fact]) -> Vec<Constraint> {
    facts.iter().map(|fact| fact.constraint.clone()).collect()
}
