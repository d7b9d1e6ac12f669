//! Theorem 4: refinement makes progress. The same clauses are never solved twice in the same way, and whenever
//! refinement says that a derivation is excluded, it has solved something that it had not solved before.

use crate::aret::Aret;
use crate::context::Context;
use crate::environment::Environment;
use crate::horn::{HornTree, Shape};
use crate::refine::{Precision, Refined, refine};
use crate::view::Views;
use ccfa::Program;
use engine::Budget;

/// Further rounds are not looked at.
const ROUNDS: usize = 12;

#[test]
fn nothing_is_solved_twice() {
    let mut solved = 0;
    for model in engine_suite::models::all() {
        solved += solved_clauses(&model.program, &model.name).len();
    }
    for seed in 0..200 {
        let program = ccfa::random::program(seed, &ccfa::random::Shape::default());
        solved += solved_clauses(&program, &format!("random program with seed {seed}")).len();
    }
    assert!(solved > 100, "there should be something to solve, not {solved} trees");
}

/// Where solutions are conjunctions, the abstraction says all that they say, and clauses come up once.
#[test]
fn clauses_come_up_once_in_the_worked_examples() {
    for name in ["lock-bit", "lock-id", "lock-bit-cnt"] {
        let file = format!("{}/../../examples/threader/{name}.rely", env!("CARGO_MANIFEST_DIR"));
        let model = std::fs::read_to_string(file).expect("the example should be there");
        let program = ccfa::text::parse(&model).expect("the example should be a model");
        let mut solved = solved_clauses(&program, name);
        let count = solved.len();
        solved.sort();
        solved.dedup();
        assert!(count > 0 && count == solved.len(), "{name}: some of {count} trees came up again");
    }
}

/// The clauses that were solved with one tracked thread, tree by tree.
fn solved_clauses(program: &Program, name: &str) -> Vec<Shape> {
    let mut context = Context::new(program, 2, &Budget::default());
    let views = Views::new(&context, 1).expect("there should be few threads");
    let mut precision = Precision::new(&mut context, &views);
    let mut solved = Vec::new();
    for _ in 0..ROUNDS {
        let environment = Some(Environment::new(None));
        let mut aret = Aret::new(&mut context, &views, &precision.predicates, environment);
        let errors = aret.reach(&mut context).expect("there should be few states");
        let before = solved.len();
        for error in errors {
            let Ok(tree) = HornTree::new(&mut context, &aret, error) else { continue };
            let known = precision.solved.len();
            let refined = refine(&mut context, &aret, error, &mut precision);
            if let Ok(Refined::Excluded) = refined {
                assert!(precision.solved.len() > known, "{name}: the same was solved again");
                solved.push(tree.shape(&aret));
            }
        }
        if solved.len() == before {
            break;
        }
    }
    solved
}
