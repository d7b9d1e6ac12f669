//! Checks assertions about tracked threads, condition by condition (`evidence::Assertions`).
//!
//! POPL'11, Figure 5 (proof rule REACHENV) and the soundness part of Theorem 1. What differs:
//! an assertion may speak of several threads, and it speaks of *any* instances of a
//! thread, so that one proof is good for the parameterised program; and each step of another instance is checked by itself
//! (interference freedom, Owicki and Gries 1976), not by way of environment transitions.
//!
//! # What is shown
//!
//! An *instantiation* of a view has an instance in each of its slots: an instance of the slot's
//! thread, the one with the slot's index if it has one, and all of them different. These instances are
//! the *tracked threads*; all others are *environment threads*. A view *holds*
//! in a state if for each of its instantiations one of its regions holds of the tracked threads: each
//! is at one of the region's locations for it, and all formulas are defined and true. *Wrong* is a state
//! that is bad in the sense of `ccfa::property`, or in which an instance is at a model limit. No step
//! leaves a state with an instance at a location that is not plain: there the program or the model has
//! ended. For each view V, we check of each instantiation
//!
//! - **(1)** (CS1) a region of V holds in every initial state;
//! - **(2)** (CS2, and CS3 with CS4) if a region of V holds,
//!   and a tracked thread or an environment thread takes a step, then a region of V holds
//!   afterwards;
//!
//! and (CS5)
//!
//! - **(3)** if an instance is where the property is violated or the model ends, the views cannot all hold.
//!
//! In (2) we may assume, before the step, that
//!
//! - **(a)** the mover is at the source of the edge, which is enabled;
//! - **(b)** no tracked thread but the mover is at an atomic location: one that is keeps all others from
//!   moving;
//! - **(c)** all views hold for their instantiations among the tracked threads and the mover;
//! - **(d)** tracked threads and the mover are at plain locations.
//!
//! # Why no wrong state is reachable
//!
//! Suppose one is, with some number of instances of each parameterised thread.
//! One is also reachable with more instances: those that are added stay at their entry, which is no
//! atomic location and (this is checked, too) no location where the program ends, so they keep no other from moving; the
//! arguments of an instance depend on its index
//! alone. An instance that is where it must not be still is. So let there be so many that every view has an instantiation around every instance. (Of a
//! thread with a certain number of instances no view has more slots, which is checked, too.)
//!
//! Claim: in every reachable state, all views hold. In an initial state they do, by (1). Let
//! all views hold in *s*, and let an instance *m* step from *s* to *s'*: (d) holds, since a step leaves *s*.
//! Take a view V and an instantiation of it. A region of V holds in *s*. (a) and (b) hold
//! since *m* can move, (c) since all views hold in *s*. So a region of V holds in *s'*, by (2). With (3), no reachable state is wrong. ∎
//!
//! # Why a finite instance is enough
//!
//! The conditions speak of every instantiation, and there may be any number of instances. But what
//! they say of instances depends on nothing but the threads they belong to and which of them are
//! the same: symbols stand for the variables of each. So of each thread that is not *named* (see
//! `finite_instance`), its first instances stand for any that are different, and one more
//! for any that is none of these. Only the initial values of arguments depend on the
//! index; there the index is left open (see `initial`). Instances that are named are
//! checked one by one.
//!
//! # How it is fast enough
//!
//! How one condition is decided for many locations at once is argued in `case`. Leaving out
//! something that might be assumed does no harm: the checker does so where there is
//! too much of it. Three things save most of the questions:
//! - What all regions of a view say of a slot, at the source of an edge, holds whenever the instance in that
//!   slot takes the edge (`strengthen`). So it is as good as a part of the guard, and a
//!   variable that has a certain value there may be replaced by it in the step: a step
//!   of philosopher 7 takes fork 7, not fork `left`.
//! - A step of an environment thread changes shared variables alone. If all formulas
//!   of the regions of V stay the same when what the step assigns is substituted for the
//!   variables, then the same region holds afterwards: (2) (`is_unaffected`).
//! - All parts of a region hold if each does. Where one region must follow, its parts are asked about one
//!   by one (`case`), and whatever follows from a few premises follows wherever these are
//!   among others (`obligations`): who has a ticket is not asked again for each choice of the rest.

mod case;
mod describe;
mod finite_instance;
mod initial;
mod instantiated;
mod location_set;
mod property;
mod strengthen;
mod wellformed;

use crate::obligations::{Obligations, Transition};
use crate::{Means, refuse};
use case::{Case, Goal, InstantiatedViews, Premise};
use ccfa::semantics::System;
use ccfa::{Edge, EdgeId, LocId, LocKind, Location, Program};
use evidence::{Assertions, Reason};
use finite_instance::{FiniteInstance, instantiations_among};
use initial::InitialStates;
use instantiated::ViewFormulas;
use location_set::LocationSet;
use logic::Term;
use std::rc::Rc;

/// Do the assertions prove that the program has its property?
pub(crate) fn check(program: &Program, proof: &Assertions, means: Means) -> Result<(), Reason> {
    wellformed::check(program, proof)?;
    let finite = FiniteInstance::new(program, proof)?;
    let system = System::new(&finite.program, 0);
    let mut obligations = Obligations::new(&system, means);
    let initial = InitialStates::new(program, &finite, &system, &mut obligations);
    let formulas = |view| Rc::new(ViewFormulas::new(program, view, &mut obligations));
    let formulas = proof.views.iter().map(formulas).collect();
    let views = InstantiatedViews::new(obligations, formulas);
    let mut checker = AssertionsChecker { program, proof, finite: &finite, system, views };
    checker.strengthen_guards();
    for (number, view) in proof.views.iter().enumerate() {
        for instances in finite.instantiations(&checker.system, &view.slots)? {
            let view = checker.views.instantiate(number, &instances);
            checker.initially(view, &initial)?;
            checker.steps(view)?;
        }
    }
    checker.property()
}

struct AssertionsChecker<'a> {
    program: &'a Program,
    proof: &'a Assertions,
    finite: &'a FiniteInstance,
    /// Of the finite instance.
    system: System<'a>,
    views: InstantiatedViews<'a>,
}

/// A step of an instance, where the assertion of a view about its tracked threads must be kept.
struct TrackedStep<'s> {
    view: usize,
    formulas: &'s ViewFormulas,
    /// The tracked threads, and the mover if it is an environment thread.
    instances: &'s [usize],
    /// The position of the mover among them.
    mover: usize,
    edge: EdgeId,
    premises: &'s [Premise],
}

impl<'a> AssertionsChecker<'a> {
    /// (1)
    fn initially(&mut self, view: usize, initial: &InitialStates) -> Result<(), Reason> {
        self.tell_initiation(view);
        let (formulas, instances) = self.view(view);
        let entry = |instance: &usize| self.only(*instance, self.system.template(*instance).entry);
        let at: Vec<LocationSet> = instances.iter().map(entry).collect();
        let mut goals = Vec::new();
        for region in formulas.matching(&at.iter().collect::<Vec<_>>()) {
            let holds = self.views.region(view, region);
            let holds = initial.of_initial_state(&mut self.views.obligations, &holds);
            goals.push(Goal { at: Vec::new(), holds });
        }
        let case = Case { known: initial.known.clone(), premises: &[], goals };
        match self.views.follows(&case, &at)? {
            true => Ok(()),
            false => refuse(format!("{} need not hold initially", self.assertion(view))),
        }
    }

    /// (2)
    fn steps(&mut self, view: usize) -> Result<(), Reason> {
        let (formulas, tracked) = self.view(view);
        let mut movers: Vec<(Vec<usize>, usize)> =
            (0..tracked.len()).map(|mover| (tracked.to_vec(), mover)).collect();
        for other in self.finite.environment(&self.system, &tracked) {
            movers.push(([&tracked[..], &[other]].concat(), tracked.len()));
        }
        let parts = self.views.parts(view);
        for (instances, mover) in movers {
            let edges = (0..self.system.template(instances[mover]).edges.len() as u32).map(EdgeId);
            let may_skip = mover == tracked.len();
            let touches = |edge: &EdgeId| {
                !(may_skip && self.is_unaffected(&parts, (instances[mover], *edge)))
            };
            let edges: Vec<EdgeId> = edges.filter(touches).collect();
            if edges.is_empty() {
                continue;
            }
            let premises = self.premises(&instances, Some(view));
            for edge in edges {
                self.views.obligations.check_budget()?;
                let (instances, premises) = (&instances, &premises);
                let step =
                    TrackedStep { view, formulas: &formulas, instances, mover, edge, premises };
                self.keeps(&step)?;
            }
        }
        Ok(())
    }

    /// Do these formulas speak of nothing that the step changes?
    fn is_unaffected(&mut self, formulas: &[Term], transition: Transition) -> bool {
        let obligations = &mut self.views.obligations;
        formulas.iter().all(|formula| obligations.before(transition, *formula) == *formula)
    }

    /// The assertion holds after the step.
    fn keeps(&mut self, step: &TrackedStep) -> Result<(), Reason> {
        self.tell_step(step);
        let target = self.only(step.instances[step.mover], self.edge(step).target);
        for (region, at) in self.before(step) {
            let known = self.views.region(step.view, region);
            if step.is_environment_step() && self.is_unaffected(&known, step.transition()) {
                continue;
            }
            let slots = 0..step.formulas.slots();
            let after = slots.map(|slot| if slot == step.mover { &target } else { &at[slot] });
            let after: Vec<&LocationSet> = after.collect();
            let goals = self.goals_after(step, &after);
            let case = self.case(step, &known, goals);
            if !self.views.follows(&case, &at)? {
                let (what, step) = (self.assertion(step.view), self.describe(step));
                return refuse(format!("{what} need not hold after {step} in region {region}"));
            }
        }
        Ok(())
    }

    /// The regions that may hold after a step that leads to these locations, as goals before it.
    fn goals_after<'s>(&mut self, step: &TrackedStep<'s>, after: &[&LocationSet]) -> Vec<Goal<'s>> {
        let mut goals = Vec::new();
        for number in step.formulas.matching(after) {
            let at = step.formulas.regions[number].at.iter().enumerate();
            let at = at.filter(|(slot, _)| *slot != step.mover).collect();
            let mut holds = Vec::new();
            for part in self.views.region(step.view, number).iter() {
                let part = self.views.obligations.before(step.transition(), *part);
                holds.extend(self.views.obligations.terms().conjuncts(part));
            }
            goals.push(Goal { at, holds });
        }
        goals
    }

    /// What a step starts from: regions, each with the locations of the tracked threads and the mover.
    fn before(&self, step: &TrackedStep) -> Vec<(usize, Vec<LocationSet>)> {
        let may_be = |(number, instance): (usize, &usize)| match number == step.mover {
            true => self.may_be(*instance, true).and(&self.only(*instance, self.edge(step).source)),
            false => self.may_be(*instance, false),
        };
        let at: Vec<LocationSet> = step.instances.iter().enumerate().map(may_be).collect();
        if at.iter().any(LocationSet::is_empty) {
            return Vec::new();
        }
        let region = |region: usize| {
            let mut at = at.clone();
            for (at, there) in at.iter_mut().zip(&step.formulas.regions[region].at) {
                *at = at.and(there);
            }
            (region, at)
        };
        let slots = self.views.instantiated[step.view].instances.len();
        let of_slots: Vec<&LocationSet> = at[..slots].iter().collect();
        step.formulas.matching(&of_slots).into_iter().map(region).collect()
    }

    /// Where an instance may be when a step is taken: at a plain location, and at no
    /// atomic one unless it is the mover.
    fn may_be(&self, instance: usize, moves: bool) -> LocationSet {
        self.locations_where(instance, &|_, location| {
            location.kind == LocKind::Plain && (moves || !location.atomic)
        })
    }

    fn locations_where(
        &self,
        instance: usize,
        which: &dyn Fn(LocId, &Location) -> bool,
    ) -> LocationSet {
        let locations = &self.system.template(instance).locations;
        let all = (0..locations.len() as u32).map(LocId);
        LocationSet::of(locations.len(), all.filter(|at| which(*at, &locations[at.index()])))
    }

    fn case<'c>(&self, step: &TrackedStep<'c>, known: &[Term], goals: Vec<Goal<'c>>) -> Case<'c> {
        let enabled = self.views.obligations.enabled(step.transition());
        Case { known: [enabled, known].concat(), premises: step.premises, goals }
    }

    /// The assertions about these instances, but for one instantiated view.
    fn premises(&mut self, among: &[usize], but: Option<usize>) -> Vec<Premise> {
        let mut premises = Vec::new();
        for (number, view) in self.proof.views.iter().enumerate() {
            for instances in instantiations_among(&self.system, &view.slots, among) {
                let view = self.views.instantiate(number, &instances);
                let position = |instance: &usize| among.iter().position(|other| other == instance);
                let positions = instances.iter().filter_map(position).collect();
                if Some(view) != but {
                    premises.push(Premise { view, positions });
                }
            }
        }
        premises
    }

    fn view(&self, view: usize) -> (Rc<ViewFormulas>, Rc<[usize]>) {
        let view = &self.views.instantiated[view];
        (self.views.formulas[view.view].clone(), view.instances.clone())
    }

    fn only(&self, instance: usize, location: LocId) -> LocationSet {
        LocationSet::of(self.system.template(instance).locations.len(), [location])
    }

    fn anywhere(&self, instance: usize) -> LocationSet {
        self.locations_where(instance, &|_, _| true)
    }

    fn edge(&self, step: &TrackedStep) -> &Edge {
        &self.system.template(step.instances[step.mover]).edges[step.edge.index()]
    }
}

impl TrackedStep<'_> {
    fn transition(&self) -> Transition {
        (self.instances[self.mover], self.edge)
    }

    /// Is the mover an environment thread?
    fn is_environment_step(&self) -> bool {
        self.mover == self.formulas.slots()
    }
}
