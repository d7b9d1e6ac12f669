//! From lvalues to targets: a known spot in an object, or an address.

use super::cells::Group;
use super::heap::Site;
use super::input::Input;
use super::locate::INDEX;
use super::objects::{Key, ObjectId, Objects};
use super::{Lowerer, Memory, Resolver, fold};
use crate::hir::{Expr as CExpr, ExprKind, Lifetime, Place, PlaceKind, TypeId, VarId};
use crate::points_to;
use ccfa::{BinOp, Expr, FailedOperation, Type, Undefined};

/// Where an access goes.
#[derive(Clone, Debug)]
pub enum Target {
    /// A spot in a known object.
    Spot(Spot),
    /// Wherever this number points: one of these objects.
    Address { value: Expr, objects: Vec<ObjectId>, shape: Option<Shape> },
    /// Not modelled; its limit is already there.
    Nowhere,
}

/// What a pointer claims to point to, and how far behind its start we are.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub ty: TypeId,
    pub offset: u64,
}

/// A spot in a known object.
#[derive(Clone, Debug)]
pub struct Spot {
    pub object: ObjectId,
    pub copy: Option<Expr>,
    /// Constant part of the offset in bytes.
    pub offset: u64,
    /// Variable parts.
    pub terms: Vec<Term>,
}

impl Spot {
    /// Where an object without copies begins.
    pub fn start(object: ObjectId) -> Spot {
        Spot { object, copy: None, offset: 0, terms: vec![] }
    }
}

/// A variable index into an array.
#[derive(Clone, Debug)]
pub struct Term {
    pub index: Expr,
    pub ty: Type,
    pub stride: u64,
    pub count: u64,
}

impl Term {
    /// Is it the index of an element?
    pub fn is_in_bounds(&self) -> Expr {
        let low = match self.ty {
            Type::Bits { signed: false, .. } => Expr::TRUE,
            ty => fold::binary(BinOp::Le, ty, Expr::Const(0, ty), self.index.clone()),
        };
        let count = i128::from(self.count);
        let high = match self.ty.contains(count) {
            true => {
                let count = Expr::Const(count, self.ty);
                fold::binary(BinOp::Lt, self.ty, self.index.clone(), count)
            }
            false => Expr::TRUE,
        };
        Expr::and(low, high)
    }
}

impl Spot {
    /// The index of a cell, of which the number at the constant part of the offset is known.
    pub fn index_of(&self, group: &Group, number: u64) -> Option<Expr> {
        let mut index = Expr::Const(i128::from(number), INDEX);
        for term in &self.terms {
            let cells = Expr::Const(i128::from(group.cells_per(term.stride)?), INDEX);
            let step = fold::cast(INDEX, term.ty, term.index.clone());
            let offset = fold::binary(BinOp::Mul, INDEX, step, cells);
            index = match index {
                Expr::Const(0, _) => offset,
                index => fold::binary(BinOp::Add, INDEX, index, offset),
            };
        }
        Some(index)
    }
}

impl Lowerer<'_> {
    /// The target of an lvalue, after evaluating what it contains.
    pub(super) fn target(&mut self, place: &Place) -> Target {
        match &place.kind {
            PlaceKind::Var(var) => self.memory().variable(*var),
            PlaceKind::Deref(pointer) => match &*pointer.kind {
                ExprKind::AddrOf(inner) => self.target(inner),
                _ => self.dereference(pointer),
            },
            PlaceKind::Field(inner, offset) => {
                let target = self.target(inner);
                target.at_offset(*offset, self.input.pointer_type())
            }
            PlaceKind::Index(inner, index, size) => self.element(inner, index, *size),
            PlaceKind::Temporary(value) => {
                let Ok(object) = self.objects.temporary(&self.input.unit.types, "tmp", value.ty)
                else {
                    self.t.unsupported("this temporary record");
                    return Target::Nowhere;
                };
                let spot = Target::Spot(Spot::start(object));
                self.record_into(value, &spot);
                spot
            }
        }
    }

    fn dereference(&mut self, pointer: &CExpr) -> Target {
        let value = self.expr(pointer);
        let objects = match value {
            Expr::Const(address, _) => match self.objects.spot_at(address as u64) {
                Some(spot) if self.objects.get(spot.object).is_plain() => {
                    return Target::Spot(spot);
                }
                Some(spot) => vec![spot.object],
                None => self.objects.beside(address as u64).into_iter().collect(),
            },
            _ => self.resolver().pointees(pointer),
        };
        let shape = self.input.unit.types.pointee(pointer.ty).map(|ty| Shape { ty, offset: 0 });
        Target::Address { value, objects, shape }
    }

    fn element(&mut self, array: &Place, index: &CExpr, size: u64) -> Target {
        let count = match self.input.unit.types.get(self.input.unit.types.unatomic(array.ty)) {
            crate::hir::Type::Array(_, count) => count.unwrap_or(0),
            _ => 0,
        };
        let target = self.target(array);
        let Some(ty) = self.input.scalar_type(index.ty) else {
            self.t.unsupported("an index that is not an integer");
            return Target::Nowhere;
        };
        self.observations().observe_index(index);
        let index = self.expr(index);
        match (target, index) {
            (Target::Spot(mut spot), Expr::Const(index, _)) if count > 0 => {
                if !(0..i128::from(count)).contains(&index) {
                    let name = self.objects.array_name(&spot);
                    let index = Expr::Const(index, ty);
                    self.t.operands = Some(FailedOperation::Index(index, count, name));
                    self.t.undefined(Undefined::IndexOutOfBounds);
                    self.t.operands = None;
                    return Target::Nowhere;
                }
                spot.offset += index as u64 * size;
                Target::Spot(spot)
            }
            (Target::Spot(mut spot), index) if count > 0 => {
                spot.terms.push(Term { index, ty, stride: size, count });
                Target::Spot(spot)
            }
            // Only its address is known. What is last in a record may be larger than its type says.
            (target @ (Target::Spot(_) | Target::Address { .. }), index) => {
                let objects = match &target {
                    Target::Spot(spot) => self.objects.places(spot.object).collect(),
                    Target::Address { objects, .. } => objects.clone(),
                    Target::Nowhere => vec![],
                };
                if count > 0 && !self.input.is_last_member(array) {
                    let term = Term { index: index.clone(), ty, stride: size, count };
                    let operands = FailedOperation::Index(index.clone(), count, None);
                    let is_in_bounds = term.is_in_bounds();
                    self.t.require_of(operands, is_in_bounds, Undefined::IndexOutOfBounds);
                }
                self.observations().observe_distance(&objects, (&index, ty), size);
                let Some(base) = self.memory().address_of(&target) else { return Target::Nowhere };
                let value = self.input.scaled(base, index, ty, size);
                Target::Address { value, objects, shape: None }
            }
            (Target::Nowhere, _) => Target::Nowhere,
        }
    }
}

impl Target {
    /// The objects that it may be in.
    pub fn objects(&self) -> &[ObjectId] {
        match self {
            Target::Spot(spot) => std::slice::from_ref(&spot.object),
            Target::Address { objects, .. } => objects,
            Target::Nowhere => &[],
        }
    }

    /// The outermost record that the place at this target is a member of, and its start.
    pub fn record_around(
        &self,
        place: &Place,
        pointer: Type,
    ) -> Result<Option<(TypeId, Target)>, String> {
        let (mut start, mut place, mut found) = (self.clone(), place, None);
        loop {
            place = match &place.kind {
                PlaceKind::Field(record, offset) => {
                    start = start.before(*offset, pointer);
                    found = Some((record.ty, start.clone()));
                    record
                }
                PlaceKind::Index(array, index, size) => {
                    match (&mut start, &*index.kind) {
                        (_, ExprKind::Const(index)) => {
                            start = start.before((*index as u64).wrapping_mul(*size), pointer);
                        }
                        (Target::Spot(spot), _) => {
                            spot.terms.pop();
                        }
                        // All that follows would be lost without the index.
                        _ if is_in_record(array) => {
                            return Err("an array in a record whose padding is looked at".into());
                        }
                        _ => return Ok(found),
                    }
                    array
                }
                _ => return Ok(found),
            }
        }
    }

    /// The target so many bytes before.
    fn before(self, offset: u64, pointer: Type) -> Target {
        match self {
            Target::Spot(spot) => Target::Spot(Spot { offset: spot.offset - offset, ..spot }),
            Target::Address { value, objects, .. } => {
                let distance = Expr::constant(i128::from(offset), pointer);
                let value = fold::binary(BinOp::Sub, pointer, value, distance);
                Target::Address { value, objects, shape: None }
            }
            Target::Nowhere => Target::Nowhere,
        }
    }

    /// The target so many bytes further on; addresses are numbers of type `pointer`.
    pub fn at_offset(self, offset: u64, pointer: Type) -> Target {
        match self {
            Target::Spot(mut spot) => {
                spot.offset += offset;
                Target::Spot(spot)
            }
            Target::Address { value, objects, shape } => {
                let distance = Expr::Const(i128::from(offset), pointer);
                let value = fold::binary(BinOp::Add, pointer, value, distance);
                let shape = shape.map(|shape| Shape { offset: shape.offset + offset, ..shape });
                Target::Address { value, objects, shape }
            }
            Target::Nowhere => Target::Nowhere,
        }
    }
}

impl Input<'_> {
    /// Is an array the last member of a record? Programs use such as arrays without a fixed size, and gcc knows.
    fn is_last_member(&self, array: &Place) -> bool {
        let PlaceKind::Field(record, offset) = &array.kind else { return false };
        let types = &self.unit.types;
        let layout = types.as_record(types.unatomic(record.ty));
        let layout = layout.and_then(|record| types.record(record).layout.as_ref());
        layout.is_some_and(|layout| layout.fields.iter().all(|field| field.offset <= *offset))
    }

    /// Can no other function see what lies there?
    pub fn is_hidden(&self, objects: &Objects, target: &Target) -> bool {
        let Target::Spot(spot) = target else { return false };
        match objects.key(spot.object) {
            None => true,
            Some(Key::Local(var, _)) => !self.points_to.is_address_taken(*var),
            Some(Key::Global(_) | Key::Heap(_)) => false,
        }
    }
}

/// Is a place a member of a record, or in an array that is one?
fn is_in_record(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Field(..) => true,
        PlaceKind::Index(inner, ..) => is_in_record(inner),
        _ => false,
    }
}

impl Memory<'_, '_> {
    fn variable(&mut self, var: VarId) -> Target {
        match self.resolver().object_of(var) {
            Ok(object) => Target::Spot(self.resolver().own_spot(object)),
            Err(what) => {
                self.t.unsupported(what);
                Target::Nowhere
            }
        }
    }

    /// The address of a target.
    pub(super) fn address_of(&mut self, target: &Target) -> Option<Expr> {
        let ty = self.input.pointer_type();
        match target {
            Target::Address { value, .. } => Some(value.clone()),
            Target::Nowhere => None,
            Target::Spot(spot) => {
                let object = self.objects.get(spot.object);
                let stride = object.copies.map_or(0, |copies| copies.stride);
                let start = |base: u64| Expr::Const(i128::from(base + spot.offset), ty);
                let mut address = start(object.base);
                if let Some(second) = object.second_place {
                    let is_there = self.objects.live_condition(self.t, second, spot.copy.clone());
                    address = Expr::ite(is_there, start(self.objects.get(second).base), address);
                }
                if let Some(copy) = &spot.copy {
                    address =
                        self.input.scaled(address, copy.clone(), super::locate::INDEX, stride);
                }
                for term in &spot.terms {
                    address = self.input.scaled(address, term.index.clone(), term.ty, term.stride);
                }
                Some(address)
            }
        }
    }
}

impl Resolver<'_, '_> {
    /// The objects a pointer may point to, as far as the current template sees them.
    pub(super) fn pointees(&mut self, pointer: &CExpr) -> Vec<ObjectId> {
        let mut ids = Vec::new();
        for object in self.input.points_to.targets(pointer) {
            match object {
                points_to::Pointee::Function(_) => {}
                points_to::Pointee::Heap(range) => {
                    let sites = self.input.facts.heap.keys().filter(|site| site.range() == range);
                    let sites: Vec<Site> = sites.cloned().collect();
                    for site in &sites {
                        ids.extend(self.heap_object(site));
                        // Its allocations may get what others have freed.
                        ids.extend(self.reusable(site));
                    }
                }
                points_to::Pointee::Var(var) => match self.input.unit.vars[var.index()].lifetime {
                    Lifetime::Static | Lifetime::Thread => ids.extend(self.object_of(var)),
                    Lifetime::Local(_) => {
                        for level in 0..self.input.options.bounds.recursion {
                            if self.is_visible_local(var, level) {
                                let object = self.local_object_of_others(var, level);
                                ids.extend(object.iter().flat_map(|id| self.objects.places(*id)));
                            }
                        }
                    }
                },
            }
        }
        ids.sort();
        ids.dedup();
        ids
    }

    /// Does the local exist, in this thread or, if it escapes, in any?
    fn is_visible_local(&self, var: VarId, level: u32) -> bool {
        let owners = self.input.facts.owners.get(&(var, level));
        owners.is_some_and(|owners| self.input.escapes(var) || owners.contains(&self.routine))
    }

    /// A local that the current template may not own itself.
    fn local_object_of_others(&mut self, var: VarId, level: u32) -> Option<ObjectId> {
        let owners = self.found.owners.get(&(var, level)).cloned();
        let object = self.local_object(var, level).ok();
        match owners {
            Some(owners) => self.found.owners.insert((var, level), owners),
            None => self.found.owners.remove(&(var, level)),
        };
        object
    }
}
