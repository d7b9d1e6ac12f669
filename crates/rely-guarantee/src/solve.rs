//! `SOLVELINEARHC`: a solution of the clauses by linear arithmetic.
//!
//! The tree of clauses becomes a tree of linear constraints in which each node has its own
//! copy of the variables; a Farkas certificate of their infeasibility is cut at each node
//! (`ANNOTPRED`, in `solve::interpolate`). The solution is asked of the bits before it is believed.

use crate::horn::{Clause, Condition, HornTree, equal};
use crate::refine::{Label, core_touches};
use crate::setting::Setting;
use logic::{Sort, Symbol, Term, Terms};
use solve::interpolate::{Limits, tree as interpolate};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A label for each node, over its variables: those of a clause's body and its conditions imply
/// that of its head, and that of the root is false.
pub(crate) fn linear(
    setting: &mut Setting,
    tree: &HornTree,
    core: &HashSet<Term>,
    relevant: &[BTreeSet<Symbol>],
) -> Option<Vec<Label>> {
    let scalar = |s: &Symbol| matches!(setting.terms.symbol_sort(*s), Sort::Scalar(_));
    if !relevant.iter().flatten().all(scalar) {
        return None;
    }
    let mut copies: Vec<HashMap<Symbol, Term>> = Vec::new();
    for symbols in relevant {
        let mut copy = HashMap::new();
        for symbol in symbols {
            let (name, sort) = (
                setting.terms.symbol_name(*symbol).to_string(),
                setting.terms.symbol_sort(*symbol),
            );
            let other = setting.terms.declare(name, sort);
            copy.insert(*symbol, setting.terms.symbol(other));
        }
        copies.push(copy);
    }
    let mut groups = Vec::new();
    let mut parents = vec![None; tree.nodes.len()];
    for number in 0..tree.nodes.len() {
        groups.push(group(setting, tree, core, &copies, number));
        match &tree.nodes[number].clause {
            Clause::Initial => {}
            Clause::Symmetry { child, .. } => parents[*child] = Some(number),
            Clause::Step { children, .. } => {
                children.iter().for_each(|(child, _)| parents[*child] = Some(number));
            }
        }
    }
    let found = interpolate(&mut setting.terms, &groups, &parents, Limits::default())?;
    let mut labels = Vec::new();
    for (node, (label, copy)) in found.into_iter().zip(&copies).enumerate() {
        let original: HashMap<Symbol, Symbol> = copy
            .iter()
            .filter_map(|(symbol, term)| match setting.terms.node(*term) {
                logic::Node::Symbol(copy) => Some((*copy, *symbol)),
                _ => None,
            })
            .collect();
        let label = setting.terms.substitute(label, &mut |terms, symbol| {
            original.get(&symbol).map(|symbol| terms.symbol(*symbol))
        });
        labels.push((node, label));
    }
    Some(labels)
}

/// The constraints of one clause, over the copies of its body's and its head's variables.
fn group(
    setting: &mut Setting,
    tree: &HornTree,
    core: &HashSet<Term>,
    copies: &[HashMap<Symbol, Term>],
    number: usize,
) -> Vec<Term> {
    let node = &tree.nodes[number];
    let mut group = Vec::new();
    match &node.clause {
        Clause::Initial => {
            for (condition, _) in &node.conditions {
                if core.contains(condition) {
                    group.push(*condition);
                }
            }
            for (symbol, copy) in &copies[number] {
                group.push(setting.terms.eq(*copy, node.store[symbol]));
            }
        }
        Clause::Symmetry { child, renaming } => {
            for (symbol, copy) in &copies[*child] {
                let here = setting.renamed_symbol(*symbol, renaming);
                if let Some(here) = copies[number].get(&here) {
                    group.push(setting.terms.eq(*here, *copy));
                }
            }
        }
        Clause::Step { children, mover, edge, inputs } => {
            let mut before: HashMap<Symbol, Term> = HashMap::new();
            for (child, renaming) in children {
                for (symbol, copy) in &copies[*child] {
                    let here = setting.renamed_symbol(*symbol, renaming);
                    before.entry(here).or_insert(*copy);
                }
            }
            let action = setting.action(*mover, *edge);
            let asked = action.inputs.clone();
            let assigns = action.assigns.clone();
            let mut now = |terms: &mut Terms, symbol: Symbol| {
                before.get(&symbol).copied().or_else(|| {
                    let number = asked.iter().position(|input| *input == symbol)?;
                    Some(terms.symbol(inputs[number]))
                })
            };
            for (condition, what) in &node.conditions {
                match what {
                    Condition::Guard(guard) if core.contains(condition) => {
                        group.push(setting.terms.substitute(*guard, &mut now));
                    }
                    Condition::Same(symbol, child) if core_touches(setting, core, *condition) => {
                        let (child, renaming) = &children[*child];
                        let back = renaming.iter().map(|(a, b)| (*b, *a)).collect();
                        let there = setting.renamed_symbol(*symbol, &back);
                        if let (Some(here), Some(there)) =
                            (before.get(symbol), copies[*child].get(&there))
                        {
                            group.push(equal(&mut setting.terms, *here, *there));
                        }
                    }
                    _ => {}
                }
            }
            for (symbol, copy) in &copies[number] {
                let value = match assigns.get(symbol) {
                    Some(value) => setting.terms.substitute(*value, &mut now),
                    None => match before.get(symbol) {
                        Some(before) => *before,
                        None => continue,
                    },
                };
                group.push(setting.terms.eq(*copy, value));
            }
        }
    }
    group
}
