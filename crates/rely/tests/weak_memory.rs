//! Litmus tests in C under the memory models that programs are decided under: each in several ways of writing the same accesses, all with the published verdict, none
//! by a bound.

use rely::{
    Assumption, Budget, CheckOptions, ConformOptions, Control, Input, MemoryModel, Question,
    Verdict,
};
use std::path::Path;
use std::time::Duration;

/// More than a small program takes.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Name, threads, what is asked for at the end, and whether it can be: under total and under partial store order. Interleavings allow none.
type Litmus = (&'static str, &'static [&'static str], &'static str, [bool; 2]);

/// `W` and `R` write and read, `L` releases, `S` is `seq_cst`, `X` exchanges, `F` is a full fence, `B` one for writes.
const LITMUS: [Litmus; 34] = [
    ("SB", &["W(x,1); r0 = R(y);", "W(y,1); r1 = R(x);"], "r0 == 0 && r1 == 0", [true, true]),
    (
        "SB+fences",
        &["W(x,1); F; r0 = R(y);", "W(y,1); F; r1 = R(x);"],
        "r0 == 0 && r1 == 0",
        [false, false],
    ),
    (
        "SB+fence",
        &["W(x,1); F; r0 = R(y);", "W(y,1); r1 = R(x);"],
        "r0 == 0 && r1 == 0",
        [true, true],
    ),
    (
        "SB+stbars",
        &["W(x,1); B; r0 = R(y);", "W(y,1); B; r1 = R(x);"],
        "r0 == 0 && r1 == 0",
        [true, true],
    ),
    ("SB+sc", &["S(x,1); r0 = R(y);", "S(y,1); r1 = R(x);"], "r0 == 0 && r1 == 0", [false, false]),
    ("SB+rel", &["L(x,1); r0 = R(y);", "L(y,1); r1 = R(x);"], "r0 == 0 && r1 == 0", [true, true]),
    (
        "SB+xchg",
        &["X(x,1); r0 = R(y);", "X(y,1); r1 = R(x);"],
        "r0 == 0 && r1 == 0",
        [false, false],
    ),
    (
        "SB+xchg elsewhere",
        &["W(x,1); X(z,1); r0 = R(y);", "W(y,1); X(w,1); r1 = R(x);"],
        "r0 == 0 && r1 == 0",
        [false, false],
    ),
    (
        "3.SB",
        &["W(x,1); r0 = R(y);", "W(y,1); r1 = R(z);", "W(z,1); r2 = R(x);"],
        "r0 == 0 && r1 == 0 && r2 == 0",
        [true, true],
    ),
    ("MP", &["W(x,1); W(y,1);", "r0 = R(y); r1 = R(x);"], "r0 == 1 && r1 == 0", [false, true]),
    (
        "MP+stbar",
        &["W(x,1); B; W(y,1);", "r0 = R(y); r1 = R(x);"],
        "r0 == 1 && r1 == 0",
        [false, false],
    ),
    ("MP+rel", &["W(x,1); L(y,1);", "r0 = R(y); r1 = R(x);"], "r0 == 1 && r1 == 0", [false, false]),
    ("MP+sc", &["W(x,1); S(y,1);", "r0 = R(y); r1 = R(x);"], "r0 == 1 && r1 == 0", [false, false]),
    (
        "MP+xchg",
        &["W(x,1); X(y,1);", "r0 = R(y); r1 = R(x);"],
        "r0 == 1 && r1 == 0",
        [false, false],
    ),
    ("LB", &["r0 = R(x); W(y,1);", "r1 = R(y); W(x,1);"], "r0 == 1 && r1 == 1", [false, false]),
    ("S", &["W(x,2); W(y,1);", "r0 = R(y); W(x,1);"], "r0 == 1 && x == 2", [false, true]),
    ("S+stbar", &["W(x,2); B; W(y,1);", "r0 = R(y); W(x,1);"], "r0 == 1 && x == 2", [false, false]),
    ("R", &["W(x,1); W(y,1);", "W(y,2); r0 = R(x);"], "r0 == 0 && y == 2", [true, true]),
    ("R+fence", &["W(x,1); W(y,1);", "W(y,2); F; r0 = R(x);"], "r0 == 0 && y == 2", [false, true]),
    (
        "R+fences",
        &["W(x,1); F; W(y,1);", "W(y,2); F; r0 = R(x);"],
        "r0 == 0 && y == 2",
        [false, false],
    ),
    ("2+2W", &["W(x,1); W(y,2);", "W(y,1); W(x,2);"], "x == 1 && y == 1", [false, true]),
    (
        "2+2W+stbars",
        &["W(x,1); B; W(y,2);", "W(y,1); B; W(x,2);"],
        "x == 1 && y == 1",
        [false, false],
    ),
    (
        "WRC",
        &["W(x,1);", "r0 = R(x); W(y,1);", "r1 = R(y); r2 = R(x);"],
        "r0 == 1 && r1 == 1 && r2 == 0",
        [false, false],
    ),
    (
        "RWC",
        &["W(x,1);", "r0 = R(x); r1 = R(y);", "W(y,1); r2 = R(x);"],
        "r0 == 1 && r1 == 0 && r2 == 0",
        [true, true],
    ),
    (
        "RWC+fence",
        &["W(x,1);", "r0 = R(x); r1 = R(y);", "W(y,1); F; r2 = R(x);"],
        "r0 == 1 && r1 == 0 && r2 == 0",
        [false, false],
    ),
    (
        "ISA2",
        &["W(x,1); W(y,1);", "r0 = R(y); W(z,1);", "r1 = R(z); r2 = R(x);"],
        "r0 == 1 && r1 == 1 && r2 == 0",
        [false, true],
    ),
    (
        "Z6.3",
        &["W(x,1); W(y,1);", "W(y,2); W(z,1);", "r0 = R(z); r1 = R(x);"],
        "r0 == 1 && r1 == 0 && y == 2",
        [false, true],
    ),
    (
        "IRIW",
        &["W(x,1);", "W(y,1);", "r0 = R(x); r1 = R(y);", "r2 = R(y); r3 = R(x);"],
        "r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0",
        [false, false],
    ),
    ("CoRR", &["W(x,1);", "r0 = R(x); r1 = R(x);"], "r0 == 1 && r1 == 0", [false, false]),
    ("CoWW", &["W(x,1); W(x,2);", "r0 = R(x);"], "x == 1", [false, false]),
    ("CoWR", &["W(x,1); r0 = R(x);", "W(x,2);"], "r0 == 0", [false, false]),
    ("n4", &["r0 = R(x); W(x,1);", "r1 = R(x); W(x,2);"], "r0 == 2 && r1 == 1", [false, false]),
    ("n5", &["W(x,1); r0 = R(x);", "W(x,2); r1 = R(x);"], "r0 == 2 && r1 == 1", [false, false]),
    (
        "n6",
        &["W(x,1); r0 = R(x); r1 = R(y);", "W(y,2); W(x,2);"],
        "r0 == 1 && r1 == 0 && x == 1 && y == 2",
        [true, true],
    ),
];

/// Ways of writing the same accesses.
const STYLES: [(&str, &str); 3] = [
    (
        "volatile",
        "volatile int x, y, z, w;
#define W(p, v) p = v
#define R(p) p
#define L(p, v) __atomic_store_n(&p, v, __ATOMIC_RELEASE)
#define S(p, v) __atomic_store_n(&p, v, __ATOMIC_SEQ_CST)
#define X(p, v) __sync_lock_test_and_set(&p, v)
#define F __asm__ volatile(\"mfence\" ::: \"memory\")
#define B __atomic_thread_fence(__ATOMIC_RELEASE)
",
    ),
    (
        "C11",
        "#include <stdatomic.h>
atomic_int x, y, z, w;
#define W(p, v) atomic_store_explicit(&p, v, memory_order_relaxed)
#define R(p) atomic_load_explicit(&p, memory_order_relaxed)
#define L(p, v) atomic_store_explicit(&p, v, memory_order_release)
#define S(p, v) p = v
#define X(p, v) atomic_exchange(&p, v)
#define F atomic_thread_fence(memory_order_seq_cst)
#define B atomic_thread_fence(memory_order_acq_rel)
",
    ),
    (
        "elements",
        "int cells[4];
#define x cells[0]
#define y cells[1]
#define z cells[2]
#define w cells[3]
#define W(p, v) p = v
#define R(p) __atomic_load_n(&p, __ATOMIC_ACQUIRE)
#define L(p, v) __atomic_store_n(&p, v, __ATOMIC_RELEASE)
#define S(p, v) __atomic_store_n(&p, v, __ATOMIC_SEQ_CST)
#define X(p, v) __atomic_fetch_add(&p, v, __ATOMIC_SEQ_CST)
#define F __sync_synchronize()
#define B __atomic_thread_fence(__ATOMIC_RELEASE)
",
    ),
];

fn program(style: &str, (_, threads, wanted, _): &Litmus) -> String {
    let mut text = format!(
        "#include <assert.h>\n#include <pthread.h>\n{style}int r0 = -1, r1 = -1, r2 = -1, r3 = -1;\n"
    );
    let (mut create, mut join) = (String::new(), String::new());
    for (number, code) in threads.iter().enumerate() {
        text += &format!("void *t{number}(void *unused) {{ {code} return 0; }}\n");
        create += &format!("    pthread_create(&ids[{number}], 0, t{number}, 0);\n");
        join += &format!("    pthread_join(ids[{number}], 0);\n");
    }
    text + &format!(
        "int main(void)\n{{\n    pthread_t ids[4];\n{create}{join}    assert(!({wanted}));\n    return 0;\n}}\n"
    )
}

fn verdict(input: &Input, question: Question, model: MemoryModel) -> Verdict {
    let mut options = CheckOptions::asking([question]);
    options.read.memory_model = model;
    let answers = rely::check(input, &options, &mut Control::default());
    answers.unwrap_or_else(|bad| panic!("{bad}")).worst().verdict
}

fn expect(model: MemoryModel, is_possible: impl Fn(&Litmus) -> bool) {
    for (style, text) in STYLES {
        for litmus in &LITMUS {
            let expected = if is_possible(litmus) { Verdict::Unsafe } else { Verdict::Safe };
            let text = program(text, litmus);
            let input = Input::c(format!("{}.c", litmus.0), &text);
            let found = verdict(&input, Question::Assertions, model);
            assert_eq!(found, expected, "{}, {style}, {model}\n{text}", litmus.0);
        }
    }
}

#[test]
fn interleavings_allow_no_weak_outcome() {
    expect(MemoryModel::Sc, |_| false);
}

#[test]
fn total_store_order_allows_what_is_published() {
    expect(MemoryModel::Tso, |litmus| litmus.3[0]);
}

#[test]
fn partial_store_order_allows_what_is_published() {
    expect(MemoryModel::Pso, |litmus| litmus.3[1]);
}

/// Impara's systems (B. Wachter, D. Kroening, J. Ouaknine: Verifying multi-threaded software with Impact. FMCAD 2013, Table III): which of them are right under `sc`, `tso`, `pso`.
/// The table has no row for PostgreSQL's under `pso`, where its writes are not ordered.
#[test]
fn the_systems_of_the_table_are_as_it_says() {
    let models = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/weak-memory");
    for (name, question, is_right) in [
        ("sober", Question::Deadlocks, [true, false, false]),
        ("sober-fixed", Question::Deadlocks, [true, true, true]),
        ("latch", Question::Assertions, [true, true, false]),
        ("latch-fixed", Question::Assertions, [true, true, true]),
    ] {
        for (model, is_right) in models.into_iter().zip(is_right) {
            let expected = if is_right { Verdict::Safe } else { Verdict::Unsafe };
            let input = Input::file(folder.join(format!("{name}.c")));
            assert_eq!(verdict(&input, question, model), expected, "{name}, {model}");
        }
    }
}

/// Races are asked of interleavings under every model, and the answer says so. Where there is none, nothing else is different.
#[test]
fn races_are_asked_of_interleavings() {
    let text = program(STYLES[1].1, &LITMUS[0]);
    let mut options = CheckOptions::asking([Question::Assertions, Question::Races]);
    options.read.memory_model = MemoryModel::Tso;
    let input = Input::c("races.c", text);
    let answers = rely::check(&input, &options, &mut Control::default()).expect("it is C");
    let verdict = |question| answers.answer(question).map(|report| report.verdict);
    assert_eq!(verdict(Question::Assertions), Some(Verdict::Unsafe));
    let races = answers.answer(Question::Races).expect("it is answered");
    assert!(races.evidence.contains("weaker than `seq_cst`"), "{}", races.evidence);
    let text = "#include <pthread.h>
        int x;
        void *run(void *unused) { return 0; }
        int main(void) { pthread_t t; x = 1; pthread_create(&t, 0, run, 0); return 0; }";
    let input = Input::c("none.c", text);
    for (questions, expected) in [
        (vec![Question::Assertions], Assumption::TotalStoreOrder),
        (vec![Question::Assertions, Question::Races], Assumption::TotalStoreOrder),
        (vec![Question::Races], Assumption::SequentialConsistency),
    ] {
        options.questions = questions.into_iter().collect();
        let answers = rely::check(&input, &options, &mut Control::default()).expect("it is C");
        assert_eq!(answers.worst().assumptions[0], expected);
    }
}

#[test]
fn other_models_are_no_guess() {
    for model in MemoryModel::ALL.into_iter().skip(3) {
        let mut options = CheckOptions::default();
        options.read.memory_model = model;
        let input = Input::c("main.c", "int main(void) { return 0; }");
        let bad = rely::check(&input, &options, &mut Control::default());
        let message = bad.expect_err("it is not decided").to_string();
        assert!(message.contains(&format!("under the memory model {model} yet")), "{message}");
    }
}

/// A model in text form, and abstract threads, are about interleavings.
#[test]
fn models_and_abstract_threads_are_about_interleavings() {
    let mut options = CheckOptions::default();
    options.read.memory_model = MemoryModel::Tso;
    let model = Input::model("model.rely", "template t() { a -> b }\nthread t = t()");
    let bad = rely::check(&model, &options, &mut Control::default());
    let message = bad.expect_err("it is not decided").to_string();
    assert!(message.contains("under the memory model sc only, not under tso"), "{message}");
    let conform = ConformOptions { check: options, ..ConformOptions::default() };
    let input = Input::c("main.c", "int main(void) { return 0; }");
    let bad = rely::conform(&input, &conform, &mut Control::default());
    let message = bad.expect_err("it is not decided").to_string();
    assert!(message.contains("under the memory model sc only, not under tso"), "{message}");
}

/// What goes wrong in an interleaving goes wrong with store buffers, too: each can be emptied at once.
#[test]
fn what_interleavings_do_weaker_models_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/regression");
    let mut decided = 0;
    for topic in ["03-atomicity", "10-mutex", "11-rwlock", "12-spin", "21-atomics", "30-win32"] {
        let entries = std::fs::read_dir(folder.join(topic)).expect("a folder");
        for entry in entries {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a program");
            if !text.starts_with("//EXPECT: UNSAFE") || text.contains("//ARGS") {
                continue;
            }
            let mut options = CheckOptions::default();
            options.read.memory_model = MemoryModel::Pso;
            let mut control = Control::new(Budget::default().child(MAX_TIME), |_| {});
            let answers =
                rely::check(&Input::file(&path), &options, &mut control).expect("it is C");
            let verdict = answers.worst().verdict;
            assert_ne!(verdict, Verdict::Safe, "{}", path.display());
            decided += usize::from(verdict == Verdict::Unsafe);
        }
    }
    assert!(decided > 40, "{decided} programs are still wrong");
}
