//! Short ways to write expressions and assignments, for those who make programs: the front end, transformations and tests.

use crate::expr::{BinOp, Expr, Type, UnOp};
use crate::program::{Assign, Place, Rhs, VarRef};

/// `var := value`
pub fn set(var: VarRef, value: Expr) -> Assign {
    Assign { place: Place::Var(var), value: Rhs::Expr(value) }
}

impl Expr {
    /// A constant, wrapped into its type.
    pub fn constant(value: i128, ty: Type) -> Expr {
        Expr::Const(ty.wrap(value), ty)
    }

    /// A binary operator.
    pub fn binary(op: BinOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    /// A unary operator.
    pub fn unary(op: UnOp, operand: Expr) -> Expr {
        Expr::Unary(op, Box::new(operand))
    }

    /// `left && right`, without trivial conjuncts.
    pub fn and(left: Expr, right: Expr) -> Expr {
        match (left, right) {
            (Expr::TRUE, other) | (other, Expr::TRUE) => other,
            (Expr::FALSE, _) => Expr::FALSE,
            (left, right) => Expr::binary(BinOp::And, left, right),
        }
    }

    /// `left || right`, without trivial disjuncts.
    pub fn or(left: Expr, right: Expr) -> Expr {
        match (left, right) {
            (Expr::FALSE, other) | (other, Expr::FALSE) => other,
            (Expr::TRUE, _) => Expr::TRUE,
            (left, right) => Expr::binary(BinOp::Or, left, right),
        }
    }

    /// `!operand`, pushed into comparisons. Both sides are undefined together.
    pub fn negate(operand: Expr) -> Expr {
        match operand {
            Expr::Const(value, Type::Bool) => Expr::Const(1 - value, Type::Bool),
            Expr::Unary(UnOp::Not, inner) => *inner,
            Expr::Binary(BinOp::Eq, a, b) => Expr::Binary(BinOp::Ne, a, b),
            Expr::Binary(BinOp::Ne, a, b) => Expr::Binary(BinOp::Eq, a, b),
            Expr::Binary(BinOp::Lt, a, b) => Expr::Binary(BinOp::Le, b, a),
            Expr::Binary(BinOp::Le, a, b) => Expr::Binary(BinOp::Lt, b, a),
            other => Expr::unary(UnOp::Not, other),
        }
    }

    /// `left == right`
    pub fn eq(left: Expr, right: Expr) -> Expr {
        Expr::binary(BinOp::Eq, left, right)
    }

    /// `ite(condition, then, otherwise)`
    pub fn ite(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        match condition {
            Expr::TRUE => then,
            Expr::FALSE => otherwise,
            condition => Expr::Ite(Box::new(condition), Box::new(then), Box::new(otherwise)),
        }
    }
}
