//! The way of a verdict: from an engine back to the program as it was read, and through the checker. **Trusted**, and the
//! only way: who decides when, and what is asked of which model, is `pipeline`'s and `strategy`'s business, but what is
//! reported is a [`DecidedTask`], which is made here.

use crate::bad_input::BadInput;
use crate::control::{Control, Phase};
use crate::input::{ReadProgram, Task};
use crate::plan::Turn;
use crate::question::{Asked, Question};
use crate::strategy;
use ccfa::Program;
use cfront::{Assumption, Bounds, Purpose};
use engine::{Budget, Engine};
use evidence::{Reason, Verdict};
use transform::Pipeline;

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

impl DecidedTask {
    /// A model of the program with these bounds, and the verdict on it.
    pub fn new(
        read: &ReadProgram,
        asked: &Asked,
        bounds: Bounds,
        plan: impl Fn(&Program) -> Vec<Turn>,
        control: &mut Control,
    ) -> Result<DecidedTask, BadInput> {
        let lower = || read.lower(Purpose::Verification, asked, bounds);
        let task = control.phase(Phase::Modelling, |_| lower())?;
        control.announce(&task);
        let (verdict, engine) = strategy::decide(&task, plan(&task.program), control);
        Ok(DecidedTask { task, engine, verdict })
    }

    /// Signed overflow gives a value where it happens; whether it does is not known.
    pub fn overflow_is_not_certain(&mut self) {
        let assumptions = &mut self.task.assumptions;
        let follows = assumptions.remove(&Assumption::OverflowGivesValue);
        assumptions.extend(follows.then_some(Assumption::OverflowMayGiveValue));
    }

    /// What was proved is no answer.
    pub fn leave_open(&mut self, reason: Reason) {
        self.verdict = Confirmed::unknown(reason);
    }

    pub fn task(&self) -> &Task {
        &self.task
    }

    pub fn verdict(&self) -> &Verdict {
        self.verdict.verdict()
    }

    pub fn engine(&self) -> &'static str {
        self.engine
    }

    /// Which questions this answers. If several were asked together and there is no answer, it is none.
    pub fn answered(&self) -> Vec<Question> {
        let asked = &self.task.questions;
        match self.verdict() {
            Verdict::Unsafe(witness) if asked.len() > 1 => {
                let program = self.task.as_read();
                let Ok(replay) = check::replay(program, witness) else { return Vec::new() };
                let is_violated = |asked: &Question| asked.is_violated_by(program, &replay);
                asked.iter().copied().filter(is_violated).collect()
            }
            Verdict::Unknown(_) if asked.len() > 1 => Vec::new(),
            _ => asked.iter().copied().collect(),
        }
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
    if let Some(reason) = engine::unknown_property(engine, &simpler.program().property) {
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
    Confirmed(check::confirm(as_read, evidence, solve::integers, budget))
}
