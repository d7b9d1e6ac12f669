//! The proof: `∨R_i` (Figure 6, line 17) as evidence, in expressions of the program. What the environment does, `∨E_i`, is left
//! out: `check` looks at the steps of other threads themselves.

use crate::aret::{AbstractState, Aret};
use crate::context::Context;
use crate::horn::equal;
use crate::ids::InstanceId;
use crate::values;
use crate::view::{View, Views};
use ccfa::{Expr, LocId, LocalId, SharedId, VarRef};
use evidence::{Assertions, Proof, Reason, Region, Slot, Verdict};
use logic::{Symbol, Term};
use std::collections::HashMap;

/// The proof that the abstract states are.
pub(crate) fn proof(context: &mut Context, aret: &Aret) -> Verdict {
    let always = always(context);
    let mut result = Vec::new();
    for (id, view) in aret.views.iter() {
        let regions = aret.reached(id).map(|(_, AbstractState { at, literals, .. })| {
            region(context, &view.tracked, at, always.iter().chain(literals.iter()))
        });
        let Some(regions) = regions.collect() else { return unwritable() };
        result.push(evidence::View { slots: slots(context, view), regions });
    }
    Verdict::Safe(Proof::Assertions(Assertions { views: result }))
}

/// The proof by values, with one tracked thread.
pub(crate) fn by_values(
    context: &Context,
    views: &Views,
    found: &[values::ValueRegion],
) -> Verdict {
    let mut result = Vec::new();
    for (id, view) in views.iter() {
        let here = found.iter().filter(|region| region.view == id);
        let regions = here.map(|values::ValueRegion { at, literals, .. }| {
            region(context, &view.tracked, &[*at], literals.iter())
        });
        let Some(regions) = regions.collect() else { return unwritable() };
        result.push(evidence::View { slots: slots(context, view), regions });
    }
    Verdict::Safe(Proof::Assertions(Assertions { views: result }))
}

/// The values of variables that no edge assigns.
fn always(context: &mut Context) -> Vec<Term> {
    let mut always = Vec::new();
    for (symbol, value) in context.constants.clone() {
        let variable = context.terms.symbol(symbol);
        let same = equal(&mut context.terms, variable, value);
        always.extend(context.terms.conjuncts(same));
    }
    always
}

fn slots(context: &Context, view: &View) -> Vec<Slot> {
    view.classes.iter().map(|class| context.slot(*class)).collect()
}

fn unwritable() -> Verdict {
    let why = "an assertion of the proof cannot be written as an expression";
    Verdict::Unknown(Reason::Beyond(why.into()))
}

fn region<'t>(
    context: &Context,
    tracked: &[InstanceId],
    at: &[LocId],
    holds: impl Iterator<Item = &'t Term>,
) -> Option<Region> {
    let numbers = Numbers::new(context, tracked);
    let holds = holds.map(|literal| numbers.expression(context, *literal));
    let at = at.iter().map(|at| Some(vec![*at])).collect();
    Some(Region { at, holds: holds.collect::<Option<Vec<Expr>>>()? })
}

/// What evidence calls the variables of a view: the locals of its tracked threads one after the other.
struct Numbers(HashMap<Symbol, VarRef>);

impl Numbers {
    fn new(context: &Context, tracked: &[InstanceId]) -> Numbers {
        let mut numbers = HashMap::new();
        let mut locals = (0..).map(|number| VarRef::Local(LocalId(number)));
        let mut next = || locals.next().expect("there should be enough numbers");
        for instance in tracked {
            for local in 0..context.template(*instance).locals.len() {
                let var = VarRef::Local(LocalId(local as u32));
                numbers.insert(context.symbol(*instance, var), next());
            }
        }
        for number in 0..context.system.program.shared.len() {
            let var = VarRef::Shared(SharedId(number as u32));
            let symbol = context.vocabulary.symbol(0, var);
            numbers.insert(symbol, var);
        }
        Numbers(numbers)
    }

    fn expression(&self, context: &Context, formula: Term) -> Option<Expr> {
        solve::expression(&context.terms, formula, &|symbol| self.0.get(&symbol).copied())
    }
}
