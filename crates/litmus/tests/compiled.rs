//! Compiled programs do nothing that the language forbids: on x86, Power and ARMv8 the final states of a program in C are among those of
//! RC11, as was proved of the schemes (Lahav et al. 2017, Section 5; Podkopaev, Lahav, Vafeiadis 2019). RC11 forbids load buffering, which relaxed accesses do
//! not on Power and ARMv8: there the axiom `no-thin-air` is left out. (The random programs have no dependencies.)

mod support;

use axioms::Axioms;
use ccfa::random::Rng;
use ccfa::{Budget, MemoryModel};
use litmus::test::{Datum, LitmusTest};
use std::collections::BTreeSet;
use support::program::{Language, random};
use support::published::{SHAPES, combinations, named};

fn states(test: &LitmusTest, axioms: &Axioms) -> BTreeSet<Vec<Datum>> {
    let decision = litmus::decide(test, axioms, &Budget::default()).expect("nobody stops it");
    assert!(decision.limits.is_empty(), "{:?}", decision.limits);
    decision.states.into_keys().collect()
}

/// RC11 as far as the scheme of a machine keeps it.
fn language(model: MemoryModel) -> Axioms {
    let text = axioms::text(MemoryModel::C11);
    let thin_air = "acyclic po | rf as no-thin-air";
    assert!(text.contains(thin_air), "the axiom is there");
    let text = match model {
        MemoryModel::Power | MemoryModel::Armv8 => text.replace(thin_air, ""),
        _ => text.to_string(),
    };
    Axioms::parse(&text).expect("what is left can be read")
}

fn texts() -> Vec<String> {
    let mut texts = Vec::new();
    for seed in 0..500 {
        let program = random(Language::C, 3 + seed as usize % 5, &mut Rng::new(seed));
        texts.push(program.text());
    }
    for (shape, _) in SHAPES {
        let all = combinations(MemoryModel::C11, shape);
        let few = all.iter().filter(|links| links.len() < 3);
        texts.extend(few.map(|links| named(MemoryModel::C11, shape, links).program.text()));
    }
    texts
}

fn machine_keeps_the_language(model: MemoryModel) {
    let (machine, language) = (axioms::axioms(model), language(model));
    let (mut fewer, mut weak, texts) = (0, 0, texts());
    for text in &texts {
        let test = litmus::parse(text).expect("generated texts can be read");
        let compiled = states(&litmus::compile(&test, model), &machine);
        let allowed = states(&test, &language);
        assert!(compiled.is_subset(&allowed), "{model}:\n{text}");
        let sequential = states(&test, &axioms::axioms(MemoryModel::Sc));
        assert!(sequential.is_subset(&compiled), "{model}:\n{text}");
        fewer += usize::from(compiled != allowed);
        weak += usize::from(compiled != sequential);
    }
    println!("{model}: {} programs, {fewer} do less than they may, {weak} are weak", texts.len());
    assert!(fewer > 0 && weak > 0, "{model}: nothing is seen of it");
}

#[test]
fn x86() {
    machine_keeps_the_language(MemoryModel::Tso);
}

#[test]
fn pso() {
    machine_keeps_the_language(MemoryModel::Pso);
}

#[test]
fn power() {
    machine_keeps_the_language(MemoryModel::Power);
}

#[test]
fn armv8() {
    machine_keeps_the_language(MemoryModel::Armv8);
}

/// Branches of the source lead to where they did.
#[test]
fn branches_survive() {
    let text = "C branches
{ x = 1; }
P0 (atomic_int* x, int* y) {
  int r0 = 0;
  if (atomic_load(x)) {
    atomic_store(x, 2);
    *y = 1;
  } else {
    r0 = 5;
  }
  r0 = r0 + atomic_fetch_add(x, 1);
}
locations [0:r0; x; y;]
exists (true)";
    let test = litmus::parse(text).expect("the test can be read");
    let expected = [2, 3, 1].map(Datum::Number).to_vec();
    for model in [MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Power, MemoryModel::Armv8] {
        let found = states(&litmus::compile(&test, model), &axioms::axioms(model));
        assert_eq!(found, BTreeSet::from([expected.clone()]), "{model}");
    }
}
