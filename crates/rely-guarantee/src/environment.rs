//! Interference with one tracked thread: the environment transitions `E_i` (Figure 7, the second half of the loop).
//!
//! **By transition predicates**, as in the paper: `α̈` abstracts a transition of another thread, taken where an abstract
//! state of that thread holds, to the transition predicates that it satisfies (`transition_predicates`). The
//! paper begins with none. What an edge does to variables that predicates of the
//! view mention is asked from the beginning here; *when* the environment does it, in terms of what is known of
//! the thread that does it, comes by refinement, where a proof needs it. So there are few environment transitions.
//!
//! **Step by step**, the rule of Owicki and Gries: an environment transition is an edge of another thread, under
//! the literals of its abstract state that are relevant for it.
//!
//! Either way, an environment transition includes every concrete transition that it stands for: what is not said is
//! unconstrained. There are far fewer of them than pairs of abstract states, and
//! states with the same literals at different locations have the same successors. With several tracked threads, what is
//! known of the environment depends on which thread it is tracked beside: see `interference`.

use crate::aret::{Aret, Parent};
use crate::context::Context;
use crate::cubes::{Interference, is_subset};
use crate::ids::{CubeId, Id, InstanceId, StateId, TransitionId, ViewId};
use crate::premises::Premises;
use crate::transition_predicates::TransitionPredicates;
use ccfa::EdgeId;
use evidence::Reason;
use logic::{FastMap, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// `E_i` for all views.
pub(crate) struct Environment {
    /// `P̈_{i.j}`; without these, transitions of others are taken step by step.
    predicates: Option<TransitionPredicates>,
    transitions: Vec<EnvironmentTransition>,
    /// By the thread that moves, its edge, and the view.
    abstractions: FastMap<Interference, Rc<EdgeAbstraction>>,
    /// The successor of a cube by an environment transition, if there is one.
    successors: FastMap<(CubeId, TransitionId), Option<CubeId>>,
}

/// `α̈` for one edge: what is asked about it.
struct EdgeAbstraction {
    /// The variables it assigns, of those that predicates of the view mention.
    writes: BTreeSet<Symbol>,
    /// The transition predicates, and what they are over the state before the edge.
    asked: Vec<(Term, Term)>,
}

/// Transitions of environment threads, as the tracked thread of a view sees them.
#[derive(Clone)]
pub(crate) struct EnvironmentTransition {
    pub view: ViewId,
    /// The variables it may write, of those that predicates of the view mention.
    pub writes: BTreeSet<Symbol>,
    /// What holds of the values before and after; step by step, what holds of the environment thread before.
    pub literals: Rc<[Term]>,
    /// Does a later one include it?
    subsumed: bool,
    /// The first transition that it was found for: the environment thread, its state `O`, its edge `ρ_O`.
    thread: InstanceId,
    origin: StateId,
    edge: EdgeId,
}

impl Environment {
    pub fn new(predicates: Option<TransitionPredicates>) -> Environment {
        let (transitions, abstractions, successors) = Default::default();
        Environment { predicates, transitions, abstractions, successors }
    }

    /// Are transitions of environment threads abstracted by transition predicates?
    pub fn is_abstract(&self) -> bool {
        self.predicates.is_some()
    }

    /// The environment transitions of a view.
    #[cfg(test)]
    pub fn transitions(&self, view: ViewId) -> impl Iterator<Item = &EnvironmentTransition> {
        self.transitions.iter().filter(move |known| known.view == view && !known.subsumed)
    }

    /// Adds a transition, unless there is one that includes it; says which one it is.
    fn add(&mut self, new: EnvironmentTransition) -> Option<TransitionId> {
        let is_abstract = self.is_abstract();
        if self.transitions.iter().any(|known| !known.subsumed && known.includes(&new, is_abstract))
        {
            return None;
        }
        for known in &mut self.transitions {
            known.subsumed |= new.includes(known, is_abstract);
        }
        self.transitions.push(new);
        Some(TransitionId(self.transitions.len() - 1))
    }
}

impl EnvironmentTransition {
    fn includes(&self, other: &EnvironmentTransition, is_abstract: bool) -> bool {
        self.view == other.view
            && (is_abstract || (self.thread, self.edge) == (other.thread, other.edge))
            && self.writes.is_superset(&other.writes)
            && is_subset(&self.literals, &other.literals)
    }
}

impl Aret<'_> {
    /// Applies the known environment transitions to a new state, and adds the transitions of its tracked thread
    /// to the environments of the other views.
    pub(crate) fn exchange_environment_transitions(
        &mut self,
        context: &mut Context,
        state: StateId,
    ) -> Result<(), Reason> {
        let view = self[state].view;
        for number in 0..self.environment().transitions.len() {
            let known = &self.environment().transitions[number];
            if known.view == view && !known.subsumed {
                self.apply_transition(context, state, TransitionId(number))?;
            }
        }
        let views = self.views;
        let (class, mover) = (views[view].classes[0], views[view].tracked[0]);
        for edge in context.leaving(mover, self[state].at[0]).to_vec() {
            for (view, tracking) in views.iter() {
                let Some(thread) = tracking.environment_thread(context, class) else { continue };
                let interference = Interference { view, thread, edge };
                if self.is_visible(context, interference) {
                    self.add_transition(context, state, interference)?;
                }
            }
        }
        Ok(())
    }

    fn environment(&self) -> &Environment {
        self.environment.as_ref().expect("there should be an environment")
    }

    /// CS4: adds an edge, taken in state `origin` of the thread that moves, to the environment of a view,
    /// and applies it to the states of that view.
    fn add_transition(
        &mut self,
        context: &mut Context,
        origin: StateId,
        interference: Interference,
    ) -> Result<(), Reason> {
        let abstracted = match self.abstracts_environment() {
            true => self.abstract_edge(context, origin, interference),
            false => self.relevant_literals(context, origin, interference),
        };
        let Some((writes, literals)) = abstracted else { return Ok(()) };
        let Interference { view, thread, edge } = interference;
        let transition =
            EnvironmentTransition { view, writes, literals, subsumed: false, thread, origin, edge };
        let added = self.environment.as_mut().and_then(|environment| environment.add(transition));
        if let Some(transition) = added {
            for state in self.originals[view.index()].clone() {
                self.apply_transition(context, state, transition)?;
            }
        }
        Ok(())
    }

    /// `α̈(S ∧ ρ)`: what an edge writes and the transition predicates it satisfies, if it can be taken in the state.
    fn abstract_edge(
        &mut self,
        context: &mut Context,
        origin: StateId,
        Interference { view, edge, .. }: Interference,
    ) -> Option<(BTreeSet<Symbol>, Rc<[Term]>)> {
        let mover = self.views[self[origin].view].tracked[0];
        let guards = &context.transition(mover, edge).guards;
        let known = [&self[origin].literals[..], guards].concat();
        let known = Premises::new(context, &known)?;
        let asked = Interference { view, thread: mover, edge };
        let abstraction = self.edge_abstraction(context, asked);
        let mut literals = Vec::new();
        for (predicate, before) in &abstraction.asked {
            literals.extend(known.literal(context, *predicate, *before));
        }
        literals.sort();
        literals.dedup();
        Some((abstraction.writes.clone(), literals.into()))
    }

    /// Step by step: what an edge writes, and the relevant literals of the state in which it is taken, if it can be.
    fn relevant_literals(
        &mut self,
        context: &mut Context,
        origin: StateId,
        interference: Interference,
    ) -> Option<(BTreeSet<Symbol>, Rc<[Term]>)> {
        let Interference { view, thread, edge } = interference;
        let renaming = self.views[self[origin].view].renaming(&[thread]);
        let cube = self.cubes.renamed(context, self[origin].cube, &renaming);
        let cube = self.relevant(context, cube, interference);
        if !self.cubes.is_enabled(context, cube, thread, edge) {
            return None;
        }
        let mentioned = &self.abstraction(view).mentioned;
        let assigned = context.transition(thread, edge).assigns.keys().copied();
        let writes = assigned.filter(|symbol| mentioned.contains(*symbol)).collect();
        Some((writes, self.cubes.literals(cube).clone()))
    }

    fn edge_abstraction(
        &mut self,
        context: &mut Context,
        interference: Interference,
    ) -> Rc<EdgeAbstraction> {
        if let Some(known) = self.environment().abstractions.get(&interference) {
            return known.clone();
        }
        let Interference { view, thread, edge } = interference;
        let mut predicates: BTreeSet<Term> = BTreeSet::new();
        if let Some(found) = &self.environment().predicates {
            predicates.extend(found.of(context.class_of(thread), view));
        }
        for predicate in &self.abstraction(view).predicates {
            predicates.extend(TransitionPredicates::effects(context, thread, edge, *predicate));
        }
        let mentioned = &self.abstraction(view).mentioned;
        let abstraction = Rc::new(EdgeAbstraction {
            asked: asked(context, thread, edge, predicates),
            writes: context
                .transition(thread, edge)
                .assigns
                .keys()
                .filter(|s| context.vocabulary.is_shared(**s) && mentioned.contains(**s))
                .copied()
                .collect(),
        });
        if let Some(environment) = &mut self.environment {
            environment.abstractions.insert(interference, abstraction.clone());
        }
        abstraction
    }

    /// CS3: applies an environment transition to a state.
    fn apply_transition(
        &mut self,
        context: &mut Context,
        state: StateId,
        transition: TransitionId,
    ) -> Result<(), Reason> {
        context.check_budget()?;
        if self[state].subsumed || !self.may_move(context, state, None) {
            return Ok(());
        }
        let key = (self[state].cube, transition);
        let successor = match self.environment().successors.get(&key) {
            Some(known) => *known,
            None => {
                let literals = self.post_environment(context, state, transition);
                literals.map(|literals| self.cubes.intern(literals))
            }
        };
        let environment = self.environment.as_mut().expect("there should be an environment");
        environment.successors.insert(key, successor);
        let EnvironmentTransition { view, thread, origin, edge, .. } =
            environment.transitions[transition.index()];
        if let Some(cube) = successor {
            let origins = vec![origin];
            let parent = Parent::Environment { of: state, thread, edge, origins };
            self.add(context, view, self[state].at.clone(), cube, parent);
        }
        Ok(())
    }

    /// `α̇(post(ρ ∧ ρ_=, S))` for an environment transition.
    fn post_environment(
        &self,
        context: &mut Context,
        state: StateId,
        transition: TransitionId,
    ) -> Option<Vec<Term>> {
        let EnvironmentTransition { writes, literals, thread, edge, .. } =
            &self.environment().transitions[transition.index()];
        let premises = [&self[state].literals[..], literals].concat();
        match self.abstracts_environment() {
            true => self.post(context, state, &premises, &mut |context, predicate| {
                context.primed(writes, predicate)
            }),
            false => self.post_edge(context, state, premises, *thread, *edge),
        }
    }
}

/// Transition predicates as they are asked of an edge: with variables that it does not write unprimed; and what
/// they are over the state before it.
fn asked(
    context: &mut Context,
    mover: InstanceId,
    edge: EdgeId,
    predicates: BTreeSet<Term>,
) -> Vec<(Term, Term)> {
    let assigns = context.transition(mover, edge).assigns.clone();
    let unprimed: BTreeMap<Symbol, Symbol> =
        context.primed.iter().map(|(symbol, primed)| (*primed, *symbol)).collect();
    let mut asked = Vec::new();
    for predicate in predicates {
        let before = context.terms.substitute(predicate, &mut |terms, symbol| {
            let symbol = unprimed.get(&symbol)?;
            let same = terms.symbol(*symbol);
            Some(assigns.get(symbol).copied().unwrap_or(same))
        });
        let said = context.terms.substitute(predicate, &mut |terms, symbol| {
            let symbol = unprimed.get(&symbol).filter(|symbol| !assigns.contains_key(symbol))?;
            Some(terms.symbol(*symbol))
        });
        if context.terms.constant_value(said).is_none() {
            asked.push((said, before));
        }
    }
    asked
}
