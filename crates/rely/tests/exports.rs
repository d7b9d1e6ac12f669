//! What is written for other tools: golden files, what holds of every program, and what is said if it cannot be written.

mod support;

use std::path::{Path, PathBuf};
use support::{Run, check_golden_file, command, rely, root, without_reader};

/// The property of SV-COMP that most of its programs have.
const UNREACH: &str = "--property crates/rely/tests/models/unreach-call.prp";

/// Programs whose exports are golden files, with the options, and the exit code.
const GOLDEN: [(&str, &str, &str, i32); 7] = [
    ("nondeterministic", "crates/rely/tests/models/nondeterministic.c", UNREACH, 10),
    ("race", "examples/lost-update.c", "--check races", 10),
    ("lost-update", "examples/lost-update.c", "", 10),
    ("use-after-free", "examples/memory/use-after-free.c", "", 10),
    ("deadlock", "examples/deadlocks/cycle.c", "--check deadlocks", 10),
    ("ticket-lock", "examples/ticket-lock.c", "", 0),
    ("no-body", "crates/rely/tests/models/no-body.c", "", 20),
];

/// The endings of the files in each format, with the options that ask for them.
const FORMATS: [(&str, &str); 4] =
    [("json", "--json"), ("sarif", "--sarif"), ("yml", "--witness"), ("graphml", "--witness")];

/// The formats that can go to standard output.
const STREAMS: [&str; 2] = ["--json", "--sarif"];

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exports").join(name);
    std::fs::create_dir_all(&folder).expect("folders can be made");
    folder
}

/// What is written to a file, with a run in the folder of the workspace.
fn exported(option: &str, file: &Path, args: &[&str]) -> (Run, String) {
    let name = file.display().to_string();
    let run = rely(&root(), &[&["check", option, &name], args].concat());
    (run, std::fs::read_to_string(file).expect("the file is written"))
}

/// Without what differs from run to run and from version to version.
fn comparable(text: &str) -> String {
    let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    let changes = ["\"seconds\": ", "uuid: ", "creation_time: ", "\"creationtime\">"];
    let line = |line: &str| {
        let found = changes.iter().find_map(|name| Some((name, line.split_once(name)?)));
        let Some((name, (before, rest))) = found else {
            return format!("{}\n", line.replace(&version, "\"0.0.0\""));
        };
        let end = rest.find(['<', ',']).unwrap_or(rest.len());
        format!("{before}{name}0{}\n", &rest[end..])
    };
    text.lines().map(line).collect()
}

#[test]
fn golden_files() {
    let folder = folder("golden");
    for (name, program, args, code) in GOLDEN {
        for (ending, option) in FORMATS {
            let args: Vec<&str> = args.split_whitespace().chain([program]).collect();
            let file = folder.join(format!("{name}.{ending}"));
            let (run, text) = exported(option, &file, &args);
            assert_eq!(run.code, code, "{name}: {}", run.all());
            let golden = root().join("tests/golden/formats").join(format!("{name}.{ending}"));
            check_golden_file(&golden, &comparable(&text));
        }
    }
}

#[test]
fn a_format_on_standard_output_stands_alone() {
    for option in STREAMS {
        let run = rely(&root(), &["check", "examples/lost-update.c", option, "-"]);
        assert_eq!((run.code, run.stderr.as_str()), (10, ""), "{option}");
        assert!(run.stdout.starts_with('{') && run.stdout.ends_with("}\n"), "{}", run.stdout);
    }
}

#[test]
fn the_answer_in_words_is_the_same() {
    let file = folder("words").join("report.json");
    let (run, _) = exported("--json", &file, &["examples/lost-update.c"]);
    assert_eq!(run.stdout, rely(&root(), &["check", "examples/lost-update.c"]).stdout);
}

/// Runs that are given up have a report, too.
#[test]
fn what_is_given_up_is_reported() {
    let file = folder("timeout").join("report.json");
    let args = ["crates/rely/tests/models/endless.rely", "--timeout", "1"];
    let (run, text) = exported("--json", &file, &args);
    assert_eq!(run.code, 20, "{}", run.all());
    for part in ["\"verdict\": \"UNKNOWN\"", "\"cause\": \"timeout\"", "\"exit_code\": 20"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

#[test]
fn files_that_cannot_be_written() {
    let folder = folder("refused");
    let source = "int main(void) { return 0; }\n";
    std::fs::write(folder.join("prog.c"), source).expect("a file");
    std::fs::write(folder.join("earlier.json"), "SAFE").expect("a file");
    std::fs::write(folder.join("model.rely"), "").expect("a file");
    let refused = |args: &[&str], message: &str| {
        let run = rely(&folder, &[&["check"], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}: {}", run.all());
        assert!(run.stderr.contains(message), "{args:?}: no \"{message}\" in {}", run.stderr);
    };
    for (ending, option) in FORMATS {
        let name = format!("no/such/folder/x.{ending}");
        refused(&["prog.c", option, &name], ": cannot write the file: ");
    }
    for option in STREAMS {
        refused(&["prog.c", option, "."], "cannot write the file: ");
        refused(&["prog.c", option, "./prog.c"], "this file is read");
    }
    refused(&["prog.c", "--witness", "-"], "with the ending .yml or .graphml");
    refused(&["prog.c", "--witness", "prog.c"], "with the ending .yml or .graphml");
    refused(&["missing.c", "--witness", "w.yml"], "missing.c: there is no such file");
    refused(&["model.rely", "--witness", "w.yml"], "a witness is about files of C");
    refused(
        &["prog.c", "--json", "-", "--sarif", "-"],
        "--sarif: standard output takes one format",
    );
    refused(&["prog.c", "--json", "both", "--sarif", "./both"], "written in another format");
    let devices = ["check", "prog.c", "--json", "/dev/null", "--sarif", "/dev/null"];
    assert_eq!(rely(&folder, &devices).code, 0, "a device takes everything");
    refused(&["missing.c", "--json", "earlier.json"], "there is no such file");
    let text = |file: &str| std::fs::read_to_string(folder.join(file)).expect("a file");
    assert_eq!(text("prog.c"), source, "the program is as it was");
    assert_eq!(text("earlier.json"), "", "an earlier report is no report on this run");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    for option in STREAMS {
        let run = rely(&root(), &["check", "examples/lost-update.c", option, "/dev/full"]);
        assert_eq!(run.code, 2, "{}", run.all());
        assert!(run.stdout.starts_with("UNSAFE\n"), "{}", run.stdout);
        let message = "error: cannot write /dev/full: No space left on device";
        assert!(run.stderr.starts_with(message), "{}", run.stderr);
    }
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
    let child = command(&root())
        .args(["check", "examples/lost-update.c", "--json", "-"])
        .stdout(full)
        .output()
        .expect("rely starts");
    assert_eq!(child.status.code(), Some(2));
    let said = String::from_utf8_lossy(&child.stderr).into_owned();
    assert!(said.starts_with("error: cannot write standard output: No space left"), "{said}");
}

#[test]
fn a_reader_who_has_gone_away() {
    for option in STREAMS {
        let output = without_reader(&root(), &["check", "examples/lost-update.c", option, "-"]);
        assert_eq!(output.status.code(), Some(10), "{output:?}");
        assert!(output.stderr.is_empty(), "{output:?}");
    }
}
