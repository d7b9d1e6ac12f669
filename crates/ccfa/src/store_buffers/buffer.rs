//! Which writes wait in a store buffer. Their values are locals of the thread: a variable has *slots*, and its oldest write that waits is in the first one. So a buffer has one
//! form, whatever became visible before; what waits behind a write that becomes visible moves up.

use super::StoreOrder;
use crate::program::SharedId;
use std::collections::BTreeMap;

/// What waits, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Buffer(Vec<Item>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    /// A write: to these cells, at once.
    Write(Vec<Waiting>),
    /// What is before it becomes visible before what is behind it.
    Mark,
}

/// A cell that waits to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Waiting {
    /// The variable.
    pub var: SharedId,
    /// Is it an element of an array?
    pub is_element: bool,
}

/// A cell that waits, and the slot that has its value, and its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The cell.
    pub cell: Waiting,
    /// Which of its variable's slots, from 0.
    pub number: usize,
}

/// A write that may become visible next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// What it writes.
    pub write: Vec<Slot>,
    /// If it is to another element than each of these, which are older.
    pub older: Vec<Slot>,
    /// Where what waits after it is now.
    pub moved: Vec<Slot>,
    /// What waits after it.
    pub rest: Buffer,
}

impl Buffer {
    /// Does nothing wait?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many writes wait.
    pub fn len(&self) -> usize {
        self.writes().count()
    }

    /// The cells that wait, the oldest first.
    pub fn cells(&self) -> impl Iterator<Item = Slot> {
        self.slots().into_iter().flatten()
    }

    /// The same, write by write; a mark is none.
    fn slots(&self) -> Vec<Vec<Slot>> {
        let mut count: BTreeMap<SharedId, usize> = BTreeMap::new();
        let mut slot = |cell: &Waiting| {
            let next = count.entry(cell.var).or_default();
            *next += 1;
            Slot { cell: *cell, number: *next - 1 }
        };
        let mut write = |item: &Item| match item {
            Item::Write(cells) => cells.iter().map(&mut slot).collect(),
            Item::Mark => Vec::new(),
        };
        self.0.iter().map(&mut write).collect()
    }

    fn writes(&self) -> impl Iterator<Item = &Vec<Waiting>> {
        self.0.iter().filter_map(|item| match item {
            Item::Write(cells) => Some(cells),
            Item::Mark => None,
        })
    }

    /// With one write more. In partial order it does not matter which of two writes to different variables came first: they are kept sorted.
    pub fn with(&self, write: Vec<Waiting>, order: StoreOrder) -> Buffer {
        let mut items = self.0.clone();
        let goes_before = |item: &Item| match item {
            Item::Write(older) => is_apart(older, &write) && *older > write,
            Item::Mark => false,
        };
        let behind = match order {
            StoreOrder::Total => 0,
            StoreOrder::Partial => items.iter().rev().take_while(|item| goes_before(item)).count(),
        };
        items.insert(items.len() - behind, Item::Write(write));
        Buffer(items)
    }

    /// With a mark behind all that waits.
    pub fn marked(&self) -> Buffer {
        let mut items = self.0.clone();
        items.push(Item::Mark);
        Buffer(items).tidy()
    }

    /// The writes that may become visible next.
    pub fn next(&self, order: StoreOrder) -> Vec<Next> {
        let first = match order {
            StoreOrder::Total => 1,
            StoreOrder::Partial => self.0.len(),
        };
        let slots = self.slots();
        let mut next = Vec::new();
        for (number, item) in self.0.iter().enumerate().take(first) {
            let Item::Write(cells) = item else { break };
            let is_same = |slot: &&Slot| !is_apart(cells, &[slot.cell]);
            let older: Vec<Slot> =
                slots[..number].iter().flatten().filter(is_same).copied().collect();
            let are_elements = cells.len() == 1 && older.iter().all(|slot| slot.cell.is_element);
            if older.is_empty() || are_elements {
                let (mut rest, mut moved) = (self.0.clone(), slots.clone());
                let write = moved.remove(number);
                rest.remove(number);
                let moved = moved.into_iter().flatten().collect();
                next.push(Next { write, older, moved, rest: Buffer(rest).tidy() });
            }
        }
        next
    }

    /// The same, with marks only where they matter.
    fn tidy(mut self) -> Buffer {
        self.0.dedup_by(|next, item| *next == Item::Mark && *item == Item::Mark);
        if self.0.first() == Some(&Item::Mark) {
            self.0.remove(0);
        }
        self
    }
}

/// Have two writes no variable in common?
fn is_apart(one: &[Waiting], other: &[Waiting]) -> bool {
    !one.iter().any(|cell| other.iter().any(|other| other.var == cell.var))
}
