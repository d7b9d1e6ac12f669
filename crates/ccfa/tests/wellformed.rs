//! Every way to be no program, with the words for it.

use ccfa::wellformed::check;
use ccfa::{
    Access, AccessKind, Arg, Assign, BinOp, Call, CallId, Cell, Count, Dim, Direction, Expr, Init,
    LocId, LocKind, LocalId, Location, Mode, Object, ObjectId, Origin, Part, PartOf, Place,
    Program, Rhs, SharedId, Span, TemplateId, Type, UnOp, Undefined, VarRef, text,
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
    let span = Some(Span::at(1, 1, 1));
    check_problem(
        |p| p.templates[0].locations[1].span = span,
        "template `t`, location 1 `end`: it speaks of file number 1, which does not exist",
    );
    let backwards = Span { end_column: 1, ..Span::at(0, 1, 2) };
    check_problem(
        |p| p.templates[0].locations[1].span = Some(backwards),
        "template `t`, location 1 `end`: it speaks of a range that ends before it starts",
    );
    for spoil in [
        |at: &mut Location| at.atomic = true,
        |at: &mut Location| at.kind = LocKind::Undefined(Undefined::DivisionByZero),
    ] {
        check_problem(
            |p| {
                p.templates[0].locations[1].resting = true;
                spoil(&mut p.templates[0].locations[1]);
            },
            "template `t`, location 1 `end`: only plain locations that are not atomic are for resting",
        );
    }
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
fn accesses() {
    let read = |var, index| Access {
        kind: AccessKind::Memory(Direction::Read, Cell { var: SharedId(var), index }, Mode::Plain),
        span: None,
    };
    for (access, problem) in [
        (read(9, None), "there is no shared variable number 9"),
        (read(0, Some(num(0))), "`x` is accessed with an index but is no array"),
        (read(2, Some(Expr::TRUE)), "the index of `v` is a bool"),
        (read(2, Some(num(256))), "256 is not a value of u8"),
        (
            Access { span: Some(Span::at(3, 1, 1)), ..read(0, None) },
            "it speaks of file number 3, which does not exist",
        ),
    ] {
        check_problem(|p| p.templates[0].edges[0].accesses = vec![access], &at_edge(problem));
    }
    let mut program = good();
    program.templates[0].edges[0].accesses =
        vec![read(0, None), read(2, None), read(2, Some(num(1)))];
    assert_eq!(check(&program), Ok(()));
}

#[test]
fn sources() {
    let object = |part: Part| Object { copies: 1, parts: vec![part], ..Object::default() };
    let path = |path: &str, dims| Part { path: path.into(), dims, ..Part::default() };
    let dim = |stride| Dim { count: 2, stride };
    let add = |object: Object| |p: &mut Program| p.objects.push(object);
    check_problem(add(Object::default()), "object 0 ``: it has no copies");
    check_problem(
        add(object(path("[]", vec![]))),
        "object 0 ``: `[]` does not have its dimensions",
    );
    check_problem(
        add(object(path("[].x", vec![dim(0)]))),
        "object 0 ``: the elements of `[].x` lie in one place",
    );
    let origin = |object, part| {
        let part = Some(PartOf { object: ObjectId(object), part });
        Some(Origin { part, ..Origin::default() })
    };
    check_problem(
        |p| p.shared[0].origin = origin(0, 0),
        "shared variable `x`: there is no object number 0",
    );
    check_problem(
        |p| {
            p.objects.push(object(path("", vec![])));
            p.shared[0].origin = origin(0, 1);
        },
        "shared variable `x`: object `` has no part number 1",
    );
    let call = |caller| Call { caller, ..Call::default() };
    check_problem(
        |p| p.calls.push(call(Some(CallId(0)))),
        "call 0 ``: its caller, number 0, comes later",
    );
    check_problem(
        |p| p.calls.push(Call { site: Some(Span::at(1, 1, 1)), ..Call::default() }),
        "call 0 ``: it speaks of file number 1, which does not exist",
    );
    check_problem(
        |p| p.templates[0].edges[0].call = Some(CallId(1)),
        &at_edge("there is no call number 1"),
    );
}

#[test]
fn steps() {
    check_problem(
        |p| p.templates[0].edges[0].target = LocId(7),
        "template `t`, edge 0 (start -> #7): there is no location number 7",
    );
    let span = Some(Span::at(3, 1, 1));
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
