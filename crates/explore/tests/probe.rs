//! Deadlocks that a search by breadth would reach only behind most of the states are found by single executions.

use ccfa::Program;
use ccfa::text::parse;
use engine::{Budget, Engine, Event, Observer};
use evidence::Verdict;
use explore::Explorer;

/// Philosophers with an array of forks: each does a few steps of its own, takes a fork, and then the next one. The last
/// one takes the other fork first, if there is to be no deadlock.
fn philosophers(count: u32, deadlock: bool) -> Program {
    let swapped = if deadlock { String::new() } else { format!("&& self != {}", count - 1) };
    let text = format!(
        "program \"philosophers\"
property error, deadlock
shared fork: u8[{count}] = 0
template philosopher(self: u8) {{
  local n: u8 = 0
  local first: u8 = 0
  local second: u8 = 0
  entry start
  start -> start: when n < 5 then n := n + 1
  start -> hungry: when n == 5 {swapped} then first := self, second := (self + 1) % {count}
  start -> hungry: when n == 5 && !(true {swapped}) then first := (self + 1) % {count}, second := self
  hungry -> waiting: when fork[first] == 0 then fork[first] := 1
  waiting -> eating: when fork[second] == 0 then fork[second] := 1
  eating -> full: fork[second] := 0
  full -> end: fork[first] := 0
}}
thread philosopher[{count}] = philosopher(index)
"
    );
    parse(&text).expect("a program")
}

/// The most states that were told of.
#[derive(Default)]
struct States(u64);

impl Observer for States {
    fn event(&mut self, event: Event) {
        if let Event::Counters(counters) = event {
            let states = counters.iter().find(|counter| counter.name == "states");
            self.0 = states.map_or(self.0, |counter| counter.value);
        }
    }
}

#[test]
fn a_circle_of_many_is_found_at_once() {
    let program = philosophers(12, true);
    let mut states = States::default();
    let verdict = Explorer::default().verify(&program, &Budget::default(), &mut states);
    let verdict = engine_suite::confirm(&program, verdict);
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
    assert_eq!(states.0, 0, "the search had not seen many states when the deadlock was found");
}

#[test]
fn where_there_is_no_circle_none_is_found() {
    let program = philosophers(4, false);
    let verdict = Explorer::default().verify(&program, &Budget::default(), &mut States::default());
    let verdict = engine_suite::confirm(&program, verdict);
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}
