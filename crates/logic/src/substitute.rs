//! Substitution of terms for symbols.
//!
//! A term none of whose operands change stays itself: only what depends on a replaced
//! symbol is built again. Recursion is as deep as the term.

use crate::FastMap;
use crate::term::{Node, Symbol, Term, Terms};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// What stands in place of a symbol, if something else does.
pub type Replacement<'a> = dyn FnMut(&mut Terms, Symbol) -> Option<Term> + 'a;

impl Terms {
    /// The term with `replacement(symbol)` in place of each symbol for which there is one.
    pub fn substitute(&mut self, term: Term, replacement: &mut Replacement) -> Term {
        self.substitute_memo(term, replacement, &mut FastMap::default())
    }

    /// The same, with a table of what is done already: for many terms under one replacement.
    pub fn substitute_memo<S: BuildHasher>(
        &mut self,
        term: Term,
        replacement: &mut Replacement,
        done: &mut HashMap<Term, Term, S>,
    ) -> Term {
        if let Node::Const(..) | Node::ConstArray(..) = self.node(term) {
            return term;
        }
        if let Some(result) = done.get(&term) {
            return *result;
        }
        let result = match *self.node(term) {
            Node::Symbol(symbol) => replacement(self, symbol).unwrap_or(term),
            _ => {
                let mut node = self.node(term).clone();
                let mut changed = false;
                node.map(&mut |part| {
                    let result = self.substitute_memo(part, replacement, done);
                    changed |= result != part;
                    result
                });
                if changed { self.make(node) } else { term }
            }
        };
        done.insert(term, result);
        result
    }
}

impl Node {
    /// Replaces the terms it is made of.
    fn map(&mut self, change: &mut impl FnMut(Term) -> Term) {
        match self {
            Node::Const(..) | Node::ConstArray(..) | Node::Symbol(_) => {}
            Node::And(list) | Node::Or(list) => list.iter_mut().for_each(|a| *a = change(*a)),
            Node::Not(a) | Node::Cast(_, a) => *a = change(*a),
            Node::Eq(a, b) | Node::Le(a, b) | Node::Arith(_, a, b) | Node::Select(a, b) => {
                (*a, *b) = (change(*a), change(*b));
            }
            Node::Ite(a, b, c) | Node::Store(a, b, c) => {
                (*a, *b, *c) = (change(*a), change(*b), change(*c));
            }
        }
    }
}
