//! Conditions: conjunctions and disjunctions of many, and when an expression is defined.
//!
//! The model does not take a step with an undefined expression. A condition that
//! is *computed* (which abstract states are still candidates) must not have
//! that effect, so it is preceded by [`defined`], which is always defined itself.

use ccfa::fold::{balanced, refold};
use ccfa::{BinOp, Expr, Program, Type, UnOp, VarRef};

/// All of them hold. They are always defined. Balanced, so that many make no deep
/// expression.
pub fn all(parts: impl IntoIterator<Item = Expr>) -> Expr {
    joined(parts, Expr::TRUE, Expr::FALSE, Expr::and)
}

/// One of them holds. They are always defined. Balanced as well.
pub fn any(parts: impl IntoIterator<Item = Expr>) -> Expr {
    joined(parts, Expr::FALSE, Expr::TRUE, Expr::or)
}

fn joined(
    parts: impl IntoIterator<Item = Expr>,
    neutral: Expr,
    decisive: Expr,
    join: fn(Expr, Expr) -> Expr,
) -> Expr {
    let parts: Vec<Expr> = parts.into_iter().filter(|part| *part != neutral).collect();
    match parts.contains(&decisive) {
        true => decisive,
        false => balanced(parts, join).unwrap_or(neutral),
    }
}

/// Types and lengths of variables.
pub trait Declared {
    /// The type of a variable.
    fn ty(&self, var: VarRef) -> Type;
    /// The number of its elements, if it is an array.
    fn len(&self, var: VarRef) -> Option<u32>;
}

/// Shared variables, before and after a move, and a machine's own symbols: the
/// arguments of the thread, perhaps arbitrary values behind them.
pub struct Symbols<'p> {
    /// The program with the shared variables.
    pub program: &'p Program,
    /// The types of the local symbols.
    pub locals: &'p [Type],
}

impl Declared for Symbols<'_> {
    fn ty(&self, var: VarRef) -> Type {
        match var {
            VarRef::Shared(id) => self.program.shared[id.index() % self.program.shared.len()].ty,
            VarRef::Local(id) => self.locals[id.index()],
        }
    }

    fn len(&self, var: VarRef) -> Option<u32> {
        match var {
            VarRef::Shared(id) => self.program.shared[id.index() % self.program.shared.len()].len,
            VarRef::Local(_) => None,
        }
    }
}

/// `condition`, and false where it is not defined.
pub fn total(condition: &Expr, declared: &impl Declared) -> Result<Expr, String> {
    Ok(Expr::and(defined(condition, declared)?, condition.clone()))
}

/// Is the value of an expression defined? The answer always is. Fails where
/// this cannot be written down.
pub fn defined(expr: &Expr, declared: &impl Declared) -> Result<Expr, String> {
    let again = |part: &Expr| defined(part, declared);
    Ok(match expr {
        Expr::Const(..) | Expr::Var(_) => Expr::TRUE,
        Expr::Cast(_, operand) | Expr::Unary(UnOp::BitNot | UnOp::Not, operand) => again(operand)?,
        Expr::Index(var, index) => Expr::and(again(index)?, inside(*var, index, declared)),
        Expr::Unary(UnOp::Neg, operand) => {
            let fits = match type_of(operand, declared) {
                ty @ Type::Bits { signed: true, .. } => {
                    Expr::negate(Expr::eq((**operand).clone(), lowest(ty)))
                }
                _ => Expr::TRUE,
            };
            Expr::and(again(operand)?, fits)
        }
        Expr::Binary(BinOp::And, left, right) => {
            let (needed, later) = (again(left)?, again(right)?);
            match contains_all(&needed, &later) {
                true => needed,
                false => Expr::and(needed, implies((**left).clone(), later)),
            }
        }
        Expr::Binary(BinOp::Or, left, right) => {
            let right = again(right)?;
            Expr::and(again(left)?, implies(Expr::negate((**left).clone()), right))
        }
        Expr::Binary(op, left, right) => {
            let operands = Expr::and(again(left)?, again(right)?);
            Expr::and(operands, fits(*op, left, right, type_of(left, declared), declared)?)
        }
        Expr::Ite(condition, then, otherwise) => {
            let (then, otherwise) = (again(then)?, again(otherwise)?);
            let parts = if then == otherwise {
                then
            } else {
                Expr::ite((**condition).clone(), then, otherwise)
            };
            Expr::and(again(condition)?, parts)
        }
    })
}

/// Is every part of the conjunction `few` one of `many`?
fn contains_all(many: &Expr, few: &Expr) -> bool {
    let known = many.conjuncts();
    few.conjuncts().iter().all(|part| known.contains(part))
}

/// `!condition || consequence`
pub fn implies(condition: Expr, consequence: Expr) -> Expr {
    match consequence {
        Expr::TRUE => Expr::TRUE,
        consequence => Expr::or(Expr::negate(condition), consequence),
    }
}

/// The type of an expression.
pub fn type_of(expr: &Expr, declared: &impl Declared) -> Type {
    expr.ty(&|var| declared.ty(var))
}

fn lowest(ty: Type) -> Expr {
    Expr::Const(ty.bounds().map_or(0, |(low, _)| low), ty)
}

/// Is an index one of an array?
fn inside(var: VarRef, index: &Expr, declared: &impl Declared) -> Expr {
    let ty = type_of(index, declared);
    let len = i128::from(declared.len(var).unwrap_or(1));
    let (low, high) = ty.bounds().unwrap_or((-1, i128::MAX));
    if let Expr::Const(index, _) = index {
        return Expr::Const(i128::from((0..len).contains(index)), Type::Bool);
    }
    let at_least = Expr::binary(BinOp::Le, Expr::Const(0, ty), index.clone());
    let at_most = Expr::binary(BinOp::Lt, index.clone(), Expr::Const(len.min(high), ty));
    Expr::and(
        if low < 0 { at_least } else { Expr::TRUE },
        if len <= high { at_most } else { Expr::TRUE },
    )
}

/// Is the result of an operator defined, for operands of type `ty`?
fn fits(
    op: BinOp,
    left: &Expr,
    right: &Expr,
    ty: Type,
    declared: &impl Declared,
) -> Result<Expr, String> {
    let (a, b) = (left.clone(), right.clone());
    let signed = matches!(ty, Type::Bits { signed: true, .. });
    Ok(match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul if !signed => Expr::TRUE,
        BinOp::Add | BinOp::Sub => sum_fits(op, a, b, ty),
        BinOp::Mul => product_fits(a, b, ty)?,
        BinOp::Div | BinOp::Rem => {
            let is = |value: &Expr, constant| Expr::eq(value.clone(), Expr::Const(constant, ty));
            let overflows = match ty.bounds() {
                Some((low, _)) if signed => Expr::and(is(&b, -1), is(&a, low)),
                _ => Expr::FALSE,
            };
            Expr::and(Expr::negate(is(&b, 0)), Expr::negate(overflows))
        }
        BinOp::Shl | BinOp::Shr => {
            let Type::Bits { width, .. } = ty else { return Ok(Expr::FALSE) };
            let amount = type_of(right, declared);
            let (low, high) = amount.bounds().unwrap_or((-1, i128::MAX));
            let width = i128::from(width);
            let at_least = Expr::binary(BinOp::Le, Expr::Const(0, amount), b.clone());
            let below = Expr::binary(BinOp::Lt, b, Expr::Const(width.min(high), amount));
            refold(&Expr::and(
                if low < 0 { at_least } else { Expr::TRUE },
                if width <= high { below } else { Expr::TRUE },
            ))
        }
        _ => Expr::TRUE,
    })
}

/// Is `a + b` or `a - b` a value of the signed type `ty`?
fn sum_fits(op: BinOp, a: Expr, b: Expr, ty: Type) -> Expr {
    let Some((low, high)) = ty.bounds() else { return Expr::TRUE };
    let (low, high) = (Expr::Const(low, ty), Expr::Const(high, ty));
    // `a + b <= high` without overflow is `a <= high - b` if `b` is not negative, and so on.
    let back = if op == BinOp::Add { BinOp::Sub } else { BinOp::Add };
    let upper = Expr::binary(BinOp::Le, a.clone(), Expr::binary(back, high, b.clone()));
    let lower = Expr::binary(BinOp::Le, Expr::binary(back, low, b.clone()), a);
    let (up, down) = if op == BinOp::Add { (upper, lower) } else { (lower, upper) };
    let positive = Expr::binary(BinOp::Le, Expr::Const(0, ty), b);
    refold(&Expr::ite(refold(&positive), up, down))
}

fn product_fits(a: Expr, b: Expr, ty: Type) -> Result<Expr, String> {
    let (Type::Bits { width, .. }, Some((low, high))) = (ty, ty.bounds()) else {
        return Ok(Expr::TRUE);
    };
    if width > 32 {
        return Err("a product of signed 64-bit numbers".into());
    }
    let wide = Type::signed(64);
    let cast = |value: Expr| Expr::Cast(wide, Box::new(value));
    let product = Expr::binary(BinOp::Mul, cast(a), cast(b));
    let above = Expr::binary(BinOp::Le, Expr::Const(low, wide), product.clone());
    Ok(Expr::and(above, Expr::binary(BinOp::Le, product, Expr::Const(high, wide))))
}

/// The same expression with variables replaced.
pub fn rename(expr: &Expr, name: &impl Fn(VarRef) -> VarRef) -> Expr {
    expr.map_reads(&mut |read| match read {
        Expr::Var(var) => Expr::Var(name(var)),
        Expr::Index(var, index) => Expr::Index(name(var), index),
        other => other,
    })
}

/// Comparisons in a formula that is tried for a tautology: all their truth values are enumerated.
const MAX_ATOMS: usize = 10;

/// Is one of these conditions true whatever the comparisons in them say?
pub fn is_tautology(conditions: &[Expr]) -> bool {
    let mut atoms = Vec::new();
    conditions.iter().for_each(|condition| collect_atoms(condition, &mut atoms));
    atoms.len() <= MAX_ATOMS
        && (0..1u32 << atoms.len())
            .all(|truth| conditions.iter().any(|condition| truth_of(condition, &atoms, truth)))
}

fn collect_atoms(condition: &Expr, atoms: &mut Vec<Expr>) {
    match condition {
        Expr::Const(..) => {}
        Expr::Unary(UnOp::Not, operand) => collect_atoms(operand, atoms),
        Expr::Binary(BinOp::And | BinOp::Or, left, right) => {
            collect_atoms(left, atoms);
            collect_atoms(right, atoms);
        }
        atom if atoms.contains(atom) || atoms.contains(&Expr::negate(atom.clone())) => {}
        atom => atoms.push(atom.clone()),
    }
}

/// The value of a condition if the atoms have these.
fn truth_of(condition: &Expr, atoms: &[Expr], truth: u32) -> bool {
    let again = |part: &Expr| truth_of(part, atoms, truth);
    match condition {
        Expr::Const(value, _) => *value != 0,
        Expr::Unary(UnOp::Not, operand) => !again(operand),
        Expr::Binary(BinOp::And, left, right) => again(left) && again(right),
        Expr::Binary(BinOp::Or, left, right) => again(left) || again(right),
        atom => match atoms.iter().position(|other| other == atom) {
            Some(number) => truth >> number & 1 == 1,
            None => !again(&Expr::negate(atom.clone())),
        },
    }
}
