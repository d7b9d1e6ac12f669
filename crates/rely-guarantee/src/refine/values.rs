//! A solution by values: what the relevant variables are at each node, if that is a constant, or how far two of them are apart.
//!
//! This is no step of the paper. It finds something whenever the refutation is about constants or equalities, also where
//! linear arithmetic does not apply (bits, remainders).

use crate::context::Context;
use crate::horn::HornTree;
use crate::refine::Label;
use ccfa::Type;
use logic::{ArithOp, Node, Sort, Symbol, Term};
use std::collections::{BTreeSet, HashMap};

/// With what some conditions say of arbitrary values.
pub(super) fn values(
    context: &mut Context,
    tree: &HornTree,
    conditions: impl Iterator<Item = Term>,
    relevant: &[BTreeSet<Symbol>],
) -> Vec<Label> {
    let fixed = fixed(context, conditions);
    let mut found = Vec::new();
    for ((id, node), symbols) in tree.iter().zip(relevant) {
        let mut known: Vec<(Symbol, Term)> = Vec::new();
        for symbol in symbols {
            let Some(value) = node.store.get(symbol).copied() else { continue };
            let Sort::Scalar(ty) = context.terms.symbol_sort(*symbol) else { continue };
            let value = context.terms.substitute(value, &mut |_, s| fixed.get(&s).copied());
            let variable = context.terms.symbol(*symbol);
            if context.terms.constant_value(value).is_some() {
                found.push((id, context.terms.eq(variable, value)));
                continue;
            }
            for (other, there) in &known {
                if context.terms.ty(*there) == ty && ty != Type::Bool {
                    let apart = context.terms.arith(ArithOp::Sub, value, *there);
                    if context.terms.constant_value(apart).is_some() {
                        let other = context.terms.symbol(*other);
                        let sum = context.terms.arith(ArithOp::Add, other, apart);
                        found.push((id, context.terms.eq(variable, sum)));
                    }
                }
            }
            known.push((*symbol, value));
        }
    }
    found
}

/// The constants to which conditions fix arbitrary values.
fn fixed(context: &Context, conditions: impl Iterator<Item = Term>) -> HashMap<Symbol, Term> {
    let mut fixed = HashMap::new();
    for condition in conditions {
        if let Node::Eq(a, b) = *context.terms.node(condition) {
            for (symbol, value) in [(a, b), (b, a)] {
                if let Node::Symbol(symbol) = *context.terms.node(symbol)
                    && context.terms.constant_value(value).is_some()
                {
                    fixed.insert(symbol, value);
                }
            }
        }
    }
    fixed
}
