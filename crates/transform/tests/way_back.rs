//! What engines find out about simpler programs and their slices holds, once it is carried back, for
//! the programs before: on all tiny programs, on the models of the engines' suite and on random
//! programs with many variables that belong to one thread.

use ccfa::random::{Shape, program};
use ccfa::{Class, Edge, LocKind, Program, Undefined};
use engine::{Budget, Engine, Event, Observer, Stop};
use engine_suite::oracle::truth;
use engine_suite::{Expect, models, random, tiny};
use evidence::{Proof, Reason, Verdict};
use explore::Explorer;
use impact::{Configuration, Impact, PartialOrderReduction};
use rely_guarantee::{RelyGuarantee, Rule};
use std::collections::BTreeSet;
use std::ops::Range;
use thread_modular::ThreadModular;
use transform::{KnownValues, Pipeline, Slice, Transformation, for_engines};

/// An engine that sees simpler programs, with known values in place; of what the property needs, if it slices.
struct Transforming<E> {
    engine: E,
    slices: bool,
}

fn simplifying<E: Engine>(engine: E) -> Transforming<E> {
    Transforming { engine, slices: false }
}

fn slicing<E: Engine>(engine: E) -> Transforming<E> {
    Transforming { engine, slices: true }
}

impl<E: Engine> Engine for Transforming<E> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn verify(
        &mut self,
        program: &Program,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Verdict {
        let list: Vec<Box<dyn Transformation>> = match self.slices {
            true => for_engines(),
            false => vec![Box::new(KnownValues)],
        };
        let simpler = Pipeline::run(program.clone(), &list);
        simpler.back(self.engine.verify(simpler.program(), budget, observer))
    }
}

fn explorer() -> Explorer {
    Explorer::default()
}

fn impact(reduction: PartialOrderReduction, force_cover: bool) -> Impact {
    Impact { configuration: Configuration { reduction, force_cover } }
}

/// Ends a search that has become large: not every one ends by itself.
struct Patience(Budget);

impl Observer for Patience {
    fn event(&mut self, event: Event) {
        if event.counter("nodes").is_some_and(|nodes| nodes >= 512) {
            self.0.stop(Stop::Timeout);
        }
    }
}

/// Few arbitrary values and much to remember: constants spread.
fn knowing() -> Shape {
    Shape { locals: 4, locations: 6, edges: 9, havoc: false, ..Shape::default() }
}

/// Many variables, of which few decide anything.
fn talkative() -> Shape {
    Shape { locals: 4, shared: 6, locations: 5, depth: 1, ..Shape::default() }
}

fn randoms(shape: Shape, seeds: Range<u64>) -> impl Iterator<Item = Program> {
    seeds.map(move |seed| program(seed, &shape))
}

/// How often the engine decides. Every verdict must pass the checker and agree with the oracle.
fn decided(engine: &mut dyn Engine, programs: impl Iterator<Item = Program>) -> usize {
    let mut decided = 0;
    for program in programs {
        let name = &program.name;
        let Some(truth) = truth(&program) else { continue };
        let budget = Budget::default();
        let verdict = engine.verify(&program, &budget, &mut Patience(budget.clone()));
        let right = match engine_suite::confirm(&program, verdict) {
            Verdict::Safe(_) => !truth.error && !truth.limit,
            Verdict::Unsafe(_) => truth.error,
            Verdict::Unknown(Reason::CheckFailed(why)) => panic!("{name}: refuted: {why}"),
            Verdict::Unknown(_) => continue,
        };
        assert!(right, "{name}: the oracle says {truth:?}");
        decided += 1;
    }
    decided
}

#[test]
fn the_explorer_on_simpler_programs() {
    let mut engine = simplifying(explorer());
    let expect = Expect { complete: true };
    tiny(&mut engine, expect).unwrap();
    models(&mut engine, expect).unwrap();
    random(&mut engine, expect, 0..300).unwrap();
    let count = decided(&mut engine, randoms(knowing(), 0..1000));
    assert!(count > 900, "{count}");
}

fn on_simpler_programs(impact: Impact) {
    let mut engine = simplifying(impact);
    models(&mut engine, Expect { complete: false }).unwrap();
    let count = decided(&mut engine, randoms(knowing(), 0..300));
    assert!(count > 200, "{count}");
}

// Two tests, since they are the longest here, and tests run side by side.
#[test]
fn impact_with_static_reduction_on_simpler_programs() {
    on_simpler_programs(impact(PartialOrderReduction::Static, false));
}

#[test]
fn impact_with_dynamic_reduction_on_simpler_programs() {
    on_simpler_programs(impact(PartialOrderReduction::Dynamic, true));
}

#[test]
fn impact_on_slices() {
    for (reduction, force_cover) in
        [(PartialOrderReduction::Static, false), (PartialOrderReduction::Dynamic, true)]
    {
        let mut engine = slicing(impact(reduction, force_cover));
        models(&mut engine, Expect { complete: false }).unwrap();
        let count = decided(&mut engine, randoms(talkative(), 0..300));
        assert!(count > 150, "{count}");
        let count = decided(&mut engine, tiny::programs().step_by(40));
        assert!(count > 100, "{count}");
    }
}

#[test]
fn proofs_by_assertions_on_slices() {
    let engines: [&mut dyn Engine; 3] = [
        &mut slicing(RelyGuarantee::default()),
        &mut slicing(RelyGuarantee { bias: true, rule: Rule::ReachEnv }),
        &mut slicing(ThreadModular::default()),
    ];
    for engine in engines {
        let expect = Expect { complete: false };
        models(engine, expect).unwrap();
        let tally = random(engine, expect, 0..200).unwrap();
        assert!(tally.safe > 50 && tally.unsafe_ > 5, "{tally:?}");
    }
}

#[test]
fn the_explorer_on_slices() {
    let mut engine = slicing(explorer());
    let expect = Expect { complete: true };
    models(&mut engine, expect).unwrap();
    random(&mut engine, expect, 0..200).unwrap();
    let count = decided(&mut engine, randoms(talkative(), 0..300));
    assert!(count > 150, "{count}");
}

/// Some errors become undefined behaviour that is asked for, others such that is not.
fn undefined(mut program: Program) -> Program {
    program.property.undefined = BTreeSet::from([Class::Memory]);
    let kinds = [Undefined::InvalidFree, Undefined::InvalidFree, Undefined::DivisionByZero];
    let locations = program.templates.iter_mut().flat_map(|template| &mut template.locations);
    let errors = locations.filter(|location| matches!(location.kind, LocKind::Error(_)));
    for (location, kind) in errors.zip(kinds.into_iter().cycle()) {
        location.kind = LocKind::Undefined(kind);
    }
    program
}

#[test]
fn undefined_behaviour_that_is_asked_for_is_an_error() {
    let programs = || randoms(knowing(), 0..400).map(undefined);
    let reached = programs().filter(|program| truth(program).is_some_and(|truth| truth.error));
    let reached = reached.count();
    assert!(reached > 20, "too few programs are undefined: {reached}");
    let engines: [(&mut dyn Engine, usize); 4] = [
        (&mut slicing(explorer()), 150),
        (&mut slicing(impact(PartialOrderReduction::Dynamic, true)), 100),
        (&mut slicing(RelyGuarantee::default()), 100),
        (&mut slicing(ThreadModular::default()), 100),
    ];
    for (engine, least) in engines {
        let count = decided(engine, programs());
        assert!(count > least, "{}: {count}", engine.name());
    }
}

/// How often something happened nobody asks: states need not tell.
#[test]
fn what_is_only_counted_is_not_explored() {
    let text = "
        program \"counting\"
        shared locked: bool = false
        shared count: u32 = 0
        template t() {
          out -> in: when !locked then locked := true
          in -> done: count := count + 1
          in -> bad: when !locked
          done -> out: locked := false
          error bad: \"locked\"
        }
        thread t[2] = t()";
    let program = ccfa::text::parse(text).unwrap();
    let budget = Budget::default();
    let found = slicing(explorer()).verify(&program, &budget, &mut Patience(budget.clone()));
    let Verdict::Safe(Proof::Closed(set)) = engine_suite::confirm(&program, found) else {
        panic!("no proof")
    };
    assert!(set.expansions.len() < 10, "{} states", set.expansions.len());
}

/// The naive search agrees before and after; the simpler programs are programs, and simpler.
#[test]
fn simpler_programs_reach_the_same() {
    let mut rewritten = 0;
    for seed in 0..1000 {
        let program = program(seed, &knowing());
        let simpler = Pipeline::run(program.clone(), &[Box::new(KnownValues)]);
        let simpler = simpler.program().clone();
        assert_eq!(ccfa::wellformed::check(&simpler), Ok(()), "seed {seed}");
        assert_eq!(truth(&simpler), truth(&program), "seed {seed}");
        rewritten += usize::from(simpler != program);
    }
    assert!(rewritten > 500, "too few programs were rewritten: {rewritten}");
}

/// The naive search agrees before and after; slices are programs whose steps touch what they
/// touched before, and much is left out.
#[test]
fn slices_reach_the_same() {
    let (mut reached, mut left_out) = (0, 0);
    for seed in 0..300 {
        let program = program(seed, &talkative());
        let sliced = Pipeline::run(program.clone(), &[Box::new(Slice)]).program().clone();
        assert_eq!(ccfa::wellformed::check(&sliced), Ok(()), "seed {seed}");
        let (before, after) = (truth(&program), truth(&sliced));
        if let (Some(before), Some(after)) = (before, after) {
            assert_eq!(after, before, "seed {seed}");
            reached += usize::from(before.error);
        }
        for (old, new) in program.templates.iter().zip(&sliced.templates) {
            for (old, new) in old.edges.iter().zip(&new.edges) {
                let shared = |edge: &Edge| {
                    let access = edge.read_write_sets();
                    let (reads, writes) = (access.shared_reads(), access.shared_writes());
                    (reads.collect::<Vec<_>>(), writes.collect::<Vec<_>>())
                };
                assert_eq!(shared(new), shared(old), "seed {seed}");
            }
        }
        left_out += usize::from(sliced != program);
    }
    assert!(reached > 10, "too few programs reach an error: {reached}");
    assert!(left_out > 200, "too few programs were sliced: {left_out}");
}
