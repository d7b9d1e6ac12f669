//! Programs written by hand, one for each thing the engine can meet. Every
//! verdict passes `check`.

use ccfa::Program;
use engine::{Budget, Engine, Event, Observer, Silent, Stop};
use evidence::{Proof, Reason, Verdict};
use explore::{Explorer, SearchOrder};

fn parse(text: &str) -> Program {
    ccfa::text::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The verdict as a few words, the same in every configuration: the number of
/// steps to the error counts breadth first without reduction.
fn verdict(text: &str) -> String {
    let program = parse(text);
    let orders = [SearchOrder::BreadthFirst, SearchOrder::DepthFirst];
    let all = orders.into_iter().flat_map(|order| [false, true].map(|reduce| (order, reduce)));
    let mut verdicts = all.map(|(order, reduce)| {
        let mut explorer = Explorer { order, reduce, ..Explorer::default() };
        let verdict = explorer.verify(&program, &Budget::default(), &mut Silent);
        engine_suite::confirm(&program, verdict)
    });
    let first = verdicts.next().expect("four of them");
    for other in verdicts {
        assert_eq!(kind(&first), kind(&other));
    }
    match &first {
        Verdict::Unsafe(witness) => format!("unsafe in {} steps", witness.steps.len()),
        other => kind(other),
    }
}

fn kind(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => "safe".into(),
        Verdict::Unsafe(_) => "unsafe".into(),
        Verdict::Unknown(Reason::Limit { what, .. }) => format!("limit: {what}"),
        Verdict::Unknown(Reason::Undefined { what, .. }) => format!("undefined: {}", what.text()),
        Verdict::Unknown(Reason::Beyond(why)) => format!("beyond: {why}"),
        Verdict::Unknown(other) => format!("{other:?}"),
    }
}

/// The number of states of a safe program.
fn states(text: &str, reduce: bool) -> usize {
    let mut explorer = Explorer { reduce, ..Explorer::default() };
    match explorer.verify(&parse(text), &Budget::default(), &mut Silent) {
        Verdict::Safe(Proof::Closed(set)) => set.expansions.len(),
        other => panic!("{other:?}"),
    }
}

const PETERSON: &str = "
    shared flag: bool[2] = false
    shared turn: u1 = 0
    shared inside: u2 = 0
    template process(me: u1) {
      idle -> set: flag[me] := true
      set -> wait: turn := 1 - me
      wait -> critical: when !flag[1 - me] || turn == me then inside := inside + 1
      critical -> bad: when inside == 2
      critical -> leave: inside := inside - 1
      leave -> idle: flag[me] := false
      error bad: \"mutual exclusion\"
    }
    thread p[2] = process(index)";

#[test]
fn peterson_is_safe() {
    assert_eq!(verdict(PETERSON), "safe");
}

#[test]
fn peterson_with_flags_too_late_is_not() {
    let wrong = PETERSON.replace("flag[me] := true", "turn := turn");
    let wrong = wrong.replace("!flag[1 - me] || turn == me", "!flag[1 - me] || turn != me");
    assert_eq!(verdict(&wrong), "unsafe in 7 steps");
}

#[test]
fn local_steps_of_many_threads_are_reduced() {
    let text = "
        shared sum: u8 = 0
        template worker(me: u8) {
          local i: u8 = 0
          run -> run: when i < 5 then i := i + 1
          run -> add: when i == 5
          add -> done: sum := sum + me
        }
        thread w[4] = worker(index)";
    assert_eq!(verdict(text), "safe");
    assert!(states(text, false) >= 6 * 6 * 6 * 6);
    assert!(states(text, true) <= 60, "{}", states(text, true));
}

#[test]
fn a_loop_does_not_put_off_the_others_for_ever() {
    let text = "
        shared x: bool = false
        template idle() { a -> b  b -> a }
        template other() { c -> bad: x := true  error bad: \"reached\" }
        thread i = idle()
        thread o = other()";
    assert_eq!(verdict(text), "unsafe in 1 steps");
}

#[test]
fn nothing_interferes_with_an_atomic_section() {
    let text = "
        shared x: u8 = 0
        template writer() {
          a -> b: x := 1
          b -> c: x := 0
          atomic location b
        }
        template reader() { r -> bad: when x == 1  error bad: \"seen\" }
        thread w = writer()
        thread r = reader()";
    assert_eq!(verdict(text), "safe");
    assert_eq!(verdict(&text.replace("atomic location b", "")), "unsafe in 2 steps");
}

#[test]
fn small_arbitrary_values_are_enumerated() {
    let text = "
        shared x: u8 = any
        shared y: u8[2] = 0
        initial x < 100
        template t() {
          a -> b: y := any
          b -> bad: when x == 99 && y[0] == 200 && y[1] == 7
          error bad: \"a lottery\"
        }
        thread t = t()";
    assert_eq!(verdict(text), "unsafe in 2 steps");
    assert_eq!(verdict(&text.replace("x == 99", "x == 100")), "safe");
}

#[test]
fn large_arbitrary_values_are_found() {
    let text = "
        shared x: i32 = any
        shared z: u64 = any
        initial x > 1000
        template t() {
          local y: i32 = 0
          local k: i32 = 0
          a -> b: y := any
          b -> c: when y - 3 == x * 2 then k := x
          c -> d: when k != 1001 && k < 1004
          d -> bad: when z == 18446744073709551615
          error bad: \"a combination lock\"
        }
        thread t = t()";
    assert_eq!(verdict(text), "unsafe in 4 steps");
}

#[test]
fn what_no_value_satisfies_is_left_to_others() {
    let text = "
        shared x: u32 = any
        template t() {
          a -> b: when x % 2 == 0
          b -> bad: when x % 2 == 1
          error bad: \"even and odd\"
        }
        thread t = t()";
    assert!(verdict(text).starts_with("beyond: needs an engine that reasons about values"));
}

#[test]
fn arbitrary_values_that_do_not_matter_are_safe() {
    let text = "
        shared x: i64 = any
        shared a: i32[3] = 0
        template t() {
          local i: i32 = any
          s -> t: a[i] := 5
          t -> u: when a[0] == 5 then x := x + 1
          u -> bad: when 1 == 2
          error bad: \"never\"
        }
        thread t[2] = t()";
    assert_eq!(verdict(text), "safe");
}

#[test]
fn limits_are_named_and_do_not_hide_errors() {
    let text = "
        shared x: u8 = 0
        template t() { a -> out: x := 1  limit unsupported out: \"longjmp\" }
        template u() { b -> c  c -> d  error d: \"reached\" }
        thread t = t()";
    assert_eq!(verdict(text), "limit: longjmp");
    assert_eq!(verdict(&format!("{text}\nthread u = u()")), "unsafe in 2 steps");
}

#[test]
fn limits_that_no_value_leads_to_are_left_to_others() {
    let text = "
        shared x: u32 = any
        template t() {
          a -> b: when x < 4
          b -> out: when x > 3
          limit bound out: \"more than 3\"
        }
        thread t = t()";
    assert!(verdict(text).starts_with("beyond: needs an engine that reasons about values"));
    assert_eq!(verdict(&text.replace("x < 4", "x < 6")), "limit: more than 3");
}

#[test]
fn limits_and_errors_at_the_start() {
    let error = "template t() { a -> a  error a: \"here\" } thread t = t()";
    assert_eq!(verdict(error), "unsafe in 0 steps");
    let both = format!("{error} template u() {{ b -> b  limit bound b: \"no\" }} thread u = u()");
    assert_eq!(verdict(&both), "limit: no");
}

#[test]
fn any_number_of_threads_is_searched_for_errors_only() {
    let text = "
        shared count: u8 = 0
        template t() { a -> b: count := count + 1 }
        template watch() { c -> bad: when count == 3  error bad: \"three\" }
        thread t[*] = t()
        thread w = watch()";
    assert_eq!(verdict(text), "unsafe in 4 steps");
    let fine = text.replace("count == 3", "count == 200");
    assert!(verdict(&fine).starts_with("beyond: arbitrarily many threads"));
}

#[test]
fn undefined_steps_are_not_taken() {
    let text = "
        shared x: i8 = 127
        shared zero: i8 = 0
        template t() {
          a -> bad: x := x + 1
          a -> bad: when 1 / zero == 0
          a -> bad: when 1 << x == 1
          error bad: \"undefined\"
        }
        thread t = t()";
    assert_eq!(verdict(text), "safe");
}

#[test]
fn mathematical_integers_end_the_search_before_they_lie() {
    let text = "
        shared x: int = 1
        template t() { a -> a: x := x * 65536 }
        thread t = t()";
    assert_eq!(verdict(text), "beyond: a mathematical integer outgrew 64 bits");
}

/// Stops the search at its first report.
struct Impatient(Budget, Vec<Option<u64>>);

impl Observer for Impatient {
    fn event(&mut self, event: Event) {
        self.0.stop(Stop::Timeout);
        self.1.push(event.counter("states"));
    }
}

#[test]
fn the_budget_is_kept() {
    let program = parse(
        "shared x: u64 = 0
         template t() { a -> a: x := x + 1 }
         thread t = t()",
    );
    let budget = Budget::default();
    let mut observer = Impatient(budget.clone(), Vec::new());
    let verdict = Explorer::default().verify(&program, &budget, &mut observer);
    assert_eq!(verdict, Verdict::Unknown(Reason::Timeout));
    assert!(matches!(observer.1[..], [Some(100_000..200_000)]));
}
