//! Random records and constant expressions, compared with the C compiler of
//! this machine for 32 and 64 bits. gcc's answers come as the bytes of a data
//! section, so nothing has to be run or linked. Without `cc` and `objcopy`
//! nothing is compared, and the test says so.

mod sema_common;
#[path = "../../engine-suite/tests/tools/mod.rs"]
mod tools;

use ccfa::random::Rng;
use cfront::DataModel;
use cfront::hir::{ExprKind, Type, Unit};
use sema_common::{number, try_unit, type_name, unit, var};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const TYPES: &[&str] = &[
    "_Bool",
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

#[test]
fn constant_expressions_agree_with_cc() {
    let mut random = Rng::new(2024);
    let expressions: Vec<String> = (0..400).map(|_| expression(&mut random, 4)).collect();
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let cases = TYPES.iter().enumerate();
        let mut generic: String = cases.fold(String::new(), |mut s, (i, t)| {
            let _ = write!(s, "{t}: {i}, ");
            s
        });
        generic.push_str("signed char: 1");
        let mut text = String::from("__attribute__((section(\"facts0\"))) long long probe[] = {\n");
        for e in &expressions {
            let _ =
                writeln!(text, "(long long)({e}), _Generic((__typeof__({e}))({e}), {generic}),");
        }
        text.push_str("};\n");
        let Some(bytes) = probe(&text, model, "expressions") else {
            return;
        };
        let answers: Vec<i64> = bytes
            .chunks_exact(8)
            .map(|c| i64::from_le_bytes(c.try_into().expect("eight bytes")))
            .collect();
        for (e, answer) in expressions.iter().zip(answers.chunks_exact(2)) {
            let ours =
                unit(&format!("long long value = (long long)({e}); __typeof__({e}) typed;"), model);
            let found = (number(&ours, "value"), type_name(&ours, "typed"));
            let expected = (i128::from(answer[0]), TYPES[answer[1] as usize].to_string());
            assert_eq!(found, expected, "{e} ({model:?})");
        }
    }
}

fn expression(random: &mut Rng, depth: u32) -> String {
    if depth == 0 || random.below(6) == 0 {
        const VALUES: &[&str] = &[
            "0",
            "1",
            "2",
            "7",
            "127",
            "128",
            "255",
            "256",
            "32767",
            "65535",
            "2147483647",
            "0x80000000",
            "0xffffffff",
            "0x7fffffffffffffff",
            "0xffffffffffffffff",
        ];
        const SUFFIXES: &[&str] = &["", "", "", "u", "l", "ul", "ll", "ull"];
        return format!("{}{}", random.pick(VALUES), random.pick(SUFFIXES));
    }
    let a = expression(random, depth - 1);
    match random.below(10) {
        0..3 => format!("({})({a})", random.pick(TYPES)),
        3 => format!("({}({a}))", random.pick(&["-", "~", "!", "+"])),
        4 => format!("(({a}) {} ({} & 15))", random.pick(&["<<", ">>"]), expression(random, 1)),
        5 => {
            let b = expression(random, depth - 1);
            format!("(({a}) {} ((({b}) & 7) | 1))", random.pick(&["/", "%"]))
        }
        6 => {
            let (b, c) = (expression(random, depth - 1), expression(random, depth - 1));
            format!("(({a}) ? ({b}) : ({c}))")
        }
        _ => {
            const OPERATORS: &[&str] =
                &["+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"];
            let b = expression(random, depth - 1);
            format!("(({a}) {} ({b}))", random.pick(OPERATORS))
        }
    }
}

/// A random struct or union and the names of its members.
struct Shape {
    text: String,
    plain: Vec<String>,
    bits: Vec<String>,
}

#[test]
fn record_layouts_agree_with_cc() {
    let mut random = Rng::new(7);
    let shapes: Vec<Shape> = (0..300).map(|index| record(&mut random, index)).collect();
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let declarations: String = shapes.iter().map(|s| s.text.as_str()).collect();
        let variables: String = (0..shapes.len()).fold(String::new(), |mut s, i| {
            let _ = writeln!(s, "struct R{i} r{i};");
            s
        });
        let ours = match try_unit(&format!("{declarations}{variables}"), model) {
            Ok(ours) => ours,
            Err(messages) => panic!("{}", messages.join("\n")),
        };
        let Some(bytes) = probe(&numbers_text(&declarations, &shapes), model, "sizes") else {
            return;
        };
        let mut answers = bytes
            .chunks_exact(4)
            .map(|c| u64::from(u32::from_le_bytes(c.try_into().expect("four bytes"))));
        for (index, shape) in shapes.iter().enumerate() {
            let ty = var(&ours, &format!("r{index}")).ty;
            let mut found =
                vec![ours.types.size_of(ty).expect("complete"), ours.types.align_of(ty)];
            found.extend(shape.plain.iter().map(|name| offset(&ours, index, name)));
            let expected: Vec<u64> = answers.by_ref().take(found.len()).collect();
            assert_eq!(found, expected, "{} ({model:?})", shape.text);
        }
        compare_bits(&ours, &declarations, &shapes, model);
    }
}

fn offset(unit: &Unit, index: usize, name: &str) -> u64 {
    sema_common::field(unit, &format!("r{index}"), name).0
}

fn numbers_text(declarations: &str, shapes: &[Shape]) -> String {
    let mut text =
        format!("{declarations}__attribute__((section(\"facts0\"))) unsigned probe[] = {{\n");
    for (index, shape) in shapes.iter().enumerate() {
        let _ = write!(text, "sizeof(struct R{index}), _Alignof(struct R{index}), ");
        for name in &shape.plain {
            let _ = write!(text, "__builtin_offsetof(struct R{index}, {name}), ");
        }
    }
    text.push_str("};\n");
    text
}

/// A record in which only one bit-field is set shows where its bits are.
fn compare_bits(ours: &Unit, declarations: &str, shapes: &[Shape], model: DataModel) {
    let mut members = String::new();
    let mut values = String::new();
    for (index, shape) in shapes.iter().enumerate() {
        for name in &shape.bits {
            let _ = writeln!(members, "struct R{index} p{index}_{name};");
            let _ = writeln!(values, ".p{index}_{name} = {{ .{name} = -1 }},");
        }
    }
    let text = format!(
        "{declarations}__attribute__((section(\"facts0\"))) struct __attribute__((packed)) \
         {{ {members} }} probe = {{ {values} }};\n"
    );
    let Some(bytes) = probe(&text, model, "bits") else {
        return;
    };
    let mut at = 0;
    for (index, shape) in shapes.iter().enumerate() {
        let ty = var(ours, &format!("r{index}")).ty;
        let size = ours.types.size_of(ty).expect("complete") as usize;
        for name in &shape.bits {
            let (offset, field) = sema_common::field(ours, &format!("r{index}"), name);
            let bits = field.bits.expect("a bit-field");
            let unit_size = ours.types.size_of(field.ty).expect("complete");
            let inside = offset + unit_size <= size as u64 || shape.text.contains("pack");
            assert!(inside, "{name} of {}", shape.text);
            assert!(matches!(ours.types.get(field.ty), Type::Int { .. } | Type::Bool));
            let first = 8 * offset as usize + usize::from(bits.shift);
            let mut expected = vec![0u8; size];
            for bit in first..first + usize::from(bits.width) {
                expected[bit / 8] |= 1 << (bit % 8);
            }
            assert_eq!(expected, bytes[at..at + size], "{name} of {} ({model:?})", shape.text);
            at += size;
        }
    }
}

fn record(random: &mut Rng, index: usize) -> Shape {
    let mut shape = Shape { text: String::new(), plain: Vec::new(), bits: Vec::new() };
    let mut body = String::new();
    for number in 0..1 + random.below(7) {
        member(random, index, number, &mut shape, &mut body);
    }
    let attribute = match random.below(8) {
        0 => "__attribute__((packed))",
        1 => "__attribute__((aligned(16)))",
        2 => "__attribute__((packed, aligned(4)))",
        _ => "",
    };
    shape.text = match random.below(6) {
        0 => format!("struct R{index} {{ union {{ {body} }} {attribute}; }};\n"),
        1 => format!(
            "struct R{index} {{ char first; struct {{ {body} }}; char last; }} {attribute};\n"
        ),
        _ => format!("struct R{index} {{ {body} }} {attribute};\n"),
    };
    if random.below(3) == 0 {
        let pack = random.pick(&["1", "2", "4", "8"]);
        shape.text = format!("#pragma pack(push, {pack})\n{}#pragma pack(pop)\n", shape.text);
    }
    shape
}

fn member(random: &mut Rng, index: usize, number: usize, shape: &mut Shape, body: &mut String) {
    const PLAIN: &[&str] = &[
        "char",
        "unsigned char",
        "short",
        "int",
        "long",
        "long long",
        "_Bool",
        "void *",
        "float",
        "double",
        "long double",
    ];
    const BITS: &[(&str, usize)] = &[
        ("char", 8),
        ("unsigned char", 8),
        ("short", 16),
        ("unsigned short", 16),
        ("int", 32),
        ("unsigned", 32),
        ("long", 32),
        ("long long", 64),
        ("unsigned long long", 64),
        ("_Bool", 1),
    ];
    let name = format!("m{number}");
    match random.below(10) {
        0..4 => {
            let (ty, width) = *random.pick(BITS);
            let _ = write!(body, "{ty} {name} : {}; ", 1 + random.below(width));
            shape.bits.push(name);
            return;
        }
        4 => {
            let (ty, width) = *random.pick(BITS);
            let _ = write!(body, "{ty} : {}; ", random.below(width));
            return;
        }
        5 if index > 0 => {
            let _ = write!(body, "struct R{} {name}; ", random.below(index));
        }
        6 => {
            let _ = write!(body, "{} {name}[{}]; ", random.pick(PLAIN), random.below(4));
        }
        7 => {
            const ATTRIBUTES: &[&str] = &["packed", "aligned(2)", "aligned(8)", "aligned"];
            let (ty, attribute) = (random.pick(PLAIN), random.pick(ATTRIBUTES));
            let _ = write!(body, "{ty} {name} __attribute__(({attribute})); ");
        }
        _ => {
            let _ = write!(body, "{} {name}; ", random.pick(PLAIN));
        }
    }
    shape.plain.push(name);
}

/// Declarations of `probe`, without attributes: every form of initialiser.
const INITIALISERS: &[&str] = &[
    "int probe = { 5 };",
    "int probe[3] = { 1, 2 };",
    "int probe[] = { 1, 2, 3, };",
    "int probe[] = { [3] = 7, 8, [1] = 2 };",
    "int probe[5] = { [1 ... 3] = 4, [2] = 9 };",
    "int probe[2][3] = { 1, 2, 3, 4 };",
    "int probe[2][3] = { { 1 }, { 2, 3 } };",
    "int probe[2][3] = { [1][1] = 5, 6 };",
    "int probe[][2] = { { 1 }, [2] = { 3, 4 } };",
    "char probe[] = \"abc\";",
    "char probe[2] = \"abc\";",
    "char probe[6] = { \"abc\" };",
    "char probe[2][4] = { \"ab\", \"cd\" };",
    "unsigned char probe[] = \"\\xff\\x01\";",
    "__WCHAR_TYPE__ probe[] = L\"ab\";",
    "struct { int a; char b; short c[2]; } probe = { 1, 2, 3, 4 };",
    "struct { int a; char b; short c[2]; } probe = { .c = { 7 }, .a = 1, 9 };",
    "struct { int a; struct { int b, c; } d; int e; } probe = { 1, 2, 3, 4 };",
    "struct { int a; struct { int b, c; } d; int e; } probe = { 1, { 2 }, 4 };",
    "struct { int a; struct { int b, c; } d; int e; } probe = { .d.c = 5, 6 };",
    "struct { int a; struct { int b, c; } d; int e; } probe = { .d = { 1, 2 }, .d.b = 7 };",
    "struct { int a; struct { int b, c; } d; int e; } probe = { .d = { 1, 2 }, .d = { 3 } };",
    "struct { int a; union { char b; int c; }; int d; } probe = { 1, 2, 3 };",
    "struct { int a; union { char b; int c; }; int d; } probe = { .c = 0x1234, 9 };",
    "struct { int a; struct { int b; int c; }; int d; } probe = { .b = 2, 3, 4 };",
    "union { char a; int b; } probe = { 300 };",
    "union { char a; int b; } probe = { .b = 300 };",
    "union { struct { short a, b; }; int c; } probe = { 1, 2 };",
    "struct { int a : 3, b : 5; unsigned c : 9; } probe = { -1, 3, 300 };",
    "struct { int a : 3; int : 4; unsigned b : 9; _Bool c : 1; } probe = { 2, 5, 8 };",
    "struct { _Bool a : 1; unsigned b : 7; } probe = { .a = 6, .b = 127 };",
    "struct { int a, b; } probe[] = { 1, 2, 3, 4 };",
    "struct { int a, b; } probe[3] = { [2] = { .b = 1 }, [0].b = 4 };",
    "struct { int a, b; } probe[3] = { [0 ... 2] = { 1, 2 }, [1].a = 0 };",
    "struct s { int a, b; } probe = (struct s){ 1, 2 };",
    "struct t { int a, b; } probe[] = { (struct t){ 1, 2 }, { 3, 4 } };",
    "struct { char s[4]; int n; } probe[] = { \"ab\", 1, { \"cd\", 2 } };",
    "struct { int n; char s[2][3]; } probe = { 1, \"ab\", \"c\" };",
    "struct { short a; int b : 4; } probe[2] = { { .b = 3 }, { 1 } };",
    "int probe[4] = { [0] = 1, [0] = 0, 5 };",
    "int probe[2] = { 1, 2, };",
    "unsigned char probe[3] = { 257, -1, 'a' };",
    "_Bool probe[2] = { 2, 0 };",
    "long long probe[] = { 1u - 2, -1 };",
    "struct { int x; int y[2]; } probe = { x: 0 ? 1 : 2, y: { 3 } };",
    "enum { A, B = 4 } probe[] = { [A] = B, [2] = A + 7 };",
];

#[test]
fn initialisers_agree_with_cc() {
    let mut text = String::new();
    for (index, declaration) in INITIALISERS.iter().enumerate() {
        let named = declaration.replacen("probe", &format!("probe{index}"), 1);
        let _ = writeln!(text, "__attribute__((section(\"facts{index}\"))) {named}");
    }
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let wide_character = match model {
            DataModel::Ilp32 => "long",
            DataModel::Lp64 => "int",
        };
        let sections = INITIALISERS.len();
        let Some(expected) = probe_sections(&text, model, "initialisers", sections) else {
            return;
        };
        for (text, expected) in INITIALISERS.iter().zip(expected) {
            let text = text.replace("__WCHAR_TYPE__", wide_character);
            assert_eq!(image(&unit(&text, model)), expected, "{text} ({model:?})");
        }
    }
}

/// The bytes that the entries of `probe` describe.
fn image(unit: &Unit) -> Vec<u8> {
    let variable = var(unit, "probe");
    let size = unit.types.size_of(variable.ty).expect("complete") as usize;
    let mut bytes = vec![0; size];
    for entry in variable.init.iter().flatten() {
        let ExprKind::Const(value) = *entry.value.kind else {
            panic!("not a number: {entry:?}");
        };
        let width = 8 * unit.types.size_of(entry.ty).expect("complete") as usize;
        let (shift, width) =
            entry.bits.map_or((0, width), |b| (usize::from(b.shift), usize::from(b.width)));
        for bit in 0..width {
            let at = 8 * entry.offset as usize + shift + bit;
            bytes[at / 8] &= !(1 << (at % 8));
            bytes[at / 8] |= ((value >> bit & 1) as u8) << (at % 8);
        }
    }
    bytes
}

/// Compiles a text and gives the bytes of its section `facts0`; `None` if this
/// machine has no compiler for the data model.
fn probe(text: &str, model: DataModel, name: &str) -> Option<Vec<u8>> {
    probe_sections(text, model, name, 1)?.pop()
}

/// The same for the sections `facts0`, `facts1`, …
fn probe_sections(
    text: &str,
    model: DataModel,
    name: &str,
    sections: usize,
) -> Option<Vec<Vec<u8>>> {
    let flag = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let trivial = "__attribute__((section(\"facts0\"))) int probe = 1;";
    if let Err(reason) = compile(trivial, flag, &format!("{name}-trivial"), 1) {
        tools::skip(&format!("`cc {flag}` with `objcopy`"), &reason);
        return None;
    }
    match compile(text, flag, name, sections) {
        Ok(bytes) => Some(bytes),
        Err(reason) => panic!("cc refuses the test's text: {reason}"),
    }
}

fn compile(text: &str, flag: &str, name: &str, sections: usize) -> Result<Vec<Vec<u8>>, String> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = |suffix: &str| directory.join(format!("sema-{name}{flag}.{suffix}"));
    std::fs::write(path("c"), text).map_err(|e| e.to_string())?;
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-w", flag, "-c", "-o"]);
    run(cc.args([path("o"), path("c")]))?;
    let bytes = |section: usize| {
        let mut objcopy = Command::new("objcopy");
        objcopy.args(["-O", "binary", "-j", &format!("facts{section}")]);
        run(objcopy.args([path("o"), path("bin")]))?;
        std::fs::read(path("bin")).map_err(|e| e.to_string())
    };
    (0..sections).map(bytes).collect()
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
