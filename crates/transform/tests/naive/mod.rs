//! A naive search: which errors and model limits can be reached.

use ccfa::semantics::{State, System};
use ccfa::{LocKind, Program, Type};
use std::collections::{BTreeSet, HashSet};

const MAX_STATES: usize = 5_000;

/// The texts of the errors and model limits that can be reached, if the search ends soon.
pub fn reachable(program: &Program) -> Option<BTreeSet<String>> {
    let system = System::new(program, 2);
    let mut found = BTreeSet::new();
    let mut seen: HashSet<State> = HashSet::new();
    let mut waiting: Vec<State> = Vec::new();
    for state in concretised(&system, system.initial())? {
        if system.may_be_initial(&state) {
            waiting.push(state);
        }
    }
    while let Some(state) = waiting.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MAX_STATES || waiting.len() > 10 * MAX_STATES {
            return None;
        }
        for instance in 0..system.instances.len() {
            let template = system.template(instance);
            let location = state.locations[instance];
            found.extend(match &template.locations[location.index()].kind {
                LocKind::Plain => None,
                LocKind::Error(what) => Some(format!("{} error {what}", template.name)),
                LocKind::Undefined(what) => {
                    Some(format!("{} Undefined {}", template.name, what.text()))
                }
                LocKind::Limit(limit, what) => Some(format!("{} {limit:?} {what}", template.name)),
            });
            if !system.may_move(&state, instance) {
                continue;
            }
            for edge in template.edges.iter().filter(|edge| edge.source == location) {
                if let Some(next) = system.step(&state, instance, edge, &mut |_| None) {
                    waiting.extend(concretised(&system, next)?);
                }
            }
        }
    }
    Some(found)
}

/// All concrete states that a state stands for, if they are few.
fn concretised(system: &System, state: State) -> Option<Vec<State>> {
    let types = cell_types(system);
    let mut states = vec![state];
    for (cell, ty) in types.iter().enumerate() {
        if states[0].cells[cell].is_some() {
            continue;
        }
        let (low, high) = ty.bounds()?;
        if states.len() as i128 * (high - low + 1) > 64 {
            return None;
        }
        let with = |state: &State, value: i128| {
            let mut state = state.clone();
            state.cells[cell] = Some(value);
            state
        };
        states =
            states.iter().flat_map(|state| (low..=high).map(|value| with(state, value))).collect();
    }
    Some(states)
}

fn cell_types(system: &System) -> Vec<Type> {
    let shared = system.program.shared.iter();
    let locals = (0..system.instances.len()).flat_map(|i| system.template(i).locals.iter());
    shared.chain(locals).flat_map(|var| std::iter::repeat_n(var.ty, var.cells())).collect()
}
