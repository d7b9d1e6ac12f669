//! Step fusion (R. J. Lipton: Reduction, a method of proving properties of parallel programs. CACM 1975): steps
//! of a thread that other threads cannot tell apart from one step become one.
//!
//! A location between two steps goes if the two together are one step: its
//! location is atomic (so no other thread moves in between), or at most one of the two is
//! *visible* (touches a shared variable that another instance writes, or writes
//! one that another touches). The fused edge has the first guard and the
//! second one, seen after the first assignments. If the second step can block or be undefined, the fused
//! step waits *before* the first; if the first one writes visibly, others could tell, so they stay two.
//!
//! If deadlocks are asked for, a thread must not be able to stop between the two, whatever they do: the location is where it waits.
//!
//! Why that keeps what is reachable is argued, and checked again, in `check::reduction`. There all that the parts
//! of a fused step touch counts; so it counts here, even where the step as a whole does not need it any more.

use super::{TemplateScope, demand, size};
use ccfa::fold::{guard, refold};
use ccfa::sharing::{Sharing, instances};
use ccfa::{
    Assign, Edge, EdgeId, Expr, LocKind, Place, Rhs, Template, TemplateId, Type, Var, VarRef,
};
use evidence::Reduction;
use std::collections::HashMap;

/// The expressions of fused steps do not have more operators than this: each substitution may double them.
const MAX_OPERATORS: usize = 60;
/// Fused steps do not have more assignments than this, unless one of their
/// parts has: what engines ask about a step would grow with each fusion.
const MAX_ASSIGNS: usize = 40;

/// So many parts of guards are told apart to find out whether one of several always holds: more are as many questions, doubled each time.
const MAX_SPLITS: usize = 6;

/// Fuses steps in all templates. Stepwise: each access to a shared variable stays visible, and templates that
/// no thread runs keep all locations that are not atomic.
pub(super) fn fuse(reduction: &mut Reduction, stepwise: bool) {
    let program = &mut reduction.program;
    let sharing = Sharing::of(program, &|_, _| true);
    let shared = program.shared.clone();
    let may_wait = !program.property.deadlocks;
    for id in (0..program.templates.len() as u32).map(TemplateId) {
        let keeps_locations = stepwise && instances(program, id) == 0;
        let template = &mut program.templates[id.index()];
        let visible = |edge: &Edge| {
            let access = edge.read_write_sets();
            let (mut reads, mut writes) = (access.shared_reads(), access.shared_writes());
            let others_write = |var| stepwise || sharing.others_write(id, var);
            let others_read = |var| stepwise || sharing.others_read(id, var);
            Visible {
                reads: reads.any(others_write),
                writes: writes.any(|var| others_write(var) || others_read(var)),
            }
        };
        let steps = std::mem::take(&mut template.edges);
        let paths = std::mem::take(&mut reduction.templates[id.index()].paths);
        let steps = steps.into_iter().zip(paths).map(|(edge, path)| {
            let visible = visible(&edge);
            Some(FusedStep { edge, path, visible })
        });
        let steps = steps.collect();
        let fused = Fusion::new(&shared, template, steps, keeps_locations, may_wait).run();
        for step in fused {
            template.edges.push(step.edge);
            reduction.templates[id.index()].paths.push(step.path);
        }
    }
}

/// A step, the path that it stands for, and what others see of that.
struct FusedStep {
    edge: Edge,
    path: Vec<EdgeId>,
    visible: Visible,
}

/// Does it read, does it write something that others can notice?
#[derive(Clone, Copy, PartialEq, Eq)]
struct Visible {
    reads: bool,
    writes: bool,
}

impl Visible {
    const NOT: Visible = Visible { reads: false, writes: false };
    const BOTH: Visible = Visible { reads: true, writes: true };

    fn or(self, other: Visible) -> Visible {
        Visible { reads: self.reads || other.reads, writes: self.writes || other.writes }
    }
}

struct Fusion<'a> {
    shared: &'a [Var],
    template: &'a Template,
    /// Those that were replaced are gone.
    steps: Vec<Option<FusedStep>>,
    into: Vec<Vec<usize>>,
    from: Vec<Vec<usize>>,
    /// Do all locations stay that are not atomic?
    keeps_locations: bool,
    /// Does it not matter whether a thread waits before a step or in it? (No deadlocks are asked for.)
    may_wait: bool,
}

impl<'a> Fusion<'a> {
    fn new(
        shared: &'a [Var],
        template: &'a Template,
        steps: Vec<Option<FusedStep>>,
        keeps_locations: bool,
        may_wait: bool,
    ) -> Self {
        let locations = template.locations.len();
        let (mut into, mut from) = (vec![Vec::new(); locations], vec![Vec::new(); locations]);
        for (number, step) in steps.iter().flatten().enumerate() {
            into[step.edge.target.index()].push(number);
            from[step.edge.source.index()].push(number);
        }
        Fusion { shared, template, steps, into, from, keeps_locations, may_wait }
    }

    fn run(mut self) -> Vec<FusedStep> {
        let mut waiting: Vec<usize> = (0..self.template.locations.len()).rev().collect();
        while let Some(location) = waiting.pop() {
            if let Some(fused) = self.try_fuse(location) {
                waiting.extend(self.replace(location, fused));
            }
        }
        self.steps.into_iter().flatten().collect()
    }

    /// The steps that replace all steps at a location, if it can go.
    fn try_fuse(&self, location: usize) -> Option<Vec<FusedStep>> {
        let here = &self.template.locations[location];
        let (into, from) = (&self.into[location], &self.from[location]);
        let is_entry = self.template.entry.index() == location;
        if here.kind != LocKind::Plain || is_entry || into.is_empty() || from.is_empty() {
            return None;
        }
        if into.len() > 1 && from.len() > 1 || into.iter().any(|step| from.contains(step)) {
            return None;
        }
        let followers: Vec<&FusedStep> = from.iter().map(|step| self.step(*step)).collect();
        if self.is_failure(&followers) {
            return None;
        }
        let mut fused = Vec::new();
        for first in into.iter().map(|step| self.step(*step)) {
            let may_follow = here.atomic && self.may_wait || self.may_follow(first, &followers);
            if !may_follow || !here.atomic && self.keeps_locations {
                return None;
            }
            for second in &followers {
                fused.push(self.compose(first, second)?);
            }
        }
        Some(fused)
    }

    /// Do all of several steps end where nothing goes on? Then the location before them tells apart why
    /// something fails: a proof that it does not excludes one step to here, not one for each of them.
    fn is_failure(&self, followers: &[&FusedStep]) -> bool {
        let ends = |step: &&FusedStep| {
            self.template.locations[step.edge.target.index()].kind != LocKind::Plain
        };
        followers.len() > 1 && followers.iter().all(ends)
    }

    fn step(&self, number: usize) -> &FusedStep {
        self.steps[number].as_ref().expect("listed steps exist")
    }

    /// May these steps be fused with `first` though others can move in between?
    fn may_follow(&self, first: &FusedStep, followers: &[&FusedStep]) -> bool {
        let visible = self.visible(first);
        let is_atomic = self.template.locations[first.edge.target.index()].atomic;
        if !is_atomic
            && visible != Visible::NOT
            && followers.iter().any(|step| self.visible(step) != Visible::NOT)
        {
            return false;
        }
        !visible.writes && self.may_wait
            || is_total(followers) && followers.iter().all(|step| !self.may_fail(&step.edge))
    }

    /// What others see of a step. One at the border of an atomic section stands for all that
    /// the section does.
    fn visible(&self, step: &FusedStep) -> Visible {
        let is_atomic = |at: &ccfa::LocId| self.template.locations[at.index()].atomic;
        match [step.edge.source, step.edge.target].iter().any(is_atomic) {
            true => Visible::BOTH,
            false => step.visible,
        }
    }

    fn scope(&self) -> TemplateScope<'_> {
        TemplateScope { shared: self.shared, template: self.template }
    }

    /// Can what a step computes be undefined?
    fn may_fail(&self, edge: &Edge) -> bool {
        let fails = |expr: &Expr| self.scope().may_be_undefined(expr);
        fails(&edge.guard)
            || edge.assigns.iter().flat_map(demand::computed).any(|value| fails(&value))
    }

    /// One step that does `first` and then `second`, if that can be written down.
    fn compose(&self, first: &FusedStep, second: &FusedStep) -> Option<FusedStep> {
        let span = match self.visible(first) {
            Visible::NOT => second.edge.span.or(first.edge.span),
            _ => first.edge.span,
        };
        let call = match span == first.edge.span {
            true => first.edge.call.or(second.edge.call),
            false => second.edge.call.or(first.edge.call),
        };
        Some(FusedStep {
            edge: Edge { span, call, ..self.composed(&first.edge, &second.edge)? },
            path: [&first.path[..], &second.path].concat(),
            visible: first.visible.or(second.visible),
        })
    }

    /// One edge that does `first` and then `second`, if that can be written down.
    fn composed(&self, first: &Edge, second: &Edge) -> Option<Edge> {
        // A guard that is far too large now will hardly fold to a small one.
        if [first, second].iter().any(|edge| size(&edge.guard) > 2 * MAX_OPERATORS) {
            return None;
        }
        let type_of = self.scope().types();
        let after = After::new(first);
        let mut guard = guard(first.guard.clone(), after.seen(&second.guard, &type_of)?);
        if size(&guard) > MAX_OPERATORS {
            return None;
        }
        let assigns = after.assigns(second, &type_of)?;
        let mut kept = Vec::new();
        let mut lost = Vec::new();
        for assign in &first.assigns {
            match overwritten(assign, &assigns)? {
                false => kept.push(assign.clone()),
                true => lost.extend(demand::computed(assign)),
            }
        }
        kept.extend(assigns);
        let larger = first.assigns.len().max(second.assigns.len());
        if kept.len() > MAX_ASSIGNS.max(larger) {
            return None;
        }
        demand::defined(&mut guard, &kept, &lost, self.scope());
        let parts = kept.iter().map(|assign| match &assign.value {
            Rhs::Expr(value) => size(value),
            Rhs::Havoc => 1,
        });
        if parts.max().unwrap_or(0).max(size(&guard)) > MAX_OPERATORS {
            return None;
        }
        let mut small =
            |index: &Expr| after.seen(index, &type_of).filter(|i| size(i) <= MAX_OPERATORS);
        let later = second.accesses.iter().map(|access| access.map_index(&mut small));
        let accesses = first.accesses.iter().cloned().chain(later).collect();
        let fused = Edge::new(first.source, second.target, guard, kept);
        Some(Edge { accesses, ..fused })
    }

    /// Puts the fused steps in; the locations around it may now go as well.
    fn replace(&mut self, location: usize, fused: Vec<FusedStep>) -> Vec<usize> {
        let old: Vec<usize> =
            self.into[location].drain(..).chain(self.from[location].drain(..)).collect();
        let mut around = Vec::new();
        for number in old {
            let Some(FusedStep { edge, .. }) = self.steps[number].take() else { continue };
            self.from[edge.source.index()].retain(|other| *other != number);
            self.into[edge.target.index()].retain(|other| *other != number);
        }
        // (Where a thread waits for ever matters to deadlocks: which edges go then, `prune` decides.)
        let stays = |step: &FusedStep| !self.may_wait || step.edge.guard != Expr::FALSE;
        let fused: Vec<FusedStep> = fused.into_iter().filter(stays).collect();
        for step in fused {
            let number = self.steps.len();
            let (source, target) = (step.edge.source.index(), step.edge.target.index());
            self.from[source].push(number);
            self.into[target].push(number);
            around.extend([source, target]);
            self.steps.push(Some(step));
        }
        around
    }
}

/// Is one of these steps always enabled, as far as guards go?
fn is_total(steps: &[&FusedStep]) -> bool {
    let is_negation = |a: &Expr, b: &Expr| Expr::negate(a.clone()) == *b;
    if let [a, b] = steps.iter().map(|step| &step.edge.guard).collect::<Vec<_>>()[..]
        && (is_negation(a, b) || is_negation(b, a))
    {
        return true;
    }
    let parts = |step: &&FusedStep| {
        let parts = step.edge.guard.conjuncts().into_iter().filter(|part| **part != Expr::TRUE);
        parts.cloned().collect()
    };
    is_tautology(&steps.iter().map(parts).collect::<Vec<_>>(), MAX_SPLITS)
}

/// Do these conjunctions cover all cases? Decided by cases: a part of one of them holds, or its negation does.
fn is_tautology(conjunctions: &[Vec<Expr>], splits: usize) -> bool {
    if conjunctions.iter().any(Vec::is_empty) {
        return true;
    }
    let Some(part) = conjunctions.first().and_then(|parts| parts.first()) else { return false };
    let negated = Expr::negate(part.clone());
    let under = |holds: &Expr, fails: &Expr| -> Vec<Vec<Expr>> {
        let possible = conjunctions.iter().filter(|parts| !parts.contains(fails));
        let rest = |parts: &Vec<Expr>| parts.iter().filter(|p| *p != holds).cloned().collect();
        possible.map(rest).collect()
    };
    splits > 0
        && is_tautology(&under(part, &negated), splits - 1)
        && is_tautology(&under(&negated, part), splits - 1)
}

/// Is an earlier assignment overwritten by later ones? `None` if that cannot be told.
fn overwritten(earlier: &Assign, later: &[Assign]) -> Option<bool> {
    for assign in later {
        match (&earlier.place, &assign.place) {
            (Place::Var(a), Place::Var(b)) if a == b => return Some(true),
            (Place::Element(a, _), Place::Var(b)) if a == b => return Some(true),
            (Place::Var(a), Place::Element(b, _)) if a == b => return None,
            (Place::Element(a, i), Place::Element(b, j)) if a == b => match (i, j) {
                (Expr::Const(i, _), Expr::Const(j, _)) if i != j => {}
                (Expr::Const(..), Expr::Const(..)) => return Some(true),
                _ => return None,
            },
            _ => {}
        }
    }
    Some(false)
}

/// What variables hold after a step, in terms of what they held before.
struct After<'e> {
    scalars: HashMap<VarRef, &'e Rhs>,
    elements: HashMap<VarRef, Vec<(&'e Expr, &'e Rhs)>>,
}

impl<'e> After<'e> {
    fn new(edge: &'e Edge) -> After<'e> {
        let mut after = After { scalars: HashMap::new(), elements: HashMap::new() };
        for assign in &edge.assigns {
            match &assign.place {
                Place::Var(var) => {
                    after.scalars.insert(*var, &assign.value);
                }
                Place::Element(var, index) => {
                    after.elements.entry(*var).or_default().push((index, &assign.value))
                }
            }
        }
        after
    }

    /// The assignments of an edge that is taken after the step, as assignments before it.
    fn assigns(&self, edge: &Edge, type_of: &impl Fn(VarRef) -> Type) -> Option<Vec<Assign>> {
        let assign = |assign: &Assign| {
            let place = match &assign.place {
                Place::Var(var) => Place::Var(*var),
                Place::Element(var, index) => Place::Element(*var, self.seen(index, type_of)?),
            };
            let value = match &assign.value {
                Rhs::Havoc => Rhs::Havoc,
                Rhs::Expr(value) => Rhs::Expr(self.seen(value, type_of)?),
            };
            Some(Assign { place, value })
        };
        edge.assigns.iter().map(assign).collect()
    }

    /// An expression evaluated after the step, as one evaluated before it.
    fn seen(&self, expr: &Expr, type_of: &impl Fn(VarRef) -> Type) -> Option<Expr> {
        let mut possible = true;
        let replaced = expr.map_reads(&mut |read| match self.value(&read, type_of) {
            Some(value) => value,
            None => {
                possible = false;
                read
            }
        });
        possible.then(|| refold(&replaced))
    }

    /// What a read gives after the step; `None` if that cannot be written down.
    fn value(&self, read: &Expr, type_of: &impl Fn(VarRef) -> Type) -> Option<Expr> {
        match read {
            Expr::Var(var) => match self.scalars.get(var) {
                None => Some(read.clone()),
                Some(Rhs::Expr(value)) => Some(value.clone()),
                Some(Rhs::Havoc) => None,
            },
            Expr::Index(var, _) if self.scalars.contains_key(var) => None,
            Expr::Index(var, index) => {
                let mut value = read.clone();
                for (written, rhs) in self.elements.get(var).into_iter().flatten() {
                    let same = match (&**index, written) {
                        (Expr::Const(a, _), Expr::Const(b, _)) => {
                            Expr::Const(i128::from(a == b), Type::Bool)
                        }
                        (a, b) if a.ty(type_of) == b.ty(type_of) => {
                            Expr::eq(a.clone(), (*b).clone())
                        }
                        _ => return None,
                    };
                    value = match (same, rhs) {
                        (Expr::FALSE, _) => value,
                        (same, Rhs::Expr(new)) => Expr::ite(same, new.clone(), value),
                        (_, Rhs::Havoc) => return None,
                    };
                }
                Some(value)
            }
            other => Some(other.clone()),
        }
    }
}
