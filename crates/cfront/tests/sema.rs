//! Facts about the typed program: names, types, conversions, models, messages.

mod sema_common;

use cfront::DataModel::{Ilp32, Lp64};
use cfront::hir::{ExprKind, Lifetime, StmtKind, Type};
use sema_common::{
    body, entries, field, function, number, try_unit, try_with_models, type_name, unit, var,
};

/// Is the text accepted, and does the body of `f` show these words in order?
#[track_caller]
fn shows(text: &str, words: &[&str]) {
    let shown = body(&unit(text, Ilp32), "f");
    let mut rest = shown.as_str();
    for word in words {
        match rest.split_once(word) {
            Some((_, after)) => rest = after,
            None => panic!("`{word}` is missing in\n{shown}"),
        }
    }
}

#[track_caller]
fn complains(text: &str, expected: &str) {
    match try_unit(text, Ilp32) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(messages) => assert_eq!(messages.join("\n"), expected),
    }
}

#[test]
fn diagnostics_name_the_culprit() {
    complains(
        "int counter;\nint f(void) { return counte; }",
        "2:22: `counte` is not declared: did you mean `counter`?",
    );
    complains(
        "int f(void) { return zzz; }",
        "1:22: `zzz` is not declared: declare it first, or include the header that does",
    );
    complains("void f(void) { int x; int x; }", "1:27: `x` is declared twice in one block");
    complains(
        "void f(void) { goto out; }",
        "1:21: the label `out` is used but not defined in this function",
    );
    complains("void f(void) { a: ; a: ; }", "1:21: the label `a` is defined twice");
    complains("void f(void) { break; }", "1:16: `break` stands outside of any loop or `switch`");
    complains(
        "void f(void) { switch (1) { default: continue; } }",
        "1:38: `continue` stands outside of any loop",
    );
    complains(
        "void f(int x) { switch (x) { case 1: case 2: case 1: ; } }",
        "1:51: the value 1 has two case labels",
    );
    complains(
        "void f(int x) { switch (x) { case 1 ... 5: case 3: ; } }",
        "1:49: the value 3 has two case labels",
    );
    complains("void f(int x) { case 1: ; }", "1:22: `case` stands outside of any `switch`");
    complains(
        "void f(int x) { switch (x) { case x: ; } }",
        "1:35: a case label must be a constant",
    );
    complains("int f(void) { return 1; }\nint f(void) { return 2; }", "2:5: `f` has two bodies");
    complains("int x = 1;\nint x = 2;", "2:5: `x` is defined twice");
    complains("struct s { int a; };\nstruct s { int b; };", "2:8: `s` is defined twice");
    complains("struct s { int a; int a; };", "1:1: two members are called `a`");
    complains(
        "struct s { int a; } v; int f(void) { return v.b; }",
        "1:47: struct s has no member `b`",
    );
    complains(
        "struct s *p; int f(void) { return p->b; }",
        "1:38: struct s is not complete, its members are not known",
    );
    complains("int x; int f(void) { return x.b; }", "1:31: int has no members, so no `b`");
    complains(
        "int x; int f(void) { return *x; }",
        "1:29: `*` needs a pointer, not a value of type int",
    );
    complains(
        "int x; int f(void) { return x(); }",
        "1:29: this is not a function, so it cannot be called",
    );
    complains(
        "int g(int a, int b); int f(void) { return g(1); }",
        "1:43: `g` takes 2 arguments, but is given 1",
    );
    complains(
        "int f(void) { 1 = 2; return 0; }",
        "1:15: this is not a variable that can be changed",
    );
    complains("int a[2], b[2]; void f(void) { a = b; }", "1:32: an array cannot be assigned to");
    complains(
        "struct s { int a; } v; int f(void) { return v + 1; }",
        "1:45: this operator does not work on struct s",
    );
    complains(
        "struct s { int a; } v; int f(void) { return v; }",
        "1:45: a value of type struct s does not convert to int",
    );
    complains(
        "struct s { int a : 3; } v; int *f(void) { return &v.a; }",
        "1:50: a bit-field has no address",
    );
    complains("struct s { int a : 33; };", "1:20: a bit-field cannot have 33 bits");
    complains("int a[-1];", "1:7: the size of an array is negative");
    complains("int a[1 / 0];", "1:7: the size of this array divides by zero");
    complains("int n; int a[n];", "1:14: the size of this array must be a constant");
}

#[test]
fn constants_must_be_constant() {
    complains("enum { A = 1 / 0 };", "1:12: an enumeration constant divides by zero");
    complains("int x; int y = x;", "1:16: the initialiser of a static variable must be a constant");
    complains("_Static_assert(1 == 2, \"sums\");", "1:1: the static assertion fails: sums");
    complains("int x; _Static_assert(x, \"\");", "1:23: a static assertion must be a constant");
    complains("int a[2] = { [5] = 1 };", "1:15: this index lies outside of the array");
    complains("struct { int a; } v = { .b = 1 };", "1:26: there is no member `b`");
    complains("struct s v;", "1:10: `v` has the type struct s, which is not complete");
    complains("void v;", "1:6: `v` has the type void, which is not complete");
}

#[test]
fn absurd_sizes_are_refused() {
    for text in [
        "char a[0xffffffffffffffff];",
        "struct { char a[1ull << 39], b[1ull << 39], c[1ull << 39]; } s;",
        "int a[] = { [0x7fffffffffffffff] = 1 };",
        "int a[] = { [1ull << 39] = 1 };",
        "int a[] = { [0 ... 0xffffffff] = 1 };",
        "int a[340282366920938463463374607431768211455];",
    ] {
        assert!(try_unit_of(text).is_err(), "{text}");
    }
    // gcc takes these; no machine has the memory.
    for text in ["char a[0x10000000][0x10000000];", "short a[(1ll << 62) - 256];"] {
        let unit = try_unit(text, Lp64).unwrap_or_else(|messages| panic!("{messages:?}"));
        assert_eq!(unit.limits.len(), 1, "{text}");
    }
    assert!(try_unit("int a[1000000] = { [0 ... 999999] = 0 };", Lp64).is_ok());
}

/// The text may already fail to parse.
fn try_unit_of(text: &str) -> Result<(), ()> {
    cfront::syntax::parse(text).map_err(|_| ())?;
    try_unit(text, Lp64).map(|_| ()).map_err(|_| ())
}

#[test]
fn several_functions_several_diagnostics() {
    let text = "int f(void) { return a; }\nint g(void) { return b; }\nint h(void) { return 0; }";
    let messages = try_unit(text, Ilp32).expect_err("two names are unknown");
    assert_eq!(messages.len(), 2);
    let many: String = (0..50).map(|i| format!("int f{i}(void) {{ return nothing; }}\n")).collect();
    assert_eq!(try_unit(&many, Ilp32).expect_err("wrong").len(), 20);
}

#[test]
fn sizes_follow_the_data_model() {
    let text = "struct { char a; long long b; double c; long d; void *e; } v;";
    let sizes = |model| {
        let unit = unit(text, model);
        let ty = var(&unit, "v").ty;
        let offsets = ["b", "c", "d", "e"].map(|name| field(&unit, "v", name).0);
        (unit.types.size_of(ty), unit.types.align_of(ty), offsets)
    };
    assert_eq!(sizes(Ilp32), (Some(28), 4, [4, 12, 20, 24]));
    assert_eq!(sizes(Lp64), (Some(40), 8, [8, 16, 24, 32]));
}

#[test]
fn bit_fields_keep_away_from_their_neighbours() {
    let unit = unit("struct { char a; int b : 8; int c : 20; int d; } v;", Ilp32);
    let (offset, b) = field(&unit, "v", "b");
    assert_eq!((offset, unit.types.size_of(b.ty)), (1, Some(1)));
    let (offset, c) = field(&unit, "v", "c");
    assert_eq!((offset, unit.types.size_of(c.ty)), (4, Some(4)));
}

#[test]
fn anonymous_members_and_flexible_arrays() {
    let unit = unit(
        "struct { int a; union { int b; struct { short c, d; }; }; char tail[]; } v;
         int s = sizeof(v); int o = __builtin_offsetof(__typeof__(v), d);",
        Ilp32,
    );
    assert_eq!(number(&unit, "s"), 8);
    assert_eq!(number(&unit, "o"), 6);
    assert_eq!(field(&unit, "v", "d").0, 6);
    assert_eq!(field(&unit, "v", "tail").0, 8);
}

#[test]
fn declarations_compose() {
    let unit = unit(
        "extern int a[]; int a[3]; extern int never; int tentative; int tentative; int once[];
         struct later; struct later *p; struct later { int x; }; int g(void) { return p->x; }
         static int s; _Thread_local int t = 4; extern int with = 3;
         int h(void) { extern int outside; static int inside = 2; return outside + inside; }",
        Ilp32,
    );
    assert_eq!(type_name(&unit, "a"), "int [3]");
    assert_eq!(type_name(&unit, "once"), "int [1]");
    assert!(var(&unit, "never").init.is_none());
    assert!(var(&unit, "outside").init.is_none());
    assert_eq!(number(&unit, "tentative"), 0);
    assert_eq!(unit.vars.iter().filter(|v| v.name == "tentative").count(), 1);
    assert_eq!(var(&unit, "t").lifetime, Lifetime::Thread);
    assert_eq!(number(&unit, "t"), 4);
    assert_eq!(number(&unit, "with"), 3);
    assert_eq!(var(&unit, "inside").lifetime, Lifetime::Static);
    assert_eq!(number(&unit, "inside"), 2);
}

#[test]
fn static_addresses_are_constants() {
    let text = "int a[4]; struct { int x, y; } s; int f(int);
        int *p = &a[2], *q = a + 1, *r = &s.y; int (*g)(int) = f, (*h)(int) = &f; char *t = \"hi\";
        unsigned long n = (unsigned long)&a; int *lit = (int[]){ 1, 2 }; double d = 1.5;";
    let unit = unit(text, Ilp32);
    let kind = |name| {
        let init = var(&unit, name).init.as_deref().unwrap_or_default();
        format!("{:?}", init[0].value.kind)
    };
    for (name, expected) in [
        ("p", "AddrOf(Place { kind: Index("),
        ("q", "PtrAdd("),
        ("r", "AddrOf(Place { kind: Field("),
        ("g", "FunctionAddr("),
        ("h", "FunctionAddr("),
        ("t", "AddrOf(Place { kind: Var("),
        ("n", "Cast("),
        ("lit", "AddrOf(Place { kind: Var("),
        ("d", "Unsupported(\"floating-point arithmetic\")"),
    ] {
        assert!(kind(name).starts_with(expected), "{name}: {}", kind(name));
    }
}

#[test]
fn overflow_stays_in_the_program() {
    shows("int f(void) { return 2147483647 + 1; }", &["Binary(Add"]);
    shows("int f(void) { return 1 / 0; }", &["Binary(Div"]);
    shows("int f(void) { return 1 << 31; }", &["Binary(Shl"]);
    shows("int f(void) { return -(-2147483647 - 1); }", &["Unary(Neg"]);
    shows("unsigned f(void) { return 4294967295u + 1; }", &["Return(Some(Expr { kind: Const(0)"]);
    assert_eq!(number(&unit("int x = 2147483647 + 1;", Ilp32), "x"), -2_147_483_648);
}

#[test]
fn conversions_are_explicit() {
    shows("void f(char c) { c = c + 1; }", &["Assign(", "Cast(", "Binary(Add", "Cast(", "Load("]);
    shows("long long f(unsigned u) { return u; }", &["Return(", "Cast("]);
    shows("_Bool f(int i) { return i; }", &["Return(", "Cast("]);
    shows("void g(long long); void f(void) { g(1); }", &["Call(Direct", "Const(1), ty: TypeId("]);
    shows("int f(int *p, char *q) { return p == q; }", &["Binary(Eq", "Cast("]);
    shows("int f(int *p) { return p == 0; }", &["Binary(Eq", "Const(0)"]);
    shows(
        "void f(unsigned char c) { c += 300; }",
        &["AssignOp", "op: Add", "Const(300)", "compute: TypeId(3)"],
    );
    shows("void f(int *p) { p -= 2; }", &["AssignOp", "op: Sub", "scale: 4"]);
    shows("void f(_Atomic int *p) { ++*p; }", &["AssignOp", "result_is_old: false"]);
    shows("int *f(int *p, int i) { return p + i; }", &["PtrAdd(", ", 4)"]);
    shows("void *f(void *p) { return p + 2; }", &["PtrAdd(", ", 1)"]);
    shows("int f(int *p, int *q) { return p - q; }", &["PtrDiff(", ", 4)"]);
    shows("void f(int a[4]) { a[1] = 2; }", &["Deref(", "PtrAdd("]);
    shows("int a[4]; void f(int i) { a[i] = 2; }", &["Index(Place { kind: Var("]);
}

#[test]
fn calls_find_their_function() {
    let direct = ["g(1)", "(*g)(1)", "(&g)(1)", "(**g)(1)"];
    for call in direct {
        shows(&format!("int g(int); int f(void) {{ return {call}; }}"), &["Call(Direct("]);
    }
    shows("int f(int (*g)(int)) { return g(1) + (*g)(2); }", &["Call(Pointer(", "Call(Pointer("]);
    let implicit = unit("int f(void) { return unknown(1, 2); }", Ilp32);
    assert!(function(&implicit, "unknown").body.is_none());
    assert!(function(&implicit, "unknown").variadic);
    shows(
        "struct s { int a[2]; } g(void); int f(void) { return g().a[1]; }",
        &["Index(", "Field(", "Temporary("],
    );
}

#[test]
fn builtins_are_what_they_mean() {
    let unit = unit(
        "void f(char *p) {
             __builtin_memcpy(p, \"a\", 2); __builtin___memset_chk(p, 0, 3, 4);
             if (__builtin_expect(*p, 0)) __builtin_trap();
             int r; __builtin_add_overflow(1, 2, &r); __builtin_bswap32(5); __builtin_abort();
         }",
        Ilp32,
    );
    for name in [
        "memcpy",
        "memset",
        "abort",
        "__builtin_trap",
        "__builtin_add_overflow",
        "__builtin_bswap32",
    ] {
        function(&unit, name);
    }
    assert!(function(&unit, "abort").noreturn);
    assert!(!unit.functions.iter().any(|f| f.name == "__builtin_expect"));
}

#[test]
fn atomic_builtins_have_the_type_of_their_target() {
    let text = |call: &str| {
        format!(
            "_Atomic short a; short s; int g(void) {{ return 0; }} void f(void) {{ __auto_type r = {call}; }}"
        )
    };
    for (call, expected) in [
        ("__atomic_load_n(&a, 5)", "short"),
        ("__atomic_fetch_add(&a, 1, 5)", "short"),
        ("__atomic_exchange_n(&s, 1, 5)", "short"),
        ("__sync_fetch_and_add(&s, 1)", "short"),
        ("__sync_add_and_fetch(&s, 1)", "short"),
        ("__sync_val_compare_and_swap(&s, 1, 2)", "short"),
        ("__sync_bool_compare_and_swap(&s, 1, 2)", "_Bool"),
        ("__atomic_compare_exchange_n(&s, &s, 2, 0, 5, 5)", "_Bool"),
        ("__atomic_test_and_set(&s, 5)", "_Bool"),
        ("__c11_atomic_load(&a, 5)", "short"),
    ] {
        let unit = unit(&text(call), Ilp32);
        assert_eq!(type_name(&unit, "r"), expected, "{call}");
    }
    shows(
        "short s; void f(void) { __sync_synchronize(); __atomic_store_n(&s, 7, 5); }",
        &["Call(Direct", "Call(Direct", "AddrOf(", "Const(7)", "Const(5)", "ty: TypeId(0)"],
    );
}

#[test]
fn statements_keep_their_shape() {
    shows(
        "void f(void) { for (int i = 0; i < 3; i++) ; }",
        &["Block([", "Declare(", "Loop {", "test_first: true", "step: Some("],
    );
    shows("void f(void) { do ; while (1); }", &["Loop {", "test_first: false"]);
    shows(
        "void f(int x) { switch (x) { case 1: case 3 ... 5: break; default: ; } }",
        &[
            "Switch {",
            "cases: [(1, 1, LabelId(0)), (3, 5, LabelId(1))]",
            "default: Some(LabelId(2))",
            "Label(LabelId(0))",
            "Break",
        ],
    );
    shows("void f(void) { again: goto again; }", &["Label(LabelId(0))", "Goto(LabelId(0))"]);
    shows(
        "void f(void) { { __label__ a; a: goto a; } { __label__ a; goto a; a: ; } }",
        &["Label(LabelId(0))", "Goto(LabelId(0))", "Goto(LabelId(1))", "Label(LabelId(1))"],
    );
    shows("int f(void) { return ({ int x = 1; x + 1; }); }", &["Stmt([", "Declare(", "Some(Expr"]);
    shows("int f(int a) { return a ?: 7; }", &["Stmt([", "Declare(", "Cond("]);
    shows(
        "struct s { int a; }; int f(void) { return (struct s){ 3 }.a; }",
        &["Field(", "Deref(", "Stmt([", "Declare("],
    );
    shows("const char *f(void) { return __func__; }", &["AddrOf("]);
    shows("void g(void); void f(void) { return g(); }", &["Expr(", "Call(", "Return(None)"]);
}

#[test]
fn fences_and_what_is_not_modelled() {
    for fence in ["\"\" ::: \"memory\"", "\"mfence\"", "\"lock; addl $0,0(%%esp)\"", "\"rep; nop\""]
    {
        shows(&format!("void f(void) {{ __asm__ volatile ({fence}); }}"), &["Fence"]);
    }
    for (text, what) in [
        ("void f(int x) { __asm__ (\"inc %0\" : \"+r\"(x)); }", "inline assembly"),
        ("void f(double d) { d = d + 1; }", "floating-point arithmetic"),
        ("int f(double d) { return d; }", "floating-point arithmetic"),
        ("int f(float d) { return d ? 1 : 2; }", "floating-point arithmetic"),
        ("void f(int n) { int a[2][n]; }", "variable-length array"),
        ("void f(int n) { typedef int t[n]; t a; }", "variable-length array"),
        ("__int128 f(__int128 a) { return a * a; }", "128-bit arithmetic"),
        (
            "void f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); }",
            "variable arguments",
        ),
        ("void f(void *p) { goto *p; }", "computed goto"),
        ("void *f(void) { a: return &&a; }", "address of a label"),
        ("void f(void) { void g(void) { } }", "nested function"),
    ] {
        shows(text, &[&format!("Unsupported(\"{what}\")")]);
    }
    let plain =
        body(&unit("double g(double); void f(double a) { double b = a; g(b); }", Ilp32), "f");
    assert!(!plain.contains("Unsupported"), "{plain}");
    let folded = body(&unit("void f(void) { const int n = 4; int a[n]; }", Ilp32), "f");
    assert!(!folded.contains("Unsupported"), "{folded}");
}

#[test]
fn bool_bit_fields_convert_to_bool() {
    shows(
        "struct { _Bool b : 1; unsigned c : 7; } v; void f(int x) { v.b = x; v.b |= x; }",
        &["Assign(", "Cast(", "ty: TypeId(1)", "Assign(", "ty: TypeId(1)"],
    );
}

#[test]
fn generic_selection_and_typeof() {
    let unit = unit(
        "int i; __typeof__(i + 1ll) a; __typeof__(int[3]) b; __typeof__(&i) c; __typeof__(b[0]) d;
         int e = _Generic(&i, char *: 1, int *: 2, default: 3);
         typedef struct s { int x; } s; s g; __typeof__(((s *)0)->x) h;",
        Ilp32,
    );
    assert_eq!(type_name(&unit, "a"), "long long");
    assert_eq!(type_name(&unit, "b"), "int [3]");
    assert_eq!(type_name(&unit, "c"), "int *");
    assert_eq!(type_name(&unit, "d"), "int");
    assert_eq!(number(&unit, "e"), 2);
    assert_eq!(type_name(&unit, "h"), "int");
}

#[test]
fn old_style_functions() {
    let text = "int f(a, b) char a; int *b; { return a + *b; } int g() { return f(1, 0); } int main() { return g(1); }";
    let unit = unit(text, Ilp32);
    assert_eq!(function(&unit, "f").params.len(), 2);
    assert!(!function(&unit, "g").variadic);
}

const MODELS: &str = "
    struct __rely_type_pthread_mutex_t { int kind; int owner; };
    struct __rely_type_pthread_once_t { int kind; };
    struct node { char c; };
    typedef int size_t;
    static int secret = 1;
    int errno_like;
    int lock(struct __rely_type_pthread_mutex_t *m) { m->owner = 1; return 0; }
    int once(struct __rely_type_pthread_once_t *o) { return o->kind; }
    int twice(long long x) { return (int)x * 2; }
    static int helper(void) { return secret; }
    int use(void) { return helper(); }
";

#[test]
fn models_are_replaced_by_definitions_only() {
    let text = "
        struct node { int value; struct node *next; };
        typedef unsigned long size_t;
        int twice(int x);
        static int helper(int a) { return a; }
        int secret;
        extern int errno_like;
        int lock(void *p) { return 7; }
        int f(struct node *n) { return n->next->value + twice(3) + twice(1, 2) + helper(1) + secret + errno_like; }";
    let unit = try_with_models(MODELS, text, Ilp32).unwrap_or_else(|m| panic!("{m:?}"));
    assert!(!function(&unit, "lock").is_model);
    assert_eq!(unit.functions.iter().filter(|f| f.name == "lock").count(), 1);
    let twice = function(&unit, "twice");
    assert!(twice.is_model && twice.body.is_some());
    let Type::Function { params, .. } = unit.types.get(twice.ty) else {
        panic!("a function");
    };
    assert_eq!(unit.types.name(params[0]), "long long");
    assert_eq!(unit.functions.iter().filter(|f| f.name == "helper").count(), 2);
    assert_eq!(unit.vars.iter().filter(|v| v.name == "secret").count(), 2);
    assert_eq!(unit.vars.iter().filter(|v| v.name == "errno_like").count(), 1);
}

#[test]
fn models_replace_types_of_the_library() {
    let text = "
        typedef union { struct { int lock, count, owner, kind; } data; char size[24]; } pthread_mutex_t;
        typedef int pthread_once_t;
        int lock(pthread_mutex_t *), once(pthread_once_t *);
        pthread_mutex_t plain = { { 0, 0, 0, 0 } };
        pthread_mutex_t recursive = { { 0, 0, 0, 1 } };
        pthread_mutex_t array[2] = { { { 0, 0, 0, 2 } }, { { 0 } } };
        struct { int before; pthread_mutex_t m; int after; } nested = { 5, { { 0, 0, 0, 1 } }, 6 };
        pthread_once_t fresh = 0, started = 2;
        void f(void) { pthread_mutex_t m = { { 0, 0, 0, 3 } }; m = (pthread_mutex_t){ { 0 } }; lock(&m); }";
    let unit = try_with_models(MODELS, text, Ilp32).unwrap_or_else(|m| panic!("{m:?}"));
    assert_eq!(type_name(&unit, "plain"), "struct __rely_type_pthread_mutex_t");
    assert_eq!(entries(&unit, "plain"), []);
    assert_eq!(entries(&unit, "recursive"), [(0, 1)]);
    assert_eq!(entries(&unit, "array"), [(0, 2)]);
    assert_eq!(entries(&unit, "nested"), [(0, 5), (4, 1), (28, 6)]);
    assert_eq!(entries(&unit, "fresh"), []);
    assert_eq!(entries(&unit, "started"), [(0, 2)]);
    let f = function(&unit, "f").body.as_deref().unwrap_or_default();
    let StmtKind::Declare(_, Some(init)) = &f[0].kind else {
        panic!("a declaration");
    };
    assert!(matches!(*init[0].value.kind, ExprKind::Const(3)));
}

#[test]
fn names_of_the_library_may_be_the_users_own() {
    let own = "typedef struct { int a; } pthread_mutex_t; pthread_mutex_t m; ";
    let of = |text: &str| {
        let text = format!("{own}{text}");
        type_name(&try_with_models(MODELS, &text, Ilp32).unwrap_or_else(|m| panic!("{m:?}")), "m")
    };
    assert_eq!(of(""), "struct without a tag", "no library function takes it");
    assert_eq!(of("int lock(pthread_mutex_t *p) { return p->a; }"), "struct without a tag");
    assert_eq!(of("int lock(pthread_mutex_t *);"), "struct __rely_type_pthread_mutex_t");
}

#[test]
fn ranges_are_shifted_by_the_offset_of_the_unit() {
    let text = "int x; int f(void) { return x; }";
    let unit = try_with_models(MODELS, text, Ilp32).unwrap_or_else(|m| panic!("{m:?}"));
    let shift = MODELS.len() as u32;
    assert_eq!(var(&unit, "x").range.lo, shift + 4);
    assert_eq!(function(&unit, "f").range.lo, shift + 11);
}
