//! Programs with store buffers against the axioms of the memory models: the same outcomes, on litmus tests with published verdicts and on random ones.

mod axioms;
mod litmus;
mod machine;

use ccfa::random::Rng;
use ccfa::semantics::{ANY, State, System};
use ccfa::store_buffers::{Capacity, StoreOrder, with_store_buffers};
use ccfa::{LocId, LocKind, LocalId, Program, VarRef};
use litmus::{Litmus, Outcome};
use std::collections::{BTreeSet, HashSet};

/// More than a test writes.
const CAPACITY: u32 = 16;
const ORDERS: [StoreOrder; 2] = [StoreOrder::Total, StoreOrder::Partial];

/// The outcomes of all interleavings in which all threads have come to their ends, and everything has become visible.
fn explored(program: &Program, before: &Program) -> BTreeSet<Outcome> {
    assert_eq!(ccfa::wellformed::check(program), Ok(()));
    let system = System::new(program, 1);
    let mut waiting = vec![system.initial()];
    let (mut seen, mut outcomes) = (HashSet::new(), BTreeSet::new());
    while let Some(state) = waiting.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let ends = before.templates.iter().map(|template| LocId(template.edges.len() as u32));
        if state.locations.iter().copied().eq(ends) {
            outcomes.insert(outcome(&system, &state, before));
        }
        for instance in 0..system.instances.len() {
            let at = system.location(&state, instance);
            assert_eq!(at.kind, LocKind::Plain, "the buffers suffice");
            for (_, edge) in system.next(&state, instance) {
                if let Some(next) = system.step(&state, instance, edge, &mut |_| ANY) {
                    waiting.push(next);
                }
            }
        }
    }
    outcomes
}

/// The registers, which come before the locals of buffers, then memory.
fn outcome(system: &System, state: &State, before: &Program) -> Outcome {
    let memory: usize = system.program.shared.iter().map(|var| var.cells()).sum();
    let mut cells: Vec<_> = Vec::new();
    for (instance, template) in before.templates.iter().enumerate() {
        let first =
            memory + (0..instance).map(|other| system.template(other).locals.len()).sum::<usize>();
        cells.extend_from_slice(&state.cells[first..first + template.locals.len()]);
    }
    cells.extend_from_slice(&state.cells[..memory]);
    cells.into_iter().map(|cell| cell.expect("every value is known")).collect()
}

fn buffered(litmus: &Litmus, order: StoreOrder) -> BTreeSet<Outcome> {
    let program = litmus.program();
    explored(&with_store_buffers(&program, order, Capacity::Ends(CAPACITY)).program, &program)
}

/// Can the registers have these values, in total and in partial order?
fn check(test: &str, values: &[i128], expected: [bool; 2]) {
    let litmus = Litmus::parse(test);
    for (order, expected) in ORDERS.into_iter().zip(expected) {
        let outcomes = buffered(&litmus, order);
        assert_eq!(outcomes, axioms::outcomes(&litmus, order), "{test}, {order:?}");
        let found = outcomes.iter().any(|outcome| outcome.starts_with(values));
        assert_eq!(found, expected, "{test}, {order:?}: {values:?}");
    }
}

/// The verdicts are those of Sewell et al. 2010 (total), and of SPARC's manual and Alglave et al. 2014 (partial).
#[test]
fn litmus_tests_have_their_published_outcomes() {
    check("Wx1 Ry | Wy1 Rx", &[0, 0], [true, true]); // SB
    check("Wx1 Fsc Ry | Wy1 Fsc Rx", &[0, 0], [false, false]);
    check("Wx1 Fsc Ry | Wy1 Rx", &[0, 0], [true, true]);
    check("Sx1 Ry | Sy1 Rx", &[0, 0], [false, false]);
    check("Wx1 Frel Ry | Wy1 Frel Rx", &[0, 0], [true, true]);
    check("Xx1 Ry | Xy1 Rx", &[0, 0, 0, 0], [false, false]);
    check("Wx1 Xz1 Ry | Wy1 Xz2 Rx", &[0, 0, 1, 0], [false, false]);
    check("Wx1 Wy1 | Ry Rx", &[1, 0], [false, true]); // MP
    check("Wx1 Frel Wy1 | Ry Rx", &[1, 0], [false, false]);
    check("Wx1 Facq Wy1 | Ry Rx", &[1, 0], [false, true]);
    check("Wx1 Ly1 | Ry Rx", &[1, 0], [false, false]);
    check("Wx1 Sy1 | Ry Rx", &[1, 0], [false, false]);
    check("Rx Wy1 | Ry Wx1", &[1, 1], [false, false]); // LB
    check("Wx1 | Rx Wy1 | Ry Rx", &[1, 1, 0], [false, false]); // WRC
    check("Wx1 | Wy1 | Rx Ry | Ry Rx", &[1, 0, 1, 0], [false, false]); // IRIW
    check("Wx1 | Rx Rx", &[1, 0], [false, false]); // CoRR
    check("Wx1 Rx | Wx2 Rx", &[2, 1], [false, false]);
    check("Wx1 Rx Ry | Wy1 Ry Rx", &[1, 0, 1, 0], [true, true]); // forwarding
    check("Wx1 Rx Ry | Wy2 Wx2", &[1, 0], [true, true]); // n6, with the end below
    check("Wx1 Rx | Wx2 Rx", &[1, 2], [true, true]);
}

/// What memory holds at the end.
#[test]
fn litmus_tests_have_their_published_ends() {
    let ends = |test: &str, values: &[i128], expected: [bool; 2]| {
        let litmus = Litmus::parse(test);
        for (order, expected) in ORDERS.into_iter().zip(expected) {
            let outcomes = buffered(&litmus, order);
            assert_eq!(outcomes, axioms::outcomes(&litmus, order), "{test}, {order:?}");
            // Registers, the array's two elements, x, y, z.
            let is_such = |outcome: &Outcome| {
                let registers = outcome.len() - 5;
                let (read, memory) = outcome.split_at(registers);
                [read, &memory[2..4]].concat() == values
            };
            assert_eq!(outcomes.iter().any(is_such), expected, "{test}, {order:?}");
        }
    };
    ends("Wx1 Rx Ry | Wy2 Wx2", &[1, 0, 1, 2], [true, true]); // n6
    ends("Wx1 Wy2 | Wy1 Wx2", &[1, 1], [false, true]); // 2+2W
    ends("Wx1 Frel Wy2 | Wy1 Frel Wx2", &[1, 1], [false, false]);
    ends("Wx2 Wy1 | Ry Wx1", &[1, 2, 1], [false, true]); // S
    ends("Wx1 Wy1 | Wy2 Rx", &[0, 1, 2], [true, true]); // R
    ends("Wx1 Fsc Wy1 | Wy2 Fsc Rx", &[0, 1, 2], [false, false]);
}

#[test]
fn random_programs_have_the_outcomes_of_the_axioms() {
    let mut decided = 0;
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed);
        let instructions = 3 + rng.below(5);
        let litmus = Litmus::random(&mut rng, instructions);
        for order in ORDERS {
            let expected = axioms::outcomes(&litmus, order);
            assert_eq!(buffered(&litmus, order), expected, "seed {seed}, {order:?}: {litmus:?}");
            decided += usize::from(expected.len() > 1);
        }
    }
    assert!(decided > 1_000, "{decided} programs have several outcomes");
}

/// Abstract buffers lose no outcome.
#[test]
fn abstract_buffers_allow_at_least_what_the_axioms_do() {
    let mut more = 0;
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let instructions = 4 + rng.below(4);
        let litmus = Litmus::random(&mut rng, instructions).of_scalars();
        let program = litmus.program();
        for order in ORDERS {
            let expected = axioms::outcomes(&litmus, order);
            for room in [1, 2] {
                let abstracted =
                    with_store_buffers(&program, order, Capacity::Abstracts(room)).program;
                let found = explored(&abstracted, &program);
                assert!(found.is_superset(&expected), "seed {seed}, {order:?}: {litmus:?}");
                more += usize::from(found != expected);
            }
        }
    }
    assert!(more > 100, "{more} programs have more outcomes");
    // The first write leaves the buffer while the second one waits.
    let program = Litmus::parse("Wy1 Wx2 Ry | Xy5 Rx").program();
    let abstracted =
        with_store_buffers(&program, StoreOrder::Total, Capacity::Abstracts(1)).program;
    assert!(explored(&abstracted, &program).iter().any(|outcome| outcome.starts_with(&[5, 1, 0])));
}

/// The states of the program before, with empty buffers, that a program made of it comes to.
fn reached(program: &Program, before: &Program) -> HashSet<State> {
    assert_eq!(ccfa::wellformed::check(program), Ok(()));
    let (system, old) = (System::new(program, 1), System::new(before, 1));
    let mut waiting = vec![system.initial()];
    let (mut seen, mut reached) = (HashSet::new(), HashSet::new());
    while let Some(state) = waiting.pop() {
        if !seen.insert(state.clone()) || system.limit(&state).is_some() {
            continue;
        }
        let is_empty =
            |(at, template): (&LocId, &ccfa::Template)| at.index() < template.locations.len();
        if state.locations.iter().zip(&before.templates).all(is_empty) {
            let mut cells = state.cells[..old.offset(0, VarRef::Local(LocalId(0)))].to_vec();
            for instance in 0..2 {
                let first = system.offset(instance, VarRef::Local(LocalId(0)));
                cells.extend_from_slice(&state.cells[first..first + 2]);
            }
            reached.insert(State { locations: state.locations.clone(), cells });
        }
        for instance in 0..system.instances.len() {
            for (_, edge) in system.next(&state, instance) {
                // An arbitrary value is one bit.
                let step = |bit| system.step(&state, instance, edge, &mut |_| Some(bit));
                waiting.extend([0, 1].into_iter().filter_map(step));
            }
        }
    }
    reached
}

/// A write that is visible at once takes no room in the buffer: so the program may do what a machine does that has room for one more.
#[test]
fn random_programs_with_loops_do_what_the_machine_does() {
    let (mut decided, mut different) = (0, 0);
    for seed in 0..150 {
        let program = machine::random(&mut Rng::new(seed));
        for order in ORDERS {
            let Some(most) = machine::reached(&program, order, 3) else { continue };
            let least = machine::reached(&program, order, 2).expect("it has fewer states");
            let found =
                reached(&with_store_buffers(&program, order, Capacity::Ends(2)).program, &program);
            let text = || ccfa::text::print(&program);
            assert!(least.is_subset(&found), "seed {seed}, {order:?}: too few\n{}", text());
            assert!(found.is_subset(&most), "seed {seed}, {order:?}: too many\n{}", text());
            for room in [1, 2].into_iter().filter(|_| !has_arrays(&program)) {
                let abstracted =
                    with_store_buffers(&program, order, Capacity::Abstracts(room)).program;
                let more = reached(&abstracted, &program);
                assert!(most.is_subset(&more), "seed {seed}, {order:?}: lost\n{}", text());
                different += usize::from(more != found);
            }
            decided += usize::from(reached(&program, &program) != found);
        }
    }
    assert!(decided > 20, "in {decided} programs buffers make a difference");
    assert!(different > 15, "in {different} programs abstraction makes a difference");
}

/// Does a step write an element?
fn has_arrays(program: &Program) -> bool {
    let edges = program.templates.iter().flat_map(|template| &template.edges);
    edges.flat_map(|edge| &edge.assigns).any(|assign| assign.place.parts().1.is_some())
}
