//! Interpolants of trees, for Horn clauses: a path is the tree in which every node has one child.
//!
//! Subtrees are nested or apart, so the argument for sequences carries over: in a
//! Farkas certificate the sum over a subtree is the node's own part and the sums over
//! its children; and a case split of a node is a disjunction for those above it (and
//! itself) and a conjunction for all others.

use super::{Cut, Limits, Linearised};
use logic::{Term, Terms};

/// Interpolants of a tree whose nodes carry `groups` of formulas that do not hold together.
/// `parents[n]` is the parent of node `n`, larger than `n`; the last node is the root. The
/// formulas of a node and the interpolants of its children imply its interpolant; that of the
/// root is `false`. An interpolant speaks of symbols only that occur in its node's subtree and
/// outside it.
///
/// `None`: there is no refutation in linear arithmetic, or not within the limits.
pub fn tree(
    terms: &mut Terms,
    groups: &[Vec<Term>],
    parents: &[Option<usize>],
    limits: Limits,
) -> Option<Vec<Term>> {
    let count = groups.len();
    assert_eq!(parents.len(), count, "each node should have a place in the tree");
    let mut subtrees: Vec<Cut> =
        (0..count).map(|node| (0..count).map(|g| g == node).collect()).collect();
    for (node, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => {
                assert!(node < *parent && *parent < count, "children should stand before parents");
                let below = subtrees[node].clone();
                for (inside, also) in subtrees[*parent].iter_mut().zip(below) {
                    *inside |= also;
                }
            }
            None => assert_eq!(node + 1, count, "the root alone should have no parent"),
        }
    }
    let problem = Linearised::new(terms, groups)?;
    let found = problem.refute(terms, &subtrees, limits)?;
    problem.terms(terms, &found)
}
