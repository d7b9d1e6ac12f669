//! Deciding formulas, cheap ways first: what engines ask.
//!
//! 1. **Syntax**: a formula that is `false`, a formula and its negation.
//! 2. **Memory**: the same set of formulas was asked before.
//! 3. **Intervals**: bounds among the formulas refute one (`intervals.rs`).
//! 4. **Models**: a valuation that answered an earlier question answers this one.
//! 5. **Bits**: [`QuickSolver`], and [`BitSolver`] for what is too hard for that. Both ask linear
//!    arithmetic about integers without bounds.
//!
//! As Impara does for covers (B. Wachter, D. Kroening, J. Ouaknine, "Verifying multi-threaded
//! software with Impact", FMCAD 2013). Each step gives `Unsat` with a core, `Sat` with a model,
//! or passes the question on. In debug builds the answers of the cheap steps are compared with
//! those of [`BitSolver`]; `check` asks that one alone.

use crate::bits::{BitSolver, QuickSolver};
use crate::evaluate::{Value, try_evaluate};
use crate::intervals;
use crate::solver::{Cores, Models, Solver};
use ccfa::{Budget, Type};
use logic::Answer;
use logic::FastMap;
use logic::{Node, Sort, Symbol, Term, Terms};
use std::collections::VecDeque;
use std::rc::Rc;

/// So many questions are remembered; then all are forgotten, so that memory is bounded.
const MAX_REMEMBERED_QUESTIONS: usize = 50_000;

/// So many models are tried on a new question: each is an evaluation, and old ones seldom fit.
const MAX_MODELS: usize = 6;

/// Models with longer arrays are not kept: to evaluate under them would take longer than to ask.
const MAX_MODEL_CELLS: u32 = 64;

/// Does a conclusion follow?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entailment {
    /// It does.
    Holds,
    /// It does not.
    Fails,
    /// Not known.
    Unknown,
}

/// How many questions were answered by which step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// All questions.
    pub questions: u64,
    /// By syntax.
    pub syntactic: u64,
    /// From memory.
    pub remembered: u64,
    /// By intervals.
    pub intervals: u64,
    /// By the model of an earlier question.
    pub models: u64,
    /// By the quick bit-precise solver.
    pub quick: u64,
    /// By the arbiter.
    pub thorough: u64,
    /// By none.
    pub unknown: u64,
    /// How many lemmas about integers without bounds the solvers needed.
    pub integer_lemmas: u64,
}

/// Decides formulas of **one** [`Terms`].
pub struct Decider {
    quick: QuickSolver,
    thorough: BitSolver,
    remembered: FastMap<Box<[Term]>, Remembered>,
    models: VecDeque<Rc<Model>>,
    core: Vec<Term>,
    source: Source,
    counters: Counters,
    #[cfg(debug_assertions)]
    judge: BitSolver,
}

/// Values of symbols; all others are 0 everywhere.
type Model = FastMap<Symbol, Value>;

enum Remembered {
    Sat(Rc<Model>),
    Unsat(Vec<Term>),
}

/// Where the values of the last `Sat` come from.
#[derive(Default)]
enum Source {
    #[default]
    Nowhere,
    Model(Rc<Model>),
    Quick,
    Thorough,
}

impl Decider {
    /// Knows nothing yet. Once the budget is exhausted, it answers `Unknown`.
    pub fn new(budget: &Budget) -> Decider {
        let (remembered, models, core, source, counters) = Default::default();
        Decider {
            quick: QuickSolver::new(budget),
            thorough: BitSolver::new(budget),
            remembered,
            models,
            core,
            source,
            counters,
            #[cfg(debug_assertions)]
            judge: BitSolver::new(budget),
        }
    }

    /// Do all of `formulas` hold under some valuation?
    pub fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        self.counters.questions += 1;
        self.core.clear();
        self.source = Source::Nowhere;
        let question = normalised(terms, formulas);
        if let Some(answer) = self.cheap(terms, &question) {
            #[cfg(debug_assertions)]
            self.compare(terms, &question, answer);
            return answer;
        }
        self.solve(terms, &question)
    }

    /// Does `conclusion` hold under each valuation under which all of `premises` do?
    pub fn implies(
        &mut self,
        terms: &mut Terms,
        premises: &[Term],
        conclusion: Term,
    ) -> Entailment {
        let missing = match terms.node(conclusion).clone() {
            Node::And(parts) => {
                terms.and(parts.iter().copied().filter(|part| !premises.contains(part)))
            }
            _ => conclusion,
        };
        if premises.contains(&missing) || terms.constant_value(missing) == Some(1) {
            self.counters.questions += 1;
            self.counters.syntactic += 1;
            return Entailment::Holds;
        }
        let mut question = premises.to_vec();
        question.push(terms.not(missing));
        match self.check(terms, &question) {
            Answer::Unsat => Entailment::Holds,
            Answer::Sat => Entailment::Fails,
            Answer::Unknown => Entailment::Unknown,
        }
    }

    /// After `Unsat`: formulas among those asked that cannot hold together.
    pub fn core(&self) -> &[Term] {
        &self.core
    }

    /// After `Sat` or `Fails`: the value of a scalar symbol, or of an element of an array symbol
    /// at a constant index, in one valuation under which the formulas hold.
    pub fn value(&mut self, terms: &Terms, term: Term) -> i128 {
        match &self.source {
            Source::Model(model) => model_value(terms, model, term),
            Source::Quick => self.quick.value(terms, term),
            Source::Thorough => self.thorough.value(terms, term),
            Source::Nowhere => unreachable!("a value should be asked for after `Sat`"),
        }
    }

    /// After `Sat` or `Fails`: the values of a symbol, of an array's elements each, in that valuation.
    pub fn cells(&mut self, terms: &mut Terms, symbol: Symbol) -> Vec<i128> {
        let term = terms.symbol(symbol);
        let Sort::Array { len, .. } = terms.symbol_sort(symbol) else {
            return vec![self.value(terms, term)];
        };
        let element = |index| {
            let index = terms.constant(i128::from(index), Type::unsigned(32));
            let cell = terms.select(term, index);
            self.value(terms, cell)
        };
        (0..len).map(element).collect()
    }

    /// How questions were answered so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The steps before SAT.
    fn cheap(&mut self, terms: &Terms, question: &[Term]) -> Option<Answer> {
        if let Some(core) = contradiction(terms, question) {
            self.counters.syntactic += 1;
            return Some(self.unsat(core));
        }
        match self.remembered.get(question) {
            Some(Remembered::Sat(model)) => {
                self.counters.remembered += 1;
                self.source = Source::Model(model.clone());
                return Some(Answer::Sat);
            }
            Some(Remembered::Unsat(core)) => {
                self.counters.remembered += 1;
                let core = core.clone();
                return Some(self.unsat(core));
            }
            None => {}
        }
        if let Some(core) = intervals::refute(terms, question) {
            self.counters.intervals += 1;
            return Some(self.unsat(core));
        }
        let fitting = self.models.iter().position(|model| satisfies(terms, model, question))?;
        self.counters.models += 1;
        let model = self.models.remove(fitting).expect("the model should be there");
        self.models.push_front(model.clone());
        self.source = Source::Model(model);
        Some(Answer::Sat)
    }

    fn unsat(&mut self, core: Vec<Term>) -> Answer {
        self.core = core;
        Answer::Unsat
    }

    fn solve(&mut self, terms: &Terms, question: &[Term]) -> Answer {
        let mut answer = self.quick.check(terms, question);
        let hard = answer == Answer::Unknown && !self.quick.is_beyond();
        if hard {
            answer = self.thorough.check(terms, question);
        }
        self.counters.integer_lemmas = self.quick.integer_lemmas() + self.thorough.integer_lemmas();
        match answer {
            Answer::Unknown => self.counters.unknown += 1,
            _ if hard => self.counters.thorough += 1,
            _ => self.counters.quick += 1,
        }
        match answer {
            Answer::Unsat => {
                self.core = if hard { self.thorough.core() } else { self.quick.core() };
                self.remember(question, Remembered::Unsat(self.core.clone()));
            }
            Answer::Sat => {
                self.source = if hard { Source::Thorough } else { Source::Quick };
                self.keep_model(terms, question);
            }
            Answer::Unknown => {}
        }
        answer
    }

    /// Keeps the model of the last `Sat` of a solver, unless there are long arrays in it.
    fn keep_model(&mut self, terms: &Terms, question: &[Term]) {
        let mut model = Model::default();
        for symbol in symbol_terms(terms, question) {
            let value = match terms.sort(symbol) {
                Sort::Scalar(_) => Value::Scalar(self.value(terms, symbol)),
                Sort::Array { len, .. } if len > MAX_MODEL_CELLS => return,
                Sort::Array { len, .. } => {
                    let mut element = |place: u32| match self.source {
                        Source::Quick => self.quick.element(terms, symbol, place.into()),
                        _ => self.thorough.element(terms, symbol, place.into()),
                    };
                    Value::Array((0..len).map(&mut element).collect())
                }
            };
            let Node::Symbol(symbol) = terms.node(symbol) else { unreachable!("it is a symbol") };
            model.insert(*symbol, value);
        }
        let model = Rc::new(model);
        self.remember(question, Remembered::Sat(model.clone()));
        self.models.push_front(model);
        self.models.truncate(MAX_MODELS);
    }

    fn remember(&mut self, question: &[Term], answer: Remembered) {
        if self.remembered.len() >= MAX_REMEMBERED_QUESTIONS {
            self.remembered.clear();
        }
        self.remembered.insert(question.into(), answer);
    }

    /// Restates a cheap answer by the arbiter.
    #[cfg(debug_assertions)]
    fn compare(&mut self, terms: &Terms, question: &[Term], answer: Answer) {
        let asked = if answer == Answer::Unsat { &self.core[..] } else { question };
        assert!(
            asked.iter().all(|part| question.contains(part)),
            "a core should be of the question"
        );
        let judged = self.judge.check(terms, asked);
        assert!(judged == answer || judged == Answer::Unknown, "{judged:?} should be {answer:?}");
    }
}

impl Solver for Decider {
    fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        Decider::check(self, terms, formulas)
    }
}

impl Models for Decider {
    fn value(&mut self, terms: &Terms, term: Term) -> i128 {
        Decider::value(self, terms, term)
    }
}

impl Cores for Decider {
    fn core(&self) -> Vec<Term> {
        self.core.clone()
    }
}

/// Sorted, each once, without `true`.
fn normalised(terms: &Terms, formulas: &[Term]) -> Vec<Term> {
    let holds = |formula: &Term| terms.constant_value(*formula) == Some(1);
    let mut question: Vec<Term> = formulas.iter().copied().filter(|f| !holds(f)).collect();
    question.sort();
    question.dedup();
    question
}

/// `false`, or a formula and its negation.
fn contradiction(terms: &Terms, question: &[Term]) -> Option<Vec<Term>> {
    question.iter().find_map(|formula| match terms.node(*formula) {
        Node::Const(0, _) => Some(vec![*formula]),
        Node::Not(inner) if question.binary_search(inner).is_ok() => Some(vec![*inner, *formula]),
        _ => None,
    })
}

/// The symbols in some formulas, as terms.
pub(crate) fn symbol_terms(terms: &Terms, formulas: &[Term]) -> Vec<Term> {
    let is_symbol = |term: &Term| matches!(terms.node(*term), Node::Symbol(_));
    terms.subterms(formulas.iter().copied()).filter(is_symbol).collect()
}

fn satisfies(terms: &Terms, model: &Model, question: &[Term]) -> bool {
    let mut value = |symbol: Symbol| match (model.get(&symbol), terms.symbol_sort(symbol)) {
        (Some(value), _) => value.clone(),
        (None, Sort::Scalar(_)) => Value::Scalar(0),
        // What lies outside an array is 0: this is one of zeros.
        (None, Sort::Array { .. }) => Value::Array(Vec::new()),
    };
    let holds = |formula: &Term| {
        try_evaluate(terms, *formula, &mut value).is_some_and(|truth| truth.scalar() == 1)
    };
    question.iter().all(holds)
}

/// The value of a symbol, or of an element at a constant index.
fn model_value(terms: &Terms, model: &Model, term: Term) -> i128 {
    match terms.node(term) {
        Node::Symbol(symbol) => model.get(symbol).map_or(0, Value::scalar),
        Node::Select(array, index) => match (terms.node(*array), terms.constant_value(*index)) {
            (Node::Symbol(symbol), Some(place)) => match model.get(symbol) {
                Some(Value::Array(elements)) => {
                    let place = usize::try_from(place).ok();
                    place.and_then(|place| elements.get(place)).copied().unwrap_or(0)
                }
                _ => 0,
            },
            _ => unreachable!("an element should be of a symbol, at a constant index"),
        },
        _ => unreachable!("a symbol or an element should be given"),
    }
}
