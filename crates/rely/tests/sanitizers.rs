//! AddressSanitizer and UBSan as witnesses from outside: what Rely says of the examples without threads, they see when these are run.
//!
//! An example with `//SANITIZER: …` is compiled with both and run, with the values of `//INPUTS: …` as inputs: the words must be in what the
//! sanitizer says. Its repaired twin, with the same inputs, must run without a word.

mod support;
#[path = "../../engine-suite/tests/tools/mod.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where inputs come from.
const INPUTS: &str = "
static const long long inputs[] = { VALUES 0 };
static unsigned next;
static long long input(void) { return next < sizeof inputs / sizeof *inputs ? inputs[next++] : 0; }
int __VERIFIER_nondet_int(void) { return (int)input(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)input(); }
";

/// There are at least so many pairs.
const MIN_PAIRS: usize = 9;

#[test]
fn sanitizers_see_the_same() {
    let gcc = Command::new("gcc").arg("--version").output();
    if let Err(why) = gcc {
        return tools::skip("gcc", &why.to_string());
    }
    let folder = support::root().join("examples/memory");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("a folder of examples")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut pairs = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("an example");
        let Some(words) = stated(&text, "SANITIZER") else { continue };
        let inputs = stated(&text, "INPUTS").unwrap_or_default();
        let (name, said) = run(&file, inputs);
        assert!(said.contains(words), "{name}: \"{words}\" is not said:\n{said}");
        let stem = file.file_stem().expect("a name").to_string_lossy();
        let (name, said) = run(&folder.join(format!("{stem}-fixed.c")), inputs);
        assert!(said.is_empty(), "{name}: {said}");
        pairs += 1;
    }
    assert!(pairs >= MIN_PAIRS, "only {pairs} pairs");
}

/// What a comment of the program states.
fn stated<'t>(text: &'t str, what: &str) -> Option<&'t str> {
    let prefix = format!("//{what}: ");
    text.lines().find_map(|line| line.strip_prefix(&prefix))
}

/// Compiles a program with the sanitizers and runs it: its name and what they say.
fn run(file: &Path, inputs: &str) -> (String, String) {
    let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let values: String = inputs.split_whitespace().map(|value| format!("{value}, ")).collect();
    let stub = folder.join(format!("{name}-inputs.c"));
    std::fs::write(&stub, INPUTS.replace("VALUES", &values)).expect("a folder for tests");
    let binary = folder.join(format!("{name}-sanitized"));
    let compiled = Command::new("gcc")
        .args(["-g", "-O0", "-fsanitize=address,undefined", "-o"])
        .args([&binary, &file.to_path_buf(), &stub])
        .output()
        .expect("gcc starts");
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&binary).output().expect("the program starts");
    (name, String::from_utf8_lossy(&run.stderr).into_owned())
}
