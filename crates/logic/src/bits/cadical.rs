//! CaDiCaL (A. Biere et al., "CaDiCaL 2.0", CAV 2024), built from the sources in its
//! crate. **Trusted.**

use super::sat::{Answer, Sat};
use cadical_sys::{CaDiCal, Status, Terminator};
use ccfa::Budget;

/// CaDiCaL.
pub struct Cadical(CaDiCal);

impl Sat for Cadical {
    /// [`Sat::MAX_CLAUSES`]: measured.
    const MAX_CLAUSES: usize = 10_000;

    fn new(budget: &Budget) -> Cadical {
        let mut solver = CaDiCal::new();
        // Factoring adds variables of its own, which would clash with ours.
        let accepted = solver.set("factor", 0);
        // Trying its luck before each question takes longer than most of ours.
        let accepted = solver.set("lucky", 0) && accepted;
        assert!(accepted, "CaDiCaL should know its options");
        solver.connect_terminator(Exhausted(budget.clone()));
        Cadical(solver)
    }

    fn clause(&mut self, literals: &[i32]) {
        self.0.clause6(literals);
    }

    fn solve(&mut self, assumptions: &[i32]) -> Answer {
        for literal in assumptions {
            self.0.assume(*literal);
        }
        match self.0.solve() {
            Status::SATISFIABLE => Answer::Sat,
            Status::UNSATISFIABLE => Answer::Unsat,
            Status::UNKNOWN => Answer::Unknown,
        }
    }

    fn value(&mut self, literal: i32) -> bool {
        self.0.val(literal) == literal
    }

    fn failed(&mut self, assumption: i32) -> bool {
        self.0.failed(assumption)
    }
}

struct Exhausted(Budget);

impl Terminator for Exhausted {
    fn terminated(&mut self) -> bool {
        self.0.check().is_err()
    }
}
