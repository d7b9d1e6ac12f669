//! A second opinion: machines with store buffers, SPARC's memory orders, and axioms written a second time as tables of truth values give the same
//! final states as the product, for random programs under every model.

mod support;

use ccfa::MemoryModel;
use ccfa::random::Rng;
use support::program::{language_of, random};
use support::{naive_states, states_with, unpruned_states};

/// Programs for each model, in a run of the tests.
const PROGRAMS: u64 = 600;

/// Of programs with more accesses, not all candidates are tried: these are too many.
const MAX_UNPRUNED_ACCESSES: usize = 5;

fn agree(model: MemoryModel, accesses: usize) {
    let axioms = axioms::axioms(model);
    let (mut weak, mut states) = (0, 0);
    for seed in 0..PROGRAMS {
        let accesses = 3 + (seed as usize % (accesses - 2));
        let program = random(language_of(model), accesses, &mut Rng::new(seed));
        let text = program.text();
        let found = states_with(&text, &axioms);
        assert_eq!(found, naive_states(&program, model), "{model}, seed {seed}:\n{text}");
        if accesses <= MAX_UNPRUNED_ACCESSES {
            let unpruned = unpruned_states(&program, &axioms);
            assert_eq!(found, unpruned, "{model}, seed {seed}: without pruning:\n{text}");
        }
        states += found.len();
        weak += usize::from(
            model != MemoryModel::Sc && found != naive_states(&program, MemoryModel::Sc),
        );
    }
    println!(
        "{model}: {PROGRAMS} programs, {states} final states; {weak} programs are not sequential"
    );
    assert!(model == MemoryModel::Sc || weak >= 5, "{model}: only {weak} programs show it");
}

#[test]
fn sequential_consistency() {
    agree(MemoryModel::Sc, 8);
}

#[test]
fn total_store_order() {
    agree(MemoryModel::Tso, 8);
}

#[test]
fn partial_store_order() {
    agree(MemoryModel::Pso, 8);
}

#[test]
fn relaxed_memory_order() {
    agree(MemoryModel::Rmo, 7);
}

#[test]
fn power() {
    agree(MemoryModel::Power, 6);
}

#[test]
fn armv8() {
    agree(MemoryModel::Armv8, 6);
}

#[test]
fn c11() {
    agree(MemoryModel::C11, 6);
}
