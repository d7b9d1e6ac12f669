//! Witnesses in the formats of SV-COMP, so that other tools can check what was found: YAML ([`yaml`], versions 2.x) and GraphML ([`graphml`], version 1.0).
//!
//! A violation is an execution as other tools can follow it ([`Violation`]): the statements with which threads touch what others see, in their order; where threads are
//! created; what functions without a body return; and the place of the error. It is dense, since coarse witnesses are hardly ever validated.
//!
//! After SAFE, the witness says that the program is correct, and claims no invariants: what is proved of a program is proved of a smaller one in which steps are
//! fused, and may not hold between the steps of the program as it is. Such a witness is trivial, but valid: who validates it has to prove everything.

pub mod graphml;
mod metadata;
pub mod yaml;

pub use metadata::{Task, sha256};

use crate::run::{AnswerData, RunData, SourcePlace};

/// An execution that leads to an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What happens, in order.
    pub events: Vec<WitnessEvent>,
    /// Where it goes wrong: one place, or two of accesses that race.
    pub targets: Vec<Point>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessEvent {
    /// What.
    pub kind: EventKind,
    /// Where, and in which thread.
    pub at: Point,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A statement is reached.
    Reaches,
    /// A thread is created. Threads have numbers in the order in which they are created; the first thread is 0.
    Creates {
        /// The new thread.
        thread: usize,
        /// Its start routine.
        routine: String,
    },
    /// A function without a body returns.
    Returns {
        /// The function.
        function: String,
        /// The value, as a constant of C.
        value: String,
    },
}

/// A place in the source, in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The number of the thread.
    pub thread: usize,
    /// The function.
    pub function: Option<String>,
    /// The place. Of a call: its closing parenthesis.
    pub place: SourcePlace,
    /// Is the column that of a statement (or of what is returned from, or created)? Otherwise only the line is known.
    pub has_column: bool,
}

/// What there is a witness of.
enum Claim<'a> {
    /// The error of this answer can be reached.
    Violated(&'a Violation),
    /// The questions are answered with SAFE.
    Correct,
}

/// What can be witnessed: the worst answer, if it is SAFE, or UNSAFE with an execution that stays in the files of the program.
fn claim<'a>(run: &'a RunData) -> Option<(Claim<'a>, String)> {
    let worst = run.answers.first()?;
    let specification = run.task.as_ref()?.specification.clone();
    match (worst.verdict.as_str(), worst.violation) {
        ("SAFE", _) => Some((Claim::Correct, specification.unwrap_or_else(|| stated(worst)))),
        (_, Some(violation)) => {
            let is_read = |point: &Point| run.files.contains(&point.place.file);
            let is_whole = violation.targets.iter().all(is_read) && !violation.targets.is_empty();
            let specification = specification.unwrap_or_else(|| stated(worst));
            is_whole.then_some((Claim::Violated(violation), specification))
        }
        _ => None,
    }
}

/// The property that an answer is about, in the form of SV-COMP.
fn stated(answer: &AnswerData) -> String {
    let failure = answer.interleaving.map(|it| it.failure.id);
    let formula = match failure.or(answer.questions.first().copied()) {
        _ if answer.subproperty.is_some() => {
            format!("G {}", answer.subproperty.unwrap_or_default())
        }
        Some("race" | "races") => "G ! data-race".to_string(),
        Some("deadlock" | "deadlocks") => "G ! deadlock".to_string(),
        Some("signed_overflow" | "overflow") => "G ! overflow".to_string(),
        Some("memory") => "G valid-deref".to_string(),
        Some("leaks") => "G valid-memcleanup".to_string(),
        _ => "G ! call(reach_error())".to_string(),
    };
    format!("CHECK( init(main()), LTL({formula}) )")
}

impl Violation {
    /// What happens in the files of the program.
    fn events_in<'a>(&'a self, files: &'a [String]) -> impl Iterator<Item = &'a WitnessEvent> {
        self.events.iter().filter(|event| files.contains(&event.at.place.file))
    }
}
