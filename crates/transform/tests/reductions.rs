//! Reductions keep what is reachable: on random programs, a naive search finds
//! the same errors and model limits before and after; and the checker accepts every certificate.

mod naive;

use ccfa::random::{self, Shape};
use ccfa::{Budget, Program};
use check::Means;
use naive::reachable;
use transform::{Pipeline, reductions, stepwise_reductions};

const SEEDS: u64 = 1500;

#[test]
fn errors_and_gaps_stay() {
    let mut compared = 0;
    let mut with_errors = 0;
    let mut certified = 0;
    for seed in 0..SEEDS {
        let program = random::program(seed, &Shape::default());
        let pipeline = Pipeline::run(program.clone(), &reductions());
        let simplified = pipeline.program();
        assert_eq!(ccfa::wellformed::check(simplified), Ok(()), "seed {seed}");
        certified += certificates(&pipeline, &format!("seed {seed}"));
        let (Some(before), Some(after)) = (reachable(&program), reachable(simplified)) else {
            continue;
        };
        compared += 1;
        with_errors += u64::from(!before.is_empty());
        assert_eq!(
            before,
            after,
            "seed {seed}\n{}\nbecame\n{}",
            ccfa::text::print(&program),
            ccfa::text::print(simplified)
        );
    }
    assert!(compared > SEEDS / 2, "only {compared} programs were small enough");
    assert!(with_errors > compared / 20, "only {with_errors} programs reach something");
    assert!(certified > 2 * SEEDS as usize, "only {certified} certificates");
}

/// How many certificates there are; each must be accepted.
fn certificates(pipeline: &Pipeline, name: &str) -> usize {
    let mut count = 0;
    for (before, certificate) in pipeline.certificates() {
        let certificate = certificate.expect("reductions have certificates");
        let accepted = check::confirm_reduction(
            before,
            certificate,
            Means::new(solve::integers, &Budget::default()),
        );
        assert_eq!(
            accepted,
            Ok(()),
            "{name}\n{}\nbecame\n{}",
            ccfa::text::print(before),
            ccfa::text::print(&certificate.program)
        );
        count += 1;
    }
    count
}

/// What a thread does when its own business is over may still matter.
#[test]
fn what_others_wait_for_is_not_idle() {
    let the_twin_reads_it = "
        shared s: u8 = 0
        template t() { a -> c  c -> d: s := 1  a -> bad: when s == 1  error bad: \"\" }
        thread t[2] = t()";
    let it_lets_others_move = "
        shared s: u8 = 0
        template t() { atomic location b  a -> b: s := 1  b -> c }
        template other() { x -> bad: when s == 1  error bad: \"\" }
        thread t = t() thread other = other()";
    for text in [the_twin_reads_it, it_lets_others_move] {
        let program = parse(text);
        let pipeline = Pipeline::run(program.clone(), &reductions());
        let found = reachable(pipeline.program()).unwrap();
        assert!(!found.is_empty() && Some(&found) == reachable(&program).as_ref(), "{text}");
    }
}

#[test]
fn steps_that_cannot_matter_go() {
    let text = "
        shared s: u8 = 0
        shared log: u8 = 0
        template main() {
          atomic location end
          a -> b: s := 1
          b -> c: when log < 5 then log := log + 1
          c -> end
        }
        template other() {
          atomic location no
          x -> y: when s == 1 then s := 2
          x -> no: when s == 0
          y -> bad: when s == 3
          error bad: \"\"
        }
        thread main = main() thread other = other()";
    let steps = |list: &[_]| {
        let pipeline = Pipeline::run(parse(text), list);
        let templates = pipeline.program().templates.iter();
        templates.map(|template| template.edges.len()).collect::<Vec<_>>()
    };
    assert_eq!(steps(&reductions()), [1, 2]);
    assert_eq!(steps(&stepwise_reductions()), [3, 3]);
}

fn parse(text: &str) -> Program {
    ccfa::text::parse(&format!("program \"test\"\n{text}")).unwrap()
}
