//! Sets of events, and relations between events, of one execution. An execution has few events: a set is
//! one machine word, a relation one word for each event.

use std::ops::{BitAnd, BitOr, Sub};

/// Events that an execution has at most, since a set of events is one machine word.
pub const MAX_EVENTS: usize = 64;

/// A set of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventSet(u64);

/// A relation between events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRelation {
    /// For each event those that it is related to.
    successors: Vec<EventSet>,
}

impl EventSet {
    /// Is the event in the set?
    pub fn contains(self, event: usize) -> bool {
        self.0 >> event & 1 == 1
    }

    /// Adds an event.
    pub fn insert(&mut self, event: usize) {
        assert!(event < MAX_EVENTS, "a set has a bit for each event");
        self.0 |= 1 << event;
    }

    /// Its events, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let event = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                event
            })
        })
    }
}

impl FromIterator<usize> for EventSet {
    fn from_iter<I: IntoIterator<Item = usize>>(events: I) -> EventSet {
        let mut set = EventSet::default();
        events.into_iter().for_each(|event| set.insert(event));
        set
    }
}

impl BitOr for EventSet {
    type Output = EventSet;
    fn bitor(self, other: EventSet) -> EventSet {
        EventSet(self.0 | other.0)
    }
}

impl BitAnd for EventSet {
    type Output = EventSet;
    fn bitand(self, other: EventSet) -> EventSet {
        EventSet(self.0 & other.0)
    }
}

impl Sub for EventSet {
    type Output = EventSet;
    fn sub(self, other: EventSet) -> EventSet {
        EventSet(self.0 & !other.0)
    }
}

impl EventRelation {
    /// The empty relation between so many events.
    pub fn empty(events: usize) -> EventRelation {
        assert!(events <= MAX_EVENTS, "a set has a bit for each event");
        EventRelation { successors: vec![EventSet::default(); events] }
    }

    /// All pairs that satisfy a condition.
    pub fn of(events: usize, holds: impl Fn(usize, usize) -> bool) -> EventRelation {
        let mut relation = EventRelation::empty(events);
        for (from, row) in relation.successors.iter_mut().enumerate() {
            *row = (0..events).filter(|to| holds(from, *to)).collect();
        }
        relation
    }

    /// Each event of the set with itself.
    pub fn identity(events: usize, set: EventSet) -> EventRelation {
        EventRelation::of(events, |from, to| from == to && set.contains(from))
    }

    /// Adds a pair.
    pub fn add(&mut self, from: usize, to: usize) {
        assert!(to < self.successors.len(), "a relation is between the events of one execution");
        self.successors[from].insert(to);
    }

    /// Are these related?
    pub fn contains(&self, from: usize, to: usize) -> bool {
        self.successors[from].contains(to)
    }

    /// All pairs, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let rows = self.successors.iter().enumerate();
        rows.flat_map(|(from, row)| row.iter().map(move |to| (from, to)))
    }

    /// Has it no pair?
    pub fn is_empty(&self) -> bool {
        self.successors.iter().all(|row| *row == EventSet::default())
    }

    /// Those related by either.
    pub fn union(&self, other: &EventRelation) -> EventRelation {
        self.rowwise(other, |left, right| left | right)
    }

    /// Those related by both.
    pub fn intersection(&self, other: &EventRelation) -> EventRelation {
        self.rowwise(other, |left, right| left & right)
    }

    /// Those related by this one only.
    pub fn difference(&self, other: &EventRelation) -> EventRelation {
        self.rowwise(other, |left, right| left - right)
    }

    fn rowwise(
        &self,
        other: &EventRelation,
        join: impl Fn(EventSet, EventSet) -> EventSet,
    ) -> EventRelation {
        assert_eq!(self.successors.len(), other.successors.len(), "both are of one execution");
        let rows = self.successors.iter().zip(&other.successors);
        EventRelation { successors: rows.map(|(left, right)| join(*left, *right)).collect() }
    }

    /// First this one, then the other: its sequence.
    pub fn then(&self, other: &EventRelation) -> EventRelation {
        let reach = |row: &EventSet| {
            row.iter().fold(EventSet::default(), |all, event| all | other.successors[event])
        };
        EventRelation { successors: self.successors.iter().map(reach).collect() }
    }

    /// The relation backwards.
    pub fn inverse(&self) -> EventRelation {
        EventRelation::of(self.successors.len(), |from, to| self.contains(to, from))
    }

    /// One step or more (Warshall 1962).
    pub fn transitive_closure(&self) -> EventRelation {
        let mut closure = self.clone();
        for middle in 0..closure.successors.len() {
            let beyond = closure.successors[middle];
            for row in &mut closure.successors {
                if row.contains(middle) {
                    *row = *row | beyond;
                }
            }
        }
        closure
    }

    /// No step, too.
    pub fn reflexive(&self) -> EventRelation {
        let mut relation = self.clone();
        (0..self.successors.len()).for_each(|event| relation.add(event, event));
        relation
    }

    /// Has it no cycle? Events without successors are left out until none is left.
    pub fn is_acyclic(&self) -> bool {
        let mut open: EventSet = (0..self.successors.len()).collect();
        loop {
            let ends = |event: &usize| self.successors[*event] & open == EventSet::default();
            let left_out: EventSet = open.iter().filter(ends).collect();
            if left_out == EventSet::default() {
                return open == EventSet::default();
            }
            open = open - left_out;
        }
    }

    /// A shortest cycle, each event once, if there is one.
    pub fn cycle(&self) -> Option<Vec<usize>> {
        let cycles = (0..self.successors.len()).filter_map(|start| self.cycle_through(start));
        cycles.min_by_key(Vec::len)
    }

    /// A shortest cycle through an event: breadth-first search.
    fn cycle_through(&self, start: usize) -> Option<Vec<usize>> {
        let mut before = vec![None; self.successors.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(event) = queue.pop_front() {
            if self.contains(event, start) {
                let step = |event: &usize| before[*event];
                let mut path: Vec<usize> =
                    std::iter::successors(Some(event), step).take_while(|e| *e != start).collect();
                path.push(start);
                path.reverse();
                return Some(path);
            }
            for next in self.successors[event].iter() {
                if next != start && before[next].is_none() {
                    before[next] = Some(event);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{EventRelation, EventSet};

    fn relation(pairs: &[(usize, usize)]) -> EventRelation {
        EventRelation::of(5, |from, to| pairs.contains(&(from, to)))
    }

    #[test]
    fn operations_mean_what_their_names_say() {
        let (a, b) = (relation(&[(0, 1), (1, 2)]), relation(&[(1, 2), (2, 4)]));
        assert_eq!(a.union(&b), relation(&[(0, 1), (1, 2), (2, 4)]));
        assert_eq!(a.intersection(&b), relation(&[(1, 2)]));
        assert_eq!(a.difference(&b), relation(&[(0, 1)]));
        assert_eq!(a.then(&b), relation(&[(0, 2), (1, 4)]));
        assert_eq!(a.inverse(), relation(&[(1, 0), (2, 1)]));
        let closure = relation(&[(0, 1), (1, 2), (2, 4), (0, 2), (0, 4), (1, 4)]);
        assert_eq!(a.union(&b).transitive_closure(), closure);
        let set: EventSet = [1, 3].into_iter().collect();
        assert_eq!(EventRelation::identity(5, set), relation(&[(1, 1), (3, 3)]));
        assert_eq!(a.pairs().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    }

    #[test]
    fn cycles_are_found_and_are_short() {
        assert_eq!(relation(&[(0, 1), (1, 2), (2, 4)]).cycle(), None);
        assert_eq!(relation(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 2)]).cycle(), Some(vec![2, 3]));
        assert_eq!(relation(&[(1, 1), (0, 1), (1, 0)]).cycle(), Some(vec![1]));
    }

    /// On all relations between three events, the closure is what following pairs reaches, and there
    /// is a cycle exactly if it relates an event to itself.
    #[test]
    fn closures_of_all_small_relations() {
        for bits in 0..512_u32 {
            let relation = EventRelation::of(3, |from, to| bits >> (3 * from + to) & 1 == 1);
            let mut reached = relation.clone();
            for _ in 0..3 {
                reached = reached.union(&reached.then(&relation));
            }
            assert_eq!(relation.transitive_closure(), reached);
            let cyclic = (0..3).any(|event| reached.contains(event, event));
            assert_eq!(relation.cycle().is_some(), cyclic);
            assert_eq!(relation.is_acyclic(), !cyclic);
        }
    }
}
