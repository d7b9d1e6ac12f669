//! The complete tree as evidence: without what is closed off, in expressions of
//! the program.

use crate::search::Search;
use evidence::{Proof, Reached, Reason, TreeNode, Verdict};
use logic::Term;
use solve::state_expression;
use std::collections::HashMap;

impl Search<'_, '_> {
    /// The verdict when nothing is left to do.
    pub(crate) fn proof(&mut self) -> Verdict {
        if let Some(model_end) = &self.model_end {
            return Verdict::Unknown(model_end.clone());
        }
        #[cfg(debug_assertions)]
        self.tree.check();
        let kept: Vec<_> = self.tree.ids().filter(|v| !self.tree[*v].closed_off).collect();
        let number: HashMap<_, _> = kept.iter().zip(0u32..).map(|(v, n)| (*v, n)).collect();
        let fixed = self.said_everywhere();
        let mut written = HashMap::new();
        let mut nodes = Vec::new();
        for v in kept {
            let node = &self.tree[v];
            let mut label = Vec::new();
            for part in fixed.iter().chain(&node.label) {
                let expr = written
                    .entry(*part)
                    .or_insert_with(|| state_expression(&self.vocabulary, &self.terms, *part));
                match expr {
                    Some(expr) => label.push(expr.clone()),
                    None => {
                        let why = "a label of the proof cannot be written as an expression";
                        return Verdict::Unknown(Reason::Beyond(why.into()));
                    }
                }
            }
            let reached = node.parent.as_ref().map(|(parent, action)| Reached {
                parent: number[parent],
                instance: action.instance,
                edge: action.edge,
            });
            nodes.push(TreeNode { reached, label, cover: node.cover.map(|w| number[&w]) });
        }
        Verdict::Safe(Proof::Tree(evidence::Tree { nodes }))
    }

    /// The values of variables that never change: actions do not mention these, but edges do.
    fn said_everywhere(&mut self) -> Vec<Term> {
        let fixed = self.actions.fixed.clone();
        let said = |(symbol, value)| {
            let variable = self.terms.symbol(symbol);
            self.terms.eq(variable, value)
        };
        fixed.into_iter().map(said).collect()
    }
}
