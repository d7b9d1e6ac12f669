//! Which writes wait in a store buffer. Their values are locals of the thread: a variable has *slots*, and its oldest write that waits is in the first one. So a buffer has one
//! form, whatever became visible before; what waits behind a write that becomes visible moves up.

use super::StoreOrder;
use crate::program::SharedId;
use std::collections::{BTreeMap, BTreeSet};

/// What waits, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Buffer {
    items: Vec<BufferItem>,
    /// Only the last write to each variable is known; before it, any number of others may become visible, and all in any order.
    is_abstract: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BufferItem {
    /// A write: to these cells, at once.
    Write(Vec<DelayedCell>),
    /// What is before it becomes visible before what is behind it.
    Mark,
}

/// A cell that waits to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DelayedCell {
    /// The variable.
    pub var: SharedId,
    /// Is it an element of an array?
    pub is_element: bool,
}

/// A cell that waits, and the slot that has its value, and its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferSlot {
    /// The cell.
    pub cell: DelayedCell,
    /// Which of its variable's slots, from 0.
    pub number: usize,
}

/// A write that may become visible next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// What it writes.
    pub write: Vec<BufferSlot>,
    /// If it is to another element than each of these, which are older.
    pub older: Vec<BufferSlot>,
    /// Where what waits after it is now.
    pub moved: Vec<BufferSlot>,
    /// What waits after it.
    pub rest: Buffer,
}

impl Buffer {
    /// Does nothing wait?
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many writes wait.
    pub fn len(&self) -> usize {
        self.writes().count()
    }

    /// The cells that wait, the oldest first.
    pub fn cells(&self) -> impl Iterator<Item = BufferSlot> {
        self.slots().into_iter().flatten()
    }

    /// The same, write by write; a mark is none.
    fn slots(&self) -> Vec<Vec<BufferSlot>> {
        let mut count: BTreeMap<SharedId, usize> = BTreeMap::new();
        let mut slot = |cell: &DelayedCell| {
            let next = count.entry(cell.var).or_default();
            *next += 1;
            BufferSlot { cell: *cell, number: *next - 1 }
        };
        let mut write = |item: &BufferItem| match item {
            BufferItem::Write(cells) => cells.iter().map(&mut slot).collect(),
            BufferItem::Mark => Vec::new(),
        };
        self.items.iter().map(&mut write).collect()
    }

    fn writes(&self) -> impl Iterator<Item = &Vec<DelayedCell>> {
        self.items.iter().filter_map(|item| match item {
            BufferItem::Write(cells) => Some(cells),
            BufferItem::Mark => None,
        })
    }

    /// With one write more. In partial order it does not matter which of two writes to different variables came first: they are kept sorted.
    pub fn with(&self, write: Vec<DelayedCell>, order: StoreOrder) -> Buffer {
        let mut items = self.items.clone();
        let goes_before = |item: &BufferItem| match item {
            BufferItem::Write(older) => is_apart(older, &write) && *older > write,
            BufferItem::Mark => false,
        };
        let behind = match order {
            StoreOrder::Total => 0,
            StoreOrder::Partial => items.iter().rev().take_while(|item| goes_before(item)).count(),
        };
        items.insert(items.len() - behind, BufferItem::Write(write));
        Buffer { items, is_abstract: false }
    }

    /// With these last writes to scalar variables, and any number before them.
    pub fn abstracted(vars: &BTreeSet<SharedId>) -> Buffer {
        let write =
            |var: &SharedId| BufferItem::Write(vec![DelayedCell { var: *var, is_element: false }]);
        Buffer { items: vars.iter().map(write).collect(), is_abstract: true }
    }

    /// Is only the last write to each variable known?
    pub fn is_abstract(&self) -> bool {
        self.is_abstract
    }

    /// The variables that wait to be written.
    pub fn vars(&self) -> BTreeSet<SharedId> {
        self.writes().flatten().map(|cell| cell.var).collect()
    }

    /// With a mark behind all that waits.
    pub fn marked(&self) -> Buffer {
        let mut items = self.items.clone();
        items.extend((!self.is_abstract).then_some(BufferItem::Mark));
        Buffer { items, ..*self }.tidy()
    }

    /// The writes that may become visible next.
    pub fn next(&self, order: StoreOrder) -> Vec<Next> {
        let first = match order {
            StoreOrder::Total if !self.is_abstract => 1,
            _ => self.items.len(),
        };
        let slots = self.slots();
        let mut next = Vec::new();
        for (number, item) in self.items.iter().enumerate().take(first) {
            let BufferItem::Write(cells) = item else { break };
            let is_same = |slot: &&BufferSlot| !is_apart(cells, &[slot.cell]);
            let older: Vec<BufferSlot> =
                slots[..number].iter().flatten().filter(is_same).copied().collect();
            let are_elements = cells.len() == 1 && older.iter().all(|slot| slot.cell.is_element);
            if older.is_empty() || are_elements {
                let (mut rest, mut moved) = (self.items.clone(), slots.clone());
                let write = moved.remove(number);
                rest.remove(number);
                let moved = moved.into_iter().flatten().collect();
                let rest = Buffer { items: rest, ..*self }.tidy();
                next.push(Next { write, older, moved, rest });
            }
        }
        next
    }

    /// The same, with marks only where they matter. An empty one is not abstract.
    fn tidy(mut self) -> Buffer {
        let items = &mut self.items;
        items.dedup_by(|next, item| *next == BufferItem::Mark && *item == BufferItem::Mark);
        if items.first() == Some(&BufferItem::Mark) {
            items.remove(0);
        }
        self.is_abstract &= !self.items.is_empty();
        self
    }
}

/// Have two writes no variable in common?
fn is_apart(one: &[DelayedCell], other: &[DelayedCell]) -> bool {
    !one.iter().any(|cell| other.iter().any(|other| other.var == cell.var))
}
