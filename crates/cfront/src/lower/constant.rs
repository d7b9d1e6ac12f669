//! Values that never change while the program runs, as far as a look at the whole program shows: the
//! rounds of loops, the sizes of allocations, locals that are only ever initialised.

use super::build::Frame;
use super::input::Input;
use crate::hir::{
    BinaryOp, Expr as CExpr, ExprKind, InitEntry, Lifetime, Place, PlaceKind, Stmt, VarId,
};
use crate::points_to::walk::{Event, walk};
use crate::types::Types;
use ccfa::{Expr, Type};

impl Input<'_> {
    /// How often a loop with this condition may run, guessed from `i < 10`. Only
    /// used to size pools: what exceeds the guess is reported.
    pub fn rounds(&self, frame: Option<&Frame>, condition: &CExpr) -> Option<u64> {
        let ExprKind::Binary(op, left, right) = &*condition.kind else { return None };
        let (counter, limit) = match op {
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ne => (left, right),
            BinaryOp::Gt | BinaryOp::Ge => (right, left),
            _ => return None,
        };
        let limit = self.constant(frame, limit)?;
        let inclusive = i128::from(matches!(op, BinaryOp::Le | BinaryOp::Ge));
        self.counter(counter)?;
        u64::try_from(limit + inclusive).ok()
    }

    /// Is what a loop counts changed in its body by more than the counting?
    pub fn is_recounted(&self, condition: &CExpr, body: &Stmt, has_step: bool) -> bool {
        let ExprKind::Binary(_, left, right) = &*condition.kind else { return false };
        let counters = [self.counter(left), self.counter(right)];
        let mut changes = 0;
        walk(std::slice::from_ref(body), &mut |event| {
            let Event::Expr(expr) = event else { return };
            let (ExprKind::Assign(place, _) | ExprKind::AssignOp { place, .. }) = &*expr.kind
            else {
                return;
            };
            let PlaceKind::Var(var) = place.kind else { return };
            changes += usize::from(counters.contains(&Some(var)));
        });
        changes > usize::from(!has_step)
    }

    /// A variable that could count rounds.
    pub fn counter(&self, expr: &CExpr) -> Option<VarId> {
        match &*expr.kind {
            ExprKind::Cast(inner) => self.counter(inner),
            ExprKind::Load(Place { kind: PlaceKind::Var(var), .. }) => Some(*var),
            _ => None,
        }
    }

    /// The value of an expression that is always the same.
    pub fn constant(&self, frame: Option<&Frame>, expr: &CExpr) -> Option<i128> {
        match &*expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Cast(inner) if self.unit.types.unatomic(expr.ty) == Types::BOOL => {
                Some(i128::from(self.constant(frame, inner)? != 0))
            }
            ExprKind::Cast(inner) => {
                Some(self.scalar_type(expr.ty)?.wrap(self.constant(frame, inner)?))
            }
            ExprKind::Load(Place { kind: PlaceKind::Var(var), bits: None, .. }) => {
                let bound = frame.and_then(|frame| frame.bound.get(var));
                if let Some(Expr::Const(value, _)) = bound {
                    return Some(*value);
                }
                let declared = &self.unit.vars[var.index()];
                let fixed = declared.lifetime == Lifetime::Static
                    && !self.points_to.is_ever_assigned(*var)
                    && !self.points_to.is_address_taken(*var);
                match declared.init.as_deref() {
                    Some([]) if fixed => Some(0),
                    Some([only]) if fixed => self.constant(frame, &only.value),
                    _ => None,
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.constant(frame, left)?, self.constant(frame, right)?);
                let result = match op {
                    BinaryOp::Add => a.checked_add(b)?,
                    BinaryOp::Sub => a.checked_sub(b)?,
                    BinaryOp::Mul => a.checked_mul(b)?,
                    _ => return None,
                };
                match self.scalar_type(expr.ty)? {
                    ty @ Type::Bits { signed: false, .. } => Some(ty.wrap(result)),
                    ty => Some(result).filter(|result| ty.contains(*result)),
                }
            }
            _ => None,
        }
    }

    /// The value of a local that is only ever initialised, and with a constant.
    pub fn constant_for_ever(
        &self,
        frame: Option<&Frame>,
        var: VarId,
        init: Option<&[InitEntry]>,
    ) -> Option<Expr> {
        let [only] = init? else { return None };
        if self.unit.vars[var.index()].limit.is_some() {
            return None;
        }
        let ty = self.scalar_type(self.unit.vars[var.index()].ty)?;
        let changes = self.points_to.is_ever_reassigned(var)
            || self.points_to.is_address_taken(var)
            || self.points_to.scopes().is_left_out(var);
        let is_whole = only.bits.is_none() && only.ty == self.unit.vars[var.index()].ty;
        if changes || !is_whole {
            return None;
        }
        Some(Expr::constant(self.constant(frame, &only.value)?, ty))
    }
}
