//! Linear constraints over integers, in one normal form. **Trusted.**
//!
//! `c1 x1 + … + cn xn + k <= 0` (or `= 0`), where the `xi` are integers. The
//! coefficients are made coprime integers; since the sum is then an integer, the
//! constant of an inequality is rounded up (*tightening*: `2x <= 5` becomes
//! `x <= 2`), and an equality whose constant is no integer is false. All of these
//! steps keep exactly the integer solutions.

use crate::rational::Rational;
use std::fmt;

/// An integer variable of a linear problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinearVar(pub u32);

/// A sum of multiples of variables, and a constant.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Form {
    /// Sorted by variable; no coefficient is 0.
    coefficients: Vec<(LinearVar, Rational)>,
    /// The rest.
    pub constant: Rational,
}

/// How a [`Form`] relates to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<= 0`
    AtMost,
    /// `= 0`
    Equal,
}

/// A linear constraint in normal form.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Constraint {
    form: Form,
    relation: Relation,
}

impl LinearVar {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Form {
    /// A constant.
    pub fn constant(value: i128) -> Form {
        Form { coefficients: Vec::new(), constant: value.into() }
    }

    /// A variable.
    pub fn variable(var: LinearVar) -> Form {
        Form { coefficients: vec![(var, Rational::ONE)], constant: Rational::ZERO }
    }

    /// A sum of multiples of variables (any of them more than once) and a constant.
    pub fn new(coefficients: impl IntoIterator<Item = (LinearVar, i128)>, constant: i128) -> Form {
        let mut form = Form::constant(constant);
        for (var, coefficient) in coefficients {
            form.add_multiple(&coefficient.into(), &Form::variable(var));
        }
        form
    }

    /// The variables with their coefficients: sorted, none 0.
    pub fn coefficients(&self) -> &[(LinearVar, Rational)] {
        &self.coefficients
    }

    /// The coefficient of a variable.
    pub fn coefficient(&self, var: LinearVar) -> Rational {
        match self.coefficients.binary_search_by_key(&var, |cell| cell.0) {
            Ok(place) => self.coefficients[place].1.clone(),
            Err(_) => Rational::ZERO,
        }
    }

    /// `self += factor * other`
    pub fn add_multiple(&mut self, factor: &Rational, other: &Form) {
        self.constant.add_product(factor, &other.constant);
        self.coefficients = merged(&self.coefficients, factor, &other.coefficients);
    }

    /// `factor * self`
    pub fn scaled(&self, factor: &Rational) -> Form {
        let mut form = Form::constant(0);
        form.add_multiple(factor, self);
        form
    }

    /// `self - other`
    pub fn minus(&self, other: &Form) -> Form {
        let mut form = self.clone();
        form.add_multiple(&Rational::MINUS_ONE, other);
        form
    }

    /// The value where each variable has the value `value(variable)`.
    pub fn evaluate<'v>(&self, value: impl Fn(LinearVar) -> &'v Rational) -> Rational {
        let mut sum = self.constant.clone();
        for (var, coefficient) in &self.coefficients {
            sum.add_product(coefficient, value(*var));
        }
        sum
    }
}

impl Constraint {
    /// `form <= 0`
    pub fn at_most_zero(form: Form) -> Constraint {
        Constraint::normal(form, Relation::AtMost)
    }

    /// `form = 0`
    pub fn zero(form: Form) -> Constraint {
        Constraint::normal(form, Relation::Equal)
    }

    /// `left <= right`
    pub fn le(left: &Form, right: &Form) -> Constraint {
        Constraint::at_most_zero(left.minus(right))
    }

    /// `left < right`, for integers.
    pub fn lt(left: &Form, right: &Form) -> Constraint {
        let mut form = left.minus(right);
        form.constant = &form.constant + &Rational::ONE;
        Constraint::at_most_zero(form)
    }

    /// `left = right`
    pub fn eq(left: &Form, right: &Form) -> Constraint {
        Constraint::zero(left.minus(right))
    }

    /// What is compared with 0: coprime integer coefficients, an integer constant. If there are
    /// no variables, the constant is 0 or 1. The first coefficient of an equality is positive.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// How it is compared.
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// Its truth, if it has no variables.
    pub fn truth(&self) -> Option<bool> {
        self.form.coefficients.is_empty().then(|| self.form.constant.is_zero())
    }

    /// Does it hold where each variable has the value `value(variable)`?
    pub fn holds<'v>(&self, value: impl Fn(LinearVar) -> &'v Rational) -> bool {
        let sum = self.form.evaluate(value);
        match self.relation {
            Relation::AtMost => !sum.is_positive(),
            Relation::Equal => sum.is_zero(),
        }
    }

    fn normal(mut form: Form, relation: Relation) -> Constraint {
        let common = form.coefficients.iter().fold(Rational::ZERO, |sum, (_, c)| sum.gcd(c));
        if common.is_zero() {
            let holds = match relation {
                Relation::AtMost => !form.constant.is_positive(),
                Relation::Equal => form.constant.is_zero(),
            };
            return Constraint { form: Form::constant(i128::from(!holds)), relation };
        }
        let turned = relation == Relation::Equal && form.coefficients[0].1.is_negative();
        let divisor = if turned { -&common } else { common };
        if divisor != Rational::ONE {
            form = form.scaled(&divisor.reciprocal());
        }
        match relation {
            Relation::AtMost => form.constant = form.constant.ceil(),
            Relation::Equal if form.constant.is_integer() => {}
            Relation::Equal => form = Form::constant(1),
        }
        Constraint { form, relation }
    }
}

/// `row + factor * other`, where both are sorted.
pub fn merged<K: Copy + Ord>(
    row: &[(K, Rational)],
    factor: &Rational,
    other: &[(K, Rational)],
) -> Vec<(K, Rational)> {
    let mut sum = Vec::with_capacity(row.len() + other.len());
    let mut rest = row.iter().peekable();
    for (key, value) in other {
        while let Some(cell) = rest.next_if(|cell| cell.0 < *key) {
            sum.push(cell.clone());
        }
        let mut total = rest.next_if(|cell| cell.0 == *key).map_or(Rational::ZERO, |c| c.1.clone());
        total.add_product(factor, value);
        if !total.is_zero() {
            sum.push((*key, total));
        }
    }
    sum.extend(rest.cloned());
    sum
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (var, coefficient) in &self.coefficients {
            write!(f, "{coefficient}*v{} + ", var.0)?;
        }
        write!(f, "{}", self.constant)
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = if self.relation == Relation::Equal { "=" } else { "<=" };
        write!(f, "{:?} {relation} 0", self.form)
    }
}
