//! What the axioms say of an execution: each term is computed, definitions in their order, recursive ones
//! as a least fixpoint from below. That is right for monotone equations, and ends since there are finitely many pairs.

use crate::execution::Execution;
use crate::language::{Axioms, Demand, ModelStatement, RelationTerm, SetTerm};
use crate::relation::{EventRelation, EventSet};

/// An axiom that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The name of the axiom.
    pub axiom: String,
    /// Events that show it: a cycle, or the two ends of a pair that should not be there.
    pub events: Vec<usize>,
}

impl Axioms {
    /// The first axiom that does not hold; none, if the execution is consistent.
    pub fn violated(&self, execution: &Execution) -> Option<Violation> {
        let mut evaluator = Evaluator { execution, defined: Vec::new() };
        self.statements.iter().find_map(|statement| match statement {
            ModelStatement::Let { definitions, recursive } => {
                evaluator.define(definitions, *recursive);
                None
            }
            ModelStatement::Axiom { demand, term, name } => {
                let events = broken(*demand, &evaluator.relation(term))?;
                Some(Violation { axiom: name.clone(), events })
            }
        })
    }

    /// The names of the axioms, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.statements.iter().filter_map(|statement| match statement {
            ModelStatement::Axiom { name, .. } => Some(name.as_str()),
            ModelStatement::Let { .. } => None,
        })
    }
}

/// Events that show that a relation is not as demanded.
fn broken(demand: Demand, relation: &EventRelation) -> Option<Vec<usize>> {
    match demand {
        Demand::Acyclic if relation.is_acyclic() => None,
        Demand::Acyclic => relation.cycle(),
        Demand::Irreflexive => {
            relation.pairs().find(|(from, to)| from == to).map(|(event, _)| vec![event])
        }
        Demand::Empty => relation.pairs().next().map(|(from, to)| vec![from, to]),
    }
}

struct Evaluator<'e> {
    execution: &'e Execution,
    defined: Vec<EventRelation>,
}

impl Evaluator<'_> {
    fn define(&mut self, definitions: &[RelationTerm], recursive: bool) {
        if !recursive {
            for definition in definitions {
                let relation = self.relation(definition);
                self.defined.push(relation);
            }
            return;
        }
        let first = self.defined.len();
        let nothing = EventRelation::empty(self.execution.events.len());
        self.defined.resize(first + definitions.len(), nothing);
        loop {
            let next: Vec<EventRelation> =
                definitions.iter().map(|definition| self.relation(definition)).collect();
            if next == self.defined[first..] {
                return;
            }
            self.defined.truncate(first);
            self.defined.extend(next);
        }
    }

    fn relation(&self, term: &RelationTerm) -> EventRelation {
        match term {
            RelationTerm::Base(name) => {
                self.execution.relation(name).expect("the reader knows all relations")
            }
            RelationTerm::Defined(number) => self.defined[*number].clone(),
            RelationTerm::Identity(set) => {
                EventRelation::identity(self.execution.events.len(), self.set(set))
            }
            RelationTerm::Union(left, right) => self.relation(left).union(&self.relation(right)),
            RelationTerm::Sequence(left, right) => self.relation(left).then(&self.relation(right)),
            RelationTerm::Intersection(left, right) => {
                self.relation(left).intersection(&self.relation(right))
            }
            RelationTerm::Difference(left, right) => {
                self.relation(left).difference(&self.relation(right))
            }
            RelationTerm::Plus(term) => self.relation(term).transitive_closure(),
            RelationTerm::Star(term) => self.relation(term).transitive_closure().reflexive(),
            RelationTerm::Optional(term) => self.relation(term).reflexive(),
            RelationTerm::Inverse(term) => self.relation(term).inverse(),
        }
    }

    fn set(&self, set: &SetTerm) -> EventSet {
        match set {
            SetTerm::Named(name) => self.execution.set(name).expect("the reader knows all sets"),
            SetTerm::Union(left, right) => self.set(left) | self.set(right),
            SetTerm::Intersection(left, right) => self.set(left) & self.set(right),
            SetTerm::Difference(left, right) => self.set(left) - self.set(right),
        }
    }
}
