//! Environment transitions: what others do to shared variables, as far as predicates can tell.
//!
//! The paper abstracts them like states, by *transition predicates* over the values of
//! shared variables before and after a step, a set of them for each pair of threads. What a step does
//! to what a view has predicates about is among them from the beginning; when it is done, from what is
//! known of the one who does it, comes by refinement, where a proof needs it. So there are few changes.
//!
//! A change is about shared variables alone, so it is for views that show one
//! thread; with several in view, steps of others are looked at one by one.

use crate::horn::{Clause, Condition, HornTree};
use crate::predicates::atoms;
use crate::reach::{FactId, Facts, Origin, is_subset, literal};
use crate::setting::Setting;
use crate::view::role_of;
use ccfa::EdgeId;
use evidence::Reason;
use logic::{FastMap, Node, Sort, Symbol, Term, Terms};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

/// The transition predicates found so far: by the role that moves and the view that is disturbed,
/// over shared variables and their values after the step.
#[derive(Clone, Default)]
pub(crate) struct Transitions {
    found: BTreeMap<(usize, usize), BTreeSet<Term>>,
}

/// The abstract environment transitions of all views.
pub(crate) struct Environment {
    transitions: Transitions,
    changes: Vec<Change>,
    /// By who moves, how, and the view that is disturbed.
    sights: FastMap<(usize, EdgeId, usize), Rc<Sight>>,
}

/// What a view asks about a step of somebody else.
struct Sight {
    /// The variables it assigns, of those that the view has predicates about.
    writes: BTreeSet<Symbol>,
    /// The transition predicates, and what they are about the state before the step.
    asked: Vec<(Term, Term)>,
}

/// Steps of somebody else, as those of a view see them.
#[derive(Clone)]
pub(crate) struct Change {
    pub view: usize,
    /// The variables it may change, of those that the view has predicates about.
    pub writes: BTreeSet<Symbol>,
    /// What holds of the values before and after.
    pub literals: Rc<[Term]>,
    /// It is not one of the steps that a later one stands for.
    pub counts: bool,
    /// Who makes it in the name of all, where, and by which step.
    stranger: usize,
    fact: FactId,
    edge: EdgeId,
}

impl Environment {
    pub fn new(transitions: Transitions) -> Environment {
        Environment { transitions, changes: Vec::new(), sights: FastMap::default() }
    }

    /// The changes that disturb a view.
    pub fn changes(&self, view: usize) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.view == view && change.counts)
    }

    /// Adds a change, unless there is one that allows as much.
    fn add(&mut self, change: Change) -> bool {
        if self.changes.iter().any(|other| other.counts && other.allows(&change)) {
            return false;
        }
        for other in &mut self.changes {
            other.counts &= !change.allows(other);
        }
        self.changes.push(change);
        true
    }
}

impl Change {
    fn allows(&self, other: &Change) -> bool {
        self.view == other.view
            && self.writes.is_superset(&other.writes)
            && is_subset(&self.literals, &other.literals)
    }
}

impl Facts<'_> {
    /// What others do to the one that a fact tells of, and what he does to others.
    pub fn exchange_changes(&mut self, setting: &mut Setting, fact: FactId) -> Result<(), Reason> {
        let view = self.facts[fact].view;
        let known: Vec<Change> = self.environment().changes(view).cloned().collect();
        for change in known {
            self.suffer(setting, fact, &change)?;
        }
        let views = self.views;
        let (role, member) = (views.views[view].roles[0], views.views[view].members[0]);
        for edge in setting.leaving(member, self.facts[fact].at[0]).to_vec() {
            for (disturbed, other) in views.views.iter().enumerate() {
                let Some(stranger) = other.stranger(setting, role) else { continue };
                if !self.is_noticed(setting, disturbed, member, edge) {
                    continue;
                }
                let change = self.change(setting, fact, stranger, edge, disturbed);
                let Some(change) = change else { continue };
                if self.environment.as_mut().is_some_and(|known| known.add(change.clone())) {
                    for of in self.originals[disturbed].clone() {
                        self.suffer(setting, of, &change)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn environment(&self) -> &Environment {
        self.environment.as_ref().expect("there should be an environment")
    }

    /// What a view sees of a step that is taken where a fact holds, if it can be taken there.
    fn change(
        &mut self,
        setting: &mut Setting,
        fact: FactId,
        stranger: usize,
        edge: EdgeId,
        view: usize,
    ) -> Option<Change> {
        let mover = self.views.views[self.facts[fact].view].members[0];
        let guards = &setting.action(mover, edge).guards;
        let known = [&self.facts[fact].literals[..], guards].concat();
        if !setting.can_hold(&known) {
            return None;
        }
        let sight = self.sight(setting, mover, edge, view);
        let mut literals = Vec::new();
        for (predicate, before) in &sight.asked {
            literals.extend(literal(setting, &known, *predicate, *before));
        }
        literals.sort();
        literals.dedup();
        let (literals, writes) = (literals.into(), sight.writes.clone());
        Some(Change { view, writes, literals, counts: true, stranger, fact, edge })
    }

    fn sight(
        &mut self,
        setting: &mut Setting,
        mover: usize,
        edge: EdgeId,
        view: usize,
    ) -> Rc<Sight> {
        if let Some(known) = self.environment().sights.get(&(mover, edge, view)) {
            return known.clone();
        }
        let found = &self.environment().transitions.found;
        let mut predicates =
            found.get(&(role_of(setting, mover), view)).cloned().unwrap_or_default();
        for predicate in &self.predicates[view] {
            predicates.extend(effects(setting, mover, edge, *predicate));
        }
        let assigns = setting.action(mover, edge).assigns.clone();
        let mut writes: BTreeSet<Symbol> = assigns.keys().copied().collect();
        let before: BTreeMap<Symbol, Symbol> =
            setting.after.iter().map(|(symbol, after)| (*after, *symbol)).collect();
        let mut asked = Vec::new();
        for predicate in predicates {
            let now = setting.terms.substitute(predicate, &mut |terms, symbol| {
                let symbol = before.get(&symbol)?;
                let same = terms.symbol(*symbol);
                Some(assigns.get(symbol).copied().unwrap_or(same))
            });
            let seen = setting.terms.substitute(predicate, &mut |terms, symbol| {
                let symbol = before.get(&symbol).filter(|symbol| !writes.contains(symbol))?;
                Some(terms.symbol(*symbol))
            });
            if setting.terms.constant_value(seen).is_none() {
                asked.push((seen, now));
            }
        }
        writes.retain(|symbol| {
            setting.vocabulary.is_shared(*symbol) && self.mentioned[view].contains(*symbol)
        });
        let sight = Rc::new(Sight { writes, asked });
        if let Some(environment) = &mut self.environment {
            environment.sights.insert((mover, edge, view), sight.clone());
        }
        sight
    }

    /// A change, as the one that a fact tells of sees it.
    fn suffer(&mut self, setting: &mut Setting, of: FactId, change: &Change) -> Result<(), Reason> {
        setting.pause()?;
        if !self.facts[of].counts || !self.may_move(setting, of, None) {
            return Ok(());
        }
        let known = [&self.facts[of].literals[..], &change.literals].concat();
        let mut before =
            |setting: &mut Setting, predicate| setting.changed(&change.writes, predicate);
        if let Some(literals) = self.post(setting, of, &known, &mut before) {
            let at = self.facts[of].at.clone();
            let Change { stranger, fact, edge, .. } = *change;
            let origin = Origin::Stranger { of, stranger, edge, beside: vec![fact] };
            self.add(setting, change.view, at, literals, origin);
        }
        Ok(())
    }
}

impl Transitions {
    pub fn len(&self) -> usize {
        self.found.values().map(BTreeSet::len).sum()
    }

    /// Transition predicates that a solution of the clauses needs, given what it says at
    /// the nodes of the tree; says whether there was a new one.
    pub fn learn(
        &mut self,
        setting: &mut Setting,
        facts: &Facts,
        tree: &HornTree,
        core: &HashSet<Term>,
        labels: &[(usize, Term)],
    ) -> bool {
        let mut at: Vec<Vec<Term>> = vec![Vec::new(); tree.nodes.len()];
        for (node, label) in labels {
            at[*node].extend(atoms(&setting.terms, *label));
        }
        let mut new = false;
        for node in &tree.nodes {
            let Clause::Step { children, mover, .. } = &node.clause else { continue };
            let [_, (told, _)] = children[..] else { continue };
            let pair = (role_of(setting, *mover), facts.facts[node.fact].view);
            let mut found = at[told].clone();
            for (condition, what) in &node.conditions {
                if let Condition::Guard(guard) = what
                    && core.contains(condition)
                {
                    found.extend(atoms(&setting.terms, *guard));
                }
            }
            found.retain(|atom| setting.is_shared(*atom));
            for predicate in found {
                new |= setting.terms.constant_value(predicate).is_none()
                    && self.found.entry(pair).or_default().insert(predicate);
            }
        }
        new
    }
}

/// What a step does to what an atom speaks of.
fn effects(setting: &mut Setting, mover: usize, edge: EdgeId, atom: Term) -> Vec<Term> {
    let all: BTreeSet<Symbol> = setting.after.keys().copied().collect();
    let mut found = Vec::new();
    if setting.is_shared(atom) && setting.before(mover, edge, atom) != atom {
        found.push(setting.changed(&all, atom));
    }
    for part in variables(&setting.terms, atom) {
        let symbols = setting.symbols(part);
        let assigns = &setting.action(mover, edge).assigns;
        if !symbols.iter().any(|symbol| assigns.contains_key(&symbol)) {
            continue;
        }
        let value = setting.before(mover, edge, part);
        if setting.is_shared(part) && setting.is_shared(value) {
            let after = setting.changed(&all, part);
            found.push(setting.terms.eq(after, value));
        }
    }
    found
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
