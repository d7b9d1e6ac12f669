//! REFINE: an error node is reached, or its path is refuted and the labels along
//! it are strengthened until they exclude it.
//!
//! The same is done for any formula that the path to a node makes true
//! ([`Search::establish`]): REFINE asks for *false* at the error node, force cover
//! for the label of another node, the reduction for the absence of an alias.

use crate::search::{Search, UnwindError};
use crate::tree::NodeId;
use evidence::Reason;
use logic::{Answer, Term};
use std::collections::HashSet;

impl Search<'_, '_> {
    /// REFINE: refutes the path to the bad node `v`, or ends the search.
    pub(crate) fn refine(&mut self, v: NodeId) -> Result<(), UnwindError> {
        self.tree[v].open = false;
        let never = self.terms.truth(false);
        if self.establish(v, never)? {
            return self.close_path(v);
        }
        let model_end = match self.refute(v, never)? {
            Some(_) => {
                let why = "no interpolant is found for a path with arbitrary values";
                Some(Reason::Beyond(why.into()))
            }
            None => self.model_end_at(v),
        };
        match model_end {
            None => Err(UnwindError::Reached(v)),
            Some(model_end) => {
                // An error elsewhere would still be an answer.
                self.model_end.get_or_insert(model_end);
                Ok(())
            }
        }
    }

    /// Stronger labels on the path to `v` may allow covers.
    fn close_path(&mut self, v: NodeId) -> Result<(), UnwindError> {
        for w in self.tree.path(v) {
            if self.tree.counts(w) && self.close_plainly(w)? {
                break;
            }
        }
        Ok(())
    }

    /// Makes `goal` part of the label of `v`, if it holds whenever the path to `v`
    /// is taken and interpolants are found; says whether it was done.
    pub(crate) fn establish(&mut self, v: NodeId, goal: Term) -> Result<bool, UnwindError> {
        if self.tree[v].dead || self.tree[v].label.binary_search(&goal).is_ok() {
            return Ok(true);
        }
        let Some(core) = self.refute(v, goal)? else { return Ok(false) };
        let interpolants = match self.is_in_loop(v) && !core.is_empty() {
            true => self.linear_interpolants(v, goal, &core)?,
            false => None,
        };
        let interpolants = match interpolants {
            Some(interpolants) => interpolants,
            None => match self.interpolants(v, goal, &core)? {
                Some(interpolants) => interpolants,
                None => return Ok(false),
            },
        };
        #[cfg(debug_assertions)]
        self.check_interpolants(&interpolants);
        for (node, formula) in interpolants {
            self.strengthen(node, formula)?;
        }
        Ok(true)
    }

    /// Which conditions of the path to `v` suffice for `goal`; `None` if all do not.
    pub(crate) fn refute(
        &mut self,
        v: NodeId,
        goal: Term,
    ) -> Result<Option<HashSet<Term>>, UnwindError> {
        let now = self.on_path(goal, v);
        if self.terms.constant_value(now) == Some(1) {
            return Ok(Some(HashSet::new()));
        }
        let mut formulas = self.path_conditions(v);
        formulas.push(self.terms.not(now));
        let never = self.terms.truth(false);
        if formulas.contains(&never) {
            return Ok(Some(HashSet::from([never])));
        }
        match self.decider.check(&self.terms, &formulas) {
            Answer::Sat => Ok(None),
            Answer::Unsat => Ok(Some(self.decider.core().iter().copied().collect())),
            Answer::Unknown => Err(self.undecided()),
        }
    }

    /// Adds a formula to a label. What no longer implies the label is uncovered.
    pub(crate) fn strengthen(&mut self, v: NodeId, formula: Term) -> Result<(), UnwindError> {
        if self.tree[v].dead {
            return Ok(());
        }
        if self.terms.constant_value(formula) == Some(0) {
            self.tree[v].label = vec![formula];
            let again = self.tree.kill(v);
            self.queue.extend(&self.tree, again);
            return Ok(());
        }
        if let Err(place) = self.tree[v].label.binary_search(&formula) {
            self.tree[v].label.insert(place, formula);
        }
        for u in self.tree[v].covers.clone() {
            if !self.label_implies(u, formula)? {
                let again = self.tree.uncover(u);
                self.queue.extend(&self.tree, again);
            }
        }
        Ok(())
    }

    /// The model_end at which a thread is, if none is at an error.
    fn model_end_at(&self, v: NodeId) -> Option<Reason> {
        let places = self.tree.locations(self.tree[v].place).iter().enumerate();
        Reason::of_limits(
            places.map(|(instance, at)| &self.system.template(instance).locations[at.index()]),
        )
    }
}
