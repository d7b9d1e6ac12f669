//! The meaning of C: random single-threaded programs over all integer types and
//! operators, run by the machine (through the system's `cc`) and in our model.
//! Both must give the same. What fails is made smaller and shown; with
//! `RELY_KEEP=1` it is also kept in `regressions/`.
//!
//! Each program has one meaning, so other compilers and other degrees of optimisation must say the same: a few in every run,
//! with `RELY_COMPILERS=all` all of them. Programs whose order of evaluation C leaves open are in `orders`.
//!
//! `RELY_SEED=n` takes other programs, `RELY_PROGRAMS=n` so many of a seed; `bench/random.sh` runs thousands. Without `cc` nothing
//! is compared, and the test says so; in CI it fails.

mod csmith;
mod expressions;
mod generate;
mod interpret;
mod native;
mod orders;
mod platform;
mod representations;
mod statements;
#[path = "../../../engine-suite/tests/tools/mod.rs"]
mod tools;
mod tree;

use ccfa::random::Rng;
use cfront::DataModel;
use generate::Settings;
use interpret::Ending;
use native::{Compiler, JUDGE};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tree::Tree;

/// Programs in one call of the compiler.
const BATCH: usize = 50;

/// The seeds of every run, and how many programs each gives.
const SEEDS: &[u64] = &[1, 2];
const PROGRAMS: usize = 600;

/// In every run, one of so many batches is compiled by another compiler, too.
const SHARE_OF_OTHERS: usize = 3;

/// After so many failures the rest is not run (`RELY_FAILURES`), and so often a
/// smaller program is tried (`RELY_ATTEMPTS`).
const ENOUGH_FAILURES: u64 = 3;
const ATTEMPTS: u64 = 1500;

/// Expressions of the model may be deep.
const STACK_BYTES: usize = 1 << 28;

const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

#[test]
fn random_programs_mean_what_cc_says() {
    let models = available_models();
    let seeds = number_from("RELY_SEED").map_or(SEEDS.to_vec(), |seed| vec![seed]);
    let programs = number_from("RELY_PROGRAMS").map_or(PROGRAMS, |number| number as usize);
    eprintln!("seeds {seeds:?}, {programs} programs each, data models {models:?}");
    if models.is_empty() {
        return;
    }
    let enough = number_from("RELY_FAILURES").unwrap_or(ENOUGH_FAILURES) as usize;
    let others = native::others();
    let batches: Vec<Batch> =
        seeds.iter().flat_map(|&seed| batches(seed, programs, &models, &others)).collect();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let worker = std::thread::Builder::new().stack_size(STACK_BYTES);
            let work = || {
                while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if failures.lock().expect("no panic").len() >= enough {
                        return;
                    }
                    let found = batch.failures();
                    failures.lock().expect("no panic").extend(found);
                }
            };
            worker.spawn_scoped(scope, work).expect("the system gives us a thread");
        }
    });
    let failures = failures.into_inner().expect("no panic");
    eprintln!("{:7}  agree", seeds.len() * programs - failures.len());
    eprintln!("{:7}  DISAGREE", failures.len());
    assert!(
        failures.is_empty(),
        "{} programs mean something else:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn kept_programs_mean_what_they_say() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(regressions())
        .expect("the folder exists")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no regressions in {}", regressions().display());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        let kept = Kept::parse(&text).unwrap_or_else(|| {
            panic!("{}: the first line does not say what to expect", file.display())
        });
        if native::is_available(kept.settings.model) {
            let said = native::run(&text, &["f_0".to_string()], kept.settings.model, false);
            assert_eq!(said, Ok(vec![kept.value]), "cc disagrees with {}", file.display());
        }
        let ending = interpret(&text, 0, kept.value, kept.settings);
        assert_eq!(ending, Ending::Finished, "{} is not {}", file.display(), kept.value);
    }
}

/// The data models this machine can run. Those it cannot are named, loudly.
fn available_models() -> Vec<DataModel> {
    let (can, cannot): (Vec<_>, Vec<_>) =
        MODELS.into_iter().partition(|&model| native::is_available(model));
    for model in cannot {
        tools::skip("`cc`", &format!("{model:?} programs are not compiled or do not run"));
    }
    can
}

fn number_from(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} must be a number, not `{text}`")))
}

fn regressions() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/meaning/regressions")
}

/// Programs that are compiled together.
struct Batch {
    seed: u64,
    first: usize,
    count: usize,
    settings: Settings,
    /// Who else is asked.
    others: Vec<Compiler>,
}

fn batches(seed: u64, programs: usize, models: &[DataModel], others: &[Compiler]) -> Vec<Batch> {
    let asks_all = std::env::var("RELY_COMPILERS").as_deref() == Ok("all");
    let batch = |(number, first)| {
        let model = models[number % models.len()];
        let signed_wraps = number / models.len() % 3 != 2;
        Batch {
            seed,
            first,
            count: BATCH.min(programs - first),
            settings: Settings { model, signed_wraps },
            others: match number % SHARE_OF_OTHERS {
                _ if asks_all || others.is_empty() => others.to_vec(),
                0 => vec![others[(seed as usize + number) % others.len()]],
                _ => vec![],
            },
        }
    };
    (0..programs).step_by(BATCH).enumerate().map(batch).collect()
}

impl Batch {
    fn failures(&self) -> Vec<String> {
        let numbers = self.first..self.first + self.count;
        let programs: Vec<(usize, Tree)> =
            numbers.map(|number| (number, program(self.seed, number, self.settings))).collect();
        match self.native(JUDGE, &programs) {
            Ok(values) => {
                let all = programs.iter().zip(&values);
                let ours = all.filter_map(|((number, program), &value)| {
                    self.failure(*number, program, value)
                });
                ours.chain(self.contradictions(&programs, &values)).collect()
            }
            Err(_) => programs.iter().filter_map(|one| self.alone(one)).collect(),
        }
    }

    /// Programs for which other compilers have another value.
    fn contradictions(&self, programs: &[(usize, Tree)], values: &[u64]) -> Vec<String> {
        let of = |compiler: &Compiler| self.contradicts(*compiler, programs, values);
        self.others.iter().flat_map(of).collect()
    }

    fn contradicts(
        &self,
        compiler: Compiler,
        programs: &[(usize, Tree)],
        values: &[u64],
    ) -> Vec<String> {
        let all = programs.iter().zip(values);
        match self.native(compiler, programs) {
            Ok(theirs) => all
                .zip(theirs)
                .filter(|((_, value), other)| other != *value)
                .map(|(((number, program), value), other)| {
                    let (seed, text) = (self.seed, program.text());
                    format!("seed {seed}, program {number}: cc -O0 says {value}, {compiler:?} {other}\n{text}")
                })
                .collect(),
            Err(_) if programs.len() > 1 => {
                let one = std::slice::from_ref::<(usize, Tree)>;
                all.flat_map(|(program, value)| {
                    self.contradicts(compiler, one(program), std::slice::from_ref(value))
                })
                .collect()
            }
            // It does not take every constant that gcc takes.
            Err(problem) if problem.starts_with("clang: ") => vec![],
            Err(problem) => vec![format!("seed {}, {compiler:?}: {problem}", self.seed)],
        }
    }

    fn native(&self, compiler: Compiler, programs: &[(usize, Tree)]) -> Result<Vec<u64>, String> {
        let text: String = programs.iter().map(|(_, program)| program.text()).collect();
        let functions: Vec<String> =
            programs.iter().map(|(number, _)| format!("f_{number}")).collect();
        native::run_by(compiler, &text, &functions, self.settings.model, false)
    }

    /// One program of a batch that the compiler could not compile or the machine not run.
    fn alone(&self, one: &(usize, Tree)) -> Option<String> {
        let (seed, number) = (self.seed, one.0);
        match self.native(JUDGE, std::slice::from_ref(one)) {
            Ok(values) => self.failure(number, &one.1, values[0]),
            Err(problem) if problem.contains("internal compiler error") => {
                eprintln!("WARNING: a bug of cc itself: seed {seed}, program {number} is left out");
                None
            }
            Err(problem) => Some(format!("seed {seed}, program {number}: {problem}")),
        }
    }

    /// Compares one program; a failure is made smaller.
    fn failure(&self, number: usize, program: &Tree, value: u64) -> Option<String> {
        let ending = interpret(&program.text(), number, value, self.settings);
        if ending == Ending::Finished || is_known_limit(&ending) {
            return None;
        }
        let kind = kind(&ending);
        let mut fails = |candidate: &Tree| {
            let text = candidate.text();
            let native = native::run(&text, &[format!("f_{number}")], self.settings.model, true);
            native.is_ok_and(|values| {
                self::kind(&interpret(&text, number, values[0], self.settings)) == kind
            })
        };
        let attempts = number_from("RELY_ATTEMPTS").unwrap_or(ATTEMPTS) as usize;
        let small =
            if fails(program) { program.shrink(attempts, &mut fails) } else { program.clone() };
        let text = small.text().replace(&format!("_{number}"), "_0");
        let said = native::run(&text, &["f_0".to_string()], self.settings.model, false);
        let value = said.map_or(value, |values| values[0]);
        let ending = interpret(&text, 0, value, self.settings);
        let kept = Kept { value, settings: self.settings };
        let text = format!("{}{text}", kept.line());
        if number_from("RELY_KEEP") == Some(1) {
            let path = regressions().join(format!("seed-{}-program-{number}.c", self.seed));
            std::fs::write(&path, &text).expect("the folder of regressions can be written");
        }
        Some(format!(
            "seed {}, program {number}: cc says {value}, the model {ending:?}\n{text}",
            self.seed
        ))
    }
}

/// Not modelled: packed bit-fields whose bytes are not those of an integer, and some padding. They end at a limit, as they should.
fn is_known_limit(ending: &Ending) -> bool {
    let limits = [
        "packed bit-field without a storage unit",
        "a conversion from `__int128`",
        "an array in a record whose padding is looked at",
    ];
    matches!(ending, Ending::Trouble(what) if limits.iter().any(|limit| what.ends_with(limit)))
}

/// Which failures are the same while a program is made smaller.
fn kind(ending: &Ending) -> String {
    match ending {
        Ending::Finished => String::new(),
        Ending::Differs(_) => "differs".to_string(),
        Ending::Trouble(what) => what.split(['|', '`']).next().unwrap_or_default().to_string(),
    }
}

/// The program with a number, of a seed.
fn program(seed: u64, number: usize, settings: Settings) -> Tree {
    let mut random = Rng::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64));
    random = Rng::new(random.number());
    generate::program(&mut random, settings, number)
}

/// Runs the model; the error location is where the value is another one.
fn interpret(text: &str, number: usize, value: u64, settings: Settings) -> Ending {
    let whole = format!(
        "{}{text}unsigned long long out;\nint main(void)\n{{\nout = f_{number}();\nif (out != {value}ULL) reach_error();\nreturn 0;\n}}\n",
        native::prelude(settings.model)
    );
    interpret::run_in_two_orders(&whole, settings.model, settings.signed_wraps)
}

/// The first line of a kept program: what `f_0` returns, and for which C.
struct Kept {
    value: u64,
    settings: Settings,
}

impl Kept {
    fn line(&self) -> String {
        let signed = if self.settings.signed_wraps { "wraps" } else { "ends" };
        format!("// expect: {} model: {:?} signed: {signed}\n", self.value, self.settings.model)
    }

    fn parse(text: &str) -> Option<Kept> {
        let words: Vec<&str> = text.lines().next()?.split_whitespace().collect();
        let &["//", "expect:", value, "model:", model, "signed:", signed, ..] = &words[..] else {
            return None;
        };
        let model = MODELS.into_iter().find(|known| format!("{known:?}") == model)?;
        Some(Kept {
            value: value.parse().ok()?,
            settings: Settings { model, signed_wraps: signed == "wraps" },
        })
    }
}
