//! Which threads are persistent in a state: two-sided, and each part of the condition by a program that needs it.

use ccfa::lookahead::Lookahead;
use ccfa::semantics::{ANY, State, System};
use ccfa::text::parse;
use ccfa::{LocId, Program, SharedId, VarRef};

/// Two threads: what the first does next, and what the second does from its start on.
fn program(first: &str, second: &str) -> Program {
    let text = format!(
        "program \"ahead\"
shared a: u8[3] = 0
shared x: u8 = 0
shared y: u8 = 0
template first(self: u8) {{ local i: u8 = 0 entry start {first} }}
template second(self: u8) {{ local i: u8 = 0 entry start {second} }}
thread first = first(0)
thread second = second(1)
"
    );
    parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Is the first thread persistent at the start, if `x` is one of these?
fn is_persistent(first: &str, second: &str, x: Option<i128>) -> bool {
    let program = program(first, second);
    let system = System::new(&program, 0);
    let mut state = system.initial();
    state.cells[system.offset(0, VarRef::Shared(SharedId(1)))] = x;
    Lookahead::new(&system, &[]).is_persistent(&state, &[0], &[1])
}

#[test]
fn elements_are_told_apart_where_indices_are_known() {
    let first = "start -> end: a[self] := 1";
    for (second, persistent) in [
        ("start -> end: a[self] := 2", true),
        ("start -> end: when a[2] == 0", true),
        ("start -> end: a[0] := 2", false),
        ("start -> end: when a[0] == 0", false),
        // An index that the thread computes first.
        ("start -> next: i := self + 1   next -> end: a[i] := 2", true),
        ("start -> next: i := self - 1   next -> end: a[i] := 2", false),
        ("start -> next: i := any   next -> end: a[i] := 2", false),
        // One that is read from memory, which nobody writes; or the thread itself does.
        ("start -> end: a[x] := 2", true),
        ("start -> next: x := 0   next -> end: a[x] := 2", false),
        // Out of bounds: the step cannot be taken.
        ("start -> end: a[x + 7] := 2", true),
    ] {
        assert_eq!(is_persistent(first, second, Some(2)), persistent, "{second}");
    }
    assert!(!is_persistent(first, "start -> end: a[x] := 2", ANY));
    assert!(!is_persistent("start -> end: a[x] := 1", "start -> end: a[2] := 2", ANY));
    assert!(is_persistent("start -> end: a[x] := 1", "start -> end: a[2] := 2", Some(1)));
}

#[test]
fn who_is_blocked_touches_nothing() {
    let first = "start -> end: y := 1";
    let waits = "start -> next: when x == 1 then i := 0   next -> end: when y == 0";
    assert!(is_persistent(first, waits, Some(0)));
    assert!(!is_persistent(first, waits, Some(1)));
    assert!(!is_persistent(first, waits, ANY));
    // Nor does it help to wait for what the first one writes: it stays where it is.
    let waits = "start -> next: when y == 1   next -> end: y := 0";
    assert!(is_persistent(first, waits, Some(0)));
    // At an atomic location it counts: a thread that is blocked there is a deadlock.
    let inside = "atomic location next start -> next   next -> end: when y == 1";
    assert!(!is_persistent(first, inside, Some(0)));
    // Of the first thread, steps that cannot be taken count: they may be taken later.
    assert!(!is_persistent("start -> end: when x == 1", "start -> end: x := 1", Some(0)));
}

#[test]
fn an_atomic_section_is_followed_to_its_end() {
    let first =
        "atomic location inside start -> inside   inside -> end: y := 1   end -> last: x := 1";
    assert!(!is_persistent(first, "start -> end: when y == 0", Some(0)));
    assert!(is_persistent(first, "start -> end: when x == 0", Some(0)));
    // What is read inside tells where it goes.
    let first = "atomic location inside start -> inside: i := a[0]   inside -> end: a[i + 1] := 1";
    assert!(!is_persistent(first, "start -> end: a[1] := 2", Some(0)));
    assert!(is_persistent(first, "start -> end: a[2] := 2", Some(0)));
    // Steps there that cannot be taken count, too.
    let first = "atomic location inside start -> inside   inside -> end: when x == 1";
    assert!(!is_persistent(first, "start -> end: x := 1", Some(0)));
}

/// Three threads: the others write what they wait for.
#[test]
fn others_open_the_way_for_each_other() {
    let text = |third: &str| {
        format!(
            "program \"three\"
shared x: u8 = 0
shared y: u8 = 0
shared z: u8 = 0
template first() {{ start -> end: y := 1 }}
template second() {{ start -> next: when x == 1   next -> end: when y == 0 }}
template third() {{ {third} }}
thread first = first()
thread second = second()
thread third = third()
"
        )
    };
    for (third, persistent) in [
        ("start -> end: x := 1", false),
        ("start -> end: x := x + 1", false),
        ("start -> end: when z == 1 then x := 1", true),
        ("start -> middle: z := 1   middle -> end: when z == 1 then x := 1", false),
    ] {
        let program = parse(&text(third)).unwrap_or_else(|error| panic!("{error}"));
        let system = System::new(&program, 0);
        let ahead = Lookahead::new(&system, &[]);
        assert_eq!(ahead.is_persistent(&system.initial(), &[0], &[1, 2]), persistent, "{third}");
        // With the third one in the set, nobody opens the way.
        assert!(ahead.is_persistent(&system.initial(), &[0, 2], &[1]), "{third}");
    }
}

/// What was found for one state is asked for again only where it holds.
#[test]
fn what_was_found_before_is_not_mistaken() {
    let program =
        program("start -> end: a[0] := 1", "start -> next: x := 1   next -> end: a[x] := 2");
    let system = System::new(&program, 0);
    let x = system.offset(0, VarRef::Shared(SharedId(1)));
    let with = |value| {
        let mut state = system.initial();
        state.cells[x] = value;
        state
    };
    // Its own value is known to the second thread, unless others write there or it is abstracted.
    for values in [[ANY, Some(0)], [Some(0), ANY]] {
        let ahead = Lookahead::new(&system, &[x]);
        for value in values {
            assert!(ahead.conflicting(&with(value), &[0], &[1], false).is_empty());
            assert_eq!(ahead.conflicting(&with(value), &[0], &[1], true), [1]);
            assert!(ahead.conflicting(&with(value), &[0], &[1], false).is_empty());
        }
    }
    // Other locations are other matters.
    let ahead = Lookahead::new(&system, &[]);
    let later =
        State { locations: vec![LocId(0), program.templates[1].edges[1].source], ..with(Some(0)) };
    assert!(ahead.is_persistent(&with(Some(0)), &[0], &[1]));
    assert!(!ahead.is_persistent(&later, &[0], &[1]));
    assert!(ahead.is_persistent(&State { cells: with(Some(2)).cells, ..later }, &[0], &[1]));
}

/// A thread with more states than are followed counts with all that its location says.
#[test]
fn too_many_states_are_no_excuse() {
    let counts = |last: u32, touches: &str| {
        format!(
            "start -> start: when y < {last} then y := y + 1   start -> start: when i < 200 then i := i + 1
             start -> end: when y == {last} && i == 200 then {touches}"
        )
    };
    for last in [1, 200] {
        let is = |touches: &str| {
            is_persistent("start -> end: a[0] := 1", &counts(last, touches), Some(0))
        };
        assert_eq!(is("a[1] := 1"), last == 1);
        assert!(!is("a[0] := 1"));
        assert!(is("x := 1"));
    }
}

/// Where a block writes into cells that are not told apart in any state, what it does after that is not known.
#[test]
fn blocks_know_nothing_of_abstracted_cells() {
    let program = program(
        "atomic location inside start -> inside: x := 1   inside -> end: a[x] := 1",
        "start -> end: a[2] := 1",
    );
    let system = System::new(&program, 0);
    let x = system.offset(0, VarRef::Shared(SharedId(1)));
    let mut state = system.initial();
    state.cells[x] = ANY;
    assert!(Lookahead::new(&system, &[]).is_persistent(&state, &[0], &[1]));
    assert!(!Lookahead::new(&system, &[x]).is_persistent(&state, &[0], &[1]));
}

/// What a thread does first and what it does at all are told apart, and each thread of a set counts.
#[test]
fn every_thread_of_a_set_counts() {
    let program =
        program("start -> end: a[0] := 1", "start -> next: i := 0   next -> end: a[i] := 2");
    let system = System::new(&program, 0);
    let (ahead, state) = (Lookahead::new(&system, &[]), system.initial());
    for _ in 0..2 {
        assert!(ahead.conflicting(&state, &[1], &[0], false).is_empty());
        assert_eq!(ahead.conflicting(&state, &[0], &[1], false), [1]);
    }
    let text = "program \"three\"
shared x: u8 = 0
template local() { start -> end }
template writes() { start -> end: x := 1 }
thread a = local()
thread b = writes()
thread c = writes()
";
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let system = System::new(&program, 0);
    let ahead = Lookahead::new(&system, &[]);
    for (ours, others, persistent) in [
        (&[0][..], &[1, 2][..], true),
        (&[0, 1], &[2], false),
        (&[1, 0], &[2], false),
        (&[1, 2], &[0], true),
        (&[1], &[0, 2], false),
    ] {
        assert_eq!(ahead.is_persistent(&system.initial(), ours, others), persistent, "{ours:?}");
    }
}
