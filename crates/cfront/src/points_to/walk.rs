//! Visits everything in a function that moves values.

use crate::hir::{
    Callee, Expr, ExprKind, InitEntry, LabelId, Place, PlaceKind, Stmt, StmtKind, VarId,
};

/// Something that was met.
pub(crate) enum Event<'a> {
    /// An expression; its operands follow. In `*&x` the `&x` is no event: no
    /// address is used.
    Expr(&'a Expr),
    /// A local variable comes to life.
    Birth(VarId),
    /// Its initialiser; the expressions in it follow.
    Declare(VarId, &'a [InitEntry]),
    /// A loop; what it contains follows.
    Loop(&'a Stmt),
    /// A label.
    Label(LabelId),
    /// A jump to a label.
    Goto(LabelId),
    /// A returned value; it follows as an expression.
    Return(&'a Expr),
}

/// Visits statements and all they contain.
pub(crate) fn walk<'a>(stmts: &'a [Stmt], see: &mut dyn FnMut(Event<'a>)) {
    for stmt in stmts {
        walk_stmt(stmt, see);
    }
}

/// Visits the values of an initialiser.
pub(crate) fn walk_entries<'a>(entries: &'a [InitEntry], see: &mut dyn FnMut(Event<'a>)) {
    for entry in entries {
        walk_expr(&entry.value, see);
    }
}

fn walk_stmt<'a>(stmt: &'a Stmt, see: &mut dyn FnMut(Event<'a>)) {
    match &stmt.kind {
        StmtKind::Expr(expr) => walk_expr(expr, see),
        StmtKind::Declare(var, entries) => {
            see(Event::Birth(*var));
            if let Some(entries) = entries {
                see(Event::Declare(*var, entries));
                walk_entries(entries, see);
            }
        }
        StmtKind::Block(stmts) => walk(stmts, see),
        StmtKind::If(condition, then, otherwise) => {
            walk_expr(condition, see);
            walk_stmt(then, see);
            otherwise.iter().for_each(|otherwise| walk_stmt(otherwise, see));
        }
        StmtKind::Loop { condition, body, step, .. } => {
            see(Event::Loop(stmt));
            condition.iter().chain(step).for_each(|expr| walk_expr(expr, see));
            walk_stmt(body, see);
        }
        StmtKind::Switch { value, body, .. } => {
            walk_expr(value, see);
            walk_stmt(body, see);
        }
        StmtKind::Return(Some(value)) => {
            see(Event::Return(value));
            walk_expr(value, see);
        }
        StmtKind::Label(label) => see(Event::Label(*label)),
        StmtKind::Goto(label) => see(Event::Goto(*label)),
        StmtKind::Return(None)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Fence(_)
        | StmtKind::Unsupported(_) => {}
    }
}

/// Visits an expression and all it contains.
pub(crate) fn walk_expr<'a>(expr: &'a Expr, see: &mut dyn FnMut(Event<'a>)) {
    see(Event::Expr(expr));
    match &*expr.kind {
        ExprKind::Load(place) | ExprKind::AddrOf(place) => walk_place(place, see),
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => walk_expr(operand, see),
        ExprKind::Binary(_, left, right)
        | ExprKind::PtrAdd(left, right, _)
        | ExprKind::PtrDiff(left, right, _)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Comma(left, right) => {
            walk_expr(left, see);
            walk_expr(right, see);
        }
        ExprKind::Cond(condition, left, right) => {
            [condition, left, right].into_iter().for_each(|part| walk_expr(part, see));
        }
        ExprKind::Assign(place, value) | ExprKind::AssignOp { place, operand: value, .. } => {
            walk_place(place, see);
            walk_expr(value, see);
        }
        ExprKind::Call(callee, arguments) => {
            if let Callee::Pointer(pointer) = callee {
                walk_expr(pointer, see);
            }
            arguments.iter().for_each(|argument| walk_expr(argument, see));
        }
        ExprKind::Stmt(stmts, last) => {
            walk(stmts, see);
            last.iter().for_each(|last| walk_expr(last, see));
        }
        ExprKind::Const(_) | ExprKind::FunctionAddr(_) | ExprKind::Unsupported(_) => {}
    }
}

fn walk_place<'a>(place: &'a Place, see: &mut dyn FnMut(Event<'a>)) {
    match &place.kind {
        PlaceKind::Var(_) => {}
        PlaceKind::Field(base, _) => walk_place(base, see),
        PlaceKind::Index(base, index, _) => {
            walk_place(base, see);
            walk_expr(index, see);
        }
        PlaceKind::Temporary(expr) => walk_expr(expr, see),
        PlaceKind::Deref(pointer) => match &*pointer.kind {
            ExprKind::AddrOf(place) => walk_place(place, see),
            _ => walk_expr(pointer, see),
        },
    }
}
