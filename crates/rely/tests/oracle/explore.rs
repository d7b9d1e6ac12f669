//! The meaning of a program, by brute force: all interleavings and all orders of evaluation, state by state.

use crate::code::compile;
use crate::machine::{Machine, Outcome, State};
use crate::order::Orders;
use crate::tree::Program;
use ccfa::Undefined;
use std::collections::{BTreeSet, HashSet};

/// Programs with more states are left out: each takes some microseconds and about a kilobyte.
const MAX_STATES: usize = 10_000;

/// What executions of a program can come to.
#[derive(Debug, Default)]
pub struct Meaning {
    pub fails: bool,
    pub undefined: BTreeSet<Undefined>,
    /// The same without steps that only read.
    pub undefined_but_for_reads: BTreeSet<Undefined>,
    is_too_large: bool,
    pub observed: BTreeSet<Vec<i128>>,
}

/// The meaning of a program, unless it is too large.
pub fn explore(program: &Program, orders: Orders) -> Option<Meaning> {
    let code = compile(program);
    let machine = Machine { code: &code, orders };
    let mut meaning = Meaning::default();
    let (mut seen, mut pending) = (HashSet::new(), Vec::new());
    meaning.note(machine.initial(), &mut pending);
    while let Some(state) = pending.pop() {
        if seen.contains(&state) {
            continue;
        }
        for outcome in machine.successors(&state) {
            meaning.note(outcome, &mut pending);
        }
        seen.insert(state);
        if seen.len() > MAX_STATES || meaning.is_too_large {
            return None;
        }
    }
    (!meaning.is_too_large).then_some(meaning)
}

impl Meaning {
    fn note(&mut self, outcome: Outcome, pending: &mut Vec<State>) {
        match outcome {
            Outcome::Next(state) => pending.push(state),
            Outcome::Fails => self.fails = true,
            Outcome::Undefined { what, is_read } => {
                self.undefined.insert(what);
                if !is_read {
                    self.undefined_but_for_reads.insert(what);
                }
            }
            Outcome::TooLarge => self.is_too_large = true,
            Outcome::Over => {}
            Outcome::Observed(values, state) => {
                self.observed.insert(values);
                pending.push(state);
            }
        }
    }
}
