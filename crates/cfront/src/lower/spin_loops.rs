//! Loops that spin: where deadlocks are asked for, a thread that has gone round once, and has changed nothing, waits until something that it has read changes.
//!
//! A loop *spins* if what a round does is determined by the values that it reads:
//!
//! - its locations are plain, and others can move while a thread is at its head; it is entered at its head only, and has no loop inside: a round begins at the head and passes
//!   each location at most once;
//! - of the edges from a location to plain ones at most one can be taken: nothing is chosen (but the order of operands, which C leaves open);
//! - its edges havoc only locals that are not live then, and write no element of a shared array;
//! - it reads a shared variable; and which element of an array a step reads depends on locals only;
//! - outside of atomic sections it computes nothing that it keeps: who counts has something to do. (This leaves most loops as they are. Nothing below needs it.)
//!
//! Each step keeps, in locals of its own, what it has read, and whether it has changed a shared variable that it assigns; and so is kept what
//! the locals were at the head that are live there and assigned inside. Before the next round, the thread waits until one of these is different from what it was: a shared variable that it has changed, one
//! that it has read, or a local.
//!
//! # Why that is the same program
//!
//! A round that has changed no shared variable, and no live local of the head, leaves everything as it was. So it may be left out of an execution: every
//! state outside the loop is reached without such rounds, and after a round that changes something the next one follows as before. The other way round, a thread that waits
//! here could go round, and nothing would happen. And if it waits for ever, while no other thread can move, it would go round for ever: each round reads the same and ends where it began. So
//! a deadlock here is a hang of the program; and a hang in which threads spin without changing anything, while no other can move, is a deadlock here: they read once more what no thread
//! changes any more, and then they wait.

use super::build::set;
use ccfa::footprint::back_edges;
use ccfa::liveness::live_locals;
use ccfa::{
    Assign, BinOp, Edge, Expr, Init, LocId, LocKind, LocalId, Location, Place, Rhs, Template, Type,
    Var, VarRef,
};
use std::collections::{BTreeMap, BTreeSet};

/// Makes threads wait in the loops of a template that spin. `shared` declares the shared variables.
pub(super) fn wait_in_loops(shared: &[Var], template: &mut Template) {
    for (head, ends) in heads(template) {
        if let Some(spin) = SpinLoop::at(template, head, ends) {
            spin.wait(shared, template);
        }
    }
}

/// The targets of back edges, and where these begin.
fn heads(template: &Template) -> BTreeMap<LocId, BTreeSet<LocId>> {
    let reachable = template.reachable([template.entry]);
    let mut heads: BTreeMap<LocId, BTreeSet<LocId>> = BTreeMap::new();
    for (edge, is_back) in template.edges.iter().zip(back_edges(template)) {
        if is_back && reachable[edge.source.index()] {
            heads.entry(edge.target).or_default().insert(edge.source);
        }
    }
    heads
}

/// A loop that spins.
struct SpinLoop {
    head: LocId,
    locations: BTreeSet<LocId>,
    /// The edges inside, each with the shared cells that it reads or assigns.
    inside: Vec<(usize, Vec<Expr>)>,
    /// The locals that are live at the head and assigned inside.
    carried: Vec<LocalId>,
}

impl SpinLoop {
    /// The loop with this head and these ends, if it spins.
    fn at(template: &Template, head: LocId, ends: BTreeSet<LocId>) -> Option<SpinLoop> {
        let locations = natural_loop(template, head, ends);
        let is_inside =
            |edge: &Edge| locations.contains(&edge.source) && locations.contains(&edge.target);
        let numbers: Vec<usize> =
            (0..template.edges.len()).filter(|n| is_inside(&template.edges[*n])).collect();
        let edges: Vec<&Edge> = numbers.iter().map(|number| &template.edges[*number]).collect();
        let is_plain = |at: &LocId| {
            let here = &template.locations[at.index()];
            here.kind == LocKind::Plain && !here.resting && !(here.atomic && *at == head)
        };
        let enters =
            |edge: &Edge| locations.contains(&edge.target) && !locations.contains(&edge.source);
        let begins = locations.contains(&template.entry) && template.entry != head;
        if begins || template.edges.iter().any(|edge| enters(edge) && edge.target != head) {
            return None;
        }
        if !locations.iter().all(is_plain) || has_cycle(&edges, head) {
            return None;
        }
        let live = live_locals(template);
        let assigned: BTreeSet<VarRef> =
            edges.iter().flat_map(|edge| edge.read_write_sets().writes).collect();
        let is_carried = |local: &LocalId| assigned.contains(&VarRef::Local(*local));
        let carried: Vec<LocalId> = live[head.index()].iter().copied().filter(is_carried).collect();
        let is_scalar = |id: &LocalId| template.locals[id.index()].len.is_none();
        let is_kept = |edge: &Edge| carried.iter().all(|id| after(edge, *id).is_some());
        let mut entering = template.edges.iter().filter(|edge| edge.target == head);
        let changes = !carried.iter().all(is_scalar)
            || !entering.all(is_kept)
            || !carried.is_empty() && head == template.entry;
        let is_kept = |var: VarRef| match var {
            VarRef::Local(id) => carried.contains(&id),
            VarRef::Shared(_) => true,
        };
        let is_inside_section = |edge: &Edge| template.locations[edge.source.index()].atomic;
        let does_little = |edge: &&Edge| {
            changes_little(edge, &live[edge.target.index()])
                && (is_inside_section(edge) || !computes(edge, &is_kept))
        };
        let is_quiet = !assigned.iter().any(|var| is_kept(*var));
        let chooses = |at: &LocId| !is_determined(template, *at, is_quiet);
        if changes || !edges.iter().all(does_little) || locations.iter().any(chooses) {
            return None;
        }
        let cells: Option<Vec<Vec<Expr>>> = edges.iter().map(|edge| cells(edge)).collect();
        let inside: Vec<_> = numbers.into_iter().zip(cells?).collect();
        let reads = inside.iter().any(|(_, cells)| !cells.is_empty());
        reads.then_some(SpinLoop { head, locations, inside, carried })
    }

    /// Makes the thread wait before it goes round again.
    fn wait(&self, shared: &[Var], template: &mut Template) {
        let changed = local(template, "changed", Type::Bool);
        let (mut waits, mut forget) = (Expr::Var(changed), vec![set(changed, Expr::FALSE)]);
        let mut kept: Vec<(usize, Assign)> = Vec::new();
        for (edge, cell) in
            self.inside.iter().flat_map(|(n, cells)| cells.iter().map(move |c| (*n, c)))
        {
            let type_of = |template: &Template, expr: &Expr| {
                expr.ty(&|var| match var {
                    VarRef::Shared(id) => shared[id.index()].ty,
                    VarRef::Local(id) => template.locals[id.index()].ty,
                })
            };
            let mut keep = |template: &mut Template, name: &str, value: &Expr| {
                let ty = type_of(template, value);
                let own = local(template, name, ty);
                kept.push((edge, set(own, value.clone())));
                forget.push(set(own, Expr::Const(0, ty)));
                Expr::Var(own)
            };
            let seen = keep(template, "seen", &Expr::TRUE);
            let value = keep(template, "value", cell);
            let now = match cell {
                Expr::Index(var, index) => {
                    Expr::Index(*var, Box::new(keep(template, "index", index)))
                }
                cell => cell.clone(),
            };
            waits = Expr::or(waits, Expr::and(seen, Expr::binary(BinOp::Ne, now, value)));
        }
        for (number, _) in &self.inside {
            let edge = &mut template.edges[*number];
            let is_change = assigned_shared(edge).fold(Expr::Var(changed), |any, (cell, value)| {
                Expr::or(any, Expr::binary(BinOp::Ne, value.clone(), cell))
            });
            if is_change != Expr::Var(changed) {
                edge.assigns.push(set(changed, is_change));
            }
        }
        kept.into_iter().for_each(|(edge, keep)| template.edges[edge].assigns.push(keep));
        let mut again = forget.clone();
        for id in &self.carried {
            let ty = template.locals[id.index()].ty;
            let own = VarRef::Local(*id);
            let start = local(template, "start", ty);
            waits = Expr::or(waits, Expr::binary(BinOp::Ne, Expr::Var(own), Expr::Var(start)));
            forget.push(set(start, Expr::Const(0, ty)));
            again.push(set(start, Expr::Var(own)));
            let enters = |edge: &&mut Edge| {
                edge.target == self.head && !self.locations.contains(&edge.source)
            };
            for edge in template.edges.iter_mut().filter(enters) {
                let value = after(edge, *id).unwrap_or(Expr::Var(own));
                edge.assigns.push(set(start, value));
            }
        }
        self.go_round_later(template, &waits, &forget, again);
    }

    /// Puts a location before the head at which the thread waits, and forgets what was kept when the loop is left.
    fn go_round_later(
        &self,
        template: &mut Template,
        waits: &Expr,
        forget: &[Assign],
        again: Vec<Assign>,
    ) {
        let head = &template.locations[self.head.index()];
        let span = head.span;
        let here = LocId(template.locations.len() as u32);
        template.locations.push(Location { span, ..Location::default() });
        for edge in &mut template.edges {
            let leaves =
                self.locations.contains(&edge.source) && !self.locations.contains(&edge.target);
            if leaves {
                edge.assigns.extend(forget.iter().cloned());
            } else if edge.target == self.head && self.locations.contains(&edge.source) {
                edge.target = here;
            }
        }
        let call =
            template.edges.iter().find(|edge| edge.source == self.head).and_then(|edge| edge.call);
        let again = Edge::new(here, self.head, waits.clone(), again);
        template.edges.push(Edge { span, call, ..again });
    }
}

/// A new local of the template.
fn local(template: &mut Template, name: &str, ty: Type) -> VarRef {
    let number = template.locals.len();
    template.locals.push(Var::new(format!(".spin.{name}#{number}"), ty, None, Init::Value(0)));
    VarRef::Local(LocalId(number as u32))
}

/// The head, and what leads to one of the ends of the loop without passing it.
fn natural_loop(template: &Template, head: LocId, ends: BTreeSet<LocId>) -> BTreeSet<LocId> {
    let mut waiting: Vec<LocId> = ends.into_iter().filter(|end| *end != head).collect();
    let mut locations: BTreeSet<LocId> = waiting.iter().copied().chain([head]).collect();
    while let Some(at) = waiting.pop() {
        for edge in template.edges.iter().filter(|edge| edge.target == at) {
            if locations.insert(edge.source) {
                waiting.push(edge.source);
            }
        }
    }
    locations
}

/// Can at most one of the edges from here to plain locations be taken? So it is if of any two the one condition implies the opposite of a part of the other. If
/// the loop is quiet, edges without conditions are orders in which operands are evaluated: C leaves it open which, a compiler may keep to one, and nothing that is read depends on it.
fn is_determined(template: &Template, at: LocId, is_quiet: bool) -> bool {
    let is_plain = |edge: &&Edge| template.locations[edge.target.index()].kind == LocKind::Plain;
    let leaving = template.edges.iter().filter(|edge| edge.source == at).filter(is_plain);
    let guards: Vec<&Expr> = leaving.map(|edge| &edge.guard).collect();
    let are_opposite = |one: &Expr, other: &Expr| {
        let known = one.conjuncts();
        other.conjuncts().into_iter().any(|part| {
            let denied = Expr::negate(part.clone());
            denied.conjuncts().iter().all(|part| known.contains(part))
        })
    };
    let pairs = guards.iter().enumerate();
    let mut pairs = pairs.flat_map(|(n, one)| guards[n + 1..].iter().map(move |two| (one, two)));
    let are_orders = is_quiet && guards.iter().all(|guard| **guard == Expr::TRUE);
    are_orders || pairs.all(|(one, two)| are_opposite(one, two) || are_opposite(two, one))
}

/// Can one go in a circle along these edges without passing the head?
fn has_cycle(edges: &[&Edge], head: LocId) -> bool {
    let mut left: Vec<&&Edge> = edges.iter().filter(|edge| edge.target != head).collect();
    loop {
        let before = left.len();
        let targets: BTreeSet<LocId> = left.iter().map(|edge| edge.target).collect();
        left.retain(|edge| targets.contains(&edge.source));
        match left.len() {
            0 => return false,
            len if len == before => return true,
            _ => {}
        }
    }
}

/// Does the step havoc only locals that are dead then, and write no element of a shared array?
fn changes_little(edge: &Edge, live: &BTreeSet<LocalId>) -> bool {
    edge.assigns.iter().all(|assign| match (&assign.place, &assign.value) {
        (Place::Var(VarRef::Local(id)), Rhs::Havoc) => !live.contains(id),
        (Place::Element(VarRef::Shared(_), _), _) | (_, Rhs::Havoc) => false,
        (_, Rhs::Expr(_)) => true,
    })
}

/// Does the step compute something that is kept?
fn computes(edge: &Edge, is_kept: &dyn Fn(VarRef) -> bool) -> bool {
    let has_arithmetic = |value: &Expr| {
        use BinOp::{Add, Div, Mul, Rem, Shl, Shr, Sub};
        let mut found = false;
        value.walk(&mut |part| {
            let is_one = |op: &BinOp| matches!(op, Add | Sub | Mul | Div | Rem | Shl | Shr);
            found |= matches!(part, Expr::Binary(op, ..) if is_one(op));
        });
        found
    };
    edge.assigns.iter().any(|assign| match &assign.value {
        Rhs::Expr(value) => is_kept(assign.place.parts().0) && has_arithmetic(value),
        Rhs::Havoc => false,
    })
}

/// What a local is after a step, if that can be said.
fn after(edge: &Edge, local: LocalId) -> Option<Expr> {
    let assign = edge.assigns.iter().find(|assign| assign.place.parts().0 == VarRef::Local(local));
    match assign.map(|assign| (&assign.place, &assign.value)) {
        None => Some(Expr::Var(VarRef::Local(local))),
        Some((Place::Var(_), Rhs::Expr(value))) => Some(value.clone()),
        Some(_) => None,
    }
}

/// The shared scalars that a step assigns, and their values.
fn assigned_shared(edge: &Edge) -> impl Iterator<Item = (Expr, &Expr)> {
    edge.assigns.iter().filter_map(|assign| match (&assign.place, &assign.value) {
        (Place::Var(var @ VarRef::Shared(_)), Rhs::Expr(value)) => Some((Expr::Var(*var), value)),
        _ => None,
    })
}

/// The shared cells that a step reads or assigns; `None` if which these are depends on others.
fn cells(edge: &Edge) -> Option<Vec<Expr>> {
    let (mut cells, mut is_known) = (Vec::new(), true);
    let mut add = |part: &Expr| match part {
        Expr::Var(VarRef::Shared(_)) if !cells.contains(part) => cells.push(part.clone()),
        Expr::Index(VarRef::Shared(_), index) if !cells.contains(part) => {
            let mut reads = BTreeSet::new();
            ccfa::read_write::collect_reads(index, &mut reads);
            is_known &= reads.iter().all(|var| matches!(var, VarRef::Local(_)));
            cells.push(part.clone());
        }
        _ => {}
    };
    edge.expressions().for_each(|expr| expr.walk(&mut add));
    assigned_shared(edge).for_each(|(cell, _)| add(&cell));
    is_known.then_some(cells)
}

#[cfg(test)]
mod tests;
