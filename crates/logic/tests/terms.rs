//! Terms mean what they say: constructors, substitution and normal forms against
//! evaluators that share no code with them.

use ccfa::Type;
use ccfa::random::Rng;
use logic::{ArithOp, Node, Sort, Symbol, Term, Terms};
use solve::evaluate::{Value, evaluate, try_evaluate};
use solve::random::{TermTree, TreeScope};
use std::collections::HashMap;

/// The types of each group of random trees.
fn type_groups() -> Vec<Vec<Type>> {
    let (i, u) = (Type::signed, Type::unsigned);
    vec![
        vec![i(1), u(1), i(2)],
        vec![i(3), u(3)],
        vec![i(4), u(4), u(2)],
        vec![i(2), i(3), u(4)],
        vec![i(3), Type::Int],
        vec![u(2), i(4), Type::Int],
        vec![i(8), u(8), i(16)],
        vec![i(32), i(64), u(8)],
        vec![u(32), u(64), Type::Int],
        vec![Type::Int],
        vec![i(64), u(64), i(63)],
    ]
}

/// Compares the value of a tree and of the term it became; false if an integer is too large.
fn compare(tree: &TermTree, terms: &Terms, term: Term, values: &HashMap<Symbol, Value>) -> bool {
    let expected = tree.value(&|symbol| values[&symbol].clone());
    let found = try_evaluate(terms, term, &mut |symbol| values[&symbol].clone());
    let (Some(expected), Some(found)) = (expected, found) else { return false };
    assert_eq!(found, expected, "{tree:?} became {} with {values:?}", solve::show(terms, term));
    let (value, range) = (found.scalar(), terms.range(term));
    let inside = range.is_none_or(|(low, high)| low <= value && value <= high);
    assert!(inside, "{} is {value}, not in {range:?}", solve::show(terms, term));
    true
}

#[test]
fn constructors_keep_the_value() {
    let groups = type_groups();
    let mut compared = 0;
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let mut terms = solve::random::terms(seed);
        let scope = TreeScope::declare(&mut terms, &groups[seed as usize % groups.len()]);
        let ty = if rng.one_in(2) { Type::Bool } else { *rng.pick(&scope.types) };
        let depth = 2 + rng.below(4);
        let tree = scope.tree(&mut rng, ty, depth);
        let term = tree.build(&mut terms);
        for _ in 0..12 {
            let values = scope.valuation(&mut rng).into_iter().collect();
            compared += usize::from(compare(&tree, &terms, term, &values));
        }
    }
    assert!(compared > 100_000, "only {compared} values were compared");
}

/// Types with few values, and integers.
const SMALL_TYPES: [Type; 9] = [
    Type::signed(1),
    Type::unsigned(1),
    Type::signed(2),
    Type::unsigned(2),
    Type::signed(3),
    Type::unsigned(3),
    Type::signed(4),
    Type::unsigned(4),
    Type::Int,
];

/// A formula over few bounds on few terms, so that the bounds meet.
fn bounds(rng: &mut Rng, symbols: &[(Symbol, Type)], depth: usize) -> TermTree {
    if depth == 0 {
        let (symbol, own) = *rng.pick(symbols);
        let mut left = Box::new(TermTree::Symbol(symbol, Sort::Scalar(own)));
        let mut ty = own;
        if rng.one_in(4) {
            ty = *rng.pick(&SMALL_TYPES);
            left = Box::new(TermTree::Cast(ty, left));
        }
        let near =
            |rng: &mut Rng| Box::new(TermTree::Const(ty.wrap(rng.below(20) as i128 - 9), ty));
        if rng.one_in(6) {
            left = Box::new(TermTree::Arith(ArithOp::Add, left, near(rng)));
        }
        let constant = near(rng);
        return match rng.below(5) {
            0 => TermTree::Eq(left, constant),
            1 => TermTree::Ne(left, constant),
            2 => TermTree::Le(left, constant),
            3 => TermTree::Le(constant, left),
            _ => TermTree::Lt(left, constant),
        };
    }
    let part = |rng: &mut Rng| bounds(rng, symbols, depth - 1);
    match rng.below(8) {
        0 => TermTree::Not(Box::new(part(rng))),
        1 => TermTree::Ite(Box::new(part(rng)), Box::new(part(rng)), Box::new(part(rng))),
        kind => {
            let parts = (0..2 + rng.below(3)).map(|_| part(rng)).collect();
            if kind % 2 == 0 { TermTree::And(parts) } else { TermTree::Or(parts) }
        }
    }
}

#[test]
fn bounds_keep_the_value_for_all_values() {
    for seed in 0..6_000 {
        let mut rng = Rng::new(seed);
        let mut terms = solve::random::terms(seed);
        let ty = SMALL_TYPES[seed as usize % SMALL_TYPES.len()];
        let symbols = ["x", "y"].map(|name| (terms.declare(name, Sort::Scalar(ty)), ty));
        let depth = 1 + rng.below(3);
        let tree = bounds(&mut rng, &symbols, depth);
        let term = tree.build(&mut terms);
        let (low, high) = ty.bounds().unwrap_or((-10, 10));
        for x in low..=high {
            for y in low..=high {
                let values = [(symbols[0].0, x), (symbols[1].0, y)];
                let values = values.map(|(symbol, value)| (symbol, Value::Scalar(value)));
                assert!(compare(&tree, &terms, term, &values.into_iter().collect()));
            }
        }
    }
}

/// What `logic::term` promises of every node, whatever the rules are.
fn is_as_promised(terms: &Terms, term: Term) -> bool {
    let constant = |term: Term| terms.constant_value(term).is_some();
    let number = |term: Term| terms.ty(term) != Type::Bool;
    match terms.node(term) {
        Node::Const(value, ty) => ty.contains(*value),
        Node::ConstArray(..) | Node::Symbol(_) | Node::Ite(..) => true,
        Node::Not(inner) => !matches!(terms.node(*inner), Node::Not(_) | Node::Const(..)),
        Node::And(parts) | Node::Or(parts) => {
            let kind = std::mem::discriminant(terms.node(term));
            let same = |part: &Term| std::mem::discriminant(terms.node(*part)) == kind;
            parts.len() > 1
                && parts.is_sorted_by(|a, b| a < b)
                && !parts.iter().any(|part| constant(*part) || same(part))
        }
        Node::Eq(a, _) => !constant(*a),
        Node::Le(a, b) => number(*a) && !(constant(*a) && constant(*b)),
        Node::Arith(op, a, _) => {
            let is_bitwise = matches!(op, ArithOp::BitAnd | ArithOp::BitOr | ArithOp::BitXor);
            number(*a) || !is_bitwise
        }
        Node::Cast(ty, a) => *ty != Type::Bool && number(*a) && !constant(*a),
        Node::Select(array, index) => {
            matches!(terms.node(*array), Node::ConstArray(..) | Node::Symbol(_))
                && (!constant(*index) || terms.ty(*index) == Type::unsigned(32))
        }
        Node::Store(_, index, _) => !constant(*index) || terms.ty(*index) == Type::unsigned(32),
    }
}

/// What `solve::rewrite` promises beyond that.
fn is_normal(terms: &Terms, term: Term) -> bool {
    let constant = |term: Term| terms.constant_value(term).is_some();
    match terms.node(term) {
        Node::Not(inner) => match terms.node(*inner) {
            Node::And(_) | Node::Or(_) => false,
            Node::Le(a, b) => !constant(*a) && !constant(*b) && terms.ty(*a) != Type::Int,
            _ => true,
        },
        Node::Arith(op, a, b) => {
            use ArithOp::{Add, BitAnd, BitOr, BitXor, Mul, Shl, Shr, Sub};
            match op {
                Add | Mul | BitAnd | BitOr | BitXor => !constant(*a),
                Sub => !constant(*b),
                Shl | Shr => !constant(*b) || terms.ty(*b) == terms.ty(*a),
                _ => true,
            }
        }
        Node::Select(array, _) => match terms.node(*array) {
            Node::ConstArray(values, ..) => values.len() > 1,
            _ => true,
        },
        _ => true,
    }
}

#[test]
fn terms_are_in_normal_form() {
    // Of mathematical integers too, but there constants may become too large.
    let groups = type_groups();
    for seed in 0..4_000 {
        let mut rng = Rng::new(seed);
        let mut terms = solve::random::terms(seed);
        let types: Vec<Type> = groups[seed as usize % groups.len()].clone();
        let scope = TreeScope::declare(&mut terms, &types);
        let mut stack = vec![scope.tree(&mut rng, Type::Bool, 4).build(&mut terms)];
        let mut large = false;
        let mut odd = None;
        while let Some(term) = stack.pop() {
            let value = terms.constant_value(term);
            large |= value.is_some_and(|value| value.unsigned_abs() > 1 << 100);
            if !is_as_promised(&terms, term) || seed % 2 == 1 && !is_normal(&terms, term) {
                odd = Some(term);
            }
            stack.extend(terms.operands(term));
        }
        if let (Some(odd), false) = (odd, large) {
            panic!("seed {seed}: {} is not in normal form", solve::show(&terms, odd));
        }
    }
}

#[test]
fn negation_is_undone_by_negation() {
    let groups = type_groups();
    for seed in 0..4_000 {
        let mut rng = Rng::new(seed);
        let mut terms = solve::random::terms(seed);
        let scope = TreeScope::declare(&mut terms, &groups[seed as usize % groups.len()]);
        let term = scope.tree(&mut rng, Type::Bool, 3).build(&mut terms);
        let negated = terms.not(term);
        let (shown, back) = (solve::show(&terms, term), terms.not(negated));
        assert_eq!(back, term, "seed {seed}: {shown} came back as {}", solve::show(&terms, back));
    }
}

#[test]
fn substitution_commutes_with_evaluation() {
    let groups = type_groups();
    for seed in 0..4_000 {
        let mut rng = Rng::new(seed);
        let mut terms = solve::random::terms(seed);
        let scope = TreeScope::declare(&mut terms, &groups[seed as usize % groups.len()]);
        let term = scope.tree(&mut rng, Type::Bool, 4).build(&mut terms);
        let mut replaced = HashMap::new();
        for (symbol, sort) in &scope.symbols {
            if let Sort::Scalar(ty) = sort
                && !rng.one_in(3)
            {
                replaced.insert(*symbol, scope.tree(&mut rng, *ty, 2).build(&mut terms));
            }
        }
        let result = terms.substitute(term, &mut |_, symbol| replaced.get(&symbol).copied());
        for _ in 0..6 {
            let values: HashMap<_, _> = scope.valuation(&mut rng).into_iter().collect();
            let mut plain = |symbol: Symbol| values[&symbol].clone();
            let inner: HashMap<Symbol, Option<Value>> = replaced
                .iter()
                .map(|(symbol, by)| (*symbol, try_evaluate(&terms, *by, &mut plain)))
                .collect();
            if inner.values().any(Option::is_none) {
                continue;
            }
            let mut after = |symbol| match inner.get(&symbol) {
                Some(value) => value.clone().expect("looked at before"),
                None => values[&symbol].clone(),
            };
            let expected = try_evaluate(&terms, term, &mut after);
            let found = try_evaluate(&terms, result, &mut plain);
            if expected.is_some() && found.is_some() {
                assert_eq!(found, expected, "seed {seed}: {}", solve::show(&terms, term));
            }
        }
    }
}

#[test]
fn deep_terms_are_evaluated() {
    let mut terms = Terms::new();
    let ty = Type::unsigned(8);
    let symbol = terms.declare("x", Sort::Scalar(ty));
    let x = terms.symbol(symbol);
    let mut sum = x;
    for _ in 0..100_000 {
        sum = terms.arith(ArithOp::Mul, sum, x);
    }
    assert_eq!(evaluate(&terms, sum, &mut |_| Value::Scalar(255)), Value::Scalar(255));
    assert_eq!(terms.size(sum, 50), 50);
    assert_eq!(terms.size(sum, 1_000_000), 100_001);
}
