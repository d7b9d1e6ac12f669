//! Shared by the tests of litmus tests: programs without branches that matter, written in each language, and a second opinion on
//! what they can do.
#![allow(dead_code)]

pub mod machine;
pub mod matrix;
pub mod program;
pub mod published;
pub mod sparc;

use axioms::Axioms;
use ccfa::{Budget, MemoryModel};
use litmus::test::Datum;
use program::Program;
use std::collections::BTreeSet;

/// Final states: the registers of each thread's reads in order, then memory.
pub type States = BTreeSet<Vec<i64>>;

/// What the product says of a text under these axioms. Every execution is verified.
pub fn states_with(text: &str, axioms: &Axioms) -> States {
    let test = litmus::parse(text).unwrap_or_else(|mistake| panic!("{mistake:?} in\n{text}"));
    let decision = litmus::decide(&test, axioms, &Budget::default()).expect("nobody stops it");
    assert!(decision.limits.is_empty(), "{:?} in\n{text}", decision.limits);
    let number = |value: &Datum| match value {
        Datum::Number(number) => *number,
        Datum::Address(_) => panic!("an address in\n{text}"),
    };
    for (state, candidate) in &decision.states {
        let verified = litmus::verify(&test, axioms, candidate);
        let (_, found) = verified.unwrap_or_else(|why| panic!("{why} in\n{text}"));
        assert_eq!(*state, found, "{text}");
    }
    decision.states.keys().map(|state| state.iter().map(number).collect()).collect()
}

/// What the axioms say if every candidate execution is asked for, also those that the product leaves out.
pub fn unpruned_states(program: &Program, axioms: &Axioms) -> States {
    let test = litmus::parse(&program.text()).expect("generated texts can be read");
    matrix::states(program, |graph| litmus::verify(&test, axioms, &graph.candidate()).is_ok())
}

/// What the second opinion is.
pub fn naive_states(program: &Program, model: MemoryModel) -> States {
    match model {
        MemoryModel::Sc => machine::states(program, machine::Buffers::None),
        MemoryModel::Tso => machine::states(program, machine::Buffers::Total),
        MemoryModel::Pso => machine::states(program, machine::Buffers::Partial),
        MemoryModel::Rmo => sparc::states(program),
        MemoryModel::Power => matrix::states(program, matrix::power),
        MemoryModel::Armv8 => matrix::states(program, matrix::armv8),
        MemoryModel::C11 => matrix::states(program, matrix::c11),
    }
}
