//! Sets of locations of one template.

use ccfa::LocId;

/// A set of locations, one bit each. Only sets of the same template are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LocationSet(Box<[u64]>);

impl LocationSet {
    /// These locations, all of them smaller than `count`.
    pub fn of(count: usize, locations: impl IntoIterator<Item = LocId>) -> LocationSet {
        let mut words = vec![0; count.div_ceil(64)];
        for location in locations {
            words[location.index() / 64] |= 1 << (location.index() % 64);
        }
        LocationSet(words.into())
    }

    /// These locations; all `count` of them if it is not said which.
    pub fn given(count: usize, locations: &Option<Vec<LocId>>) -> LocationSet {
        match locations {
            Some(locations) => LocationSet::of(count, locations.iter().copied()),
            None => LocationSet::of(count, (0..count as u32).map(LocId)),
        }
    }

    pub fn contains(&self, location: LocId) -> bool {
        self.0[location.index() / 64] >> (location.index() % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = LocId> + '_ {
        (0..self.0.len() as u32 * 64).map(LocId).filter(|location| self.contains(*location))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn meets(&self, other: &LocationSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub fn within(&self, other: &LocationSet) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub fn and(&self, other: &LocationSet) -> LocationSet {
        LocationSet(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    pub fn without(&self, other: &LocationSet) -> LocationSet {
        LocationSet(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }
}
