//! Litmus tests from outside: verdicts and exit codes, the words of executions, what is refused.

mod support;

use rely::{CheckOptions, Control, Input, MemoryModel, Verdict};
use support::{check_golden, here, rely, root};

/// Runs with a file of `examples/litmus` and compares the report with `golden/litmus-<name>.txt`.
fn reported(command: &str, file: &str, model: &str, rest: &[&str], name: &str, code: i32) {
    let file = format!("examples/litmus/{file}.litmus");
    let args = [&[command, &file, "--memory-model", model], rest].concat();
    let run = rely(&root(), &args);
    assert_eq!(run.code, code, "{args:?}: {}", run.all());
    assert_eq!(run.stderr, "", "{args:?}");
    check_golden(&format!("litmus-{name}.txt"), &run.stdout);
}

#[test]
fn reports() {
    reported("check", "SB", "tso", &[], "unsafe", 10);
    reported("check", "SB", "sc", &[], "safe", 0);
    reported("check", "MP+lwsync+addr", "power", &[], "forbidden", 0);
    reported("check", "MP+dmb+ctrl", "armv8", &[], "violated", 10);
    reported("check", "publish", "c11", &[], "forall", 0);
    reported("check", "publish-relaxed", "c11", &[], "race", 10);
    reported("check", "publish", "sc", &[], "assumed", 0);
    reported("check", "publish-relaxed", "armv8", &[], "compiled", 10);
    reported("check", "publish-relaxed", "tso", &[], "compiled-x86", 0);
    reported("show", "SB", "tso", &[], "states", 0);
    reported("show", "publish-relaxed", "c11", &["--format", "dot"], "dot", 0);
}

#[test]
fn a_loop_is_a_limit_at_its_place() {
    let run = rely(&here().join("models"), &["check", "loop.litmus", "--memory-model", "power"]);
    assert_eq!(run.code, 20, "{}", run.all());
    check_golden("litmus-limit.txt", &run.stdout);
    let shown = rely(&here().join("models"), &["show", "loop.litmus", "--memory-model", "power"]);
    assert_eq!(shown.code, 20, "{}", shown.all());
    let expected = "loop.litmus:7:2: not supported: a loop whose rounds change something";
    assert!(shown.stderr.starts_with(expected), "{}", shown.stderr);
}

/// `expected` are parts of the standard error.
fn refused(args: &[&str], expected: &[&str]) {
    let run = rely(&here().join("models"), args);
    assert_eq!(run.code, 2, "{args:?}: {}", run.all());
    assert_eq!(run.stdout, "", "{args:?}");
    for part in expected {
        assert!(run.stderr.contains(part), "{args:?}: no \"{part}\" in\n{}", run.stderr);
    }
}

#[test]
fn what_a_test_cannot_be_asked() {
    let message =
        "loop.litmus:1:1: a test for PPC is not decided under tso; its models are sc, power";
    refused(&["check", "loop.litmus", "--memory-model", "tso"], &[message, " 1 | PPC", "^"]);
    let message = "a litmus test says itself what is asked";
    refused(&["check", "loop.litmus", "--check", "races"], &[message]);
    let message = "litmus tests are decided by axioms; leave out --engine";
    refused(&["check", "loop.litmus", "--engine", "impact"], &[message]);
    refused(&["check", "loop.litmus", "--all"], &["--all and --explain are for programs"]);
    let message = "this is a litmus test; only `rely check` and `rely show` read it";
    refused(&["conform", "loop.litmus"], &[message]);
    refused(&["check", "missing.litmus"], &["missing.litmus: there is no such file"]);
    refused(&["check", "mistake.litmus"], &["mistake.litmus:4:2: `BSWAP`", " 4 | ", "^"]);
}

/// Each model is asked, and a test in memory is a test, too.
#[test]
fn models_differ() {
    let text = "X86 MP\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\n\
                exists (1:EAX=1 /\\ 1:EBX=0)";
    for (model, expected) in [
        (MemoryModel::Sc, Verdict::Safe),
        (MemoryModel::Tso, Verdict::Safe),
        (MemoryModel::Pso, Verdict::Unsafe),
        (MemoryModel::Rmo, Verdict::Unsafe),
    ] {
        let mut options = CheckOptions::default();
        options.read.memory_model = model;
        let input = Input::litmus("MP.litmus", text);
        let answers = rely::check(&input, &options, &mut Control::default());
        assert_eq!(answers.expect("the test is fine").worst().verdict, expected, "{model}");
    }
    let conformed = rely::conform(
        &Input::litmus("MP.litmus", text),
        &rely::ConformOptions::default(),
        &mut Control::default(),
    );
    assert!(conformed.is_err(), "tests have no abstract threads");
}

/// A test in C without a condition asks for races; a machine has none.
#[test]
fn a_test_without_a_condition() {
    let verdict = |statement: &str, model: MemoryModel| {
        let text =
            format!("C t\n{{ }}\nP0 (int* x) {{ {statement} }}\nP1 (int* x) {{ int r = *x; }}\n");
        let mut options = CheckOptions::default();
        options.read.memory_model = model;
        let input = Input::litmus("t.litmus", text);
        rely::check(&input, &options, &mut Control::default())
    };
    for model in [MemoryModel::Sc, MemoryModel::C11] {
        let racy = verdict("*x = 1;", model).expect("the test is fine");
        assert_eq!(racy.worst().verdict, Verdict::Unsafe, "{model}");
        let free = verdict("int r = *x;", model).expect("the test is fine");
        assert_eq!(free.worst().verdict, Verdict::Safe, "{model}");
    }
    // Who waits may wait for ever, and race meanwhile: a limit.
    let waits = verdict("while (*x) ; *x = 1;", MemoryModel::C11).expect("the test is fine");
    assert_eq!(waits.worst().verdict, Verdict::Unsafe, "it races");
    let waits = verdict("while (!*x) ;", MemoryModel::C11).expect("the test is fine");
    assert_eq!(waits.worst().verdict, Verdict::Unknown(rely::Cause::ModelLimit));
    let refused = verdict("*x = 1;", MemoryModel::Armv8).expect_err("nothing is asked");
    assert!(refused.to_string().contains("there are no races under armv8"), "{refused}");
}

/// Who waits for what nobody writes never ends: then nothing can be said of final states.
#[test]
fn no_execution_ends() {
    let text = "X86 hang\n{ }\n P0 ;\n L: MOV EAX,[x] ;\n CMP EAX,$0 ;\n JE L ;\n~exists (0:EAX=0)";
    let input = Input::litmus("hang.litmus", text);
    let answers = rely::check(&input, &CheckOptions::default(), &mut Control::default());
    let answers = answers.expect("the test is fine");
    assert_eq!(answers.worst().verdict, Verdict::Unknown(rely::Cause::ModelLimit));
    assert!(answers.to_string().contains("no execution ends"), "{answers}");
}

/// A budget that is exhausted is UNKNOWN.
#[test]
fn a_test_can_be_stopped() {
    let budget = rely::Budget::default();
    budget.stop(rely::Stop::Timeout);
    let input = Input::litmus("W.litmus", "X86 W\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)");
    let mut control = Control::new(budget, |_| {});
    let answers = rely::check(&input, &CheckOptions::default(), &mut control);
    let verdict = answers.expect("the test is fine").worst().verdict;
    assert_eq!(verdict, Verdict::Unknown(rely::Cause::Timeout));
}
