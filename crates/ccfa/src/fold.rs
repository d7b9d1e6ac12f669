//! Expressions of the model, built with the obvious simplifications: constants
//! are computed, neutral elements vanish, truth values are not converted to
//! numbers and back. Never loses an undefined operand.

use crate::expr::{BinOp, Expr, Type, UnOp};
use crate::program::VarRef;
use crate::semantics;
use std::collections::HashSet;

/// `a op b` for operands of type `ty`.
pub fn binary(op: BinOp, ty: Type, a: Expr, b: Expr) -> Expr {
    if let (Expr::Const(x, _), Expr::Const(y, _)) = (&a, &b)
        && let Ok(Some(value)) = semantics::binary(op, ty, *x, *y)
    {
        return Expr::Const(value, if op.is_predicate() { Type::Bool } else { ty });
    }
    match (op, &a, &b) {
        (BinOp::And, ..) => Expr::and(a, b),
        (BinOp::Or, ..) => Expr::or(a, b),
        (
            BinOp::Add | BinOp::Sub | BinOp::Shl | BinOp::Shr | BinOp::BitOr,
            _,
            Expr::Const(0, _),
        ) => a,
        (BinOp::Add | BinOp::BitOr, Expr::Const(0, _), _) => b,
        (BinOp::Mul | BinOp::Div, _, Expr::Const(1, _)) => a,
        (BinOp::Mul, Expr::Const(1, _), _) => b,
        (BinOp::Eq | BinOp::Ne, Expr::Cast(_, inner), Expr::Const(bit @ (0 | 1), _))
            if is_truth(inner) =>
        {
            let positive = (op == BinOp::Eq) == (*bit == 1);
            if positive { (**inner).clone() } else { Expr::negate((**inner).clone()) }
        }
        (
            BinOp::Add | BinOp::Sub,
            Expr::Binary(inner @ (BinOp::Add | BinOp::Sub), x, c),
            Expr::Const(d, _),
        ) if matches!(ty, Type::Bits { signed: false, .. }) && matches!(**c, Expr::Const(..)) => {
            let Expr::Const(c, _) = **c else { unreachable!("just matched") };
            let sign = |op: BinOp, value: i128| if op == BinOp::Add { value } else { -value };
            let sum = Expr::constant(sign(*inner, c) + sign(op, *d), ty);
            binary(BinOp::Add, ty, (**x).clone(), sum)
        }
        _ => Expr::binary(op, a, b),
    }
}

/// `op a` for an operand of type `ty`.
pub fn unary(op: UnOp, ty: Type, a: Expr) -> Expr {
    match (&a, op) {
        (Expr::Const(value, _), _) => match semantics::unary(op, ty, *value) {
            Ok(Some(value)) => Expr::Const(value, ty),
            _ => Expr::unary(op, a),
        },
        (_, UnOp::Not) => Expr::negate(a),
        _ => Expr::unary(op, a),
    }
}

/// `a`, of type `from`, converted to `to`.
pub fn cast(to: Type, from: Type, a: Expr) -> Expr {
    if to == from { a } else { converted(to, a) }
}

/// `a`, which is not of type `to` unless it is a constant, converted to `to`.
fn converted(to: Type, a: Expr) -> Expr {
    match a {
        Expr::Const(value, _) => Expr::Const(to.wrap(value), to),
        // A middle type without the value 1 changes it: there, one signed bit, it is -1.
        Expr::Cast(middle, inner) if is_truth(&inner) && middle.wrap(1) == 1 => {
            cast_truth(to, *inner)
        }
        a => Expr::Cast(to, Box::new(a)),
    }
}

/// A truth value as a number of type `ty`.
pub fn number(ty: Type, truth: Expr) -> Expr {
    match truth {
        Expr::Const(value, _) => Expr::Const(ty.wrap(value), ty),
        truth => Expr::Cast(ty, Box::new(truth)),
    }
}

/// A truth value, converted to `to`.
fn cast_truth(to: Type, truth: Expr) -> Expr {
    match to {
        Type::Bool => truth,
        _ => number(to, truth),
    }
}

/// Is the number `a`, of type `ty`, not zero?
pub fn truth(ty: Type, a: Expr) -> Expr {
    match a {
        Expr::Cast(_, inner) if is_truth(&inner) => *inner,
        a => binary(BinOp::Ne, ty, a, Expr::Const(0, ty)),
    }
}

fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_, ty) => *ty == Type::Bool,
        Expr::Binary(op, ..) => op.is_predicate(),
        Expr::Unary(op, _) => *op == UnOp::Not,
        _ => false,
    }
}

/// The expression built anew, so that constants in it are computed. What is undefined whatever variables
/// hold stays as it is. Equal steps of two threads shall look equal: there is one way to subtract
/// a constant.
pub fn refold(expr: &Expr) -> Expr {
    substitute(expr, &|_| None)
}

/// The expression with what `known` says in the place of scalar variables, built anew.
pub fn substitute(expr: &Expr, known: &impl Fn(VarRef) -> Option<Expr>) -> Expr {
    let again = |part: &Expr| substitute(part, known);
    match expr {
        Expr::Const(..) => expr.clone(),
        Expr::Var(var) => known(*var).unwrap_or_else(|| expr.clone()),
        Expr::Index(var, index) => Expr::Index(*var, Box::new(again(index))),
        Expr::Unary(op, operand) => {
            let operand = again(operand);
            unary(*op, constant_type(&operand).unwrap_or(Type::Bool), operand)
        }
        Expr::Cast(to, operand) => converted(*to, again(operand)),
        Expr::Binary(op, left, right) => normal(*op, again(left), again(right)),
        Expr::Ite(condition, then, otherwise) => {
            Expr::ite(again(condition), again(then), again(otherwise))
        }
    }
}

/// `a op b`, where the type matters only if there are constants, which have one.
fn normal(op: BinOp, a: Expr, b: Expr) -> Expr {
    match (op, &a, &b) {
        (BinOp::Add, _, Expr::Const(constant, ty)) if *constant < 0 && ty.contains(-constant) => {
            normal(BinOp::Sub, a, Expr::Const(-constant, *ty))
        }
        (BinOp::Eq | BinOp::Le, Expr::Var(a), Expr::Var(b)) if a == b => Expr::TRUE,
        (BinOp::Ne | BinOp::Lt, Expr::Var(a), Expr::Var(b)) if a == b => Expr::FALSE,
        _ => {
            let ty = constant_type(&a).or(constant_type(&b)).unwrap_or(Type::Bool);
            binary(op, ty, a, b)
        }
    }
}

fn constant_type(expr: &Expr) -> Option<Type> {
    match expr {
        Expr::Const(_, ty) => Some(*ty),
        _ => None,
    }
}

/// Both conditions of a step. Unlike `Expr::and`, sees repetitions and
/// contradictions: a contradiction makes the step impossible, whether or not a
/// part of it is defined.
pub fn guard(first: Expr, second: Expr) -> Expr {
    let mut known: HashSet<&Expr> = first.conjuncts().into_iter().collect();
    let mut added = Vec::new();
    for part in second.conjuncts() {
        if known.contains(part) {
            continue;
        }
        if *part == Expr::FALSE || known.contains(&Expr::negate(part.clone())) {
            return Expr::FALSE;
        }
        known.insert(part);
        added.push(part);
    }
    added.into_iter().cloned().fold(first.clone(), Expr::and)
}

impl Expr {
    /// The conditions of which this one is the conjunction, in order; none for `true`.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        let (mut parts, mut open) = (Vec::new(), vec![self]);
        while let Some(part) = open.pop() {
            match part {
                Expr::Binary(BinOp::And, left, right) => open.extend([&**right, &**left]),
                Expr::Const(1, Type::Bool) => {}
                other => parts.push(other),
            }
        }
        parts
    }
}

/// The conjunction of many conditions, as a balanced tree.
pub fn all(conditions: Vec<Expr>) -> Expr {
    balanced(conditions, Expr::and).unwrap_or(Expr::TRUE)
}

/// The disjunction of many conditions, as a balanced tree.
pub fn any(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    balanced(conditions.into_iter().collect(), Expr::or).unwrap_or(Expr::FALSE)
}

/// All parts joined, as a tree of little depth: many parts make no deep expression.
pub fn balanced(mut parts: Vec<Expr>, join: fn(Expr, Expr) -> Expr) -> Option<Expr> {
    if parts.len() > 1 {
        let right = parts.split_off(parts.len() / 2);
        return Some(join(balanced(parts, join)?, balanced(right, join)?));
    }
    parts.pop()
}
