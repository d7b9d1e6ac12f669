//! The text form: printer and parser agree, and bad texts are refused politely.

use ccfa::random::{self, Rng, Shape};
use ccfa::{BinOp, Expr, Program, Type, UnOp, text, wellformed};
use std::fs;
use std::path::PathBuf;

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/models");

/// Prints, parses, prints: nothing changes.
fn check_round_trip(program: &Program, what: &str) {
    let printed = text::print(program);
    let again = text::parse(&printed).unwrap_or_else(|error| panic!("{what}: {error}\n{printed}"));
    assert_eq!(&again, program, "{what}:\n{printed}");
    assert_eq!(text::print(&again), printed, "{what}");
}

fn models() -> Vec<(PathBuf, String)> {
    let mut paths: Vec<_> = fs::read_dir(MODELS)
        .expect("the folder of models")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "rely"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a readable model");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// After the comment at its top, a model is canonical; those whose names begin
/// with `hand-` show what the parser accepts beyond that. `UPDATE_EXPECT=1`
/// rewrites the others.
#[test]
fn models_are_canonical() {
    let models = models();
    assert!(models.len() >= 12, "only {} models", models.len());
    for (path, source) in models {
        let what = path.display().to_string();
        let program = text::parse(&source).unwrap_or_else(|error| panic!("{what}:{error}"));
        check_round_trip(&program, &what);
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("hand-")) {
            continue;
        }
        let comments = source.split_inclusive('\n').take_while(|line| line.starts_with("//"));
        let head: String = comments.collect();
        assert!(!head.is_empty(), "{what} does not say what it shows");
        let expected = format!("{head}{}", text::print(&program));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, expected).expect("a writable model");
        } else {
            assert_eq!(source, expected, "{what} is not canonical (UPDATE_EXPECT=1 rewrites it)");
        }
    }
}

#[test]
fn random_programs_round_trip() {
    for (name, shape) in [("default", Shape::default()), ("everything", Shape::everything())] {
        for seed in 0..2500 {
            let program = random::program(seed, &shape);
            let what = format!("Shape::{name}, seed {seed}");
            if let Err(problems) = wellformed::check(&program) {
                panic!("{what} is not well-formed: {problems:#?}\n{}", text::print(&program));
            }
            check_round_trip(&program, &what);
        }
    }
}

#[test]
fn random_expressions_round_trip() {
    let shape = Shape { depth: 6, ..Shape::everything() };
    for seed in 0..5000 {
        let program = random::program(seed, &shape);
        let template = Some(&program.templates[0]);
        let vars = random::scope(&program, template);
        let mut rng = Rng::new(seed);
        let ty = *rng.pick(&shape.types);
        let expr = random::expr(&mut rng, &shape, &vars, ty);
        let printed = text::print_expr(&program, template, &expr);
        let again = text::parse_expr(&program, template, ty, &printed);
        assert_eq!(again, Ok(expr), "seed {seed}: {printed}");
    }
}

/// The step `e` makes of `r := e` (for `r` of type `ty`) is printed as `expected`.
fn check_expr(ty: &str, written: &str, expected: &str) {
    let source = format!(
        "shared r: {ty} = any shared a: i32 = 0 shared b: i32 = 0 shared p: bool = false \
         shared q: bool = false shared u: u8 = 0 shared n: int = 0 shared v: i32[4] = 0 \
         const K = 7 template t() {{ l -> l: r := {written} }}"
    );
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{written}: {error}"));
    let step = text::print_step(&program, &program.templates[0], &program.templates[0].edges[0]);
    assert_eq!(step, format!("r := {expected}"), "from {written}");
    check_round_trip(&program, written);
}

#[test]
fn expressions_have_minimal_parentheses_and_types() {
    for (ty, written, expected) in [
        ("i32", "((a) + (b * 2)) - 1", "a + b * 2 - 1"),
        ("i32", "a - (b - 1)", "a - (b - 1)"),
        ("i32", "(a + b) * 2", "(a + b) * 2"),
        ("i32", "a << 1 + b", "a << 1 + b"),
        ("bool", "p || q && p", "p || q && p"),
        ("bool", "(p || q) && p", "(p || q) && p"),
        ("bool", "a > b", "b < a"),
        ("bool", "a >= b && 3 > a", "b <= a && a < 3"),
        ("bool", "(a & b) == 0", "(a & b) == 0"),
        ("bool", "p == (a == b)", "p == (a == b)"),
        ("bool", "a == b == p", "a == b == p"),
        ("bool", "!(a == b) | !p", "!(a == b) | !p"),
        ("i32", "-5", "-5"),
        ("i32", "-(5)", "-(5)"),
        ("i32", "- -5", "-(-5)"),
        ("i32", "a - -5", "a - -5"),
        ("i32", "-(-(a))", "--a"),
        ("i32", "~-a", "~-a"),
        ("i32", "-(a + b)", "-(a + b)"),
        ("i32", "-2147483648", "-2147483648"),
        ("u8", "u8(a)", "u8(a)"),
        ("u8", "u8(300)", "u8(300)"),
        ("u8", "u8(300i32) + 255u8", "u8(300) + 255"),
        ("u8", "u8(5u16)", "u8(5u16)"),
        ("u8", "u8(5u16 + 6)", "u8(5u16 + 6u16)"),
        ("u8", "u << 3", "u << 3"),
        ("u8", "u << 3i32", "u << 3i32"),
        ("u8", "u << a + 1", "u << a + 1"),
        ("bool", "bool(u)", "bool(u)"),
        ("bool", "1 < 2", "1 < 2"),
        ("bool", "1int < 2", "1int < 2int"),
        (
            "bool",
            "n == 170141183460469231731687303715884105727",
            "n == 170141183460469231731687303715884105727",
        ),
        (
            "int",
            "-170141183460469231731687303715884105728",
            "-170141183460469231731687303715884105728",
        ),
        ("i32", "v[0] + v[1u8] + v[n] + v[u - 1]", "v[0] + v[1u8] + v[n] + v[u - 1]"),
        ("i32", "ite(p, a, 0xff)", "ite(p, a, 255)"),
        ("u8", "ite(u == K, K, 1_0)", "ite(u == 7, 7, 10)"),
        ("u8", "any", "any"),
    ] {
        check_expr(ty, written, expected);
    }
}

fn check_error(source: &str, place: (u32, u32), message: &str) {
    let error = text::parse(source).expect_err(source);
    assert_eq!(
        (error.line, error.column, error.message.as_str()),
        (place.0, place.1, message),
        "{source}"
    );
}

#[test]
fn errors_are_placed_and_plain() {
    let template = |body: &str| {
        format!(
            "shared x: u8 = 0\nshared p: bool = false\nshared v: u8[2] = 0\ntemplate t(me: u8) {{\n{body}\n}}\n"
        )
    };
    let bodies = [
        ("a -> b: x = 1", 11, "expected `:=`, found `=`"),
        ("a -> b: x := 256", 14, "256 is not a value of u8 (0 to 255)"),
        ("a -> b: x := -1", 14, "-1 is not a value of u8 (0 to 255)"),
        ("a -> b: x := p", 14, "`p` has type bool, but u8 is needed here"),
        ("a -> b: p := 1", 14, "a bool is needed here: `true` or `false`, not a number"),
        ("a -> b: p := x + 1", 16, "`+` does not apply to bool"),
        ("a -> b: x := p + 1", 14, "`p` has type bool, but u8 is needed here"),
        ("a -> b: when x", 14, "`x` has type u8, but bool is needed here"),
        ("a -> b: when p < p", 16, "`<` does not apply to bool"),
        ("a -> b: when !x", 15, "`x` has type u8, but bool is needed here"),
        ("a -> b: x := !p", 14, "this has type bool, but u8 is needed here"),
        ("a -> b: x := y", 14, "there is no variable `y`"),
        ("a -> b: x := x x", 17, "expected `->`, found `}`"),
        ("a -> b: v := 1", 9, "`v` is an array: which element?"),
        ("a -> b: x := v", 14, "`v` is an array: which element?"),
        ("a -> b: x[0] := 1", 9, "`x` is not an array"),
        ("a -> b: x := x[0]", 14, "`x` is not an array"),
        ("a -> b: v[p] := 1", 11, "an index cannot be bool"),
        ("a -> b: x := 1, x := 2", 17, "`x` is assigned twice"),
        ("a -> b: v[1] := 1, v := any", 20, "`v` is assigned twice"),
        ("a -> b: x := f(1)", 14, "`f` is neither a type nor `ite`"),
        ("a -> b: x := ite(p, 1)", 22, "expected `,`, found `)`"),
        ("a -> b: x := (1", 0, "expected `)`, found `}`"),
        ("a -> b: x := 1 @0:1:1", 17, "there is no file 0"),
        ("a -> b: x := 5q", 14, "`5q` is not a number"),
        ("a -> b: when := 1", 14, "expected an expression, found `:=`"),
        (
            "a -> b: then := 1",
            9,
            "expected `when` or a variable to assign, found the reserved word `then`",
        ),
        ("a -> b: ::me := 1", 9, "there is no variable `me`"),
        ("a b", 3, "expected `->`, found `b`"),
        ("location a, a", 13, "this location is declared twice"),
        ("atomic location a", -1, "the entry cannot be atomic"),
        ("entry z a -> b", 7, "the entry is no location of the template"),
        ("entry a entry b", 15, "the entry is given twice"),
        ("local me: u8 = 0", 7, "`me` is declared twice"),
        ("local y: u8 = param 1", 15, "there is no parameter 1"),
        ("", -1, "this template has no location"),
        ("error bad \"x\"", 11, "expected `:`, found the text \"x\""),
        ("error bad: call bad", 17, "expected text in quotes, found `bad`"),
        ("limit strange l: \"x\"", 7, "expected `unsupported` or `bound`, found `strange`"),
        ("undefined l: strange", 14, "expected a kind of undefined behaviour, found `strange`"),
        (
            "atomic strange l",
            8,
            "expected `location`, `error`, `undefined` or `limit`, found `strange`",
        ),
        ("a -> b { read me }", 15, "`me` is not shared"),
        ("a -> b { read x[0] }", 15, "`x` is not an array"),
        ("a -> b { read v[p] }", 17, "an index cannot be bool"),
        ("a -> b { read x atomic }", 24, "expected a memory order, found `}`"),
        ("a -> b { read x x }", 17, "expected `}`, found `x`"),
        (
            "a -> b { x }",
            10,
            "expected an access: `read`, `write`, `update`, `fence`, `acquire`, …, found `x`",
        ),
    ];
    for (body, column, message) in bodies {
        let place = match column {
            -1 => (4, 10),
            0 => (6, 1),
            17 if message.ends_with("`}`") => (6, 1),
            column => (5, column as u32),
        };
        check_error(&template(body), place, message);
    }
    for (source, place, message) in [
        ("shared", (1, 7), "expected a name, found the end of the text"),
        ("shared x u8", (1, 10), "expected `:`, found `u8`"),
        (
            "shared x: u65 = 0",
            (1, 11),
            "expected a type (`bool`, `int`, `i1` to `i64`, `u1` to `u64`), found `u65`",
        ),
        ("shared x: u8", (1, 13), "expected `=`, found the end of the text"),
        ("shared x: u8 = y", (1, 16), "there is no constant `y`"),
        ("shared x: u8 = {1}", (1, 16), "a list of values, but the variable is no array"),
        ("shared x: u8[2] = {1}", (1, 19), "1 values for an array of 2"),
        ("shared x: u8[0] = 1", (1, 14), "an array cannot have 0 elements"),
        ("shared x: u8 = 0\nshared x: u8 = 0", (2, 8), "`x` is declared twice"),
        ("shared any: u8 = 0", (1, 8), "expected a name, found the reserved word `any`"),
        ("file 1 \"x\"", (1, 6), "files are numbered in order: this one is 0"),
        ("program \"a\" program \"b\"", (1, 13), "the program already has a name"),
        ("program \"a", (1, 9), "the closing `\"` is missing"),
        ("program \"\\q\"", (1, 10), "unknown escape"),
        ("/* never closed", (1, 1), "this comment has no end: `*/` is missing"),
        ("shared `` : u8 = 0", (1, 8), "a name cannot be empty"),
        ("  ?", (1, 3), "the character '?' means nothing here"),
        ("thread t = w()", (1, 12), "there is no template `w`"),
        (
            "template t(a: u8) { location l }\nthread w = t()",
            (2, 12),
            "`t` needs 1 arguments, not 0",
        ),
        (
            "template t(a: u8) { location l }\nthread w = t(256)",
            (2, 14),
            "`a`: 256 is not a value of u8",
        ),
        (
            "template t(a: u8) { location l }\nthread w[300] = t(index)",
            (2, 19),
            "`a`: 299 is not a value of u8",
        ),
        (
            "template t() { location l }\nthread w = t() thread w = t()",
            (2, 23),
            "there already is a thread `w`",
        ),
        (
            "template t() { location l }\nthread w[-1] = t()",
            (2, 10),
            "there cannot be -1 instances of a thread",
        ),
        (
            "shared x: int = 340282366920938463463374607431768211456",
            (1, 17),
            "this number is too large",
        ),
        (
            "shared x: int = 340282366920938463463374607431768211455",
            (1, 17),
            "this number is too large",
        ),
        (
            "nonsense",
            (1, 1),
            "expected `program`, `file`, `property`, `const`, `shared`, `initial`, `template` or `thread`, found `nonsense`",
        ),
        (
            "property strange",
            (1, 10),
            "expected `error`, `undefined`, a class of undefined behaviour, `race`, `deadlock` or `nothing`, found `strange`",
        ),
        ("call 1 \"f\"", (1, 6), "calls are numbered in order: this one is 0"),
        ("object 2 \"o\"", (1, 8), "objects are numbered in order: this one is 0"),
        ("object 0 \"o\" size", (1, 14), "expected `at`, found `size`"),
    ] {
        check_error(source, place, message);
    }
}

/// Whatever happens to a text, the parser answers; and what it accepts is a program.
#[test]
fn broken_texts_never_panic() {
    let pieces = [
        "->", ":=", "#", "`", "\"", "(", ")", "[", "{", "}", "@0:", "any ", "99", "\\", "é", "-",
        "::", "/*",
    ];
    for (path, source) in models() {
        let boundaries: Vec<_> = source.char_indices().map(|(place, _)| place).collect();
        for &end in &boundaries {
            check_answer(&source[..end]);
        }
        let mut rng = Rng::new(source.len() as u64);
        for _ in 0..1000 {
            let (a, b) = (*rng.pick(&boundaries), *rng.pick(&boundaries));
            let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 8));
            let end = (end..).find(|&end| source.is_char_boundary(end)).unwrap_or(start);
            check_answer(&format!("{}{}{}", &source[..start], rng.pick(&pieces), &source[end..]));
        }
        assert!(text::parse(&source).is_ok(), "{}", path.display());
    }
}

fn check_answer(source: &str) {
    if let Ok(program) = text::parse(source) {
        check_round_trip(&program, source);
    }
}

#[test]
fn depth_is_limited_and_length_is_not() {
    let step = |value: &str| format!("shared x: i32 = 0 template t() {{ a -> b: x := {value} }}");
    let deep = |open: &str, close: &str, times: usize| {
        step(&format!("{}x{}", open.repeat(times), close.repeat(times)))
    };
    for (open, close) in [
        ("(", ")"),
        ("-", ""),
        ("i32(", ")"),
        ("ite(true, 0, ", ")"),
        ("-(1 + ", ")"),
        ("(1 + ", ")"),
        ("", "+ x"),
    ] {
        for times in [100_000, 2000] {
            let error = text::parse(&deep(open, close, times)).expect_err("far too deep");
            assert_eq!(error.message, "this expression is nested more than 1000 deep");
        }
        let times = if open == "-(1 + " { 499 } else { 999 };
        let program = text::parse(&deep(open, close, times)).expect("just deep enough");
        check_round_trip(&program, open);
    }
    let long = (0..20_000).map(|i| format!("l{i} -> l{}: x := {i}\n", i + 1)).collect::<String>();
    let program = text::parse(&format!("shared x: i32 = 0 template t() {{ {long} }}"));
    check_round_trip(&program.expect("a long program"), "long");
}

#[test]
fn too_deep_expressions_are_not_wellformed() {
    let mut program =
        text::parse("shared x: i32 = 0 template t() { a -> b: x := 1 }").expect("fine");
    let mut expr = Expr::Const(1, Type::signed(32));
    for _ in 0..wellformed::MAX_EXPR_LEVELS {
        expr = Expr::unary(UnOp::Neg, expr);
    }
    program.templates[0].edges[0].guard = Expr::binary(BinOp::Eq, expr.clone(), expr);
    let problems = wellformed::check(&program).expect_err("too deep");
    assert_eq!(
        problems,
        ["template `t`, edge 0 (a -> b): an expression is nested more than 1000 deep"]
    );
}
