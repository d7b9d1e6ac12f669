//! Families of programs that grow: the proof does not depend on the number of rounds, and every mutant is refused.

use ccfa::Program;
use engine::{Budget, Engine, Silent};
use evidence::Verdict;
use values::AbstractValues;

/// A program, and how it is broken: what stands in the text, and what comes in its place.
struct Family {
    name: &'static str,
    text: fn(u32) -> String,
    sizes: &'static [u32],
    mutants: &'static [(&'static str, &'static str)],
}

const FAMILIES: [Family; 3] = [
    Family {
        name: "a counter with a limit, in rounds under a lock",
        text: limited_counter,
        sizes: &[10, 1_000, 1_000_000],
        mutants: &[
            ("inside -> write: when x < 50", "inside -> write: when x < 51"),
            ("&& owner == 0 then owner := me", "then owner := me"),
            ("x := x + 1", "x := x + 2"),
        ],
    },
    Family {
        name: "readers wait for a flag",
        text: flag,
        sizes: &[1, 4, 16],
        mutants: &[
            (
                "write -> raise: data := 42\n raise -> end: flag := 1",
                "write -> raise: flag := 1\n raise -> end: data := 42",
            ),
            ("wait -> read: when flag == 1", "wait -> read: when flag <= 1"),
        ],
    },
    Family {
        name: "each thread has a slot",
        text: slots,
        sizes: &[1, 4, 16],
        mutants: &[("start -> check: slot[me] := me", "start -> check: slot[0u8] := me")],
    },
];

fn limited_counter(rounds: u32) -> String {
    format!(
        r#"program "limited counter"
shared owner: u8 = 0
shared x: i32 = 0
template worker(me: u8) {{
 local i: i32 = 0
 entry head
 location head
 location inside
 location write
 location check
 location end
 error bad: "x <= 50"
 head -> end: when {rounds} <= i
 head -> inside: when i < {rounds} && owner == 0 then owner := me
 inside -> check: when 50 <= x
 inside -> write: when x < 50
 write -> check: x := x + 1
 check -> bad: when 50 < x
 check -> head: when x <= 50 then owner := 0, i := i + 1
}}
thread worker[2] = worker(index + 1)"#
    )
}

fn flag(readers: u32) -> String {
    format!(
        r#"program "flag"
shared data: i32 = 0
shared flag: u8 = 0
template writer() {{
 entry write
 location write
 location raise
 location end
 write -> raise: data := 42
 raise -> end: flag := 1
}}
template reader() {{
 entry wait
 location wait
 location read
 location end
 error bad: "data == 42"
 wait -> read: when flag == 1
 read -> bad: when data != 42
 read -> end: when data == 42
}}
thread writer = writer()
thread reader[{readers}] = reader()"#
    )
}

fn slots(threads: u32) -> String {
    format!(
        r#"program "slots"
shared slot: u8[{threads}] = 77
template worker(me: u8) {{
 entry start
 location start
 location check
 location end
 error bad: "slot[me] == me"
 start -> check: slot[me] := me
 check -> bad: when slot[me] != me
 check -> end: when slot[me] == me
}}
thread worker[{threads}] = worker(index)"#
    )
}

fn parse(text: &str) -> Program {
    ccfa::text::parse(text).unwrap_or_else(|wrong| panic!("{wrong:?}\n{text}"))
}

/// The verdict, which the checker has confirmed.
fn verdict(program: &Program) -> Verdict {
    let found = AbstractValues.verify(program, &Budget::default(), &mut Silent);
    engine_suite::confirm(program, found)
}

#[test]
fn every_size_is_proved() {
    for family in FAMILIES {
        for size in family.sizes {
            let verdict = verdict(&parse(&(family.text)(*size)));
            assert!(matches!(verdict, Verdict::Safe(_)), "{} {size}: {verdict:?}", family.name);
        }
    }
}

#[test]
fn no_mutant_is_proved() {
    for family in FAMILIES {
        let size = family.sizes[1];
        for (part, other) in family.mutants {
            let text = (family.text)(size);
            let mutant = text.replace(part, other);
            assert_ne!(text, mutant, "{}: {part}", family.name);
            let verdict = verdict(&parse(&mutant));
            let undecided = matches!(verdict, Verdict::Unknown(evidence::Reason::Beyond(_)));
            assert!(undecided, "{} with {other}: {verdict:?}", family.name);
        }
    }
}

/// The proof of a loop has as many regions as that of a longer one.
#[test]
fn rounds_do_not_count() {
    let regions = |rounds: u32| match verdict(&parse(&limited_counter(rounds))) {
        Verdict::Safe(evidence::Proof::Assertions(proof)) => {
            proof.views.iter().map(|view| view.regions.len()).sum::<usize>()
        }
        other => panic!("{rounds}: {other:?}"),
    };
    assert_eq!(regions(1_000), regions(1_000_000));
}
