//! Transition predicates `P̈_{i.j}`: formulas over shared variables and their primed copies, by the class of the
//! thread that moves and the view it interferes with.
//!
//! The paper takes them from the solution of `“ρ”(V, V')` alone (Figure 9, line 12). We have no unknown
//! relation for environment transitions in our clauses (`horn`), as what an edge assigns is a function: the atoms of the guard
//! and of the solution for the state `O` before it, as far as they speak of shared variables, say the same.

use crate::aret::Aret;
use crate::context::Context;
use crate::horn::{Clause, Condition, HornTree};
use crate::ids::{ClassId, Id, InstanceId, ViewId};
use crate::predicates::atoms;
use crate::refine::Label;
use ccfa::EdgeId;
use logic::{Node, Sort, Symbol, Term, Terms};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The transition predicates found so far.
#[derive(Clone, Default)]
pub(crate) struct TransitionPredicates {
    found: BTreeMap<(ClassId, ViewId), BTreeSet<Term>>,
}

impl TransitionPredicates {
    pub fn len(&self) -> usize {
        self.found.values().map(BTreeSet::len).sum()
    }

    pub fn of(&self, mover: ClassId, view: ViewId) -> impl Iterator<Item = Term> + '_ {
        self.found.get(&(mover, view)).into_iter().flatten().copied()
    }

    /// Adds the transition predicates that a solution of the clauses needs, given what it says at
    /// the nodes of the tree; says whether there was a new one.
    pub fn learn(
        &mut self,
        context: &mut Context,
        aret: &Aret,
        tree: &HornTree,
        core: &HashSet<Term>,
        labels: &[Label],
    ) -> bool {
        let mut at: Vec<Vec<Term>> = vec![Vec::new(); tree.nodes.len()];
        for (node, label) in labels {
            at[node.index()].extend(atoms(&context.terms, *label));
        }
        let mut is_new = false;
        for node in &tree.nodes {
            let Clause::Step { children, mover, .. } = &node.clause else { continue };
            let [_, (origin, _)] = &children[..] else { continue };
            let pair = (context.class_of(*mover), aret[node.state].view);
            let mut found = at[origin.index()].clone();
            for (condition, what) in &node.conditions {
                if let Condition::Guard(guard) = what
                    && core.contains(condition)
                {
                    found.extend(atoms(&context.terms, *guard));
                }
            }
            found.retain(|atom| context.is_shared(*atom));
            for predicate in found {
                is_new |= context.terms.constant_value(predicate).is_none()
                    && self.found.entry(pair).or_default().insert(predicate);
            }
        }
        is_new
    }

    /// What an edge does to what a predicate speaks of: its value afterwards, and the values of variables that the edge assigns.
    pub fn effects(
        context: &mut Context,
        mover: InstanceId,
        edge: EdgeId,
        predicate: Term,
    ) -> Vec<Term> {
        let all: BTreeSet<Symbol> = context.primed.keys().copied().collect();
        let mut found = Vec::new();
        if context.is_shared(predicate) && context.precondition(mover, edge, predicate) != predicate
        {
            found.push(context.primed(&all, predicate));
        }
        for part in variables(&context.terms, predicate) {
            let symbols = context.symbols(part);
            let assigns = &context.transition(mover, edge).assigns;
            if !symbols.iter().any(|symbol| assigns.contains_key(&symbol)) {
                continue;
            }
            let value = context.precondition(mover, edge, part);
            if context.is_shared(part) && context.is_shared(value) {
                let after = context.primed(&all, part);
                found.push(context.terms.eq(after, value));
            }
        }
        found
    }
}

/// The variables and elements of arrays in a term.
fn variables(terms: &Terms, term: Term) -> BTreeSet<Term> {
    let mut found = BTreeSet::new();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match terms.node(term) {
            Node::Symbol(_) if matches!(terms.sort(term), Sort::Scalar(_)) => {
                found.insert(term);
            }
            Node::Select(..) => {
                found.insert(term);
            }
            _ => stack.extend(terms.operands(term)),
        }
    }
    found
}
