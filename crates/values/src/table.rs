//! Every set of values once: a state is a list of small numbers, and whether two cells say the same is one comparison.

use crate::ranges::Ranges;
use rustc_hash::FxHashMap;

/// A set of values: index into a [`ValueTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ValuesId(u32);

impl ValuesId {
    /// Any value of the cell's type: nothing is known.
    pub const ANY: ValuesId = ValuesId(0);
    /// No value: there is no such state.
    pub const NONE: ValuesId = ValuesId(1);
}

/// The sets of values that were met so far.
pub(crate) struct ValueTable {
    sets: Vec<Ranges>,
    numbers: FxHashMap<Ranges, ValuesId>,
    meets: FxHashMap<(ValuesId, ValuesId), ValuesId>,
    joins: FxHashMap<(ValuesId, ValuesId), ValuesId>,
}

impl ValueTable {
    pub fn new() -> ValueTable {
        let mut table = ValueTable {
            // What is known of no type has no ranges: the first is never looked at.
            sets: vec![Ranges::EMPTY],
            numbers: FxHashMap::default(),
            meets: FxHashMap::default(),
            joins: FxHashMap::default(),
        };
        let none = table.insert(Ranges::EMPTY);
        debug_assert_eq!(none, ValuesId::NONE, "the empty set should come first");
        table
    }

    pub fn insert(&mut self, ranges: Ranges) -> ValuesId {
        if let Some(known) = self.numbers.get(&ranges) {
            return *known;
        }
        let new = ValuesId(self.sets.len() as u32);
        self.sets.push(ranges.clone());
        self.numbers.insert(ranges, new);
        new
    }

    /// The values, unless nothing is known.
    pub fn get(&self, id: ValuesId) -> Option<&Ranges> {
        (id != ValuesId::ANY).then(|| &self.sets[id.0 as usize])
    }

    pub fn meet(&mut self, one: ValuesId, other: ValuesId) -> ValuesId {
        match (one, other) {
            _ if one == other => one,
            (ValuesId::ANY, known) | (known, ValuesId::ANY) => known,
            _ => {
                let pair = (one.min(other), one.max(other));
                if let Some(known) = self.meets.get(&pair) {
                    return *known;
                }
                let meet = self.sets[one.0 as usize].meet(&self.sets[other.0 as usize]);
                let meet = self.insert(meet);
                self.meets.insert(pair, meet);
                meet
            }
        }
    }

    pub fn join(&mut self, one: ValuesId, other: ValuesId) -> ValuesId {
        match (one, other) {
            _ if one == other => one,
            (ValuesId::ANY, _) | (_, ValuesId::ANY) => ValuesId::ANY,
            _ => {
                let pair = (one.min(other), one.max(other));
                if let Some(known) = self.joins.get(&pair) {
                    return *known;
                }
                let join = self.sets[one.0 as usize].join(&self.sets[other.0 as usize]);
                let join = self.insert(join);
                self.joins.insert(pair, join);
                join
            }
        }
    }
}
