//! Inputs are eliminated from interpolants: what must hold before an action with
//! arbitrary values must hold for all of them.
//!
//! A formula is put for the values around which its comparisons turn, and then for those
//! of counterexamples, until these instances imply it for all others. That ends soon where
//! few cases differ, such as the elements of an array at an arbitrary place.
//! (A. Komuravelli, A. Gurfinkel, S. Chaki, "SMT-based model checking for recursive
//! programs", CAV 2014, eliminate variables by models in a similar way.) Each instance
//! follows from the formula for all values, so it holds on the path.

use crate::action::Action;
use crate::search::{Search, UnwindError};
use crate::tree::NodeId;
use ccfa::Type;
use logic::{ArithOp, Node, Sort, Symbol, Term};
use std::collections::BTreeSet;

/// If a formula at so many values of an input does not imply the rest, that is given up: each value is a question to the solver.
const MAX_VALUES: usize = 64;

/// Formulas of so many parts or more are not instantiated: there would be a copy for each value.
const MAX_INSTANTIATED_PARTS: usize = 80;

impl Search<'_, '_> {
    /// A formula that implies `formula` for all inputs of the action that leads to `v`;
    /// nothing if none is found.
    pub(crate) fn without_inputs(
        &mut self,
        v: NodeId,
        action: &Action,
        formula: Term,
    ) -> Result<Option<Term>, UnwindError> {
        let mut result = formula;
        for input in &action.inputs {
            if self.mentions(result, *input) {
                let Some(found) = self.for_all(v, *input, result)? else { return Ok(None) };
                result = found;
            }
        }
        Ok(Some(result))
    }

    /// A formula without `input` that implies `formula` whatever `input` is, and holds
    /// before the action that leads to `v`.
    fn for_all(
        &mut self,
        v: NodeId,
        input: Symbol,
        formula: Term,
    ) -> Result<Option<Term>, UnwindError> {
        let parent = self.tree[v].parent.as_ref().expect("an action should have a source").0;
        for part in self.terms.disjuncts(formula) {
            let now = self.on_path(part, parent);
            if self.terms.constant_value(now) == Some(1) && !self.mentions(part, input) {
                return Ok(Some(part));
            }
        }
        if let Some(found) = self.at_all_values(input, formula)? {
            return Ok(Some(found));
        }
        let special = self.specialised(parent, formula);
        let mut result = Vec::new();
        for part in self.terms.conjuncts(special) {
            if !self.mentions(part, input) {
                result.push(part);
                continue;
            }
            match self.at_all_values(input, part)? {
                Some(found) => result.push(found),
                None => return Ok(None),
            }
        }
        Ok(Some(self.terms.and(result)))
    }

    /// `formula` at so many values of `input` that it follows for all others: those around which
    /// its comparisons turn, and those of counterexamples.
    fn at_all_values(&mut self, input: Symbol, formula: Term) -> Result<Option<Term>, UnwindError> {
        let Sort::Scalar(ty) = self.terms.symbol_sort(input) else { return Ok(None) };
        if self.terms.size(formula, MAX_INSTANTIATED_PARTS) >= MAX_INSTANTIATED_PARTS {
            return Ok(None);
        }
        let mut found = self.turning_points(input, ty, formula);
        for _ in 0..MAX_VALUES {
            if self.follows(&[found], formula)? {
                return Ok(Some(found));
            }
            let variable = self.terms.symbol(input);
            let value = self.decider.value(&self.terms, variable);
            let value = self.terms.constant(value, ty);
            let instance = self.at_value(input, value, formula);
            found = self.terms.and([found, instance]);
        }
        Ok(None)
    }

    fn at_value(&mut self, input: Symbol, value: Term, formula: Term) -> Term {
        self.terms.substitute(formula, &mut |_, symbol| (symbol == input).then_some(value))
    }

    /// Does a formula mention arbitrary values that the action takes?
    pub(crate) fn takes_inputs(&self, action: &Action, formula: Term) -> bool {
        action.inputs.iter().any(|input| self.mentions(formula, *input))
    }

    fn mentions(&self, formula: Term, symbol: Symbol) -> bool {
        self.terms.symbols_of(formula).contains(&symbol)
    }

    /// `formula` at all values of `input` around which its comparisons turn.
    fn turning_points(&mut self, input: Symbol, ty: Type, formula: Term) -> Term {
        let mut turning: BTreeSet<Term> = BTreeSet::new();
        for term in self.terms.subterms([formula]) {
            if let Node::Eq(a, b) | Node::Le(a, b) = *self.terms.node(term) {
                for (here, there) in [(a, b), (b, a)] {
                    if *self.terms.node(here) == Node::Symbol(input) && !self.mentions(there, input)
                    {
                        turning.insert(there);
                    }
                }
            }
        }
        let (low, high) = ty.bounds().unwrap_or((0, 0));
        let mut values: Vec<Term> = [low, 0, 1, high].map(|n| self.terms.constant(n, ty)).into();
        let one = self.terms.constant(1, ty);
        for turn in turning {
            values.push(turn);
            values.push(self.terms.arith(ArithOp::Add, turn, one));
            values.push(self.terms.arith(ArithOp::Sub, turn, one));
        }
        let mut instances = Vec::new();
        for value in values {
            instances.push(self.at_value(input, value, formula));
        }
        self.terms.and(instances)
    }
}
