//! Takes out conversions that change nothing: C converts a pointer to a number by way of
//! others, and that is hard to read.

use crate::formula::{Symbols, type_of};
use ccfa::{Expr, Type};

/// The same expression with fewer conversions.
pub(crate) fn without_casts(expr: &Expr, symbols: &Symbols) -> Expr {
    let again = |part: &Expr| Box::new(without_casts(part, symbols));
    match expr {
        Expr::Const(..) | Expr::Var(_) => expr.clone(),
        Expr::Index(var, index) => Expr::Index(*var, again(index)),
        Expr::Unary(op, operand) => Expr::Unary(*op, again(operand)),
        Expr::Binary(op, left, right) => Expr::Binary(*op, again(left), again(right)),
        Expr::Ite(condition, then, otherwise) => {
            Expr::Ite(again(condition), again(then), again(otherwise))
        }
        Expr::Cast(ty, operand) => cast(*ty, *again(operand), symbols),
    }
}

/// A conversion, of as simple an operand as possible.
fn cast(ty: Type, operand: Expr, symbols: &Symbols) -> Expr {
    if type_of(&operand, symbols) == ty {
        return operand;
    }
    match operand {
        Expr::Cast(middle, inner) if is_through(ty, middle, type_of(&inner, symbols)) => {
            cast(ty, *inner, symbols)
        }
        operand => Expr::Cast(ty, Box::new(operand)),
    }
}

/// Is converting by way of `middle` the same as converting at once? It is if the
/// middle keeps all bits that the end has, or every value there was.
fn is_through(end: Type, middle: Type, start: Type) -> bool {
    let (Type::Bits { width: last, .. }, Type::Bits { width, .. }) = (end, middle) else {
        return false;
    };
    let Some((low, high)) = start.bounds() else { return false };
    width >= last || middle.contains(low) && middle.contains(high)
}
