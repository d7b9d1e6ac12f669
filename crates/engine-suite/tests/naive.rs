//! The suite itself: a plain engine passes it, and engines with a defect of
//! each kind do not.

use ccfa::semantics::{State, System};
use ccfa::{EdgeId, LocKind, Program};
use engine::{Budget, Engine, Observer};
use engine_suite::oracle::{initial_states, steps};
use engine_suite::{Decided, EngineFailure, Expect, Tally, models, oracle, random, tiny};
use evidence::{ClosedSet, Expansion, Layout, Proof, Reason, Verdict, Witness, WitnessStep};
use std::collections::HashMap;

/// What an engine does wrong.
#[derive(Clone, Copy, PartialEq)]
enum Defect {
    None,
    /// Answers nothing.
    Silent,
    /// Claims SAFE with an empty proof.
    NoProof,
    /// Forgets that others wait during an atomic section.
    ForgetsAtomic,
    /// Takes the first arbitrary value only.
    FirstValue,
    /// Does not look at guards of errors: claims each.
    Pessimist,
    /// Does not mind model limits.
    IgnoresLimits,
    /// Is left by a panic.
    Panics,
    /// Knows but does not say when a program is safe.
    NeverSafe,
}

/// Visits all states in order, and remembers how.
struct Naive(Defect);

impl Engine for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn verify(&mut self, program: &Program, _: &Budget, _: &mut dyn Observer) -> Verdict {
        let beyond = || Verdict::Unknown(Reason::Beyond("not for me".into()));
        match self.0 {
            Defect::Silent => beyond(),
            Defect::NoProof => Verdict::Safe(Proof::Closed(closed_set(program, &[]))),
            Defect::Panics => panic!("as it should"),
            defect if oracle::truth(program).is_some() => {
                visit(program, defect).unwrap_or_else(beyond)
            }
            _ => beyond(),
        }
    }
}

fn closed_set(program: &Program, states: &[State]) -> ClosedSet {
    let system = System::new(program, 0);
    let layout = Layout::new(&system, &|_| false);
    let mut words = vec![0; layout.words * states.len()];
    for (state, words) in states.iter().zip(words.chunks_mut(layout.words)) {
        layout.pack(state, words).expect("small values fit");
    }
    ClosedSet {
        any_cells: vec![false; system.cell_count()],
        states: words,
        expansions: vec![Expansion::default(); states.len()],
        persistent_sets: vec![(0..system.instances.len()).collect()],
    }
}

fn visit(program: &Program, defect: Defect) -> Option<Verdict> {
    let system = System::new(program, 0);
    let mut states = initial_states(&system)?;
    let mut paths: Vec<Option<(usize, WitnessStep)>> = vec![None; states.len()];
    let mut seen: HashMap<State, usize> = states.iter().cloned().zip(0..).collect();
    let mut limit = None;
    let mut done = 0;
    while done < states.len() {
        let state = states[done].clone();
        let mut ends = false;
        for (instance, at) in state.locations.iter().enumerate() {
            let location = &system.template(instance).locations[at.index()];
            match &location.kind {
                LocKind::Plain => {}
                LocKind::Error(_) => return Some(witness(&system, &states, &paths, done)),
                LocKind::Undefined(_) | LocKind::Limit(..) => {
                    ends = true;
                    limit = Reason::of_limit(location);
                }
            }
        }
        done += 1;
        if ends {
            continue;
        }
        for instance in 0..state.locations.len() {
            if !system.may_move(&state, instance) && defect != Defect::ForgetsAtomic {
                continue;
            }
            for (number, edge) in system.template(instance).edges.iter().enumerate() {
                if edge.source != state.locations[instance] {
                    continue;
                }
                let mut ways = steps(&system, &state, instance, edge)?;
                if defect == Defect::FirstValue {
                    ways.truncate(1);
                }
                let target = &system.template(instance).locations[edge.target.index()];
                if defect == Defect::Pessimist && matches!(target.kind, LocKind::Error(_)) {
                    let mut pretended = state.clone();
                    pretended.locations[instance] = edge.target;
                    ways = vec![(vec![], pretended)];
                }
                for (havoc, next) in ways {
                    if !seen.contains_key(&next) {
                        seen.insert(next.clone(), states.len());
                        states.push(next);
                        let edge = EdgeId(number as u32);
                        paths.push(Some((done - 1, WitnessStep { instance, edge, havoc })));
                    }
                }
            }
        }
    }
    Some(match limit {
        Some(reason) if defect != Defect::IgnoresLimits => Verdict::Unknown(reason),
        _ if defect == Defect::NeverSafe => Verdict::Unknown(Reason::Timeout),
        _ => Verdict::Safe(Proof::Closed(closed_set(program, &states))),
    })
}

fn witness(
    system: &System,
    states: &[State],
    paths: &[Option<(usize, WitnessStep)>],
    mut at: usize,
) -> Verdict {
    let mut steps = Vec::new();
    while let Some((before, step)) = &paths[at] {
        steps.push(step.clone());
        at = *before;
    }
    steps.reverse();
    let open = system.initial();
    let cells = open.cells.iter().zip(&states[at].cells);
    let initial = cells.filter(|(open, _)| open.is_none()).filter_map(|(_, cell)| *cell).collect();
    Verdict::Unsafe(Witness { instances: 0, initial, steps })
}

const COMPLETE: Expect = Expect { complete: true };
const INCOMPLETE: Expect = Expect { complete: false };

fn try_all(defect: Defect, expect: Expect) -> Result<Tally, EngineFailure> {
    let mut naive = Naive(defect);
    let mut tally = models(&mut naive, expect)?;
    tally.add(random(&mut naive, expect, 0..300)?);
    Ok(tally)
}

#[test]
fn a_plain_engine_passes() {
    let least = Decided { safe: 1000, unsafe_: 1000 };
    let tally = engine_suite::run_all(&mut Naive(Defect::None), COMPLETE, least);
    println!("{tally:?}");
    assert!(tally.unknown < (tally.safe + tally.unsafe_) / 3, "{tally:?}");
}

#[test]
fn there_are_models_of_each_kind() {
    let models = models::all();
    for expected in [models::Expected::Safe, models::Expected::Unsafe, models::Expected::Limit] {
        assert!(models.iter().filter(|model| model.expected == expected).count() >= 2);
    }
    let decided = models.iter().filter(|model| oracle::truth(&model.program).is_some()).count();
    assert!(models.len() >= 24 && decided >= 24, "{decided} of {}", models.len());
}

#[test]
fn tiny_programs_are_well_formed_and_different() {
    let programs: Vec<Program> = tiny::programs().collect();
    println!("{} tiny programs", programs.len());
    let mut texts: Vec<String> = programs.iter().map(ccfa::text::print).collect();
    assert!(programs.iter().all(|program| ccfa::wellformed::check(program).is_ok()));
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), programs.len());
}

#[test]
fn an_engine_that_says_nothing_is_not_wrong_and_breaks_a_promise() {
    let tally = try_all(Defect::Silent, INCOMPLETE).unwrap();
    assert_eq!((tally.safe, tally.unsafe_), (0, 0));
    assert!(try_all(Defect::Silent, COMPLETE).is_err());
}

#[test]
#[should_panic(expected = "too few programs are decided")]
fn an_engine_that_says_nothing_does_not_pass() {
    let least = Decided { safe: 1, unsafe_: 1 };
    engine_suite::run_all(&mut Naive(Defect::Silent), INCOMPLETE, least);
}

#[test]
#[should_panic(expected = "too few programs are decided")]
fn an_engine_that_never_says_safe_does_not_pass() {
    let tally = engine_suite::models(&mut Naive(Defect::NeverSafe), INCOMPLETE);
    tally.expect("nothing it says is wrong").demand(Decided { safe: 1, unsafe_: 1 });
}

#[test]
fn defects_are_found() {
    let defects = [
        (Defect::NoProof, "refuted by check"),
        (Defect::ForgetsAtomic, "refuted by check"),
        (Defect::FirstValue, "refuted by check"),
        (Defect::Pessimist, "refuted by check"),
        (Defect::IgnoresLimits, "refuted by check"),
        (Defect::Panics, "it panicked"),
        (Defect::NeverSafe, "the oracle says"),
    ];
    for (defect, why) in defects {
        let failure = try_all(defect, COMPLETE).expect_err("the defect should be found");
        assert!(failure.what.contains(why), "{failure}");
        let edges: usize = failure.program.templates.iter().map(|t| t.edges.len()).sum();
        assert!(edges <= 4, "not made small: {failure}");
    }
}
