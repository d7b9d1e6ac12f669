//! What the tests of the command line share: a run of the binary, golden
//! files, and C programs that state their own expectations.
//!
//! `UPDATE_GOLDEN=1 cargo test` writes the golden files anew.

#![allow(dead_code)] // Each test file uses its own part of this.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What a run of `rely` gave.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub time: Duration,
}

impl Run {
    /// Everything it said, for messages.
    pub fn all(&self) -> String {
        format!("exit code {}\n{}{}", self.code, self.stdout, self.stderr)
    }
}

/// The folder of the tests of this crate.
pub fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The binary, ready for arguments.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rely"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs `rely` with these arguments in a folder.
pub fn rely(folder: &Path, args: &[&str]) -> Run {
    let start = Instant::now();
    let output = command(folder).args(args).output().expect("rely starts");
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        time: start.elapsed(),
    }
}

/// Compares with a golden file.
pub fn check_golden(name: &str, actual: &str) {
    let path = here().join("golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, actual).expect("golden files can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == actual, "{name}: expected\n{expected}\ngot\n{actual}");
}

/// Runs every program (.c, .i or .rely) below a folder and compares with what its
/// comments say; fails with a list of all that differ.
pub fn check_programs(folder: &Path) {
    let mut files = Vec::new();
    collect(folder, &mut files);
    assert!(!files.is_empty(), "no C program in {}", folder.display());
    let number = files.len();
    let waiting = Mutex::new(files);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = next(&waiting) {
                    wrong.lock().expect("no panic").extend(mismatch(&file));
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    println!("{} of {number} programs as expected", number - wrong.len());
    assert!(wrong.is_empty(), "{} of {number} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn next(waiting: &Mutex<Vec<PathBuf>>) -> Option<PathBuf> {
    waiting.lock().expect("no panic").pop()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "c" || end == "i" || end == "rely") {
            files.push(path);
        }
    }
}

/// What is wrong with the answer for a program, if anything is.
fn mismatch(file: &Path) -> Option<String> {
    let text = std::fs::read(file).expect("a file that was listed can be read");
    let text = String::from_utf8_lossy(&text).into_owned();
    let name = file.display().to_string();
    let Some(expected) = stated(&text, "EXPECT").next() else {
        return Some(format!("{name}: no line `//EXPECT: SAFE|UNSAFE|UNKNOWN`"));
    };
    if let Some(why) = stated(&text, "SLOW").next()
        && cfg!(debug_assertions)
    {
        println!("SKIPPED, since debug assertions make it too slow ({why}): {name}");
        return None;
    }
    let own_args = stated(&text, "ARGS").next().unwrap_or("");
    let mut args = vec!["check", &name];
    args.extend(own_args.split_whitespace());
    if !args.contains(&"--timeout") {
        args.extend(["--timeout", "20"]);
    }
    let run = rely(file.parent().expect("a file lies in a folder"), &args);
    let code = match expected {
        "SAFE" => 0,
        "UNSAFE" => 10,
        _ => 20,
    };
    let output = run.all();
    let missing = stated(&text, "REASON").find(|reason| !output.contains(reason));
    if run.stdout.lines().next() != Some(expected) || run.code != code {
        Some(format!("{name}: expected {expected}, got {}", output.replace('\n', "\n    ")))
    } else {
        missing.map(|reason| {
            format!("{name}: \"{reason}\" does not occur in {}", output.replace('\n', "\n    "))
        })
    }
}

/// The texts of the lines `//KEY: text`.
fn stated<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines().filter_map(move |line| {
        let line = line.trim().strip_prefix("//")?.trim_start();
        Some(line.strip_prefix(key)?.strip_prefix(':')?.trim())
    })
}
