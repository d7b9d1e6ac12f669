//! Reading and writing cells.
//!
//! A target is a known spot in an object, or an address that may fall into one
//! of several objects. For each way it can hit cells there is an [`Alternative`]
//! with its condition; if none holds, behaviour is undefined and the model ends.
//! Every read of shared memory is a step of its own, and so is every write.

use super::Memory;
use super::alternative::{Alternative, CellPart, NO_TRUTH_VALUE, extract_bits, insert_bits};
use super::build::{FLAG, havoc, set};
use super::cells::{self, Group, Padding};
use super::fold;
use super::locate::{Hit, INDEX, Reached, hit, is_covered};
use super::manner::Manner;
use super::objects::{self, ObjectId};
use super::place::{Shape, Spot, Target};
use crate::hir::{Place, PlaceKind, Type as CType, TypeId};
use crate::{Assumption, SignedOverflow};
use ccfa::{
    Assign, BinOp, Direction, Edge, Expr, FailedOperation, LocKind, Type, Undefined, VarRef,
};

/// With more alternatives than this, only places of the pointer's own type are
/// considered: each alternative is a branch of the access.
const MAX_ALTERNATIVES: usize = 24;

/// No scalar of the model has more bytes: C's integers and pointers have at most eight.
const MAX_SCALAR_BYTES: u64 = 8;
const BYTE: Type = Type::unsigned(8);
/// What a machine with pointers of four bytes accesses at once.
const WORD: Type = Type::unsigned(32);
const TWO_WORDS: Type = Type::unsigned(64);

/// Copies of records with more cells than this are not modelled: each cell is an assignment of the step.
const MAX_COPIED_CELLS: u64 = 4096;

/// The ways that an access can go.
pub struct Ways {
    pub list: Vec<Alternative>,
    /// Are these all that the model knows, or only places of the pointer's own type?
    pub is_complete: bool,
}

impl Ways {
    fn all(list: Vec<Alternative>) -> Ways {
        Ways { list, is_complete: true }
    }
}

/// Where in objects an access is looked for.
#[derive(Clone, Copy)]
enum Wanted {
    /// Where there is such a part; in objects without one anywhere.
    Preferred(Shape),
    /// Only where there is such a part.
    Only(Shape),
}

impl Memory<'_, '_> {
    /// The value at a target. A shared one is read in a step of its own.
    pub(super) fn read(&mut self, target: &Target, ty: Type, size: u64, manner: Manner) -> Expr {
        let read = |memory: &mut Self| match memory.alternatives(target, size) {
            Some(ways) => (memory.read_by(&ways, (target, size), ty, manner), None),
            None => (memory.t.arbitrary(ty), None),
        };
        self.read_if_inside(target, size, ty, read).0
    }

    /// Reads a value of this type; where what is undefined is followed, any value from outside the bounds. (The second result says
    /// whether it is a part of an address.)
    pub(super) fn read_if_inside(
        &mut self,
        target: &Target,
        size: u64,
        ty: Type,
        read: impl FnOnce(&mut Self) -> (Expr, Option<VarRef>),
    ) -> (Expr, Option<VarRef>) {
        let inside = self.is_inside_bounds(target, size);
        if inside == Expr::TRUE {
            return read(self);
        }
        self.t.assumed.insert(Assumption::ReadsGiveValue);
        let (result, mut end) = (self.t.temp(ty), None);
        let no = self.t.enter_if(inside);
        let (value, part) = read(self);
        self.t.step(Expr::TRUE, vec![set(result, value)]);
        self.t.join_at(&mut end);
        self.t.resume(no);
        let none = part.map(|part| set(part, Expr::Const(0, FLAG)));
        self.t.step(Expr::TRUE, none.into_iter().chain([havoc(result)]).collect());
        self.t.join_at(&mut end);
        self.t.resume(end);
        (Expr::Var(result), part)
    }

    /// Is an access inside the bounds of what it accesses? Asked only where what is undefined is followed.
    fn is_inside_bounds(&mut self, target: &Target, size: u64) -> Expr {
        if self.input.options.choices.signed_overflow != SignedOverflow::AnyValue {
            return Expr::TRUE;
        }
        match target {
            Target::Spot(spot) => {
                fold::all(spot.terms.iter().map(|term| term.is_in_bounds()).collect())
            }
            Target::Address { value: Expr::Const(..), .. } | Target::Nowhere => Expr::TRUE,
            Target::Address { value, objects, .. } => match self.alternatives(target, size) {
                Some(ways) => Expr::negate(self.is_outside(value, objects, size, &ways)),
                None => Expr::TRUE,
            },
        }
    }

    /// The value at a target to which these are the ways.
    pub(super) fn read_by(
        &mut self,
        ways: &Ways,
        (target, size): (&Target, u64),
        ty: Type,
        manner: Manner,
    ) -> Expr {
        if self.is_torn(&ways.list, size, manner) {
            return self.read_in_halves(target, ty, manner);
        }
        if ways.list.iter().any(|alternative| alternative.may_be_no_value(ty)) {
            let byte = self.read(target, BYTE, size, manner);
            let known = fold::binary(BinOp::Le, BYTE, byte.clone(), Expr::Const(1, BYTE));
            match self.t.copies_bytes {
                true => self.t.require_supported(known, NO_TRUTH_VALUE),
                false => self.t.require(known, Undefined::NoValue),
            }
            return fold::cast(ty, BYTE, byte);
        }
        if let [only] = &ways.list[..]
            && only.possible() == Expr::TRUE
            && only.parts.iter().all(|part| matches!(part.var, VarRef::Local(_)))
        {
            return only.value(ty);
        }
        let temp = self.t.temp(ty);
        let value = |alternative: &Alternative| vec![set(temp, alternative.value(ty))];
        self.branch_access((target, size), ways, Direction::Read, manner, value);
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
        if let Some(ways) = self.alternatives(target, size) {
            self.write_by(ways, (target, size), (value, ty), manner);
        }
    }

    /// Writes a value to a target to which these are the ways.
    pub(super) fn write_by(
        &mut self,
        mut ways: Ways,
        (target, size): (&Target, u64),
        (value, ty): (&Expr, Type),
        manner: Manner,
    ) {
        if self.is_torn(&ways.list, size, manner) {
            return self.write_in_halves(target, ty, value, manner);
        }
        for way in ways.list.extract_if(.., |alternative| alternative.read_only) {
            let writable = Expr::negate(way.possible());
            self.t.require(writable, Undefined::ConstWritten);
        }
        if ways.list.iter().any(Alternative::notes_too_much) {
            self.assume_values();
        }
        for way in &ways.list {
            let room = way.has_room(ty, value);
            if room == Expr::TRUE {
                continue;
            }
            let fits = Expr::or(Expr::negate(way.possible()), room);
            self.t.require_supported(fits, NO_TRUTH_VALUE);
        }
        let assigns = |alternative: &Alternative| alternative.write(ty, value);
        self.branch_access((target, size), &ways, Direction::Write, manner, assigns);
    }

    /// Is an access two, because it is wider than what the machine accesses at once? So it is with eight bytes where
    /// pointers have four, unless they are atomic or no other thread can see it.
    fn is_torn(&self, alternatives: &[Alternative], size: u64, manner: Manner) -> bool {
        let is_wide = size == 8 && self.input.pointer_type() == WORD;
        let is_seen = |way: &Alternative| {
            !way.is_own && way.parts.iter().any(|part| matches!(part.var, VarRef::Shared(_)))
        };
        is_wide
            && manner == Manner::PLAIN
            && self.input.may_be_seen(self.t)
            && alternatives.iter().any(is_seen)
    }

    /// Reads eight bytes as two words, in either order.
    fn read_in_halves(&mut self, target: &Target, ty: Type, manner: Manner) -> Expr {
        let halves = [self.t.temp(WORD), self.t.temp(WORD)];
        self.halves_in_any_order(|memory, half| {
            let place = target.clone().at_offset(4 * half as u64, WORD);
            let value = memory.read(&place, WORD, 4, manner);
            memory.t.step(Expr::TRUE, vec![set(halves[half], value)]);
        });
        let [low, high] = halves.map(|half| fold::cast(TWO_WORDS, WORD, Expr::Var(half)));
        let high = fold::binary(BinOp::Shl, TWO_WORDS, high, Expr::Const(32, TWO_WORDS));
        fold::cast(ty, TWO_WORDS, fold::binary(BinOp::BitOr, TWO_WORDS, low, high))
    }

    /// Writes eight bytes as two words, in either order.
    fn write_in_halves(&mut self, target: &Target, ty: Type, value: &Expr, manner: Manner) {
        let kept = self.t.keep(fold::cast(TWO_WORDS, ty, value.clone()), TWO_WORDS);
        self.halves_in_any_order(|memory, half| {
            let distance = Expr::Const(32 * half as i128, TWO_WORDS);
            let word = fold::binary(BinOp::Shr, TWO_WORDS, kept.clone(), distance);
            let place = target.clone().at_offset(4 * half as u64, WORD);
            memory.write(&place, WORD, 4, &fold::cast(WORD, TWO_WORDS, word), manner);
        });
    }

    /// Does something with both halves of an access, in either order.
    fn halves_in_any_order(&mut self, access: impl Fn(&mut Self, usize)) {
        let choice = self.t.arbitrary(Type::Bool);
        let (mut low_first, mut high_first, mut end) = (None, None, None);
        self.t.branch_on(choice, &mut low_first, &mut high_first);
        for (start, order) in [(low_first, [0, 1]), (high_first, [1, 0])] {
            self.t.resume(start);
            for half in order {
                access(self, half);
            }
            self.t.join_at(&mut end);
        }
        self.t.resume(end);
    }

    /// Makes what lies at a target arbitrary, in one step.
    pub(super) fn write_arbitrary(&mut self, target: &Target, size: u64, manner: Manner) {
        if let Some(ways) = self.alternatives(target, size) {
            let at = (target, size);
            self.branch_access(at, &ways, Direction::Write, manner, Alternative::havoc);
        }
    }

    /// One edge for each alternative, and undefined behaviour if none fits.
    fn branch_access(
        &mut self,
        (place, size): (&Target, u64),
        ways: &Ways,
        direction: Direction,
        manner: Manner,
        action: impl Fn(&Alternative) -> Vec<Assign>,
    ) {
        let target = self.t.location(LocKind::Plain);
        let lock = self.t.announced(manner);
        for alternative in &ways.list {
            let accesses = self.accesses(alternative, direction, manner, lock);
            let (here, condition) = (self.t.here, alternative.possible());
            let edge = Edge::new(here, target, condition, action(alternative));
            self.t.access_edge(Edge { accesses, ..edge });
            self.t.steps += 1;
        }
        self.fail_unless(place, size, ways);
        self.t.here = target;
    }

    /// Every way an access of `size` bytes can go. `None` if that is not
    /// modelled (and said so).
    pub(super) fn alternatives(&mut self, target: &Target, size: u64) -> Option<Ways> {
        match target {
            Target::Spot(spot) => {
                self.spot_alternative(spot, size).map(|found| Ways::all(vec![found]))
            }
            Target::Address { value: Expr::Const(address, _), .. } => {
                let address = *address as u64;
                if address & !0xffff == objects::ARGUMENTS {
                    self.t.unsupported("the arguments of the program");
                    return None;
                }
                Some(Ways::all(self.constant_address(address, size)))
            }
            Target::Address { value, objects, shape } => {
                let record = shape.filter(|shape| self.is_record_shape(*shape));
                let all = self.ways_to(value, objects, size, record.map(Wanted::Preferred));
                if all.is_empty() {
                    return self.ways_across(value, objects, size).map(Ways::all);
                }
                // Characters may be parts of anything.
                let many = all.len() > MAX_ALTERNATIVES && shape.is_some() && size > 1;
                Some(match many {
                    true => {
                        let list = self.ways_to(value, objects, size, shape.map(Wanted::Only));
                        Ways { list, is_complete: false }
                    }
                    false => Ways { list: all, is_complete: record.is_none() },
                })
            }
            Target::Nowhere => None,
        }
    }

    fn constant_address(&mut self, address: u64, size: u64) -> Vec<Alternative> {
        let Some(Spot { object: id, copy, offset, .. }) = self.objects.spot_at(address) else {
            return vec![];
        };
        let hits = hit(&self.objects.get(id).outline.groups, offset, size);
        if !self.is_inside(id, &hits, offset, size) {
            return vec![];
        }
        let index = |hit: &Hit| Expr::Const(i128::from(hit.index), INDEX);
        let cells = hits.iter().map(|hit| (*hit, index(hit))).collect();
        let mut found = self.at_cells(id, copy.clone(), cells);
        let end = Expr::Const(i128::from(offset + size), INDEX);
        let inside = self.objects.extent_condition(id, copy.clone(), end);
        found.condition = inside;
        found.alive = self.objects.live_condition(self.t, id, copy);
        vec![found]
    }

    /// Does an access that meets these cells lie in the object? What it meets of padding gets
    /// cells of its own in the next round.
    fn is_inside(&mut self, id: ObjectId, hits: &[Hit], offset: u64, size: u64) -> bool {
        if is_covered(hits, size) {
            return true;
        }
        let inside = offset + size <= self.objects.get(id).outline.size;
        inside && size <= MAX_SCALAR_BYTES && self.note_padding(id)
    }

    /// Asks for cells for the padding of an object; will there be any?
    fn note_padding(&mut self, id: ObjectId) -> bool {
        let Some(key) = self.objects.key(id).cloned() else { return false };
        let has_gaps = self.objects.get(id).outline.has_gaps();
        let is_known = self.input.facts.padded.contains(&key);
        if has_gaps {
            self.found.padded.insert(key);
        }
        has_gaps && !is_known
    }

    /// An alternative for cells of one copy, whose indices within the copy are given.
    fn at_cells(
        &mut self,
        id: ObjectId,
        copy: Option<Expr>,
        cells: Vec<(Hit, Expr)>,
    ) -> Alternative {
        let part = |(hit, index): (Hit, Expr)| {
            let group = &self.objects.get(id).outline.groups[hit.group];
            let (dims, cell, size) = (&group.dims, group.ty, group.size);
            let per_copy = Expr::Const(i128::from(group.len()), INDEX);
            let index = match copy.clone() {
                Some(copy) if dims.is_empty() => Some(copy),
                Some(copy) => {
                    let first = fold::binary(BinOp::Mul, INDEX, copy, per_copy);
                    Some(fold::binary(BinOp::Add, INDEX, first, index))
                }
                None => (!dims.is_empty()).then_some(index),
            };
            let var = self.objects.group_var(self.t, id, hit.group);
            let Hit { group, shift, at, bits, .. } = hit;
            let written = self.objects.written_var(self.t, id, group);
            CellPart { var, group, cell, size, index, shift, at, bits, written }
        };
        let parts = cells.into_iter().map(part).collect();
        let object = self.objects.get(id);
        let (read_only, is_own) = (object.read_only, object.outline.source.is_none());
        let state = self.objects.life_state(id, copy);
        let (place, condition, alive) = (Expr::TRUE, Expr::TRUE, Expr::TRUE);
        Alternative { object: id, place, condition, alive, state, parts, read_only, is_own }
    }

    /// The cells a spot means. Indices are checked here.
    fn spot_alternative(&mut self, spot: &Spot, size: u64) -> Option<Alternative> {
        let groups = self.objects.get(spot.object).outline.groups.clone();
        let hits = hit(&groups, spot.offset, size);
        if !self.is_inside(spot.object, &hits, spot.offset, size) {
            let what = format!(
                "an access of {size} bytes to a part of `{}`",
                self.objects.get(spot.object).outline.name
            );
            self.t.unsupported(what);
            return None;
        }
        for term in &spot.terms {
            let name = self.objects.array_name(spot);
            let operands = FailedOperation::Index(term.index.clone(), term.count, name);
            self.t.require_of(operands, term.is_in_bounds(), Undefined::IndexOutOfBounds);
        }
        let index = |hit: Hit| Some((hit, spot.index_of(&groups[hit.group], hit.index)?));
        let cells: Option<Vec<(Hit, Expr)>> = hits.into_iter().map(index).collect();
        let Some(cells) = cells else {
            self.t.unsupported("an index into differently typed memory");
            return None;
        };
        let found = self.at_cells(spot.object, spot.copy.clone(), cells);
        // By its name, only its initialiser writes what is `const`; a string has none.
        let is_string = self.objects.get(spot.object).outline.name.starts_with('"');
        Some(Alternative { read_only: is_string, ..found })
    }

    /// Every way an address can fall into one of the objects, where they have what is wanted.
    fn ways_to(
        &mut self,
        address: &Expr,
        objects: &[ObjectId],
        size: u64,
        wanted: Option<Wanted>,
    ) -> Vec<Alternative> {
        let pointer = self.input.pointer_type();
        let mut ways = Vec::new();
        for id in objects.iter().copied() {
            let object = self.objects.get(id).clone();
            let starts = wanted.zip(object.outline.ty).and_then(|(wanted, ty)| {
                let (Wanted::Preferred(shape) | Wanted::Only(shape)) = wanted;
                let mut starts = Vec::new();
                cells::starts_of(&self.input.unit.types, ty, shape.ty, shape.offset, &mut starts);
                let is_there = !starts.is_empty() || matches!(wanted, Wanted::Only(_));
                is_there.then_some(starts)
            });
            if size == 1 && starts.is_none() {
                self.note_padding(id);
            }
            // A hit elsewhere is not lost: it is undefined behaviour for wild pointers.
            let is_wanted = |group: &Group| match &starts {
                Some(starts) => starts.iter().any(|start| group.covers(*start)),
                None => true,
            };
            let reached = object.region().reach(address, pointer, size, is_wanted);
            ways.extend(reached.into_iter().map(|way| self.way(id, address, size, way)));
        }
        ways
    }

    /// Does a pointer claim to point to a record? Where an object has such a record, it lies nowhere else; an object that
    /// has none is looked at byte by byte.
    fn is_record_shape(&self, shape: Shape) -> bool {
        let types = &self.input.unit.types;
        matches!(types.get(types.unatomic(shape.ty)), CType::Record(_))
    }

    /// The ways of an access that is larger than the scalars it meets: of none of the objects is
    /// it a whole scalar. `None` if there are too many (and said so).
    fn ways_across(
        &mut self,
        address: &Expr,
        objects: &[ObjectId],
        size: u64,
    ) -> Option<Vec<Alternative>> {
        let pointer = self.input.pointer_type();
        let mut ways = Vec::new();
        for id in objects.iter().copied() {
            let object = self.objects.get(id).clone();
            let Some(reached) = object.region().spread(address, pointer, size) else {
                self.t.unsupported(format!(
                    "an access of {size} bytes to a part of `{}`",
                    object.outline.name
                ));
                return None;
            };
            ways.extend(reached.into_iter().map(|way| self.way(id, address, size, way)));
        }
        Some(ways)
    }

    /// A way into an object, if that copy of it is alive and large enough.
    fn way(&mut self, id: ObjectId, address: &Expr, size: u64, way: Reached) -> Alternative {
        let Reached { condition, copy, cells } = way;
        let pointer = self.input.pointer_type();
        let alive = self.objects.live_condition(self.t, id, copy.clone());
        let inside = self.objects.address_inside(id, copy.clone(), (address, pointer), size);
        let found = self.at_cells(id, copy, cells);
        let place = condition.clone();
        Alternative { place, condition: Expr::and(condition, inside), alive, ..found }
    }

    /// Writes a value of the place's type.
    /// `part` says whether it is a part of an address.
    pub(super) fn store(
        &mut self,
        place: &Place,
        target: &Target,
        value: Expr,
        part: Option<VarRef>,
    ) {
        self.store_as(place, target, value, (self.input.manner(place), part));
    }

    pub(super) fn store_as(
        &mut self,
        place: &Place,
        target: &Target,
        value: Expr,
        (manner, part): (Manner, Option<VarRef>),
    ) {
        let Some(ty) = self.input.scalar_type(place.ty) else {
            self.t
                .unsupported(format!("a value of type `{}`", self.input.unit.types.name(place.ty)));
            return;
        };
        let size = self.input.size_of(place.ty);
        let is_initialiser = matches!(place.kind, PlaceKind::Temporary(_));
        if !is_initialiser && manner != Manner::Internal && self.is_const(target) {
            return self.t.undefined(Undefined::ConstWritten);
        }
        match place.bits {
            None => self.write_place(place, (target, size), (&value, ty), (manner, part)),
            // Bit-fields share their unit: it is read, changed and written back. In C that is a write.
            Some(_) if self.is_part_of_more(target) => {
                self.t.unsupported(
                    "a bit-field that other threads see, where a sequence has more than eight bytes",
                );
            }
            Some(bits) => {
                self.assume_values_of(target);
                let unit = self.read(target, ty, size, Manner::Internal);
                let unit = insert_bits(bits, ty, unit, value);
                self.write(target, ty, size, &unit, manner);
            }
        }
        self.forget_padding_around(place, target);
        if let Some(var) = self.input.may_be_unwritten(place) {
            self.lives().note_written(var, true);
        }
    }

    /// May a bit-field be part of a sequence that is larger than its storage unit, and other threads see it? C takes the whole
    /// sequence for one memory location, so that accesses to other storage units race with this one.
    fn is_part_of_more(&self, target: &Target) -> bool {
        let is_own = match target {
            Target::Spot(spot) => {
                matches!(self.objects.get(spot.object).storage, objects::Storage::Private(_))
            }
            _ => false,
        };
        self.input.unit.has_long_bits && !is_own && !self.input.facts.spawned.is_empty()
    }

    /// Is a target a known object that is `const`?
    pub(super) fn is_const(&self, target: &Target) -> bool {
        matches!(target, Target::Spot(spot) if self.objects.get(spot.object).read_only)
    }

    /// A store to a member makes the padding of its record unspecified (C11 6.2.6.1, 6).
    fn forget_padding_around(&mut self, place: &Place, target: &Target) {
        if !self.is_padded(target) {
            return;
        }
        match target.record_around(place, self.input.pointer_type()) {
            Ok(None) => {}
            Ok(Some((record, start))) => self.forget_padding(record, &start),
            Err(what) => self.t.unsupported(what),
        }
    }

    /// Can the program see the padding of what a target may be?
    fn is_padded(&self, target: &Target) -> bool {
        let key = |id: &ObjectId| self.objects.key(*id);
        target.objects().iter().filter_map(key).any(|key| self.input.facts.padded.contains(key))
    }

    /// All padding of a record becomes arbitrary.
    fn forget_padding(&mut self, record: TypeId, target: &Target) {
        let Ok(groups) = cells::flatten(&self.input.unit.types, record, Padding::With) else {
            return;
        };
        let pointer = self.input.pointer_type();
        for group in groups.iter().filter(|group| group.is_padding) {
            for offset in group.offsets() {
                let byte = target.clone().at_offset(offset, pointer);
                self.write_arbitrary(&byte, 1, Manner::Internal);
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
        let groups = match cells::flatten(&self.input.unit.types, ty, Padding::Without) {
            Ok(groups) => groups,
            Err(what) => return self.t.unsupported(what),
        };
        if groups.iter().map(|group| group.len()).sum::<u64>() > MAX_COPIED_CELLS {
            return self.t.unsupported("a copy of a large record");
        }
        if self.input.unit.types.has_pointer(ty) && groups.iter().any(Group::is_bytes) {
            to.objects().iter().for_each(|id| self.address_bytes().note_words(*id));
        }
        let pointer = self.input.pointer_type();
        let first = self.t.template.edges.len();
        for group in &groups {
            for offset in group.offsets() {
                let (source, destination) = (
                    from.clone().at_offset(offset, pointer),
                    to.clone().at_offset(offset, pointer),
                );
                self.assume_values_of(&source);
                let value = self.read(&source, group.ty, group.size, reading);
                self.write(&destination, group.ty, group.size, &value, writing);
            }
        }
        self.note_parts_since(first, groups.iter().map(|group| group.len()).sum());
        if self.is_padded(to) {
            self.forget_padding(ty, to);
        }
    }

    /// Says that the parts of what was copied by the edges from `first` on go from left to right, if other threads can see it.
    pub(super) fn note_parts_since(&mut self, first: usize, parts: u64) {
        let steps = self.t.template.edges[first..].iter();
        let is_shared = steps.filter(|edge| !edge.accesses.is_empty()).count() > 1;
        if parts > 1 && is_shared && self.input.may_be_seen(self.t) {
            self.t.assumed.insert(Assumption::LeftToRight);
        }
    }

    pub(super) fn read_scalar(
        &mut self,
        place: &Place,
        target: &Target,
        ty: Type,
        manner: Manner,
    ) -> Expr {
        self.lives().require_written(place);
        let size = self.input.size_of(place.ty);
        let unit = self.read_place(place, (target, size), ty, manner);
        match place.bits {
            None => unit,
            Some(bits) => extract_bits(bits, ty, unit),
        }
    }
}

impl Memory<'_, '_> {
    /// A copy of a mutex, or of another object by which threads wait for each other, is none: POSIX leaves its use undefined. It
    /// counts as destroyed until it is initialised.
    pub(super) fn spoil_locks(&mut self, ty: TypeId, copy: &Target) {
        let (pointer, kind) = (self.input.pointer_type(), Type::signed(32));
        let mut offsets = Vec::new();
        self.input.locks_in(ty, 0, &mut offsets);
        for offset in offsets {
            let place = copy.clone().at_offset(offset, pointer);
            self.write(&place, kind, 4, &Expr::constant(-1, kind), Manner::Internal);
        }
    }
}
