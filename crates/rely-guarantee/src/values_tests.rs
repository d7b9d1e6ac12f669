//! What explicit values say, against the checker and against predicates.

use crate::context::Context;
use crate::values::{Modular, modular};
use crate::view::Views;
use crate::{Attempt, main, proof};
use ccfa::Program;
use engine::{Budget, Engine, Observer, Silent};
use engine_suite::Expect;
use evidence::{Reason, Verdict};

/// An engine that knows values alone.
struct ByValues;

impl Engine for ByValues {
    fn name(&self) -> &'static str {
        "values"
    }

    fn verify(&mut self, program: &Program, budget: &Budget, _: &mut dyn Observer) -> Verdict {
        let mut context = Context::new(program, 2, budget);
        let views = Views::new(&context, 1).expect("there should be few threads");
        match modular(&mut context) {
            Modular::Proof(regions) => proof::by_values(&context, &views, &regions),
            _ => Verdict::Unknown(Reason::Beyond("there is no modular proof by values".into())),
        }
    }
}

#[test]
fn proofs_are_confirmed() {
    let expect = Expect { complete: false };
    let mut tally =
        engine_suite::models(&mut ByValues, expect).unwrap_or_else(|why| panic!("{why}"));
    let random = engine_suite::random(&mut ByValues, expect, 0..300);
    tally.add(random.unwrap_or_else(|why| panic!("{why}")));
    assert!(tally.safe > 50, "there should be proofs by values: {tally:?}");
}

/// If explicit values say that there is no modular proof, predicates find none, either.
#[test]
fn where_there_is_none_predicates_find_none() {
    let mut none = 0;
    for seed in 0..400 {
        let program = ccfa::random::program(seed, &ccfa::random::Shape::default());
        let most = program.instances(0).len();
        let mut context = Context::new(&program, 2, &Budget::default());
        if most == 0 || !matches!(modular(&mut context), Modular::No) {
            continue;
        }
        none += 1;
        let attempt =
            Attempt { tracked: 1, most, few: false, environment: false, other_rule: false };
        let verdict = main(&mut context, &attempt, &mut Silent);
        assert!(!matches!(verdict, Ok(Verdict::Safe(_))), "there is a modular proof: seed {seed}");
    }
    assert!(none > 20, "some of the programs should have no modular proof, not {none}");
}

/// A small model, and what running it says.
#[test]
fn small_models() {
    let told = |model: &str| {
        let program = ccfa::text::parse(model).expect("it should be a model");
        match modular(&mut Context::new(&program, 2, &Budget::default())) {
            Modular::No => "none",
            Modular::Proof(_) => "a proof",
            Modular::Undecided => "undecided",
        }
    };
    let interfered = r#"
        program "interference in the middle"
        shared x: u8 = 0
        template a() {
          start -> middle: x := 1
          middle -> end: when x == 1
          error bad: "x == 1"
          middle -> bad: when x != 1
        }
        template b() {
          start -> end: x := 2
        }
        thread a = a()
        thread b = b()
    "#;
    assert_eq!(told(interfered), "none");
    let atomic =
        interfered.replace("  start -> middle", "  atomic location middle\n  start -> middle");
    assert_eq!(told(&atomic), "a proof", "there is no interference at an atomic location");
    let input = r#"
        program "an input that is looked at twice"
        shared x: u8 = 0
        template a() {
          local t: u8 = 0
          start -> taken: t := any
          taken -> one: when t == 1
          error bad: "t == 1"
          one -> bad: when t != 1
        }
        thread a = a()
        thread b = a()
    "#;
    assert_eq!(told(input), "undecided", "that it is 1 is not known, so the error is not sure");
}
