//! What the values of open terms say of integers. **Trusted.**
//!
//! Under a model of the SAT solver an integer term is a sum of unknowns: of two branches the
//! model has chosen one, an index has a value. What it depends on are its *guards*. So each fact here
//! is true in general in the form "if all guards hold, then the constraint holds"; where
//! nothing is known, an unknown is free, and that too is true.
//!
//! - `a <= b` holds or not, `a == b` holds, or one of both is smaller: which one is a free bit.
//! - `a / k` is an unknown `q`, and `a - k q` is nearer to 0 than `k` and has the sign of `a`
//!   (which is another free bit).
//! - The lowest w bits of `a` are an unknown `x` with `a = x + 2^w q`.
//! - The place of an index among `0..n`: see [`Clamp`].

use super::super::blast::{Blaster, Clamp, Word, constant, extended};
use super::super::circuit::{Circuit, Lit};
use super::super::compare;
use super::needs;
use crate::FastMap;
use crate::constraint::{Constraint, Form, LinearVar};
use crate::rational::Rational;
use crate::term::{ArithOp, Node, Symbol, Term, Terms};
use ccfa::Type;
use std::collections::BTreeMap;

/// Words with more bits are not shared: what is computed with them must fit into `i128`.
const MAX_SHARED_BITS: usize = 120;

/// An integer that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unknown {
    /// The value of a scalar term.
    Number(Term),
    /// An element of an array of integers.
    Element(Symbol, u32),
    /// A quotient by a constant.
    Quotient(Term),
    /// The lowest bits of this integer.
    Low(Term),
    /// What is left of it without them.
    High(Term),
    /// The place of the index of this term.
    Place(Term),
}

/// If all guards hold, then the constraint holds.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub constraint: Constraint,
    pub guards: Vec<Lit>,
}

/// A number that bits and integers share.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    /// Its bits, signed.
    pub word: Word,
    /// Its value in the model.
    pub value: i128,
}

impl Shared {
    /// That it is at most, and at least, its value.
    pub fn bounds(&self, circuit: &mut Circuit, var: LinearVar) -> [Fact; 2] {
        let width = self.word.len() + 1;
        let word = extended(&self.word, width);
        let value = extended(&constant(self.value, Type::Int), width);
        let below = compare::less_equal(circuit, &word, &value, true);
        let above = compare::less_equal(circuit, &value, &word, true);
        let (x, v) = (Form::variable(var), Form::constant(self.value));
        [
            Fact { constraint: Constraint::le(&x, &v), guards: vec![below] },
            Fact { constraint: Constraint::le(&v, &x), guards: vec![above] },
        ]
    }
}

/// A sum that a term is if the guards hold.
#[derive(Clone)]
struct Sum {
    form: Form,
    guards: Vec<Lit>,
}

/// What a model says of integers.
#[derive(Default)]
pub(super) struct Reading {
    /// All that must hold.
    pub facts: Vec<Fact>,
    /// What each variable of the facts stands for.
    pub unknowns: Vec<Unknown>,
    /// Those that are also bits.
    pub shared: BTreeMap<LinearVar, Shared>,
    /// Is something that is not linear, such as a product, a variable of its own?
    pub loose: bool,
}

impl Reading {
    /// What these open terms say, where literals have these values. Their [`bits`] have one.
    ///
    /// [`bits`]: super::needs::bits
    pub fn new(
        terms: &Terms,
        blaster: &mut Blaster,
        signs: &FastMap<Term, Lit>,
        value: &mut dyn FnMut(Lit) -> bool,
        open: &[Term],
    ) -> Reading {
        let (reading, sums, numbers) = Default::default();
        let mut reader = Reader { terms, blaster, signs, value, sums, numbers, reading };
        for number in needs::numbers(terms, reader.blaster, open) {
            let sum = reader.number(number);
            reader.sums.insert(number, sum);
        }
        for term in open {
            reader.open_term(*term);
        }
        reader.reading
    }
}

struct Reader<'a> {
    terms: &'a Terms,
    blaster: &'a mut Blaster,
    signs: &'a FastMap<Term, Lit>,
    value: &'a mut dyn FnMut(Lit) -> bool,
    sums: FastMap<Term, Sum>,
    numbers: FastMap<Unknown, LinearVar>,
    reading: Reading,
}

impl Reader<'_> {
    fn open_term(&mut self, term: Term) {
        if let Some(bits) = self.blaster.known_residue(term).map(<[Lit]>::to_vec) {
            self.residue(term, bits);
        }
        if let Some(clamp) = self.blaster.clamp(term).cloned() {
            self.place(term, &clamp);
        }
        match *self.terms.node(term) {
            Node::Le(a, b) => {
                let (a, b) = (self.sums[&a].clone(), self.sums[&b].clone());
                let lit = self.own_bit(term);
                self.decided(lit, &a, &b);
            }
            Node::Eq(a, b) => {
                let (a, b) = (self.sums[&a].clone(), self.sums[&b].clone());
                let lit = self.own_bit(term);
                if (self.value)(lit) {
                    let constraint = Constraint::eq(&a.form, &b.form);
                    return self.fact(constraint, &[&a.guards, &b.guards, &[lit]]);
                }
                let smaller = self.signs[&term];
                let (less, more) = if (self.value)(smaller) { (a, b) } else { (b, a) };
                let constraint = Constraint::lt(&less.form, &more.form);
                let side = self.true_one(smaller);
                self.fact(constraint, &[&less.guards, &more.guards, &[!lit, side]]);
            }
            // Anything else says nothing here.
            _ => {}
        }
    }

    /// These are the lowest bits of an integer.
    fn residue(&mut self, term: Term, mut bits: Vec<Lit>) {
        let number = self.sums[&term].clone();
        let power = 1 << bits.len();
        bits.push(Lit::FALSE);
        let low = Form::variable(self.shared(Unknown::Low(term), bits));
        self.fact(Constraint::le(&Form::constant(0), &low), &[]);
        self.fact(Constraint::lt(&low, &Form::constant(power)), &[]);
        let mut both = Form::variable(self.var(Unknown::High(term))).scaled(&power.into());
        both.add_multiple(&Rational::ONE, &low);
        self.fact(Constraint::eq(&number.form, &both), &[&number.guards]);
    }

    /// Which of `0..limit` an index is.
    fn place(&mut self, term: Term, clamp: &Clamp) {
        let index = self.sums[&clamp.index].clone();
        let limit = Sum::always(Form::constant(i128::from(clamp.limit) - 1));
        self.decided(clamp.low, &Sum::always(Form::constant(0)), &index);
        self.decided(clamp.high, &index, &limit);
        if (self.value)(clamp.low) && (self.value)(clamp.high) {
            let word = clamp.place.iter().copied().chain([Lit::FALSE]).collect();
            let place = Form::variable(self.shared(Unknown::Place(term), word));
            let guards = [clamp.low, clamp.high];
            self.fact(Constraint::eq(&index.form, &place), &[&index.guards, &guards]);
        }
    }

    /// `a <= b`, or not, as the literal says.
    fn decided(&mut self, lit: Lit, a: &Sum, b: &Sum) {
        let constraint = match (self.value)(lit) {
            true => Constraint::le(&a.form, &b.form),
            false => Constraint::lt(&b.form, &a.form),
        };
        let guard = self.true_one(lit);
        self.fact(constraint, &[&a.guards, &b.guards, &[guard]]);
    }

    /// The sum that an integer is; its operands have theirs.
    fn number(&mut self, term: Term) -> Sum {
        if let Some((op, dividend, divisor)) = needs::quotient(self.terms, term)
            && self.blaster.known_word(term).is_none()
        {
            return self.quotient(op, dividend, divisor, term);
        }
        match *self.terms.node(term) {
            Node::Const(value, _) => Sum::always(Form::constant(value)),
            Node::Arith(op @ (ArithOp::Add | ArithOp::Sub | ArithOp::Mul), a, b) => {
                match combined(op, &self.sums[&a], &self.sums[&b]) {
                    Some(sum) => sum,
                    None => self.leaf(term),
                }
            }
            Node::Ite(condition, a, b) if self.blaster.known_word(term).is_none() => {
                let condition = self.own_bit(condition);
                let chosen = if (self.value)(condition) { a } else { b };
                let Sum { form, guards } = self.sums[&chosen].clone();
                let guard = self.true_one(condition);
                Sum::with(form, &[&guards, &[guard]])
            }
            Node::Select(array, _) if self.blaster.known_word(term).is_none() => {
                self.element(term, array)
            }
            _ => self.leaf(term),
        }
    }

    /// `a / k` or `a % k`, rounded towards 0.
    fn quotient(&mut self, op: ArithOp, dividend: Term, divisor: i128, term: Term) -> Sum {
        let a = self.sums[&dividend].clone();
        let quotient = Form::variable(self.var(Unknown::Quotient(term)));
        let mut rest = a.form.clone();
        rest.add_multiple(&-&Rational::from(divisor), &quotient);
        let mut most = Form::constant(-1);
        most.constant = &most.constant + &Rational::from(divisor).abs();
        let (zero, minus_most) = (Form::constant(0), most.scaled(&Rational::MINUS_ONE));
        let sign = self.signs[&dividend];
        self.decided(sign, &Sum::always(zero.clone()), &a);
        let positive = (self.value)(sign);
        let (low, high) = if positive { (zero, most) } else { (minus_most, zero) };
        let sign = self.true_one(sign);
        self.fact(Constraint::le(&low, &rest), &[&a.guards, &[sign]]);
        self.fact(Constraint::le(&rest, &high), &[&a.guards, &[sign]]);
        match op {
            ArithOp::Div => Sum::always(quotient),
            _ => Sum { form: rest, guards: a.guards },
        }
    }

    /// An element of an array symbol, at the place that the index has in the model.
    fn element(&mut self, term: Term, array: Term) -> Sum {
        let Node::Symbol(symbol) = *self.terms.node(array) else { return self.leaf(term) };
        let index = self.blaster.index_word(self.terms, term);
        let inside = needs::in_bounds(self.blaster, self.terms, array, &index);
        if !(self.value)(inside) {
            return Sum::with(Form::constant(0), &[&[!inside]]);
        }
        // It is inside, so the higher bits are 0.
        let place = self.word_value(&index[..index.len().min(33)]) as u32;
        let same = constant(i128::from(place), Type::Int);
        let width = index.len().max(same.len());
        let (index, same) = (extended(&index, width), extended(&same, width));
        let is_place = compare::equal(&mut self.blaster.circuit, &index, &same);
        let form = Form::variable(self.var(Unknown::Element(symbol, place)));
        Sum::with(form, &[&[is_place]])
    }

    /// A term as an unknown.
    fn leaf(&mut self, term: Term) -> Sum {
        let unknown = Unknown::Number(term);
        let is_new = !self.numbers.contains_key(&unknown);
        let word = self.blaster.integer(self.terms, term);
        let var = match word.filter(|word| word.len() <= MAX_SHARED_BITS) {
            Some(word) => self.shared(unknown, word),
            None => {
                self.reading.loose |= !matches!(self.terms.node(term), Node::Symbol(_));
                self.var(unknown)
            }
        };
        let form = Form::variable(var);
        if is_new && let Some((low, high)) = self.terms.range(term) {
            self.fact(Constraint::le(&Form::constant(low), &form), &[]);
            self.fact(Constraint::le(&form, &Form::constant(high)), &[]);
        }
        Sum::always(form)
    }

    fn shared(&mut self, unknown: Unknown, word: Vec<Lit>) -> LinearVar {
        let var = self.var(unknown);
        let value = self.word_value(&word);
        self.reading.shared.insert(var, Shared { word: word.into(), value });
        var
    }

    /// The value of a signed word of few bits.
    fn word_value(&mut self, word: &[Lit]) -> i128 {
        let (sign, rest) = word.split_last().expect("a word should have a sign");
        let bit = |(place, lit): (usize, &Lit)| i128::from((self.value)(*lit)) << place;
        let low: i128 = rest.iter().enumerate().map(bit).sum();
        if (self.value)(*sign) { low - (1 << rest.len()) } else { low }
    }

    fn var(&mut self, unknown: Unknown) -> LinearVar {
        let next = LinearVar(self.reading.unknowns.len() as u32);
        let var = *self.numbers.entry(unknown).or_insert(next);
        if var == next {
            self.reading.unknowns.push(unknown);
        }
        var
    }

    fn fact(&mut self, constraint: Constraint, guards: &[&[Lit]]) {
        if constraint.truth() != Some(true) {
            self.reading.facts.push(Fact { constraint, guards: joined(guards) });
        }
    }

    /// The bit of a formula.
    fn own_bit(&self, formula: Term) -> Lit {
        self.blaster.known_word(formula).expect("a formula should have a bit")[0]
    }

    /// The literal or its negation: what holds.
    fn true_one(&mut self, lit: Lit) -> Lit {
        if (self.value)(lit) { lit } else { !lit }
    }
}

impl Sum {
    fn always(form: Form) -> Sum {
        Sum { form, guards: Vec::new() }
    }

    fn with(form: Form, guards: &[&[Lit]]) -> Sum {
        Sum { form, guards: joined(guards) }
    }
}

/// The result of an operation on sums, if it is one.
fn combined(op: ArithOp, a: &Sum, b: &Sum) -> Option<Sum> {
    let form = match op {
        ArithOp::Sub => a.form.minus(&b.form),
        ArithOp::Add => {
            let mut form = a.form.clone();
            form.add_multiple(&Rational::ONE, &b.form);
            form
        }
        _ if a.form.coefficients().is_empty() => b.form.scaled(&a.form.constant),
        _ if b.form.coefficients().is_empty() => a.form.scaled(&b.form.constant),
        _ => return None,
    };
    Some(Sum::with(form, &[&a.guards, &b.guards]))
}

fn joined(guards: &[&[Lit]]) -> Vec<Lit> {
    let mut guards = guards.concat();
    guards.sort();
    guards.dedup();
    guards
}
