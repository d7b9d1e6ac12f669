//! Boolean circuits: gates with structural hashing. **Trusted.**
//!
//! A [`Lit`] is a gate or its negation. Gates are made once: equal gates have equal
//! literals, and a gate that is constant, or equal to one of its inputs, is not
//! made at all. Inputs of a gate are older than the gate, so there are no cycles.
//! Nothing is ever removed; what a question does not reach costs it nothing, since
//! only its cone is given to the SAT solver (see [`super::cnf`]).

use crate::FastMap;
use std::ops::Not;

/// A gate or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// Always true.
    pub const TRUE: Lit = Lit(0);
    /// Always false.
    pub const FALSE: Lit = Lit(1);

    /// `TRUE` or `FALSE`.
    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The number of its gate.
    pub fn gate(self) -> usize {
        self.0 as usize >> 1
    }

    /// Is it the negation of its gate?
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn negate_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Always true: gate number 0.
    True,
    /// A free bit.
    Input,
    /// Both hold.
    And(Lit, Lit),
    /// They differ.
    Xor(Lit, Lit),
    /// The second if the first, else the third.
    Mux(Lit, Lit, Lit),
    /// At least two of three hold.
    Majority(Lit, Lit, Lit),
}

/// All gates made so far.
#[derive(Debug)]
pub struct Circuit {
    gates: Vec<Gate>,
    table: FastMap<Gate, Lit>,
}

impl Circuit {
    /// Only the constant.
    pub fn new() -> Circuit {
        Circuit { gates: vec![Gate::True], table: FastMap::default() }
    }

    /// How many gates there are.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// What a gate is.
    pub fn gate(&self, number: usize) -> Gate {
        self.gates[number]
    }

    /// A new free bit.
    pub fn input(&mut self) -> Lit {
        self.push(Gate::Input)
    }

    /// `a & b`
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match ordered(a, b) {
            (Lit::FALSE, _) => Lit::FALSE,
            (Lit::TRUE, b) => b,
            (a, b) if a == b => a,
            (a, b) if a == !b => Lit::FALSE,
            (a, b) => self.intern(Gate::And(a, b)),
        }
    }

    /// `a | b`
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// All of them hold.
    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut row: Vec<Lit> = lits.into_iter().collect();
        // A balanced tree: short ways for propagation.
        while row.len() > 1 {
            row = row.chunks(2).map(|pair| self.and(pair[0], pair[pair.len() - 1])).collect();
        }
        row.first().copied().unwrap_or(Lit::TRUE)
    }

    /// One of them holds.
    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(lits.into_iter().map(Lit::not).collect::<Vec<_>>())
    }

    /// `a != b`
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() != b.is_negated();
        let positive = |lit: Lit| lit.negate_if(lit.is_negated());
        let result = match ordered(positive(a), positive(b)) {
            (Lit::TRUE, b) => !b,
            (a, b) if a == b => Lit::FALSE,
            (a, b) => self.intern(Gate::Xor(a, b)),
        };
        result.negate_if(negate)
    }

    /// `a == b`
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `a` if `c`, else `b`.
    pub fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (c, a, b) = if c.is_negated() { (!c, b, a) } else { (c, a, b) };
        match (c, a, b) {
            (Lit::TRUE, ..) => a,
            _ if a == b => a,
            _ if a == !b => self.iff(c, a),
            _ if a == Lit::TRUE || a == c => self.or(c, b),
            _ if a == Lit::FALSE || a == !c => self.and(!c, b),
            _ if b == Lit::TRUE || b == !c => self.or(!c, a),
            _ if b == Lit::FALSE || b == c => self.and(c, a),
            _ => {
                let negate = a.is_negated();
                let gate = Gate::Mux(c, a.negate_if(negate), b.negate_if(negate));
                self.intern(gate).negate_if(negate)
            }
        }
    }

    /// At least two of three hold.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort();
        let [a, b, c] = lits;
        match (a, b, c) {
            (Lit::TRUE, ..) => self.or(b, c),
            (Lit::FALSE, ..) => self.and(b, c),
            _ if a == b || b == c => b,
            _ if a == !b => c,
            _ if b == !c => a,
            _ => self.intern(Gate::Majority(a, b, c)),
        }
    }

    fn intern(&mut self, gate: Gate) -> Lit {
        if let Some(lit) = self.table.get(&gate) {
            return *lit;
        }
        let lit = self.push(gate);
        self.table.insert(gate, lit);
        lit
    }

    fn push(&mut self, gate: Gate) -> Lit {
        let number = u32::try_from(self.gates.len()).expect("gates should fit in memory");
        assert!(number < u32::MAX / 2, "a circuit should have fewer than 2^31 gates");
        self.gates.push(gate);
        Lit(number << 1)
    }
}

fn ordered(a: Lit, b: Lit) -> (Lit, Lit) {
    // The constants come first; FALSE must be seen before TRUE is dropped.
    if b == Lit::FALSE || b < a && a != Lit::FALSE { (b, a) } else { (a, b) }
}
