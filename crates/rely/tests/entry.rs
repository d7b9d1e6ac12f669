//! Programs that begin elsewhere than in `main`: arguments are any numbers, variables as they are initialised, and what cannot be an entry is refused
//! with its place.

mod support;

use std::path::Path;
use support::{REFUSED, SAFE, UNSAFE, rely, write_files};

/// Arguments of `rely check`, what it exits with, and what it says.
struct Case {
    args: &'static [&'static str],
    code: i32,
    says: &'static [&'static str],
}

const FILES: &[(&str, &str)] = &[
    (
        "a.c",
        "#include <assert.h>
#include <pthread.h>
int count = 3, zero;
void initialised(void) { assert(count == 3 && zero == 0); }
void not_negative(int n) { assert(n >= 0); }
void unsigned_number(unsigned char n) { assert(n <= 255); }
void truth(_Bool b) { assert(b == 0 || b == 1); }
void false_only(_Bool b) { assert(b == 0); }
enum colour { RED, GREEN };
int two(enum colour c, long n) { if (c == GREEN && n == 77) assert(0); return 1; }
static int hidden(void) { assert(count == 4); return count; }
void *run(void *u) { count++; return 0; }
void threads(void) { pthread_t a, b; pthread_create(&a, 0, run, 0); pthread_create(&b, 0, run, 0); }
void itself(int n) { if (n > 0 && n < 3) itself(n - 1); else assert(n <= 0 || n >= 3); }
__attribute__((constructor)) static void early(void) { zero = 0; count = 3; }
void pointer(int n, int *p) { *p = n; }
struct s { int n; };
void record(struct s s, double d) { }
void open_end(int n, ...) { }
void declared(int);
void calls_main(void) { int main(void); main(); }
int main(void) { assert(0); }
",
    ),
    ("b.c", "static void hidden(void) { }\nvoid other(void) { hidden(); }\n"),
    ("none.c", "int f(void) { return 1; }\n"),
    ("m.rely", "program \"m\"\n"),
    ("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
];

const CASES: &[Case] = &[
    Case {
        args: &["a.c", "--entry", "initialised"],
        code: SAFE,
        says: &["where the program begins, variables hold what they are initialised with"],
    },
    Case { args: &["a.c", "--entry", "not_negative"], code: UNSAFE, says: &["assert(n >= 0)"] },
    Case { args: &["a.c", "--entry", "unsigned_number"], code: SAFE, says: &[] },
    Case { args: &["a.c", "--entry", "truth"], code: SAFE, says: &[] },
    Case { args: &["a.c", "--entry", "false_only"], code: UNSAFE, says: &["assert(b == 0)"] },
    Case { args: &["a.c", "--entry", "two"], code: UNSAFE, says: &["77"] },
    Case { args: &["a.c", "--entry", "hidden"], code: UNSAFE, says: &["assert(count == 4)"] },
    Case { args: &["a.c", "--entry", "threads"], code: UNSAFE, says: &["races: UNSAFE", "a.c:12"] },
    Case { args: &["a.c", "--entry", "itself"], code: SAFE, says: &[] },
    Case { args: &["a.c", "--entry", "calls_main"], code: UNSAFE, says: &["a.c:22"] },
    Case { args: &["a.c", "--entry", "main"], code: UNSAFE, says: &["a.c:22"] },
    Case { args: &["a.c"], code: UNSAFE, says: &["a.c:22"] },
    Case { args: &["none.c", "--entry", "f"], code: SAFE, says: &["Threads: 1 (main)"] },
    Case { args: &["none.c"], code: REFUSED, says: &["there is no function `main`"] },
    // What cannot be an entry.
    Case {
        args: &["a.c", "--entry", "pointer"],
        code: REFUSED,
        says: &["a.c:16:26: the parameter `p` is a pointer"],
    },
    Case {
        args: &["a.c", "--entry", "record"],
        code: REFUSED,
        says: &[
            "a.c:18:22: the parameter `s` is a record",
            "a.c:18:32: the parameter `d` is no integer",
        ],
    },
    Case {
        args: &["a.c", "--entry", "open_end"],
        code: REFUSED,
        says: &["a.c:19:6: `open_end` has no fixed number of parameters"],
    },
    Case {
        args: &["a.c", "--entry", "declared"],
        code: REFUSED,
        says: &["a.c:20:6: the program should begin in `declared`, which has no body"],
    },
    Case {
        args: &["a.c", "b.c", "--entry", "hidden"],
        code: REFUSED,
        says: &["b.c:1:13: the program", "two functions have this name; the other is at a.c:11:12"],
    },
    Case {
        args: &["a.c", "--entry", "nowhere"],
        code: REFUSED,
        says: &["a.c: there is no function `nowhere`"],
    },
    Case {
        args: &["a.c", "--entry", "pthread_exit"],
        code: REFUSED,
        says: &["a.c: there is no function `pthread_exit`"],
    },
    Case { args: &["m.rely", "--entry", "main"], code: REFUSED, says: &["m.rely: this is no C"] },
    Case {
        args: &["a.c", "--entry", "two", "--property", "p.prp"],
        code: REFUSED,
        says: &["p.prp: this property is about `main`"],
    },
];

#[test]
fn a_program_begins_where_it_should() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("entry");
    write_files(&folder, FILES);
    for Case { args, code, says } in CASES {
        let run = rely(&folder, &[&["check"], *args].concat());
        run.must_say(*code, says, &format!("{args:?}"));
    }
}
