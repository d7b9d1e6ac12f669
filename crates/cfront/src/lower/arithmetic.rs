//! C's arithmetic and comparisons on values: what is undefined is asked before.

use super::alternative::width;
use super::build::TemplateBuilder;
use super::fold;
use super::input::Input;
use crate::hir::BinaryOp;
use ccfa::{BinOp, Expr, Type, Undefined};

/// `a op b`; `b_ty` differs from the operand type only for shifts.
pub fn arithmetic(
    input: &Input,
    t: &mut TemplateBuilder,
    op: BinaryOp,
    (a, ty): (Expr, Type),
    (b, b_ty): (Expr, Type),
    result: Type,
) -> Expr {
    let compare = |op, a, b| fold::number(result, fold::binary(op, ty, a, b));
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
            let op = match op {
                BinaryOp::Add => BinOp::Add,
                BinaryOp::Sub => BinOp::Sub,
                _ => BinOp::Mul,
            };
            input.wrapping(ty, |wide| {
                fold::binary(
                    op,
                    wide,
                    fold::cast(wide, ty, a.clone()),
                    fold::cast(wide, ty, b.clone()),
                )
            })
        }
        BinaryOp::Div | BinaryOp::Rem => {
            let zero = Expr::Const(0, ty);
            let nonzero = fold::binary(BinOp::Ne, ty, b.clone(), zero);
            t.require(nonzero, Undefined::DivisionByZero);
            let op = if op == BinaryOp::Div { BinOp::Div } else { BinOp::Rem };
            fold::binary(op, ty, a, b)
        }
        BinaryOp::Shl | BinaryOp::Shr => {
            let bits = Expr::constant(i128::from(width(ty)), b_ty);
            let mut fits = fold::binary(BinOp::Lt, b_ty, b.clone(), bits);
            if matches!(b_ty, Type::Bits { signed: true, .. }) {
                let low = fold::binary(BinOp::Le, b_ty, Expr::Const(0, b_ty), b.clone());
                fits = Expr::and(low, fits);
            }
            t.require(fits, Undefined::ShiftAmount);
            let op = if op == BinaryOp::Shl { BinOp::Shl } else { BinOp::Shr };
            fold::binary(op, ty, a, b)
        }
        BinaryOp::BitAnd => fold::binary(BinOp::BitAnd, ty, a, b),
        BinaryOp::BitOr => fold::binary(BinOp::BitOr, ty, a, b),
        BinaryOp::BitXor => fold::binary(BinOp::BitXor, ty, a, b),
        BinaryOp::Lt => compare(BinOp::Lt, a, b),
        BinaryOp::Le => compare(BinOp::Le, a, b),
        BinaryOp::Gt => compare(BinOp::Lt, b, a),
        BinaryOp::Ge => compare(BinOp::Le, b, a),
        BinaryOp::Eq => compare(BinOp::Eq, a, b),
        BinaryOp::Ne => compare(BinOp::Ne, a, b),
    }
}
