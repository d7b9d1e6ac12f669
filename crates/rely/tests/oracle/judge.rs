//! Compares what Rely answers about a program with its meaning.

use crate::explore::{Meaning, explore};
use crate::order::Orders;
use crate::print::print;
use crate::tree::Program;
use ccfa::Undefined;
use rely::{
    Assumption, Budget, Cause, CheckOptions, Control, Descriptor, Input, Question, Report, Stop,
    Verdict,
};
use std::collections::BTreeSet;
use std::sync::mpsc;
use std::time::Duration;

/// One program may take so long: a hundred times of what most take.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// The same for an engine alone: what it does not decide soon it may not decide at all.
const TIME_LIMIT_OF_ENGINE: Duration = Duration::from_secs(1);

/// What comes of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The answer is right; it is this one.
    Right(Answer),
    /// There is no answer, for this reason.
    Undecided(String),
    /// SAFE, and only the order of plain accesses could say otherwise, which only a data race can tell.
    OnlyRacesDiffer,
    Wrong(Wrong),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Safe,
    Unsafe,
    Undefined(Undefined),
}

/// A disagreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// What is wrong; the same while a program is made smaller.
    pub what: String,
    /// Rely's report.
    pub report: String,
}

/// Asks Rely about a program that has this meaning.
pub fn judge(program: &Program, all: &Meaning, engine: Option<&'static Descriptor>) -> Judgement {
    let options = CheckOptions { engine, ..CheckOptions::asking([Question::Assertions]) };
    match answer(program, &options) {
        Err(refused) => wrong("it is refused", refused),
        Ok(report) => compare(program, all, &report),
    }
}

/// What Rely says.
fn answer(program: &Program, options: &CheckOptions) -> Result<Report, String> {
    let budget = Budget::default();
    let limit = budget.clone();
    let (is_over, over) = mpsc::channel::<()>();
    let time = if options.engine.is_some() { TIME_LIMIT_OF_ENGINE } else { TIME_LIMIT };
    let watch = std::thread::spawn(move || {
        if over.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
            limit.stop(Stop::Timeout);
        }
    });
    let input = Input::c("random.c", print(program));
    let report = rely::check(&input, options, &mut Control::new(budget, |_| {}));
    drop(is_over);
    watch.join().expect("it only waits");
    report.map(|answers| answers.worst().clone()).map_err(|refused| refused.to_string())
}

fn compare(program: &Program, all: &Meaning, report: &Report) -> Judgement {
    let text = || report.to_string();
    match report.verdict {
        Verdict::Safe => safe(program, all, report),
        Verdict::Unsafe if all.fails => Judgement::Right(Answer::Unsafe),
        Verdict::Unsafe => wrong("UNSAFE, but no assertion can fail", text()),
        Verdict::Unknown(Cause::Defect) => wrong("a defect", text()),
        Verdict::Unknown(_) | Verdict::Refused => unknown(all, report),
    }
}

fn safe(program: &Program, all: &Meaning, report: &Report) -> Judgement {
    let Some(complaint) = against_safe(all, report) else { return Judgement::Right(Answer::Safe) };
    match explore(program, Orders::PlainFromLeft).map(|some| against_safe(&some, report)) {
        Some(None) => Judgement::OnlyRacesDiffer,
        _ => wrong(&format!("SAFE, but {complaint}"), report.to_string()),
    }
}

/// Why a program is not SAFE, if it is not.
fn against_safe(meaning: &Meaning, report: &Report) -> Option<String> {
    if meaning.fails {
        return Some("an assertion can fail".into());
    }
    let is_assumed = |assumption| report.assumptions.contains(&assumption);
    let overflow =
        is_assumed(Assumption::OverflowGivesValue) || is_assumed(Assumption::OverflowMayGiveValue);
    let passed: BTreeSet<Undefined> =
        overflow.then_some(Undefined::SignedOverflow).into_iter().collect();
    let undefined = match is_assumed(Assumption::ReadsGiveValue) {
        true => &meaning.undefined_but_for_reads,
        false => &meaning.undefined,
    };
    let found = undefined.difference(&passed).next()?;
    Some(format!("behaviour may be undefined: {}", found.text()))
}

fn unknown(all: &Meaning, report: &Report) -> Judgement {
    let reason = report.evidence.lines().next().unwrap_or_default();
    let Some(undefined) = reason.strip_prefix("undefined behaviour may happen: ") else {
        return Judgement::Undecided(
            reason.split(" at random.c").next().unwrap_or_default().into(),
        );
    };
    let kind = Undefined::ALL.iter().find(|kind| undefined.starts_with(kind.text()));
    match kind {
        Some(kind) if all.undefined.contains(kind) => Judgement::Right(Answer::Undefined(*kind)),
        _ => wrong(
            &format!(
                "this cannot happen: {}",
                undefined.split(" at random.c").next().unwrap_or_default()
            ),
            report.to_string(),
        ),
    }
}

fn wrong(what: &str, report: String) -> Judgement {
    Judgement::Wrong(Wrong { what: what.into(), report })
}
