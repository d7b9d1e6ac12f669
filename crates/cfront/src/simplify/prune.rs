//! Removes edges that are never enabled, locations that are never reached and
//! variables that nobody uses. Where races are asked for, to be accessed is to be used.

use super::{Scope, demand};
use ccfa::{Access, Assign, Expr, LocId, LocalId, Place, Program, Rhs, SharedId, Template, VarRef};
use std::collections::BTreeSet;

/// Prunes all templates and the shared variables.
pub fn prune(program: &mut Program) {
    drop_unread_shared(program);
    let races = program.property.races;
    for template in &mut program.templates {
        template.edges.retain(|edge| edge.guard != Expr::FALSE);
        drop_unreachable(template);
        drop_unused_locals(template, races);
    }
    drop_unused_shared(program);
}

fn drop_unreachable(template: &mut Template) {
    let mut reached = vec![false; template.locations.len()];
    let from = template.edges_from();
    let mut waiting = vec![template.entry];
    reached[template.entry.index()] = true;
    while let Some(location) = waiting.pop() {
        for edge in &from[location.index()] {
            let target = template.edges[edge.index()].target;
            if !std::mem::replace(&mut reached[target.index()], true) {
                waiting.push(target);
            }
        }
    }
    let mut numbers = vec![LocId(0); reached.len()];
    let mut kept = Vec::new();
    for (number, location) in std::mem::take(&mut template.locations).into_iter().enumerate() {
        if reached[number] {
            numbers[number] = LocId(kept.len() as u32);
            kept.push(location);
        }
    }
    template.locations = kept;
    template.edges.retain(|edge| reached[edge.source.index()]);
    for edge in &mut template.edges {
        edge.source = numbers[edge.source.index()];
        edge.target = numbers[edge.target.index()];
    }
    template.entry = numbers[template.entry.index()];
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
            demand::drop_assignments(edge, unread, Scope { shared: &program.shared, template });
        }
        template.edges = edges;
    }
}

fn drop_unused_locals(template: &mut Template, races: bool) {
    let mut used = BTreeSet::new();
    for edge in &template.edges {
        let access = edge.read_write_sets();
        used.extend(access.reads.into_iter().chain(access.writes));
        used.extend(edge.accesses.iter().filter(|_| races).flat_map(Access::variables));
    }
    let keep = |number: usize| used.contains(&VarRef::Local(LocalId(number as u32)));
    drop_accesses(template, &|var| matches!(var, VarRef::Shared(_)) || used.contains(&var));
    let numbers = compact(&mut template.locals, keep);
    rename(template, &|var| match var {
        VarRef::Local(id) => VarRef::Local(LocalId(numbers[id.index()])),
        shared => shared,
    });
}

fn drop_unused_shared(program: &mut Program) {
    let races = program.property.races;
    let mut used = BTreeSet::new();
    for edge in program.templates.iter().flat_map(|template| &template.edges) {
        let access = edge.read_write_sets();
        used.extend(access.reads.into_iter().chain(access.writes));
        used.extend(edge.accesses.iter().filter(|_| races).flat_map(Access::variables));
    }
    let keep = |number: usize| used.contains(&VarRef::Shared(SharedId(number as u32)));
    let numbers = compact(&mut program.shared, keep);
    for template in &mut program.templates {
        drop_accesses(template, &|var| matches!(var, VarRef::Local(_)) || used.contains(&var));
        rename(template, &|var| match var {
            VarRef::Shared(id) => VarRef::Shared(SharedId(numbers[id.index()])),
            local => local,
        });
    }
}

/// Drops the accesses that mention a variable that goes.
fn drop_accesses(template: &mut Template, stays: &impl Fn(VarRef) -> bool) {
    for edge in &mut template.edges {
        edge.accesses.retain(|access| access.variables().into_iter().all(stays));
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

fn rename(template: &mut Template, name: &impl Fn(VarRef) -> VarRef) {
    let expr = |expr: &Expr| {
        expr.map_reads(&mut |read| match read {
            Expr::Var(var) => Expr::Var(name(var)),
            Expr::Index(var, index) => Expr::Index(name(var), index),
            other => other,
        })
    };
    for edge in &mut template.edges {
        edge.guard = expr(&edge.guard);
        for access in &mut edge.accesses {
            *access = access.map_index(&mut |index| Some(expr(index)));
            access.map_variable(name);
        }
        for Assign { place, value } in &mut edge.assigns {
            *place = match &*place {
                Place::Var(var) => Place::Var(name(*var)),
                Place::Element(var, index) => Place::Element(name(*var), expr(index)),
            };
            if let Rhs::Expr(value) = value {
                *value = expr(value);
            }
        }
    }
}
