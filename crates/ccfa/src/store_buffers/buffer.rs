//! Which writes wait in a store buffer. Their values are locals of the thread.

use super::StoreOrder;
use crate::program::SharedId;

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
    /// Which of the thread's locals for this variable holds the value, and the index.
    pub slot: u32,
    /// Is it an element of an array?
    pub is_element: bool,
}

/// A write that may become visible next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// What it writes.
    pub write: Vec<Waiting>,
    /// If it is to another element than each of these, which are older.
    pub older: Vec<Waiting>,
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
    pub fn cells(&self) -> impl Iterator<Item = &Waiting> {
        self.writes().flatten()
    }

    fn writes(&self) -> impl Iterator<Item = &Vec<Waiting>> {
        self.0.iter().filter_map(|item| match item {
            Item::Write(cells) => Some(cells),
            Item::Mark => None,
        })
    }

    /// A slot of this variable that is free, also beside these cells.
    pub fn free_slot(&self, var: SharedId, beside: &[Waiting]) -> u32 {
        let mut slots = 0..;
        let is_free = |slot: &u32| {
            !self.cells().chain(beside).any(|cell| cell.var == var && cell.slot == *slot)
        };
        slots.find(is_free).expect("the slots in use are finitely many")
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
        let mut next = Vec::new();
        for (number, item) in self.0.iter().enumerate().take(first) {
            let Item::Write(write) = item else { break };
            let is_same = |cell: &&Waiting| !is_apart(write, &[**cell]);
            let before = Buffer(self.0[..number].to_vec());
            let older: Vec<Waiting> = before.cells().filter(is_same).copied().collect();
            let are_elements = write.len() == 1 && older.iter().all(|cell| cell.is_element);
            if older.is_empty() || are_elements {
                let mut rest = self.0.clone();
                rest.remove(number);
                next.push(Next { write: write.clone(), older, rest: Buffer(rest).tidy() });
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
