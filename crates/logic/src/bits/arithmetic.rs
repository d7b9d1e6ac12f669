//! Sums, products and quotients of words of bits. **Trusted.**
//!
//! A word is a slice of literals, lowest bit first; both operands have the same
//! number of bits, and results are exact modulo 2^that.

use super::circuit::{Circuit, Lit};
use super::compare;

/// `a + b`
pub fn add(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    add_with_carry(circuit, a, b, Lit::FALSE)
}

/// `a - b`
pub fn sub(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let complement: Vec<Lit> = b.iter().map(|bit| !*bit).collect();
    add_with_carry(circuit, a, &complement, Lit::TRUE)
}

fn add_with_carry(circuit: &mut Circuit, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
    debug_assert_eq!(a.len(), b.len(), "operands should have one width");
    let mut sum = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        let half = circuit.xor(*a, *b);
        sum.push(circuit.xor(half, carry));
        carry = circuit.majority(*a, *b, carry);
    }
    sum
}

/// `a * b`: shift and add.
pub fn mul(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let width = a.len();
    let is_constant = |word: &[Lit]| word.iter().all(|bit| bit.gate() == 0);
    if is_constant(a) {
        return mul_constant(circuit, b, a);
    }
    if is_constant(b) {
        return mul_constant(circuit, a, b);
    }
    let mut product = vec![Lit::FALSE; width];
    for (shift, chosen) in b.iter().enumerate().filter(|(_, bit)| **bit != Lit::FALSE) {
        let row: Vec<Lit> =
            a[..width - shift].iter().map(|bit| circuit.and(*bit, *chosen)).collect();
        let sum = add(circuit, &product[shift..], &row);
        product[shift..].copy_from_slice(&sum);
    }
    product
}

/// A product by signed digits, no two neighbours of which are not zero: a run of ones in the
/// constant costs one addition and one subtraction.
fn mul_constant(circuit: &mut Circuit, a: &[Lit], constant: &[Lit]) -> Vec<Lit> {
    let mut product = vec![Lit::FALSE; a.len()];
    let mut carry = false;
    for shift in 0..a.len() {
        let bit = constant[shift] == Lit::TRUE;
        if bit != carry {
            // The digit is 1, or -1 with a carry if the next bit is set.
            carry = constant.get(shift + 1) == Some(&Lit::TRUE);
            let row = &a[..a.len() - shift];
            let apply = if carry { sub } else { add };
            let sum = apply(circuit, &product[shift..], row);
            product[shift..].copy_from_slice(&sum);
        }
    }
    product
}

/// Quotient and remainder. Unsigned, or signed and rounded towards zero; by zero the
/// quotient is 0 and the remainder `a`.
pub fn div_rem(circuit: &mut Circuit, a: &[Lit], b: &[Lit], signed: bool) -> (Vec<Lit>, Vec<Lit>) {
    if !signed {
        return unsigned_div_rem(circuit, a, b);
    }
    let (a_negative, b_negative) = (a[a.len() - 1], b[b.len() - 1]);
    // The magnitude of the least value is right as an unsigned number.
    let a_magnitude = negate_if(circuit, a_negative, a);
    let b_magnitude = negate_if(circuit, b_negative, b);
    let (quotient, remainder) = unsigned_div_rem(circuit, &a_magnitude, &b_magnitude);
    let differ = circuit.xor(a_negative, b_negative);
    (negate_if(circuit, differ, &quotient), negate_if(circuit, a_negative, &remainder))
}

/// Long division. Dividing by zero never borrows, so the remainder comes out as `a`.
fn unsigned_div_rem(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    // One bit more, since twice a remainder may not fit.
    let wide_b: Vec<Lit> = b.iter().copied().chain([Lit::FALSE]).collect();
    let mut remainder = vec![Lit::FALSE; a.len()];
    let mut quotient = vec![Lit::FALSE; a.len()];
    let by_zero = !circuit.any(b.iter().copied());
    for place in (0..a.len()).rev() {
        let shifted: Vec<Lit> = [a[place]].into_iter().chain(remainder).collect();
        let fits = compare::less_equal(circuit, &wide_b, &shifted, false);
        let reduced = sub(circuit, &shifted, &wide_b);
        remainder = choose(circuit, fits, &reduced, &shifted);
        remainder.pop();
        quotient[place] = circuit.and(fits, !by_zero);
    }
    (quotient, remainder)
}

fn negate_if(circuit: &mut Circuit, condition: Lit, word: &[Lit]) -> Vec<Lit> {
    let flipped: Vec<Lit> = word.iter().map(|bit| circuit.xor(*bit, condition)).collect();
    add_with_carry(circuit, &flipped, &vec![Lit::FALSE; word.len()], condition)
}

/// `a` if `condition`, else `b`.
pub fn choose(circuit: &mut Circuit, condition: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    debug_assert_eq!(a.len(), b.len(), "operands should have one width");
    a.iter().zip(b).map(|(a, b)| circuit.mux(condition, *a, *b)).collect()
}
