//! Lemmas from certificates. **Trusted**: a lemma is made from a verified certificate only.

use super::read::{Fact, Reading, Shared};
use super::{Blaster, Judgement, Lit, constraints};
use crate::bits::arithmetic;
use crate::bits::blast::{constant, extended};
use crate::bits::circuit::Circuit;
use crate::bits::compare;
use crate::certificate::{Certificate, Farkas, sum};
use crate::constraint::{Constraint, Form, LinearVar};
use ccfa::Type;
use std::collections::BTreeMap;

/// Sums with more bits are not made: the lemma would be larger than what it saves.
const MAX_SUM_BITS: usize = 200;

/// The lemma that the facts do not hold together; `Unknown` if the certificate does not show it.
pub(super) fn of_facts(facts: &[Fact], certificate: &Certificate) -> Judgement {
    let needed = certificate.needed(facts.len());
    // It is verified without the facts that it does not need, as the lemma is without their guards.
    let mut constraints = constraints(facts);
    for (index, constraint) in constraints.iter_mut().enumerate() {
        if !needed.contains(&index) {
            *constraint = Constraint::zero(Form::constant(0));
        }
    }
    if !certificate.verify(&constraints) {
        return Judgement::Unknown;
    }
    Judgement::Lemma(negated(needed.iter().map(|index| &facts[*index])))
}

/// The same for `facts`, which are those of the reading and after them the values of shared
/// numbers.
pub(super) fn of_values(
    blaster: &mut Blaster,
    reading: &Reading,
    facts: &[Fact],
    certificate: &Certificate,
) -> Judgement {
    if let Certificate::Farkas(farkas) = certificate
        && let Some(lemma) = projected(&mut blaster.circuit, reading, farkas)
    {
        return Judgement::Lemma(lemma);
    }
    of_facts(facts, certificate)
}

/// What facts say of shared numbers alone, and the facts: the sum of their multiples is at most 0.
/// `None` if another variable is left in it, or it needs many bits.
fn projected(circuit: &mut Circuit, reading: &Reading, farkas: &Farkas) -> Option<Vec<Lit>> {
    let count = reading.facts.len();
    let own: Farkas = farkas.iter().filter(|(index, _)| *index < count).cloned().collect();
    let facts = constraints(&reading.facts);
    let constraint = Constraint::at_most_zero(sum(&own, &facts)?);
    let holds = blasted(circuit, &constraint, &reading.shared)?;
    let mut lemma = negated(own.iter().map(|(index, _)| &reading.facts[*index]));
    lemma.push(holds);
    Some(lemma)
}

/// The literal of an inequality of shared numbers.
fn blasted(
    circuit: &mut Circuit,
    constraint: &Constraint,
    shared: &BTreeMap<LinearVar, Shared>,
) -> Option<Lit> {
    let form = constraint.form();
    let constant_part = constant(form.constant.to_i128()?, Type::Int);
    let mut parts = Vec::new();
    for (var, coefficient) in form.coefficients() {
        let word = &shared.get(var)?.word;
        parts.push((word, constant(coefficient.to_i128()?, Type::Int)));
    }
    // A product needs as many bits as both factors, each doubling of the number of parts one more.
    let products = parts.iter().map(|(word, factor)| word.len() + factor.len());
    let width = products.chain([constant_part.len()]).max()? + parts.len() + 1;
    if width > MAX_SUM_BITS {
        return None;
    }
    let mut total = extended(&constant_part, width);
    for (word, factor) in parts {
        let product = arithmetic::mul(circuit, &extended(word, width), &extended(&factor, width));
        total = arithmetic::add(circuit, &total, &product);
    }
    let zero = vec![Lit::FALSE; width];
    Some(compare::less_equal(circuit, &total, &zero, true))
}

/// One of the guards of these facts fails.
fn negated<'f>(facts: impl Iterator<Item = &'f Fact>) -> Vec<Lit> {
    let mut clause: Vec<Lit> = facts.flat_map(|fact| &fact.guards).map(|guard| !*guard).collect();
    clause.sort();
    clause.dedup();
    clause
}
