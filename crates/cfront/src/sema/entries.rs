//! What an initialiser has said so far: scalars and whole records with their offsets, in the order of the text.
//!
//! What comes later for the same bytes takes the place of what came earlier (C11, 6.7.9p19). What is overridden is not evaluated, as gcc has it, which
//! leaves its effects open: if it has any, that is a limit. So is to override a part of a record that an expression
//! initialises: to gcc, the rest of it is zero then, to others it stays.

use super::build::is_repeatable;
use super::constant::as_constant;
use super::objects::Objects;
use super::unsupported;
use crate::hir::{BitField, InitEntry, RecordId, TypeId};
use crate::types::Types;
use std::collections::BTreeMap;

/// The bits from the first one to the one before the second.
pub(super) type Extent = (u64, u64);

/// The entries of one initialiser.
#[derive(Default)]
pub(super) struct Entries {
    /// In the order of the text; `None` is one that was overridden.
    list: Vec<Option<InitEntry>>,
    /// Where in the list the entry is that begins at this bit, and its end.
    at: BTreeMap<u64, (u64, usize)>,
    /// The first bit behind all of them.
    end: u64,
    /// Records that one expression has initialised: first bit and end.
    wholes: BTreeMap<u64, u64>,
    /// Unions, by offset and type, with the member that was initialised.
    members: BTreeMap<(u64, RecordId), u64>,
    /// One that was overridden and whose effects are open: a limit.
    limit: Option<InitEntry>,
}

impl Entries {
    pub fn push(&mut self, types: &Types, objects: &Objects, mut entry: InitEntry) {
        let bits = extent(types, entry.ty, entry.offset, entry.bits);
        if bits.0 >= self.end && as_constant(&entry.value) == Some(0) {
            return;
        }
        self.clear(objects, bits);
        let whole = self.wholes.range(..=bits.0).next_back();
        if whole.is_some_and(|(_, end)| bits.1 <= *end) {
            let what = "an initialiser for a part of a record that an expression initialises";
            entry.value = unsupported(what, entry.value.ty, entry.value.range);
        }
        self.end = self.end.max(bits.1);
        self.at.insert(bits.0, (bits.1, self.list.len()));
        self.list.push(Some(entry));
    }

    /// What is initialised again loses its former value.
    pub fn clear(&mut self, objects: &Objects, bits: Extent) {
        if bits.0 >= self.end || bits.0 >= bits.1 {
            return;
        }
        let inside = |end: u64| end <= bits.1;
        let gone: Vec<u64> = self.wholes.range(bits.0..bits.1).map(|(start, _)| *start).collect();
        for start in gone {
            if self.wholes.get(&start).is_some_and(|end| inside(*end)) {
                self.wholes.remove(&start);
            }
        }
        let gone: Vec<(u64, usize)> = self
            .at
            .range(bits.0..bits.1)
            .filter(|(_, e)| inside(e.0))
            .map(|(s, e)| (*s, e.1))
            .collect();
        for (start, number) in gone {
            self.at.remove(&start);
            let entry = self.list[number].take();
            if let Some(mut entry) = entry.filter(|entry| !is_repeatable(objects, &entry.value)) {
                let what = "an initialiser that is overridden and may have effects";
                entry.value = unsupported(what, entry.value.ty, entry.value.range);
                self.limit = Some(entry);
            }
        }
    }

    /// One expression has initialised the record that is these bits.
    pub fn note_whole(&mut self, bits: Extent) {
        if bits.0 < bits.1 {
            self.forget_wholes(bits);
            self.wholes.insert(bits.0, bits.1);
        }
    }

    fn forget_wholes(&mut self, bits: Extent) {
        let here = self.wholes.range(bits.0..bits.1).filter(|(_, end)| **end <= bits.1);
        let gone: Vec<u64> = here.map(|(start, _)| *start).collect();
        for start in gone {
            self.wholes.remove(&start);
        }
    }

    /// A member of a union is initialised: what was said of another one is lost.
    pub fn choose_member(
        &mut self,
        objects: &Objects,
        union: (u64, RecordId),
        member: u64,
        bits: Extent,
    ) {
        let before = self.members.insert(union, member);
        if before.is_some_and(|before| before != member) {
            self.clear(objects, bits);
        }
    }

    /// How many entries there have been.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The entries since there were so many.
    pub fn since(&self, start: usize) -> Vec<InitEntry> {
        self.list[start..].iter().flatten().cloned().collect()
    }

    /// What is known of the bytes from `from` to `to` holds at these distances, too.
    pub fn repeat(&mut self, (from, to): (u64, u64), distances: &[u64]) {
        let members = self.members.iter().filter(|((at, _), _)| (from..to).contains(at));
        let members: Vec<_> = members.map(|(union, member)| (*union, *member)).collect();
        let bits = from.saturating_mul(8)..to.saturating_mul(8);
        let wholes: Vec<_> = self.wholes.range(bits).map(|(start, end)| (*start, *end)).collect();
        for distance in distances {
            let moved = |((at, record), member)| ((at + distance, record), member);
            self.members.extend(members.iter().copied().map(moved));
            wholes.iter().for_each(|(start, end)| {
                self.note_whole((start + 8 * distance, end + 8 * distance))
            });
        }
    }

    /// All of them.
    pub fn finish(self) -> Vec<InitEntry> {
        self.limit.into_iter().chain(self.list.into_iter().flatten()).collect()
    }
}

/// The bits of a scalar, bit-field or record at an offset.
pub(super) fn extent(types: &Types, ty: TypeId, offset: u64, bits: Option<BitField>) -> Extent {
    let start = offset.saturating_mul(8);
    match bits {
        Some(bits) => {
            let start = start.saturating_add(u64::from(bits.shift));
            (start, start.saturating_add(u64::from(bits.width)))
        }
        None => {
            let size = types.size_of(ty).unwrap_or(0);
            (start, start.saturating_add(size.saturating_mul(8)))
        }
    }
}
