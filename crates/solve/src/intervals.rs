//! A cheap filter before SAT: do the bounds among some formulas refute one of them?
//!
//! Formulas like `t <= 3`, `5 <= t`, `t == 2`, `p`, `!p` bound their terms, whatever `t` is.
//! Under these bounds the range of every other term is computed upwards, as when it was made
//! ([`Terms::range`]). If a formula cannot be true then, all of them cannot hold together:
//! that formula is to blame, with those that bound its parts.
//!
//! This gives `Unsat` only, and misses most; what it finds costs about a microsecond a
//! formula. Bounds are not propagated: what follows from two variables together is for
//! simplex or the bits.

use ccfa::Type;
use logic::FastMap;
use logic::Range;
use logic::{Node, Term, Terms};

/// Deeper inside a formula, bounds are not looked at: the walk is recursive, and little is known there.
const MAX_LEVELS: usize = 100;

/// Formulas among `formulas` that cannot hold together, if bounds show it.
pub(crate) fn refute(terms: &Terms, formulas: &[Term]) -> Option<Vec<Term>> {
    let mut bounds = Bounds::default();
    let mut parts = Vec::new();
    for formula in formulas {
        match terms.node(*formula) {
            Node::And(list) => parts.extend(list.iter().map(|part| (*part, *formula))),
            _ => parts.push((*formula, *formula)),
        }
    }
    for (part, formula) in &parts {
        if let Some(blamed) = bounds.assume(terms, *part, *formula) {
            return Some(blamed);
        }
    }
    for (part, formula) in &parts {
        if bounds.structural_range(terms, *part) == Some((0, 0)) {
            return Some(bounds.blame(terms, *part, *formula));
        }
    }
    None
}

/// What is known of a term, and which formulas say it.
#[derive(Clone, Copy)]
struct TermBounds {
    low: Option<(i128, Term)>,
    high: Option<(i128, Term)>,
}

#[derive(Default)]
struct Bounds {
    known: FastMap<Term, TermBounds>,
    ranges: FastMap<Term, Range>,
    depth: usize,
}

impl Bounds {
    /// Notes what `part` of `formula` says of the bounds of a term; the formulas to blame if
    /// nothing is left between them.
    fn assume(&mut self, terms: &Terms, part: Term, formula: Term) -> Option<Vec<Term>> {
        if let Node::Not(inner) = terms.node(part) {
            return self.note(*inner, Some(0), Some(0), formula).or_else(|| {
                let Node::Le(a, b) = terms.node(*inner) else { return None };
                match (terms.constant_value(*a), terms.constant_value(*b)) {
                    (None, Some(value)) => self.note(*a, value.checked_add(1), None, formula),
                    (Some(value), None) => self.note(*b, None, value.checked_sub(1), formula),
                    _ => None,
                }
            });
        }
        self.note(part, Some(1), Some(1), formula).or_else(|| match terms.node(part) {
            Node::Le(a, b) => match (terms.constant_value(*a), terms.constant_value(*b)) {
                (None, Some(value)) => self.note(*a, None, Some(value), formula),
                (Some(value), None) => self.note(*b, Some(value), None, formula),
                _ => None,
            },
            Node::Eq(a, b) => match (terms.constant_value(*a), terms.constant_value(*b)) {
                (None, Some(value)) => self.note(*a, Some(value), Some(value), formula),
                (Some(value), None) => self.note(*b, Some(value), Some(value), formula),
                _ => None,
            },
            _ => None,
        })
    }

    fn note(
        &mut self,
        term: Term,
        low: Option<i128>,
        high: Option<i128>,
        formula: Term,
    ) -> Option<Vec<Term>> {
        let bound = self.known.entry(term).or_insert(TermBounds { low: None, high: None });
        if let Some(low) = low.filter(|low| bound.low.is_none_or(|(old, _)| old < *low)) {
            bound.low = Some((low, formula));
        }
        if let Some(high) = high.filter(|high| bound.high.is_none_or(|(old, _)| *high < old)) {
            bound.high = Some((high, formula));
        }
        match (bound.low, bound.high) {
            (Some((low, a)), Some((high, b))) if low > high => Some(distinct(vec![a, b])),
            _ => None,
        }
    }

    /// The range of a term under all bounds. Where they leave nothing, any range is right.
    fn range(&mut self, terms: &Terms, term: Term) -> Range {
        if let Some(range) = self.ranges.get(&term) {
            return *range;
        }
        if self.depth == MAX_LEVELS {
            return terms.range(term);
        }
        self.depth += 1;
        let below = self.structural_range(terms, term);
        self.depth -= 1;
        let range = match self.known.get(&term) {
            None => below,
            Some(bound) => {
                let (low, high) = (bound.low.map(|(low, _)| low), bound.high.map(|(high, _)| high));
                match (below, low, high) {
                    (Some((least, greatest)), low, high) => Some((
                        least.max(low.unwrap_or(least)),
                        greatest.min(high.unwrap_or(greatest)),
                    )),
                    (None, Some(low), Some(high)) => Some((low, high)),
                    (None, ..) => None,
                }
            }
        };
        let range =
            if range.is_some_and(|(low, high)| low > high) { terms.range(term) } else { range };
        self.ranges.insert(term, range);
        range
    }

    /// The range of a term from those of its operands.
    fn structural_range(&mut self, terms: &Terms, term: Term) -> Range {
        let truth = |value: Option<bool>| Some(value.map_or((0, 1), |v| (v.into(), v.into())));
        match terms.node(term) {
            Node::Not(a) => self.range(terms, *a).map(|(low, high)| (1 - high, 1 - low)),
            Node::And(parts) => {
                let ranges: Vec<Range> =
                    parts.iter().map(|part| self.range(terms, *part)).collect();
                if ranges.contains(&Some((0, 0))) {
                    return Some((0, 0));
                }
                truth(ranges.iter().all(|range| *range == Some((1, 1))).then_some(true))
            }
            Node::Or(parts) => {
                let ranges: Vec<Range> =
                    parts.iter().map(|part| self.range(terms, *part)).collect();
                if ranges.contains(&Some((1, 1))) {
                    return Some((1, 1));
                }
                truth(ranges.iter().all(|range| *range == Some((0, 0))).then_some(false))
            }
            Node::Le(a, b) => {
                let Some(((a_low, a_high), (b_low, b_high))) = self.both(terms, *a, *b) else {
                    return truth(None);
                };
                truth((a_high <= b_low).then_some(true).or((a_low > b_high).then_some(false)))
            }
            Node::Eq(a, b) => {
                let Some(((a_low, a_high), (b_low, b_high))) = self.both(terms, *a, *b) else {
                    return truth(None);
                };
                let single = a_low == a_high && (a_low, a_high) == (b_low, b_high);
                let apart = a_high < b_low || b_high < a_low;
                truth(single.then_some(true).or(apart.then_some(false)))
            }
            Node::Arith(op, a, b) => {
                let (x, y) = (self.range(terms, *a), self.range(terms, *b));
                Terms::arith_range(*op, terms.ty(term), x, y)
            }
            Node::Cast(ty, a) => self.cast_range(terms, *ty, *a),
            Node::Ite(c, a, b) => match self.range(terms, *c) {
                Some((1, 1)) => self.range(terms, *a),
                Some((0, 0)) => self.range(terms, *b),
                _ => {
                    let ((a_low, a_high), (b_low, b_high)) = self.both(terms, *a, *b)?;
                    Some((a_low.min(b_low), a_high.max(b_high)))
                }
            },
            _ => terms.range(term),
        }
    }

    fn both(&mut self, terms: &Terms, a: Term, b: Term) -> Option<((i128, i128), (i128, i128))> {
        self.range(terms, a).zip(self.range(terms, b))
    }

    fn cast_range(&mut self, terms: &Terms, ty: Type, a: Term) -> Range {
        let range = self.range(terms, a);
        match (ty, range) {
            (Type::Bool, Some((0, 0))) => range,
            (Type::Bool, Some((low, high))) if low > 0 || high < 0 => Some((1, 1)),
            (Type::Bits { .. }, Some((low, high))) if ty.contains(low) && ty.contains(high) => {
                range
            }
            (Type::Int, _) => range,
            _ => ty.bounds(),
        }
    }

    /// The formula and all that bound parts of it.
    fn blame(&self, terms: &Terms, part: Term, formula: Term) -> Vec<Term> {
        let bounds = terms.subterms(terms.operands(part)).filter_map(|term| self.known.get(&term));
        let origins = bounds.flat_map(|bound| [bound.low, bound.high].into_iter().flatten());
        distinct([formula].into_iter().chain(origins.map(|(_, origin)| origin)).collect())
    }
}

fn distinct(mut formulas: Vec<Term>) -> Vec<Term> {
    formulas.sort();
    formulas.dedup();
    formulas
}
