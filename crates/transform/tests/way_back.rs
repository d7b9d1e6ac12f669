//! What engines find out about simpler programs holds, once it is carried back, for the programs
//! before: on all tiny programs, on the models of the engines' suite and on random programs
//! with many variables that belong to one thread.

use ccfa::Program;
use ccfa::random::{Shape, program};
use engine::{Budget, Engine, Event, Observer, Stop};
use engine_suite::oracle::truth;
use engine_suite::{Expect, models, random, tiny};
use evidence::{Reason, Verdict};
use explore::{Explorer, SearchOrder};
use impact::{Configuration, Impact, Reduction};
use transform::simplify;

/// An engine that sees simpler programs.
struct Simplifying<E>(E);

impl<E: Engine> Engine for Simplifying<E> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn verify(
        &mut self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict {
        let simpler = simplify(program);
        simpler.back(self.0.verify(&simpler.program, budget, observer))
    }
}

fn explorer() -> Explorer {
    Explorer { order: SearchOrder::BreadthFirst, reduce: true }
}

fn impact(reduction: Reduction, force_cover: bool) -> Impact {
    Impact { configuration: Configuration { reduction, force_cover } }
}

/// Ends a search that has become large: not every one ends by itself.
struct Patience(Budget);

impl Observer for Patience {
    fn event(&mut self, event: Event) {
        if matches!(event, Event::Impact { nodes, .. } if nodes >= 512) {
            self.0.stop(Stop::Timeout);
        }
    }
}

/// Few arbitrary values and much to remember: constants spread.
fn knowing() -> Shape {
    Shape { locals: 4, locations: 6, edges: 9, havoc: false, ..Shape::default() }
}

/// How often the engine decides. Every verdict must pass the checker and agree with the oracle.
fn decided(engine: &mut dyn Engine, seeds: std::ops::Range<u64>) -> usize {
    let mut decided = 0;
    for seed in seeds {
        let program = program(seed, &knowing());
        let Some(truth) = truth(&program) else { continue };
        let budget = Budget::default();
        let verdict = engine.verify(&program, &budget, &mut Patience(budget.clone()));
        let right = match check::confirm(&program, verdict, || false) {
            Verdict::Safe(_) => !truth.error && !truth.gap,
            Verdict::Unsafe(_) => truth.error,
            Verdict::Unknown(Reason::CheckFailed(why)) => panic!("seed {seed}: refuted: {why}"),
            Verdict::Unknown(_) => continue,
        };
        assert!(right, "seed {seed}: the oracle says {truth:?}");
        decided += 1;
    }
    decided
}

#[test]
fn the_explorer_on_simpler_programs() {
    let mut engine = Simplifying(explorer());
    let expect = Expect { complete: true };
    tiny(&mut engine, expect).unwrap();
    models(&mut engine, expect).unwrap();
    random(&mut engine, expect, 0..300).unwrap();
    let count = decided(&mut engine, 0..1000);
    assert!(count > 900, "{count}");
}

#[test]
fn impact_on_simpler_programs() {
    for (reduction, force_cover) in [(Reduction::Static, false), (Reduction::Dynamic, true)] {
        let mut engine = Simplifying(impact(reduction, force_cover));
        models(&mut engine, Expect { complete: false }).unwrap();
        let count = decided(&mut engine, 0..300);
        assert!(count > 200, "{count}");
    }
}

/// The naive search agrees before and after; the simpler programs are programs, and simpler.
#[test]
fn simpler_programs_reach_the_same() {
    let mut rewritten = 0;
    for seed in 0..1000 {
        let program = program(seed, &knowing());
        let simpler = simplify(&program).program;
        assert_eq!(ccfa::wellformed::check(&simpler), Ok(()), "seed {seed}");
        assert_eq!(truth(&simpler), truth(&program), "seed {seed}");
        rewritten += usize::from(simpler != program);
    }
    assert!(rewritten > 500, "too few programs were rewritten: {rewritten}");
}
