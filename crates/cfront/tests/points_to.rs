//! Points-to sets of tiny C programs, by the names of variables.
//!
//! `p: x y` says that what `p` holds may point to `x` and `y` and nothing else;
//! functions are called `f()`, allocations `heap1`, `heap2`, … in the order of the text.

use cfront::DataModel;
use cfront::hir::{ExprKind, StmtKind, Unit, VarId};
use cfront::points_to::{Pointee, PointsTo, analyse};
use cfront::sema::{self, UnitOptions};

const PRELUDE: &str = "
void *malloc(unsigned long n); void *realloc(void *p, unsigned long n);
int posix_memalign(void **p, unsigned long a, unsigned long n);
void *memcpy(void *d, const void *s, unsigned long n);
int __rely_spawn(void *(*f)(void *), void *a); void *__rely_join(int t);
void __rely_end_thread(void *v);
";

fn load(text: &str) -> (Unit, PointsTo) {
    let text = format!("{PRELUDE}{text}");
    let tree = cfront::syntax::parse(&text).expect("the test should parse");
    let options = UnitOptions { is_model: false, offset: 0 };
    let unit = sema::analyse(&[(&tree, options)], DataModel::Lp64).expect("the test should type");
    let points_to = analyse(&unit);
    (unit, points_to)
}

fn var(unit: &Unit, name: &str) -> VarId {
    let position = unit.vars.iter().position(|var| var.name == name);
    VarId(position.unwrap_or_else(|| panic!("no variable `{name}`")) as u32)
}

/// All allocations that anything points to, in the order of the text.
fn heap(unit: &Unit, points_to: &PointsTo) -> Vec<Pointee> {
    let mut found: Vec<Pointee> = (0..unit.vars.len() as u32)
        .flat_map(|index| points_to.contents(Pointee::Var(VarId(index))))
        .filter(|object| matches!(object, Pointee::Heap(_)))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn names(unit: &Unit, points_to: &PointsTo, mut objects: Vec<Pointee>) -> String {
    let heap = heap(unit, points_to);
    objects.sort();
    let name = |object: &Pointee| match object {
        Pointee::Var(var) => unit.vars[var.index()].name.clone(),
        Pointee::Function(function) => format!("{}()", unit.functions[function.index()].name),
        Pointee::Heap(_) => match heap.iter().position(|other| other == object) {
            Some(position) => format!("heap{}", position + 1),
            None => "heap".to_string(),
        },
    };
    objects.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// Checks lines `variable: targets` (or `heapN: targets`).
fn check(text: &str, expected: &[&str]) {
    let (unit, points_to) = load(text);
    for line in expected {
        let (name, targets) = line.split_once(':').expect("a colon");
        let object = match name.strip_prefix("heap") {
            Some(number) => heap(&unit, &points_to)[number.parse::<usize>().unwrap() - 1],
            None => Pointee::Var(var(&unit, name)),
        };
        let found = names(&unit, &points_to, points_to.contents(object).collect());
        assert_eq!(found, targets.trim(), "what `{name}` holds in\n{text}");
    }
}

/// Checks which variables other threads may see, and which they may not.
fn check_shared(text: &str, shared: &[&str], private: &[&str]) {
    let (unit, points_to) = load(text);
    for (list, expected) in [(shared, true), (private, false)] {
        for name in list {
            assert_eq!(points_to.is_shared(var(&unit, name)), expected, "`{name}` in\n{text}");
        }
    }
}

#[test]
fn addresses_and_copies() {
    check("int x, y, *p, *q; void f(void) { p = &x; q = p; q = &y; }", &["p: x", "q: x y"]);
    check("int x, *p = &x, *q; void f(int c) { q = c ? p : 0; }", &["p: x", "q: x", "x:"]);
    check("int a[4], *p; void f(int i) { p = a + i; p++; p = &p[2]; }", &["p: a"]);
    check("int x, y, *p, *q; void f(void) { q = (p = &x, &y); }", &["p: x", "q: y"]);
    check("int x, *p; void f(void) { p = ({ int *t = &x; t; }); }", &["p: x", "t: x"]);
    check("char *s; void f(void) { s = \"abc\"; }", &["s: \"…\""]);
}

#[test]
fn double_pointers() {
    let text = "int x, y, *p, *q, **pp, *r;
        void f(int c) { p = &x; pp = c ? &p : &q; *pp = &y; r = **&pp; }";
    check(text, &["p: x y", "q: y", "pp: p q", "r: x y"]);
    check("int x, *p, *q; void f(void) { *&p = &x; q = *&p; }", &["p: x", "q: x"]);
    let swap = "int x, y, *p, *q; void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
        void f(void) { p = &x; q = &y; swap(&p, &q); }";
    check(swap, &["p: x y", "q: x y", "t: x y", "a: p", "b: q"]);
}

#[test]
fn integers_carry_addresses() {
    let text = "int x, *p, *q; void *v; unsigned long n;
        void f(void) { n = (unsigned long)&x; n |= 1; n = n ^ 7; p = (int *)(n & ~7ul); v = p; q = v; }";
    check(text, &["n: x", "p: x", "v: x", "q: x"]);
    check("int x, y; long n; void f(int *p, int *q) { n = &x == &y; n = p - q; n = !p; }", &["n:"]);
    check("char x; unsigned long n; void f(void) { n = &x - (char *)0; }", &["n: x"]);
}

#[test]
fn records() {
    let text = "struct s { int *a, *b; } s, t, *ps; int x, y, *p, *q;
        struct s make(void) { struct s m = { &y, 0 }; return m; }
        void f(void) { s.a = &x; t = s; p = t.b; ps = &t; ps->b = make().a; q = ps->a; }";
    check(text, &["s: x", "t: x y", "p: x y", "m: y", "q: x y"]);
    check(
        "struct s { int *a; } s; void g(struct s v) { } int x; void f(void) { s.a = &x; g(s); }",
        &["v: x"],
    );
    check("int x, y; struct { int *p, *q[2]; } s = { &x, { 0, &y } };", &["s: x y"]);
}

#[test]
fn function_tables() {
    let text = "int x, y, *r; int *one(int *a) { return a; } int *two(int *b) { return &y; }
        struct ops { int *(*get)(int *); void (*none)(void); };
        struct ops table = { .get = one }, *ops = &table;
        void f(int c) { if (c) ops->get = &two; r = ops->get(&x); }";
    check(text, &["table: one() two()", "r: x y", "a: x", "b: x"]);
    let unreached = "int x, *r; int *one(int *a) { return a; } int *two(int *b) { return b; }
        int *(*f1)(int *) = one, *(*f2)(int *) = two; void f(void) { r = f1(&x); }";
    check(unreached, &["r: x", "a: x", "b:"]);
    let wrong = "int x; void g(int *a) { } void (*h)() = g; void f(void) { h(&x, 2, 3); h(); }";
    check(wrong, &["a: x"]);
    check("void *p, *(*m)(unsigned long) = malloc; void f(void) { p = m(4); }", &["p: heap1"]);
}

#[test]
fn allocations() {
    let text = "struct n { struct n *next; int *v; } *list, *other; int x;
        void f(void) { struct n *n = malloc(sizeof *n); n->v = &x; n->next = list; list = n;
                       other = malloc(sizeof *n); }";
    check(text, &["list: heap1", "n: heap1", "other: heap2", "heap1: x heap1", "heap2:"]);
    let realloc = "int x, **p, **q; void f(void) { p = malloc(8); *p = &x; q = realloc(p, 16); }";
    check(realloc, &["p: heap1", "q: heap1 heap2", "heap2: x"]);
    check("void *p; void f(void) { posix_memalign(&p, 8, 8); }", &["p: heap1"]);
}

#[test]
fn library() {
    let copy = "int x, *a[2], *b[2], **r; void f(void) { a[1] = &x; r = memcpy(b, a, sizeof a); }";
    check(copy, &["b: x", "r: b"]);
    let atomics = "int x, y, *p, *q, *o; void f(void) { int *e = 0; __atomic_store_n(&p, &x, 5);
        q = __atomic_load_n(&p, 5); __atomic_compare_exchange_n(&p, &e, &y, 0, 5, 5);
        o = __sync_val_compare_and_swap(&q, 0, 0); }";
    check(atomics, &["p: x y", "q: x y", "e: x y", "o: x y"]);
    let generic = "int x, *p, *q; void f(void) { int *t = &x, *u; __atomic_store(&p, &t, 5);
        __atomic_load(&p, &u, 5); q = u; }";
    check(generic, &["p: x", "u: x", "q: x"]);
    check_shared(generic, &["p"], &["t", "u"]);
}

const CREATE: &str =
    "int create(void *(*start)(void *), void *given) { return __rely_spawn(start, given); }";

#[test]
fn threads_get_only_their_own_arguments() {
    let text = "void *t(void *a) { return a; } void *u(void *b) { static int s; __rely_end_thread(&s); return 0; }
        void *r; int main(void) { int x, y; create(t, &x); create(u, &y); r = __rely_join(0); }";
    check(&format!("{CREATE}{text}"), &["a: x", "b: y", "r: s x"]);
    let again =
        "void *t(void *a) { __rely_spawn(a, a); return 0; } int main(void) { __rely_spawn(t, t); }";
    check(again, &["a: t()"]);
}

#[test]
fn sharing() {
    let text = "int *global; __thread int *own; void *t(void *a) { int mine, *m = &mine; return 0; }
        void *u(void *b) { int result; return &result; }
        int main(void) { int in_static, in_own, in_heap, passed, *reached, deep, private, *p = &private, never;
            struct { int *f; } s; s.f = &passed; reached = &deep; int **h = malloc(8);
            global = &in_static; own = &in_own; *h = &in_heap;
            __rely_spawn(t, &s); __rely_spawn(t, &reached); __rely_spawn(u, 0); return *p + never; }";
    let shared =
        ["global", "in_static", "in_own", "in_heap", "s", "passed", "reached", "deep", "result"];
    check_shared(text, &shared, &["private", "p", "never", "h", "mine", "m", "a", "b", "own"]);
    check_shared("int n; void f(void) { int x; n = (int)(long)&x; }", &["x"], &[]);
    check_shared("void g(int *p); void f(void) { int x; g(&x); }", &[], &["x"]);
}

#[test]
fn uses() {
    let text = "struct s { int a[2]; }; int fixed = 1, table[2] = { 1, 2 };
        int f(int param, int changed) { int x, y = 1, z; struct s s; static int st = 3; int *p;
            p = s.a; *&x = 2; changed++; z = *&y; table[0] = 1; return fixed + param + z + st; }";
    let (unit, points_to) = load(text);
    let list = |test: &dyn Fn(VarId) -> bool| {
        let vars = (0..unit.vars.len()).filter(|index| test(VarId(*index as u32)));
        vars.map(|index| unit.vars[index].name.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(list(&|var| points_to.is_address_taken(var)), "s");
    assert_eq!(list(&|var| !points_to.is_ever_assigned(var)), "fixed param st");
}

#[test]
fn targets_of_expressions() {
    let text = "int x, y, *p, **pp; int *g(int *a) { return a; }
        void f(void) { p = &x; pp = &p; *pp; g(&y) + 1; &x == p; pp; }";
    let (unit, points_to) = load(text);
    let body = unit.functions.iter().find(|f| f.name == "f").and_then(|f| f.body.as_ref());
    let mut found = Vec::new();
    let mut pending: Vec<_> = body.expect("a body").iter().rev().collect();
    while let Some(stmt) = pending.pop() {
        match &stmt.kind {
            StmtKind::Block(stmts) => pending.extend(stmts.iter().rev()),
            StmtKind::Expr(expr) => {
                let value = match &*expr.kind {
                    ExprKind::Cast(value) => value,
                    _ => expr,
                };
                found.push(names(&unit, &points_to, points_to.targets(value)));
            }
            _ => {}
        }
    }
    assert_eq!(found, ["x", "p", "x", "y", "", "p"]);
}
