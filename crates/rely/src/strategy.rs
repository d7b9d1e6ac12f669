//! Which question goes to which model, which part of the plan is tried on it, and what to do when a bound of the model was too small.

use crate::bad_input::BadInput;
use crate::control::{Control, Progress};
use crate::decided::{self, Confirmed, DecidedTask};
use crate::input::{ReadProgram, Task};
use crate::options::CheckOptions;
use crate::pipeline::model_and_decide;
use crate::plan::{self, PlanPart, Turn};
use crate::question::{Asked, Question};
use crate::weak_memory::{self, Memory};
use crate::work_clock::processor_time;
use ccfa::{Limit, Program, Undefined};
use cfront::{Bounds, Purpose, SignedOverflow};
use evidence::{Reason, Verdict};
use std::collections::BTreeSet;
use std::time::Duration;
use transform::{DeadlocksAs, Pipeline};

/// The bounds a C program is first read with.
pub const FIRST_BOUNDS: Bounds = Bounds { recursion: 4, objects: 8, delayed_writes: 2 };
/// The bounds we do not go beyond.
const LAST_BOUNDS: Bounds = Bounds { recursion: 32, objects: 64, delayed_writes: 32 };

/// How long it is tried to prove that there is no race, before other questions are asked under a weak memory model: most small programs are decided by then.
const MAX_RACES_TIME: Duration = Duration::from_secs(5);

/// What is known of signed overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnownOverflow {
    Happens,
    MayHappen,
    /// A read out of bounds happens.
    ReadHappens,
}

/// What is decided about these questions together.
///
/// That an attempt to take a lock fails synchronises with no thread, as far as C11 and POSIX say. So a proof that there is no race is an answer only if there is none, either, where attempts may fail
/// without cause: then who fails can conclude nothing, and interleavings show all races (H.-J. Boehm, S. V. Adve: Foundations of the C++ concurrency memory model. PLDI 2008, Section 3.2).
pub fn decide_asked(
    read: &mut ReadProgram,
    asked: &Asked,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<DecidedTask, BadInput> {
    ask_for_races_first(read, asked, options, control)?;
    let mut decided = decide_with_room(read, asked, options, control)?;
    let is_proof = matches!(decided.verdict(), Verdict::Safe(_));
    let attempt = cfront::attempt_at_a_lock(decided.task().as_read());
    let asks_races = decided.task().questions.contains(&Question::Races);
    if let Some(span) = attempt.filter(|_| is_proof && asks_races) {
        control
            .remark("is there a race if an attempt to take a lock tells nothing by its failure?");
        let races = Asked { questions: BTreeSet::from([Question::Races]), ..asked.clone() };
        read.choose(|choices| choices.attempts_fail = true);
        let again = decide_as_modelled(read, &races, options, control);
        read.choose(|choices| choices.attempts_fail = false);
        if !matches!(again?.verdict(), Verdict::Safe(_)) {
            let what = "what a thread knows by failing to take a lock, where a race is asked for";
            let (limit, what) = (Limit::Unsupported, what.to_string());
            decided.leave_open(Reason::Limit { limit, what, span });
        }
    }
    Ok(decided)
}

/// Under a weak memory model, a program without races is decided as it is (`weak_memory`).
fn ask_for_races_first(
    read: &mut ReadProgram,
    asked: &Asked,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<(), BadInput> {
    if !read.memory().is_some_and(|memory| memory.wants_races(asked)) {
        return Ok(());
    }
    let races = Asked::new(BTreeSet::from([Question::Races]), asked.errors.clone());
    let task = read.lower(Purpose::Verification, &races, FIRST_BOUNDS)?;
    if transform::orders::weaker(task.as_read()).is_some() {
        read.memory().into_iter().for_each(Memory::give_up);
        return Ok(());
    }
    control.remark("is there a data race? if not, executions are interleavings");
    let part = control.budget.remaining().map(|time| time / 4);
    let time = part.map_or(MAX_RACES_TIME, |part| part.min(MAX_RACES_TIME));
    let found =
        control.within(Some(time), |control| decide_asked(read, &races, options, control))?;
    read.memory().into_iter().for_each(|memory| memory.learn(&found));
    Ok(())
}

/// What is decided with store buffers, if there are some, that have room; if no room suffices, with abstract ones.
fn decide_with_room(
    read: &mut ReadProgram,
    asked: &Asked,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<DecidedTask, BadInput> {
    let decided = decide_as_modelled(read, asked, options, control)?;
    if !weak_memory::has_reached_a_bound(&decided) || control.budget.check().is_err() {
        return Ok(decided);
    }
    control.remark("is there a proof if store buffers forget what they have no room for?");
    read.memory().into_iter().for_each(|memory| memory.abstract_buffers(true));
    let again = decide_as_modelled(read, asked, options, control);
    read.memory().into_iter().for_each(|memory| memory.abstract_buffers(false));
    Ok(weak_memory::proof_or_first(decided, again?))
}

/// What is decided about the model with what is chosen where C leaves a choice.
///
/// (What is said here of overflow is done with reads outside the bounds of an object, too: they give any value.)
/// Signed overflow is undefined behaviour: where it can happen, there is no proof, and perhaps none is found, since a counter takes
/// long to overflow. So before all is tried, if overflow is not what is asked: if no error can be reached though overflow gives any value,
/// the program is safe for every compiler that gives some value, and the report says that this is assumed. An error that is reached so
/// may need a value that no compiler gives: it is no answer.
fn decide_as_modelled(
    read: &mut ReadProgram,
    asked: &Asked,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<DecidedTask, BadInput> {
    if asked.questions.len() > 1 {
        return attempt(read, asked, PlanPart::Together, options, control);
    }
    let can_follow = asked.answered(SignedOverflow::AnyValue) == asked.questions;
    if !read.overflow_is_undefined() || !can_follow {
        return attempt(read, asked, PlanPart::Whole, options, control);
    }
    let undefined = attempt(read, asked, PlanPart::First, options, control)?;
    let Some(overflow) = overflow(&undefined, control) else { return Ok(undefined) };
    read.choose(|choices| choices.signed_overflow = SignedOverflow::AnyValue);
    let mut followed = attempt(read, asked, PlanPart::Followed, options, control)?;
    read.choose(|choices| choices.signed_overflow = SignedOverflow::Undefined);
    if overflow != KnownOverflow::Happens {
        followed.overflow_is_not_certain();
    }
    match (followed.verdict(), overflow) {
        (Verdict::Safe(_), _) => Ok(followed),
        (_, KnownOverflow::Happens | KnownOverflow::ReadHappens) => Ok(undefined),
        (_, KnownOverflow::MayHappen) => attempt(read, asked, PlanPart::Rest, options, control),
    }
}

/// What a part of the plan decides. Deadlocks are looked for among all states first; then it is tried to prove that resources are taken in order; then deadlocks are
/// errors, and then all states are looked at for as long as it takes. A parameterised program always has more states.
fn attempt(
    read: &ReadProgram,
    asked: &Asked,
    part: PlanPart,
    options: &CheckOptions,
    control: &mut Control,
) -> Result<DecidedTask, BadInput> {
    let by = |part: PlanPart| move |program: &Program| plan::plan(options, program, part);
    let mut decided = model_and_decide(read, asked, by(part), control)?;
    let is_open = |decided: &DecidedTask, control: &Control| {
        let unknown =
            matches!(decided.verdict(), Verdict::Unknown(Reason::Timeout | Reason::Beyond(_)));
        unknown && control.budget.check().is_ok()
    };
    if !asked.questions.contains(&Question::Deadlocks) || !is_open(&decided, control) {
        return Ok(decided);
    }
    let is_parameterised = decided.task().as_read().is_parameterised();
    match transform::resource_order(decided.task().as_read()) {
        Ok(_) => {
            let errors = Asked { deadlocks_as: Some(DeadlocksAs::OutOfOrder), ..asked.clone() };
            decided = model_and_decide(read, &errors, by(PlanPart::InOrder), control)?;
            if is_parameterised || !is_open(&decided, control) {
                return Ok(decided);
            }
        }
        Err(reason) if is_parameterised => {
            decided.leave_open(reason);
            return Ok(decided);
        }
        Err(_) => {}
    }
    let errors = Asked { deadlocks_as: Some(DeadlocksAs::AllGaveUp), ..asked.clone() };
    let errors = model_and_decide(read, &errors, by(PlanPart::DeadlocksAsErrors), control)?;
    let is_last = part == PlanPart::Followed || options.engine.is_some();
    match is_last || !is_open(&errors, control) {
        true => Ok(errors),
        false => model_and_decide(read, asked, by(PlanPart::Rest), control),
    }
}

/// What is known of signed overflow after a verdict that it may stand in the way of, if there is time to follow it.
fn overflow(decided: &DecidedTask, control: &mut Control) -> Option<KnownOverflow> {
    control.budget.check().ok()?;
    let may_overflow = plan::may_overflow(&decided.task().program);
    let overflow = match decided.verdict() {
        Verdict::Unknown(Reason::Undefined { what: Undefined::SignedOverflow, .. }) => {
            Some(KnownOverflow::Happens)
        }
        Verdict::Unknown(Reason::Undefined {
            what: Undefined::IndexOutOfBounds | Undefined::OutOfBounds,
            ..
        }) => Some(KnownOverflow::ReadHappens),
        Verdict::Unknown(Reason::Timeout | Reason::Beyond(_)) => {
            may_overflow.then_some(KnownOverflow::MayHappen)
        }
        _ => None,
    }?;
    control.remark(
        "overflow, or a read out of bounds, may happen: can an error be reached if it gives any value?",
    );
    Some(overflow)
}

/// The first confirmed answer that an engine of the plan leads to, and its name.
pub fn decide(task: &Task, plan: Vec<Turn>, control: &mut Control) -> (Confirmed, &'static str) {
    let simpler = Pipeline::run(task.program.clone(), &transform::for_engines());
    let mut reasons: Vec<(&'static str, Reason)> = Vec::new();
    let mut has_seen_the_end = false;
    for mut turn in plan {
        let name = turn.engine.name();
        let gave_up = |(who, why): &(&str, Reason)| *who == name && *why != Reason::Timeout;
        let finds_more = !has_seen_the_end || turn.engine.solves_for_values();
        if reasons.iter().any(gave_up) || !finds_more {
            continue;
        }
        control.tell(Progress::Engine(name, turn.why));
        let whole = control.budget.clone();
        let part =
            turn.time.map_or_else(|| whole.clone(), |time| whole.slice(time, processor_time));
        let verdict = decided::verify(task, &simpler, turn.engine.as_mut(), &part, control);
        let Verdict::Unknown(reason) = verdict.verdict() else { return (verdict, name) };
        control.remark(&format!("engine {name}: {}", reason.describe(&task.program)));
        has_seen_the_end |= turn.engine.is_exhaustive() && is_end(&task.program, reason);
        reasons.push((name, reason.clone()));
        if control.budget.check().is_err() || needs_larger_bounds(&reasons) {
            break;
        }
    }
    let (name, reason) = best_reason(reasons);
    let reason = match control.budget.check() {
        Err(stop) if reason == Reason::Timeout => stop.into(),
        _ => reason,
    };
    (Confirmed::unknown(reason), name)
}

/// Has an engine that looks at all states met one where the model ends? Then there is no proof, and no error but behind values that are chosen
/// well. A parameterised program may have more states.
fn is_end(program: &Program, reason: &Reason) -> bool {
    let is_end = matches!(reason, Reason::Undefined { .. } | Reason::Limit { .. });
    is_end && !program.is_parameterised()
}

/// Is there no point in asking the next engine before the model is larger?
fn needs_larger_bounds(reasons: &[(&str, Reason)]) -> bool {
    reasons.iter().any(|(_, reason)| matches!(reason, Reason::Limit { limit: Limit::Bound, .. }))
}

/// The reason that helps the user most: what stands in the way rather than what
/// ran out, and that rather than what an engine cannot do; of two of a kind the later.
fn best_reason(reasons: Vec<(&'static str, Reason)>) -> (&'static str, Reason) {
    let rank = |(_, reason): &(&str, Reason)| match reason {
        Reason::CheckFailed(_) => 4,
        Reason::Undefined { .. } | Reason::Limit { .. } => 3,
        Reason::Interrupted => 2,
        Reason::Timeout | Reason::OutOfMemory => 1,
        Reason::Beyond(_) => 0,
    };
    let best = reasons.into_iter().max_by_key(rank);
    best.unwrap_or(("", Reason::Beyond("no engine was asked".into())))
}

/// Larger bounds to read the program with, if `verdict` says that it needs them.
pub fn larger_bounds(task: &Task, verdict: &Verdict) -> Option<Bounds> {
    let bounds = task.bounds?;
    let bound_reached =
        matches!(verdict, Verdict::Unknown(Reason::Limit { limit: Limit::Bound, .. }));
    let larger = Bounds {
        recursion: (bounds.recursion * 2).min(LAST_BOUNDS.recursion),
        objects: (bounds.objects * 2).min(LAST_BOUNDS.objects),
        delayed_writes: (bounds.delayed_writes * 2).min(LAST_BOUNDS.delayed_writes),
    };
    (bound_reached && larger != bounds).then_some(larger)
}
