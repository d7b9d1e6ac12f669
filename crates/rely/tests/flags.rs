//! Flags of the compiler: what they mean, with a program that notices, or that they are refused by their names.

mod support;

use std::path::Path;
use support::{REFUSED, SAFE, UNSAFE, rely, write_files};

/// Arguments, what the command exits with, and what it says.
struct Case {
    args: &'static [&'static str],
    code: i32,
    says: &'static [&'static str],
}

/// What the cases are about.
const FILES: &[(&str, &str)] = &[
    ("ok.c", "#include <assert.h>\nint main(void) { assert(1); return 0; }\n"),
    (
        "n.c",
        "#include <assert.h>\n#ifndef N\n#define N 0\n#endif\nint main(void) { assert(N == 7); return 0; }\n",
    ),
    ("seven.h", "#define N 7\n"),
    ("include/seven.h", "#define N 7\n"),
    ("other/seven.h", "#define N 8\n"),
    ("header.c", "#include <seven.h>\n#include \"n.c\"\n"),
    ("quoted.c", "#include \"part/seven.h\"\n#include \"n.c\"\n"),
    ("other/part/seven.h", "#define N 7\n"),
    ("wrap.c", "int main(void) { int x = 2147483647; return x + 1 < x ? 0 : *(int *)0; }\n"),
    ("long.c", "#include <assert.h>\nint main(void) { assert(sizeof(long) == 4); return 0; }\n"),
    (
        "standard.c",
        "#include <assert.h>\nint main(void) { assert(__STDC_VERSION__ == 199901L); return 0; }\n",
    ),
    (
        "ansi.c",
        "#include <assert.h>\n#ifdef __STRICT_ANSI__\n#define STRICT 1\n#else\n#define STRICT 0\n#endif\nint main(void) { assert(STRICT); return 0; }\n",
    ),
    (
        "threads.c",
        "#include <assert.h>\n#ifndef _REENTRANT\n#define _REENTRANT 0\n#endif\nint main(void) { assert(_REENTRANT); return 0; }\n",
    ),
    (
        "optimised.c",
        "#include <assert.h>\n#if defined __OPTIMIZE__ && !defined __NO_INLINE__\n#define IS 1\n#else\n#define IS 0\n#endif\nint main(void) { assert(IS); return 0; }\n",
    ),
    (
        "small.c",
        "#include <assert.h>\n#if defined __OPTIMIZE_SIZE__ && !defined __PIC__\n#define IS 1\n#else\n#define IS 0\n#endif\nint main(void) { assert(IS); return 0; }\n",
    ),
    (
        "guarded.c",
        "#include <assert.h>\n#ifndef __SSP_STRONG__\n#define __SSP_STRONG__ 0\n#endif\nint main(void) { assert(__SSP_STRONG__ == 3 && __PIC__ == 1); return 0; }\n",
    ),
    (
        "inline.c",
        "#include <assert.h>\n#ifdef __GNUC_GNU_INLINE__\n#define IS 1\n#else\n#define IS 0\n#endif\nint main(void) { assert(IS); return 0; }\n",
    ),
    (
        "sanitized.c",
        "#include <assert.h>\n#ifndef __SANITIZE_ADDRESS__\n#define __SANITIZE_ADDRESS__ 0\n#endif\nint main(void) { assert(__SANITIZE_ADDRESS__); return 0; }\n",
    ),
    (
        "library.c",
        "#include <assert.h>\n#include <ctype.h>\n#include <stdio.h>\n#include <string.h>\n#ifndef N\n#define N 3\n#endif\n\
         int main(void) {\n    char text[8];\n    memset(text, 0, sizeof text);\n    strcpy(text, \"12\");\n    strcat(text, \"3\");\n    \
         memcpy(text + 4, text, 4);\n    printf(\"%s %d\", text, tolower('A'));\n    assert(strlen(text) == N && text[4] == '1');\n}\n",
    ),
    ("args", "-DN=7 n.c\n"),
    ("nested", "'@args'"),
    ("itself", "@itself n.c"),
    ("quotes", r#"-D 'TEXT="a b"' -DN=\7 "n.c""#),
    ("open", "'n.c"),
    ("part2.c", "int other(void) { return 0; }\n"),
];

const CASES: &[Case] = &[
    // Macros.
    Case { args: &["-DN=7", "n.c"], code: SAFE, says: &[] },
    Case { args: &["n.c", "-D", "N=7"], code: SAFE, says: &[] },
    Case { args: &["-DN=8", "n.c"], code: UNSAFE, says: &["assert(N == 7)"] },
    Case { args: &["-DN=8", "-UN", "-DN=7", "n.c"], code: SAFE, says: &[] },
    Case { args: &["-DN=7", "-U", "N", "n.c"], code: UNSAFE, says: &[] },
    Case { args: &["-Wp,-DN=7,-MD,n.d", "n.c"], code: SAFE, says: &[] },
    Case { args: &["--compiler-flag", "-DN=7", "n.c"], code: SAFE, says: &[] },
    Case { args: &["--compiler-flag=-D", "--compiler-flag=N=7", "n.c"], code: SAFE, says: &[] },
    // Headers.
    Case { args: &["-include", "seven.h", "n.c"], code: SAFE, says: &[] },
    Case { args: &["-include", "seven.h", "-Iother", "n.c"], code: SAFE, says: &[] },
    Case { args: &["-include", "part/seven.h", "-I", "other", "n.c"], code: SAFE, says: &[] },
    Case { args: &["-imacros", "other/seven.h", "n.c"], code: UNSAFE, says: &[] },
    Case { args: &["-include", "none.h", "n.c"], code: REFUSED, says: &["none.h"] },
    Case { args: &["-I", "include", "-I", "other", "header.c"], code: SAFE, says: &[] },
    Case { args: &["-Iother", "-Iinclude", "header.c"], code: UNSAFE, says: &[] },
    Case { args: &["-isystem", "other", "-Iinclude", "header.c"], code: SAFE, says: &[] },
    Case { args: &["-isystem", "other", "header.c"], code: UNSAFE, says: &[] },
    Case { args: &["-isystemother", "header.c"], code: UNSAFE, says: &[] },
    Case { args: &["-iquote", "other", "quoted.c"], code: SAFE, says: &[] },
    Case { args: &["-iquote", "include", "header.c"], code: REFUSED, says: &["seven.h"] },
    // Which C.
    Case { args: &["-std=c99", "standard.c"], code: SAFE, says: &[] },
    Case { args: &["-std=gnu17", "standard.c"], code: UNSAFE, says: &[] },
    Case { args: &["-std=gnu17", "-std=gnu99", "standard.c"], code: SAFE, says: &[] },
    Case { args: &["-ansi", "ansi.c"], code: SAFE, says: &[] },
    Case { args: &["ansi.c"], code: UNSAFE, says: &[] },
    Case { args: &["-std=gnu23", "ok.c"], code: REFUSED, says: &["-std=gnu23", "2017"] },
    Case { args: &["-std=c++17", "ok.c"], code: REFUSED, says: &["-std=c++17"] },
    Case { args: &["-x", "c", "ok.c"], code: SAFE, says: &[] },
    Case { args: &["-xc++", "ok.c"], code: REFUSED, says: &["-xc++", "rely reads C only"] },
    Case { args: &["-std=gnu90", "-m32", "ok.c"], code: REFUSED, says: &["1990"] },
    // Sizes of types, arithmetic.
    Case { args: &["-m32", "long.c"], code: SAFE, says: &[] },
    Case { args: &["-m64", "long.c"], code: UNSAFE, says: &[] },
    Case { args: &["-m32", "-m64", "long.c"], code: UNSAFE, says: &[] },
    Case { args: &["--data-model", "ilp32", "long.c"], code: SAFE, says: &[] },
    Case {
        args: &["--data-model", "lp64", "-m32", "long.c"],
        code: REFUSED,
        says: &["contradict"],
    },
    Case { args: &["wrap.c"], code: UNSAFE, says: &["overflow"] },
    Case { args: &["-fwrapv", "wrap.c"], code: SAFE, says: &["wraps around"] },
    Case { args: &["-fno-strict-overflow", "wrap.c"], code: SAFE, says: &[] },
    Case { args: &["-fwrapv", "-fno-wrapv", "wrap.c"], code: UNSAFE, says: &["overflow"] },
    Case { args: &["-pthread", "threads.c"], code: SAFE, says: &[] },
    Case { args: &["threads.c"], code: UNSAFE, says: &[] },
    // What changes nothing.
    Case {
        args: &[
            "-c",
            "-O2",
            "-g",
            "-Wall",
            "-Werror=format",
            "-fPIC",
            "-o",
            "ok.o",
            "ok.c",
            "-lm",
            "-Wl,-rpath,/lib",
        ],
        code: SAFE,
        says: &[],
    },
    Case {
        args: &["-fno-strict-aliasing", "-fstack-protector-strong", "-MMD", "-MF", "x.d", "ok.c"],
        code: SAFE,
        says: &[],
    },
    Case { args: &["-march=x86-64", "-mno-sse4", "-pipe", "ok.c"], code: SAFE, says: &[] },
    // What changes macros only.
    Case { args: &["-O2", "optimised.c"], code: SAFE, says: &[] },
    Case { args: &["-O2", "-O0", "optimised.c"], code: UNSAFE, says: &[] },
    Case { args: &["-O2", "-fno-inline", "optimised.c"], code: UNSAFE, says: &[] },
    Case { args: &["optimised.c"], code: UNSAFE, says: &[] },
    Case { args: &["-Os", "-fno-pic", "small.c"], code: SAFE, says: &[] },
    Case { args: &["-O2", "-fno-pic", "small.c"], code: UNSAFE, says: &[] },
    Case { args: &["-Os", "-fPIC", "small.c"], code: UNSAFE, says: &[] },
    Case { args: &["-fpic", "-fstack-protector-strong", "guarded.c"], code: SAFE, says: &[] },
    Case { args: &["-fPIC", "-fstack-protector-strong", "guarded.c"], code: UNSAFE, says: &[] },
    Case { args: &["-fpic", "-fno-stack-protector", "guarded.c"], code: UNSAFE, says: &[] },
    Case { args: &["-fgnu89-inline", "inline.c"], code: SAFE, says: &[] },
    Case { args: &["-std=gnu89", "inline.c"], code: SAFE, says: &[] },
    Case { args: &["-fgnu89-inline", "-fno-gnu89-inline", "inline.c"], code: UNSAFE, says: &[] },
    Case { args: &["-fsanitize=address", "sanitized.c"], code: SAFE, says: &[] },
    Case {
        args: &["-fsanitize=address", "-fno-sanitize=address", "sanitized.c"],
        code: UNSAFE,
        says: &[],
    },
    // Headers of the library have other text then, which means the same.
    Case { args: &["-O2", "-D_FORTIFY_SOURCE=2", "library.c"], code: SAFE, says: &[] },
    Case { args: &["-O2", "-D_FORTIFY_SOURCE=2", "-DN=4", "library.c"], code: UNSAFE, says: &[] },
    // What is not modelled.
    Case { args: &["-funsigned-char", "ok.c"], code: REFUSED, says: &["`-funsigned-char` makes"] },
    Case { args: &["-fshort-enums", "ok.c"], code: REFUSED, says: &["`-fshort-enums` gives"] },
    Case { args: &["-fpack-struct=1", "ok.c"], code: REFUSED, says: &["`-fpack-struct=1` gives"] },
    Case { args: &["-fopenmp", "ok.c"], code: REFUSED, says: &["`-fopenmp` makes threads"] },
    Case { args: &["-ftrapv", "ok.c"], code: REFUSED, says: &["`-ftrapv` ends"] },
    Case { args: &["-Ofast", "ok.c"], code: REFUSED, says: &["`-Ofast`"] },
    Case { args: &["-mx32", "ok.c"], code: REFUSED, says: &["`-mx32`"] },
    Case { args: &["-Wl,--wrap=malloc", "ok.c"], code: REFUSED, says: &["`-Wl,--wrap=malloc`"] },
    Case {
        args: &["-Wl,--as-needed,--wrap=malloc", "ok.c"],
        code: REFUSED,
        says: &["`-Wl,--as-needed,--wrap=malloc` is for the linker"],
    },
    Case { args: &["-fnew-flag", "ok.c"], code: REFUSED, says: &["`-fnew-flag`", "not know"] },
    Case { args: &["-fno-new-flag", "ok.c"], code: REFUSED, says: &["`-fno-new-flag`"] },
    Case { args: &["-mno-new", "ok.c"], code: REFUSED, says: &["`-mno-new`"] },
    Case { args: &["-Wp,-fopenmp", "ok.c"], code: REFUSED, says: &["`-fopenmp`"] },
    Case { args: &["ok.c", "-include"], code: REFUSED, says: &["`-include` needs a value"] },
    Case { args: &["--compiler-flag=x", "ok.c"], code: REFUSED, says: &["`x` is no flag"] },
    // Files of arguments.
    Case { args: &["@args"], code: SAFE, says: &[] },
    Case { args: &["@nested"], code: SAFE, says: &[] },
    Case { args: &["@quotes"], code: SAFE, says: &[] },
    Case { args: &["@args", "-UN"], code: UNSAFE, says: &[] },
    Case { args: &["@itself"], code: REFUSED, says: &["@itself"] },
    Case { args: &["@open"], code: REFUSED, says: &["`@open`: a quote is not closed"] },
    Case { args: &["@none"], code: REFUSED, says: &["@none: there is no such file"] },
];

#[test]
fn flags_mean_what_they_mean_to_gcc() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flags");
    write_files(&folder, FILES);
    for Case { args, code, says } in CASES {
        let run = rely(&folder, &[&["check"], *args].concat());
        run.must_say(*code, says, &format!("{args:?}"));
        // `rely show` reads the program in the same way.
        let shown = rely(&folder, &[&["show"], *args].concat());
        assert_eq!(shown.code == REFUSED, *code == REFUSED, "{args:?}: {}", shown.all());
    }
}

/// What stands behind `--` is a file, and the values of our own options are no flags.
#[test]
fn only_flags_are_flags() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flags-or-not");
    write_files(&folder, &[("-DN.c", "int main(void) { return 0; }\n")]);
    assert_eq!(rely(&folder, &["check", "--", "-DN.c"]).code, SAFE);
    assert_eq!(rely(&folder, &["check", "-DN.c"]).code, REFUSED);
    assert_eq!(rely(&folder, &["check", "-v", "--", "-DN.c"]).code, SAFE);
}
