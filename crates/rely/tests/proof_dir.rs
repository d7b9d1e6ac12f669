//! The obligations of proofs, as other solvers read them: z3 and cvc5 (Debian; `.ci/run` installs them). Which folders are taken, and what becomes of what stands in them.

#[path = "../../engine-suite/tests/tools/mod.rs"]
mod tools;

mod support;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::{check_golden_file, rely, root, write_files};

/// Solvers that read scripts one after the other, with `(reset)` between them.
const SOLVERS: [&[&str]; 2] = [&["z3", "-in"], &["cvc5", "--incremental", "--lang=smt2", "-q"]];

/// Proofs of more bytes are left to the first solver: the second would think about each of them for minutes.
const MAX_BYTES_FOR_BOTH: usize = 3_000_000;

/// Folders of programs, with the options by which they are asked. (With all questions, most of Threader's have a race.)
const EXAMPLES: [(&str, &[&str]); 3] = [
    ("examples", &[]),
    ("examples/impara", &["--check", "assertions"]),
    ("examples/threader", &["--check", "assertions"]),
];
const PROGRAMS_BY_KIND: [(&str, &[&str]); 5] = [
    ("examples/deadlocks", &[]),
    ("examples/memory", &[]),
    ("examples/questions", &[]),
    ("examples/races", &[]),
    ("examples/thread-modular", &[]),
];

/// There are at least so many proofs in each of them, and scripts.
const MIN_PROOFS: usize = 20;
const MIN_SCRIPTS: usize = 1000;

/// A small program for each kind of proof: an engine, and rules of which there must be a script.
const KINDS: [(&str, &str, &[&str]); 7] = [
    ("explore", "examples/ticket-lock.c", &["initiation", "consecution", "safety"]),
    ("impact", "examples/peterson.c", &["well-labelled", "cover", "completeness"]),
    ("rely-guarantee", "examples/threader/lock-id.rely", &["interference-freedom"]),
    ("rely-guarantee", LOCK, &["consecution"]),
    ("rely-guarantee", INTEGERS, &["initiation", "consecution", "interference-freedom"]),
    ("impact", INTEGERS, &["initiation", "well-labelled"]),
    ("explore", "examples/deadlocks/cycle-fixed.c", &["progress"]),
];

/// A model with a proof of a few lines.
const LOCK: &str = "crates/rely/tests/models/lock.rely";

/// A model with integers without bounds.
const INTEGERS: &str = "crates/rely/tests/models/integers.rely";

/// An empty place for a folder.
fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("proof-dir").join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.parent().expect("it is in a folder")).expect("folders can be made");
    place
}

/// Runs a program; the folder, the index and the exit code.
fn proof(name: &str, args: &[&str]) -> (PathBuf, String, i32) {
    let folder = place(name);
    let option = folder.display().to_string();
    let run = rely(&root(), &[&["check", "--proof-dir", &option], args].concat());
    let index = fs::read_to_string(folder.join("obligations.txt"));
    (folder, index.expect("there is an index"), run.code)
}

/// The scripts that an index names.
fn scripts(folder: &Path, index: &str) -> Vec<PathBuf> {
    let names = index.lines().filter_map(|line| Some(line.split_once(": ")?.0));
    names.filter(|name| name.ends_with(".smt2")).map(|name| folder.join(name)).collect()
}

/// What a solver says of texts, if it is installed.
fn answers(solver: &[&str], texts: &[String]) -> Option<Vec<String>> {
    let mut command = Command::new(solver[0]);
    command.args(&solver[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            tools::skip(solver[0], &error.to_string());
            return None;
        }
    };
    let mut input = child.stdin.take().expect("it is a pipe");
    let text: String = texts.iter().map(|text| format!("(reset)\n{text}")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the thread ends").expect("it reads everything");
    Some(String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect())
}

/// All of these must be `unsat`.
fn must_be_unsat(files: &[PathBuf], case: &str) {
    let texts: Vec<String> =
        files.iter().map(|file| fs::read_to_string(file).expect("the index names files")).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let solvers = if bytes > MAX_BYTES_FOR_BOTH { &SOLVERS[..1] } else { &SOLVERS };
    for solver in solvers {
        let Some(answers) = answers(solver, &texts) else { continue };
        assert_eq!(answers.len(), files.len(), "{case}, {solver:?}: {answers:?}");
        let wrong = answers.iter().zip(files).find(|(answer, _)| *answer != "unsat");
        assert_eq!(wrong, None, "{case}, {solver:?}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: left to release builds")]
fn solvers_confirm_the_proofs_of_examples() {
    solvers_confirm(&EXAMPLES);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow: left to release builds")]
fn solvers_confirm_the_proofs_of_programs_by_kind() {
    solvers_confirm(&PROGRAMS_BY_KIND);
}

/// Solvers confirm the proofs of all that is safe in these folders.
fn solvers_confirm(folders: &[(&str, &[&str])]) {
    let (mut proofs, mut all) = (0, 0);
    for (folder, args) in folders {
        let entries = fs::read_dir(root().join(folder)).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".c"))
            .map(|name| format!("{folder}/{name}"))
            .collect();
        names.sort();
        for program in names {
            let limits = ["--timeout", "60"];
            let (dir, index, _) = proof(folder, &[&[program.as_str()], *args, &limits].concat());
            let mut missing = index.lines().filter(|line| line.starts_with("MISSING"));
            let is_whole = missing.all(|line| line.starts_with("MISSING: second proof"));
            assert!(is_whole, "{program}: {index}");
            let files = scripts(&dir, &index);
            proofs += index.lines().filter(|line| line.ends_with(": SAFE")).count();
            all += files.len();
            must_be_unsat(&files, &program);
        }
    }
    assert!(proofs >= MIN_PROOFS && all >= MIN_SCRIPTS, "only {proofs} proofs, {all} scripts");
}

#[test]
fn each_kind_of_proof_has_scripts_for_its_rules() {
    for (engine, program, rules) in KINDS {
        let (dir, index, code) = proof("kinds", &["--engine", engine, program]);
        assert_eq!(code, 0, "{engine}: {index}");
        let files = scripts(&dir, &index);
        for rule in rules {
            let has_rule = |file: &PathBuf| file.to_string_lossy().contains(rule);
            assert!(files.iter().any(has_rule), "{engine}: no {rule} in {index}");
        }
        must_be_unsat(&files, engine);
    }
}

/// A script says something: there is a formula in it without which what is left can hold. (What becomes of a set of states
/// without one of them is a test of `obligations::states`.)
#[test]
fn with_an_assertion_left_out_they_are_sat() {
    for engine in ["rely-guarantee", "impact"] {
        let (dir, index, code) = proof("seeded", &["--engine", engine, LOCK]);
        assert_eq!(code, 0, "{engine}: {index}");
        let files = scripts(&dir, &index);
        assert!(!files.is_empty(), "{engine}: {index}");
        for file in files {
            let text = fs::read_to_string(&file).expect("the index names files");
            let weaker = weaker(&text);
            for solver in SOLVERS {
                let Some(answers) = answers(solver, &weaker) else { continue };
                let name = file.display();
                assert_eq!(answers.len(), weaker.len(), "{name}, {solver:?}: {answers:?}");
                assert!(answers.contains(&"sat".to_string()), "{name}, {solver:?}: {answers:?}");
            }
        }
    }
}

/// The script without one of the formulas of its first case, for each.
fn weaker(script: &str) -> Vec<String> {
    let (before, case) = script.split_once("(define-fun case1 () Bool (and true ").expect("a case");
    let (formulas, after) = case.split_once("))\n").expect("a case ends");
    let formulas: Vec<&str> = formulas.split(' ').collect();
    let without = |left_out: usize| {
        let left = formulas.iter().enumerate().filter(|(number, _)| *number != left_out);
        let left: Vec<&str> = left.map(|(_, formula)| *formula).collect();
        let left = left.join(" ");
        format!("{before}(define-fun case1 () Bool (and true true {left}))\n{after}")
    };
    (0..formulas.len()).map(without).collect()
}

#[test]
fn golden_files() {
    let (dir, index, code) = proof("golden", &["--engine", "rely-guarantee", LOCK]);
    assert_eq!(code, 0, "{index}");
    let golden = root().join("tests/golden/formats");
    check_golden_file(&golden.join("proof-obligations.txt"), &index);
    let first = scripts(&dir, &index)
        .into_iter()
        .find(|file| file.to_string_lossy().contains("consecution"));
    let text = fs::read_to_string(first.expect("a script")).expect("the index names files");
    check_golden_file(&golden.join("proof-consecution.smt2"), &text);
}

#[test]
fn the_script_runs_a_solver() {
    let (dir, index, _) = proof("script", &["--engine", "rely-guarantee", LOCK]);
    let count = scripts(&dir, &index).len();
    let run = |solver: &str| {
        let mut command = Command::new(dir.join("check.sh"));
        let output = command.arg(solver).output().expect("the script starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text.lines().last().unwrap_or_default().to_string())
    };
    write_files(&dir, &[("yes", "#!/bin/sh\necho unsat\n"), ("no", "#!/bin/sh\necho sat\n")]);
    let yes = format!("sh ./yes: {count} of {count} obligations are unsat; without a script: 0");
    assert_eq!(run("sh ./yes"), (Some(0), yes));
    let no = format!("sh ./no: 0 of {count} obligations are unsat; without a script: 0");
    assert_eq!(run("sh ./no"), (Some(1), no));
}

#[test]
fn folders_of_others_are_refused() {
    let folder = place("refused");
    write_files(&folder, &[("notes.txt", "mine"), ("obligations.txt", "mine, too")]);
    let name = folder.display().to_string();
    let run = rely(&root(), &["check", "examples/peterson.c", "--proof-dir", &name]);
    run.must_say(2, &["must be empty, or one that --proof-dir has written before"], "");
    assert_eq!(run.stdout, "");
    let kept = fs::read_to_string(folder.join("obligations.txt")).expect("it is there");
    assert_eq!((kept.as_str(), fs::read_dir(&folder).expect("a folder").count()), ("mine, too", 2));
    let file = folder.join("notes.txt").display().to_string();
    let run = rely(&root(), &["check", "examples/peterson.c", "--proof-dir", &file]);
    run.must_say(2, &["cannot write the folder"], "");
}

/// A folder is used again: what it had is gone, what others have put there is not touched, nor anything outside that an index names.
#[test]
fn a_folder_is_used_again() {
    let (dir, index, _) = proof("again", &["--engine", "rely-guarantee", LOCK]);
    let old = scripts(&dir, &index);
    let outside = dir.parent().expect("a folder").join("outside.smt2");
    fs::write(&outside, "mine").expect("it can be written");
    write_files(&dir, &[("notes.txt", "mine"), ("assertions/mine.smt2", "mine")]);
    let forged = format!("{index}../outside.smt2: x\n{}: x\nnotes.txt: x\n", outside.display());
    fs::write(dir.join("obligations.txt"), forged).expect("it can be written");
    let name = dir.display().to_string();
    let args = ["check", "--check", "assertions", "examples/lost-update.c", "--proof-dir", &name];
    let run = rely(&root(), &args);
    assert_eq!(run.code, 10, "{}", run.all());
    assert!(!old.is_empty() && old.iter().all(|file| !file.exists()), "{old:?}");
    let kept = [outside, dir.join("notes.txt"), dir.join("assertions/mine.smt2")];
    kept.iter().for_each(|file| assert!(file.exists(), "{}", file.display()));
    let index = fs::read_to_string(dir.join("obligations.txt")).expect("there is an index");
    assert!(index.contains("UNSAFE") && index.contains("No proof."), "{index}");
    assert_eq!(scripts(&dir, &index), Vec::<PathBuf>::new());
}
