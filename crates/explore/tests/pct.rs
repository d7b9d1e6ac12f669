//! Randomised scheduling: what it finds passes `check`, and it knows when to stop.

use ccfa::Program;
use engine::{Budget, Engine, Silent, Stop};
use engine_suite::{Decided, Expect};
use evidence::{Reason, Verdict};
use explore::Pct;

/// It proves nothing.
const EXPECT: Expect = Expect { complete: false };

fn pct(program: &Program) -> Verdict {
    let found = Pct.verify(program, &Budget::default(), &mut Silent);
    engine_suite::confirm(program, found)
}

fn parse(text: &str) -> Program {
    ccfa::text::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Threads that add to `x`, and one that fails where it is `most`.
fn counters(count: &str, most: u32) -> Program {
    parse(&format!(
        r#"program "counters"
        shared x: u32 = 0
        template adds() {{
            local seen: u32 = 0
            entry start
            location start
            location between
            location end
            start -> between: seen := x
            between -> end: x := seen + 1
        }}
        template watches() {{
            entry start
            location start
            error bad: "all were counted"
            start -> bad: when x == {most}
        }}
        thread adds[{count}] = adds()
        thread watches = watches()"#
    ))
}

#[test]
fn what_is_found_is_confirmed() {
    // It met 14 and 2 errors when this was written.
    let models = engine_suite::models(&mut Pct, EXPECT);
    let random = engine_suite::random(&mut Pct, EXPECT, 0..40);
    for (found, unsafe_) in [(models, 10), (random, 1)] {
        let tally = found.unwrap_or_else(|failure| panic!("{failure}"));
        tally.demand(Decided { safe: 0, unsafe_ });
        assert_eq!(tally.safe, 0);
    }
}

#[test]
fn an_error_of_many_threads_is_met() {
    for program in [counters("40", 40), counters("*", 12)] {
        let found = pct(&program);
        assert!(matches!(found, Verdict::Unsafe(_)), "{found:?}");
    }
}

#[test]
fn values_are_guessed_from_constants() {
    let program = parse(
        r#"program "guess"
        template t() {
            local n: u32 = any
            local k: i64 = 0
            entry start
            location start
            location between
            error bad: "both are what they should be"
            start -> between: when n == 123456 then k := any
            between -> bad: when k > 777 && k < 780
        }
        thread t = t()"#,
    );
    assert!(matches!(pct(&program), Verdict::Unsafe(_)));
}

#[test]
fn without_an_error_there_is_no_answer() {
    let none = Verdict::Unknown(Reason::Beyond("randomised scheduling found no error".into()));
    assert_eq!(pct(&counters("2", 3)), none);
}

#[test]
fn a_budget_ends_them() {
    let budget = Budget::default();
    budget.stop(Stop::Timeout);
    let found = Pct.verify(&counters("2", 3), &budget, &mut Silent);
    assert_eq!(found, Verdict::Unknown(Reason::Timeout));
}
