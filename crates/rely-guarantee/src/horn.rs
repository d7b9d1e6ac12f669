//! `MKHORNCLAUSES` and `MKTREE`: how a fact was derived, as a tree of clauses.
//!
//! Each fact in a derivation stands for an unknown relation between the variables in
//! view; where it comes from is a Horn clause with that relation as its head and the
//! relations of earlier facts in its body. Clauses are used once for each
//! place in the tree (`MKTREE`), and each place has its own arbitrary values.
//!
//! What a step assigns is a function of the state before, so that the variables of a place can be
//! written as terms over the arbitrary values below it: its *store*. The clauses have a
//! solution if and only if the *conditions* of the tree, which are the guards of its steps, and where
//! several facts tell of the same variable, that they tell the same, cannot all hold.

use crate::reach::{FactId, Facts, Origin};
use crate::setting::{MOST_ELEMENTS, Setting};
use crate::view::Views;
use ccfa::{EdgeId, LocId};
use evidence::Reason;
use logic::{Node, Sort, Symbol, Term, Terms};
use std::collections::{BTreeMap, HashMap};

/// Larger trees are not looked at.
const MOST_NODES: usize = 4_000;

/// A tree of clauses. Children stand before their parents; the last node is the root.
pub(crate) struct HornTree {
    pub nodes: Vec<HornNode>,
}

/// The clauses of a tree without its values: for each node its view and where those in it are, who moves and how, and
/// its children.
pub(crate) type Shape = Vec<(usize, Vec<LocId>, Option<(usize, EdgeId)>, Vec<usize>)>;

/// A fact at a place of the tree.
pub(crate) struct HornNode {
    pub fact: FactId,
    pub clause: Clause,
    /// What the variables are, over arbitrary values.
    pub store: HashMap<Symbol, Term>,
    /// What must hold for the clause to be used, over arbitrary values, and the same over the
    /// variables of the body.
    pub conditions: Vec<(Term, Condition)>,
}

/// How a node comes from its children.
pub(crate) enum Clause {
    Initial,
    /// The variables of the child have other names.
    Symmetry {
        child: usize,
        renaming: Vec<(usize, usize)>,
    },
    /// Somebody moves. Each child with the players that tell of those it shows; the first one
    /// of those that know a variable is asked for it.
    Step {
        children: Vec<(usize, Vec<(usize, usize)>)>,
        mover: usize,
        edge: EdgeId,
        inputs: Vec<Symbol>,
    },
}

/// A condition over the variables of the body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    /// Something about the start.
    Start,
    /// A guard.
    Guard(Term),
    /// A variable is the same for the first child that knows it and for this one.
    Same(Symbol, usize),
}

impl HornTree {
    /// The derivation of a fact.
    pub fn new(
        setting: &mut Setting,
        views: &Views,
        facts: &Facts,
        fact: FactId,
    ) -> Result<HornTree, Reason> {
        let mut tree = HornTree { nodes: Vec::new() };
        tree.grow(setting, views, facts, fact)?;
        Ok(tree)
    }

    pub fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// All conditions, with their nodes.
    pub fn conditions(&self) -> impl Iterator<Item = (usize, Term, Condition)> + '_ {
        let nodes = self.nodes.iter().enumerate();
        nodes.flat_map(|(number, node)| {
            node.conditions.iter().map(move |(term, what)| (number, *term, *what))
        })
    }

    /// What tells its clauses from others.
    pub fn shape(&self, facts: &Facts) -> Shape {
        let clause = |node: &HornNode| {
            let fact = &facts.facts[node.fact];
            let (step, children) = match &node.clause {
                Clause::Initial => (None, Vec::new()),
                Clause::Symmetry { child, .. } => (None, vec![*child]),
                Clause::Step { children, mover, edge, .. } => {
                    (Some((*mover, *edge)), children.iter().map(|(child, _)| *child).collect())
                }
            };
            (fact.view, fact.at.clone(), step, children)
        };
        self.nodes.iter().map(clause).collect()
    }

    /// For each node, how many turns to somebody who is not in view lie between it and the root.
    pub fn remoteness(&self) -> Vec<usize> {
        let mut far = vec![0; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().rev() {
            match &node.clause {
                Clause::Initial => {}
                Clause::Symmetry { child, .. } => far[*child] = far[number],
                Clause::Step { children, .. } => {
                    for (place, (child, _)) in children.iter().enumerate() {
                        far[*child] = far[number] + usize::from(place > 0);
                    }
                }
            }
        }
        far
    }

    /// Does each step belong to somebody in view of the root?
    pub fn is_run(&self) -> bool {
        let plain = |node: &HornNode| match &node.clause {
            Clause::Step { children, .. } => children.len() == 1,
            _ => true,
        };
        self.nodes.iter().all(plain)
    }

    fn grow(
        &mut self,
        setting: &mut Setting,
        views: &Views,
        facts: &Facts,
        fact: FactId,
    ) -> Result<usize, Reason> {
        setting.pause()?;
        if self.nodes.len() > MOST_NODES {
            return Err(Reason::Beyond("the derivation of an abstract error is too large".into()));
        }
        let view = &views.views[facts.facts[fact].view];
        let node = match facts.facts[fact].origin.clone() {
            Origin::Initial => {
                let (store, conditions) = fresh_start(setting, &view.members);
                HornNode { fact, clause: Clause::Initial, store, conditions }
            }
            Origin::Symmetry { of, order } => {
                let child = self.grow(setting, views, facts, of)?;
                let members: Vec<usize> = order.iter().map(|place| view.members[*place]).collect();
                let renaming = view.renaming(&members);
                let store = exchanged(setting, &self.nodes[child].store, &renaming);
                let clause = Clause::Symmetry { child, renaming };
                HornNode { fact, clause, store, conditions: Vec::new() }
            }
            Origin::Member { of, place, edge } => {
                let child = self.grow(setting, views, facts, of)?;
                let same = view.renaming(&view.members);
                self.step(
                    setting,
                    fact,
                    &view.members,
                    vec![(child, same)],
                    view.members[place],
                    edge,
                )
            }
            Origin::Stranger { of, stranger, edge, beside } => {
                let child = self.grow(setting, views, facts, of)?;
                let mut children = vec![(child, view.renaming(&view.members))];
                for (left_out, other) in beside.into_iter().enumerate() {
                    let child = self.grow(setting, views, facts, other)?;
                    let mut members = view.members.clone();
                    members.remove(left_out);
                    members.push(stranger);
                    let (beside, members) = views.find(setting, &members);
                    children.push((child, views.views[beside].renaming(&members)));
                }
                self.step(setting, fact, &view.members, children, stranger, edge)
            }
        };
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    fn step(
        &self,
        setting: &mut Setting,
        fact: FactId,
        members: &[usize],
        children: Vec<(usize, Vec<(usize, usize)>)>,
        mover: usize,
        edge: EdgeId,
    ) -> HornNode {
        let mut before: HashMap<Symbol, Term> = HashMap::new();
        let mut conditions = Vec::new();
        for (number, (child, renaming)) in children.iter().enumerate() {
            let store = exchanged(setting, &self.nodes[*child].store, renaming);
            let store: BTreeMap<Symbol, Term> = store.into_iter().collect();
            for (symbol, value) in store {
                match before.get(&symbol) {
                    None => {
                        before.insert(symbol, value);
                    }
                    Some(known) if *known != value => {
                        let same = equal(&mut setting.terms, *known, value);
                        conditions.push((same, Condition::Same(symbol, number)));
                    }
                    Some(_) => {}
                }
            }
        }
        let action = setting.action(mover, edge);
        let (guards, assigns) = (action.guards.clone(), action.assigns.clone());
        let asked: Vec<Symbol> = action.inputs.clone();
        let mut inputs = Vec::new();
        for input in &asked {
            inputs.push(fresh(&mut setting.terms, *input));
        }
        let mut now = |terms: &mut Terms, symbol: Symbol| {
            before.get(&symbol).copied().or_else(|| {
                let number = asked.iter().position(|input| *input == symbol)?;
                Some(terms.symbol(inputs[number]))
            })
        };
        for guard in guards {
            let holds = setting.terms.substitute(guard, &mut now);
            conditions.push((holds, Condition::Guard(guard)));
        }
        let mut store = before.clone();
        for (symbol, value) in assigns {
            let value = setting.terms.substitute(value, &mut now);
            store.insert(symbol, value);
        }
        // The one who is not in view is forgotten.
        store.retain(|symbol, _| setting.owner(*symbol).is_none_or(|o| members.contains(&o)));
        let clause = Clause::Step { children, mover, edge, inputs };
        HornNode { fact, clause, store, conditions }
    }
}

/// The variables at the start, by new symbols; that they have their initial values are conditions,
/// so that a refutation which does not need them does not speak of them.
fn fresh_start(
    setting: &mut Setting,
    members: &[usize],
) -> (HashMap<Symbol, Term>, Vec<(Term, Condition)>) {
    let (values, holds) = setting.initial(members);
    let mut sorted: Vec<(Symbol, Term)> = values.into_iter().collect();
    sorted.retain(|(symbol, _)| setting.owner(*symbol).is_none_or(|o| members.contains(&o)));
    sorted.sort();
    let mut store: HashMap<Symbol, Term> = HashMap::new();
    let mut conditions = Vec::new();
    for (symbol, value) in sorted {
        let is_any = *setting.terms.node(value) == Node::Symbol(symbol);
        let is_long =
            matches!(setting.terms.sort(value), Sort::Array { len, .. } if len > MOST_ELEMENTS);
        if !is_any && is_long {
            store.insert(symbol, value);
            continue;
        }
        let other = fresh(&mut setting.terms, symbol);
        let other = setting.terms.symbol(other);
        store.insert(symbol, other);
        if !is_any {
            conditions.push((equal(&mut setting.terms, other, value), Condition::Start));
        }
    }
    for term in holds {
        let term = setting.terms.substitute(term, &mut |_, symbol| store.get(&symbol).copied());
        conditions.push((term, Condition::Start));
    }
    (store, conditions)
}

/// The store with the variables of other players.
fn exchanged(
    setting: &mut Setting,
    store: &HashMap<Symbol, Term>,
    renaming: &Vec<(usize, usize)>,
) -> HashMap<Symbol, Term> {
    store
        .iter()
        .map(|(symbol, value)| (setting.renamed_symbol(*symbol, renaming), *value))
        .collect()
}

fn fresh(terms: &mut Terms, symbol: Symbol) -> Symbol {
    let (name, sort) = (terms.symbol_name(symbol).to_string(), terms.symbol_sort(symbol));
    terms.declare(name, sort)
}

/// `a == b`; of long arrays that is not asked.
pub(crate) fn equal(terms: &mut Terms, a: Term, b: Term) -> Term {
    match terms.sort(a) {
        Sort::Scalar(_) => terms.eq(a, b),
        Sort::Array { len, .. } if len <= MOST_ELEMENTS => {
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
