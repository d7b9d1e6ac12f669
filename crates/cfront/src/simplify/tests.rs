//! Simplifying keeps what is reachable: on random programs, a naive search finds
//! the same errors and gaps before and after.

use super::simplify;
use crate::Purpose;
use ccfa::random::{self, Shape};
use ccfa::semantics::{State, System};
use ccfa::{LocKind, Program, Type};
use std::collections::{BTreeSet, HashSet};

const SEEDS: u64 = 1500;
const MAX_STATES: usize = 5_000;

#[test]
fn errors_and_gaps_stay() {
    let mut compared = 0;
    let mut with_errors = 0;
    for seed in 0..SEEDS {
        let program = random::program(seed, &Shape::default());
        let simplified = simplify(program.clone(), Purpose::Verification);
        assert_eq!(ccfa::wellformed::check(&simplified), Ok(()), "seed {seed}");
        let (Some(before), Some(after)) = (reachable(&program), reachable(&simplified)) else {
            continue;
        };
        compared += 1;
        with_errors += u64::from(!before.is_empty());
        assert_eq!(
            before,
            after,
            "seed {seed}\n{}\nbecame\n{}",
            ccfa::text::print(&program),
            ccfa::text::print(&simplified)
        );
    }
    assert!(compared > SEEDS / 2, "only {compared} programs were small enough");
    assert!(with_errors > compared / 20, "only {with_errors} programs reach something");
}

/// What a thread does when its own business is over may still matter.
#[test]
fn what_others_wait_for_is_not_idle() {
    let the_twin_reads_it = "
        shared s: u8 = 0
        template t() { a -> c  c -> d: s := 1  a -> bad: when s == 1  error bad: \"\" }
        thread t[2] = t()";
    let it_lets_others_move = "
        shared s: u8 = 0
        template t() { atomic location b  a -> b: s := 1  b -> c }
        template other() { x -> bad: when s == 1  error bad: \"\" }
        thread t = t() thread other = other()";
    for text in [the_twin_reads_it, it_lets_others_move] {
        let program = parse(text);
        let simplified = simplify(program.clone(), Purpose::Verification);
        let found = reachable(&simplified).unwrap();
        assert!(!found.is_empty() && Some(&found) == reachable(&program).as_ref(), "{text}");
    }
}

#[test]
fn steps_that_cannot_matter_go() {
    let text = "
        shared s: u8 = 0
        shared log: u8 = 0
        template main() {
          atomic location end
          a -> b: s := 1
          b -> c: when log < 5 then log := log + 1
          c -> end
        }
        template other() {
          atomic location no
          x -> y: when s == 1 then s := 2
          x -> no: when s == 0
          y -> bad: when s == 3
          error bad: \"\"
        }
        thread main = main() thread other = other()";
    let steps = |purpose| {
        let simplified = simplify(parse(text), purpose);
        simplified.templates.iter().map(|template| template.edges.len()).collect::<Vec<_>>()
    };
    assert_eq!(steps(Purpose::Verification), [1, 2]);
    assert_eq!(steps(Purpose::Conformance), [3, 3]);
}

fn parse(text: &str) -> Program {
    ccfa::text::parse(&format!("program \"test\"\n{text}")).unwrap()
}

/// The texts of the errors and gaps that can be reached, if the search ends soon.
fn reachable(program: &Program) -> Option<BTreeSet<String>> {
    let system = System::new(program, 2);
    let mut found = BTreeSet::new();
    let mut seen: HashSet<State> = HashSet::new();
    let mut waiting: Vec<State> = Vec::new();
    for state in concretised(&system, system.initial())? {
        if system.may_be_initial(&state) {
            waiting.push(state);
        }
    }
    while let Some(state) = waiting.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MAX_STATES || waiting.len() > 10 * MAX_STATES {
            return None;
        }
        for instance in 0..system.instances.len() {
            let template = system.template(instance);
            let location = state.locations[instance];
            found.extend(match &template.locations[location.index()].kind {
                LocKind::Plain => None,
                LocKind::Error(what) => Some(format!("{} error {what}", template.name)),
                LocKind::Undefined(what) => {
                    Some(format!("{} Undefined {}", template.name, what.text()))
                }
                LocKind::Limit(limit, what) => Some(format!("{} {limit:?} {what}", template.name)),
            });
            if !system.may_move(&state, instance) {
                continue;
            }
            for edge in template.edges.iter().filter(|edge| edge.source == location) {
                if let Some(next) = system.step(&state, instance, edge, &mut |_| None) {
                    waiting.extend(concretised(&system, next)?);
                }
            }
        }
    }
    Some(found)
}

/// All concrete states that a state stands for, if they are few.
fn concretised(system: &System, state: State) -> Option<Vec<State>> {
    let types = cell_types(system);
    let mut states = vec![state];
    for (cell, ty) in types.iter().enumerate() {
        if states[0].cells[cell].is_some() {
            continue;
        }
        let (low, high) = ty.bounds()?;
        if states.len() as i128 * (high - low + 1) > 64 {
            return None;
        }
        let with = |state: &State, value: i128| {
            let mut state = state.clone();
            state.cells[cell] = Some(value);
            state
        };
        states =
            states.iter().flat_map(|state| (low..=high).map(|value| with(state, value))).collect();
    }
    Some(states)
}

fn cell_types(system: &System) -> Vec<Type> {
    let shared = system.program.shared.iter();
    let locals = (0..system.instances.len()).flat_map(|i| system.template(i).locals.iter());
    shared.chain(locals).flat_map(|var| std::iter::repeat_n(var.ty, var.cells())).collect()
}
