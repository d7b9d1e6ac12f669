//! Expressions with known values put in, and computed as far as they go.
//!
//! The result is equal to the expression wherever the values are right: defined in the same
//! states, with the same value. What is undefined whatever the other variables hold is left
//! as it is.

use ccfa::semantics::{binary, unary};
use ccfa::{BinOp, Expr, Type, VarRef};

/// The expression, where variables have the values that `known` says.
pub(crate) fn fold(
    expr: &Expr,
    known: &impl Fn(VarRef) -> Option<i128>,
    type_of: &impl Fn(VarRef) -> Type,
) -> Expr {
    let part = |part: &Expr| fold(part, known, type_of);
    match expr {
        Expr::Const(..) => expr.clone(),
        Expr::Var(var) => match known(*var) {
            Some(value) => Expr::Const(value, type_of(*var)),
            None => expr.clone(),
        },
        Expr::Index(var, index) => Expr::Index(*var, Box::new(part(index))),
        Expr::Unary(op, operand) => {
            let operand = part(operand);
            let value = match operand {
                Expr::Const(value, ty) => unary(*op, ty, value).ok().flatten().map(|v| (v, ty)),
                _ => None,
            };
            constant_or(value, || Expr::unary(*op, operand))
        }
        Expr::Cast(ty, operand) => match part(operand) {
            Expr::Const(value, _) => Expr::Const(ty.wrap(value), *ty),
            operand => Expr::Cast(*ty, Box::new(operand)),
        },
        Expr::Binary(BinOp::And, left, right) => Expr::and(part(left), part(right)),
        Expr::Binary(BinOp::Or, left, right) => Expr::or(part(left), part(right)),
        Expr::Binary(op, left, right) => {
            let (left, right) = (part(left), part(right));
            let value = match (&left, &right) {
                (Expr::Const(a, ty), Expr::Const(b, _)) => {
                    let result = if op.is_predicate() { Type::Bool } else { *ty };
                    binary(*op, *ty, *a, *b).ok().flatten().map(|value| (value, result))
                }
                _ => None,
            };
            constant_or(value, || Expr::binary(*op, left, right))
        }
        Expr::Ite(condition, then, otherwise) => {
            Expr::ite(part(condition), part(then), part(otherwise))
        }
    }
}

fn constant_or(value: Option<(i128, Type)>, otherwise: impl FnOnce() -> Expr) -> Expr {
    match value {
        Some((value, ty)) => Expr::Const(value, ty),
        None => otherwise(),
    }
}
