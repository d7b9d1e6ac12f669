//! How values flow within an expression, once for both who need it: the
//! constraints, where a value is a node, and the answers, where it is a set.

use super::Pointee;
use crate::hir::{BinaryOp, Expr, ExprKind, Place, PlaceKind, UnaryOp, VarId};
use crate::syntax::ast::Range;

/// A meaning of values.
pub(super) trait Values {
    /// What stands for a value.
    type Value;

    /// The address of an object.
    fn address(&mut self, object: Pointee) -> Self::Value;
    /// What a variable holds.
    fn content(&mut self, var: VarId) -> Self::Value;
    /// What the targets of a pointer hold.
    fn load(&mut self, pointer: Self::Value) -> Self::Value;
    /// One of two values, or a mixture of both.
    fn join(&mut self, left: Self::Value, right: Self::Value) -> Self::Value;
    /// What a call returns.
    fn result(&mut self, call: Range) -> Self::Value;
}

/// Where a place lies.
pub(super) enum ValueLocation<T> {
    /// In a variable.
    Variable(VarId),
    /// In the targets of a pointer.
    Pointer(Option<T>),
    /// Nowhere: it is (part of) a value. Its address is not modelled.
    Temporary(Option<T>),
}

/// The value of an expression; `None` if it plainly is no address.
pub(super) fn value<V: Values>(values: &mut V, expr: &Expr) -> Option<V::Value> {
    match &*expr.kind {
        ExprKind::Load(place) => load(values, place),
        ExprKind::AddrOf(place) => address(values, place),
        ExprKind::FunctionAddr(function) => Some(values.address(Pointee::Function(*function))),
        ExprKind::Call(..) => Some(values.result(expr.range)),
        ExprKind::Cast(inner) | ExprKind::Assign(_, inner) | ExprKind::Comma(_, inner) => {
            value(values, inner)
        }
        ExprKind::Stmt(_, last) => last.as_ref().and_then(|last| value(values, last)),
        ExprKind::Cond(_, left, right) | ExprKind::PtrAdd(left, right, _) => {
            either(values, left, right)
        }
        ExprKind::AssignOp { place, operand, .. } => {
            let old = load(values, place);
            let operand = value(values, operand);
            join(values, old, operand)
        }
        ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot, operand) => value(values, operand),
        ExprKind::Binary(op, left, right) if !is_comparison(*op) => either(values, left, right),
        ExprKind::PtrDiff(left, right, _) => difference(values, left, right),
        ExprKind::Const(_)
        | ExprKind::Unary(UnaryOp::Not, _)
        | ExprKind::Binary(..)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Unsupported(_) => None,
    }
}

/// Where a place lies. `*&x` is `x`.
pub(super) fn location<V: Values>(values: &mut V, place: &Place) -> ValueLocation<V::Value> {
    match &place.kind {
        PlaceKind::Var(var) => ValueLocation::Variable(*var),
        PlaceKind::Field(base, _) | PlaceKind::Index(base, ..) => location(values, base),
        PlaceKind::Temporary(expr) => ValueLocation::Temporary(value(values, expr)),
        PlaceKind::Deref(pointer) => match &*pointer.kind {
            ExprKind::AddrOf(place) => location(values, place),
            _ => ValueLocation::Pointer(value(values, pointer)),
        },
    }
}

fn load<V: Values>(values: &mut V, place: &Place) -> Option<V::Value> {
    match location(values, place) {
        ValueLocation::Variable(var) => Some(values.content(var)),
        ValueLocation::Pointer(pointer) => pointer.map(|pointer| values.load(pointer)),
        ValueLocation::Temporary(value) => value,
    }
}

fn address<V: Values>(values: &mut V, place: &Place) -> Option<V::Value> {
    match location(values, place) {
        ValueLocation::Variable(var) => Some(values.address(Pointee::Var(var))),
        ValueLocation::Pointer(pointer) => pointer,
        ValueLocation::Temporary(_) => None,
    }
}

fn either<V: Values>(values: &mut V, left: &Expr, right: &Expr) -> Option<V::Value> {
    let left = value(values, left);
    let right = value(values, right);
    join(values, left, right)
}

/// The difference of two pointers is a number, but `p - (char *)0` is `p`.
fn difference<V: Values>(values: &mut V, left: &Expr, right: &Expr) -> Option<V::Value> {
    match (value(values, left), value(values, right)) {
        (Some(_), Some(_)) => None,
        (left, right) => left.or(right),
    }
}

fn join<V: Values>(
    values: &mut V,
    left: Option<V::Value>,
    right: Option<V::Value>,
) -> Option<V::Value> {
    match (left, right) {
        (Some(left), Some(right)) => Some(values.join(left, right)),
        (left, right) => left.or(right),
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Lt | Le | Gt | Ge | Eq | Ne)
}
