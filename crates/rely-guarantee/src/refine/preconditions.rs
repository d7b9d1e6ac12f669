//! A solution by weakest preconditions: the guards in the core, and what they are at the nodes below.
//!
//! This is how predicates are found in classical lazy abstraction; the paper uses interpolation alone. It finds predicates
//! that the program itself speaks of.

use crate::context::{Context, Renaming};
use crate::horn::{Clause, Condition, HornTree};
use crate::ids::NodeId;
use crate::refine::Label;
use logic::Term;
use std::collections::HashSet;

pub(super) fn preconditions(
    context: &mut Context,
    tree: &HornTree,
    core: &HashSet<Term>,
) -> Vec<Label> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut todo: Vec<Label> = Vec::new();
    for node in &tree.nodes {
        let Clause::Step { children, .. } = &node.clause else { continue };
        for (condition, what) in &node.conditions {
            let Condition::Guard(guard) = what else { continue };
            if core.contains(condition) {
                todo.extend(at_child(context, tree, children, *guard));
            }
        }
    }
    while let Some((node, formula)) = todo.pop() {
        if context.terms.constant_value(formula).is_some() || !seen.insert((node, formula)) {
            continue;
        }
        found.push((node, formula));
        match &tree[node].clause {
            Clause::Initial => {}
            Clause::Symmetry { child, renaming } => {
                todo.push((*child, context.renamed(formula, &renaming.inverse())));
            }
            Clause::Step { children, mover, edge, .. } => {
                let before = context.precondition(*mover, *edge, formula);
                todo.extend(at_child(context, tree, children, before));
            }
        }
    }
    found
}

/// The first child that has all variables of a formula, and the formula over these.
fn at_child(
    context: &mut Context,
    tree: &HornTree,
    children: &[(NodeId, Renaming)],
    formula: Term,
) -> Option<Label> {
    for (child, renaming) in children {
        let there = context.renamed(formula, &renaming.inverse());
        let store = &tree[*child].store;
        if context.symbols(there).iter().all(|symbol| store.contains_key(&symbol)) {
            return Some((*child, there));
        }
    }
    None
}
