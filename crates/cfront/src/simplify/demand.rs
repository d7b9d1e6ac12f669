//! A step may be taken only if all it computes is defined. When a computation
//! is dropped because nobody needs its value, that demand stays.

use super::Scope;
use ccfa::{Assign, BinOp, Edge, Expr, Place, Rhs};

/// Drops some assignments of a step.
pub fn drop_assignments(edge: &mut Edge, drop: impl Fn(&Assign) -> bool, scope: Scope) {
    if !edge.assigns.iter().any(&drop) {
        return;
    }
    let (dropped, kept): (Vec<_>, Vec<_>) =
        std::mem::take(&mut edge.assigns).into_iter().partition(&drop);
    let lost: Vec<Expr> = dropped.iter().flat_map(computed).collect();
    defined(&mut edge.guard, &kept, &lost, scope);
    edge.assigns = kept;
}

/// What must be defined for an assignment to happen.
pub fn computed(assign: &Assign) -> Vec<Expr> {
    let mut values = Vec::new();
    if let Place::Element(var, index) = &assign.place {
        values.push(Expr::Index(*var, Box::new(index.clone())));
    }
    if let Rhs::Expr(value) = &assign.value {
        values.push(value.clone());
    }
    values
}

/// Adds to the guard of a step that the `lost` values are defined, unless the
/// guard or what the step still computes sees to that already.
pub fn defined(guard: &mut Expr, assigns: &[Assign], lost: &[Expr], scope: Scope) {
    let kept: Vec<Expr> = assigns.iter().flat_map(computed).collect();
    for value in lost {
        let mut evaluated = Vec::new();
        guard_parts(guard, &mut evaluated);
        kept.iter().for_each(|value| strict_parts(value, &mut evaluated));
        let mut open = false;
        value.walk(&mut |part| {
            open |=
                scope.may_fail(part) && !evaluated.iter().any(|known| implies(known, part, scope));
        });
        if open {
            *guard = Expr::and(guard.clone(), Expr::eq(value.clone(), value.clone()));
        }
    }
}

/// If `known` is defined, is `part`?
fn implies(known: &Expr, part: &Expr, scope: Scope) -> bool {
    match (known, part) {
        (Expr::Index(a, i), Expr::Index(b, j)) => i == j && scope.var(*a).len <= scope.var(*b).len,
        _ => known == part,
    }
}

/// The parts of a guard that are evaluated whenever it is true.
fn guard_parts<'e>(guard: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match guard {
        Expr::Binary(BinOp::And, left, right) => {
            guard_parts(left, parts);
            guard_parts(right, parts);
        }
        other => strict_parts(other, parts),
    }
}

/// The parts of an expression that are always evaluated.
fn strict_parts<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    parts.push(expr);
    match expr {
        Expr::Const(..) | Expr::Var(_) => {}
        Expr::Index(_, part) | Expr::Unary(_, part) | Expr::Cast(_, part) => {
            strict_parts(part, parts)
        }
        Expr::Binary(BinOp::Or | BinOp::And, left, _) | Expr::Ite(left, ..) => {
            strict_parts(left, parts)
        }
        Expr::Binary(_, left, right) => {
            strict_parts(left, parts);
            strict_parts(right, parts);
        }
    }
}
