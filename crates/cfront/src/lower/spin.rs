//! Loops that only wait, `while (!flag);`: where deadlocks are asked for, a thread does not run in circles there, it is blocked.
//!
//! Such a loop has an empty body and no step, and its condition reads one variable, once, which lives as long as the program and is read at once. A round
//! that does not end the loop changes nothing; and a round ends it exactly if the variable has, when it is read, a value for which the condition is false. So a step
//! that waits for such a value does the same, but for rounds that change nothing; and who waits for a value that nobody will write hangs. With two reads it would not be
//! the same: another thread may come between them.

use super::Lowerer;
use crate::hir::{Expr as CExpr, ExprKind, Lifetime, Place, PlaceKind, Stmt, StmtKind, UnaryOp};
use ccfa::Expr;

/// Larger variables are left alone, in bytes: with some data models these are not read at once.
const MAX_VARIABLE_BYTES: u64 = 4;

impl Lowerer<'_> {
    /// Lowers a loop that only waits as a step that waits; says whether it was one.
    pub(super) fn wait_instead(
        &mut self,
        condition: Option<&CExpr>,
        body: &Stmt,
        step: Option<&CExpr>,
    ) -> bool {
        let is_empty = matches!(&body.kind, StmtKind::Block(inside) if inside.is_empty());
        let is_asked = self.input.options.choices.deadlocks && self.t.atomic == 0;
        let only_waits = |condition: &&CExpr| self.reads(condition) == Some(1);
        let Some(condition) = condition.filter(only_waits) else { return false };
        if !is_asked || !is_empty || step.is_some() {
            return false;
        }
        let Some(goes_on) = self.pure(condition) else { return false };
        self.at(condition.range);
        let head = self.t.join_point_here();
        self.t.resume(head);
        self.t.step(Expr::negate(goes_on), vec![]);
        true
    }

    /// How many variables a condition reads; `None` if it does anything else.
    fn reads(&self, expr: &CExpr) -> Option<usize> {
        match &*expr.kind {
            ExprKind::Const(_) => Some(0),
            ExprKind::Load(place) => self.is_read_at_once(place).then_some(1),
            ExprKind::Cast(inner) | ExprKind::Unary(UnaryOp::Not, inner) => self.reads(inner),
            ExprKind::Binary(op, left, right) if op.is_always_defined() => {
                Some(self.reads(left)? + self.reads(right)?)
            }
            _ => None,
        }
    }

    fn is_read_at_once(&self, place: &Place) -> bool {
        let PlaceKind::Var(var) = place.kind else { return false };
        let lives_on = self.input.unit.vars[var.index()].lifetime == Lifetime::Static;
        lives_on && place.bits.is_none() && self.input.size_of(place.ty) <= MAX_VARIABLE_BYTES
    }
}
