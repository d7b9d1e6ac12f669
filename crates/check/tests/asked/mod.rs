//! Programs that are asked for more than error locations, and what is true of them.

// Each test binary uses its own part of this module.
#![allow(dead_code)]

use ccfa::random::Rng;
use ccfa::semantics::{ANY, State, System};
use ccfa::{
    Access, AccessKind, Bad, Cell, Class, Direction, Edge, Expr, LocKind, Mode, Order, Program,
    Property, SharedId, Type,
};
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
    let system = System::new(program, instances);
    let mut waiting = initial_states(&system)?;
    let mut seen: HashSet<State> = waiting.iter().cloned().collect();
    let (mut truth, mut taken) = ([false; 5], 0);
    while let Some(state) = waiting.pop() {
        wrong(&system, &state).into_iter().for_each(|kind| truth[kind] = true);
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
    Some(truth)
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
        Property { errors: false, deadlocks: true, ..Property::default() },
        Property { races: true, ..Property::default() },
        Property {
            errors: false,
            undefined: Class::ALL.iter().copied().collect(),
            ..Property::default()
        },
    ];
    program.property = rng.pick(&property).clone();
    let shared = program.shared.clone();
    for template in &mut program.templates {
        let entry = &mut template.locations[template.entry.index()];
        entry.resting = entry.kind == LocKind::Plain && rng.one_in(4);
        for edge in &mut template.edges {
            edge.accesses = accesses(edge, &shared, rng);
        }
    }
}

/// Most of what a step reads and writes, and sometimes something else.
fn accesses(edge: &Edge, shared: &[ccfa::Var], rng: &mut Rng) -> Vec<Access> {
    let sets = edge.read_write_sets();
    let reads = sets.shared_reads().map(|id| (id, Direction::Read));
    let writes = sets.shared_writes().map(|id| (id, Direction::Write));
    let mut touched: Vec<(SharedId, Direction)> = reads.chain(writes).collect();
    touched.retain(|_| !rng.one_in(3));
    if rng.one_in(6) {
        let other = SharedId(rng.below(shared.len()) as u32);
        touched.push((other, *rng.pick(&[Direction::Read, Direction::Write])));
    }
    let mut access = |(var, direction): (SharedId, Direction)| {
        let mode = *rng.pick(&[Mode::Plain, Mode::Plain, Mode::Atomic(Order::SeqCst)]);
        let index = shared[var.index()].len.and_then(|len| {
            let constant = Expr::constant(rng.below(len as usize + 1) as i128, Type::signed(32));
            let scalars = shared.iter().enumerate().filter(|(_, other)| other.len.is_none());
            let scalars = scalars.filter(|(_, other)| other.ty != Type::Bool);
            let read = |(n, _)| Expr::Var(ccfa::VarRef::Shared(SharedId(n as u32)));
            let mut indices: Vec<Option<Expr>> = scalars.map(read).map(Some).collect();
            indices.extend([None, Some(constant)]);
            rng.pick(&indices).clone()
        });
        Access { kind: AccessKind::Memory(direction, Cell { var, index }, mode), span: None }
    };
    touched.into_iter().map(&mut access).collect()
}
