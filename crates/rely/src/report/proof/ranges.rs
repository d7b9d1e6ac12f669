//! Sets of integers as ranges: what a fact allows a term to be. `x != 3` is two ranges, `!flag`
//! is one. Sets that are unions and intersections of such stay readable.

use ccfa::Type;

/// At most so many values are named as exceptions: with more, a list of ranges is easier to read.
const MAX_EXCEPTIONS: i128 = 3;

/// A set of values of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// Of these.
    ty: Type,
    /// In order, not empty, with gaps between them.
    parts: Vec<(i128, i128)>,
}

impl Ranges {
    /// The values of the type between two, these included.
    pub fn between(ty: Type, low: i128, high: i128) -> Ranges {
        let (least, most) = limits(ty);
        let (low, high) = (low.max(least), high.min(most));
        Ranges { ty, parts: if low <= high { vec![(low, high)] } else { Vec::new() } }
    }

    /// One value.
    pub fn only(ty: Type, value: i128) -> Ranges {
        Ranges::between(ty, value, value)
    }

    /// From a value up.
    pub fn from(ty: Type, low: i128) -> Ranges {
        Ranges::between(ty, low, i128::MAX)
    }

    /// Up to a value.
    pub fn up_to(ty: Type, high: i128) -> Ranges {
        Ranges::between(ty, i128::MIN, high)
    }

    /// No value at all?
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Every value?
    pub fn is_full(&self) -> bool {
        self.complement().is_empty()
    }

    /// All other values of the type.
    pub fn complement(&self) -> Ranges {
        let (least, most) = limits(self.ty);
        let mut parts = Vec::new();
        let mut next = Some(least);
        for (low, high) in &self.parts {
            match next {
                Some(start) if start < *low => parts.push((start, low - 1)),
                _ => {}
            }
            next = high.checked_add(1);
        }
        parts.extend(next.filter(|start| *start <= most).map(|start| (start, most)));
        Ranges { ty: self.ty, parts }
    }

    /// What is in one or in the other.
    pub fn unite(&self, other: &Ranges) -> Ranges {
        let mut all: Vec<(i128, i128)> = self.parts.iter().chain(&other.parts).copied().collect();
        all.sort_unstable();
        let mut parts: Vec<(i128, i128)> = Vec::new();
        for (low, high) in all {
            match parts.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => parts.push((low, high)),
            }
        }
        Ranges { ty: self.ty, parts }
    }

    /// What is in both.
    pub fn intersect(&self, other: &Ranges) -> Ranges {
        self.complement().unite(&other.complement()).complement()
    }

    /// Is every value of the other in this one?
    pub fn contains(&self, other: &Ranges) -> bool {
        self.unite(other) == *self
    }

    /// That a term is in the set, as C says it; and does it consist of alternatives?
    pub fn says(&self, term: &str) -> (String, bool) {
        if self.ty == Type::Bool {
            let text = match self.parts == [(1, 1)] {
                true => term.to_string(),
                false if term.contains(' ') => format!("!({term})"),
                false => format!("!{term}"),
            };
            return (text, false);
        }
        if let Some(text) = self.with_exceptions(term) {
            return (text, false);
        }
        let parts: Vec<String> = self.parts.iter().map(|part| self.part(term, *part)).collect();
        (parts.join(" || "), parts.len() > 1)
    }

    /// "x <= 5 && x != 3", if there are few exceptions.
    fn with_exceptions(&self, term: &str) -> Option<String> {
        let (low, high) = (self.parts.first()?.0, self.parts.last()?.1);
        let hull = Ranges::between(self.ty, low, high);
        let missing = hull.intersect(&self.complement()).parts;
        let count = |(low, high): &(i128, i128)| high.checked_sub(*low)?.checked_add(1);
        let counts = missing.iter().map(count).collect::<Option<Vec<i128>>>()?;
        let total = counts.into_iter().try_fold(0, i128::checked_add)?;
        if total > MAX_EXCEPTIONS || total > 0 && self.is_few_values() {
            return None;
        }
        let bounds = (!hull.is_full()).then(|| self.part(term, (low, high)));
        let values = missing.into_iter().flat_map(|(low, high)| low..=high);
        let exceptions = values.map(|value| format!("{term} != {value}"));
        Some(bounds.into_iter().chain(exceptions).collect::<Vec<_>>().join(" && "))
    }

    fn is_few_values(&self) -> bool {
        self.parts.len() <= 3 && self.parts.iter().all(|(low, high)| low == high)
    }

    fn part(&self, term: &str, (low, high): (i128, i128)) -> String {
        let (least, most) = limits(self.ty);
        match (low == least, high == most) {
            _ if low == high => format!("{term} == {low}"),
            (true, _) => format!("{term} <= {high}"),
            (_, true) => format!("{term} >= {low}"),
            _ => format!("{low} <= {term} <= {high}"),
        }
    }
}

fn limits(ty: Type) -> (i128, i128) {
    ty.bounds().unwrap_or((i128::MIN, i128::MAX))
}

#[cfg(test)]
mod tests {
    use super::Ranges;
    use ccfa::Type;

    const BYTE: Type = Type::unsigned(8);

    fn x(ranges: &Ranges) -> String {
        ranges.says("x").0
    }

    #[test]
    fn sets_as_c_says_them() {
        assert_eq!(x(&Ranges::only(BYTE, 3)), "x == 3");
        assert_eq!(x(&Ranges::only(BYTE, 3).complement()), "x != 3");
        assert_eq!(x(&Ranges::from(BYTE, 3)), "x >= 3");
        assert_eq!(x(&Ranges::up_to(BYTE, 3)), "x <= 3");
        assert_eq!(x(&Ranges::between(BYTE, 1, 3)), "1 <= x <= 3");
        let apart = Ranges::only(BYTE, 1).unite(&Ranges::only(BYTE, 7));
        assert_eq!(apart.says("x"), ("x == 1 || x == 7".to_string(), true));
        let two_off = Ranges::between(BYTE, 1, 2).complement();
        assert_eq!(two_off.says("x"), ("x != 1 && x != 2".to_string(), false));
        let one_off = Ranges::up_to(BYTE, 9).intersect(&Ranges::only(BYTE, 3).complement());
        assert_eq!(x(&one_off), "x <= 9 && x != 3");
        let pair = Ranges::only(BYTE, 1).unite(&Ranges::only(BYTE, 3));
        assert_eq!(x(&pair), "x == 1 || x == 3");
        assert_eq!(x(&Ranges::only(Type::Bool, 0)), "!x");
        assert_eq!(Ranges::only(Type::Bool, 0).says("x < y").0, "!(x < y)");
    }

    #[test]
    fn sets_without_bounds() {
        let low = Ranges::up_to(Type::Int, 3);
        assert_eq!(x(&low), "x <= 3");
        assert_eq!(x(&low.complement()), "x >= 4");
        assert!(low.unite(&Ranges::from(Type::Int, 4)).is_full());
    }

    #[test]
    fn operations_agree_with_membership() {
        let small = Type::unsigned(3);
        let set = |bits: u32| {
            let values = (0..8).filter(|value| bits >> value & 1 == 1);
            values.fold(Ranges::between(small, 1, 0), |set, value| {
                set.unite(&Ranges::only(small, value))
            })
        };
        for a in 0..256u32 {
            assert_eq!(set(a).complement(), set(!a & 255));
            assert_eq!((set(a).is_empty(), set(a).is_full()), (a == 0, a == 255));
            for b in 0..256u32 {
                assert_eq!(set(a).unite(&set(b)), set(a | b));
                assert_eq!(set(a).intersect(&set(b)), set(a & b));
                assert_eq!(set(a).contains(&set(b)), a & b == b);
            }
        }
    }
}
