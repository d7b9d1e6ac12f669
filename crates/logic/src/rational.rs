//! Exact rationals, fast while they are small. **Trusted.**
//!
//! Almost all numbers of a simplex tableau have a numerator and a denominator of
//! one machine word. Those are kept as two `i64` and computed with `i128` in
//! between, which cannot overflow; any other value is a boxed `BigRational`. The
//! form is unique (lowest terms, positive denominator, small whenever it fits), so
//! equality and hashing look at the form alone.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Numerator and denominator.
    Small(i64, i64),
    /// What does not fit.
    Big(Box<BigRational>),
}

use Repr::{Big, Small};

impl Rational {
    /// 0
    pub const ZERO: Rational = Rational(Small(0, 1));
    /// 1
    pub const ONE: Rational = Rational(Small(1, 1));
    /// -1
    pub const MINUS_ONE: Rational = Rational(Small(-1, 1));

    /// `numerator / denominator`; the denominator is not 0.
    pub fn new(numerator: i128, denominator: i128) -> Rational {
        assert!(denominator != 0, "a denominator should not be 0");
        Rational::reduced(BigRational::new(numerator.into(), denominator.into()))
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn sign(&self) -> i8 {
        match &self.0 {
            Small(numerator, _) => numerator.signum() as i8,
            Big(value) => {
                if value.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Is it 0?
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// Is it more than 0?
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.sign() > 0
    }

    /// Is it less than 0?
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.sign() < 0
    }

    /// Is it an integer?
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, denominator) => *denominator == 1,
            Big(value) => value.is_integer(),
        }
    }

    /// The largest integer that is not larger.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Small(numerator, denominator) => Rational(Small(numerator.div_euclid(*denominator), 1)),
            Big(value) => Rational::reduced(value.floor()),
        }
    }

    /// The smallest integer that is not smaller.
    pub fn ceil(&self) -> Rational {
        -&(-self).floor()
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// `1 / self`; it is not 0.
    pub fn reciprocal(&self) -> Rational {
        &Rational::ONE / self
    }

    /// The value, if it is an integer of this range.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Small(numerator, 1) => Some(i128::from(*numerator)),
            Small(..) => None,
            Big(value) if value.is_integer() => value.numer().to_i128(),
            Big(_) => None,
        }
    }

    /// The largest number of which both are integer multiples; 0 for two zeros.
    pub fn gcd(&self, other: &Rational) -> Rational {
        if let (Small(a, 1), Small(c, 1)) = (&self.0, &other.0) {
            return Rational::from(i128::from(gcd(a.unsigned_abs(), c.unsigned_abs())));
        }
        let (a, b) = (self.big(), other.big());
        let numerator = big_gcd(a.numer().clone(), b.numer().clone());
        let common = big_gcd(a.denom().clone(), b.denom().clone());
        Rational::reduced(BigRational::new(numerator, a.denom() / common * b.denom()))
    }

    /// `self += factor * other`
    #[inline]
    pub fn add_product(&mut self, factor: &Rational, other: &Rational) {
        if let (Small(a, 1), Small(b, 1), Small(c, 1)) = (&self.0, &factor.0, &other.0) {
            // At most 2^126 + 2^63 in absolute value.
            *self = Rational::from(i128::from(*a) + i128::from(*b) * i128::from(*c));
        } else {
            *self = &*self + &(factor * other);
        }
    }

    fn big(&self) -> BigRational {
        match &self.0 {
            Small(numerator, denominator) => {
                BigRational::new_raw((*numerator).into(), (*denominator).into())
            }
            Big(value) => (**value).clone(),
        }
    }

    /// Of a value in lowest terms.
    fn reduced(value: BigRational) -> Rational {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => Rational(Small(numerator, denominator)),
            _ => Rational(Big(Box::new(value))),
        }
    }

    /// Of a fraction in lowest terms with a positive denominator.
    #[inline]
    fn lowest(numerator: i128, denominator: i128) -> Rational {
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Rational(Small(numerator, denominator)),
            _ => {
                Rational(Big(Box::new(BigRational::new_raw(numerator.into(), denominator.into()))))
            }
        }
    }

    /// `a/b + c/d` (D. Knuth, TAOCP 2, Section 4.5.1): divisors of the denominators suffice.
    fn sum(a: i64, b: i64, c: i64, d: i64) -> Rational {
        let common = gcd(b.unsigned_abs(), d.unsigned_abs()) as i64;
        let (b_rest, d_rest) = (i128::from(b / common), i128::from(d / common));
        // Each product is below 2^126, or is -2^63 * (2^63 - 1): the sum fits.
        let numerator = i128::from(a) * d_rest + i128::from(c) * b_rest;
        if common == 1 {
            return Rational::lowest(numerator, b_rest * d_rest);
        }
        let rest = (numerator % i128::from(common)).unsigned_abs() as u64;
        let divisor = gcd(rest, common as u64) as i64;
        Rational::lowest(numerator / i128::from(divisor), b_rest * i128::from(d / divisor))
    }

    #[inline]
    fn product(a: i64, b: i64, c: i64, d: i64) -> Rational {
        if a == 0 || c == 0 {
            return Rational::ZERO;
        }
        // Denominators are positive, so the divisors fit.
        let left = gcd(a.unsigned_abs(), d.unsigned_abs()) as i64;
        let right = gcd(c.unsigned_abs(), b.unsigned_abs()) as i64;
        let wide = |x: i64, y: i64| i128::from(x) * i128::from(y);
        Rational::lowest(wide(a / left, c / right), wide(b / right, d / left))
    }
}

impl From<i128> for Rational {
    #[inline]
    fn from(value: i128) -> Rational {
        Rational::lowest(value, 1)
    }
}

impl Add for &Rational {
    type Output = Rational;

    #[inline]
    fn add(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Small(a, 1), Small(c, 1)) => Rational::from(i128::from(*a) + i128::from(*c)),
            (Small(a, b), Small(c, d)) => Rational::sum(*a, *b, *c, *d),
            _ => Rational::reduced(self.big() + other.big()),
        }
    }
}

impl Sub for &Rational {
    type Output = Rational;

    #[inline]
    fn sub(self, other: &Rational) -> Rational {
        self + &-other
    }
}

impl Mul for &Rational {
    type Output = Rational;

    #[inline]
    fn mul(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Small(a, 1), Small(c, 1)) => Rational::from(i128::from(*a) * i128::from(*c)),
            (Small(a, b), Small(c, d)) => Rational::product(*a, *b, *c, *d),
            _ => Rational::reduced(self.big() * other.big()),
        }
    }
}

impl Div for &Rational {
    type Output = Rational;

    fn div(self, other: &Rational) -> Rational {
        assert!(!other.is_zero(), "a divisor should not be 0");
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) if *c > 0 => Rational::product(*a, *b, *d, *c),
            (Small(a, b), Small(c, d)) if *c > i64::MIN => -&Rational::product(*a, *b, *d, -*c),
            _ => Rational::reduced(self.big() / other.big()),
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;

    #[inline]
    fn neg(self) -> Rational {
        match &self.0 {
            Small(numerator, denominator) => {
                Rational::lowest(-i128::from(*numerator), i128::from(*denominator))
            }
            Big(value) => Rational::reduced(-(**value).clone()),
        }
    }
}

impl Ord for Rational {
    #[inline]
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) if b == d => a.cmp(c),
            (Small(a, b), Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl PartialOrd for Rational {
    #[inline]
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(numerator, 1) => write!(f, "{numerator}"),
            Small(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
            Big(value) => write!(f, "{value}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// By shifts and differences, which is faster than division.
#[inline]
fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 1 || b == 1 {
        return 1;
    }
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << twos
}

fn big_gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers at which the small form begins and ends.
    fn samples() -> Vec<Rational> {
        let edge = i128::from(i64::MAX);
        let numerators = [0, 1, -1, 2, -6, 35, edge, -edge, -edge - 1, edge + 1, edge * edge];
        let denominators = [1, 2, -3, 35, edge, edge + 1];
        let pairs = numerators.iter().flat_map(|n| denominators.iter().map(move |d| (*n, *d)));
        pairs.map(|(n, d)| Rational::new(n, d)).collect()
    }

    #[test]
    fn agrees_with_big_rationals_and_has_one_form() {
        for a in &samples() {
            assert_eq!(Rational::reduced(a.floor().big()), Rational::reduced(a.big().floor()));
            assert_eq!(&-&-a, a);
            for b in &samples() {
                let expected = [a.big() + b.big(), a.big() - b.big(), a.big() * b.big()];
                let computed = [a + b, a - b, a * b];
                assert_eq!(computed, expected.map(Rational::reduced), "{a} and {b}");
                assert_eq!(a.cmp(b), a.big().cmp(&b.big()), "{a} and {b}");
                if !b.is_zero() {
                    assert_eq!(a / b, Rational::reduced(a.big() / b.big()), "{a} / {b}");
                }
                for c in [&Rational::ONE, &Rational::new(1, 3), &Rational::new(1 << 70, 1)] {
                    let mut sum = c.clone();
                    sum.add_product(a, b);
                    assert_eq!(sum, c + &(a * b), "{c} + {a} * {b}");
                }
            }
        }
    }

    #[test]
    fn the_greatest_common_divisor_divides() {
        for a in &samples() {
            for b in samples().iter().filter(|b| !b.is_zero()) {
                let common = a.gcd(b);
                let (left, right) = (a / &common, b / &common);
                assert!(common.is_positive() && left.is_integer() && right.is_integer());
                assert_eq!(left.gcd(&right), Rational::ONE, "{a} and {b}");
            }
        }
    }
}
