//! What is known where, on programs small enough to read; and proofs by assertions on their way
//! back.

use ccfa::text::{parse, parse_expr, print};
use ccfa::{LocId, Program, ThreadId, Type};
use evidence::{Assertions, Proof, Reason, Region, Slot, Verdict, View};
use transform::{KnownValues, Pipeline};

fn program(text: &str) -> Program {
    parse(&format!("program \"test\"\n{text}")).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

fn simplify(program: &Program) -> Pipeline {
    Pipeline::run(program.clone(), &[Box::new(KnownValues)])
}

/// The first program becomes the second.
#[track_caller]
fn becomes(before: &str, after: &str) {
    let simpler = simplify(&program(before));
    assert_eq!(print(simpler.program()), print(&program(after)));
}

#[test]
fn what_a_thread_did_itself_is_known() {
    becomes(
        "shared s: u8 = 0
         template t() { local x: u8 = 3  a -> b: x := x + 1  b -> c: s := x }
         thread t = t() thread other = t()",
        "shared s: u8 = 0
         template t() { local x: u8 = 3  a -> b: x := 4  b -> c: s := 4 }
         thread t = t() thread other = t()",
    );
}

#[test]
fn what_ways_do_not_agree_on_is_not() {
    becomes(
        "shared s: u8 = 0
         template t() {
           local x: u8 = 0
           local y: u8 = 1
           a -> b: x := 1
           a -> b: x := 2
           b -> b: s := x + y
         }
         thread t = t()",
        "shared s: u8 = 0
         template t() {
           local x: u8 = 0
           local y: u8 = 1
           a -> b: x := 1
           a -> b: x := 2
           b -> b: s := x + 1
         }
         thread t = t()",
    );
}

#[test]
fn steps_that_cannot_be_taken_are_closed_and_what_follows_them() {
    becomes(
        "template t() {
           local x: u8 = 0
           a -> b: when x == 1 then x := 2
           a -> c: when x == 0
           b -> c: x := 3
           c -> bad: when x == 3
           error bad: \"\"
         }
         thread t = t()",
        "template t() {
           local x: u8 = 0
           a -> b: when false && x == 1 then x := 2
           a -> c
           b -> c: when false && true then x := 3
           c -> bad: when false && x == 3
           error bad: \"\"
         }
         thread t = t()",
    );
}

#[test]
fn shared_variables_are_known_to_their_only_writer() {
    let threads = "thread writer = writer() thread reader = reader()";
    let reader = "template reader() { a -> b: when s == 1 then r := s }";
    let writer = |second: &str| format!("template writer() {{ a -> b: s := 1  b -> c: {second} }}");
    let shared = "shared s: u8 = 0 shared r: u8 = 0";
    becomes(
        &format!("{shared} {} {reader} {threads}", writer("s := s + r")),
        &format!("{shared} {} {reader} {threads}", writer("s := 1 + r")),
    );
}

#[test]
fn another_instance_is_another_writer() {
    for count in ["[2]", "[*]"] {
        let text = format!(
            "shared s: u8 = 0
             template t() {{ a -> b: s := 1  b -> c: s := s + 1 }}
             thread t{count} = t()"
        );
        becomes(&text, &text);
    }
}

/// Trees look at steps that touch a shared variable first, and closed sets at who reads what
/// another writes: these must not change.
#[test]
fn what_other_threads_can_tell_stays() {
    let only_reads_its_own = "
        shared s: u8 = 0
        template t() { a -> b: when s == 0 }
        thread t = t()";
    becomes(only_reads_its_own, only_reads_its_own);
    let looks_at_another = "
        shared r: u8 = 0
        shared s: u8 = 0
        template t() { local x: u8 = 0  a -> b: when x == 0 || r == 0 then s := 1 }
        template other() { a -> a: r := r + 1 }
        thread t = t()
        thread other = other()";
    becomes(looks_at_another, looks_at_another);
}

#[test]
fn what_is_undefined_stays_undefined() {
    becomes(
        "template t() { local x: i8 = 127  local y: i8 = 0  a -> b: y := x + 1  b -> bad  error bad: \"\" }
         thread t = t()",
        "template t() { local x: i8 = 127  local y: i8 = 0  a -> b: y := 127 + 1  b -> bad  error bad: \"\" }
         thread t = t()",
    );
}

/// The proof for the simpler program says nothing about `one`.
#[test]
fn assertions_come_back_with_what_is_known() {
    let program = program(
        "shared lock: u8 = 0
         template t() {
           local one: u8 = 1
           start -> inside: when lock == 0 then lock := one
           inside -> start: lock := 0
           inside -> bad: when lock != one
           error bad: \"locked\"
         }
         thread t[*] = t()",
    );
    let slot = Slot { thread: ThreadId(0), index: None };
    let [start, inside] = [LocId(0), LocId(1)].map(|at| Some(vec![at]));
    let locked = parse_expr(&program, None, Type::Bool, "lock == 1").unwrap();
    let one = vec![
        Region { at: vec![start.clone()], holds: vec![] },
        Region { at: vec![inside], holds: vec![locked] },
    ];
    let two = vec![
        Region { at: vec![start.clone(), None], holds: vec![] },
        Region { at: vec![None, start], holds: vec![] },
    ];
    let view = |slots: &[Slot], regions| View { slots: slots.into(), regions };
    let views = vec![view(&[slot], one), view(&[slot, slot], two)];
    let found = Verdict::Safe(Proof::Assertions(Assertions { views }));

    let confirm =
        |program: &Program, verdict: &Verdict| engine_suite::confirm(program, verdict.clone());
    let simpler = simplify(&program);
    assert_eq!(confirm(simpler.program(), &found), found);
    assert!(matches!(confirm(&program, &found), Verdict::Unknown(Reason::CheckFailed(_))));
    let carried = simpler.back(found);
    assert_eq!(confirm(&program, &carried), carried);
}
