//! What there is to know after an answer, for those who search. `check` asks for none of it.

use super::sat::Sat;
use super::{Bits, shortest};
use crate::term::{Node, Sort, Term, Terms};
use ccfa::Type;

impl<S: Sat> Bits<S> {
    /// After `Sat`: the value of a scalar symbol or of a `Select` from a symbol (at a constant
    /// index) in the model; 0 for what was not asked about.
    pub fn value(&mut self, terms: &Terms, term: Term) -> i128 {
        assert!(self.sat, "a value should be asked for after `Sat`");
        match terms.node(term) {
            Node::Select(array, index) => {
                let place = terms.constant_value(*index).expect("an index should be constant");
                self.element(terms, *array, place)
            }
            _ => self.number(terms, term),
        }
    }

    /// After `Sat`: the element of an array symbol at `place`; 0 if that was not asked about.
    pub fn element(&mut self, terms: &Terms, array: Term, place: i128) -> i128 {
        let (Node::Symbol(symbol), Sort::Array { element, .. }) =
            (terms.node(array), terms.sort(array))
        else {
            unreachable!("an element should be of an array symbol")
        };
        if element == Type::Int {
            return self.integers.element(*symbol, place);
        }
        if let Some(cells) = self.blaster.cells.get(symbol) {
            let word = usize::try_from(place).ok().and_then(|place| cells.get(place).cloned());
            return self.word_number(&word.unwrap_or_default(), element);
        }
        let bits = (0..128).map(|bit| place >> bit & 1 == 1).collect();
        match self.elements.get(&(*symbol, shortest(bits))).copied() {
            Some(select) => self.number(terms, select),
            None => 0,
        }
    }

    /// After `Unknown`: is it because of integers without bounds, and not because it took too long?
    pub fn is_beyond(&self) -> bool {
        self.beyond
    }

    /// Did integers without bounds matter for the last question?
    pub fn has_integers(&self) -> bool {
        !self.open.is_empty()
    }

    /// How many lemmas about integers without bounds were needed so far.
    pub fn integer_lemmas(&self) -> u64 {
        self.lemmas
    }
}
