//! What a program can see of where its objects lie.
//!
//! The model has one layout; a compiler has another one in every version. Equality with other
//! addresses and with null, distances within one object and the bits below the alignment are the same
//! in all of them. To order or subtract pointers into different objects is undefined (C11 6.5.6, 9;
//! 6.5.8, 5). Objects lie so far from each other that being right behind one is being in no other (`distance`). Freed memory may come back from any later allocation; the model gives it back to those of
//! its own kind, so that a comparison that would show another one is a model limit; so is one of string literals that may share their bytes, and one of a local with one that is gone. The bytes of an address are looked after in `fragment`. Whatever else is computed from the number of an address would be an answer about our
//! layout: it is a model limit, at its place, if the number is one when it is reached.
//!
//! Integers carry addresses as far as `points_to` says so.

use super::build::TemplateBuilder;
use super::heap::{Allocation, GONE, LIVE, Life};
use super::input::Input;
use super::locate::INDEX;
use super::objects::{FIRST_FUNCTION, Key, MIN_ADDRESS, ObjectId, Objects};
use super::{Observations, distance, fold};
use crate::hir::{BinaryOp, Expr as CExpr, ExprKind, Lifetime, VarId};
use crate::points_to::{self, Pointee};
use ccfa::{BinOp, Expr, Limit, LocKind, Type, Undefined, VarRef};

/// The alignment that every object has in the model, if its type asks for no less.
const MODEL_ALIGNMENT: u64 = 16;
/// Numbers that functions have as addresses.
const FUNCTION_NUMBERS: i128 = 1 << 16;

/// What an operator sees of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Nothing that depends on the layout.
    Nothing,
    /// The order or the distance of two.
    Order,
    /// Whether two are the same.
    Equality,
    /// Whether they are equal, where string literals may or may not be one object.
    Strings,
    /// How far one is moved.
    Distance,
    /// The number.
    Number,
}

impl Input<'_> {
    /// What `left op right` sees of addresses.
    pub fn look(&self, op: BinaryOp, left: &CExpr, right: &CExpr) -> Look {
        if !self.may_carry_an_address(left) && !self.may_carry_an_address(right) {
            return Look::Nothing;
        }
        let (l, r) = (self.may_be_an_address(left), self.may_be_an_address(right));
        match op {
            _ if !l && !r => Look::Nothing,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                if is_zero(left) || is_zero(right) { Look::Nothing } else { Look::Order }
            }
            BinaryOp::Sub if l && r => Look::Order,
            BinaryOp::Sub if l => Look::Distance,
            BinaryOp::Add if l != r => Look::Distance,
            BinaryOp::Eq | BinaryOp::Ne if l && r && self.may_be_one_string(left, right) => {
                Look::Strings
            }
            BinaryOp::Eq | BinaryOp::Ne
                if l && r
                    && (self.has_recycled_memory()
                        || self.may_be_ends(left, right)
                        || self.may_be_dead(left)
                        || self.may_be_dead(right)) =>
            {
                Look::Equality
            }
            BinaryOp::Eq | BinaryOp::Ne if !self.is_some_number(left, right) => Look::Nothing,
            _ => Look::Number,
        }
    }

    /// May two pointers point to string literals that a compiler may or may not put into one object (C11 6.4.5, 7)?
    fn may_be_one_string(&self, left: &CExpr, right: &CExpr) -> bool {
        let strings = |expr: &CExpr| -> Vec<VarId> {
            let string = |target| match target {
                Pointee::Var(var) if self.unit.is_string(var) => Some(var),
                _ => None,
            };
            self.points_to.targets(expr).into_iter().filter_map(string).collect()
        };
        let (left, right) = (strings(left), strings(right));
        let may_be_one = |a: VarId, b: VarId| match a == b {
            true => self.unit.repeated_strings.contains(&a),
            false => can_overlap(&self.unit.text(a), &self.unit.text(b)),
        };
        left.iter().any(|a| right.iter().any(|b| may_be_one(*a, *b)))
    }

    /// May memory come back from an allocation that is not of its kind?
    fn has_recycled_memory(&self) -> bool {
        let known = || self.facts.heap.values();
        let foreign = |freed: &Allocation| known().any(|new| may_be_foreign(freed, new));
        known().any(|freed| freed.freed && foreign(freed))
    }

    /// May a pointer point to a local that is gone?
    fn may_be_dead(&self, pointer: &CExpr) -> bool {
        let targets = self.points_to.targets(pointer);
        targets.iter().any(|target| matches!(target, Pointee::Var(var) if self.has_life(*var)))
    }

    /// Is one of them a constant that may be an address in some layout?
    fn is_some_number(&self, left: &CExpr, right: &CExpr) -> bool {
        let number = |expr: &CExpr| match self.constant(None, expr) {
            Some(value) => {
                let value = self.pointer_type().wrap(value);
                let from_top = self.pointer_type().wrap(-value);
                (MIN_ADDRESS..).contains(&value) && (MIN_ADDRESS..).contains(&from_top)
            }
            None => false,
        };
        number(left) || number(right)
    }

    /// May the value of an expression be an address?
    pub fn may_be_an_address(&self, expr: &CExpr) -> bool {
        self.may_carry_an_address(expr) && !self.points_to.targets(expr).is_empty()
    }

    /// Is it a pointer, or as wide as one in a program that has addresses as integers?
    fn may_carry_an_address(&self, expr: &CExpr) -> bool {
        let types = &self.unit.types;
        let is_wide = || types.size_of(expr.ty) == Some(types.pointer_size());
        types.is_pointer(types.unatomic(expr.ty))
            || self.points_to.has_addresses_as_integers() && is_wide()
    }
}

/// May what one allocation has freed come back from another one, though the model gives it another
/// address?
fn may_be_foreign(freed: &Allocation, new: &Allocation) -> bool {
    freed.life == Life::Heap && new.life == Life::Heap && (new.moves || !freed.is_like(new))
}

/// Can two texts lie in memory so that they share bytes?
fn can_overlap(a: &[i128], b: &[i128]) -> bool {
    let shares = |a: &[i128], b: &[i128]| {
        (0..a.len()).any(|shift| a[shift..].iter().zip(b).all(|(one, other)| one == other))
    };
    shares(a, b) || shares(b, a)
}

fn is_zero(expr: &CExpr) -> bool {
    match &*expr.kind {
        ExprKind::Cast(inner) => is_zero(inner),
        kind => matches!(kind, ExprKind::Const(0)),
    }
}

impl Observations<'_, '_> {
    /// Asks before `left op right`, with these values, that the result is the same in every layout.
    pub(super) fn observe(
        &mut self,
        op: BinaryOp,
        (left, a): (&CExpr, &Expr),
        (right, b): (&CExpr, &Expr),
    ) {
        self.observe_ids(op, left, right);
        match self.input.look(op, left, right) {
            Look::Nothing => {}
            Look::Order => self.observe_order((left, a), (right, b)),
            Look::Equality => {
                let (here, there) =
                    (self.resolver().pointees(left), self.resolver().pointees(right));
                let (a, b) = (&self.as_address(left, a), &self.as_address(right, b));
                if self.input.has_recycled_memory() {
                    self.observe_freed((&here, a), (&there, b));
                    self.observe_freed((&there, b), (&here, a));
                }
                self.observe_dead((&here, a), (&there, b));
                self.observe_dead((&there, b), (&here, a));
                self.observe_ends((left, a), (right, b));
            }
            Look::Strings => self.t.unsupported("whether string literals are one object"),
            Look::Distance => self.observe_number_added(op, (left, a), (right, b)),
            Look::Number => {
                if !self.is_about_alignment(op, (left, a), (right, b)) {
                    self.observe_number(left, a);
                    self.observe_number(right, b);
                }
            }
        }
    }

    /// Asks that a number by which an address is moved is not too large.
    fn observe_number_added(
        &mut self,
        op: BinaryOp,
        (left, a): (&CExpr, &Expr),
        (right, b): (&CExpr, &Expr),
    ) {
        let types = &self.input.unit.types;
        if types.is_pointer(types.unatomic(left.ty)) {
            return;
        }
        let (address, number, old, value) = match self.input.may_be_an_address(left) {
            true => (left, right, a, b),
            false => (right, left, b, a),
        };
        let ty = self.input.int_type(number);
        let objects = self.resolver().pointees(address);
        self.observe_change(&objects, (value, ty));
        let pointer = self.input.pointer_type();
        let (old, value) = (self.as_address(address, old), fold::cast(pointer, ty, value.clone()));
        let op = if op == BinaryOp::Sub { BinOp::Sub } else { BinOp::Add };
        let new = fold::binary(op, pointer, old.clone(), value);
        self.observe_move(&objects, (&old, &new), distance::too_far());
    }

    /// Asks that a value is no address.
    pub(super) fn observe_number(&mut self, expr: &CExpr, value: &Expr) {
        if self.input.may_be_an_address(expr) {
            let value = self.as_address(expr, value);
            let is_address = self.is_address(expr, &value);
            let what = "what is computed from the number of an address".to_string();
            let limit = LocKind::Limit(Limit::Unsupported, what);
            self.t.require_or(Expr::negate(is_address), limit);
        }
    }

    /// Asks that two values are addresses in one object, or none.
    pub(super) fn observe_order(
        &mut self,
        (left, a): (&CExpr, &Expr),
        (right, b): (&CExpr, &Expr),
    ) {
        let mut objects = self.resolver().pointees(left);
        objects.extend(self.resolver().pointees(right));
        objects.sort();
        objects.dedup();
        let is_pointer = self.input.unit.types.is_pointer(self.input.unit.types.unatomic(left.ty));
        let is_only = objects.len() == 1 && self.objects.get(objects[0]).copies.is_none();
        if objects.is_empty() || is_pointer && is_only {
            return;
        }
        let (a, b) = (&self.as_address(left, a), &self.as_address(right, b));
        let pointer = self.input.pointer_type();
        let same = |id: &ObjectId| self.objects.are_in_one(*id, a, b, pointer);
        let together = objects.iter().map(same).reduce(Expr::or).unwrap_or(Expr::TRUE);
        if is_pointer {
            return self.t.require(together, Undefined::UnrelatedPointers);
        }
        let (one, other) = (
            self.objects.is_in_any(&objects, a, pointer),
            self.objects.is_in_any(&objects, b, pointer),
        );
        let neither = Expr::negate(Expr::or(one, other));
        self.t.require_supported(
            Expr::or(together, neither),
            "the order of addresses of different objects",
        );
    }

    /// Asks that one value is no address of freed memory that the other may have got: the model
    /// gives back memory only to allocations of its own kind.
    fn observe_freed(&mut self, (freed, a): (&[ObjectId], &Expr), (new, b): (&[ObjectId], &Expr)) {
        let (mut seen, pointer) = (Expr::FALSE, self.input.pointer_type());
        for id in freed {
            let Some(known) =
                self.input.allocation(self.objects.site(*id)).filter(|known| known.freed)
            else {
                continue;
            };
            let is_foreign = |other: &&ObjectId| {
                self.input
                    .allocation(self.objects.site(**other))
                    .is_some_and(|new| may_be_foreign(known, new))
            };
            let foreign: Vec<ObjectId> = new.iter().filter(is_foreign).copied().collect();
            let is_new = self.objects.is_in_any(&foreign, b, pointer);
            seen = Expr::or(seen, Expr::and(self.objects.is_gone(*id, a, pointer), is_new));
        }
        self.t
            .require_supported(Expr::negate(seen), "a comparison with the address of freed memory");
    }

    /// Asks that one value is no address of a local that is gone if the other is that of a local: their memory may be the same, and the model gives
    /// each an address of its own.
    fn observe_dead(&mut self, (gone, a): (&[ObjectId], &Expr), (other, b): (&[ObjectId], &Expr)) {
        let is_automatic = |id: &ObjectId| match self.objects.key(*id) {
            Some(Key::Local(..)) => true,
            Some(Key::Global(var)) => {
                self.input.unit.vars[var.index()].lifetime == Lifetime::Thread
            }
            _ => self.objects.get(*id).is_automatic,
        };
        let locals: Vec<ObjectId> = other.iter().copied().filter(is_automatic).collect();
        let gone: Vec<ObjectId> = gone.iter().copied().filter(is_automatic).collect();
        let (mut seen, pointer) = (Expr::FALSE, self.input.pointer_type());
        for id in gone {
            let dead = self.objects.is_dead(self.t, id, a, pointer);
            seen = Expr::or(seen, Expr::and(dead, self.objects.is_in_any(&locals, b, pointer)));
        }
        let differ = Expr::negate(fold::binary(BinOp::Eq, pointer, a.clone(), b.clone()));
        let seen = Expr::and(seen, differ);
        self.t.require_supported(
            Expr::negate(seen),
            "a comparison with the address of an object whose lifetime has ended",
        );
    }

    /// A value as the number of an address.
    fn as_address(&self, expr: &CExpr, value: &Expr) -> Expr {
        let pointer = self.input.pointer_type();
        fold::cast(pointer, self.input.scalar_type(expr.ty).unwrap_or(pointer), value.clone())
    }

    /// Does a mask meet only bits below the alignment of everything that the other side points to?
    fn is_about_alignment(
        &mut self,
        op: BinaryOp,
        (left, a): (&CExpr, &Expr),
        (right, b): (&CExpr, &Expr),
    ) -> bool {
        let (address, mask) = match (a, b) {
            (_, Expr::Const(mask, _)) => (left, *mask),
            (Expr::Const(mask, _), _) => (right, *mask),
            _ => return false,
        };
        let mask = self.input.pointer_type().wrap(mask);
        let rest = self.input.pointer_type().wrap(-1 - mask);
        let bits = match op {
            BinaryOp::BitAnd => mask.min(rest),
            BinaryOp::BitOr | BinaryOp::BitXor => mask,
            _ => return false,
        };
        let objects = self.resolver().pointees(address);
        let alignment = objects.iter().map(|id| self.alignment(*id)).min();
        bits < i128::from(alignment.unwrap_or(1))
    }

    /// What the address of an object is a multiple of, in every layout.
    fn alignment(&self, id: ObjectId) -> u64 {
        if self.objects.site(id).is_some() {
            return MODEL_ALIGNMENT;
        }
        let ty = self.objects.get(id).outline.ty;
        let natural = ty.map_or(1, |ty| self.input.unit.types.align_of(ty));
        natural.min(MODEL_ALIGNMENT)
    }
}

impl Observations<'_, '_> {
    /// Is a value the address of something that the expression may point to?
    fn is_address(&mut self, expr: &CExpr, value: &Expr) -> Expr {
        let objects = self.resolver().pointees(expr);
        let is_function =
            |object: &points_to::Pointee| matches!(object, points_to::Pointee::Function(_));
        let has_functions = self.input.points_to.targets(expr).iter().any(is_function);
        self.objects.is_address_of(&objects, has_functions, value, self.input.pointer_type())
    }
}

impl Objects {
    /// Is a value the address of one of these objects, or of a function?
    pub fn is_address_of(
        &self,
        objects: &[ObjectId],
        has_functions: bool,
        value: &Expr,
        ty: Type,
    ) -> Expr {
        let in_object = self.is_in_any(objects, value, ty);
        if !has_functions {
            return in_object;
        }
        let first = Expr::Const(i128::from(FIRST_FUNCTION), ty);
        let number = fold::binary(BinOp::Sub, ty, value.clone(), first);
        let numbers = Expr::Const(FUNCTION_NUMBERS, ty);
        Expr::or(in_object, fold::binary(BinOp::Lt, ty, number, numbers))
    }

    fn is_in_any(&self, objects: &[ObjectId], value: &Expr, ty: Type) -> Expr {
        let ways = objects.iter().map(|id| self.offset_in(*id, value, ty).1);
        ways.reduce(Expr::or).unwrap_or(Expr::FALSE)
    }

    /// Is an address in a copy of an object that is not alive?
    fn is_dead(&self, t: &mut TemplateBuilder, id: ObjectId, address: &Expr, ty: Type) -> Expr {
        let (offset, inside) = self.offset_in(id, address, ty);
        let copy = self.get(id).copies.map(|copies| {
            let stride = Expr::Const(i128::from(copies.stride), ty);
            fold::cast(INDEX, ty, fold::binary(BinOp::Div, ty, offset, stride))
        });
        let alive = self.live_condition(t, id, copy);
        Expr::and(inside, Expr::negate(alive))
    }

    /// Is an address in a copy of an allocated object that was freed?
    fn is_gone(&self, id: ObjectId, address: &Expr, ty: Type) -> Expr {
        let object = self.get(id);
        let (Some(live), Some(copies)) = (object.live, object.copies) else { return Expr::FALSE };
        let (offset, inside) = self.offset_in(id, address, ty);
        let stride = Expr::Const(i128::from(copies.stride), ty);
        let copy = fold::cast(INDEX, ty, fold::binary(BinOp::Div, ty, offset, stride));
        let state = Expr::Index(VarRef::Shared(live), Box::new(copy));
        Expr::and(inside, Expr::eq(state, Expr::Const(GONE, LIVE)))
    }

    /// Are two addresses in one copy of an object, or right behind it?
    fn are_in_one(&self, id: ObjectId, a: &Expr, b: &Expr, ty: Type) -> Expr {
        let ((first, a), (second, b)) = (self.offset_in(id, a, ty), self.offset_in(id, b, ty));
        let both = Expr::and(a, b);
        let Some(copies) = self.get(id).copies else { return both };
        let stride = Expr::Const(i128::from(copies.stride), ty);
        let copy = |offset: Expr| fold::binary(BinOp::Div, ty, offset, stride.clone());
        Expr::and(both, fold::binary(BinOp::Eq, ty, copy(first), copy(second)))
    }

    /// How far an address is from the first copy of an object, and whether it is in any.
    fn offset_in(&self, id: ObjectId, address: &Expr, ty: Type) -> (Expr, Expr) {
        let object = self.get(id);
        let base = Expr::Const(i128::from(object.base), ty);
        let offset = fold::binary(BinOp::Sub, ty, address.clone(), base);
        let span = match object.copies {
            Some(copies) => copies.stride * copies.count,
            None => object.outline.size + 1,
        };
        let span = Expr::Const(i128::from(span), ty);
        (offset.clone(), fold::binary(BinOp::Lt, ty, offset, span))
    }
}
