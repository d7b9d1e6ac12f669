//! The facts as evidence: what holds of those in view, in expressions of the program.

use crate::horn::equal;
use crate::reach::{Fact, Facts};
use crate::setting::Setting;
use crate::view::Views;
use ccfa::semantics::System;
use ccfa::{Expr, LocalId, VarRef};
use evidence::{Assertions, Proof, Reason, Region, Verdict};
use logic::Term;
use std::collections::HashMap;

/// The proof that the facts are.
pub(crate) fn proof(setting: &mut Setting, views: &Views, facts: &Facts) -> Verdict {
    let mut result = Vec::new();
    let mut always = Vec::new();
    for (symbol, value) in setting.constants.clone() {
        let variable = setting.terms.symbol(symbol);
        let same = equal(&mut setting.terms, variable, value);
        always.extend(setting.terms.conjuncts(same));
    }
    for (number, view) in views.views.iter().enumerate() {
        let mut regions = Vec::new();
        for fact in facts.facts.iter().filter(|fact| fact.counts && fact.view == number) {
            match region(setting, &view.members, fact, &always) {
                Some(region) => regions.push(region),
                None => {
                    let why = "an assertion of the proof cannot be written as an expression";
                    return Verdict::Unknown(Reason::Beyond(why.into()));
                }
            }
        }
        let roles = view.roles.iter().map(|role| setting.roles[*role]).collect();
        result.push(evidence::View { roles, regions, environment: None });
    }
    Verdict::Safe(Proof::Assertions(Assertions { views: result }))
}

fn region(setting: &Setting, members: &[usize], fact: &Fact, always: &[Term]) -> Option<Region> {
    let at = fact.at.iter().map(|at| Some(vec![*at])).collect();
    let numbers = numbers(&setting.system, members);
    let written = |literal: &Term| {
        let expr = setting.vocabulary.expression(&setting.terms, *literal)?;
        Some(renumbered(expr, &numbers))
    };
    let holds =
        always.iter().chain(fact.literals.iter()).map(written).collect::<Option<Vec<Expr>>>()?;
    Some(Region { at, holds })
}

/// The local variables of members: from their numbers among those of all instances to those in view.
fn numbers(system: &System, members: &[usize]) -> HashMap<LocalId, LocalId> {
    let count = |instance: &usize| system.template(*instance).locals.len();
    let mut numbers = HashMap::new();
    for member in members {
        let first: usize = (0..*member).map(|instance| count(&instance)).sum();
        for local in 0..count(member) {
            numbers.insert(LocalId((first + local) as u32), LocalId(numbers.len() as u32));
        }
    }
    numbers
}

fn renumbered(expr: Expr, numbers: &HashMap<LocalId, LocalId>) -> Expr {
    let var = |var: VarRef| match var {
        VarRef::Shared(_) => var,
        VarRef::Local(id) => VarRef::Local(numbers[&id]),
    };
    let go = |expr: Box<Expr>| Box::new(renumbered(*expr, numbers));
    match expr {
        Expr::Const(..) => expr,
        Expr::Var(name) => Expr::Var(var(name)),
        Expr::Index(name, index) => Expr::Index(var(name), go(index)),
        Expr::Unary(op, a) => Expr::Unary(op, go(a)),
        Expr::Binary(op, a, b) => Expr::Binary(op, go(a), go(b)),
        Expr::Cast(ty, a) => Expr::Cast(ty, go(a)),
        Expr::Ite(c, a, b) => Expr::Ite(go(c), go(a), go(b)),
    }
}
