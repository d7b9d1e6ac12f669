//! Locals that will not be read before they are written again are zero: states
//! that differ only in such values become one. Assignments to them go, and
//! where a variable dies it is set to zero.

use super::{Scope, demand};
use ccfa::{Access, Assign, Edge, Expr, Init, LocalId, Place, Program, Rhs, Template, Var, VarRef};
use std::collections::BTreeSet;

/// Longer arrays are not set to zero when they die.
const SHORT_ARRAY: u32 = 16;

/// Resets dead locals in all templates.
pub fn reset(program: &mut Program) {
    let shared = program.shared.clone();
    for template in &mut program.templates {
        reset_template(&shared, template);
    }
}

fn reset_template(shared: &[Var], template: &mut Template) {
    let live = liveness(template);
    let mut edges = std::mem::take(&mut template.edges);
    for edge in &mut edges {
        let (before, after) = (&live[edge.source.index()], &live[edge.target.index()]);
        drop_dead_assignments(shared, template, edge, after);
        let assigned: BTreeSet<VarRef> = edge.read_write_sets().writes;
        for local in before.difference(after) {
            let var = VarRef::Local(LocalId(*local));
            let declared = &template.locals[*local as usize];
            if assigned.contains(&var) || matches!(declared.init, Init::Param(_)) {
                continue;
            }
            let zero = Rhs::Expr(Expr::Const(0, declared.ty));
            match declared.len {
                None => edge.assigns.push(Assign { place: Place::Var(var), value: zero }),
                Some(len) if len <= SHORT_ARRAY => edge.assigns.extend((0..len).map(|index| {
                    let index = Expr::Const(i128::from(index), ccfa::Type::unsigned(32));
                    Assign { place: Place::Element(var, index), value: zero.clone() }
                })),
                Some(_) => {}
            }
        }
    }
    template.edges = edges;
    for (number, local) in template.locals.iter_mut().enumerate() {
        if local.init == Init::Any && !live[template.entry.index()].contains(&(number as u32)) {
            local.init = Init::Value(0);
        }
    }
}

fn drop_dead_assignments(
    shared: &[Var],
    template: &Template,
    edge: &mut Edge,
    after: &BTreeSet<u32>,
) {
    let is_dead = |assign: &Assign| match &assign.place {
        Place::Var(VarRef::Local(id)) | Place::Element(VarRef::Local(id), _) => {
            !after.contains(&id.0)
        }
        _ => false,
    };
    demand::drop_assignments(edge, is_dead, Scope { shared, template });
}

/// For each location, the locals whose values matter there.
fn liveness(template: &Template) -> Vec<BTreeSet<u32>> {
    let from = template.edges_from();
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); template.locations.len()];
    for (number, edge) in template.edges.iter().enumerate() {
        into[edge.target.index()].push(number);
    }
    let uses: Vec<(BTreeSet<u32>, BTreeSet<u32>)> = template.edges.iter().map(uses).collect();
    let mut live = vec![BTreeSet::new(); template.locations.len()];
    let mut waiting: Vec<usize> = (0..template.locations.len()).collect();
    while let Some(location) = waiting.pop() {
        let mut now: BTreeSet<u32> = BTreeSet::new();
        for edge in &from[location] {
            let (reads, kills) = &uses[edge.index()];
            let target = template.edges[edge.index()].target;
            now.extend(reads);
            now.extend(live[target.index()].difference(kills));
        }
        if now.len() > live[location].len() {
            live[location] = now;
            waiting.extend(into[location].iter().map(|edge| template.edges[*edge].source.index()));
        }
    }
    live
}

/// The locals an edge reads, and those it overwrites wholly.
fn uses(edge: &Edge) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let local = |var: &VarRef| match var {
        VarRef::Local(id) => Some(id.0),
        VarRef::Shared(_) => None,
    };
    let mut reads: BTreeSet<u32> = edge.read_write_sets().reads.iter().filter_map(local).collect();
    reads.extend(edge.accesses.iter().flat_map(Access::variables).filter_map(|var| local(&var)));
    let kills = edge.assigns.iter().filter_map(|assign| match &assign.place {
        Place::Var(var) => local(var),
        Place::Element(..) => None,
    });
    (reads, kills.collect())
}
