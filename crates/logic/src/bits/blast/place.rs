//! Indices and amounts of shifts that have no bounds. **Trusted.**
//!
//! Only those inside an array, or inside a word, count. Whether an integer is inside, and where,
//! are free bits; [`super::super::integers`] says what they have to do with the integer.

use super::Blaster;
use crate::bits::circuit::Lit;
use crate::term::{Node, Sort, Term, Terms};

/// The place that an integer without bounds has among `0..limit`.
#[derive(Clone, Debug)]
pub struct Clamp {
    /// The integer.
    pub index: Term,
    /// How many places there are.
    pub limit: u32,
    /// Is it at least 0?
    pub low: Lit,
    /// Is it below `limit`?
    pub high: Lit,
    /// If both: its bits, without sign.
    pub place: Vec<Lit>,
}

impl Blaster {
    /// The index of a select that was blasted before, as a signed number; -1 if it has no bounds
    /// and is outside.
    pub fn index_word(&mut self, terms: &Terms, select: Term) -> Vec<Lit> {
        let Node::Select(array, index) = terms.node(select) else {
            unreachable!("a select should be given")
        };
        let Sort::Array { len, .. } = terms.sort(*array) else {
            unreachable!("an array should be selected from")
        };
        self.place(terms, select, *index, len)
    }

    /// The place of an integer without bounds in a select or shift that was blasted before.
    pub fn clamp(&self, term: Term) -> Option<&Clamp> {
        self.clamps.get(&term)
    }

    /// The signed value of the index (or amount) of `term`, of which only `0..limit` count; -1
    /// stands for all others if it is not bounded.
    pub(super) fn place(&mut self, terms: &Terms, term: Term, index: Term, limit: u32) -> Vec<Lit> {
        if let Some(word) = self.integer(terms, index) {
            return word;
        }
        if !self.clamps.contains_key(&term) {
            let bits = (u32::BITS - (limit - 1).leading_zeros()) as usize;
            let (low, high) = (self.circuit.input(), self.circuit.input());
            let place = self.inputs(bits);
            self.clamps.insert(term, Clamp { index, limit, low, high, place });
            self.open.insert(term);
        }
        let Clamp { low, high, place, .. } = &self.clamps[&term];
        let inside = self.circuit.and(*low, *high);
        let mut word: Vec<Lit> = place.iter().map(|bit| self.circuit.or(*bit, !inside)).collect();
        word.push(!inside);
        word
    }
}
