//! `rely check --proof`: the proof for a person.
//!
//! A proof by assertions is told thread by thread, as in POPL'11: what the thread guarantees,
//! what it relies on, and what holds at the lines that matter. Everything said follows from the
//! checked proof: telling it leaves out facts and sums up cases, so it says less and never more.
//! Other proofs have no such form; of them the values of variables, or the facts used at each
//! line, are told.

mod formula;
mod paths;
mod places;
mod ranges;
mod scope;
mod states;
mod table;
mod threads;
mod together;

use ccfa::Program;
use evidence::{Assertions, ClosedSet, Proof, Tree};
use formula::Case;
use scope::Scope;
use table::section;
use threads::TrackedThread;

/// So many rows are shown of each part: a proof is read, not printed in full (`--proof` writes all of it).
const MAX_ROWS: usize = 20;

/// Why not every fact of the proof is here.
const NAMES_LEFT_OUT: &str =
    "Not told: facts about names of rely's own (which threads run, values within a line).\n";

/// The proof as text.
pub fn tell(program: &Program, proof: &Proof) -> String {
    let text = match proof {
        Proof::Assertions(proof) => assertions(program, proof),
        Proof::Tree(tree) => of_tree(program, tree),
        Proof::Closed(set) => of_states(program, set),
        Proof::Reduced(reduction, proof) => return tell(&reduction.program, proof),
        Proof::RacesAsErrors(proof)
        | Proof::DeadlocksAsErrors(proof)
        | Proof::Ordered(_, proof) => {
            return tell(program, proof);
        }
    };
    let lines = match &program.files[..] {
        [file] => format!(" (lines are those of {file})"),
        _ => String::new(),
    };
    format!("\nThe proof{lines}\n\n{}", text.trim_end())
}

fn assertions(program: &Program, proof: &Assertions) -> String {
    let tracked_threads = threads::tracked_threads(program, proof);
    let always = threads::always(&tracked_threads);
    let mut text = String::new();
    if let Some(thread) = tracked_threads.first().filter(|_| !always.0.is_empty()) {
        text += &format!("Always: {}\n\n", always.text(&thread.scope, false));
    }
    for thread in &tracked_threads {
        text += &of_thread(thread, &tracked_threads, &always);
        text.push('\n');
    }
    for view in proof.views.iter().filter(|view| view.slots.len() > 1) {
        text += &together::tell(program, view, &always);
        text.push('\n');
    }
    if says_more(program, proof) {
        text += NAMES_LEFT_OUT;
    }
    text
}

fn of_thread(thread: &TrackedThread, all: &[TrackedThread], always: &Case) -> String {
    let kind = if thread.is_one_of_many() { "Each thread" } else { "Thread" };
    let mut text = format!("{kind} {}\n", thread.name);
    let guarantees = thread.guarantees(always);
    text += &match guarantees.is_empty() {
        true => "  guarantees to write no shared variable\n".to_string(),
        false => section("guarantees to write shared variables only so:", &guarantees, MAX_ROWS),
    };
    text += &section("relies on:", &thread.relies_on(all, always), MAX_ROWS);
    let knows = if thread.has_source() { "knows before:" } else { "knows at:" };
    text += &section(knows, &thread.assertions(always), MAX_ROWS);
    text
}

/// Are there facts about what the user does not see?
fn says_more(program: &Program, proof: &Assertions) -> bool {
    proof.views.iter().any(|view| {
        let scope = Scope::of_view(program, view);
        view.regions.iter().flat_map(|region| &region.holds).any(|fact| !scope.shows(fact))
    })
}

fn of_tree(program: &Program, tree: &Tree) -> String {
    let mut text = String::new();
    for (name, rows) in paths::facts(program, tree) {
        text += &section(&format!("Used when {name} comes to, on some path:"), &rows, MAX_ROWS);
    }
    match text.is_empty() {
        true => "No facts about shared variables are needed.".to_string(),
        false => text,
    }
}

fn of_states(program: &Program, set: &ClosedSet) -> String {
    let rows = states::ranges(program, set);
    match rows.is_empty() {
        true => "The model has no variables.".to_string(),
        false => section("Values in these states:", &rows, MAX_ROWS * 2),
    }
}
