//! Runs the model of a single-threaded program: one enabled edge after the
//! other, until there is none.

use ccfa::semantics::{ANY, System};
use ccfa::{LocKind, Program, SharedId, VarRef};
use cfront::preprocess::Source;
use cfront::{
    Bounds, CProgram, Choices, DataModel, LowerOptions, Property, Purpose, SignedOverflow,
};
use std::collections::HashSet;

/// More steps than any generated program takes.
const MAX_STEPS: usize = 3_000_000;

/// States of a program in all its orders; each takes some hundred bytes.
const MAX_STATES: usize = 50_000;

/// How the model ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At the end of `main`.
    Finished,
    /// At an error location: `out` is not what the program expects. This is
    /// its value, if the variable is still there.
    Differs(Option<u64>),
    /// Neither: a model limit, a complaint, a choice where C has none.
    Trouble(String),
}

fn options(signed_wraps: bool) -> LowerOptions {
    let signed_overflow =
        if signed_wraps { SignedOverflow::Wrap } else { SignedOverflow::Undefined };
    LowerOptions {
        purpose: Purpose::Verification,
        choices: Choices { signed_overflow, uninitialised: true, ..Choices::default() },
        property: Property::Assertions,
        bounds: Bounds { recursion: 8, objects: 4, delayed_writes: 0 },
    }
}

/// Which edge is followed where several are enabled.
#[derive(Clone, Copy)]
enum Choice {
    /// There must not be several.
    None,
    First,
    Last,
}

/// Reads the C text and runs its model, which must have no choice.
pub fn run(text: &str, model: DataModel, signed_wraps: bool) -> Ending {
    let program = lower(text, model, signed_wraps);
    program.map_or_else(|ending| ending, |program| walk(&program, Choice::None))
}

/// The same for a program that C lets evaluate in several orders, all of which end alike: two of them are run.
pub fn run_in_two_orders(text: &str, model: DataModel, signed_wraps: bool) -> Ending {
    let program = match lower(text, model, signed_wraps) {
        Ok(program) => program,
        Err(ending) => return ending,
    };
    match walk(&program, Choice::First) {
        Ending::Finished => walk(&program, Choice::Last),
        ending => ending,
    }
}

/// Can the model reach its error, in one of the orders that C allows? What goes wrong on the way is an `Err`.
pub fn can_differ(text: &str, model: DataModel) -> Result<bool, Ending> {
    let program = lower(text, model, true)?;
    let system = System::new(&program, 1);
    let template = system.template(0);
    let edges_from = template.edges_from();
    let (mut pending, mut seen) = (vec![system.initial()], HashSet::new());
    let mut can_differ = false;
    while let Some(state) = pending.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MAX_STATES {
            return Err(Ending::Trouble("too many steps".to_string()));
        }
        let here = state.locations[0].index();
        match &template.locations[here].kind {
            LocKind::Plain => {}
            LocKind::Error(_) => can_differ = true,
            LocKind::Undefined(what) => {
                return Err(Ending::Trouble(format!("undefined behaviour: {}", what.text())));
            }
            LocKind::Limit(limit, what) => {
                return Err(Ending::Trouble(format!("model limit: {limit:?}: {what}")));
            }
        }
        let edges = edges_from[here].iter().map(|edge| &template.edges[edge.index()]);
        pending.extend(edges.filter_map(|edge| system.step(&state, 0, edge, &mut |_| ANY)));
    }
    Ok(can_differ)
}

/// The model of a C text, or why there is none.
fn lower(text: &str, model: DataModel, signed_wraps: bool) -> Result<Program, Ending> {
    let source = Source::from_text("program.i", text);
    let loaded = std::panic::catch_unwind(|| {
        CProgram::from_source(source, model)?.lower(&options(signed_wraps))
    });
    let program = match loaded {
        Ok(Ok(loaded)) => loaded.program,
        Ok(Err(bad)) => {
            let complaint = &bad.complaints[0];
            let excerpt = complaint.excerpt.as_deref().unwrap_or("").trim();
            return Err(Ending::Trouble(format!("complaint: {} | {excerpt}", complaint.message)));
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
            return Err(Ending::Trouble(format!("panic: {}", text.unwrap_or_default())));
        }
    };
    if let Err(problem) = ccfa::wellformed::check(&program) {
        return Err(Ending::Trouble(format!("not well-formed: {problem:?}")));
    }
    Ok(program)
}

fn walk(program: &Program, choice: Choice) -> Ending {
    let trouble = |text: &str| Ending::Trouble(text.to_string());
    let system = System::new(program, 1);
    if system.instances.len() != 1 {
        return trouble("more than one thread");
    }
    let template = system.template(0);
    let edges_from = template.edges_from();
    let mut state = system.initial();
    for _ in 0..MAX_STEPS {
        let here = state.locations[0].index();
        match &template.locations[here].kind {
            LocKind::Plain => {}
            LocKind::Error(_) => {
                let out = program.shared.iter().position(|var| var.name == "out");
                let cell = out.map(|out| system.offset(0, VarRef::Shared(SharedId(out as u32))));
                return Ending::Differs(cell.and_then(|cell| state.cells[cell]).map(|v| v as u64));
            }
            LocKind::Undefined(what) => {
                return Ending::Trouble(format!("undefined behaviour: {}", what.text()));
            }
            LocKind::Limit(limit, what) => {
                return Ending::Trouble(format!("model limit: {limit:?}: {what}"));
            }
        }
        if edges_from[here].is_empty() {
            return Ending::Finished;
        }
        let edges = edges_from[here].iter().map(|edge| &template.edges[edge.index()]);
        let mut enabled = edges.filter_map(|edge| system.step(&state, 0, edge, &mut |_| ANY));
        let next = match choice {
            Choice::Last => enabled.next_back(),
            Choice::First => enabled.next(),
            Choice::None => {
                let only = enabled.next();
                if enabled.next().is_some() {
                    return trouble("two edges are enabled");
                }
                only
            }
        };
        match next {
            Some(next) => state = next,
            None => return trouble("no edge is enabled: something undefined"),
        }
    }
    trouble("too many steps")
}
