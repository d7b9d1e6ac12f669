//! Bytes under other types: what is written as one type and read as another, for every pair of
//! scalar types and all values around the borders of a byte, as the machine does it and as our
//! model does. Memory is an array of the one type, a structure with padding, or a union; then records with bit-fields, with padding
//! and with arrays, through every scalar type; then pointers, whose bytes are carried through every type and come back.

use super::interpret::{self, Ending};
use super::native;
use cfront::DataModel;

/// The types whose representations are compared.
const TYPES: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum signed_one",
    "enum unsigned_one",
    "float",
    "double",
    "void *",
];

/// What is written, from a counter `v` over all values around a signed and an unsigned byte.
const LOW: i32 = -130;
const HIGH: i32 = 260;
/// Pairs of wider types see every so many of them: their bits are spread over all bytes anyway.
const STEP: i32 = 37;

/// How memory of one type is written and read as another; `S` is its type, `A` the other one,
/// `I` an unsigned integer of `A`'s size. `h` collects everything that can be seen.
const FORMS: &[(&str, &str)] = &[
    (
        "an array, through pointers",
        "S mem[16 / sizeof(S)]; I i; int k;
         memset(mem, PATTERN, sizeof mem);
         *(I *)((char *)mem + sizeof(I)) = VALUE;
         for (k = 0; k < 16; k++) h = h * 31 + ((unsigned char *)mem)[k];
         for (k = 0; k < 16; k++) h = h * 31 + ((signed char *)mem)[k];
         h = h * 31 + *(I *)((char *)mem + sizeof(I));
         *(A *)mem = *(A *)((char *)mem + sizeof(I));
         memcpy(&i, mem, sizeof i);
         h = h * 31 + i;",
    ),
    (
        "an array, with memcpy",
        "S mem[16 / sizeof(S)]; A a; I i = VALUE; unsigned char bytes[16]; int k;
         memset(bytes, PATTERN, sizeof bytes);
         memcpy(&a, &i, sizeof a);
         memset(mem, PATTERN, sizeof mem);
         memcpy((char *)mem + 16 - sizeof a, &a, sizeof a);
         memcpy(bytes, mem, sizeof bytes);
         for (k = 0; k < 16; k++) h = h * 31 + bytes[k];
         i = 0;
         memcpy(&i, (char *)mem + 16 - sizeof a, sizeof a);
         h = h * 31 + i;",
    ),
    (
        "a structure with padding",
        "struct { char c; S s; char d; A a; } one, two; unsigned char bytes[sizeof one]; I i = VALUE;
         memset(&one, PATTERN, sizeof one);
         memset(&two, PATTERN, sizeof two);
         memcpy(&one.a, &i, sizeof i);
         one.c = v; one.d = v + 1;
         memcpy(bytes, &one, sizeof one);
         memcpy(&two, bytes, sizeof two);
         h = h * 31 + two.c; h = h * 31 + two.d;
         i = 0; memcpy(&i, &two.a, sizeof i);
         h = h * 31 + i;
         h = h * 31 + *(unsigned char *)&two.s;
         h = h * 31 + ((unsigned char *)&two)[(char *)&two.a - (char *)&two];",
    ),
    (
        "a union",
        "union { S s[16 / sizeof(S)]; A a[16 / sizeof(A)]; I i[16 / sizeof(I)]; } u; int k;
         memset(&u, PATTERN, sizeof u);
         u.i[1] = VALUE;
         u.a[0] = u.a[1];
         h = h * 31 + u.i[0];
         for (k = 0; k < 16; k++) h = h * 31 + ((unsigned char *)u.s)[k];",
    ),
];

/// Records, and the names of what is in them: where it says so, every bit is one of a member, so that all of them are compared.
struct Record {
    definition: &'static str,
    members: &'static [&'static str],
    is_full: bool,
}

const RECORDS: &[Record] = &[
    Record {
        definition: "struct { unsigned char a : 1; signed char b : 2; unsigned char c : 5; }",
        members: &["a", "b", "c"],
        is_full: true,
    },
    Record {
        definition: "struct { _Bool a : 1; signed char b : 7; }",
        members: &["a", "b"],
        is_full: true,
    },
    Record {
        definition: "struct { unsigned a : 3; int b : 5; unsigned c : 9; int d : 15; }",
        members: &["a", "b", "c", "d"],
        is_full: true,
    },
    Record {
        definition: "struct { unsigned short a : 7; int b : 20; unsigned c : 5; short d; }",
        members: &["a", "b", "c", "d"],
        is_full: false,
    },
    Record {
        definition: "struct { unsigned long long a : 33; long long b : 31; }",
        members: &["a", "b"],
        is_full: true,
    },
    Record {
        definition: "struct __attribute__((packed)) { int a : 11; unsigned b : 13; char c; short d; }",
        members: &["a", "b", "c", "d"],
        is_full: false,
    },
    Record {
        definition: "struct { enum signed_one a : 4; enum unsigned_one b : 4; int c : 24; }",
        members: &["a", "b", "c"],
        is_full: true,
    },
    Record {
        definition: "struct { char a; long long b; short c; }",
        members: &["a", "b", "c"],
        is_full: false,
    },
    Record {
        definition: "struct { struct { char x; short y; } a[2]; unsigned char b[2][3]; }",
        members: &["a[0].x", "a[1].y", "b[0][2]", "b[1][0]"],
        is_full: false,
    },
    Record {
        definition: "union { unsigned a; short b[2]; struct { unsigned char x, y : 3, z : 5; } c; }",
        members: &["a", "b[1]", "c.x", "c.y", "c.z"],
        is_full: true,
    },
];

/// A record `S` whose bytes are written as `I`s and read member by member, and the other way round. `READ(r)` and `WRITE(r)` stand for all
/// members; `SEEN` is 1 where all bits can be compared.
const RECORD_FORM: &str = "
    union { S r; I i[24 / sizeof(I)]; unsigned char b[24]; } u, w; S copy; int k;
    memset(&u, PATTERN, sizeof u); memset(&w, PATTERN, sizeof w); memset(&copy, PATTERN, sizeof copy);
    for (k = 0; k < sizeof(S) / sizeof(I); k++) u.i[k] = VALUE;
    READ(u.r)
    copy = u.r;
    READ(copy)
    WRITE(copy)
    READ(copy)
    w.r = copy;
    READ(w.r)
    memcpy(u.b, &copy, sizeof copy);
    READ(u.r)
    if (SEEN) {
        for (k = 0; k < sizeof(S) / sizeof(I); k++) h = h * 31 + w.i[k];
        for (k = 0; k < sizeof(S); k++) h = h * 31 + w.b[k] + u.b[k] * 3;
        for (k = 0; k < sizeof(S); k++) ((unsigned char *)&copy)[k] = v + k;
        READ(copy)
    }";

/// A pointer whose bytes go through an array of `A`.
const POINTER_FORM: &str = "
    int x[3] = { v, v + 1, v + 2 }, *p = &x[v & 1], *q = 0; int k;
    union { int *p; A a[sizeof(int *) / sizeof(A)]; } u, w; A other[sizeof(int *) / sizeof(A)];
    u.p = p;
    for (k = 0; k < sizeof(int *) / sizeof(A); k++) w.a[k] = u.a[k];
    h = h * 31 + (w.p == p) + *w.p;
    memcpy(other, &p, sizeof p);
    memcpy(&q, other, sizeof p);
    *q += 1;
    h = h * 31 + (q - x) + x[0] * 3 + x[1];
    for (k = 0; k < sizeof p; k++) ((char *)&w.p)[k] = ((char *)&u)[k];
    h = h * 31 + w.p[1];";

#[test]
fn bytes_of_records_are_the_same_under_every_type() {
    let integers =
        ["unsigned char", "unsigned short", "unsigned", "unsigned long", "unsigned long long"];
    for model in super::available_models() {
        let mut wrong = Vec::new();
        for record in RECORDS {
            let programs: Vec<String> =
                integers.iter().map(|other| record_program(record, other)).collect();
            wrong.extend(compare(&programs, model));
        }
        assert!(wrong.is_empty(), "{model:?}, {} differ:\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn pointers_come_back_through_every_type() {
    for model in super::available_models() {
        let size = if model == DataModel::Lp64 { 8 } else { 4 };
        let fits = |other: &&&str| is_whole(other) && size_of(other, model) <= size;
        let others: Vec<&&str> = TYPES.iter().filter(fits).collect();
        let programs: Vec<String> =
            others.iter().map(|other| in_loop(POINTER_FORM, "int *", other, 1)).collect();
        let wrong: Vec<String> = compare(&programs, model).collect();
        // That a byte of a pointer is looked at may be a limit, never something else.
        let wrong: Vec<&String> =
            wrong.iter().filter(|what| !what.contains("model limit")).collect();
        assert!(wrong.is_empty(), "{model:?}, {} differ:\n{wrong:?}", wrong.len());
    }
}

/// Has it a value for every pattern of its bits, and does copying it copy them?
fn is_whole(ty: &str) -> bool {
    !["_Bool", "float", "double"].contains(&ty)
}

fn size_of(ty: &str, model: DataModel) -> usize {
    match integer_of(ty) {
        "unsigned char" => 1,
        "unsigned short" => 2,
        "unsigned" => 4,
        "unsigned long" if model == DataModel::Ilp32 => 4,
        _ => 8,
    }
}

fn record_program(record: &Record, other: &str) -> String {
    let number = |start: usize, member: &str| format!("(v + {}) * {}", start, 3 * member.len());
    let read = |of: &str| -> String {
        let read = |member: &&str| format!("h = h * 31 + (unsigned long long){of}.{member};\n");
        record.members.iter().map(read).collect()
    };
    let write = |of: &str| -> String {
        let write = |(start, member): (usize, &&str)| {
            format!("{of}.{member} = {};\n", number(start, member))
        };
        record.members.iter().enumerate().map(write).collect()
    };
    let mut form = RECORD_FORM.replace("SEEN", if record.is_full { "1" } else { "0" });
    for of in ["u.r", "w.r", "copy"] {
        form = form.replace(&format!("READ({of})"), &read(of));
        form = form.replace(&format!("WRITE({of})"), &write(of));
    }
    // All values of one byte are tried.
    let form = form.replace("VALUE", "v * 0x0102040810204081ull").replace("PATTERN", "0x5a");
    let step = if integer_of(other) == "unsigned char" { 1 } else { STEP };
    in_loop(&form, record.definition, other, step)
}

#[test]
fn bytes_are_the_same_under_every_type() {
    for model in super::available_models() {
        let mut wrong = Vec::new();
        for (name, form) in FORMS {
            for memory in TYPES {
                let programs: Vec<String> =
                    TYPES.iter().map(|other| program(form, memory, other)).collect();
                wrong.extend(compare(&programs, model).map(|problem| format!("{name}: {problem}")));
            }
        }
        assert!(wrong.is_empty(), "{model:?}, {} differ:\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// The programs that mean something else in our model than for the machine.
fn compare(programs: &[String], model: DataModel) -> impl Iterator<Item = String> {
    let functions: Vec<String> = (0..programs.len()).map(|number| format!("f_{number}")).collect();
    let number = |(number, text): (usize, &String)| text.replace("f_0", &format!("f_{number}"));
    let text: String = programs.iter().enumerate().map(number).collect();
    let values = native::run(&text, &functions, model, false).expect("the machine runs them");
    let differs = |(text, value): (&String, u64)| {
        let whole = format!(
            "{}{text}unsigned long long out;\nint main(void) {{ out = f_0(); if (out != {value}ULL) reach_error(); return 0; }}\n",
            native::prelude(model)
        );
        let ending = interpret::run(&whole, model, true);
        (ending != Ending::Finished).then(|| format!("{ending:?} instead of {value}\n{text}"))
    };
    programs.iter().zip(values).filter_map(differs).collect::<Vec<_>>().into_iter()
}

/// A function that writes and reads memory of type `memory` as `other`, for all values.
fn program(form: &str, memory: &str, other: &str) -> String {
    let has_bool = [memory, other].contains(&"_Bool");
    // Bytes other than 0 and 1 are no values of `_Bool`.
    let (value, pattern) = match has_bool {
        true => ("v & 1", "1"),
        false => ("v * 0x0102040810204081ull", "0x5a"),
    };
    let step = if memory == "char" || other == "char" { 1 } else { STEP };
    let body = form.replace("VALUE", value).replace("PATTERN", pattern);
    in_loop(&body, memory, other, step)
}

/// An unsigned integer of the same size.
fn integer_of(ty: &str) -> &'static str {
    match ty {
        "_Bool" | "char" | "signed char" | "unsigned char" => "unsigned char",
        "short" | "unsigned short" => "unsigned short",
        "int" | "unsigned" | "float" => "unsigned",
        "long" | "unsigned long" | "void *" => "unsigned long",
        _ if ty.starts_with("enum") => "unsigned",
        _ => "unsigned long long",
    }
}

/// A function that runs a form for all values.
fn in_loop(body: &str, memory: &str, other: &str, step: i32) -> String {
    let integer = integer_of(other);
    format!(
        "unsigned long long f_0(void) {{ enum signed_one {{ A1 = -1, A2 = 5 }}; enum unsigned_one {{ B1, B2 = 200 }};
         typedef {memory} S; typedef {other} A; typedef {integer} I;
         unsigned long long h = 7; int v;
         for (v = {LOW}; v < {HIGH}; v += {step}) {{ {body} }} return h; }}\n"
    )
}
