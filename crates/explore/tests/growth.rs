//! How many states there are as threads become more, where each has an element of an array for itself, or shares one with
//! its neighbours. Numbers of states, not seconds.

use ccfa::text::parse;
use engine::{Budget, Engine, Silent};
use evidence::{Proof, Verdict};
use explore::Explorer;

/// The states of the proof, which passes `check`.
fn states(text: &str) -> usize {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let verdict = Explorer::default().verify(&program, &Budget::default(), &mut Silent);
    match engine_suite::confirm(&program, verdict) {
        Verdict::Safe(Proof::Closed(set)) => set.expansions.len(),
        other => panic!("{other:?}"),
    }
}

/// A thread creates others; each of them writes its own slot and looks at it.
fn slots(count: u32) -> String {
    format!(
        "program \"slots\"
shared created: u8 = 0
shared started: bool[{count}] = false
shared slot: u8[{count}] = 0
template main() {{
  entry more
  more -> more: when created < {count} then started[created] := true, created := created + 1
  more -> end: when created == {count}
}}
template worker(self: u8) {{
  local mine: u8 = 0
  error failed: \"it is there\"
  start -> write: when started[self] then mine := self
  write -> look: slot[mine] := mine + 1
  look -> end: when slot[mine] == mine + 1
  look -> failed: when slot[mine] != mine + 1
}}
thread main = main()
thread worker[{count}] = worker(index)
"
    )
}

#[test]
fn a_slot_for_each_thread_needs_a_few_states_more() {
    for count in [2, 4, 8, 16, 32, 64] {
        let states = states(&slots(count));
        assert!(states <= 4 * count as usize + 4, "{states} states with {count} threads");
    }
}

/// Philosophers who take the fork with the smaller number first.
fn philosophers(count: u32) -> String {
    let last = count - 1;
    format!(
        "program \"philosophers\"
property error, deadlock
shared fork: bool[{count}] = false
template philosopher(self: u8) {{
  local first: u8 = 0
  local second: u8 = 0
  atomic location inside
  start -> hungry: when self < {last} then first := self, second := self + 1
  start -> hungry: when self == {last} then first := 0, second := self
  hungry -> inside: when !fork[first]
  inside -> waiting: fork[first] := true
  waiting -> eating: when !fork[second] then fork[second] := true
  eating -> full: fork[second] := false
  full -> end: fork[first] := false
}}
thread philosopher[{count}] = philosopher(index)
"
    )
}

#[test]
fn neighbours_alone_conflict() {
    for (count, most) in [(3, 150), (5, 600), (7, 2_000), (9, 5_000)] {
        let states = states(&philosophers(count));
        assert!(states <= most, "{states} states with {count} philosophers");
    }
}

/// Threads that decide by a value that can be anything in which of two ways they go, under a lock.
fn deciding(count: u32) -> String {
    format!(
        "program \"deciding\"
property error, deadlock
shared held: bool = false
template thread() {{
  local choice: u32 = any
  start -> left: when choice < 7
  start -> right: when 7 <= choice
  left -> inside: when !held then held := true
  right -> inside: when !held then held := true
  inside -> end: held := false
}}
thread thread[{count}] = thread()
"
    )
}

/// All orders of deciding would be 24, 512 and 10,240 states.
#[test]
fn of_opposite_guards_one_holds() {
    for (count, most) in [(2, 20), (4, 250), (6, 2_500)] {
        let states = states(&deciding(count));
        assert!(states <= most, "{states} states with {count} threads");
    }
}
