//! The slice of a program: only what the property needs is computed.
//!
//! Assignments to variables that nothing depends on go (`needs`). Of shared ones the write stays, of one and
//! the same value: others can tell that there is one. What the step must compute to be defined, and which
//! shared variables it reads, stays in its guard, as `e == e`.
//!
//! This is for engines that tell values apart: what is only counted or copied they need not
//! enumerate. An engine that abstracts finds out by itself what matters.
//!
//! Not sliced is control: which way a thread goes matters here even if both ways come to the same. To
//! leave out a step, a proof would have to say why; the reductions before have left out what a thread does when
//! it has nothing to do any more.
//!
//! # Why the evidence holds for the program before
//!
//! Both programs have the same variables, locations, edges (by number) and threads. In the slice, each variable
//! that is left out is held at one value. The *image* of a state of the program before is the state
//! with these values in their place. No guard that is kept, no index, no value that is kept and no initial
//! condition reads what is left out. So initial states have initial images; and where an edge leads from one state
//! to another, it leads in the slice from image to image, touches the same cells, and is enabled there only if it is so here.
//!
//! - A **witness** of the slice becomes one of the program with any values for what is not taken there.
//! - A formula F of a proof about the slice becomes F', with the values at which variables are held
//!   in their place: F' holds in a state if F holds in its image. So where F is kept by the steps of the
//!   slice, F' is kept by those of the program before, and whatever follows from F follows so from F'.
//!   That is all that is asked of the labels of a **tree** and of **assertions**.
//! - A **closed set** becomes one of the program with `ANY` for what is left out: each member then stands for
//!   all states whose image it is.
//! - Steps conflict, and threads are persistent sets as far as locations say, in both programs or in none, since both touch the same. What a state tells of later
//!   steps (`ccfa::lookahead`) is the same, too: no guard and no index reads what is left out, which is `ANY` in every member and is taken for that.
//!
//! `check` confirms what comes back against the program before.

use crate::needs::LeftOut;
use crate::rewrite::is_closed;
use crate::unslice::Unslice;
use crate::{Transformation, WayBack};
use ccfa::definedness::may_be_undefined;
use ccfa::fold::all;
use ccfa::{Assign, Edge, Expr, Init, Place, Program, Rhs, Template, VarRef};
use evidence::Verdict;

/// Leaves out what the property does not need.
pub struct Slice;

/// A program with what the property needs, and what was left out.
#[derive(Clone, Debug)]
struct Sliced {
    program: Program,
    left_out: LeftOut,
}

impl Transformation for Slice {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        let left_out = LeftOut::of(program);
        // Where values are `ANY`, it is less certain that a step can be taken, and that there is no deadlock.
        if left_out.is_empty() || program.property.deadlocks {
            return Vec::new();
        }
        let mut sliced = program.clone();
        for (number, template) in program.templates.iter().enumerate() {
            let edge = |edge: &Edge| match is_closed(edge) {
                true => edge.clone(),
                false => sliced_edge(program, template, edge, &|var| left_out.value(number, var)),
            };
            sliced.templates[number].edges = template.edges.iter().map(edge).collect();
            for (id, value) in &left_out.locals[number] {
                sliced.templates[number].locals[id.index()].init = Init::Value(*value);
            }
        }
        for (id, value) in &left_out.shared {
            sliced.shared[id.index()].init = Init::Value(*value);
        }
        vec![Box::new(Sliced { program: sliced, left_out })]
    }
}

impl WayBack for Sliced {
    fn program(&self) -> &Program {
        &self.program
    }

    fn back(&self, before: &Program, verdict: Verdict) -> Verdict {
        Unslice { before, left_out: &self.left_out }.back(verdict)
    }
}

/// The edge without assignments to what is left out.
fn sliced_edge(
    program: &Program,
    template: &Template,
    edge: &Edge,
    held: &impl Fn(VarRef) -> Option<i128>,
) -> Edge {
    let mut sliced = Edge { assigns: Vec::new(), ..edge.clone() };
    let mut lost = Vec::new();
    for assign in &edge.assigns {
        let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
        let Some(value) = held(*var) else {
            sliced.assigns.push(assign.clone());
            continue;
        };
        if let Rhs::Expr(value) = &assign.value {
            lost.extend(demands(program, template, value));
        }
        match (var, &assign.place) {
            (VarRef::Shared(_), place) => {
                let value = Rhs::Expr(Expr::Const(value, program.var(template, *var).ty));
                sliced.assigns.push(Assign { place: place.clone(), value });
            }
            (VarRef::Local(_), Place::Element(var, index)) => {
                let element = Expr::Index(*var, Box::new(index.clone()));
                lost.extend(demands(program, template, &element));
            }
            (VarRef::Local(_), Place::Var(_)) => {}
        }
    }
    let lost = lost.into_iter().map(|demand| Expr::eq(demand.clone(), demand)).collect();
    sliced.guard = Expr::and(sliced.guard, all(lost));
    sliced
}

/// What must still be looked at when the value of an expression is not computed any more.
fn demands(program: &Program, template: &Template, expr: &Expr) -> Vec<Expr> {
    if may_be_undefined(expr, &|var| program.var(template, var)) {
        return vec![expr.clone()];
    }
    let mut shared = Vec::new();
    expr.walk(&mut |part| match part {
        Expr::Var(VarRef::Shared(_)) | Expr::Index(VarRef::Shared(_), _) => {
            shared.push(part.clone());
        }
        _ => {}
    });
    shared
}
