//! Integers without bounds: a table of questions, random formulas against all valuations in a small
//! range and against `z3`, certificates with and without what they need.

#[path = "../../engine-suite/tests/tools/mod.rs"]
mod tools;

use ccfa::random::Rng;
use ccfa::semantics::System;
use ccfa::{Budget, Type};
use logic::Rational;
use logic::certificate::{Certificate, Outcome, Problem};
use logic::constraint::{Constraint, Form, LinearVar};
use logic::{Answer, ArithOp, Sort, Symbol, Term, Terms, Vocabulary};
use solve::evaluate::{Value, try_evaluate};
use solve::random::TreeScope;
use solve::simplex::{self, Effort};
use solve::{BitSolver, Cores, Decider, External, Models, QuickSolver, Solver};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use Answer::{Sat, Unknown, Unsat};

/// Formulas as guards of the model language, and whether they can hold.
#[test]
fn questions() {
    let table = [
        // Linear arithmetic over rationals.
        ("x <= y && y <= z && z < x", Unsat),
        ("x < y && y < z && z < x + 3", Sat),
        ("x + y == 10 && x - y == 4 && x != 7", Unsat),
        ("(x < y || x > y) && x == y", Unsat),
        ("x == y || x + 1 == y || y < 0 && x > y", Sat),
        // Tightening, cuts, equations and splits.
        ("2 * x == 2 * y + 1", Unsat),
        ("z == 2 * x && z == 2 * y + 1", Unsat),
        ("3 * x + 3 * y < 5 && 3 * x + 3 * y > 3", Unsat),
        ("x == 2 * y && x == 3 * z && x > 6 && x < 12", Unsat),
        ("x == 2 * y && x == 3 * z && x > 6 && x <= 12", Sat),
        ("4 * x + 6 * y - 9 * z == 2 && x == 3 * z + 1", Unsat),
        ("0 < 3 * x - 2 * y && 3 * x - 2 * y < 2 && x > 100", Sat),
        ("2 * x <= 3 * y && 3 * y <= 2 * x + 1 && 5 * y == 4 * x + 2", Sat),
        // Disjunctions.
        ("(x == 1 || x == 3) && (y == 2 || y == 4) && x == y", Unsat),
        ("(x == 1 || x == 4) && (y == 2 || y == 4) && x == y", Sat),
        ("ite(x < y, x, y) > z && (x <= z || y <= z)", Unsat),
        ("ite(x < y, x, y) > z && ite(x < y, y, x) < z + 2", Sat),
        // Not linear.
        ("x * x == 0 - 1", Unknown),
        ("3 * ite(x > 0, 2, 5) == y && y > 6 && x > 0", Unsat),
        // Division towards zero, by constants.
        ("x / 3 == 2 && x % 3 == 0 && x != 6", Unsat),
        ("x / 3 == 0 && x < 0 - 2", Unsat),
        ("x % 3 == 0 - 2 && x > 0", Unsat),
        ("x / 7 * 7 + x % 7 != x", Unsat),
        ("x / (0 - 4) == 5 && x % (0 - 4) == 0 - 3", Sat),
        // Bits as integers, and integers as bits.
        ("int(c) > 255 || int(c) < 0", Unsat),
        ("x == int(c) && x > 254 && (c & 1) == 0", Unsat),
        ("x <= int(c) + int(d) && x >= 100 && c < 50 && d < 50", Unsat),
        ("x <= int(c) + int(d) && x >= 98 && c < 50 && d < 50", Sat),
        ("x <= int(c) * int(d) && x >= 2402 && c < 50 && d < 50", Unsat),
        ("u8(x) == 3 && x > 3 && x < 259", Unsat),
        ("u8(x) == 3 && x > 3 && x < 260", Sat),
        ("u8(x) == c && u8(x + 1) != c + 1", Unsat),
        ("u8(x) == c && u8(y) == c && x < y && y < x + 256", Unsat),
        ("u8(x) == c && u8(y) == c && x < y && y <= x + 256", Sat),
        ("u8(x * y) != u8(x) * u8(y)", Unsat),
        ("u64(x) == 5 && u8(x) != 5", Unsat),
        ("u8(x / 2) == 255 && x > 511 && x < 1022", Unsat),
        ("u8(a[c]) == 1 && u8(a[d]) == 2 && c == d", Unsat),
        ("i8(x) == 0 - 1 && x > 0 && x < 255", Unsat),
        ("(u8(x) ^ u8(y)) == 255 && x + y == 255 && x == 100", Sat),
        // Arrays, at places that are bits or integers.
        ("a[0] < a[1] && a[1] < a[2] && a[2] < a[0]", Unsat),
        ("a[c] < a[d] && c == d", Unsat),
        ("a[c] < a[d] && a[d] < a[c] + 2 && c > d", Sat),
        ("a[x] != a[y] && x == y", Unsat),
        ("a[x] == 5 && a[0] < 5 && a[1] < 5 && x != 2", Unsat),
        ("b[x] == 5 && b[y] == 6 && x == y", Unsat),
        ("b[x] == 5 && b[y] == 6 && x + 1 == y", Sat),
        ("(b[x] >> y) == 3 && b[x] == 24 && y != 3", Unsat),
        ("long[x] != long[y] && x <= y && y < x + 1", Unsat),
        // Numbers beyond any machine word.
        ("x > 170141183460469231731687303715884105000 && y > x + x && y < 0", Unsat),
    ];
    let mut wrong = String::new();
    for (text, expected) in table {
        let (terms, formula) = guard(text);
        let answers = [
            check(&mut BitSolver::new(&Budget::default()), &terms, &[formula], text),
            check(&mut QuickSolver::new(&Budget::default()), &terms, &[formula], text),
            check(&mut Decider::new(&Budget::default()), &terms, &[formula], text),
        ];
        if answers.iter().any(|answer| *answer != expected) {
            wrong += &format!("{text}: {answers:?}, not {expected:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn guard(text: &str) -> (Terms, Term) {
    let program = format!(
        "shared x: int = any\nshared y: int = any\nshared z: int = any\n\
         shared c: u8 = any\nshared d: u8 = any\nshared a: int[3] = any\n\
         shared b: u8[3] = any\nshared long: u8[200] = any\n\
         template t() {{\n  start -> done: when {text}\n}}\nthread t = t()\n"
    );
    let program = ccfa::text::parse(&program).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let system = System::new(&program, 0);
    let mut terms = solve::terms();
    let vocabulary = Vocabulary::new(&mut terms, &system);
    let step = vocabulary.step(&mut terms, 0, &system.template(0).edges[0]);
    (terms, step.enabled)
}

/// Asks; a model must be one, a core cannot hold.
fn check<S: Models + Cores>(solver: &mut S, terms: &Terms, asked: &[Term], what: &str) -> Answer {
    let answer = solver.check(terms, asked);
    match answer {
        Sat => {
            let values = model(solver, terms, asked);
            let holds = |formula: &Term| value(terms, &values, *formula) == Some(1);
            assert!(asked.iter().all(holds), "{what}: {values:?} is no model");
        }
        Unsat => {
            let core = solver.core();
            assert!(core.iter().all(|formula| asked.contains(formula)), "{what}: a foreign core");
            assert_eq!(
                BitSolver::new(&Budget::default()).check(terms, &core),
                Unsat,
                "{what}: {core:?} is no core"
            );
        }
        Unknown => {}
    }
    answer
}

type Valuation = HashMap<Symbol, Value>;

fn model<S: Models>(solver: &mut S, terms: &Terms, asked: &[Term]) -> Valuation {
    let mut terms = terms.clone();
    let mut values = Valuation::new();
    for symbol in asked.iter().flat_map(|formula| terms.symbols_of(*formula)).collect::<Vec<_>>() {
        let term = terms.symbol(symbol);
        let value = match terms.symbol_sort(symbol) {
            Sort::Scalar(_) => Value::Scalar(solver.value(&terms, term)),
            Sort::Array { len, .. } => {
                let mut element = |place| {
                    let index = terms.constant(i128::from(place), Type::unsigned(32));
                    let element = terms.select(term, index);
                    solver.value(&terms, element)
                };
                Value::Array((0..len).map(&mut element).collect())
            }
        };
        values.insert(symbol, value);
    }
    values
}

fn value(terms: &Terms, values: &Valuation, formula: Term) -> Option<i128> {
    let lookup = |symbol: Symbol| values[&symbol].clone();
    Some(try_evaluate(terms, formula, &mut { lookup })?.scalar())
}

/// Random formulas that are linear in their integers.
struct Formulas {
    terms: Terms,
    rng: Rng,
    numbers: Vec<Term>,
    bits: Vec<Term>,
    array: Term,
    truth: Term,
}

impl Formulas {
    fn new(seed: u64) -> Formulas {
        let mut terms = solve::random::terms(seed);
        let mut declare = |name: &str, sort| {
            let symbol = terms.declare(name, sort);
            terms.symbol(symbol)
        };
        let numbers = ["x", "y"].map(|name| declare(name, Sort::Scalar(Type::Int))).to_vec();
        let types = [Type::unsigned(2), Type::signed(2)];
        let bits = types.map(|ty| declare("b", Sort::Scalar(ty))).to_vec();
        let array = declare("a", Sort::Array { element: Type::Int, len: 2 });
        let truth = declare("p", Sort::BOOL);
        Formulas { terms, rng: Rng::new(seed), numbers, bits, array, truth }
    }

    fn formula(&mut self, depth: usize) -> Term {
        match self.rng.below(10) {
            0..=2 if depth > 0 => {
                let parts = [(); 2].map(|()| self.formula(depth - 1));
                self.terms.or(parts)
            }
            3 if depth > 0 => {
                let parts = [(); 2].map(|()| self.formula(depth - 1));
                self.terms.and(parts)
            }
            4 => self.truth,
            5 => {
                // The bits of an integer.
                let ty = self.terms.ty(self.bits[0]);
                let number = self.number(depth);
                let (left, right) = (self.terms.cast(ty, number), self.bits[0]);
                self.terms.eq(left, right)
            }
            kind => {
                let (a, b) = (self.sum(depth), self.sum(depth));
                match kind {
                    6 => self.terms.eq(a, b),
                    7 => self.terms.ne(a, b),
                    _ => self.terms.le(a, b),
                }
            }
        }
    }

    fn sum(&mut self, depth: usize) -> Term {
        let start = self.rng.below(9) as i128 - 4;
        let mut sum = self.terms.constant(start, Type::Int);
        for _ in 0..1 + self.rng.below(2) {
            let factor = *self.rng.pick(&[1, 1, 1, -1, 2, -3]);
            let factor = self.terms.constant(factor, Type::Int);
            let number = self.number(depth);
            let product = self.terms.arith(ArithOp::Mul, factor, number);
            sum = self.terms.arith(ArithOp::Add, sum, product);
        }
        sum
    }

    fn number(&mut self, depth: usize) -> Term {
        match self.rng.below(12) {
            0 if depth > 0 => {
                let condition = self.formula(depth - 1);
                let (a, b) = (self.sum(depth - 1), self.sum(depth - 1));
                self.terms.ite(condition, a, b)
            }
            1 if depth > 0 => {
                let op = *self.rng.pick(&[ArithOp::Div, ArithOp::Rem]);
                let divisor = *self.rng.pick(&[2, 3, -2]);
                let divisor = self.terms.constant(divisor, Type::Int);
                let dividend = self.sum(depth - 1);
                self.terms.arith(op, dividend, divisor)
            }
            2 | 3 => {
                let bits = *self.rng.pick(&self.bits);
                self.terms.cast(Type::Int, bits)
            }
            4 => {
                let index = *self.rng.pick(&[self.bits[0], self.bits[1], self.numbers[0]]);
                self.terms.select(self.array, index)
            }
            _ => *self.rng.pick(&self.numbers),
        }
    }

    /// That all integers are between -limit and limit.
    fn limits(&mut self, limit: i128) -> Vec<Term> {
        let mut numbers = self.numbers.clone();
        for place in 0..2 {
            let place = self.terms.constant(place, Type::unsigned(32));
            numbers.push(self.terms.select(self.array, place));
        }
        let (low, high) =
            (self.terms.constant(-limit, Type::Int), self.terms.constant(limit, Type::Int));
        let both = |number: &Term| [self.terms.le(low, *number), self.terms.le(*number, high)];
        numbers.iter().flat_map(both).collect()
    }

    /// All valuations of what occurs in `asked`, with integers between -limit and limit.
    fn valuations(&self, asked: &[Term], limit: i128) -> Vec<Valuation> {
        let mut all = vec![Valuation::new()];
        let symbols: BTreeSet<Symbol> =
            asked.iter().flat_map(|formula| self.terms.symbols_of(*formula)).collect();
        for symbol in symbols {
            let range = |ty: Type| ty.bounds().unwrap_or((-limit, limit));
            let values: Vec<Value> = match self.terms.symbol_sort(symbol) {
                Sort::Scalar(ty) => (range(ty).0..=range(ty).1).map(Value::Scalar).collect(),
                Sort::Array { .. } => (-limit..=limit)
                    .flat_map(|a| (-limit..=limit).map(move |b| Value::Array(vec![a, b])))
                    .collect(),
            };
            let with = |old: &Valuation| {
                let old = old.clone();
                values.clone().into_iter().map(move |value| {
                    let mut new = old.clone();
                    new.insert(symbol, value);
                    new
                })
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }
}

/// In a small range, the answer is that of all valuations; without the range, `Unsat` at least
/// excludes them.
#[test]
fn random_formulas_agree_with_all_valuations() {
    const LIMIT: i128 = 2;
    let mut counts: HashMap<String, usize> = HashMap::new();
    for seed in 0..200 {
        let mut formulas = Formulas::new(seed);
        let asked: Vec<Term> = (0..3).map(|_| formulas.formula(2)).collect();
        let limits = formulas.limits(LIMIT);
        let terms = &formulas.terms;
        let holds = |values: &Valuation| asked.iter().all(|f| value(terms, values, *f) == Some(1));
        let expected = formulas.valuations(&asked, LIMIT).iter().any(holds);
        let what = format!("seed {seed}: {}", solve::show(terms, asked[0]));
        let within = check(
            &mut QuickSolver::new(&Budget::default()),
            terms,
            &[&asked[..], &limits].concat(),
            &what,
        );
        let expected = if expected { Sat } else { Unsat };
        assert_eq!(within, expected, "{what}");
        let mut decider = Decider::new(&Budget::default());
        let without = check(&mut decider, terms, &asked, &what);
        assert!(without != Unsat || expected == Unsat, "{what}");
        *counts.entry(format!("{within:?}")).or_default() += 1;
        *counts.entry(format!("free {without:?}")).or_default() += 1;
    }
    let count = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert!(count("Sat") > 50 && count("Unsat") > 30 && count("free Unsat") > 10, "{counts:?}");
    assert!(count("free Unknown") < 5, "{counts:?}");
}

/// Any operators, integers and bits mixed: with all symbols fixed, a formula is decided as it
/// evaluates, or (products) not at all; without, a model is one, and `Unsat` excludes all values tried.
#[test]
fn mixed_terms_are_decided_as_they_evaluate() {
    let types = [Type::Int, Type::unsigned(8), Type::signed(3)];
    let mut decided = [0; 3];
    for seed in 0..800 {
        let mut rng = Rng::new(seed);
        let mut terms = solve::random::terms(seed);
        let scope = TreeScope::declare(&mut terms, &types);
        let formula = scope.tree(&mut rng, Type::Bool, 4).build(&mut terms);
        let values: Valuation = scope.valuation(&mut rng).into_iter().collect();
        let what = format!("seed {seed}: {}", solve::show(&terms, formula));
        let expected = value(&terms, &values, formula);
        let most_cells = seed as usize % 2 * 64;
        let free = check(
            &mut BitSolver::with_most_cells(&Budget::default(), most_cells),
            &terms,
            &[formula],
            &what,
        );
        assert!(free != Unsat || expected != Some(1), "{what}");
        let Some(expected) = expected else { continue };
        let mut asked = vec![formula];
        for (symbol, value) in &values {
            asked.extend(fixed(&mut terms, *symbol, value));
        }
        let answer = check(
            &mut BitSolver::with_most_cells(&Budget::default(), most_cells),
            &terms,
            &asked,
            &what,
        );
        let wanted = if expected == 1 { Sat } else { Unsat };
        assert!(answer == wanted || answer == Unknown, "{what}: {answer:?}");
        decided[if answer == Unknown { 2 } else { expected as usize }] += 1;
    }
    let [no, yes, unknown] = decided;
    assert!(no > 200 && yes > 200 && unknown < 40, "{decided:?} should be of both kinds");
}

/// That a symbol has a value.
fn fixed(terms: &mut Terms, symbol: Symbol, value: &Value) -> Vec<Term> {
    let term = terms.symbol(symbol);
    match (value, terms.symbol_sort(symbol)) {
        (Value::Scalar(value), Sort::Scalar(ty)) => {
            let value = terms.constant(*value, ty);
            vec![terms.eq(term, value)]
        }
        (Value::Array(values), Sort::Array { element, .. }) => {
            let cell = |(place, value): (usize, &i128)| {
                let place = terms.constant(place as i128, Type::unsigned(8));
                let (cell, value) = (terms.select(term, place), terms.constant(*value, element));
                terms.eq(cell, value)
            };
            values.iter().enumerate().map(cell).collect()
        }
        _ => panic!("a value should be of the sort of its symbol"),
    }
}

/// Another solver says the same, and has the same models.
#[test]
fn z3_agrees() {
    let mut z3 = External::new(&["z3", "-in"], Duration::from_secs(20), &Budget::default());
    let mut terms = solve::terms();
    let truth = terms.truth(true);
    if z3.check(&terms, &[truth]) == Unknown {
        tools::skip("z3", z3.trouble().unwrap_or_default());
        return;
    }
    let mut compared = 0;
    for seed in 1000..1300 {
        let mut formulas = Formulas::new(seed);
        let asked: Vec<Term> = (0..3).map(|_| formulas.formula(2)).collect();
        let terms = &formulas.terms;
        let ours = BitSolver::new(&Budget::default()).check(terms, &asked);
        let theirs = z3.check(terms, &asked);
        if ours == Unknown || theirs == Unknown {
            continue;
        }
        assert_eq!(theirs, ours, "seed {seed}");
        if theirs == Sat {
            let values = model(&mut z3, terms, &asked);
            let holds = |formula: &Term| value(terms, &values, *formula) == Some(1);
            assert!(asked.iter().all(holds), "seed {seed}: {values:?}");
        }
        compared += 1;
    }
    assert!(compared > 280, "only {compared} formulas were compared");
}

/// A certificate does not show that constraints fail of which one that it needs is missing.
#[test]
fn certificates_are_verified_and_refused_without_what_they_need() {
    let mut counts = [0; 3];
    for seed in 0..600 {
        let problem = random_problem(&mut Rng::new(seed));
        let Outcome::Infeasible(certificate) = simplex::solve(&problem, Effort::default()) else {
            continue;
        };
        assert!(certificate.verify(&problem.constraints), "seed {seed}");
        counts[kind(&certificate)] += 1;
        for needed in certificate.needed(problem.constraints.len()) {
            let mut others = problem.constraints.clone();
            others[needed] = Constraint::at_most_zero(Form::constant(0));
            if is_feasible(&Problem { constraints: others.clone(), ..problem }) {
                assert!(!certificate.verify(&others), "seed {seed}: without {needed}");
            }
        }
        let mut fewer = problem.constraints.clone();
        fewer.pop();
        assert!(
            !is_feasible(&Problem { constraints: fewer.clone(), ..problem })
                || !certificate.verify(&fewer),
            "seed {seed}: without the last"
        );
    }
    assert!(counts.iter().all(|count| *count > 10), "all kinds should occur: {counts:?}");
}

/// Certificates that break a rule.
#[test]
fn broken_certificates_are_refused() {
    let (x, y) = (Form::variable(LinearVar(0)), Form::variable(LinearVar(1)));
    let number = Form::constant;
    let one = || Rational::ONE;
    // 3x - 2y = 1 and x = 0: so y = -1/2.
    let equation = Constraint::zero(Form::new([(LinearVar(0), 3), (LinearVar(1), -2)], -1));
    let half = [
        equation,
        Constraint::le(&number(0), &x),
        Constraint::le(&x, &number(0)),
        Constraint::le(&y, &number(5)),
    ];
    let farkas = |parts: &[(usize, i128)]| {
        Certificate::Farkas(parts.iter().map(|(i, m)| (*i, Rational::from(*m))).collect())
    };
    let cut = |parts: &[(usize, Rational)], rest| Certificate::Cut {
        multiples: parts.to_vec(),
        rest: Box::new(rest),
    };
    let one_half = Rational::new(1, 2);
    // -2y <= 1 is -y <= 0, and 2y <= -1 is y <= -1.
    let right = cut(
        &[(0, one_half.clone()), (1, Rational::new(3, 2))],
        cut(&[(0, -&one_half), (2, Rational::new(3, 2))], farkas(&[(4, 1), (5, 1)])),
    );
    assert!(right.verify(&half));
    let halves = |at: Rational| Certificate::Split {
        var: LinearVar(0),
        at,
        low: Box::new(farkas(&[(4, 1), (1, 1)])),
        high: Box::new(farkas(&[(4, 1), (2, 1)])),
    };
    let wrong = [
        ("no contradiction", farkas(&[(1, 1), (2, 1)])),
        ("no such constraint", farkas(&[(1, 1), (7, 1)])),
        ("an inequality turned round", farkas(&[(1, -1), (2, -1)])),
        ("a cut with a negative multiple", cut(&[(1, Rational::MINUS_ONE)], farkas(&[(4, 1)]))),
        ("a cut of nothing", cut(&[], farkas(&[(4, 1)]))),
        ("a cut that uses itself", cut(&[(4, one())], farkas(&[(4, 1)]))),
        ("a split at no integer", halves(Rational::new(1, 2))),
        ("a split that leaves a solution", halves(Rational::ZERO)),
    ];
    for (what, certificate) in wrong {
        assert!(!certificate.verify(&half), "{what}");
    }
}

fn kind(certificate: &Certificate) -> usize {
    match certificate {
        Certificate::Farkas(_) => 0,
        Certificate::Cut { .. } => 1,
        Certificate::Split { .. } => 2,
    }
}

const BOX: i128 = 3;

/// A few constraints on three variables, some of them between -BOX and BOX.
fn random_problem(rng: &mut Rng) -> Problem {
    let mut constraints = Vec::new();
    for index in 0..3 {
        if !rng.one_in(3) {
            let var = Form::variable(LinearVar(index));
            constraints.push(Constraint::le(&var, &Form::constant(BOX)));
            constraints.push(Constraint::le(&Form::constant(-BOX), &var));
        }
    }
    for _ in 0..2 + rng.below(4) {
        let mut coefficient = || rng.below(11) as i128 - 5;
        let cells = [
            (LinearVar(0), coefficient()),
            (LinearVar(1), coefficient()),
            (LinearVar(2), coefficient()),
        ];
        let form = Form::new(cells, rng.below(17) as i128 - 8);
        constraints.push(match rng.one_in(3) {
            true => Constraint::zero(form),
            false => Constraint::at_most_zero(form),
        });
    }
    Problem { variables: 3, constraints }
}

/// Is there a solution between -9 and 9?
fn is_feasible(problem: &Problem) -> bool {
    let numbers: Vec<Rational> = (-9..=9).map(Rational::from).collect();
    numbers.iter().any(|x| {
        numbers.iter().any(|y| {
            numbers.iter().any(|z| {
                let values = [x, y, z];
                problem.constraints.iter().all(|c| c.holds(|var| values[var.index()]))
            })
        })
    })
}
