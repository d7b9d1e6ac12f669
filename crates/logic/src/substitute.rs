//! Substitution of terms for symbols.
//!
//! A term none of whose operands change stays itself: only what depends on a replaced
//! symbol is built again. Recursion is as deep as the term.

use crate::hash::FastMap;
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
        match self.node(term) {
            Node::Const(..) | Node::ConstArray(..) => return term,
            _ => {}
        }
        if let Some(result) = done.get(&term) {
            return *result;
        }
        let mut go = |terms: &mut Terms, part| terms.substitute_memo(part, replacement, done);
        let result = match *self.node(term) {
            Node::Symbol(symbol) => replacement(self, symbol).unwrap_or(term),
            Node::And(ref parts) | Node::Or(ref parts) => {
                let before = parts.to_vec();
                let after: Vec<Term> = before.iter().map(|part| go(self, *part)).collect();
                match self.node(term) {
                    _ if before == after => term,
                    Node::And(_) => self.and(after),
                    _ => self.or(after),
                }
            }
            Node::Not(a) => match go(self, a) {
                same if same == a => term,
                a => self.not(a),
            },
            Node::Cast(ty, a) => match go(self, a) {
                same if same == a => term,
                a => self.cast(ty, a),
            },
            Node::Eq(a, b) | Node::Le(a, b) | Node::Arith(_, a, b) | Node::Select(a, b) => {
                match (go(self, a), go(self, b)) {
                    same if same == (a, b) => term,
                    (a, b) => match *self.node(term) {
                        Node::Eq(..) => self.eq(a, b),
                        Node::Le(..) => self.le(a, b),
                        Node::Arith(op, ..) => self.arith(op, a, b),
                        _ => self.select(a, b),
                    },
                }
            }
            Node::Ite(a, b, c) | Node::Store(a, b, c) => {
                match (go(self, a), go(self, b), go(self, c)) {
                    same if same == (a, b, c) => term,
                    (a, b, c) => match self.node(term) {
                        Node::Ite(..) => self.ite(a, b, c),
                        _ => self.store(a, b, c),
                    },
                }
            }
            Node::Const(..) | Node::ConstArray(..) => term,
        };
        done.insert(term, result);
        result
    }
}
