//! A closed set of states in words: between which values each variable stays.

use super::super::names;
use super::table::Row;
use ccfa::semantics::{System, Value};
use ccfa::{LocalId, Program, SharedId, Var, VarRef};
use evidence::{ClosedSet, Layout};

/// The least and the largest value of a variable in some states.
#[derive(Clone, Copy)]
enum Seen {
    Nothing,
    Between(i128, i128),
    Anything,
}

impl Seen {
    fn and(self, value: Value) -> Seen {
        match (self, value) {
            (Seen::Anything, _) | (_, None) => Seen::Anything,
            (Seen::Nothing, Some(value)) => Seen::Between(value, value),
            (Seen::Between(low, high), Some(value)) => {
                Seen::Between(low.min(value), high.max(value))
            }
        }
    }

    fn with(self, other: Seen) -> Seen {
        match (self, other) {
            (Seen::Between(low, high), other) => other.and(Some(low)).and(Some(high)),
            (Seen::Nothing, other) => other,
            (Seen::Anything, _) => Seen::Anything,
        }
    }
}

/// A row for each variable that the user sees.
pub fn ranges(program: &Program, set: &ClosedSet) -> Vec<Row> {
    let system = System::new(program, 0);
    let cells = cell_ranges(&system, set);
    let mut rows = Vec::new();
    let mut add = |instance: usize, var: VarRef, owner: String| {
        let (declared, first) = (system.var(instance, var), system.offset(instance, var));
        let all = cells[first..first + declared.cells()].iter();
        let seen = all.fold(Seen::Nothing, |seen, cell| seen.with(*cell));
        if program.is_of_source(declared) {
            let element = if declared.len.is_some() { "[...]" } else { "" };
            let name = format!("{owner}{}{element}", program.source_name(declared));
            rows.push(Row::new(name, text(program, declared, seen)));
        }
    };
    for number in 0..program.shared.len() {
        add(0, VarRef::Shared(SharedId(number as u32)), String::new());
    }
    for (instance, one) in system.instances.iter().enumerate() {
        for number in 0..system.template(instance).locals.len() {
            let owner = format!("{}.", program.instance_name(*one));
            add(instance, VarRef::Local(LocalId(number as u32)), owner);
        }
    }
    rows
}

fn cell_ranges(system: &System, set: &ClosedSet) -> Vec<Seen> {
    let layout = Layout::new(system, &|cell| set.any_cells[cell]);
    let mut seen = vec![Seen::Nothing; system.cell_count()];
    for words in set.states.chunks_exact(layout.words) {
        for (seen, value) in seen.iter_mut().zip(layout.unpack(words).cells) {
            *seen = seen.and(value);
        }
    }
    seen
}

fn text(program: &Program, var: &Var, seen: Seen) -> String {
    let value = |value| names::value(program, var, Some(value));
    match seen {
        Seen::Nothing | Seen::Anything => "anything".to_string(),
        Seen::Between(low, high) if low == high => format!("always {}", value(low)),
        Seen::Between(low, high) => format!("{} to {}", value(low), value(high)),
    }
}
