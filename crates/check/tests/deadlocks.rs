//! Deadlocks as errors (`ccfa::deadlocks`), by brute force on many small programs: the program before has a deadlock if and only if
//! the one after has its error. Defects put into the program after are caught.

mod asked;

use ccfa::random::{Rng, Shape};
use ccfa::{Bad, Count, Edge, Expr, LocId, LocKind, Location, Program, Property, Template, Type};

/// So many of the tiny programs are left out after each one that is taken.
const STRIDE: usize = 61;
const SEEDS: std::ops::Range<u64> = 0..800;

/// Locks in opposite order, one thread that waits for another, one that is never created, sections that are blocked, programs
/// that have ended, and hands that are passed on.
const WRITTEN: [&str; 7] = [
    "shared m: bool = false   shared n: bool = false
     template a() { s -> t: when !m then m := true   t -> u: when !n then n := true   u -> v: n := false   v -> e: m := false }
     template b() { s -> t: when !n then n := true   t -> u: when !m then m := true   u -> v: m := false   v -> e: n := false }
     thread a = a()   thread b = b()",
    "shared m: bool = false   shared done: bool = false
     template a() { s -> t: when !m then m := true   t -> u: m := false   u -> e: done := true }
     template b() { s -> t: when !m then m := true   t -> u: when done   u -> e: m := false }
     thread a = a()   thread b = b()",
    "shared go: bool = false
     template a() { resting location s   s -> e: when go }
     template b() { s -> e }
     thread a = a()   thread b = b()",
    "shared x: bool = false
     template a() { atomic location t   s -> t   t -> e: when x }
     template b() { s -> e: x := true }
     thread a = a()   thread b = b()",
    "shared x: bool = false
     template a() { atomic location t   s -> t }
     template b() { s -> e: when x }
     thread a = a()   thread b = b()",
    "shared x: u1 = 0   shared v: bool[2] = false
     template a() { s -> e: when v[x] }
     template b() { s -> t: x := 1   t -> e: v[1] := true }
     thread a[2] = a()   thread b = b()",
    "shared x: bool = false   shared y: bool = false
     template a() { s -> e: when x }
     template b() { s -> t: when y   t -> e: x := true }
     template c() { s -> e: y := true }
     thread a = a()   thread b = b()   thread c = c()",
];

fn programs() -> impl Iterator<Item = (String, Program)> {
    let tiny = engine_suite::tiny::programs().enumerate().step_by(STRIDE);
    let tiny = tiny.map(|(number, program)| (format!("tiny program {number}"), program));
    let shape = Shape {
        locations: 4,
        edges: 4,
        depth: 1,
        types: vec![Type::Bool, Type::unsigned(1), Type::signed(2)],
        ..Shape::default()
    };
    let random =
        SEEDS.map(move |seed| (format!("seed {seed}"), ccfa::random::program(seed, &shape)));
    let made = tiny.chain(random).enumerate().map(|(number, (name, mut program))| {
        let mut rng = Rng::new(number as u64);
        for thread in &mut program.threads {
            let same = thread.args.iter().all(|arg| matches!(arg, ccfa::Arg::Value(_)));
            thread.count = Count::Exactly(if same && rng.one_in(3) { 2 } else { 1 });
        }
        for template in &mut program.templates {
            let entry = template.entry.index();
            template.locations[entry].resting = rng.one_in(4);
        }
        (name, program)
    });
    let written = WRITTEN.iter().map(|text| {
        let text = format!("program \"written\" {text}");
        let program = ccfa::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        (text, program)
    });
    made.chain(written).enumerate().map(|(number, (name, mut program))| {
        let errors = number % 2 == 0;
        program.property = Property { errors, deadlocks: true, ..Property::default() };
        (name, program)
    })
}

/// Can it come to a deadlock?
fn deadlocks(program: &Program) -> Option<bool> {
    let mut found = false;
    asked::visit(program, 0, |system, state| {
        found |= system.bad(state) == Some(Bad::Deadlock);
    })?;
    Some(found)
}

/// Can a thread come to the error that is new in the program after?
fn errs(before: &Program, after: &Program) -> Option<bool> {
    let mut found = false;
    asked::visit(after, 0, |system, state| {
        let is_at_it = |instance: usize| {
            let template =
                system.program.threads[system.instances[instance].thread.index()].template;
            state.locations[instance] == error(&before.templates[template.index()])
        };
        found |= (0..state.locations.len()).any(is_at_it);
    })?;
    Some(found)
}

/// The locations that are new in every template.
fn error(before: &Template) -> LocId {
    LocId(before.locations.len() as u32)
}

fn idle(before: &Template) -> LocId {
    LocId(before.locations.len() as u32 + 1)
}

fn waits(before: &Template) -> LocId {
    LocId(before.locations.len() as u32 + 2)
}

fn show(name: &str, program: &Program) -> String {
    let after = ccfa::deadlocks::as_errors(program);
    format!("{name}\n{}\n{}", ccfa::text::print(program), ccfa::text::print(&after))
}

#[test]
fn a_deadlock_before_is_an_error_after() {
    let (mut with, mut without) = (0, 0);
    for (name, program) in programs() {
        let after = ccfa::deadlocks::as_errors(&program);
        ccfa::wellformed::check(&after).unwrap_or_else(|why| panic!("{why:?}\n{name}"));
        let (Some(deadlock), Some(error)) = (deadlocks(&program), errs(&program, &after)) else {
            continue;
        };
        assert!(error || !deadlock, "a deadlock is lost: {}", show(&name, &program));
        assert!(deadlock || !error, "an error without a deadlock: {}", show(&name, &program));
        *(if deadlock { &mut with } else { &mut without }) += 1;
    }
    println!("{with} with a deadlock, {without} without");
    assert!(with > 200 && without > 200, "{with} with a deadlock, {without} without");
}

/// A defect of the program after: what becomes of an edge that is new.
type Defect = fn(&Template, &mut Edge) -> bool;

const DEFECTS: [(&str, Defect); 7] = [
    ("who has ended does not give up", |before, edge| {
        before.edges.iter().any(|old| old.source == edge.source) || edge.source >= error(before)
    }),
    ("who rests does not give up", |before, edge| {
        !before.locations.get(edge.source.index()).is_some_and(|at| at.resting)
    }),
    ("no thread is blocked in an atomic section", |before, edge| {
        !before.locations.get(edge.source.index()).is_some_and(|at| at.atomic)
    }),
    ("who has ended waits", |before, edge| {
        if edge.target == idle(before) {
            edge.target = waits(before);
        }
        true
    }),
    ("who waits has ended", |before, edge| {
        if edge.target == waits(before) {
            edge.target = idle(before);
        }
        true
    }),
    ("who has given up need not be blocked still", |before, edge| {
        if edge.source > waits(before) {
            edge.guard = first(&edge.guard);
        }
        true
    }),
    ("all give up before all have confirmed", |before, edge| {
        if edge.target == error(before) && edge.source == waits(before) {
            edge.guard = Expr::TRUE;
        }
        true
    }),
];

/// The turn, which is the first part of the guard of an edge that counts.
fn first(guard: &Expr) -> Expr {
    match guard {
        Expr::Binary(ccfa::BinOp::And, turn, _) if is_turn(turn) => (**turn).clone(),
        other => other.clone(),
    }
}

fn is_turn(expr: &Expr) -> bool {
    matches!(expr, Expr::Binary(ccfa::BinOp::And, ..))
}

#[test]
fn defects_are_noticed() {
    let mut noticed = DEFECTS.map(|(name, _)| (name, 0));
    for (number, (_, program)) in programs().enumerate() {
        let Some(deadlock) = deadlocks(&program) else { continue };
        for ((_, defect), (_, noticed)) in DEFECTS.iter().zip(&mut noticed) {
            if *noticed >= 5 && number % 16 != 0 {
                continue;
            }
            let mut after = ccfa::deadlocks::as_errors(&program);
            for (before, template) in program.templates.iter().zip(&mut after.templates) {
                let new = template.edges.split_off(before.edges.len());
                let kept = new.into_iter().filter_map(|mut edge| {
                    let keeps = defect(before, &mut edge);
                    keeps.then_some(edge)
                });
                template.edges.extend(kept);
            }
            *noticed += usize::from(errs(&program, &after).is_some_and(|error| error != deadlock));
        }
    }
    println!("{noticed:?}");
    assert!(noticed.iter().all(|(_, noticed)| *noticed > 0), "{noticed:?}");
}

/// An error that is not asked for ends the program: it is no deadlock, and no thread waits then.
#[test]
fn errors_that_are_not_asked_for_end_the_program() {
    let text = "program \"ends\" shared x: bool = false
        template a() { error bad: \"0\"   s -> bad }
        template b() { s -> e: when x }
        thread a = a()   thread b = b()";
    let mut program = ccfa::text::parse(text).expect("a model");
    program.property = Property { errors: false, deadlocks: true, ..Property::default() };
    let after = ccfa::deadlocks::as_errors(&program);
    assert_eq!((deadlocks(&program), errs(&program, &after)), (Some(false), Some(false)));
    let ended = |at: &Location| at.atomic && at.kind == LocKind::Plain;
    assert!(after.templates[0].locations.iter().any(ended));
}
