//! Joins steps that other threads cannot tell apart.
//!
//! A location between two steps goes if the two together are one step: its
//! location is atomic (so nobody moves in between), or at most one of the two is
//! *visible* (touches a shared variable that another thread writes, or writes
//! one that another thread touches). The joined edge has the first guard and the
//! second one, seen after the first assignments.
//!
//! Why that keeps what is reachable: in every interleaving an invisible step can
//! be moved next to its visible neighbour of the same thread. If the second step
//! can block or be undefined, the joined step waits *before* the first; that is
//! another state of this thread, but not for the others, unless the first step
//! wrote something visible: then they are not joined. In an atomic section a
//! thread that blocks stops everything, so nothing is lost by not entering.
//!
//! For conformance every access to a shared variable counts as visible, and an
//! abstract thread keeps all its locations but the atomic ones.

use super::{Scope, demand, refold, size};
use crate::lower::fold;
use crate::{ABSTRACT_PREFIX, Purpose};
use ccfa::{
    Assign, Count, Edge, Expr, LocKind, Place, Program, Rhs, SharedId, Template, Type, Var, VarRef,
};
use std::collections::HashMap;

/// The expressions of joined steps do not become larger than this.
const MAX_SIZE: usize = 60;
/// Joined steps do not have more assignments than this, unless one of their
/// parts has.
const MAX_ASSIGNS: usize = 40;

/// Joins steps in all templates.
pub fn compress(program: &mut Program, purpose: Purpose) {
    let visibility = Visibility::of(program, purpose);
    let shared = program.shared.clone();
    for (number, template) in program.templates.iter_mut().enumerate() {
        Joiner::new(&shared, &visibility, number, template).run();
    }
}

/// Which accesses to shared variables other threads can notice.
struct Visibility {
    /// By shared variable: templates that read it, templates that write it.
    readers: Vec<Vec<usize>>,
    writers: Vec<Vec<usize>>,
    /// Is there only one thread of a template?
    single: Vec<bool>,
    /// What the model is for.
    purpose: Purpose,
}

impl Visibility {
    fn of(program: &Program, purpose: Purpose) -> Visibility {
        let mut readers = vec![Vec::new(); program.shared.len()];
        let mut writers = readers.clone();
        for (number, template) in program.templates.iter().enumerate() {
            for edge in &template.edges {
                let access = edge.read_write_sets();
                access.shared_reads().for_each(|id| readers[id.index()].push(number));
                access.shared_writes().for_each(|id| writers[id.index()].push(number));
            }
        }
        for templates in readers.iter_mut().chain(&mut writers) {
            templates.dedup();
        }
        let single = (0..program.templates.len()).map(|template| {
            let mut threads =
                program.threads.iter().filter(|thread| thread.template.index() == template);
            threads.next().is_none_or(|thread| thread.count == Count::Exactly(1))
                && threads.next().is_none()
        });
        Visibility { readers, writers, single: single.collect(), purpose }
    }

    fn others(&self, template: usize, users: &[usize]) -> bool {
        self.purpose == Purpose::Conformance
            || users.iter().any(|user| *user != template || !self.single[template])
    }

    fn read(&self, template: usize, id: SharedId) -> bool {
        self.others(template, &self.writers[id.index()])
    }

    fn write(&self, template: usize, id: SharedId) -> bool {
        self.others(template, &self.writers[id.index()])
            || self.others(template, &self.readers[id.index()])
    }
}

struct Joiner<'a> {
    shared: &'a [Var],
    visibility: &'a Visibility,
    number: usize,
    template: &'a mut Template,
    edges: Vec<Option<Edge>>,
    into: Vec<Vec<usize>>,
    from: Vec<Vec<usize>>,
}

impl<'a> Joiner<'a> {
    fn new(
        shared: &'a [Var],
        visibility: &'a Visibility,
        number: usize,
        template: &'a mut Template,
    ) -> Self {
        let locations = template.locations.len();
        let (mut into, mut from) = (vec![Vec::new(); locations], vec![Vec::new(); locations]);
        for (number, edge) in template.edges.iter().enumerate() {
            into[edge.target.index()].push(number);
            from[edge.source.index()].push(number);
        }
        let edges = std::mem::take(&mut template.edges).into_iter().map(Some).collect();
        Joiner { shared, visibility, number, template, edges, into, from }
    }

    fn run(mut self) {
        let mut waiting: Vec<usize> = (0..self.template.locations.len()).rev().collect();
        while let Some(location) = waiting.pop() {
            if let Some(joined) = self.try_join(location) {
                waiting.extend(self.replace(location, joined));
            }
        }
        self.template.edges = self.edges.into_iter().flatten().collect();
    }

    /// The edges that replace all edges at a location, if it can go.
    fn try_join(&self, location: usize) -> Option<Vec<Edge>> {
        let here = &self.template.locations[location];
        let (into, from) = (&self.into[location], &self.from[location]);
        let is_entry = self.template.entry.index() == location;
        let is_abstract = self.is_abstract();
        if here.kind != LocKind::Plain || is_entry || into.is_empty() || from.is_empty() {
            return None;
        }
        if into.len() > 1 && from.len() > 1 || into.iter().any(|edge| from.contains(edge)) {
            return None;
        }
        let followers: Vec<&Edge> = from.iter().map(|edge| self.edge(*edge)).collect();
        let mut joined = Vec::new();
        for first in into.iter().map(|edge| self.edge(*edge)) {
            if !here.atomic && (is_abstract || !self.may_follow(first, &followers)) {
                return None;
            }
            for second in &followers {
                joined.push(self.compose(first, second)?);
            }
        }
        Some(joined)
    }

    fn is_abstract(&self) -> bool {
        self.visibility.purpose == Purpose::Conformance
            && self.template.name.starts_with(ABSTRACT_PREFIX)
    }

    fn edge(&self, number: usize) -> &Edge {
        self.edges[number].as_ref().expect("listed edges exist")
    }

    /// May these steps be joined to `first` though others can move in between?
    fn may_follow(&self, first: &Edge, followers: &[&Edge]) -> bool {
        let (reads, writes) = self.visible(first);
        if (reads || writes) && followers.iter().any(|edge| self.visible(edge) != (false, false)) {
            return false;
        }
        !writes || is_total(followers) && followers.iter().all(|edge| !self.may_fail(edge))
    }

    /// Does it read, does it write something that others can notice? A step at
    /// the border of an atomic section stands for all that the section does.
    fn visible(&self, edge: &Edge) -> (bool, bool) {
        if [edge.source, edge.target].iter().any(|at| self.template.locations[at.index()].atomic) {
            return (true, true);
        }
        let access = edge.read_write_sets();
        let reads = access.shared_reads().any(|id| self.visibility.read(self.number, id));
        let writes = access.shared_writes().any(|id| self.visibility.write(self.number, id));
        (reads, writes)
    }

    fn scope(&self) -> Scope<'_> {
        Scope { shared: self.shared, template: self.template }
    }

    /// Can what a step computes be undefined?
    fn may_fail(&self, edge: &Edge) -> bool {
        let fails = |expr: &Expr| self.scope().may_be_undefined(expr);
        fails(&edge.guard)
            || edge.assigns.iter().flat_map(demand::computed).any(|value| fails(&value))
    }

    /// One step that does `first` and then `second`, if that can be written down.
    fn compose(&self, first: &Edge, second: &Edge) -> Option<Edge> {
        // A guard that is far too large now will hardly fold to a small one.
        if [first, second].iter().any(|edge| size(&edge.guard) > 2 * MAX_SIZE) {
            return None;
        }
        let type_of = self.scope().types();
        let after = After::new(first);
        let mut guard = fold::guard(first.guard.clone(), after.seen(&second.guard, &type_of)?);
        if size(&guard) > MAX_SIZE {
            return None;
        }
        let mut assigns = Vec::new();
        for assign in &second.assigns {
            let place = match &assign.place {
                Place::Var(var) => Place::Var(*var),
                Place::Element(var, index) => Place::Element(*var, after.seen(index, &type_of)?),
            };
            let value = match &assign.value {
                Rhs::Havoc => Rhs::Havoc,
                Rhs::Expr(value) => Rhs::Expr(after.seen(value, &type_of)?),
            };
            assigns.push(Assign { place, value });
        }
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
        if parts.max().unwrap_or(0).max(size(&guard)) > MAX_SIZE {
            return None;
        }
        let span = if self.visible(first) != (false, false) {
            first.span
        } else {
            second.span.or(first.span)
        };
        let mut accesses = first.accesses.clone();
        accesses.extend(second.accesses.iter().map(|access| {
            access
                .map_index(&mut |index| after.seen(index, &type_of).filter(|i| size(i) <= MAX_SIZE))
        }));
        let call = match span == first.span {
            true => first.call.or(second.call),
            false => second.call.or(first.call),
        };
        let joined = Edge::new(first.source, second.target, guard, kept);
        Some(Edge { accesses, span, call, ..joined })
    }

    /// Puts the joined edges in; the locations around it may now go as well.
    fn replace(&mut self, location: usize, joined: Vec<Edge>) -> Vec<usize> {
        let old: Vec<usize> =
            self.into[location].drain(..).chain(self.from[location].drain(..)).collect();
        let mut around = Vec::new();
        for number in old {
            let Some(edge) = self.edges[number].take() else { continue };
            self.from[edge.source.index()].retain(|other| *other != number);
            self.into[edge.target.index()].retain(|other| *other != number);
        }
        for edge in joined.into_iter().filter(|edge| edge.guard != Expr::FALSE) {
            let number = self.edges.len();
            self.from[edge.source.index()].push(number);
            self.into[edge.target.index()].push(number);
            around.extend([edge.source.index(), edge.target.index()]);
            self.edges.push(Some(edge));
        }
        around
    }
}

/// Is one of these edges always enabled, as far as guards go?
fn is_total(edges: &[&Edge]) -> bool {
    match edges {
        [only] => only.guard == Expr::TRUE,
        [a, b] => {
            Expr::negate(a.guard.clone()) == b.guard || Expr::negate(b.guard.clone()) == a.guard
        }
        _ => false,
    }
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
        possible.then(|| refold(&replaced, type_of))
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
