//! Sets of small numbers as bits; they grow as needed.

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Adds a number.
    pub(super) fn insert(&mut self, number: u32) {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        self.grow(word + 1);
        self.words[word] |= bit;
    }

    /// Adds all numbers of `other`.
    pub(super) fn extend(&mut self, other: &Bits) {
        self.grow(other.words.len());
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }

    /// Adds all numbers of `other`, and those that are new to `fresh` too.
    /// Says whether there are any.
    pub(super) fn extend_noting(&mut self, other: &Bits, fresh: &mut Bits) -> bool {
        self.grow(other.words.len());
        fresh.grow(other.words.len());
        let mut any = false;
        for (index, theirs) in other.words.iter().enumerate() {
            let new = theirs & !self.words[index];
            self.words[index] |= new;
            fresh.words[index] |= new;
            any |= new != 0;
        }
        any
    }

    /// Has it no numbers?
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// All numbers, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let rest = |word: u64| Some(word).filter(|word| *word != 0);
            std::iter::successors(rest(word), move |word| rest(word & (word - 1)))
                .map(move |word| index as u32 * 64 + word.trailing_zeros())
        })
    }

    fn grow(&mut self, words: usize) {
        if self.words.len() < words {
            self.words.resize(words, 0);
        }
    }
}
