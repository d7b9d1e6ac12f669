//! By brute force on random programs: with waits in loops that spin, the same errors are reached; deadlocks stay; and each new deadlock is a hang.

use super::wait_in_loops;
use ccfa::random::Rng;
use ccfa::semantics::{State, System};
use ccfa::{Bad, LocKind, Program, Property};
use std::collections::{BTreeMap, HashMap};

const SEEDS: std::ops::Range<u64> = 0..20_000;

/// Locations of a template beside its error: with more, few states would be looked at.
const MAX_LOCATIONS: usize = 6;

/// Two threads whose steps branch on what they read, assign constants and copies, and go anywhere.
fn program(rng: &mut Rng) -> Program {
    let mut text = String::from(
        "program \"random\" shared x: u2 = 0   shared y: u2 = 0   shared z: u2[2] = 0\n",
    );
    for name in ["a", "b"] {
        let count = 2 + rng.below(MAX_LOCATIONS - 1);
        text +=
            &format!("template {name}() {{ local r: u2 = 0   local s: u2 = 1   error bad: \"0\"\n");
        for at in 0..count - 1 {
            text += &steps(rng, at, count);
        }
        text += &format!("}}\nthread {name} = {name}()\n");
    }
    let mut program = ccfa::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    program.property = Property { deadlocks: true, ..Property::default() };
    program
}

/// The edges from a location: one, two with opposite conditions, or one that waits.
fn steps(rng: &mut Rng, at: usize, count: usize) -> String {
    let cell = *rng.pick(&["x", "y", "z[0]", "z[1]", "z[r % 2]", "r", "s"]);
    let value = rng.below(3);
    let mut step = |guard: &str| {
        let effect = match rng.below(10) {
            0 => "x := 1".to_string(),
            1 => "y := 2".to_string(),
            2 => format!("x := {}", rng.below(3)),
            3 => "y := r".to_string(),
            4 => format!("r := {cell}"),
            5 => format!("s := {}", rng.below(2)),
            6 => "x := ite(x == 0, 1, x)".to_string(),
            7 => "z[1] := 1".to_string(),
            _ => String::new(),
        };
        let target = match rng.below(12) {
            0 => "bad".to_string(),
            1..=5 => format!("l{}", rng.below(at + 1)),
            _ => format!("l{}", (at + 1 + rng.below(2)).min(count - 1)),
        };
        let effect = if effect.is_empty() { "r := r".to_string() } else { effect };
        format!("l{at} -> {target}: {guard}{effect}\n")
    };
    match value {
        0 => step(""),
        1 if at % 3 == 2 => step(&format!("when {cell} == 1 then ")),
        _ => {
            step(&format!("when {cell} == {value} then "))
                + &step(&format!("when {cell} != {value} then "))
        }
    }
}

/// The states that can be reached, each with its successors.
fn graph(program: &Program) -> (Vec<State>, Vec<Vec<usize>>) {
    let system = System::new(program, 0);
    let mut states = vec![system.initial()];
    let mut numbers = HashMap::from([(states[0].clone(), 0)]);
    let mut next: Vec<Vec<usize>> = Vec::new();
    while next.len() < states.len() {
        let state = states[next.len()].clone();
        let at = |i: usize| system.location(&state, i);
        let has_ended = (0..2).any(|i| at(i).kind != LocKind::Plain);
        let moves = (0..2).flat_map(|i| system.next(&state, i).map(move |(_, edge)| (i, edge)));
        let after = moves
            .filter(|_| !has_ended)
            .filter_map(|(i, edge)| system.step(&state, i, edge, &mut |_| Some(0)));
        let mut successors = Vec::new();
        for state in after {
            let number = *numbers.entry(state.clone()).or_insert(states.len());
            if number == states.len() {
                states.push(state);
            }
            successors.push(number);
        }
        next.push(successors);
    }
    (states, next)
}

/// Is an error reached, and a deadlock?
fn outcomes(program: &Program) -> [bool; 2] {
    let system = System::new(program, 0);
    let (states, _) = graph(program);
    let bad: Vec<_> = states.iter().filter_map(|state| system.bad(state)).collect();
    [bad.iter().any(|bad| *bad != Bad::Deadlock), bad.contains(&Bad::Deadlock)]
}

/// Is there a state after which no shared variable changes, no error comes, and a thread that has not ended never ends?
fn hangs(program: &Program) -> bool {
    let system = System::new(program, 0);
    let (states, next) = graph(program);
    let shared: usize = program.shared.iter().map(|var| var.cells()).sum();
    let ends = |at: usize, i: usize| system.next(&states[at], i).next().is_none();
    (0..states.len()).any(|start| {
        let mut seen: BTreeMap<usize, ()> = BTreeMap::from([(start, ())]);
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            for target in &next[at] {
                if seen.insert(*target, ()).is_none() {
                    waiting.push(*target);
                }
            }
        }
        let stays = |at: &usize| {
            states[*at].cells[..shared] == states[start].cells[..shared]
                && (0..2).all(|i| ends(*at, i) == ends(start, i))
                && (0..2).all(|i| system.location(&states[*at], i).kind == LocKind::Plain)
        };
        seen.keys().all(stays) && !(0..2).all(|i| ends(start, i))
    })
}

#[test]
fn waits_in_loops_change_nothing_but_hangs() {
    let (mut changed, mut hanging, mut free) = (0, 0, 0);
    for seed in SEEDS {
        let before = program(&mut Rng::new(seed));
        let mut after = before.clone();
        for template in &mut after.templates {
            wait_in_loops(&before.shared, template);
        }
        if after == before {
            continue;
        }
        ccfa::wellformed::check(&after).unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
        let text = || {
            format!("seed {seed}\n{}\n{}", ccfa::text::print(&before), ccfa::text::print(&after))
        };
        let ([error, deadlock], [new_error, new_deadlock]) = (outcomes(&before), outcomes(&after));
        assert_eq!(error, new_error, "errors: {}", text());
        assert!(new_deadlock || !deadlock, "a deadlock is lost: {}", text());
        assert!(!new_deadlock || hangs(&before), "a deadlock that is no hang: {}", text());
        changed += 1;
        *(if new_deadlock && !deadlock { &mut hanging } else { &mut free }) += 1;
    }
    println!("{changed} changed: {hanging} that hang, {free} others");
    assert!(hanging > 50 && free > 50, "{changed} changed: {hanging} that hang, {free} others");
}
