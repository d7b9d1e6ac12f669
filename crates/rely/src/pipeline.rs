//! The story of the whole tool: read the program, make a model of it, let an engine decide a simpler one, carry its evidence back,
//! confirm it, report. If a bound of the model was too small, a larger model of it is made. Several questions are asked together: one proof
//! answers all of them; what is violated is not asked any more; what remains open is asked by itself.

use crate::agenda::Agenda;
use crate::bad_input::BadInput;
use crate::control::{Control, Phase, Progress};
use crate::decided::DecidedTask;
use crate::deep_stack;
use crate::input::{Input, ReadProgram};
use crate::options::CheckOptions;
use crate::question::{Asked, Question};
use crate::report::{Answers, Report};
use crate::strategy::{self, Turn};
use ccfa::Program;
use std::collections::BTreeSet;

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
    let mut agenda = Agenda::new(&match &read {
        ReadProgram::C { .. } => options.questions.clone(),
        // A model says itself what is asked, which is one question.
        ReadProgram::Model(_) => BTreeSet::from([Question::Assertions]),
    });
    let mut reports = Vec::new();
    while let Some(next) = agenda.next(control.budget.remaining()) {
        if let Err(stop) = control.budget.check() {
            let questions = agenda.open().to_vec();
            reports.push(Report { questions, ..Report::gave_up(stop) });
            break;
        }
        let asked = Asked::new(next.questions.clone(), options.property.clone());
        let decided = control.within(next.time, |control| {
            strategy::decide_asked(&mut read, &asked, options, control)
        })?;
        let answered = decided.answered();
        if answered.is_empty() {
            agenda.ask_one_by_one();
        } else if !decided.ran_out_of_time() || !agenda.postpone(&next, control.budget.remaining())
        {
            agenda.close(&answered);
            let report = decided.report(&answered, options.proof, control);
            control.tell(Progress::Answer(&report));
            reports.push(report);
        }
    }
    Ok(Answers::new(reports))
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
        let decided = DecidedTask::new(read, asked, bounds, &plan, control)?;
        match strategy::larger_bounds(decided.task(), decided.verdict()) {
            Some(larger) if control.budget.check().is_ok() => bounds = larger,
            _ => return Ok(decided),
        }
    }
}
