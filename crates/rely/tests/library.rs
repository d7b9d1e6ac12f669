//! The library as a program that embeds it sees it: texts in memory, reports as data, progress, cancellation,
//! several checks at a time in one process.

use rely::{
    BadInput, Budget, Cause, CheckOptions, ConformOptions, Control, ENGINES, Format, Input, Phase,
    Progress, Question, ReadOptions, Report, SignedOverflow, Stop, Verdict,
};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

const LOST_UPDATE: &str = "\
#include <assert.h>
#include <pthread.h>
int counter;
void *worker(void *unused) {
    int seen = counter;
    counter = seen + 1;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
}
";

const ENDLESS: &str = include_str!("models/endless.rely");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(input: &Input) -> Result<Report, BadInput> {
    ask(input, &CheckOptions::asking([Question::Assertions]), &mut Control::default())
}

/// The answer to the only question.
fn ask(input: &Input, options: &CheckOptions, control: &mut Control) -> Result<Report, BadInput> {
    let answers = rely::check(input, options, control)?;
    assert_eq!(answers.reports().len(), 1);
    Ok(answers.worst().clone())
}

fn refused(input: &Input) -> BadInput {
    check(input).expect_err("there is a mistake")
}

#[test]
fn a_counterexample_is_data() {
    let report = check(&Input::c("lost.c", LOST_UPDATE)).expect("it is C");
    assert_eq!(report.verdict, Verdict::Unsafe, "{report}");
    assert_eq!(report.verdict.exit_code(), 10);
    assert_eq!(report.engine, Some("explore"));
    let place = report.place.as_ref().expect("the assertion has a place");
    assert_eq!((place.file.as_str(), place.line), ("lost.c", 15));
    let interleaving = report.interleaving.as_ref().expect("there is one");
    assert_eq!(interleaving.threads, ["main", "worker[0]", "worker[1]"]);
    assert_eq!(interleaving.failure.thread, "main");
    assert_eq!(interleaving.failure.what, "assert(counter == 2)");
    let writes =
        interleaving.rows.iter().filter(|row| row.changes.iter().any(|c| c.name == "counter"));
    let lines: Vec<u32> = writes.filter_map(|row| row.place.as_ref()).map(|at| at.line).collect();
    assert_eq!(lines, [6, 6], "{report}");
    let text = report.to_string();
    assert!(text.starts_with("UNSAFE\nAn error can be reached: assert(counter == 2)"), "{text}");
    assert!(text.contains(" 15 |     assert(counter == 2);\n"), "the line is shown: {text}");
}

#[test]
fn files_and_texts_have_the_same_answer() {
    let path = root().join("examples/lost-update.c");
    let text = std::fs::read_to_string(&path).expect("an example");
    let name = path.display().to_string();
    let (file, memory) = (check(&Input::file(&path)), check(&Input::c(name, text)));
    assert_eq!(file.expect("it is C"), memory.expect("it is C"));
}

#[test]
fn every_kind_of_text() {
    let model = include_str!("models/lock.rely");
    let report = check(&Input::model("lock", model)).expect("a model");
    assert_eq!(report.verdict, Verdict::Safe, "{report}");
    let text = "void reach_error(void); int main(void) { reach_error(); }";
    let report = check(&Input::preprocessed_c("p.i", text)).expect("it is C");
    assert_eq!(report.verdict, Verdict::Unsafe, "{report}");
    let read = Input::read_c("somewhere", LOST_UPDATE.as_bytes()).expect("it is text");
    assert_eq!(check(&read).expect("it is C").verdict, Verdict::Unsafe);
}

fn flags(words: &[&str]) -> rely::CompilerOptions {
    let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
    rely::CompilerOptions::read(&words).expect("these are known").0
}

#[test]
fn options_matter() {
    let text = "#include <assert.h>\n#include <limits.h>\n\
                void helper(void) { }\n\
                int main(void) { helper(); int x = LIMIT; x = x + 1; assert(x > 0); assert(sizeof(long) == 4); }";
    let input = Input::c("limit.c", text);
    let mut options = CheckOptions::asking([Question::Assertions]);
    options.read.compiler = flags(&["-DLIMIT=INT_MAX"]);
    let verdict = |options: &CheckOptions| {
        let report = ask(&input, options, &mut Control::default()).expect("it is C");
        (report.verdict, report.place.map(|place| place.line))
    };
    let undefined = Verdict::Unknown(rely::Cause::ModelLimit);
    assert_eq!(verdict(&options).0, undefined, "signed overflow is not passed over");
    options.read.choices.signed_overflow = SignedOverflow::Wrap;
    assert_eq!(verdict(&options), (Verdict::Unsafe, Some(4)));
    options.read.compiler = flags(&["-DLIMIT=1"]);
    assert_eq!(verdict(&options).0, Verdict::Unsafe);
    options.read.data_model = Some(rely::DataModel::Ilp32);
    assert_eq!(verdict(&options).0, Verdict::Safe);
    options.property = rely::Property::Unreachable("helper".into());
    assert_eq!(verdict(&options).0, Verdict::Unsafe);
}

#[test]
fn every_engine_can_be_asked() {
    let input = Input::c("lost.c", LOST_UPDATE);
    for engine in ENGINES {
        let options =
            CheckOptions { engine: Some(engine), ..CheckOptions::asking([Question::Assertions]) };
        let report = ask(&input, &options, &mut Control::default()).expect("it is C");
        assert_eq!(report.engine, Some(engine.name), "{report}");
        let answers = [Verdict::Unsafe, Verdict::Unknown(Cause::Undecided)];
        assert!(answers.contains(&report.verdict), "{}: {report}", engine.name);
    }
}

#[test]
fn mistakes_have_places() {
    let bad = refused(&Input::c("wrong.c", "int main(void)\n{ return }\n"));
    assert_eq!(bad.complaints.len(), 1);
    assert_eq!(bad.complaints[0].file, "wrong.c");
    assert_eq!(bad.complaints[0].place.map(|(line, column, _)| (line, column)), Some((2, 10)));
    assert!(bad.to_string().contains(" 2 | { return }\n   |          ^\n"), "{bad}");
    assert!(refused(&Input::c("empty.c", " \n")).to_string().contains("is empty"));
    assert!(refused(&Input::file("missing.c")).to_string().contains("there is no such file"));
    assert!(refused(&Input::model("m", "program")).to_string().starts_with("error: m:1:"));
    let not_text = Input::read_c("bytes", &b"\xff"[..]).expect_err("no text");
    assert!(not_text.to_string().contains("UTF-8"), "{not_text}");
}

/// Trees as deep as this input overflow a small stack when they are walked, or dropped.
#[test]
fn deep_programs_need_no_deep_stack_of_the_caller() {
    let sum = "x + ".repeat(4_000);
    let text = format!("int x; int main(void) {{ return {sum} x; }}");
    let small = thread::Builder::new().stack_size(256 << 10);
    let caller =
        small.spawn(move || check(&Input::preprocessed_c("deep.i", text)).map(|r| r.verdict));
    let verdict = caller.expect("a thread").join().expect("no panic").expect("it is C");
    assert!(matches!(verdict, Verdict::Safe | Verdict::Unknown(_)));
}

#[test]
fn progress_is_told_in_order() {
    let mut phases = Vec::new();
    let mut engines = Vec::new();
    let mut control = Control::new(Budget::default(), |progress| match progress {
        Progress::Began(phase) => phases.push(phase),
        Progress::Engine(name, why) => {
            assert!(!why.is_empty());
            engines.push(name);
        }
        _ => {}
    });
    let input = Input::c("lost.c", LOST_UPDATE);
    let report =
        ask(&input, &CheckOptions::asking([Question::Assertions]), &mut control).expect("it is C");
    drop(control);
    assert_eq!(report.verdict, Verdict::Unsafe);
    assert_eq!(phases, [Phase::Reading, Phase::Modelling, Phase::Exploring, Phase::Checking]);
    assert_eq!(engines, ["explore"]);
}

#[test]
fn a_check_can_be_cancelled_from_another_thread() {
    for (why, cause) in [(Stop::Interrupt, Cause::Interrupt), (Stop::Timeout, Cause::Timeout)] {
        let budget = Budget::default();
        let (began, waiting) = channel();
        let worker = thread::spawn({
            let budget = budget.clone();
            move || {
                let mut control = Control::new(budget, |progress| {
                    if let Progress::Began(Phase::Exploring) = progress {
                        began.send(()).expect("the test waits");
                    }
                });
                let input = Input::model("endless", ENDLESS);
                ask(&input, &CheckOptions::asking([Question::Assertions]), &mut control)
                    .expect("a model")
            }
        });
        waiting.recv_timeout(Duration::from_secs(60)).expect("it begins");
        let asked = Instant::now();
        budget.stop(why);
        let report = worker.join().expect("no panic");
        assert_eq!(report.verdict, Verdict::Unknown(cause), "{report}");
        assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    }
}

#[test]
fn a_check_that_is_cancelled_before_it_begins_has_no_answer() {
    let budget = Budget::default();
    budget.stop(Stop::Interrupt);
    let mut control = Control::new(budget, |_| {});
    let input = Input::model("endless", ENDLESS);
    let report =
        ask(&input, &CheckOptions::asking([Question::Assertions]), &mut control).expect("a model");
    assert_eq!(report.verdict, Verdict::Unknown(Cause::Interrupt), "{report}");
}

/// One is stopped, the others are not affected.
#[test]
fn several_checks_at_a_time() {
    let budget = Budget::default();
    let endless = thread::spawn({
        let mut control = Control::new(budget.clone(), |_| {});
        let input = Input::model("endless", ENDLESS);
        move || {
            ask(&input, &CheckOptions::asking([Question::Assertions]), &mut control)
                .expect("a model")
                .verdict
        }
    });
    let checks: Vec<_> = (1..=3)
        .map(|expected| {
            let text = LOST_UPDATE.replace("counter == 2", &format!("counter <= {expected}"));
            thread::spawn(move || check(&Input::c("lost.c", text)).expect("it is C"))
        })
        .collect();
    let reports: Vec<Report> = checks.into_iter().map(|c| c.join().expect("no panic")).collect();
    let verdicts: Vec<Verdict> = reports.iter().map(|report| report.verdict).collect();
    assert_eq!(verdicts, [Verdict::Unsafe, Verdict::Safe, Verdict::Safe]);
    budget.stop(Stop::Interrupt);
    assert_eq!(endless.join().expect("no panic"), Verdict::Unknown(Cause::Interrupt));
}

#[test]
fn threads_are_compared_with_abstract_threads() {
    let input = Input::file(root().join("examples/abstract-threads/bluetooth.c"));
    let report = rely::conform(&input, &ConformOptions::default(), &mut Control::default())
        .expect("it is C");
    assert_eq!(report.verdict, Verdict::Safe, "{report}");
    let none = Input::c("lost.c", LOST_UPDATE);
    let bad = rely::conform(&none, &ConformOptions::default(), &mut Control::default());
    assert!(
        bad.expect_err("no abstract thread")
            .to_string()
            .contains("no thread has an abstract thread")
    );
}

#[test]
fn models_are_shown() {
    let input = Input::c("lost.c", LOST_UPDATE);
    let shown = rely::show(&input, &ReadOptions::default(), Format::Text).expect("it is C");
    assert!(shown.text.contains("thread main") && shown.unsupported.is_empty(), "{}", shown.text);
    let again = check(&Input::model("lost.rely", shown.text)).expect("a model");
    assert_eq!(again.verdict, Verdict::Unsafe, "{again}");
    let dot = rely::show(&input, &ReadOptions::default(), Format::Dot).expect("it is C");
    assert!(dot.text.starts_with("digraph"), "{}", dot.text);
}

/// What an embedding program moves between threads. This need not run: it must compile.
#[test]
fn everything_can_be_sent() {
    fn can_be_sent<T: Send>() {}
    fn can_be_shared<T: Sync>() {}
    can_be_sent::<Input>();
    can_be_sent::<CheckOptions>();
    can_be_sent::<ConformOptions>();
    can_be_sent::<Control>();
    can_be_sent::<Budget>();
    can_be_sent::<Report>();
    can_be_sent::<BadInput>();
    can_be_sent::<Box<dyn engine::Engine>>();
    can_be_shared::<Input>();
    can_be_shared::<CheckOptions>();
    can_be_shared::<Budget>();
    can_be_shared::<Report>();
}

/// The guide's table of assumptions is that of the library, row by row.
#[test]
fn the_guide_lists_every_assumption_and_no_other() {
    let guide = include_str!("../../../docs/guide.md");
    let table = guide.split("| assumption | in words |").nth(1).expect("the guide has the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let listed: Vec<(String, String)> = rows
        .map(|row| {
            let cell = |number| row.split('|').nth(number).unwrap_or_default().trim().to_string();
            (cell(1).replace('`', ""), cell(2))
        })
        .collect();
    let known = rely::Assumption::ALL.iter();
    let known: Vec<_> =
        known.map(|assumption| (assumption.name().into(), assumption.text().into())).collect();
    assert_eq!(listed, known);
}

/// For each assumption a program that relies on it, and one that does not.
#[test]
fn what_is_assumed_is_what_the_program_relies_on() {
    use rely::Assumption::*;
    const THREAD: &str = "#include <pthread.h>
        void *run(void *unused) { return 0; }
        int main(void) { pthread_t t; return pthread_create(&t, 0, run, 0); }";
    const HEAP: &str = "#include <stdlib.h>
        int main(void) { int *p = malloc(4); if (p) *p = 1; return 0; }";
    const SUM: &str = "extern int __VERIFIER_nondet_int(void);
        int main(void) { return __VERIFIER_nondet_int() + 1; }";
    const TWO_READS: &str = "#include <pthread.h>
        int x, y;
        void *run(void *unused) { x = 1; y = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return x == y; }";
    const SEQUENCED_READS: &str = "#include <pthread.h>
        int x, y;
        void *run(void *unused) { x = 1; y = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return x && y; }";
    const COPY: &str = "#include <pthread.h>
        struct pair { int first, second; } shared;
        void *run(void *unused) { shared.first = 1; return 0; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, run, 0);
            struct pair copy = shared;
            return copy.second;
        }";
    const RESTRICT: &str = "void copy(int *restrict to, int from[restrict 1]) { *to = *from; }
        int main(void) { int a = 1, b; copy(&b, &a); return b; }";
    const PROMISE: &str = "__attribute__((nonnull)) static int is_null(int *p) { return !p; }
        int main(void) { int a = 1; return is_null(&a); }";
    const RESTRICT_ELSEWHERE: &str = "#include <string.h>
        int main(void) { int a = 1, b; memcpy(&b, &a, sizeof b); return b; }";
    const RETYPED: &str = "int main(void) { long a = 1; return *(int *)&a; }";
    const SAME_TYPE: &str = "int main(void) { int a = 1; return *(unsigned *)&a + *(char *)&a; }";
    const BY_VOID: &str =
        "int main(void) { int a = 1; void *any = &a; short *p = any; return *p; }";
    const BACK_FROM_VOID: &str =
        "int main(void) { int a = 1; void *any = &a; unsigned *p = any; return *p; }";
    const MEMBER_BY_VOID: &str = "int main(void) { struct { int a; short b; } s = {1, 2};
        void *any = &s.a; short *p = any; return *p; }";
    const MEMBER_BACK: &str = "int main(void) { struct { int a; short b; } s = {1, 2};
        void *any = &s.a; int *p = any; return *p; }";
    const RECORD_AROUND: &str = "struct in { int n; }; struct out { short s; struct in in; };
        int main(void) { struct out o = {1, {2}}; struct in *in = &o.in;
        return ((struct out *)((char *)in - __builtin_offsetof(struct out, in)))->s; }";
    const BY_NUMBER: &str = "int main(void) { int a = 1; return *(short *)(__UINTPTR_TYPE__)&a; }";
    const BY_START: &str = "#include <pthread.h>
        void *run(short *p) { *p = 1; return 0; }
        int main(void) { int a; pthread_t t;
            pthread_create(&t, 0, (void *(*)(void *))run, &a); pthread_join(t, 0); }";
    const ROOM: &str = "char room[8]; int main(void) { void *any = room; *(long *)any = 1; }";
    const HEAP_TWICE: &str = "#include <stdlib.h>
        int main(void) { int *p = malloc(4); *p = 1; void *any = p; return *(short *)any; }";
    const IN_UNION: &str = "int main(void) { union { int i; short s; } u; u.i = 1; return u.s; }";
    const OUT_OF_UNION: &str =
        "int main(void) { union { int i; short s; } u; u.i = 1; short *p = &u.s; return *p; }";
    const FOREIGN: &str = "extern int level; int main(void) { return level; }";
    const OWN: &str = "extern int level; int main(void) { return level; } int level;";
    const NOTHING: &str = "int main(void) { unsigned char c = 1; return c + 1; }";
    let usual = rely::Choices::default();
    let creation = rely::Choices { creation_may_fail: true, ..usual };
    let allocation = rely::Choices { allocation_may_fail: true, ..usual };
    let wrap = rely::Choices { signed_overflow: SignedOverflow::Wrap, ..usual };
    for (text, choices, expected) in [
        (THREAD, usual, vec![SequentialConsistency, CreationSucceeds]),
        (THREAD, creation, vec![SequentialConsistency]),
        (TWO_READS, creation, vec![SequentialConsistency, LeftToRight]),
        (SEQUENCED_READS, creation, vec![SequentialConsistency]),
        (COPY, creation, vec![SequentialConsistency, LeftToRight]),
        (HEAP, usual, vec![AllocationSucceeds]),
        (HEAP, allocation, vec![]),
        (SUM, usual, vec![OverflowGivesValue]),
        (SUM, wrap, vec![OverflowWraps]),
        (RESTRICT, usual, vec![NoAliases]),
        (RESTRICT_ELSEWHERE, usual, vec![]),
        (PROMISE, usual, vec![PromisesKept]),
        (RETYPED, usual, vec![AnyType]),
        (SAME_TYPE, usual, vec![]),
        (BY_VOID, usual, vec![AnyType]),
        (BACK_FROM_VOID, usual, vec![]),
        (MEMBER_BY_VOID, usual, vec![AnyType]),
        (MEMBER_BACK, usual, vec![]),
        (RECORD_AROUND, usual, vec![]),
        (BY_NUMBER, usual, vec![AnyType]),
        (BY_START, usual, vec![SequentialConsistency, AnyType, CreationSucceeds]),
        (ROOM, usual, vec![AnyType]),
        (HEAP_TWICE, usual, vec![AnyType, AllocationSucceeds]),
        (IN_UNION, usual, vec![]),
        (OUT_OF_UNION, usual, vec![AnyType]),
        (FOREIGN, usual, vec![ForeignVariables]),
        (OWN, usual, vec![]),
        (NOTHING, usual, vec![]),
    ] {
        let mut options = CheckOptions::asking([Question::Assertions]);
        options.read.choices = choices;
        let input = Input::c("assumes.c", text);
        let report = ask(&input, &options, &mut Control::default()).expect("it is C");
        assert_eq!((report.verdict, report.assumptions), (Verdict::Safe, expected), "{text}");
    }
}
