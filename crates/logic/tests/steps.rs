//! Steps as formulas against `ccfa::semantics`, and formulas as expressions back again.

use ccfa::random::{Rng, Shape, program};
use ccfa::semantics::{State, System};
use ccfa::wellformed::typing::type_of;
use ccfa::{
    Arg, Assign, Count, Edge, Init, LocalId, Location, Place, Program, Rhs, SharedId, Template,
    TemplateId, Thread, Type, Var, VarRef,
};
use logic::{Sort, Symbol, Terms, Vocabulary};
use solve::evaluate::{Value, try_evaluate};
use solve::random::TreeScope;
use std::collections::HashMap;

/// The shapes of random programs: small types only, and all types.
fn shape(seed: u64) -> Shape {
    if seed.is_multiple_of(2) { Shape::default() } else { Shape::everything() }
}

/// Each variable of a state, as some instance sees it, in the order of the vocabulary.
fn variables(system: &System) -> Vec<(usize, VarRef)> {
    let shared = system.program.shared.len();
    let mut all: Vec<_> = (0..shared).map(|n| (0, VarRef::Shared(SharedId(n as u32)))).collect();
    for instance in 0..system.instances.len() {
        let locals = system.template(instance).locals.len();
        all.extend((0..locals).map(|n| (instance, VarRef::Local(LocalId(n as u32)))));
    }
    all
}

fn declared<'p>(system: &System<'p>, instance: usize, var: VarRef) -> &'p Var {
    match var {
        VarRef::Shared(id) => &system.program.shared[id.index()],
        VarRef::Local(_) => system.var(instance, var),
    }
}

/// A concrete state with random cells.
fn random_state(system: &System, rng: &mut Rng) -> State {
    let mut state = system.initial();
    for (instance, var) in variables(system) {
        let (var_declared, offset) =
            (declared(system, instance, var), system.offset(instance, var));
        for cell in &mut state.cells[offset..offset + var_declared.cells()] {
            *cell = Some(rng.value(var_declared.ty));
        }
    }
    state
}

/// The values of the symbols in a state; `None` if a cell is unspecified.
fn valuation(
    system: &System,
    vocabulary: &Vocabulary,
    state: &State,
) -> Option<HashMap<Symbol, Value>> {
    let mut values = HashMap::new();
    for (place, (instance, var)) in variables(system).into_iter().enumerate() {
        let (var_declared, offset) =
            (declared(system, instance, var), system.offset(instance, var));
        let cells = &state.cells[offset..offset + var_declared.cells()];
        let cells: Vec<i128> = cells.iter().copied().collect::<Option<_>>()?;
        let value = match var_declared.len {
            None => Value::Scalar(cells[0]),
            Some(_) => Value::Array(cells),
        };
        values.insert(vocabulary.symbols[place], value);
    }
    Some(values)
}

/// How many arbitrary cells an assignment takes.
fn arbitrary_cells(system: &System, instance: usize, assign: &Assign) -> Vec<Type> {
    match (&assign.place, &assign.value) {
        (_, Rhs::Expr(_)) => Vec::new(),
        (Place::Var(var), Rhs::Havoc) => {
            let var = declared(system, instance, *var);
            vec![var.ty; var.cells()]
        }
        (Place::Element(var, _), Rhs::Havoc) => vec![declared(system, instance, *var).ty],
    }
}

/// Does an integer leave `i128`? Then the semantics does not say what it is.
fn has_large_integers(system: &System, state: &State, instance: usize, edge: &Edge) -> bool {
    let mut exprs = vec![&edge.guard];
    for assign in &edge.assigns {
        exprs.extend(match &assign.place {
            Place::Element(_, index) => Some(index),
            Place::Var(_) => None,
        });
        exprs.extend(match &assign.value {
            Rhs::Expr(value) => Some(value),
            Rhs::Havoc => None,
        });
    }
    exprs.into_iter().any(|expr| system.eval(state, instance, expr) == Ok(None))
}

#[test]
fn steps_agree_with_the_semantics() {
    let (mut taken, mut blocked) = (0, 0);
    for seed in 0..600 {
        let program = program(seed, &shape(seed));
        let system = System::new(&program, 2);
        let mut terms = Terms::new();
        let vocabulary = Vocabulary::new(&mut terms, &system);
        let mut rng = Rng::new(seed);
        for instance in 0..system.instances.len() {
            for edge in &system.template(instance).edges {
                let step = vocabulary.step(&mut terms, instance, edge);
                for _ in 0..6 {
                    let state = random_state(&system, &mut rng);
                    let mut values =
                        valuation(&system, &vocabulary, &state).expect("the state is concrete");
                    let mut havoc = Vec::new();
                    let mut inputs = step.inputs.iter();
                    for assign in &edge.assigns {
                        let types = arbitrary_cells(&system, instance, assign);
                        if types.is_empty() {
                            continue;
                        }
                        let cells: Vec<i128> = types.iter().map(|ty| rng.value(*ty)).collect();
                        let input = inputs.next().expect("an input for each arbitrary value");
                        let value = match terms.symbol_sort(*input) {
                            Sort::Scalar(_) => Value::Scalar(cells[0]),
                            Sort::Array { .. } => Value::Array(cells.clone()),
                        };
                        values.insert(*input, value);
                        havoc.extend(cells);
                    }
                    assert!(inputs.next().is_none(), "seed {seed}: too many inputs");
                    let mut havoc = havoc.into_iter();
                    let next = system.step(&state, instance, edge, &mut |_| havoc.next());
                    let mut value = |symbol: Symbol| values[&symbol].clone();
                    let Some(enabled) = try_evaluate(&terms, step.enabled, &mut value) else {
                        continue;
                    };
                    if has_large_integers(&system, &state, instance, edge) {
                        continue;
                    }
                    let Some(next) = next else {
                        assert_eq!(enabled.scalar(), 0, "seed {seed}: {edge:?} at {state:?}");
                        blocked += 1;
                        continue;
                    };
                    let Some(after) = valuation(&system, &vocabulary, &next) else { continue };
                    assert_eq!(enabled.scalar(), 1, "seed {seed}: {edge:?} at {state:?}");
                    for symbol in &vocabulary.symbols {
                        let found = match step.assigns.get(symbol) {
                            Some(term) => try_evaluate(&terms, *term, &mut value),
                            None => Some(value(*symbol)),
                        };
                        if let Some(found) = found {
                            assert_eq!(found, after[symbol], "seed {seed}: {edge:?} at {state:?}");
                        }
                    }
                    taken += 1;
                }
            }
        }
    }
    assert!(taken > 5_000 && blocked > 5_000, "{taken} taken, {blocked} blocked");
}

#[test]
fn initial_values_agree_with_the_semantics() {
    for seed in 0..600 {
        let program = program(seed, &shape(seed));
        let system = System::new(&program, 2);
        let mut terms = Terms::new();
        let vocabulary = Vocabulary::new(&mut terms, &system);
        let (initial, condition) = vocabulary.initial(&mut terms, &system);
        let mut rng = Rng::new(seed);
        for _ in 0..8 {
            // A concrete initial state: what may be anything is chosen at random.
            let arbitrary = random_state(&system, &mut rng);
            let mut state = system.initial();
            for (cell, value) in state.cells.iter_mut().zip(&arbitrary.cells) {
                *cell = cell.or(*value);
            }
            let values = valuation(&system, &vocabulary, &state).expect("the state is concrete");
            let mut value = |symbol: Symbol| values[&symbol].clone();
            for (symbol, term) in vocabulary.symbols.iter().zip(&initial) {
                let found = try_evaluate(&terms, *term, &mut value);
                assert_eq!(found.as_ref(), Some(&values[symbol]), "seed {seed}");
            }
            let holds = try_evaluate(&terms, condition, &mut value);
            let unspecified =
                program.initial.as_ref().is_some_and(|it| system.eval(&state, 0, it) == Ok(None));
            if let (Some(holds), false) = (holds, unspecified) {
                assert_eq!(holds.scalar() == 1, system.may_be_initial(&state), "seed {seed}");
            }
        }
    }
}

/// A program with one thread that has the locals of all instances.
fn flat(system: &System) -> Program {
    let all = (0..system.instances.len()).flat_map(|i| &system.template(i).locals);
    let locals = all
        .enumerate()
        .map(|(n, var)| Var { name: format!("local {n}"), init: Init::Any, ..var.clone() })
        .collect();
    let locations = vec![Location::default()];
    let template = Template { name: "all".to_string(), locals, locations, ..Template::default() };
    let thread = Thread {
        name: "all".to_string(),
        template: TemplateId(0),
        args: Vec::<Arg>::new(),
        count: Count::Exactly(1),
    };
    let shared = system.program.shared.clone();
    Program { shared, templates: vec![template], threads: vec![thread], ..Program::default() }
}

#[test]
fn expressions_say_what_terms_say_and_are_defined() {
    let mut compared = 0;
    for seed in 0..1_500 {
        let program = program(seed, &shape(seed));
        let system = System::new(&program, 1);
        let mut terms = Terms::new();
        let vocabulary = Vocabulary::new(&mut terms, &system);
        let flat = flat(&system);
        let flat_system = System::new(&flat, 1);
        let symbols = vocabulary.symbols.iter().map(|s| (*s, terms.symbol_sort(*s))).collect();
        let types: Vec<Type> = shape(seed).types.into_iter().filter(|t| *t != Type::Bool).collect();
        let scope = TreeScope { types, symbols };
        let mut rng = Rng::new(seed);
        for _ in 0..4 {
            let ty = if rng.one_in(2) { Type::Bool } else { *rng.pick(&scope.types) };
            let term = scope.tree(&mut rng, ty, 4).build(&mut terms);
            let Some(expr) = solve::state_expression(&vocabulary, &terms, term) else {
                panic!("seed {seed}: no expression for {}", solve::show(&terms, term));
            };
            let found = type_of(&flat, Some(&flat.templates[0]), &expr);
            assert_eq!(found, Ok(ty), "seed {seed}: {}", solve::show(&terms, term));
            for _ in 0..6 {
                let state = random_state(&system, &mut rng);
                let values = valuation(&system, &vocabulary, &state).expect("it is concrete");
                let expected = try_evaluate(&terms, term, &mut |symbol| values[&symbol].clone());
                let flat_state = State { cells: state.cells, ..flat_system.initial() };
                let found = flat_system.eval(&flat_state, 0, &expr);
                let found = found.unwrap_or_else(|_| panic!("seed {seed}: {expr:?} is undefined"));
                if let (Some(expected), Some(found)) = (expected, found) {
                    assert_eq!(
                        found,
                        expected.scalar(),
                        "seed {seed}: {}",
                        solve::show(&terms, term)
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20_000, "only {compared} values were compared");
}
