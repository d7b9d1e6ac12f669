//! Reading and writing cells.
//!
//! A target is a known spot in an object, or an address that may fall into one
//! of several objects. For each way it can hit cells there is an [`Alternative`]
//! with its condition; if none holds, behaviour is undefined and the model ends.
//! Every read of shared memory is a step of its own, and so is every write.

use super::Lowerer;
use super::alternative::{Alternative, insert, width};
use super::build::set;
use super::cells::{self, Group};
use super::fold;
use super::locate::{Hit, INDEX, Reached, Region, hit};
use super::manner::Manner;
use super::object::{self, ObjectId};
use super::place::{Shape, Spot, Target};
use crate::hir::BitField;
use ccfa::{Assign, BinOp, Direction, Edge, Expr, LocKind, Type, Undefined, VarRef};

/// With more alternatives than this, only places of the pointer's own type are
/// considered.
const MANY_ALTERNATIVES: usize = 24;

impl Lowerer<'_> {
    /// The value at a target. A shared one is read in a step of its own.
    pub(super) fn read(&mut self, target: &Target, ty: Type, size: u64, manner: Manner) -> Expr {
        let Some(alternatives) = self.alternatives(target, size) else {
            return self.arbitrary(ty);
        };
        if let [only] = &alternatives[..]
            && only.condition == Expr::TRUE
            && matches!(only.var, VarRef::Local(_))
        {
            return only.value(ty);
        }
        let temp = self.temp(ty);
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

    /// The value of a bit-field whose storage unit has the value `unit`.
    pub(super) fn extract_bits(&self, bits: BitField, ty: Type, unit: Expr) -> Expr {
        let wide = Type::unsigned(width(ty));
        let unit = fold::cast(wide, ty, unit);
        let moved = fold::binary(BinOp::Shr, wide, unit, Expr::Const(i128::from(bits.shift), wide));
        let signed = matches!(ty, Type::Bits { signed: true, .. });
        let narrow = Type::Bits { width: bits.width, signed };
        fold::cast(ty, narrow, fold::cast(narrow, wide, moved))
    }

    /// The storage unit `unit` with a bit-field set to `value`.
    pub(super) fn insert_bits(&self, bits: BitField, ty: Type, unit: Expr, value: Expr) -> Expr {
        let wide = Type::unsigned(width(ty));
        let (unit, value) = (fold::cast(wide, ty, unit), fold::cast(wide, ty, value));
        fold::cast(ty, wide, insert(wide, unit, value, bits.shift, bits.width))
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
        let lock = self.announced(manner);
        for alternative in alternatives {
            let accesses = self.accesses(alternative, direction, manner, lock);
            let (here, condition) = (self.t.here, alternative.condition.clone());
            let edge = Edge::new(here, target, condition, action(alternative));
            self.t.access_edge(Edge { accesses, ..edge });
            self.steps += 1;
        }
        let misses =
            alternatives.iter().map(|alternative| Expr::negate(alternative.condition.clone()));
        let none = fold::all(misses.collect());
        if none != Expr::FALSE {
            self.end_if(none, LocKind::Undefined(Undefined::InvalidPointer));
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
                if address & !0xffff == object::ARGUMENTS {
                    self.unsupported("the arguments of the program");
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
                let many = all.len() > MANY_ALTERNATIVES && shape.is_some() && size > 1;
                Some(if many { within(*shape) } else { all })
            }
            Target::Nowhere => None,
        }
    }

    fn constant_address(&mut self, address: u64, size: u64) -> Vec<Alternative> {
        let Some((id, copy, offset)) = self.object_at(address) else { return vec![] };
        let copies = self.object(id).copies;
        let copy = copies.map(|_| Expr::Const(i128::from(copy), INDEX));
        let groups = self.object(id).outline.groups.clone();
        let Some(hit) = hit(&groups, offset, size) else { return vec![] };
        let mut found =
            self.at_hit(id, copy.clone(), &groups, hit, Expr::Const(i128::from(hit.index), INDEX));
        let end = Expr::Const(i128::from(offset + size), INDEX);
        let inside = self.extent_condition(id, copy.clone(), end);
        found.condition = Expr::and(self.live_condition(id, copy), inside);
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
        let var = self.group_var(id, hit.group);
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
            read_only: self.object(id).read_only,
        }
    }

    /// The cells a spot means. Indices are checked here.
    fn spot_alternative(&mut self, spot: &Spot, size: u64) -> Option<Alternative> {
        let groups = self.object(spot.object).outline.groups.clone();
        let Some(hit) = hit(&groups, spot.offset, size) else {
            let what = format!(
                "an access of {size} bytes to a part of `{}`",
                self.object(spot.object).outline.name
            );
            self.unsupported(what);
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
            self.require(Expr::and(low, high), Undefined::IndexOutOfBounds);
            let Some(cells) = cells_per(group, term.stride) else {
                self.unsupported("an index into differently typed memory");
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
        let object = self.object(id).clone();
        // A hit outside the shape is not lost: it is undefined behaviour for wild pointers.
        let starts = shape.zip(object.outline.ty).map(|(shape, ty)| {
            let mut starts = Vec::new();
            cells::starts_of(&self.unit.types, ty, shape.ty, shape.offset, &mut starts);
            starts
        });
        let wanted = |group: &Group| match &starts {
            Some(starts) => starts.iter().any(|start| group.extent().contains(start)),
            None => true,
        };
        let region =
            Region { base: object.base, copies: object.copies, groups: &object.outline.groups };
        let ways = region.reach(address, self.pointer_type(), size, wanted);
        let alternative = |Reached { condition, copy, index, hit }| {
            let live = self.live_condition(id, copy.clone());
            let inside = self.address_inside(id, copy.clone(), address, size);
            let found = self.at_hit(id, copy, &object.outline.groups, hit, index);
            Alternative { condition: Expr::and(condition, Expr::and(live, inside)), ..found }
        };
        ways.into_iter().map(alternative).collect()
    }

    /// Is this copy of the object alive?
    pub(super) fn live_condition(&self, id: ObjectId, copy: Option<Expr>) -> Expr {
        let Some(live) = self.object(id).live else { return Expr::TRUE };
        let ty = self.shared[live.index()].ty;
        let flag = match copy {
            None => Expr::Var(VarRef::Shared(live)),
            Some(copy) => Expr::Index(VarRef::Shared(live), Box::new(copy)),
        };
        Expr::eq(flag, Expr::Const(1, ty))
    }

    /// Does an access at an address, which is in this copy, end inside it?
    fn address_inside(&self, id: ObjectId, copy: Option<Expr>, address: &Expr, size: u64) -> Expr {
        let object = self.object(id);
        let (Some(_), Some(copies)) = (object.extent, object.copies) else { return Expr::TRUE };
        let ty = self.pointer_type();
        let base = Expr::Const(i128::from(object.base), ty);
        let relative = fold::binary(BinOp::Sub, ty, address.clone(), base);
        let stride = Expr::Const(i128::from(copies.stride), ty);
        let offset = fold::cast(INDEX, ty, fold::binary(BinOp::Rem, ty, relative, stride));
        let size = Expr::Const(i128::from(size), INDEX);
        let end = fold::binary(BinOp::Add, INDEX, offset, size);
        self.extent_condition(id, copy, end)
    }

    /// Is `end` (in bytes, an `INDEX`) not behind the end of this copy? Asked only
    /// of objects whose size is not constant; true of all others.
    pub(super) fn extent_condition(&self, id: ObjectId, copy: Option<Expr>, end: Expr) -> Expr {
        match self.extent_of(id, copy) {
            Some(extent) => fold::binary(BinOp::Le, INDEX, end, extent),
            None => Expr::TRUE,
        }
    }

    /// How many bytes a copy has, if that is not constant.
    pub(super) fn extent_of(&self, id: ObjectId, copy: Option<Expr>) -> Option<Expr> {
        let extent = VarRef::Shared(self.object(id).extent?);
        Some(Expr::Index(extent, Box::new(copy?)))
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
