//! Bytes of addresses, and of locks.
//!
//! The number of an address is that of our layout (see `observe`), and so is each of its bytes. Bytes may be copied: who copies all of
//! them has the address again. To use one of them as a number is a model limit, at its place.
//!
//! Which bytes are those of an address is a matter of values. A cell as wide as a pointer says it by its value. A row of bytes
//! (`cells`) is looked at in words, at multiples of their size: an address that is written there as a whole is found so. What lies
//! elsewhere, because bytes were copied one by one or an address was overwritten in part, is not found so. Two variables of the model note that
//! this has happened ([`Strays`]); from then on, reading what may be such a byte as a number is a limit, too. They exist only in models of programs that can do
//! so. What a store to a member of a union leaves of an address has unspecified values (C11 6.2.6.1, 7). `points_to` says which memory can hold addresses at all.
//!
//! A lock, or another object by which threads wait for each other, is used by its functions only. `memset` and `memcpy` see to it that a
//! copy is none (`spoil_locks`); to read its bytes otherwise, or to write others than zeros, is a limit.

use super::access::Ways;
use super::alternative::{Alternative, CellPart, width};
use super::build::{FLAG, set};
use super::cells::Group;
use super::input::Input;
use super::locate::INDEX;
use super::manner::Manner;
use super::memory::Piece;
use super::objects::{Key, ObjectId, Objects};
use super::place::Target;
use super::{Lowerer, Memory, fold};
use crate::hir::{
    Expr as CExpr, ExprKind, InitEntry, Place, PlaceKind, Type as CType, TypeId, Unit, Var, VarId,
};
use crate::points_to::Pointee;
use crate::points_to::walk::{Event, walk};
use crate::types::Types;
use ccfa::{
    Assign, BinOp, Expr, Init, Limit, LocKind, Place as CellPlace, Rhs, SharedId, Type, VarRef,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// For so many numbers or objects, each number is compared with each object: steps of their own would cost more.
const MAX_DIRECT_QUESTIONS: usize = 3;

/// Which kinds of cells bytes of addresses were put into, one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stray {
    /// Part of a cell as wide as a pointer.
    Wide,
    /// Any other.
    Narrow,
}

/// The variables that note it.
#[derive(Clone, Copy, Debug)]
pub struct Strays {
    wide: SharedId,
    narrow: SharedId,
}

/// The addresses that memory may hold.
struct Held {
    objects: Vec<ObjectId>,
    has_functions: bool,
}

/// What becomes of bytes that are read.
enum Use {
    /// They are a number.
    Number,
    /// They are put elsewhere.
    Copied,
    /// They are put elsewhere by `memcpy`, perhaps with others.
    Piece(Option<Company>),
}

/// What a read or a write may meet of addresses.
#[derive(Default)]
struct Suspects {
    /// Numbers that may be addresses, each with the condition that it is met. Of those with one position at most one is met.
    words: Vec<(usize, Expr, Expr)>,
    /// What is met may be a part of an address, whatever it is.
    strays: Vec<Expr>,
}

impl Suspects {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.strays.is_empty()
    }
}

/// A word of which a write overwrites a part.
struct CutWord {
    /// Is it where the write begins (0), or ends?
    position: usize,
    /// The condition that it is.
    condition: Expr,
    word: Word,
}

/// The position of what is written as a whole.
const WHOLE: usize = 2;

/// What a write leaves about of addresses, in which kind of cell, and under which conditions.
#[derive(Default)]
struct LeftByWrite {
    held: Option<Held>,
    wide: Suspects,
    narrow: Suspects,
}

/// A word of a row of bytes.
struct Word {
    /// The condition that there is one.
    is_there: Expr,
    value: Expr,
    row: VarRef,
    /// The index of its first byte.
    first: Expr,
}

/// Of a byte that is copied to a row of bytes, with others.
pub struct Company {
    object: ObjectId,
    /// Which one of its word there it becomes.
    position: u64,
    /// All of the word is copied.
    is_whole: Expr,
}

impl Lowerer<'_> {
    /// The value of a scalar place, of `size` bytes.
    pub(super) fn read_place(
        &mut self,
        place: &Place,
        (target, size): (&Target, u64),
        ty: Type,
        manner: Manner,
    ) -> Expr {
        if manner == Manner::Internal {
            return self.memory().read(target, ty, size, manner);
        }
        let is_copied = self.input.summaries.copied().contains(&identity(place));
        let how = if is_copied { Use::Copied } else { Use::Number };
        let source = load_of(place);
        let (value, part) = self.memory().read_as(&source, (target, size), ty, manner, how);
        match part {
            Some(part) => self.t.copied_parts.insert(identity(place), part),
            None => self.t.copied_parts.remove(&identity(place)),
        };
        value
    }

    /// Is what was read by this expression, and is now to be put elsewhere, a part of an address?
    pub(super) fn copied_part(&self, value: &CExpr) -> Option<VarRef> {
        let place = copied_place(self.input.unit, value)?;
        self.t.copied_parts.get(&identity(place)).copied()
    }

    /// Asks that what was read by this expression is no part of an address.
    pub(super) fn refuse_as_number(&mut self, value: &CExpr) {
        if let Some(part) = self.copied_part(value) {
            self.memory().refuse(fold::truth(FLAG, Expr::Var(part)));
        }
    }

    /// Asks that what an atomic operation accesses is no part of an address.
    pub(super) fn refuse_parts(&mut self, pointer: &CExpr, target: &Target, size: u64) {
        let source = behind(pointer);
        let mut memory = self.memory();
        if memory.input.points_to.targets(&source).is_empty() {
            return;
        }
        let Some(ways) = memory.alternatives(target, size) else { return };
        let odd = ways.list.iter().filter(|way| way.whole_cell().is_none());
        odd.for_each(|way| memory.note_words(way.object));
        if let Some((held, suspects)) = memory.parts_of_addresses(&source, &ways, size, None) {
            memory.t.begin_atomic();
            let seen = memory.is_any_held(&held, suspects);
            memory.refuse(seen);
            memory.t.end_atomic();
        }
    }
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
            Use::Number | Use::Copied => {
                self.refuse_locks(&ways);
                None
            }
        };
        let Some((held, suspects)) = self.parts_of_addresses(source, &ways, size, company) else {
            return (self.read_by(&ways, (target, size), ty, manner), None);
        };
        self.t.begin_atomic();
        let seen = self.is_any_held(&held, suspects);
        let part = match how {
            Use::Number => {
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
        let what = "a byte of an address, used as a number".to_string();
        self.t.require_or(Expr::negate(seen), LocKind::Limit(Limit::Unsupported, what));
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
        let how = Use::Piece(self.company(piece, limit));
        self.read_as(source, (from, size), ty, Manner::PLAIN, how)
    }

    /// With which others a byte is copied to a row of bytes, if it is: the whole piece has so many bytes.
    fn company(&self, piece: &Piece, limit: Result<&Expr, u64>) -> Option<Company> {
        let Target::Spot(spot) = &piece.target else { return None };
        if !(piece.group.is_bytes() && piece.group.dims.len() == 1) {
            return None;
        }
        let word = self.input.unit.types.pointer_size();
        let position = spot.offset % word;
        let end = piece.offset.checked_sub(position)? + word;
        let is_whole = match limit {
            Err(limit) if end <= limit => Expr::TRUE,
            Err(_) => Expr::FALSE,
            Ok(limit) => {
                let end = Expr::Const(i128::from(end), INDEX);
                fold::binary(BinOp::Le, INDEX, end, limit.clone())
            }
        };
        Some(Company { object: spot.object, position, is_whole })
    }

    /// Asks that an access meets no lock.
    fn refuse_locks(&mut self, ways: &Ways) {
        let is_lock = |way: &&Alternative| {
            let groups = &self.objects.get(way.object).outline.groups;
            way.parts.iter().any(|part| groups[part.group].is_lock)
        };
        let locks = ways.list.iter().filter(is_lock).map(Alternative::possible);
        let meets = locks.reduce(Expr::or).unwrap_or(Expr::FALSE);
        let what = "the bytes of a lock".to_string();
        self.t.require_or(Expr::negate(meets), LocKind::Limit(Limit::Unsupported, what));
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
        let strays = self.strays_of_write(content, &ways, (value, ty, size), part);
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
        let mut strays = self.strays_of_write(&content, &ways, (value, ty, size), part);
        let left = self.left_of_addresses(&content, &ways, size);
        if !self.input.is_in_union(place) {
            if strays.held.is_none() && !left.is_empty() {
                strays.held = self.held(&content);
            }
            let words = left.into_iter().map(|one| (one.position, one.condition, one.word.value));
            strays.narrow.words.extend(words);
            return self.write_and_note(ways, (target, size), (value, ty), manner, strays);
        }
        let Some(held) = self.held(&content).filter(|_| !left.is_empty()) else {
            return self.write_and_note(ways, (target, size), (value, ty), manner, strays);
        };
        self.t.begin_atomic();
        self.forget_words(&held, &left);
        self.write_and_note(ways, (target, size), (value, ty), manner, strays);
        self.t.end_atomic();
    }

    /// The words in rows of bytes of which a write overwrites a part, if they may be addresses.
    fn left_of_addresses(&mut self, content: &CExpr, ways: &Ways, size: u64) -> Vec<CutWord> {
        let rows = || ways.list.iter().filter(|way| self.first_word(way).is_some());
        if rows().next().is_none() || self.input.points_to.targets(content).is_empty() {
            return vec![];
        }
        let mut left = Vec::new();
        for way in rows() {
            let is_words = size.is_multiple_of(self.input.unit.types.pointer_size());
            let whole = match self.is_across_words(way) {
                Some(apart) if is_words => Expr::negate(apart),
                _ => Expr::FALSE,
            };
            let ends = [way.parts.first(), way.parts.last().filter(|_| way.parts.len() > 1)];
            for (position, part) in ends.into_iter().flatten().enumerate() {
                let Some(word) = self.word_around(way, part) else { continue };
                let is_cut = Expr::and(Expr::negate(whole.clone()), word.is_there.clone());
                let condition = Expr::and(way.possible(), is_cut);
                if condition != Expr::FALSE {
                    left.push(CutWord { position, condition, word });
                }
            }
        }
        left
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
            let flag = self.t.temp(FLAG);
            self.t.step(Expr::TRUE, vec![set(flag, fold::number(FLAG, is_address))]);
            let is_address = fold::truth(FLAG, Expr::Var(flag));
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

    /// What a write may leave about of addresses.
    fn strays_of_write(
        &mut self,
        content: &CExpr,
        ways: &Ways,
        (value, ty, size): (&Expr, Type, u64),
        part: Option<VarRef>,
    ) -> LeftByWrite {
        let mut left = LeftByWrite::default();
        if part.is_none() && !ways.list.iter().any(|way| way.whole_cell().is_none()) {
            return left;
        }
        left.held = self.held(content);
        if left.held.is_none() {
            return left;
        }
        let is_part = part.map_or(Expr::FALSE, |part| fold::truth(FLAG, Expr::Var(part)));
        for way in &ways.list {
            let possible = way.possible();
            let cut: Vec<&CellPart> =
                way.parts.iter().filter(|part| self.is_cut(way, part)).collect();
            let lost = Expr::and(possible.clone(), is_part.clone());
            let kind = if cut.is_empty() { &mut left.narrow } else { &mut left.wide };
            kind.strays.extend(Some(lost).filter(|lost| *lost != Expr::FALSE));
            for (position, part) in cut.into_iter().enumerate() {
                left.wide.words.push((position, possible.clone(), self.word_of(part)));
            }
            if size == self.input.unit.types.pointer_size()
                && let Some(apart) = self.is_across_words(way)
            {
                self.note_words(way.object);
                let number = fold::cast(self.input.pointer_type(), ty, value.clone());
                let condition = Expr::and(possible, apart);
                if condition != Expr::FALSE {
                    left.narrow.words.push((WHOLE, condition, number));
                }
            }
        }
        left
    }

    /// Notes that parts of an address are somewhere, if so it is.
    fn note_stray(&mut self, kind: Stray, condition: Expr) {
        self.found.has_strays = true;
        let Some(strays) = self.strays() else { return };
        let var = match kind {
            Stray::Wide => strays.wide,
            Stray::Narrow => strays.narrow,
        };
        let (mut yes, mut no) = (None, None);
        self.t.branch_on(condition, &mut yes, &mut no);
        self.t.resume(yes);
        self.t.step(Expr::TRUE, vec![set(VarRef::Shared(var), Expr::Const(1, FLAG))]);
        self.t.join_at(&mut no);
        self.t.resume(no);
    }

    /// Is a part of an address somewhere in cells of a kind?
    fn is_stray(&mut self, kind: Stray) -> Expr {
        let Some(strays) = self.strays() else { return Expr::FALSE };
        let var = match kind {
            Stray::Wide => strays.wide,
            Stray::Narrow => strays.narrow,
        };
        fold::truth(FLAG, Expr::Var(VarRef::Shared(var)))
    }

    fn strays(&mut self) -> Option<Strays> {
        self.input.facts.has_strays.then(|| self.objects.strays())
    }

    /// What these ways, by which so many bytes are read, may meet of addresses, but not as a whole; nothing, mostly.
    fn parts_of_addresses(
        &mut self,
        source: &CExpr,
        ways: &Ways,
        size: u64,
        company: Option<&Company>,
    ) -> Option<(Held, Suspects)> {
        let pointer = self.input.unit.types.pointer_size();
        let may_be_stray = self.input.facts.has_strays && size < pointer;
        let is_row = |way: &Alternative| self.first_word(way).is_some();
        let is_odd = |way: &Alternative| way.whole_cell().is_none() || is_row(way);
        if !may_be_stray && !ways.list.iter().any(is_odd) {
            return None;
        }
        let held = self.held(source)?;
        let mut suspects = Suspects::default();
        for way in &ways.list {
            self.suspect(way, size, company, &mut suspects);
        }
        (!suspects.is_empty()).then_some((held, suspects))
    }

    fn suspect(
        &mut self,
        way: &Alternative,
        size: u64,
        company: Option<&Company>,
        suspects: &mut Suspects,
    ) {
        let pointer = self.input.unit.types.pointer_size();
        let stays = company.map_or(Expr::FALSE, |company| self.stays_whole(way, company));
        let leaves = Expr::negate(stays);
        if let Some(company) = company
            && (self.is_wide(way) || self.first_word(way).is_some())
        {
            self.note_words(company.object);
        }
        if way.whole_cell().is_some_and(|cell| cell.size == pointer) {
            return;
        }
        let possible = way.possible();
        let leaves = Expr::and(possible.clone(), leaves);
        let mut add = |position: usize, condition: Expr, word: Expr| {
            if condition != Expr::FALSE {
                suspects.words.push((position, condition, word));
            }
        };
        for (position, part) in way.parts.iter().enumerate() {
            if self.may_be_address(way, part) {
                add(position, leaves.clone(), self.word_of(part));
            }
        }
        let is_wide = self.is_wide(way);
        let ends = [way.parts.first(), way.parts.last().filter(|_| way.parts.len() > 1)];
        for (position, part) in ends.into_iter().flatten().enumerate().filter(|_| !is_wide) {
            if let Some(word) = self.word_around(way, part) {
                let mut condition = Expr::and(leaves.clone(), word.is_there);
                if size == pointer {
                    let apart = self.is_across_words(way).unwrap_or(Expr::TRUE);
                    condition = Expr::and(condition, apart);
                }
                add(position, condition, word.value);
            }
        }
        let stray = match is_wide {
            true => self.is_stray(Stray::Wide),
            false if size < pointer => self.is_stray(Stray::Narrow),
            false => Expr::FALSE,
        };
        let stray = Expr::and(possible, stray);
        suspects.strays.extend(Some(stray).filter(|stray| *stray != Expr::FALSE));
    }

    /// Is one of these an address? Asked in the atomic section of the access: where there are many of both, the one that is met is noted first.
    fn is_any_held(&mut self, held: &Held, suspects: Suspects) -> Expr {
        let mut seen = suspects.strays;
        if suspects.words.len().min(held.objects.len()) <= MAX_DIRECT_QUESTIONS {
            seen.extend(
                suspects
                    .words
                    .into_iter()
                    .map(|(_, condition, word)| Expr::and(condition, self.is_held(held, &word))),
            );
            return fold::any(seen);
        }
        let ty = self.input.pointer_type();
        let mut by_position: BTreeMap<usize, Vec<Expr>> = BTreeMap::new();
        for (position, condition, word) in suspects.words {
            let word = Expr::ite(condition, word, Expr::Const(0, ty));
            by_position.entry(position).or_default().push(word);
        }
        for words in by_position.into_values() {
            let join = |a, b| Expr::binary(BinOp::BitOr, a, b);
            let Some(word) = fold::balanced(words, join) else { continue };
            let met = self.t.temp(ty);
            self.t.step(Expr::TRUE, vec![set(met, word)]);
            seen.push(self.is_held(held, &Expr::Var(met)));
        }
        // It is large, and asked twice.
        let Some(seen) = fold::balanced(seen, Expr::or) else { return Expr::FALSE };
        let flag = self.t.temp(FLAG);
        self.t.step(Expr::TRUE, vec![set(flag, fold::number(FLAG, seen))]);
        fold::truth(FLAG, Expr::Var(flag))
    }

    /// Does a byte become part of a word, all of which is copied, at the same place as it has now?
    fn stays_whole(&self, way: &Alternative, company: &Company) -> Expr {
        let [only] = &way.parts[..] else { return Expr::FALSE };
        let is_there = match self.row_of(way, only) {
            Some((phase, _)) => {
                let number = |value: u64| Expr::Const(i128::from(value), INDEX);
                let word = number(self.input.unit.types.pointer_size());
                let index = only.index.clone().unwrap_or(number(0));
                let moved = fold::binary(BinOp::Add, INDEX, index, number(phase));
                let place = fold::binary(BinOp::Rem, INDEX, moved, word);
                fold::binary(BinOp::Eq, INDEX, place, number(company.position))
            }
            None if only.shift == 8 * company.position => Expr::TRUE,
            None => Expr::FALSE,
        };
        Expr::and(is_there, company.is_whole.clone())
    }

    /// Has a way parts of cells that are as wide as a pointer?
    fn is_wide(&self, way: &Alternative) -> bool {
        way.parts.iter().any(|part| self.may_be_address(way, part))
    }

    /// May a cell be an address, and does the access meet only a part of it?
    fn is_cut(&self, way: &Alternative, part: &CellPart) -> bool {
        self.may_be_address(way, part) && !part.is_whole()
    }

    /// May a cell be an address?
    fn may_be_address(&self, way: &Alternative, part: &CellPart) -> bool {
        let types = &self.input.unit.types;
        let ty: TypeId = self.objects.get(way.object).outline.groups[part.group].source;
        let is_pointer = || types.is_pointer(types.unatomic(ty));
        part.size == types.pointer_size()
            && (is_pointer() || self.input.points_to.has_addresses_as_integers())
    }

    /// The number in a cell that may be an address.
    fn word_of(&self, part: &CellPart) -> Expr {
        fold::cast(self.input.pointer_type(), part.cell, part.read())
    }

    /// Where the words of a row of bytes begin that a way meets, if there may be addresses.
    fn first_word(&self, way: &Alternative) -> Option<(u64, u64)> {
        let first = way.parts.first().filter(|_| self.may_have_words(way.object))?;
        self.row_of(way, first)
    }

    /// May there be addresses in the rows of bytes of an object?
    fn may_have_words(&self, id: ObjectId) -> bool {
        self.objects.key(id).is_none_or(|key| self.input.facts.words.contains(key))
    }

    /// There may be addresses in the rows of bytes of an object.
    pub(super) fn note_words(&mut self, id: ObjectId) {
        self.found.words.extend(self.objects.key(id).cloned());
    }

    /// The word of a row of bytes that a byte belongs to.
    fn word_around(&self, way: &Alternative, part: &CellPart) -> Option<Word> {
        let (phase, row) = self.row_of(way, part).filter(|_| self.may_have_words(way.object))?;
        let pointer = self.input.pointer_type();
        let word = i128::from(width(pointer) / 8);
        let number = |value: i128| Expr::Const(value, INDEX);
        let binary = |op, a: Expr, b: Expr| fold::binary(op, INDEX, a, b);
        let index = part.index.clone()?;
        let moved = binary(BinOp::Add, index.clone(), number(i128::from(phase)));
        let within = binary(BinOp::Rem, moved, number(word));
        let place = binary(BinOp::Rem, index.clone(), number(i128::from(row)));
        let starts = binary(BinOp::Le, within.clone(), place.clone());
        let last = binary(BinOp::Add, place, number(word));
        let end = binary(BinOp::Add, number(i128::from(row)), within.clone());
        let ends = binary(BinOp::Le, last, end);
        let first = binary(BinOp::Sub, index, within);
        let byte = |at: i128| {
            let index = binary(BinOp::Add, first.clone(), number(at));
            let byte = Expr::Index(part.var, Box::new(index));
            let byte = fold::cast(
                pointer,
                Type::unsigned(8),
                fold::cast(Type::unsigned(8), part.cell, byte),
            );
            fold::binary(BinOp::Shl, pointer, byte, Expr::Const(8 * at, pointer))
        };
        let join = |a, b| fold::binary(BinOp::BitOr, pointer, a, b);
        let value = (0..word).map(byte).reduce(join)?;
        Some(Word { is_there: Expr::and(starts, ends), value, row: part.var, first })
    }

    /// Does a way that meets a row of bytes, and as many of them as a word has, not meet just one word?
    fn is_across_words(&self, way: &Alternative) -> Option<Expr> {
        let first = way.parts.first()?;
        let (phase, _) = self.row_of(way, first)?;
        let number = |value: u64| Expr::Const(i128::from(value), INDEX);
        let word = number(u64::from(width(self.input.pointer_type()) / 8));
        let moved = fold::binary(BinOp::Add, INDEX, first.index.clone()?, number(phase));
        let rest = fold::binary(BinOp::Rem, INDEX, moved, word);
        Some(Expr::negate(fold::binary(BinOp::Eq, INDEX, rest, number(0))))
    }

    /// Of a byte in a row: how many bytes of its first word are before the row, and how long the row is.
    fn row_of(&self, way: &Alternative, part: &CellPart) -> Option<(u64, u64)> {
        let group = &self.objects.get(way.object).outline.groups[part.group];
        let row = group.dims.last().filter(|_| group.is_bytes())?.count;
        let word = self.input.unit.types.pointer_size();
        (word <= row).then_some((group.offset % word, row))
    }

    /// The addresses that a value may be; `None` if it is none.
    fn held(&mut self, expr: &CExpr) -> Option<Held> {
        let targets = self.input.points_to.targets(expr);
        if targets.is_empty() {
            return None;
        }
        let has_functions = targets.iter().any(|target| matches!(target, Pointee::Function(_)));
        Some(Held { objects: self.pointees(expr), has_functions })
    }

    fn is_held(&self, held: &Held, value: &Expr) -> Expr {
        self.is_address_of(&held.objects, held.has_functions, value)
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
}

impl Objects {
    /// The variables that note where parts of addresses are.
    fn strays(&mut self) -> Strays {
        if let Some(known) = self.known_strays {
            return known;
        }
        let mut note = |name: &str| self.shared_var(name, FLAG, None, Init::Value(0));
        let strays = Strays { wide: note(".bytes.wide"), narrow: note(".bytes.narrow") };
        self.known_strays = Some(strays);
        strays
    }
}

/// Tells places of the program apart.
fn identity(place: &Place) -> usize {
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

fn has_union(types: &Types, ty: TypeId) -> bool {
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
