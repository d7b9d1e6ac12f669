//! The answer in plain words. The first line is `SAFE`, `UNSAFE` or `UNKNOWN`;
//! the evidence or the reason follows.

mod answers;
mod data;
mod dead;
mod events;
mod facts;
mod failure;
mod interleaving;
mod layout;
mod names;
mod order;
mod orders;
mod proof;
mod rest;
mod undefined;

use crate::excerpt::marked_line;
use crate::input::Task;
use crate::obligations::Obligation;
use crate::question::Question;
use crate::vacuity::Reachability;
use ccfa::{Count, Limit, LocKind, Program, Span, ThreadId};
use cfront::Assumption;
use engine::Stop;
use evidence::{Assertions, ClosedSet, Proof, Reason, Tree, Witness};
use std::collections::BTreeSet;
use std::fmt;

pub use answers::Answers;
pub(crate) use events::rests;
pub(crate) use failure::{COUNT_OF_SEMAPHORE, Replayed, lock_name};
pub use formats::reproducer::Reproducer;
pub use formats::witness::Violation;
pub use formats::{Change, Failure, Interleaving, ReachedLimit, Row, SourcePlace};
pub(crate) use interleaving::{covers, edge};

/// The answer, with what it rests on. `Display` gives what the command line prints: the verdict in the first
/// line, then the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The questions that it answers. (None, if it is about a model as a whole, or about conformance.)
    pub questions: Vec<Question>,
    /// The answer.
    pub verdict: Verdict,
    /// The evidence or the reason in words: whole lines.
    pub evidence: String,
    /// The engine that has found the answer, or that came nearest to one.
    pub engine: Option<&'static str>,
    /// Where the assertion fails, or where the model ends because something is not supported.
    pub place: Option<SourcePlace>,
    /// After UNSAFE: what the threads do, step by step, until the assertion fails.
    pub interleaving: Option<Interleaving>,
    /// After UNSAFE: the execution as other verifiers can follow it, if it can be told so.
    pub violation: Option<Violation>,
    /// After UNSAFE, if it is wanted: the program that fails so whenever it is run, or why there is none.
    pub reproducer: Option<Result<Reproducer, String>>,
    /// After UNSAFE: the property of SV-COMP that is violated (`valid-deref`, …), where it says more than the question.
    pub subproperty: Option<&'static str>,
    /// After UNKNOWN: where the model ends, or behaviour is undefined though nobody asked for that.
    pub limits: Vec<ReachedLimit>,
    /// What the user should know about how the program was read.
    pub notes: Vec<String>,
    /// After SAFE: what it takes for granted.
    pub assumptions: Vec<Assumption>,
    /// After SAFE: assertions that no execution reaches, as far as that was found out.
    pub never_reached: Vec<SourcePlace>,
    /// After SAFE, if they are asked for: the obligations of the proof.
    pub obligations: Vec<Obligation>,
    /// Is it about the rest: whether anything else can happen than what is found ([`CheckOptions::all`](crate::CheckOptions::all))?
    pub is_rest: bool,
}

/// The answer in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No error can be reached; the proof was checked.
    Safe,
    /// An error can be reached; the interleaving was replayed.
    Unsafe,
    /// A thread does not conform to its abstract thread; the execution was replayed.
    Refused,
    /// There is no answer.
    Unknown(Cause),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Out of time.
    Timeout,
    /// Out of memory.
    Memory,
    /// It was asked to stop.
    Interrupt,
    /// The program may do what the model does not have: something that is not supported, undefined
    /// behaviour, or more than a bound allows.
    ModelLimit,
    /// No engine can decide it.
    Undecided,
    /// Something in rely is wrong.
    Defect,
}

impl Verdict {
    /// What the command line exits with.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Safe => 0,
            Verdict::Unsafe => 10,
            Verdict::Refused => 11,
            Verdict::Unknown(_) => 20,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Verdict::Safe => "SAFE",
            Verdict::Unsafe => "UNSAFE",
            Verdict::Refused => "REFUSED",
            Verdict::Unknown(_) => "UNKNOWN",
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}\n{}", self.verdict, self.evidence)
    }
}

impl Report {
    /// There is no answer, since the run had to end.
    pub fn gave_up(why: Stop) -> Report {
        let reason = Reason::from(why);
        Report::unknown(cause(&reason), &reason.describe(&Program::default()).to_string())
    }

    /// There is no answer, since something in rely is wrong.
    pub fn defect(what: &str) -> Report {
        Report::unknown(Cause::Defect, &format!("internal error (a defect of rely): {what}"))
    }

    pub(crate) fn unknown(cause: Cause, why: &str) -> Report {
        Report::new(Verdict::Unknown(cause), why)
    }

    /// An answer and what it rests on.
    pub(crate) fn new(verdict: Verdict, evidence: &str) -> Report {
        Report {
            questions: Vec::new(),
            verdict,
            evidence: format!("{}\n", evidence.trim_end()),
            engine: None,
            place: None,
            interleaving: None,
            violation: None,
            reproducer: None,
            subproperty: None,
            limits: Vec::new(),
            notes: Vec::new(),
            assumptions: Vec::new(),
            never_reached: Vec::new(),
            obligations: Vec::new(),
            is_rest: false,
        }
    }
}

/// What a reason is in a word.
pub(crate) fn cause(reason: &Reason) -> Cause {
    match reason {
        Reason::Timeout => Cause::Timeout,
        Reason::OutOfMemory => Cause::Memory,
        Reason::Interrupted => Cause::Interrupt,
        Reason::Undefined { .. } | Reason::Limit { .. } => Cause::ModelLimit,
        Reason::Beyond(_) => Cause::Undecided,
        Reason::CheckFailed(_) => Cause::Defect,
    }
}

/// The report on a confirmed verdict; with the whole proof, or every row of the interleaving, if it is wanted. The remarks stand before these.
pub(crate) fn write(
    task: &Task,
    engine: &'static str,
    verdict: &evidence::Verdict,
    questions: &[Question],
    with_proof: bool,
    reached: Option<&Reachability>,
    remarks: &[String],
) -> Report {
    let report = match verdict {
        evidence::Verdict::Safe(proof) => {
            let order = order::taken_in_order(task.as_read(), proof);
            let proof = proof.of_smallest();
            let mut text = safe(&task.program, questions, engine, proof);
            let remarks: Vec<String> = remarks.iter().cloned().chain(order).collect();
            if let (false, Some(end)) = (remarks.is_empty(), text.find('\n')) {
                text.insert_str(end, &format!("\n{}", remarks.join("\n")));
            }
            let reached = reached.iter().flat_map(|reached| reached.lines());
            for line in reached.chain(assumed(task)) {
                text += &format!("\n{line}");
            }
            if with_proof {
                text += &format!("\n{}", proof::tell(&task.program, proof));
            }
            Report::new(Verdict::Safe, &text)
        }
        evidence::Verdict::Unsafe(witness) => match failure(task, witness, with_proof, remarks) {
            Ok(report) => report,
            Err(why) => unknown(task, &Reason::CheckFailed(why)),
        },
        evidence::Verdict::Unknown(reason) => unknown(task, reason),
    };
    let assumptions = match report.verdict {
        Verdict::Safe => task.assumptions.iter().copied().collect(),
        _ => Vec::new(),
    };
    let never_reached = reached.map_or(Vec::new(), |reached| reached.never.clone());
    let (questions, notes) = (questions.to_vec(), task.notes.clone());
    Report { questions, engine: Some(engine), notes, assumptions, never_reached, ..report }
}

/// What SAFE takes for granted.
pub(crate) fn assumed(task: &Task) -> Option<String> {
    let text = |one: &Assumption| format!("{}{}", one.text(), orders::weaker_orders(task, *one));
    let texts: Vec<String> = task.assumptions.iter().map(text).collect();
    (!texts.is_empty()).then(|| format!("Assumed: {}.", texts.join("; ")))
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn safe(program: &Program, questions: &[Question], engine: &str, proof: &Proof) -> String {
    let what = in_short(proof);
    let more = match proof {
        Proof::Closed(set) => reduction(set),
        Proof::Tree(tree) => facts::most_used(program, tree),
        Proof::Assertions(_) => Vec::new(),
        Proof::Reduced(reduction, proof) => {
            return safe(&reduction.program, questions, engine, proof);
        }
        Proof::RacesAsErrors(proof)
        | Proof::DeadlocksAsErrors(proof)
        | Proof::Ordered(_, proof) => {
            return safe(program, questions, engine, proof);
        }
    };
    let mut lines = vec![format!("{}: {what}.", what_is_safe(program, questions))];
    lines.extend(more);
    lines.push(format!("Threads: {}. Engine: {engine}.", thread_list(program)));
    lines.join("\n")
}

/// Follows where nothing is asserted.
const HAS_NONE: &str = "; the model has none";

/// "No error can be reached, and no memory error can happen"
fn what_is_safe(program: &Program, questions: &[Question]) -> String {
    let phrase = |question: &Question| match question {
        Question::Assertions if !has_an_error(program) => format!("{}{HAS_NONE}", question.safe()),
        question => question.safe().to_string(),
    };
    let asked = if questions.is_empty() { &[Question::Assertions] } else { questions };
    let text = asked.iter().map(phrase).collect::<Vec<_>>().join(", and ");
    format!("N{}", &text[1..])
}

/// What a proof consists of.
pub fn in_short(proof: &Proof) -> String {
    match proof {
        Proof::Closed(set) => all_states(set),
        Proof::Tree(tree) => whole_tree(tree),
        Proof::Assertions(proof) => all_views(proof),
        Proof::Reduced(_, proof)
        | Proof::RacesAsErrors(proof)
        | Proof::DeadlocksAsErrors(proof)
        | Proof::Ordered(_, proof) => in_short(proof),
    }
}

fn all_states(set: &ClosedSet) -> String {
    match set.expansions.len() {
        1 => "1 state, and it was checked".to_string(),
        states => format!("{} states, all of them checked", grouped(states as u64)),
    }
}

fn reduction(set: &ClosedSet) -> Vec<String> {
    match set.expansions.iter().filter(|expansion| expansion.persistent_set != 0).count() {
        0 => Vec::new(),
        reduced => vec![format!(
            "Partial-order reduction put threads off in {} of them; that this misses nothing was \
             checked, too.",
            grouped(reduced as u64),
        )],
    }
}

fn whole_tree(tree: &Tree) -> String {
    let covered = tree.nodes.iter().filter(|node| node.cover.is_some()).count();
    match tree.nodes.len() {
        1 => "a tree of 1 node, and it was checked".to_string(),
        nodes => format!(
            "a tree of {} nodes with what holds there, {} covered by others, all of them checked",
            grouped(nodes as u64),
            grouped(covered as u64),
        ),
    }
}

fn all_views(proof: &Assertions) -> String {
    let regions: usize = proof.views.iter().map(|view| view.regions.len()).sum();
    let most = proof.views.iter().map(|view| view.slots.len()).max();
    let (kind, of_whom) = match most {
        _ if proof.is_modular() => ("a modular proof", "each thread by itself"),
        Some(2) => ("a proof", "two threads together"),
        _ => ("a proof", "several threads together"),
    };
    let regions = match regions {
        1 => "1 region".to_string(),
        count => format!("{} regions", grouped(count as u64)),
    };
    format!("{kind} by what holds of {of_whom}, with {regions}, each of them checked")
}

fn has_an_error(program: &Program) -> bool {
    let locations = program.templates.iter().flat_map(|template| &template.locations);
    locations.into_iter().any(|location| matches!(location.kind, LocKind::Error(_)))
}

/// "3 (main, a, b)"; "main, any number of worker".
pub fn thread_list(program: &Program) -> String {
    let name = |thread: &ccfa::Thread| match thread.count {
        Count::Exactly(1) => thread.name.clone(),
        Count::Exactly(count) => format!("{count} of {}", thread.name),
        Count::Any => format!("any number of {}", thread.name),
    };
    let names: Vec<String> = program.threads.iter().map(name).collect();
    match program.is_parameterised() {
        true => names.join(", "),
        false => format!("{} ({})", program.instances(0).len(), names.join(", ")),
    }
}

/// Stands above an interleaving.
const LEADS_THERE: &str = " leads there (it was replayed):";

/// What fails, where, and how it comes to that.
fn failure(
    task: &Task,
    witness: &Witness,
    every_row: bool,
    remarks: &[String],
) -> Result<Report, String> {
    let program = task.as_read();
    let replay = check::replay(program, witness)?;
    let (interleaving, told) = interleaving::tell(task, witness, &replay)?;
    let mut text = format!("{}\n", told.sentence);
    for (above, span) in &told.places {
        text += &format!("{above}{}", excerpt(task, program, *span));
    }
    remarks.iter().for_each(|remark| text += &format!("{remark}\n"));
    let instances = instances(program, witness);
    text += &format!("\nThis interleaving{instances}{LEADS_THERE}\n\n");
    text += &layout::write(&interleaving, every_row);
    text += interleaving::about_delays(&interleaving);
    Ok(Report {
        place: interleaving.failure.place.clone(),
        violation: events::violation(task, witness, &replay),
        subproperty: told.subproperty,
        interleaving: Some(interleaving),
        ..Report::new(Verdict::Unsafe, &text)
    })
}

/// How many instances take part of each parameterised thread.
fn instances(program: &Program, witness: &Witness) -> String {
    let instances = program.instances(witness.instances);
    let moved: BTreeSet<usize> = witness.steps.iter().map(|step| step.instance).collect();
    let moved: Vec<ThreadId> = moved.iter().map(|number| instances[*number].thread).collect();
    let any = program.threads.iter().zip((0..).map(ThreadId));
    let any = any
        .filter(|(thread, _)| thread.count == Count::Any)
        .map(|(thread, id)| (moved.iter().filter(|moved| **moved == id).count(), &thread.name));
    let some = any.filter(|(count, _)| *count > 0);
    let names: Vec<String> = some.map(|(count, name)| format!("{count} of {name}")).collect();
    if names.is_empty() { String::new() } else { format!(", with {},", names.join(" and ")) }
}

fn unknown(task: &Task, reason: &Reason) -> Report {
    let mut text = reason.describe(&task.program).to_string();
    let limits = Vec::from_iter(reached_limit(&task.program, reason));
    if let Reason::Undefined { span, .. } | Reason::Limit { span, .. } = reason {
        text = format!("{text}\n{}", excerpt(task, &task.program, *span));
    }
    if matches!(reason, Reason::Limit { limit: Limit::Unsupported, .. }) {
        text += &missing(task);
    }
    let place = limits.first().and_then(|limit| limit.place.clone());
    Report { place, limits, ..Report::unknown(cause(reason), &text) }
}

/// A limit of the model: a construct that is not modelled.
pub(crate) const UNSUPPORTED: &str = "unsupported";
/// A limit of the model: one of its bounds.
pub(crate) const BOUND: &str = "bound";

/// Where the model ends, if that is the reason.
pub(crate) fn reached_limit(program: &Program, reason: &Reason) -> Option<ReachedLimit> {
    let (id, what, span) = match reason {
        Reason::Undefined { what, span } => (what.name(), what.text().to_string(), span),
        Reason::Limit { limit: Limit::Unsupported, what, span } => {
            (UNSUPPORTED, what.clone(), span)
        }
        Reason::Limit { limit: Limit::Bound, what, span } => (BOUND, what.clone(), span),
        _ => return None,
    };
    Some(ReachedLimit { id, what, place: span.map(|span| SourcePlace::of(program, span)) })
}

/// All functions without a body at once, if there are several, and what can be done.
fn missing(task: &Task) -> String {
    let hint = "a function `rely_stub_NAME` in the program can stand for NAME; with `--missing havoc` they return any value";
    match &task.missing[..] {
        [] => String::new(),
        [one] => format!("Without a body: {one} ({hint}).\n"),
        all => format!("Without a body, all in all: {} ({hint}).\n", all.join(", ")),
    }
}

/// The source line with carets under the place, if we have it.
fn excerpt(task: &Task, program: &Program, span: Option<Span>) -> String {
    let marked = |span: Span| {
        let width = match span.end_line == span.line {
            true => span.end_column.saturating_sub(span.column).max(1),
            false => 1,
        };
        let line = source_line(task, program, span)?;
        Some(marked_line(span.line, line, span.column, width))
    };
    span.and_then(marked).unwrap_or_default()
}

/// The text of the line of source in which a span begins, if we have it.
pub fn source_line<'t>(task: &'t Task, program: &Program, span: Span) -> Option<&'t str> {
    let text = task.texts.get(program.files.get(span.file as usize)?)?;
    text.lines().nth((span.line as usize).checked_sub(1)?)
}

/// What stands at a span, its first line if there are more; the whole line if its end is not known.
pub fn source_text(task: &Task, program: &Program, span: Span) -> Option<String> {
    let line = source_line(task, program, span)?;
    let has_end = (span.line, span.column) < (span.end_line, span.end_column);
    let first = if has_end { span.column as usize - 1 } else { 0 };
    let last = match has_end && span.line == span.end_line {
        true => span.end_column as usize - 1,
        false => usize::MAX,
    };
    let part: String = line.chars().take(last).skip(first).collect();
    let mut words: Vec<&str> = part.split_whitespace().collect();
    if words.is_empty() {
        return None;
    }
    words.extend((span.line < span.end_line).then_some("…"));
    Some(words.join(" "))
}

#[cfg(test)]
mod tests;
