//! The front end never panics, hangs or makes a bad model, whatever it is fed:
//! mutants of our own programs, with fixed seeds. `fuzz/` looks for more.

#[path = "../../../fuzz/mutate.rs"]
mod mutate;
#[path = "../../../fuzz/oracle.rs"]
mod oracle;

use ccfa::random::Rng;
use cfront::preprocess::{self, PreprocessOptions};
use oracle::Outcome;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const MUTANTS: u64 = 2000;
/// Generous: what we look for never ends, and other tests run beside this one.
const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn mutants_of_our_programs() {
    let prelude = prelude();
    let seeds = seeds();
    let next = AtomicU64::new(0);
    let models = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let number @ 0..MUTANTS = next.fetch_add(1, Ordering::Relaxed) {
                    let tokens = mutate::mutant(&seeds, &mut Rng::new(number));
                    let text = format!("{prelude}{}", mutate::text(&tokens));
                    match oracle::judge(&text, &oracle::options(number), LIMIT) {
                        Outcome::Wrong(what) => panic!("mutant {number}: {what}"),
                        Outcome::Model => drop(models.fetch_add(1, Ordering::Relaxed)),
                        Outcome::Refused => {}
                    }
                }
            });
        }
    });
    let models = models.into_inner();
    assert!(models > MUTANTS / 10, "only {models} mutants became models: mutate less roughly");
}

/// Without mutation, nothing is refused: what the mutants are made of is C.
#[test]
fn our_programs_are_models_that_print_and_parse() {
    for file in files() {
        let source = preprocess::load(&file, &PreprocessOptions::default()).expect("it is C");
        let outcome = oracle::judge(&source.text, &oracle::options(1), LIMIT);
        assert_eq!(outcome, Outcome::Model, "{}", file.display());
    }
}

fn files() -> Vec<std::path::PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    mutate::files(&[root.join("examples"), root.join("tests/regression")])
}

fn seeds() -> Vec<Vec<String>> {
    let seed = |file: &std::path::PathBuf| {
        let source = preprocess::load(file, &PreprocessOptions::default()).ok()?;
        Some(mutate::tokens(&mutate::own_part(&source.name, &source.text)))
    };
    files().iter().filter_map(seed).collect()
}

/// The headers of all seeds, preprocessed.
fn prelude() -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("robust-prelude.c");
    std::fs::write(&file, mutate::HEADERS).expect("a temporary file can be written");
    preprocess::load(&file, &PreprocessOptions::default()).expect("a C compiler").text
}
