//! `REFINE` (Figure 9): predicates that exclude the derivation of an abstract error.
//!
//! If the conditions of the derivation can hold together, the unknown relations have no
//! solution (the paper's `UNSATISFIABLE`). Otherwise a solution tells what to distinguish: its atoms become predicates (`PredsOf`).
//!
//! The paper leaves open how the clauses are solved (`SOLVEHC`) and gives linear arithmetic. We have four ways and
//! take the first that finds something new: weakest preconditions of the guards in the core (`refine/preconditions`), linear
//! arithmetic (`solve_linear`), and the values of the variables that the refutation is about (`refine/values`), once as far as the core determines
//! them and once concretely. Where a loop compares by size, linear arithmetic comes first.
//!
//! Progress (the paper's Theorem 4): whatever has been solved is remembered, and should the same clauses come up again,
//! since an abstraction by conjunctions does not say all that a solution says, they are not solved in the same way again.

mod core;
mod preconditions;
mod relevant;
mod values;

use crate::aret::Aret;
use crate::context::Context;
use crate::horn::{Clause, Condition, HornTree, Shape};
use crate::ids::{Id, NodeId, StateId, ViewId};
use crate::predicates::{Predicates, atoms};
use crate::solve_linear;
use crate::transition_predicates::TransitionPredicates;
use crate::view::Views;
use ccfa::LocId;
use evidence::Reason;
use logic::{Answer, FastSet, Node, Term};
use std::collections::HashSet;

/// Predicates with more operators are not kept: they hold by chance, and each is asked of every state.
const MAX_PREDICATE_OPERATORS: usize = 60;

/// The precision of the abstraction: what refinement has found so far.
pub(crate) struct Precision {
    /// `Ṗ_i`
    pub predicates: Predicates,
    /// `P̈_{i.j}`
    pub transition_predicates: TransitionPredicates,
    /// Clauses, and how they were solved.
    pub solved: FastSet<(Shape, Method)>,
}

impl Precision {
    /// The paper begins without predicates; we begin with congruences, which are found at once.
    pub fn new(context: &mut Context, views: &Views) -> Precision {
        Precision {
            predicates: Predicates::new(context, views),
            transition_predicates: TransitionPredicates::default(),
            solved: FastSet::default(),
        }
    }

    /// How many predicates there are, about states and about transitions.
    pub fn len(&self) -> usize {
        self.predicates.len() + self.transition_predicates.len()
    }
}

/// What became of a derivation.
pub(crate) enum Refined {
    /// New predicates should exclude it.
    Excluded,
    /// It is not possible, but no new predicate was found.
    NothingNew,
    /// The unknown relations have no solution.
    NoSolution(HornTree),
}

/// What a solution says of the variables at a node.
pub(crate) type Label = (NodeId, Term);

/// How the clauses are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Method {
    Preconditions,
    Linear,
    /// Values that the core determines.
    Values,
    /// Values that all conditions determine.
    ConcreteValues,
}

pub(crate) fn refine(
    context: &mut Context,
    aret: &Aret,
    error: StateId,
    precision: &mut Precision,
) -> Result<Refined, Reason> {
    let tree = HornTree::new(context, aret, error)?;
    let conditions: Vec<Term> = tree.conditions().map(|(_, term, _)| term).collect();
    match context.decider.check(&context.terms, &conditions) {
        Answer::Sat => return Ok(Refined::NoSolution(tree)),
        Answer::Unknown => {
            context.check_budget()?;
            let why = "the solver did not decide whether an abstract error is real";
            return Err(Reason::Beyond(why.into()));
        }
        Answer::Unsat => {}
    }
    let core = core::minimal_core(context, &tree);
    let relevant = relevant::relevant(context, &tree, &core);
    let shape = tree.shape(aret);
    for method in methods(context, aret, &tree, &core) {
        if !precision.solved.insert((shape.clone(), method)) {
            continue;
        }
        let labels = match method {
            Method::Preconditions => preconditions::preconditions(context, &tree, &core),
            Method::Linear => {
                solve_linear::solve(context, &tree, &core, &relevant).unwrap_or_default()
            }
            Method::Values => values::values(context, &tree, core.iter().copied(), &relevant),
            Method::ConcreteValues => {
                values::values(context, &tree, conditions.iter().copied(), &relevant)
            }
        };
        if precision.learn(context, aret, &tree, &core, labels) {
            return Ok(Refined::Excluded);
        }
    }
    Ok(Refined::NothingNew)
}

impl Precision {
    /// Adds the predicates of a solution; says whether there was a new one.
    fn learn(
        &mut self,
        context: &mut Context,
        aret: &Aret,
        tree: &HornTree,
        core: &HashSet<Term>,
        labels: Vec<Label>,
    ) -> bool {
        let mut is_new = aret.abstracts_environment()
            && self.transition_predicates.learn(context, aret, tree, core, &labels);
        for (node, label) in labels {
            let view = &aret.views[aret[tree[node].state].view];
            is_new |= context.terms.size(label, MAX_PREDICATE_OPERATORS) < MAX_PREDICATE_OPERATORS
                && self.predicates.add(context, view, label);
        }
        is_new
    }
}

/// The methods in the order in which they are tried.
fn methods(context: &Context, aret: &Aret, tree: &HornTree, core: &HashSet<Term>) -> [Method; 4] {
    let mut methods =
        [Method::Preconditions, Method::Linear, Method::Values, Method::ConcreteValues];
    if has_loop(tree, aret) && compares_by_size(context, tree, core) {
        methods.swap(0, 1);
    }
    methods
}

/// Does a condition of the refutation compare by size?
fn compares_by_size(context: &Context, tree: &HornTree, core: &HashSet<Term>) -> bool {
    let conditions = tree.nodes.iter().flat_map(|node| &node.conditions);
    let mut guards = conditions.filter_map(|(condition, what)| match what {
        Condition::Guard(guard) if core.contains(condition) => Some(*guard),
        _ => None,
    });
    let compares = |guard| {
        let parts = atoms(&context.terms, guard);
        parts.iter().any(|atom| matches!(context.terms.node(*atom), Node::Le(..)))
    };
    guards.any(compares)
}

/// Do tracked threads come to the same locations again?
fn has_loop(tree: &HornTree, aret: &Aret) -> bool {
    let mut above: Vec<HashSet<(ViewId, &[LocId])>> = vec![HashSet::new(); tree.nodes.len()];
    for (id, node) in tree.iter().rev() {
        let state = &aret[node.state];
        let mut path = std::mem::take(&mut above[id.index()]);
        if let Clause::Step { children, .. } = &node.clause
            && children.len() == 1
            && !path.insert((state.view, &state.at))
        {
            return true;
        }
        for child in node.clause.children() {
            above[child.index()] = path.clone();
        }
    }
    false
}

/// Is the condition, or a part of it, in the core?
pub(crate) fn core_touches(context: &Context, core: &HashSet<Term>, condition: Term) -> bool {
    core.contains(&condition)
        || context.terms.conjuncts(condition).iter().any(|part| core.contains(part))
}
