//! Initialisers (C11, 6.7.9): braces, elided braces, designators, strings.
//!
//! The result is a list of scalars (or whole records) with their offsets, in
//! the order of the text; what is not named is zero, so zeros are left out. A
//! later entry for the same bytes takes the place of the earlier one (see `entries`). A `Cursor` walks the items of one pair
//! of braces; nested aggregates without braces take their items from it.

use super::constant::is_address_constant;
use super::entries::{Entries, Extent, extent};
use super::literal::string_entries;
use super::specifiers::check_size;
use super::{FLOATING, Res, Sema, constant, error, unsupported};
use crate::hir::{BitField, Expr, ExprKind, Field, InitEntry, RecordId, Type, TypeId};
use crate::syntax::ast::{self, Designator, InitItem, Initializer, Range};
use crate::types::Types;

/// So many entries may a range designator give: each is kept as one, and the text could ask for 2⁶⁴.
const MAX_RANGE_ENTRIES: u64 = 1 << 22;

/// An initialiser, as written.
#[derive(Clone, Copy)]
pub(super) enum Init<'a> {
    Expr(&'a ast::Expression),
    List(&'a [InitItem]),
}

impl<'a> From<&'a Initializer> for Init<'a> {
    fn from(init: &'a Initializer) -> Self {
        match init {
            Initializer::Expr(e) => Init::Expr(e),
            Initializer::List(items, _) => Init::List(items),
        }
    }
}

/// What is to be initialised.
#[derive(Clone, Copy)]
struct Target {
    ty: TypeId,
    offset: u64,
    bits: Option<BitField>,
    /// For bit-fields the declared type, else `ty`.
    declared: TypeId,
}

impl Target {
    fn extent(self, types: &Types) -> Extent {
        extent(types, self.ty, self.offset, self.bits)
    }
}

/// The items of one pair of braces, and the value of the next one if it has
/// been computed already.
struct Cursor<'a> {
    items: &'a [InitItem],
    next: usize,
    value: Option<Expr>,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<&'a InitItem> {
        self.items.get(self.next)
    }

    fn advance(&mut self) {
        self.next += 1;
        self.value = None;
    }
}

/// Where one step of filling an aggregate goes on.
struct Step<'a> {
    /// First and last index.
    first: u64,
    last: u64,
    /// The designators below.
    rest: &'a [Designator],
    designated: bool,
}

/// Entries and, for arrays of unknown length, the completed type.
pub(super) fn initializer(
    sema: &mut Sema,
    ty: TypeId,
    init: Init,
    range: Range,
) -> Res<(Vec<InitEntry>, TypeId)> {
    let mut filler = Filler { sema, entries: Entries::default() };
    let target = Target { ty, offset: 0, bits: None, declared: ty };
    let length = filler.init_object(target, init, range)?;
    let entries = filler.entries.finish();
    let completed = match *sema.types.get(ty) {
        Type::Array(element, None) => sema.types.array(element, Some(length)),
        _ => ty,
    };
    check_size(&sema.types, completed, range)?;
    Ok((entries, completed))
}

/// An initialiser that must be constant.
pub(super) fn static_initializer(
    sema: &mut Sema,
    ty: TypeId,
    init: Init,
    range: Range,
) -> Res<(Vec<InitEntry>, TypeId)> {
    let (mut entries, ty) = initializer(sema, ty, init, range)?;
    for entry in &mut entries {
        if let Some(number) = sema.constants.fold(&sema.types, &entry.value) {
            let value = sema.types.wrap(number, entry.value.ty);
            entry.value = constant(value, entry.value.ty, entry.value.range);
        } else if let Some(what) = not_modelled(&sema.types, &entry.value) {
            entry.value = unsupported(&what, entry.value.ty, entry.value.range);
        } else if !is_address_constant(&sema.objects, &entry.value) {
            return error(
                entry.value.range,
                "the initialiser of a static variable must be a constant",
            );
        }
    }
    Ok((entries, ty))
}

/// Why a value is not modelled, if it or a part of it is not.
fn not_modelled(types: &Types, value: &Expr) -> Option<String> {
    match &*value.kind {
        _ if types.is_float(value.ty) => Some(FLOATING.to_string()),
        ExprKind::Unsupported(what) => Some(what.clone()),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => not_modelled(types, a),
        ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b, _) | ExprKind::PtrDiff(a, b, _) => {
            not_modelled(types, a).or_else(|| not_modelled(types, b))
        }
        _ => None,
    }
}

/// Collects the entries of one initialiser.
struct Filler<'s> {
    sema: &'s mut Sema,
    entries: Entries,
}

impl Filler<'_> {
    /// Initialises one object; for an array, gives the number of elements.
    fn init_object(&mut self, target: Target, init: Init, range: Range) -> Res<u64> {
        let ty = self.sema.types.unatomic(target.ty);
        if let Some(record) = self.sema.types.as_record(ty)
            && self.sema.types.record(record).is_opaque
        {
            self.init_opaque(target, record, init)?;
            return Ok(0);
        }
        let is_aggregate =
            self.sema.types.as_record(ty).is_some() || self.sema.types.element(ty).is_some();
        match init {
            Init::Expr(e) => self.init_from_expr(target, e),
            Init::List([item]) if self.string_for(ty, item).is_some() => {
                self.init_object(target, Init::from(&item.value), range)
            }
            Init::List(items) if is_aggregate => {
                if self.sema.types.as_record(ty).is_some() && self.sema.types.size_of(ty).is_none()
                {
                    let name = self.sema.types.name(ty);
                    return error(range, format!("{name} is not complete"));
                }
                let mut cursor = Cursor { items, next: 0, value: None };
                let target = Target { ty, ..target };
                self.fill(target, &mut cursor, true, &[])
            }
            Init::List([]) => Ok(0),
            Init::List([item, ..]) => self.init_object(target, Init::from(&item.value), range),
        }
    }

    /// The string literal that initialises an array of characters, if it is one.
    fn string_for<'a>(&mut self, ty: TypeId, item: &'a InitItem) -> Option<&'a ast::Expression> {
        match &item.value {
            Initializer::Expr(e) if item.designators.is_empty() => {
                self.is_string_for(ty, e).then_some(e)
            }
            _ => None,
        }
    }

    fn is_string_for(&mut self, ty: TypeId, e: &ast::Expression) -> bool {
        let (Some(element), ast::ExprKind::Str(_, prefix)) =
            (self.sema.types.element(ty), &*e.kind)
        else {
            return false;
        };
        let character = self.sema.types.character(*prefix);
        self.sema.types.is_integer(element)
            && self.sema.types.size_of(element) == self.sema.types.size_of(character)
    }

    fn init_from_expr(&mut self, target: Target, e: &ast::Expression) -> Res<u64> {
        let range = self.sema.at(e.range);
        let ty = self.sema.types.unatomic(target.ty);
        if let ast::ExprKind::Str(units, _) = &*e.kind
            && self.is_string_for(ty, e)
        {
            return Ok(self.init_string(target, units, range));
        }
        if let ast::ExprKind::CompoundLiteral(name, items) = &*e.kind
            && !self.sema.types.is_scalar(ty)
        {
            let literal = self.sema.type_name(name)?;
            if self.sema.types.compatible(literal, ty) {
                let length = self.init_object(target, Init::List(items), range)?;
                self.note_whole(target);
                return Ok(length);
            }
        }
        if self.sema.types.element(ty).is_some() {
            return error(range, "an array is initialised by braces or a string");
        }
        let value = self.sema.value(e)?;
        self.push_value(target, value)?;
        Ok(0)
    }

    fn push(&mut self, entry: InitEntry) {
        self.entries.push(&self.sema.types, &self.sema.objects, entry);
    }

    fn clear(&mut self, bits: Extent) {
        self.entries.clear(&self.sema.objects, bits);
    }

    /// An expression has initialised this record, or what else it is.
    fn note_whole(&mut self, target: Target) {
        if self.sema.types.as_record(self.sema.types.unatomic(target.ty)).is_some() {
            self.entries.note_whole(target.extent(&self.sema.types));
        }
    }

    fn init_string(&mut self, target: Target, units: &[u32], range: Range) -> u64 {
        let (element, limit) = match *self.sema.types.get(self.sema.types.unatomic(target.ty)) {
            Type::Array(element, limit) => (element, limit),
            _ => return 0,
        };
        let limit = limit.unwrap_or(units.len() as u64 + 1);
        self.clear(target.extent(&self.sema.types));
        for entry in string_entries(&self.sema.types, units, element, target.offset, limit, range) {
            self.push(entry);
        }
        limit
    }

    /// One scalar, or one whole record.
    fn push_value(&mut self, target: Target, value: Expr) -> Res<()> {
        let value = self.sema.build().convert(value, target.declared)?;
        let value = self.sema.build().convert(value, target.ty)?;
        self.push(InitEntry {
            offset: target.offset,
            bits: target.bits,
            ty: self.sema.types.unatomic(target.ty),
            value,
        });
        self.note_whole(target);
        Ok(())
    }

    /// A type of the models in place of the user's: whatever the shape of the
    /// initialiser, its first value that is not zero is the `kind`.
    fn init_opaque(&mut self, target: Target, record: RecordId, init: Init) -> Res<()> {
        let Some(value) = self.first_nonzero(target.ty, init)? else {
            return Ok(());
        };
        let kind = match &self.sema.types.record(record).layout {
            Some(layout) if !layout.fields.is_empty() => layout.fields[0].ty,
            _ => return Ok(()),
        };
        let ty = if value.ty == target.ty { target.ty } else { kind };
        let target = Target { ty, declared: ty, ..target };
        self.push_value(target, value)
    }

    fn first_nonzero(&mut self, ty: TypeId, init: Init) -> Res<Option<Expr>> {
        match init {
            Init::List(items) => {
                for item in items {
                    let found = self.first_nonzero(ty, Init::from(&item.value))?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                Ok(None)
            }
            Init::Expr(e) => match &*e.kind {
                ast::ExprKind::CompoundLiteral(_, items) => {
                    self.first_nonzero(ty, Init::List(items))
                }
                _ => {
                    let value = self.sema.value(e)?;
                    let useful = value.ty == ty || self.sema.types.is_scalar(value.ty);
                    Ok((useful && self.sema.constants.fold(&self.sema.types, &value) != Some(0))
                        .then_some(value))
                }
            },
        }
    }

    /// Fills an array or record from the cursor: all of its items if `braced`,
    /// else as many as fit. `path` designates where to begin.
    fn fill<'a>(
        &mut self,
        target: Target,
        cursor: &mut Cursor<'a>,
        braced: bool,
        path: &'a [Designator],
    ) -> Res<u64> {
        let ty = self.sema.types.unatomic(target.ty);
        if let Some(record) = self.sema.types.as_record(ty) {
            let layout = self.sema.types.record(record).layout.as_ref();
            let fields = layout.map_or(Vec::new(), |l| l.fields.clone());
            let shape = AggregateParts::Record(record, &fields);
            return self.fill_parts(target, shape, cursor, braced, path);
        }
        match *self.sema.types.get(ty) {
            Type::Array(element, length) => {
                let shape = AggregateParts::Array(element, length);
                self.fill_parts(target, shape, cursor, braced, path)
            }
            _ => error(self.place_of(cursor), "this cannot be initialised by a list"),
        }
    }

    fn place_of(&self, cursor: &Cursor) -> Range {
        let item = cursor.peek().or(cursor.items.last());
        match item.map(|item| &item.value) {
            Some(Initializer::Expr(e)) => self.sema.at(e.range),
            Some(Initializer::List(_, range)) => self.sema.at(*range),
            None => Range::default(),
        }
    }

    fn fill_parts<'a>(
        &mut self,
        target: Target,
        shape: AggregateParts,
        cursor: &mut Cursor<'a>,
        braced: bool,
        mut path: &'a [Designator],
    ) -> Res<u64> {
        let mut index = 0;
        let mut highest = 0;
        let first = cursor.next;
        while let Some(item) = cursor.peek() {
            // The designators of the item with which elided braces begin have led here.
            let begins = !braced && cursor.next == first;
            if !begins && !item.designators.is_empty() {
                if !braced {
                    break;
                }
                path = &item.designators;
            }
            let step = self.step_of(&shape, path, index, cursor)?;
            path = &[];
            let full = is_full(&self.sema.types, &shape, &step, highest);
            if full && !braced {
                break;
            }
            let before = cursor.next;
            if !full {
                self.fill_step(target, &shape, &step, cursor)?;
                index = step.last.saturating_add(1);
                highest = highest.max(index);
            }
            if cursor.next == before && (full || braced) {
                cursor.advance();
            }
        }
        Ok(highest)
    }

    /// Which part comes next: the designated one, else the one at `index`.
    fn step_of<'a>(
        &mut self,
        shape: &AggregateParts,
        path: &'a [Designator],
        index: u64,
        cursor: &Cursor,
    ) -> Res<Step<'a>> {
        let Some(designator) = path.first() else {
            return Ok(Step { first: index, last: index, rest: &[], designated: false });
        };
        let rest = &path[1..];
        let (first, last, rest) = match (shape, designator) {
            (AggregateParts::Array(_, length), Designator::Index(e)) => {
                let index = self.designated_index(e, *length)?;
                (index, index, rest)
            }
            (AggregateParts::Array(_, length), Designator::Range(low, high)) => {
                let first = self.designated_index(low, *length)?;
                (first, self.designated_index(high, *length)?, rest)
            }
            (AggregateParts::Record(_, fields), Designator::Field(name)) => {
                let direct = fields.iter().position(|f| f.name == *name.name);
                let within = |f: &&Field| {
                    let record = self.sema.types.as_record(f.ty);
                    f.name.is_empty()
                        && record
                            .is_some_and(|r| self.sema.types.find_field(r, &name.name).is_some())
                };
                let anonymous = fields.iter().position(|f| within(&f));
                match (direct, anonymous) {
                    (Some(at), _) => (at as u64, at as u64, rest),
                    (None, Some(at)) => (at as u64, at as u64, path),
                    (None, None) => {
                        let message = format!("there is no member `{}`", name.name);
                        return error(self.sema.at(name.range), message);
                    }
                }
            }
            _ => return error(self.place_of(cursor), "this designator does not fit the type"),
        };
        Ok(Step { first, last, rest, designated: true })
    }

    fn designated_index(&mut self, e: &ast::Expression, length: Option<u64>) -> Res<u64> {
        let range = self.sema.at(e.range);
        let value = self.sema.integer_constant(e, "the index of a designator")?;
        match u64::try_from(value) {
            Ok(index) if index < length.unwrap_or(super::MAX_OBJECT_BYTES) => Ok(index),
            _ => error(range, "this index lies outside of the array"),
        }
    }

    fn fill_step<'a>(
        &mut self,
        target: Target,
        shape: &AggregateParts,
        step: &Step<'a>,
        cursor: &mut Cursor<'a>,
    ) -> Res<()> {
        self.choose_member(target, shape, step.first);
        let part = part_of(&self.sema.types, target, shape, step.first);
        if step.last == step.first {
            return self.fill_part(part, cursor, step.rest);
        }
        if step.rest.is_empty() {
            let last = part_of(&self.sema.types, target, shape, step.last);
            let types = &self.sema.types;
            self.clear((part.extent(types).0, last.extent(types).1));
        }
        let start = self.entries.begin_range();
        self.fill_part(part, cursor, step.rest)?;
        let count = step.last - step.first;
        let copies = count.saturating_mul(self.entries.said_since(start));
        if copies > MAX_RANGE_ENTRIES {
            return error(self.place_of(cursor), "this designator names too many elements");
        }
        let Sema { types, objects, .. } = &*self.sema;
        let size = types.size_of(part.ty).unwrap_or(0);
        let distances = (1..=count).map(|n| n.saturating_mul(size));
        self.entries.end_range(types, objects, start, distances);
        Ok(())
    }

    /// A union has one member that is initialised: what was said of another one is lost.
    fn choose_member(&mut self, target: Target, shape: &AggregateParts, index: u64) {
        if let AggregateParts::Record(record, _) = shape
            && self.sema.types.record(*record).is_union
        {
            let bits = target.extent(&self.sema.types);
            let union = (target.offset, *record);
            self.entries.choose_member(&self.sema.objects, union, index, bits);
        }
    }

    /// One part of an aggregate, from the next item.
    fn fill_part<'a>(
        &mut self,
        part: Target,
        cursor: &mut Cursor<'a>,
        rest: &'a [Designator],
    ) -> Res<()> {
        if !rest.is_empty() {
            return self.fill(part, cursor, false, rest).map(|_| ());
        }
        let Some(item) = cursor.peek() else {
            return Ok(());
        };
        let range = self.place_of(cursor);
        let ty = self.sema.types.unatomic(part.ty);
        let e = match &item.value {
            Initializer::Expr(e) => e,
            Initializer::List(..) => {
                cursor.advance();
                self.clear(part.extent(&self.sema.types));
                return self.init_object(part, Init::from(&item.value), range).map(|_| ());
            }
        };
        let whole = if self.sema.types.element(ty).is_some() {
            self.is_string_for(ty, e)
        } else if let Some(record) = self.sema.types.as_record(ty) {
            self.sema.types.record(record).is_opaque || self.is_whole_record(ty, e, cursor)?
        } else {
            true
        };
        if !whole {
            return self.fill(part, cursor, false, &[]).map(|_| ());
        }
        let known = cursor.value.take();
        cursor.advance();
        match known {
            Some(value) => self.push_value(part, value),
            None => self.init_object(part, Init::Expr(e), range).map(|_| ()),
        }
    }

    /// Does an expression initialise a record as a whole? If its value had to
    /// be computed to know, it is kept in the cursor.
    fn is_whole_record(
        &mut self,
        ty: TypeId,
        e: &ast::Expression,
        cursor: &mut Cursor,
    ) -> Res<bool> {
        if let ast::ExprKind::CompoundLiteral(name, _) = &*e.kind
            && cursor.value.is_none()
        {
            let literal = self.sema.type_name(name)?;
            if literal == ty {
                return Ok(true);
            }
        }
        if cursor.value.is_none() && !matches!(*e.kind, ast::ExprKind::Str(..)) {
            cursor.value = Some(self.sema.value(e)?);
        }
        Ok(cursor.value.as_ref().is_some_and(|v| v.ty == ty))
    }
}

/// The parts of an aggregate.
enum AggregateParts<'f> {
    Array(TypeId, Option<u64>),
    Record(RecordId, &'f [Field]),
}

/// The part of an aggregate with this index.
fn part_of(types: &Types, target: Target, shape: &AggregateParts, index: u64) -> Target {
    match shape {
        AggregateParts::Array(element, _) => Target {
            ty: *element,
            offset: target
                .offset
                .saturating_add(index.saturating_mul(types.size_of(*element).unwrap_or(0))),
            bits: None,
            declared: *element,
        },
        AggregateParts::Record(_, fields) => {
            let field = &fields[index as usize];
            Target {
                ty: field.ty,
                offset: target.offset.saturating_add(field.offset),
                bits: field.bits,
                declared: field.declared,
            }
        }
    }
}

/// Nothing can follow: the end of the aggregate, or one member of a union.
fn is_full(types: &Types, shape: &AggregateParts, step: &Step, highest: u64) -> bool {
    match shape {
        AggregateParts::Array(_, Some(length)) => step.first >= *length,
        AggregateParts::Array(_, None) => false,
        AggregateParts::Record(record, fields) => {
            let is_union = types.record(*record).is_union;
            step.first >= fields.len() as u64 || (is_union && !step.designated && highest > 0)
        }
    }
}
