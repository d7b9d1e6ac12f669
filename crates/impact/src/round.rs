//! Rounds of loops that keep a formula.
//!
//! From `x <= n` after a round of `if (x < n) x++`, the weakest precondition of one
//! way through the round is `x + 1 <= n`, then `x + 2 <= n`, and so on. But `x <= n`
//! before the round suffices if the guards on the way are regarded, and it
//! is the same formula: an invariant, perhaps. So where the path has been at a place before, it is
//! tried whether a formula there implies the same formula here.
//!
//! Only formulas about variables that loops carry on are looked at (`Actions::is_carried`).

use crate::action::Action;
use crate::search::{Search, UnwindError};
use crate::tree::NodeId;
use logic::Term;

/// Formulas of so many parts or more are given up: with each round they would grow further.
const MAX_ROUND_PARTS: usize = 60;

/// What is done about loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loops {
    /// Steps that cannot be taken are refuted at once, whatever loops they are in; the
    /// search ends when the path was so often in one.
    Unrolled { rounds: usize },
    /// Of variables that loops carry on, only what errors need is said, and what rounds keep is
    /// looked for; the search ends when the tree has so many nodes.
    Kept { nodes: usize },
}

/// How loops are treated, one after the other. Most loops are short, and quickly unrolled. If one is long,
/// its invariants may be easy to find; if they are not, unrolling is all that is left.
pub(crate) const ATTEMPTS: [Loops; 3] = [
    Loops::Unrolled { rounds: 200 },
    Loops::Kept { nodes: 1000 },
    Loops::Unrolled { rounds: usize::MAX },
];

/// A part of a path that starts and ends at one place, and keeps a formula.
pub(crate) struct Round {
    pub start: NodeId,
    /// What holds between start and end, so that the formula holds at the end.
    pub between: Vec<(NodeId, Term)>,
}

impl Search<'_, '_> {
    /// The last round before `v`, if it keeps `formula`, which holds at its start.
    pub(crate) fn round(&mut self, v: NodeId, formula: Term) -> Result<Option<Round>, UnwindError> {
        if matches!(self.loops, Loops::Unrolled { .. }) || !self.is_carried(formula) {
            return Ok(None);
        }
        let place = self.tree[v].place;
        let mut between = Vec::new();
        let mut needed = formula;
        let mut node = v;
        while let Some((parent, action)) = self.tree[node].parent.clone() {
            needed = self.before_with_guards(&action, needed);
            if self.terms.size(needed, MAX_ROUND_PARTS) >= MAX_ROUND_PARTS
                || self.takes_inputs(&action, needed)
            {
                return Ok(None);
            }
            node = parent;
            if self.tree[node].place == place {
                let holds = self.on_path(formula, node);
                let kept = self.terms.constant_value(holds) == Some(1)
                    && self.follows(&[formula], needed)?;
                return Ok(kept.then_some(Round { start: node, between }));
            }
            between.push((node, needed));
        }
        Ok(None)
    }

    /// What must hold before `action`, so that it cannot be taken or `formula` holds after it.
    fn before_with_guards(&mut self, action: &Action, formula: Term) -> Term {
        let mut parts = vec![self.before(action, formula)];
        for guard in &action.guards {
            if self.is_carried(*guard) {
                parts.push(self.terms.not(*guard));
            }
        }
        self.terms.or(parts)
    }

    /// Is it about variables that loops carry on?
    pub(crate) fn is_carried(&self, formula: Term) -> bool {
        self.terms.symbols_of(formula).iter().any(|symbol| self.actions.is_carried(*symbol))
    }

    /// Has the path to `v` assigned variables of `formula` that loops carry on so often?
    fn counted(&self, v: NodeId, formula: Term, times: usize) -> bool {
        let mut symbols = self.terms.symbols_of(formula);
        symbols.retain(|symbol| self.actions.is_carried(*symbol));
        let mut count = 0;
        let mut node = v;
        while let Some((parent, action)) = &self.tree[node].parent
            && !symbols.is_empty()
            && count < times
        {
            count += usize::from(symbols.iter().any(|s| action.assigns.contains_key(s)));
            node = *parent;
        }
        count >= times
    }

    /// May the label of `v` say `formula` for the sake of a step, although an error might never need it?
    /// Ends the search if a loop was unrolled too often that way.
    pub(crate) fn may_unroll(&self, v: NodeId, formula: Term) -> Result<bool, UnwindError> {
        match self.loops {
            Loops::Unrolled { rounds } if self.counted(v, formula, rounds) => {
                Err(UnwindError::Unrolling)
            }
            Loops::Unrolled { .. } => Ok(true),
            Loops::Kept { .. } => Ok(!self.counted(v, formula, 1)),
        }
    }
}
