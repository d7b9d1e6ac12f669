//! Bytes of addresses, and of locks.
//!
//! The number of an address is that of our layout (see `observe`), and so is each of its bytes. Bytes may be copied: who copies all of
//! them has the address again. To use one of them as a number is a model limit, at its place.
//!
//! Which bytes are those of an address is a matter of values (`words`). A cell as wide as a pointer says it by its value. A row of bytes
//! (`cells`) is looked at in words, at multiples of their size: an address that is written there as a whole is found so. What lies
//! elsewhere, because bytes were copied one by one or an address was overwritten in part, is not found so. Two variables of the model note that
//! this has happened (`Strays`); from then on, reading what may be such a byte as a number is a limit, too. They exist only in models of programs that can do
//! so. What a store to a member of a union leaves of an address has unspecified values (C11 6.2.6.1, 7). `points_to` says which memory can hold addresses at all.
//!
//! A lock, or another object by which threads wait for each other, is used by its functions only. `memset` and `memcpy` see to it that a
//! copy is none (`spoil_locks`); to read its bytes otherwise, or to write others than zeros, is a limit.

use super::access::Ways;
use super::alternative::Alternative;
use super::build::{FLAG, TemplateBuilder, set};
use super::cells::Group;
use super::input::Input;
use super::locate::INDEX;
use super::manner::Manner;
use super::memory::Piece;
use super::objects::Key;
use super::place::Target;
use super::words::{Company, CutWord, Held, LeftByWrite, Stray, Suspects};
use super::{Memory, fold};
use crate::hir::{
    Expr as CExpr, ExprKind, InitEntry, Place, PlaceKind, Type as CType, TypeId, Unit, Var, VarId,
};
use crate::points_to::walk::{Event, walk};
use crate::types::Types;
use ccfa::{Assign, BinOp, Expr, LocKind, Place as CellPlace, Rhs, Type, VarRef};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// For so many numbers or objects, each number is compared with each object: steps of their own would cost more.
const MAX_DIRECT_QUESTIONS: usize = 3;

/// What becomes of bytes that are read.
enum Use {
    /// They are a number.
    Number,
    /// Nothing.
    Nothing,
    /// They are put elsewhere.
    Copied,
    /// They are put elsewhere by `memcpy`, perhaps with others.
    Piece(Option<Company>),
}

impl Memory<'_, '_> {
    /// Reads a scalar. For one that is copied also: what says whether it is a part of an address.
    fn read_as(
        &mut self,
        source: &CExpr,
        (target, size): (&Target, u64),
        ty: Type,
        manner: Manner,
        how: Use,
    ) -> (Expr, Option<VarRef>) {
        self.read_if_inside(target, size, ty, |memory| {
            memory.read_inside(source, (target, size), ty, manner, how)
        })
    }

    fn read_inside(
        &mut self,
        source: &CExpr,
        (target, size): (&Target, u64),
        ty: Type,
        manner: Manner,
        how: Use,
    ) -> (Expr, Option<VarRef>) {
        let Some(ways) = self.alternatives(target, size) else {
            return (self.t.arbitrary(ty), None);
        };
        let company = match &how {
            Use::Piece(company) => company.as_ref(),
            Use::Nothing => {
                self.refuse_locks(&ways);
                None
            }
            Use::Number | Use::Copied => {
                self.refuse_locks(&ways);
                let is_byte = size == 1 && matches!(how, Use::Copied);
                self.require_cells_written(&ways, target, is_byte);
                None
            }
        };
        let Some((held, suspects)) =
            self.address_bytes().parts_of_addresses(source, &ways, size, company)
        else {
            return (self.read_by(&ways, (target, size), ty, manner), None);
        };
        self.t.begin_atomic();
        let seen = self.is_any_held(&held, suspects);
        let part = match how {
            Use::Number | Use::Nothing => {
                self.refuse(seen);
                None
            }
            Use::Copied | Use::Piece(_) => {
                let part = self.t.temp(FLAG);
                self.t.step(Expr::TRUE, vec![set(part, fold::number(FLAG, seen))]);
                Some(part)
            }
        };
        let value = self.read_by(&ways, (target, size), ty, manner);
        self.t.end_atomic();
        (value, part)
    }

    pub(super) fn refuse(&mut self, seen: Expr) {
        self.t.require_supported(Expr::negate(seen), "a byte of an address, used as a number");
    }

    /// Reads a piece of memory that is copied, and says whether it is a part of an address.
    pub(super) fn read_piece(
        &mut self,
        source: &CExpr,
        from: &Target,
        piece: &Piece,
        limit: Result<&Expr, u64>,
    ) -> (Expr, Option<VarRef>) {
        let Group { ty, size, .. } = piece.group;
        let how = Use::Piece(self.address_bytes().company(piece, limit));
        self.assume_values_of(from);
        self.read_as(source, (from, size), ty, Manner::PLAIN, how)
    }

    /// Asks that an access meets no lock.
    fn refuse_locks(&mut self, ways: &Ways) {
        let is_lock = |way: &&Alternative| {
            let groups = &self.objects.get(way.object).outline.groups;
            way.parts.iter().any(|part| groups[part.group].is_lock)
        };
        let locks = ways.list.iter().filter(is_lock).map(Alternative::possible);
        let meets = locks.reduce(Expr::or).unwrap_or(Expr::FALSE);
        self.t.require_supported(Expr::negate(meets), "the bytes of a lock");
    }

    /// Writes a piece of memory that was copied; `part` says whether it is a part of an address.
    pub(super) fn write_piece(
        &mut self,
        content: &CExpr,
        piece: &Piece,
        value: &Expr,
        part: Option<VarRef>,
    ) {
        let Group { ty, size, .. } = piece.group;
        let at = (&piece.target, size);
        let Some(ways) = self.alternatives(at.0, size) else { return };
        let strays = self.address_bytes().strays_of_write(content, &ways, (value, ty, size), part);
        self.write_and_note(ways, at, (value, ty), Manner::PLAIN, strays);
    }

    /// Writes a scalar that a place of the program names; `part` says whether it is a part of an address.
    pub(super) fn write_place(
        &mut self,
        place: &Place,
        (target, size): (&Target, u64),
        (value, ty): (&Expr, Type),
        (manner, part): (Manner, Option<VarRef>),
    ) {
        let Some(ways) = self.alternatives(target, size) else { return };
        let is_named = matches!(place.kind, PlaceKind::Temporary(_)) || manner == Manner::Internal;
        if !is_named && !matches!(value, Expr::Const(0, _)) {
            self.refuse_locks(&ways);
        }
        if manner == Manner::Internal {
            return self.write_by(ways, (target, size), (value, ty), manner);
        }
        let content = load_of(place);
        let mut strays =
            self.address_bytes().strays_of_write(&content, &ways, (value, ty, size), part);
        let left = self.address_bytes().left_of_addresses(&content, &ways, size);
        if !self.input.is_in_union(place) {
            if strays.held.is_none() && !left.is_empty() {
                strays.held = self.address_bytes().held(&content);
            }
            let words = left.into_iter().map(|one| (one.position, one.condition, one.word.value));
            strays.narrow.words.extend(words);
            return self.write_and_note(ways, (target, size), (value, ty), manner, strays);
        }
        let Some(held) = self.address_bytes().held(&content).filter(|_| !left.is_empty()) else {
            return self.write_and_note(ways, (target, size), (value, ty), manner, strays);
        };
        self.t.begin_atomic();
        self.forget_words(&held, &left);
        self.write_and_note(ways, (target, size), (value, ty), manner, strays);
        self.t.end_atomic();
    }

    /// All bytes of the words that are met become arbitrary, if they are addresses.
    fn forget_words(&mut self, held: &Held, left: &[CutWord]) {
        for position in 0..2 {
            let here: Vec<&CutWord> = left.iter().filter(|one| one.position == position).collect();
            let word = |one: &&CutWord| (position, one.condition.clone(), one.word.value.clone());
            let words: Vec<_> = here.iter().map(word).collect();
            let is_address = self.is_any_held(held, Suspects { words, strays: vec![] });
            if is_address == Expr::FALSE {
                continue;
            }
            let is_address = self.t.keep(fold::number(FLAG, is_address), FLAG);
            let is_address = fold::truth(FLAG, is_address);
            let target = self.t.location(LocKind::Plain);
            self.t.edge(self.t.here, target, Expr::negate(is_address.clone()), vec![]);
            for one in here {
                let byte = |at: u64| {
                    let at = Expr::Const(i128::from(at), INDEX);
                    let index = fold::binary(BinOp::Add, INDEX, one.word.first.clone(), at);
                    Assign { place: CellPlace::Element(one.word.row, index), value: Rhs::Havoc }
                };
                let bytes = (0..self.input.unit.types.pointer_size()).map(byte).collect();
                let guard = Expr::and(is_address.clone(), one.condition.clone());
                self.t.edge(self.t.here, target, guard, bytes);
            }
            self.t.here = target;
        }
    }

    /// Writes, and notes what that leaves about of addresses.
    fn write_and_note(
        &mut self,
        ways: Ways,
        (target, size): (&Target, u64),
        (value, ty): (&Expr, Type),
        manner: Manner,
        strays: LeftByWrite,
    ) {
        let LeftByWrite { held: Some(held), wide, narrow } = strays else {
            return self.write_by(ways, (target, size), (value, ty), manner);
        };
        if wide.is_empty() && narrow.is_empty() {
            return self.write_by(ways, (target, size), (value, ty), manner);
        }
        self.t.begin_atomic();
        for (kind, suspects) in [(Stray::Wide, wide), (Stray::Narrow, narrow)] {
            if !suspects.is_empty() {
                let seen = self.is_any_held(&held, suspects);
                self.note_stray(kind, seen);
            }
        }
        self.write_by(ways, (target, size), (value, ty), manner);
        self.t.end_atomic();
    }

    /// Notes that parts of an address are somewhere, if so it is.
    fn note_stray(&mut self, kind: Stray, condition: Expr) {
        self.found.has_strays = true;
        let Some(noted) = self.address_bytes().stray(kind) else { return };
        let mut no = self.t.enter_if(condition);
        self.t.step(Expr::TRUE, vec![set(noted, Expr::Const(1, FLAG))]);
        self.t.join_at(&mut no);
        self.t.resume(no);
    }

    /// Is one of these an address? Asked in the atomic section of the access: where there are many of both, the one that is met is noted first.
    fn is_any_held(&mut self, held: &Held, suspects: Suspects) -> Expr {
        let (mut seen, ty) = (suspects.strays, self.input.pointer_type());
        if suspects.words.len().min(held.objects.len()) <= MAX_DIRECT_QUESTIONS {
            seen.extend(suspects.words.into_iter().map(|(_, condition, word)| {
                Expr::and(condition, held.has(self.objects, &word, ty))
            }));
            return fold::any(seen);
        }
        let mut by_position: BTreeMap<usize, Vec<Expr>> = BTreeMap::new();
        for (position, condition, word) in suspects.words {
            let word = Expr::ite(condition, word, Expr::Const(0, ty));
            by_position.entry(position).or_default().push(word);
        }
        for words in by_position.into_values() {
            let join = |a, b| Expr::binary(BinOp::BitOr, a, b);
            let Some(word) = fold::balanced(words, join) else { continue };
            let met = self.t.keep(word, ty);
            seen.push(held.has(self.objects, &met, ty));
        }
        // It is large, and asked twice.
        let Some(seen) = fold::balanced(seen, Expr::or) else { return Expr::FALSE };
        fold::truth(FLAG, self.t.keep(fold::number(FLAG, seen), FLAG))
    }

    /// The value of a scalar place, of `size` bytes.
    pub(super) fn read_place(
        &mut self,
        place: &Place,
        (target, size): (&Target, u64),
        ty: Type,
        manner: Manner,
    ) -> Expr {
        if manner == Manner::Internal {
            return self.read(target, ty, size, manner);
        }
        let is_copied = self.input.summaries.copied().contains(&identity(place));
        let how = match is_copied {
            _ if self.t.discarded == Some(identity(place)) => Use::Nothing,
            true => Use::Copied,
            false => Use::Number,
        };
        let source = load_of(place);
        let (value, part) = self.read_as(&source, (target, size), ty, manner, how);
        match part {
            Some(part) => self.t.copied_parts.insert(identity(place), part),
            None => self.t.copied_parts.remove(&identity(place)),
        };
        value
    }

    /// Asks that what was read by this expression is no part of an address.
    pub(super) fn refuse_as_number(&mut self, value: &CExpr) {
        if let Some(part) = self.input.copied_part(self.t, value) {
            self.refuse(fold::truth(FLAG, Expr::Var(part)));
        }
    }

    /// Asks that what an atomic operation accesses is no part of an address.
    pub(super) fn refuse_parts(&mut self, pointer: &CExpr, target: &Target, size: u64) {
        let source = behind(pointer);
        let memory = self;
        if memory.input.points_to.targets(&source).is_empty() {
            return;
        }
        let Some(ways) = memory.alternatives(target, size) else { return };
        let odd = ways.list.iter().filter(|way| way.whole_cell().is_none());
        odd.for_each(|way| memory.address_bytes().note_words(way.object));
        if let Some((held, suspects)) =
            memory.address_bytes().parts_of_addresses(&source, &ways, size, None)
        {
            memory.t.begin_atomic();
            let seen = memory.is_any_held(&held, suspects);
            memory.refuse(seen);
            memory.t.end_atomic();
        }
    }
}

impl Input<'_> {
    /// Is a place a member of a union, or of a member of one?
    fn is_in_union(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Field(record, _) => {
                let types = &self.unit.types;
                let known = types.as_record(types.unatomic(record.ty));
                known.is_some_and(|record| types.record(record).is_union)
                    || self.is_in_union(record)
            }
            PlaceKind::Index(array, ..) => self.is_in_union(array),
            PlaceKind::Var(_) | PlaceKind::Deref(_) | PlaceKind::Temporary(_) => false,
        }
    }

    /// Is what was read by this expression, and is now to be put elsewhere, a part of an address?
    pub(super) fn copied_part(&self, t: &TemplateBuilder, value: &CExpr) -> Option<VarRef> {
        let place = copied_place(self.unit, value)?;
        t.copied_parts.get(&identity(place)).copied()
    }
}

/// Tells places of the program apart.
pub fn identity(place: &Place) -> usize {
    std::ptr::from_ref(place) as usize
}

/// The value of a place.
fn load_of(place: &Place) -> CExpr {
    CExpr { kind: Box::new(ExprKind::Load(place.clone())), ty: place.ty, range: place.range }
}

/// What lies where a pointer points to. Its type does not matter.
pub fn behind(pointer: &CExpr) -> CExpr {
    let kind = PlaceKind::Deref(pointer.clone());
    load_of(&Place { kind, ty: pointer.ty, bits: None, range: pointer.range })
}

/// The place whose value an expression is, without any other use of it.
fn copied_place<'e>(unit: &Unit, value: &'e CExpr) -> Option<&'e Place> {
    match &*value.kind {
        ExprKind::Load(place) if place.bits.is_none() => Some(place),
        ExprKind::Cast(inner) if unit.types.size_of(inner.ty) == unit.types.size_of(value.ty) => {
            copied_place(unit, inner)
        }
        _ => None,
    }
}

/// The static variables that may have addresses in rows of bytes from the start.
pub fn words_at_first(unit: &Unit) -> BTreeSet<Key> {
    let types = &unit.types;
    let has_words = |(_, var): &(usize, &Var)| {
        let is_address = |entry: &InitEntry| types.is_pointer(types.unatomic(entry.ty));
        var.init.iter().flatten().any(is_address) && has_union(types, var.ty)
    };
    let vars = unit.vars.iter().enumerate().filter(has_words);
    vars.map(|(number, _)| Key::Global(VarId(number as u32))).collect()
}

/// Are bytes of objects of a type seen through several types?
pub fn has_union(types: &Types, ty: TypeId) -> bool {
    match types.get(types.unatomic(types.innermost_element(types.unatomic(ty)))) {
        CType::Record(record) => {
            let record = types.record(*record);
            let fields = record.layout.iter().flat_map(|layout| &layout.fields);
            record.is_union || fields.into_iter().any(|field| has_union(types, field.ty))
        }
        _ => false,
    }
}

/// The places whose values are put elsewhere as they are.
pub fn copied(unit: &Unit) -> HashSet<usize> {
    let mut found = HashSet::new();
    for function in &unit.functions {
        walk(function.body.as_deref().unwrap_or_default(), &mut |event| match event {
            Event::Expr(expr) => {
                if let ExprKind::Assign(_, value) = &*expr.kind {
                    found.extend(copied_place(unit, value).map(identity));
                }
            }
            Event::Declare(_, entries) => {
                let values = entries.iter().map(|entry| &entry.value);
                found.extend(values.filter_map(|value| copied_place(unit, value)).map(identity));
            }
            _ => {}
        });
    }
    found
}
