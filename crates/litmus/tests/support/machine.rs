//! Machines that execute programs step by step: interleavings, and store buffers as x86-TSO has them (Sewell et al. 2010) and SPARC's PSO.
//! No axioms, and nothing of the product.

use super::States;
use super::program::{Kind, Program};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Buffers {
    /// Writes go to memory at once.
    None,
    /// Writes leave the buffer in their order.
    Total,
    /// Writes of one location leave the buffer in their order.
    Partial,
}

/// A write that waits, or a fence between writes.
type Waiting = Option<(usize, i64)>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    next: Vec<usize>,
    registers: Vec<Vec<i64>>,
    buffers: Vec<Vec<Waiting>>,
    memory: Vec<i64>,
}

/// All final states.
pub fn states(program: &Program, kind: Buffers) -> States {
    let threads = program.threads.len();
    let start = State {
        next: vec![0; threads],
        registers: vec![Vec::new(); threads],
        buffers: vec![Vec::new(); threads],
        memory: vec![0; program.locations()],
    };
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    let mut found = States::new();
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let mut is_final = true;
        for thread in 0..threads {
            let successors = successors(program, kind, &state, thread);
            is_final &= state.next[thread] == program.threads[thread].len()
                && state.buffers[thread].is_empty();
            open.extend(successors);
        }
        if is_final {
            found.insert(state.registers.concat().into_iter().chain(state.memory).collect());
        }
    }
    found
}

fn successors(program: &Program, kind: Buffers, state: &State, thread: usize) -> Vec<State> {
    let mut found = Vec::new();
    let buffer = &state.buffers[thread];
    for position in 0..buffer.len() {
        let before = &buffer[..position];
        let may_leave = match (kind, buffer[position]) {
            (Buffers::Partial, Some((location, _))) => {
                before.iter().all(|earlier| earlier.is_some_and(|(other, _)| other != location))
            }
            _ => position == 0,
        };
        if may_leave {
            let mut next = state.clone();
            if let Some((location, value)) = next.buffers[thread].remove(position) {
                next.memory[location] = value;
            }
            found.push(next);
        }
    }
    let Some(step) = program.threads[thread].get(state.next[thread]) else {
        return found;
    };
    let mut next = state.clone();
    next.next[thread] += 1;
    let drains = step.kind == Kind::Swap || step.mark == "MFENCE";
    if drains && !buffer.is_empty() {
        return found;
    }
    match step.kind {
        Kind::Read => {
            let own =
                buffer.iter().rev().flatten().find(|(location, _)| *location == step.location);
            let value = own.map_or(state.memory[step.location], |(_, value)| *value);
            next.registers[thread].push(value);
        }
        Kind::Write if kind == Buffers::None => next.memory[step.location] = step.value,
        Kind::Write => next.buffers[thread].push(Some((step.location, step.value))),
        Kind::Swap => {
            next.registers[thread].push(state.memory[step.location]);
            next.memory[step.location] = step.value;
        }
        Kind::Fence if step.mark == "SFENCE" && kind == Buffers::Partial => {
            next.buffers[thread].push(None);
        }
        Kind::Fence => {}
    }
    found.push(next);
    found
}
