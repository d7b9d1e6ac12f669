//! A variable with finitely many values as bits of a diagram.
//!
//! The values are numbered, and the number is written in as few bits as it takes, so three
//! values need two bits, whichever they are. A code without value does not occur in states; where
//! a variable is quantified, it may be any code, which makes no difference.

use crate::bdd::{Bdd, Diagrams, Result};

/// A variable.
pub(crate) struct Variable {
    /// Its values, in order.
    pub values: Vec<i128>,
    /// For each value, where the variable has it.
    pub is: Vec<Bdd>,
    /// All its bits: quantified existentially, they say nothing of the variable.
    pub cube: Bdd,
    /// Where the variable has a value.
    pub valid: Bdd,
}

/// How many bits so many values need.
pub(crate) fn bits_for(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).leading_zeros()
}

impl Variable {
    /// A variable whose first bit is `first`.
    pub fn new(dd: &Diagrams, values: Vec<i128>, first: u32) -> Result<Variable> {
        let width = bits_for(values.len());
        let bits: Vec<Bdd> =
            (first..first + width).map(|bit| dd.bit(bit)).collect::<Result<Vec<Bdd>>>()?;
        let is =
            (0..values.len()).map(|code| word(dd, &bits, code)).collect::<Result<Vec<Bdd>>>()?;
        let cube = dd.all_of(&bits)?;
        let valid = dd.any_of(&is)?;
        Ok(Variable { values, is, cube, valid })
    }

    /// Where the variable has this value, if it is one of its values.
    pub fn equals(&self, value: i128) -> Option<&Bdd> {
        self.values.binary_search(&value).ok().map(|number| &self.is[number])
    }

    /// Where the variable has one of the values that are chosen.
    pub fn among(&self, dd: &Diagrams, chosen: impl Fn(i128) -> bool) -> Result<Bdd> {
        let pairs = self.values.iter().zip(&self.is);
        dd.any_of(pairs.filter(|(value, _)| chosen(**value)).map(|(_, is)| is))
    }

    /// The value of the variable in a set where it has one.
    pub fn value_in(&self, dd: &Diagrams, state: &Bdd) -> Result<Option<i128>> {
        for (value, is) in self.values.iter().zip(&self.is) {
            if !crate::bdd::is_empty(&dd.and(state, is)?) {
                return Ok(Some(*value));
            }
        }
        Ok(None)
    }
}

/// Where the bits, most significant first, are the binary form of `code`.
fn word(dd: &Diagrams, bits: &[Bdd], code: usize) -> Result<Bdd> {
    let mut word = dd.all();
    for (place, bit) in bits.iter().rev().enumerate() {
        let set = code >> place & 1 == 1;
        word = if set { dd.and(&word, bit)? } else { dd.minus(&word, bit)? };
    }
    Ok(word)
}
