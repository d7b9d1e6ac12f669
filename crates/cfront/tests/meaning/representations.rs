//! Bytes under other types: what is written as one type and read as another, for every pair of
//! scalar types and all values around the borders of a byte, as the machine does it and as our
//! model does. Memory is an array of the one type, a structure with padding, or a union.

use super::interpret::{self, Ending};
use super::native;
use cfront::DataModel;

/// The types whose representations are compared.
const TYPES: &[&str] = &[
    "char",
    "unsigned char",
    "short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "_Bool",
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
    let integer = match other {
        "_Bool" | "char" | "signed char" | "unsigned char" => "unsigned char",
        "short" | "unsigned short" => "unsigned short",
        "int" | "unsigned" | "float" => "unsigned",
        "long" | "unsigned long" | "void *" => "unsigned long",
        _ => "unsigned long long",
    };
    let step = if memory == "char" || other == "char" { 1 } else { STEP };
    let body = form.replace("VALUE", value).replace("PATTERN", pattern);
    format!(
        "unsigned long long f_0(void) {{ typedef {memory} S; typedef {other} A; typedef {integer} I;
         unsigned long long h = 7; int v;
         for (v = {LOW}; v < {HIGH}; v += {step}) {{ {body} }} return h; }}\n"
    )
}
