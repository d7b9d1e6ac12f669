//! The value of a term under a valuation, straight from the meaning given at
//! [`Node`]: the yardstick for constructors and solvers. It shares no code with them.
//!
//! Terms are evaluated operands first, each once, without recursion.

use ccfa::Type;
use logic::FastMap;
use logic::{ArithOp, Node, Sort, Symbol, Term, Terms};

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number of its type; truth is 1.
    Scalar(i128),
    /// All elements.
    Array(Vec<i128>),
}

impl Value {
    /// The number of a scalar.
    pub fn scalar(&self) -> i128 {
        match self {
            Value::Scalar(value) => *value,
            Value::Array(_) => unreachable!("a scalar should be given, not an array"),
        }
    }

    fn elements(&self) -> &[i128] {
        match self {
            Value::Array(elements) => elements,
            Value::Scalar(_) => unreachable!("an array should be given, not a scalar"),
        }
    }
}

/// The value of a term. The valuation gives values of the sort of the symbol.
///
/// # Panics
/// If a mathematical integer leaves `i128`: see [`try_evaluate`].
pub fn evaluate(terms: &Terms, term: Term, valuation: &mut dyn FnMut(Symbol) -> Value) -> Value {
    try_evaluate(terms, term, valuation).expect("mathematical integers should fit into i128")
}

/// The value of a term; `None` if a mathematical integer leaves `i128` on the way.
pub fn try_evaluate(
    terms: &Terms,
    term: Term,
    valuation: &mut dyn FnMut(Symbol) -> Value,
) -> Option<Value> {
    let mut values: FastMap<Term, Value> = FastMap::default();
    let mut stack = vec![term];
    while let Some(next) = stack.last().copied() {
        let before = stack.len();
        stack.extend(terms.operands(next).filter(|operand| !values.contains_key(operand)));
        if stack.len() == before {
            stack.pop();
            if !values.contains_key(&next) {
                let value = apply(terms, next, &values, valuation)?;
                values.insert(next, value);
            }
        }
    }
    values.remove(&term)
}

/// The value of a term whose operands have values.
fn apply(
    terms: &Terms,
    term: Term,
    values: &FastMap<Term, Value>,
    valuation: &mut dyn FnMut(Symbol) -> Value,
) -> Option<Value> {
    let number = |term: &Term| values[term].scalar();
    let truth = |term: &Term| number(term) == 1;
    let scalar = match terms.node(term) {
        Node::Const(value, _) => *value,
        Node::ConstArray(elements, _, len) => {
            let at = |index| if elements.len() == 1 { elements[0] } else { elements[index] };
            return Some(Value::Array((0..*len as usize).map(at).collect()));
        }
        Node::Symbol(symbol) => return Some(valuation(*symbol)),
        Node::Not(a) => i128::from(!truth(a)),
        Node::And(parts) => i128::from(parts.iter().all(truth)),
        Node::Or(parts) => i128::from(parts.iter().any(truth)),
        Node::Eq(a, b) => i128::from(number(a) == number(b)),
        Node::Le(a, b) => i128::from(number(a) <= number(b)),
        Node::Arith(op, a, b) => arithmetic(*op, terms.sort(term), number(a), number(b))?,
        Node::Cast(ty, a) => congruent(*ty, number(a)),
        Node::Ite(c, a, b) => number(if truth(c) { a } else { b }),
        Node::Select(array, index) => {
            let place = usize::try_from(number(index)).ok();
            place.and_then(|place| values[array].elements().get(place).copied()).unwrap_or(0)
        }
        Node::Store(array, index, value) => {
            let mut elements = values[array].elements().to_vec();
            let place = usize::try_from(number(index)).ok();
            if let Some(element) = place.and_then(|place| elements.get_mut(place)) {
                *element = number(value);
            }
            return Some(Value::Array(elements));
        }
    };
    Some(Value::Scalar(scalar))
}

fn arithmetic(op: ArithOp, sort: Sort, a: i128, b: i128) -> Option<i128> {
    let Sort::Scalar(ty) = sort else { unreachable!("arithmetic should be on scalars") };
    let width = match ty {
        Type::Bits { width, .. } => Some(i128::from(width)),
        Type::Bool | Type::Int => None,
    };
    let exact = match op {
        ArithOp::Add => a.checked_add(b)?,
        ArithOp::Sub => a.checked_sub(b)?,
        // Only the low bits matter where results wrap.
        ArithOp::Mul if width.is_some() => a.wrapping_mul(b),
        ArithOp::Mul => a.checked_mul(b)?,
        ArithOp::Div | ArithOp::Rem if b == 0 => {
            if op == ArithOp::Div {
                0
            } else {
                a
            }
        }
        ArithOp::Div => a.checked_div(b)?,
        ArithOp::Rem => a - a.checked_div(b)? * b,
        ArithOp::Shl | ArithOp::Shr => {
            let inside = b >= 0 && b < width?;
            match op {
                ArithOp::Shl => {
                    if inside {
                        a << b
                    } else {
                        0
                    }
                }
                _ if inside => a.div_euclid(1 << b),
                _ => {
                    if a < 0 {
                        -1
                    } else {
                        0
                    }
                }
            }
        }
        ArithOp::BitAnd => a & b,
        ArithOp::BitOr => a | b,
        ArithOp::BitXor => a ^ b,
    };
    Some(congruent(ty, exact))
}

/// The value of the type that differs from `value` by a multiple of two to the width.
fn congruent(ty: Type, value: i128) -> i128 {
    match ty {
        Type::Int => value,
        Type::Bool => i128::from(value != 0),
        Type::Bits { width, signed } => {
            let size = 1i128 << width;
            let rest = value.rem_euclid(size);
            if signed && rest >= size / 2 { rest - size } else { rest }
        }
    }
}
