//! Checks assertions about threads in view, condition by condition (`evidence::Assertions`).
//!
//! POPL'11, Figure 5 (proof rule REACHENV) and the soundness part of Theorem 1. What differs:
//! an assertion may speak of several instances, and it speaks of *any* instances of a
//! thread, so that one proof is good for every number of them; environment transitions may be
//! left out, and then each step of another is looked at by itself (Owicki and Gries).
//!
//! # What is shown
//!
//! To *fill* a view is to choose an instance for each of its slots: an instance of the slot's
//! thread, the one with the slot's index if it has one, and all of them different. A view *holds*
//! in a state if for each way to fill it, one of its regions holds of the instances chosen: each
//! is at one of the region's locations for it, and all formulas are defined and true. *Bad* is a
//! state with an instance at an error or a gap. For each view V, we check of instances that fill it
//!
//! - **(1)** (CS1) a region of V holds of them in every initial state;
//! - **(2)** (CS2, and CS3 with CS4 where V has no environment) if a region of V holds of them,
//!   and one of them or any other instance takes a step, then a region of V holds of them
//!   afterwards. If V has an environment, only steps of the first of them, the owner, are
//!   looked at here, and instead
//! - **(3)** (CS3) if a region of V holds of them, and then one of them that is not the
//!   owner or an instance that is none of them makes one of the changes, a region of V holds of them
//!   afterwards. To *make a change* means: before, those in view are at locations of `from`; the
//!   location and the locals of all of them but the one who makes it stay as they are, and so do the
//!   variables that are not in `writes`; afterwards all but the owner are at locations of `to`; and the
//!   formulas of the change hold;
//! - **(4)** (CS4) if a region of V holds of them, and an instance that is not the owner takes
//!   a step, then it makes one of the changes, or it changes no location and no variable in view;
//!
//! and of every thread
//!
//! - **(5)** (CS5) if an instance is at an error or a gap, the views cannot all hold.
//!
//! In (2) to (4) we may assume, before the step, that
//!
//! - **(a)** whoever moves is at the source of the edge, which is enabled;
//! - **(b)** none of the others in view is at an atomic location: who is keeps all others from moving;
//! - **(c)** all views hold of those *in sight*, in whatever way these can fill them: the instances
//!   that fill V, and in (2) and (4) the one who moves;
//! - **(d)** nobody in sight is at an error or a gap.
//!
//! # Why no bad state is reachable
//!
//! Suppose one is, with some number of copies of each thread of which there may be any number.
//! It is also reachable with more copies: those that are added stay where they start, which is at no
//! atomic location, so they keep nobody from moving; the arguments of an instance depend on its index
//! alone. So let there be so many that every view can be filled around every instance. (Of a
//! thread with a certain number of instances no view has more slots, which is checked, too.)
//!
//! Claim: in every reachable state, all views hold. In an initial state they do, by (1). Let
//! all views hold in *s*, and let an instance *m* step from *s* to *s'*. By (5), *s* is not bad: (d).
//! Take a view V and instances that fill it. A region of V holds of them in *s*. (a) and (b) hold
//! since *m* can move, (c) since all views hold in *s*. If V has no environment, or if *m* is
//! the owner, a region of V holds of them in *s'*, by (2). Otherwise by (4) either nothing in view has
//! changed, and the same region holds still; or *m* has made one of the changes, in the
//! sense of (3), since a step changes the location and the locals of nobody but *m*. By (3) a
//! region of V holds of them in *s'*. With (5), no reachable state is bad. ∎
//!
//! # Why it is enough to look at the stage
//!
//! The conditions speak of every choice of instances, and there may be any number of them. But what
//! they say of instances depends on nothing but the threads they belong to and which of them are
//! the same: symbols stand for the variables of each. So of each thread that is not *named* (see
//! `stage`), its first instances stand for any that are different, and one more
//! for any that is in none of their places. Only the initial values of arguments depend on the
//! index; there the index is left open (see `start`). Instances that are named are
//! looked at one by one.
//!
//! # How it is fast enough
//!
//! How one condition is decided for many locations at once is argued in `case`. Leaving out
//! something that might be assumed does no harm: the checker does so where there is
//! too much of it. Three things save most of the questions:
//! - What all regions of a view say of a slot, at the source of an edge, holds whenever the one in that
//!   slot takes the edge (`introduce`). So it is as good as a part of the guard, and a
//!   variable that has a certain value there may be replaced by it in the step: a step
//!   of philosopher 7 takes fork 7, not fork `left`.
//! - A step of one who is not in view changes nothing in view but shared variables. If all formulas
//!   of the regions of V stay what they are when what the step assigns is put in the place of the
//!   variables, then the same region holds afterwards: (2) (`leaves`).
//! - All parts of a region hold if each does. Where one region must follow, its parts are asked about one
//!   by one (`case`), and whatever follows from a few premises follows wherever these are
//!   among others (`obligations`): who has a ticket is not asked again for each choice of the rest.

mod case;
mod environment;
mod introduce;
mod places;
mod scene;
mod stage;
mod start;
mod wellformed;

use crate::obligations::{Mover, Obligations};
use crate::{Stop, refuse};
use case::{Case, Goal, Saying, Script};
use ccfa::semantics::System;
use ccfa::text::location_name;
use ccfa::{Edge, EdgeId, LocId, LocKind, Program};
use evidence::{Assertions, Reason};
use logic::Term;
use places::Places;
use scene::Statement;
use stage::{Stage, ways};
use start::Start;
use std::rc::Rc;

/// Do the assertions prove that no error and no gap is reachable?
pub(crate) fn check(program: &Program, proof: &Assertions, stop: &Stop) -> Result<(), Reason> {
    wellformed::check(program, proof)?;
    let stage = Stage::new(program, proof)?;
    let system = System::new(&stage.program, 0);
    let mut obligations = Obligations::new(&system, stop);
    let start = Start::new(program, &stage, &system, &mut obligations);
    let statement = |view| Rc::new(Statement::new(program, view, &mut obligations));
    let statements = proof.views.iter().map(statement).collect();
    let script = Script::new(obligations, statements);
    let mut checker = Checker { program, proof, stage: &stage, system, script };
    checker.introduce();
    for (number, view) in proof.views.iter().enumerate() {
        for actors in stage.castings(&checker.system, &view.slots)? {
            let scene = checker.script.scene(number, &actors);
            checker.initially(scene, &start)?;
            checker.steps(scene)?;
            checker.changes(scene)?;
        }
    }
    checker.errors()
}

struct Checker<'a> {
    program: &'a Program,
    proof: &'a Assertions,
    stage: &'a Stage,
    /// Of the program on the stage.
    system: System<'a>,
    script: Script<'a>,
}

/// Who moves along which edge, before whose eyes.
struct Step<'s> {
    scene: usize,
    statement: &'s Statement,
    /// Those in the scene, and the one who moves if it is not one of them.
    sight: &'s [usize],
    /// The number of the one who moves among them.
    who: usize,
    edge: EdgeId,
    sayings: &'s [Saying],
}

impl<'a> Checker<'a> {
    /// (1)
    fn initially(&mut self, scene: usize, start: &Start) -> Result<(), Reason> {
        let (statement, actors) = self.scene(scene);
        let entry = |actor: &usize| self.only(*actor, self.system.template(*actor).entry);
        let places: Vec<Places> = actors.iter().map(entry).collect();
        let mut goals = Vec::new();
        for region in statement.matching(&places.iter().collect::<Vec<_>>()) {
            let holds = self.script.region(scene, region);
            let holds = start.at_start(&mut self.script.obligations, &holds);
            goals.push(Goal { at: Vec::new(), holds });
        }
        let case = Case { known: start.known.clone(), sayings: &[], goals };
        match self.script.follows(&case, &places)? {
            true => Ok(()),
            false => refuse(format!("{} need not hold initially", self.assertion(scene))),
        }
    }

    /// (2) and (4)
    fn steps(&mut self, scene: usize) -> Result<(), Reason> {
        let (statement, actors) = self.scene(scene);
        let mut movers: Vec<(Vec<usize>, usize)> =
            (0..actors.len()).map(|who| (actors.to_vec(), who)).collect();
        for other in self.stage.others(&self.system, &actors) {
            movers.push(([&actors[..], &[other]].concat(), actors.len()));
        }
        let parts = self.script.parts(scene);
        for (sight, who) in movers {
            let edges = (0..self.system.template(sight[who]).edges.len() as u32).map(EdgeId);
            let may_skip = who == actors.len() && statement.changes.is_none();
            let touches = |edge: &EdgeId| !(may_skip && self.leaves(&parts, (sight[who], *edge)));
            let edges: Vec<EdgeId> = edges.filter(touches).collect();
            if edges.is_empty() {
                continue;
            }
            let sayings = self.sayings(&sight, Some(scene));
            for edge in edges {
                self.script.obligations.go_on()?;
                let (sight, sayings) = (&sight, &sayings);
                let step = Step { scene, statement: &statement, sight, who, edge, sayings };
                match &statement.changes {
                    Some(changes) if who > 0 => self.is_foreseen(&step, changes)?,
                    _ => self.keeps(&step)?,
                }
            }
        }
        Ok(())
    }

    /// Do these formulas hold after the step exactly if they do before, as they stand?
    fn leaves(&mut self, formulas: &[Term], mover: Mover) -> bool {
        let obligations = &mut self.script.obligations;
        formulas.iter().all(|formula| obligations.before(mover, *formula) == *formula)
    }

    /// (2): the assertion holds after the step.
    fn keeps(&mut self, step: &Step) -> Result<(), Reason> {
        let target = self.only(step.sight[step.who], self.edge(step).target);
        for (region, places) in self.before(step) {
            let known = self.script.region(step.scene, region);
            if step.is_outside() && self.leaves(&known, step.mover()) {
                continue;
            }
            let slots = 0..step.statement.slots();
            let after = slots.map(|slot| if slot == step.who { &target } else { &places[slot] });
            let after: Vec<&Places> = after.collect();
            let goals = self.goals_after(step, &after);
            let case = self.case(step, &known, goals);
            if !self.script.follows(&case, &places)? {
                return refuse(format!(
                    "{} need not hold after {} in region {region}",
                    self.assertion(step.scene),
                    self.describe(step)
                ));
            }
        }
        Ok(())
    }

    /// The regions that may hold after a step that leads to these places, as goals before it.
    fn goals_after<'s>(&mut self, step: &Step<'s>, after: &[&Places]) -> Vec<Goal<'s>> {
        let mut goals = Vec::new();
        for number in step.statement.matching(after) {
            let at = step.statement.regions[number].at.iter().enumerate();
            let at = at.filter(|(slot, _)| *slot != step.who).collect();
            let mut holds = Vec::new();
            for part in self.script.region(step.scene, number).iter() {
                let part = self.script.obligations.before(step.mover(), *part);
                holds.extend(self.script.obligations.terms().conjuncts(part));
            }
            goals.push(Goal { at, holds });
        }
        goals
    }

    /// (5)
    fn errors(&mut self) -> Result<(), Reason> {
        for actor in self.stage.others(&self.system, &[]) {
            let mut sight: Vec<usize> = (0..self.system.instances.len()).collect();
            sight.swap(0, actor);
            let all = self.sayings(&sight, None);
            let own: Vec<Saying> = all.iter().filter(|s| s.players.contains(&0)).cloned().collect();
            let anywhere =
                |actor: &usize| Places::said(self.system.template(*actor).locations.len(), &None);
            let mut places: Vec<Places> = sight.iter().map(anywhere).collect();
            for location in self.bad_locations(actor) {
                places[0] = self.only(actor, location);
                let mut excludes = |sayings| {
                    let case = Case { known: Vec::new(), sayings, goals: Vec::new() };
                    self.script.follows(&case, &places)
                };
                if !excludes(&own)? && !excludes(&all)? {
                    let template = self.system.template(actor);
                    return refuse(format!(
                        "{} may be at {}, an error or a gap",
                        self.program.threads[self.system.instances[actor].thread.index()].name,
                        location_name(template, location)
                    ));
                }
            }
        }
        Ok(())
    }

    fn bad_locations(&self, actor: usize) -> Vec<LocId> {
        let locations = self.system.template(actor).locations.iter().enumerate();
        let bad = locations.filter(|(_, location)| location.kind != LocKind::Plain);
        bad.map(|(number, _)| LocId(number as u32)).collect()
    }

    /// What a step starts from: regions, each with the places of those in sight.
    fn before(&self, step: &Step) -> Vec<(usize, Vec<Places>)> {
        let may_be = |(number, actor): (usize, &usize)| match number == step.who {
            true => self.may_be(*actor, true).and(&self.only(*actor, self.edge(step).source)),
            false => self.may_be(*actor, false),
        };
        let places: Vec<Places> = step.sight.iter().enumerate().map(may_be).collect();
        if places.iter().any(Places::is_empty) {
            return Vec::new();
        }
        let region = |region: usize| {
            let mut places = places.clone();
            for (places, at) in places.iter_mut().zip(&step.statement.regions[region].at) {
                *places = places.and(at);
            }
            (region, places)
        };
        let slots = self.script.scenes[step.scene].actors.len();
        let of_slots: Vec<&Places> = places[..slots].iter().collect();
        step.statement.matching(&of_slots).into_iter().map(region).collect()
    }

    /// Where an instance may be when someone moves: at no error and no gap, and at no
    /// atomic location unless it is the one.
    fn may_be(&self, actor: usize, moves: bool) -> Places {
        let locations = &self.system.template(actor).locations;
        let may_be = |location: &ccfa::Location| {
            location.kind == LocKind::Plain && (moves || !location.atomic)
        };
        let numbers = (0..locations.len() as u32).map(LocId);
        Places::of(locations.len(), numbers.filter(|n| may_be(&locations[n.index()])))
    }

    fn case<'c>(&self, step: &Step<'c>, known: &[Term], goals: Vec<Goal<'c>>) -> Case<'c> {
        let enabled = self.script.obligations.enabled(step.mover());
        Case { known: [enabled, known].concat(), sayings: step.sayings, goals }
    }

    /// All that the views say about those in sight, but for one scene.
    fn sayings(&mut self, sight: &[usize], but: Option<usize>) -> Vec<Saying> {
        let mut sayings = Vec::new();
        for (number, view) in self.proof.views.iter().enumerate() {
            for actors in ways(&self.system, &view.slots, sight) {
                let scene = self.script.scene(number, &actors);
                let player = |actor: &usize| sight.iter().position(|other| other == actor);
                let players = actors.iter().filter_map(player).collect();
                if Some(scene) != but {
                    sayings.push(Saying { scene, players });
                }
            }
        }
        sayings
    }

    fn scene(&self, scene: usize) -> (Rc<Statement>, Rc<[usize]>) {
        let scene = &self.script.scenes[scene];
        (self.script.statements[scene.view].clone(), scene.actors.clone())
    }

    fn only(&self, actor: usize, location: LocId) -> Places {
        Places::of(self.system.template(actor).locations.len(), [location])
    }

    fn edge(&self, step: &Step) -> &Edge {
        &self.system.template(step.sight[step.who]).edges[step.edge.index()]
    }

    /// The assertion of a scene, for people.
    fn assertion(&self, scene: usize) -> String {
        let number = self.script.scenes[scene].view;
        let view = &self.proof.views[number];
        let name = |slot| view.slot_name(self.program, slot);
        let names: Vec<String> = (0..view.slots.len()).map(name).collect();
        format!("view {number} of {}", names.join(", "))
    }

    /// A step, for people.
    fn describe(&self, step: &Step) -> String {
        let actor = step.sight[step.who];
        let instance = self.system.instances[actor];
        let view = &self.proof.views[self.script.scenes[step.scene].view];
        let name = match self.stage.named[instance.thread.index()] {
            _ if !step.is_outside() => view.slot_name(self.program, step.who),
            true => self.program.instance_name(instance),
            false => format!("another {}", self.program.threads[instance.thread.index()].name),
        };
        let template = self.system.template(actor);
        let edge = self.edge(step);
        let (from, to) =
            (location_name(template, edge.source), location_name(template, edge.target));
        format!("{name}: {from} -> {to}")
    }
}

impl Step<'_> {
    fn mover(&self) -> Mover {
        (self.sight[self.who], self.edge)
    }

    /// Is the one who moves not in the scene?
    fn is_outside(&self) -> bool {
        self.who == self.statement.slots()
    }
}
