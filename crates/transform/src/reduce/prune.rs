//! Removes edges that are never enabled (if deadlocks are asked for, only where another edge stays: a thread waits there for ever,
//! and has not ended), locations that are never reached and
//! variables that nobody uses, with the accesses to these. (Races are looked for before that.)

use super::{TemplateScope, demand};
use ccfa::dataflow::solve;
use ccfa::read_write::collect_reads;
use ccfa::{Assign, Edge, Expr, LocId, LocalId, Place, Program, SharedId, Template, VarRef};
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
    let mut entry = vec![false; template.locations.len()];
    entry[template.entry.index()] = true;
    let reached = solve(
        template,
        |edge| (edge.source, edge.target),
        entry,
        |_, from, to| *from && !std::mem::replace(to, true),
    );
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

/// Drops assignments to shared variables that nobody reads.
fn drop_unread_shared(program: &mut Program) {
    let mut read = BTreeSet::new();
    for edge in program.templates.iter().flat_map(|template| &template.edges) {
        read.extend(edge.read_write_sets().reads);
    }
    let unread = |assign: &Assign| {
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        matches!(var, VarRef::Shared(_)) && !read.contains(var)
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

/// The variables that the edges of a template read or assign.
fn used(template: &Template) -> impl Iterator<Item = VarRef> + '_ {
    template.edges.iter().flat_map(|edge| {
        let access = edge.read_write_sets();
        access.reads.into_iter().chain(access.writes)
    })
}

fn drop_unused_locals(reduction: &mut Reduction, number: usize) {
    let template = &mut reduction.program.templates[number];
    let used: BTreeSet<VarRef> = used(template).collect();
    let keep = |number: usize| used.contains(&VarRef::Local(LocalId(number as u32)));
    if (0..template.locals.len()).all(keep) {
        return;
    }
    compact(&mut reduction.templates[number].locals, keep);
    drop_accesses(template, &|var| matches!(var, VarRef::Shared(_)) || used.contains(&var));
    let numbers = compact(&mut template.locals, keep);
    rename(template, &|var| match var {
        VarRef::Local(id) => VarRef::Local(LocalId(numbers[id.index()])),
        shared => shared,
    });
}

fn drop_unused_shared(reduction: &mut Reduction) {
    let program = &mut reduction.program;
    let mut used: BTreeSet<VarRef> = program.templates.iter().flat_map(used).collect();
    if let Some(condition) = &program.initial {
        collect_reads(condition, &mut used);
    }
    let keep = |number: usize| used.contains(&VarRef::Shared(SharedId(number as u32)));
    if (0..program.shared.len()).all(keep) {
        return;
    }
    compact(&mut reduction.shared, keep);
    let numbers = compact(&mut program.shared, keep);
    let name = |var: VarRef| match var {
        VarRef::Shared(id) => VarRef::Shared(SharedId(numbers[id.index()])),
        local => local,
    };
    for template in &mut program.templates {
        drop_accesses(template, &|var| matches!(var, VarRef::Local(_)) || used.contains(&var));
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
    let mut kept = Vec::new();
    for (number, item) in std::mem::take(items).into_iter().enumerate() {
        numbers.push(kept.len() as u32);
        if keep(number) {
            kept.push(item);
        }
    }
    *items = kept;
    numbers
}
