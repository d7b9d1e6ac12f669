//! The arbiter: formulas decided by their bits. **Trusted.**
//!
//! A question goes four small steps, one file each class of operators:
//! `blast` makes a circuit of each term (`arithmetic`, `compare`, `shift`,
//! `select` say how), `circuit` keeps the gates, `cnf` writes the cone of the
//! question as clauses, `sat` decides them. Circuits are made once for each term;
//! formulas are assumptions, so that a core is what the SAT solver blames.
//!
//! Two things are decided later than in the circuit:
//! - Elements of **long arrays** are free bits. After `Sat`, two of them with the same index and
//!   different values give a lemma, and the question is asked again: "lemmas on
//!   demand" (R. Brummayer, A. Biere, JSAT 2009, for arrays without stores). There are
//!   finitely many pairs, so this ends; each lemma is true of all arrays, so `Unsat` is right.
//! - What is said of **unbounded integers** is free (`blast`). After `Sat`, linear arithmetic
//!   looks for integers that fit (`integers`): if there are none, it gives a lemma; if there are,
//!   the answer is `Sat`, though these are only a *candidate* for a model ([`Bits::is_candidate`]).
//!
//! So `Unsat` is what may be believed, and all that `check` believes. A caller that needs `Sat` to be right
//! evaluates candidates (`solve::bits`).
//!
//! The SAT solver must assign all it knows before it says `Sat`, so it is thrown away once
//! it knows too much; the circuit stays.

mod arithmetic;
mod blast;
mod cadical;
mod circuit;
mod cnf;
mod compare;
mod integers;
mod model;
mod sat;
mod select;
mod shift;

pub use self::cadical::Cadical;
pub use self::sat::{Answer, Sat};

use crate::certificate::IntegerSearch;
use crate::term::{Node, Symbol, Term, Terms};
use blast::Blaster;
use ccfa::{Budget, Type};
use circuit::Lit;
use cnf::Instance;
use integers::{Integers, Judgement};
use std::collections::{BTreeSet, HashMap};

/// So many lemmas about integers are tried for one question: lazy refinement need not end.
const MAX_LEMMAS: usize = 2_000;

/// Arrays up to this length have bits for each cell; longer ones would cost more than lemmas about what is read.
const MAX_CELLS: usize = 64;

/// Decides formulas of **one** [`Terms`] by their bits.
pub struct Bits<S> {
    blaster: Blaster,
    instance: Instance<S>,
    budget: Budget,
    /// What the last `Unsat` is to blame on.
    core: Vec<Term>,
    /// What the last question needs beyond its gates.
    long_selects: BTreeSet<Term>,
    open: BTreeSet<Term>,
    integers: Integers,
    /// Was the last question not decided because of integers?
    beyond: bool,
    /// Lemmas about integers so far.
    lemmas: u64,
    /// The elements of long arrays in the last model.
    elements: HashMap<(Symbol, Vec<bool>), Term>,
    sat: bool,
}

impl<S: Sat> Bits<S> {
    /// Knows nothing yet. For integers without bounds it asks the search. Once the budget is
    /// exhausted, it answers `Unknown`.
    pub fn new(search: IntegerSearch, budget: &Budget) -> Bits<S> {
        Bits::with_most_cells(search, budget, MAX_CELLS)
    }

    /// Arrays of more than `most_cells` elements are decided by lemmas on demand.
    pub fn with_most_cells(search: IntegerSearch, budget: &Budget, most_cells: usize) -> Bits<S> {
        Bits {
            blaster: Blaster::new(most_cells),
            instance: Instance::new(budget),
            budget: budget.clone(),
            core: Vec::new(),
            long_selects: BTreeSet::new(),
            open: BTreeSet::new(),
            integers: Integers::new(search),
            beyond: false,
            lemmas: 0,
            elements: HashMap::new(),
            sat: false,
        }
    }

    /// After `Sat`: may the integers of the model fail to fit what is not linear?
    pub fn is_candidate(&self) -> bool {
        self.integers.is_loose()
    }

    fn collect_special(&mut self, terms: &Terms, formulas: &[Term]) {
        self.long_selects.clear();
        self.open.clear();
        for formula in formulas {
            if let Some(cone) = self.blaster.cone(terms, *formula) {
                self.long_selects.extend(&cone.long_selects);
                self.open.extend(&cone.open);
            }
        }
    }

    fn solve(&mut self, terms: &Terms, lits: &[Lit]) -> Answer {
        self.load_special(terms, lits);
        let mut lemmas_left = MAX_LEMMAS;
        loop {
            let answer = self.instance.solve(&self.blaster.circuit, lits);
            if answer != Answer::Sat {
                return answer;
            }
            let congruences = self.violated_congruences(terms);
            for (a, b) in &congruences {
                let lemma = self.blaster.congruence(terms, *a, *b);
                self.instance.assert(&self.blaster.circuit, lemma);
            }
            if !congruences.is_empty() {
                continue;
            }
            let Bits { integers, blaster, instance, .. } = self;
            match integers.judge(terms, blaster, &mut |lit| instance.value(lit)) {
                Judgement::Possible => return Answer::Sat,
                Judgement::Lemma(lits) if lemmas_left > 0 && !self.is_stopped() => {
                    self.instance.assert_any(&self.blaster.circuit, &lits);
                    self.lemmas += 1;
                    lemmas_left -= 1;
                }
                _ => {
                    self.beyond = !self.is_stopped();
                    return Answer::Unknown;
                }
            }
        }
    }

    /// The model must tell where each element is, and all that matters for integers, also if no
    /// formula depends on that.
    fn load_special(&mut self, terms: &Terms, lits: &[Lit]) {
        for select in &self.long_selects {
            let index = self.blaster.index_word(terms, *select);
            let word = self.blaster.known_word(*select).unwrap_or_default();
            for lit in index.iter().chain(word.iter()) {
                self.instance.load(&self.blaster.circuit, *lit);
            }
        }
        if !self.open.is_empty() {
            for lit in lits {
                self.instance.load(&self.blaster.circuit, *lit);
            }
        }
        self.integers.prepare(terms, &mut self.blaster, &mut self.instance, &self.open);
    }

    fn is_stopped(&self) -> bool {
        self.budget.check().is_err()
    }

    /// Pairs of elements of long arrays with the same index and different values. If there are
    /// none, `elements` is right.
    fn violated_congruences(&mut self, terms: &Terms) -> Vec<(Term, Term)> {
        self.elements.clear();
        let mut violated = Vec::new();
        for select in self.long_selects.clone() {
            let symbol = selected_symbol(terms, select);
            let index = self.blaster.index_word(terms, select);
            let index: Vec<bool> = index.iter().map(|lit| self.instance.value(*lit)).collect();
            let other = *self.elements.entry((symbol, shortest(index))).or_insert(select);
            if self.number(terms, select) != self.number(terms, other) {
                violated.push((other, select));
            }
        }
        violated
    }

    /// The value of a term in the last model, by its bits.
    fn number(&mut self, terms: &Terms, term: Term) -> i128 {
        if self.blaster.known_word(term).is_none() && terms.ty(term) == Type::Int {
            return self.integers.symbol(term);
        }
        let word = self.blaster.known_word(term).unwrap_or_default();
        self.word_number(&word, terms.ty(term))
    }

    fn word_number(&mut self, word: &[Lit], ty: Type) -> i128 {
        let bit = |(place, lit)| i128::from(self.instance.value(lit)) << place;
        ty.wrap(word.iter().copied().enumerate().map(bit).sum())
    }

    /// Do all of `formulas` hold under some valuation?
    pub fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        self.sat = false;
        self.core.clear();
        self.beyond = false;
        if self.is_stopped() {
            return Answer::Unknown;
        }
        if self.instance.is_crowded() {
            self.instance.forget(&self.budget);
        }
        let lits: Vec<Lit> = formulas.iter().map(|f| self.blaster.formula(terms, *f)).collect();
        self.collect_special(terms, formulas);
        let answer = self.solve(terms, &lits);
        match answer {
            Answer::Unsat => {
                let mut blamed = BTreeSet::new();
                for (formula, lit) in formulas.iter().zip(lits) {
                    if self.instance.failed(lit) && blamed.insert(lit) {
                        self.core.push(*formula);
                    }
                }
                answer
            }
            _ => {
                self.sat = answer == Answer::Sat;
                answer
            }
        }
    }

    /// After `Unsat`: formulas among those asked that cannot hold together; hardly more than needed.
    pub fn core(&self) -> &[Term] {
        &self.core
    }
}

/// The array symbol of a select from a long array.
fn selected_symbol(terms: &Terms, select: Term) -> Symbol {
    match terms.node(select) {
        Node::Select(array, _) => match terms.node(*array) {
            Node::Symbol(symbol) => *symbol,
            _ => unreachable!("a long array should be a symbol"),
        },
        _ => unreachable!("a select should be given"),
    }
}

/// A signed number without copies of its sign bit that it does not need: equal numbers become
/// equal.
fn shortest(mut bits: Vec<bool>) -> Vec<bool> {
    while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
        bits.pop();
    }
    bits
}
