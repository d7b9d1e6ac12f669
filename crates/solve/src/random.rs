//! Random terms for tests, the same for the same seed.
//!
//! A [`TermTree`] is what is asked of the constructors, before they simplify: tests
//! compare its value, computed here node by node, with the value of the term it becomes.
//! [`TermTree::value`] is a third reading of the meaning at [`Node`](logic::Node), plain and slow.

use crate::evaluate::Value;
use ccfa::Type;
use ccfa::random::Rng;
use logic::{ArithOp, Sort, Symbol, Term, Terms};

/// No terms yet; they are made by the rules of the checker and by those of engines, in turn.
pub fn terms(seed: u64) -> Terms {
    if seed.is_multiple_of(2) { Terms::new() } else { crate::terms() }
}

/// A term as it is asked for.
#[derive(Clone, Debug)]
pub enum TermTree {
    /// A value of a type.
    Const(i128, Type),
    /// A symbol of the scope.
    Symbol(Symbol, Sort),
    /// The elements of a constant array.
    ConstArray(Vec<i128>, Type),
    /// `!a`
    Not(Box<TermTree>),
    /// All hold.
    And(Vec<TermTree>),
    /// One holds.
    Or(Vec<TermTree>),
    /// `a == b`
    Eq(Box<TermTree>, Box<TermTree>),
    /// `a != b`
    Ne(Box<TermTree>, Box<TermTree>),
    /// `a <= b`
    Le(Box<TermTree>, Box<TermTree>),
    /// `a < b`
    Lt(Box<TermTree>, Box<TermTree>),
    /// Arithmetic.
    Arith(ArithOp, Box<TermTree>, Box<TermTree>),
    /// Conversion.
    Cast(Type, Box<TermTree>),
    /// Choice.
    Ite(Box<TermTree>, Box<TermTree>, Box<TermTree>),
    /// Element of an array.
    Select(Box<TermTree>, Box<TermTree>),
    /// An array with one element changed.
    Store(Box<TermTree>, Box<TermTree>, Box<TermTree>),
}

/// What random trees are made of.
#[derive(Clone, Debug)]
pub struct TreeScope {
    /// The types that occur, beside `Bool`.
    pub types: Vec<Type>,
    /// The symbols that occur.
    pub symbols: Vec<(Symbol, Sort)>,
}

impl TreeScope {
    /// Declares two scalars and an array of three elements of each type, and of `Bool`.
    pub fn declare(terms: &mut Terms, types: &[Type]) -> TreeScope {
        let mut symbols = Vec::new();
        for (number, ty) in [Type::Bool].iter().chain(types).enumerate() {
            let array = Sort::Array { element: *ty, len: 3 };
            for (name, sort) in [("x", Sort::Scalar(*ty)), ("y", Sort::Scalar(*ty)), ("a", array)] {
                symbols.push((terms.declare(format!("{name}{number}"), sort), sort));
            }
        }
        TreeScope { types: types.to_vec(), symbols }
    }

    /// A value for each symbol.
    pub fn valuation(&self, rng: &mut Rng) -> Vec<(Symbol, Value)> {
        let mut value = |sort: Sort| match sort {
            Sort::Scalar(ty) => Value::Scalar(number(rng, ty)),
            Sort::Array { element, len } => {
                Value::Array((0..len).map(|_| number(rng, element)).collect())
            }
        };
        self.symbols.iter().map(|(symbol, sort)| (*symbol, value(*sort))).collect()
    }

    /// A random tree of a type, nested at most `depth` deep.
    pub fn tree(&self, rng: &mut Rng, ty: Type, depth: usize) -> TermTree {
        let Some(depth) = depth.checked_sub(1) else { return self.leaf(rng, ty) };
        let boxed = |rng: &mut Rng, ty| Box::new(self.tree(rng, ty, depth));
        match rng.below(8) {
            0 => self.leaf(rng, ty),
            1 => {
                let condition = boxed(rng, Type::Bool);
                TermTree::Ite(condition, boxed(rng, ty), boxed(rng, ty))
            }
            2 => {
                let from = self.any_type(rng);
                TermTree::Cast(ty, boxed(rng, from))
            }
            3 => {
                let array = Box::new(self.array(rng, ty, depth));
                TermTree::Select(array, Box::new(self.index(rng, depth)))
            }
            _ if ty == Type::Bool => self.formula(rng, depth),
            _ => {
                let op = operator(rng, ty);
                let amount = match op {
                    ArithOp::Shl | ArithOp::Shr => self.any_type(rng),
                    _ => ty,
                };
                let left = boxed(rng, ty);
                TermTree::Arith(op, left, boxed(rng, amount))
            }
        }
    }

    fn formula(&self, rng: &mut Rng, depth: usize) -> TermTree {
        let ty = self.any_type(rng);
        let mut side = |ty| Box::new(self.tree(rng, ty, depth));
        let (a, b) = (side(ty), side(ty));
        match rng.below(9) {
            0 => TermTree::Eq(a, b),
            1 => TermTree::Ne(a, b),
            2 => TermTree::Le(a, b),
            3 => TermTree::Lt(a, b),
            4 => TermTree::Not(Box::new(self.tree(rng, Type::Bool, depth))),
            5 => {
                let op = *rng.pick(&[ArithOp::BitAnd, ArithOp::BitOr, ArithOp::BitXor]);
                let mut side = || Box::new(self.tree(rng, Type::Bool, depth));
                TermTree::Arith(op, side(), side())
            }
            kind => {
                let count = rng.below(4);
                let parts = (0..count).map(|_| self.tree(rng, Type::Bool, depth)).collect();
                if kind == 6 { TermTree::And(parts) } else { TermTree::Or(parts) }
            }
        }
    }

    fn leaf(&self, rng: &mut Rng, ty: Type) -> TermTree {
        let fitting = |(_, sort): &&(Symbol, Sort)| *sort == Sort::Scalar(ty);
        let symbols: Vec<_> = self.symbols.iter().filter(fitting).collect();
        if rng.one_in(2) || symbols.is_empty() {
            return TermTree::Const(number(rng, ty), ty);
        }
        let (symbol, sort) = **rng.pick(&symbols);
        TermTree::Symbol(symbol, sort)
    }

    fn array(&self, rng: &mut Rng, element: Type, depth: usize) -> TermTree {
        if let Some(depth) = depth.checked_sub(1)
            && !rng.one_in(3)
        {
            let array = Box::new(self.array(rng, element, depth));
            let index = Box::new(self.index(rng, depth));
            return TermTree::Store(array, index, Box::new(self.tree(rng, element, depth)));
        }
        let sort = Sort::Array { element, len: 3 };
        let symbol = self.symbols.iter().find(|(_, other)| *other == sort);
        match symbol {
            Some((symbol, _)) if rng.one_in(2) => TermTree::Symbol(*symbol, sort),
            _ => {
                let first = number(rng, element);
                let same = rng.one_in(2);
                let mut next = || if same { first } else { number(rng, element) };
                TermTree::ConstArray(vec![next(), next(), next()], element)
            }
        }
    }

    fn index(&self, rng: &mut Rng, depth: usize) -> TermTree {
        let ty = *rng.pick(&self.types);
        if rng.one_in(2) {
            return TermTree::Const(ty.wrap(rng.below(4) as i128), ty);
        }
        self.tree(rng, ty, depth)
    }

    fn any_type(&self, rng: &mut Rng) -> Type {
        if rng.one_in(self.types.len() + 1) { Type::Bool } else { *rng.pick(&self.types) }
    }
}

impl TermTree {
    /// The term that the constructors make of it.
    pub fn build(&self, terms: &mut Terms) -> Term {
        match self {
            TermTree::Const(value, ty) => terms.constant(*value, *ty),
            TermTree::Symbol(symbol, _) => terms.symbol(*symbol),
            TermTree::ConstArray(values, ty) => {
                terms.constant_array(values, *ty, values.len() as u32)
            }
            TermTree::Not(a) => {
                let a = a.build(terms);
                terms.not(a)
            }
            TermTree::And(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.build(terms)).collect();
                terms.and(parts)
            }
            TermTree::Or(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.build(terms)).collect();
                terms.or(parts)
            }
            TermTree::Eq(a, b) | TermTree::Ne(a, b) | TermTree::Le(a, b) | TermTree::Lt(a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                match self {
                    TermTree::Eq(..) => terms.eq(a, b),
                    TermTree::Ne(..) => terms.ne(a, b),
                    TermTree::Le(..) => terms.le(a, b),
                    _ => terms.lt(a, b),
                }
            }
            TermTree::Arith(op, a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                terms.arith(*op, a, b)
            }
            TermTree::Cast(ty, a) => {
                let a = a.build(terms);
                terms.cast(*ty, a)
            }
            TermTree::Ite(c, a, b) => {
                let (c, a, b) = (c.build(terms), a.build(terms), b.build(terms));
                terms.ite(c, a, b)
            }
            TermTree::Select(array, index) => {
                let (array, index) = (array.build(terms), index.build(terms));
                terms.select(array, index)
            }
            TermTree::Store(array, index, value) => {
                let (array, index) = (array.build(terms), index.build(terms));
                let value = value.build(terms);
                terms.store(array, index, value)
            }
        }
    }

    /// Its value; `None` if a mathematical integer leaves `i128` on the way.
    pub fn value(&self, valuation: &dyn Fn(Symbol) -> Value) -> Option<Value> {
        let number = |tree: &TermTree| tree.value(valuation).map(|value| value.scalar());
        let truth = |tree: &TermTree| number(tree).map(|value| value != 0);
        let scalar = match self {
            TermTree::Const(value, _) => *value,
            TermTree::Symbol(symbol, _) => return Some(valuation(*symbol)),
            TermTree::ConstArray(values, _) => return Some(Value::Array(values.clone())),
            TermTree::Not(a) => i128::from(!truth(a)?),
            TermTree::And(parts) => {
                let parts: Vec<bool> = parts.iter().map(truth).collect::<Option<_>>()?;
                i128::from(!parts.contains(&false))
            }
            TermTree::Or(parts) => {
                let parts: Vec<bool> = parts.iter().map(truth).collect::<Option<_>>()?;
                i128::from(parts.contains(&true))
            }
            TermTree::Eq(a, b) => i128::from(number(a)? == number(b)?),
            TermTree::Ne(a, b) => i128::from(number(a)? != number(b)?),
            TermTree::Le(a, b) => i128::from(number(a)? <= number(b)?),
            TermTree::Lt(a, b) => i128::from(number(a)? < number(b)?),
            TermTree::Arith(op, a, b) => calculate(*op, a.ty(), number(a)?, number(b)?)?,
            TermTree::Cast(ty, a) => ty.wrap(number(a)?),
            TermTree::Ite(c, a, b) => match truth(c)? {
                true => number(a)?,
                false => number(b)?,
            },
            TermTree::Select(array, index) => match (array.value(valuation)?, number(index)?) {
                (Value::Array(cells), index @ 0..3) => cells[index as usize],
                _ => 0,
            },
            TermTree::Store(array, index, value) => {
                let mut result = array.value(valuation)?;
                let (index, value) = (number(index)?, number(value)?);
                if let (Value::Array(cells), 0..3) = (&mut result, index) {
                    cells[index as usize] = value;
                }
                return Some(result);
            }
        };
        Some(Value::Scalar(scalar))
    }

    /// The type of a scalar.
    pub fn ty(&self) -> Type {
        match self {
            TermTree::Const(_, ty) | TermTree::ConstArray(_, ty) | TermTree::Cast(ty, _) => *ty,
            TermTree::Symbol(_, Sort::Scalar(ty) | Sort::Array { element: ty, .. }) => *ty,
            TermTree::Arith(_, a, _) | TermTree::Ite(_, a, _) => a.ty(),
            TermTree::Select(array, _) | TermTree::Store(array, ..) => array.ty(),
            _ => Type::Bool,
        }
    }
}

/// A value of a type: mostly small, sometimes extreme.
fn number(rng: &mut Rng, ty: Type) -> i128 {
    match ty {
        Type::Int if rng.one_in(16) => *rng.pick(&[i128::MIN, i128::MAX, 1 << 64, -(1 << 64)]),
        Type::Int => rng.below(16) as i128 - 8,
        Type::Bits { width, .. } if width > 4 => rng.value(ty),
        _ => ty.wrap(rng.below(16) as i128),
    }
}

fn operator(rng: &mut Rng, ty: Type) -> ArithOp {
    use ArithOp::*;
    match ty {
        Type::Int => *rng.pick(&[Add, Add, Sub, Sub, Mul, Div, Rem]),
        _ => *rng.pick(&[Add, Add, Sub, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor]),
    }
}

/// `a op b`, as `ccfa` defines it where it is defined, with the values terms add elsewhere.
fn calculate(op: ArithOp, ty: Type, a: i128, b: i128) -> Option<i128> {
    let width = match ty {
        Type::Bits { width, .. } => i128::from(width),
        Type::Bool | Type::Int => 0,
    };
    let out_of_width = b < 0 || b >= width;
    Some(match op {
        ArithOp::Add => ty.wrap(a.checked_add(b)?),
        ArithOp::Sub => ty.wrap(a.checked_sub(b)?),
        ArithOp::Mul if ty == Type::Int => a.checked_mul(b)?,
        ArithOp::Mul => ty.wrap(a.wrapping_mul(b)),
        ArithOp::Div if b == 0 => 0,
        ArithOp::Div => ty.wrap(a.checked_div(b)?),
        ArithOp::Rem if b == 0 => a,
        ArithOp::Rem => ty.wrap(a.checked_rem(b)?),
        ArithOp::Shl if out_of_width => 0,
        ArithOp::Shl => ty.wrap(a << b),
        ArithOp::Shr if out_of_width => -i128::from(a < 0),
        ArithOp::Shr => a >> b,
        ArithOp::BitAnd => a & b,
        ArithOp::BitOr => a | b,
        ArithOp::BitXor => a ^ b,
    })
}
