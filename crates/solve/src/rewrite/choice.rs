//! `ite`.
//!
//! The condition is never negative: neither a `Not` nor a bound from below. Formulas
//! with a constant branch are `And` or `Or`.

use super::Rewriter;
use logic::{Node, Sort, Term};

impl Rewriter<'_> {
    /// `a` if `c`, else `b`.
    pub(super) fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        match *self.node(c) {
            _ if a == b => a,
            Node::Const(value, _) => {
                if value == 0 {
                    b
                } else {
                    a
                }
            }
            Node::Not(c) => self.positive_ite(c, b, a),
            Node::Le(least, _) if self.constant_value(least).is_some() => {
                let below = self.not(c);
                self.positive_ite(below, b, a)
            }
            _ => self.positive_ite(c, a, b),
        }
    }

    fn positive_ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        let (a, b) = (self.branch_under(c, a, true), self.branch_under(c, b, false));
        let sort = self.sort(a);
        let special = match *self.node(c) {
            _ if a == b => Some(a),
            Node::Eq(p, q) if (a, b) == (p, q) || (a, b) == (q, p) => Some(b),
            _ if sort == Sort::BOOL => self.ite_of_formulas(c, a, b),
            _ => self.joined_ite(c, a, b),
        };
        special.unwrap_or_else(|| self.intern(Node::Ite(c, a, b)))
    }

    /// A branch where the condition is known to be `value`.
    fn branch_under(&self, c: Term, branch: Term, value: bool) -> Term {
        match *self.node(branch) {
            Node::Ite(same, a, b) if same == c => {
                if value {
                    a
                } else {
                    b
                }
            }
            _ => branch,
        }
    }

    fn ite_of_formulas(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        let (a_value, b_value) = (self.constant_value(a), self.constant_value(b));
        let not_c = self.not(c);
        Some(if a_value == Some(1) || a == c {
            self.or([c, b])
        } else if a_value == Some(0) || a == not_c {
            self.and([not_c, b])
        } else if b_value == Some(1) || b == not_c {
            self.or([not_c, a])
        } else if b_value == Some(0) || b == c {
            self.and([c, a])
        } else if self.not(a) == b {
            self.eq(c, a)
        } else {
            return None;
        })
    }

    /// Joins branches of a nested `Ite` that end alike.
    fn joined_ite(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if let Node::Ite(d, x, y) = *self.node(b) {
            if x == a {
                let either = self.or([c, d]);
                return Some(self.ite(either, a, y));
            }
            if y == a {
                let both = [self.not(c), d];
                let both = self.and(both);
                return Some(self.ite(both, x, a));
            }
        }
        if let Node::Ite(d, x, y) = *self.node(a) {
            if y == b {
                let both = self.and([c, d]);
                return Some(self.ite(both, x, b));
            }
            if x == b {
                let both = [c, self.not(d)];
                let both = self.and(both);
                return Some(self.ite(both, y, b));
            }
        }
        None
    }
}
