//! What every engine must pass, with each method. Every verdict is confirmed by `check`.

use ccfa::Program;
use engine::{Budget, Engine, Silent};
use engine_suite::{Decided, Expect, oracle, tiny};
use evidence::{Reason, Verdict};
use thread_modular::{Method, ThreadModular};

/// Each method, and how many of 250 random programs and of the models it decides at least. When this was written, it was 210 to 222 and 18 of the
/// programs, and 16, 7, 15 and 16, and 11, 0, 10 and 12 of the models; a few take about as long as is allowed. TMMC by itself finds no errors.
const METHODS: [(Method, Decided, Decided); 4] = [
    (Method::Auto, decided(200, 16), decided(12, 8)),
    (Method::Tmmc, decided(200, 0), decided(5, 0)),
    (Method::Tmmcir, decided(200, 16), decided(11, 7)),
    (Method::Afr, decided(190, 16), decided(12, 9)),
];

const fn decided(safe: usize, unsafe_: usize) -> Decided {
    Decided { safe, unsafe_ }
}

/// Thread-modular checking alone is not complete, and some variables have too many values.
const INCOMPLETE: Expect = Expect { complete: false };

/// Of the tiny programs, debug builds take one in so many.
const STEP: usize = if cfg!(debug_assertions) { 13 } else { 1 };

#[test]
fn refinement_and_forward_search_decide_tiny_programs() {
    for (number, program) in tiny::programs().enumerate().step_by(STEP) {
        for method in [Method::Tmmcir, Method::Afr] {
            let right = decides(method, &program);
            let text = || ccfa::text::print(&program);
            assert!(right, "{method:?} on tiny program {number}:\n{}", text());
        }
    }
}

/// Is the verdict confirmed, and what the naive search says?
fn decides(method: Method, program: &Program) -> bool {
    let truth = oracle::truth(program).expect("tiny programs can be searched");
    let verdict = ThreadModular { method }.verify(program, &Budget::default(), &mut Silent);
    match engine_suite::confirm(program, verdict) {
        Verdict::Safe(_) => !truth.error && !truth.limit,
        Verdict::Unsafe(_) => truth.error,
        Verdict::Unknown(Reason::Limit { .. } | Reason::Undefined { .. }) => truth.limit,
        Verdict::Unknown(_) => false,
    }
}

#[test]
fn random_programs() {
    for (method, least, _) in METHODS {
        let tally = engine_suite::random(&mut ThreadModular { method }, INCOMPLETE, 0..250);
        tally.unwrap_or_else(|failure| panic!("{failure}")).demand(least);
    }
}

#[test]
fn models() {
    for (method, _, least) in METHODS {
        let tally = engine_suite::models(&mut ThreadModular { method }, INCOMPLETE);
        tally.unwrap_or_else(|failure| panic!("{failure}")).demand(least);
    }
}
