//! Things with numbers: equal ones have one number.

use logic::FastMap;
use std::hash::Hash;

pub(crate) struct Numbered<T> {
    things: Vec<T>,
    numbers: FastMap<T, usize>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Numbered<T> {
        Numbered { things: Vec::new(), numbers: FastMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    /// The number of a thing, which may be new.
    pub fn number(&mut self, thing: T) -> usize {
        let things = &mut self.things;
        *self.numbers.entry(thing).or_insert_with_key(|thing| {
            things.push(thing.clone());
            things.len() - 1
        })
    }

    pub fn get(&self, number: usize) -> &T {
        &self.things[number]
    }
}
