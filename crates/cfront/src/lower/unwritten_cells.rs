//! Members, elements, locals whose address is taken, and allocated memory that are read before they are written.
//!
//! C11 counts the use of such a value among what is undefined (J.2; 7.22.3.4 for `malloc`), and MemorySanitizer and valgrind report it. Copying it as a part of
//! a record or by `memcpy` is no use, nor is a byte that is put elsewhere as it is: so programs copy records with padding.
//!
//! Objects that may lack values have a flag beside each cell, which every write sets and every birth clears. It is asked where the program's own text reads a scalar.
//! Flags cost states, so an object has none if the text shows that it needs none (`born_unwritten`): nothing reads it, or what follows its birth writes all of it
//! before anything else could see it. It has none either where it has too many cells or its bytes are seen through several types: then what is
//! read has any value, and the answer says that this was assumed. So it is with what the library's functions read. What was copied counts as written, and that is said, too;
//! so does a bit-field, if another one of its storage unit was, and a scalar of which a part was. Atomic operations are not followed.

use super::access::Ways;
use super::alternative::{Alternative, CellPart};
use super::build::{FLAG, TemplateBuilder};
use super::cells::Group;
use super::fragment::has_union;
use super::heap::Allocation;
use super::input::Input;
use super::objects::{ObjectId, Objects, Storage};
use super::place::Target;
use super::{Memory, fold};
use crate::Assumption;
use crate::hir::{Type as CType, TypeId, VarId};
use crate::syntax::ast::Range;
use ccfa::{Assign, Expr, FailedOperation, Init, Place as CellPlace, Rhs, Undefined, VarRef};

/// What is known of whether the cells of an object were written before they are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Initialised {
    /// They are.
    #[default]
    Always,
    /// It is noted of each.
    Noted,
    /// Nothing.
    Unknown,
}

/// Objects with more cells than this, over all copies, have no flags: each cell would be another bit of each state.
const MAX_NOTED_CELLS: u64 = 64;

impl Input<'_> {
    /// What is known of a local.
    pub fn written_local(&self, var: VarId, groups: &[Group], copies: u64) -> Initialised {
        match self.may_lack_values(var) {
            true => self.written(self.unit.vars[var.index()].ty, groups, copies),
            false => Initialised::Always,
        }
    }

    /// May parts of a local, or what lies at its address, be read before they are written?
    pub fn may_lack_values(&self, var: VarId) -> bool {
        self.notes_cells() && self.summaries.born_unwritten().locals.contains(&var)
    }

    /// What is known of what is allocated, at any of the places whose memory it may get.
    pub fn written_allocation(&self, allocation: &Allocation, groups: &[Group]) -> Initialised {
        let mut alike = self.facts.heap.values().filter(|known| known.is_like(allocation));
        if !self.notes_cells() || alike.all(|known| known.filled) {
            return Initialised::Always;
        }
        match allocation.element {
            Some(element) => self.written(element, groups, allocation.copies),
            None => Initialised::Unknown,
        }
    }

    /// Is all of what is allocated here written before anything else can see it?
    pub fn is_written_at_birth(&self, call: Range) -> bool {
        self.notes_cells() && self.summaries.born_unwritten().written.contains(&(call.lo, call.hi))
    }

    fn notes_cells(&self) -> bool {
        self.asks_for_unwritten() && !self.options.choices.weak_memory
    }

    fn written(&self, ty: TypeId, groups: &[Group], copies: u64) -> Initialised {
        let cells: u64 = groups.iter().map(Group::len).sum();
        let is_plain = *self.unit.types.get(ty) != CType::Void && !has_union(&self.unit.types, ty);
        match is_plain && cells * copies <= MAX_NOTED_CELLS {
            true => Initialised::Noted,
            false => Initialised::Unknown,
        }
    }
}

impl Memory<'_, '_> {
    /// A scalar of the program is read in one of these ways: was it written?
    pub(super) fn require_cells_written(&mut self, ways: &Ways, target: &Target, is_byte: bool) {
        let mut all = Vec::new();
        for way in &ways.list {
            match self.objects.get(way.object).written {
                Initialised::Always => {}
                Initialised::Noted if !is_byte && !self.input.is_in_model(self.t) => {
                    all.push(Expr::or(Expr::negate(way.possible()), way.is_written()));
                }
                Initialised::Noted | Initialised::Unknown => self.assume_values(),
            }
        }
        let all = fold::all(all);
        if all != Expr::TRUE
            && let Some(address) = self.address_of(target)
        {
            let operands = FailedOperation::UnwrittenAt(address);
            self.t.require_of(operands, all, Undefined::Uninitialised);
        }
    }

    /// Cells are copied from here: what lacks a value has one then.
    pub(super) fn assume_values_of(&mut self, source: &Target) {
        let lacks = |id: &ObjectId| self.objects.get(*id).written != Initialised::Always;
        if source.objects().iter().any(lacks) {
            self.assume_values();
        }
    }

    pub(super) fn assume_values(&mut self) {
        self.t.assumed.insert(Assumption::UnwrittenGivesValue);
    }
}

impl Objects {
    /// The variable of the model that says which cells of a group were written.
    pub fn written_var(
        &mut self,
        t: &mut TemplateBuilder,
        id: ObjectId,
        group: usize,
    ) -> Option<VarRef> {
        let object = self.get(id);
        let cells = &object.outline.groups[group];
        if object.written != Initialised::Noted || cells.is_padding || cells.is_lock {
            return None;
        }
        let (id, is_private) =
            (object.first_place.unwrap_or(id), matches!(object.storage, Storage::Private(_)));
        let name = match cells.name.as_str() {
            "" => format!(".{}.written", object.outline.name),
            path => format!(".{}.{path}.written", object.outline.name),
        };
        let len = object.copies.map_or(1, |copies| copies.count) * cells.len();
        let is_scalar = cells.dims.is_empty() && object.copies.is_none();
        let len = (!is_scalar).then_some(len as u32);
        Some(match is_private {
            true => {
                let known = t.written_cells.get(&(id, group)).copied();
                let flag = known.unwrap_or_else(|| t.local(&name, FLAG, len, Init::Value(0)));
                t.written_cells.insert((id, group), flag);
                VarRef::Local(flag)
            }
            false => VarRef::Shared(self.written_cells(id, group, &name, len)),
        })
    }
}

impl Alternative {
    /// Was all of what is accessed written?
    pub fn is_written(&self) -> Expr {
        let written = |part: &CellPart| {
            let flag = part.written?;
            let read = match &part.index {
                None => Expr::Var(flag),
                Some(index) => Expr::Index(flag, Box::new(index.clone())),
            };
            Some(fold::truth(FLAG, read))
        };
        fold::all(self.parts.iter().filter_map(written).collect())
    }

    /// Does a write note of more bytes than it writes that they were written?
    pub fn notes_too_much(&self) -> bool {
        self.parts.iter().any(|part| part.written.is_some() && !part.is_whole())
    }

    /// The assignments that note that it was written.
    pub fn note_written(&self) -> impl Iterator<Item = Assign> {
        let note = |part: &CellPart| {
            let flag = part.written?;
            let place = match &part.index {
                None => CellPlace::Var(flag),
                Some(index) => CellPlace::Element(flag, index.clone()),
            };
            Some(Assign { place, value: written(true) })
        };
        self.parts.iter().filter_map(note)
    }
}

/// What a flag becomes.
pub fn written(is_written: bool) -> Rhs {
    Rhs::Expr(Expr::Const(i128::from(is_written), FLAG))
}
