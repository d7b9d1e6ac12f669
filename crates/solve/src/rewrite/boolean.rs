//! `not`, `and`, `or`.
//!
//! Negations are pushed down to atoms, and each is computed once. `And` and `Or` are dual: one code serves both, where `and` says which. In an
//! `And` its operands hold, in an `Or` they do not: nested operands are simplified
//! under that assumption (unit propagation, one level deep).

use super::Rewriter;
use super::bounds::{Allowed, Bound};
use ccfa::Type;
use logic::{ArithOp, Node, Term};

/// Nested operands are looked at if there are no more than this: it is done at each conjunction that is made.
const MAX_NESTED_OPERANDS: usize = 200;

impl Rewriter<'_> {
    /// `!a`
    pub(super) fn not(&mut self, a: Term) -> Term {
        match *self.node(a) {
            Node::Const(value, _) => self.truth(value == 0),
            Node::Not(inner) => inner,
            Node::And(_) | Node::Or(_) => self.negated_junction(a),
            Node::Le(left, right) if self.ty(left) == Type::Int && self.bound(a).is_none() => {
                self.negated_order(a, left, right)
            }
            _ => match self.bound(a).and_then(|(x, bound)| Some((x, bound.negated()?))) {
                Some((x, bound)) => self.bound_atom(x, bound),
                None => self.intern(Node::Not(a)),
            },
        }
    }

    /// `!(left <= right)` is `right + 1 <= left`, over the integers.
    fn negated_order(&mut self, a: Term, left: Term, right: Term) -> Term {
        if let Some(known) = self.interned(&Node::Not(a)) {
            return known;
        }
        let one = self.constant(1, Type::Int);
        let more = self.arith(ArithOp::Add, right, one);
        let negated = self.le(more, left);
        self.remember_negation(a, negated)
    }

    /// De Morgan.
    fn negated_junction(&mut self, a: Term) -> Term {
        if let Some(known) = self.interned(&Node::Not(a)) {
            return known;
        }
        let (parts, and) = match self.node(a) {
            Node::And(parts) => (parts.to_vec(), true),
            Node::Or(parts) => (parts.to_vec(), false),
            _ => unreachable!("an `And` or `Or` should be given"),
        };
        let parts = parts.into_iter().map(|part| self.not(part)).collect();
        let negated = self.junction(parts, !and);
        self.remember_negation(a, negated)
    }

    /// So that a negation is computed once, and undone by a negation.
    fn remember_negation(&mut self, a: Term, negated: Term) -> Term {
        self.remember(Node::Not(a), negated);
        self.remember(Node::Not(negated), a);
        negated
    }

    /// All of `parts` hold.
    pub(super) fn and(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.junction(parts.into_iter().collect(), true)
    }

    /// One of `parts` holds.
    pub(super) fn or(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.junction(parts.into_iter().collect(), false)
    }

    fn junction(&mut self, parts: Vec<Term>, and: bool) -> Term {
        let Some(mut parts) = self.flattened(parts, and) else { return self.truth(!and) };
        if !self.merge_bounds(&mut parts, and) || self.has_complements(&parts) {
            return self.truth(!and);
        }
        if let Some(parts) = self.propagate(&parts, and) {
            return self.junction(parts, and);
        }
        match parts.len() {
            0 => self.truth(and),
            1 => parts[0],
            _ => {
                let parts = parts.into_boxed_slice();
                let node = if and { Node::And(parts) } else { Node::Or(parts) };
                self.intern(node)
            }
        }
    }

    /// Is the negation of one of these sorted terms among them? (Bounds are not looked at.)
    fn has_complements(&mut self, parts: &[Term]) -> bool {
        parts.iter().any(|part| {
            let negation = match *self.node(*part) {
                Node::Not(inner) => Some(inner),
                Node::And(_) | Node::Or(_) => self.interned(&Node::Not(*part)),
                Node::Le(a, _) if self.ty(a) == Type::Int => Some(self.not(*part)),
                _ => None,
            };
            negation.is_some_and(|negation| parts.binary_search(&negation).is_ok())
        })
    }

    /// The operands with nested ones simplified, if any can be.
    fn propagate(&mut self, parts: &[Term], and: bool) -> Option<Vec<Term>> {
        let nested = |rewriter: &Self, part: &Term| match rewriter.node(*part) {
            Node::Or(inner) if and => inner.len(),
            Node::And(inner) if !and => inner.len(),
            _ => 0,
        };
        let total: usize = parts.iter().map(|part| nested(self, part)).sum();
        if total == 0 || total > MAX_NESTED_OPERANDS {
            return None;
        }
        let allowed = self.allowed_by(parts, and);
        let mut result = Vec::with_capacity(parts.len());
        let mut changed = false;
        for part in parts {
            if nested(self, part) == 0 {
                result.push(*part);
                continue;
            }
            match self.propagate_into(*part, parts, &allowed, and) {
                Propagated::Same => result.push(*part),
                Propagated::Neutral => changed = true,
                Propagated::Rest(rest) => {
                    changed = true;
                    result.push(self.junction(rest, !and));
                }
            }
        }
        changed.then_some(result)
    }

    fn propagate_into(
        &self,
        nested: Term,
        parts: &[Term],
        allowed: &[(Term, Allowed)],
        and: bool,
    ) -> Propagated {
        let (Node::And(inner) | Node::Or(inner)) = self.node(nested) else {
            return Propagated::Same;
        };
        let mut rest = Vec::with_capacity(inner.len());
        for operand in inner {
            match self.decided(*operand, parts, allowed, and) {
                // In an `And`, a nested `Or` with a true operand says nothing; and dually.
                Some(value) if value == and => return Propagated::Neutral,
                Some(_) => {}
                None => rest.push(*operand),
            }
        }
        if rest.len() == inner.len() { Propagated::Same } else { Propagated::Rest(rest) }
    }

    /// The value of `operand` where the sorted `parts` all hold (`and`) or all do not.
    fn decided(
        &self,
        operand: Term,
        parts: &[Term],
        allowed: &[(Term, Allowed)],
        and: bool,
    ) -> Option<bool> {
        if parts.binary_search(&operand).is_ok() {
            return Some(and);
        }
        let negation = match *self.node(operand) {
            Node::Not(inner) => Some(inner),
            _ => self.interned(&Node::Not(operand)),
        };
        if negation.is_some_and(|negation| parts.binary_search(&negation).is_ok()) {
            return Some(!and);
        }
        let (x, bound) = self.bound(operand)?;
        let place = allowed.binary_search_by_key(&x, |(y, _)| *y).ok()?;
        allowed[place].1.decides(bound)
    }

    /// What bounds among `parts` leave for each term, where all hold (`and`) or all do not.
    fn allowed_by(&self, parts: &[Term], and: bool) -> Vec<(Term, Allowed)> {
        let mut bounds: Vec<(Term, Bound)> = parts
            .iter()
            .filter_map(|part| self.bound(*part))
            .filter_map(|(x, bound)| Some((x, if and { bound } else { bound.negated()? })))
            .collect();
        bounds.sort_by_key(|(x, _)| *x);
        bounds
            .chunk_by(|a, b| a.0 == b.0)
            .map(|group| {
                let x = group[0].0;
                (x, Allowed::new(self.range(x), group.iter().map(|(_, bound)| *bound)))
            })
            .collect()
    }
}

enum Propagated {
    Same,
    Neutral,
    Rest(Vec<Term>),
}
