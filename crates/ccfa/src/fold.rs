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
    match a {
        Expr::Const(value, _) => Expr::Const(to.wrap(value), to),
        a if to == from => a,
        Expr::Cast(middle, inner) if is_truth(&inner) && middle != Type::Bool => {
            Expr::Cast(to, inner)
        }
        a => Expr::Cast(to, Box::new(a)),
    }
}

/// A truth value as a number of type `ty`.
pub fn number(ty: Type, truth: Expr) -> Expr {
    match truth {
        Expr::Const(value, _) => Expr::Const(value, ty),
        truth => Expr::Cast(ty, Box::new(truth)),
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

/// The expression built anew, so that constants in it are computed.
pub fn refold(expr: &Expr, type_of: &impl Fn(VarRef) -> Type) -> Expr {
    refold_typed(expr, type_of).0
}

/// The expression built anew, and its type.
fn refold_typed(expr: &Expr, type_of: &impl Fn(VarRef) -> Type) -> (Expr, Type) {
    let again = |part: &Expr| refold_typed(part, type_of);
    match expr {
        Expr::Const(_, ty) => (expr.clone(), *ty),
        Expr::Var(var) => (expr.clone(), type_of(*var)),
        Expr::Index(var, index) => (Expr::Index(*var, Box::new(again(index).0)), type_of(*var)),
        Expr::Unary(op, operand) => {
            let (operand, ty) = again(operand);
            (unary(*op, ty, operand), ty)
        }
        Expr::Cast(to, operand) => {
            let (operand, from) = again(operand);
            (cast(*to, from, operand), *to)
        }
        Expr::Binary(op, left, right) => {
            let (left, ty) = again(left);
            let result = if op.is_predicate() { Type::Bool } else { ty };
            (binary(*op, ty, left, again(right).0), result)
        }
        Expr::Ite(condition, then, otherwise) => {
            let (then, ty) = again(then);
            (Expr::ite(again(condition).0, then, again(otherwise).0), ty)
        }
    }
}

/// Both conditions of a step. Unlike `Expr::and`, sees repetitions and
/// contradictions: a contradiction makes the step impossible, whether or not a
/// part of it is defined.
pub fn guard(first: Expr, second: Expr) -> Expr {
    let mut known = Vec::new();
    conjuncts(&first, &mut known);
    let mut more = Vec::new();
    conjuncts(&second, &mut more);
    let mut known: HashSet<&Expr> = known.into_iter().collect();
    let mut added = Vec::new();
    for part in more {
        if known.contains(part) {
            continue;
        }
        if known.contains(&Expr::negate(part.clone())) {
            return Expr::FALSE;
        }
        known.insert(part);
        added.push(part);
    }
    added.into_iter().cloned().fold(first.clone(), Expr::and)
}

fn conjuncts<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary(BinOp::And, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        other => parts.push(other),
    }
}

/// The conjunction of many conditions, as a balanced tree.
pub fn all(mut conditions: Vec<Expr>) -> Expr {
    match conditions.len() {
        0 => Expr::TRUE,
        1 => conditions.remove(0),
        count => {
            let rest = conditions.split_off(count / 2);
            Expr::and(all(conditions), all(rest))
        }
    }
}
