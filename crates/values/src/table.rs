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
    meets: Results,
    joins: Results,
}

/// What came of two sets, the smaller number first.
type Results = FxHashMap<(ValuesId, ValuesId), ValuesId>;

impl ValueTable {
    pub fn new() -> ValueTable {
        let mut table = ValueTable {
            // What is known of no type has no ranges: the first is never looked at.
            sets: vec![Ranges::EMPTY],
            numbers: FxHashMap::default(),
            meets: Results::default(),
            joins: Results::default(),
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
            _ => self.combine(one, other, |table| &mut table.meets, Ranges::meet),
        }
    }

    pub fn join(&mut self, one: ValuesId, other: ValuesId) -> ValuesId {
        match (one, other) {
            _ if one == other => one,
            (ValuesId::ANY, _) | (_, ValuesId::ANY) => ValuesId::ANY,
            _ => self.combine(one, other, |table| &mut table.joins, Ranges::join),
        }
    }

    /// What comes of two sets, which is computed once.
    fn combine(
        &mut self,
        one: ValuesId,
        other: ValuesId,
        results: fn(&mut ValueTable) -> &mut Results,
        compute: fn(&Ranges, &Ranges) -> Ranges,
    ) -> ValuesId {
        let pair = (one.min(other), one.max(other));
        if let Some(known) = results(self).get(&pair) {
            return *known;
        }
        let result = compute(&self.sets[one.0 as usize], &self.sets[other.0 as usize]);
        let result = self.insert(result);
        results(self).insert(pair, result);
        result
    }
}
