//! Comparisons of words of bits. **Trusted.** Both sides have the same number of bits.

use super::circuit::{Circuit, Lit};

/// `a == b`
pub fn equal(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    debug_assert_eq!(a.len(), b.len(), "operands should have one width");
    let bits: Vec<Lit> = a.iter().zip(b).map(|(a, b)| circuit.iff(*a, *b)).collect();
    circuit.all(bits)
}

/// `a <= b`: from the lowest bit up, the highest bit in which they differ decides.
pub fn less_equal(circuit: &mut Circuit, a: &[Lit], b: &[Lit], signed: bool) -> Lit {
    debug_assert_eq!(a.len(), b.len(), "operands should have one width");
    let sign = a.len() - 1;
    let mut holds = Lit::TRUE;
    for (place, (a, b)) in a.iter().zip(b).enumerate() {
        let (small, large) = if signed && place == sign { (b, a) } else { (a, b) };
        holds = circuit.majority(!*small, *large, holds);
    }
    holds
}
