//! What the tests of the command line share: a run of the binary and golden files.
//!
//! `UPDATE_GOLDEN=1 cargo test` writes the golden files anew.

#![allow(dead_code)] // Each test file uses its own part of this.

pub mod programs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What `rely` exits with.
pub const SAFE: i32 = 0;
pub const REFUSED: i32 = 2;
pub const UNSAFE: i32 = 10;
pub const UNKNOWN: i32 = 20;

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

    /// It must have exited with this code, and have said all of this.
    pub fn must_say(&self, code: i32, says: &[&str], case: &str) {
        assert_eq!(self.code, code, "{case}: {}", self.all());
        for part in says {
            assert!(self.all().contains(part), "{case}: no \"{part}\" in {}", self.all());
        }
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

/// Runs `rely` while the reader of its standard output has gone away.
pub fn without_reader(folder: &Path, args: &[&str]) -> Output {
    let mut command = command(folder);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("rely starts");
    drop(child.stdout.take());
    child.wait_with_output().expect("rely ends")
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

/// Writes files into a folder, each with the folders that it stands in.
pub fn write_files(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        let parent = path.parent().expect("it is in a folder");
        std::fs::create_dir_all(parent).expect("folders can be made");
        std::fs::write(path, text).expect("files can be written");
    }
}

/// Compares with a golden file of this crate.
pub fn check_golden(name: &str, actual: &str) {
    check_golden_file(&here().join("golden").join(name), actual);
}

/// Compares with a golden file.
pub fn check_golden_file(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, actual).expect("golden files can be written");
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    let name = path.display();
    assert!(expected == actual, "{name}: expected\n{expected}\ngot\n{actual}");
}
