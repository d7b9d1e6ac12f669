//! Which bytes are those of an address: what a read or a write may meet of addresses, and what it leaves about of them, as
//! conditions on the values in memory (see `fragment`, which makes the steps).

use super::access::Ways;
use super::alternative::{Alternative, CellPart, width};
use super::build::FLAG;
use super::locate::INDEX;
use super::memory::Piece;
use super::objects::{ObjectId, Objects};
use super::place::Target;
use super::{Resolver, fold};
use crate::hir::{Expr as CExpr, TypeId};
use crate::points_to::Pointee;
use ccfa::{BinOp, Expr, Init, SharedId, Type, VarRef};

/// Which kinds of cells bytes of addresses were put into, one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stray {
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
pub struct Held {
    pub objects: Vec<ObjectId>,
    pub has_functions: bool,
}

/// What a read or a write may meet of addresses.
#[derive(Default)]
pub struct Suspects {
    /// Numbers that may be addresses, each with the condition that it is met. Of those with one position at most one is met.
    pub words: Vec<(usize, Expr, Expr)>,
    /// What is met may be a part of an address, whatever it is.
    pub strays: Vec<Expr>,
}

impl Suspects {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.strays.is_empty()
    }
}

/// A word of which a write overwrites a part.
pub struct CutWord {
    /// Is it where the write begins (0), or ends?
    pub position: usize,
    /// The condition that it is.
    pub condition: Expr,
    pub word: Word,
}

/// The position of what is written as a whole.
const WHOLE: usize = 2;

/// What a write leaves about of addresses, in which kind of cell, and under which conditions.
#[derive(Default)]
pub struct LeftByWrite {
    pub held: Option<Held>,
    pub wide: Suspects,
    pub narrow: Suspects,
}

/// A word of a row of bytes.
pub struct Word {
    /// The condition that there is one.
    pub is_there: Expr,
    pub value: Expr,
    pub row: VarRef,
    /// The index of its first byte.
    pub first: Expr,
}

/// Of a byte that is copied to a row of bytes, with others.
pub struct Company {
    pub object: ObjectId,
    /// Which one of its word there it becomes.
    pub position: u64,
    /// All of the word is copied.
    pub is_whole: Expr,
}

/// What is known of the bytes of addresses in memory. Adds no step.
pub(super) struct AddressBytes<'r, 'a> {
    pub(super) resolver: Resolver<'r, 'a>,
}

impl AddressBytes<'_, '_> {
    /// With which others a byte is copied to a row of bytes, if it is: the whole piece has so many bytes.
    pub fn company(&self, piece: &Piece, limit: Result<&Expr, u64>) -> Option<Company> {
        let Target::Spot(spot) = &piece.target else { return None };
        if !(piece.group.is_bytes() && piece.group.dims.len() == 1) {
            return None;
        }
        let word = self.resolver.input.unit.types.pointer_size();
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

    /// The words in rows of bytes of which a write overwrites a part, if they may be addresses.
    pub fn left_of_addresses(&mut self, content: &CExpr, ways: &Ways, size: u64) -> Vec<CutWord> {
        let rows = || ways.list.iter().filter(|way| self.first_word(way).is_some());
        if rows().next().is_none() || self.resolver.input.points_to.targets(content).is_empty() {
            return vec![];
        }
        let mut left = Vec::new();
        for way in rows() {
            let is_words = size.is_multiple_of(self.resolver.input.unit.types.pointer_size());
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

    /// What a write may leave about of addresses.
    pub fn strays_of_write(
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
            if size == self.resolver.input.unit.types.pointer_size()
                && let Some(apart) = self.is_across_words(way)
            {
                self.note_words(way.object);
                let number = fold::cast(self.resolver.input.pointer_type(), ty, value.clone());
                let condition = Expr::and(possible, apart);
                if condition != Expr::FALSE {
                    left.narrow.words.push((WHOLE, condition, number));
                }
            }
        }
        left
    }

    /// What notes that a part of an address is in a cell of a kind, if there can be any.
    pub fn stray(&mut self, kind: Stray) -> Option<VarRef> {
        let can_be = self.resolver.input.facts.has_strays;
        can_be.then(|| VarRef::Shared(self.resolver.objects.strays().of(kind)))
    }

    /// Is a part of an address somewhere in cells of a kind?
    fn is_stray(&mut self, kind: Stray) -> Expr {
        self.stray(kind).map_or(Expr::FALSE, |noted| fold::truth(FLAG, Expr::Var(noted)))
    }

    /// What these ways, by which so many bytes are read, may meet of addresses, but not as a whole; nothing, mostly.
    pub fn parts_of_addresses(
        &mut self,
        source: &CExpr,
        ways: &Ways,
        size: u64,
        company: Option<&Company>,
    ) -> Option<(Held, Suspects)> {
        let pointer = self.resolver.input.unit.types.pointer_size();
        let may_be_stray = self.resolver.input.facts.has_strays && size < pointer;
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
        let pointer = self.resolver.input.unit.types.pointer_size();
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

    /// Does a byte become part of a word, all of which is copied, at the same place as it has now?
    fn stays_whole(&self, way: &Alternative, company: &Company) -> Expr {
        let [only] = &way.parts[..] else { return Expr::FALSE };
        let is_there = match self.row_of(way, only) {
            Some((phase, _)) => {
                let number = |value: u64| Expr::Const(i128::from(value), INDEX);
                let word = number(self.resolver.input.unit.types.pointer_size());
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
        let types = &self.resolver.input.unit.types;
        let ty: TypeId = self.resolver.objects.get(way.object).outline.groups[part.group].source;
        let is_pointer = || types.is_pointer(types.unatomic(ty));
        part.size == types.pointer_size()
            && (is_pointer() || self.resolver.input.points_to.has_addresses_as_integers())
    }

    /// The number in a cell that may be an address.
    fn word_of(&self, part: &CellPart) -> Expr {
        fold::cast(self.resolver.input.pointer_type(), part.cell, part.read())
    }

    /// Where the words of a row of bytes begin that a way meets, if there may be addresses.
    pub fn first_word(&self, way: &Alternative) -> Option<(u64, u64)> {
        let first = way.parts.first().filter(|_| self.may_have_words(way.object))?;
        self.row_of(way, first)
    }

    /// May there be addresses in the rows of bytes of an object?
    fn may_have_words(&self, id: ObjectId) -> bool {
        self.resolver
            .objects
            .key(id)
            .is_none_or(|key| self.resolver.input.facts.words.contains(key))
    }

    /// There may be addresses in the rows of bytes of an object.
    pub fn note_words(&mut self, id: ObjectId) {
        self.resolver.found.words.extend(self.resolver.objects.key(id).cloned());
    }

    /// The word of a row of bytes that a byte belongs to.
    fn word_around(&self, way: &Alternative, part: &CellPart) -> Option<Word> {
        let (phase, row) = self.row_of(way, part).filter(|_| self.may_have_words(way.object))?;
        let pointer = self.resolver.input.pointer_type();
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
        let word = number(u64::from(width(self.resolver.input.pointer_type()) / 8));
        let moved = fold::binary(BinOp::Add, INDEX, first.index.clone()?, number(phase));
        let rest = fold::binary(BinOp::Rem, INDEX, moved, word);
        Some(Expr::negate(fold::binary(BinOp::Eq, INDEX, rest, number(0))))
    }

    /// Of a byte in a row: how many bytes of its first word are before the row, and how long the row is.
    fn row_of(&self, way: &Alternative, part: &CellPart) -> Option<(u64, u64)> {
        let group = &self.resolver.objects.get(way.object).outline.groups[part.group];
        let row = group.dims.last().filter(|_| group.is_bytes())?.count;
        let word = self.resolver.input.unit.types.pointer_size();
        (word <= row).then_some((group.offset % word, row))
    }

    /// The addresses that a value may be; `None` if it is none.
    pub fn held(&mut self, expr: &CExpr) -> Option<Held> {
        let targets = self.resolver.input.points_to.targets(expr);
        if targets.is_empty() {
            return None;
        }
        let has_functions = targets.iter().any(|target| matches!(target, Pointee::Function(_)));
        Some(Held { objects: self.resolver.pointees(expr), has_functions })
    }
}

impl Strays {
    fn of(self, kind: Stray) -> SharedId {
        match kind {
            Stray::Wide => self.wide,
            Stray::Narrow => self.narrow,
        }
    }
}

impl Held {
    /// Is a value one of them?
    pub fn has(&self, objects: &Objects, value: &Expr, ty: Type) -> Expr {
        objects.is_address_of(&self.objects, self.has_functions, value, ty)
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
