//! What is written for other tools, as other tools read it: schemas are asked of the package `jsonschema`, the published one of SARIF
//! comes with the package `schemastore`. `.ci/run` installs the packages in `target/python`.

mod support;
#[path = "../../engine-suite/tests/tools/mod.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::Command;
use support::{here, rely, root};

/// Programs with errors of all kinds, proofs and limits.
const FOLDERS: [&str; 4] =
    ["examples/memory", "examples/deadlocks", "examples/questions", "crates/rely/tests/models"];

/// There are at least so many.
const MIN_PROGRAMS: usize = 30;

const SARIF: &str = "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema";

/// Python with the packages of `.ci/run`, if they are installed.
fn python(packages: &str) -> Option<Command> {
    let path = root().join("target/python/bin/python");
    let check = Command::new(&path).args(["-c", &format!("import {packages}")]).output();
    match check {
        Ok(output) if output.status.success() => Some(Command::new(path)),
        Ok(output) => {
            tools::skip(packages, &String::from_utf8_lossy(&output.stderr));
            None
        }
        Err(error) => {
            tools::skip("target/python", &error.to_string());
            None
        }
    }
}

/// The programs, as seen from the folder of the workspace.
fn programs() -> Vec<String> {
    let mut programs = Vec::new();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let is_program = |name: &String| name.ends_with(".c") || name.ends_with(".litmus");
        programs.extend(names.filter(is_program).map(|name| format!("{folder}/{name}")));
    }
    assert!(programs.len() >= MIN_PROGRAMS, "only {programs:?}");
    programs.sort();
    programs
}

/// What is wrong with files, as a schema has it.
fn mistakes(python: &mut Command, schema: &str, files: &[PathBuf]) -> String {
    let script = here().join("other_tools/validate.py");
    let output = python.arg(script).arg(schema).args(files).output().expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    format!("{said}{}", String::from_utf8_lossy(&output.stderr))
}

#[test]
fn reports_and_logs_fit_their_schemas() {
    let Some(mut first) = python("jsonschema, schemastore") else { return };
    let Some(mut second) = python("jsonschema, schemastore") else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("other-tools");
    std::fs::create_dir_all(&folder).expect("folders can be made");
    let (mut reports, mut logs) = (Vec::new(), Vec::new());
    for program in programs() {
        let name = program.replace('/', "-");
        let report = folder.join(format!("{name}.json"));
        let log = folder.join(format!("{name}.sarif"));
        let (to_report, to_log) = (report.display().to_string(), log.display().to_string());
        let args = ["check", &program, "--json", &to_report, "--sarif", &to_log, "--timeout", "10"];
        let run = rely(&root(), &args);
        if run.code != 2 {
            reports.push(report);
            logs.push(log);
        }
    }
    assert!(reports.len() >= MIN_PROGRAMS, "only {} reports", reports.len());
    let schema = root().join("docs/report.schema.json").display().to_string();
    assert_eq!(mistakes(&mut first, &schema, &reports), "");
    assert_eq!(mistakes(&mut second, SARIF, &logs), "");
}

#[test]
fn a_file_that_does_not_fit_is_noticed() {
    let Some(mut python) = python("jsonschema, schemastore") else { return };
    let report = root().join("tests/golden/formats/lost-update.json");
    let said = mistakes(&mut python, SARIF, &[report]);
    assert!(said.contains("'runs' is a required property"), "{said}");
}
