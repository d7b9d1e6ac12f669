//! `rely check --all`: everything that can happen, each once, and whether that is all.

mod support;

use support::{here, rely, root};

/// A program, what is asked, the lines of the questions, and parts of what is said of each thing that can happen.
struct Case {
    text: &'static str,
    args: &'static [&'static str],
    lines: &'static [&'static str],
    found: &'static [&'static str],
}

const CASES: [Case; 7] = [
    // Nothing can happen: as without the option.
    Case {
        text: "int x; int main(void) { x = 1; assert(x == 1); return 0; }",
        args: &["--check", "assertions"],
        lines: &[],
        found: &[],
    },
    // An execution ends at a failed assertion: the second is behind the first, the third is not.
    Case {
        text: "int main(void) {
            int x = __VERIFIER_nondet_int();
            assert(x != 1);
            assert(x != 1);
            assert(x != 2);
            return 0; }",
        args: &["--check", "assertions"],
        lines: &["assertions: UNSAFE (2, and no other)"],
        found: &["thread main at prog.c:6:13", "thread main at prog.c:8:13"],
    },
    // Different kinds at different places; each is there once, though it is called twice.
    Case {
        text: "int a[2];
            int get(int i) { return 10 / a[i]; }
            int main(void) { int i = __VERIFIER_nondet_int();
              if (i) get(i & 3); else get(1);
              return 0; }",
        args: &["--check", "undefined"],
        lines: &["undefined: UNSAFE (2, and no other)"],
        found: &["division by zero", "an array index out of bounds"],
    },
    // A race ends nothing, and that one is known hides no other: three places, of which every two race but the reads.
    Case {
        text: "int x, y;
            void *t(void *u) { x = 1; return 0; }
            void *v(void *u) { y = x; return 0; }
            void *w(void *u) { x = 2; return 0; }
            int main(void) { pthread_t a, b, c; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, v, 0);
              pthread_create(&c, 0, w, 0); return 0; }",
        args: &["--check", "races"],
        lines: &["races: UNSAFE (3, and no other)"],
        found: &[
            "on x: thread t writes it at prog.c:5:32, and thread w writes it at prog.c:7:32",
            "thread t writes it at prog.c:5:32, and thread v reads it at prog.c:6:36",
            "thread w writes it at prog.c:7:32, and thread v reads it at prog.c:6:36",
        ],
    },
    // One place races with itself in two threads, and with another.
    Case {
        text: "int x;
            void *t(void *u) { x = 1; return 0; }
            int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);
              return x; }",
        args: &["--check", "races"],
        lines: &["races: UNSAFE (2, and no other)"],
        found: &["and thread t[1] writes it at prog.c:5:32", "and thread main reads it at prog.c:7:22"],
    },
    // A race does not keep an assertion from failing, and a proof is one about all of it.
    Case {
        text: "int x, y;
            void *t(void *u) { x = 1; y = 1; return 0; }
            int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); x = 2; pthread_join(a, 0);
              assert(x == 2); assert(y == 1); return 0; }",
        args: &[],
        lines: &[
            "assertions: UNSAFE (1, and no other)",
            "undefined: SAFE",
            "races: UNSAFE (1, and no other)",
            "deadlocks: SAFE",
        ],
        found: &["An error can be reached: assert(x == 2)", "A data race can happen on x"],
    },
    // Undefined behaviour is in the way of an answer about assertions; what can happen without it is found.
    Case {
        text: "int main(void) { int x = __VERIFIER_nondet_int();
            if (x == 7) return 1 / (x - 7);
            assert(x != 8);
            return 0; }",
        args: &["--check", "assertions,undefined"],
        lines: &["assertions: UNSAFE (1, and no other)", "undefined: UNSAFE (1, and no other)"],
        found: &["An error can be reached: assert(x != 8)", "division by zero"],
    },
];

/// Three lines stand before the program.
const HEAD: &str =
    "#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\n";

fn check(case: &Case) -> String {
    let (process, thread) = (std::process::id(), std::thread::current().id());
    let folder = std::env::temp_dir().join(format!("rely-all-{process}-{thread:?}"));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("prog.c");
    std::fs::write(&file, format!("{HEAD}{}", case.text)).expect("a file can be written");
    let run = rely(&folder, &[&["check", "prog.c", "--all"], case.args].concat());
    std::fs::remove_dir_all(&folder).expect("a folder can be removed");
    run.stdout
}

#[test]
fn everything_that_can_happen_is_there_once() {
    for case in &CASES {
        let output = check(case);
        let lines: Vec<&str> = output.lines().skip(1).take(case.lines.len()).collect();
        assert_eq!(lines, case.lines, "{}\n{output}", case.text);
        let sections = output.matches(": UNSAFE\n").count();
        assert_eq!(sections, case.found.len(), "{}\n{output}", case.text);
        for part in case.found {
            assert_eq!(output.matches(part).count(), 1, "{part}\n{output}");
        }
        let is_proved = output.contains("No other ") || case.found.is_empty();
        assert!(is_proved, "{}\n{output}", case.text);
    }
}

/// Where nobody knows whether there is more, that is said.
#[test]
fn a_list_that_may_not_be_complete_says_so() {
    let text = "extern void unknown(void);
        int main(void) {
        int x = __VERIFIER_nondet_int();
        assert(x != 5);
        if (x == 6) unknown();
        return 0; }";
    let args = &["--check", "assertions"];
    let output = check(&Case { text, args, lines: &[], found: &[] });
    let expected = "whether there are others is not known)";
    assert!(output.lines().nth(1).is_some_and(|line| line.ends_with(expected)), "{output}");
    assert!(output.contains("Whether anything else can happen is not known: "), "{output}");
}

/// Places of a model have no source; it is answered as without the option.
#[test]
fn a_model_without_places_has_one_answer() {
    let run = rely(&here().join("models"), &["check", "lost_update.rely", "--all"]);
    assert_eq!(run.code, 10, "{}", run.all());
    assert!(run.stdout.starts_with("UNSAFE\nAn error can be reached"), "{}", run.stdout);
}

/// The second and further interleavings are short, or left to `--proof`.
#[test]
fn long_interleavings_are_shown_on_demand() {
    let args = ["check", "examples/questions/all.c", "--check", "assertions", "--all"];
    let short = rely(&root(), &args).stdout;
    let long = rely(&root(), &[&args[..], &["--proof"]].concat()).stdout;
    let tables = |text: &str| text.matches("\nstep  line ").count();
    assert!(short.contains("--proof shows it"), "{short}");
    assert_eq!((tables(&short), tables(&long)), (1, 2), "{long}");
}
