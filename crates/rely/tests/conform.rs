//! `rely conform` on the examples, and on what becomes of them when one thing is
//! changed: wrong abstractions must be refused, and with a reason one can read.

mod support;

use std::path::PathBuf;

/// An example with some texts replaced by others, and what must be answered.
struct Case {
    name: &'static str,
    file: &'static str,
    args: &'static [&'static str],
    changes: &'static [(&'static str, &'static str)],
    answer: (&'static str, i32),
    reasons: &'static [&'static str],
}

const SAFE: (&str, i32) = ("SAFE", 0);
const UNSAFE: (&str, i32) = ("UNSAFE", 10);
const REFUSED: (&str, i32) = ("REFUSED", 11);
const UNKNOWN: (&str, i32) = ("UNKNOWN", 20);

const CASES: &[Case] = &[
    Case {
        name: "the example of the paper",
        file: "paper.c",
        args: &[],
        changes: &[],
        answer: SAFE,
        reasons: &[
            "A conforms to __rely_abstract_A",
            "Initially g = 1.",
            "Threads: 3 (main, A, B).",
        ],
    },
    Case {
        name: "A with a negative number (the paper's variant)",
        file: "paper.c",
        args: &[],
        changes: &[("int x = 1;", "int x = -1;")],
        answer: REFUSED,
        reasons: &[
            "Thread A does not conform",
            "g = x;",
            "0 < g' does not hold (g' = -1)",
            "X1, staying there: g (",
        ],
    },
    Case {
        name: "an abstract A that does not insist on a positive g",
        file: "paper.c",
        args: &[],
        changes: &[("X1: assert(g > 0);", "X1:;")],
        answer: REFUSED,
        reasons: &["Thread A does not conform", "x = g;", "0 < g' does not hold"],
    },
    Case {
        name: "an abstract B that never fails",
        file: "paper.c",
        args: &[],
        changes: &[("Y2: assert(g > 0);", "Y2:;")],
        answer: REFUSED,
        reasons: &["Thread B does not conform", "goes wrong: assert(g > 0)"],
    },
    Case {
        name: "abstract threads that allow too much",
        file: "paper.c",
        args: &[],
        changes: &[("Y2: assert(g > 0);", "Y2: assert(g > 1);")],
        answer: UNKNOWN,
        reasons: &[
            "All threads conform, but the abstract threads together can fail.",
            "assert(g > 1)",
        ],
    },
    Case {
        name: "the paper's example as state machines",
        file: "figure3.rely",
        args: &["--machines", "figure3.machines"],
        changes: &[],
        answer: SAFE,
        reasons: &["A conforms to A# (2 states, 1 moves)"],
    },
    Case {
        name: "the variant as state machines",
        file: "figure3.rely",
        args: &["--machines", "figure3.machines"],
        changes: &[("x := 1\n", "x := -1\n")],
        answer: REFUSED,
        reasons: &["Thread A does not conform", "0 < g' does not hold (g' = -1)"],
    },
    Case {
        name: "ten Bluetooth workers",
        file: "bluetooth.c",
        args: &["-DWORKERS=10"],
        changes: &[],
        answer: SAFE,
        reasons: &["worker conforms", "unload conforms", "10 of worker"],
    },
    Case {
        name: "Bluetooth: no assertion while inside",
        file: "bluetooth.c",
        args: &[],
        changes: &[("In:\n    assert(!stopped);", "In:")],
        answer: REFUSED,
        reasons: &["Thread worker does not conform", "goes wrong: assert(!stopped)"],
    },
    Case {
        name: "Bluetooth: the last one does not tell",
        file: "bluetooth.c",
        args: &[],
        changes: &[("Last:\n    stop_event = 1;", "Last:")],
        answer: REFUSED,
        reasons: &[
            "Thread worker does not conform",
            "stop_event: 0 becomes 1",
            "stop_event (0 to 1)",
        ],
    },
    Case {
        name: "Bluetooth: looking before entering, in the driver and in its abstraction",
        file: "bluetooth.c",
        args: &[],
        changes: &[
            (
                "    add_to_pending(1);\n    if (stopping)",
                "    if (stopping)\n        return -1;\n    add_to_pending(1);\n    if (0)",
            ),
            (
                "    pending = pending + 1;\nEntered:\n    if (stopping)\n        goto Out;\nIn:",
                "    if (stopping)\n        goto Out;\nEntered:\n    pending = pending + 1;\nIn:",
            ),
        ],
        answer: UNSAFE,
        reasons: &["assert(!stopped)", "The abstract threads together fail as well:"],
    },
    Case {
        name: "ten battery workers",
        file: "battery.c",
        args: &["-DWORKERS=10"],
        changes: &[],
        answer: SAFE,
        reasons: &["worker conforms", "unload conforms", "10 of worker"],
    },
    Case {
        name: "any number of battery workers",
        file: "battery.c",
        args: &["--engine", "rely-guarantee"],
        changes: &[("i < WORKERS", "__VERIFIER_nondet_int()")],
        answer: SAFE,
        reasons: &["worker conforms", "any number of worker"],
    },
    Case {
        name: "the engine that was asked for decides about the composition",
        file: "battery.c",
        args: &["--engine", "explore"],
        changes: &[],
        answer: SAFE,
        reasons: &["the composition is safe: 42 states, all of them checked (engine explore)"],
    },
    Case {
        name: "battery: data may go away during work",
        file: "battery.c",
        args: &[],
        changes: &[("Work:\n    assert(!stopped);", "Work:")],
        answer: REFUSED,
        reasons: &["Thread worker does not conform", "goes wrong: assert(!stopped)"],
    },
    Case {
        name: "battery: requests are never reset",
        file: "battery.c",
        args: &[],
        changes: &[("        active = 1;\n        goto Work;", "        goto Work;")],
        answer: REFUSED,
        reasons: &[
            "Thread worker does not conform",
            "active = 1;",
            "active' == active - 1 does not hold",
        ],
    },
    Case {
        name: "battery: the unloading thread does not wait",
        file: "battery.c",
        args: &[],
        changes: &[("        __VERIFIER_assume(ready);\n    stopped", "        ;\n    stopped")],
        answer: REFUSED,
        reasons: &["Thread unload does not conform", "stopped: 0 becomes 1"],
    },
    Case {
        name: "a thread-modular specification",
        file: "modular.rely",
        args: &["--machines", "modular.machines"],
        changes: &[],
        answer: SAFE,
        reasons: &["first conforms to once#", "second conforms to once#"],
    },
    Case {
        name: "a thread-modular specification of another thread",
        file: "modular.rely",
        args: &["--machines", "modular.machines"],
        changes: &[("g := g + 1", "g := g + 3")],
        answer: REFUSED,
        reasons: &["Thread first does not conform", "g' == g + 1 does not hold"],
    },
    Case {
        name: "an environment that does what is not assumed",
        file: "modular.rely",
        args: &["--machines", "modular.machines"],
        changes: &[(
            "thread first",
            "template down() { a -> b: when g > 0 then g := g - 1 }\nthread third = down()\nthread first",
        )],
        answer: UNKNOWN,
        reasons: &[
            "All threads conform, but the abstract threads together can fail.",
            "what the environment is assumed to do",
            "The program itself cannot do that: it is safe",
        ],
    },
    Case {
        name: "a precondition that does not hold",
        file: "modular.rely",
        args: &["--machines", "modular.machines"],
        changes: &[(
            "thread first",
            "template up() { a -> b: g := 3 }\nthread third = up()\nthread first",
        )],
        answer: UNSAFE,
        reasons: &["An error can be reached: precondition, in thread first"],
    },
    Case {
        name: "a suggestion beside a written abstract thread",
        file: "bluetooth.c",
        args: &["--suggest"],
        changes: &[("__rely_abstract_unload", "no_thread")],
        answer: SAFE,
        reasons: &[
            "worker conforms to __rely_abstract_worker",
            "unload conforms to unload#",
            "abstract unload {",
        ],
    },
    Case {
        name: "suggestions for the Bluetooth driver",
        file: "bluetooth.c",
        args: &["--suggest"],
        changes: &[("__rely_abstract_", "unused_")],
        answer: SAFE,
        reasons: &[
            "worker conforms to worker#",
            "unload conforms to unload#",
            "when pending == 1 then pending := pending - 1\n",
        ],
    },
    Case {
        name: "suggestions for the battery driver",
        file: "battery.c",
        args: &["--suggest"],
        changes: &[("__rely_abstract_", "unused_")],
        answer: SAFE,
        reasons: &[
            "worker conforms to worker#",
            "unload conforms to unload#",
            "`line 62`: assert stopped == 0\n",
            "when in_use == 1 then in_use := in_use - 1, ready := 1\n",
        ],
    },
    Case {
        name: "a lock, and what the thread relies on",
        file: "account.c",
        args: &[],
        changes: &[],
        answer: SAFE,
        reasons: &["payer conforms to __rely_abstract_payer", "2 of payer"],
    },
    Case {
        name: "a lock, and nothing is said of what the thread relies on",
        file: "account.c",
        args: &[],
        changes: &[("Rich:\n    assert(balance > 0);", "Rich:")],
        answer: REFUSED,
        reasons: &["Thread payer does not conform", "let the\nabstract thread assert"],
    },
    Case {
        name: "threads that use their arguments",
        file: "arguments.c",
        args: &[],
        changes: &[],
        answer: SAFE,
        reasons: &["guest conforms to __rely_abstract_guest", "setter conforms to __rely"],
    },
    Case {
        name: "an abstract thread that takes the wrong argument",
        file: "arguments.c",
        args: &[],
        changes: &[("last = id;\n        goto", "last = id + 1;\n        goto")],
        answer: REFUSED,
        reasons: &["Thread guest does not conform", "last = id;", "+ 1 does not hold"],
    },
    Case {
        name: "suggestions for threads that use their arguments",
        file: "arguments.c",
        args: &["--suggest"],
        changes: &[("__rely_abstract_", "unused_")],
        answer: SAFE,
        reasons: &["guest conforms to guest#", "setter conforms to setter#"],
    },
    Case {
        name: "an argument that may be any number",
        file: "arguments.c",
        args: &[],
        changes: &[("(void *)(i + 10)", "(void *)(long)__VERIFIER_nondet_int()")],
        answer: ("", 2),
        reasons: &[
            "arguments.c:25:7: `__rely_abstract_guest` is no abstract thread",
            "the argument of its thread",
        ],
    },
    Case {
        name: "a mistake in the name of an abstract thread",
        file: "paper.c",
        args: &[],
        changes: &[("__rely_abstract_B", "__rely_abstract_C")],
        answer: ("", 2),
        reasons: &[
            "paper.c:52:7: `__rely_abstract_C` specifies no thread",
            "there is no function `C` (threads run `main`, `A`, `B`)",
        ],
    },
    Case {
        name: "an abstract thread of a function that no thread runs",
        file: "paper.c",
        args: &[],
        changes: &[("    pthread_create(&b, 0, B, 0);\n", "")],
        answer: ("", 2),
        reasons: &["`__rely_abstract_B` specifies no thread: no thread runs `B`"],
    },
    Case {
        name: "an abstract thread that is declared only",
        file: "paper.c",
        args: &[],
        changes: &[(
            "void *__rely_abstract_B(void *unused)",
            "void *__rely_abstract_B(void *);\nvoid *other(void *unused)",
        )],
        answer: ("", 2),
        reasons: &["`__rely_abstract_B` specifies no thread: it has no body"],
    },
    Case {
        name: "a template of a model that specifies no thread",
        file: "figure3.rely",
        args: &[],
        changes: &[("thread A", "template __rely_abstract_C() { a -> b: g := 1 }\nthread A")],
        answer: ("", 2),
        reasons: &["`__rely_abstract_C` specifies no thread: no thread runs `C`"],
    },
    Case {
        name: "a label that is missing",
        file: "bluetooth.c",
        args: &[],
        changes: &[("Gone:\n", "")],
        answer: ("", 2),
        reasons: &["bluetooth.c:", "`Gone`"],
    },
    Case {
        name: "a file of machines without one",
        file: "figure3.rely",
        args: &["--machines", "empty.machines"],
        changes: &[],
        answer: ("", 2),
        reasons: &["empty.machines: there is no abstract thread in this file"],
    },
    Case {
        name: "no abstract thread",
        file: "battery.c",
        args: &[],
        changes: &[
            ("__rely_abstract_worker", "no_thread"),
            ("__rely_abstract_unload", "no_thread_either"),
        ],
        answer: ("", 2),
        reasons: &["no thread has an abstract thread"],
    },
    Case {
        name: "an abstract thread that remembers numbers",
        file: "paper.c",
        args: &[],
        changes: &[(
            "X2: return 0;",
            "X2:;\n    int seen = g;\n    g = 1;\n    g = seen;\n    return 0;",
        )],
        answer: ("", 2),
        reasons: &["`__rely_abstract_A` is no abstract thread", "finitely many states"],
    },
];

#[test]
fn abstract_threads_are_accepted_or_refused() {
    let wrong: Vec<String> =
        CASES.iter().enumerate().filter_map(|(n, case)| mismatch(n, case)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn mismatch(number: usize, case: &Case) -> Option<String> {
    let folder = changed(number, case);
    let mut args = vec!["conform", case.file, "--timeout", "200"];
    args.extend(case.args);
    let run = support::rely(&folder, &args);
    let output = run.all();
    let missing: Vec<_> = case.reasons.iter().filter(|reason| !output.contains(**reason)).collect();
    let first = run.stdout.lines().next().unwrap_or("");
    let right = (first, run.code) == case.answer && missing.is_empty();
    (!right).then(|| {
        format!("{}: expected {:?}, missing {missing:?}, got {output}", case.name, case.answer)
    })
}

/// A folder with the examples, one of them changed.
fn changed(number: usize, case: &Case) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("conform-{number}"));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let examples = support::root().join("examples/abstract-threads");
    for entry in std::fs::read_dir(examples).expect("the examples").flatten() {
        std::fs::copy(entry.path(), folder.join(entry.file_name())).expect("a copy");
    }
    std::fs::write(folder.join("empty.machines"), "// nothing\n").expect("a file");
    let path = folder.join(case.file);
    let mut text = std::fs::read_to_string(&path).expect("an example");
    for (from, to) in case.changes {
        assert!(text.contains(from), "{}: {from:?} is not in {}", case.name, case.file);
        text = text.replace(from, to);
    }
    std::fs::write(&path, text).expect("a changed example");
    folder
}

#[test]
fn suggestions_can_be_kept_and_read_again() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("conform-suggested");
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let source = support::root().join("examples/abstract-threads/bluetooth.c");
    let text = std::fs::read_to_string(&source).expect("an example");
    std::fs::write(folder.join("program.c"), text.replace("__rely_abstract_", "unused_"))
        .expect("a file");
    let first = support::rely(&folder, &["conform", "program.c", "--suggest"]);
    let (_, machines) = first.stdout.split_once("--machines):\n").expect("something is suggested");
    std::fs::write(folder.join("kept.machines"), machines).expect("a file");
    let again = support::rely(&folder, &["conform", "program.c", "--machines", "kept.machines"]);
    assert!(again.stdout.starts_with("SAFE\n"), "{}", again.all());
    assert!(again.stdout.contains("unload conforms to unload#"), "{}", again.all());
}
