//! Engine **values**: thread-modular abstract interpretation. Proves what a few values of variables prove, however many rounds loops
//! have; finds no errors.
//!
//! A. Miné, *Static analysis of run-time errors in embedded critical parallel C programs*, ESOP 2011: each thread is analysed by itself, with the interference of
//! the others, until neither grows. A state of a thread says of each cell which values it can have (`ranges`).
//!
//! What differs:
//! - **Locks are variables.** There, what is known of locks decides which writes interfere. Here a thread that owns a lock knows the value of the variable
//!   that says so, and interference is applied to what both threads know (`fixpoint`).
//! - **Keys.** States are kept apart by the values of some cells (trace partitioning). Which cells is tried: none, shared ones that guards
//!   read, counters of loops, both (`precision`).
//!
//! The fixpoint is invariant under all steps, so it is a proof as rely-guarantee reasoning has them (`evidence::Assertions`), and `check`
//! confirms it: nothing here is trusted.
//!
//! Reading order: `fixpoint`, `step`, `ranges` with `table` and `layout`, `precision`, `proof`.

mod descriptor;
mod fixpoint;
mod layout;
mod precision;
mod proof;
mod ranges;
mod step;
mod table;

use ccfa::Program;
use engine::{Budget, Counter, Engine, Event, Observer};
use evidence::{Proof, Reason, Verdict};
use fixpoint::{Failed, Fixpoint, Precision, Threads, fixpoint};
use precision::{ATTEMPTS, coarsest, only_accessed, with_keys};

pub use descriptor::VALUES;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct AbstractValues;

impl Engine for AbstractValues {
    fn name(&self) -> &'static str {
        "values"
    }

    fn verify(
        &mut self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict {
        if program.is_parameterised() {
            let why = "threads in any number: their values are not followed";
            return Verdict::Unknown(Reason::Beyond(why.to_string()));
        }
        let threads = Threads::new(program);
        match prove(&threads, budget, observer) {
            Ok(Some(proof)) => Verdict::Safe(proof),
            Ok(None) => {
                let why = "what values variables can have says too little for a proof";
                Verdict::Unknown(Reason::Beyond(why.to_string()))
            }
            Err(stop) => Verdict::Unknown(stop.into()),
        }
    }
}

/// A proof, if one of the attempts gives one.
fn prove(
    threads: &Threads,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Option<Proof>, ccfa::Stop> {
    let coarse = coarsest(threads);
    let Some(mut first) = run(threads, &coarse, false, budget)? else { return Ok(None) };
    if !first.fails {
        return smaller(threads, &coarse, first, budget).map(Some);
    }
    for keys in ATTEMPTS {
        let precision = with_keys(&mut first, threads, keys);
        let Some(found) = run(threads, &precision, true, budget)? else { continue };
        let states = Counter { name: "states of threads", value: found.partitions.len() as u64 };
        observer.event(Event::Counters(&[states]));
        if !found.fails {
            return smaller(threads, &precision, found, budget).map(Some);
        }
    }
    Ok(None)
}

/// The fixpoint with this precision, unless it has too many states.
fn run<'a, 'p>(
    threads: &'a Threads<'p>,
    precision: &'a Precision,
    until_error: bool,
    budget: &'a Budget,
) -> Result<Option<Fixpoint<'a, 'p>>, ccfa::Stop> {
    match fixpoint(threads, precision, until_error, budget) {
        Ok(fixpoint) => Ok(Some(fixpoint)),
        Err(Failed::TooMany) => Ok(None),
        Err(Failed::Stopped(stop)) => Err(stop),
    }
}

/// The proof that a fixpoint is, or a smaller one: mostly a thread need not know what it does not access.
fn smaller(
    threads: &Threads,
    precision: &Precision,
    mut found: Fixpoint,
    budget: &Budget,
) -> Result<Proof, ccfa::Stop> {
    let less = only_accessed(&mut found, threads, precision);
    let again = run(threads, &less, true, budget)?.filter(|again| !again.fails);
    let assertions = proof::proof(again.as_ref().unwrap_or(&found), threads);
    Ok(Proof::Assertions(assertions))
}
