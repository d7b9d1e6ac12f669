//! All threads conform: what that means together with the verdict on the
//! composition.

use super::Decided;
use super::pairs::Pair;
use crate::input::Task;
use crate::report;
use ccfa::{Init, Program, Var};
use evidence::Verdict;

/// What was proved, from which initial values, for how many threads.
pub fn safe(task: &Task, pairs: &[Pair], conforming: &[Decided], decided: &Decided) -> String {
    let mut lines = vec![
        "No error can be reached: every thread conforms to its abstract thread, whatever others do,"
            .to_string(),
        "and the abstract threads together have no error.".to_string(),
    ];
    for (pair, decided) in pairs.iter().zip(conforming) {
        let thread = &task.program.threads[pair.thread.index()].name;
        let machine = &pair.machine;
        let how = proof(decided);
        let (states, moves) = (machine.nodes.len(), machine.moves.len());
        lines.push(format!(
            "  {thread} conforms to {} ({states} states, {moves} moves): {how}",
            machine.name
        ));
    }
    lines.push(format!("  the composition is safe: {}", proof(decided)));
    lines.push(format!("Initially {}.", initial(&task.program)));
    lines.push(format!("Threads: {}.", report::thread_list(&task.program)));
    lines.extend(report::assumed(task));
    lines.join("\n")
}

fn proof(decided: &Decided) -> String {
    match &decided.verdict {
        Verdict::Safe(proof) => format!("{} (engine {})", report::in_short(proof), decided.engine),
        Verdict::Unsafe(_) | Verdict::Unknown(_) => String::new(),
    }
}

/// The initial values of the program's own variables.
fn initial(program: &Program) -> String {
    let own = program.shared.iter().filter(|var| program.is_of_source(var));
    let texts: Vec<String> = own.filter_map(|var| value(program, var)).collect();
    match texts.is_empty() {
        true => "every shared variable has any value".into(),
        false => texts.join(", "),
    }
}

fn value(program: &Program, var: &Var) -> Option<String> {
    let name = program.source_name(var);
    match &var.init {
        Init::Value(value) => Some(format!("{name} = {}", program.value_text(var, *value))),
        Init::Values(values) => Some(format!("{name} = {values:?}")),
        Init::Any | Init::Param(_) => None,
    }
}

/// The composition has an error that the program itself was not found to have.
pub fn too_coarse(counterexample: &str, concrete: &Decided, program: &Program) -> String {
    let program_itself = match &concrete.verdict {
        Verdict::Unknown(reason) => format!(
            "Whether the program itself can fail was not decided: {}",
            reason.describe(program)
        ),
        _ => format!(
            "The program itself cannot do that: it is safe (engine {}). The abstract threads allow too much.",
            concrete.engine
        ),
    };
    format!(
        "All threads conform, but the abstract threads together can fail.\n{program_itself}\n\n\
         In the composition of the abstract threads:\n{counterexample}"
    )
}

/// The composition has an error, and the program, too.
pub fn as_well(counterexample: &str) -> String {
    format!("\nThe abstract threads together fail as well:\n{counterexample}")
}
