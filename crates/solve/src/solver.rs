//! What a solver can do, one capability a trait.
//!
//! A solver decides conjunctions of formulas. It may keep what it has learned
//! between questions, as long as each answer depends on the question alone.

use logic::{Answer, Term, Terms};

/// Decides.
pub trait Solver {
    /// Do all of `formulas` hold under some valuation?
    fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer;
}

/// Shows a valuation.
pub trait Models: Solver {
    /// After `Sat`: the value of a scalar symbol or of a `Select` from a symbol (at a constant
    /// index) in one valuation under which all formulas hold; 0 for what was not asked about.
    fn value(&mut self, terms: &Terms, term: Term) -> i128;
}

/// Shows what is to blame.
pub trait Cores: Solver {
    /// After `Unsat`: formulas among those asked that cannot hold together; hardly more than needed.
    fn core(&self) -> Vec<Term>;
}
