//! Assertions for many small programs, right and wrong ones. What the checker accepts is true
//! in every state that brute force finds, for several numbers of instances; and the exact
//! assertions about all instances together are accepted wherever the program is safe.

mod asked;
mod views;
use ccfa::random::{Rng, Shape};
use ccfa::{Count, LocId, Program, Type};
use engine_suite::tiny;
use views::naive::{Reachable, Seen, Sketch, everyone, proof, small_views};
use views::{refusal, write};

/// So many of the tiny programs are left out after each one that is taken.
const STRIDE: usize = 197;
const SEEDS: std::ops::Range<u64> = 0..400;

/// Small programs with their names. Every other one is asked for error locations alone.
fn programs() -> impl Iterator<Item = (String, Program)> {
    let tiny = tiny::programs().enumerate().step_by(STRIDE);
    let tiny = tiny.map(|(number, program)| (format!("tiny program {number}"), program));
    let shape = Shape {
        threads: 2,
        shared: 2,
        locals: 1,
        locations: 3,
        edges: 3,
        types: vec![Type::Bool, Type::unsigned(1), Type::signed(2)],
        ..Shape::default()
    };
    let random =
        SEEDS.map(move |seed| (format!("seed {seed}"), ccfa::random::program(seed, &shape)));
    tiny.chain(random).enumerate().map(|(number, (name, mut program))| {
        if number % 2 == 1 {
            asked::ask(&mut program, &mut Rng::new(number as u64));
        }
        (name, program)
    })
}

/// The program with any number of each thread whose arguments do not depend on the index.
fn replicated(mut program: Program) -> Program {
    for thread in &mut program.threads {
        if thread.args.iter().all(|arg| matches!(arg, ccfa::Arg::Value(_))) {
            thread.count = Count::Any;
        }
    }
    program
}

fn show(name: &str, program: &Program, sketches: &[Sketch]) -> String {
    let subject = asked::subject(program);
    let proof = proof(&subject, sketches);
    format!("{name}\n{}\n{}", ccfa::text::print(program), write(&subject, &proof))
}

#[test]
fn exact_assertions_about_everyone_pass_if_and_only_if_the_program_is_safe() {
    let (mut passed, mut refused) = (0, 0);
    for (number, (name, program)) in programs().enumerate() {
        let subject = asked::subject(&program);
        let Some(reachable) = Reachable::new(&subject, 0) else { continue };
        let sketch = reachable.strongest(everyone(&subject, number % 2 == 0));
        let why = refusal(&program, proof(&subject, std::slice::from_ref(&sketch)));
        let expected = reachable.is_bad();
        let is_bad = asked::truth(&program, 0).is_some_and(|truth| truth.contains(&true));
        assert!(expected || !is_bad, "{}", show(&name, &program, &[sketch]));
        assert_eq!(why.is_some(), expected, "{why:?}\n{}", show(&name, &program, &[sketch]));
        *(if expected { &mut refused } else { &mut passed }) += 1;
    }
    assert!(passed > 100 && refused > 100, "{passed} passed, {refused} refused");
}

#[test]
fn what_passes_is_true() {
    let (mut passed, mut refused) = (0, 0);
    for (number, (name, program)) in programs().enumerate() {
        let mut rng = Rng::new(number as u64);
        let program = if rng.one_in(2) { replicated(program) } else { program };
        let subject = asked::subject(&program);
        let all: Option<Vec<_>> = (1..=3).map(|n| Reachable::new(&subject, n)).collect();
        let Some(all) = all else { continue };
        let instances = rng.below(3);
        let mut sketches = sketches(&mut rng, &subject, &all[instances]);
        for round in 0..5 {
            if round > 0 {
                spoil(&mut rng, &mut sketches);
            }
            let why = refusal(&program, proof(&subject, &sketches));
            let is_true = all.iter().all(|reachable| {
                !reachable.is_bad() && sketches.iter().all(|sketch| reachable.satisfies(sketch))
            });
            assert!(
                why.is_some() || is_true,
                "round {round}: {}",
                show(&name, &program, &sketches)
            );
            *(if why.is_some() { &mut refused } else { &mut passed }) += 1;
        }
    }
    assert!(passed > 100 && refused > 100, "{passed} passed, {refused} refused");
}

/// The strongest assertions about some views.
fn sketches(rng: &mut Rng, program: &Program, reachable: &Reachable) -> Vec<Sketch> {
    let mut views = small_views(program);
    if !program.is_parameterised() {
        let named = rng.one_in(2);
        views.push(everyone(program, named));
    }
    let fewer = if rng.one_in(2) { views.len() } else { 1 + rng.below(views.len()) };
    let views = views.into_iter().rev().take(fewer);
    views.map(|slots| reachable.strongest(slots)).collect()
}

/// Changes something.
fn spoil(rng: &mut Rng, sketches: &mut [Sketch]) {
    let number = rng.below(sketches.len());
    let sketch = &mut sketches[number];
    if sketch.regions.is_empty() {
        return;
    }
    let number = rng.below(sketch.regions.len());
    match rng.below(6) {
        0 => drop(sketch.regions.remove(number)),
        1..=3 => abstracted(rng, &mut sketch.regions[number]),
        4 => {
            let mut more = sketch.regions[number].clone();
            abstracted(rng, &mut more);
            sketch.regions.push(more);
        }
        _ => {
            let region = &mut sketch.regions[number];
            let slot = rng.below(region.at.len());
            region.at[slot] = Some(LocId(rng.below(2) as u32));
        }
    }
}

/// Says less, or something else.
fn abstracted(rng: &mut Rng, seen: &mut Seen) {
    if rng.one_in(2) || seen.cells.is_empty() {
        let slot = rng.below(seen.at.len());
        seen.at[slot] = None;
    } else {
        let cell = rng.below(seen.cells.len());
        seen.cells[cell] = if rng.one_in(4) { Some(rng.below(2) as i128) } else { None };
    }
}
