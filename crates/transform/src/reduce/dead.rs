//! Locals that will not be read before they are written again are zero: states
//! that differ only in such values become one. Assignments to them go, and
//! where a variable dies it is set to zero.

use super::{TemplateScope, demand};
use ccfa::liveness::live_locals;
use ccfa::{Assign, Edge, Expr, Init, LocalId, Place, Program, Rhs, Template, Var, VarRef};
use std::collections::BTreeSet;

/// Longer arrays are not set to zero when they die: each cell would be an assignment of the step.
const MAX_ZEROED_CELLS: u32 = 16;

/// Resets dead locals in all templates.
pub(super) fn reset(program: &mut Program) {
    let shared = program.shared.clone();
    for template in &mut program.templates {
        reset_template(&shared, template);
    }
}

fn reset_template(shared: &[Var], template: &mut Template) {
    let live = live_locals(template);
    let mut edges = std::mem::take(&mut template.edges);
    for edge in &mut edges {
        let (before, after) = (&live[edge.source.index()], &live[edge.target.index()]);
        drop_dead_assignments(shared, template, edge, after);
        let assigned: BTreeSet<VarRef> = edge.read_write_sets().writes;
        for local in before.difference(after) {
            let var = VarRef::Local(*local);
            let declared = &template.locals[local.index()];
            if assigned.contains(&var) || matches!(declared.init, Init::Param(_)) {
                continue;
            }
            let zero = Rhs::Expr(Expr::Const(0, declared.ty));
            match declared.len {
                None => edge.assigns.push(Assign { place: Place::Var(var), value: zero }),
                Some(len) if len <= MAX_ZEROED_CELLS => {
                    edge.assigns.extend((0..len).map(|index| {
                        let index = Expr::Const(i128::from(index), ccfa::Type::unsigned(32));
                        Assign { place: Place::Element(var, index), value: zero.clone() }
                    }))
                }
                Some(_) => {}
            }
        }
    }
    template.edges = edges;
    for (number, local) in template.locals.iter_mut().enumerate() {
        if local.init == Init::Any
            && !live[template.entry.index()].contains(&LocalId(number as u32))
        {
            local.init = Init::Value(0);
        }
    }
}

fn drop_dead_assignments(
    shared: &[Var],
    template: &Template,
    edge: &mut Edge,
    after: &BTreeSet<LocalId>,
) {
    let is_dead = |assign: &Assign| match &assign.place {
        Place::Var(VarRef::Local(id)) | Place::Element(VarRef::Local(id), _) => !after.contains(id),
        _ => false,
    };
    demand::drop_assignments(edge, is_dead, TemplateScope { shared, template });
}
