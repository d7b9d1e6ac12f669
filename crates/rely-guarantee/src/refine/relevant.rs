//! The variables that a refutation is about, at each node of the tree: a backward pass from the conditions in the
//! core through what edges assign. The paper has no such step; it keeps solutions small.

use crate::context::{Context, Renaming};
use crate::horn::{Clause, Condition, HornNode, HornTree};
use crate::ids::{Id, NodeId};
use crate::refine::core_touches;
use logic::{Symbol, Term};
use std::collections::{BTreeSet, HashSet};

/// For each node, the variables that the refutation is about.
pub(super) fn relevant(
    context: &mut Context,
    tree: &HornTree,
    core: &HashSet<Term>,
) -> Vec<BTreeSet<Symbol>> {
    let mut relevant = vec![BTreeSet::new(); tree.nodes.len()];
    for (id, node) in tree.iter().rev() {
        let here = std::mem::take(&mut relevant[id.index()]);
        match &node.clause {
            Clause::Initial => {}
            Clause::Symmetry { child, renaming } => {
                let back = renaming.inverse();
                let symbols = here.iter().map(|s| context.renamed_symbol(*s, &back));
                relevant[child.index()].extend(symbols);
            }
            Clause::Step { children, .. } => {
                let mut needed = BTreeSet::new();
                for (child, symbol) in of_conditions(context, node, children, core, &mut needed) {
                    relevant[child.index()].insert(symbol);
                }
                of_assignments(context, node, &here, &mut needed);
                for symbol in needed {
                    if let Some((child, symbol)) = first_with(context, tree, children, symbol) {
                        relevant[child.index()].insert(symbol);
                    }
                }
            }
        }
        relevant[id.index()] = here;
    }
    relevant
}

/// The variables of the conditions of a step that are in the core: `needed` of the first child that has them, and
/// those on which a certain child must agree.
fn of_conditions(
    context: &mut Context,
    node: &HornNode,
    children: &[(NodeId, Renaming)],
    core: &HashSet<Term>,
    needed: &mut BTreeSet<Symbol>,
) -> Vec<(NodeId, Symbol)> {
    let mut agreed = Vec::new();
    for (condition, what) in &node.conditions {
        match what {
            Condition::Guard(guard) if core.contains(condition) => {
                needed.extend(context.symbols(*guard).iter());
            }
            Condition::Agreement(symbol, position) if core_touches(context, core, *condition) => {
                needed.insert(*symbol);
                let (child, renaming) = &children[*position];
                agreed.push((*child, context.renamed_symbol(*symbol, &renaming.inverse())));
            }
            _ => {}
        }
    }
    agreed
}

/// The variables before a step on which those after it depend.
fn of_assignments(
    context: &mut Context,
    node: &HornNode,
    after: &BTreeSet<Symbol>,
    needed: &mut BTreeSet<Symbol>,
) {
    let Clause::Step { mover, edge, .. } = &node.clause else { return };
    for symbol in after {
        match context.transition(*mover, *edge).assigns.get(symbol).copied() {
            Some(value) => needed.extend(context.symbols(value).iter()),
            None => {
                needed.insert(*symbol);
            }
        }
    }
}

/// The first child that has a variable, and what it calls it.
fn first_with(
    context: &Context,
    tree: &HornTree,
    children: &[(NodeId, Renaming)],
    symbol: Symbol,
) -> Option<(NodeId, Symbol)> {
    let mut there = children
        .iter()
        .map(|(child, renaming)| (*child, context.renamed_symbol(symbol, &renaming.inverse())));
    there.find(|(child, symbol)| tree[*child].store.contains_key(symbol))
}
