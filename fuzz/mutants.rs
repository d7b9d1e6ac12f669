//! Looks for C programs that the front end cannot stand.
//!
//!     cargo run --release --example mutants -- SECONDS [FIRST_SEED [FOLDER…]]
//!
//! Mutates the C programs of the folders (ours, if none is named) and reads
//! each mutant. A finding is shrunk and written to `findings/`, with the
//! number from which it can be made again. Ends with 1 if there was one.

mod mutate;
mod oracle;

use ccfa::random::Rng;
use cfront::preprocess::{self, PreprocessOptions};
use oracle::Outcome;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Longer than this is a finding.
const SLOW: Duration = Duration::from_secs(2);
/// Longer than this and the fuzzer gives up, after it has written the mutant down.
const HANGS: Duration = Duration::from_secs(30);

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().and_then(|arg| arg.parse().ok()).unwrap_or(60);
    let first = args.next().and_then(|arg| arg.parse().ok()).unwrap_or(0);
    let folders: Vec<PathBuf> = args.map(PathBuf::from).collect();
    std::panic::set_hook(Box::new(|_| {}));
    let hunt = Hunt::new(&folders);
    println!("{} seeds, from mutant {first} for {seconds} s", hunt.seeds.len());
    let end = Instant::now() + Duration::from_secs(seconds);
    let next = AtomicU64::new(first);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while Instant::now() < end {
                    hunt.try_one(next.fetch_add(1, Ordering::Relaxed));
                }
            });
        }
    });
    hunt.summary(next.into_inner() - first)
}

/// What the workers share.
struct Hunt {
    prelude: String,
    seeds: Vec<Vec<String>>,
    /// How often each outcome was met; what is wrong by its message.
    counts: Mutex<BTreeMap<String, u64>>,
}

impl Hunt {
    fn new(folders: &[PathBuf]) -> Hunt {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let ours = [root.join("examples"), root.join("tests/regression")];
        let folders = if folders.is_empty() { &ours[..] } else { folders };
        let headers = std::env::temp_dir().join(format!("rely-fuzz-{}.c", std::process::id()));
        std::fs::write(&headers, mutate::HEADERS).expect("a temporary file can be written");
        let prelude = preprocessed(&headers).expect("a C compiler with its headers");
        let _ = std::fs::remove_file(&headers);
        let seeds = mutate::files(folders).iter().filter_map(|file| seed(file)).collect();
        Hunt { prelude, seeds, counts: Mutex::default() }
    }

    fn try_one(&self, number: u64) {
        let tokens = mutate::mutant(&self.seeds, &mut Rng::new(number));
        let outcome = self.watched(&tokens, number);
        let Outcome::Wrong(what) = outcome else {
            return self.count(format!("{outcome:?}"));
        };
        let kind: String = what.chars().take_while(|c| !c.is_ascii_digit()).take(60).collect();
        self.count(kind.clone());
        if self.counts.lock().expect("no panic")[&kind] > 3 {
            return;
        }
        let same = |smaller: &[String]| match self.judge(smaller, number) {
            Outcome::Wrong(other) => other.starts_with(&kind),
            _ => false,
        };
        let small = mutate::text(&mutate::shrink(&tokens, same));
        println!("mutant {number}: {what}\n{small}");
        self.keep(number, &small);
    }

    fn judge(&self, tokens: &[String], number: u64) -> Outcome {
        let text = format!("{}{}", self.prelude, mutate::text(tokens));
        oracle::judge(&text, &oracle::options(number), SLOW)
    }

    /// Judges under the eye of a thread that ends the process if it takes forever.
    fn watched(&self, tokens: &[String], number: u64) -> Outcome {
        let (done, waiting) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let waited = waiting.recv_timeout(HANGS);
                if waited == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    println!("mutant {number} hangs");
                    self.keep(number, &mutate::text(tokens));
                    std::process::exit(1);
                }
            });
            let outcome = self.judge(tokens, number);
            drop(done);
            outcome
        })
    }

    fn keep(&self, number: u64, text: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("findings");
        let written = std::fs::create_dir_all(&folder).and_then(|()| {
            std::fs::write(folder.join(format!("{number}.i")), format!("{}{text}", self.prelude))
        });
        written.expect("findings can be written");
    }

    fn count(&self, what: String) {
        *self.counts.lock().expect("no panic").entry(what).or_default() += 1;
    }

    fn summary(&self, mutants: u64) -> ExitCode {
        println!("{mutants} mutants");
        let counts = self.counts.lock().expect("no panic");
        for (what, count) in counts.iter() {
            println!("{count:>8}  {what}");
        }
        let wrong = counts.keys().any(|what| what != "Model" && what != "Refused");
        if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

fn preprocessed(file: &Path) -> Option<String> {
    preprocess::load(file, &PreprocessOptions::default()).ok().map(|source| source.text)
}

fn seed(file: &Path) -> Option<Vec<String>> {
    let text = preprocessed(file)?;
    let is_raw = file.extension().is_some_and(|end| end == "c");
    let own = if is_raw { mutate::own_part(&file.display().to_string(), &text) } else { text };
    Some(mutate::tokens(&own))
}
