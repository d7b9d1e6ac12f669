//! BatSat, a small SAT solver after MiniSat (N. Eén, N. Sörensson, SAT 2003): on small
//! questions it needs less than half the time of CaDiCaL. It gives up early, since hard
//! questions are for CaDiCaL. Engines may believe it; `check` does not ask it.

use ::batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use ccfa::Budget;
use logic::Answer;
use logic::bits::Sat;

/// A question that needs more conflicts is not decided here: the other solver is better at hard ones.
const MAX_CONFLICTS: usize = 2_000;

/// BatSat.
pub struct Batsat {
    solver: Solver<Effort>,
    variables: Vec<Var>,
    clause: Vec<Lit>,
}

impl Batsat {
    fn literal(&mut self, literal: i32) -> Lit {
        let number = literal.unsigned_abs() as usize;
        while self.variables.len() < number {
            self.variables.push(self.solver.new_var_default());
        }
        Lit::new(self.variables[number - 1], literal > 0)
    }
}

impl Sat for Batsat {
    /// [`Sat::MAX_CLAUSES`]: measured.
    const MAX_CLAUSES: usize = 5_000;

    fn new(budget: &Budget) -> Batsat {
        let effort = Effort { conflicts: 0, budget: budget.clone() };
        let solver = Solver::new(SolverOpts::default(), effort);
        Batsat { solver, variables: Vec::new(), clause: Vec::new() }
    }

    fn clause(&mut self, literals: &[i32]) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend(literals.iter().map(|literal| self.literal(*literal)));
        // The answer says whether a contradiction is known; `solve` will say so, too.
        self.solver.add_clause_reuse(&mut clause);
        self.clause = clause;
    }

    fn solve(&mut self, assumptions: &[i32]) -> Answer {
        let assumptions: Vec<Lit> = assumptions.iter().map(|lit| self.literal(*lit)).collect();
        self.solver.cb_mut().conflicts = 0;
        match self.solver.solve_limited(&assumptions) {
            answer if answer == lbool::TRUE => Answer::Sat,
            answer if answer == lbool::FALSE => Answer::Unsat,
            _ => Answer::Unknown,
        }
    }

    fn value(&mut self, literal: i32) -> bool {
        let literal = self.literal(literal);
        self.solver.value_lit(literal) == lbool::TRUE
    }

    fn failed(&mut self, assumption: i32) -> bool {
        // The core is a clause: it has the negations of the assumptions.
        let literal = self.literal(assumption);
        self.solver.unsat_core_contains_lit(!literal)
    }
}

struct Effort {
    conflicts: usize,
    budget: Budget,
}

impl Callbacks for Effort {
    fn on_new_clause(&mut self, _clause: &[Lit], kind: ClauseKind) {
        self.conflicts += usize::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        self.conflicts > MAX_CONFLICTS || self.budget.check().is_err()
    }
}
