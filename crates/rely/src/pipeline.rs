//! The story of the whole tool: read the program, make a model of it, let an engine decide a simpler one, carry its evidence back,
//! confirm it, report. If a bound of the model was too small, a larger model of it is made. Several questions are asked together: one proof
//! answers all of them; what is violated is not asked any more; what remains open is asked by itself. Who wants to know all
//! that can happen is told of what is left, too (`others`).
//!
//! The way down: [`check`]; `Asking::next`, which asks what is on the `agenda`; `strategy::decide_asked`, which may choose where C leaves
//! a choice, and say which part of the plan is for when; [`model_and_decide`], with larger and larger bounds; `decided`, which has a model
//! made; `strategy::decide`, where engines have their turns; and `decided::verify`, through which every verdict passes: the engine, the way
//! back, the checker.

use crate::agenda::Agenda;
use crate::bad_input::BadInput;
use crate::control::{Control, Phase, Progress};
use crate::decided::DecidedTask;
use crate::deep_stack;
use crate::input::{Input, ReadProgram};
use crate::litmus_test;
use crate::options::CheckOptions;
use crate::others;
use crate::plan::Turn;
use crate::question::{Asked, KnownFailures, Question};
use crate::report::{Answers, Report};
use crate::reproducer;
use crate::strategy;
use ccfa::Program;
use evidence::{Reason, Verdict};
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
    if let Some(text) = litmus_test::text_of(input)? {
        return litmus_test::check(input, &text, options, control);
    }
    let read = control.phase(Phase::Reading, |_| input.read(&options.read))?;
    let questions = match &read {
        ReadProgram::C { program, .. } => {
            control.tell(Progress::Read(program.data_model()));
            options.questions.clone()
        }
        // A model says itself what is asked, which is one question.
        ReadProgram::Model(_) => BTreeSet::from([Question::Assertions]),
    };
    let mut asking = Asking { read, options, known: KnownFailures::default(), reports: Vec::new() };
    asking.ask(questions, control)?;
    if options.all {
        others::ask(&mut asking, control)?;
    }
    Ok(Answers::new(asking.reports))
}

/// A program that is asked.
pub struct Asking<'o> {
    pub read: ReadProgram,
    pub options: &'o CheckOptions,
    /// What is not asked for any more.
    pub known: KnownFailures,
    pub reports: Vec<Report>,
}

impl Asking<'_> {
    /// Asks some questions, each until it is answered.
    fn ask(
        &mut self,
        questions: BTreeSet<Question>,
        control: &mut Control,
    ) -> Result<(), BadInput> {
        let mut agenda = Agenda::new(&questions);
        let mut known = KnownFailures::default();
        while let Some((decided, answered)) = self.next(&mut agenda, control)? {
            agenda.close(&answered);
            others::learn(&mut known, &decided);
            let wanted = (self.options.proof, self.options.explain);
            let mut report = decided.report(&answered, wanted, control);
            if self.options.reproducer {
                report.reproducer = reproducer::make(&self.read, &decided);
            }
            if self.options.obligations {
                report.obligations = decided.obligations(&answered, control);
            }
            self.tell(report, control);
        }
        self.known = known;
        Ok(())
    }

    /// The next answer, and the questions that it answers; `None` if there is none to come.
    pub fn next(
        &mut self,
        agenda: &mut Agenda,
        control: &mut Control,
    ) -> Result<Option<(DecidedTask, Vec<Question>)>, BadInput> {
        while let Some(next) = agenda.next(control.budget.remaining()) {
            if let Err(stop) = control.budget.check() {
                let questions = agenda.open().to_vec();
                let is_rest = !self.known.is_nothing();
                self.reports.push(Report { questions, is_rest, ..Report::gave_up(stop) });
                break;
            }
            let asked = Asked {
                known: self.known.clone(),
                ..Asked::new(next.questions.clone(), self.options.property.clone())
            };
            let decided = control.within(next.time, |control| {
                strategy::decide_asked(&mut self.read, &asked, self.options, control)
            })?;
            let answered = decided.answered();
            let is_late = matches!(decided.verdict(), Verdict::Unknown(Reason::Timeout));
            if answered.is_empty() {
                agenda.ask_one_by_one();
            } else if !is_late || !agenda.postpone(&next, control.budget.remaining()) {
                return Ok(Some((decided, answered)));
            }
        }
        Ok(None)
    }

    /// There is an answer.
    pub fn tell(&mut self, report: Report, control: &mut Control) {
        control.tell(Progress::Answer(&report));
        self.reports.push(report);
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
        let decided = DecidedTask::new(read, asked, bounds, &plan, control)?;
        match strategy::larger_bounds(decided.task(), decided.verdict()) {
            Some(larger) if control.budget.check().is_ok() => bounds = larger,
            _ => return Ok(decided),
        }
    }
}
