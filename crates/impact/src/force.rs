//! Force cover: makes a node coverable where the path to it allows that.
//!
//! McMillan looks from the nearest common ancestor of the two nodes; we look from
//! the root, since what the path to the node makes of a formula is at hand, and
//! strengthen labels only as far up as needed.

use crate::action::Action;
use crate::round::Loops;
use crate::search::{Search, UnwindError};
use crate::tree::NodeId;
use logic::Term;

/// How many nodes are tried, the youngest first: older ones are seldom alike.
const MAX_TRIED_NODES: usize = 32;

/// A node that has lost its cover more often is expanded at last: labels that are strengthened to
/// cover each other may chase each other without end.
const MAX_LOST_COVERS: u32 = 8;

impl Search<'_, '_> {
    /// Is `v` covered now, perhaps after its label was strengthened?
    pub(crate) fn force_cover(&mut self, v: NodeId) -> Result<bool, UnwindError> {
        if !self.configuration.force_cover || self.tree[v].losses > MAX_LOST_COVERS {
            return Ok(false);
        }
        for w in self.candidates(v).into_iter().rev().take(MAX_TRIED_NODES) {
            if self.tree.counts(w) && self.force(v, w)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn force(&mut self, v: NodeId, w: NodeId) -> Result<bool, UnwindError> {
        let goals: Vec<Term> = self.tree[w].label.clone();
        for goal in &goals {
            let now = self.on_path(*goal, v);
            if self.terms.constant_value(now) == Some(0) {
                return Ok(false);
            }
        }
        if matches!(self.loops, Loops::Kept { .. }) && !self.is_kept_between(w, v, &goals)? {
            return Ok(false);
        }
        // All or nothing: labels are not to be strengthened in vain.
        for goal in &goals {
            self.tally.implications += 1;
            if self.refute(v, *goal)?.is_none() {
                return Ok(false);
            }
        }
        for goal in goals {
            self.establish(v, goal)?;
        }
        // Strengthening may have changed what stands above.
        if self.tree.counts(v) && self.tree.counts(w) {
            return self.close(v);
        }
        Ok(!self.tree.counts(v))
    }

    /// Does the path from `w` down to `v` keep what the label of `w` says of variables that loops
    /// carry on? Else forcing it would strengthen `w` again, and again. If `w` is not above `v`, its
    /// label should say nothing of them.
    fn is_kept_between(
        &mut self,
        w: NodeId,
        v: NodeId,
        label: &[Term],
    ) -> Result<bool, UnwindError> {
        let path = self.tree.path(v);
        let Some(start) = path.iter().position(|node| *node == w) else {
            return Ok(!label.iter().any(|goal| self.is_carried(*goal)));
        };
        let mut goals = label.to_vec();
        goals.retain(|goal| self.is_carried(*goal));
        if goals.is_empty() {
            return Ok(true);
        }
        let mut premises = Vec::new();
        for node in path[start + 1..].iter().rev() {
            let (_, action) = self.tree[*node].parent.clone().expect("a node below another one");
            for formula in goals.iter_mut().chain(&mut premises) {
                *formula = self.before(&action, *formula);
            }
            premises.extend(&action.guards);
            for formula in goals.iter_mut().chain(&mut premises) {
                *formula = self.with_inputs_of(*node, &action, *formula);
            }
        }
        premises.extend(label);
        for goal in goals {
            if !self.follows(&premises, goal)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The formula with the inputs that the action had when it led to `v`.
    fn with_inputs_of(&mut self, v: NodeId, action: &Action, formula: Term) -> Term {
        let now = &self.tree[v].inputs;
        self.terms.substitute(formula, &mut |terms, symbol| {
            let number = action.inputs.iter().position(|input| *input == symbol)?;
            Some(terms.symbol(now[number]))
        })
    }
}
