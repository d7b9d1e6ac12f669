//! Witnesses: right ones are replayed; every part that is changed is noticed.

mod common;
use ccfa::*;
use check::{Replay, replay};
use common::*;
use evidence::{Reason, Verdict, Witness, WitnessStep};

fn step(instance: usize, edge: u32, havoc: &[i128]) -> WitnessStep {
    WitnessStep { instance, edge: EdgeId(edge), havoc: havoc.to_vec() }
}

fn u3(value: i128) -> Expr {
    Expr::constant(value, Type::unsigned(3))
}

/// a: x = any; b: atomically (y = any; if y == x + 1 fail), where y may be
/// anything at the start but is initially 2 or 3.
fn guess() -> Program {
    let ty = Type::unsigned(3);
    let a = template("a", 2, vec![edge(0, 1, Expr::TRUE, vec![(X, Rhs::Havoc)])]);
    let more = Expr::binary(BinOp::Add, Expr::Var(X), u3(1));
    let b = vec![
        edge(0, 1, Expr::TRUE, vec![(Y, Rhs::Havoc)]),
        edge(1, 2, Expr::eq(Expr::Var(Y), more), vec![]),
        edge(1, 3, Expr::TRUE, vec![]),
    ];
    let b = at(error(limit(template("b", 4, b), 3), 2), 1, LocKind::Plain, true);
    let shared = vec![var("x", ty, Init::Value(0)), var("y", ty, Init::Any)];
    let mut program = program(shared, vec![a, b]);
    program.initial = Some(Expr::or(Expr::eq(Expr::Var(Y), u3(2)), Expr::eq(Expr::Var(Y), u3(3))));
    program
}

fn right() -> Witness {
    let steps = vec![step(0, 0, &[7]), step(1, 0, &[0]), step(1, 1, &[])];
    Witness { instances: 0, initial: vec![3], steps }
}

#[test]
fn a_right_witness_is_replayed() {
    let program = guess();
    let Replay { states, bad, instances } = replay(&program, &right()).unwrap();
    assert_eq!((bad, instances.len()), (Bad::Error { instance: 1 }, 2));
    let expected = [
        state(&[0, 0], &[Some(0), Some(3)]),
        state(&[1, 0], &[Some(7), Some(3)]),
        state(&[1, 1], &[Some(7), Some(0)]),
        state(&[1, 2], &[Some(7), Some(0)]),
    ];
    assert_eq!(states, expected);
    let verdict = Verdict::Unsafe(right());
    assert_eq!(engine_suite::confirm(&program, verdict.clone()), verdict);
}

#[test]
fn wrong_witnesses_are_refused() {
    type Mutation = (&'static str, fn(&mut Witness));
    let mutations: [Mutation; 18] = [
        ("too few values", |w| w.initial.clear()),
        ("1 values too many", |w| w.initial.push(0)),
        ("8 is not a value", |w| w.initial = vec![8]),
        ("initial condition", |w| w.initial = vec![4]),
        ("no such thread", |w| w.steps[0].instance = 2),
        ("no such edge", |w| w.steps[0].edge = EdgeId(1)),
        ("no such edge", |w| w.steps[1].edge = EdgeId(u32::MAX)),
        ("not where the edge starts", |w| w.steps[1].edge = EdgeId(1)),
        ("another thread is in an atomic section", |w| w.steps.swap(0, 1)),
        ("not where the edge starts", |w| w.steps.swap(1, 2)),
        ("too few values", |w| w.steps[0].havoc.clear()),
        ("1 values too many", |w| w.steps[2].havoc.push(0)),
        ("-1 is not a value", |w| w.steps[1].havoc = vec![-1]),
        ("not enabled", |w| w.steps[1].havoc = vec![1]),
        ("does not end in a bad state", |w| w.steps[2].edge = EdgeId(2)),
        ("does not end in a bad state", |w| w.steps.truncate(2)),
        ("does not end in a bad state", |w| w.steps.clear()),
        ("instances of a thread", |w| w.instances = u32::MAX),
    ];
    let program = guess();
    for (why, mutate) in mutations {
        let mut witness = right();
        mutate(&mut witness);
        let refusal = replay(&program, &witness).unwrap_err();
        assert!(refusal.contains(why), "expected {why:?}: {refusal}");
        let verdict = engine_suite::confirm(&program, Verdict::Unsafe(witness));
        assert_eq!(verdict, Verdict::Unknown(Reason::CheckFailed(refusal)));
    }
}

#[test]
fn without_steps_a_thread_must_start_in_an_error() {
    let program = bits(vec![error(template("a", 1, vec![]), 0)]);
    let witness = Witness { instances: 0, initial: vec![], steps: vec![] };
    assert!(replay(&program, &witness).is_ok());
}

#[test]
fn instances_are_counted() {
    let lone = vec![edge(0, 1, Expr::TRUE, vec![set_bit(X, 1)]), edge(0, 2, Expr::Var(X), vec![])];
    let mut program = bits(vec![error(template("t", 3, lone), 2)]);
    program.threads[0].count = Count::Any;
    let steps = vec![step(0, 0, &[]), step(1, 1, &[])];
    for instances in 0..4 {
        let witness = Witness { instances, initial: vec![], steps: steps.clone() };
        assert_eq!(replay(&program, &witness).is_ok(), instances >= 2);
    }
    program.initial = Some(Expr::TRUE);
    assert!(replay(&program, &Witness { instances: 0, initial: vec![], steps }).is_err());
}

/// `guard` over a mathematical integer x = 2¹²⁰ leads to the error.
fn large(guard: Expr) -> Result<Replay, String> {
    let a = error(template("a", 2, vec![edge(0, 1, guard, vec![])]), 1);
    let program = program(vec![var("x", Type::Int, Init::Any)], vec![a]);
    replay(
        &program,
        &Witness { instances: 0, initial: vec![1 << 120], steps: vec![step(0, 0, &[])] },
    )
}

#[test]
fn integers_beyond_our_representation_open_no_guard() {
    let square = || Expr::binary(BinOp::Mul, Expr::Var(X), Expr::Var(X));
    let less = |a, b| Expr::binary(BinOp::Lt, a, b);
    let zero = || Expr::constant(0, Type::Int);
    assert!(large(less(zero(), Expr::Var(X))).is_ok());
    assert!(large(less(square(), zero())).unwrap_err().contains("too large"));
    // 1 / (x*x - x*x) is undefined; `eval` alone would call this true.
    let difference = Expr::binary(BinOp::Sub, square(), square());
    let quotient = Expr::binary(BinOp::Div, Expr::constant(1, Type::Int), difference);
    let guard = Expr::binary(BinOp::Or, less(quotient, zero()), Expr::TRUE);
    assert!(large(guard).unwrap_err().contains("too large"));
}

#[test]
fn undefined_expressions_end_the_execution() {
    let max = Expr::constant(i128::from(i32::MAX), INT);
    let sum = Expr::binary(BinOp::Add, max, Expr::constant(1, INT));
    let a = template("a", 2, vec![edge(0, 1, Expr::TRUE, vec![(X, Rhs::Expr(sum))])]);
    let program = program(vec![var("x", INT, Init::Value(0))], vec![error(a, 1)]);
    let witness = Witness { instances: 0, initial: vec![], steps: vec![step(0, 0, &[])] };
    assert!(replay(&program, &witness).unwrap_err().contains("not enabled"));
}
