//! Reproducers: what is found in examples and in programs of the regression tests happens when it is built by a C compiler and run, each time; what stands in the
//! way is said; and `rely replay` is not fooled.

mod support;
#[path = "../../engine-suite/tests/tools/mod.rs"]
mod tools;

use std::path::{Path, PathBuf};
use support::programs::{Program, program, programs};
use support::{REFUSED, Run, SAFE, UNKNOWN, UNSAFE, rely, root};

/// How often each is run. `bench/reproducers.sh` runs those of the examples more often.
const RUNS: &str = "2";

/// A run may take so long on a machine that does other things, too.
const LIMIT_S: &str = "60";

/// There are at least so many examples, of every kind.
const MIN_EXAMPLES: usize = 60;

/// At least so many are reproduced.
const MIN_REPRODUCED: usize = 40;

/// Examples of what happens on other machines only, or what no sanitizer sees, and what is said of each.
const NOT_REPRODUCED: [(&str, &str); 4] = [
    ("memory/uninitialised.c", "no sanitizer of a C compiler shows that"),
    ("memory/uninitialised-member.c", "no sanitizer of a C compiler shows that"),
    ("weak-memory/latch.c", "no schedule can delay the writes of a weak memory model"),
    ("weak-memory/sober.c", "no schedule can delay the writes of a weak memory model"),
];

/// Programs of the regression tests: one for each thing that a hook or the scheduler must get right.
const PROGRAMS: [&str; 24] = [
    "03-atomicity/04-atomic-type-unsafe.c",
    "03-atomicity/08-function-unsafe.c",
    "03-atomicity/10-assume-outside-unsafe.c",
    "03-atomicity/13-condition-unsafe.c",
    "03-atomicity/20-section-end-unsafe.c",
    "10-mutex/08-trylock-unsafe.c",
    "10-mutex/13-recursive-unsafe.c",
    "10-mutex/33-window-unsafe.c",
    "11-rwlock/02-write-under-read-unsafe.c",
    "12-spin/02-lock-unsafe.c",
    "13-semaphore/04-signal-unsafe.c",
    "14-barrier/02-phases-unsafe.c",
    "14-barrier/06-again-unsafe.c",
    "15-once/04-interleaved-unsafe.c",
    "16-cond/02-wait-unsafe.c",
    "16-cond/03-wait-unlocks-unsafe.c",
    "16-cond/06-timedwait-unsafe.c",
    "17-threads/04-exit-value-unsafe.c",
    "17-threads/05-main-exit-unsafe.c",
    "17-threads/08-id-late-unsafe.c",
    "17-threads/10-loop-argument-unsafe.c",
    "17-threads/29-nested-create-unsafe.c",
    "17-threads/31-many-unsafe.c",
    "17-threads/68-counted-again-unsafe.c",
];

/// Programs for which there is none, and why.
const REFUSED_PROGRAMS: [(&str, &str); 6] = [
    ("03-atomicity/23-struct-result-unsafe.c", "in the middle of what is one step of C"),
    ("03-atomicity/33-two-words-unsafe.c", "it is made for 64-bit machines only"),
    ("06-order/02-arguments-unsafe.c", "C leaves open what is evaluated first here"),
    ("10-mutex/23-timedlock-unsafe.c", "what the function does here cannot be forced"),
    ("13-semaphore/03-signal-safe.c", "no answer is UNSAFE"),
    ("17-threads/40-cancel-unsafe.c", "what happens with pthread_cancel cannot be forced"),
];

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reproducers").join(name);
    std::fs::create_dir_all(&folder).expect("folders can be made");
    folder
}

/// Checks a program as it says itself; where its reproducer goes, and what is answered.
fn check(program: &Program) -> (PathBuf, Run) {
    let name = program.name(&root()).replace('/', "-");
    let out = folder("out").join(&name);
    let run = program.run_with(&["--reproducer", &out.display().to_string()]);
    (out, run)
}

fn replay(file: &Path, args: &[&str]) -> Run {
    let file = file.display().to_string();
    rely(&root(), &[&["replay", &file], args].concat())
}

/// Does the compiler lack a sanitizer? Then it is said, and nothing is compared.
fn lacks_sanitizer(run: &Run) -> bool {
    let lacks = run.code == REFUSED
        && ["cannot find", "No such file"].iter().any(|word| run.stderr.contains(word))
        && run.stderr.contains("san");
    if lacks {
        tools::skip("a sanitizer of the C compiler", &run.stderr);
    }
    lacks
}

/// The reproducer of a program must fail in each run.
fn must_fail(program: &Program) {
    let (out, answer) = check(program);
    let name = program.name(&root());
    answer.must_say(UNSAFE, &[], &name);
    assert!(out.is_file(), "{name}: {}", answer.stderr);
    let run = replay(&out, &["--runs", RUNS, "--timeout", LIMIT_S]);
    if !lacks_sanitizer(&run) {
        run.must_say(SAFE, &["has failed as expected"], &name);
    }
}

/// There is no reproducer of a program, and it is said why.
fn must_have_none(program: &Program, why: &str) {
    let (out, answer) = check(program);
    let name = program.name(&root());
    assert!(answer.stderr.contains("note: no reproducer: "), "{name}: {}", answer.all());
    assert!(answer.stderr.contains(why), "{name}: {}", answer.stderr);
    assert!(!out.exists(), "{name}: a file that does not work");
}

#[test]
fn every_example_happens_each_time() {
    let folder = root().join("examples");
    let mut number = 0;
    for program in programs(&folder, MIN_EXAMPLES) {
        let name = program.name(&folder);
        let is_c = name.ends_with(".c") && program.is_expected("UNSAFE");
        match NOT_REPRODUCED.iter().find(|(other, _)| *other == name) {
            Some((_, why)) => must_have_none(&program, why),
            None if is_c => {
                must_fail(&program);
                number += 1;
            }
            None => {}
        }
    }
    assert!(number >= MIN_REPRODUCED, "only {number} examples are reproduced");
}

#[test]
fn programs_of_the_regression_tests_happen() {
    let folder = root().join("tests/regression");
    PROGRAMS.iter().for_each(|name| must_fail(&program(folder.join(name))));
}

#[test]
fn what_cannot_be_forced_is_said() {
    let folder = root().join("tests/regression");
    for (name, why) in REFUSED_PROGRAMS {
        must_have_none(&program(folder.join(name)), why);
    }
}

/// Each expression of the file means what it meant: only its last assertion fails.
#[test]
fn expressions_that_are_taken_apart_mean_the_same() {
    let program = program(root().join("crates/rely/tests/models/reproducer-forms.c"));
    let (out, answer) = check(&program);
    answer.must_say(UNSAFE, &["assert(last == 1)"], "forms");
    let run = replay(&out, &["--runs", "3", "--timeout", LIMIT_S]);
    run.must_say(SAFE, &["Assertion `last == 1' failed"], "forms");
}

/// The reproducer of the smallest race, with another text.
fn changed(name: &str, change: impl Fn(&str) -> String) -> PathBuf {
    let example = program(root().join("examples/lost-update.c"));
    let (out, answer) = check(&example);
    answer.must_say(UNSAFE, &[], name);
    let text = std::fs::read_to_string(&out).expect("it is written");
    let file = folder("changed").join(format!("{name}.c"));
    let other = change(&text);
    assert_ne!(text, other, "{name}");
    std::fs::write(&file, other).expect("files can be written");
    file
}

#[test]
fn replay_tells_what_is_wrong_with_a_file() {
    let cases: [(&str, (&str, &str), &str); 3] = [
        (
            "no-mark",
            ("// A reproducer of rely, version 1", "// Something else"),
            "it is no reproducer",
        ),
        ("no-c", ("void *door", "void door door"), "rejects it"),
        ("flags", ("// expects", "// flags: -fplugin=evil.so\n// expects"), "no reproducer needs"),
    ];
    for (name, (old, new), says) in cases {
        let file = changed(name, |text| text.replacen(old, new, 1));
        replay(&file, &[]).must_say(REFUSED, &[says], name);
    }
    let missing = folder("changed").join("missing.c");
    replay(&missing, &[]).must_say(REFUSED, &["cannot read it"], "missing");
}

#[test]
fn replay_notices_what_does_not_fail() {
    let cases = [
        ("repaired", ("rely_v + 1; rely_v;", "rely_v + 2; rely_v;"), "nothing was noticed"),
        ("endless", ("return 0;\n}", "for (;;) ;\n}"), "it did not end in time"),
        ("other", ("visitors == 2\n", "visitors == 3\n"), "REPRODUCED"),
        (
            "other-words",
            ("// expects: ", "// expects: so and "),
            "it ended otherwise than expected",
        ),
    ];
    for (name, (old, new), says) in cases {
        let file = changed(name, |text| text.replace(old, new));
        let run = replay(&file, &["--timeout", if name == "endless" { "2" } else { LIMIT_S }]);
        let code = if name == "other" { SAFE } else { UNKNOWN };
        run.must_say(code, &[says], name);
    }
}
