//! Compiled expressions against `ccfa::semantics`, on random expressions of all
//! types in random states, with and without `ANY`.

use crate::code::Evaluated;
use crate::compile::Compiler;
use ccfa::random::{Rng, Shape, expr, scope};
use ccfa::semantics::{State, System};
use ccfa::{Count, Init, Location, Program, Template, TemplateId, Thread, Type, Var};
use evidence::Layout;

/// One thread without steps, and shared variables of each type: an array and a
/// scalar that can be `ANY` and two scalars that cannot.
fn program(types: &[Type]) -> Program {
    let var = |name: String, ty, len, init| Var::new(name, ty, len, init);
    let shared = types.iter().enumerate().flat_map(|(number, ty)| {
        [
            var(format!("array{number}"), *ty, Some(3), Init::Any),
            var(format!("open{number}"), *ty, None, Init::Any),
            var(format!("left{number}"), *ty, None, Init::Any),
            var(format!("right{number}"), *ty, None, Init::Any),
        ]
    });
    let template =
        Template { name: "t".into(), locations: vec![Location::default()], ..Template::default() };
    let thread = Thread {
        name: "t".into(),
        template: TemplateId(0),
        args: Vec::new(),
        count: Count::Exactly(1),
    };
    Program {
        shared: shared.collect(),
        templates: vec![template],
        threads: vec![thread],
        ..Program::default()
    }
}

/// Values for all cells; those with a flag are `ANY` once in three times.
fn state(rng: &mut Rng, system: &System, layout: &Layout) -> State {
    let mut state = system.initial();
    for (value, cell) in state.cells.iter_mut().zip(&layout.cells) {
        *value = match cell.ty {
            _ if cell.any.is_some() && rng.one_in(3) => None,
            Type::Int => Some(i128::from(rng.number() as i64 >> rng.below(64))),
            ty => Some(rng.value(ty)),
        };
    }
    state
}

#[test]
fn code_means_what_the_semantics_says() {
    let shape = Shape::everything();
    let program = program(&shape.types);
    let system = System::new(&program, 0);
    let declared: Vec<&Var> =
        program.shared.iter().flat_map(|var| std::iter::repeat_n(var, var.cells())).collect();
    let flagged = |cell: usize| declared[cell].name.starts_with(['a', 'o']);
    let layout = Layout::new(&system, &flagged);
    let compiler = Compiler::new(&system, &layout).expect("no constants");
    let mut rng = Rng::new(7);
    let mut words = vec![0; layout.words];
    let (mut values, mut beyond) = (0, 0);
    for round in 0..60_000 {
        let ty = *rng.pick(&shape.types);
        let expression = expr(&mut rng, &shape, &scope(&program, None), ty);
        let Ok(code) = compiler.expr(0, &expression) else { continue };
        let state = state(&mut rng, &system, &layout);
        layout.pack(&state, &mut words).expect("a state that fits");
        let expected = match system.eval(&state, 0, &expression) {
            Ok(None) => Evaluated::Any,
            Ok(Some(value)) => Evaluated::Value(value as i64),
            Err(_) => Evaluated::Undefined,
        };
        match code.eval(&words, &[]) {
            Evaluated::Beyond => beyond += 1,
            found => {
                assert_eq!(found, expected, "round {round}: {expression:?} in {state:?}");
                values += usize::from(matches!(found, Evaluated::Value(_)));
            }
        }
    }
    assert!(values > 20_000 && beyond < 6_000, "{values} values, {beyond} beyond");
}
