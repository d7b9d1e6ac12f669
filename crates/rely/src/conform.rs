//! `rely conform`: each thread against its abstract thread, then the abstract
//! threads together. Every question is a program, decided and checked as by
//! `rely check`; here they are put, and the answers put together.

mod pairs;
mod refusal;
mod summary;

use crate::console::Console;
use crate::input::{self, BadInput, Task};
use crate::options::{CheckOptions, ConformOptions};
use crate::report::{self, Report};
use crate::strategy::{self, Stage};
use crate::{decide, property};
use ::conform::{Checker, Machine, checker, compose, compose_counted};
use ccfa::{Program, ThreadId};
use cfront::Purpose;
use engine::Budget;
use evidence::{Reason, Verdict};
use pairs::{MachineFile, Pair};
use std::time::Duration;

/// How long conformance is tried symbolically before anything else.
const SYMBOLIC_FIRST: Duration = Duration::from_secs(20);

/// A question that was decided, and by which engine.
pub struct Decided {
    pub verdict: Verdict,
    pub engine: &'static str,
}

/// From file to report.
pub fn run(
    options: &ConformOptions,
    budget: &Budget,
    console: &Console,
) -> Result<Report, BadInput> {
    let property = property::read(options.check.property.as_deref())?;
    let machines = options.machines.as_deref().map(MachineFile::read).transpose()?;
    let mut bounds = strategy::FIRST_BOUNDS;
    loop {
        let input = &options.check.input;
        let mut task = console
            .phase("reading", || input::load_for(Purpose::Conformance, input, &property, bounds))?;
        task.announce(console);
        let pairs = pairs::all(options, machines.as_ref(), &mut task)?;
        let session = Session { options, task: &task, pairs: &pairs, budget, console };
        let (mut report, verdict) = session.answer();
        match strategy::larger_bounds(&task, &verdict) {
            Some(larger) if budget.exhausted().is_none() => bounds = larger,
            _ => {
                report.stdout += &pairs::suggestions(&task.program, &pairs);
                return Ok(report);
            }
        }
    }
}

/// Everything that answering needs.
struct Session<'a> {
    options: &'a ConformOptions,
    task: &'a Task,
    pairs: &'a [Pair],
    budget: &'a Budget,
    console: &'a Console,
}

impl Session<'_> {
    /// The report, and the verdict that decided it.
    fn answer(&self) -> (Report, Verdict) {
        let mut conforming = Vec::new();
        for pair in self.pairs {
            let name = &self.task.program.threads[pair.thread.index()].name;
            self.console.note(&format!("conformance of thread {name}"));
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

    /// The abstract threads together, after all threads were found to conform. Copies
    /// are counted, if that suffices.
    fn composition(&self, conforming: &[Decided]) -> (Report, Verdict) {
        let machines: Vec<(ThreadId, &Machine)> =
            self.pairs.iter().map(|pair| (pair.thread, &pair.machine)).collect();
        if let Some(counted) = compose_counted(&self.task.program, &machines) {
            self.console.note("composition of the abstract threads, copies counted");
            let decided = self.composed(&self.task_of(simplified(counted)));
            if let Verdict::Safe(_) = &decided.verdict {
                return self.safe(conforming, decided);
            }
        }
        self.console.note("composition of the abstract threads");
        let task = self.task_of(simplified(compose(&self.task.program, &machines)));
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
                (Report::unknown(&text), decided.verdict)
            }
        }
    }

    fn composed(&self, task: &Task) -> Decided {
        self.decide(task, strategy::plan(&self.options.check, &task.program))
    }

    fn safe(&self, conforming: &[Decided], composition: Decided) -> (Report, Verdict) {
        let text = summary::safe(self.task, self.pairs, conforming, &composition);
        (Report::of_check("SAFE", &text, Report::SAFE), composition.verdict)
    }

    /// The composition fails: can the program itself fail?
    fn follow(&self, composed: &Task, abstractly: Decided) -> (Report, Verdict) {
        self.console.note("the composition fails; does the program?");
        let task = self.task_of(running(&self.task.program));
        let plan = strategy::plan(&self.options.check, &task.program);
        let concrete = self.decide(&task, plan);
        let counterexample =
            report::write(composed, abstractly.engine, &abstractly.verdict, false).stdout;
        match &concrete.verdict {
            Verdict::Unsafe(_) => {
                let mut report = report::write(&task, concrete.engine, &concrete.verdict, false);
                report.stdout += &summary::as_well(&counterexample);
                (report, concrete.verdict)
            }
            _ => {
                let text = summary::too_coarse(&counterexample, &concrete, &self.task.program);
                (Report::unknown(&text), concrete.verdict)
            }
        }
    }

    /// The engines for conformance. A checker forgets the shared variables at each
    /// step: there are few paths, but each with all values, so nothing to enumerate. So
    /// one that reasons comes first, whichever is asked for.
    fn plan(&self, checker: &Program) -> Vec<Stage> {
        let asked = &self.options.check;
        let symbolic = CheckOptions { engine: Some("impact".into()), ..asked.clone() };
        let mut stages = strategy::plan(&symbolic, checker);
        for stage in &mut stages {
            stage.slice = Some(SYMBOLIC_FIRST);
            stage.why = "a thread is compared for all values of shared variables";
        }
        stages.extend(strategy::plan(asked, checker));
        stages
    }

    fn decide(&self, task: &Task, plan: Vec<Stage>) -> Decided {
        let (verdict, engine) = decide(task, plan, self.budget, self.console);
        Decided { verdict, engine }
    }

    fn task_of(&self, program: Program) -> Task {
        let (texts, notes) = (self.task.texts.clone(), Vec::new());
        Task { program, texts, notes, bounds: self.task.bounds }
    }
}

/// The same program, smaller. (What simplifies does not know of initial conditions.)
fn simplified(program: Program) -> Program {
    if program.initial.is_none() { cfront::simplify(program) } else { program }
}

/// The program without the templates of abstract threads.
fn running(program: &Program) -> Program {
    compose(program, &[])
}

fn unknown(thread: &str, reason: Reason, program: &Program) -> (Report, Verdict) {
    let why = reason.describe(program).to_string();
    let text =
        format!("Whether thread {thread} conforms to its abstract thread was not decided: {why}");
    (Report::unknown(&text), Verdict::Unknown(reason))
}
