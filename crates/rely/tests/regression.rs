//! The programs under `tests/regression` and `examples`, each a test of its own with the name of its
//! file: `cargo test -p rely --test regression 10-mutex` runs those of a folder. Each says itself what
//! is to be expected (`support/programs.rs`). Slow ones are ignored, unless asked for: `.ci/run` runs all
//! of them in a release build, with `-- --include-ignored`.

mod support;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use support::programs::programs;

/// The folders, and how many programs there are at least.
const FOLDERS: [(&str, usize); 2] = [("tests/regression", 440), ("examples", 70)];

fn main() -> ExitCode {
    let trials = FOLDERS.iter().flat_map(|(folder, least)| trials(folder, *least)).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trials(name: &str, least: usize) -> Vec<Trial> {
    let folder = support::root().join(name);
    let trial = |program: support::programs::Program| {
        let name = format!("{name}/{}", program.name(&folder));
        let slow = program.is_slow();
        Trial::test(name, move || Ok(program.judge()?)).with_ignored_flag(slow)
    };
    programs(&folder, least).into_iter().map(trial).collect()
}
