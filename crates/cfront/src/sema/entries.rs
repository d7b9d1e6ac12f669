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
    /// What was said of the first elements of ranges (`[low ... high]`) that have not ended.
    said: Vec<Said>,
    /// How many such ranges there are.
    ranges: usize,
}

/// One thing that the text says.
#[derive(Clone)]
enum Said {
    Value(InitEntry),
    Cleared(Extent),
    Whole(Extent),
    /// A union, its member, and the bits of the union.
    Member((u64, RecordId), u64, Extent),
}

impl Entries {
    pub fn push(&mut self, types: &Types, objects: &Objects, mut entry: InitEntry) {
        let bits = extent(types, entry.ty, entry.offset, entry.bits);
        if bits.0 >= self.end && as_constant(&entry.value) == Some(0) {
            return;
        }
        self.note(|| Said::Value(entry.clone()));
        self.remove(objects, bits);
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
        if bits.0 < self.end {
            self.note(|| Said::Cleared(bits));
            self.remove(objects, bits);
        }
    }

    fn remove(&mut self, objects: &Objects, bits: Extent) {
        if bits.0 >= self.end || bits.0 >= bits.1 {
            return;
        }
        self.forget_wholes(bits);
        let here = self.at.range(bits.0..bits.1).filter(|(_, (end, _))| *end <= bits.1);
        let gone: Vec<(u64, usize)> = here.map(|(start, (_, number))| (*start, *number)).collect();
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
            self.note(|| Said::Whole(bits));
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
        self.note(|| Said::Member(union, member, bits));
        let before = self.members.insert(union, member);
        if before.is_some_and(|before| before != member) {
            self.remove(objects, bits);
        }
    }

    fn note(&mut self, said: impl FnOnce() -> Said) {
        if self.ranges > 0 {
            self.said.push(said());
        }
    }

    /// What comes now is said of the first element of a range.
    pub fn begin_range(&mut self) -> usize {
        self.ranges += 1;
        self.said.len()
    }

    /// How much was said since a range began.
    pub fn said_since(&self, start: usize) -> u64 {
        (self.said.len() - start) as u64
    }

    /// The range ends: what was said of its first element holds at these distances, too.
    pub fn end_range(
        &mut self,
        types: &Types,
        objects: &Objects,
        start: usize,
        distances: impl Iterator<Item = u64>,
    ) {
        let said = self.said[start..].to_vec();
        // A range of which nothing was said may be very long.
        for distance in distances.take_while(|_| !said.is_empty()) {
            said.iter().for_each(|one| self.repeat(types, objects, one.clone(), distance));
        }
        self.ranges -= 1;
        if self.ranges == 0 {
            self.said.clear();
        }
    }

    fn repeat(&mut self, types: &Types, objects: &Objects, said: Said, distance: u64) {
        let bits = distance.saturating_mul(8);
        let moved = |(from, to): Extent| (from.saturating_add(bits), to.saturating_add(bits));
        match said {
            Said::Value(mut entry) => {
                entry.offset = entry.offset.saturating_add(distance);
                if !is_repeatable(objects, &entry.value) {
                    let what = "range designator whose value is not a constant";
                    entry.value = unsupported(what, entry.value.ty, entry.value.range);
                }
                self.push(types, objects, entry);
            }
            Said::Cleared(bits) => self.clear(objects, moved(bits)),
            Said::Whole(bits) => self.note_whole(moved(bits)),
            Said::Member((offset, record), member, bits) => {
                let union = (offset.saturating_add(distance), record);
                self.choose_member(objects, union, member, moved(bits));
            }
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
