//! Shifts of words of bits. **Trusted.**

use super::arithmetic::choose;
use super::circuit::{Circuit, Lit};
use super::compare;

/// Which way, and what comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the high bits; zeros come in.
    Left,
    /// Towards the low bits; zeros come in.
    Right,
    /// Towards the low bits; copies of the highest bit come in.
    RightSigned,
}

/// `word` shifted by `amount`, a number that is negative if its highest bit is set and
/// `amount_signed`. Any amount outside `0..width` moves all bits out.
pub fn shift(
    circuit: &mut Circuit,
    direction: Direction,
    word: &[Lit],
    amount: &[Lit],
    amount_signed: bool,
) -> Vec<Lit> {
    let width = word.len();
    let fill = match direction {
        Direction::RightSigned => word[width - 1],
        _ => Lit::FALSE,
    };
    // Bits of the amount that count places inside the word; any other means "all out".
    let needed = (usize::BITS - (width - 1).leading_zeros()) as usize;
    let (low, high) = amount.split_at(needed.min(amount.len() - usize::from(amount_signed)));
    let mut result = word.to_vec();
    for (place, bit) in low.iter().enumerate() {
        let moved = shift_by(direction, &result, 1 << place, fill);
        result = choose(circuit, *bit, &moved, &result);
    }
    let mut out = circuit.any(high.iter().copied());
    if 1usize << low.len() > width {
        let last: Vec<Lit> =
            (0..low.len()).map(|b| Lit::constant((width - 1) >> b & 1 == 1)).collect();
        let inside = compare::less_equal(circuit, low, &last, false);
        out = circuit.or(out, !inside);
    }
    choose(circuit, out, &vec![fill; width], &result)
}

fn shift_by(direction: Direction, word: &[Lit], places: usize, fill: Lit) -> Vec<Lit> {
    let source = |place: usize| match direction {
        Direction::Left => place.checked_sub(places),
        _ => place.checked_add(places),
    };
    let bit = |place| source(place).and_then(|from| word.get(from)).copied().unwrap_or(fill);
    (0..word.len()).map(bit).collect()
}
