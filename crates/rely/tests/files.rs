//! Programs of several files: they are linked as C links them, and what does not fit together is refused, with both places.

mod support;

use std::path::Path;
use support::{REFUSED, SAFE, UNKNOWN, UNSAFE, rely, write_files};

/// A program: its files, what the command line exits with, and what it says.
struct Case {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    code: i32,
    says: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "static names are a file's own",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nstatic int count = 1;\nstatic int get(void) { return count; }\nint other(void);\nint main(void) { assert(get() + 10 * other() == 21); return 0; }\n",
            ),
            (
                "b.c",
                "static int count = 2;\nstatic int get(void) { return count; }\nint other(void) { return get(); }\n",
            ),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "external names are one thing",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nextern int count;\nvoid tick(void);\nint main(void) { tick(); assert(count == 1); return 0; }\n",
            ),
            ("b.c", "int count;\nvoid tick(void) { count++; count++; }\n"),
        ],
        code: UNSAFE,
        says: &["assert(count == 1)", "a.c:4:"],
    },
    Case {
        name: "a race between files",
        files: &[
            (
                "a.c",
                "#include <pthread.h>\nint shared;\nvoid *other(void *);\nstatic void *run(void *u) { shared = 1; return 0; }\nint main(void) { pthread_t a, b; pthread_create(&a, 0, run, 0); pthread_create(&b, 0, other, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n",
            ),
            (
                "b.c",
                "extern int shared;\nstatic void *run(void *u) { shared = 2; return 0; }\nvoid *other(void *u) { return run(u); }\n",
            ),
        ],
        code: UNSAFE,
        says: &["races: UNSAFE", "a.c:4", "b.c:2"],
    },
    Case {
        name: "start routines of one name",
        files: &[
            (
                "a.c",
                "#include <assert.h>\n#include <pthread.h>\nint one, two;\nvoid start(pthread_t *);\nstatic void *run(void *u) { one = 1; return 0; }\nint main(void) { pthread_t a, b; pthread_create(&a, 0, run, 0); start(&b); pthread_join(a, 0); pthread_join(b, 0); assert(one == 1 && two == 2); return 0; }\n",
            ),
            (
                "b.c",
                "#include <pthread.h>\nextern int two;\nstatic void *run(void *u) { two = 2; return 0; }\nvoid start(pthread_t *t) { pthread_create(t, 0, run, 0); }\n",
            ),
        ],
        code: SAFE,
        says: &["Threads: 3 (main, run, run#2)"],
    },
    Case {
        name: "records of one header, by value and by address",
        files: &[
            (
                "pair.h",
                "#include <pthread.h>\nstruct pair { pthread_mutex_t lock; struct point { int x, y; } at; struct pair *next; };\nstruct point moved(struct point from, int by);\nvoid move(struct pair *pair);\ninline int twice(int n) { return 2 * n; }\n",
            ),
            (
                "a.c",
                "#include <assert.h>\n#include \"pair.h\"\nstatic struct pair pair = {PTHREAD_MUTEX_INITIALIZER, {1, 2}, &pair};\nint main(void) { move(&pair); struct point p = moved(pair.at, twice(2)); assert(p.x == 6 && p.y == 2); return 0; }\n",
            ),
            (
                "b.c",
                "#include \"pair.h\"\nextern inline int twice(int n);\nstruct point moved(struct point from, int by) { from.x += by; return from; }\nvoid move(struct pair *pair) { pthread_mutex_lock(&pair->next->lock); pair->next->at = moved(pair->at, twice(1) - 1); pthread_mutex_unlock(&pair->lock); }\n",
            ),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a type that is the library's in one file and the user's own in another",
        files: &[
            (
                "a.c",
                "#include <assert.h>\n#include <semaphore.h>\nint own(void);\nstatic sem_t s;\nint main(void) { sem_init(&s, 0, 1); sem_wait(&s); assert(own() == 7); return 0; }\n",
            ),
            (
                "b.c",
                "typedef struct { int kind; int value; } sem_t;\nstatic sem_t s = {3, 4};\nint own(void) { return s.kind + s.value; }\n",
            ),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a stub in a file of its own",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nint measure(int n);\nint main(void) { assert(measure(1) >= 0); return 0; }\n",
            ),
            (
                "stubs.c",
                "int measure(int n);\nunsigned __VERIFIER_nondet_uint(void);\nint rely_stub_measure(int n) { return __VERIFIER_nondet_uint() % 8; }\n",
            ),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a definition that is not weak counts",
        files: &[
            (
                "a.c",
                "#include <assert.h>\n__attribute__((weak)) int f(void) { return undeclared(); }\n__attribute__((weak)) int n = 1;\nint m(void);\nint main(void) { assert(f() == 2 && n == 2 && m() == 4); return 0; }\n",
            ),
            ("b.c", "int n = 2;\nint f(void) { return 2; }\nint m(void) { return f() + n; }\n"),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a weak definition counts where there is no other",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nint f(void);\nextern int n;\nint main(void) { assert(f() + n == 5); return 0; }\n",
            ),
            (
                "b.c",
                "#pragma weak f\nint f(void) { return 2; }\nint n __attribute__((weak)) = 3;\n",
            ),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a weak alias is replaced by a definition",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nint own(void) { return 1; }\nint f(void) __attribute__((weak, alias(\"own\")));\nint main(void) { assert(f() == 1); return 0; }\n",
            ),
            ("b.c", "int f(void) { return 2; }\n"),
        ],
        code: UNSAFE,
        says: &["assert(f() == 1)"],
    },
    Case {
        name: "a weak alias of a pragma is replaced by a definition",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nint own(void) { return 1; }\n#pragma weak f = own\nint f(void);\nint main(void) { assert(f() == 1); return 0; }\n",
            ),
            ("b.c", "int f(void) { return 2; }\n"),
        ],
        code: UNSAFE,
        says: &["assert(f() == 1)"],
    },
    Case {
        name: "a weak alias stays where there is no definition",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nint own(void) { return 1; }\nint f(void) __attribute__((weak, alias(\"own\")));\nint g(void);\nint main(void) { assert(f() == g()); return 0; }\n",
            ),
            ("b.c", "static int f(void) { return 1; }\nint g(void) { return f(); }\n"),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a thread that starts in a weak function that is replaced",
        files: &[
            (
                "a.c",
                "#include <pthread.h>\nint shared;\n__attribute__((weak)) void *run(void *u) { return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, run, 0); shared = 1; pthread_join(t, 0); return 0; }\n",
            ),
            ("b.c", "extern int shared;\nvoid *run(void *u) { shared = 2; return 0; }\n"),
        ],
        code: UNSAFE,
        says: &["races: UNSAFE", "b.c:2"],
    },
    Case {
        name: "a body for inlining beside another one: which is called is open",
        files: &[
            (
                "a.c",
                "#include <assert.h>\ninline int f(void) { return 1; }\nint main(void) { assert(f() == 2); return 0; }\n",
            ),
            ("b.c", "extern inline int f(void) { return 2; }\n"),
        ],
        code: UNKNOWN,
        says: &["`f`, which has another body for inlining"],
    },
    Case {
        name: "a body for inlining beside the same one",
        files: &[
            (
                "a.c",
                "#include <assert.h>\ninline int f(int n) { return n; }\nint main(void) { assert(f(2) == 2); return 0; }\n",
            ),
            ("b.c", "extern inline int f(int n)\n{\n  return n;\n}\n"),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a body for inlining behind the one for all",
        files: &[
            ("a.c", "int f(int n) { return n; }\n"),
            (
                "b.c",
                "#include <assert.h>\ninline int f(int n) { return n; }\nint main(void) { assert(f(2) == 2); return 0; }\n",
            ),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a body for inlining behind another one for all",
        files: &[
            ("a.c", "int f(int n) { return n + 1; }\n"),
            (
                "b.c",
                "#include <assert.h>\ninline int f(int n) { return n; }\nint main(void) { assert(f(2) == 2); return 0; }\n",
            ),
        ],
        code: UNKNOWN,
        says: &["`f`, which has another body for inlining"],
    },
    Case {
        name: "a body for inlining in front of two for all",
        files: &[
            ("a.c", "inline int f(int n) { return n; }\nint main(void) { return f(0); }\n"),
            ("b.c", "int f(int n) { return n; }\n"),
            ("c.c", "int f(int n) { return n; }\n"),
        ],
        code: REFUSED,
        says: &["`f` has two bodies"],
    },
    Case {
        name: "bodies for inlining that speak of a variable of their file",
        files: &[
            ("f.h", "static int n;\ninline int f(void) { return ++n; }\n"),
            ("a.c", "#include \"f.h\"\nextern int f(void);\nint g(void) { return f(); }\n"),
            (
                "b.c",
                "#include <assert.h>\n#include \"f.h\"\nint g(void);\nint main(void) { f(); g(); assert(n == 2); return 0; }\n",
            ),
        ],
        code: UNKNOWN,
        says: &["`f`, of which each file has another one"],
    },
    Case {
        name: "bodies for inlining with a variable that stays",
        files: &[
            ("f.h", "inline int f(void) { static int n; return ++n; }\n"),
            ("a.c", "#include \"f.h\"\nextern int f(void);\nint g(void) { return f(); }\n"),
            (
                "b.c",
                "#include <assert.h>\n#include \"f.h\"\nint g(void);\nint main(void) { f(); assert(g() == 2); return 0; }\n",
            ),
        ],
        code: UNKNOWN,
        says: &["`f`, of which each file has another one"],
    },
    Case {
        name: "bodies for inlining that speak of what all files have, and of constants",
        files: &[
            (
                "f.h",
                "extern int n;\nstatic const int step = 1;\ninline int f(void) { static const int from = 1; return n += step * from; }\n",
            ),
            ("a.c", "#include \"f.h\"\nint n;\nextern int f(void);\nint g(void) { return f(); }\n"),
            (
                "b.c",
                "#include <assert.h>\n#include \"f.h\"\nint g(void);\nint main(void) { f(); assert(g() == 2); return 0; }\n",
            ),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a weak definition beside one that is inline",
        files: &[
            (
                "a.c",
                "__attribute__((weak)) int f(void) { return 1; }\nint main(void) { return f(); }\n",
            ),
            ("b.c", "extern inline int f(void) { return 2; }\n"),
        ],
        code: REFUSED,
        says: &["a.c:1:27: `f` is weak here and inline in another file", "b.c:1:19"],
    },
    Case {
        name: "a weak definition beside two that are not",
        files: &[
            ("a.c", "int f(void) { return 1; }\nint main(void) { return f(); }\n"),
            ("b.c", "__attribute__((weak)) int f(void) { return 2; }\n"),
            ("c.c", "int f(void) { return 3; }\n"),
        ],
        code: REFUSED,
        says: &["c.c:1:5: `f` has two bodies; the other is at a.c:1:5"],
    },
    Case {
        name: "a weak definition of another type",
        files: &[
            (
                "a.c",
                "__attribute__((weak)) int f(int n) { return n; }\nint main(void) { return f(1); }\n",
            ),
            ("b.c", "int f(void) { return 3; }\n"),
        ],
        code: REFUSED,
        says: &["b.c:1:5: `f` has another type in another file; the other is at a.c:1:27"],
    },
    Case {
        name: "variables of two types",
        files: &[
            ("a.c", "extern long size;\nint main(void) { return size; }\n"),
            ("b.c", "int size;\n"),
        ],
        code: REFUSED,
        says: &["b.c:1:5: `size` has another type in another file; the other is at a.c:1:13"],
    },
    Case {
        name: "functions of two types",
        files: &[
            ("a.c", "int f(char);\nint main(void) { return f(1); }\n"),
            ("b.c", "int f(int n) { return n; }\n"),
        ],
        code: REFUSED,
        says: &["b.c:1:5: `f` has another type in another file; the other is at a.c:1:5"],
    },
    Case {
        name: "records of two kinds",
        files: &[
            (
                "a.c",
                "struct s { int n; };\nint f(struct s *);\nint main(void) { struct s s = {1}; return f(&s); }\n",
            ),
            ("b.c", "struct s { unsigned n; };\nint f(struct s *s) { return s->n; }\n"),
        ],
        code: REFUSED,
        says: &["b.c:2:5: `f` has another type", "a.c:2:5"],
    },
    Case {
        name: "two definitions",
        files: &[
            ("a.c", "int n;\nint f(void) { return 1; }\nint main(void) { return f(); }\n"),
            ("b.c", "int n;\nint f(void) { return 2; }\n"),
        ],
        code: REFUSED,
        says: &[
            "b.c:1:5: `n` is defined in two files; the other is at a.c:1:5",
            "b.c:2:5: `f` has two bodies; the other is at a.c:2:5",
        ],
    },
    Case {
        name: "thread-local in one file",
        files: &[
            ("a.c", "extern int n;\nint main(void) { return n; }\n"),
            ("b.c", "__thread int n;\n"),
        ],
        code: REFUSED,
        says: &["b.c:1:14: `n` is thread-local in one declaration only; the other is at a.c:1:12"],
    },
    Case {
        name: "thread-local in both",
        files: &[
            (
                "a.c",
                "#include <assert.h>\n#include <pthread.h>\nextern __thread int n;\nvoid *set(void *);\nint main(void) { pthread_t t; pthread_create(&t, 0, set, 0); pthread_join(t, 0); assert(n == 0); return 0; }\n",
            ),
            ("b.c", "__thread int n;\nvoid *set(void *u) { n = 1; return u; }\n"),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a second name in another file",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nextern int x, y;\nint main(void) { y = 3; assert(x == 3); return 0; }\n",
            ),
            ("b.c", "int x;\nextern int y __attribute__((alias(\"x\")));\n"),
        ],
        code: UNKNOWN,
        says: &["`y`, which is a second name of something in another file at a.c:3:18"],
    },
    Case {
        name: "a second name in its own file",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nint x;\nint get(void);\nint main(void) { x = 3; assert(get() == 3); return 0; }\n",
            ),
            (
                "b.c",
                "extern int x;\nstatic int mine;\nextern int own __attribute__((alias(\"mine\")));\nint get(void) { own = 1; return x + mine - 1; }\n",
            ),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "constructors in no fixed order",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nint n;\n__attribute__((constructor)) static void a(void) { n = 10 * n + 1; }\nint main(void) { assert(n == 12); return 0; }\n",
            ),
            (
                "b.c",
                "extern int n;\n__attribute__((constructor)) static void b(void) { n = 10 * n + 2; }\n",
            ),
        ],
        code: UNKNOWN,
        says: &["constructors or destructors of one priority in several files"],
    },
    Case {
        name: "constructors in a fixed order",
        files: &[
            (
                "a.c",
                "#include <assert.h>\nint n;\n__attribute__((constructor(102))) static void a(void) { n = 10 * n + 1; }\nint main(void) { assert(n == 21); return 0; }\n",
            ),
            (
                "b.c",
                "extern int n;\n__attribute__((constructor(101))) static void b(void) { n = 10 * n + 2; }\n",
            ),
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a name of another file that is not declared",
        files: &[
            ("a.c", "int hidden;\nint f(void);\nint main(void) { return f(); }\n"),
            ("b.c", "int f(void) { return hidden; }\n"),
        ],
        code: REFUSED,
        says: &["b.c:1:22", "`hidden` is not declared"],
    },
    Case {
        name: "a mistake in the second file",
        files: &[("a.c", "int main(void) { return 0; }"), ("b.c", "int f(void)\n{ return }\n")],
        code: REFUSED,
        says: &["b.c:2:10"],
    },
    Case {
        name: "a model beside others",
        files: &[("a.c", "int main(void) { return 0; }\n"), ("m.rely", "program \"m\"\n")],
        code: REFUSED,
        says: &["m.rely: a model is read by itself"],
    },
    Case {
        name: "a litmus test beside others",
        files: &[("a.c", "int main(void) { return 0; }\n"), ("t.litmus", "X86 t\n")],
        code: REFUSED,
        says: &["t.litmus: a litmus test is read by itself"],
    },
    Case {
        name: "a file of another kind beside others",
        files: &[("a.c", "int main(void) { return 0; }\n"), ("notes.txt", "int x;\n")],
        code: REFUSED,
        says: &["notes.txt: rely reads .c, .i, .rely and .litmus files"],
    },
];

/// Of weak definitions only, the linker takes the first.
#[test]
fn the_first_weak_definition_counts() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files").join("weak");
    let one = "__attribute__((weak)) int f(void) { return 1; }\n__attribute__((weak)) int n = 1;\n";
    let two = "__attribute__((weak)) int f(void) { return 2; }\n__attribute__((weak)) int n = 2;\n";
    let main = "#include <assert.h>\nint f(void);\nextern int n;\nint main(void) { assert(f() + n == 2); return 0; }\n";
    write_files(&folder, &[("one.c", one), ("two.c", two), ("main.c", main)]);
    for (order, code) in [
        (["one.c", "two.c", "main.c"], SAFE),
        (["main.c", "one.c", "two.c"], SAFE),
        (["two.c", "one.c", "main.c"], UNSAFE),
        (["two.c", "main.c", "one.c"], UNSAFE),
    ] {
        let run = rely(&folder, &[&["check"], &order[..]].concat());
        assert_eq!(run.code, code, "{order:?}: {}", run.all());
    }
}

#[test]
fn files_are_linked() {
    for (number, Case { name, files, code, says }) in CASES.iter().enumerate() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files").join(number.to_string());
        write_files(&folder, files);
        let units = files.iter().map(|(file, _)| *file).filter(|file| !file.ends_with(".h"));
        // Linking does not depend on the order, but for who is blamed.
        let orders: [Vec<&str>; 2] = [units.clone().collect(), units.rev().collect()];
        for order in orders.iter().take(if *code == REFUSED { 1 } else { 2 }) {
            let run = rely(&folder, &[&["check"], &order[..]].concat());
            run.must_say(*code, says, &format!("{name}, {order:?}"));
        }
    }
}
