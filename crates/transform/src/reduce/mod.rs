//! Reductions: fewer steps, locations and variables, and the same reachable errors and model limits.
//!
//! - `constants`: variables that keep their initial value are that value;
//! - `irrelevant` steps (`ccfa::irrelevant`) are left out;
//! - `fuse`: steps that no other thread can tell apart become one (Lipton 1975);
//! - `dead`: a local that will not be read again is zero;
//! - `prune`: what cannot be reached or is not used is gone, after each of these.
//!
//! What each makes is an `evidence::Reduction`: the smaller program, and how it lies in the program before.
//! A **witness** is carried back step by step (`expand`). A **proof** stays what it is, about the smaller
//! program; `Proof::Reduced` ties it to the program before, and `check::reduction` says why it
//! may believe that. Nothing here is trusted.

mod constants;
mod dead;
mod demand;
mod expand;
mod fuse;
mod prune;

use crate::as_errors::leads_to_a_bad_state;
use crate::{Transformation, WayBack};
use ccfa::{
    EdgeId, Expr, LocId, LocalId, Program, Property, SharedId, Template, Type, Var, VarRef,
    definedness,
};
use evidence::{Proof, Reason, Reduction, TemplateReduction, Verdict};
use std::sync::Arc;

/// Puts constants in, and leaves out what is then not needed.
pub struct Constants;

/// Leaves out irrelevant steps.
pub struct Irrelevant;

/// Fuses steps.
pub struct Fuse {
    /// Every access to a shared variable stays a step of its own, and in templates that no thread runs only
    /// atomic sections are fused: for comparing threads with these.
    pub stepwise: bool,
}

/// Sets dead locals to zero.
pub struct Dead;

impl Transformation for Constants {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        let substitute = |reduction: &mut Reduction| {
            prune::prune(reduction);
            while constants::substitute(reduction) {
                prune::prune(reduction);
            }
        };
        reduced(program, substitute).into_iter().collect()
    }
}

impl Transformation for Irrelevant {
    /// Where steps are gone, variables may be, and then further steps are irrelevant.
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        let mut passed: Vec<Box<dyn WayBack>> = Vec::new();
        while let Some(next) = without_irrelevant(passed.last().map_or(program, |p| p.program())) {
            passed.push(next);
        }
        passed
    }
}

impl Transformation for Fuse {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        let fuse = |reduction: &mut Reduction| {
            fuse::fuse(reduction, self.stepwise);
            prune::prune(reduction);
        };
        reduced(program, fuse).into_iter().collect()
    }
}

impl Transformation for Dead {
    fn apply(&self, program: &Program) -> Vec<Box<dyn WayBack>> {
        let reset = |reduction: &mut Reduction| {
            dead::reset(&mut reduction.program);
            prune::prune(reduction);
        };
        reduced(program, reset).into_iter().collect()
    }
}

fn without_irrelevant(program: &Program) -> Option<Box<dyn WayBack>> {
    if program.property.deadlocks {
        return None;
    }
    let all = program.templates.iter().map(|template| vec![true; template.edges.len()]);
    let mut taken: Vec<Vec<bool>> = all.collect();
    if !ccfa::irrelevant::remove(program, &mut taken) {
        return None;
    }
    reduced(program, |reduction| {
        reduction.irrelevant = true;
        for (number, taken) in taken.iter().enumerate() {
            let mut taken = taken.iter();
            prune::retain_edges(reduction, number, |_| taken.next() == Some(&true));
        }
        prune::prune(reduction);
    })
}

/// What `reduce` makes of the program, if that is something else. Steps that are one for what else is asked are not one
/// for races.
fn reduced(program: &Program, reduce: impl FnOnce(&mut Reduction)) -> Option<Box<dyn WayBack>> {
    let Property { errors, races, .. } = program.property;
    if !errors || races {
        return None;
    }
    let mut reduction = identity(program);
    reduce(&mut reduction);
    let is_news = reduction.program != *program;
    is_news.then(|| Box::new(Reduced(Arc::new(reduction))) as Box<dyn WayBack>)
}

/// Why an execution of a reduced program need not show a deadlock.
const NO_VALUE: &str =
    "threads may wait for ever, but perhaps because a step of theirs has no value";

/// What comes back of a reduction.
struct Reduced(Arc<Reduction>);

impl WayBack for Reduced {
    fn program(&self) -> &Program {
        &self.0.program
    }

    fn back(&self, before: &Program, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Safe(proof) => Verdict::Safe(Proof::Reduced(self.0.clone(), Box::new(proof))),
            Verdict::Unsafe(witness) => {
                let witness = expand::expanded(before, &self.0, witness);
                // Where a step has no value its guard may be false after: no thread waits for it before.
                match before.property.deadlocks && !leads_to_a_bad_state(before, &witness) {
                    true => Verdict::Unknown(Reason::Beyond(NO_VALUE.to_string())),
                    false => Verdict::Unsafe(witness),
                }
            }
            unknown => unknown,
        }
    }

    fn certificate(&self) -> Option<&Reduction> {
        Some(&self.0)
    }
}

/// The reduction that changes nothing.
fn identity(program: &Program) -> Reduction {
    let template = |template: &Template| TemplateReduction {
        locals: (0..template.locals.len() as u32).map(LocalId).collect(),
        constants: Vec::new(),
        locations: (0..template.locations.len() as u32).map(LocId).collect(),
        paths: (0..template.edges.len() as u32).map(|edge| vec![EdgeId(edge)]).collect(),
    };
    Reduction {
        shared: (0..program.shared.len() as u32).map(SharedId).collect(),
        constants: Vec::new(),
        irrelevant: false,
        templates: program.templates.iter().map(template).collect(),
        program: program.clone(),
    }
}

/// The variables a template sees.
#[derive(Clone, Copy)]
struct TemplateScope<'a> {
    shared: &'a [Var],
    template: &'a Template,
}

impl<'a> TemplateScope<'a> {
    fn var(self, var: VarRef) -> &'a Var {
        match var {
            VarRef::Shared(id) => &self.shared[id.index()],
            VarRef::Local(id) => &self.template.locals[id.index()],
        }
    }

    fn types(self) -> impl Fn(VarRef) -> Type + 'a {
        move |var| self.var(var).ty
    }

    /// Can the value of an expression be undefined?
    fn may_be_undefined(self, expr: &Expr) -> bool {
        definedness::may_be_undefined(expr, &|var| self.var(var))
    }

    /// Can it be undefined though its operands are defined?
    fn may_fail(self, expr: &Expr) -> bool {
        definedness::may_fail(expr, &|var| self.var(var))
    }
}

/// How many parts an expression has.
fn size(expr: &Expr) -> usize {
    let mut count = 0;
    expr.walk(&mut |_| count += 1);
    count
}
