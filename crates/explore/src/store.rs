//! The states found so far: one arena of packed states and a hash table of
//! their numbers.
//!
//! The arena is the proof to be: it is handed over as it is. The table is open
//! addressing with linear probing; an entry is 32 bits of the hash and the
//! number of the state, so that nearly every look at a state in the arena is a
//! hit. The place of an entry comes from the upper bits of the same hash:
//! growing the table moves entries from front to back and looks at no state.

use std::hint::black_box;

/// No more memory, or no more numbers for states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// A set of packed states, numbered in the order in which they came.
pub(crate) struct Store {
    words: usize,
    states: Vec<u64>,
    table: Vec<u64>,
    /// The place of a hash is its upper bits: this many lower ones are dropped.
    shift: u32,
}

/// A place of the table that holds no state.
const EMPTY: u64 = u64::MAX;

impl Store {
    /// For states of so many words (at least one).
    pub fn new(words: usize) -> Store {
        let bits = 12;
        Store { words, states: Vec::new(), table: vec![EMPTY; 1 << bits], shift: 32 - bits }
    }

    /// How many words a state has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len() / self.words
    }

    /// A state by its number.
    pub fn state(&self, number: u32) -> &[u64] {
        &self.states[number as usize * self.words..][..self.words]
    }

    /// All states, one after the other.
    pub fn into_states(self) -> Vec<u64> {
        self.states
    }

    /// The number of a state, if it is there.
    pub fn find(&self, state: &[u64], hash: u32) -> Option<u32> {
        let mut place = (hash >> self.shift) as usize;
        loop {
            let entry = self.table[place];
            if entry == EMPTY {
                return None;
            }
            if (entry >> 32) as u32 == hash && same(self.state(entry as u32), state) {
                return Some(entry as u32);
            }
            place = (place + 1) & (self.table.len() - 1);
        }
    }

    /// The number of a state, and whether it is new.
    #[inline]
    pub fn insert(&mut self, state: &[u64], hash: u32) -> Result<(u32, bool), Full> {
        let mask = self.table.len() - 1;
        let mut place = (hash >> self.shift) as usize;
        loop {
            let entry = self.table[place];
            if entry == EMPTY {
                break;
            }
            if (entry >> 32) as u32 == hash && same(self.state(entry as u32), state) {
                return Ok((entry as u32, false));
            }
            place = (place + 1) & mask;
        }
        let number = self.append(state)?;
        self.table[place] = u64::from(hash) << 32 | u64::from(number);
        if (number as usize) * 4 > self.table.len() * 3 {
            self.grow()?;
        }
        Ok((number, true))
    }

    /// Brings what `insert` will look at into the cache. Several calls in a row
    /// wait for memory together; the calls to `insert` that follow do not wait.
    #[inline]
    pub fn prepare(&self, hash: u32) {
        let entry = self.table[(hash >> self.shift) as usize];
        if (entry >> 32) as u32 == hash && entry != EMPTY {
            black_box(self.states[entry as u32 as usize * self.words]);
        }
    }

    fn append(&mut self, state: &[u64]) -> Result<u32, Full> {
        let number = self.len();
        if number >= u32::MAX as usize - 1 {
            return Err(Full);
        }
        if self.states.capacity() - self.states.len() < self.words {
            self.states.try_reserve(self.words).map_err(|_| Full)?;
        }
        self.states.extend_from_slice(state);
        Ok(number as u32)
    }

    /// Doubles the table.
    #[cold]
    fn grow(&mut self) -> Result<(), Full> {
        if self.shift == 0 {
            return Ok(());
        }
        let size = self.table.len() * 2;
        let mut table = Vec::new();
        table.try_reserve_exact(size).map_err(|_| Full)?;
        table.resize(size, EMPTY);
        let shift = self.shift - 1;
        for &entry in self.table.iter().filter(|&&entry| entry != EMPTY) {
            let mut place = (entry >> 32 >> shift) as usize;
            while table[place] != EMPTY {
                place = (place + 1) & (size - 1);
            }
            table[place] = entry;
        }
        self.table = table;
        self.shift = shift;
        Ok(())
    }
}

#[inline]
fn same(left: &[u64], right: &[u64]) -> bool {
    left.iter().zip(right).all(|(left, right)| left == right)
}

/// The hash of a packed state.
#[inline]
pub(crate) fn hash(state: &[u64]) -> u32 {
    let mut hash = 0x243f_6a88_85a3_08d3_u64;
    for word in state {
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
        hash = (product >> 64) as u64 ^ product as u64;
    }
    (hash >> 32) as u32
}
