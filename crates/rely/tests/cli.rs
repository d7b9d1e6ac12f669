//! The command line from outside: exit codes, messages, golden reports.

mod support;

use support::{check_golden, here, rely, root};

/// Runs in the folder of the models. `expected` are parts of the standard error.
fn refused(args: &[&str], expected: &[&str]) {
    let run = rely(&here().join("models"), args);
    assert_eq!(run.code, 2, "{args:?}: {}", run.all());
    assert_eq!(run.stdout, "", "{args:?}");
    for part in expected {
        assert!(run.stderr.contains(part), "{args:?}: no \"{part}\" in\n{}", run.stderr);
    }
}

/// Runs a model and compares the report with `golden/<name>.txt`.
fn reported(name: &str, code: i32) {
    let run = rely(&here().join("models"), &["check", &format!("{name}.rely")]);
    assert_eq!(run.code, code, "{name}: {}", run.all());
    assert_eq!(run.stderr, "", "{name}");
    check_golden(&format!("{name}.txt"), &run.stdout);
}

#[test]
fn safe() {
    reported("lock", 0);
}

#[test]
fn safe_without_assertion() {
    reported("nothing_asserted", 0);
}

#[test]
fn unsafe_with_its_interleaving() {
    reported("lost_update", 10);
}

#[test]
fn unsafe_with_places_in_a_source() {
    reported("with_places", 10);
}

#[test]
fn unsafe_with_chosen_values() {
    reported("chosen", 10);
}

#[test]
fn unsafe_with_many_threads() {
    reported("many_threads", 10);
}

#[test]
fn unknown_at_a_model_limit() {
    reported("limit", 20);
}

/// Each row says what is executed, not what stands on its line; pointers say where they point.
#[test]
fn steps_and_pointers_as_the_source_has_them() {
    let run = rely(&here().join("models"), &["check", "places.c", "--check", "assertions"]);
    assert_eq!(run.code, 10, "{}", run.all());
    check_golden("places.txt", &run.stdout);
}

/// Runs a program with `--proof` and compares the report with `golden/proof-<name>.txt`.
fn proved(name: &str, file: &str, engine: &str) {
    let args = ["check", "--check", "assertions", "--proof", "--engine", engine, file];
    let run = rely(&root().join("examples"), &args);
    assert_eq!(run.code, 0, "{name}: {}", run.all());
    check_golden(&format!("proof-{name}.txt"), &run.stdout);
}

#[test]
fn proofs_by_what_holds_of_each_thread() {
    proved("modular", "threader/lock-id.rely", "rely-guarantee");
    proved("locks", "threader/fig2-fixed.c", "rely-guarantee");
}

#[test]
fn proofs_by_what_holds_of_two_threads() {
    proved("any-number", "threader/any-lock-bit.rely", "rely-guarantee");
}

#[test]
fn proofs_by_states_and_by_trees() {
    proved("states", "threader/lock-id.rely", "explore");
    proved("tree", "threader/readers-writer-lock.c", "impact");
}

#[test]
fn files_that_cannot_be_read() {
    refused(&["check", "missing.c"], &["error: missing.c: there is no such file"]);
    refused(&["check", "missing.rely"], &["there is no such file"]);
    refused(&["show", "missing.i"], &["there is no such file"]);
    refused(&["check", "."], &["this is a directory"]);
    refused(&["check", "unknown.extension"], &["rely reads .c, .i, .rely and .litmus files"]);
    refused(&["check", "no_extension"], &["rely reads .c, .i, .rely and .litmus files"]);
}

#[test]
fn texts_that_are_no_models() {
    refused(&["check", "not_utf8.rely"], &["line 2 is not text"]);
    refused(&["check", "mistake.rely"], &["error: mistake.rely:4:", " 4 | ", "^"]);
    refused(&["show", "mistake.rely"], &["error: mistake.rely:4:"]);
}

#[test]
fn an_empty_c_file_has_no_main() {
    refused(&["check", "empty.c"], &["error: ", "main"]);
    refused(&["show", "empty.c"], &["error: ", "main"]);
}

#[test]
fn mistakes_in_the_command_line() {
    refused(&[], &["Usage: rely"]);
    refused(&["chekc", "lock.rely"], &["check"]);
    refused(&["check"], &["<FILE>"]);
    refused(&["check", "lock.rely", "--timeuot", "3"], &["--timeout"]);
    refused(&["check", "lock.rely", "--engine", "warp"], &["warp", "explore"]);
    refused(&["check", "lock.rely", "--timeout", "soon"], &["not a number of seconds"]);
    refused(&["check", "lock.rely", "--timeout", "0"], &["above zero"]);
    refused(&["check", "lock.rely", "--timeout=-1"], &["above zero"]);
    refused(&["check", "lock.rely", "--memory-limit", "0"], &["--memory-limit"]);
    refused(&["check", "lock.rely", "--data-model", "lp128"], &["lp128", "ilp32", "lp64"]);
    refused(&["check", "lock.rely", "--signed-overflow", "x"], &["undefined", "wrap"]);
    refused(&["check", "lock.rely", "--check", "race"], &["race", "assertions", "overflow"]);
    refused(&["check", "lock.rely", "--check", ""], &["assertions", "overflow"]);
    refused(&["check", "lock.rely", "--check", "memory,"], &["assertions", "overflow"]);
    refused(&["check", "lock.rely", "--check", "memory", "--property", "x.prp"], &["--check"]);
    refused(&["conform", "lock.rely", "--check", "memory"], &["--check"]);
}

#[test]
fn properties() {
    let supported = rely(
        &here().join("models"),
        &["check", "lock.rely", "--property", "unreach-call.prp", "--engine", "explore"],
    );
    assert_eq!(supported.code, 0, "{}", supported.all());
    let overflow = rely(
        &here().join("models"),
        &["check", "places.c", "--property", "no-overflow.prp", "--engine", "explore"],
    );
    assert_eq!(overflow.code, 0, "{}", overflow.all());
    let other = ["check", "lock.rely", "--property", "termination.prp"];
    refused(&other, &["termination.prp:1:26: this formula is not one", "F end", "valid-memtrack"]);
    refused(&["check", "lock.rely", "--property", "missing.prp"], &["there is no such file"]);
}

/// Races are decided by every engine, deadlocks by `explore`, both together by none: nobody may say SAFE of what it does not look at.
#[test]
fn models_that_ask_for_races_and_deadlocks() {
    let folder = here().join("models");
    for engine in ["auto", "explore", "pct", "impact", "rely-guarantee", "thread-modular", "values"]
    {
        let choice = if engine == "auto" { vec![] } else { vec!["--engine", engine] };
        let run = |model| rely(&folder, &[&["check", model], &choice[..]].concat());
        let found = run("race.rely");
        // An engine that finds no errors has no answer.
        let answers = engine != "values";
        assert_eq!(found.code, if answers { 10 } else { 20 }, "{engine}: {}", found.all());
        let told = found.stdout.contains("A data race can happen on x");
        assert_eq!(told, answers, "{}", found.all());
        let deadlock = run("deadlock.rely");
        let finds = ["auto", "explore"].contains(&engine);
        assert_eq!(deadlock.code, if finds { 10 } else { 20 }, "{engine}: {}", deadlock.all());
        assert_eq!(run("race-deadlock.rely").code, 20, "{engine}");
    }
}

#[test]
fn help_and_version() {
    for args in [["--help", ""], ["check", "--help"], ["show", "--help"]] {
        let args: Vec<&str> = args.into_iter().filter(|arg| !arg.is_empty()).collect();
        let run = rely(&here(), &args);
        assert_eq!(run.code, 0);
        check_golden(&format!("help-{}.txt", args[0].trim_matches('-')), &run.stdout);
    }
    let run = rely(&here(), &["--version"]);
    assert_eq!(run.stdout, format!("rely {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn verbose_remarks_go_to_standard_error() {
    let run = rely(&here().join("models"), &["check", "lock.rely", "--verbose"]);
    assert!(run.stdout.starts_with("SAFE\n"), "{}", run.all());
    for part in ["engine explore", "reading: ", "exploring: ", "checking: ", "threads: 2"] {
        assert!(run.stderr.contains(part), "no \"{part}\" in\n{}", run.stderr);
    }
}

#[test]
fn show_prints_text_and_graphs() {
    let models = here().join("models");
    let text = rely(&models, &["show", "lock.rely"]);
    assert_eq!((text.code, text.stderr.as_str()), (0, ""));
    check_golden("show-text.txt", &text.stdout);
    let graph = rely(&models, &["show", "lock.rely", "--format", "dot"]);
    assert_eq!((graph.code, graph.stderr.as_str()), (0, ""));
    check_golden("show-dot.txt", &graph.stdout);
}

#[test]
fn show_names_what_is_not_supported() {
    let run = rely(&here().join("models"), &["show", "limit.rely"]);
    assert_eq!(run.code, 20);
    assert!(run.stdout.starts_with("program"));
    assert_eq!(run.stderr, "limit.c:7:3: not supported: longjmp\n");
}

#[test]
fn identifiers_are_explained() {
    let run = rely(&here(), &["explain", "use_after_free"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    check_golden("explain.txt", &run.stdout);
    let all = rely(&here(), &["explain"]);
    assert_eq!(all.code, 0);
    for id in ["race ", "use_after_free ", "timeout ", "sequential_consistency "] {
        assert!(all.stdout.lines().any(|line| line.starts_with(id)), "no {id} in {}", all.stdout);
    }
    refused(&["explain", "nothing"], &["error: nothing: nothing has this identifier"]);
}

#[test]
fn manual_pages_and_completions() {
    let page = rely(&here(), &["generate", "man-check"]);
    assert_eq!((page.code, page.stderr.as_str()), (0, ""));
    assert!(page.stdout.contains(".TH rely-check 1"), "{}", page.stdout);
    let script = rely(&here(), &["generate", "bash"]);
    assert!(script.stdout.contains("--memory-model"), "{}", script.stdout);
    refused(&["generate", "tcsh"], &["tcsh", "man-check", "bash"]);
    refused(&["generate"], &["<WHAT>"]);
}

#[test]
fn colours_add_nothing_but_themselves() {
    let run =
        |when: &str| rely(&root(), &["check", "examples/lost-update.c", "--color", when]).stdout;
    let (plain, colored) = (run("never"), run("always"));
    assert_eq!(run("auto"), plain, "a pipe is no terminal");
    assert!(colored.starts_with("\x1b[1;31mUNSAFE\x1b[0m\n"), "{colored}");
    let mut stripped = colored.clone();
    while let Some(start) = stripped.find('\x1b') {
        let end = start + stripped[start..].find('m').expect("it ends") + 1;
        stripped.replace_range(start..end, "");
    }
    assert_eq!(stripped, plain);
    let report = ["check", "examples/lost-update.c", "--color", "always", "--json", "-"];
    assert!(!rely(&root(), &report).stdout.contains('\x1b'));
    refused(&["check", "lock.rely", "--color", "blue"], &["blue", "auto", "never"]);
}
