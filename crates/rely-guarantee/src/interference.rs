//! Interference with several tracked threads: CS3 and CS4 of Figure 5, step by step.
//!
//! The paper's environment transitions say what a thread does to one other thread. With `k` tracked threads, what is
//! known of an environment thread depends on the threads it is tracked beside. So here transitions of environment threads
//! are not abstracted but taken one by one, as by Owicki and Gries, under what is known of all `k + 1` threads: the state itself,
//! and for each tracked thread a state, its *origin*, of the view that tracks the environment thread in its place. In a
//! concrete state each such choice of `k` threads is in some abstract state, so no transition is left out (this is
//! the rule of Hoenicke, Majumdar and Podelski, POPL 2017, at level `k`).
//!
//! A new state is used in both ways: transitions of environment threads are applied to it, and as an origin it lets
//! the threads it tracks interfere with other views.

use crate::aret::{Aret, Parent};
use crate::context::Context;
use crate::cubes::Interference;
use crate::ids::{ClassId, CubeId, Id, StateId, ViewId};
use ccfa::{EdgeId, LocId};
use evidence::Reason;

/// An origin, and what is relevant of it.
type Origin = (StateId, CubeId);

impl Aret<'_> {
    /// Applies interference to a new state, and lets it interfere with the others.
    pub(crate) fn interfere(
        &mut self,
        context: &mut Context,
        state: StateId,
    ) -> Result<(), Reason> {
        if !self.is_image(state) {
            self.apply_environment_edges(context, state)?;
        }
        for slot in 0..self[state].at.len() {
            self.interfere_with_others(context, state, slot)?;
        }
        Ok(())
    }

    /// Applies all edges of all environment threads to a state.
    fn apply_environment_edges(
        &mut self,
        context: &mut Context,
        state: StateId,
    ) -> Result<(), Reason> {
        let (views, view) = (self.views, self[state].view);
        for class in context.classes() {
            let Some(thread) = views[view].environment_thread(context, class) else { continue };
            for edge in 0..context.template(thread).edges.len() {
                let edge = EdgeId(edge as u32);
                let interference = Interference { view, thread, edge };
                if self.is_visible(context, interference) {
                    self.apply_interference(context, state, interference, None)?;
                }
            }
        }
        Ok(())
    }

    /// Applies the edges of the thread in a slot of a new state to the states of all views, as those of an environment thread.
    fn interfere_with_others(
        &mut self,
        context: &mut Context,
        origin: StateId,
        slot: usize,
    ) -> Result<(), Reason> {
        let views = self.views;
        let mover = views[self[origin].view].tracked[slot];
        let mut others = self.places(origin);
        let (class, at) = others.remove(slot);
        let edges = context.leaving(mover, at).to_vec();
        for (view, tracking) in views.iter() {
            let Some(thread) = tracking.environment_thread(context, class) else { continue };
            let interference = edges.iter().map(|edge| Interference { view, thread, edge: *edge });
            let visible: Vec<Interference> =
                interference.filter(|i| self.is_visible(context, *i)).collect();
            if visible.is_empty() {
                continue;
            }
            for state in self.states_beside(origin, &others, view) {
                for interference in &visible {
                    self.apply_interference(context, state, *interference, Some(origin))?;
                }
            }
        }
        Ok(())
    }

    /// The states of a view of which all but one tracked thread can be these.
    fn states_beside(
        &self,
        origin: StateId,
        others: &[(ClassId, LocId)],
        view: ViewId,
    ) -> Vec<StateId> {
        let is_beside = |state: &StateId| {
            !self[*state].subsumed && *state != origin && contains(self.places(*state), others)
        };
        self.originals[view.index()].iter().copied().filter(is_beside).collect()
    }

    /// Does the edge write a variable that a predicate of the view mentions?
    pub(crate) fn is_visible(&self, context: &Context, interference: Interference) -> bool {
        let transition = context.transition(interference.thread, interference.edge);
        let mentioned = &self.abstraction(interference.view).mentioned;
        transition.writes_shared
            && transition.assigns.keys().any(|symbol| mentioned.contains(*symbol))
    }

    /// Applies an edge of an environment thread to a state, with all compatible origins; if `with` is given, it must be one
    /// of these.
    fn apply_interference(
        &mut self,
        context: &mut Context,
        state: StateId,
        interference: Interference,
        with: Option<StateId>,
    ) -> Result<(), Reason> {
        context.check_budget()?;
        if !self.may_move(context, state, None) {
            return Ok(());
        }
        let Interference { view, thread, edge } = interference;
        let slots = 0..self[state].at.len();
        let choices: Vec<Vec<Origin>> =
            slots.map(|slot| self.origins(context, state, slot, interference)).collect();
        for chosen in self.compatible_choices(context, &choices) {
            if with.is_some_and(|with| !chosen.iter().any(|(origin, _)| *origin == with)) {
                continue;
            }
            let mut premises = self[state].literals.to_vec();
            let cubes = chosen.iter().map(|(_, cube)| self.cubes.literals(*cube));
            premises.extend(cubes.flat_map(|literals| literals.iter().copied()));
            premises.sort();
            premises.dedup();
            let Some(literals) = self.post_edge(context, state, premises, thread, edge) else {
                continue;
            };
            let cube = self.cubes.intern(literals);
            let origins = chosen.iter().map(|(origin, _)| *origin).collect();
            let parent = Parent::Environment { of: state, thread, edge, origins };
            self.add(context, view, self[state].at.clone(), cube, parent);
        }
        Ok(())
    }

    /// The states that track the environment thread, before its edge, in place of the thread in a slot, and the
    /// other threads where they are in `state`: those that are compatible with it.
    fn origins(
        &mut self,
        context: &mut Context,
        state: StateId,
        slot: usize,
        interference: Interference,
    ) -> Vec<Origin> {
        let views = self.views;
        let Interference { view, thread, edge } = interference;
        let source = context.transition(thread, edge).source;
        let (beside, instances) =
            views.with_environment_thread(context, &views[view], slot, thread);
        let location = |instance| {
            let slot = views[view].tracked.iter().position(|tracked| tracked == instance);
            slot.map_or(source, |slot| self[state].at[slot])
        };
        let at: Vec<LocId> = instances.iter().map(location).collect();
        let mover = instances.iter().position(|instance| *instance == thread);
        let renaming = views[beside].renaming(&instances);
        let own = self[state].cube;
        let mut found: Vec<Origin> = Vec::new();
        for origin in self.at(beside, at) {
            let is_usable = self.expanded[origin.index()] && !self[origin].subsumed;
            if !is_usable || !self.may_move(context, origin, mover) {
                continue;
            }
            let cube = self.cubes.renamed(context, self[origin].cube, &renaming);
            let cube = self.relevant(context, cube, interference);
            if found.iter().all(|(_, other)| *other != cube)
                && self.cubes.is_enabled(context, cube, thread, edge)
                && self.cubes.are_compatible(context, own, cube)
            {
                found.push((origin, cube));
            }
        }
        found
    }

    /// What is relevant of a cube that speaks of an environment thread.
    pub(crate) fn relevant(
        &mut self,
        context: &mut Context,
        cube: CubeId,
        interference: Interference,
    ) -> CubeId {
        let mentioned = &self.abstractions[interference.view.index()].mentioned;
        self.cubes.relevant(context, cube, interference, mentioned)
    }

    /// All ways to take one of each so that any two are compatible.
    fn compatible_choices(
        &mut self,
        context: &mut Context,
        choices: &[Vec<Origin>],
    ) -> Vec<Vec<Origin>> {
        let mut chosen: Vec<Vec<Origin>> = vec![Vec::new()];
        for choice in choices {
            let mut longer = Vec::new();
            for known in chosen {
                for (origin, cube) in choice {
                    let mut fits =
                        |(_, other): &Origin| self.cubes.are_compatible(context, *other, *cube);
                    if known.iter().all(&mut fits) {
                        longer.push([&known[..], &[(*origin, *cube)]].concat());
                    }
                }
            }
            chosen = longer;
        }
        chosen
    }
}

/// Are all of `some` among `all`, each as often?
fn contains<T: PartialEq>(mut all: Vec<T>, some: &[T]) -> bool {
    some.iter().all(|item| match all.iter().position(|other| other == item) {
        Some(position) => {
            all.swap_remove(position);
            true
        }
        None => false,
    })
}
