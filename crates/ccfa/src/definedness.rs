//! Which expressions may be undefined: where an operator overflows, divides by zero or shifts
//! too far, or an array has no such element. Says "may" more often than it must.

use crate::expr::{BinOp, Expr, Type, UnOp};
use crate::program::{Var, VarRef};

/// Can the value of an expression be undefined? `var` declares the variables.
pub fn may_be_undefined<'v>(expr: &Expr, var: &impl Fn(VarRef) -> &'v Var) -> bool {
    let mut may = false;
    expr.walk(&mut |part| may |= may_fail(part, var));
    may
}

/// Can it be undefined though its operands are defined?
pub fn may_fail<'v>(expr: &Expr, var: &impl Fn(VarRef) -> &'v Var) -> bool {
    let type_of = |operand: &Expr| operand.ty(&|id| var(id).ty);
    let signed =
        |operand: &Expr| !matches!(type_of(operand), Type::Bits { signed: false, .. } | Type::Bool);
    match expr {
        Expr::Index(array, index) => match **index {
            Expr::Const(index, _) => !var(*array).has_element(index),
            _ => true,
        },
        Expr::Unary(UnOp::Neg, operand) => signed(operand),
        Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, left, _) => signed(left),
        Expr::Binary(BinOp::Div | BinOp::Rem, left, right) => match **right {
            Expr::Const(divisor, _) => divisor == 0 || divisor == -1 && signed(left),
            _ => true,
        },
        Expr::Binary(BinOp::Shl | BinOp::Shr, left, amount) => match (&**amount, type_of(left)) {
            (Expr::Const(amount, _), Type::Bits { width, .. }) => {
                !(0..i128::from(width)).contains(amount)
            }
            _ => true,
        },
        _ => false,
    }
}
