//! Formulas as linear constraints over integers, and back.
//!
//! Symbols, elements of arrays at constant places and whatever is not linear
//! become variables of a linear problem, each known by its term; conditional
//! values become cases. Arithmetic is read as if it did not wrap: for signed
//! types the formulas of the engines say so themselves (`step` conjoins "it
//! fits"); for unsigned types, and for conversions to a type that may not hold the
//! value, this is a guess, and [`Linear::inexact`] tells that one was made. So
//! "infeasible" here is a hint, which the bits confirm or not.
//!
//! Truth values are integers too: a `Bool` symbol is a variable between 0 and 1, and the
//! literals `b` and `!b` are `b >= 1` and `b <= 0`.

use ccfa::Type;
use logic::FastMap;
use logic::Rational;
use logic::constraint::{Constraint, Form, LinearVar, Relation};
use logic::{ArithOp, Node, Sort, Term, Terms};

/// Terms with more cases become variables: cases of parts multiply.
const MAX_CASES: usize = 12;

/// Formulas with more parts are not translated: their normal form may be exponential.
const MAX_PARTS: usize = 20_000;

/// A formula whose literals are linear constraints, without negation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// A literal.
    Atom(Constraint),
    /// All hold.
    All(Vec<Formula>),
    /// One holds.
    Any(Vec<Formula>),
}

/// Which term each variable of a linear problem stands for.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    terms: Vec<Term>,
    numbers: FastMap<Term, LinearVar>,
    inexact: bool,
    parts: usize,
}

/// The value of a term if all guards hold. The guards of the cases of a term exclude one another,
/// and one case applies.
#[derive(Clone)]
struct GuardedForm {
    guards: Vec<Term>,
    form: Form,
}

impl Linear {
    /// No variables yet.
    pub fn new() -> Linear {
        Linear::default()
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.terms.len()
    }

    /// What a variable stands for.
    pub fn term_of(&self, var: LinearVar) -> Term {
        self.terms[var.index()]
    }

    /// Was something read as if it did not wrap, without a reason?
    pub fn inexact(&self) -> bool {
        self.inexact
    }

    /// The range of a variable: two constraints, or none for a mathematical integer.
    pub fn range(&self, terms: &Terms, var: LinearVar) -> Vec<Constraint> {
        let Some((low, high)) = terms.range(self.term_of(var)) else { return Vec::new() };
        let value = Form::variable(var);
        vec![
            Constraint::le(&Form::constant(low), &value),
            Constraint::le(&value, &Form::constant(high)),
        ]
    }

    /// The formula "`term` is `holds`"; `None` if it would be very large.
    pub fn formula(&mut self, terms: &mut Terms, term: Term, holds: bool) -> Option<Formula> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        match terms.node(term).clone() {
            Node::Const(value, _) => Some(Formula::truth((value == 1) == holds)),
            Node::Not(inner) => self.formula(terms, inner, !holds),
            Node::And(parts) => self.junction(terms, &parts, holds, holds),
            Node::Or(parts) => self.junction(terms, &parts, holds, !holds),
            Node::Ite(c, a, b) => {
                self.either(terms, [(c, true), (a, holds)], [(c, false), (b, holds)])
            }
            Node::Eq(a, b) if terms.ty(a) == Type::Bool => {
                self.either(terms, [(a, true), (b, holds)], [(a, false), (b, !holds)])
            }
            Node::Le(a, b) if terms.ty(a) == Type::Bool => {
                let (a, b) = (self.formula(terms, a, !holds)?, self.formula(terms, b, holds)?);
                Some(if holds { Formula::any([a, b]) } else { Formula::all([a, b]) })
            }
            Node::Eq(a, b) => self.compare(terms, a, b, |a, b| match holds {
                true => Formula::Atom(Constraint::eq(a, b)),
                false => Formula::any([
                    Formula::Atom(Constraint::lt(a, b)),
                    Formula::Atom(Constraint::lt(b, a)),
                ]),
            }),
            Node::Le(a, b) => self.compare(terms, a, b, |a, b| match holds {
                true => Formula::Atom(Constraint::le(a, b)),
                false => Formula::Atom(Constraint::lt(b, a)),
            }),
            Node::Cast(_, number) => {
                let zero = terms.constant(0, terms.ty(number));
                let is_zero = terms.eq(number, zero);
                self.formula(terms, is_zero, !holds)
            }
            Node::Select(..) => {
                let one = Form::constant(1);
                self.cases_formula(terms, term, |value| match holds {
                    true => Formula::Atom(Constraint::le(&one, value)),
                    false => Formula::Atom(Constraint::lt(value, &one)),
                })
            }
            _ => {
                let (value, one) = (Form::variable(self.var(term)), Form::constant(1));
                Some(Formula::Atom(match holds {
                    true => Constraint::le(&one, &value),
                    false => Constraint::lt(&value, &one),
                }))
            }
        }
    }

    fn junction(
        &mut self,
        terms: &mut Terms,
        parts: &[Term],
        holds: bool,
        all: bool,
    ) -> Option<Formula> {
        let parts: Option<Vec<Formula>> =
            parts.iter().map(|part| self.formula(terms, *part, holds)).collect();
        Some(if all { Formula::all(parts?) } else { Formula::any(parts?) })
    }

    /// One of two pairs of literals.
    fn either(
        &mut self,
        terms: &mut Terms,
        left: [(Term, bool); 2],
        right: [(Term, bool); 2],
    ) -> Option<Formula> {
        let mut both = Vec::new();
        for pair in [left, right] {
            let [a, b] = pair.map(|(term, holds)| self.formula(terms, term, holds));
            both.push(Formula::all([a?, b?]));
        }
        Some(Formula::any(both))
    }

    /// A relation of two numbers.
    fn compare(
        &mut self,
        terms: &mut Terms,
        a: Term,
        b: Term,
        relation: impl Fn(&Form, &Form) -> Formula,
    ) -> Option<Formula> {
        let (left, right) = (self.cases(terms, a), self.cases(terms, b));
        let zero = Form::constant(0);
        let pairs = crossed(terms, &left, &right, |a, b| Some(a.minus(b)));
        match pairs {
            Some(pairs) => self.guarded(terms, pairs, |value| relation(value, &zero)),
            None => {
                let (a, b) = (Form::variable(self.var(a)), Form::variable(self.var(b)));
                Some(relation(&a, &b))
            }
        }
    }

    fn cases_formula(
        &mut self,
        terms: &mut Terms,
        term: Term,
        literal: impl Fn(&Form) -> Formula,
    ) -> Option<Formula> {
        let cases = self.cases(terms, term);
        self.guarded(terms, cases, literal)
    }

    /// In one of the cases, the guards and the literal hold.
    fn guarded(
        &mut self,
        terms: &mut Terms,
        cases: Vec<GuardedForm>,
        literal: impl Fn(&Form) -> Formula,
    ) -> Option<Formula> {
        let mut any = Vec::new();
        for case in cases {
            let mut all = vec![literal(&case.form)];
            for guard in case.guards {
                all.push(self.formula(terms, guard, true)?);
            }
            any.push(Formula::all(all));
        }
        Some(Formula::any(any))
    }

    /// The values of a scalar term.
    fn cases(&mut self, terms: &mut Terms, term: Term) -> Vec<GuardedForm> {
        let cases = match terms.node(term).clone() {
            Node::Const(value, _) => Some(vec![GuardedForm::always(Form::constant(value))]),
            Node::Arith(op, a, b) => self.arithmetic(terms, op, a, b),
            Node::Cast(ty, a) if ty != Type::Bool => self.conversion(terms, ty, a),
            Node::Ite(c, a, b) if terms.ty(a) != Type::Bool => {
                let not_c = terms.not(c);
                let (a, b) = (self.cases(terms, a), self.cases(terms, b));
                let with = |guard: Term| {
                    vec![GuardedForm { guards: vec![guard], form: Form::constant(0) }]
                };
                let mut cases = crossed(terms, &with(c), &a, |_, a| Some(a.clone()));
                let others = crossed(terms, &with(not_c), &b, |_, b| Some(b.clone()));
                match (&mut cases, others) {
                    (Some(cases), Some(others)) => cases.extend(others),
                    _ => cases = None,
                }
                cases
            }
            Node::Select(array, index) => self.elements(terms, array, index),
            _ => None,
        };
        match cases {
            Some(cases) if cases.len() <= MAX_CASES => cases,
            _ => vec![GuardedForm::always(Form::variable(self.var(term)))],
        }
    }

    fn arithmetic(
        &mut self,
        terms: &mut Terms,
        op: ArithOp,
        a: Term,
        b: Term,
    ) -> Option<Vec<GuardedForm>> {
        if !matches!(op, ArithOp::Add | ArithOp::Sub | ArithOp::Mul) {
            return None;
        }
        let ty = terms.ty(a);
        let unsigned = matches!(ty, Type::Bits { signed: false, .. });
        let (left, right) = (self.operand(terms, a, unsigned), self.operand(terms, b, unsigned));
        let result = crossed(terms, &left, &right, |a, b| match op {
            ArithOp::Add => {
                let mut sum = a.clone();
                sum.add_multiple(&Rational::ONE, b);
                Some(sum)
            }
            ArithOp::Sub => Some(a.minus(b)),
            _ if a.coefficients().is_empty() => Some(b.scaled(&a.constant)),
            _ if b.coefficients().is_empty() => Some(a.scaled(&b.constant)),
            _ => None,
        })?;
        self.inexact |= unsigned && !terms.never_wraps(op, ty, a, b);
        Some(result)
    }

    /// An operand; a large unsigned constant is what a negative number was converted to.
    fn operand(&mut self, terms: &mut Terms, term: Term, unsigned: bool) -> Vec<GuardedForm> {
        if let (true, Node::Const(value, Type::Bits { width, .. })) = (unsigned, terms.node(term)) {
            let signed = Type::signed(*width).wrap(*value);
            return vec![GuardedForm::always(Form::constant(signed))];
        }
        self.cases(terms, term)
    }

    fn conversion(&mut self, terms: &mut Terms, ty: Type, a: Term) -> Option<Vec<GuardedForm>> {
        if terms.ty(a) != Type::Bool {
            self.inexact |= !terms.keeps_value(ty, a);
            return Some(self.cases(terms, a));
        }
        if matches!(terms.node(a), Node::Symbol(_)) {
            return Some(vec![GuardedForm::always(Form::variable(self.var(a)))]);
        }
        let not_a = terms.not(a);
        let case = |guard, value| GuardedForm { guards: vec![guard], form: Form::constant(value) };
        Some(vec![case(a, 1), case(not_a, 0)])
    }

    /// An element at a place that is not constant: one of a few.
    fn elements(
        &mut self,
        terms: &mut Terms,
        array: Term,
        index: Term,
    ) -> Option<Vec<GuardedForm>> {
        let Sort::Array { len, .. } = terms.sort(array) else { return None };
        if terms.constant_value(index).is_some() || len as usize >= MAX_CASES {
            return None;
        }
        let ty = terms.ty(index);
        let mut cases = Vec::new();
        for place in (0..i128::from(len)).filter(|place| ty.contains(*place)) {
            let place = terms.constant(place, ty);
            let guards = vec![terms.eq(index, place)];
            let element = terms.select(array, place);
            let form = match terms.constant_value(element) {
                Some(value) => Form::constant(value),
                None => Form::variable(self.var(element)),
            };
            cases.push(GuardedForm { guards, form });
        }
        let inside = terms.in_bounds(index, len);
        let outside = terms.not(inside);
        if terms.constant_value(outside).is_none() {
            cases.push(GuardedForm { guards: vec![outside], form: Form::constant(0) });
        }
        Some(cases)
    }

    fn var(&mut self, term: Term) -> LinearVar {
        let next = LinearVar(self.terms.len() as u32);
        let var = *self.numbers.entry(term).or_insert(next);
        if var == next {
            self.terms.push(term);
        }
        var
    }
}

impl Linear {
    /// A formula as a term. `None` if a number is too large to be written.
    pub fn term(&self, terms: &mut Terms, formula: &Formula) -> Option<Term> {
        match formula {
            Formula::Atom(constraint) => self.literal(terms, constraint),
            Formula::All(parts) => {
                let parts: Option<Vec<Term>> = parts.iter().map(|p| self.term(terms, p)).collect();
                Some(terms.and(parts?))
            }
            Formula::Any(parts) => {
                let parts: Option<Vec<Term>> = parts.iter().map(|p| self.term(terms, p)).collect();
                Some(terms.or(parts?))
            }
        }
    }

    /// A constraint as a term: `x <= 5`, `x <= y`, `x < y` in the type of the variables if it has
    /// this shape, otherwise over mathematical integers with positive coefficients.
    pub fn literal(&self, terms: &mut Terms, constraint: &Constraint) -> Option<Term> {
        if let Some(truth) = constraint.truth() {
            return Some(terms.truth(truth));
        }
        let form = constraint.form();
        let constant = form.constant.to_i128()?;
        let mut cells: Vec<(Term, i128)> = Vec::new();
        for (var, coefficient) in form.coefficients() {
            cells.push((self.term_of(*var), coefficient.to_i128()?));
        }
        cells.sort();
        let equal = constraint.relation() == Relation::Equal;
        match cells[..] {
            [(x, 1)] => Some(bounded(terms, x, constant.checked_neg()?, equal, false)),
            [(x, -1)] => Some(bounded(terms, x, constant, equal, true)),
            [(x, 1), (y, -1)] | [(y, -1), (x, 1)] if terms.ty(x) == terms.ty(y) => {
                match (constant, equal) {
                    (0, true) => Some(terms.eq(x, y)),
                    (0, false) => Some(terms.le(x, y)),
                    (1, false) => Some(terms.lt(x, y)),
                    _ => sum_relation(terms, &cells, constant, equal),
                }
            }
            _ => sum_relation(terms, &cells, constant, equal),
        }
    }
}

/// `x <= value`, `x >= value` or `x == value`, in the type of `x`.
fn bounded(terms: &mut Terms, x: Term, value: i128, equal: bool, lower: bool) -> Term {
    let ty = terms.ty(x);
    let (low, high) = ty.bounds().unwrap_or((i128::MIN, i128::MAX));
    if equal {
        if !ty.contains(value) {
            return terms.truth(false);
        }
        let value = terms.constant(value, ty);
        return terms.eq(x, value);
    }
    let (always, never) =
        if lower { (value <= low, value > high) } else { (value >= high, value < low) };
    if always || never {
        return terms.truth(always);
    }
    if ty == Type::Bool {
        return if lower { x } else { terms.not(x) };
    }
    let value = terms.constant(value, ty);
    if lower { terms.le(value, x) } else { terms.le(x, value) }
}

/// What is positive on the left, the rest on the right.
fn sum_relation(
    terms: &mut Terms,
    cells: &[(Term, i128)],
    constant: i128,
    equal: bool,
) -> Option<Term> {
    let negative: Option<Vec<(Term, i128)>> =
        cells.iter().map(|(x, c)| Some((*x, c.checked_neg()?))).collect();
    let left = sum(terms, cells, constant);
    let right = sum(terms, &negative?, constant.checked_neg()?);
    Some(if equal { terms.eq(left, right) } else { terms.le(left, right) })
}

/// The sum of what has positive coefficients.
fn sum(terms: &mut Terms, cells: &[(Term, i128)], constant: i128) -> Term {
    let mut total: Option<Term> = None;
    for (x, coefficient) in cells.iter().filter(|cell| cell.1 > 0) {
        let mut part = terms.cast(Type::Int, *x);
        if *coefficient != 1 {
            let coefficient = terms.constant(*coefficient, Type::Int);
            part = terms.arith(ArithOp::Mul, coefficient, part);
        }
        total = Some(match total {
            None => part,
            Some(total) => terms.arith(ArithOp::Add, total, part),
        });
    }
    match total {
        Some(total) if constant <= 0 => total,
        None => terms.constant(constant.max(0), Type::Int),
        Some(total) => {
            let constant = terms.constant(constant, Type::Int);
            terms.arith(ArithOp::Add, total, constant)
        }
    }
}

/// Each case of one side with each of the other, where guards do not exclude each other. `None`
/// if there are many, or `combine` cannot.
fn crossed(
    terms: &mut Terms,
    left: &[GuardedForm],
    right: &[GuardedForm],
    combine: impl Fn(&Form, &Form) -> Option<Form>,
) -> Option<Vec<GuardedForm>> {
    if left.len() * right.len() > MAX_CASES * MAX_CASES {
        return None;
    }
    let mut cases = Vec::new();
    for a in left {
        for b in right {
            let form = combine(&a.form, &b.form)?;
            let mut guards = a.guards.clone();
            guards.extend(&b.guards);
            guards.sort();
            guards.dedup();
            let excluded = guards.iter().any(|guard| {
                let opposite = terms.not(*guard);
                guards.contains(&opposite)
            });
            if !excluded {
                cases.push(GuardedForm { guards, form });
            }
        }
    }
    (cases.len() <= MAX_CASES).then_some(cases)
}

impl GuardedForm {
    fn always(form: Form) -> GuardedForm {
        GuardedForm { guards: Vec::new(), form }
    }
}

impl Formula {
    /// `true` or `false`.
    pub fn truth(value: bool) -> Formula {
        if value { Formula::All(Vec::new()) } else { Formula::Any(Vec::new()) }
    }

    /// Its truth, if it is constant.
    pub fn constant(&self) -> Option<bool> {
        match self {
            Formula::Atom(constraint) => constraint.truth(),
            Formula::All(parts) => parts.is_empty().then_some(true),
            Formula::Any(parts) => parts.is_empty().then_some(false),
        }
    }

    /// All hold. Nested conjunctions and constants are dissolved.
    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match (part.constant(), part) {
                (Some(true), _) => {}
                (Some(false), _) => return Formula::truth(false),
                (None, Formula::All(inner)) => flat.extend(inner),
                (None, part) => flat.push(part),
            }
        }
        if flat.len() == 1 { flat.swap_remove(0) } else { Formula::All(flat) }
    }

    /// One holds. Nested disjunctions and constants are dissolved.
    pub fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match (part.constant(), part) {
                (Some(false), _) => {}
                (Some(true), _) => return Formula::truth(true),
                (None, Formula::Any(inner)) => flat.extend(inner),
                (None, part) => flat.push(part),
            }
        }
        if flat.len() == 1 { flat.swap_remove(0) } else { Formula::Any(flat) }
    }

    /// Does a variable occur?
    pub fn mentions(&self, var: LinearVar) -> bool {
        match self {
            Formula::Atom(constraint) => !constraint.form().coefficient(var).is_zero(),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().any(|p| p.mentions(var)),
        }
    }

    /// Does it hold where each variable has the value `value(variable)`?
    pub fn holds<'v>(&self, value: &impl Fn(LinearVar) -> &'v Rational) -> bool {
        match self {
            Formula::Atom(constraint) => constraint.holds(value),
            Formula::All(parts) => parts.iter().all(|part| part.holds(value)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds(value)),
        }
    }
}
