//! Removes edges that are never enabled (if deadlocks are asked for, only where another edge stays: a thread waits there for ever,
//! and has not ended), locations that are never reached and
//! variables that are not used, with the accesses to these. (Races are looked for before that.)

use super::{TemplateScope, demand};
use ccfa::read_write::collect_reads;
use ccfa::{Assign, Edge, Expr, LocId, LocalId, Place, Program, Rhs, SharedId, Template, VarRef};
use evidence::Reduction;
use std::collections::BTreeSet;

/// Prunes all templates and the shared variables.
pub(super) fn prune(reduction: &mut Reduction) {
    let asks_deadlocks = reduction.program.property.deadlocks;
    drop_unread_shared(&mut reduction.program);
    for number in 0..reduction.program.templates.len() {
        let edges = &reduction.program.templates[number].edges;
        let open: BTreeSet<LocId> =
            edges.iter().filter(|edge| edge.guard != Expr::FALSE).map(|edge| edge.source).collect();
        let waits = |edge: &Edge| asks_deadlocks && !open.contains(&edge.source);
        retain_edges(reduction, number, |edge| edge.guard != Expr::FALSE || waits(edge));
        drop_unreachable(reduction, number);
        drop_unused_locals(reduction, number);
    }
    drop_unused_shared(reduction);
}

/// Keeps some edges of a template.
pub(super) fn retain_edges(
    reduction: &mut Reduction,
    template: usize,
    mut keep: impl FnMut(&Edge) -> bool,
) {
    let edges = &mut reduction.program.templates[template].edges;
    let kept: Vec<bool> = edges.iter().map(&mut keep).collect();
    compact(edges, |number| kept[number]);
    compact(&mut reduction.templates[template].paths, |number| kept[number]);
}

fn drop_unreachable(reduction: &mut Reduction, number: usize) {
    let template = &reduction.program.templates[number];
    let reached = template.reachable([template.entry]);
    retain_edges(reduction, number, |edge| reached[edge.source.index()]);
    compact(&mut reduction.templates[number].locations, |location| reached[location]);
    let template = &mut reduction.program.templates[number];
    let numbers = compact(&mut template.locations, |location| reached[location]);
    for edge in &mut template.edges {
        edge.source = LocId(numbers[edge.source.index()]);
        edge.target = LocId(numbers[edge.target.index()]);
    }
    template.entry = LocId(numbers[template.entry.index()]);
}

/// Drops assignments to shared variables that are never read.
fn drop_unread_shared(program: &mut Program) {
    let mut is_read = vec![false; program.shared.len()];
    for edge in program.templates.iter().flat_map(|template| &template.edges) {
        each_read(edge, &mut |var| mark_shared(&mut is_read, var));
    }
    let unread = |assign: &Assign| {
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        matches!(var, VarRef::Shared(id) if !is_read[id.index()])
    };
    for template in &mut program.templates {
        let mut edges = std::mem::take(&mut template.edges);
        for edge in &mut edges {
            demand::drop_assignments(
                edge,
                unread,
                TemplateScope { shared: &program.shared, template },
            );
        }
        template.edges = edges;
    }
}

/// The variables that an edge reads, as often as it does. (`Edge::read_write_sets` without a set.)
pub(super) fn each_read(edge: &Edge, see: &mut impl FnMut(VarRef)) {
    let mut look = |expr: &Expr| {
        expr.walk(&mut |part| {
            if let Expr::Var(var) | Expr::Index(var, _) = part {
                see(*var);
            }
        })
    };
    look(&edge.guard);
    for assign in &edge.assigns {
        if let Rhs::Expr(value) = &assign.value {
            look(value);
        }
        if let Place::Element(_, index) = &assign.place {
            look(index);
        }
    }
}

/// The variables that the edges of a template read or assign.
fn each_used(template: &Template, see: &mut impl FnMut(VarRef)) {
    for edge in &template.edges {
        each_read(edge, see);
        for assign in &edge.assigns {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            see(*var);
        }
    }
}

fn mark_shared(marks: &mut [bool], var: VarRef) {
    if let VarRef::Shared(id) = var {
        marks[id.index()] = true;
    }
}

fn drop_unused_locals(reduction: &mut Reduction, number: usize) {
    let template = &mut reduction.program.templates[number];
    let mut is_used = vec![false; template.locals.len()];
    each_used(template, &mut |var| {
        if let VarRef::Local(id) = var {
            is_used[id.index()] = true;
        }
    });
    if is_used.iter().all(|used| *used) {
        return;
    }
    let keep = |number: usize| is_used[number];
    compact(&mut reduction.templates[number].locals, keep);
    drop_accesses(template, &|var| match var {
        VarRef::Shared(_) => true,
        VarRef::Local(id) => is_used[id.index()],
    });
    let numbers = compact(&mut template.locals, keep);
    rename(template, &|var| match var {
        VarRef::Local(id) => VarRef::Local(LocalId(numbers[id.index()])),
        shared => shared,
    });
}

fn drop_unused_shared(reduction: &mut Reduction) {
    let program = &mut reduction.program;
    let mut is_used = vec![false; program.shared.len()];
    for template in &program.templates {
        each_used(template, &mut |var| mark_shared(&mut is_used, var));
    }
    if let Some(condition) = &program.initial {
        let mut read = BTreeSet::new();
        collect_reads(condition, &mut read);
        read.into_iter().for_each(|var| mark_shared(&mut is_used, var));
    }
    if is_used.iter().all(|used| *used) {
        return;
    }
    let keep = |number: usize| is_used[number];
    compact(&mut reduction.shared, keep);
    let numbers = compact(&mut program.shared, keep);
    let name = |var: VarRef| match var {
        VarRef::Shared(id) => VarRef::Shared(SharedId(numbers[id.index()])),
        local => local,
    };
    for template in &mut program.templates {
        drop_accesses(template, &|var| match var {
            VarRef::Shared(id) => is_used[id.index()],
            VarRef::Local(_) => true,
        });
        rename(template, &name);
    }
    program.initial = program.initial.as_ref().map(|condition| condition.renamed(&name));
}

/// Drops the accesses that mention a variable that goes.
fn drop_accesses(template: &mut Template, stays: &impl Fn(VarRef) -> bool) {
    for edge in &mut template.edges {
        edge.accesses.retain(|access| access.variables().into_iter().all(stays));
    }
}

fn rename(template: &mut Template, name: &impl Fn(VarRef) -> VarRef) {
    for edge in &mut template.edges {
        *edge = edge.renamed(name);
    }
}

/// Keeps some items; the new number of each old one.
fn compact<T>(items: &mut Vec<T>, keep: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(items.len());
    let mut kept = 0;
    for number in 0..items.len() {
        numbers.push(kept);
        kept += u32::from(keep(number));
    }
    if (kept as usize) < items.len() {
        let mut number = 0..;
        items.retain(|_| number.next().is_some_and(&keep));
    }
    numbers
}
