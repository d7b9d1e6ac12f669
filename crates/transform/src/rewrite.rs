//! Puts what is known into the edges of a template.
//!
//! An edge that cannot be taken keeps its number and all it touches, behind a guard that is
//! false. An edge that would no longer touch what its old self touches, as far as other threads
//! are concerned, stays as it was: see the crate's essay for what proofs need.

use crate::facts::{Facts, Known, Owns};
use ccfa::fold::substitute;
use ccfa::{Assign, BinOp, Edge, Expr, Place, Program, Rhs, SharedId, Template, VarRef};

/// The edges of a template, rewritten.
pub(crate) fn edges(
    program: &Program,
    template: &Template,
    facts: &Facts,
    owns: Owns,
) -> Vec<Edge> {
    let rewritten = |edge: &Edge| {
        let simpler = match &facts[edge.source.index()] {
            None => closed(edge),
            Some(known) => simpler(program, template, edge, known),
        };
        let is_alike = touches(&simpler, owns) == touches(edge, owns);
        if is_alike { simpler } else { edge.clone() }
    };
    template.edges.iter().map(rewritten).collect()
}

/// The edge with known values put in.
fn simpler(program: &Program, template: &Template, edge: &Edge, known: &Known) -> Edge {
    let type_of = |var| program.var(template, var).ty;
    let value = |var| known.get(&var).map(|value| Expr::Const(*value, type_of(var)));
    let put_in = |expr: &Expr| substitute(expr, &value);
    let guard = put_in(&edge.guard);
    if guard == Expr::FALSE {
        return closed(edge);
    }
    let assign = |assign: &Assign| Assign {
        place: match &assign.place {
            Place::Var(var) => Place::Var(*var),
            Place::Element(var, index) => Place::Element(*var, put_in(index)),
        },
        value: match &assign.value {
            Rhs::Expr(value) => Rhs::Expr(put_in(value)),
            Rhs::Havoc => Rhs::Havoc,
        },
    };
    Edge { guard, assigns: edge.assigns.iter().map(assign).collect(), ..edge.clone() }
}

/// The edge behind a guard that is false.
fn closed(edge: &Edge) -> Edge {
    Edge { guard: Expr::binary(BinOp::And, Expr::FALSE, edge.guard.clone()), ..edge.clone() }
}

/// Is the edge behind a guard that is false?
pub(crate) fn is_closed(edge: &Edge) -> bool {
    match &edge.guard {
        Expr::Binary(BinOp::And, left, _) => **left == Expr::FALSE,
        guard => *guard == Expr::FALSE,
    }
}

/// What of an edge matters to other threads: does it touch any shared variable, and which reads
/// of variables that others write does it have, one by one? (Its writes are always the same.)
fn touches(edge: &Edge, owns: Owns) -> (bool, Vec<SharedId>) {
    let mut reads = Vec::new();
    let mut note = |expr: &Expr| {
        expr.walk(&mut |part| match part {
            Expr::Var(var @ VarRef::Shared(id)) | Expr::Index(var @ VarRef::Shared(id), _) => {
                reads.extend((!owns(*var)).then_some(*id));
            }
            _ => {}
        });
    };
    note(&edge.guard);
    for Assign { place, value } in &edge.assigns {
        if let Place::Element(_, index) = place {
            note(index);
        }
        if let Rhs::Expr(value) = value {
            note(value);
        }
    }
    (!edge.read_write_sets().is_local(), reads)
}
