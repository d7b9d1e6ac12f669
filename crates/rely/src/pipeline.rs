//! The story of the whole tool: read the program, make a model of it, let an engine decide a simpler one, carry its evidence back,
//! confirm it, report. If a bound of the model was too small, a larger model of it is made.

use crate::bad_input::BadInput;
use crate::control::{Control, Phase};
use crate::deep_stack;
use crate::input::{Input, ReadProgram, Task};
use crate::options::CheckOptions;
use crate::report::{self, Report};
use crate::strategy::{self, KnownOverflow, PlanPart};
use crate::vacuity;
use cfront::{Purpose, SignedOverflow};
use engine::{Budget, Engine};
use evidence::{Reason, Verdict};
use transform::Pipeline;

/// Can an error of the program be reached? Ends early, with UNKNOWN, soon after the budget of `control` is
/// exhausted. The error is a mistake in the input.
///
/// The work is done on a thread of its own, with a large stack; a panic there is a defect of ours, and UNKNOWN.
pub fn check(
    input: &Input,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<Report, BadInput> {
    let work = || load_and_decide(input, options, control);
    deep_stack::run(work).unwrap_or_else(|panic| Ok(Report::defect(&panic)))
}

/// From input to report.
fn load_and_decide(
    input: &Input,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<Report, BadInput> {
    let mut read = control.phase(Phase::Reading, |_| input.read(&options.read))?;
    let decided = match read.overflow_is_undefined() {
        true => decide_with_overflow(&mut read, options, control)?,
        false => model_and_decide(&read, options, PlanPart::Whole, control)?,
    };
    let DecidedTask { task, engine, verdict } = &decided;
    let reached = match verdict.verdict() {
        Verdict::Safe(_) => vacuity::ask(task, control),
        _ => None,
    };
    Ok(report::write(task, engine, verdict.verdict(), options.proof, reached.as_ref()))
}

/// What was decided, about which model, by which engine.
struct DecidedTask {
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
fn model_and_decide(
    read: &ReadProgram,
    options: &CheckOptions,
    part: PlanPart,
    control: &mut Control,
) -> Result<DecidedTask, BadInput> {
    let mut bounds = strategy::FIRST_BOUNDS;
    loop {
        let lower = || read.lower(Purpose::Verification, &options.property, bounds);
        let task = control.phase(Phase::Modelling, |_| lower())?;
        control.announce(&task);
        let (verdict, engine) =
            strategy::decide(&task, strategy::plan(options, &task.program, part), control);
        match strategy::larger_bounds(&task, verdict.verdict()) {
            Some(larger) if control.budget.check().is_ok() => bounds = larger,
            _ => return Ok(DecidedTask { task, engine, verdict }),
        }
    }
}

/// Signed overflow is undefined behaviour: where it can happen, there is no proof, and perhaps nobody finds it, since a counter takes
/// long to overflow. So before all is tried: if no error can be reached though overflow gives any value, the program is safe for every
/// compiler that gives some value, and the report says that this is assumed. An error that is reached so may need a value
/// that no compiler gives: it is no answer.
fn decide_with_overflow(
    read: &mut ReadProgram,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<DecidedTask, BadInput> {
    let undefined = model_and_decide(read, options, PlanPart::First, control)?;
    let Some(overflow) = strategy::overflow(&undefined.task, &undefined.verdict, control) else {
        return Ok(undefined);
    };
    read.let_overflow_give(SignedOverflow::AnyValue);
    let mut followed = model_and_decide(read, options, PlanPart::Followed, control)?;
    read.let_overflow_give(SignedOverflow::Undefined);
    overflow.restate(&mut followed.task.assumptions);
    match (followed.verdict.verdict(), overflow) {
        (Verdict::Safe(_), _) => Ok(followed),
        (_, KnownOverflow::Happens) => Ok(undefined),
        (_, KnownOverflow::MayHappen) => model_and_decide(read, options, PlanPart::Rest, control),
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
    if let Some(reason) = engine::unknown_property(&task.program.property) {
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
