//! Finds states of a closed set by their words.
//!
//! A table of indices with linear probing, never more than half full. It is not believed: `closed` compares
//! what is found with what was looked for.

/// The states of a set, by their words.
pub(crate) struct Members<'a> {
    states: &'a [u64],
    words: usize,
    table: Vec<u32>,
}

/// A place of the table that holds no state.
const FREE: u32 = u32::MAX;

impl<'a> Members<'a> {
    /// `states` are `words` long each and fewer than 2³².
    pub fn new(states: &'a [u64], words: usize) -> Members<'a> {
        let slots = (states.len() / words * 2 + 1).next_power_of_two();
        let mut members = Members { states, words, table: vec![FREE; slots] };
        for (index, state) in states.chunks_exact(words).enumerate() {
            let slot = members.slot(state);
            members.table[slot] = index as u32;
        }
        members
    }

    /// The index of a state.
    pub fn find(&self, state: &[u64]) -> Option<usize> {
        let index = self.table[self.slot(state)];
        (index != FREE).then_some(index as usize)
    }

    /// Where a state is in the table, or where there is room for it.
    fn slot(&self, state: &[u64]) -> usize {
        let last = self.table.len() - 1;
        let mut slot = hash(state) as usize & last;
        while self.table[slot] != FREE && self.get(self.table[slot] as usize) != state {
            slot = (slot + 1) & last;
        }
        slot
    }

    fn get(&self, index: usize) -> &'a [u64] {
        &self.states[index * self.words..][..self.words]
    }
}

fn hash(words: &[u64]) -> u64 {
    let mix = |hash: u64, word: &u64| {
        let mixed = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 32
    };
    words.iter().fold(0, mix)
}
