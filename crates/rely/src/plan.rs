//! The plans: which engine has its turn when, for how long, and why. Times were measured on the programs of `bench/README.md`.

use crate::options::CheckOptions;
use ccfa::{LocKind, Program, Template, Undefined};
use engine::{Descriptor, Engine};
use std::time::Duration;

/// It is an engine's turn.
pub struct Turn {
    pub engine: Box<dyn Engine>,
    /// How long it may work.
    pub time: Option<Duration>,
    /// For the user: why it is this engine's turn.
    pub why: &'static str,
}

/// A part of the plan. A program that cannot overflow has one part, the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanPart {
    /// All of it.
    Whole,
    /// For several questions: no engine for long, so that there is time to ask one by one.
    Together,
    /// What comes before signed overflow is followed: the quick rows.
    First,
    /// The same rows, with any value where signed arithmetic overflows.
    Followed,
    /// The thorough rows.
    Rest,
    /// What decides deadlocks that are errors.
    DeadlocksAsErrors,
    /// What decides whether resources are taken in order.
    InOrder,
}

/// The engine the user asked for, or a part of the plan for the program.
pub fn plan(options: &CheckOptions, program: &Program, part: PlanPart) -> Vec<Turn> {
    let turn = |engine: &Descriptor, time, why| {
        let engine = (engine.make)(&options.settings);
        Turn { engine, time, why }
    };
    let deadlocks = program.property.deadlocks;
    let EnginePlan { quick, thorough } = match deadlocks {
        true => PLAN_FOR_DEADLOCKS,
        false if program.is_parameterised() => PARAMETERISED_PLAN,
        false => PLAN,
    };
    let nothing: &[Row] = &[];
    let ([first, then], most) = match part {
        // There is no interference with one thread: to look along its path is quickest.
        PlanPart::DeadlocksAsErrors if has_one_instance(program) => {
            ([&PLAN_FOR_DEADLOCKS_AS_ERRORS[1..], nothing], None)
        }
        PlanPart::DeadlocksAsErrors => ([&PLAN_FOR_DEADLOCKS_AS_ERRORS, nothing], None),
        PlanPart::InOrder if program.is_parameterised() => {
            ([&PARAMETERISED_PLAN_IN_ORDER, nothing], None)
        }
        PlanPart::InOrder => ([&PLAN_IN_ORDER, nothing], None),
        PlanPart::Rest => ([nothing, thorough], None),
        // One thread by itself waits for no other: if its states are many, its values say more.
        _ if deadlocks && has_one_instance(program) => {
            ([quick, nothing], Some(MAX_TIME_FOR_ONE_THREAD))
        }
        _ if deadlocks => ([quick, nothing], None),
        PlanPart::First if may_overflow(program) => {
            ([quick, nothing], Some(MAX_TIME_BEFORE_OVERFLOW))
        }
        PlanPart::Followed => ([quick, nothing], Some(MAX_TIME_FOLLOWED)),
        PlanPart::First | PlanPart::Whole => ([quick, thorough], None),
        PlanPart::Together => ([quick, thorough], Some(MAX_TIME_TOGETHER)),
    };
    if let Some(engine) = options.engine {
        return vec![turn(engine, most, "as asked")];
    }
    let mut turns: Vec<Turn> = Vec::new();
    for &(engine, time, why) in first.iter().chain(then) {
        let time = time.into_iter().chain(most).min();
        if !has_tried(&turns, engine.name, time) {
            turns.push(turn(engine, time, why));
        }
    }
    turns
}

/// Was it the engine's turn already for as long as this? It would find no more.
fn has_tried(turns: &[Turn], name: &str, time: Option<Duration>) -> bool {
    let time = time.unwrap_or(Duration::MAX);
    turns
        .iter()
        .any(|turn| turn.engine.name() == name && turn.time.is_none_or(|tried| tried >= time))
}

/// Is there a place where signed arithmetic overflows?
pub fn may_overflow(program: &Program) -> bool {
    let overflow = LocKind::Undefined(Undefined::SignedOverflow);
    let locations = |template: &Template| template.locations.iter().any(|at| at.kind == overflow);
    program.templates.iter().any(locations)
}

fn has_one_instance(program: &Program) -> bool {
    !program.is_parameterised() && program.instances(0).len() == 1
}

/// An engine, how long it may work at most, and why it is its turn.
type Row = (&'static Descriptor, Option<Duration>, &'static str);

const fn seconds(number: u64) -> Option<Duration> {
    Some(Duration::from_secs(number))
}

const fn milliseconds(number: u64) -> Option<Duration> {
    Some(Duration::from_millis(number))
}

/// Errors that are many steps away may be met at random.
const PCT: Row = (&explore::PCT, seconds(5), "no proof and no near error was found");

/// Many are met soon, and then long before a proof is tried in vain.
const SHORT_PCT: Row =
    (&explore::PCT, milliseconds(500), "an error that is many steps away may be met at random");

/// What is tried when no engine is asked for, one after the other. An engine that is asked again begins again: the times grow, so that it
/// loses no more than half.
struct EnginePlan {
    /// First, each engine for a short time: most answers are found then.
    quick: &'static [Row],
    /// What is hard for all, all try for longer.
    thorough: &'static [Row],
}

/// Most small programs are explored in a moment; of larger ones, what a student proves in a line `values` proves as fast. What the explorer can
/// decide at all it mostly decides within seconds, and `impact`, too; threads that depend on each other in a simple way are for `rely-guarantee`.
const PLAN: EnginePlan = EnginePlan {
    quick: &[
        (&explore::EXPLORE, milliseconds(200), "small programs are explored quickest"),
        (&values::VALUES, seconds(2), "exploration did not decide it in a moment"),
        (&explore::EXPLORE, seconds(2), "values of variables were not enough for a proof"),
        SHORT_PCT,
        (&impact::IMPACT, seconds(5), "exploration did not decide it quickly"),
        (&rely_guarantee::RELY_GUARANTEE, seconds(5), "lazy abstraction did not decide it quickly"),
    ],
    thorough: &[
        (&thread_modular::THREAD_MODULAR, seconds(5), "no proof by predicates was found quickly"),
        (&explore::EXPLORE, seconds(8), "there may be more states than a moment shows"),
        PCT,
        (&rely_guarantee::RELY_GUARANTEE, seconds(15), "a proof by predicates may be large"),
        (&values::VALUES, seconds(15), "a proof by values may be large"),
        (&explore::EXPLORE, seconds(20), "looking at threads by themselves did not decide it"),
        (&impact::IMPACT, None, "exploration did not decide it"),
    ],
};

/// The same for parameterised programs. `explore` and `impact` look at finite instances, so
/// they find errors and no proofs; most errors need few threads and are found at once.
const PARAMETERISED_PLAN: EnginePlan = EnginePlan {
    quick: &[
        (&explore::EXPLORE, seconds(2), "errors of few threads are explored quickest"),
        SHORT_PCT,
        (&rely_guarantee::RELY_GUARANTEE, seconds(5), "threads in any number need a proof for all"),
    ],
    thorough: &[
        (&impact::IMPACT, seconds(5), "no proof by predicates was found quickly"),
        (&rely_guarantee::RELY_GUARANTEE, seconds(15), "lazy abstraction found no error quickly"),
        (&thread_modular::THREAD_MODULAR, seconds(5), "no proof by predicates was found"),
        PCT,
        (&explore::EXPLORE, seconds(15), "looking at threads by themselves did not decide it"),
        (&rely_guarantee::RELY_GUARANTEE, seconds(60), "exploration did not decide it"),
        (&impact::IMPACT, None, "no proof by predicates was found"),
    ],
};

/// The same for deadlocks: before engines look for them as for errors, and after.
const PLAN_FOR_DEADLOCKS: EnginePlan = EnginePlan {
    quick: &[(&explore::EXPLORE, seconds(3), "deadlocks are found by looking at all states")],
    thorough: &[(&explore::EXPLORE, None, "looking for deadlocks as for errors did not decide it")],
};

/// The same where deadlocks are errors. Most programs without one have a simple proof.
const PLAN_FOR_DEADLOCKS_AS_ERRORS: [Row; 5] = [
    (
        &rely_guarantee::RELY_GUARANTEE,
        seconds(3),
        "looking at all states did not decide it quickly",
    ),
    (&impact::IMPACT, seconds(5), "no proof by predicates was found quickly"),
    (&rely_guarantee::RELY_GUARANTEE, seconds(15), "lazy abstraction did not decide it quickly"),
    (&thread_modular::THREAD_MODULAR, seconds(5), "no proof by predicates was found"),
    PCT,
];

/// The same where it is an error to take resources out of order: each thread is looked at by itself.
const PLAN_IN_ORDER: [Row; 2] = [
    (&values::VALUES, seconds(1), "locks are taken in an order"),
    (&rely_guarantee::RELY_GUARANTEE, seconds(2), "values of variables were not enough"),
];

/// The same for parameterised programs.
const PARAMETERISED_PLAN_IN_ORDER: [Row; 1] = [(
    &rely_guarantee::RELY_GUARANTEE,
    seconds(30),
    "locks are taken in an order, by threads in any number",
)];

/// So long an engine that the user asked for works before signed overflow is followed: most proofs are found in this time. (No quick row takes longer.)
const MAX_TIME_BEFORE_OVERFLOW: Duration = Duration::from_secs(5);
/// So long it works while overflow is followed: after that, it looks for errors again, since there may be no proof.
const MAX_TIME_FOLLOWED: Duration = Duration::from_secs(15);

/// An engine that is asked several questions together tries no longer than this, so that there is time to ask one by one.
const MAX_TIME_TOGETHER: Duration = Duration::from_secs(5);

/// So long the states of a single thread are looked at for deadlocks before these are errors: small programs are explored in this time.
const MAX_TIME_FOR_ONE_THREAD: Duration = Duration::from_millis(200);
