//! Steps that touch no memory: what is chosen, where atomic sections begin and end, assumptions, fences; and what such a
//! step takes for granted.

use super::build::{FLAG, JoinPoint, set};
use super::{ControlSteps, fold};
use crate::Assumption;
use crate::hir::{Expr as CExpr, LabelId, Type as CType};
use ccfa::{AccessKind, Expr, Order, Type, VarRef};

impl ControlSteps<'_, '_> {
    /// Any value of the type of the call.
    pub(super) fn nondeterministic(&mut self, call: &CExpr) -> Expr {
        match self.input.scalar_type(call.ty) {
            Some(ty) => self.t.arbitrary(ty),
            None if *self.input.unit.types.get(call.ty) == CType::Void => self.input.zero(call),
            None => {
                self.t.unsupported("an arbitrary record");
                self.input.zero(call)
            }
        }
    }

    /// The beginning of an atomic section of the source. One of the program's own, or a locked instruction of WIN32, is as under sequential consistency, which its first step says. Elsewhere in the library of
    /// models, operations of locks do.
    pub(super) fn open_section(&mut self) {
        let frame =
            self.t.frames.last().map(|frame| &self.input.unit.functions[frame.function.index()]);
        let is_locked = frame.is_none_or(|f| !f.is_model || f.name.starts_with("Interlocked"));
        match self.input.options.choices.weak_memory && is_locked {
            true => self.t.begin_atomic_with_fence(),
            false => self.t.begin_atomic(),
        }
    }

    /// Its end.
    pub(super) fn close_section(&mut self) {
        match self.t.atomic {
            0 => self.t.unsupported("the end of an atomic section that was not begun"),
            _ => self.t.end_atomic(),
        }
    }

    /// Nothing follows unless the condition holds. Who stops here waits for nobody: where deadlocks are asked for, the program ends.
    pub(super) fn assume(&mut self, condition: Expr) {
        if self.input.options.choices.deadlocks {
            self.t.halt_if(Expr::negate(condition.clone()));
        }
        self.t.wait(condition);
    }

    /// Any truth value, if the user wants creating a thread to fail.
    pub(super) fn creation_may_fail(&mut self, ty: Type) -> Expr {
        if self.input.options.choices.creation_may_fail {
            return self.t.arbitrary(ty);
        }
        self.t.assumed.insert(Assumption::CreationSucceeds);
        Expr::Const(0, ty)
    }

    /// Would the end of this thread, which is the first, leave it to the last one to end the program?
    pub(super) fn leaves_destructors(&self) -> bool {
        self.t.routine == self.input.main && !self.input.unit.destructors.is_empty()
    }

    /// Goes to `end`, where the address is still null, or goes on: has the allocation the choice?
    pub(super) fn allocation_may_fail(&mut self, address: VarRef, end: &mut JoinPoint) -> bool {
        if !self.input.options.choices.allocation_may_fail {
            self.t.assumed.insert(Assumption::AllocationSucceeds);
            return false;
        }
        let null = Expr::Const(0, self.input.pointer_type());
        self.t.step(Expr::TRUE, vec![set(address, null)]);
        let fails = fold::truth(FLAG, self.t.arbitrary(FLAG));
        let mut goes_on = None;
        self.t.branch_on(fails, end, &mut goes_on);
        self.t.resume(goes_on);
        true
    }

    /// What synchronises threads is a fence (POSIX.1-2017, 4.12), which no thread can tell under sequential consistency.
    pub(super) fn synchronise(&mut self) {
        if self.input.options.choices.weak_memory {
            self.t.fence(AccessKind::Fence(Order::SeqCst));
        }
    }

    /// A state of an abstract thread has the name of the label that stands there.
    pub(super) fn name_label(&mut self, label: LabelId) {
        let labels = &self.input.unit.functions[self.t.body.index()].label_names;
        let name = labels.iter().find(|(id, _)| *id == label).map(|(_, name)| name);
        let template = &mut self.t.template;
        let is_new = |name: &&String| template.locations.iter().all(|other| other.name != **name);
        if let Some(name) = name.filter(is_new).filter(|_| self.t.is_abstract()) {
            self.t.template.locations[self.t.here.index()].name = name.clone();
        }
    }
}
