//! Elements of arrays, chosen by a word of bits. **Trusted.**

use super::arithmetic::choose;
use super::circuit::{Circuit, Lit};
use super::compare;

/// The index of an element: a word, and whether its highest bit makes it negative.
#[derive(Clone, Copy, Debug)]
pub struct Index<'a> {
    /// Its bits.
    pub bits: &'a [Lit],
    /// Is it a signed number?
    pub signed: bool,
}

impl Index<'_> {
    /// The lowest bits, as many as are needed to count up to `len`, and all others: if one of
    /// those is set, the index is negative or at least `len`.
    fn split(&self, len: u32) -> (&[Lit], &[Lit]) {
        let needed = (u32::BITS - (len - 1).leading_zeros()) as usize;
        self.bits.split_at(needed.min(self.bits.len() - usize::from(self.signed)))
    }

    /// `0 <= index < len`
    pub fn in_bounds(&self, circuit: &mut Circuit, len: u32) -> Lit {
        let (low, high) = self.split(len);
        let last: Vec<Lit> =
            (0..low.len()).map(|place| Lit::constant((len - 1) >> place & 1 == 1)).collect();
        let beyond = circuit.any(high.iter().copied());
        // Fewer bits than needed cannot reach the length.
        let below = if low.is_empty() || 1u64 << low.len() <= u64::from(len) {
            Lit::TRUE
        } else {
            compare::less_equal(circuit, low, &last, false)
        };
        circuit.and(below, !beyond)
    }
}

/// The cell at `index`; zeros if that is out of bounds. All cells have the same width.
pub fn select(circuit: &mut Circuit, cells: &[Vec<Lit>], index: Index) -> Vec<Lit> {
    let len = u32::try_from(cells.len()).expect("an array should have a length of 32 bits");
    let (low, high) = index.split(len);
    let outside = circuit.any(high.iter().copied());
    let cell = tree(circuit, cells, low);
    let zero = vec![Lit::FALSE; cell.len()];
    choose(circuit, outside, &zero, &cell)
}

/// A balanced choice, highest bit of the index first.
fn tree(circuit: &mut Circuit, cells: &[Vec<Lit>], index: &[Lit]) -> Vec<Lit> {
    let Some((highest, rest)) = index.split_last() else { return cells[0].clone() };
    let half = 1 << rest.len();
    let low = tree(circuit, &cells[..half.min(cells.len())], rest);
    let high = match cells.get(half..) {
        None | Some([]) => vec![Lit::FALSE; low.len()],
        Some(upper) => tree(circuit, upper, rest),
    };
    choose(circuit, *highest, &high, &low)
}
