//! Which shared cells a process reads or writes: what it can see.

use crate::process::Processes;
use crate::relevant::parts;
use crate::space::Cell;
use crate::values::ValueScope;
use ccfa::{Expr, Place, VarRef};
use std::collections::BTreeSet;

/// All cells that matter and that some step of the process reads or writes.
pub(crate) fn accesses(processes: &Processes, number: usize) -> BTreeSet<Cell> {
    let mut used = writes(processes, number);
    for edge in &processes.list[number].template.edges {
        let scope = processes.values.at(processes.program, &processes.list, number, edge);
        let Some(scope) = scope else {
            // Why a step can never be taken must be seen, too.
            if processes.values.reached[number][edge.source.index()] {
                all_reads(processes, number, &edge.guard, &mut used);
            }
            continue;
        };
        reads(&scope, &edge.guard, &mut used);
        for part in edge.assigns.iter().flat_map(parts) {
            reads(&scope, part, &mut used);
        }
    }
    that_matter(processes, number, used)
}

/// All cells that matter and that some step of the process writes.
pub(crate) fn writes(processes: &Processes, number: usize) -> BTreeSet<Cell> {
    let mut written = BTreeSet::new();
    for edge in &processes.list[number].template.edges {
        let scope = processes.values.at(processes.program, &processes.list, number, edge);
        let Some(scope) = scope else { continue };
        for assign in &edge.assigns {
            match &assign.place {
                Place::Var(var) => touch(&scope, *var, None, &mut written),
                Place::Element(var, index) => touch(&scope, *var, Some(index), &mut written),
            }
        }
    }
    that_matter(processes, number, written)
}

fn that_matter(processes: &Processes, number: usize, mut cells: BTreeSet<Cell>) -> BTreeSet<Cell> {
    let thread = processes.list[number].thread;
    cells.retain(|(var, _)| {
        processes.relevant.matters(thread, VarRef::Shared(ccfa::SharedId(*var as u32)))
    });
    cells
}

fn reads(scope: &ValueScope, expr: &Expr, used: &mut BTreeSet<Cell>) {
    expr.walk(&mut |part| match part {
        Expr::Var(var) => touch(scope, *var, None, used),
        Expr::Index(var, index) => touch(scope, *var, Some(index), used),
        _ => {}
    });
}

/// Adds all elements of all variables that an expression reads.
fn all_reads(processes: &Processes, number: usize, expr: &Expr, used: &mut BTreeSet<Cell>) {
    let template = processes.list[number].template;
    expr.walk(&mut |part| {
        if let Expr::Var(var) | Expr::Index(var, _) = part
            && let VarRef::Shared(id) = var
        {
            let cells = processes.program.var(template, *var).cells();
            used.extend((0..cells).map(|element| (id.index(), element)));
        }
    });
}

/// Adds the elements of a variable that `index` may name; without index, all.
fn touch(scope: &ValueScope, var: VarRef, index: Option<&Expr>, used: &mut BTreeSet<Cell>) {
    let VarRef::Shared(id) = var else { return };
    let named = index.and_then(|index| scope.eval(index).values);
    let elements = 0..scope.cells(var);
    let is_named =
        |element: &usize| named.as_ref().is_none_or(|values| values.contains(&(*element as i128)));
    used.extend(elements.filter(is_named).map(|element| (id.index(), element)));
}
