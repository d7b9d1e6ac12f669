//! What else can happen (`--all`)? After the first answers, what was found is not asked for any more, and the rest is asked again, until there is a
//! proof that nothing else can happen, or it remains unknown.
//!
//! An execution ends where an assertion fails or behaviour is undefined, also where that is known: what could only happen behind it is not
//! looked at. A race ends nothing. So the last proof is about a program that says which places are not asked for (`question::KnownFailures`), and the report names them.

use crate::agenda::Agenda;
use crate::bad_input::BadInput;
use crate::control::Control;
use crate::decided::DecidedTask;
use crate::pipeline::Asking;
use crate::question::{KnownFailures, Question};
use crate::report::{Cause, Report, SourcePlace, Verdict};
use ccfa::{Bad, Program};
use std::collections::BTreeSet;

/// Asks what else can happen, if something can and its place is known.
pub fn ask(asking: &mut Asking, control: &mut Control) -> Result<(), BadInput> {
    let questions = open(&asking.reports);
    if asking.known.is_nothing() || questions.is_empty() {
        return Ok(());
    }
    let mut agenda = Agenda::new(&questions);
    while let Some((decided, answered)) = asking.next(&mut agenda, control)? {
        let known = asking.known.clone();
        let mut report = decided.report_of_rest(&answered, asking.options.proof, control);
        if asking.options.obligations {
            report.obligations = decided.obligations(&answered, control);
        }
        let is_new = learn(&mut asking.known, &decided);
        match report.verdict {
            Verdict::Unsafe if is_new => {
                let is_open = |report: &Report| matches!(report.verdict, Verdict::Unknown(_));
                asking.reports.iter_mut().filter(|report| is_open(report)).for_each(|report| {
                    report.questions.retain(|question| !answered.contains(question));
                });
                asking.reports.retain(|report| !report.questions.is_empty());
                report.shorten(asking.options.proof);
            }
            _ => {
                agenda.close(&answered);
                if report.verdict == Verdict::Unsafe {
                    let why = "what was found has no place of its own in the source";
                    let questions = report.questions;
                    report = Report { questions, ..Report::unknown(Cause::Undecided, why) };
                }
                let places = places(&known, decided.task().as_read());
                report = report.of_the_rest(&places);
            }
        }
        asking.tell(report, control);
    }
    Ok(())
}

/// The questions of which more may be known: those with an answer, and those that undefined behaviour was in the way of.
fn open(reports: &[Report]) -> BTreeSet<Question> {
    let may_be_more = |report: &&Report| {
        matches!(report.verdict, Verdict::Unsafe | Verdict::Unknown(Cause::ModelLimit))
    };
    let questions = reports.iter().filter(may_be_more).flat_map(|report| &report.questions);
    questions.copied().filter(|question| *question != Question::Deadlocks).collect()
}

/// Notes what happens at the end of an execution. Is it new, and has it a place?
pub fn learn(known: &mut KnownFailures, decided: &DecidedTask) -> bool {
    let evidence::Verdict::Unsafe(witness) = decided.verdict() else { return false };
    let program = decided.task().as_read();
    let Ok(replay) = check::replay(program, witness) else { return false };
    let template = |instance: usize| program.template_of(replay.instances[instance].thread);
    match replay.bad {
        Bad::Error { instance } | Bad::Undefined { instance } => {
            let Some(last) = replay.states.last() else { return false };
            let at = &template(instance).locations[last.locations[instance].index()];
            let Some(span) = at.span else { return false };
            let end = (at.kind.clone(), span);
            let is_new = !known.ends.contains(&end);
            known.ends.extend(is_new.then_some(end));
            is_new
        }
        Bad::Race(sides) => {
            let span = |side: &ccfa::property::Racing| {
                let edge = &template(side.instance).edges[side.edge.index()];
                edge.accesses[side.access].span
            };
            let Some((one, other)) = span(&sides[0]).zip(span(&sides[1])) else { return false };
            known.races.insert([one.min(other), one.max(other)])
        }
        Bad::Deadlock => false,
    }
}

/// What is known, by its places.
fn places(known: &KnownFailures, program: &Program) -> Vec<String> {
    let place = |span| SourcePlace::of(program, span).to_string();
    let mut places: Vec<String> = known.ends.iter().map(|(_, span)| place(*span)).collect();
    let pair = |[one, other]: &[ccfa::Span; 2]| format!("{} with {}", place(*one), place(*other));
    places.extend(known.races.iter().map(pair));
    places
}

impl KnownFailures {
    /// Is nothing known?
    pub fn is_nothing(&self) -> bool {
        self.ends.is_empty() && self.races.is_empty()
    }
}
