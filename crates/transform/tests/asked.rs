//! Programs that are asked for races or deadlocks, on their whole way: races become errors, the program gets smaller, an engine
//! decides, and what comes back is confirmed against the program before and agrees with a naive search there.

use ccfa::random::{Rng, Shape, program};
use ccfa::{Count, LocKind, Program, Property, Type};
use engine::{Budget, Engine, Event, Observer, Stop};
use engine_suite::oracle::truth;
use evidence::{Proof, Reason, Verdict};
use explore::Explorer;
use impact::{Configuration, Impact, PartialOrderReduction};
use rely_guarantee::RelyGuarantee;
use thread_modular::ThreadModular;
use transform::{Pipeline, for_engines, reductions};

/// Ends a search that has become large: not every one ends by itself.
struct Patience(Budget);

impl Observer for Patience {
    fn event(&mut self, event: Event) {
        let is_large = |counter: &str| event.counter(counter).is_some_and(|count| count >= 256);
        if is_large("nodes") {
            self.0.stop(Stop::Timeout);
        }
    }
}

fn races() -> Property {
    Property { races: true, ..Property::default() }
}

fn deadlocks() -> Property {
    Property { deadlocks: true, ..Property::default() }
}

/// Small programs that are asked for this: some threads twice, some rest where they start.
fn programs(asked: &Property, count: u64) -> impl Iterator<Item = Program> {
    let shape = Shape {
        threads: 2,
        locations: 4,
        edges: 4,
        depth: 1,
        types: vec![Type::Bool, Type::unsigned(1), Type::unsigned(2)],
        ..Shape::default()
    };
    let tiny = engine_suite::tiny::programs().step_by(397).map(|program| (program, 1));
    let random = (0..count).map(move |seed| (program(seed, &shape), 2));
    tiny.chain(random).enumerate().map(|(number, (mut program, most))| {
        let mut rng = Rng::new(number as u64);
        engine_suite::accesses::add(&mut program, &mut rng);
        program.property = asked.clone();
        for template in &mut program.templates {
            let entry = &mut template.locations[template.entry.index()];
            entry.resting = entry.kind == LocKind::Plain && rng.one_in(4);
        }
        for thread in &mut program.threads {
            thread.count = Count::Exactly(1 + rng.below(most) as u32);
        }
        program
    })
}

/// How often an engine says what.
#[derive(Debug, Default)]
struct Tally {
    safe: usize,
    unsafe_: usize,
    /// Two accesses that were not seen at once.
    apart: usize,
    /// Though no model limit can be reached.
    unknown: usize,
}

/// Every verdict must pass the checker and agree with the oracle.
fn run(engine: &mut dyn Engine, asked: &Property, count: u64) -> Tally {
    let mut tally = Tally::default();
    for program in programs(asked, count) {
        let Some(truth) = truth(&program) else { continue };
        let smaller = Pipeline::run(program.clone(), &reductions());
        assert!(!smaller.program().property.races);
        let simpler = Pipeline::run(smaller.program().clone(), &for_engines());
        let budget = Budget::default();
        let verdict = engine.verify(simpler.program(), &budget, &mut Patience(budget.clone()));
        let verdict = smaller.back(simpler.back(verdict));
        let text = || ccfa::text::print(&program);
        let right = match engine_suite::confirm(&program, verdict) {
            Verdict::Safe(proof) => {
                tally.safe += 1;
                let about_errors = matches!(proof, Proof::RacesAsErrors(_));
                assert_eq!(about_errors, asked.races, "{}", text());
                !truth.error && !truth.limit
            }
            Verdict::Unsafe(_) => {
                tally.unsafe_ += 1;
                truth.error
            }
            Verdict::Unknown(Reason::CheckFailed(why)) => panic!("refuted: {why}\n{}", text()),
            Verdict::Unknown(Reason::Beyond(_)) => {
                tally.apart += 1;
                true
            }
            Verdict::Unknown(_) => {
                tally.unknown += usize::from(!truth.limit);
                true
            }
        };
        assert!(right, "the oracle says {truth:?}\n{}", text());
    }
    println!("{}: {tally:?}", engine.name());
    tally
}

#[test]
fn explore() {
    for reduce in [false, true] {
        let tally = run(&mut Explorer { reduce, ..Explorer::default() }, &races(), 400);
        assert!(tally.safe > 100 && tally.unsafe_ > 100 && tally.apart < 20, "{tally:?}");
        assert_eq!(tally.unknown, 0, "{tally:?}");
    }
}

#[test]
fn explore_finds_deadlocks() {
    for reduce in [false, true] {
        let explorer = &mut Explorer { reduce, ..Explorer::default() };
        let tally = run(explorer, &deadlocks(), 600);
        assert!(tally.safe > 100 && tally.unsafe_ > 100 && tally.apart < 20, "{tally:?}");
        assert_eq!(tally.unknown, 0, "{tally:?}");
    }
}

#[test]
fn impact() {
    for (reduction, force_cover) in
        [(PartialOrderReduction::Static, false), (PartialOrderReduction::Dynamic, true)]
    {
        let configuration = Configuration { reduction, force_cover };
        let tally = run(&mut Impact { configuration }, &races(), 150);
        assert!(tally.safe > 50 && tally.unsafe_ > 50, "{tally:?}");
    }
}

#[test]
fn proofs_by_assertions() {
    let engines: [&mut dyn Engine; 2] =
        [&mut RelyGuarantee::default(), &mut ThreadModular::default()];
    for engine in engines {
        let tally = run(engine, &races(), 120);
        assert!(tally.safe > 50 && tally.unsafe_ > 20, "{tally:?}");
    }
}
