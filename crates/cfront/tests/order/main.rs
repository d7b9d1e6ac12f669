//! The order of evaluation: random expressions with calls and effects, against an enumeration of all orders that C
//! allows (`oracle`), which knows nothing of our lowering. The model must have exactly these results, and
//! undefined behaviour exactly where two effects are not sequenced.
//!
//! `RELY_SEED=n` takes other expressions, `RELY_PROGRAMS=n` so many.

mod oracle;

use ccfa::random::Rng;
use ccfa::semantics::{ANY, State, System};
use ccfa::{Limit, LocKind, Program, SharedId, Undefined, VarRef};
use cfront::preprocess::Source;
use cfront::{Bounds, CProgram, DataModel, LowerOptions, Property, Purpose};
use oracle::{Node, Outcomes};
use std::collections::{BTreeSet, HashSet};

/// Expressions in every run.
const PROGRAMS: u64 = 300;
/// How deep they are.
const DEPTH: u32 = 3;

#[test]
fn random_expressions_have_the_results_of_all_orders() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seed: u64 = number("RELY_SEED").unwrap_or(1);
    let programs: u64 = number("RELY_PROGRAMS").unwrap_or(PROGRAMS);
    let (mut several, mut undefined, mut limits) = (0, 0, 0);
    for program in 0..programs {
        let mut random = Rng::new(seed << 32 | program);
        let expression = Node::random(&mut random, DEPTH);
        let text = expression.to_string();
        let Some(expected) = oracle::outcomes(expression) else { continue };
        several += u64::from(matches!(&expected, Outcomes::Results(results) if results.len() > 1));
        undefined += u64::from(expected == Outcomes::Undefined);
        let Some(found) = of_model(&text) else {
            limits += 1;
            continue;
        };
        assert_eq!(found, expected, "seed {seed}, program {program}: {text}");
    }
    // Else there was nothing to be right or wrong about.
    assert!(several * 20 >= programs && undefined * 20 >= programs, "{several} {undefined}");
    assert!(limits * 20 <= programs, "{limits} expressions have too many orders");
}

/// What the model of `out = expression` can end with; `None` if it has a limit there.
fn of_model(expression: &str) -> Option<Outcomes> {
    let text = format!(
        "{}int main(void) {{ out = {expression}; return a + b + c; }}\n",
        oracle::FUNCTIONS
    );
    let program = lowered(&text);
    let system = System::new(&program, 1);
    let template = system.template(0);
    let edges_from = template.edges_from();
    let (mut results, mut seen) = (BTreeSet::new(), HashSet::new());
    let mut pending = vec![system.initial()];
    while let Some(state) = pending.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let here = state.locations[0].index();
        match &template.locations[here].kind {
            LocKind::Plain if edges_from[here].is_empty() => {
                results.insert(result(&program, &system, &state));
            }
            LocKind::Plain => {}
            LocKind::Undefined(Undefined::Unsequenced) => return Some(Outcomes::Undefined),
            LocKind::Limit(Limit::Unsupported, what) if what.contains("order of evaluation") => {
                return None;
            }
            other => panic!("{other:?} in {expression}"),
        }
        let edges = edges_from[here].iter().map(|edge| &template.edges[edge.index()]);
        pending.extend(edges.filter_map(|edge| system.step(&state, 0, edge, &mut |_| ANY)));
    }
    Some(Outcomes::Results(results))
}

/// The values of `out` and of the variables.
fn result(program: &Program, system: &System, state: &State) -> Vec<i32> {
    let value = |name: &str| {
        let var = program.shared.iter().position(|var| var.name == name).unwrap_or_else(|| {
            panic!("the model has the variable `{name}`");
        });
        let cell = system.offset(0, VarRef::Shared(SharedId(var as u32)));
        state.cells[cell].expect("a known value") as i32
    };
    ["out", "a", "b", "c"].into_iter().map(value).collect()
}

fn lowered(text: &str) -> Program {
    let options = LowerOptions {
        purpose: Purpose::Verification,
        choices: cfront::Choices {
            signed_overflow: cfront::SignedOverflow::Wrap,
            ..cfront::Choices::default()
        },
        property: Property::Assertions,
        bounds: Bounds { recursion: 2, objects: 2, delayed_writes: 0 },
    };
    let read = CProgram::from_source(Source::from_text("program.i", text), DataModel::Lp64);
    let loaded = read.and_then(|program| program.lower(&options));
    loaded.unwrap_or_else(|bad| panic!("{:?}\n{text}", bad.complaints)).program
}
