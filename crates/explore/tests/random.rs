//! Random programs: `explore`, in every configuration, against the naive search
//! of `reference`, and every verdict through `check`.

mod reference;

use ccfa::footprint::AccessSummaries;
use ccfa::random::{Shape, program};
use ccfa::semantics::{State, System};
use ccfa::{Program, Type};
use engine::{Budget, Engine, Silent};
use evidence::{ClosedSet, Layout, Proof, Reason, Verdict};
use explore::{Explorer, SearchOrder};
use reference::{Reachable, check_closed, reachable};
use std::collections::HashSet;

/// Programs with more states are passed over.
const MOST: usize = 1500;

const ALL: [Explorer; 6] = [
    Explorer { order: SearchOrder::BreadthFirst, reduce: false, keep: usize::MAX },
    Explorer { order: SearchOrder::DepthFirst, reduce: false, keep: usize::MAX },
    Explorer { order: SearchOrder::BreadthFirst, reduce: true, keep: usize::MAX },
    Explorer { order: SearchOrder::DepthFirst, reduce: true, keep: usize::MAX },
    Explorer { order: SearchOrder::BreadthFirst, reduce: true, keep: 0 },
    Explorer { order: SearchOrder::DepthFirst, reduce: true, keep: 0 },
];

/// How often each thing came up: a test of nothing would pass as well.
#[derive(Debug, Default)]
struct Tally {
    safe: usize,
    reduced: usize,
    /// Reduced by more than what locations say.
    ahead: usize,
    /// Some states are left out.
    thin: usize,
    found: usize,
    limits: usize,
    beyond: usize,
}

#[test]
fn small_types_are_decided_exactly() {
    let mut tally = Tally::default();
    for seed in 0..1000 {
        compare(&program(seed, &Shape::default()), true, &mut tally);
    }
    let Tally { safe, reduced, thin, found, beyond, .. } = tally;
    assert!(safe > 750 && reduced > 300 && found > 300 && beyond == 0, "{tally:?}");
    assert!(thin > 50, "{tally:?}");
}

#[test]
fn threads_that_meet_seldom_are_reduced_soundly() {
    let shape = Shape {
        threads: 4,
        shared: 6,
        locations: 6,
        edges: 7,
        depth: 1,
        types: vec![Type::Bool, Type::unsigned(1)],
        arrays: false,
        havoc: false,
        ..Shape::default()
    };
    let mut tally = Tally::default();
    for seed in 0..1000 {
        compare(&program(seed, &shape), true, &mut tally);
    }
    assert!(tally.safe > 500 && tally.reduced > 250 && tally.found > 300, "{tally:?}");
}

#[test]
fn elements_and_blocked_threads_are_told_apart_soundly() {
    let shape = Shape {
        threads: 3,
        shared: 3,
        locations: 5,
        edges: 7,
        depth: 1,
        types: vec![Type::Bool, Type::unsigned(2)],
        ..Shape::default()
    };
    let mut tally = Tally::default();
    for seed in 0..600 {
        compare(&program(seed, &shape), true, &mut tally);
    }
    assert!(tally.safe > 300 && tally.ahead > 100 && tally.found > 150, "{tally:?}");
}

#[test]
fn large_types_are_never_decided_wrongly() {
    // Types of 8 bits are enumerated, and several at once make slow tests.
    let wide = |ty: &Type| !matches!(ty, Type::Bits { width: 8, .. });
    let types = Shape::everything().types.into_iter().filter(wide).collect();
    let shape = Shape { depth: 3, types, properties: false, ..Shape::everything() };
    let mut tally = Tally::default();
    for seed in 0..1700 {
        compare(&program(seed, &shape), false, &mut tally);
    }
    let Tally { safe, found, limits, .. } = tally;
    assert!(safe > 300 && found > 200 && limits > 50, "{tally:?}");
}

/// Runs all configurations on a program. `exact`: there is no `ANY` in it.
fn compare(program: &Program, exact: bool, tally: &mut Tally) {
    if program.is_parameterised() {
        return;
    }
    let Some(expected) = reachable(program, MOST) else { return };
    for mut explorer in ALL {
        let verdict = explorer.verify(program, &Budget::default(), &mut Silent);
        let fail = |why: &str| -> ! {
            panic!("{explorer:?}: {why}: {verdict:?}\n{}", ccfa::text::print(program))
        };
        let checked = engine_suite::confirm(program, verdict.clone());
        if let Verdict::Unknown(Reason::CheckFailed(why)) = checked {
            fail(&why);
        }
        if let Err(why) = judge(program, explorer, &expected, &verdict, exact, tally) {
            fail(&why);
        }
    }
}

fn judge(
    program: &Program,
    explorer: Explorer,
    expected: &Reachable,
    verdict: &Verdict,
    exact: bool,
    tally: &mut Tally,
) -> Result<(), String> {
    let Reachable { states, nearest_error, model_end } = expected;
    match (verdict, nearest_error) {
        (Verdict::Safe(Proof::Closed(set)), None) if !model_end => {
            tally.safe += 1;
            tally.reduced += usize::from(set.expansions.iter().any(|e| e.persistent_set != 0));
            tally.ahead += usize::from(looks_ahead(program, set));
            let found = states_of(program, set);
            match explorer.reduce {
                false if found != *states => return Err("other states".into()),
                true if !found.is_subset(states) => return Err("unreachable states".into()),
                _ => {}
            }
            match check_closed(program, set) {
                Err(why) if explorer.keep == 0 && why.ends_with("is missing") => {
                    tally.thin += 1;
                    Ok(())
                }
                checked => checked,
            }
        }
        (Verdict::Unsafe(witness), Some(depth)) => {
            tally.found += 1;
            let shortest = explorer.order == SearchOrder::BreadthFirst && !explorer.reduce;
            match witness.steps.len() {
                steps if steps < *depth => Err("shorter than possible".into()),
                steps if exact && shortest && steps > *depth => Err("longer than needed".into()),
                _ => Ok(()),
            }
        }
        (Verdict::Unknown(Reason::Limit { .. } | Reason::Undefined { .. }), error)
            if *model_end && (error.is_none() || !exact) =>
        {
            tally.limits += 1;
            Ok(())
        }
        (Verdict::Unknown(Reason::Beyond(_)), _) if !exact => {
            tally.beyond += 1;
            Ok(())
        }
        _ => Err(format!("expected error {nearest_error:?}, model limit {model_end}")),
    }
}

/// Is there a persistent set that is none as far as locations say?
fn looks_ahead(program: &Program, set: &ClosedSet) -> bool {
    let system = System::new(program, 0);
    let summaries = AccessSummaries::new(&system);
    let layout = Layout::new(&system, &|cell| set.any_cells[cell]);
    let mut states = set.states.chunks(layout.words).zip(&set.expansions);
    states.any(|(state, expansion)| {
        let ours = &set.persistent_sets[expansion.persistent_set as usize];
        let others: Vec<_> = (0..system.instances.len()).filter(|i| !ours.contains(i)).collect();
        let at = layout.unpack(state).locations;
        !others.is_empty() && !ours.iter().all(|i| summaries.commutes(&at, *i, &others))
    })
}

fn states_of(program: &Program, set: &ClosedSet) -> HashSet<State> {
    let system = System::new(program, 0);
    let layout = Layout::new(&system, &|cell| set.any_cells[cell]);
    set.states.chunks(layout.words).map(|state| layout.unpack(state)).collect()
}
