//! How far pointers are moved.
//!
//! Objects lie so far from each other that no member of a record, and no step of a bounded distance, leads from
//! one into another: what is behind the end of an object is in no other one. A larger distance is
//! out of bounds of every object that is not larger itself, and to compute it is undefined (C11 6.5.6, 8). It is asked for
//! only where a pointer has several objects to point to: an address in the only one is never taken for another.
//! Many moves without an access could lead from one object to another. Where addresses have 64 bits, objects lie too far apart for that; where they
//! have 32, each result that is kept must be nearest to the object that the pointer was nearest to before.
//!
//! A pointer right behind the end of an object may or may not be equal to one to the start of another
//! (C11 6.5.9, 6, footnote 109): that is a model limit. Only objects into which the program computes pointers, other than for the access at hand, have such.

use super::input::Input;
use super::objects::{ObjectId, Objects};
use super::{Observations, fold};
use crate::hir::{
    BinaryOp, Expr as CExpr, ExprKind, Lifetime, Place, PlaceKind, Type as CType, Unit,
};
use crate::points_to::walk::{Event, walk, walk_entries};
use crate::points_to::{Pointee, PointsTo};
use crate::types::Types;
use ccfa::{BinOp, Expr, Limit, LocKind, Type, Undefined};
use std::collections::BTreeSet;

/// Constant indices up to here are not asked about: with elements of any record the distance is small.
const MAX_NEAR_ELEMENTS: i128 = 1;

impl Input<'_> {
    /// Does a pointer point into one object, of which there is one?
    pub fn is_in_one(&self, pointer: &CExpr) -> bool {
        match self.points_to.targets(pointer)[..] {
            [Pointee::Var(var)] => match self.unit.vars[var.index()].lifetime {
                Lifetime::Static => true,
                Lifetime::Thread => false,
                Lifetime::Local(_) => !self.has_life(var) && self.options.bounds.recursion < 2,
            },
            _ => false,
        }
    }

    /// Is it a constant so small that a pointer stays near its object?
    pub fn is_small(&self, index: &CExpr) -> bool {
        let small = -MAX_NEAR_ELEMENTS..=MAX_NEAR_ELEMENTS;
        matches!(*index.kind, ExprKind::Const(index) if small.contains(&index))
    }

    /// May one of two pointers be the end of an object, and the other point to another?
    pub fn may_be_ends(&self, left: &CExpr, right: &CExpr) -> bool {
        let moved = |expr: &CExpr| {
            let targets = self.points_to.targets(expr);
            targets.iter().any(|object| self.summaries.moved().contains(object))
        };
        let is_one =
            self.is_in_one(left) && self.points_to.targets(left) == self.points_to.targets(right);
        !is_one && (moved(left) || moved(right))
    }
}

impl Observations<'_, '_> {
    /// Asks before a pointer to one of these objects is moved by so many elements of `size` bytes.
    pub(super) fn observe_distance(
        &mut self,
        objects: &[ObjectId],
        (index, ty): (&Expr, Type),
        size: u64,
    ) {
        let reach = self.objects.reach();
        let is_large = |id: &ObjectId| self.objects.get(*id).outline.size > reach;
        let kind = match objects.iter().any(is_large) {
            true => too_far(),
            false => LocKind::Undefined(Undefined::OutOfBounds),
        };
        self.observe_step(objects, (index, ty), size, kind);
    }

    /// Asks before a number that may be an address of one of these objects is changed by another: numbers may be changed to anything.
    pub(super) fn observe_change(&mut self, objects: &[ObjectId], number: (&Expr, Type)) {
        self.observe_step(objects, number, 1, too_far());
    }

    fn observe_step(
        &mut self,
        objects: &[ObjectId],
        (index, ty): (&Expr, Type),
        size: u64,
        kind: LocKind,
    ) {
        if self.objects.is_only(objects) || size == 0 {
            return;
        }
        let most = i128::from(self.objects.reach() / size);
        let near = is_near(index, ty, most, self.input.pointer_type());
        self.t.require_or(near, kind);
    }

    /// Asks that an address that was moved, and is kept, is still nearest to the same object.
    pub(super) fn observe_move(
        &mut self,
        objects: &[ObjectId],
        (old, new): (&Expr, &Expr),
        kind: LocKind,
    ) {
        if !self.objects.is_dense() || self.objects.is_only(objects) || old == new {
            return;
        }
        let ty = self.input.pointer_type();
        let (mut somewhere, mut together) = (Expr::FALSE, Expr::FALSE);
        for id in objects {
            let (near, stays) = self.objects.are_near_one(*id, old, new, ty);
            together = Expr::or(together, Expr::and(near.clone(), stays));
            somewhere = Expr::or(somewhere, near);
        }
        self.t.require_or(Expr::or(Expr::negate(somewhere), together), kind);
    }

    /// The same of a pointer, which must not leave its object.
    pub(super) fn observe_pointer(&mut self, objects: &[ObjectId], old: &Expr, new: &Expr) {
        self.observe_move(objects, (old, new), LocKind::Undefined(Undefined::OutOfBounds));
    }

    /// The objects that a place may be a part of.
    pub(super) fn objects_around(&mut self, place: &Place) -> Vec<ObjectId> {
        match &place.kind {
            PlaceKind::Var(var) => {
                let object = self.resolver().object_of(*var).ok();
                object.iter().flat_map(|id| self.objects.places(*id)).collect()
            }
            PlaceKind::Field(inner, _) | PlaceKind::Index(inner, ..) => self.objects_around(inner),
            PlaceKind::Deref(pointer) => match &*pointer.kind {
                ExprKind::AddrOf(inner) => self.objects_around(inner),
                _ => self.resolver().pointees(pointer),
            },
            PlaceKind::Temporary(_) => vec![],
        }
    }

    /// Asks that of two values that are compared none is the end of an object and the other the start of another.
    pub(super) fn observe_ends(&mut self, (left, a): (&CExpr, &Expr), (right, b): (&CExpr, &Expr)) {
        let (here, there) = (self.resolver().pointees(left), self.resolver().pointees(right));
        let is_end = |expr: &CExpr| {
            let moved = self.input.summaries.moved();
            self.input.points_to.targets(expr).iter().any(|object| moved.contains(object))
        };
        let (left_moves, right_moves) = (is_end(left), is_end(right));
        let (mut meet, pointer) = (Expr::FALSE, self.input.pointer_type());
        if left_moves {
            meet = Expr::or(meet, self.objects.meet((&here, a), (&there, b), pointer));
        }
        if right_moves {
            meet = Expr::or(meet, self.objects.meet((&there, b), (&here, a), pointer));
        }
        self.t.require_supported(Expr::negate(meet), "whether an object lies right behind another");
    }
}

impl Objects {
    /// Is there but one object, or none?
    fn is_only(&self, objects: &[ObjectId]) -> bool {
        objects.iter().map(|id| self.get(*id).copy_count()).sum::<u64>() < 2
    }

    /// Is one address the end of one of these objects, and the other the start of another?
    fn meet(
        &self,
        (ends, a): (&[ObjectId], &Expr),
        (starts, b): (&[ObjectId], &Expr),
        pointer: Type,
    ) -> Expr {
        let mut meet = Expr::FALSE;
        for id in ends {
            let object = self.get(*id);
            let is_other = |other: &&ObjectId| *other != id || object.copy_count() > 1;
            let starts = starts.iter().filter(is_other);
            let start = starts.map(|other| self.start_of(*other, b, pointer).0);
            let Some(start) = start.reduce(Expr::or) else { continue };
            meet = Expr::or(meet, Expr::and(self.end_of(*id, a, pointer), start));
        }
        meet
    }
}

/// What ends where an address is moved further than the model can follow.
pub fn too_far() -> LocKind {
    LocKind::Limit(Limit::Unsupported, "so large a distance between pointers".to_string())
}

/// Is an index at most so far from zero, also where it is counted down from the largest number?
fn is_near(index: &Expr, ty: Type, most: i128, pointer: Type) -> Expr {
    let compare = |op, a: Expr, b: Expr| fold::binary(op, ty, a, b);
    let constant = |value: i128| Expr::Const(value, ty);
    let Some((lowest, highest)) = ty.bounds() else { return Expr::TRUE };
    let below = match highest <= most {
        true => Expr::TRUE,
        false => compare(BinOp::Le, index.clone(), constant(most)),
    };
    match ty {
        // Numbers as wide as an address wrap around with it.
        Type::Bits { width, signed: false } if width >= super::alternative::width(pointer) => {
            let from_top = compare(BinOp::Le, constant(highest - most), index.clone());
            Expr::or(below, from_top)
        }
        _ if lowest >= -most => below,
        _ => Expr::and(below, compare(BinOp::Le, constant(-most), index.clone())),
    }
}

/// The pointers by which something is accessed there and then.
pub fn accessed(unit: &Unit, points_to: &PointsTo) -> BTreeSet<*const ExprKind> {
    moves(unit, points_to).accessed
}

/// The objects into which the program computes pointers, other than for an access there and then.
pub fn moved(unit: &Unit, points_to: &PointsTo) -> BTreeSet<Pointee> {
    moves(unit, points_to).objects
}

fn moves<'a>(unit: &'a Unit, points_to: &'a PointsTo) -> Moves<'a> {
    let mut moves = Moves { unit, points_to, accessed: BTreeSet::new(), objects: BTreeSet::new() };
    for function in &unit.functions {
        walk(function.body.as_deref().unwrap_or_default(), &mut |event| moves.see(&event));
    }
    for var in &unit.vars {
        walk_entries(var.init.as_deref().unwrap_or_default(), &mut |event| moves.see(&event));
    }
    moves
}

struct Moves<'a> {
    unit: &'a Unit,
    points_to: &'a PointsTo,
    /// Pointers by which something is accessed where they are computed.
    accessed: BTreeSet<*const ExprKind>,
    objects: BTreeSet<Pointee>,
}

impl Moves<'_> {
    fn see(&mut self, event: &Event) {
        let Event::Expr(expr) = event else { return };
        let types = &self.unit.types;
        match &*expr.kind {
            ExprKind::Load(place) | ExprKind::Assign(place, _) => self.access(place),
            ExprKind::AssignOp { place, .. } => {
                self.access(place);
                self.note(expr);
            }
            ExprKind::AddrOf(place) => match &place.kind {
                PlaceKind::Index(array, index, _) => {
                    self.access(array);
                    if !is_element(types, array, index) {
                        self.note(expr);
                    }
                }
                PlaceKind::Field(..) => self.access(place),
                _ => {}
            },
            ExprKind::PtrAdd(..) if !self.accessed.contains(&std::ptr::from_ref(&*expr.kind)) => {
                self.note(expr);
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => self.note(expr),
            _ => {}
        }
    }

    /// The pointers in a place that is accessed.
    fn access(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Deref(pointer) => {
                self.accessed.insert(std::ptr::from_ref(&*pointer.kind));
            }
            PlaceKind::Field(inner, _) | PlaceKind::Index(inner, ..) => self.access(inner),
            PlaceKind::Var(_) | PlaceKind::Temporary(_) => {}
        }
    }

    /// The value of an expression was computed from an address, if it is one.
    fn note(&mut self, expr: &CExpr) {
        let types = &self.unit.types;
        if types.size_of(expr.ty) == Some(types.pointer_size()) {
            self.objects.extend(self.points_to.targets(expr));
        }
    }
}

/// Is it an element of the array, and not its end?
fn is_element(types: &Types, array: &Place, index: &CExpr) -> bool {
    match (types.get(types.unatomic(array.ty)), &*index.kind) {
        (CType::Array(_, Some(count)), ExprKind::Const(index)) => {
            (0..i128::from(*count)).contains(index)
        }
        _ => false,
    }
}
