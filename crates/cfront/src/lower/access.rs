//! Reading and writing cells.
//!
//! A target is a known spot in an object, or an address that may fall into one
//! of several objects. For each way it can hit cells there is an [`Alternative`]
//! with its condition; if none holds, behaviour is undefined and the model ends.
//! Every read of shared memory is a step of its own, and so is every write.

use super::Memory;
use super::alternative::{Alternative, insert_bits};
use super::build::set;
use super::cells::{self, Group};
use super::fold;
use super::locate::{Hit, INDEX, Reached, Region, hit};
use super::manner::Manner;
use super::objects::{self, ObjectId};
use super::place::{Shape, Spot, Target};
use crate::hir::{Place, TypeId};
use ccfa::{Assign, BinOp, Direction, Edge, Expr, LocKind, Type, Undefined, VarRef};

/// With more alternatives than this, only places of the pointer's own type are
/// considered: each alternative is a branch of the access.
const MAX_ALTERNATIVES: usize = 24;

/// Copies of records with more cells than this are not modelled: each cell is an assignment of the step.
const MAX_COPIED_CELLS: u64 = 4096;

impl Memory<'_, '_> {
    /// The value at a target. A shared one is read in a step of its own.
    pub(super) fn read(&mut self, target: &Target, ty: Type, size: u64, manner: Manner) -> Expr {
        let Some(alternatives) = self.alternatives(target, size) else {
            return self.t.arbitrary(ty);
        };
        if let [only] = &alternatives[..]
            && only.condition == Expr::TRUE
            && matches!(only.var, VarRef::Local(_))
        {
            return only.value(ty);
        }
        let temp = self.t.temp(ty);
        let value = |alternative: &Alternative| vec![set(temp, alternative.value(ty))];
        self.branch_access(&alternatives, Direction::Read, manner, value);
        Expr::Var(temp)
    }

    /// Writes a value to a target, in one step.
    pub(super) fn write(
        &mut self,
        target: &Target,
        ty: Type,
        size: u64,
        value: &Expr,
        manner: Manner,
    ) {
        if let Some(mut alternatives) = self.alternatives(target, size) {
            alternatives.retain(|alternative| !alternative.read_only);
            let assigns = |alternative: &Alternative| alternative.write(ty, value);
            self.branch_access(&alternatives, Direction::Write, manner, assigns);
        }
    }

    /// Makes what lies at a target arbitrary, in one step.
    pub(super) fn write_arbitrary(&mut self, target: &Target, size: u64) {
        if let Some(alternatives) = self.alternatives(target, size) {
            let plain = Manner::PLAIN;
            self.branch_access(&alternatives, Direction::Write, plain, Alternative::havoc);
        }
    }

    /// One edge for each alternative, and undefined behaviour if none fits.
    fn branch_access(
        &mut self,
        alternatives: &[Alternative],
        direction: Direction,
        manner: Manner,
        action: impl Fn(&Alternative) -> Vec<Assign>,
    ) {
        let target = self.t.location(LocKind::Plain);
        let lock = self.t.announced(manner);
        for alternative in alternatives {
            let accesses = self.accesses(alternative, direction, manner, lock);
            let (here, condition) = (self.t.here, alternative.condition.clone());
            let edge = Edge::new(here, target, condition, action(alternative));
            self.t.access_edge(Edge { accesses, ..edge });
            self.t.steps += 1;
        }
        let misses =
            alternatives.iter().map(|alternative| Expr::negate(alternative.condition.clone()));
        let none = fold::all(misses.collect());
        if none != Expr::FALSE {
            self.t.end_if(none, LocKind::Undefined(Undefined::InvalidPointer));
        }
        self.t.here = target;
    }

    /// Every way an access of `size` bytes can go. `None` if that is not
    /// modelled (and said so).
    pub(super) fn alternatives(&mut self, target: &Target, size: u64) -> Option<Vec<Alternative>> {
        match target {
            Target::Spot(spot) => self.spot_alternative(spot, size).map(|found| vec![found]),
            Target::Address { value: Expr::Const(address, _), .. } => {
                let address = *address as u64;
                if address & !0xffff == objects::ARGUMENTS {
                    self.t.unsupported("the arguments of the program");
                    return None;
                }
                Some(self.constant_address(address, size))
            }
            Target::Address { value, objects, shape } => {
                let mut within = |shape: Option<Shape>| -> Vec<Alternative> {
                    let ways = |id| self.address_alternatives(value, id, size, shape);
                    objects.iter().copied().flat_map(ways).collect()
                };
                let all = within(None);
                // Characters may be parts of anything.
                let many = all.len() > MAX_ALTERNATIVES && shape.is_some() && size > 1;
                Some(if many { within(*shape) } else { all })
            }
            Target::Nowhere => None,
        }
    }

    fn constant_address(&mut self, address: u64, size: u64) -> Vec<Alternative> {
        let Some((id, copy, offset)) = self.objects.object_at(address) else { return vec![] };
        let copies = self.objects.get(id).copies;
        let copy = copies.map(|_| Expr::Const(i128::from(copy), INDEX));
        let groups = self.objects.get(id).outline.groups.clone();
        let Some(hit) = hit(&groups, offset, size) else { return vec![] };
        let mut found =
            self.at_hit(id, copy.clone(), &groups, hit, Expr::Const(i128::from(hit.index), INDEX));
        let end = Expr::Const(i128::from(offset + size), INDEX);
        let inside = self.objects.extent_condition(id, copy.clone(), end);
        found.condition = Expr::and(self.objects.live_condition(id, copy), inside);
        vec![found]
    }

    /// An alternative for a hit whose cell index within the copy is `index`.
    fn at_hit(
        &mut self,
        id: ObjectId,
        copy: Option<Expr>,
        groups: &[Group],
        hit: Hit,
        index: Expr,
    ) -> Alternative {
        let group = &groups[hit.group];
        let var = self.objects.group_var(self.t, id, hit.group);
        let per_copy = Expr::Const(i128::from(group.len()), INDEX);
        let index = match copy {
            Some(copy) if group.dims.is_empty() => Some(copy),
            Some(copy) => {
                let first = fold::binary(BinOp::Mul, INDEX, copy, per_copy);
                Some(fold::binary(BinOp::Add, INDEX, first, index))
            }
            None => (!group.dims.is_empty()).then_some(index),
        };
        Alternative {
            condition: Expr::TRUE,
            var,
            cell: group.ty,
            index,
            shift: hit.shift,
            bytes: hit.bytes,
            whole: hit.whole,
            read_only: self.objects.get(id).read_only,
            is_own: self.objects.get(id).outline.source.is_none(),
        }
    }

    /// The cells a spot means. Indices are checked here.
    fn spot_alternative(&mut self, spot: &Spot, size: u64) -> Option<Alternative> {
        let groups = self.objects.get(spot.object).outline.groups.clone();
        let Some(hit) = hit(&groups, spot.offset, size) else {
            let what = format!(
                "an access of {size} bytes to a part of `{}`",
                self.objects.get(spot.object).outline.name
            );
            self.t.unsupported(what);
            return None;
        };
        let group = &groups[hit.group];
        let mut index = Expr::Const(i128::from(hit.index), INDEX);
        for term in &spot.terms {
            let low = fold::binary(BinOp::Le, term.ty, Expr::Const(0, term.ty), term.index.clone());
            let count = i128::from(term.count);
            let high = match term.ty.contains(count) {
                true => fold::binary(
                    BinOp::Lt,
                    term.ty,
                    term.index.clone(),
                    Expr::Const(count, term.ty),
                ),
                false => Expr::TRUE,
            };
            let low =
                if matches!(term.ty, Type::Bits { signed: false, .. }) { Expr::TRUE } else { low };
            self.t.require(Expr::and(low, high), Undefined::IndexOutOfBounds);
            let Some(cells) = cells_per(group, term.stride) else {
                self.t.unsupported("an index into differently typed memory");
                return None;
            };
            let number = fold::cast(INDEX, term.ty, term.index.clone());
            let offset =
                fold::binary(BinOp::Mul, INDEX, number, Expr::Const(i128::from(cells), INDEX));
            index = match index {
                Expr::Const(0, _) => offset,
                index => fold::binary(BinOp::Add, INDEX, index, offset),
            };
        }
        Some(self.at_hit(spot.object, spot.copy.clone(), &groups, hit, index))
    }

    /// Every way an address can fall into an object, where the object has a part of the shape.
    fn address_alternatives(
        &mut self,
        address: &Expr,
        id: ObjectId,
        size: u64,
        shape: Option<Shape>,
    ) -> Vec<Alternative> {
        let object = self.objects.get(id).clone();
        // A hit outside the shape is not lost: it is undefined behaviour for wild pointers.
        let starts = shape.zip(object.outline.ty).map(|(shape, ty)| {
            let mut starts = Vec::new();
            cells::starts_of(&self.input.unit.types, ty, shape.ty, shape.offset, &mut starts);
            starts
        });
        let wanted = |group: &Group| match &starts {
            Some(starts) => starts.iter().any(|start| group.extent().contains(start)),
            None => true,
        };
        let region =
            Region { base: object.base, copies: object.copies, groups: &object.outline.groups };
        let pointer = self.input.pointer_type();
        let ways = region.reach(address, pointer, size, wanted);
        let alternative = |Reached { condition, copy, index, hit }| {
            let live = self.objects.live_condition(id, copy.clone());
            let inside = self.objects.address_inside(id, copy.clone(), (address, pointer), size);
            let found = self.at_hit(id, copy, &object.outline.groups, hit, index);
            Alternative { condition: Expr::and(condition, Expr::and(live, inside)), ..found }
        };
        ways.into_iter().map(alternative).collect()
    }

    /// Writes a value of the place's type.
    pub(super) fn store(&mut self, place: &Place, target: &Target, value: Expr) {
        self.store_as(place, target, value, self.input.manner(place));
    }

    pub(super) fn store_as(&mut self, place: &Place, target: &Target, value: Expr, manner: Manner) {
        let Some(ty) = self.input.scalar_type(place.ty) else {
            self.t
                .unsupported(format!("a value of type `{}`", self.input.unit.types.name(place.ty)));
            return;
        };
        let size = self.input.size_of(place.ty);
        match place.bits {
            None => self.write(target, ty, size, &value, manner),
            // Bit-fields share their unit: it is read, changed and written back. In C that is a write.
            Some(bits) => {
                let unit = self.read(target, ty, size, Manner::Internal);
                let unit = insert_bits(bits, ty, unit, value);
                self.write(target, ty, size, &unit, manner);
            }
        }
    }

    /// Copies a record, cell by cell.
    pub(super) fn copy_record(&mut self, ty: TypeId, from: &Target, to: &Target) {
        self.copy_record_as(ty, (from, Manner::PLAIN), (to, Manner::PLAIN));
    }

    /// Copies a record with accesses of these kinds.
    pub(super) fn copy_record_as(
        &mut self,
        ty: TypeId,
        (from, reading): (&Target, Manner),
        (to, writing): (&Target, Manner),
    ) {
        let groups = match cells::flatten(&self.input.unit.types, ty) {
            Ok(groups) => groups,
            Err(what) => return self.t.unsupported(what),
        };
        if groups.iter().map(|group| group.len()).sum::<u64>() > MAX_COPIED_CELLS {
            return self.t.unsupported("a copy of a large record");
        }
        let pointer = self.input.pointer_type();
        for group in &groups {
            for offset in group.offsets() {
                let (source, destination) = (
                    from.clone().at_offset(offset, pointer),
                    to.clone().at_offset(offset, pointer),
                );
                let value = self.read(&source, group.ty, group.size, reading);
                self.write(&destination, group.ty, group.size, &value, writing);
            }
        }
    }
}

/// How many cells of a group one step of an array with this stride passes.
fn cells_per(group: &Group, stride: u64) -> Option<u64> {
    if group.is_bytes() && group.dims.len() == 1 {
        return Some(stride);
    }
    let position = group.dims.iter().position(|dim| dim.stride == stride)?;
    Some(group.dims[position + 1..].iter().map(|dim| dim.count).product())
}
