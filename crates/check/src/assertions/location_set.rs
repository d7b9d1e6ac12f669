//! Sets of locations of one template.

use ccfa::LocId;
use fixedbitset::FixedBitSet;

/// A set of locations. Only sets of the same template are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LocationSet(FixedBitSet);

impl LocationSet {
    /// These locations, all of them smaller than `count`.
    pub fn of(count: usize, locations: impl IntoIterator<Item = LocId>) -> LocationSet {
        let mut set = FixedBitSet::with_capacity(count);
        locations.into_iter().for_each(|location| set.insert(location.index()));
        LocationSet(set)
    }

    /// These locations; all `count` of them if it is not said which.
    pub fn given(count: usize, locations: &Option<Vec<LocId>>) -> LocationSet {
        match locations {
            Some(locations) => LocationSet::of(count, locations.iter().copied()),
            None => LocationSet::of(count, (0..count as u32).map(LocId)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = LocId> + '_ {
        self.0.ones().map(|number| LocId(number as u32))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    pub fn meets(&self, other: &LocationSet) -> bool {
        !self.0.is_disjoint(&other.0)
    }

    pub fn within(&self, other: &LocationSet) -> bool {
        self.0.is_subset(&other.0)
    }

    pub fn and(&self, other: &LocationSet) -> LocationSet {
        LocationSet(&self.0 & &other.0)
    }

    pub fn without(&self, other: &LocationSet) -> LocationSet {
        let mut rest = self.0.clone();
        rest.difference_with(&other.0);
        LocationSet(rest)
    }
}
