//! `ANY` covers: whatever a concrete state can do, the state with `ANY` does too.
//!
//! The SAFE answers rest on this. Random programs, random states with `ANY` in
//! them, and **every** concrete state they stand for (mathematical integers:
//! those near zero).

use ccfa::random::{self, Rng, Shape};
use ccfa::semantics::{ANY, NoValue, State, System, Value};
use ccfa::{Expr, LocId, Program, Type};

/// At most so many concrete states for one with `ANY`.
const STATES: usize = 600;

/// Small types only, so that `ANY` can be enumerated.
fn shape() -> Shape {
    let types = [Type::unsigned(1), Type::signed(1), Type::signed(2), Type::signed(3), Type::Int];
    let mut shape = Shape { depth: 3, ..Shape::default() };
    shape.types.extend(types);
    shape
}

fn values(ty: Type) -> Vec<i128> {
    let (low, high) = ty.bounds().unwrap_or((-3, 3));
    (low..=high).collect()
}

/// The type of each cell.
fn cell_types(system: &System) -> Vec<Type> {
    let locals = (0..system.instances.len()).flat_map(|i| &system.template(i).locals);
    let vars = system.program.shared.iter().chain(locals);
    vars.flat_map(|var| vec![var.ty; var.cells()]).collect()
}

/// A random state in which about one cell of three is `ANY`.
fn random_state(rng: &mut Rng, system: &System, types: &[Type]) -> State {
    let mut states = 1;
    let mut cell = |ty: &Type| {
        let values = values(*ty);
        if rng.one_in(3) && states * values.len() <= STATES {
            states *= values.len();
            return ANY;
        }
        Some(*rng.pick(&values))
    };
    let cells = types.iter().map(&mut cell).collect();
    let location = |i| LocId(rng.below(system.template(i).locations.len()) as u32);
    State { locations: (0..system.instances.len()).map(location).collect(), cells }
}

/// All concrete states that `state` stands for.
fn concretisations(state: &State, types: &[Type]) -> Vec<State> {
    let mut states = vec![state.clone()];
    for (cell, ty) in types.iter().enumerate() {
        if state.cells[cell] != ANY {
            continue;
        }
        let with = |state: State| {
            values(*ty).into_iter().map(move |value| {
                let mut state = state.clone();
                state.cells[cell] = Some(value);
                state
            })
        };
        states = states.into_iter().flat_map(with).collect();
    }
    states
}

type Answer = Result<Value, NoValue>;

/// Does an answer on a state with `ANY` allow for a concrete one?
fn value_covers(general: Answer, concrete: Answer) -> bool {
    match (general, concrete) {
        (Ok(ANY), _) => true,
        (Ok(_), Err(NoValue)) => true,
        (general, concrete) => general == concrete,
    }
}

fn state_covers(general: &State, concrete: &State) -> bool {
    let covers = |(general, concrete): (&Value, &Value)| *general == ANY || general == concrete;
    general.locations == concrete.locations && general.cells.iter().zip(&concrete.cells).all(covers)
}

/// A random state of the program of a seed, with everything it stands for.
fn check(seed: u64, test: impl Fn(&mut Rng, &Program, &System, &State, &[State])) {
    let program = random::program(seed, &shape());
    let system = System::new(&program, 2);
    let types = cell_types(&system);
    assert_eq!(types.len(), system.cell_count());
    let mut rng = Rng::new(!seed);
    for _ in 0..3 {
        let state = random_state(&mut rng, &system, &types);
        let concrete = concretisations(&state, &types);
        test(&mut rng, &program, &system, &state, &concrete);
    }
}

#[test]
fn values_are_covered() {
    let shape = shape();
    for seed in 0..1500 {
        check(seed, |rng, program, system, state, concrete| {
            for instance in 0..system.instances.len() {
                let vars = random::scope(program, Some(system.template(instance)));
                for _ in 0..10 {
                    let ty = *rng.pick(&shape.types);
                    let expr = random::expr(rng, &shape, &vars, ty);
                    check_value(seed, system, instance, &expr, state, concrete);
                }
            }
        });
    }
}

fn check_value(
    seed: u64,
    system: &System,
    instance: usize,
    expr: &Expr,
    state: &State,
    concrete: &[State],
) {
    let general = system.eval(state, instance, expr);
    let ty = expr.ty(&|var| system.var(instance, var).ty);
    for concrete in concrete {
        let value = system.eval(concrete, instance, expr);
        assert!(
            value_covers(general, value),
            "seed {seed}: {expr:?} is {general:?} in {state:?}, but {value:?} in {concrete:?}"
        );
        if let Ok(Some(value)) = value {
            assert!(ty.contains(value), "seed {seed}: {expr:?} is {value}, not of {ty:?}");
        }
    }
}

#[test]
fn steps_are_covered() {
    for seed in 0..1500 {
        check(seed, |rng, _, system, state, concrete| {
            for instance in 0..system.instances.len() {
                for edge in &system.template(instance).edges {
                    let mut state = state.clone();
                    state.locations[instance] = edge.source;
                    let general = system.step(&state, instance, edge, &mut |_| ANY);
                    for concrete in concrete {
                        let concrete =
                            State { locations: state.locations.clone(), ..concrete.clone() };
                        let mut havoc = |ty| Some(*rng.pick(&values(ty)));
                        let next = system.step(&concrete, instance, edge, &mut havoc);
                        let covered = match (&general, &next) {
                            (_, None) => true,
                            (None, Some(_)) => false,
                            (Some(general), Some(next)) => state_covers(general, next),
                        };
                        assert!(
                            covered,
                            "seed {seed}: {edge:?} goes from {state:?} to {general:?}, \
                             but from {concrete:?} to {next:?}"
                        );
                    }
                }
            }
        });
    }
}

#[test]
fn initial_states_are_covered() {
    let shape = Shape { decorated: true, ..shape() };
    let mut conditions = 0;
    for seed in 0..2000 {
        let program = random::program(seed, &shape);
        let system = System::new(&program, 1);
        let types = cell_types(&system);
        let state = system.initial();
        let size = |(cell, ty): (&Value, &Type)| if *cell == ANY { values(*ty).len() } else { 1 };
        if state.cells.iter().zip(&types).map(size).product::<usize>() > STATES {
            continue;
        }
        conditions += usize::from(program.initial.is_some());
        let general = system.may_be_initial(&state);
        for concrete in concretisations(&state, &types) {
            assert!(state_covers(&state, &concrete));
            assert!(general || !system.may_be_initial(&concrete), "seed {seed}: {concrete:?}");
        }
    }
    assert!(conditions > 100, "only {conditions} initial conditions were tested");
}

/// On concrete states of machine integers nothing is unknown.
#[test]
fn concrete_states_stay_concrete() {
    let finite = Shape { depth: 4, ..Shape::default() };
    for seed in 0..1500 {
        let program = random::program(seed, &finite);
        let system = System::new(&program, 1);
        let types = cell_types(&system);
        let mut rng = Rng::new(seed);
        let cells = types.iter().map(|ty| Some(*rng.pick(&values(*ty)))).collect();
        let state = State { cells, ..system.initial() };
        for instance in 0..system.instances.len() {
            for edge in &system.template(instance).edges {
                let mut havoc = |ty| Some(*rng.pick(&values(ty)));
                let Some(next) = system.step(&state, instance, edge, &mut havoc) else { continue };
                let fits = |(cell, ty): (&Value, &Type)| cell.is_some_and(|v| ty.contains(v));
                assert!(next.cells.iter().zip(&types).all(fits), "seed {seed}: {edge:?}");
            }
        }
    }
}
