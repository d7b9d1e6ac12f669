//! Why accesses fail: at every number that a pointer can be, exactly one way is open, and it is the right one.

use ccfa::semantics::{State, System};
use ccfa::{Edge, EdgeId, LocId, LocKind, Type, Undefined};
use cfront::preprocess::Source;
use cfront::{Bounds, CProgram, DataModel, LowerOptions, Property, Purpose};
use std::collections::BTreeMap;

const POINTER: Type = Type::unsigned(64);
/// Where the objects of the model begin: the first, each of the others, and how many a test has at most.
const FIRST_OBJECT: i128 = (1 << 40) + 0x2a5b_c3f0;
const DISTANCE: i128 = 1 << 41;
const MAX_OBJECTS: i128 = 8;
/// What is looked at of each object: more than the objects of a test have.
const AROUND: std::ops::Range<i128> = -8..40;

/// The numbers that pointers are: all that are null, and those around objects.
fn numbers() -> impl Iterator<Item = i128> {
    let starts = (0..MAX_OBJECTS).map(|object| FIRST_OBJECT + object * DISTANCE);
    (0..4200).chain(starts.flat_map(|start| AROUND.map(move |offset| start + offset)))
}

/// What an access of `body` at `*p` comes to, for each number that `p` may be and each state of the lives of
/// objects: `None` where it succeeds. What `p` may point to is what `body` assigns before.
fn outcomes(body: &str) -> BTreeMap<(i128, i128), Option<Undefined>> {
    let source = format!(
        "void *malloc(unsigned long); void free(void *); extern int choice(void);
         struct mixed {{ char c; int i; short s[3]; long l; }};
         int x; int v[3]; struct mixed m; char text[5];
         int main(void) {{ {body}; return 0; }}"
    );
    let options = LowerOptions {
        purpose: Purpose::Verification,
        choices: cfront::Choices::default(),
        property: Property::Assertions,
        bounds: Bounds { recursion: 2, objects: 2, delayed_writes: 0 },
    };
    let source = Source::from_text("test.i", &source);
    let read = CProgram::from_source(source, DataModel::Lp64);
    let loaded = read.and_then(|program| program.lower(&options));
    let program = loaded.unwrap_or_else(|bad| panic!("{:?}\n{body}", bad.complaints)).program;
    let system = System::new(&program, 0);
    let template = system.template(0);
    let fails = |kind: &LocKind| match kind {
        LocKind::Undefined(kind) => *kind == Undefined::NullPointer,
        _ => false,
    };
    let is_end = |at: LocId| template.locations[at.index()].kind != LocKind::Plain;
    let null = template.edges.iter().find(|e| fails(&template.locations[e.target.index()].kind));
    let failure = null.expect("the access may fail").source;
    let into = template.edges.iter().find(|edge| edge.target == failure).expect("an access");
    let mut found = BTreeMap::new();
    for (number, life) in numbers().flat_map(|n| (0..3).map(move |l| (n, l))) {
        let mut state = system.initial();
        fill(&system, &mut state, number, life);
        state.locations[0] = into.source;
        let mut next = only_step(&system, &state, &format!("{number:x} with {life}: {body}"));
        if template.edges.iter().any(|e| e.source == next.locations[0] && is_end(e.target)) {
            next = only_step(&system, &next, &format!("failed {number:x} with {life}: {body}"));
        }
        let outcome = match &template.locations[next.locations[0].index()].kind {
            LocKind::Undefined(kind) => Some(*kind),
            LocKind::Plain => None,
            other => panic!("{number:x} comes to {other:?}"),
        };
        found.insert((number, life), outcome);
    }
    found
}

/// The pointer is this number, and all objects that come and go are in this state of life.
fn fill(system: &System, state: &mut State, number: i128, life: i128) {
    for id in 0..system.template(0).locals.len() {
        let var = ccfa::VarRef::Local(ccfa::LocalId(id as u32));
        let declared = system.var(0, var);
        let value = match declared.name.ends_with(".live") {
            true => life.min(1),
            false if declared.ty == POINTER => number,
            false => 0,
        };
        let first = system.offset(0, var);
        state.cells[first..first + declared.cells()].fill(Some(value));
    }
    for id in 0..system.program.shared.len() {
        let var = ccfa::VarRef::Shared(ccfa::SharedId(id as u32));
        let declared = system.var(0, var);
        let value = match &declared.name {
            name if name.ends_with(".live") => life,
            name if name.ends_with(".size") => 8,
            _ => 0,
        };
        let first = system.offset(0, var);
        state.cells[first..first + declared.cells()].fill(Some(value));
    }
}

/// The state after the one step that is possible.
fn only_step(system: &System, state: &State, what: &str) -> State {
    let step = |(_, edge): (EdgeId, &Edge)| system.step(state, 0, edge, &mut |_| Some(0));
    let mut next: Vec<State> = system.next(state, 0).filter_map(step).collect();
    assert_eq!(next.len(), 1, "steps that are possible at {what}");
    next.remove(0)
}

/// How often each outcome is there for one state of life, from the first object on.
fn counted(
    outcomes: &BTreeMap<(i128, i128), Option<Undefined>>,
    life: i128,
) -> Vec<(Option<Undefined>, usize)> {
    let mut counts = BTreeMap::new();
    for ((number, at), outcome) in outcomes {
        match *number < 4096 {
            true => assert_eq!(*outcome, Some(Undefined::NullPointer), "at {number}"),
            false if *at == life => *counts.entry(*outcome).or_default() += 1,
            false => {}
        }
    }
    counts.remove(&Some(Undefined::NotAnObject));
    counts.into_iter().collect()
}

use Undefined::{DeadObject, Misaligned, OutOfBounds, UseAfterFree, WrongType};

#[test]
fn variables() {
    // Of the 48 addresses around an `int`, one is its own.
    let found = outcomes("int *p = &x; p += choice(); *p = 1");
    assert_eq!(counted(&found, 0), [(None, 1), (Some(OutOfBounds), 47)]);
    let found = outcomes("int *p = v; p += choice(); *p = 1");
    let expected = [(None, 3), (Some(OutOfBounds), 39), (Some(Misaligned), 6)];
    assert_eq!(counted(&found, 0), expected);
    // Bytes are anywhere.
    let found = outcomes("char *p = text; p += choice(); *p = 1");
    assert_eq!(counted(&found, 0), [(None, 5), (Some(OutOfBounds), 43)]);
    // Four bytes in a record of 24: one scalar and two halves of another; at 0, 8 and 12 there are others.
    let found = outcomes("int *p = &m.i; p += choice(); *p = 1");
    let expected =
        [(None, 3), (Some(OutOfBounds), 27), (Some(Misaligned), 15), (Some(WrongType), 3)];
    assert_eq!(counted(&found, 0), expected);
}

#[test]
fn lives() {
    let found = outcomes(
        "int *p = malloc(8); *(int **)v = p; p += choice(); if (choice()) free(p); *p = 1",
    );
    let alive = counted(&found, 1);
    assert!(alive.contains(&(None, 2)), "{alive:?}");
    let gone = counted(&found, 2);
    assert!(gone.contains(&(Some(UseAfterFree), 2)), "{gone:?}");
    let unused = counted(&found, 0);
    assert!(!unused.iter().any(|(kind, _)| *kind == Some(UseAfterFree)), "{unused:?}");
    let found = outcomes("int *p; { int y; p = &y; } p += choice(); *p = 1");
    assert!(counted(&found, 0).contains(&(Some(DeadObject), 1)));
    assert!(counted(&found, 1).contains(&(None, 1)));
}

#[test]
fn several_objects() {
    for body in [
        "int *p = choice() ? &x : v; p += choice(); *p = 1",
        "int *p = choice() ? &m.i : v; p += choice(); x = *p",
        "char *p = choice() ? text : (char *)&m; p += choice(); x = *p",
        "long *p = choice() ? &m.l : malloc(choice()); p += choice(); *p = 1",
        "int *p = choice() ? &x : malloc(8); p += choice(); if (choice()) free(p); x = *p",
    ] {
        // Exactly one way is open at each number: `only_step` has seen to it.
        assert!(outcomes(body).values().any(Option::is_none), "{body}");
    }
}
