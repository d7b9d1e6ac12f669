//! What the parser refuses, in which words and where.

use cfront::source::SourceMap;
use cfront::syntax::parse;

/// Text, line, column, message.
#[rustfmt::skip] // A table.
const REFUSED: &[(&str, u32, u32, &str)] = &[
    ("int x", 1, 6, "expected `;` after the declaration, found the end of the file"),
    ("int x\n}", 2, 1, "expected `;` after the declaration, found `}`"),
    ("}", 1, 1, "expected a declaration, found `}`"),
    ("foo x;", 1, 1, "unknown type name `foo`"),
    ("foo *x;", 1, 1, "unknown type name `foo`"),
    ("static foo x;", 1, 8, "unknown type name `foo`"),
    ("void f(foo x);", 1, 8, "unknown type name `foo`"),
    ("void f(foo);", 1, 8, "unknown type name `foo`"),
    ("void f(int, foo *);", 1, 13, "unknown type name `foo`"),
    ("int f(int (*)(foo));", 1, 15, "unknown type name `foo`"),
    ("int (*f(int x))(foo) { }", 1, 17, "unknown type name `foo`"),
    ("struct s { int (*f)(foo); };", 1, 21, "unknown type name `foo`"),
    ("int x = sizeof(int (*)(foo));", 1, 24, "unknown type name `foo`"),
    ("struct s { foo x; };", 1, 12, "unknown type name `foo`"),
    ("void f(void) { foo x; }", 1, 16, "unknown type name `foo`"),
    ("void f(void) { x = (foo *)p; }", 1, 21, "unknown type name `foo`"),
    ("void f(void) { x = (foo)p; }", 1, 21, "unknown type name `foo`"),
    ("int x = _Generic(1, foo: 1);", 1, 21, "unknown type name `foo`"),
    ("void f(void) { { typedef int T; } T x; }", 1, 35, "unknown type name `T`"),
    ("void f(int x) { x = ; }", 1, 21, "expected an expression, found `;`"),
    ("void f(int x) { x = 1 }", 1, 23, "expected `;` after the expression, found `}`"),
    ("void f(int x) { if x; }", 1, 20, "expected `(` after `if`, found `x`"),
    ("void f(int x) { else; }", 1, 17, "expected a statement, found `else`"),
    ("void f(int x) { do ; }", 1, 22, "expected `while` after the body of `do`, found `}`"),
    ("void f(int x) { x = a ? 1; }", 1, 26, "expected `:` in the conditional expression, found `;`"),
    ("void f(int x) { a ? b : c = 1; }", 1, 27, "a conditional expression cannot be assigned to"),
    ("void f(int x) {", 1, 16, "expected `}` to end the block, found the end of the file"),
    ("void f(int x) { f(1, ); }", 1, 22, "expected an expression, found `)`"),
    ("void f(int x) { goto 3; }", 1, 22, "expected a name of a label after `goto`, found `3`"),
    ("void f(void) { for (int g(void) { } ;;); }", 1, 25, "a function cannot be defined here"),
    ("void f(void) { if (1) l: int x; }", 1, 26, "expected a statement, found `int`"),
    ("int f(a) int b; { }", 1, 14, "`b` is not a parameter"),
    ("int f(int) int b; { }", 1, 12, "expected `;` after the declaration, found `int`"),
    ("struct;", 1, 7, "expected a name or `{` after `struct`, found `;`"),
    ("enum { 3 };", 1, 8, "expected a name for the constant of the enumeration, found `3`"),
    ("int float x;", 1, 1, "these words do not name a type together"),
    ("long long long x;", 1, 1, "these words do not name a type together"),
    ("struct s int x;", 1, 1, "these words do not name a type together"),
    ("int struct s x;", 1, 14, "there are two types in one declaration"),
    ("static extern int x;", 1, 8, "`extern` is a second storage class"),
    ("struct s { static int x; };", 1, 12, "a storage class cannot stand here"),
    ("int x = (register int)1;", 1, 10, "a storage class cannot stand here"),
    ("int a[3;", 1, 8, "expected `]` after the size of the array, found `;`"),
    ("int a = {1;", 1, 11, "expected `}` or `,` in the initialiser, found `;`"),
    ("int a = {.x 1};", 1, 13, "expected `=` after the designator, found `1`"),
    ("int 3;", 1, 5, "expected a name to declare, found `3`"),
    ("/* open", 1, 1, "this comment does not end"),
    ("int x; /* open\n\n", 1, 8, "this comment does not end"),
    ("char *s = \"open\n;", 1, 11, "this string does not end"),
    ("char c = 'a", 1, 10, "this character constant does not end"),
    ("char c = '';", 1, 10, "this character constant is empty"),
    ("char c = '\\x';", 1, 10, "the escape sequence `\\x` has no digits"),
    ("char c = '\\400';", 1, 10, "the escape sequence with digits `400` is out of range"),
    ("char *s = L\"a\" u\"b\";", 1, 11, "these string literals have different prefixes"),
    ("int x = 18446744073709551616;", 1, 9, "the integer `18446744073709551616` does not fit into 64 bits"),
    ("int x = 09;", 1, 9, "`09` has the digit `9`, which base 8 lacks"),
    ("int x = 0x;", 1, 9, "`0x` has no digits"),
    ("int x = 1ulu;", 1, 9, "`1ulu` has the unknown suffix `ulu`"),
    ("int x = 3iq;", 1, 9, "`3q` has the unknown suffix `q`"),
    ("int x = 1.2.3;", 1, 9, "`1.2.3` is not a number"),
    ("int x = 1e+;", 1, 9, "the exponent of `1e+` has no digits"),
    ("int x = 0x1.8;", 1, 9, "`0x1.8` needs an exponent (`p`)"),
    ("int x = @;", 1, 9, "unexpected character `@`"),
    ("int x = 1 # 2;", 1, 11, "unexpected character `#`"),
    ("int é\u{301} = 1;", 1, 6, "unexpected character `\u{301}`"),
    ("int \u{1}x;", 1, 5, "unexpected character U+0001"),
    ("#define X 1\n", 1, 1, "found `#define`: this text is not preprocessed"),
    ("int x;\n_Pragma(1)\n", 2, 1, "`_Pragma` needs a string in parentheses"),
    ("int a\\\nb; @", 2, 4, "unexpected character `@`"),
];

#[test]
fn messages_and_places() {
    for &(text, line, column, message) in REFUSED {
        let diagnostic = parse(text).expect_err(text);
        let place = SourceMap::new("t.c", text, false).place(diagnostic.range.lo);
        let found = (place.line, place.column, diagnostic.message.as_str());
        assert_eq!(found, (line, column, message), "{text}");
    }
}

#[test]
fn the_first_error_counts() {
    let diagnostic = parse("int x = ; @ /* open").unwrap_err();
    assert_eq!(diagnostic.message, "expected an expression, found `;`");
}

#[test]
fn long_tokens_are_cut_in_messages() {
    let diagnostic = parse("int \"x\";").unwrap_err();
    assert_eq!(diagnostic.message, "expected a name to declare, found `\"x\"`");
    let diagnostic = parse(&format!("int \"{}\";", "x".repeat(100))).unwrap_err();
    assert!(diagnostic.message.ends_with("x…`"), "{}", diagnostic.message);
    assert!(diagnostic.message.len() < 100);
}
