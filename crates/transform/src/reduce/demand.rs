//! A step may be taken only if all it computes is defined. When a computation
//! is dropped because its value is not needed, that demand stays.

use super::{TemplateScope, size};
use ccfa::fold::all;
use ccfa::{Assign, BinOp, Edge, Expr, Place, Rhs};
use std::collections::HashMap;

/// Expressions by their size, so that few are compared: equal ones have the same.
type Parts<'e> = HashMap<usize, Vec<&'e Expr>>;

/// Drops some assignments of a step.
pub(super) fn drop_assignments(
    edge: &mut Edge,
    drop: impl Fn(&Assign) -> bool,
    scope: TemplateScope,
) {
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
pub(super) fn computed(assign: &Assign) -> Vec<Expr> {
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
pub(super) fn defined(guard: &mut Expr, assigns: &[Assign], lost: &[Expr], scope: TemplateScope) {
    let kept: Vec<Expr> = assigns.iter().flat_map(computed).collect();
    let guard_before = guard.clone();
    let mut evaluated = Parts::new();
    guard_parts(&guard_before, &mut evaluated);
    for value in &kept {
        strict_parts(value, &mut evaluated);
    }
    let mut added = Vec::new();
    for value in lost {
        let is_known = |part: &Expr| {
            let mut same_size = evaluated.get(&size(part)).into_iter().flatten();
            same_size.any(|known| implies(known, part, scope))
        };
        let mut open = false;
        value.walk(&mut |part| open |= scope.may_fail(part) && !is_known(part));
        if open {
            added.push(is_defined(value, scope));
            strict_parts(value, &mut evaluated);
        }
    }
    // Many together must not be a deep expression.
    *guard = Expr::and(std::mem::replace(guard, Expr::TRUE), all(added));
}

/// The condition that a value is defined. Of an element only its index matters: it need not be read.
fn is_defined(value: &Expr, scope: TemplateScope) -> Expr {
    let Expr::Index(var, index) = value else { return Expr::eq(value.clone(), value.clone()) };
    let ty = index.ty(&scope.types());
    let len = scope.var(*var).cells() as i128;
    let low =
        ty.contains(-1).then(|| Expr::binary(BinOp::Le, Expr::Const(0, ty), (**index).clone()));
    let high =
        ty.contains(len).then(|| Expr::binary(BinOp::Lt, (**index).clone(), Expr::Const(len, ty)));
    match (low, high) {
        (Some(low), Some(high)) => Expr::and(low, high),
        (Some(bound), None) | (None, Some(bound)) => bound,
        (None, None) => Expr::eq((**index).clone(), (**index).clone()),
    }
}

/// If `known` is defined, is `part`?
fn implies(known: &Expr, part: &Expr, scope: TemplateScope) -> bool {
    match (known, part) {
        (Expr::Index(a, i), Expr::Index(b, j)) => i == j && scope.var(*a).len <= scope.var(*b).len,
        _ => known == part,
    }
}

/// The parts of a guard that are evaluated whenever it is true.
fn guard_parts<'e>(guard: &'e Expr, parts: &mut Parts<'e>) {
    for part in guard.conjuncts() {
        strict_parts(part, parts);
    }
}

/// The parts of an expression that are always evaluated; its size.
fn strict_parts<'e>(expr: &'e Expr, parts: &mut Parts<'e>) -> usize {
    let size_of_parts = match expr {
        Expr::Const(..) | Expr::Var(_) => 0,
        Expr::Index(_, part) | Expr::Unary(_, part) | Expr::Cast(_, part) => {
            strict_parts(part, parts)
        }
        Expr::Binary(BinOp::Or | BinOp::And, left, right) => {
            strict_parts(left, parts) + size(right)
        }
        Expr::Ite(condition, then, otherwise) => {
            strict_parts(condition, parts) + size(then) + size(otherwise)
        }
        Expr::Binary(_, left, right) => strict_parts(left, parts) + strict_parts(right, parts),
    };
    parts.entry(1 + size_of_parts).or_default().push(expr);
    1 + size_of_parts
}
