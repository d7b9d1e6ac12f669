//! What only those ask of terms and their symbols who search.

use crate::step::Vocabulary;
use crate::term::{Node, Symbol, Term, Terms};

impl Vocabulary {
    /// Is it a variable that all threads see?
    pub fn is_shared(&self, symbol: Symbol) -> bool {
        self.index(symbol).is_some_and(|index| index < self.shared)
    }
}

impl Terms {
    /// The term that a node has become, if that is known.
    pub fn interned(&self, node: &Node) -> Option<Term> {
        self.table.get(node).copied()
    }

    /// Formulas one of which holds exactly where this one holds: the operands of an `Or`.
    pub fn disjuncts(&self, term: Term) -> Vec<Term> {
        match self.node(term) {
            Node::Or(parts) => parts.to_vec(),
            Node::Const(0, _) => Vec::new(),
            _ => vec![term],
        }
    }

    /// Of how many different terms it is made, itself counted; counting stops at `limit`.
    pub fn size(&self, term: Term, limit: usize) -> usize {
        self.subterms([term]).take(limit).count()
    }
}
