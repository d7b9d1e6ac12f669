//! What only those ask of terms who search.

use crate::FastSet;
use crate::term::{Node, Term, Terms};

impl Terms {
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
        let mut seen = FastSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop()
            && seen.len() < limit
        {
            if seen.insert(term) {
                stack.extend(self.operands(term));
            }
        }
        seen.len()
    }
}
