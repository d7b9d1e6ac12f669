//! Interpolants along a path: weakest preconditions, sliced by the core.
//!
//! From a goal that holds at the end of a path, go back step by step. Before an
//! action, the goal must hold of what the action assigns, *or* a guard of the
//! action must fail; only guards in the core of the refutation are looked at, and
//! where the path itself makes one alternative true, only that one is kept
//! (stronger, simpler, and still true on the path). The walk ends where the label
//! says it already, or where nothing is left to show.
//!
//! Each formula and its action imply the next, and the first one holds initially:
//! a sequence of interpolants in the sense of Section II, without going through
//! a proof.
//!
//! Weakest preconditions grow, above all where arrays are written at places that vary. A
//! formula that has become long is replaced by a stronger one: the variables
//! whose values are constants on the path are said to have these values, and what is left of the
//! formula is short. Labels become less general, but there are fewer different ones, and
//! they are decided quickly.

use crate::action::Action;
use crate::search::{Search, UnwindError};
use crate::tree::NodeId;
use logic::{Answer, Node, Sort, Term, Terms};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Formulas of so many parts or more are specialised to the values on the path; smaller ones are worth keeping general.
const MAX_GENERAL_PARTS: usize = 8;

/// Formulas of so many parts or more are no candidates for invariants: they speak of one path only.
const MAX_CANDIDATE_PARTS: usize = 20;

/// Labels with fewer parts are not made concrete: they are small enough as they are.
const MIN_CONCRETE_PARTS: usize = 12;

impl Search<'_, '_> {
    /// What to add to which label, so that `goal` follows at `v`; nothing if there is no way to
    /// say it, because of arbitrary values.
    pub(crate) fn interpolants(
        &mut self,
        v: NodeId,
        goal: Term,
        core: &HashSet<Term>,
    ) -> Result<Option<Vec<(NodeId, Term)>>, UnwindError> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut todo = vec![(v, goal)];
        while let Some((node, formula)) = todo.pop() {
            let chosen = self.choose(node, formula, core)?;
            let chosen = self.concrete(node, chosen).unwrap_or(chosen);
            let chosen = match self.terms.size(chosen, MAX_GENERAL_PARTS) < MAX_GENERAL_PARTS {
                true => chosen,
                false => self.specialised(node, chosen),
            };
            for part in self.terms.conjuncts(chosen) {
                if self.is_known(node, part) || !seen.insert((node, part)) {
                    continue;
                }
                found.push((node, part));
                if let Some(round) = self.round(node, part)? {
                    found.extend(round.between);
                    todo.push((round.start, part));
                } else if let Some((parent, action)) = self.tree[node].parent.clone() {
                    match self.precondition(node, &action, part, core)? {
                        Some(before) => todo.push((parent, before)),
                        None => return Ok(None),
                    }
                }
            }
            self.pause()?;
        }
        Ok(Some(found))
    }

    /// Does the label of `v` say so already, perhaps by the values of variables?
    fn is_known(&mut self, v: NodeId, formula: Term) -> bool {
        if self.terms.constant_value(formula) == Some(1)
            || self.tree[v].label.binary_search(&formula).is_ok()
        {
            return true;
        }
        let mut values = HashMap::new();
        for part in &self.tree[v].label {
            if let Node::Eq(a, b) = *self.terms.node(*part) {
                if self.terms.constant_value(b).is_some() {
                    values.insert(a, b);
                } else if self.terms.constant_value(a).is_some() {
                    values.insert(b, a);
                }
            }
        }
        if values.is_empty() {
            return false;
        }
        let mut unchanged = |_: &mut Terms, _| None;
        let now = self.terms.substitute_memo(formula, &mut unchanged, &mut values);
        self.terms.constant_value(now) == Some(1)
    }

    /// Where a loop is unrolled along the path, weakest preconditions would say
    /// something new about every iteration, at every iteration before. Then the
    /// values that the variables of `formula` have are said instead, if they are constants.
    fn concrete(&mut self, v: NodeId, formula: Term) -> Option<Term> {
        if self.tree[v].label.len() < MIN_CONCRETE_PARTS || self.terms.conjuncts(formula).len() != 1
        {
            return None;
        }
        let mut parts = Vec::new();
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            match *self.terms.node(term) {
                Node::Symbol(_) => parts.push(self.value_said(v, term)?),
                Node::Select(array, index) => {
                    let place = self.on_path(index, v);
                    self.terms.constant_value(place)?;
                    let cell = self.terms.select(array, place);
                    parts.push(self.value_said(v, cell)?);
                    stack.push(index);
                }
                _ => stack.extend(self.terms.operands(term).collect::<Vec<_>>()),
            }
        }
        (!parts.is_empty()).then(|| self.terms.and(parts))
    }

    /// `cell == value`, if its value on the path to `v` is a constant.
    fn value_said(&mut self, v: NodeId, cell: Term) -> Option<Term> {
        let value = self.on_path(cell, v);
        self.terms.constant_value(value)?;
        Some(self.terms.eq(cell, value))
    }

    /// Of the alternatives that `formula` leaves at `v`, as few as the path needs.
    fn choose(
        &mut self,
        v: NodeId,
        formula: Term,
        core: &HashSet<Term>,
    ) -> Result<Term, UnwindError> {
        let parts = self.terms.disjuncts(formula);
        if parts.len() < 2 {
            return Ok(formula);
        }
        let label = &self.tree[v].label;
        if let Some(part) = parts.iter().find(|part| label.binary_search(part).is_ok()) {
            return Ok(*part);
        }
        let mut open = Vec::new();
        let mut holding: Option<Term> = None;
        for part in parts {
            let now = self.on_path(part, v);
            match self.terms.constant_value(now) {
                Some(0) => {}
                Some(_) => {
                    let size = |term| self.terms.size(term, 1000);
                    if holding.is_none_or(|best| size(part) < size(best)) {
                        holding = Some(part);
                    }
                }
                None => open.push((part, self.terms.not(now))),
            }
        }
        match holding {
            Some(part) => Ok(part),
            None if open.len() < 2 => Ok(self.terms.or(open.iter().map(|(part, _)| *part))),
            None => self.needed(v, formula, &open, core),
        }
    }

    /// The alternatives (with their negations on the path) that the core blames.
    fn needed(
        &mut self,
        v: NodeId,
        formula: Term,
        open: &[(Term, Term)],
        core: &HashSet<Term>,
    ) -> Result<Term, UnwindError> {
        let mut formulas = self.path_conditions(v);
        formulas.retain(|condition| core.contains(condition));
        formulas.extend(open.iter().map(|(_, negated)| *negated));
        match self.decider.check(&self.terms, &formulas) {
            Answer::Unsat => {
                let core = self.decider.core().to_vec();
                let needed = open.iter().filter(|(_, negated)| core.contains(negated));
                Ok(self.terms.or(needed.map(|(part, _)| *part)))
            }
            // The core was a little too small; nothing is lost.
            Answer::Sat => Ok(formula),
            Answer::Unknown => Err(self.undecided()),
        }
    }

    /// What must hold before the action that leads to `v`, so that `formula` holds at `v`.
    fn precondition(
        &mut self,
        v: NodeId,
        action: &Rc<Action>,
        formula: Term,
        core: &HashSet<Term>,
    ) -> Result<Option<Term>, UnwindError> {
        let after = self.before(action, formula);
        let may_be_kept = after != formula
            && self.terms.size(formula, MAX_CANDIDATE_PARTS) < MAX_CANDIDATE_PARTS
            && self.is_in_loop(v);
        if may_be_kept && self.is_kept(v, action, formula, after)? {
            return Ok(Some(formula));
        }
        let mut alternatives = vec![after];
        for (guard, condition) in action.guards.iter().zip(self.tree[v].conditions.clone()) {
            if core.contains(&condition) {
                alternatives.push(self.terms.not(*guard));
            }
        }
        let before = self.terms.or(alternatives);
        self.without_inputs(v, action, before)
    }

    /// Does `formula` hold before the action that leads to `v`, and does the action keep it? Then it
    /// may be an invariant of a loop, which weakest preconditions hardly ever are.
    fn is_kept(
        &mut self,
        v: NodeId,
        action: &Action,
        formula: Term,
        after: Term,
    ) -> Result<bool, UnwindError> {
        let (parent, _) = self.tree[v].parent.clone().expect("an action should have a source");
        let before = self.on_path(formula, parent);
        if self.terms.constant_value(before) != Some(1)
            || self.terms.constant_value(after).is_some()
        {
            return Ok(false);
        }
        let mut premises = action.guards.clone();
        premises.push(formula);
        self.follows(&premises, after)
    }

    /// A formula that implies `formula` and holds at `v`, too: the variables whose values
    /// the path to `v` makes constants are said to have them.
    pub(crate) fn specialised(&mut self, v: NodeId, formula: Term) -> Term {
        let mut known = HashMap::new();
        let mut parts = Vec::new();
        for symbol in self.terms.symbols_of(formula) {
            let variable = self.terms.symbol(symbol);
            if let Sort::Scalar(_) = self.terms.symbol_sort(symbol)
                && let Some(said) = self.value_said(v, variable)
            {
                parts.push(said);
                known.insert(symbol, self.on_path(variable, v));
            }
        }
        let rest = self.terms.substitute(formula, &mut |_, symbol| known.get(&symbol).copied());
        let mut cells = HashMap::new();
        for cell in self.cells_of(rest) {
            if let Some(said) = self.value_said(v, cell) {
                parts.push(said);
                cells.insert(cell, self.on_path(cell, v));
            }
        }
        parts.push(self.terms.substitute_memo(rest, &mut |_, _| None, &mut cells));
        self.terms.and(parts)
    }

    /// The elements of arrays at constant places in `formula`.
    fn cells_of(&self, formula: Term) -> Vec<Term> {
        let is_cell = |term: &Term| match *self.terms.node(*term) {
            Node::Select(_, index) => self.terms.constant_value(index).is_some(),
            _ => false,
        };
        self.terms.subterms([formula]).filter(is_cell).collect()
    }

    /// With the labels as they are, each formula follows from those before the action
    /// that leads to its node: decided by bits alone.
    #[cfg(debug_assertions)]
    pub(crate) fn check_interpolants(&mut self, interpolants: &[(NodeId, Term)]) {
        let mut bits = solve::BitSolver::new(&ccfa::Budget::default());
        for (node, formula) in interpolants {
            let (premises, formula) = match self.tree[*node].parent.clone() {
                None => (vec![self.initially], self.on_path(*formula, *node)),
                Some((parent, action)) => {
                    let mut premises = self.tree[parent].label.clone();
                    let added = interpolants.iter().filter(|(other, _)| *other == parent);
                    premises.extend(added.map(|(_, formula)| *formula));
                    premises.extend(&action.guards);
                    let after = self.before(&action, *formula);
                    (premises, after)
                }
            };
            let mut question = premises.clone();
            question.push(self.terms.not(formula));
            let answer = solve::Solver::check(&mut bits, &self.terms, &question);
            assert!(
                answer != Answer::Sat,
                "an interpolant should follow: {} from {:?}",
                solve::show(&self.terms, formula),
                premises.iter().map(|part| solve::show(&self.terms, *part)).collect::<Vec<_>>(),
            );
        }
    }
}
