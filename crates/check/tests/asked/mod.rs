//! Programs that are asked for more than error locations, and what is true of them.

// Each test binary uses its own part of this module.
#![allow(dead_code)]

use ccfa::random::Rng;
use ccfa::semantics::{ANY, State, System};
use ccfa::{Bad, Class, LocKind, Program, Property};
use engine_suite::oracle::{initial_states, steps};
use std::collections::HashSet;

/// More steps than these are too many.
const MAX_STEPS: usize = 30_000;

/// What can go wrong, in the order in which it is counted.
pub const KINDS: [&str; 5] = ["limit", "error", "undefined", "race", "deadlock"];

/// What is wrong with a concrete state, as an index into `KINDS`.
pub fn wrong(system: &System, state: &State) -> Option<usize> {
    if system.limit(state).is_some() {
        return Some(0);
    }
    system.bad(state).map(|bad| match bad {
        Bad::Error { .. } => 1,
        Bad::Undefined { .. } => 2,
        Bad::Race(_) => 3,
        Bad::Deadlock => 4,
    })
}

/// Has the program ended: is an instance at a location that is not plain?
pub fn has_ended(system: &System, state: &State) -> bool {
    (0..state.locations.len()).any(|i| system.location(state, i).kind != LocKind::Plain)
}

/// What the program can reach that is wrong, as a set of `KINDS`; `None` if that is too much to
/// find out.
pub fn truth(program: &Program, instances: u32) -> Option<[bool; 5]> {
    let mut truth = [false; 5];
    visit(program, instances, |system, state| {
        wrong(system, state).into_iter().for_each(|kind| truth[kind] = true);
    })?;
    Some(truth)
}

/// Shows every state that can be reached; `None` if these are too many.
pub fn visit(
    program: &Program,
    instances: u32,
    mut show: impl FnMut(&System, &State),
) -> Option<()> {
    let system = System::new(program, instances);
    let mut waiting = initial_states(&system)?;
    let mut seen: HashSet<State> = waiting.iter().cloned().collect();
    let mut taken = 0;
    while let Some(state) = waiting.pop() {
        show(&system, &state);
        if has_ended(&system, &state) {
            continue;
        }
        for instance in (0..state.locations.len()).filter(|&i| system.may_move(&state, i)) {
            for (_, edge) in system.next(&state, instance) {
                for (_, next) in steps(&system, &state, instance, edge)? {
                    taken += 1;
                    if next.cells.contains(&ANY) || taken > MAX_STEPS {
                        return None;
                    }
                    if seen.insert(next.clone()) {
                        waiting.push(next);
                    }
                }
            }
        }
    }
    Some(())
}

/// The program that proofs for this one are about: if races are asked for, it is the one in which they are errors.
pub fn subject(program: &Program) -> Program {
    match program.property.races {
        true => ccfa::races::as_errors(program),
        false => program.clone(),
    }
}

/// Asks something of a program: its steps access memory, its threads may rest at their entry.
pub fn ask(program: &mut Program, rng: &mut Rng) {
    let property = [
        Property { errors: false, races: true, ..Property::default() },
        Property { races: true, ..Property::default() },
        Property {
            errors: false,
            undefined: Class::ALL.iter().copied().collect(),
            ..Property::default()
        },
    ];
    program.property = rng.pick(&property).clone();
    engine_suite::accesses::add(program, rng);
    for template in &mut program.templates {
        let entry = &mut template.locations[template.entry.index()];
        entry.resting = entry.kind == LocKind::Plain && rng.one_in(4);
    }
}
