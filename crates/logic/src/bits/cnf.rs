//! Circuits as clauses. **Trusted.**
//!
//! G. S. Tseitin, "On the complexity of derivation in propositional calculus", 1968: one
//! variable for each gate, and clauses that say what the gate computes. Only the cone of what
//! is asked about is written down.

use super::circuit::{Circuit, Gate, Lit};
use super::sat::{Answer, Sat};
use ccfa::Budget;

/// A SAT solver and the gates it knows.
pub struct Instance<S> {
    sat: S,
    /// The variable of each gate; 0 if it has none yet.
    variables: Vec<i32>,
    /// The gates that have one: variable n is that of the n-th.
    gates: Vec<usize>,
    clauses: usize,
    /// How many clauses the first question needed.
    first: Option<usize>,
}

impl<S: Sat> Instance<S> {
    /// Knows nothing.
    pub fn new(budget: &Budget) -> Instance<S> {
        Instance {
            sat: S::new(budget),
            variables: Vec::new(),
            gates: Vec::new(),
            clauses: 0,
            first: None,
        }
    }

    /// Does it know so much that a new one would be faster?
    pub fn is_crowded(&self) -> bool {
        self.clauses > S::MAX_CLAUSES.max(4 * self.first.unwrap_or(0))
    }

    /// Begins anew.
    pub fn forget(&mut self, budget: &Budget) {
        // The table is as long as the circuit: only what was used is cleared.
        for gate in self.gates.drain(..) {
            self.variables[gate] = 0;
        }
        let variables = std::mem::take(&mut self.variables);
        *self = Instance { variables, ..Instance::new(budget) };
    }

    /// From now on the literal holds.
    pub fn assert(&mut self, circuit: &Circuit, lit: Lit) {
        let literal = self.load(circuit, lit);
        self.clause(&[literal]);
    }

    /// From now on one of the literals holds.
    pub fn assert_any(&mut self, circuit: &Circuit, lits: &[Lit]) {
        let literals: Vec<i32> = lits.iter().map(|lit| self.load(circuit, *lit)).collect();
        self.clause(&literals);
    }

    /// Was it asked about?
    pub fn knows(&self, lit: Lit) -> bool {
        self.known(lit).is_some()
    }

    /// Can all of `lits` hold?
    pub fn solve(&mut self, circuit: &Circuit, lits: &[Lit]) -> Answer {
        let literals: Vec<i32> = lits.iter().map(|lit| self.load(circuit, *lit)).collect();
        self.first.get_or_insert(self.clauses);
        self.sat.solve(&literals)
    }

    /// After `Sat`: the value of a literal; that of a gate that was not asked about is false.
    pub fn value(&mut self, lit: Lit) -> bool {
        let gate = match self.known(lit) {
            _ if lit.gate() == Lit::TRUE.gate() => true,
            // A gate that is in no clause has no value, and neither has its negation.
            Some(literal) => self.sat.value(literal.abs()),
            None => false,
        };
        gate != lit.is_negated()
    }

    /// After `Unsat`: is this literal of the question to blame?
    pub fn failed(&mut self, lit: Lit) -> bool {
        self.known(lit).is_some_and(|literal| self.sat.failed(literal))
    }

    fn known(&self, lit: Lit) -> Option<i32> {
        let variable = *self.variables.get(lit.gate())?;
        (variable != 0).then_some(if lit.is_negated() { -variable } else { variable })
    }

    /// The SAT literal of a literal, after its cone is written down.
    pub fn load(&mut self, circuit: &Circuit, lit: Lit) -> i32 {
        if let Some(literal) = self.known(lit) {
            return literal;
        }
        self.variables.resize(circuit.len(), 0);
        let mut todo = Vec::new();
        let literal = self.variable(lit, &mut todo);
        while let Some(gate) = todo.pop() {
            self.write(circuit, gate, &mut todo);
        }
        literal
    }

    /// The SAT literal of a literal; if it is new, its gate is still to be written down.
    fn variable(&mut self, lit: Lit, todo: &mut Vec<usize>) -> i32 {
        if self.variables[lit.gate()] == 0 {
            self.gates.push(lit.gate());
            let number = i32::try_from(self.gates.len()).expect("gates should fit in memory");
            self.variables[lit.gate()] = number;
            todo.push(lit.gate());
        }
        let variable = self.variables[lit.gate()];
        if lit.is_negated() { -variable } else { variable }
    }

    fn write(&mut self, circuit: &Circuit, gate: usize, todo: &mut Vec<usize>) {
        let g = self.variables[gate];
        match circuit.gate(gate) {
            Gate::True => self.clause(&[g]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let [a, b] = [a, b].map(|lit| self.variable(lit, todo));
                self.all(&[&[-g, a], &[-g, b], &[g, -a, -b]]);
            }
            Gate::Xor(a, b) => {
                let [a, b] = [a, b].map(|lit| self.variable(lit, todo));
                self.all(&[&[-g, a, b], &[-g, -a, -b], &[g, -a, b], &[g, a, -b]]);
            }
            Gate::Mux(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|lit| self.variable(lit, todo));
                self.all(&[&[-c, -a, g], &[-c, a, -g], &[c, -b, g], &[c, b, -g]]);
                // Implied, but they let the solver see at once what both branches agree on.
                self.all(&[&[-a, -b, g], &[a, b, -g]]);
            }
            Gate::Majority(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|lit| self.variable(lit, todo));
                self.all(&[&[-a, -b, g], &[-a, -c, g], &[-b, -c, g]]);
                self.all(&[&[a, b, -g], &[a, c, -g], &[b, c, -g]]);
            }
        }
    }

    fn all(&mut self, clauses: &[&[i32]]) {
        for clause in clauses {
            self.clause(clause);
        }
    }

    fn clause(&mut self, literals: &[i32]) {
        self.clauses += 1;
        self.sat.clause(literals);
    }
}
