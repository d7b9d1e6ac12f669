//! Projects: files and flags come from `compile_commands.json`, and what is wrong there is refused with its place.

mod support;

use std::path::Path;
use support::{REFUSED, SAFE, UNSAFE, rely, write_files};

/// A `compile_commands.json`, arguments beside it, what the command exits with, and what it says.
struct Case {
    name: &'static str,
    json: &'static str,
    args: &'static [&'static str],
    code: i32,
    says: &'static [&'static str],
}

/// The sources of all cases.
const FILES: &[(&str, &str)] = &[
    (
        "src/main.c",
        "#include <assert.h>\n#include \"part.h\"\nint main(void) { assert(part() == N); return 0; }\n",
    ),
    ("src/part.c", "#include \"part.h\"\nint part(void) { return N; }\n"),
    ("src/include/part.h", "int part(void);\n"),
    (
        "src/second.c",
        "#include \"part.h\"\nint main(void) { return part() == N ? 0 : *(int *)0; }\n",
    ),
    ("src/wide.c", "int part(void) { return sizeof(long); }\n"),
    ("src/bad.c", "int part(void) { return N }\n"),
    ("src/late.h", "#define N 4\n"),
    ("src/more.txt", "-DN=4 -Iinclude"),
    ("harness.c", "int part(void);\nint main(void) { return part() == 4 ? 0 : *(int *)0; }\n"),
    ("part.cpp", "int part() { return 4; }\n"),
    ("late.h", "#define N 9\n"),
];

const CASES: &[Case] = &[
    Case {
        name: "words, and a command; directories begin at the file",
        json: r#"[{"directory": "src", "file": "main.c", "arguments": ["gcc", "-Iinclude", "-DN=4", "-c", "main.c"], "output": "x.o"},
                  {"directory": "src", "file": "part.c", "command": "cc -O2 -I include '-DN=4' -o part.o -c part.c"}]"#,
        args: &[],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "each file has its own flags",
        json: r#"[{"directory": "src", "file": "main.c", "arguments": ["gcc", "-Iinclude", "-DN=4", "main.c"]},
                  {"directory": "src", "file": "part.c", "arguments": ["gcc", "-Iinclude", "-DN=5", "part.c"]}]"#,
        args: &[],
        code: UNSAFE,
        says: &["assert(part() == N)", "src/main.c:3"],
    },
    Case {
        name: "some files of the project",
        json: r#"[{"directory": "src", "file": "main.c", "command": "cc -Iinclude -DN=4 main.c"},
                  {"directory": "src", "file": "second.c", "command": "cc -Iinclude -DN=5 second.c"},
                  {"directory": "src", "file": "part.c", "command": "cc -Iinclude -DN=4 part.c"}]"#,
        args: &["src/main.c", "src/part.c"],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "two programs in one project",
        json: r#"[{"directory": "src", "file": "main.c", "command": "cc -Iinclude -DN=4 main.c"},
                  {"directory": "src", "file": "second.c", "command": "cc -Iinclude -DN=5 second.c"},
                  {"directory": "src", "file": "part.c", "command": "cc -Iinclude -DN=4 part.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["src/second.c:2:5: `main` has two bodies; the other is at src/main.c:3:5"],
    },
    Case {
        name: "a harness that is none of the project's",
        json: r#"[{"directory": "src", "file": "part.c", "command": "cc -Iinclude -DN=4 part.c"}]"#,
        args: &["--verbose", "harness.c", "src/part.c"],
        code: SAFE,
        says: &["`harness.c` is not in `compile_commands.json`"],
    },
    Case {
        name: "flags of the command line come behind those of the project, with paths from here",
        json: r#"[{"directory": "src", "file": "main.c", "command": "cc -Iinclude -DN=4 main.c"},
                  {"directory": "src", "file": "part.c", "command": "cc -DN=5 part.c"}]"#,
        args: &["-Isrc/include", "-UN", "-DN=6"],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a header that is included is looked for where the compiler is started",
        json: r#"[{"directory": "src", "file": "part.c", "command": "cc -include late.h -Iinclude part.c"}]"#,
        args: &["harness.c", "src/part.c"],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a header of the command line is looked for here",
        json: r#"[{"directory": "src", "file": "part.c", "command": "cc -Iinclude part.c"}]"#,
        args: &["harness.c", "src/part.c", "-include", "late.h"],
        code: UNSAFE,
        says: &[],
    },
    Case {
        name: "arguments in a file",
        json: r#"[{"directory": "src", "file": "part.c", "arguments": ["cc", "@more.txt", "part.c"]}]"#,
        args: &["harness.c", "src/part.c"],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "arguments in a file that is not there",
        json: r#"[{"directory": "src", "file": "part.c", "arguments": ["cc", "@none.txt", "part.c"]}]"#,
        args: &["harness.c", "src/part.c"],
        code: REFUSED,
        says: &["compile_commands.json:1:61: `@none.txt`: there is no such file of arguments"],
    },
    Case {
        name: "a file that is compiled twice in one way",
        json: r#"[{"directory": "src", "file": "part.c", "command": "cc -Iinclude -DN=4 -o a.o part.c"},
                  {"directory": ".", "file": "harness.c", "command": "cc harness.c"},
                  {"directory": "src", "file": "../src/part.c", "command": "cc -Iinclude -g -DN=4 -o b.o part.c"}]"#,
        args: &[],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a file that is compiled twice, and can ask whether it may be loaded anywhere",
        json: r#"[{"directory": "src", "file": "part.c", "command": "cc -Iinclude -DN=4 -o a.o part.c"},
                  {"directory": "src", "file": "part.c", "command": "cc -Iinclude -fPIC -DN=4 -o b.o part.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["`part.c` is compiled twice, with other flags"],
    },
    Case {
        name: "a file that is compiled in two ways",
        json: "[{\"directory\": \"src\", \"file\": \"part.c\", \"command\": \"cc -DN=4 part.c\"},\n\
               {\"directory\": \"src\", \"file\": \"part.c\", \"command\": \"cc -DN=5 part.c\"}]",
        args: &[],
        code: REFUSED,
        says: &[
            "compile_commands.json:2:30: `part.c` is compiled twice, with other flags; the other is at compile_commands.json:1:31",
        ],
    },
    Case {
        name: "all files are for 32 bits",
        json: r#"[{"directory": "src", "file": "wide.c", "command": "cc -m32 wide.c"},
                  {"directory": ".", "file": "harness.c", "command": "cc -m32 harness.c"}]"#,
        args: &[],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "one file is for 32 bits",
        json: r#"[{"directory": "src", "file": "wide.c", "command": "cc -m32 wide.c"},
                  {"directory": ".", "file": "harness.c", "command": "cc harness.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["harness.c: of this file and `wide.c`, only one has `-m32`"],
    },
    Case {
        name: "a mistake in a file of the project",
        json: r#"[{"directory": "src", "file": "bad.c", "command": "cc -DN=4 bad.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["src/bad.c:1:27", "return N }"],
    },
    Case {
        name: "a flag that is not modelled, among words",
        json: "[{\"directory\": \"src\", \"file\": \"part.c\",\n\"arguments\": [\"cc\", \"-Iinclude\", \"-fopenmp\", \"part.c\"]}]",
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:2:34: `-fopenmp` makes threads"],
    },
    Case {
        name: "a flag that is not modelled, in a command",
        json: "[{\"directory\": \"src\", \"file\": \"part.c\",\n\"command\": \"cc -fopenmp part.c\"}]",
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:2:12: `-fopenmp` makes threads"],
    },
    Case {
        name: "a flag that is not modelled, of a file that is not read",
        json: r#"[{"directory": "src", "file": "main.c", "command": "cc -fopenmp main.c"},
                  {"directory": "src", "file": "part.c", "command": "cc -Iinclude -DN=4 part.c"}]"#,
        args: &["harness.c", "src/part.c"],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a compiler of another language",
        json: r#"[{"directory": "src", "file": "part.c", "command": "/usr/bin/g++ part.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:1:52: `g++` compiles C++"],
    },
    Case {
        name: "a compiler for another machine",
        json: r#"[{"directory": "src", "file": "part.c", "command": "arm-none-eabi-gcc part.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["`arm-none-eabi-gcc` compiles for another machine"],
    },
    Case {
        name: "a compiler for another machine, called by another program",
        json: r#"[{"directory": "src", "file": "part.c", "command": "ccache arm-none-eabi-gcc part.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["`arm-none-eabi-gcc` compiles for another machine"],
    },
    Case {
        name: "a file of another language",
        json: r#"[{"directory": ".", "file": "part.cpp", "command": "c++ part.cpp"}]"#,
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:1:29: rely reads C"],
    },
    Case {
        name: "a file that is not there",
        json: "[{\"directory\": \"src\",\n \"file\": \"none.c\", \"command\": \"cc none.c\"}]",
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:2:10: there is no such file"],
    },
    Case {
        name: "a directory that is not there",
        json: r#"[{"directory": "build", "file": "main.c", "command": "cc main.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:1:16: there is no such directory"],
    },
    Case {
        name: "a command for a shell",
        json: r#"[{"directory": "src", "file": "part.c", "command": "cc -DN=$(cat n) part.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:1:52: a shell would be needed for `$`"],
    },
    Case {
        name: "an open quote",
        json: r#"[{"directory": "src", "file": "part.c", "command": "cc '-DN=4 part.c"}]"#,
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:1:52: a quote is not closed here"],
    },
    Case {
        name: "no JSON",
        json: "[{\"directory\": \"src\",\n  \"file\" \"part.c\"}]",
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:2:10: this is no JSON: `:` is expected here"],
    },
    Case {
        name: "JSON that ends too early",
        json: "[{\"directory\": \"src\"",
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:1:21: this is no JSON: `,` or `}` is expected here"],
    },
    Case {
        name: "JSON with more behind it",
        json: "[] []",
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:1:4: this is no JSON: the end of the file"],
    },
    Case {
        name: "a string that does not end",
        json: "[\"src\n\"]",
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:1:2: "],
    },
    Case {
        name: "nothing",
        json: "",
        args: &[],
        code: REFUSED,
        says: &["compile_commands.json:1:1: this is no JSON: a value"],
    },
    Case {
        name: "no list",
        json: "{}",
        args: &[],
        code: REFUSED,
        says: &[":1:1: a list of commands"],
    },
    Case {
        name: "no file",
        json: "[]",
        args: &[],
        code: REFUSED,
        says: &[":1:1: no file is named"],
    },
    Case {
        name: "entries that are none, all of them told",
        json: "[1,\n{\"file\": \"main.c\"},\n{\"directory\": \"src\", \"file\": 2, \"command\": \"cc\"},\n{\"directory\": \"src\", \"file\": \"main.c\"}]",
        args: &[],
        code: REFUSED,
        says: &[
            "compile_commands.json:1:2: an object is expected",
            "compile_commands.json:2:1: this has no \"directory\"",
            "compile_commands.json:3:30: a string is expected",
            "compile_commands.json:4:1: this has neither \"arguments\" nor a \"command\"",
        ],
    },
    Case {
        name: "escapes",
        json: r#"[{"directory": "src", "file": "\u0070art.c", "arguments": ["cc", "-Iinclude", "-DN=\u0034", "part.c"], "n": [1.5e3, null, true, {}]}]"#,
        args: &["harness.c", "src\u{2f}part.c"],
        code: SAFE,
        says: &[],
    },
    Case {
        name: "a model beside a project",
        json: "[]",
        args: &["model.rely"],
        code: REFUSED,
        says: &["model.rely: a model is read by itself"],
    },
];

#[test]
fn projects_are_read_as_they_are_compiled() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("project");
    for (number, Case { name, json, args, code, says }) in CASES.iter().enumerate() {
        let folder = root.join(number.to_string());
        write_files(&folder, FILES);
        write_files(&folder, &[("compile_commands.json", json)]);
        let project = ["check", "--project", "compile_commands.json"];
        let run = rely(&folder, &[&project, *args].concat());
        run.must_say(*code, says, name);
    }
}

/// Where the command is started does not matter to what the files mean.
#[test]
fn a_project_elsewhere() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("project-elsewhere");
    write_files(&folder, FILES);
    write_files(&folder, &[("compile_commands.json", CASES[1].json)]);
    let run =
        rely(&folder.join("src/include"), &["check", "--project", "../../compile_commands.json"]);
    assert_eq!(run.code, UNSAFE, "{}", run.all());
    assert!(run.all().contains("src/main.c:3"), "{}", run.all());
    let none = rely(&folder, &["check", "--project", "none.json"]);
    assert_eq!(none.code, REFUSED);
    assert!(none.stderr.contains("none.json: there is no such file"), "{}", none.all());
    let nothing = rely(&folder, &["check"]);
    assert_eq!(nothing.code, REFUSED, "{}", nothing.all());
}
