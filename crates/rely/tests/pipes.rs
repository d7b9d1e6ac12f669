//! Programs that come through a pipe: standard input, named pipes, what a shell puts in the place of `<(…)`. They
//! can be read once, however often a larger model is made of them.

mod support;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::{Run, command, here, rely, root};

const LOST_UPDATE: &str = "examples/lost-update.c";

/// Calls itself deeper than the first model allows: a larger one is made.
const NEEDS_LARGER_BOUNDS: &str = "\
#include <assert.h>
int down(int n) { return n == 0 ? 0 : down(n - 1) + 1; }
int main(void) { assert(down(6) != 6); }
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pipes").join(name);
    std::fs::create_dir_all(&folder).expect("folders can be made");
    folder
}

/// Runs `rely` with this text on its standard input.
fn with_input(folder: &Path, args: &[&str], text: &[u8]) -> Run {
    let mut child = command(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("rely starts");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(text);
    let output = child.wait_with_output().expect("rely ends");
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        time: std::time::Duration::ZERO,
    }
}

fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).expect("an example")
}

#[test]
fn standard_input_gives_the_answer_of_the_file() {
    let from_file = rely(&root(), &["check", LOST_UPDATE]);
    let from_pipe = with_input(&root(), &["check", "-"], text(LOST_UPDATE).as_bytes());
    assert_eq!(from_pipe.code, 10, "{}", from_pipe.all());
    assert_eq!(from_pipe.stdout, from_file.stdout.replace(LOST_UPDATE, "<stdin>"));
    assert!(from_pipe.stdout.contains("at <stdin>:"), "{}", from_pipe.stdout);
    assert!(from_pipe.stdout.contains("\n    |"), "the line is shown: {}", from_pipe.stdout);
}

#[test]
fn standard_input_can_be_shown_and_compared() {
    let shown = with_input(&root(), &["show", "-"], text(LOST_UPDATE).as_bytes());
    assert_eq!(shown.code, 0, "{}", shown.all());
    assert!(shown.stdout.contains("thread main"), "{}", shown.stdout);
    let text = text("examples/abstract-threads/bluetooth.c");
    let compared = with_input(&root(), &["conform", "-"], text.as_bytes());
    let from_file = rely(&root(), &["conform", "examples/abstract-threads/bluetooth.c"]);
    assert_eq!(compared.code, from_file.code, "{}", compared.all());
}

#[test]
fn a_larger_model_needs_no_second_reading() {
    let verbose = ["check", "-", "--verbose"];
    let run = with_input(&folder("larger"), &verbose, NEEDS_LARGER_BOUNDS.as_bytes());
    assert_eq!(run.code, 10, "{}", run.all());
    assert_eq!(run.stderr.matches("rely: reading: ").count(), 1, "{}", run.stderr);
    assert!(run.stderr.matches("rely: modelling: ").count() > 1, "{}", run.stderr);
}

#[test]
fn headers_and_macros_are_found() {
    let folder = folder("headers");
    std::fs::write(folder.join("here.h"), "#define HERE 1\n").expect("a file");
    std::fs::create_dir_all(folder.join("include")).expect("a folder");
    std::fs::write(folder.join("include/there.h"), "#define THERE 2\n").expect("a file");
    let text = "#include <assert.h>\n#include \"here.h\"\n#include <there.h>\n\
                int main(void) { assert(HERE + THERE + GIVEN == 6); }\n";
    let args = ["check", "-", "-I", "include", "-D", "GIVEN=3"];
    let run = with_input(&folder, &args, text.as_bytes());
    assert_eq!(run.code, 0, "{}", run.all());
}

#[test]
fn mistakes_are_named() {
    let folder = folder("mistakes");
    let refused = |text: &[u8], parts: &[&str]| {
        for command in ["check", "show", "conform"] {
            let run = with_input(&folder, &[command, "-"], text);
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.all());
            assert!(run.stderr.starts_with("error: <stdin>"), "{}", run.stderr);
            for part in parts {
                assert!(run.stderr.contains(part), "no \"{part}\" in {}", run.stderr);
            }
        }
    };
    refused(b"", &["is empty; a C program with a function `main` is needed"]);
    refused(b" \n\t\n", &["is empty"]);
    refused(b"/* nothing */\n", &["there is no function `main`"]);
    refused(b"int x;\n\xff\n", &["not UTF-8", "line 2"]);
    refused(
        b"int main(void)\n{ return }\n",
        &["<stdin>:2:10: ", " 2 | { return }\n   |          ^\n"],
    );
    refused(b"#include <no/such/header.h>\n", &["<stdin>:1", "no/such/header.h"]);
}

#[test]
fn a_file_called_dash_has_a_longer_name() {
    let folder = folder("dash");
    std::fs::write(folder.join("-.c"), "int main(void) { }\n").expect("a file");
    assert_eq!(rely(&folder, &["check", "./-.c"]).code, 0);
    assert_eq!(rely(&folder, &["check", "--", "-.c"]).code, 0);
}

/// `rely` reads from a named pipe what is written into it.
#[cfg(unix)]
fn through_pipe(folder: &Path, pipe: &str, command: &str, text: &str) -> Run {
    let path = folder.join(pipe);
    let _ = std::fs::remove_file(&path);
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(path.exists(), "mkfifo makes a pipe: {made:?}");
    let text = text.to_string();
    let writer = std::thread::spawn(move || std::fs::write(path, text));
    let run = rely(folder, &[command, pipe]);
    writer.join().expect("no panic").expect("the pipe is read");
    run
}

#[cfg(unix)]
#[test]
fn named_pipes() {
    let folder = folder("named");
    for (pipe, command, code) in [
        ("pipe.c", "check", 10),
        ("pipe.c", "show", 0),
        ("pipe", "check", 10),
        ("pipe.txt", "show", 0),
        ("\"quoted\\.c", "check", 10),
    ] {
        let run = through_pipe(&folder, pipe, command, &text(LOST_UPDATE));
        assert_eq!(run.code, code, "{pipe}, {command}: {}", run.all());
        let place = format!("at {pipe}:");
        assert!(command == "show" || run.stdout.contains(&place), "{}", run.stdout);
    }
    let model = std::fs::read_to_string(here().join("models/lock.rely")).expect("a model");
    assert_eq!(through_pipe(&folder, "pipe.rely", "check", &model).code, 0);
    let preprocessed = "int main(void) { return 0; }\n";
    assert_eq!(through_pipe(&folder, "pipe.i", "check", preprocessed).code, 0);
    let larger = through_pipe(&folder, "larger.c", "check", NEEDS_LARGER_BOUNDS);
    assert_eq!(larger.code, 10, "{}", larger.all());
}

#[cfg(unix)]
#[test]
fn what_a_shell_substitutes_for_a_process() {
    let script = format!("{} check <(cat {LOST_UPDATE})", env!("CARGO_BIN_EXE_rely"));
    let shell = Command::new("bash").args(["-c", &script]).current_dir(root()).output();
    let output = shell.expect("bash starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{stdout}{output:?}");
    assert!(stdout.contains("at /dev/fd/"), "{stdout}");
}

#[cfg(unix)]
#[test]
fn devices() {
    let run = rely(&root(), &["check", "/dev/null"]);
    assert_eq!(run.code, 2, "{}", run.all());
    assert!(run.stderr.contains("/dev/null` is empty"), "{}", run.stderr);
}
