//! Linear arithmetic: simplex against brute force, and interpolants against the bits.

use ccfa::random::Rng;
use ccfa::{Budget, Type};
use logic::Rational;
use logic::certificate::{Outcome, Problem};
use logic::constraint::{Constraint, Form, LinearVar, Relation};
use logic::{Answer, ArithOp, Node, Sort, Term, Terms};
use solve::interpolate::{Limits, sequence, tree};
use solve::simplex::{self, Effort};
use solve::{BitSolver, Solver};

/// A number from `low` to `high`.
fn between(random: &mut Rng, low: i128, high: i128) -> i128 {
    low + random.below((high - low + 1) as usize) as i128
}

// Simplex.

const BOX: i128 = 3;

/// A few constraints on variables between -BOX and BOX.
fn random_problem(random: &mut Rng) -> Problem {
    let variables = 1 + random.below(4);
    let mut constraints = Vec::new();
    for var in (0..variables).map(|index| Form::variable(LinearVar(index as u32))) {
        constraints.push(Constraint::le(&var, &Form::constant(BOX)));
        constraints.push(Constraint::le(&Form::constant(-BOX), &var));
    }
    for _ in 0..=random.below(5) {
        let cells = (0..variables).map(|index| (LinearVar(index as u32), between(random, -4, 4)));
        let cells: Vec<(LinearVar, i128)> = cells.collect();
        let form = Form::new(cells, between(random, -8, 8));
        let equal = random.below(4) == 0;
        constraints.push(if equal {
            Constraint::zero(form)
        } else {
            Constraint::at_most_zero(form)
        });
    }
    Problem { variables, constraints }
}

fn has_solution_in_box(problem: &Problem) -> bool {
    let side = 2 * BOX + 1;
    (0..side.pow(problem.variables as u32)).any(|mut code| {
        let mut next = || {
            let digit = code % side - BOX;
            code /= side;
            Rational::from(digit)
        };
        let values: Vec<Rational> = (0..problem.variables).map(|_| next()).collect();
        problem.constraints.iter().all(|constraint| constraint.holds(|var| &values[var.index()]))
    })
}

#[test]
fn integer_problems_are_decided_as_by_brute_force() {
    let mut counts = [0, 0];
    for seed in 0..3000 {
        let problem = random_problem(&mut Rng::new(seed));
        let expected = has_solution_in_box(&problem);
        match simplex::solve(&problem, Effort { depth: 40, ..Effort::default() }) {
            Outcome::Infeasible(certificate) => {
                assert!(!expected, "seed {seed}: {problem:?}");
                assert!(certificate.verify(&problem.constraints), "seed {seed}: {certificate:?}");
            }
            Outcome::Integers(values) => {
                let value = |var: LinearVar| &values[var.index()];
                let holds = |constraint: &Constraint| constraint.holds(value);
                assert!(values.iter().all(Rational::is_integer), "seed {seed}");
                assert!(problem.constraints.iter().all(holds), "seed {seed}: {values:?}");
            }
            Outcome::Unknown => panic!("seed {seed}: a bounded problem should be settled"),
        }
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 500), "both answers should occur: {counts:?}");
}

#[test]
fn wrong_certificates_are_refused() {
    let x = Form::variable(LinearVar(0));
    let constraints =
        [Constraint::le(&x, &Form::constant(1)), Constraint::le(&Form::constant(2), &x)];
    let problem = Problem { variables: 1, constraints: constraints.to_vec() };
    let Outcome::Infeasible(certificate) = simplex::solve(&problem, Effort::default()) else {
        panic!("x <= 1 and x >= 2 should be infeasible")
    };
    assert!(certificate.verify(&constraints));
    let weaker = [constraints[0].clone(), Constraint::le(&Form::constant(1), &x)];
    assert!(!certificate.verify(&weaker), "x = 1 satisfies the weaker constraints");
    let unrelated = [constraints[0].clone(), Constraint::le(&x, &Form::constant(-5))];
    assert!(!certificate.verify(&unrelated), "the variable is not cancelled");
}

#[test]
fn constraints_are_tightened() {
    let form = |a, b, k| Form::new([(LinearVar(0), a), (LinearVar(1), b)], k);
    // 4x - 6y - 3 <= 0, that is 2x - 3y <= 1.5
    assert_eq!(Constraint::at_most_zero(form(4, -6, -3)).form(), &form(2, -3, -1));
    assert_eq!(Constraint::zero(form(-4, 6, -2)).form(), &form(2, -3, 1));
    assert_eq!(Constraint::zero(form(4, -6, -3)).truth(), Some(false));
    assert_eq!(Constraint::zero(form(0, 0, 0)).relation(), Relation::Equal);
}

// Interpolants.

/// A path in single assignments, written as text: groups are separated by `|`, literals by `,`.
/// A literal is `sum op sum`, or `b` or `!b` for a truth value, or an implication `l -> l`.
struct Path {
    terms: Terms,
    names: Vec<(String, Term)>,
    ty: Type,
}

impl Path {
    fn new(ty: Type) -> Path {
        Path { terms: solve::terms(), names: Vec::new(), ty }
    }

    fn groups(&mut self, text: &str) -> Vec<Vec<Term>> {
        text.split('|')
            .map(|group| {
                let literals = group.split(',').map(str::trim).filter(|text| !text.is_empty());
                literals.map(|literal| self.formula(literal)).collect()
            })
            .collect()
    }

    fn formula(&mut self, text: &str) -> Term {
        if let Some((premise, conclusion)) = text.split_once("->") {
            let (premise, conclusion) =
                (self.formula(premise.trim()), self.formula(conclusion.trim()));
            return self.terms.implies(premise, conclusion);
        }
        for op in ["==", "!=", "<=", ">=", "<", ">"] {
            let Some((left, right)) = text.split_once(op) else { continue };
            let (a, b) = (self.sum(left), self.sum(right));
            return match op {
                "==" => self.terms.eq(a, b),
                "!=" => self.terms.ne(a, b),
                "<=" => self.terms.le(a, b),
                ">=" => self.terms.le(b, a),
                "<" => self.terms.lt(a, b),
                _ => self.terms.lt(b, a),
            };
        }
        match text.strip_prefix('!') {
            Some(name) => {
                let value = self.name(name, Type::Bool);
                self.terms.not(value)
            }
            None => self.name(text, Type::Bool),
        }
    }

    fn sum(&mut self, text: &str) -> Term {
        let ty = self.ty;
        let text = text.replace('-', "+-");
        let mut total = self.terms.constant(0, ty);
        for part in text.split('+').map(str::trim).filter(|part| !part.is_empty()) {
            let (op, part) = match part.strip_prefix('-') {
                Some(part) => (ArithOp::Sub, part.trim()),
                None => (ArithOp::Add, part),
            };
            let value = match part.parse() {
                Ok(value) => self.terms.constant(value, ty),
                Err(_) => self.name(part, ty),
            };
            total = self.terms.arith(op, total, value);
        }
        total
    }

    fn name(&mut self, name: &str, ty: Type) -> Term {
        if let Some((_, term)) = self.names.iter().find(|(known, _)| known == name) {
            return *term;
        }
        let symbol = self.terms.declare(name, Sort::Scalar(ty));
        let term = self.terms.symbol(symbol);
        self.names.push((name.into(), term));
        term
    }

    fn show(&self, term: Term) -> String {
        let list = |parts: &[Term], op: &str| {
            let mut parts: Vec<String> = parts.iter().map(|part| self.show(*part)).collect();
            parts.sort();
            format!("({})", parts.join(op))
        };
        match self.terms.node(term) {
            Node::Const(value, Type::Bool) => (*value == 1).to_string(),
            Node::Const(value, _) => value.to_string(),
            Node::Symbol(symbol) => self.terms.symbol_name(*symbol).into(),
            Node::Not(inner) => format!("!{}", self.show(*inner)),
            Node::And(parts) => list(parts, " && "),
            Node::Or(parts) => list(parts, " || "),
            Node::Eq(a, b) => format!("{} == {}", self.show(*a), self.show(*b)),
            Node::Le(a, b) => format!("{} <= {}", self.show(*a), self.show(*b)),
            Node::Arith(op, a, b) => format!("({} {op:?} {})", self.show(*a), self.show(*b)),
            Node::Cast(_, a) => self.show(*a),
            other => format!("{other:?}"),
        }
    }
}

fn invariants(text: &str, ty: Type) -> String {
    let mut path = Path::new(ty);
    let groups = path.groups(text);
    match sequence(&mut path.terms, &groups, Limits::default()) {
        None => "none".into(),
        Some(found) => {
            let found: Vec<String> = found.iter().map(|term| path.show(*term)).collect();
            found.join(" | ")
        }
    }
}

#[test]
fn loops_give_their_invariants() {
    let table = [
        // Two counters in step.
        (
            "x == 0, i == 0 | i < n, j == i + 1, y == x + 1 | j >= n, y != n",
            "x == i | (j <= y && y <= n)",
        ),
        (
            "x == 0, i == 0 | i < n, j == i + 1, y == x + 1 | j < n, k == j + 1, z == y + 1 | k >= n, z != n",
            "x == i | j == y | (k <= z && z <= n)",
        ),
        // A counter up to a limit.
        ("i == 0 | i < 10, j == i + 1 | j >= 10, j != 10", "true | j <= 10"),
        (
            "i == 0, n >= 0 | i < n, j == i + 1 | j < n, k == j + 1 | k >= n, k > n",
            "true | true | k <= n",
        ),
        ("i == 0, n >= 0 | i < n, j == i + 1 | j >= n, j != n", "true | j <= n"),
        ("i == 0, n >= 0 | i >= n, i != n", "i <= n"),
        // A sum that is kept.
        (
            "x == n, y == 0 | x > 0, v == x - 1, w == y + 1 | v <= 0, w < n, n > 0",
            "n <= (x Add y) | n <= (v Add w)",
        ),
        // Truth values.
        ("!l | !l, m, x == 0 | x == 1, m", "true | x <= 0"),
        ("!l | m -> l | m", "!l | !m"),
        ("l -> x == 1, l | y == x | l -> y != 1", "(l && x == 1) | (l && y == 1)"),
        // Either way the same.
        ("l -> x == 3, l | m -> y == x, !m -> y == 3 | y != 3", "x == 3 | y == 3"),
        ("x != 5 | x >= 5 | x <= 5", "!x == 5 | 6 <= x"),
        // Irrelevant beginnings.
        ("a == 7 | b == a + 1 | x >= 5 | x <= 4", "true | true | 5 <= x"),
        // That 2x is not odd is beyond splitting a variable with a large range.
        ("y == x + x | y == z + z + 1", "none"),
        // Feasible.
        ("x == 0 | y == x + 1 | y == 1", "none"),
    ];
    let mut wrong = String::new();
    let types = [Type::signed(32), Type::Int];
    for ((path, expected), ty) in table.iter().flat_map(|row| types.map(|ty| (*row, ty))) {
        let found = invariants(path, ty);
        if found != expected {
            wrong += &format!("{path} ({ty:?})\n    gives    {found}\n    expected {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Random formulas without arithmetic that wraps, so that the linear reading is exact.
struct Formulas {
    terms: Terms,
    random: Rng,
    numbers: Vec<Term>,
    truths: Vec<Term>,
}

impl Formulas {
    fn new(seed: u64, groups: usize) -> Formulas {
        let mut terms = solve::terms();
        let mut random = Rng::new(seed);
        let types = match seed % 3 {
            0 => [Type::Int; 3],
            _ => [Type::signed(4), Type::unsigned(3), Type::signed(6)],
        };
        let mut declare = |sort| {
            let symbol = terms.declare("", Sort::Scalar(sort));
            terms.symbol(symbol)
        };
        let numbers = (0..groups + 3).map(|_| declare(*random.pick(&types))).collect();
        let truths = (0..groups + 1).map(|_| declare(Type::Bool)).collect();
        Formulas { terms, random, numbers, truths }
    }

    /// A few formulas over the symbols around `place`, and the first one of all.
    fn group(&mut self, place: usize) -> Vec<Term> {
        let mut numbers = self.numbers[place..place + 3].to_vec();
        numbers.push(self.numbers[0]);
        let truths = self.truths[place..place + 2].to_vec();
        (0..1 + self.random.below(4)).map(|_| self.formula(&numbers, &truths, 2)).collect()
    }

    fn formula(&mut self, numbers: &[Term], truths: &[Term], depth: u64) -> Term {
        let (a, b) = match self.random.below(9) {
            0..=1 if depth > 0 => {
                let parts = [(); 2].map(|()| self.formula(numbers, truths, depth - 1));
                return self.terms.or(parts);
            }
            2 if depth > 0 => {
                let [c, a, b] = [(); 3].map(|()| self.formula(numbers, truths, depth - 1));
                return self.terms.ite(c, a, b);
            }
            3 => {
                let truth = *self.random.pick(truths);
                return if self.random.below(2) == 0 { truth } else { self.terms.not(truth) };
            }
            _ => (self.sum(numbers, truths), self.sum(numbers, truths)),
        };
        match self.random.below(4) {
            0 | 1 => self.terms.le(a, b),
            2 => self.terms.eq(a, b),
            _ => self.terms.ne(a, b),
        }
    }

    /// A sum of a few numbers, over mathematical integers.
    fn sum(&mut self, numbers: &[Term], truths: &[Term]) -> Term {
        let start = between(&mut self.random, -6, 6);
        let mut sum = self.terms.constant(start, Type::Int);
        for _ in 0..self.random.below(3) {
            let operand = match self.random.below(6) {
                0 => *self.random.pick(truths),
                _ => *self.random.pick(numbers),
            };
            let operand = self.terms.cast(Type::Int, operand);
            let factor = *self.random.pick(&[1, 1, 1, -1, -1, 2, -3]);
            let factor = self.terms.constant(factor, Type::Int);
            let product = self.terms.arith(ArithOp::Mul, operand, factor);
            sum = self.terms.arith(ArithOp::Add, sum, product);
        }
        sum
    }
}

/// Do the premises imply the conclusion, for the bits?
fn implies(terms: &mut Terms, premises: &[Term], conclusion: Term) -> bool {
    let mut formulas = premises.to_vec();
    formulas.push(terms.not(conclusion));
    BitSolver::new(&Budget::default()).check(terms, &formulas) == Answer::Unsat
}

/// Does the interpolant speak of common symbols only?
fn is_common(
    terms: &Terms,
    interpolant: Term,
    inside: &[Vec<Term>],
    outside: &[Vec<Term>],
) -> bool {
    let occurs = |symbol, groups: &[Vec<Term>]| {
        groups.iter().flatten().any(|formula| terms.symbols_of(*formula).contains(&symbol))
    };
    let symbols = terms.symbols_of(interpolant);
    symbols.into_iter().all(|symbol| occurs(symbol, inside) && occurs(symbol, outside))
}

/// How many of the groups had interpolants, how many none although they contradict each other.
#[derive(Default, Debug)]
struct Counts {
    found: usize,
    missed: usize,
}

impl Counts {
    /// Counts, and complains if there is an interpolant of formulas that can hold together.
    fn record(
        &mut self,
        terms: &Terms,
        groups: &[Vec<Term>],
        found: &Option<Vec<Term>>,
        seed: u64,
    ) {
        let unsat =
            BitSolver::new(&Budget::default()).check(terms, &groups.concat()) == Answer::Unsat;
        assert!(unsat || found.is_none(), "seed {seed}: the formulas can hold together");
        self.found += usize::from(found.is_some());
        self.missed += usize::from(unsat && found.is_none());
    }
}

#[test]
fn interpolants_of_sequences_are_right() {
    let mut counts = Counts::default();
    for seed in 0..1500 {
        let count = 2 + (seed % 4) as usize;
        let mut formulas = Formulas::new(seed, count);
        let groups: Vec<Vec<Term>> = (0..count).map(|place| formulas.group(place)).collect();
        let terms = &mut formulas.terms;
        let found = sequence(terms, &groups, Limits::default());
        counts.record(terms, &groups, &found, seed);
        let Some(found) = found else { continue };
        assert_eq!(found.len(), count - 1);
        let mut before = terms.truth(true);
        for (place, group) in groups.iter().enumerate() {
            let after = if place + 1 < count { found[place] } else { terms.truth(false) };
            let premises = [&group[..], &[before]].concat();
            assert!(implies(terms, &premises, after), "seed {seed}, group {place}");
            let (inside, outside) = groups.split_at(place + 1);
            assert!(is_common(terms, after, inside, outside), "seed {seed}, group {place}");
            before = after;
        }
    }
    assert!(counts.found > 400 && counts.missed * 20 < counts.found, "{counts:?}");
}

#[test]
fn interpolants_of_trees_are_right() {
    let mut counts = Counts::default();
    for seed in 0..1000 {
        let count = 2 + (seed % 5) as usize;
        let mut formulas = Formulas::new(seed, count);
        let groups: Vec<Vec<Term>> = (0..count).map(|place| formulas.group(place)).collect();
        let parent = |node: usize| {
            let above = between(&mut formulas.random, node as i128 + 1, count as i128 - 1);
            (node + 1 < count).then_some(above as usize)
        };
        let parents: Vec<Option<usize>> =
            (0..count - 1).map(parent).chain(std::iter::once(None)).collect();
        let terms = &mut formulas.terms;
        let found = tree(terms, &groups, &parents, Limits::default());
        counts.record(terms, &groups, &found, seed);
        let Some(found) = found else { continue };
        assert_eq!(found[count - 1], terms.truth(false), "seed {seed}");
        for node in 0..count {
            let children = (0..node).filter(|child| parents[*child] == Some(node));
            let mut premises: Vec<Term> = children.map(|child| found[child]).collect();
            premises.extend(&groups[node]);
            assert!(implies(terms, &premises, found[node]), "seed {seed}, node {node}");
            let (inside, outside) = subtree(&groups, &parents, node);
            assert!(is_common(terms, found[node], &inside, &outside), "seed {seed}, node {node}");
        }
    }
    assert!(counts.found > 200 && counts.missed * 20 < counts.found, "{counts:?}");
}

/// The groups of a subtree and the others.
fn subtree(
    groups: &[Vec<Term>],
    parents: &[Option<usize>],
    top: usize,
) -> (Vec<Vec<Term>>, Vec<Vec<Term>>) {
    let below = |node: usize| {
        let mut place = Some(node);
        while let Some(node) = place.filter(|node| *node != top) {
            place = parents[node];
        }
        place.is_some()
    };
    let (inside, outside): (Vec<usize>, Vec<usize>) =
        (0..groups.len()).partition(|node| below(*node));
    let pick = |nodes: Vec<usize>| nodes.into_iter().map(|node| groups[node].clone()).collect();
    (pick(inside), pick(outside))
}
