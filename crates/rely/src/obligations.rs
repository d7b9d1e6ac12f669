//! `rely check --proof-dir`: the obligations of a proof as scripts in SMT-LIB 2, for other solvers.
//!
//! The checker goes through the proof once more and tells an observer each premise of its rules, and each question that it has
//! answered with "these formulas cannot hold together" (`check::Observer`). So what is written is what was confirmed, from the same
//! terms, and no second opinion with mistakes of its own. A premise becomes one script; its questions are the cases of a disjunction, which must be `unsat`.
//!
//! A closed set of states is checked without formulas. It is written as one invariant, the disjunction of its states (`states`).

mod states;

use crate::control::{Control, Phase};
use crate::decided::DecidedTask;
use crate::input::Task;
use crate::question::Question;
use ccfa::Program;
use cfront::Assumption;
use check::{Means, Observer, Premise};
use engine::Budget;
use evidence::{Proof, Verdict};
use formats::SourcePlace;
use logic::{Term, Terms};
use solve::smtlib::Cases;
use std::cell::RefCell;

/// A premise of a proof rule, and what other solvers can be asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Obligation {
    /// The premise, in a word or two: "initiation", "consecution".
    pub rule: &'static str,
    /// Of what, in words.
    pub words: String,
    /// Where it is about.
    pub place: Option<SourcePlace>,
    /// The script.
    pub script: Script,
}

/// What other solvers can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// This, and `unsat` is the right answer; with the number of its cases.
    Written(String, usize),
    /// Nothing: the premise holds at sight, since what is to follow is given, or there is nothing that has to follow.
    Plain,
    /// There is no script; why not.
    Missing(String),
}

impl Obligation {
    /// What has no script, and why not.
    fn missing(rule: &'static str, words: &str, why: &str) -> Obligation {
        let script = Script::Missing(why.to_string());
        Obligation { rule, words: words.to_string(), place: None, script }
    }
}

impl DecidedTask {
    /// The obligations of the proof, if there is one, that answers these questions.
    pub fn obligations(&self, questions: &[Question], control: &mut Control) -> Vec<Obligation> {
        let Verdict::Safe(proof) = self.verdict() else { return Vec::new() };
        let budget = control.budget.clone();
        control.phase(Phase::Checking, |_| of(self.task(), proof, questions, &budget))
    }
}

/// The obligations of a confirmed proof that answers these questions.
fn of(task: &Task, proof: &Proof, questions: &[Question], budget: &Budget) -> Vec<Obligation> {
    let told = ToldPremises { program: task.as_read(), premises: RefCell::default() };
    let means = Means { observer: Some(&told), ..Means::new(solve::integers, budget) };
    let confirmed = check::proves(task.as_read(), proof, means);
    let premises = told.premises.into_inner();
    let mut obligations: Vec<Obligation> = premises.into_iter().map(ToldPremise::written).collect();
    if confirmed.is_err() {
        let why = "the time was over before the checker had gone through the proof a second time";
        obligations.push(Obligation::missing("the rest", "all further premises", why));
    }
    if let Proof::Closed(set) = proof.of_smallest() {
        obligations.extend(states::of(&smallest(task.as_read(), proof), set, budget));
    }
    obligations.extend(further_proofs(task, questions));
    obligations
}

/// The program that the innermost proof is about.
fn smallest(program: &Program, proof: &Proof) -> Program {
    match proof {
        Proof::RacesAsErrors(proof) => smallest(&ccfa::races::as_errors(program), proof),
        Proof::DeadlocksAsErrors(proof) => smallest(&ccfa::deadlocks::as_errors(program), proof),
        Proof::Ordered(order, proof) => match ccfa::resource_order::as_errors(program, order) {
            Ok(program) => smallest(&program, proof),
            Err(_) => program.clone(),
        },
        Proof::Reduced(reduction, proof) => smallest(&reduction.program, proof),
        Proof::Closed(_) | Proof::Tree(_) | Proof::Assertions(_) => program.clone(),
    }
}

/// Where the answer rests on more than this proof.
fn further_proofs(task: &Task, questions: &[Question]) -> Vec<Obligation> {
    let mut further = Vec::new();
    let attempts = cfront::attempt_at_a_lock(task.as_read()).is_some();
    if attempts && questions.contains(&Question::Races) {
        let words =
            "there is no race either where an attempt to take a lock may fail without cause";
        further.push(Obligation::missing("second proof", words, ANOTHER_PROGRAM));
    }
    let has_buffers = !task.delays.delayed.is_empty();
    let is_weak = |one: &Assumption| WEAK_ORDERS.contains(one);
    if !has_buffers && task.assumptions.iter().any(is_weak) {
        let words = "there is no data race, so that executions are interleavings";
        further.push(Obligation::missing("second proof", words, ANOTHER_PROGRAM));
    }
    further
}

/// Where memory is like this and threads have no store buffers, there is no race.
const WEAK_ORDERS: [Assumption; 2] = [Assumption::TotalStoreOrder, Assumption::PartialStoreOrder];

/// Why a further proof is not here.
const ANOTHER_PROGRAM: &str =
    "it is a proof about another model of the program, which was confirmed before";

/// Writes down what it is told.
struct ToldPremises<'p> {
    program: &'p Program,
    premises: RefCell<Vec<ToldPremise>>,
}

struct ToldPremise {
    rule: &'static str,
    words: String,
    place: Option<SourcePlace>,
    cases: Cases,
    /// Why a case could not be written.
    trouble: Option<String>,
}

impl Observer for ToldPremises<'_> {
    fn premise(&self, premise: Premise) {
        let Premise { rule, words, place } = premise;
        let place = place.map(|span| SourcePlace::of(self.program, span));
        let told = ToldPremise { rule, words, place, cases: Cases::default(), trouble: None };
        self.premises.borrow_mut().push(told);
    }

    fn impossible(&self, terms: &Terms, formulas: &[Term]) {
        let is_false = |formula: &Term| terms.constant_value(*formula) == Some(0);
        if let Some(premise) = self.premises.borrow_mut().last_mut()
            && !formulas.iter().any(is_false)
            && let Err(why) = premise.cases.add(terms, formulas)
        {
            premise.trouble = Some(why);
        }
    }
}

impl ToldPremise {
    fn written(self) -> Obligation {
        let ToldPremise { rule, words, place, cases, trouble } = self;
        let script = match trouble {
            Some(why) => Script::Missing(format!("SMT-LIB cannot say it: {why}")),
            None if cases.count() == 0 => Script::Plain,
            None => Script::Written(cases.script(), cases.count()),
        };
        Obligation { rule, words, place, script }
    }
}
