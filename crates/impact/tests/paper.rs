//! Programs of the paper, and loops that must be proved and not unrolled.

use engine::{Budget, Engine, Event, Observer};
use evidence::Verdict;
use impact::{Configuration, Impact, PartialOrderReduction};

/// Remembers the last numbers.
#[derive(Default)]
struct Numbers {
    nodes: u64,
    cover_expansions: u64,
}

impl Observer for Numbers {
    fn event(&mut self, event: Event) {
        if let Some(nodes) = event.counter("nodes") {
            let cover_expansions = event.counter("nodes by cover expansions");
            *self = Numbers { nodes, cover_expansions: cover_expansions.expect("it is counted") };
        }
    }
}

/// The verdict in a word, after `check` has seen its evidence, and the numbers.
fn verdict(
    text: &str,
    reduction: PartialOrderReduction,
    force_cover: bool,
) -> (&'static str, Numbers) {
    let program = ccfa::text::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let mut numbers = Numbers::default();
    let mut engine = Impact { configuration: Configuration { reduction, force_cover } };
    let verdict = engine.verify(&program, &Budget::default(), &mut numbers);
    let word = match engine_suite::confirm(&program, verdict) {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(reason) => panic!("{}", reason.describe(&program)),
    };
    (word, numbers)
}

/// Section IV-C: the assertion fails only if threads are switched right after `x := 1`. Both ways
/// through the second thread meet at one place; after the way that does nothing the first
/// thread is skipped, and that node covers the other one. Only the cover
/// expansion brings the assertion back. (One way is longer, so that the other one is
/// expanded before it arrives. The first thread writes `y` at its end, lest the second one be alone.)
const COVER_EXPANSION: &str = r#"
program "cover expansion"
shared x: u2 = 0
shared y: bool = false
template asserts() {
  start -> bad: when x != 0
  start -> done: when x == 0
  done -> end: y := false
  error bad: "x == 0"
}
template writes() {
  start -> way
  way -> one: x := 1
  start -> one: y := true
  one -> two: x := 0
}
thread first = asserts()
thread second = writes()
"#;

#[test]
fn the_error_behind_a_cover_is_found() {
    for force_cover in [false, true] {
        let (word, _) = verdict(COVER_EXPANSION, PartialOrderReduction::Dynamic, force_cover);
        assert_eq!(word, "unsafe");
    }
}

#[test]
fn cover_expansions_happen() {
    let safe = COVER_EXPANSION.replace("x := 1", "x := 0");
    let (word, numbers) = verdict(&safe, PartialOrderReduction::Dynamic, true);
    assert_eq!(word, "safe");
    assert!(numbers.cover_expansions > 0, "without them, an error here would be missed");
}

/// Figure 1: whether accesses meet is told by the assumption that `i` and `j` differ.
#[test]
fn aliases_are_excluded_by_labels() {
    let program = r#"
program "figure 1"
shared i: u2 = any
shared j: u2 = any
shared v: i8[4] = 0
initial i != j
template left() {
  a -> b: v[i] := 1
  b -> c: v[i] := v[i] + 1
}
template right() {
  a -> b: v[j] := 2
  b -> c: v[j] := v[j] + 1
  c -> bad: when v[j] != 3
  error bad: "v[j] == 3"
}
thread one = left()
thread two = right()
"#;
    let (word, reduced) = verdict(program, PartialOrderReduction::Dynamic, true);
    assert_eq!(word, "safe");
    let (_, full) = verdict(program, PartialOrderReduction::Static, true);
    assert!(reduced.nodes < full.nodes, "{} and {} nodes", reduced.nodes, full.nodes);
    let unsafe_ = program.replace("initial i != j\n", "");
    assert_eq!(verdict(&unsafe_, PartialOrderReduction::Dynamic, true).0, "unsafe");
}

/// Loops without bound, and with bounds that are inputs.
#[test]
fn loops_are_proved() {
    let counter = r#"
program "counter"
shared n: i32 = any
shared x: i32 = 0
initial 0 <= n
template counts() {
  head -> head: when x < n then x := x + 1
}
template asserts() {
  head -> bad: when !(0 <= x && x <= n)
  head -> head: when 0 <= x && x <= n
  error bad: "0 <= x && x <= n"
}
thread one = counts()
thread two = asserts()
"#;
    let relation = r#"
program "relation"
shared n: i32 = any
template counts() {
  local x: i32 = 0
  local i: i32 = 0
  head -> head: when i < n then i := i + 1, x := x + 1
  head -> after: when n <= i
  after -> bad: when x != i
  error bad: "x == i"
}
thread one = counts()
"#;
    let spin = r#"
program "spin"
shared lock: bool = false
shared inside: u2 = 0
template worker() {
  start -> spin
  spin -> spin: when lock
  spin -> critical: when !lock then lock := true
  critical -> check: inside := inside + 1
  check -> bad: when inside != 1
  check -> leave: when inside == 1 then inside := 0
  leave -> start: lock := false
  error bad: "inside == 1"
}
thread workers[3] = worker()
"#;
    for program in [counter, relation, spin] {
        assert_eq!(verdict(program, PartialOrderReduction::Dynamic, true).0, "safe", "{program}");
    }
}

/// An input chooses an element by way of an address; what the elements are is arbitrary, too.
#[test]
fn formulas_hold_for_all_inputs() {
    let program = r#"
program "addresses"
shared n: u2 = any
shared live: u2[4] = 0
initial n != 1
template stores() {
  start -> stored: live[2] := n
}
template looks() {
  local p: u32 = 0
  start -> chosen: p := any
  chosen -> bad: when p - 4096 < 64 && live[(p - 4096) / 16] == 1
  error bad: "nothing is 1"
}
thread one = stores()
thread two = looks()
"#;
    assert_eq!(verdict(program, PartialOrderReduction::Dynamic, true).0, "safe");
    let unsafe_ = program.replace("initial n != 1\n", "");
    assert_eq!(verdict(&unsafe_, PartialOrderReduction::Dynamic, true).0, "unsafe");
}

/// A loop with a constant bound that is too large for unrolling.
#[test]
#[cfg_attr(debug_assertions, ignore = "each interpolant of the first 200 rounds would be checked")]
fn large_bounds_are_not_unrolled() {
    let program = r#"
program "large bound"
shared x: i32 = 0
template counts() {
  local seen: i32 = 0
  head -> read: seen := x
  read -> head: when seen < 100000 then x := seen + 1
  read -> head: when 100000 <= seen
}
template asserts() {
  head -> bad: when 100000 < x
  head -> head: when x <= 100000
  error bad: "x <= 100000"
}
thread one = counts()
thread two = asserts()
"#;
    let (word, numbers) = verdict(program, PartialOrderReduction::Dynamic, true);
    assert_eq!(word, "safe");
    assert!(numbers.nodes < 1000, "{} nodes", numbers.nodes);
}
