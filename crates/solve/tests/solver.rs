//! The solvers against the meaning of formulas: all valuations of small formulas, each
//! operator on all small operands, wide types on chosen operands, models, cores, long
//! arrays, integers, interruption, and another solver where there is one.

mod formulas;
#[path = "../../engine-suite/tests/tools/mod.rs"]
mod tools;

use ccfa::random::Rng;
use ccfa::{Budget, Type};
use formulas::{Maker, OPERATORS, Valuation, valuations, value};
use logic::{Answer, ArithOp, Sort, Symbol, Term, Terms};
use solve::evaluate::{Value, try_evaluate};
use solve::random::TreeScope;
use solve::{BitSolver, Cores, Decider, Entailment, External, Models, QuickSolver, Solver};
use std::time::{Duration, Instant};

/// Random formulas: the answer, the model and the core are right, under each SAT solver, with
/// bits for all elements of arrays and with elements that are tied together on demand, and with
/// the cheap steps before them.
#[test]
fn random_formulas_agree_with_all_valuations() {
    for seed in 0..600 {
        random_formulas(seed, BitSolver::new(&Budget::default()));
        random_formulas(seed, BitSolver::with_most_cells(&Budget::default(), 0));
        random_formulas(seed, QuickSolver::new(&Budget::default()));
        random_formulas(seed, QuickSolver::with_most_cells(&Budget::default(), 0));
        random_formulas(seed, Decider::new(&Budget::default()));
    }
}

fn random_formulas<S: Models + Cores>(seed: u64, mut solver: S) {
    let mut maker = Maker::new(seed);
    let pool: Vec<Term> = (0..6).map(|_| maker.formula(3)).collect();
    let all = valuations(&maker.terms, &maker.symbols);
    for _ in 0..4 {
        let count = 1 + maker.below(4);
        let asked: Vec<Term> = (0..count).map(|_| pool[maker.below(pool.len())]).collect();
        let what = format!("seed {seed}");
        let answer = check(&mut solver, &maker.terms, &asked, &maker.symbols, &what);
        let expected = all.iter().any(|valuation| all_hold(&maker.terms, valuation, &asked));
        assert_eq!(answer == Answer::Sat, expected, "{what}");
    }
}

/// One solver for hundreds of formulas, far more than it keeps, answers as all valuations do.
#[test]
fn answers_do_not_depend_on_earlier_questions() {
    let mut maker = Maker::new(7);
    let all = valuations(&maker.terms, &maker.symbols);
    let (mut thorough, mut quick, mut decider) = (
        BitSolver::with_most_cells(&Budget::default(), 0),
        QuickSolver::new(&Budget::default()),
        Decider::new(&Budget::default()),
    );
    let mut pool = Vec::new();
    for number in 0..600 {
        pool.push(maker.formula(4));
        let asked = [pool[number], pool[maker.below(pool.len())]];
        let (terms, symbols) = (&maker.terms, &maker.symbols);
        let what = format!("question {number}");
        let holds = all.iter().any(|valuation| all_hold(terms, valuation, &asked));
        let expected = if holds { Answer::Sat } else { Answer::Unsat };
        assert_eq!(check(&mut thorough, terms, &asked, symbols, &what), expected, "{what}");
        assert_eq!(check(&mut quick, terms, &asked, symbols, &what), expected, "{what}");
        assert_eq!(check(&mut decider, terms, &asked, symbols, &what), expected, "{what}");
    }
}

/// Asks, and looks at the model or the core.
fn check<S: Models + Cores>(
    solver: &mut S,
    terms: &Terms,
    asked: &[Term],
    symbols: &[Symbol],
    what: &str,
) -> Answer {
    let answer = solver.check(terms, asked);
    match answer {
        Answer::Sat => {
            let valuation = model(solver, terms, symbols);
            assert!(all_hold(terms, &valuation, asked), "{what}: {valuation:?} is no model");
        }
        Answer::Unsat => {
            let core = solver.core();
            assert!(core.iter().all(|formula| asked.contains(formula)), "{what}: a foreign core");
            let again = BitSolver::new(&Budget::default()).check(terms, &core);
            assert_eq!(again, Answer::Unsat, "{what}: {core:?} is no core");
        }
        Answer::Unknown => panic!("{what}: not decided"),
    }
    answer
}

fn model<S: Models>(solver: &mut S, terms: &Terms, symbols: &[Symbol]) -> Valuation {
    let mut terms = terms.clone();
    let mut values = |symbol: &Symbol| match terms.symbol_sort(*symbol) {
        Sort::Scalar(_) => {
            let term = terms.symbol(*symbol);
            vec![solver.value(&terms, term)]
        }
        Sort::Array { len, .. } => {
            let array = terms.symbol(*symbol);
            let mut element = |place| {
                let index = terms.constant(i128::from(place), Type::unsigned(32));
                let element = terms.select(array, index);
                solver.value(&terms, element)
            };
            (0..len).map(&mut element).collect()
        }
    };
    symbols.iter().map(&mut values).collect()
}

fn all_hold(terms: &Terms, valuation: &Valuation, formulas: &[Term]) -> bool {
    formulas.iter().all(|formula| value(terms, valuation, *formula) == 1)
}

/// Each operator has, on all operands of up to four bits, exactly the value it should have.
#[test]
fn operators_on_all_small_operands() {
    for width in 1..=4 {
        for ty in [Type::signed(width), Type::unsigned(width)] {
            for op in OPERATORS {
                let amounts = [ty, Type::unsigned(1), Type::signed(1), Type::signed(8)];
                let shift = matches!(op, ArithOp::Shl | ArithOp::Shr);
                for other in if shift { &amounts[..] } else { &amounts[..1] } {
                    for terms in [Terms::new(), solve::terms()] {
                        operator(terms, op, ty, *other);
                    }
                }
            }
        }
    }
}

fn operator(mut terms: Terms, op: ArithOp, ty: Type, other: Type) {
    let mut solver = BitSolver::new(&Budget::default());
    let symbols = [terms.declare("x", Sort::Scalar(ty)), terms.declare("y", Sort::Scalar(other))];
    let [x, y] = symbols.map(|symbol| terms.symbol(symbol));
    let result = terms.arith(op, x, y);
    for valuation in valuations(&terms, &symbols) {
        let (a, b) = (valuation[0][0], valuation[1][0]);
        let expected = value(&terms, &valuation, result);
        let expected = terms.constant(expected, ty);
        let right = terms.eq(result, expected);
        let wrong = terms.not(right);
        let (a, b) = (terms.constant(a, ty), terms.constant(b, other));
        let operands = [terms.eq(x, a), terms.eq(y, b)];
        let mut ask = |last| solver.check(&terms, &[operands[0], operands[1], last]);
        assert_eq!(ask(right), Answer::Sat, "{op:?} {ty:?} {other:?} {valuation:?}");
        assert_eq!(ask(wrong), Answer::Unsat, "{op:?} {ty:?} {other:?} {valuation:?}");
    }
}

/// Wide types and deep terms: with all symbols fixed, a formula is decided as it evaluates.
#[test]
fn wide_terms_are_decided_as_they_evaluate() {
    let (i, u) = (Type::signed, Type::unsigned);
    let groups = [vec![i(32), i(64), u(8)], vec![u(32), u(64)], vec![i(64), u(63), i(33)]];
    let mut decided = [0; 2];
    for seed in 0..900 {
        let mut rng = Rng::new(seed);
        let mut terms = solve::random::terms(seed);
        let scope = TreeScope::declare(&mut terms, &groups[seed as usize % groups.len()]);
        let formula = scope.tree(&mut rng, Type::Bool, 4).build(&mut terms);
        let values = scope.valuation(&mut rng);
        let mut asked = vec![formula];
        for (symbol, value) in &values {
            fix(&mut terms, *symbol, value, &mut asked);
        }
        let lookup = |symbol| values.iter().find(|(other, _)| *other == symbol).unwrap().1.clone();
        let expected = try_evaluate(&terms, formula, &mut { lookup }).unwrap().scalar();
        let answer = BitSolver::with_most_cells(&Budget::default(), seed as usize % 2 * 64)
            .check(&terms, &asked);
        let wanted = if expected == 1 { Answer::Sat } else { Answer::Unsat };
        assert_eq!(answer, wanted, "seed {seed}: {}", solve::show(&terms, formula));
        decided[expected as usize] += 1;
    }
    assert!(decided[0] > 200 && decided[1] > 200, "{decided:?} should be of both kinds");
}

/// Says that a symbol has a value.
fn fix(terms: &mut Terms, symbol: Symbol, value: &Value, asked: &mut Vec<Term>) {
    let term = terms.symbol(symbol);
    match (value, terms.symbol_sort(symbol)) {
        (Value::Scalar(value), Sort::Scalar(ty)) => {
            let value = terms.constant(*value, ty);
            asked.push(terms.eq(term, value));
        }
        (Value::Array(values), Sort::Array { element, .. }) => {
            for (place, value) in values.iter().enumerate() {
                let index = terms.constant(place as i128, Type::unsigned(8));
                let (cell, value) = (terms.select(term, index), terms.constant(*value, element));
                asked.push(terms.eq(cell, value));
            }
        }
        _ => panic!("a value should be of the sort of its symbol"),
    }
}

/// Sums of 64-bit numbers as integers do not wrap. Unbounded integers are in `integers.rs`.
#[test]
fn integers() {
    let mut terms = solve::terms();
    let mut solver = BitSolver::new(&Budget::default());
    let a = scalar(&mut terms, "a", Type::signed(64));
    let b = scalar(&mut terms, "b", Type::signed(64));
    let (wide_a, wide_b) = (terms.cast(Type::Int, a), terms.cast(Type::Int, b));
    let product = terms.arith(ArithOp::Mul, wide_a, wide_b);
    let (least, _) = Type::signed(64).bounds().unwrap();
    let most = terms.constant(least * least, Type::Int);
    let is_most = terms.eq(product, most);
    assert_eq!(solver.check(&terms, &[is_most]), Answer::Sat);
    assert_eq!((solver.value(&terms, a), solver.value(&terms, b)), (least, least));
    let sum = terms.arith(ArithOp::Add, wide_a, wide_b);
    let (top, two) = (terms.constant(-2 * least, Type::Int), terms.constant(2, Type::Int));
    let top = terms.arith(ArithOp::Sub, top, two);
    let beyond = terms.lt(top, sum);
    assert_eq!(solver.check(&terms, &[beyond]), Answer::Unsat);
}

fn scalar(terms: &mut Terms, name: &str, ty: Type) -> Term {
    let symbol = terms.declare(name, Sort::Scalar(ty));
    terms.symbol(symbol)
}

/// Elements of a long array: a function of the index, 0 outside.
#[test]
fn long_arrays() {
    let mut terms = solve::terms();
    let (int, len) = (Type::signed(32), 1_000_000);
    let array = terms.declare("a", Sort::Array { element: int, len });
    let array = terms.symbol(array);
    let [i, j] = ["i", "j"].map(|name| scalar(&mut terms, name, int));
    let (at_i, at_j) = (terms.select(array, i), terms.select(array, j));
    let different = terms.ne(at_i, at_j);
    let same_index = terms.eq(i, j);
    let length = terms.constant(i128::from(len), int);
    let outside = terms.le(length, i);
    let zero = terms.constant(0, int);
    let not_zero = terms.ne(at_i, zero);
    let cases: [(&[Term], Answer); 5] = [
        (&[different], Answer::Sat),
        (&[different, same_index], Answer::Unsat),
        (&[different, outside], Answer::Sat),
        (&[not_zero, outside], Answer::Unsat),
        (&[not_zero, same_index], Answer::Sat),
    ];
    let mut solver = BitSolver::new(&Budget::default());
    for (asked, expected) in cases {
        assert_eq!(solver.check(&terms, asked), expected, "{asked:?}");
    }
    let place = terms.constant(solver.value(&terms, i), int);
    let element = terms.select(array, place);
    assert_ne!(solver.value(&terms, element), 0);
}

/// What follows from what, with the step that should see it.
#[test]
fn entailments() {
    let mut terms = solve::terms();
    let mut decider = Decider::new(&Budget::default());
    let int = Type::signed(32);
    let [x, y, z] = ["x", "y", "z"].map(|name| scalar(&mut terms, name, int));
    let mut number = |value| terms.constant(value, int);
    let [two, three, five] = [2, 3, 5].map(&mut number);
    let (small, smaller) = (terms.le(x, five), terms.le(x, three));
    let (is_two, is_five) = (terms.eq(x, two), terms.eq(x, five));
    let not_five = terms.not(is_five);
    let (equal, y_small) = (terms.eq(x, y), terms.le(y, five));
    let (ordered, further, far) = (terms.le(x, y), terms.le(y, z), terms.le(x, z));
    let both = terms.and([small, not_five]);
    let cases: [(&[Term], Term, Entailment, &str); 8] = [
        (&[small], small, Entailment::Holds, "syntactic"),
        (&[smaller], small, Entailment::Holds, "intervals"),
        (&[is_two], not_five, Entailment::Holds, "intervals"),
        (&[is_two, small], both, Entailment::Holds, "intervals"),
        (&[equal, small], y_small, Entailment::Holds, "intervals"),
        (&[ordered, further], far, Entailment::Holds, "bits"),
        (&[further, ordered], far, Entailment::Holds, "memory"),
        (&[small], smaller, Entailment::Fails, "bits"),
    ];
    for (premises, conclusion, expected, step) in cases {
        let before = *decider.counters();
        assert_eq!(decider.implies(&mut terms, premises, conclusion), expected, "{step}");
        let after = *decider.counters();
        let answered = match step {
            "syntactic" => after.syntactic - before.syntactic,
            "intervals" => after.intervals - before.intervals,
            "memory" => after.remembered - before.remembered,
            _ => after.quick - before.quick,
        };
        assert_eq!(answered, 1, "{step} should have answered: {after:?}");
    }
    assert!(decider.value(&terms, x) > 3);
}

/// A question that would take very long ends when it is told to.
#[test]
fn interruption() {
    let mut terms = solve::terms();
    let long = Type::unsigned(64);
    let [x, y] = ["x", "y"].map(|name| scalar(&mut terms, name, Type::unsigned(32)));
    let (wide_x, wide_y) = (terms.cast(long, x), terms.cast(long, y));
    let product = terms.arith(ArithOp::Mul, wide_x, wide_y);
    // A prime, and larger than a factor can be: there is no product, and no luck.
    let number = terms.constant(9_223_372_036_854_775_783, long);
    let factors = terms.eq(product, number);
    let start = Instant::now();
    let time = || Budget::default().child(Duration::from_millis(100));
    let answer = BitSolver::new(&time()).check(&terms, &[factors]);
    assert_eq!(answer, Answer::Unknown);
    assert!(start.elapsed() >= Duration::from_millis(100), "it should have tried until then");
    assert_eq!(Decider::new(&time()).check(&terms, &[factors]), Answer::Unknown);
    assert!(start.elapsed() < Duration::from_secs(10), "it should have stopped soon");
    assert_eq!(
        QuickSolver::new(&Budget::default()).check(&terms, &[factors]),
        Answer::Unknown,
        "it is too hard"
    );
}

/// Another solver says the same.
#[test]
fn z3_agrees() {
    let mut z3 = External::new(&["z3", "-in"], Duration::from_secs(60), &Budget::default());
    let mut terms = solve::terms();
    let truth = terms.truth(true);
    if z3.check(&terms, &[truth]) == Answer::Unknown {
        tools::skip("z3", z3.trouble().unwrap_or_default());
        return;
    }
    for seed in 0..250 {
        let mut maker = Maker::new(seed);
        let asked = [maker.formula(3), maker.formula(3)];
        let ours = BitSolver::new(&Budget::default()).check(&maker.terms, &asked);
        let theirs = z3.check(&maker.terms, &asked);
        assert_eq!(theirs, ours, "seed {seed}: {:?}", z3.trouble());
        if theirs == Answer::Sat {
            let valuation = model(&mut z3, &maker.terms, &maker.symbols);
            assert!(all_hold(&maker.terms, &valuation, &asked), "seed {seed}: {valuation:?}");
        }
    }
    let [x, y] = ["x", "y"].map(|name| scalar(&mut terms, name, Type::Int));
    let apart = [terms.lt(x, y), terms.lt(y, x)];
    assert_eq!(z3.check(&terms, &apart), Answer::Unsat);
}

/// A solver that is missing, or talks nonsense, decides nothing and says why.
#[test]
fn trouble_with_another_solver() {
    let mut terms = solve::terms();
    let truth = terms.truth(true);
    for (command, reason) in [("no-such-solver", "cannot be started"), ("cat", "it answers")] {
        let mut solver = External::new(&[command], Duration::from_secs(60), &Budget::default());
        assert_eq!(solver.check(&terms, &[truth]), Answer::Unknown);
        let trouble = solver.trouble().expect("there should be a reason");
        assert!(trouble.contains(reason), "{trouble}");
    }
}
