//! A step may be taken only if all it computes is defined. When a computation
//! is dropped because nobody needs its value, that demand stays.

use super::types;
use crate::lower::fold::may_fail;
use ccfa::{Assign, BinOp, Edge, Expr, Place, Rhs, Template, Var, VarRef};

/// Drops some assignments of a step.
pub fn drop_assignments(edge: &mut Edge, drop: impl Fn(&Assign) -> bool, shared: &[Var], template: &Template) {
    if !edge.assigns.iter().any(&drop) {
        return;
    }
    let (dropped, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut edge.assigns).into_iter().partition(&drop);
    let mut lost = Vec::new();
    for assign in dropped {
        if let Place::Element(var, index) = assign.place {
            lost.push(Expr::Index(var, Box::new(index)));
        }
        if let Rhs::Expr(value) = assign.value {
            lost.push(value);
        }
    }
    defined(&mut edge.guard, &kept, &lost, shared, template);
    edge.assigns = kept;
}

/// Adds to the guard of a step that the `lost` values are defined, unless the
/// guard or what the step still computes sees to that already.
pub fn defined(guard: &mut Expr, assigns: &[Assign], lost: &[Expr], shared: &[Var], template: &Template) {
    let type_of = types(shared, template);
    for value in lost {
        let mut evaluated = Vec::new();
        guard_parts(guard, &mut evaluated);
        for assign in assigns {
            if let Rhs::Expr(value) = &assign.value {
                strict_parts(value, &mut evaluated);
            }
            if let Place::Element(_, index) = &assign.place {
                strict_parts(index, &mut evaluated);
            }
        }
        let length = |var: VarRef| match var {
            VarRef::Shared(id) => shared[id.index()].len,
            VarRef::Local(id) => template.locals[id.index()].len,
        };
        let mut open = false;
        value.walk(&mut |part| {
            open |= may_fail(part, &type_of) && !evaluated.iter().any(|known| implies(known, part, &length));
        });
        if open {
            *guard = Expr::and(guard.clone(), Expr::eq(value.clone(), value.clone()));
        }
    }
}

/// If `known` is defined, is `part`?
fn implies(known: &Expr, part: &Expr, length: &impl Fn(VarRef) -> Option<u32>) -> bool {
    match (known, part) {
        (Expr::Index(a, i), Expr::Index(b, j)) => i == j && length(*a) <= length(*b),
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
        Expr::Index(_, part) | Expr::Unary(_, part) | Expr::Cast(_, part) => strict_parts(part, parts),
        Expr::Binary(BinOp::Or | BinOp::And, left, _) | Expr::Ite(left, ..) => strict_parts(left, parts),
        Expr::Binary(_, left, right) => {
            strict_parts(left, parts);
            strict_parts(right, parts);
        }
    }
}
