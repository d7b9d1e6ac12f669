//! `ABSTREACHENV` (Figure 7): the abstract states that are reachable, as far as the predicates tell.
//!
//! The paper's loop has two halves, states and environment transitions. Here a worklist takes the place of the
//! `repeat`, and each state is expanded once: by the transitions of its tracked threads (CS2, below), and by interference
//! in both directions (CS3 and CS4), which is `environment` if one thread is tracked and `interference` if
//! there are more. That a state meets interference that is found only later is seen to there.
//!
//! The search goes on for a while after the first error state (the paper stops at the end), so that `REFINE` can
//! exclude several at once. If there is none, the states are closed under all transitions: a proof.

use crate::aret::{Aret, Parent};
use crate::context::Context;
use crate::ids::{ClassId, Id, StateId, ViewId};
use crate::premises::Premises;
use ccfa::LocId;
use evidence::Reason;
use std::collections::BTreeSet;

/// With more abstract states, the search is given up: a finer abstraction would have even more.
const MAX_STATES: usize = 60_000;

/// The search ends with so many error states: refinement that excludes these mostly excludes the others, too,
const MAX_ERRORS: usize = 6;

/// or when it comes to states beyond twice the number of the first error state and this; so that it ends soon after an early error.
const MIN_FURTHER_STATES: usize = 20;

/// Error states at different places.
#[derive(Default)]
struct Errors {
    found: Vec<StateId>,
    places: BTreeSet<(ClassId, LocId)>,
    /// States with larger numbers are not looked at any more.
    last: Option<StateId>,
}

impl Errors {
    fn add(&mut self, state: StateId, place: (ClassId, LocId)) {
        self.last.get_or_insert(StateId(2 * state.0 + MIN_FURTHER_STATES));
        if self.places.insert(place) {
            self.found.push(state);
        }
    }

    fn are_enough(&self, next: StateId) -> bool {
        self.last.is_some_and(|last| next > last) || self.found.len() == MAX_ERRORS
    }
}

impl Aret<'_> {
    /// Expands states until there is nothing new, or there are error states, which are the result.
    pub fn reach(&mut self, context: &mut Context) -> Result<Vec<StateId>, Reason> {
        for view in self.views.ids() {
            self.add_initial(context, view);
        }
        let mut errors = Errors::default();
        while let Some(state) = self.queue.pop_front() {
            if errors.are_enough(state) {
                break;
            }
            if self[state].subsumed {
                continue;
            }
            match self.error_place(context, state) {
                Some(place) => errors.add(state, place),
                None => self.expand(context, state)?,
            }
            if self.states.len() > MAX_STATES {
                return Err(Reason::Beyond("too many abstract states".into()));
            }
        }
        Ok(errors.found)
    }

    /// CS1: `α̇(φ_init)`.
    fn add_initial(&mut self, context: &mut Context, view: ViewId) {
        let tracked = &self.views[view].tracked;
        let (values, premises) = context.initial(tracked);
        let Some(known) = Premises::new(context, &premises) else { return };
        let mut literals = Vec::new();
        for predicate in &self.abstraction(view).predicates {
            let now =
                context.terms.substitute(*predicate, &mut |_, symbol| values.get(&symbol).copied());
            literals.extend(known.literal(context, *predicate, now));
        }
        let at = tracked.iter().map(|instance| context.template(*instance).entry).collect();
        let cube = self.cubes.intern(literals);
        self.add(context, view, at, cube, Parent::Initial);
    }

    /// CS5: the first tracked thread that is at an error or a model limit: its class and where it is.
    fn error_place(&self, context: &Context, state: StateId) -> Option<(ClassId, LocId)> {
        let tracked = &self.views[self[state].view].tracked;
        let places = self.places(state).into_iter().zip(tracked);
        let mut bad = places.filter(|((_, at), instance)| context.is_bad(**instance, *at));
        bad.next().map(|(place, _)| place)
    }

    fn expand(&mut self, context: &mut Context, state: StateId) -> Result<(), Reason> {
        self.expanded[state.index()] = true;
        let is_original = !self.is_image(state);
        if is_original {
            let view = self[state].view;
            self.originals[view.index()].push(state);
        }
        if self.environment.is_some() {
            self.exchange_environment_transitions(context, state)?;
        }
        // Interference may have led to a state that subsumes this one.
        if is_original && !self[state].subsumed {
            self.local_transitions(context, state)?;
        }
        if self.environment.is_none() {
            self.interfere(context, state)?;
        }
        Ok(())
    }

    /// CS2: `ρ ∈ T_i` for the tracked threads.
    fn local_transitions(&mut self, context: &mut Context, state: StateId) -> Result<(), Reason> {
        let (views, view) = (self.views, self[state].view);
        for (slot, mover) in views[view].tracked.iter().enumerate() {
            if !self.may_move(context, state, Some(slot)) {
                continue;
            }
            for edge in context.leaving(*mover, self[state].at[slot]).to_vec() {
                context.check_budget()?;
                let premises = self[state].literals.to_vec();
                let Some(literals) = self.post_edge(context, state, premises, *mover, edge) else {
                    continue;
                };
                let mut at = self[state].at.clone();
                at[slot] = context.transition(*mover, edge).target;
                let cube = self.cubes.intern(literals);
                self.add(context, view, at, cube, Parent::Local { of: state, slot, edge });
            }
        }
        Ok(())
    }
}
