//! Reading and writing cells.
//!
//! A target is a known spot in an object, or an address that may fall into one
//! of several objects. For each way it can hit cells there is an [`Alternative`]
//! with its condition; if none holds, behaviour is undefined and the model ends.
//! Every read of shared memory is a step of its own, and so is every write.

use super::Lowerer;
use super::build::set;
use super::cells::{self, Group};
use super::fold;
use super::object::{self, ObjectId};
use super::place::{Shape, Spot, Target};
use crate::hir::BitField;
use ccfa::{Assign, BinOp, Expr, Gap, LocKind, Place, Rhs, Type, VarRef};

/// With more alternatives than this, only places of the pointer's own type are
/// considered.
const MANY_ALTERNATIVES: usize = 24;

/// How an access at a constant offset meets the cells of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    pub group: usize,
    /// The cell (the first one) in the group.
    pub index: u64,
    /// If the access is smaller than the cell: the lowest bit of it.
    pub shift: u64,
    /// If it is put together from bytes: how many. Else 0.
    pub bytes: u64,
    /// Is it the whole cell?
    pub whole: bool,
}

/// How `size` bytes at `offset` meet the groups, if they do.
pub fn hit(groups: &[Group], offset: u64, size: u64) -> Option<Hit> {
    groups.iter().enumerate().find_map(|(number, group)| {
        let mut rest = offset.checked_sub(group.offset)?;
        let mut index = 0;
        for dim in &group.dims {
            let step = rest / dim.stride;
            if step >= dim.count {
                return None;
            }
            index = index * dim.count + step;
            rest %= dim.stride;
        }
        let found = Hit {
            group: number,
            index,
            shift: 8 * rest,
            bytes: 0,
            whole: rest == 0 && size == group.size,
        };
        if found.whole || rest + size < group.size || rest > 0 && rest + size <= group.size {
            return Some(found);
        }
        let row = group.dims.last()?.count;
        let fits = group.is_bytes() && size <= 8 && index % row + size <= row;
        fits.then_some(Hit { bytes: size, ..found })
    })
}

/// One way an access can go.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// If this holds.
    pub condition: Expr,
    var: VarRef,
    cell: Type,
    /// Index of the cell; `None` for a scalar variable.
    index: Option<Expr>,
    shift: u64,
    bytes: u64,
    whole: bool,
    /// It must not be written.
    read_only: bool,
}

impl Alternative {
    /// What is read, as a value of type `ty`.
    pub fn value(&self, ty: Type) -> Expr {
        let cell = |at: u64| match &self.index {
            None => Expr::Var(self.var),
            Some(index) => Expr::Index(self.var, Box::new(plus(index.clone(), at))),
        };
        if self.whole {
            return fold::cast(ty, self.cell, cell(0));
        }
        let unsigned = |ty: Type| Type::unsigned(width(ty));
        if self.bytes == 0 {
            let wide = unsigned(self.cell);
            let bits = fold::cast(wide, self.cell, cell(0));
            let amount = Expr::Const(i128::from(self.shift), wide);
            return fold::cast(ty, wide, fold::binary(BinOp::Shr, wide, bits, amount));
        }
        let wide = unsigned(ty);
        let part = |at: u64| {
            let byte = fold::cast(wide, self.cell, cell(at));
            fold::binary(BinOp::Shl, wide, byte, Expr::Const(8 * i128::from(at), wide))
        };
        let bits = (0..self.bytes).map(part).reduce(|a, b| fold::binary(BinOp::BitOr, wide, a, b));
        fold::cast(ty, wide, bits.expect("at least one byte"))
    }

    /// The assignments that write `value`, of type `ty`.
    pub fn write(&self, ty: Type, value: &Expr) -> Vec<Assign> {
        let assign =
            |at: u64, value: Expr| Assign { place: self.place(at), value: Rhs::Expr(value) };
        if self.whole {
            return vec![assign(0, fold::cast(self.cell, ty, value.clone()))];
        }
        if self.bytes == 0 {
            let wide = Type::unsigned(width(self.cell));
            let old = match &self.index {
                None => Expr::Var(self.var),
                Some(index) => Expr::Index(self.var, Box::new(index.clone())),
            };
            let new = insert(
                wide,
                fold::cast(wide, self.cell, old),
                fold::cast(
                    wide,
                    Type::unsigned(width(ty)),
                    fold::cast(Type::unsigned(width(ty)), ty, value.clone()),
                ),
                self.shift as u8,
                width(ty),
            );
            return vec![assign(0, fold::cast(self.cell, wide, new))];
        }
        let wide = Type::unsigned(width(ty));
        let bits = fold::cast(wide, ty, value.clone());
        let byte = |at: u64| {
            let amount = Expr::Const(8 * i128::from(at), wide);
            fold::cast(self.cell, wide, fold::binary(BinOp::Shr, wide, bits.clone(), amount))
        };
        (0..self.bytes).map(|at| assign(at, byte(at))).collect()
    }

    /// The assignments that make what lies here arbitrary.
    pub fn havoc(&self) -> Vec<Assign> {
        let assign = |at: u64| Assign { place: self.place(at), value: Rhs::Havoc };
        (0..self.bytes.max(1)).map(assign).collect()
    }

    fn place(&self, at: u64) -> Place {
        match &self.index {
            None => Place::Var(self.var),
            Some(index) => Place::Element(self.var, plus(index.clone(), at)),
        }
    }
}

/// The type of indices into copies and cells.
pub const INDEX: Type = Type::unsigned(32);

fn plus(index: Expr, at: u64) -> Expr {
    match at {
        0 => index,
        at => fold::binary(BinOp::Add, INDEX, index, Expr::Const(i128::from(at), INDEX)),
    }
}

/// Width in bits.
pub fn width(ty: Type) -> u8 {
    match ty {
        Type::Bits { width, .. } => width,
        Type::Bool => 1,
        Type::Int => 64,
    }
}

/// `old` with `bits` bits at `shift` replaced by those of `value`.
fn insert(wide: Type, old: Expr, value: Expr, shift: u8, bits: u8) -> Expr {
    let ones = (1i128 << bits) - 1;
    let keep = Expr::constant(!(ones << shift), wide);
    let kept = fold::binary(BinOp::BitAnd, wide, old, keep);
    let masked = fold::binary(BinOp::BitAnd, wide, value, Expr::constant(ones, wide));
    let moved = fold::binary(BinOp::Shl, wide, masked, Expr::Const(i128::from(shift), wide));
    fold::binary(BinOp::BitOr, wide, kept, moved)
}

impl Lowerer<'_> {
    /// The value at a target. A shared one is read in a step of its own.
    pub(super) fn read(&mut self, target: &Target, ty: Type, size: u64) -> Expr {
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
        self.branch_access(&alternatives, |alternative| vec![set(temp, alternative.value(ty))]);
        Expr::Var(temp)
    }

    /// Writes a value to a target, in one step.
    pub(super) fn write(&mut self, target: &Target, ty: Type, size: u64, value: &Expr) {
        if let Some(mut alternatives) = self.alternatives(target, size) {
            alternatives.retain(|alternative| !alternative.read_only);
            self.branch_access(&alternatives, |alternative| alternative.write(ty, value));
        }
    }

    /// Makes what lies at a target arbitrary, in one step.
    pub(super) fn write_arbitrary(&mut self, target: &Target, size: u64) {
        if let Some(alternatives) = self.alternatives(target, size) {
            self.branch_access(&alternatives, Alternative::havoc);
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

    /// One edge for each alternative, one into a gap if none fits.
    fn branch_access(
        &mut self,
        alternatives: &[Alternative],
        action: impl Fn(&Alternative) -> Vec<Assign>,
    ) {
        let target = self.t.location(LocKind::Plain);
        for alternative in alternatives {
            self.t.edge(self.t.here, target, alternative.condition.clone(), action(alternative));
            self.steps += 1;
        }
        let misses =
            alternatives.iter().map(|alternative| Expr::negate(alternative.condition.clone()));
        let none = fold::all(misses.collect());
        if none != Expr::FALSE {
            let what = "a pointer that does not point to a live object of the right type";
            let gap = self.t.location(LocKind::Gap(Gap::Undefined, what.into()));
            self.t.edge(self.t.here, gap, none, vec![]);
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
                let mut all = Vec::new();
                for id in objects {
                    self.address_alternatives(value, *id, size, None, &mut all);
                }
                // Characters may be parts of anything.
                if all.len() > MANY_ALTERNATIVES && shape.is_some() && size > 1 {
                    all.clear();
                    for id in objects {
                        self.address_alternatives(value, *id, size, *shape, &mut all);
                    }
                }
                Some(all)
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
            self.require(Expr::and(low, high), Gap::Undefined, "an array index out of bounds");
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

    /// Every way an address can fall into an object.
    fn address_alternatives(
        &mut self,
        address: &Expr,
        id: ObjectId,
        size: u64,
        shape: Option<Shape>,
        all: &mut Vec<Alternative>,
    ) {
        let object = self.object(id).clone();
        // A hit outside the shape is not lost: it ends in the gap for wild pointers.
        let expected = shape.zip(object.outline.ty).map(|(shape, ty)| {
            let mut starts = Vec::new();
            cells::starts_of(&self.unit.types, ty, shape.ty, shape.offset, &mut starts);
            starts
        });
        let pointer = Type::unsigned(self.unit.types.pointer_size() as u8 * 8);
        for (number, group) in object.outline.groups.iter().enumerate() {
            let behind: u64 = group.dims.iter().map(|dim| dim.stride * (dim.count - 1)).sum();
            let extent = group.offset..=group.offset + behind;
            let is_expected = |starts: &Vec<u64>| starts.iter().any(|start| extent.contains(start));
            if expected.as_ref().is_some_and(|starts| !is_expected(starts)) {
                continue;
            }
            for inner in 0..group.size.div_ceil(size.max(1)) {
                let inner = inner * size;
                let bytes = if size > group.size && group.is_bytes() { size } else { 0 };
                if bytes == 0 && inner + size > group.size || bytes > 8 {
                    continue;
                }
                let hit = Hit {
                    group: number,
                    index: 0,
                    shift: 8 * inner,
                    bytes,
                    whole: size == group.size,
                };
                let first = object.base + group.offset + inner;
                let start = Expr::Const(i128::from(first), pointer);
                let mut rest = fold::binary(BinOp::Sub, pointer, address.clone(), start);
                let mut condition = Expr::TRUE;
                let mut copy = None;
                let mut index = Expr::Const(0, INDEX);
                let copies = object.copies.map(|dim| (true, dim));
                let dims = copies.into_iter().chain(group.dims.iter().map(|dim| (false, *dim)));
                for (is_copy, dim) in dims {
                    let stride = Expr::constant(i128::from(dim.stride), pointer);
                    let room = if bytes > 0 && dim.stride == 1 {
                        (dim.count + 1).saturating_sub(bytes)
                    } else {
                        dim.count
                    };
                    let span = Expr::constant(i128::from(dim.stride * room), pointer);
                    condition =
                        Expr::and(condition, fold::binary(BinOp::Lt, pointer, rest.clone(), span));
                    let step = fold::cast(
                        INDEX,
                        pointer,
                        fold::binary(BinOp::Div, pointer, rest.clone(), stride.clone()),
                    );
                    if is_copy {
                        copy = Some(step);
                    } else {
                        let count = Expr::Const(i128::from(dim.count), INDEX);
                        let scaled = fold::binary(BinOp::Mul, INDEX, index, count);
                        index = fold::binary(BinOp::Add, INDEX, scaled, step);
                    }
                    rest = match dim.stride {
                        1 => Expr::Const(0, pointer),
                        _ => fold::binary(BinOp::Rem, pointer, rest, stride),
                    };
                }
                let exact = fold::binary(BinOp::Eq, pointer, rest, Expr::Const(0, pointer));
                condition = Expr::and(condition, exact);
                let live = self.live_condition(id, copy.clone());
                let inside = self.address_inside(id, copy.clone(), address, size);
                let mut found = self.at_hit(id, copy, &object.outline.groups, hit, index);
                found.condition = Expr::and(condition, Expr::and(live, inside));
                all.push(found);
            }
        }
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
