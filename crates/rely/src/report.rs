//! The answer in plain words. The first line is `SAFE`, `UNSAFE` or `UNKNOWN`;
//! the evidence or the reason follows.

mod dead;
mod facts;
mod interleaving;
mod layout;
mod names;
mod proof;

use crate::console::grouped;
use crate::excerpt::marked_line;
use crate::input::Task;
use ccfa::{Count, LocKind, Program, Span};
use evidence::{Assertions, ClosedSet, Proof, Reason, Tree, Verdict, Witness};

/// What is printed at the end, and the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// The exit code.
    pub code: u8,
}

impl Report {
    /// Exit code of SAFE, and of everything that went well.
    pub const SAFE: u8 = 0;
    /// Exit code of UNSAFE.
    pub const UNSAFE: u8 = 10;
    /// Exit code of REFUSED.
    pub const REFUSED: u8 = 11;
    /// Exit code of UNKNOWN.
    pub const UNKNOWN: u8 = 20;

    /// There is no answer since the run had to end.
    pub fn gave_up(why: &Reason) -> Report {
        Report::unknown(&why.describe(&Program::default()).to_string())
    }

    /// There is no answer since something in rely is wrong.
    pub fn defect(what: &str) -> Report {
        Report::unknown(&format!("internal error (a defect of rely): {what}"))
    }

    /// There is no answer, for this reason.
    pub fn unknown(why: &str) -> Report {
        Report::of_check("UNKNOWN", why, Report::UNKNOWN)
    }

    /// An answer and what it rests on.
    pub fn of_check(answer: &str, evidence: &str, code: u8) -> Report {
        let stdout = format!("{answer}\n{}\n", evidence.trim_end());
        Report { stdout, stderr: String::new(), code }
    }
}

/// The report on a confirmed verdict; with the whole proof if it is wanted.
pub fn write(task: &Task, engine: &str, verdict: &Verdict, with_proof: bool) -> Report {
    match verdict {
        Verdict::Safe(proof) => {
            let mut text = safe(&task.program, engine, proof);
            if with_proof {
                text += &format!("\n{}", proof::tell(&task.program, proof));
            }
            Report::of_check("SAFE", &text, Report::SAFE)
        }
        Verdict::Unsafe(witness) => match failure(task, witness) {
            Ok(text) => Report::of_check("UNSAFE", &text, Report::UNSAFE),
            Err(why) => unknown(task, &Reason::CheckFailed(why)),
        },
        Verdict::Unknown(reason) => unknown(task, reason),
    }
}

fn safe(program: &Program, engine: &str, proof: &Proof) -> String {
    let what = in_short(proof);
    let more = match proof {
        Proof::Closed(set) => reduction(set),
        Proof::Tree(tree) => facts::most_used(program, tree),
        Proof::Assertions(_) => Vec::new(),
    };
    let mut lines = vec![match has_an_error(program) {
        true => format!("No error can be reached: {what}."),
        false => format!("No error can be reached; the model has none: {what}."),
    }];
    lines.extend(more);
    lines.push(format!("Threads: {}. Engine: {engine}.", thread_list(program)));
    lines.join("\n")
}

/// What a proof consists of.
pub fn in_short(proof: &Proof) -> String {
    match proof {
        Proof::Closed(set) => all_states(set),
        Proof::Tree(tree) => whole_tree(tree),
        Proof::Assertions(proof) => all_views(proof),
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

/// What fails, where, and how it comes to that.
fn failure(task: &Task, witness: &Witness) -> Result<String, String> {
    let replay = check::replay(&task.program, witness)?;
    let interleaving = interleaving::tell(task, witness, &replay.states)?;
    let failed = &interleaving.failure;
    let place = failed.span.map(|span| format!(" at {}", place(&task.program, span)));
    let mut text = format!(
        "An error can be reached: {}, in thread {}{}\n",
        failed.what,
        failed.thread,
        place.unwrap_or_default(),
    );
    text += &excerpt(task, failed.span);
    let copies = copies(&task.program, witness.instances);
    text += &format!("\nThis interleaving{copies} leads there (it was replayed):\n\n");
    text += &layout::write(&interleaving);
    Ok(text)
}

/// How many there are of the threads of which there may be any number.
fn copies(program: &Program, copies: u32) -> String {
    let any = program.threads.iter().filter(|thread| thread.count == Count::Any);
    let names: Vec<String> = any.map(|thread| format!("{copies} of {}", thread.name)).collect();
    if names.is_empty() { String::new() } else { format!(", with {},", names.join(" and ")) }
}

fn unknown(task: &Task, reason: &Reason) -> Report {
    let mut text = reason.describe(&task.program).to_string();
    if let Reason::Gap { span, .. } = reason {
        text = format!("{text}\n{}", excerpt(task, *span));
    }
    Report::unknown(&text)
}

/// `file:line:column`
pub fn place(program: &Program, span: Span) -> String {
    let file = program.files.get(span.file as usize).map_or("?", String::as_str);
    format!("{file}:{}:{}", span.line, span.column)
}

/// The source line with a caret, if we have it.
fn excerpt(task: &Task, span: Option<Span>) -> String {
    let marked =
        |span| source_line(task, span).map(|line| marked_line(span.line, line, span.column, 1));
    span.and_then(marked).unwrap_or_default()
}

/// The text of a line of source, if we have it.
pub fn source_line(task: &Task, span: Span) -> Option<&str> {
    let text = task.texts.get(span.file as usize)?.as_deref()?;
    text.lines().nth((span.line as usize).checked_sub(1)?)
}

#[cfg(test)]
mod tests;
