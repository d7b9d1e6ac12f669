//! `select` and `store`.
//!
//! Indices are without conversions that keep their value; constant ones are `u32`.
//! In a chain of stores those at constant indices next to each other are sorted, the
//! greatest outermost, none twice. So a loop that fills an array, and one that writes
//! one cell often, both leave short chains that are cheap to extend.

use super::Rewriter;
use ccfa::Type;
use logic::{Node, Term};

/// Stores of constants into constant arrays of at most so many elements are carried out: each is a copy of the array.
const MAX_COPIED_ELEMENTS: u32 = 64;

const INDEX: Type = Type::unsigned(32);

impl Rewriter<'_> {
    /// Element of an array.
    pub(super) fn select(&mut self, array: Term, index: Term) -> Term {
        let (element, len) = self.array_sort(array);
        let Some(index) = self.normal_index(index, len) else { return self.constant(0, element) };
        // The stores that may have written the element, the last one first.
        let mut stores = Vec::new();
        let mut base = array;
        let mut result = None;
        while let Node::Store(before, place, value) = *self.node(base) {
            let here = self.writes_element(place, index, len);
            match self.constant_value(here) {
                Some(0) => {}
                Some(_) => {
                    result = Some(value);
                    break;
                }
                None => stores.push((here, value)),
            }
            base = before;
        }
        let mut result = match result {
            Some(value) => value,
            None => self.select_plain(base, index),
        };
        for (here, value) in stores.into_iter().rev() {
            result = self.ite(here, value, result);
        }
        result
    }

    /// Does a store at `place` change what is read at `index`?
    fn writes_element(&mut self, place: Term, index: Term, len: u32) -> Term {
        let same = match (self.constant_value(place), self.constant_value(index)) {
            (Some(x), Some(y)) => self.truth(x == y),
            _ => self.same_index(place, index),
        };
        if self.constant_value(place).is_some() || self.constant_value(same) == Some(0) {
            return same;
        }
        let inside = self.in_bounds(index, len);
        self.and([same, inside])
    }

    /// From a symbol or a constant array, at a normal index.
    fn select_plain(&mut self, array: Term, index: Term) -> Term {
        let (element, len) = self.array_sort(array);
        let place = self.constant_value(index).map(|place| place as usize);
        match (self.node(array), place) {
            (Node::ConstArray(values, ..), _) if values.len() == 1 => {
                let value = values[0];
                let (value, zero) = (self.constant(value, element), self.constant(0, element));
                let inside = self.in_bounds(index, len);
                self.ite(inside, value, zero)
            }
            (Node::ConstArray(values, ..), Some(place)) => {
                let value = values[place];
                self.constant(value, element)
            }
            _ => self.intern(Node::Select(array, index)),
        }
    }

    /// The array with one element changed.
    pub(super) fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let (_, len) = self.array_sort(array);
        let Some(index) = self.normal_index(index, len) else { return array };
        if *self.node(value) == Node::Select(array, index) {
            return array;
        }
        let Some(position) = self.constant_value(index) else {
            return match *self.node(array) {
                Node::Store(before, place, _) if place == index => self.store(before, index, value),
                _ => self.intern(Node::Store(array, index, value)),
            };
        };
        let mut base = array;
        let mut after = Vec::new();
        while let Node::Store(before, place, later) = *self.node(base)
            && let Some(other) = self.constant_value(place)
            && other >= position
        {
            if other > position {
                after.push((place, later));
            }
            base = before;
        }
        let mut result = self.store_last(base, index, value);
        for (place, later) in after.into_iter().rev() {
            result = self.store_last(result, place, later);
        }
        result
    }

    /// A store at a constant index that no store in `array` next to it has.
    fn store_last(&mut self, array: Term, index: Term, value: Term) -> Term {
        if let (Some(value), Some(place)) = (self.constant_value(value), self.constant_value(index))
            && let Node::ConstArray(values, element, len) = self.node(array)
            && *len <= MAX_COPIED_ELEMENTS
        {
            let (element, len) = (*element, *len);
            let mut all = values.to_vec();
            if all.len() == 1 {
                all.resize(len as usize, values[0]);
            }
            all[place as usize] = value;
            return self.constant_array(&all, element, len);
        }
        self.intern(Node::Store(array, index, value))
    }

    /// An index without needless conversions; `None` if it is out of bounds for certain.
    fn normal_index(&mut self, index: Term, len: u32) -> Option<Term> {
        let index = self.without_casts(index);
        match self.constant_value(index) {
            Some(place) if (0..i128::from(len)).contains(&place) => {
                Some(self.constant(place, INDEX))
            }
            Some(_) => None,
            None => {
                let outside =
                    self.range(index).is_some_and(|(low, high)| high < 0 || i128::from(len) <= low);
                (!outside).then_some(index)
            }
        }
    }
}
