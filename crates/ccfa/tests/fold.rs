//! Folding never changes a value: all chains of casts over all types of 1 to 4 bits, and all operators below and between
//! them, folded and as they are, evaluated by `semantics` for every value of the variable.

use ccfa::semantics::{System, Value};
use ccfa::{BinOp, Expr, Program, SharedId, Type, UnOp, VarRef, fold, text};

/// The longest chain of casts that is tried.
const MAX_CASTS: usize = 2;

const VAR: VarRef = VarRef::Shared(SharedId(0));

fn types() -> Vec<Type> {
    let bits = (1..=4).flat_map(|width| [Type::signed(width), Type::unsigned(width)]);
    bits.chain([Type::Bool]).collect()
}

/// A program with one variable of this type.
fn program(ty: Type) -> Program {
    let name = match ty {
        Type::Bool => "bool".to_string(),
        Type::Int => "int".to_string(),
        Type::Bits { width, signed } => format!("{}{width}", if signed { "i" } else { "u" }),
    };
    let text = format!(
        "program \"fold\"\nshared x: {name} = any\ntemplate t() {{ a -> a }}\nthread t = t()\n"
    );
    text::parse(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// What there is to convert: the variable, constants, comparisons (truth values), negations and sums of it.
fn seeds(ty: Type) -> Vec<(Expr, Type, Expr)> {
    let var = || Expr::Var(VAR);
    let constants = (-8..16).filter(|value| ty.wrap(*value) == *value);
    let mut seeds = vec![(var(), ty, var())];
    for value in constants {
        let constant = Expr::Const(value, ty);
        seeds.push((constant.clone(), ty, constant.clone()));
        for op in [BinOp::Eq, BinOp::Lt, BinOp::Ne] {
            let plain = Expr::binary(op, var(), constant.clone());
            seeds.push((plain, Type::Bool, fold::binary(op, ty, var(), constant.clone())));
        }
        if matches!(ty, Type::Bits { signed: false, .. }) {
            let plain = Expr::binary(BinOp::Add, var(), constant.clone());
            seeds.push((plain, ty, fold::binary(BinOp::Add, ty, var(), constant)));
        }
    }
    let op = if ty == Type::Bool { UnOp::Not } else { UnOp::BitNot };
    seeds.push((Expr::unary(op, var()), ty, fold::unary(op, ty, var())));
    seeds
}

/// The values of an expression for all values of the variable.
fn values(system: &System, ty: Type, expr: &Expr) -> Vec<Value> {
    let domain = (-8..16).filter(|value| ty.wrap(*value) == *value);
    let value = |x: i128| {
        let mut state = system.initial();
        state.cells[0] = Some(x);
        system.eval(&state, 0, expr).expect("these operators are total")
    };
    domain.map(value).collect()
}

/// Compares the two, and every expression that is made of them by further casts, questions and comparisons.
fn compare(system: &System, ty: Type, (plain, from, folded): (Expr, Type, Expr), casts: usize) {
    let same = |plain: &Expr, folded: &Expr| {
        let (expected, found) = (values(system, ty, plain), values(system, ty, folded));
        assert_eq!(expected, found, "x: {ty:?}, plain {plain:?}, folded {folded:?}");
    };
    same(&plain, &folded);
    if from != Type::Bool {
        let zero = Expr::Const(0, from);
        same(&Expr::binary(BinOp::Ne, plain.clone(), zero), &fold::truth(from, folded.clone()));
    }
    for constant in (-8..16).filter(|value| from.wrap(*value) == *value) {
        let constant = Expr::Const(constant, from);
        for op in [BinOp::Eq, BinOp::Ne] {
            let question = Expr::binary(op, plain.clone(), constant.clone());
            same(&question, &fold::binary(op, from, folded.clone(), constant.clone()));
        }
    }
    if casts == 0 {
        return;
    }
    for to in types() {
        let plain = Expr::Cast(to, Box::new(plain.clone()));
        compare(system, ty, (plain, to, fold::cast(to, from, folded.clone())), casts - 1);
        if from == Type::Bool {
            let plain = Expr::Cast(to, Box::new(folded.clone()));
            same(&plain, &fold::number(to, folded.clone()));
        }
    }
}

#[test]
fn chains_of_casts_keep_their_values() {
    for ty in types() {
        let program = program(ty);
        let system = System::new(&program, 1);
        for seed in seeds(ty) {
            compare(&system, ty, seed, MAX_CASTS);
        }
    }
}

#[test]
fn refolding_keeps_values() {
    for ty in types() {
        let program = program(ty);
        let system = System::new(&program, 1);
        for (plain, ..) in seeds(ty) {
            for (to, then) in
                types().into_iter().flat_map(|to| types().into_iter().map(move |t| (to, t)))
            {
                let chain = Expr::Cast(then, Box::new(Expr::Cast(to, Box::new(plain.clone()))));
                let folded = fold::refold(&chain);
                assert_eq!(values(&system, ty, &chain), values(&system, ty, &folded), "{chain:?}");
            }
        }
    }
}
