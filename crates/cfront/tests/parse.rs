//! What the parser accepts, one line per feature, and what it makes of it:
//! constants are evaluated, declarators are read aloud.

use cfront::syntax::ast::{
    BinaryOp, Derived, ExprKind, Expression, Item, Storage, TypeSpecifier, UnaryOp,
};
use cfront::syntax::parse;

/// Declarations, each a translation unit.
const ACCEPTED: &[&str] = &[
    "",
    ";;;",
    "int x;",
    "# 1 \"a.c\"\n#pragma once\nint x; // end\n/* a\n * b */ int y;",
    "int a\\\nb; char *s = \"x\\\ny\"; int f(int c) { return c +\\\n+; }",
    "int $a, b$c, é, \\u00e9x;",
    "int x <: 3 :>; int f(void) <% return 0; %>",
    // Specifiers.
    "unsigned long long int a; long unsigned b; int long long c; signed char d; short int e;",
    "const volatile int *restrict p; __const int a; __const__ int b; int __volatile__ c;",
    "__signed__ char a; __signed b; __inline int f(void); static __inline__ int g(void);",
    "int *__restrict p; int *__restrict__ q; typedef int *__restrict r;",
    "_Bool b; __int128 i; unsigned __int128 u; __int128_t j; __uint128_t k;",
    "float a; double b; long double c; _Float128 d; __float128 e; _Float32 f; _Float64x g; _Float16 h;",
    "typedef float _Float32; _Float32 x;",
    "_Complex double a; double _Complex b; __complex__ float c; _Complex _Float128 d;",
    "__builtin_va_list a; typedef __builtin_va_list __gnuc_va_list;",
    "_Noreturn void f(void); void g(void) __attribute__((noreturn));",
    "_Thread_local int a; static __thread int b; extern _Thread_local int c;",
    "_Atomic int a; _Atomic(int) b; int *_Atomic p; _Atomic(struct s *) q;",
    "_Alignas(16) int a; _Alignas(double) char b; int c = _Alignof(int) + __alignof__(long) + __alignof__ c;",
    "typeof(int) a; __typeof__(a + 1) b; typeof(int *) c; __typeof_unqual__(a) d;",
    "int f(void) { __auto_type x = 1; return x; }",
    "x; static y; const z = 3; f() { return 1; } *g() { return 0; }",
    "register_it(a, b) char b; { return a + b; }",
    "__extension__ typedef long long T; __extension__ int x; __extension__ struct s { __extension__ int a; };",
    // Attributes.
    "__attribute__((unused)) static int a; static __attribute__((unused)) int b; int c __attribute__((unused));",
    "int a __attribute__((aligned(8), section(\"x\"))), __attribute__((unused)) b, *__attribute__((unused)) c;",
    "struct __attribute__((packed)) s { int a __attribute__((aligned(4))), b; } __attribute__((aligned(8)));",
    "union __attribute__((transparent_union)) u { int a; }; enum __attribute__((packed)) e { A, B };",
    "enum e { A __attribute__((deprecated)) = 1, B } __attribute__((packed)) x;",
    "struct s { int a : 3 __attribute__((packed)), : 2, b : 1; int __attribute__((aligned(8))) c; };",
    "void f(int a __attribute__((unused)), __attribute__((unused)) int b, int (__attribute__((unused)) c));",
    "void (__attribute__((noreturn)) *f)(int); void (*g)(int) __attribute__((noreturn));",
    "int printf(const char *, ...) __attribute__((__format__(__printf__, 1, 2), __nothrow__, const, ));",
    "int f(void) __asm__(\"g\") __attribute__((nonnull)); int x asm(\"y\" \"z\") = 3;",
    "typedef int T __attribute__((mode(__DI__), vector_size(16)));",
    "void f(int x) { switch (x) { case 1: x = 2; __attribute__((fallthrough)); default:; } }",
    "void f(void) { l: __attribute__((unused)); __attribute__((unused)) int x; goto l; }",
    "int x = (__attribute__((unused)) int) 3;",
    // Records and enumerations.
    "struct s; struct s { struct s *next; }; struct { int a; } x; struct {} e; union u { int a; float b; };",
    "struct s { ; int a;; struct { int b; union { int c; }; }; int d[]; };",
    "struct s { int a : 1, b : 2, : 0; unsigned : 3; _Static_assert(1, \"x\"); };",
    "struct s { int a; int b }; struct t { const struct s; int (*f)(void), *p[3]; };",
    "enum e { A, B = 3, C, }; enum e x = B; enum { D = sizeof(int) };",
    "typedef struct s s; struct s { s *s; }; struct t { struct s t; };",
    // Declarators.
    "int *a[3], (*b)[3], *(*c)(int), (*(*d)(void))[2], ((((e)))), f(int), (g)(int), *(*(*h)(int))[3];",
    "int f(int a[static 3], int b[const 3], int c[*], int d[restrict static 2], int n, int e[n][n + 1]);",
    "int f(int (*)(int), int (int), int *(*)[3], void (*g)(void), ...); int g(int, char *[]); int h();",
    "typedef int T; int f(T), g(int (T)), h(T T), i(int T), j(T *T, int (*)(int T));",
    "void *(*f(int a))(void *b, int c); void (*signal(int, void (*)(int)))(int);",
    "void f(int n; int a[n], int n) { a[n - 1] = 0; }",
    // Old-style definitions.
    "int f(a, b, c) int a; char *b, c[3]; { return a; }",
    "typedef int T; int f(T2, x) T T2; register x; { T y; return T2 * x; }",
    "int (*f(a))(int) int a; { return 0; }",
    // Initialisers.
    "int a[] = {1, 2, 3,}, b[3] = {}, c[2][2] = {{1}, {2, 3}}; char s[] = {\"x\"};",
    "struct s { int a, b[3]; } x = {.a = 1, .b[1] = 2, .b = {[2] = 3}}; struct s y = {a: 1, b: {1}};",
    "int a[9] = {[1] = 2, [3 ... 5] = 6, [7] 8, 9}, b[2][2] = {[0][1] = 1, [1] {2}};",
    "struct s { struct { int y; } x[2]; } a = {.x[1].y = 3};",
    // Static assertions and assembly.
    "_Static_assert(1, \"x\" \"y\"); _Static_assert(1); int f(void) { _Static_assert(1, \"\"); return 0; }",
    "asm(\"nop\"); __asm__ volatile (\"nop\");",
    "void f(int x) { asm(\"nop\"); asm volatile(\"\" ::: \"memory\", \"cc\"); asm(\"mov %1, %0\" : \"=r\"(x) : \"r\"(x)); }",
    "void f(int x) { __asm__ __volatile__ (\"%[a]\" : [a] \"+m\" (x), \"=r\"(x) : [b] \"i\"(3), \"r\"(x) : \"memory\"); }",
    "void f(void) { asm goto(\"jmp %l0\" : : : \"cc\" : l, m); l: m:; asm inline volatile(\"\"); }",
];

/// Statements, each the body of a function where `x`, `p`, `s` and the type `T` are known.
const STATEMENTS: &[&str] = &[
    ";",
    "{}",
    "{ int x; { int x; } }",
    "int y; x = 1; int z = x, *q = &z;",
    "if (x) ; else if (x) ; else ;",
    "if (x) if (x) ; else ;",
    "while (x) { break; continue; }",
    "do x--; while (x);",
    "for (;;) break;",
    "for (int i = 0, j; i < 3; i++, j--) { T i; }",
    "for (x = 0; x < 3; x++);",
    "for (T T = 0; T < 3; T++) T * 2; T u;",
    "switch (x) { case 1: case 2: x = 1; break; case 3 ... 5: default: ; }",
    "switch (x) case 1: x = 2;",
    "switch (x) { case 1: int y = 2; x = y; break; case 2: }",
    "l: m: x = 1; goto l; goto m;",
    "{ l: }",
    "T: x = 1; goto T;",
    "l: int y = 1; goto l;",
    "l: ; void *q = &&l; goto *q; goto *(&&l);",
    "__label__ l, m; l: m: goto l;",
    "int nested(int a) { return a + x; } x = nested(2);",
    "auto int later(int); int later(int a) { return a; }",
    "return;",
    "x = ({ int y = x; y + 1; });",
    "x = ({ T T = 1; T * 2; }); T z;",
    "int T = 3; T * 2; (T) + 1; x = sizeof(T);",
    "{ int T; T = 1; } T y;",
    "enum { T = 2 }; x = T * 3;",
    "typedef char U; U u; { typedef int *U; U v = &x; *v = 1; }",
    "T *q = &x; T(y); T(*z) = q; T(w)[3]; T;",
    "x = x ?: 2; x = x ? x, 1 : x ? 2 : 3; x = x = x += 1;",
    "x = sizeof x + sizeof(x) + sizeof(int) + sizeof (T){1} + sizeof (s).a + sizeof(int[3]) + sizeof(int (*)(int));",
    "x = (int)x + (T)x + (T)(x) + (x)(x) + (x) - 1; p = (int *)p;",
    "x = (int){1} + (struct t){.a = 1}.a + *(int[]){1, 2}; p = &(int){3}; x = (T){1}++;",
    "x = _Alignof(int) + __alignof__ x + __alignof__(x) + _Alignof(x);",
    "x = _Generic(x, int: 1, char *: 2, default: 3);",
    "__builtin_va_list v; x = __builtin_va_arg(v, int *)[0];",
    "x = __builtin_offsetof(struct t, a) + __builtin_offsetof(struct t, b[2].c) + __builtin_offsetof(T2, a);",
    "x = __builtin_types_compatible_p(int, T *) + __builtin_choose_expr(1, x, p);",
    "x = __extension__ 1 + __extension__ ({ 2; }); __extension__ x++; (__extension__ (x)); __extension__ T y;",
    "x = s.a + q->b[1].c; (*p)++; ++*p; --x; x--; f(x, (x, 1), f())(1)(2);",
    "x = -x + +x - ~x * !x & *p && &x; x = x---x; x = x <<= 1, x >>= 2;",
    "p = \"a\" \"b\\n\\x41\\101\\u00e9\\e\" \"\"; p = L\"x\" \"y\"; p = u8\"x\"; p = u\"x\"; p = U\"x\";",
    "x = 0x1F + 017 + 0b101 + 1u + 1lu + 1ull + 1LLU + 1L + 18446744073709551615u;",
    "d = 1. + .5 + 1.5e-3f + 1e10L + 0x1.8p3 + 0x.8p-1 + 1.0F128 + 1e1;",
    "c = 'a' + '\\'' + '\\0' + '\\x7f' + '\\377' + L'x' + u'x' + U'x' + 'ab' + '\\e' + '\"' + u8'x';",
    "__real__ x; __imag__ x;",
    "_Atomic T y; _Atomic(T) z; const T w; T const v; unsigned T;",
];

fn accept(text: &str) {
    if let Err(diagnostic) = parse(text) {
        panic!("{text}\n{diagnostic:?}");
    }
}

#[test]
fn declarations() {
    ACCEPTED.iter().for_each(|text| accept(text));
}

#[test]
fn statements() {
    for statement in STATEMENTS {
        accept(&format!(
            "typedef int T; typedef struct t T2; void f(int x, int *p) {{ {statement} }}"
        ));
    }
}

/// The initialiser of the last variable of the text.
fn last_init(text: &str) -> Expression {
    let unit = parse(text).unwrap();
    let Some(Item::Declaration(declaration)) = unit.items.last() else {
        panic!("no declaration in {text}");
    };
    match &declaration.declarators[0].init {
        Some(cfront::syntax::ast::Initializer::Expr(expr)) => expr.clone(),
        other => panic!("{text}: {other:?}"),
    }
}

fn value(expr: &Expression) -> i128 {
    match &*expr.kind {
        ExprKind::Int { value, .. } => *value as i128,
        ExprKind::Char(value, _) => (*value).into(),
        ExprKind::Unary(UnaryOp::Minus, e) => -value(e),
        ExprKind::Unary(UnaryOp::BitNot, e) => !value(e),
        ExprKind::Unary(UnaryOp::Not, e) => (value(e) == 0).into(),
        ExprKind::Binary(op, a, b) => binary_value(*op, value(a), value(b)),
        ExprKind::Conditional(c, a, b) if value(c) != 0 => {
            value(a.as_ref().unwrap_or(c)).max(value(b).min(0))
        }
        ExprKind::Conditional(_, _, b) => value(b),
        ExprKind::Comma(_, b) => value(b),
        other => panic!("{other:?}"),
    }
}

fn binary_value(op: BinaryOp, a: i128, b: i128) -> i128 {
    match op {
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Rem => a % b,
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Shl => a << b,
        BinaryOp::Shr => a >> b,
        BinaryOp::Lt => (a < b).into(),
        BinaryOp::Le => (a <= b).into(),
        BinaryOp::Gt => (a > b).into(),
        BinaryOp::Ge => (a >= b).into(),
        BinaryOp::Eq => (a == b).into(),
        BinaryOp::Ne => (a != b).into(),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::And => (a != 0 && b != 0).into(),
        BinaryOp::Or => (a != 0 || b != 0).into(),
    }
}

#[test]
fn values() {
    let cases = [
        ("1 + 2 * 3 - 4", 3),
        ("10 - 3 - 2", 5),
        ("100 / 5 / 2 % 7", 3),
        ("1 << 2 + 1", 8),
        ("1 | 2 ^ 3 & 1", 3),
        ("1 || 0 && 0", 1),
        ("2 > 1 == 1 != 0", 1),
        ("-2 * -3 + !0 + ~0", 6),
        ("0 ? 1 : 0 ? 2 : 3", 3),
        ("5 ?: 7", 5),
        ("(1, 2) + 3", 5),
        ("0x10 + 010 + 0b11 + 0", 27),
        ("18446744073709551615u", u64::MAX.into()),
        ("'a'", 97),
        ("'\\xff'", -1),
        ("'ab'", 0x6162),
        ("'abcde'", 0x62636465),
        ("'\\377\\377'", 0xFFFF),
        ("'é'", 0xC3A9),
        ("L'é'", 0xE9),
        ("U'\\U0001F600'", 0x1F600),
        ("L'\\xffffffff'", -1),
        ("u'\\xffff'", 0xFFFF),
        ("'\\e' + '\\n' + '\\q' - 'q'", 37),
    ];
    for (text, expected) in cases {
        assert_eq!(value(&last_init(&format!("int x = {text};"))), expected, "{text}");
    }
}

#[test]
fn strings() {
    let cases: [(&str, &[u32], char); 6] = [
        ("\"ab\" \"c\"", &[97, 98, 99], '\0'),
        ("\"é\"", &[0xC3, 0xA9], '\0'),
        ("\"é\" L\"x\"", &[0xE9, 120], 'L'),
        ("u\"\\U0001F600\"", &[0xD83D, 0xDE00], 'u'),
        ("u8\"\\0\\12z\\x0az\"", &[0, 10, 122, 10, 122], '\0'),
        ("\"\\?\\\"\\\\\"", &[63, 34, 92], '\0'),
    ];
    for (text, units, prefix) in cases {
        let expr = last_init(&format!("int x = {text};"));
        assert_eq!(*expr.kind, ExprKind::Str(units.to_vec(), prefix), "{text}");
    }
}

#[test]
fn integer_suffixes() {
    for (text, expected) in [
        ("1", (false, 0, true)),
        ("1lu", (true, 1, true)),
        ("1ULL", (true, 2, true)),
        ("0x1llU", (true, 2, false)),
        ("01l", (false, 1, false)),
    ] {
        match *last_init(&format!("int x = {text};")).kind {
            ExprKind::Int { unsigned, longs, decimal, .. } => {
                assert_eq!((unsigned, longs, decimal), expected, "{text}")
            }
            ref other => panic!("{text}: {other:?}"),
        }
    }
}

/// Reads the first declarator of the last declaration aloud.
fn aloud(text: &str) -> String {
    let unit = parse(text).unwrap();
    let Some(Item::Declaration(declaration)) = unit.items.last() else {
        panic!("no declaration in {text}");
    };
    let steps = declaration.declarators[0].declarator.derived.iter().map(|step| match step {
        Derived::Pointer(qualifiers) if qualifiers.is_const => "const pointer to".to_string(),
        Derived::Pointer(_) => "pointer to".to_string(),
        Derived::Array(..) => "array of".to_string(),
        Derived::Function { params, variadic, unprototyped } => format!(
            "function of {}{}{} returning",
            params.len(),
            if *variadic { "+" } else { "" },
            if *unprototyped { "?" } else { "" }
        ),
    });
    steps.collect::<Vec<_>>().join(" ")
}

#[test]
fn declarators() {
    for (text, expected) in [
        ("int x;", ""),
        ("int *a[3];", "array of pointer to"),
        ("int (*a)[3];", "pointer to array of"),
        ("int *const *p;", "pointer to const pointer to"),
        ("int f(void);", "function of 0 returning"),
        ("int f();", "function of 0? returning"),
        ("int f(int, char *, ...);", "function of 2+ returning"),
        (
            "int *(*f(int))(void);",
            "function of 1 returning pointer to function of 0 returning pointer to",
        ),
        ("typedef int T; int f(int (T));", "function of 1 returning"),
    ] {
        assert_eq!(aloud(text), expected, "{text}");
    }
}

#[test]
fn typedef_in_parentheses_of_a_parameter_is_its_type() {
    let unit = parse("typedef int T; int f(int (T)); int g(int (x));").unwrap();
    let derived_of_param = |item: &Item| match item {
        Item::Declaration(d) => match &d.declarators[0].declarator.derived[0] {
            Derived::Function { params, .. } => params[0].declarator.derived.len(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!(derived_of_param(&unit.items[1]), 1);
    assert_eq!(derived_of_param(&unit.items[2]), 0);
}

#[test]
fn old_style_parameters_get_their_types() {
    let unit = parse("int f(a, b, c) char *b; double c; { }").unwrap();
    let Item::Function(function) = &unit.items[0] else {
        panic!("{unit:?}");
    };
    let Derived::Function { params, unprototyped, .. } = &function.declarator.derived[0] else {
        panic!("{function:?}");
    };
    assert!(unprototyped);
    assert_eq!(params[0].specifiers.ty, TypeSpecifier::Implicit);
    assert_eq!(params[1].declarator.derived.len(), 1);
    assert_eq!(params[2].specifiers.ty, TypeSpecifier::Float("double".to_string()));
}

#[test]
fn noreturn_is_seen_everywhere() {
    let unit = parse(
        "_Noreturn void a(void); __attribute__((__noreturn__)) void b(void); void c(void) __attribute__((noreturn));",
    )
    .unwrap();
    for item in &unit.items {
        let Item::Declaration(declaration) = item else {
            panic!("{item:?}");
        };
        let of_declarator = &declaration.declarators[0].declarator.attributes;
        assert!(
            declaration.specifiers.noreturn || of_declarator.iter().any(|a| a.name == "noreturn")
        );
    }
}

#[test]
fn ranges_cover_what_was_read() {
    let text = "int x = (1 + 2) * foo(3)[4];";
    let expr = last_init(text);
    let ExprKind::Binary(BinaryOp::Mul, left, right) = &*expr.kind else {
        panic!("{expr:?}");
    };
    let shown = |e: &Expression| &text[e.range.lo as usize..e.range.hi as usize];
    assert_eq!(shown(&expr), "(1 + 2) * foo(3)[4]");
    assert_eq!(shown(left), "(1 + 2)");
    assert_eq!(shown(right), "foo(3)[4]");
    let spliced = "static in\\\nt ab\\\nc;";
    let unit = parse(spliced).unwrap();
    let Item::Declaration(declaration) = &unit.items[0] else {
        panic!("{unit:?}");
    };
    assert_eq!(declaration.specifiers.storage, Some(Storage::Static));
    let name = declaration.declarators[0].declarator.name.as_ref().unwrap();
    assert_eq!(&*name.name, "abc");
    assert_eq!(&spliced[name.range.lo as usize..name.range.hi as usize], "ab\\\nc");
}

/// Cloning and evaluating a high tree recurses, so this takes a large stack.
#[test]
fn long_chains_are_accepted() {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
        let sum = vec!["1"; 4000].join(" + ");
        assert_eq!(value(&last_init(&format!("int x = {sum};"))), 4000);
    });
    thread.unwrap().join().unwrap();
    accept(&format!("void f(int x) {{ {} ; }}", "if (x) ; else ".repeat(4000)));
    accept(&format!("void f(int x) {{ switch (x) {{ {} ; }} }}", "case 1: ".repeat(4000)));
    accept(&format!("int a[] = {{ {} }};", "1 + 2, ".repeat(100_000)));
    accept(&format!("void f(int x) {{ {} }}", "x = x + 1; ".repeat(100_000)));
    accept(&format!("int x = f({} 0);", "1 * 2, ".repeat(100_000)));
}
