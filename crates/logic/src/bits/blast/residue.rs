//! The lowest bits of integers without bounds. **Trusted.**
//!
//! Sums, products and choices modulo 2^w are those of their operands modulo 2^w. So a conversion
//! to bits is a circuit over the lowest bits of those integers of which nothing more is known;
//! these bits are free, and [`super::super::integers`] says what they have to do with the integer.

use super::{Blaster, extended};
use crate::bits::arithmetic::choose;
use crate::bits::circuit::Lit;
use crate::term::{ArithOp, Node, Term, Terms};
use std::collections::{BTreeSet, HashMap};

impl Blaster {
    /// The lowest bits of an integer, as far as they are free and were asked for.
    pub fn known_residue(&self, term: Term) -> Option<&[Lit]> {
        self.residues.get(&term).map(Vec::as_slice)
    }

    /// The lowest bits of an integer.
    pub(super) fn residue(&mut self, terms: &Terms, root: Term, width: usize) -> Vec<Lit> {
        let mut words: HashMap<Term, Vec<Lit>> = HashMap::new();
        // A term is made after its operands, so their order is right.
        for term in self.residue_parts(terms, root) {
            let word = match (self.known_word(term), terms.node(term)) {
                (Some(word), _) => {
                    let mut word = extended(&word, width);
                    word.truncate(width);
                    word
                }
                (None, Node::Arith(op @ (ArithOp::Add | ArithOp::Sub | ArithOp::Mul), a, b)) => {
                    self.word_arith(*op, &words[a], &words[b], true)
                }
                (None, Node::Ite(condition, a, b)) => {
                    let condition = self.known_word(*condition).expect("a formula has a bit")[0];
                    choose(&mut self.circuit, condition, &words[a], &words[b])
                }
                _ => self.free_residue(term, width),
            };
            words.insert(term, word);
        }
        words.remove(&root).expect("the root should be among its parts")
    }

    fn residue_parts(&self, terms: &Terms, root: Term) -> BTreeSet<Term> {
        let mut parts = BTreeSet::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if parts.insert(term) && self.known_word(term).is_none() {
                match terms.node(term) {
                    Node::Arith(ArithOp::Add | ArithOp::Sub | ArithOp::Mul, a, b)
                    | Node::Ite(_, a, b) => stack.extend([*a, *b]),
                    _ => {}
                }
            }
        }
        parts
    }

    fn free_residue(&mut self, term: Term, width: usize) -> Vec<Lit> {
        let bits = self.residues.entry(term).or_default();
        while bits.len() < width {
            bits.push(self.circuit.input());
        }
        self.open.insert(term);
        bits[..width].to_vec()
    }
}
