//! The story of the whole tool: read the program, make a model of it, let an engine decide a simpler one, carry its evidence back,
//! confirm it, report. If a bound of the model was too small, a larger model of it is made. Several questions are asked together: one proof
//! answers all of them; what is violated is not asked any more; what remains open is asked by itself.

use crate::bad_input::BadInput;
use crate::control::{Control, Phase};
use crate::deep_stack;
use crate::input::{Input, ReadProgram, Task};
use crate::options::CheckOptions;
use crate::question::{Asked, Question};
use crate::report::{self, Answers, Report};
use crate::strategy::{self, Turn};
use crate::vacuity;
use ccfa::Program;
use cfront::Purpose;
use engine::{Budget, Engine};
use evidence::{Reason, Verdict};
use std::collections::BTreeSet;
use transform::Pipeline;

/// Answers the questions about the program. Ends early, with UNKNOWN, soon after the budget of `control` is
/// exhausted. The error is a mistake in the input.
///
/// The work is done on a thread of its own, with a large stack; a panic there is a defect of ours, and UNKNOWN.
pub fn check(
    input: &Input,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<Answers, BadInput> {
    let work = || load_and_answer(input, options, control);
    deep_stack::run(work).unwrap_or_else(|panic| Ok(Answers::of(Report::defect(&panic))))
}

/// From input to reports.
fn load_and_answer(
    input: &Input,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<Answers, BadInput> {
    let mut read = control.phase(Phase::Reading, |_| input.read(&options.read))?;
    let mut open = read.questions(&options.questions);
    let (mut together, mut reports) = (true, Vec::new());
    while let Some(first) = open.first() {
        let questions = if together { open.clone() } else { BTreeSet::from([*first]) };
        let asked = Asked { questions, errors: options.property.clone() };
        let decided = strategy::decide_asked(&mut read, &asked, options, control)?;
        let answered = decided.answered();
        if answered.is_empty() {
            together = false;
            continue;
        }
        open.retain(|question| !answered.contains(question));
        reports.push(decided.report(&answered, options.proof, control));
    }
    Ok(Answers::new(reports))
}

/// What was decided, about which model, by which engine.
pub struct DecidedTask {
    task: Task,
    engine: &'static str,
    verdict: Confirmed,
}

/// A verdict whose evidence `check` has confirmed, or UNKNOWN; nothing else makes one.
pub struct Confirmed(Verdict);

impl Confirmed {
    pub fn unknown(reason: Reason) -> Confirmed {
        Confirmed(Verdict::Unknown(reason))
    }

    pub fn verdict(&self) -> &Verdict {
        &self.0
    }
}

/// A model of the program, with bounds that suffice if there are such, and the verdict on it.
pub fn model_and_decide(
    read: &ReadProgram,
    asked: &Asked,
    plan: impl Fn(&Program) -> Vec<Turn>,
    control: &mut Control,
) -> Result<DecidedTask, BadInput> {
    let mut bounds = strategy::FIRST_BOUNDS;
    loop {
        let lower = || read.lower(Purpose::Verification, asked, bounds);
        let task = control.phase(Phase::Modelling, |_| lower())?;
        control.announce(&task);
        let (verdict, engine) = strategy::decide(&task, plan(&task.program), control);
        match strategy::larger_bounds(&task, verdict.verdict()) {
            Some(larger) if control.budget.check().is_ok() => bounds = larger,
            _ => return Ok(DecidedTask { task, engine, verdict }),
        }
    }
}

impl DecidedTask {
    pub fn task(&mut self) -> &mut Task {
        &mut self.task
    }

    pub fn verdict(&self) -> &Verdict {
        self.verdict.verdict()
    }

    /// Which questions this answers. If several were asked together and there is no answer, it is none.
    fn answered(&self) -> Vec<Question> {
        let asked = &self.task.questions;
        match self.verdict() {
            Verdict::Unsafe(witness) if asked.len() > 1 => {
                let program = self.task.as_read();
                let replay = check::replay(program, witness).ok();
                let is_violated = |question: &&Question| {
                    replay.as_ref().is_some_and(|replay| question.is_violated_by(program, replay))
                };
                asked.iter().filter(is_violated).copied().collect()
            }
            Verdict::Unknown(_) if asked.len() > 1 => Vec::new(),
            _ => asked.iter().copied().collect(),
        }
    }

    fn report(self, answered: &[Question], with_proof: bool, control: &mut Control) -> Report {
        let asks_for_assertions = answered.contains(&Question::Assertions);
        let reached = match self.verdict() {
            Verdict::Safe(_) if asks_for_assertions => vacuity::ask(&self.task, control),
            _ => None,
        };
        let DecidedTask { task, engine, verdict } = &self;
        report::write(task, engine, verdict.verdict(), answered, with_proof, reached.as_ref())
    }
}

/// The engine's verdict on its part of the budget. The engine sees what the property needs, with
/// known values in place; the checker sees its evidence and the program as it was read; the report shows the
/// proof of the reduced program, or the execution of the program as it was read.
pub fn verify(
    task: &Task,
    simpler: &Pipeline,
    engine: &mut dyn Engine,
    part: &Budget,
    control: &mut Control,
) -> Confirmed {
    if let Some(reason) = engine::unknown_property(&simpler.program().property) {
        return Confirmed::unknown(reason);
    }
    let verdict =
        control.phase(Phase::Exploring, |control| engine.verify(simpler.program(), part, control));
    let verdict = simpler.back(verdict);
    control.phase(Phase::Checking, |control| confirm(task, verdict, &control.budget))
}

/// The verdict, if its evidence holds for the program as it was read.
fn confirm(task: &Task, verdict: Verdict, budget: &Budget) -> Confirmed {
    let (as_read, evidence) = match &task.reduced {
        Some(reduced) => (reduced.before(), reduced.back(verdict)),
        None => (&task.program, verdict),
    };
    Confirmed(match check::confirm(as_read, evidence, solve::integers, budget) {
        Verdict::Safe(proof) => Verdict::Safe(proof.of_smallest()),
        verdict => verdict,
    })
}
