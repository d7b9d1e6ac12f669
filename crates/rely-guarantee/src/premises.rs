//! What follows from formulas that are known to hold: the implications by which the abstraction functions `α̇` and
//! `α̈` are defined (Figure 6, lines 5 and 6).
//!
//! Formulas that share no variables, not even by way of others, are independent of each
//! other. So premises are kept in *parts* that share none, and a question is about one part,
//! or about those that it joins: small questions that come up again, and then are answered from the cache.

use crate::context::Context;
use crate::ids::{Interner, PartId};
use crate::symbols::SymbolSet;
use logic::{Answer, FastMap, Term};
use solve::Entailment;
use std::rc::Rc;

/// Formulas in parts, each of which is satisfiable by itself; so they are together.
pub(crate) struct Premises {
    parts: Vec<PremisePart>,
}

#[derive(Clone)]
struct PremisePart {
    symbols: SymbolSet,
    id: PartId,
}

/// Answers about parts.
#[derive(Default)]
pub(crate) struct EntailmentCache {
    parts: Interner<PartId, Rc<[Term]>>,
    satisfiable: FastMap<PartId, bool>,
    implied: FastMap<(PartId, Term), bool>,
}

impl EntailmentCache {
    fn part(&mut self, mut formulas: Vec<Term>) -> PartId {
        formulas.sort();
        formulas.dedup();
        self.parts.intern(formulas.into())
    }
}

impl Premises {
    /// These formulas, if they are satisfiable together.
    pub fn new(context: &mut Context, formulas: &[Term]) -> Option<Premises> {
        let mut groups: Vec<(SymbolSet, Vec<Term>)> = Vec::new();
        for formula in formulas {
            let mut symbols = context.symbols(*formula).as_ref().clone();
            let mut joined = vec![*formula];
            let mut place = 0;
            while place < groups.len() {
                if groups[place].0.is_disjoint(&symbols) {
                    place += 1;
                } else {
                    let (others, formulas) = groups.swap_remove(place);
                    symbols.add_all(&others);
                    joined.extend(formulas);
                }
            }
            groups.push((symbols, joined));
        }
        let mut parts = Vec::new();
        for (symbols, formulas) in groups {
            let id = context.entailments.part(formulas);
            if !context.part_is_satisfiable(id) {
                return None;
            }
            parts.push(PremisePart { symbols, id });
        }
        Some(Premises { parts })
    }

    /// The predicate or its negation, if one of them is implied; over the variables of the premises the predicate is `now`.
    pub fn literal(&self, context: &mut Context, predicate: Term, now: Term) -> Option<Term> {
        let holds = match context.terms.constant_value(now) {
            Some(value) => value == 1,
            None => {
                let negated = context.terms.not(now);
                let part = self.about(context, now);
                if context.part_implies(part, now) {
                    true
                } else if context.part_implies(part, negated) {
                    false
                } else {
                    return None;
                }
            }
        };
        Some(if holds { predicate } else { context.terms.not(predicate) })
    }

    /// The part with which a formula shares variables; parts that it connects are joined.
    fn about(&self, context: &mut Context, formula: Term) -> PartId {
        let symbols = context.symbols(formula);
        let mut touched = self.parts.iter().filter(|part| !part.symbols.is_disjoint(&symbols));
        match (touched.next(), touched.next()) {
            (None, _) => context.entailments.part(Vec::new()),
            (Some(part), None) => part.id,
            (Some(one), Some(other)) => {
                let parts = [one, other].into_iter().chain(touched);
                let formulas =
                    parts.flat_map(|part| context.entailments.parts.get(part.id).to_vec());
                let formulas = formulas.collect();
                context.entailments.part(formulas)
            }
        }
    }
}

impl Context<'_> {
    /// Are these satisfiable together?
    pub fn is_satisfiable(&mut self, formulas: &[Term]) -> bool {
        Premises::new(self, formulas).is_some()
    }

    fn part_is_satisfiable(&mut self, part: PartId) -> bool {
        if let Some(known) = self.entailments.satisfiable.get(&part) {
            return *known;
        }
        let formulas = self.entailments.parts.get(part).clone();
        let answer = self.decider.check(&self.terms, &formulas) != Answer::Unsat;
        self.entailments.satisfiable.insert(part, answer);
        answer
    }

    fn part_implies(&mut self, part: PartId, conclusion: Term) -> bool {
        if let Some(known) = self.entailments.implied.get(&(part, conclusion)) {
            return *known;
        }
        let premises = self.entailments.parts.get(part).clone();
        let answer = self.decider.implies(&mut self.terms, &premises, conclusion);
        let answer = answer == Entailment::Holds;
        self.entailments.implied.insert((part, conclusion), answer);
        answer
    }
}
