//! What follows from formulas that are known to hold.
//!
//! Formulas that share no variables, not even by way of others, have nothing to do with each
//! other. So what is known is kept in *parts* that share none, and a question is about one part,
//! or about those that it joins: small questions that come up again, and then are answered from memory.

use crate::numbered::Numbered;
use crate::setting::Setting;
use crate::symbols::SymbolSet;
use logic::{Answer, FastMap, Term};
use solve::Entailment;
use std::rc::Rc;

/// What is known, in parts that can hold, each by itself and so together.
pub(crate) struct Known {
    parts: Vec<Part>,
}

#[derive(Clone)]
struct Part {
    symbols: SymbolSet,
    number: PartId,
}

/// Equal parts have one number.
type PartId = usize;

/// Answers about parts.
#[derive(Default)]
pub(crate) struct Memory {
    parts: Numbered<Rc<[Term]>>,
    can_hold: FastMap<PartId, bool>,
    follows: FastMap<(PartId, Term), bool>,
}

impl Memory {
    fn number(&mut self, mut formulas: Vec<Term>) -> PartId {
        formulas.sort();
        formulas.dedup();
        self.parts.number(formulas.into())
    }
}

impl Known {
    /// These formulas, if they can hold together.
    pub fn new(setting: &mut Setting, formulas: &[Term]) -> Option<Known> {
        let mut groups: Vec<(SymbolSet, Vec<Term>)> = Vec::new();
        for formula in formulas {
            let mut symbols = setting.symbols(*formula).as_ref().clone();
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
            let number = setting.memory.number(formulas);
            if !setting.part_can_hold(number) {
                return None;
            }
            parts.push(Part { symbols, number });
        }
        Some(Known { parts })
    }

    /// The predicate or its negation, if one of them follows; it is `now` about what is known.
    pub fn literal(&self, setting: &mut Setting, predicate: Term, now: Term) -> Option<Term> {
        let holds = match setting.terms.constant_value(now) {
            Some(value) => value == 1,
            None => {
                let negated = setting.terms.not(now);
                let part = self.about(setting, now);
                if setting.follows(part, now) {
                    true
                } else if setting.follows(part, negated) {
                    false
                } else {
                    return None;
                }
            }
        };
        Some(if holds { predicate } else { setting.terms.not(predicate) })
    }

    /// The part that a formula is about.
    fn about(&self, setting: &mut Setting, formula: Term) -> PartId {
        let symbols = setting.symbols(formula);
        let mut touched = self.parts.iter().filter(|part| !part.symbols.is_disjoint(&symbols));
        match (touched.next(), touched.next()) {
            (None, _) => setting.memory.number(Vec::new()),
            (Some(part), None) => part.number,
            (Some(one), Some(other)) => {
                let parts = [one, other].into_iter().chain(touched);
                let formulas =
                    parts.flat_map(|part| setting.memory.parts.get(part.number).to_vec());
                let formulas = formulas.collect();
                setting.memory.number(formulas)
            }
        }
    }
}

impl Setting<'_> {
    /// Can these hold together?
    pub fn can_hold(&mut self, formulas: &[Term]) -> bool {
        Known::new(self, formulas).is_some()
    }

    fn part_can_hold(&mut self, part: PartId) -> bool {
        if let Some(known) = self.memory.can_hold.get(&part) {
            return *known;
        }
        let formulas = self.memory.parts.get(part).clone();
        let answer = self.decider.check(&self.terms, &formulas) != Answer::Unsat;
        self.memory.can_hold.insert(part, answer);
        answer
    }

    fn follows(&mut self, part: PartId, conclusion: Term) -> bool {
        if let Some(known) = self.memory.follows.get(&(part, conclusion)) {
            return *known;
        }
        let premises = self.memory.parts.get(part).clone();
        let answer = self.decider.implies(&mut self.terms, &premises, conclusion);
        let answer = answer == Entailment::Holds;
        self.memory.follows.insert((part, conclusion), answer);
        answer
    }
}
