//! Tests that every engine must pass, as a library for the engines' own tests.
//!
//! Three sources of programs: [`tiny`](mod@tiny) (every program of two threads,
//! two bits and a few steps), [`random`] (larger ones from seeds) and [`models`](mod@models)
//! (written by hand, with the verdict they expect). Each verdict must pass
//! `check`, and must agree with the [`oracle`] and the model's own word. A
//! program on which an engine fails is made smaller ([`shrink`]) and shown.
//!
//! An engine that always answers UNKNOWN is never wrong, and is of no use: so each says how many
//! programs it decides at least.
//!
//! ```ignore
//! let least = Decided { safe: 30_000, unsafe_: 51_000 };
//! engine_suite::run_all(&mut Explorer::default(), Expect { complete: true }, least);
//! ```

pub mod accesses;
mod judge;
pub mod models;
pub mod oracle;
pub mod shrink;
pub mod tiny;

pub use judge::{Decided, EngineFailure, Expect, Tally};

use ccfa::Program;
use ccfa::random::Shape;
use engine::{Budget, Engine};
use evidence::{Proof, Verdict};
use judge::Judge;
use std::ops::Range;

/// Seeds that [`run_all`] takes.
const SEEDS: Range<u64> = 0..1000;

/// The verdict if its evidence holds, however long that takes to check.
pub fn confirm(program: &Program, verdict: Verdict) -> Verdict {
    check::confirm(program, verdict, solve::integers, &Budget::default())
}

/// A proof for a program as `check` takes it: if races are asked for, it is about the program in which they are errors.
pub fn about(program: &Program, proof: Proof) -> Proof {
    match program.property.races {
        true => Proof::RacesAsErrors(Box::new(proof)),
        false => proof,
    }
}

/// Runs everything. Panics at the first failure, with the program, and if it decides fewer programs
/// than it should.
pub fn run_all(engine: &mut dyn Engine, expect: Expect, least: Decided) -> Tally {
    let mut everything = || {
        let mut tally = models(engine, expect)?;
        tally.add(random(engine, expect, SEEDS)?);
        tally.add(tiny(engine, expect)?);
        Ok(tally)
    };
    let tally = everything().unwrap_or_else(|failure: EngineFailure| panic!("{failure}"));
    tally.demand(least);
    tally
}

/// Every tiny program.
pub fn tiny(engine: &mut dyn Engine, expect: Expect) -> Result<Tally, EngineFailure> {
    let mut judge = Judge::new(engine, expect);
    for (number, program) in tiny::programs().enumerate() {
        judge.program(&program, None, || format!("tiny program {number}"))?;
    }
    Ok(judge.tally)
}

/// Random programs, one for each seed; every fourth also with model limits and with
/// parameterised threads.
pub fn random(
    engine: &mut dyn Engine,
    expect: Expect,
    seeds: Range<u64>,
) -> Result<Tally, EngineFailure> {
    let mut judge = Judge::new(engine, expect);
    for seed in seeds {
        let shape = Shape { decorated: seed % 4 == 0, ..Shape::default() };
        let program = ccfa::random::program(seed, &shape);
        judge.program(&program, None, || format!("random program with seed {seed}"))?;
    }
    Ok(judge.tally)
}

/// The models under `data`.
pub fn models(engine: &mut dyn Engine, expect: Expect) -> Result<Tally, EngineFailure> {
    let mut judge = Judge::new(engine, expect);
    for model in models::all() {
        judge.program(&model.program, Some(model.expected), || model.name.clone())?;
    }
    Ok(judge.tally)
}
