//! The facts as evidence: what holds of those in view, in expressions of the program.

use crate::horn::equal;
use crate::reach::{Fact, Facts};
use crate::setting::Setting;
use crate::values;
use crate::view::{View, Views};
use ccfa::{Expr, LocId, LocalId, SharedId, VarRef};
use evidence::{Assertions, Proof, Reason, Region, Slot, Verdict};
use logic::{Symbol, Term};
use std::collections::{BTreeSet, HashMap};

/// The proof that the facts are.
pub(crate) fn proof(setting: &mut Setting, views: &Views, facts: &Facts) -> Verdict {
    let always = always(setting);
    let mut result = Vec::new();
    for (number, view) in views.views.iter().enumerate() {
        let here = facts.facts.iter().filter(|fact| fact.counts && fact.view == number);
        let regions = here.map(|Fact { at, literals, .. }| {
            region(setting, &view.members, at, always.iter().chain(literals.iter()))
        });
        let Some(regions) = regions.collect() else { return unwritable() };
        let environment = match environment(setting, view, facts, number) {
            Some(None) => return unwritable(),
            Some(environment) => environment,
            None => None,
        };
        result.push(evidence::View { slots: slots(setting, view), regions, environment });
    }
    Verdict::Safe(Proof::Assertions(Assertions { views: result }))
}

/// The proof by values, with one in view.
pub(crate) fn by_values(setting: &Setting, views: &Views, found: &[values::Region]) -> Verdict {
    let mut result = Vec::new();
    for (number, view) in views.views.iter().enumerate() {
        let here = found.iter().filter(|region| region.view == number);
        let regions = here.map(|values::Region { at, literals, .. }| {
            region(setting, &view.members, &[*at], literals.iter())
        });
        let Some(regions) = regions.collect() else { return unwritable() };
        result.push(evidence::View { slots: slots(setting, view), regions, environment: None });
    }
    Verdict::Safe(Proof::Assertions(Assertions { views: result }))
}

/// What holds all the time.
fn always(setting: &mut Setting) -> Vec<Term> {
    let mut always = Vec::new();
    for (symbol, value) in setting.constants.clone() {
        let variable = setting.terms.symbol(symbol);
        let same = equal(&mut setting.terms, variable, value);
        always.extend(setting.terms.conjuncts(same));
    }
    always
}

fn slots(setting: &Setting, view: &View) -> Vec<Slot> {
    view.roles.iter().map(|role| setting.roles[*role]).collect()
}

fn unwritable() -> Verdict {
    let why = "an assertion of the proof cannot be written as an expression";
    Verdict::Unknown(Reason::Beyond(why.into()))
}

fn region<'t>(
    setting: &Setting,
    members: &[usize],
    at: &[LocId],
    holds: impl Iterator<Item = &'t Term>,
) -> Option<Region> {
    let numbers = Numbers::new(setting, members);
    let holds = holds.map(|literal| numbers.expression(setting, *literal));
    let at = at.iter().map(|at| Some(vec![*at])).collect();
    Some(Region { at, holds: holds.collect::<Option<Vec<Expr>>>()? })
}

/// The changes of a view, if the environment is abstracted; nothing in place of one that cannot
/// be written as an expression. A change may do anything to variables of which the view knows nothing.
fn environment(
    setting: &Setting,
    view: &View,
    facts: &Facts,
    number: usize,
) -> Option<Option<Vec<evidence::EnvironmentTransition>>> {
    let environment = facts.environment.as_ref().filter(|environment| environment.is_abstract())?;
    let numbers = Numbers::new(setting, &view.members);
    let is_constant = |symbol| setting.constants.iter().any(|(other, _)| *other == symbol);
    let is_unnoticed =
        |symbol: &&Symbol| !facts.mentioned[number].contains(**symbol) && !is_constant(**symbol);
    let unnoticed: Vec<VarRef> =
        setting.after.keys().filter(is_unnoticed).map(|symbol| numbers.0[symbol]).collect();
    let anywhere = vec![None; view.members.len()];
    let change = |writes: &BTreeSet<Symbol>, literals: &[Term]| {
        let written = literals.iter().map(|literal| numbers.expression(setting, *literal));
        Some(evidence::EnvironmentTransition {
            from: anywhere.clone(),
            to: anywhere.clone(),
            writes: writes.iter().map(|s| numbers.0[s]).chain(unnoticed.clone()).collect(),
            holds: written.collect::<Option<Vec<Expr>>>()?,
        })
    };
    let found = environment.changes(number).map(|found| change(&found.writes, &found.literals));
    Some(found.chain([change(&BTreeSet::new(), &[])]).collect())
}

/// What evidence calls the variables of those in view: their locals one after the other, then the shared
/// variables after a step of somebody else.
struct Numbers(HashMap<Symbol, VarRef>);

impl Numbers {
    fn new(setting: &Setting, members: &[usize]) -> Numbers {
        let mut numbers = HashMap::new();
        let mut locals = (0..).map(|number| VarRef::Local(LocalId(number)));
        let mut next = || locals.next().expect("there should be enough numbers");
        for member in members {
            for local in 0..setting.system.template(*member).locals.len() {
                let var = VarRef::Local(LocalId(local as u32));
                numbers.insert(setting.vocabulary.symbol(*member, var), next());
            }
        }
        for number in 0..setting.system.program.shared.len() {
            let var = VarRef::Shared(SharedId(number as u32));
            let symbol = setting.vocabulary.symbol(0, var);
            numbers.insert(symbol, var);
            numbers.insert(setting.after[&symbol], next());
        }
        Numbers(numbers)
    }

    fn expression(&self, setting: &Setting, formula: Term) -> Option<Expr> {
        solve::expression(&setting.terms, formula, &|symbol| self.0.get(&symbol).copied())
    }
}
