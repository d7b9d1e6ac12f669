//! C's arithmetic and comparisons on values: what is undefined is asked before.
//! Whether signed arithmetic overflows is asked unless the operands show that it cannot (`overflow`).

use super::alternative::width;
use super::build::{TemplateBuilder, havoc, set};
use super::input::Input;
use super::{fold, overflow};
use crate::hir::BinaryOp;
use crate::{Assumption, Purpose, SignedOverflow};
use ccfa::{BinOp, Expr, FailedOperation, Type, UnOp, Undefined};

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
        BinaryOp::Add => checked(input, t, BinOp::Add, ty, a, b),
        BinaryOp::Sub => checked(input, t, BinOp::Sub, ty, a, b),
        BinaryOp::Mul => checked(input, t, BinOp::Mul, ty, a, b),
        BinaryOp::Div | BinaryOp::Rem => {
            let nonzero = fold::binary(BinOp::Ne, ty, b.clone(), Expr::Const(0, ty));
            let op = if op == BinaryOp::Div { BinOp::Div } else { BinOp::Rem };
            let failing = operands(input, op, ty, &a, &b);
            t.require_of(failing.clone(), nonzero, Undefined::DivisionByZero);
            // The processor traps: no result is assumed, however other operators overflow.
            let fits = overflow::fits(op, ty, &a, &b, &|var| t.local_type(var));
            t.require_of(failing, fits, Undefined::SignedOverflow);
            fold::binary(op, ty, a, b)
        }
        BinaryOp::Shl | BinaryOp::Shr => {
            let bits = Expr::constant(i128::from(width(ty)), b_ty);
            let mut fits = fold::binary(BinOp::Lt, b_ty, b.clone(), bits);
            if matches!(b_ty, Type::Bits { signed: true, .. }) {
                let low = fold::binary(BinOp::Le, b_ty, Expr::Const(0, b_ty), b.clone());
                fits = Expr::and(low, fits);
            }
            let op = if op == BinaryOp::Shl { BinOp::Shl } else { BinOp::Shr };
            let failing = operands(input, op, ty, &a, &b);
            t.require_of(failing.clone(), fits, Undefined::ShiftAmount);
            if op == BinOp::Shl && input.options.choices.shifts_overflow {
                t.require_of(failing, shift_fits(ty, &a, &b), Undefined::SignedOverflow);
            }
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

/// `-a` for an operand of type `ty`.
pub fn negation(input: &Input, t: &mut TemplateBuilder, ty: Type, a: Expr) -> Expr {
    checked(input, t, BinOp::Sub, ty, Expr::Const(0, ty), a)
}

/// `a op b` for operands of type `ty`; what happens if it overflows is chosen by the user.
fn checked(input: &Input, t: &mut TemplateBuilder, op: BinOp, ty: Type, a: Expr, b: Expr) -> Expr {
    let Type::Bits { width, signed: true } = ty else { return compute(op, ty, a, b) };
    let fits = match input.options.choices.signed_overflow {
        // Threads are compared step by step: a step that overflows would be one of its own.
        SignedOverflow::Undefined if input.options.purpose == Purpose::Conformance => {
            t.assumed.insert(Assumption::NoOverflow);
            return compute(op, ty, a, b);
        }
        SignedOverflow::Wrap => {
            t.assumed.insert(Assumption::OverflowWraps);
            return wrapping(op, ty, width, a, b);
        }
        _ => overflow::fits(op, ty, &a, &b, &|var| t.local_type(var)),
    };
    match input.options.choices.signed_overflow {
        SignedOverflow::AnyValue if fits != Expr::TRUE => {
            t.assumed.insert(Assumption::OverflowGivesValue);
            let result = t.temp(ty);
            t.step(Expr::TRUE, vec![havoc(result)]);
            let value = Expr::ite(fits, compute(op, ty, a, b), Expr::Var(result));
            t.step(Expr::TRUE, vec![set(result, value)]);
            Expr::Var(result)
        }
        _ => {
            t.require_of(operands(input, op, ty, &a, &b), fits, Undefined::SignedOverflow);
            compute(op, ty, a, b)
        }
    }
}

/// Is `a << b` a number of the signed type of `a`, which must not be negative (C11 6.5.7, 4)?
fn shift_fits(ty: Type, a: &Expr, b: &Expr) -> Expr {
    let (Type::Bits { signed: true, .. }, Some((_, most))) = (ty, ty.bounds()) else {
        return Expr::TRUE;
    };
    let largest = fold::binary(BinOp::Shr, ty, Expr::constant(most, ty), b.clone());
    let is_positive = fold::binary(BinOp::Le, ty, Expr::Const(0, ty), a.clone());
    Expr::and(is_positive, fold::binary(BinOp::Le, ty, a.clone(), largest))
}

/// An operation, for people.
fn operands(input: &Input, op: BinOp, ty: Type, a: &Expr, b: &Expr) -> FailedOperation {
    let operator = match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::Shl => "<<",
        _ => ">>",
    };
    let long = if input.unit.types.pointer_size() == 8 { "long" } else { "long long" };
    let unsigned = if matches!(ty, Type::Bits { signed: false, .. }) { "unsigned " } else { "" };
    let name = match width(ty) {
        32 => "int",
        64 => long,
        _ => "__int128",
    };
    let ty = (format!("{unsigned}{name}"), width(ty));
    FailedOperation::Arithmetic {
        operator,
        ty: ty.0,
        width: ty.1,
        operands: [a.clone(), b.clone()],
    }
}

/// Two's complement.
fn wrapping(op: BinOp, ty: Type, width: u8, a: Expr, b: Expr) -> Expr {
    let unsigned = Type::unsigned(width);
    let (a, b) = (fold::cast(unsigned, ty, a), fold::cast(unsigned, ty, b));
    fold::cast(ty, unsigned, compute(op, unsigned, a, b))
}

fn compute(op: BinOp, ty: Type, a: Expr, b: Expr) -> Expr {
    match (op, &a) {
        (BinOp::Sub, Expr::Const(0, _)) => fold::unary(UnOp::Neg, ty, b),
        _ => fold::binary(op, ty, a, b),
    }
}
