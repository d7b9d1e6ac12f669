//! When signed arithmetic fits its type: a condition on the operands, or nothing where they show by
//! themselves that it does (`c + 1` for a `char`). The condition itself never overflows.

use super::fold;
use ccfa::{BinOp, Expr, Type, UnOp, VarRef};

/// The least and the greatest value.
type Range = (i128, i128);

/// In this type no sum and no product of two 32-bit numbers overflows.
const WIDE: Type = Type::signed(64);

/// Does `a op b` fit the signed type `ty` of its operands? (Whether a divisor is zero is asked elsewhere.)
/// `type_of` knows the types of the thread's own variables.
pub fn fits(
    op: BinOp,
    ty: Type,
    a: &Expr,
    b: &Expr,
    type_of: &impl Fn(VarRef) -> Option<Type>,
) -> Expr {
    let Type::Bits { width, signed: true } = ty else { return Expr::TRUE };
    let (left, right) = (range(a, ty, type_of), range(b, ty, type_of));
    let (least, most) = bounds(ty);
    if let BinOp::Div | BinOp::Rem = op {
        return quotient_fits(ty, (a, left), (b, right));
    }
    let (low, high) = combine(op, left, right);
    if least <= low && high <= most {
        return Expr::TRUE;
    }
    let both = |lower: Expr, upper: Expr| {
        let lower = if least <= low { Expr::TRUE } else { lower };
        let upper = if high <= most { Expr::TRUE } else { upper };
        Expr::and(lower, upper)
    };
    match one_constant(op, ty, a, b) {
        Some((lower, upper)) => both(lower, upper),
        None if width <= 32 => {
            let exact = fold::binary(
                op,
                WIDE,
                fold::cast(WIDE, ty, a.clone()),
                fold::cast(WIDE, ty, b.clone()),
            );
            both(
                fold::binary(BinOp::Le, WIDE, Expr::constant(least, WIDE), exact.clone()),
                fold::binary(BinOp::Le, WIDE, exact, Expr::constant(most, WIDE)),
            )
        }
        None if op == BinOp::Mul => product_fits(ty, width, a, b),
        None => {
            let (lower, upper) = sum_fits(op, ty, a, b);
            both(lower, upper)
        }
    }
}

/// With one constant operand, a lower and an upper bound of the other say it.
fn one_constant(op: BinOp, ty: Type, a: &Expr, b: &Expr) -> Option<(Expr, Expr)> {
    let (least, most) = bounds(ty);
    let at_least = |x: &Expr, bound: i128| le(ty, Expr::constant(bound.max(least), ty), x.clone());
    let at_most = |x: &Expr, bound: i128| le(ty, x.clone(), Expr::constant(bound.min(most), ty));
    let bounded = |x: &Expr, (low, high): Range| (at_least(x, low), at_most(x, high));
    Some(match (op, a, b) {
        (BinOp::Add, x, Expr::Const(c, _)) | (BinOp::Add, Expr::Const(c, _), x) => {
            bounded(x, (least - c, most - c))
        }
        (BinOp::Sub, x, Expr::Const(c, _)) => bounded(x, (least + c, most + c)),
        (BinOp::Sub, Expr::Const(c, _), x) => {
            let (lower, upper) = bounded(x, (c - most, c - least));
            (upper, lower) // a large `x` makes the difference small
        }
        (BinOp::Mul, x, Expr::Const(c, _)) | (BinOp::Mul, Expr::Const(c, _), x) => match c {
            0 => (Expr::TRUE, Expr::TRUE),
            // Division rounds towards zero, which is inwards here.
            1.. => bounded(x, (least / c, most / c)),
            _ => {
                let (lower, upper) = bounded(x, (most / c, least / c));
                (upper, lower)
            }
        },
        _ => return None,
    })
}

/// Is a sum or difference not too small, and not too large? Each side is asked only of the operands
/// that could make it so.
fn sum_fits(op: BinOp, ty: Type, a: &Expr, b: &Expr) -> (Expr, Expr) {
    let (least, most) = bounds(ty);
    let zero = Expr::Const(0, ty);
    let from = |bound: i128, op: BinOp| fold::binary(op, ty, Expr::constant(bound, ty), b.clone());
    let rises = le(ty, zero.clone(), b.clone());
    let falls = le(ty, b.clone(), zero);
    match op {
        BinOp::Add => (
            Expr::or(rises, le(ty, from(least, BinOp::Sub), a.clone())),
            Expr::or(falls, le(ty, a.clone(), from(most, BinOp::Sub))),
        ),
        _ => (
            Expr::or(falls, le(ty, from(least, BinOp::Add), a.clone())),
            Expr::or(rises, le(ty, a.clone(), from(most, BinOp::Add))),
        ),
    }
}

/// A product that wrapped around gives, divided by a factor, not the other one back. (By -1 it may, for the
/// smallest number.)
fn product_fits(ty: Type, width: u8, a: &Expr, b: &Expr) -> Expr {
    let unsigned = Type::unsigned(width);
    let number = |value: i128| Expr::constant(value, ty);
    let bits = |x: &Expr| fold::cast(unsigned, ty, x.clone());
    let wrapped = fold::cast(ty, unsigned, fold::binary(BinOp::Mul, unsigned, bits(a), bits(b)));
    let is = |x: &Expr, value: i128| fold::binary(BinOp::Eq, ty, x.clone(), number(value));
    let again = fold::binary(BinOp::Div, ty, wrapped, a.clone());
    let extreme = Expr::and(is(a, -1), is(b, bounds(ty).0));
    let factor = Expr::and(Expr::negate(extreme), fold::binary(BinOp::Eq, ty, again, b.clone()));
    Expr::or(is(a, 0), factor)
}

/// Only the smallest number divided by -1 is too large.
fn quotient_fits(ty: Type, (a, left): (&Expr, Range), (b, right): (&Expr, Range)) -> Expr {
    let least = bounds(ty).0;
    if left.0 > least || right.0 > -1 || right.1 < -1 {
        return Expr::TRUE;
    }
    let differs =
        |x: &Expr, value: i128| fold::binary(BinOp::Ne, ty, x.clone(), Expr::constant(value, ty));
    Expr::or(differs(a, least), differs(b, -1))
}

fn le(ty: Type, a: Expr, b: Expr) -> Expr {
    fold::binary(BinOp::Le, ty, a, b)
}

/// The values of a type.
fn bounds(ty: Type) -> Range {
    ty.bounds().unwrap_or((i128::MIN, i128::MAX))
}

/// Bounds of the values that an expression of type `ty` can have, where it is defined.
fn range(expr: &Expr, ty: Type, type_of: &impl Fn(VarRef) -> Option<Type>) -> Range {
    let all = bounds(ty);
    let part = |part: &Expr| range(part, ty, type_of);
    let within = |found: Range| if all.0 <= found.0 && found.1 <= all.1 { found } else { all };
    match expr {
        Expr::Const(value, _) => (*value, *value),
        Expr::Cast(_, inner) => match own_type(inner, type_of) {
            Some(from) => within(range(inner, from, type_of)),
            None => all,
        },
        Expr::Unary(UnOp::Neg, operand) => within(combine(BinOp::Sub, (0, 0), part(operand))),
        Expr::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) if ty != Type::Int => {
            within(combine(*op, part(a), part(b)))
        }
        Expr::Binary(BinOp::BitAnd, a, b) => match (part(a), part(b)) {
            ((0.., a), (0.., b)) => (0, a.min(b)),
            ((0.., most), _) | (_, (0.., most)) => (0, most),
            _ => all,
        },
        Expr::Binary(BinOp::Rem, a, b) => match (part(a), &**b) {
            ((0.., most), Expr::Const(c @ 1.., _)) => (0, most.min(c - 1)),
            (_, Expr::Const(c @ 1.., _)) => (1 - c, c - 1),
            _ => all,
        },
        Expr::Binary(BinOp::Div, a, b) => match (part(a), &**b) {
            ((low, high), Expr::Const(c @ 1.., _)) => (low / c, high / c),
            _ => all,
        },
        Expr::Ite(_, a, b) => {
            let (a, b) = (part(a), part(b));
            (a.0.min(b.0), a.1.max(b.1))
        }
        _ => all,
    }
}

/// The type of an expression, unless it speaks of variables that are not the thread's own.
fn own_type(expr: &Expr, type_of: &impl Fn(VarRef) -> Option<Type>) -> Option<Type> {
    let mut known = true;
    expr.walk(&mut |part| {
        if let Expr::Var(var) | Expr::Index(var, _) = part {
            known &= type_of(*var).is_some();
        }
    });
    known.then(|| expr.ty(&|var| type_of(var).unwrap_or(Type::Bool)))
}

/// The values of `a op b`, as numbers without bounds.
fn combine(op: BinOp, a: Range, b: Range) -> Range {
    match op {
        BinOp::Add => (a.0.saturating_add(b.0), a.1.saturating_add(b.1)),
        BinOp::Sub => (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)),
        _ => {
            let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
            let products = corners.map(|(x, y)| x.saturating_mul(y));
            let least = products.iter().fold(i128::MAX, |least, next| least.min(*next));
            (least, products.iter().fold(i128::MIN, |most, next| most.max(*next)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{fits, range};
    use ccfa::semantics::{System, binary};
    use ccfa::{BinOp, Expr, LocalId, Program, SharedId, Type, VarRef};

    fn var(id: u32) -> Expr {
        Expr::Var(VarRef::Local(LocalId(id)))
    }

    /// Does a condition on two variables of a type hold of these values?
    fn holds(condition: &Expr, ty: Type, [a, b]: [i128; 2]) -> bool {
        let constant = |read| if read == var(0) { Expr::Const(a, ty) } else { Expr::Const(b, ty) };
        let program = Program::default();
        let system = System::new(&program, 0);
        let condition = condition.map_reads(&mut { constant });
        system.eval(&system.initial(), 0, &condition) == Ok(Some(1))
    }

    /// The condition says what the semantics does, also if an operand is known to be constant.
    fn assert_exact(op: BinOp, ty: Type, [a, b]: [i128; 2]) {
        let expected = binary(op, ty, a, b).is_ok();
        for left in [var(0), Expr::Const(a, ty)] {
            for right in [var(1), Expr::Const(b, ty)] {
                let condition = fits(op, ty, &left, &right, &|_| Some(ty));
                assert_eq!(holds(&condition, ty, [a, b]), expected, "{a} {op:?} {b} in {ty:?}");
            }
        }
    }

    #[test]
    fn exact_on_all_small_numbers() {
        for ty in (1..=5).map(Type::signed) {
            let (least, most) = ty.bounds().expect("it has bounds");
            for (a, b) in (least..=most).flat_map(|a| (least..=most).map(move |b| (a, b))) {
                for op in [BinOp::Add, BinOp::Sub, BinOp::Mul] {
                    assert_exact(op, ty, [a, b]);
                }
                if b != 0 {
                    assert_exact(BinOp::Div, ty, [a, b]);
                    assert_exact(BinOp::Rem, ty, [a, b]);
                }
            }
        }
    }

    /// No wider type helps here.
    #[test]
    fn exact_at_the_ends_of_64_bits() {
        let ty = Type::signed(64);
        let (least, most) = ty.bounds().expect("it has bounds");
        let root = 3_037_000_499; // the largest number whose square fits
        let values = [least, least + 1, -root - 1, -2, -1, 0, 1, 2, root, root + 1, most - 1, most];
        for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b))) {
            for op in [BinOp::Add, BinOp::Sub, BinOp::Mul] {
                assert_exact(op, ty, [a, b]);
            }
        }
    }

    #[test]
    fn narrow_operands_need_no_question() {
        let (int, byte) = (Type::signed(32), Type::unsigned(8));
        let narrow = Expr::Cast(int, Box::new(var(0)));
        let type_of = |var| matches!(var, VarRef::Local(_)).then_some(byte);
        for op in [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div] {
            assert_eq!(fits(op, int, &narrow, &narrow, &type_of), Expr::TRUE);
        }
        assert_eq!(range(&narrow, int, &type_of), (0, 255));
        let other = Expr::Cast(int, Box::new(Expr::Var(VarRef::Shared(SharedId(0)))));
        assert_ne!(fits(BinOp::Add, int, &other, &narrow, &type_of), Expr::TRUE);
    }
}
