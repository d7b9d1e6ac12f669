//! Sets of numbers: unions of a few ranges. This is the abstract domain of one cell: an interval where values are many, all values
//! one by one where they are few.

use ccfa::semantics::{binary, unary};
use ccfa::{BinOp, Type, UnOp};

/// A set has at most so many ranges, so that nothing takes long; where there would be more, the smallest gaps are closed.
const MAX_RANGES: usize = 16;

/// Operands with at most so many values each are computed value by value: that is exact, and takes as many steps as there are pairs.
const MAX_EXACT_VALUES: usize = 32;

/// Mathematical integers are followed as far as this, which no program comes to by counting; what goes beyond has no bound.
const INFINITY: i128 = 1 << 100;

/// Some numbers: ranges in order, with gaps between them, each from its first to its last number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ranges(Vec<(i128, i128)>);

impl Ranges {
    /// No number.
    pub const EMPTY: Ranges = Ranges(Vec::new());

    /// One number.
    pub fn one(value: i128) -> Ranges {
        Ranges(vec![(value, value)])
    }

    /// All values of a type.
    pub fn of_type(ty: Type) -> Ranges {
        Ranges(vec![ty.bounds().unwrap_or((-INFINITY, INFINITY))])
    }

    /// All numbers of these ranges, and, where they are too many, some between them.
    pub fn new(mut ranges: Vec<(i128, i128)>) -> Ranges {
        ranges.retain(|(low, high)| low <= high);
        ranges.sort_unstable();
        let mut joined: Vec<(i128, i128)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match joined.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        while joined.len() > MAX_RANGES {
            let gap = |place: &usize| joined[*place + 1].0.saturating_sub(joined[*place].1);
            let smallest = (0..joined.len() - 1).min_by_key(gap).expect("there are several");
            joined[smallest].1 = joined.remove(smallest + 1).1;
        }
        Ranges(joined)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ranges, in order.
    pub fn ranges(&self) -> &[(i128, i128)] {
        &self.0
    }

    /// The smallest number, if there is one.
    pub fn low(&self) -> Option<i128> {
        self.0.first().map(|range| range.0)
    }

    /// The largest number, if there is one.
    pub fn high(&self) -> Option<i128> {
        self.0.last().map(|range| range.1)
    }

    /// The only number, if there is just one.
    pub fn single(&self) -> Option<i128> {
        match self.0[..] {
            [(low, high)] if low == high => Some(low),
            _ => None,
        }
    }

    pub fn contains(&self, value: i128) -> bool {
        self.0.iter().any(|(low, high)| (*low..=*high).contains(&value))
    }

    /// The numbers, if they are at most so many.
    pub fn values(&self, most: usize) -> Option<Vec<i128>> {
        let count = |(low, high): &(i128, i128)| high.saturating_sub(*low).saturating_add(1);
        let count = self.0.iter().map(count).fold(0, i128::saturating_add);
        (count <= most as i128)
            .then(|| self.0.iter().flat_map(|(low, high)| *low..=*high).collect())
    }

    pub fn join(&self, other: &Ranges) -> Ranges {
        Ranges::new([&self.0[..], &other.0[..]].concat())
    }

    pub fn meet(&self, other: &Ranges) -> Ranges {
        let mut common = Vec::new();
        for (low, high) in &self.0 {
            common.extend(other.0.iter().map(|(l, h)| (*low.max(l), *high.min(h))));
        }
        Ranges::new(common)
    }

    /// These numbers but for one.
    pub fn without(&self, value: i128) -> Ranges {
        let below = (-INFINITY, value - 1);
        let above = (value + 1, INFINITY);
        self.meet(&Ranges(vec![below, above]))
    }

    /// These numbers, as far as they are not above one.
    pub fn at_most(&self, value: i128) -> Ranges {
        self.meet(&Ranges(vec![(-INFINITY, value.min(INFINITY))]))
    }

    /// These numbers, as far as they are not below one.
    pub fn at_least(&self, value: i128) -> Ranges {
        self.meet(&Ranges(vec![(value.max(-INFINITY), INFINITY)]))
    }

    /// Contains both, and is one of a few sets: where `next` goes beyond this, it goes on to the next threshold. (The
    /// widening, which makes the fixpoint end.)
    pub fn widen(&self, next: &Ranges, thresholds: &[i128], ty: Type) -> Ranges {
        let all = self.join(next);
        let (Some(old_low), Some(old_high)) = (self.low(), self.high()) else { return all };
        let (Some(low), Some(high)) = (all.low(), all.high()) else { return all };
        let whole = Ranges::of_type(ty);
        let (Some(least), Some(most)) = (whole.low(), whole.high()) else { return all };
        let low = match low < old_low {
            true => thresholds.iter().rev().find(|t| **t <= low).map_or(least, |t| (*t).max(least)),
            false => low,
        };
        let high = match high > old_high {
            true => thresholds.iter().find(|t| **t >= high).map_or(most, |t| (*t).min(most)),
            false => high,
        };
        Ranges(vec![(low, high)])
    }

    /// What is left of these results in a type: unsigned ones wrap, of signed ones the others are not defined.
    fn fit(ty: Type, results: Vec<(i128, i128)>) -> Ranges {
        match ty {
            Type::Bits { signed: false, .. } => Ranges::wrapped(ty, results),
            _ => Ranges::new(results).meet(&Ranges::of_type(ty)),
        }
    }

    /// These numbers, wrapped to a type of so many bits.
    fn wrapped(ty: Type, ranges: Vec<(i128, i128)>) -> Ranges {
        let Some((least, most)) = ty.bounds() else { return Ranges::new(ranges) };
        let modulus = most - least + 1;
        let mut wrapped = Vec::new();
        for (low, high) in ranges {
            if high.saturating_sub(low) >= modulus - 1 {
                return Ranges::of_type(ty);
            }
            let (low, high) = (ty.wrap(low), ty.wrap(high));
            match low <= high {
                true => wrapped.push((low, high)),
                false => wrapped.extend([(low, most), (least, high)]),
            }
        }
        Ranges::new(wrapped)
    }

    /// The values of a conversion.
    pub fn cast(&self, ty: Type) -> Ranges {
        match ty {
            Type::Bool => truth(!self.without(0).is_empty(), self.contains(0)),
            _ => Ranges::wrapped(ty, self.0.clone()),
        }
    }

    /// The values of `op operand`.
    pub fn unary(op: UnOp, ty: Type, operand: &Ranges) -> Ranges {
        if let Some(values) = operand.values(MAX_EXACT_VALUES) {
            return defined(ty, values.into_iter().map(|value| unary(op, ty, value)));
        }
        match op {
            UnOp::Neg => {
                Ranges::fit(ty, operand.0.iter().map(|(low, high)| (-high, -low)).collect())
            }
            UnOp::Not | UnOp::BitNot => Ranges::of_type(ty),
        }
    }

    /// The values of `left op right` for operands of this type.
    pub fn binary(op: BinOp, ty: Type, left: &Ranges, right: &Ranges) -> Ranges {
        if let (Some(a), Some(b)) = (left.values(MAX_EXACT_VALUES), right.values(MAX_EXACT_VALUES))
        {
            let pairs = a.iter().flat_map(|a| b.iter().map(|b| (*a, *b)));
            let result = if op.is_predicate() { Type::Bool } else { ty };
            return defined(result, pairs.map(|(a, b)| binary(op, ty, a, b)));
        }
        if op.is_predicate() {
            return compare(op, left, right);
        }
        arithmetic(op, ty, left, right)
    }
}

/// The results that are defined, as a set.
fn defined(
    ty: Type,
    results: impl Iterator<Item = Result<Option<i128>, ccfa::semantics::NoValue>>,
) -> Ranges {
    let mut values = Vec::new();
    for result in results {
        match result {
            Ok(Some(value)) => values.push((value, value)),
            Ok(None) => return Ranges::of_type(ty),
            Err(_) => {}
        }
    }
    Ranges::new(values)
}

fn truth(may_be_true: bool, may_be_false: bool) -> Ranges {
    Ranges::new(vec![(i128::from(!may_be_false), i128::from(may_be_true))])
}

/// The truth values of a comparison or connective.
fn compare(op: BinOp, left: &Ranges, right: &Ranges) -> Ranges {
    let (Some(l), Some(h), Some(rl), Some(rh)) =
        (left.low(), left.high(), right.low(), right.high())
    else {
        return Ranges::EMPTY;
    };
    let meet = !left.meet(right).is_empty();
    let same = left.single().is_some() && left == right;
    match op {
        BinOp::Eq => truth(meet, !same),
        BinOp::Ne => truth(!same, meet),
        BinOp::Lt => truth(l < rh, h >= rl),
        BinOp::Le => truth(l <= rh, h > rl),
        _ => truth(true, true),
    }
}

/// The values of sums and the like, by their bounds.
fn arithmetic(op: BinOp, ty: Type, left: &Ranges, right: &Ranges) -> Ranges {
    let pairs = || left.0.iter().flat_map(|a| right.0.iter().map(move |b| (*a, *b)));
    let corners = |result: &dyn Fn(i128, i128) -> i128| {
        let of = |((a, b), (c, d)): ((i128, i128), (i128, i128))| {
            let corners = [result(a, c), result(a, d), result(b, c), result(b, d)];
            let (low, high) = (corners.iter().min(), corners.iter().max());
            (*low.expect("four corners"), *high.expect("four corners"))
        };
        Ranges::fit(ty, pairs().map(of).collect())
    };
    let at_least_0 = |one: &Ranges| one.low().is_some_and(|low| low >= 0);
    match op {
        BinOp::Add => corners(&|a, b| a.saturating_add(b)),
        BinOp::Sub => corners(&|a, b| a.saturating_sub(b)),
        BinOp::Mul => corners(&|a, b| a.saturating_mul(b)),
        BinOp::Div if right.single().is_some_and(|by| by > 0) => corners(&|a, b| a / b),
        BinOp::Rem if at_least_0(left) => match (right.single(), left.high()) {
            (Some(by), Some(high)) if by > 0 => Ranges::new(vec![(0, high.min(by - 1))]),
            _ => Ranges::of_type(ty),
        },
        BinOp::Shr if right.single().is_some_and(|by| (0..64).contains(&by)) => {
            corners(&|a, b| a >> b)
        }
        BinOp::BitAnd if at_least_0(left) && at_least_0(right) => {
            let high = left.high().into_iter().chain(right.high()).min().unwrap_or(0);
            Ranges::new(vec![(0, high)])
        }
        _ => Ranges::of_type(ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATORS: [BinOp; 16] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::Div,
        BinOp::Rem,
        BinOp::Shl,
        BinOp::Shr,
        BinOp::BitAnd,
        BinOp::BitOr,
        BinOp::BitXor,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
        BinOp::And,
        BinOp::Or,
    ];

    /// Every range of a small type with every other one, by bounds and value by value.
    #[test]
    fn results_contain_what_the_semantics_says() {
        for ty in [Type::unsigned(3), Type::signed(3)] {
            let (least, most) = ty.bounds().expect("bits have bounds");
            let all: Vec<(i128, i128)> =
                (least..=most).flat_map(|low| (low..=most).map(move |high| (low, high))).collect();
            for op in OPERATORS {
                for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
                    let (left, right) = (Ranges(vec![a]), Ranges(vec![b]));
                    let by_bounds = match op.is_predicate() {
                        true => compare(op, &left, &right),
                        false => arithmetic(op, ty, &left, &right),
                    };
                    for (x, y) in (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| (x, y))) {
                        if let Ok(Some(value)) = binary(op, ty, x, y) {
                            assert!(
                                by_bounds.contains(value),
                                "{x} {op:?} {y} in {ty:?}: {by_bounds:?}"
                            );
                            let exact = Ranges::binary(op, ty, &left, &right);
                            assert!(exact.contains(value), "{x} {op:?} {y} in {ty:?}: {exact:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn conversions_wrap() {
        for ty in [Type::unsigned(2), Type::signed(2), Type::Bool] {
            for (low, high) in (-9..9).flat_map(|low| (low..9).map(move |high| (low, high))) {
                let cast = Ranges(vec![(low, high)]).cast(ty);
                let exact: Vec<_> =
                    (low..=high).map(|value| (ty.wrap(value), ty.wrap(value))).collect();
                assert_eq!(cast, Ranges::new(exact), "{low}..={high} to {ty:?}");
            }
        }
    }

    /// Products of large numbers do not fit what we compute with; they are still results of the type.
    #[test]
    fn large_numbers_have_results() {
        for ty in [Type::unsigned(64), Type::signed(64), Type::Int] {
            let all = Ranges::of_type(ty);
            for op in OPERATORS.into_iter().filter(|op| !op.is_predicate()) {
                let result = Ranges::binary(op, ty, &all, &all);
                assert!(result.contains(0), "{op:?} in {ty:?}: {result:?}");
            }
        }
    }

    #[test]
    fn too_many_ranges_lose_the_smallest_gaps() {
        let numbers = (0..20).map(|number: i128| (number * number, number * number)).collect();
        let ranges = Ranges::new(numbers);
        assert_eq!(ranges.ranges().len(), MAX_RANGES);
        assert!((0..20).all(|number| ranges.contains(number * number)));
        assert!(!ranges.contains(18 * 18 + 1));
    }

    #[test]
    fn widening_goes_to_the_next_threshold_and_then_to_the_end() {
        let ty = Type::signed(32);
        let (zero, two) = (Ranges::one(0), Ranges(vec![(0, 2)]));
        let wide = zero.widen(&two, &[-1, 50, 100], ty);
        assert_eq!(wide, Ranges(vec![(0, 50)]));
        let wider = wide.widen(&Ranges(vec![(0, 101)]), &[-1, 50, 100], ty);
        assert_eq!(wider, Ranges(vec![(0, i128::from(i32::MAX))]));
    }
}
