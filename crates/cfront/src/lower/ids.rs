//! Where a program keeps the ids of threads. An id is a number of ours, not that of the platform: only whether two are equal means
//! something. What else is computed from one is a model limit.
//!
//! Ids come from the functions that give them and from `pthread_create`, and are followed through variables (with all elements), fields (of all
//! records of a type), parameters and results. What is stored through a pointer is followed if points-to knows the variable.

use super::Observations;
use super::call::OWN_ID;
use super::handles::CREATE;
use crate::hir::{
    BinaryOp, Callee, Expr, ExprKind, FuncId, Place, PlaceKind, Type, TypeId, Unit, VarId,
};
use crate::points_to::walk::{Event, walk};
use crate::points_to::{Pointee, PointsTo};
use std::collections::HashSet;

/// Something that holds ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Var(VarId),
    /// A record's type and the offset in it.
    Field(TypeId, u64),
    Result(FuncId),
}

/// All that holds ids.
#[derive(Default)]
pub struct Ids(HashSet<Holder>);

impl Ids {
    /// Those of a program.
    pub fn of(unit: &Unit, points_to: &PointsTo) -> Ids {
        let mut ids = Ids::default();
        loop {
            let before = ids.0.len();
            for (index, function) in unit.functions.iter().enumerate().filter(|f| !f.1.is_model) {
                let body = function.body.as_deref().unwrap_or_default();
                walk(body, &mut |event| ids.see(unit, points_to, FuncId(index as u32), &event));
            }
            if ids.0.len() == before {
                return ids;
            }
        }
    }

    fn see(&mut self, unit: &Unit, points_to: &PointsTo, function: FuncId, event: &Event) {
        match event {
            Event::Declare(var, entries) => {
                let ty = unit.vars[var.index()].ty;
                for entry in *entries {
                    let field = Holder::Field(ty, entry.offset);
                    if self.is_id(unit, &entry.value) {
                        self.0.insert(if is_record(unit, ty) { field } else { Holder::Var(*var) });
                    }
                }
            }
            Event::Return(value) if self.is_id(unit, value) => {
                self.0.insert(Holder::Result(function));
            }
            Event::Expr(expr) => match &*expr.kind {
                ExprKind::Assign(place, value) if self.is_id(unit, value) => {
                    self.0.extend(holders(unit, points_to, place));
                }
                ExprKind::Call(Callee::Direct(callee), args) => {
                    self.see_call(unit, points_to, *callee, args);
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn see_call(&mut self, unit: &Unit, points_to: &PointsTo, callee: FuncId, args: &[Expr]) {
        let callee = &unit.functions[callee.index()];
        if let Some(handle) = args.first().filter(|_| CREATE.contains(&&*callee.name)) {
            self.0.extend(pointed(unit, points_to, handle));
        }
        for (param, arg) in callee.params.iter().zip(args).filter(|_| !callee.is_model) {
            if self.is_id(unit, arg) {
                self.0.insert(Holder::Var(*param));
            }
        }
    }

    /// May this be the id of a thread?
    fn is_id(&self, unit: &Unit, expr: &Expr) -> bool {
        match &*expr.kind {
            ExprKind::Cast(inner) | ExprKind::Comma(_, inner) | ExprKind::Assign(_, inner) => {
                self.is_id(unit, inner)
            }
            ExprKind::Cond(_, then, otherwise) => {
                self.is_id(unit, then) || self.is_id(unit, otherwise)
            }
            ExprKind::Stmt(_, Some(value)) => self.is_id(unit, value),
            ExprKind::Load(place) => named(place).is_some_and(|holder| self.0.contains(&holder)),
            ExprKind::Call(Callee::Direct(callee), _) => {
                let called = &unit.functions[callee.index()];
                called.is_model && OWN_ID.contains(&&*called.name)
                    || self.0.contains(&Holder::Result(*callee))
            }
            _ => false,
        }
    }

    /// Does `left op right` see more of an id than whether it is another one, or none?
    fn shows(&self, unit: &Unit, op: BinaryOp, left: &Expr, right: &Expr) -> bool {
        let number = |expr: &Expr| match &*expr.kind {
            ExprKind::Const(value) => (1..1 << 62).contains(value),
            _ => false,
        };
        let compares = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let is_seen = !compares || number(left) || number(right);
        is_seen && (self.is_id(unit, left) || self.is_id(unit, right))
    }
}

/// What a place is, if it is named.
fn named(place: &Place) -> Option<Holder> {
    match &place.kind {
        PlaceKind::Var(var) => Some(Holder::Var(*var)),
        PlaceKind::Index(array, ..) => named(array),
        PlaceKind::Field(record, offset) => Some(Holder::Field(record.ty, *offset)),
        PlaceKind::Deref(pointer) => address(pointer).and_then(named),
        PlaceKind::Temporary(_) => None,
    }
}

/// The place of which this is the address, or that of an element.
fn address(pointer: &Expr) -> Option<&Place> {
    match &*pointer.kind {
        ExprKind::Cast(inner) | ExprKind::PtrAdd(inner, ..) => address(inner),
        ExprKind::AddrOf(place) => Some(place),
        _ => None,
    }
}

fn holders(unit: &Unit, points_to: &PointsTo, place: &Place) -> Vec<Holder> {
    match &place.kind {
        PlaceKind::Deref(pointer) => pointed(unit, points_to, pointer),
        _ => named(place).into_iter().collect(),
    }
}

fn pointed(unit: &Unit, points_to: &PointsTo, pointer: &Expr) -> Vec<Holder> {
    if let Some(place) = address(pointer) {
        return named(place).into_iter().collect();
    }
    let plain = |target| match target {
        Pointee::Var(var) if !is_record(unit, unit.vars[var.index()].ty) => Some(Holder::Var(var)),
        _ => None,
    };
    points_to.targets(pointer).into_iter().filter_map(plain).collect()
}

fn is_record(unit: &Unit, ty: TypeId) -> bool {
    matches!(unit.types.get(ty), Type::Record(_))
}

impl Observations<'_, '_> {
    /// Asks before `left op right` that it does not depend on the number that a thread has here.
    pub(super) fn observe_ids(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        if !self.input.is_in_model(self.t)
            && self.input.summaries.ids().shows(self.input.unit, op, left, right)
        {
            self.t.unsupported("what is computed from the id of a thread");
        }
    }

    /// The same of an index.
    pub(super) fn observe_index(&mut self, index: &Expr) {
        self.observe_ids(BinaryOp::Add, index, index);
    }
}
