//! Which threads are singleton persistent sets, as others move.

use ccfa::LocId;
use ccfa::footprint::AccessSummaries;
use ccfa::semantics::System;

/// The first thread touches x and y, and so does the second one.
const PROGRAM: &str = r#"
program "alone"
shared x: u8 = 0
shared y: u8 = 0
template first() {
  local r: u8 = 0
  entry head
  head -> reads: r := 1
  reads -> writes: r := x
  writes -> enters: y := 1
  enters -> inside: r := 2
  atomic location inside
  inside -> head
  head -> end
}
template second() { start -> middle: x := 1   middle -> end: when y == 0 }
thread first = first()
thread second = second()
"#;

#[test]
fn who_is_alone_depends_on_what_others_can_still_do() {
    let program = ccfa::text::parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
    let summaries = AccessSummaries::new(&System::new(&program, 0));
    let location = |template: usize, name: &str| {
        let mut locations = program.templates[template].locations.iter();
        let at = locations.position(|location| location.name == name);
        LocId(at.expect("a location") as u32)
    };
    for (first, second, is_persistent) in [
        ("head", "end", false), // a loop begins here
        ("reads", "start", false),
        ("reads", "middle", true),
        ("writes", "middle", false),
        ("writes", "end", true),
        ("enters", "end", false),
        ("end", "end", false),
    ] {
        let at = [location(0, first), location(1, second)];
        assert_eq!(summaries.is_singleton_persistent(&at, 0), is_persistent, "{first}, {second}");
        assert_eq!(
            summaries.first_singleton_persistent(&at),
            is_persistent.then_some(0),
            "{first}, {second}"
        );
    }
}

#[test]
fn who_touches_nothing_shared_comes_first() {
    let program = PROGRAM.replace("reads -> writes: r := x", "reads -> writes: when x == 0");
    let program = program.replace("start -> middle: x := 1", "start -> middle");
    let program = ccfa::text::parse(&program).unwrap_or_else(|error| panic!("{error}"));
    let summaries = AccessSummaries::new(&System::new(&program, 0));
    let reads = program.templates[0].locations.iter().position(|location| location.name == "reads");
    let at = [LocId(reads.expect("a location") as u32), program.templates[1].entry];
    assert!(summaries.is_singleton_persistent(&at, 0));
    assert_eq!(summaries.first_singleton_persistent(&at), Some(1));
    assert!(summaries.order(&at, 1, true) < summaries.order(&at, 0, false));
}
