//! Every way to be no program, with the words for it.

use ccfa::wellformed::check;
use ccfa::{
    Arg, Assign, BinOp, Count, Expr, Init, LocId, LocalId, Place, Program, Rhs, SharedId, Span,
    TemplateId, Type, UnOp, VarRef, text,
};

const U8: Type = Type::unsigned(8);
const X: VarRef = VarRef::Shared(SharedId(0));
const P: VarRef = VarRef::Shared(SharedId(1));
const V: VarRef = VarRef::Shared(SharedId(2));
const N: VarRef = VarRef::Shared(SharedId(3));

fn good() -> Program {
    let source = "file 0 \"a.c\" shared x: u8 = 0 shared p: bool = false shared v: u8[2] = {1, 2} \
                  shared n: int = 0 template t(a: u8) { local l: i4 = 0 start -> end: x := 1 } \
                  thread w[2] = t(index)";
    text::parse(source).expect("a good program")
}

/// The good program, made bad, has exactly this problem.
fn check_problem(spoil: impl FnOnce(&mut Program), expected: &str) {
    let mut program = good();
    spoil(&mut program);
    let problems = check(&program).expect_err(expected);
    assert_eq!(problems, [expected]);
    // Also what is no program can be shown.
    text::print(&program);
}

fn num(value: i128) -> Expr {
    Expr::Const(value, U8)
}

#[test]
fn declarations() {
    assert_eq!(check(&good()), Ok(()));
    let here = "shared variable `x`";
    let init = |init: Init| move |p: &mut Program| p.shared[0].init = init;
    check_problem(init(Init::Value(256)), &format!("{here}: 256 is not a value of u8"));
    check_problem(
        init(Init::Values(vec![1])),
        &format!("{here}: 1 initial values do not fit its length"),
    );
    check_problem(init(Init::Param(0)), &format!("{here}: only locals can be parameters"));
    check_problem(
        |p| p.shared[2].init = Init::Values(vec![1]),
        "shared variable `v`: 1 initial values do not fit its length",
    );
    check_problem(
        |p| p.shared[2].init = Init::Values(vec![1, -1]),
        "shared variable `v`: -1 is not a value of u8",
    );
    check_problem(
        |p| p.shared[2].len = Some(0),
        "shared variable `v`: an array has at least one element",
    );
    check_problem(|p| p.shared[1].name.clear(), "a shared variable has no name");
    check_problem(|p| p.shared[1].name = "x".into(), "two shared variables have the name `x`");
    for width in [0, 65, 255] {
        let ty = Type::Bits { width, signed: true };
        let problem = format!("an integer of {width} bits: only 1 to 64 bits exist");
        check_problem(|p| p.shared[3].ty = ty, &format!("shared variable `n`: {problem}"));
        check_problem(guard(Expr::eq(Expr::Const(0, ty), Expr::Const(0, ty))), &at_edge(&problem));
        check_problem(
            guard(Expr::eq(Expr::Cast(ty, Box::new(num(0))), num(0))),
            &at_edge(&problem),
        );
    }
    let here = "template `t`: local variable `l`";
    check_problem(
        |p| p.templates[0].locals[1].init = Init::Param(1),
        &format!("{here}: there is no parameter number 1"),
    );
    check_problem(
        |p| {
            (p.templates[0].locals[1].init, p.templates[0].locals[1].len) =
                (Init::Param(0), Some(1))
        },
        &format!("{here}: a parameter is no array"),
    );
    check_problem(
        |p| p.templates[0].locals[1].init = Init::Value(8),
        &format!("{here}: 8 is not a value of i4"),
    );
    check_problem(
        |p| p.templates[0].locals[1].name = "a".into(),
        "template `t`: two local variables have the name `a`",
    );
}

#[test]
fn templates_and_threads() {
    check_problem(|p| p.templates[0].name.clear(), "a template has no name");
    check_problem(|p| p.templates.push(p.templates[0].clone()), "two templates have the name `t`");
    check_problem(
        |p| p.templates[0].entry = LocId(2),
        "template `t`: its entry, location number 2, does not exist",
    );
    check_problem(
        |p| p.templates[0].locations[0].atomic = true,
        "template `t`: its entry `start` is atomic",
    );
    check_problem(
        |p| p.templates[0].locations[1].name = "start".into(),
        "template `t`: two locations have the name `start`",
    );
    let span = Some(Span { file: 1, line: 1, column: 1 });
    check_problem(
        |p| p.templates[0].locations[1].span = span,
        "template `t`, location 1 `end`: it speaks of file number 1, which does not exist",
    );
    check_problem(|p| p.threads[0].name.clear(), "a thread has no name");
    check_problem(|p| p.threads.push(p.threads[0].clone()), "two threads have the name `w`");
    check_problem(
        |p| p.threads[0].template = TemplateId(1),
        "thread `w`: there is no template number 1",
    );
    check_problem(
        |p| p.threads[0].args.clear(),
        "thread `w`: it has 0 arguments, but template `t` needs 1",
    );
    let range =
        |value: &str| format!("thread `w`: argument 0 for `a`: {value} is not a value of u8");
    check_problem(|p| p.threads[0].args = vec![Arg::Value(-1)], &range("-1"));
    check_problem(|p| p.threads[0].args = vec![Arg::Index(-1)], &range("-1"));
    check_problem(|p| p.threads[0].args = vec![Arg::Index(255)], &range("256"));
    check_problem(|p| p.threads[0].count = Count::Any, &range("4294967295"));
    check_problem(
        |p| p.threads[0].args = vec![Arg::Index(i128::MAX)],
        "thread `w`: argument 0 for `a`: the index of an instance makes it too large",
    );
}

fn at_edge(problem: &str) -> String {
    format!("template `t`, edge 0 (start -> end): {problem}")
}

fn guard(expr: Expr) -> impl FnOnce(&mut Program) {
    move |program| program.templates[0].edges[0].guard = expr
}

#[test]
fn expressions() {
    let (x, p, n) = (|| Expr::Var(X), || Expr::Var(P), || Expr::Var(N));
    let index = |var, index| Expr::Index(var, Box::new(index));
    let compare = |expr: Expr, ty| Expr::eq(expr, Expr::Const(0, ty));
    for (expr, problem) in [
        (x(), "the guard is u8, but bool is needed"),
        (Expr::Const(2, Type::Bool), "2 is not a value of bool"),
        (compare(num(256), U8), "256 is not a value of u8"),
        (Expr::eq(x(), p()), "the right operand of `==` is bool, but u8 is needed"),
        (Expr::binary(BinOp::Lt, p(), p()), "`<` does not apply to bool"),
        (Expr::binary(BinOp::Add, p(), p()), "`+` does not apply to bool"),
        (Expr::binary(BinOp::Shl, p(), x()), "`<<` does not apply to bool"),
        (Expr::binary(BinOp::And, x(), x()), "`&&` does not apply to u8"),
        (compare(Expr::binary(BinOp::BitAnd, n(), n()), Type::Int), "`&` does not apply to int"),
        (compare(Expr::binary(BinOp::Shr, n(), x()), Type::Int), "`>>` does not apply to int"),
        (compare(Expr::unary(UnOp::BitNot, n()), Type::Int), "`~` does not apply to int"),
        (Expr::unary(UnOp::BitNot, p()), "`~` does not apply to bool"),
        (Expr::unary(UnOp::Neg, p()), "`-` does not apply to bool"),
        (Expr::unary(UnOp::Not, x()), "`!` does not apply to u8"),
        (compare(Expr::Var(V), U8), "the array `v` is read without index"),
        (compare(index(X, num(0)), U8), "`x` has an index but is no array"),
        (compare(index(V, p()), U8), "the index of `v` is a bool"),
        (Expr::Var(VarRef::Shared(SharedId(9))), "there is no shared variable number 9"),
        (Expr::Var(VarRef::Local(LocalId(9))), "there is no local variable number 9"),
        (
            Expr::Ite(Box::new(x()), Box::new(p()), Box::new(p())),
            "the condition of `ite` is u8, but bool is needed",
        ),
        (
            Expr::Ite(Box::new(p()), Box::new(p()), Box::new(x())),
            "the last operand of `ite` is u8, but bool is needed",
        ),
    ] {
        check_problem(guard(expr), &at_edge(problem));
    }
    for (initial, problem) in [
        (x(), "it is u8, but bool is needed"),
        (
            Expr::Var(VarRef::Local(LocalId(0))),
            "local variable number 0 where only shared ones are",
        ),
    ] {
        let problem = format!("the initial condition: {problem}");
        check_problem(|program| program.initial = Some(initial), &problem);
    }
}

#[test]
fn steps() {
    check_problem(
        |p| p.templates[0].edges[0].target = LocId(7),
        "template `t`, edge 0 (start -> #7): there is no location number 7",
    );
    let span = Some(Span { file: 3, line: 1, column: 1 });
    check_problem(
        |p| p.templates[0].edges[0].span = span,
        &at_edge("it speaks of file number 3, which does not exist"),
    );
    let element = |var, index| Place::Element(var, num(index));
    let to = |place, value| Assign { place, value };
    for (assigns, problem) in [
        (
            vec![to(Place::Var(X), Rhs::Expr(Expr::TRUE))],
            "the value for `x` is bool, but u8 is needed",
        ),
        (
            vec![to(Place::Var(V), Rhs::Expr(num(1)))],
            "the array `v` is assigned a value without an index",
        ),
        (vec![to(element(X, 0), Rhs::Havoc)], "`x` is assigned with an index but is no array"),
        (vec![to(Place::Element(V, Expr::TRUE), Rhs::Havoc)], "the index of `v` is a bool"),
        (vec![to(Place::Var(X), Rhs::Havoc); 2], "`x` is assigned twice"),
        (vec![to(element(V, 1), Rhs::Havoc); 2], "`v` is assigned twice"),
        (
            vec![to(element(V, 1), Rhs::Havoc), to(Place::Var(V), Rhs::Havoc)],
            "`v` is assigned twice",
        ),
        (
            vec![to(Place::Var(V), Rhs::Havoc), to(element(V, 1), Rhs::Havoc)],
            "`v` is assigned twice",
        ),
        (
            vec![to(Place::Var(VarRef::Shared(SharedId(9))), Rhs::Havoc)],
            "there is no shared variable number 9",
        ),
    ] {
        check_problem(|p| p.templates[0].edges[0].assigns = assigns, &at_edge(problem));
    }
    let mut program = good();
    program.templates[0].edges[0].assigns =
        vec![to(element(V, 0), Rhs::Havoc), to(element(V, 1), Rhs::Havoc)];
    assert_eq!(check(&program), Ok(()));
}
