//! The ARET (the paper's Section 5): the abstract states `R_i`, and for each its `Parent`.
//!
//! An abstract state says where the tracked threads of a view are and which predicates, or negations of
//! predicates, hold there. The paper's abstract states are such conjunctions, too; that control
//! locations are apart from predicates is its Section 8. A state that implies another one of the same view
//! and locations is *subsumed* and not looked at (line 12 of Figure 7); where the paper keeps older states
//! that a new one subsumes, we leave them out, which is sound since the new one has all their successors.
//!
//! If slots of a view are of the same class, then with a state its images under exchanging them are
//! reachable. They are there as states (to be found by location), but only the state itself is expanded.

use crate::context::Context;
use crate::cubes::{Cubes, is_subset};
use crate::environment::Environment;
use crate::ids::{ClassId, CubeId, Id, InstanceId, StateId, ViewId};
use crate::predicates::Predicates;
use crate::symbols::SymbolSet;
use crate::view::Views;
use ccfa::{EdgeId, LocId};
use logic::{FastMap, Term};
use std::collections::VecDeque;
use std::ops::Index;
use std::rc::Rc;

/// An abstract state of a view.
pub(crate) struct AbstractState {
    pub view: ViewId,
    /// The locations of the tracked threads.
    pub at: Vec<LocId>,
    /// The predicates, or their negations, that hold.
    pub literals: Rc<[Term]>,
    /// The identifier of these literals.
    pub cube: CubeId,
    pub parent: Parent,
    /// Does another one stand for it?
    pub subsumed: bool,
}

/// How an abstract state was reached: the paper's `Parent`.
#[derive(Clone, Debug)]
pub(crate) enum Parent {
    Initial,
    /// It is the image of another one of the same view: its slots are permuted.
    Symmetry {
        of: StateId,
        order: Vec<usize>,
    },
    /// By a transition `ρ ∈ T_i` of the tracked thread in a slot.
    Local {
        of: StateId,
        slot: usize,
        edge: EdgeId,
    },
    /// By interference: a transition of an environment thread.
    Environment {
        of: StateId,
        thread: InstanceId,
        edge: EdgeId,
        /// For each slot a state (the paper's `O`) of the view that tracks the environment thread instead
        /// of the thread in the slot.
        origins: Vec<StateId>,
    },
}

pub(crate) struct Aret<'v> {
    pub states: Vec<AbstractState>,
    /// `E_i`, if one thread is tracked.
    pub environment: Option<Environment>,
    pub(crate) views: &'v Views,
    pub(crate) abstractions: Vec<ViewAbstraction>,
    by_location: FastMap<(ViewId, Vec<LocId>), Vec<StateId>>,
    /// The states that were expanded.
    pub(crate) expanded: Vec<bool>,
    /// Those of each view that were expanded and are no images of others.
    pub(crate) originals: Vec<Vec<StateId>>,
    pub(crate) queue: VecDeque<StateId>,
    pub(crate) cubes: Cubes,
}

/// `Ṗ_i`: what the abstract states of a view can speak of.
pub(crate) struct ViewAbstraction {
    pub predicates: Vec<Term>,
    /// The variables that these mention.
    pub mentioned: SymbolSet,
}

impl Index<StateId> for Aret<'_> {
    type Output = AbstractState;

    fn index(&self, id: StateId) -> &AbstractState {
        &self.states[id.index()]
    }
}

impl<'v> Aret<'v> {
    pub fn new(
        context: &mut Context,
        views: &'v Views,
        predicates: &Predicates,
        environment: Option<Environment>,
    ) -> Aret<'v> {
        let all: Vec<Vec<Term>> =
            views.iter().map(|(_, view)| predicates.within(context, view)).collect();
        let abstractions = all.into_iter().map(|p| ViewAbstraction::new(context, p)).collect();
        Aret {
            states: Vec::new(),
            environment,
            views,
            abstractions,
            by_location: FastMap::default(),
            expanded: Vec::new(),
            originals: vec![Vec::new(); views.len()],
            queue: VecDeque::new(),
            cubes: Cubes::default(),
        }
    }

    pub fn abstraction(&self, view: ViewId) -> &ViewAbstraction {
        &self.abstractions[view.index()]
    }

    /// The states of a view that none subsumes.
    pub fn reached(&self, view: ViewId) -> impl Iterator<Item = (StateId, &AbstractState)> {
        let states = self.states.iter().enumerate();
        let states = states.map(|(number, state)| (StateId(number), state));
        states.filter(move |(_, state)| state.view == view && !state.subsumed)
    }

    /// The states at some locations of a view.
    pub(crate) fn at(&self, view: ViewId, at: Vec<LocId>) -> Vec<StateId> {
        self.by_location.get(&(view, at)).cloned().unwrap_or_default()
    }

    /// The classes of the tracked threads, and where these are.
    pub(crate) fn places(&self, state: StateId) -> Vec<(ClassId, LocId)> {
        let AbstractState { view, at, .. } = &self[state];
        self.views[*view].classes.iter().copied().zip(at.iter().copied()).collect()
    }

    /// Is it the image of another one? What follows from it follows, up to names, from that one.
    pub(crate) fn is_image(&self, state: StateId) -> bool {
        matches!(self[state].parent, Parent::Symmetry { .. })
    }

    /// Is the thread in `mover`, or else an environment thread, free to move? It is not if another tracked thread is at an
    /// atomic location.
    pub(crate) fn may_move(&self, context: &Context, state: StateId, mover: Option<usize>) -> bool {
        let AbstractState { view, at, .. } = &self[state];
        let tracked = &self.views[*view].tracked;
        let excludes_others =
            |slot: usize| Some(slot) != mover && context.is_atomic(tracked[slot], at[slot]);
        !(0..at.len()).any(excludes_others)
    }

    /// Adds a state and its images, unless they are subsumed.
    pub(crate) fn add(
        &mut self,
        context: &mut Context,
        view: ViewId,
        at: Vec<LocId>,
        cube: CubeId,
        parent: Parent,
    ) {
        let Some(state) = self.add_one(view, at, cube, parent) else { return };
        let views = self.views;
        for order in views[view].symmetries() {
            let renaming = views[view].permutation(&order);
            let cube = self.cubes.renamed(context, self[state].cube, &renaming);
            let mut at = self[state].at.clone();
            for (slot, other) in order.iter().enumerate() {
                at[*other] = self[state].at[slot];
            }
            self.add_one(view, at, cube, Parent::Symmetry { of: state, order });
        }
    }

    fn add_one(
        &mut self,
        view: ViewId,
        at: Vec<LocId>,
        cube: CubeId,
        parent: Parent,
    ) -> Option<StateId> {
        let literals = self.cubes.literals(cube).clone();
        let here = self.by_location.entry((view, at.clone())).or_default();
        let states = &mut self.states;
        if here.iter().any(|other| is_subset(&states[other.index()].literals, &literals)) {
            return None;
        }
        here.retain(|other| {
            let other = &mut states[other.index()];
            let implies_new = is_subset(&literals, &other.literals);
            other.subsumed |= implies_new;
            !implies_new
        });
        let state = StateId::new(states.len());
        here.push(state);
        let by_interference = matches!(parent, Parent::Environment { .. });
        states.push(AbstractState { view, at, literals, cube, parent, subsumed: false });
        self.expanded.push(false);
        match by_interference && self.abstracts_environment() {
            true => self.queue.push_front(state),
            false => self.queue.push_back(state),
        }
        Some(state)
    }

    /// Are transitions of environment threads abstracted by transition predicates?
    pub fn abstracts_environment(&self) -> bool {
        self.environment.as_ref().is_some_and(Environment::is_abstract)
    }
}

impl ViewAbstraction {
    fn new(context: &mut Context, predicates: Vec<Term>) -> ViewAbstraction {
        let mut mentioned = SymbolSet::default();
        for predicate in &predicates {
            mentioned.add_all(&context.symbols(*predicate));
        }
        ViewAbstraction { predicates, mentioned }
    }
}
