//! `SOLVELINEARHC` (Figure 14): a solution of the clauses by linear arithmetic.
//!
//! The tree of clauses becomes a tree of linear constraints in which each node has its own
//! copy of the variables that the refutation is about; a Farkas certificate of their infeasibility is cut at each node
//! (`ANNOTPRED` of Figure 16, in `solve::interpolate`). The paper takes all atoms of the clauses; we take those in the core of the refutation,
//! which are still infeasible. The solution only proposes predicates, so nothing depends on its being right.

use crate::context::{Context, Renaming};
use crate::horn::{Clause, Condition, HornNode, HornTree, equal, fresh};
use crate::ids::{Id, InstanceId, NodeId};
use crate::refine::{Label, core_touches};
use ccfa::EdgeId;
use logic::{Node, Sort, Symbol, Term, Terms};
use solve::interpolate::{Limits, tree as interpolate};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A label for each node, over its variables: those of a clause's body and its conditions imply
/// that of its head, and that of the root is false.
pub(crate) fn solve(
    context: &mut Context,
    tree: &HornTree,
    core: &HashSet<Term>,
    relevant: &[BTreeSet<Symbol>],
) -> Option<Vec<Label>> {
    let scalar = |s: &Symbol| matches!(context.terms.symbol_sort(*s), Sort::Scalar(_));
    if !relevant.iter().flatten().all(scalar) {
        return None;
    }
    let copies: Vec<Copy> =
        relevant.iter().map(|symbols| copy_of(&mut context.terms, symbols)).collect();
    let mut constraints = Constraints { context, core, copies: &copies };
    let mut groups = Vec::new();
    let mut parents = vec![None; tree.nodes.len()];
    for (id, node) in tree.iter() {
        groups.push(constraints.of_clause(id, node));
        node.clause.children().for_each(|child| parents[child.index()] = Some(id.index()));
    }
    let found = interpolate(&mut context.terms, &groups, &parents, Limits::default())?;
    let labels = found.into_iter().zip(&copies).enumerate();
    Some(
        labels
            .map(|(node, (label, copy))| (NodeId(node), original(context, label, copy)))
            .collect(),
    )
}

/// The copies of the variables of a node.
type Copy = BTreeMap<Symbol, Term>;

fn copy_of(terms: &mut Terms, symbols: &BTreeSet<Symbol>) -> Copy {
    let mut copy = Copy::new();
    for symbol in symbols {
        let other = fresh(terms, *symbol);
        copy.insert(*symbol, terms.symbol(other));
    }
    copy
}

/// A term over copies as a term over the variables themselves.
fn original(context: &mut Context, label: Term, copy: &Copy) -> Term {
    let original: HashMap<Symbol, Symbol> = copy
        .iter()
        .filter_map(|(symbol, term)| match context.terms.node(*term) {
            Node::Symbol(copy) => Some((*copy, *symbol)),
            _ => None,
        })
        .collect();
    context.terms.substitute(label, &mut |terms, symbol| {
        original.get(&symbol).map(|symbol| terms.symbol(*symbol))
    })
}

/// Makes the constraints of clauses, over the copies of the variables of their bodies and their heads.
struct Constraints<'a, 'p> {
    context: &'a mut Context<'p>,
    core: &'a HashSet<Term>,
    copies: &'a [Copy],
}

impl Constraints<'_, '_> {
    fn of_clause(&mut self, id: NodeId, node: &HornNode) -> Vec<Term> {
        let head = &self.copies[id.index()];
        match &node.clause {
            Clause::Initial => self.initial(head, node),
            Clause::Symmetry { child, renaming } => self.symmetry(head, *child, renaming),
            Clause::Step { children, mover, edge, inputs } => {
                let body = self.body(children, *mover, *edge, inputs);
                let mut all = self.conditions(node, children, &body);
                all.extend(self.update(head, *mover, *edge, &body));
                all
            }
        }
    }

    fn initial(&mut self, head: &Copy, node: &HornNode) -> Vec<Term> {
        let conditions = node.conditions.iter().map(|(condition, _)| *condition);
        let mut all: Vec<Term> = conditions.filter(|c| self.core.contains(c)).collect();
        for (symbol, copy) in head {
            all.push(self.context.terms.eq(*copy, node.store[symbol]));
        }
        all
    }

    fn symmetry(&mut self, head: &Copy, child: NodeId, renaming: &Renaming) -> Vec<Term> {
        let mut all = Vec::new();
        for (symbol, copy) in &self.copies[child.index()] {
            let here = self.context.renamed_symbol(*symbol, renaming);
            if let Some(here) = head.get(&here) {
                all.push(self.context.terms.eq(*here, *copy));
            }
        }
        all
    }

    /// The variables of a body: of several children that have one, the first counts.
    fn body(
        &self,
        children: &[(NodeId, Renaming)],
        mover: InstanceId,
        edge: EdgeId,
        inputs: &[Symbol],
    ) -> ClauseBody {
        let mut variables = Copy::new();
        for (child, renaming) in children {
            for (symbol, copy) in &self.copies[child.index()] {
                let here = self.context.renamed_symbol(*symbol, renaming);
                variables.entry(here).or_insert(*copy);
            }
        }
        let asked = self.context.transition(mover, edge).inputs.iter().copied();
        ClauseBody { variables, inputs: asked.zip(inputs.iter().copied()).collect() }
    }

    /// The conditions of a step that are in the core.
    fn conditions(
        &mut self,
        node: &HornNode,
        children: &[(NodeId, Renaming)],
        body: &ClauseBody,
    ) -> Vec<Term> {
        let mut all = Vec::new();
        for (condition, what) in &node.conditions {
            match what {
                Condition::Guard(guard) if self.core.contains(condition) => {
                    all.push(body.over_copies(&mut self.context.terms, *guard));
                }
                Condition::Agreement(symbol, position)
                    if core_touches(self.context, self.core, *condition) =>
                {
                    let (child, renaming) = &children[*position];
                    let there = self.context.renamed_symbol(*symbol, &renaming.inverse());
                    let there = self.copies[child.index()].get(&there);
                    if let (Some(here), Some(there)) = (body.variables.get(symbol), there) {
                        all.push(equal(&mut self.context.terms, *here, *there));
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// The variables of the head after a step.
    fn update(
        &mut self,
        head: &Copy,
        mover: InstanceId,
        edge: EdgeId,
        body: &ClauseBody,
    ) -> Vec<Term> {
        let mut all = Vec::new();
        for (symbol, copy) in head {
            let value = match self.context.transition(mover, edge).assigns.get(symbol).copied() {
                Some(value) => Some(body.over_copies(&mut self.context.terms, value)),
                None => body.variables.get(symbol).copied(),
            };
            all.extend(value.map(|value| self.context.terms.eq(*copy, value)));
        }
        all
    }
}

/// The variables of a clause's body, and the arbitrary values that its edge takes.
struct ClauseBody {
    variables: Copy,
    inputs: HashMap<Symbol, Symbol>,
}

impl ClauseBody {
    /// A term of an edge, over the copies of the body's variables.
    fn over_copies(&self, terms: &mut Terms, term: Term) -> Term {
        terms.substitute(term, &mut |terms, symbol| {
            let copy = self.variables.get(&symbol).copied();
            copy.or_else(|| self.inputs.get(&symbol).map(|input| terms.symbol(*input)))
        })
    }
}
