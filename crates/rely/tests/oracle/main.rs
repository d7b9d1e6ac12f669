//! Random concurrent programs: what Rely answers, and what they mean to an interpreter that knows all of C that is in them, follows
//! every interleaving and every order of evaluation (`machine`, `order`, by C11's text), and has nothing in common with
//! `cfront`, not even a parser: programs are made as trees (`generate`), and only Rely gets them as text (`print`).
//!
//! `RELY_SEED=n` takes other programs, `RELY_PROGRAMS=n` so many: `RELY_PROGRAMS=10000 cargo test --release -p rely --test oracle`.
//! What is wrong is made smaller (`shrink`; not with `RELY_SMALLER=0`) and printed. `bench/oracle-mutants.sh` shows that a wrong interpreter
//! would be noticed.

mod code;
mod explore;
mod generate;
mod judge;
mod machine;
mod numbers;
mod order;
mod print;
mod shrink;
mod tree;

use ccfa::random::Rng;
use explore::explore;
use generate::{ask, generate};
use judge::{Answer, Judgement, Wrong, judge};
use order::Orders;
use rely::{Descriptor, ENGINES};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tree::Program;

/// Programs in every run.
const PROGRAMS: u64 = 300;
/// Of so many programs, one more is given to each engine alone.
const SHARE_OF_ENGINES: u64 = 8;
/// So many programs at a time.
const WORKERS: usize = 2;
/// At most so many of a hundred programs may be undecided.
const MAX_UNKNOWN: u64 = 10;
/// After so many that are wrong, it is enough.
const MAX_WRONG: usize = 5;

#[test]
fn random_programs_mean_what_the_oracle_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seed: u64 = number("RELY_SEED").unwrap_or(1);
    let programs: u64 = number("RELY_PROGRAMS").unwrap_or(PROGRAMS);
    let tally = Tally::default();
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(number) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < programs)
                {
                    tally.try_program(seed, number);
                }
            });
        }
    });
    let counts = tally.counts.into_inner().expect("nobody panicked");
    let table: String = counts.iter().map(|(what, count)| format!("{count:7}  {what}\n")).collect();
    println!("seed {seed}, {programs} programs\n{table}");
    let wrong = tally.wrong.into_inner().expect("nobody panicked");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let count = |start: &str| {
        let of_kind = counts.iter().filter(|(what, _)| what.starts_with(start));
        of_kind.map(|(_, count)| count).sum::<u64>()
    };
    let unknown = count("UNKNOWN") + count("too large");
    assert!(unknown * 100 <= programs * MAX_UNKNOWN, "{unknown} of {programs} are not decided");
    // Else there was nothing to be right or wrong about.
    for answer in ["SAFE", "UNSAFE", "undefined"] {
        assert!(count(answer) * 20 >= programs, "hardly a program is {answer}");
    }
}

/// What came of the programs.
#[derive(Default)]
struct Tally {
    counts: Mutex<BTreeMap<String, u64>>,
    wrong: Mutex<Vec<String>>,
}

impl Tally {
    fn try_program(&self, seed: u64, number: u64) {
        if self.wrong.lock().expect("nobody panicked").len() >= MAX_WRONG {
            return;
        }
        let program = program(seed, number);
        let Some(all) = explore(&program, Orders::All) else {
            return self.count("too large for the oracle");
        };
        let share = (number % SHARE_OF_ENGINES) as usize;
        for engine in [None].into_iter().chain(ENGINES.get(share).copied().map(Some)) {
            let name = engine.map_or(String::new(), |engine| format!("{}: ", engine.name));
            let judgement = judge(&program, &all, engine);
            self.count(&format!("{name}{}", in_words(&judgement)));
            if let Judgement::Wrong(wrong) = judgement {
                let told = tell(&program, engine, &wrong);
                let mut list = self.wrong.lock().expect("nobody panicked");
                list.push(format!("RELY_SEED={seed}, program {number}, {name}{told}"));
            }
        }
    }

    fn count(&self, what: &str) {
        let mut counts = self.counts.lock().expect("nobody panicked");
        *counts.entry(what.into()).or_default() += 1;
    }
}

fn in_words(judgement: &Judgement) -> String {
    match judgement {
        Judgement::Right(Answer::Safe) => "SAFE".into(),
        Judgement::Right(Answer::Unsafe) => "UNSAFE".into(),
        Judgement::Right(Answer::Undefined(kind)) => format!("undefined: {}", kind.text()),
        Judgement::OnlyRacesDiffer => "SAFE, but a data race can tell orders apart".into(),
        Judgement::Undecided(why) => format!("UNKNOWN: {why}"),
        Judgement::Wrong(wrong) => format!("wrong: {}", wrong.what),
    }
}

/// A program with a question.
fn program(seed: u64, number: u64) -> Program {
    let mut rng = Rng::new(seed << 32 | number);
    loop {
        let mut program = generate(&mut rng);
        let Some(all) = explore(&program, Orders::All) else { continue };
        let Some(some) = explore(&program, Orders::PlainFromLeft) else { continue };
        ask(&mut rng, &mut program, &all, &some);
        return program;
    }
}

/// A smaller program that is wrong in the same way, and what Rely says about it.
fn tell(program: &Program, engine: Option<&'static Descriptor>, first: &Wrong) -> String {
    let as_wrong = |program: &Program| match judge(program, &explore(program, Orders::All)?, engine)
    {
        Judgement::Wrong(wrong) => (wrong.what == first.what).then_some(wrong.report),
        _ => None,
    };
    let is_shrunk = std::env::var("RELY_SMALLER").as_deref() != Ok("0");
    let smallest = match is_shrunk {
        true => shrink::shrink(program, &|program| as_wrong(program).is_some()),
        false => program.clone(),
    };
    let report = as_wrong(&smallest).unwrap_or_else(|| first.report.clone());
    format!("{}:\n{}\n{report}", first.what, print::print(&smallest))
}
