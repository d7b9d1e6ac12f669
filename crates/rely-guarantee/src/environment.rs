//! What others do to the one in view.
//!
//! **By environment transitions.** The paper abstracts them like states, by *transition predicates* over the values of
//! shared variables before and after a step, a set of them for each pair of threads. What a step does
//! to what a view has predicates about is among them from the beginning; when it is done, from what is
//! known of the one who does it, comes by refinement, where a proof needs it. So there are few changes.
//!
//! **Step by step**, as Owicki and Gries: a change is a step of another, under what is known of him that has
//! to do with it.
//!
//! Either way there are far fewer changes than pairs of facts, and facts that say the same at different
//! places are changed in the same way. With several in view, what is known of others depends on who is
//! looked at beside them: there, `reach` looks at facts together.

use crate::horn::{Clause, Condition, HornTree};
use crate::known::Known;
use crate::predicates::atoms;
use crate::reach::{FactId, Facts, Origin, SetId, is_subset};
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

/// What others do to those in view, in all views.
pub(crate) struct Environment {
    /// Without these, others are looked at step by step.
    transitions: Option<Transitions>,
    changes: Vec<Change>,
    /// By who moves, how, and the view that is disturbed.
    sights: FastMap<(usize, EdgeId, usize), Rc<Sight>>,
    /// What a change makes of a set of literals, if it can happen there.
    suffered: FastMap<(SetId, usize), Option<SetId>>,
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
    /// What holds of the values before and after; step by step, what is known of the one who makes it.
    pub literals: Rc<[Term]>,
    /// It is not one of the steps that a later one stands for.
    pub counts: bool,
    /// Who makes it in the name of all, where, and by which step.
    stranger: usize,
    fact: FactId,
    edge: EdgeId,
}

impl Environment {
    pub fn new(transitions: Option<Transitions>) -> Environment {
        let (changes, sights, suffered) = Default::default();
        Environment { transitions, changes, sights, suffered }
    }

    /// Are steps of others abstracted to what can be seen of them?
    pub fn is_abstract(&self) -> bool {
        self.transitions.is_some()
    }

    /// The changes that disturb a view.
    pub fn changes(&self, view: usize) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.view == view && change.counts)
    }

    /// Adds a change, unless there is one that allows as much; says which one it is.
    fn add(&mut self, change: Change) -> Option<usize> {
        let is_abstract = self.is_abstract();
        if self.changes.iter().any(|other| other.counts && other.allows(&change, is_abstract)) {
            return None;
        }
        for other in &mut self.changes {
            other.counts &= !change.allows(other, is_abstract);
        }
        self.changes.push(change);
        Some(self.changes.len() - 1)
    }
}

impl Change {
    fn allows(&self, other: &Change, is_abstract: bool) -> bool {
        self.view == other.view
            && (is_abstract || (self.stranger, self.edge) == (other.stranger, other.edge))
            && self.writes.is_superset(&other.writes)
            && is_subset(&self.literals, &other.literals)
    }
}

impl Facts<'_> {
    /// What others do to the one that a fact tells of, and what he does to others.
    pub fn exchange_changes(&mut self, setting: &mut Setting, fact: FactId) -> Result<(), Reason> {
        let view = self.facts[fact].view;
        for change in 0..self.environment().changes.len() {
            let known = &self.environment().changes[change];
            if known.view == view && known.counts {
                self.suffer(setting, fact, change)?;
            }
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
                if let Some(change) = self.environment.as_mut().and_then(|known| known.add(change))
                {
                    for of in self.originals[disturbed].clone() {
                        self.suffer(setting, of, change)?;
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
        let (writes, literals) = match self.abstracts_environment() {
            true => self.seen_of_step(setting, fact, edge, view)?,
            false => self.step_itself(setting, fact, stranger, edge, view)?,
        };
        Some(Change { view, writes, literals, counts: true, stranger, fact, edge })
    }

    /// What transition predicates tell of a step.
    fn seen_of_step(
        &mut self,
        setting: &mut Setting,
        fact: FactId,
        edge: EdgeId,
        view: usize,
    ) -> Option<(BTreeSet<Symbol>, Rc<[Term]>)> {
        let mover = self.views.views[self.facts[fact].view].members[0];
        let guards = &setting.action(mover, edge).guards;
        let known = [&self.facts[fact].literals[..], guards].concat();
        let known = Known::new(setting, &known)?;
        let sight = self.sight(setting, mover, edge, view);
        let mut literals = Vec::new();
        for (predicate, before) in &sight.asked {
            literals.extend(known.literal(setting, *predicate, *before));
        }
        literals.sort();
        literals.dedup();
        Some((sight.writes.clone(), literals.into()))
    }

    /// What is known of the one who moves, as a stranger.
    fn step_itself(
        &mut self,
        setting: &mut Setting,
        fact: FactId,
        stranger: usize,
        edge: EdgeId,
        view: usize,
    ) -> Option<(BTreeSet<Symbol>, Rc<[Term]>)> {
        let mover = self.views.views[self.facts[fact].view].members[0];
        let set = self.renamed_set(setting, self.facts[fact].set, &vec![(mover, stranger)]);
        let set = self.noticed_of(setting, set, view, stranger, edge);
        if !self.is_enabled(setting, set, stranger, edge) {
            return None;
        }
        let assigned = setting.action(stranger, edge).assigns.keys().copied();
        let writes = assigned.filter(|symbol| self.mentioned[view].contains(*symbol)).collect();
        Some((writes, self.sets.get(set).clone()))
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
        let transitions = self.environment().transitions.iter();
        let pair = (role_of(setting, mover), view);
        let found = transitions.filter_map(|transitions| transitions.found.get(&pair));
        let mut predicates: BTreeSet<Term> = found.flatten().copied().collect();
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
    fn suffer(&mut self, setting: &mut Setting, of: FactId, change: usize) -> Result<(), Reason> {
        setting.pause()?;
        if !self.facts[of].counts || !self.may_move(setting, of, None) {
            return Ok(());
        }
        let key = (self.facts[of].set, change);
        let after = match self.environment().suffered.get(&key) {
            Some(known) => *known,
            None => {
                let literals = self.after_change(setting, of, change);
                literals.map(|literals| self.set(literals))
            }
        };
        let environment = self.environment.as_mut().expect("there should be an environment");
        environment.suffered.insert(key, after);
        let Change { view, stranger, fact, edge, .. } = environment.changes[change];
        if let Some(after) = after {
            let at = self.facts[of].at.clone();
            let origin = Origin::Stranger { of, stranger, edge, beside: vec![fact] };
            self.add_set(setting, view, at, after, origin);
        }
        Ok(())
    }

    /// What holds of the one that a fact tells of after a change, if it can happen there.
    fn after_change(&self, setting: &mut Setting, of: FactId, change: usize) -> Option<Vec<Term>> {
        let Change { writes, literals, stranger, edge, .. } = &self.environment().changes[change];
        let known = [&self.facts[of].literals[..], literals].concat();
        match self.abstracts_environment() {
            true => self.post(setting, of, &known, &mut |setting, predicate| {
                setting.changed(writes, predicate)
            }),
            false => self.after_step(setting, of, known, *stranger, *edge),
        }
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
