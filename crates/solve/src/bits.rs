//! The bits of `logic` as a solver whose `Sat` is right, too: candidates for models are evaluated.
//!
//! `logic` is believed where it says `Unsat`. Where integers without bounds matter, the model that it
//! has after `Sat` fits all that is linear; here the formulas are evaluated under it. If they do not hold,
//! the answer is `Unknown`, and [`Exact::is_beyond`] says so.

use crate::batsat::Batsat;
use crate::decide::symbol_terms;
use crate::evaluate::{Value, try_evaluate};
use crate::integers::integers;
use crate::solver::{Cores, Models, Solver};
use ccfa::Budget;
use logic::bits::{Bits, Cadical, Sat};
use logic::{Answer, Node, Sort, Symbol, Term, Terms};
use std::collections::HashMap;

/// Where there are integers without bounds, formulas about longer arrays are not evaluated: each model would have a copy.
const MAX_EVALUATED_CELLS: u32 = 10_000;

/// The arbiter: under CaDiCaL.
pub type BitSolver = Exact<Cadical>;

/// For streams of small questions: under BatSat. Hard questions it answers with `Unknown`.
pub type QuickSolver = Exact<Batsat>;

/// Decides formulas of **one** [`Terms`] by their bits.
pub struct Exact<S> {
    bits: Bits<S>,
    budget: Budget,
    /// Did the last candidate for a model fail?
    failed: bool,
}

impl<S: Sat> Exact<S> {
    /// Knows nothing yet. Once the budget is exhausted, it answers `Unknown`.
    pub fn new(budget: &Budget) -> Exact<S> {
        Exact { bits: Bits::new(integers, budget), budget: budget.clone(), failed: false }
    }

    /// Arrays of more than `most_cells` elements are decided by lemmas on demand.
    pub fn with_most_cells(budget: &Budget, most_cells: usize) -> Exact<S> {
        let bits = Bits::with_most_cells(integers, budget, most_cells);
        Exact { bits, budget: budget.clone(), failed: false }
    }

    /// After `Unknown`: is it because of integers without bounds, and not because it took too long?
    pub fn is_beyond(&self) -> bool {
        self.failed || self.bits.is_beyond()
    }

    /// How many lemmas about integers without bounds were needed so far.
    pub fn integer_lemmas(&self) -> u64 {
        self.bits.integer_lemmas()
    }

    /// After `Sat`: the element of an array symbol at `place`; 0 if that was not asked about.
    pub fn element(&mut self, terms: &Terms, array: Term, place: i128) -> i128 {
        self.bits.element(terms, array, place)
    }

    /// Do the formulas hold under the values of the last model?
    fn holds(&mut self, terms: &Terms, formulas: &[Term]) -> bool {
        let mut values: HashMap<Symbol, Value> = HashMap::new();
        for term in symbol_terms(terms, formulas) {
            let Node::Symbol(symbol) = *terms.node(term) else { unreachable!("it is a symbol") };
            let value = match terms.sort(term) {
                Sort::Scalar(_) => Value::Scalar(self.bits.value(terms, term)),
                Sort::Array { len, .. } if len > MAX_EVALUATED_CELLS => return false,
                Sort::Array { len, .. } => {
                    let element = |place| self.bits.element(terms, term, place);
                    Value::Array((0..i128::from(len)).map(element).collect())
                }
            };
            values.insert(symbol, value);
        }
        formulas.iter().all(|formula| {
            let truth = try_evaluate(terms, *formula, &mut |symbol| values[&symbol].clone());
            truth.is_some_and(|truth| truth.scalar() == 1)
        })
    }
}

impl<S: Sat> Solver for Exact<S> {
    fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        let answer = self.bits.check(terms, formulas);
        let candidate = answer == Answer::Sat && self.bits.has_integers();
        let refused = candidate && !self.holds(terms, formulas);
        self.failed = refused && self.budget.check().is_ok();
        if refused { Answer::Unknown } else { answer }
    }
}

impl<S: Sat> Models for Exact<S> {
    fn value(&mut self, terms: &Terms, term: Term) -> i128 {
        self.bits.value(terms, term)
    }
}

impl<S: Sat> Cores for Exact<S> {
    fn core(&self) -> Vec<Term> {
        self.bits.core().to_vec()
    }
}
