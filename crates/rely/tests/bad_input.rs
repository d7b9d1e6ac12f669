//! Whatever file it is given, the command line answers: a verdict, or what is
//! wrong with the file, by its name. It never panics, hangs or takes all memory.

mod support;

#[path = "../../../fuzz/mutate.rs"]
mod mutate;

use ccfa::random::Rng;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{Run, rely, root};

/// No run of these tests may take longer.
const SOON: Duration = Duration::from_secs(120);
/// What a run may need at most; the supervisor is asked to keep it.
const MEGABYTES: &str = "3000";

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad-input").join(name);
    std::fs::create_dir_all(&folder).expect("folders can be made");
    folder
}

/// Runs both commands on a file with this content; what `check` gave.
fn run(name: &str, content: &[u8]) -> Run {
    let folder = folder(&name.replace('.', "-"));
    std::fs::write(folder.join(name), content).expect("files can be written");
    both(&folder, name)
}

fn both(folder: &Path, name: &str) -> Run {
    let show = rely(folder, &["show", name]);
    must_answer(name, &show);
    let limits = ["--timeout", "50", "--memory-limit", MEGABYTES];
    let check = rely(folder, &[&["check", name], &limits[..]].concat());
    must_answer(name, &check);
    assert_eq!(show.code == 2, check.code == 2, "{name}: show and check differ: {}", check.all());
    check
}

fn must_answer(name: &str, run: &Run) {
    let start: String = run.all().chars().take(2000).collect();
    assert!([0, 2, 10, 20].contains(&run.code), "{name}: {start}");
    assert!(!run.stderr.contains("internal error"), "{name}: {start}");
    assert!(!run.stderr.contains("panicked"), "{name}: {start}");
    assert!(run.time < SOON, "{name} took {:?}", run.time);
    if run.code == 2 {
        assert_eq!(run.stdout, "", "{name}");
        assert!(run.stderr.starts_with("error: "), "{name}: {start}");
        assert!(run.stderr.contains(name), "{name} is not named: {start}");
        assert!(run.stderr.len() < 100_000, "{name}: a long complaint helps nobody");
    }
}

/// The file is refused, and the message contains all of `parts`.
fn refused(name: &str, content: impl AsRef<[u8]>, parts: &[&str]) {
    refused_run(name, &run(name, content.as_ref()), parts);
}

fn refused_run(name: &str, run: &Run, parts: &[&str]) {
    assert_eq!(run.code, 2, "{name}: {}", run.all());
    for part in parts {
        assert!(run.stderr.contains(part), "{name}: no \"{part}\" in {}", run.stderr);
    }
}

/// The file is read as if nothing were odd about it.
fn decided(name: &str, content: impl AsRef<[u8]>, code: i32) {
    let run = run(name, content.as_ref());
    assert_eq!(run.code, code, "{name}: {}", run.all());
}

const SMALL: &str =
    "void reach_error(void);\nint x;\nint main(void)\n{\n    if (x) reach_error();\n}\n";

#[test]
fn files_that_are_not_there() {
    let folder = folder("none");
    for name in ["missing.c", "missing.i", "missing.rely"] {
        refused_run(name, &both(&folder, name), &["there is no such file"]);
    }
    for name in ["folder.c", "folder.i", "folder.rely"] {
        std::fs::create_dir_all(folder.join(name)).expect("folders can be made");
        refused_run(name, &both(&folder, name), &["directory"]);
    }
}

#[cfg(unix)]
#[test]
fn files_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("unreadable");
    for name in ["secret.c", "secret.i", "secret.rely"] {
        let file = folder.join(name);
        let _ = std::fs::remove_file(&file);
        std::fs::write(&file, SMALL).expect("files can be written");
        let none = std::fs::Permissions::from_mode(0o000);
        std::fs::set_permissions(&file, none).expect("one may take one's own rights");
        if std::fs::read(&file).is_err() {
            refused_run(name, &both(&folder, name), &["cannot read", "denied"]);
        } else if name != "secret.c" {
            // Root may read everything but the memory of a process from its start, which the preprocessor takes for an empty file.
            std::fs::remove_file(&file).expect("files can be removed");
            std::os::unix::fs::symlink("/proc/self/mem", &file).expect("links can be made");
            refused_run(name, &both(&folder, name), &["cannot read"]);
        }
    }
}

#[test]
fn files_without_a_program() {
    for name in ["empty.c", "empty.i"] {
        refused(name, "", &["main"]);
    }
    for name in ["comments.c", "comments.i"] {
        refused(name, "/* nothing */\n// here\n", &["main"]);
    }
    refused("blank.i", " \n\t\r\n\x0c\n", &["main"]);
    refused("empty.rely", "", &["has no thread"]);
    refused("comment.rely", "// nothing\n", &["has no thread"]);
    refused("prototypes.i", "int main(void);\nint f(void);\n", &["main"]);
}

#[test]
fn files_that_are_no_text() {
    refused("latin1.i", b"int main(void)\n{ char \xe9 = 1; }\n", &["line 2", "UTF-8"]);
    refused("latin1.c", b"int main(void)\n{ char \xe9 = 1; }\n", &["UTF-8"]);
    refused("latin1.rely", b"program p\n\xff\n", &["line 2", "UTF-8"]);
    refused("nul.i", b"int main(void) {\n \0 }\n", &["nul.i:2:2: "]);
    refused("zeros.i", vec![0; 4096], &["zeros.i:1:1: "]);
    refused("zeros.rely", vec![0; 4096], &["zeros.rely:1:1: "]);
    refused("high.i", vec![0xff; 4096], &["line 1", "UTF-8"]);
    let mut rng = Rng::new(1);
    for number in 0..10 {
        let bytes: Vec<u8> = (0..2000).map(|_| rng.number() as u8).collect();
        let ascii: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).collect();
        for end in ["c", "i", "rely"] {
            refused(&format!("random{number}.{end}"), &bytes, &[]);
            refused(&format!("ascii{number}.{end}"), &ascii, &[]);
        }
    }
}

#[test]
fn odd_ends_of_lines_and_marks() {
    let crlf = SMALL.replace('\n', "\r\n");
    decided("crlf.c", &crlf, 0);
    decided("crlf.i", &crlf, 0);
    decided("no-last-line-end.i", SMALL.trim_end(), 0);
    decided("mark.c", format!("\u{feff}{SMALL}"), 0);
    decided("mark.i", format!("\u{feff}{SMALL}"), 0);
    refused("crlf-mistake.i", crlf.replace("if (x)", "if x)"), &["crlf-mistake.i:5:8: "]);
    let marked = SMALL.replace("if (x)", "if x)");
    refused("tab.i", marked.replace("    if", "\tif"), &["tab.i:5:5: "]);
}

#[test]
fn mistakes_for_the_preprocessor() {
    refused("no-header.c", format!("#include <no/such/header.h>\n{SMALL}"), &["no/such/header.h"]);
    refused("error.c", format!("#error not today\n{SMALL}"), &["not today", "error.c:1"]);
    refused("itself.c", format!("#include \"itself.c\"\n{SMALL}"), &["nested"]);
    refused("open.c", format!("#if 1\n{SMALL}"), &["#if"]);
    refused("macro.c", format!("#define F(a) a\nint y = F(;\n{SMALL}"), &["F"]);
    refused("hash.i", format!("{SMALL}#include <assert.h>\n"), &["hash.i:7:1: "]);
}

#[test]
fn line_markers() {
    decided("markers.i", format!("# 1 \"other.c\"\n# 1 \"<built-in>\" 1 3\n{SMALL}"), 0);
    let mistake = "# 7 \"other.c\"\nint main(void) { return }\n";
    refused("markers-mistake.i", mistake, &["markers-mistake.i:2:25: "]);
    for marker in ["# 4294967295 \"f.c\"", "# 99999999999 \"f.c\"", "# 1 \"unclosed", "#line", "# "]
    {
        refused("odd-marker.i", format!("{marker}\nint main(void) {{ return }}\n"), &[":2:25: "]);
    }
    // Through the preprocessor, places are those of the file that was included.
    let folder = folder("markers");
    std::fs::write(folder.join("part.h"), "\nint y = ;\n").expect("files can be written");
    let text = format!("#include \"part.h\"\n{SMALL}");
    std::fs::write(folder.join("whole.c"), text).expect("files can be written");
    let run = rely(&folder, &["check", "whole.c"]);
    assert!(run.code == 2 && run.stderr.contains("part.h:2:9: "), "{}", run.all());
}

/// What comes first, what is repeated, the middle, what closes each, and the end.
type Bomb = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip] // A table.
const BOMBS: &[Bomb] = &[
    ("int x = ", "(", "1", ")", "; int main(void) { return x; }"),
    ("int main(void) ", "{", "", "}", ""),
    ("int ", "*", "x", "", "; int main(void) { return 0; }"),
    ("int ", "(*", "x", ")(void)", "; int main(void) { return 0; }"),
    ("int x; int main(void) { ", "if (x) x = 1; else ", ";", "", "}"),
    ("int x; int main(void) { ", "if (x) { ", ";", "}", "}"),
    ("int x; int main(void) { ", "while (x) ", ";", "", "}"),
    ("int x; int main(void) { return ", "- ", "x", "", "; }"),
    ("int x; int main(void) { return ", "x + ", "x", "", "; }"),
    ("int x; int main(void) { return ", "x ? x : ", "x", "", "; }"),
    ("int x; int main(void) { return ", "({ ", "x", "; })", "; }"),
    ("int x; int main(void) { ", "x = ", "x", "", "; }"),
    ("int x = ", "{", "1", "}", "; int main(void) { return 0; }"),
    ("int x", "[2]", "", "", "; int main(void) { return 0; }"),
    ("int x[] = {", "1, ", "1", "", "}; int main(void) { return x[5]; }"),
    ("", "struct { ", "int x;", " } a;", " int main(void) { return 0; }"),
    ("int main(void) { ", "l: ", ";", "", "}"),
    ("int main(void) { ", "int x; ", ";", "", "}"),
    ("int x; int main(void) { ", "x++; ", ";", "", "}"),
    ("int f(int a) { return a; } int main(void) { return ", "f(", "1", ")", "; }"),
];

/// All bombs of this depth. (A test for each depth: they run side by side.)
fn explode(depth: usize) {
    for (number, &(first, open, middle, close, last)) in BOMBS.iter().enumerate() {
        let text = [first, &open.repeat(depth), middle, &close.repeat(depth), last].concat();
        run(&format!("bomb-{number}-{depth}.i"), text.as_bytes());
    }
}

#[test]
fn deep_200() {
    explode(200);
}

#[test]
fn deep_2_000() {
    explode(2_000);
}

#[test]
fn deep_100_000() {
    explode(100_000);
}

#[test]
fn a_deep_model() {
    let deep =
        format!("program p\nshared x: int = {}0{}\n", "(".repeat(100_000), ")".repeat(100_000));
    run("deep.rely", deep.as_bytes());
}

#[test]
fn long_lines_and_names() {
    let line = SMALL.replace('\n', " ");
    decided("one-line.i", format!("{}{line}", " ".repeat(5_000_000)), 0);
    refused(
        "far.i",
        format!("{}int main(void) {{ return }}", " ".repeat(1_000_000)),
        &[":1:1000025: "],
    );
    let name = "n".repeat(1_000_000);
    decided("name.i", SMALL.replace('x', &name), 0);
    refused(
        "unknown-name.i",
        SMALL.replace("(x)", &format!("({name})")),
        &["unknown-name.i:5:9: "],
    );
    let text = "t".repeat(1_000_000);
    decided("string.i", format!("char *s = \"{text}\";\n{SMALL}"), 0);
    refused("unclosed.i", format!("char *s = \"{text}\n{SMALL}"), &["unclosed.i:1:11: "]);
    refused("comment.i", format!("{SMALL}/* {text}"), &["comment.i:7:1: "]);
    let digits = "9".repeat(1_000_000);
    refused("digits.i", format!("int y = {digits};\n{SMALL}"), &["digits.i:1:9: "]);
}

#[test]
fn twenty_megabytes_of_declarations() {
    let mut text = String::new();
    for number in 0..400_000 {
        text += &format!("extern int function_of_number_{number}(int argument);\n");
    }
    assert!(text.len() > 20_000_000);
    decided("declarations.i", text + SMALL, 0);
}

#[test]
fn twenty_megabytes_that_are_refused() {
    let text = "int x;\n".repeat(3_000_000);
    refused("repeated.i", format!("{text}int main(void) {{ return }}\n"), &[":3000001:25: "]);
    refused(
        "names.i",
        format!("{} int main(void) {{}}", "a ".repeat(10_000_000)),
        &["names.i:1:1: "],
    );
}

/// Too much to be modelled: an answer within the limits, or a complaint.
#[test]
fn programs_that_are_too_large() {
    for (name, text) in [
        ("array.i", "int a[2000000000]; int main(void) { return a[7]; }"),
        ("arrays.i", "int a[60000][60000]; int main(void) { return a[7][7]; }"),
        ("struct.i", "struct s { char c[1000000000]; } x, y; int main(void) { x = y; }"),
        ("local.i", "int main(void) { int a[100000000]; a[3] = 1; return a[3]; }"),
        ("too-large.i", "char a[0x7fffffffffffffff]; int main(void) { return a[0]; }"),
        ("over.i", "char a[0xffffffffffffffff]; int main(void) { return a[0]; }"),
        ("sized.i", "int x[] = {[500000000] = 1}; int main(void) { return x[0]; }"),
        ("ranges.i", "int x[] = {[0 ... 500000000] = 1}; int main(void) { return x[0]; }"),
        ("cases.i", "int x; int main(void) { switch (x) { case 0 ... 2000000000: x = 1; } }"),
        (
            "heap.i",
            "void *malloc(unsigned long); int main(void) { char *p = malloc(1ul << 40); *p = 1; }",
        ),
    ] {
        run(name, text.as_bytes());
    }
    // Each function calls the next one twice: 2^60 calls.
    let mut calls = "int x; void f0(void) { x++; }\n".to_string();
    for number in 1..60 {
        let callee = number - 1;
        calls += &format!("void f{number}(void) {{ f{callee}(); f{callee}(); }}\n");
    }
    run("calls.i", format!("{calls}int main(void) {{ f59(); }}\n").as_bytes());
}

/// Mutants of the examples, cut off, and with bytes changed.
#[test]
fn mutated_files() {
    let files = mutate::files(&[root().join("examples")]);
    let texts: Vec<String> =
        files.iter().map(|file| std::fs::read_to_string(file).expect("an example")).collect();
    for number in 0..40 {
        let mut rng = Rng::new(number);
        let mut bytes = rng.pick(&texts).clone().into_bytes();
        if rng.one_in(2) {
            bytes.truncate(rng.below(bytes.len()));
        } else {
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(bytes.len());
                bytes[at] = *rng.pick(b"(){}[];,*&=+-<>!09ax \"'\n#\xff\0");
            }
        }
        let name = format!("mutant{number}.c");
        let folder = folder("mutants");
        std::fs::write(folder.join(&name), bytes).expect("files can be written");
        must_answer(&name, &rely(&folder, &["show", &name]));
        let limits = ["--timeout", "2", "--memory-limit", MEGABYTES];
        must_answer(&name, &rely(&folder, &[&["check", &name], &limits[..]].concat()));
    }
}

#[test]
fn the_same_model_every_time() {
    for file in mutate::files(&[root().join("examples")]) {
        let name = file.display().to_string();
        let show = || rely(&root(), &["show", &name]).all();
        assert!(show() == show(), "`rely show {name}` differs from time to time");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "every example twice: left to release builds")]
fn the_same_answer_every_time() {
    for file in mutate::files(&[root().join("examples")]) {
        let name = file.display().to_string();
        let args = ["check", &name, "--check", "assertions", "--timeout", "50"];
        let check = || without_times(&rely(&root(), &args).all());
        let (first, second) = (check(), check());
        // Engines take turns by the clock: the answer is the same, the engine need not be.
        let (first, second) = match engine(&first) == engine(&second) {
            true => (&first[..], &second[..]),
            false => (answer(&first), answer(&second)),
        };
        assert_eq!(first, second, "`rely check {name}` differs from time to time");
    }
}

/// Who decided, in a report.
fn engine(report: &str) -> Option<&str> {
    report.split("Engine: ").nth(1)
}

/// The exit code and the answer of a report.
fn answer(report: &str) -> &str {
    let lines = report.match_indices('\n').nth(1);
    &report[..lines.map_or(report.len(), |(end, _)| end)]
}

/// A report without its times.
fn without_times(text: &str) -> String {
    let is_time = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    let line =
        |line: &str| line.split(' ').filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The promise about memory is kept while a file is read, too.
#[test]
fn little_memory() {
    let text = format!("int x[] = {{{}}};\n{SMALL}", "1, ".repeat(5_000_000));
    let folder = folder("little-memory");
    std::fs::write(folder.join("values.i"), text).expect("files can be written");
    let run = rely(&folder, &["check", "values.i", "--memory-limit", "100", "--timeout", "20"]);
    must_answer("values.i", &run);
    assert_eq!(run.code, 20, "{}", run.all());
    assert!(run.stdout.contains("memory"), "{}", run.all());
}

/// All declarations of one name must agree, and there is one definition: both places are told. What gcc takes for the same is taken.
#[test]
fn declarations_that_disagree() {
    let main = "int main(void) { return 0; }\n";
    for (number, (text, part)) in [
        ("extern int x;\nlong x;\n", ".i:2:6: `x` has another type; the other is at "),
        ("int a[2];\nextern int a[3];\n", ".i:2:12: `a` has another type; the other is at "),
        ("int x = 1;\nint x = 2;\n", ".i:2:5: `x` is defined twice; the other is at "),
        ("int f(int);\nlong f(int n) { return n; }\n", ".i:2:6: `f` has another type; the other"),
        ("int f(int n) { return n; }\nint f(int, int);\n", ".i:2:5: `f` has another type"),
        ("void g(void) { int f(long); }\nint f(int n) { return n; }\n", ".i:2:5: `f` has"),
        ("struct s { int n; } x;\nextern struct t { int n; } x;\n", ".i:2:28: `x` has another"),
        ("int f(void) { return 1; }\nint f(void) { return 2; }\n", ".i:2:5: `f` has two bodies"),
    ]
    .into_iter()
    .enumerate()
    {
        refused(&format!("disagree{number}.i"), format!("{text}{main}"), &[part]);
    }
    for (number, text) in [
        "extern int a[];\nint a[3];\nextern int a[];\n",
        "struct s;\nextern struct s x;\nstruct s { int n; } x;\n",
        "int f();\nint f(int n) { return n; }\nint f();\n",
        "int f(c) char c; { return c; }\nint f(int);\n",
        "int f(const int n);\nint f(int);\nint f(int n) { return n; }\n",
        "int f(int a[3], int g(void));\nint f(int *a, int (*g)(void)) { return 0; }\n",
        "int g(void) { return f(1); }\nlong f(void) { return 1; }\n",
        "typedef unsigned long size_t;\nvoid *memcpy(void *, void *, size_t);\nint abs(long);\n",
        "void g(void) { long x; { extern int x; } }\nint x;\n",
        "enum e { A, B };\nunsigned f(void);\nenum e f(void) { return A; }\n",
    ]
    .into_iter()
    .enumerate()
    {
        decided(&format!("agree{number}.i"), format!("{text}{main}"), 0);
    }
}

/// What stands for a function without a body must fit it.
#[test]
fn stubs_that_stand_for_nothing() {
    let cases = [
        (
            "other-type.c",
            "int f(int x);\nint rely_stub_f(long x) { return 1; }\n",
            ":2:5",
            "has another type; the other is at other-type.c:1:5",
        ),
        (
            "no-function.c",
            "int g(void);\nint rely_stub_f(void) { return 1; }\n",
            ":2:5",
            "no such function",
        ),
        (
            "has-body.c",
            "int f(void) { return 1; }\nint rely_stub_f(void) { return 1; }\n",
            ":2:5",
            "has a body",
        ),
        (
            "known.c",
            "int atoi(const char *text);\nint rely_stub_atoi(const char *text) { return 1; }\n",
            ":2:5",
            "define `atoi` itself",
        ),
    ];
    for (name, text, place, message) in cases {
        refused(name, format!("{text}int main(void) {{ return 0; }}\n"), &[place, message]);
    }
}
