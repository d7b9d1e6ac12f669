//! What several bounds on one term say together.
//!
//! A bound is an atom that compares a term with a constant. Bounds on one term in an
//! `And` leave an interval with holes, written with as few atoms as possible; an `Or`
//! is the negation of an `And` of negated bounds.

use super::Rewriter;
use ccfa::Type;
use logic::{Node, Range, Term};

/// What an atom says of a term that is not a formula.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    AtMost(i128),
    AtLeast(i128),
    Is(i128),
    IsNot(i128),
}

impl Bound {
    /// The opposite; `None` if its constant does not exist.
    pub(super) fn negated(self) -> Option<Bound> {
        Some(match self {
            Bound::AtMost(most) => Bound::AtLeast(most.checked_add(1)?),
            Bound::AtLeast(least) => Bound::AtMost(least.checked_sub(1)?),
            Bound::Is(value) => Bound::IsNot(value),
            Bound::IsNot(value) => Bound::Is(value),
        })
    }
}

/// The values that bounds leave for a term.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    low: Option<i128>,
    high: Option<i128>,
    /// Values strictly between `low` and `high`, sorted.
    holes: Vec<i128>,
}

impl Allowed {
    pub(super) fn new(range: Range, bounds: impl Iterator<Item = Bound>) -> Allowed {
        let (low, high) = (range.map(|range| range.0), range.map(|range| range.1));
        let mut allowed = Allowed { low, high, holes: Vec::new() };
        for bound in bounds {
            match bound {
                Bound::AtMost(most) => allowed.lower(most),
                Bound::AtLeast(least) => allowed.raise(least),
                Bound::Is(value) => {
                    allowed.raise(value);
                    allowed.lower(value);
                }
                Bound::IsNot(value) => allowed.holes.push(value),
            }
        }
        allowed.close_holes();
        allowed
    }

    fn raise(&mut self, least: i128) {
        self.low = Some(self.low.map_or(least, |low| low.max(least)));
    }

    fn lower(&mut self, most: i128) {
        self.high = Some(self.high.map_or(most, |high| high.min(most)));
    }

    /// Moves the ends past holes and forgets holes beyond them.
    fn close_holes(&mut self) {
        self.holes.sort_unstable();
        self.holes.dedup();
        for hole in self.holes.iter().filter(|hole| **hole < i128::MAX) {
            if self.low == Some(*hole) {
                self.low = Some(hole + 1);
            }
        }
        for hole in self.holes.iter().rev().filter(|hole| **hole > i128::MIN) {
            if self.high == Some(*hole) {
                self.high = Some(hole - 1);
            }
        }
        let (low, high) = (self.low, self.high);
        self.holes.retain(|hole| {
            low.is_none_or(|low| low < *hole) && high.is_none_or(|high| *hole < high)
        });
    }

    fn is_empty(&self) -> bool {
        self.low.zip(self.high).is_some_and(|(low, high)| low > high)
    }

    /// Does the bound hold for all values, or for none?
    pub(super) fn decides(&self, bound: Bound) -> Option<bool> {
        match bound {
            Bound::AtMost(most) if self.high.is_some_and(|high| high <= most) => Some(true),
            Bound::AtMost(most) if self.low.is_some_and(|low| low > most) => Some(false),
            Bound::AtLeast(least) if self.low.is_some_and(|low| low >= least) => Some(true),
            Bound::AtLeast(least) if self.high.is_some_and(|high| high < least) => Some(false),
            Bound::AtMost(_) | Bound::AtLeast(_) => None,
            Bound::Is(value) if self.low == Some(value) && self.high == Some(value) => Some(true),
            Bound::Is(value) => {
                let outside = self.low.is_some_and(|low| value < low)
                    || self.high.is_some_and(|high| value > high)
                    || self.holes.contains(&value);
                outside.then_some(false)
            }
            Bound::IsNot(value) => self.decides(Bound::Is(value)).map(|holds| !holds),
        }
    }

    /// Bounds that say the same, given the range; there are some values.
    fn bounds(&self, range: Range) -> Vec<Bound> {
        if let (Some(low), Some(high)) = (self.low, self.high)
            && low == high
        {
            return vec![Bound::Is(low)];
        }
        let mut bounds: Vec<Bound> = self.holes.iter().map(|hole| Bound::IsNot(*hole)).collect();
        if self.low != range.map(|range| range.0) {
            bounds.extend(self.low.map(Bound::AtLeast));
        }
        if self.high != range.map(|range| range.1) {
            bounds.extend(self.high.map(Bound::AtMost));
        }
        bounds
    }
}

impl Rewriter<'_> {
    /// What an atom says, if it compares a term with a constant.
    pub(super) fn bound(&self, atom: Term) -> Option<(Term, Bound)> {
        match *self.node(atom) {
            Node::Le(a, b) => match (self.constant_value(a), self.constant_value(b)) {
                (Some(least), _) => Some((b, Bound::AtLeast(least))),
                (_, Some(most)) => Some((a, Bound::AtMost(most))),
                _ => None,
            },
            Node::Eq(a, b) => self.constant_value(b).map(|value| (a, Bound::Is(value))),
            Node::Not(inner) => match *self.node(inner) {
                Node::Eq(a, b) => self.constant_value(b).map(|value| (a, Bound::IsNot(value))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The atom of a bound on `x`, taken as it is: next to the ends of the range of `x`
    /// there is one way to say it.
    pub(super) fn bound_atom(&mut self, x: Term, bound: Bound) -> Term {
        let allowed = Allowed::new(self.range(x), [bound].into_iter());
        if allowed.is_empty() {
            return self.truth(false);
        }
        match allowed.bounds(self.range(x))[..] {
            [] => self.truth(true),
            [bound, ..] => self.written_bound(x, bound),
        }
    }

    fn written_bound(&mut self, x: Term, bound: Bound) -> Term {
        let ty = self.ty(x);
        debug_assert_ne!(ty, Type::Bool, "a bound should be on a number");
        let (Bound::AtMost(value) | Bound::AtLeast(value) | Bound::Is(value) | Bound::IsNot(value)) =
            bound;
        let constant = self.constant(value, ty);
        let node = match bound {
            Bound::AtMost(_) => Node::Le(x, constant),
            Bound::AtLeast(_) => Node::Le(constant, x),
            Bound::Is(_) | Bound::IsNot(_) => Node::Eq(x, constant),
        };
        let atom = self.intern(node);
        match bound {
            Bound::IsNot(_) => self.intern(Node::Not(atom)),
            _ => atom,
        }
    }

    /// Joins the bounds on each term among sorted operands, which stay sorted. False if
    /// they decide: they contradict each other (in an `And`), or one must hold (in an `Or`).
    pub(super) fn merge_bounds(&mut self, parts: &mut Vec<Term>, and: bool) -> bool {
        let mut bounds: Vec<(Term, usize, Bound)> = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if let Some((x, bound)) = self.bound(*part)
                && let Some(bound) = if and { Some(bound) } else { bound.negated() }
            {
                bounds.push((x, index, bound));
            }
        }
        bounds.sort_by_key(|(x, index, _)| (*x, *index));
        let mut replaced = Vec::new();
        let mut merged = Vec::new();
        for group in bounds.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let (x, range) = (group[0].0, self.range(group[0].0));
            let allowed = Allowed::new(range, group.iter().map(|(_, _, bound)| *bound));
            if allowed.is_empty() {
                return false;
            }
            replaced.extend(group.iter().map(|(_, index, _)| *index));
            for bound in allowed.bounds(range) {
                let atom = self.bound_atom(x, bound);
                merged.push(if and { atom } else { self.not(atom) });
            }
        }
        if !replaced.is_empty() {
            let mut index = 0;
            parts.retain(|_| {
                index += 1;
                !replaced.contains(&(index - 1))
            });
            parts.extend(merged);
            parts.sort_unstable();
            parts.dedup();
        }
        true
    }
}
