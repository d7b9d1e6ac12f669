//! What an observer is told of the questions that the checker asks of formulas.
//!
//! Each *premise* of a proof rule is announced in words, and each question that was answered with "these cannot
//! hold together" is told as terms: so what was confirmed is what others can confirm. A premise without questions was plain
//! to see: what is to follow is given, or nothing has to follow. Nothing that an observer does comes back.

use crate::Means;
use ccfa::{Budget, Span};
use logic::certificate::IntegerSearch;
use logic::{Term, Terms};

/// A premise of a proof rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premise {
    /// Which, in a word: "initiation", "consecution".
    pub rule: &'static str,
    /// Of what, in words.
    pub words: String,
    /// Where it is about, in the files of the program.
    pub place: Option<Span>,
}

/// Is told what is asked.
pub trait Observer {
    /// What is asked from now on is this premise.
    fn premise(&self, premise: Premise);
    /// These formulas cannot hold together.
    fn impossible(&self, terms: &Terms, formulas: &[Term]);
}

impl<'a> Means<'a> {
    /// Nobody is told.
    pub fn new(integers: IntegerSearch, budget: &'a Budget) -> Means<'a> {
        Means { integers, budget, observer: None }
    }

    /// What is asked from now on is this premise.
    pub(crate) fn premise(&self, premise: impl FnOnce() -> Premise) {
        if let Some(observer) = self.observer {
            observer.premise(premise());
        }
    }

    /// These formulas cannot hold together; true.
    pub(crate) fn tell(&self, terms: &Terms, formulas: &[&[Term]]) -> bool {
        if let Some(observer) = self.observer {
            observer.impossible(terms, &formulas.concat());
        }
        true
    }
}
