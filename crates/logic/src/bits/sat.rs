//! What is asked of a SAT solver.

use ccfa::Budget;

/// Whether formulas (or clauses) hold together under some valuation of their symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They do.
    Sat,
    /// They do not.
    Unsat,
    /// Not known: interrupted, or beyond what the solver decides.
    Unknown,
}

/// Decides sets of clauses under assumptions. Literals are those of DIMACS: a variable is a
/// number from 1 up, its negation the negative number.
pub trait Sat {
    /// With more clauses, most of which a question does not need, it is better to begin anew:
    /// every variable must have a value before the answer is `Sat`. Measured by
    /// `benches/queries.rs`.
    const MAX_CLAUSES: usize;

    /// Knows no clauses. `solve` gives `Unknown` soon after the budget is exhausted.
    fn new(budget: &Budget) -> Self;

    /// Adds a clause.
    fn clause(&mut self, literals: &[i32]);

    /// Do all clauses hold together with the assumptions?
    fn solve(&mut self, assumptions: &[i32]) -> Answer;

    /// After `Sat`: does the literal, which occurs in a clause or was assumed, hold?
    fn value(&mut self, literal: i32) -> bool;

    /// After `Unsat`: is this assumption to blame?
    fn failed(&mut self, assumption: i32) -> bool;
}
