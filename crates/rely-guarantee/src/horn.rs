//! `MKHORNCLAUSES` and `MKTREE` (Figures 10, 11 and 15): how an abstract state was reached, as a tree of clauses.
//!
//! Each abstract state of a derivation stands for an unknown relation over the variables of its tracked
//! threads and the shared ones; its parent is a Horn clause with that relation as its head and the
//! relations of earlier states in its body. Clauses are used once for each
//! node of the tree (`MKTREE`), and each node has its own arbitrary values.
//!
//! Two deviations. What an edge assigns is a function of the state before, so that the variables of a node can be
//! written as terms over the arbitrary values below it: its *store*. The clauses have a
//! solution if and only if the *conditions* of the tree cannot all hold: the guards of its edges, and where
//! several states of a body speak of the same variable, that they agree on it. And there is no unknown relation
//! `“ρ”(V, V')` for an environment transition: its two clauses are resolved into one, whose body has `O` and `S`. A solution of
//! ours gives one of the paper's, with the strongest relation for `“ρ”`.

use crate::aret::{Aret, Parent};
use crate::context::{Context, MAX_ELEMENTS, Renaming};
use crate::ids::{Id, InstanceId, NodeId, StateId, ViewId};
use crate::view::View;
use ccfa::{EdgeId, LocId};
use evidence::Reason;
use logic::{Node, Sort, Symbol, Term, Terms};
use std::collections::{BTreeMap, HashMap};
use std::ops::Index;

/// Derivations with more nodes are given up: their refutations would take minutes, and their solutions would be of little use.
const MAX_NODES: usize = 4_000;

/// A tree of clauses. Children stand before their parents; the last node is the root.
pub(crate) struct HornTree {
    pub nodes: Vec<HornNode>,
}

/// The clauses of a tree without its values: for each node its view, the locations of its tracked threads, the
/// edge that is taken, and its children.
pub(crate) type Shape = Vec<(ViewId, Vec<LocId>, Option<(InstanceId, EdgeId)>, Vec<NodeId>)>;

/// The values of variables, over arbitrary values.
pub(crate) type Store = HashMap<Symbol, Term>;

/// A use of a clause.
pub(crate) struct HornNode {
    /// Its head.
    pub state: StateId,
    pub clause: Clause,
    /// What the variables of the head are.
    pub store: Store,
    /// What must hold for the clause to be used, over arbitrary values, and the same over the
    /// variables of the body.
    pub conditions: Vec<(Term, Condition)>,
}

/// How a node comes from its children.
pub(crate) enum Clause {
    Initial,
    /// The instances of the child are renamed.
    Symmetry {
        child: NodeId,
        renaming: Renaming,
    },
    /// An edge is taken. The first child is the state before it; others are the origins of an environment
    /// thread. Each child with the instances that its tracked threads are in the clause. A variable has the value that the first
    /// child has for it.
    Step {
        children: Vec<(NodeId, Renaming)>,
        mover: InstanceId,
        edge: EdgeId,
        inputs: Vec<Symbol>,
    },
}

/// A condition over the variables of the body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    /// Part of `φ_init`.
    Initial,
    Guard(Term),
    /// The child at this position agrees on a variable with the first child that has it.
    Agreement(Symbol, usize),
}

impl Index<NodeId> for HornTree {
    type Output = HornNode;

    fn index(&self, id: NodeId) -> &HornNode {
        &self.nodes[id.index()]
    }
}

impl HornTree {
    /// The derivation of a state.
    pub fn new(context: &mut Context, aret: &Aret, state: StateId) -> Result<HornTree, Reason> {
        let mut tree = HornTree { nodes: Vec::new() };
        tree.grow(context, aret, state)?;
        Ok(tree)
    }

    pub fn root(&self) -> NodeId {
        NodeId(self.nodes.len() - 1)
    }

    /// The nodes, children before parents.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (NodeId, &HornNode)> {
        self.nodes.iter().enumerate().map(|(number, node)| (NodeId(number), node))
    }

    /// All conditions, with their nodes.
    pub fn conditions(&self) -> impl Iterator<Item = (NodeId, Term, Condition)> + '_ {
        self.iter().flat_map(|(number, node)| {
            node.conditions.iter().map(move |(term, what)| (number, *term, *what))
        })
    }

    /// What tells its clauses from others.
    pub fn shape(&self, aret: &Aret) -> Shape {
        let clause = |node: &HornNode| {
            let step = match &node.clause {
                Clause::Step { mover, edge, .. } => Some((*mover, *edge)),
                _ => None,
            };
            let state = &aret[node.state];
            (state.view, state.at.clone(), step, node.clause.children().collect())
        };
        self.nodes.iter().map(clause).collect()
    }

    /// For each node, on how many origins it lies between it and the root: how often
    /// what is known of an environment thread is used.
    pub fn remoteness(&self) -> Vec<usize> {
        let mut far = vec![0; self.nodes.len()];
        for (id, node) in self.iter().rev() {
            for (position, child) in node.clause.children().enumerate() {
                far[child.index()] = far[id.index()] + usize::from(position > 0);
            }
        }
        far
    }

    /// Is each edge one of the root's tracked threads? Then the derivation is a path of the program.
    pub fn is_path(&self) -> bool {
        self.nodes.iter().all(|node| node.clause.children().count() <= 1)
    }

    fn grow(
        &mut self,
        context: &mut Context,
        aret: &Aret,
        state: StateId,
    ) -> Result<NodeId, Reason> {
        context.check_budget()?;
        if self.nodes.len() > MAX_NODES {
            return Err(Reason::Beyond("the derivation of an abstract error is too large".into()));
        }
        let view = &aret.views[aret[state].view];
        let node = match aret[state].parent.clone() {
            Parent::Initial => {
                let (store, conditions) = initial_store(context, &view.tracked);
                HornNode { state, clause: Clause::Initial, store, conditions }
            }
            Parent::Symmetry { of, order } => {
                let child = self.grow(context, aret, of)?;
                let renaming = view.permutation(&order);
                let store = renamed(context, &self[child].store, &renaming);
                let clause = Clause::Symmetry { child, renaming };
                HornNode { state, clause, store, conditions: Vec::new() }
            }
            Parent::Local { of, slot, edge } => {
                let child = self.grow(context, aret, of)?;
                let children = vec![(child, view.renaming(&view.tracked))];
                self.step(context, state, view, children, (view.tracked[slot], edge))
            }
            Parent::Environment { of, thread, edge, origins } => {
                let child = self.grow(context, aret, of)?;
                let mut children = vec![(child, view.renaming(&view.tracked))];
                for (slot, origin) in origins.into_iter().enumerate() {
                    let child = self.grow(context, aret, origin)?;
                    let (beside, instances) =
                        aret.views.with_environment_thread(context, view, slot, thread);
                    children.push((child, aret.views[beside].renaming(&instances)));
                }
                self.step(context, state, view, children, (thread, edge))
            }
        };
        self.nodes.push(node);
        Ok(self.root())
    }

    fn step(
        &self,
        context: &mut Context,
        state: StateId,
        view: &View,
        children: Vec<(NodeId, Renaming)>,
        (mover, edge): (InstanceId, EdgeId),
    ) -> HornNode {
        let (before, mut conditions) = self.joined_stores(context, &children);
        let transition = context.transition(mover, edge);
        let (guards, assigns) = (transition.guards.clone(), transition.assigns.clone());
        let asked: Vec<Symbol> = transition.inputs.clone();
        let inputs: Vec<Symbol> =
            asked.iter().map(|input| fresh(&mut context.terms, *input)).collect();
        let mut now = |terms: &mut Terms, symbol: Symbol| {
            before.get(&symbol).copied().or_else(|| {
                let number = asked.iter().position(|input| *input == symbol)?;
                Some(terms.symbol(inputs[number]))
            })
        };
        for guard in guards {
            let holds = context.terms.substitute(guard, &mut now);
            conditions.push((holds, Condition::Guard(guard)));
        }
        let mut store = before.clone();
        for (symbol, value) in assigns {
            let value = context.terms.substitute(value, &mut now);
            store.insert(symbol, value);
        }
        // The variables of an environment thread are quantified existentially.
        store.retain(|symbol, _| context.owner(*symbol).is_none_or(|o| view.tracked.contains(&o)));
        let clause = Clause::Step { children, mover, edge, inputs };
        HornNode { state, clause, store, conditions }
    }

    /// The variables before a step, and that the children agree on them.
    fn joined_stores(
        &self,
        context: &mut Context,
        children: &[(NodeId, Renaming)],
    ) -> (Store, Vec<(Term, Condition)>) {
        let mut joined = Store::new();
        let mut conditions = Vec::new();
        for (position, (child, renaming)) in children.iter().enumerate() {
            let store = renamed(context, &self[*child].store, renaming);
            let store: BTreeMap<Symbol, Term> = store.into_iter().collect();
            for (symbol, value) in store {
                match joined.get(&symbol) {
                    None => {
                        joined.insert(symbol, value);
                    }
                    Some(known) if *known != value => {
                        let same = equal(&mut context.terms, *known, value);
                        conditions.push((same, Condition::Agreement(symbol, position)));
                    }
                    Some(_) => {}
                }
            }
        }
        (joined, conditions)
    }
}

impl Clause {
    pub fn children(&self) -> impl Iterator<Item = NodeId> + '_ {
        let (one, many) = match self {
            Clause::Initial => (None, &[][..]),
            Clause::Symmetry { child, .. } => (Some(*child), &[][..]),
            Clause::Step { children, .. } => (None, &children[..]),
        };
        one.into_iter().chain(many.iter().map(|(child, _)| *child))
    }
}

/// The variables at the start, by new symbols; that they have their initial values are conditions,
/// so that a refutation which does not need them does not speak of them.
fn initial_store(context: &mut Context, tracked: &[InstanceId]) -> (Store, Vec<(Term, Condition)>) {
    let (values, holds) = context.initial(tracked);
    let mut sorted: Vec<(Symbol, Term)> = values.into_iter().collect();
    sorted.retain(|(symbol, _)| context.owner(*symbol).is_none_or(|o| tracked.contains(&o)));
    sorted.sort();
    let mut store = Store::new();
    let mut conditions = Vec::new();
    for (symbol, value) in sorted {
        let is_any = *context.terms.node(value) == Node::Symbol(symbol);
        let is_long =
            matches!(context.terms.sort(value), Sort::Array { len, .. } if len > MAX_ELEMENTS);
        if !is_any && is_long {
            store.insert(symbol, value);
            continue;
        }
        let other = fresh(&mut context.terms, symbol);
        let other = context.terms.symbol(other);
        store.insert(symbol, other);
        if !is_any {
            conditions.push((equal(&mut context.terms, other, value), Condition::Initial));
        }
    }
    for term in holds {
        let term = context.terms.substitute(term, &mut |_, symbol| store.get(&symbol).copied());
        conditions.push((term, Condition::Initial));
    }
    (store, conditions)
}

/// The store with the variables of other instances.
fn renamed(context: &Context, store: &Store, renaming: &Renaming) -> Store {
    store
        .iter()
        .map(|(symbol, value)| (context.renamed_symbol(*symbol, renaming), *value))
        .collect()
}

/// A new symbol like another one.
pub(crate) fn fresh(terms: &mut Terms, symbol: Symbol) -> Symbol {
    let (name, sort) = (terms.symbol_name(symbol).to_string(), terms.symbol_sort(symbol));
    terms.declare(name, sort)
}

/// `a == b`; of long arrays that is not asked.
pub(crate) fn equal(terms: &mut Terms, a: Term, b: Term) -> Term {
    match terms.sort(a) {
        Sort::Scalar(_) => terms.eq(a, b),
        Sort::Array { len, .. } if len <= MAX_ELEMENTS => {
            let mut same = Vec::new();
            for index in 0..len {
                let index = terms.constant(i128::from(index), ccfa::Type::unsigned(32));
                let (left, right) = (terms.select(a, index), terms.select(b, index));
                same.push(terms.eq(left, right));
            }
            terms.and(same)
        }
        Sort::Array { .. } => terms.truth(true),
    }
}
