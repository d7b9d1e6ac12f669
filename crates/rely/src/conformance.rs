//! `rely conform`: each thread against its abstract thread, then the abstract
//! threads together. Every question is a program, decided and checked as by
//! `rely check`; here they are put, and the answers put together.

mod pairs;
mod refusal;
mod summary;

use crate::bad_input::{self, BadInput};
use crate::control::{Control, Phase};
use crate::deep_stack;
use crate::input::{Input, Task};
use crate::options::{CheckOptions, ConformOptions};
use crate::plan::{self, PlanPart, Turn};
use crate::question::Asked;
use crate::report::{self, Cause, Report, cause};
use crate::strategy;
use ::conform::{Checker, Machine, checker, compose, compose_counted};
use ccfa::{Program, ThreadId};
use cfront::Purpose;
use evidence::{Reason, Verdict};
use pairs::{MachineFile, Pair};
use std::time::Duration;
use transform::{Pipeline, Transformation};

/// How long conformance is tried symbolically before anything else: what it decides, it decides soon.
const MAX_SYMBOLIC_TIME: Duration = Duration::from_secs(20);

/// A question that was decided, and by which engine.
pub struct Decided {
    pub verdict: Verdict,
    pub engine: &'static str,
}

/// Does every thread conform to its abstract thread, and can the abstract threads together fail? Ends early,
/// with UNKNOWN, soon after the budget of `control` is exhausted. The error is a mistake in the input.
pub fn conform(
    input: &Input,
    options: &ConformOptions,
    control: &mut Control,
) -> Result<Report, BadInput> {
    let work = || load_and_compare(input, options, control);
    deep_stack::run(work).unwrap_or_else(|panic| Ok(Report::defect(&panic)))
}

/// From input to report.
fn load_and_compare(
    input: &Input,
    options: &ConformOptions,
    control: &mut Control,
) -> Result<Report, BadInput> {
    bad_input::must_interleave(input.name(), options.check.read.memory_model)?;
    let machines = options.machines.as_deref().map(MachineFile::read).transpose()?;
    let asked = Asked::assertions(options.check.property.clone());
    let read = control.phase(Phase::Reading, |_| input.read(&options.check.read))?;
    let mut bounds = strategy::FIRST_BOUNDS;
    loop {
        let lower = || read.lower(Purpose::Conformance, &asked, bounds);
        let mut task = control.phase(Phase::Modelling, |_| lower())?;
        control.announce(&task);
        let as_read = task.program.clone();
        let pairs = pairs::all(input, options.suggest, machines.as_ref(), &mut task)?;
        let is_as_read = task.program == as_read;
        let mut session = Session { options, task: &task, is_as_read, pairs: &pairs, control };
        let (mut report, verdict) = session.answer();
        match strategy::larger_bounds(&task, &verdict) {
            Some(larger) if control.budget.check().is_ok() => bounds = larger,
            _ => {
                report.evidence += &pairs::suggestions(&task.program, &pairs);
                report.notes.clone_from(&task.notes);
                return Ok(report);
            }
        }
    }
}

/// Everything that answering needs.
struct Session<'a, 'c> {
    options: &'a ConformOptions,
    task: &'a Task,
    /// Has no specification given the program errors that it did not have?
    is_as_read: bool,
    pairs: &'a [Pair],
    control: &'a mut Control<'c>,
}

impl Session<'_, '_> {
    /// The report, and the verdict that decided it.
    fn answer(&mut self) -> (Report, Verdict) {
        let mut conforming = Vec::new();
        for pair in self.pairs {
            let name = &self.task.program.threads[pair.thread.index()].name;
            self.control.remark(&format!("conformance of thread {name}"));
            let checker = match self.checker(pair) {
                Ok(checker) => checker,
                Err(why) => return unknown(name, Reason::Beyond(why), &self.task.program),
            };
            let task = self.task_of(checker.program.clone());
            let decided = self.decide(&task, self.plan(&task.program));
            match decided.verdict {
                Verdict::Safe(_) => conforming.push(decided),
                Verdict::Unsafe(witness) => {
                    let report = refusal::report(self.task, pair, &checker, &witness);
                    let report = Report { engine: Some(decided.engine), ..report };
                    return (report, Verdict::Unsafe(witness));
                }
                Verdict::Unknown(reason) => return unknown(name, reason, &checker.program),
            }
        }
        self.composition(&conforming)
    }

    fn checker(&self, pair: &Pair) -> Result<Checker, String> {
        let machines: Vec<&Machine> = self.pairs.iter().map(|pair| &pair.machine).collect();
        checker(&self.task.program, pair.thread, &pair.machine, &machines)
    }

    /// The abstract threads together, after all threads were found to conform. Instances
    /// are counted, if that suffices.
    fn composition(&mut self, conforming: &[Decided]) -> (Report, Verdict) {
        let machines: Vec<(ThreadId, &Machine)> =
            self.pairs.iter().map(|pair| (pair.thread, &pair.machine)).collect();
        if let Some(counted) = compose_counted(&self.task.program, &machines) {
            self.control.remark("composition of the abstract threads, instances counted");
            let decided = self.composed(&self.reduced(counted, &transform::reductions()));
            if let Verdict::Safe(_) = &decided.verdict {
                return self.safe(conforming, decided);
            }
        }
        self.control.remark("composition of the abstract threads");
        let composed = compose(&self.task.program, &machines);
        let task = self.reduced(composed, &transform::reductions());
        let decided = self.composed(&task);
        match &decided.verdict {
            Verdict::Safe(_) => self.safe(conforming, decided),
            Verdict::Unsafe(_) => self.follow(&task, decided),
            Verdict::Unknown(reason) => {
                let why = reason.describe(&task.program).to_string();
                let text = format!(
                    "All threads conform, but whether the abstract threads together can fail was \
                     not decided: {why}"
                );
                (Report::unknown(cause(reason), &text), decided.verdict)
            }
        }
    }

    fn composed(&mut self, task: &Task) -> Decided {
        self.decide(task, plan::plan(&self.options.check, &task.program, PlanPart::Whole))
    }

    fn safe(&self, conforming: &[Decided], composition: Decided) -> (Report, Verdict) {
        if let Err(reason) = self.confirm_reductions() {
            let why = reason.describe(&self.task.program).to_string();
            return (Report::unknown(cause(&reason), &why), Verdict::Unknown(reason));
        }
        let text = summary::safe(self.task, self.pairs, conforming, &composition);
        let report = Report::new(report::Verdict::Safe, &text);
        (Report { engine: Some(composition.engine), ..report }, composition.verdict)
    }

    /// The composition fails: can the program itself fail?
    fn follow(&mut self, composed: &Task, abstractly: Decided) -> (Report, Verdict) {
        self.control.remark("the composition fails; does the program?");
        let task = self.concrete();
        let plan = plan::plan(&self.options.check, &task.program, PlanPart::Whole);
        let concrete = self.decide(&task, plan);
        let counterexample =
            report::write(composed, abstractly.engine, &abstractly.verdict, &[], false, None, &[])
                .evidence;
        match &concrete.verdict {
            Verdict::Unsafe(_) => {
                let mut report =
                    report::write(&task, concrete.engine, &concrete.verdict, &[], false, None, &[]);
                report.evidence += &summary::as_well(&counterexample);
                (report, concrete.verdict)
            }
            _ => {
                let text = summary::too_coarse(&counterexample, &concrete, &self.task.program);
                let cause = match &concrete.verdict {
                    Verdict::Unknown(reason) => cause(reason),
                    Verdict::Safe(_) | Verdict::Unsafe(_) => Cause::Undecided,
                };
                (Report::unknown(cause, &text), concrete.verdict)
            }
        }
    }

    /// The engines for conformance. A checker havocs the shared variables at each
    /// step: there are few paths, but each with all values, so nothing to enumerate. So
    /// one that reasons comes first, whichever is asked for.
    fn plan(&self, checker: &Program) -> Vec<Turn> {
        let asked = &self.options.check;
        let symbolic = CheckOptions { engine: Some(&impact::IMPACT), ..asked.clone() };
        let mut turns = plan::plan(&symbolic, checker, PlanPart::Whole);
        for turn in &mut turns {
            turn.time = Some(MAX_SYMBOLIC_TIME);
            turn.why = "a thread is compared for all values of shared variables";
        }
        turns.extend(plan::plan(asked, checker, PlanPart::Whole));
        turns
    }

    fn decide(&mut self, task: &Task, plan: Vec<Turn>) -> Decided {
        let (verdict, engine) = strategy::decide(task, plan, self.control);
        Decided { verdict: verdict.verdict().clone(), engine }
    }

    fn task_of(&self, program: Program) -> Task {
        let (texts, notes) = (self.task.texts.clone(), Vec::new());
        Task { notes, bounds: self.task.bounds, ..Task::new(program, texts) }
    }

    fn reduced(&self, program: Program, list: &[Box<dyn Transformation>]) -> Task {
        let bounds = self.task.bounds;
        Task { bounds, ..Task::reduced(program, list, self.task.texts.clone()) }
    }

    /// The program itself, without abstract threads: as it was read, unless a specification has given it errors
    /// that it did not have.
    fn concrete(&self) -> Task {
        match &self.task.reduced {
            Some(reduced) if self.is_as_read => {
                self.reduced(running(reduced.before()), &transform::stepwise_reductions())
            }
            _ => self.task_of(running(&self.task.program)),
        }
    }

    /// Threads were compared as the reductions left them: is what holds of these true of the program as it was read?
    fn confirm_reductions(&self) -> Result<(), Reason> {
        for (before, certificate) in self.task.reduced.iter().flat_map(Pipeline::certificates) {
            if let Some(certificate) = certificate {
                let means = check::Means::new(solve::integers, &self.control.budget);
                check::confirm_reduction(before, certificate, means)?;
            }
        }
        Ok(())
    }
}

/// The program without the templates of abstract threads.
fn running(program: &Program) -> Program {
    compose(program, &[])
}

fn unknown(thread: &str, reason: Reason, program: &Program) -> (Report, Verdict) {
    let why = reason.describe(program).to_string();
    let text =
        format!("Whether thread {thread} conforms to its abstract thread was not decided: {why}");
    (Report::unknown(cause(&reason), &text), Verdict::Unknown(reason))
}
