//! Expressions as the search evaluates them: on packed states, in 64 bits.
//!
//! A [`Code`] is an expression of one instance with every variable resolved to
//! bits of a word. A value of a type is held in an `i64`: sign-extended if the
//! type is signed, zero-extended if it is not (so a `u64` lies in there as its
//! bit pattern, and unsigned types compare and divide as `u64`).
//!
//! What an expression gives is what `ccfa::semantics` says, case by case, with
//! one exception: a mathematical integer that leaves 64 bits is
//! [`Evaluated::Beyond`], upon which the search gives up. Cells that can never be
//! `ANY` are plain fields and cost nothing of the three-valued logic.

use ccfa::{BinOp, Type, UnOp};

/// What an expression gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evaluated {
    /// This value.
    Value(i64),
    /// Some value of its type.
    Any,
    /// Nothing: the step cannot be taken.
    Undefined,
    /// A mathematical integer that does not fit.
    Beyond,
}

/// Some bits of one word of a packed state, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub word: u32,
    /// Shifting left by this drops what is above the field,
    pub left: u8,
    /// then shifting right by this drops what is below.
    pub right: u8,
    pub signed: bool,
}

/// A cell: its value and, if it may be `ANY`, its flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub value: Field,
    pub any: Option<Field>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Code {
    Const(i64),
    /// An arbitrary value of a large type.
    Any,
    /// An arbitrary value of a small type: the one with this number is chosen
    /// before the step is taken.
    Choice(usize),
    Field(Field),
    /// A cell with an `ANY` flag.
    Slot(Slot),
    Element(Box<[Slot]>, Box<Code>),
    /// `(word & mask == bits) == equal`
    Bits {
        word: u32,
        mask: u64,
        bits: u64,
        equal: bool,
    },
    /// A comparison of fields that are never `ANY`.
    FieldLess {
        left: Field,
        right: Field,
        or_equal: bool,
    },
    FieldEqual {
        left: Field,
        right: Field,
        equal: bool,
    },
    Unary(UnOp, Domain, Box<Code>),
    Binary(BinOp, Domain, Box<(Code, Code)>),
    Cast {
        from: Domain,
        to: Type,
        operand: Box<Code>,
    },
    And(Box<(Code, Code)>),
    Or(Box<(Code, Code)>),
    Ite(Box<(Code, Code, Code)>),
}

/// A type as arithmetic sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// Results outside are undefined: signed integers and `bool`.
    Range { low: i64, high: i64, width: u8 },
    /// Results are cut to these bits: unsigned integers.
    Wrap { mask: u64, width: u8 },
    /// Mathematical integers.
    Integer,
}

use Evaluated::{Beyond, Undefined, Value};

impl Field {
    #[inline]
    pub fn get(self, words: &[u64]) -> i64 {
        let high = words[self.word as usize] << self.left;
        if self.signed { (high as i64) >> self.right } else { (high >> self.right) as i64 }
    }

    #[inline]
    pub fn set(self, words: &mut [u64], value: i64) {
        let word = &mut words[self.word as usize];
        *word = *word & !self.mask() | self.place(value);
    }

    /// The bits of the word that belong to the field.
    pub fn mask(self) -> u64 {
        u64::MAX << self.right >> self.left
    }

    /// A value as bits of the word.
    #[inline]
    pub fn place(self, value: i64) -> u64 {
        (value as u64) << self.right >> self.left
    }
}

impl Slot {
    #[inline]
    pub fn get(&self, words: &[u64]) -> Evaluated {
        match self.any {
            Some(any) if any.get(words) != 0 => Evaluated::Any,
            _ => Value(self.value.get(words)),
        }
    }

    /// Writes a value or `ANY` (whose value bits are zero).
    #[inline]
    pub fn set(&self, words: &mut [u64], value: Option<i64>) {
        self.value.set(words, value.unwrap_or(0));
        match (self.any, value) {
            (Some(any), _) => any.set(words, i64::from(value.is_none())),
            (None, value) => debug_assert!(value.is_some(), "a cell without flag is never ANY"),
        }
    }
}

impl Code {
    /// The value in a state, with these choices for small arbitrary values.
    pub fn eval(&self, words: &[u64], choices: &[i64]) -> Evaluated {
        match self {
            Code::Const(value) => Value(*value),
            Code::Any => Evaluated::Any,
            Code::Choice(number) => Value(choices[*number]),
            Code::Field(field) => Value(field.get(words)),
            Code::Slot(slot) => slot.get(words),
            Code::Element(slots, index) => match index.eval(words, choices) {
                Value(index) => match slots.get(index as u64 as usize) {
                    Some(slot) => slot.get(words),
                    None => Undefined,
                },
                other => other,
            },
            Code::Bits { word, mask, bits, equal } => {
                truth((words[*word as usize] & mask == *bits) == *equal)
            }
            Code::FieldLess { left, right, or_equal } => {
                let (left, right) = (left.get(words), right.get(words));
                truth(left < right || *or_equal && left == right)
            }
            Code::FieldEqual { left, right, equal } => {
                truth((left.get(words) == right.get(words)) == *equal)
            }
            Code::Unary(op, domain, operand) => match operand.eval(words, choices) {
                Value(value) => unary(*op, *domain, value),
                other => other,
            },
            Code::Binary(op, domain, operands) => {
                let (left, right) = &**operands;
                match (left.operand(words, choices), right.operand(words, choices)) {
                    (Value(left), Value(right)) => binary(*op, *domain, left, right),
                    (left, right) => strict(left, right),
                }
            }
            Code::Cast { from, to, operand } => match operand.eval(words, choices) {
                Value(value) => cast(*from, *to, value),
                other => other,
            },
            Code::And(parts) => and(&parts.0, &parts.1, words, choices),
            Code::Or(parts) => or(&parts.0, &parts.1, words, choices),
            Code::Ite(parts) => ite(parts, words, choices),
        }
    }

    /// The same, with the common leaves at hand.
    #[inline]
    fn operand(&self, words: &[u64], choices: &[i64]) -> Evaluated {
        match self {
            Code::Const(value) => Value(*value),
            Code::Field(field) => Value(field.get(words)),
            other => other.eval(words, choices),
        }
    }
}

fn truth(holds: bool) -> Evaluated {
    Value(i64::from(holds))
}

/// Operands of which not both have a value: the first that is undefined counts,
/// then `ANY`.
fn strict(left: Evaluated, right: Evaluated) -> Evaluated {
    match (left, right) {
        (Undefined | Beyond, _) => left,
        (_, Undefined | Beyond) => right,
        _ => Evaluated::Any,
    }
}

fn and(left: &Code, right: &Code, words: &[u64], choices: &[i64]) -> Evaluated {
    match left.eval(words, choices) {
        Value(0) => Value(0),
        Value(_) => right.eval(words, choices),
        Evaluated::Any => match right.eval(words, choices) {
            Value(0) | Undefined => Value(0),
            Beyond => Beyond,
            _ => Evaluated::Any,
        },
        other => other,
    }
}

fn or(left: &Code, right: &Code, words: &[u64], choices: &[i64]) -> Evaluated {
    match left.eval(words, choices) {
        Value(0) => right.eval(words, choices),
        Value(_) => Value(1),
        Evaluated::Any => match right.eval(words, choices) {
            Value(1) => Value(1),
            Beyond => Beyond,
            _ => Evaluated::Any,
        },
        other => other,
    }
}

fn ite(parts: &(Code, Code, Code), words: &[u64], choices: &[i64]) -> Evaluated {
    match parts.0.eval(words, choices) {
        Value(0) => parts.2.eval(words, choices),
        Value(_) => parts.1.eval(words, choices),
        Evaluated::Any => match (parts.1.eval(words, choices), parts.2.eval(words, choices)) {
            (Beyond, _) | (_, Beyond) => Beyond,
            (then, otherwise) if then == otherwise => then,
            _ => Evaluated::Any,
        },
        other => other,
    }
}

impl Domain {
    pub fn of(ty: Type) -> Domain {
        match ty {
            Type::Int => Domain::Integer,
            Type::Bool => Domain::Range { low: 0, high: 1, width: 0 },
            Type::Bits { width, signed: false } => {
                Domain::Wrap { mask: u64::MAX >> (64 - width), width }
            }
            Type::Bits { width, signed: true } => {
                let high = i64::MAX >> (64 - width);
                Domain::Range { low: -1 - high, high, width }
            }
        }
    }

    /// An exact result, if it fits 64 bits; unsigned ones have wrapped before.
    fn exact(self, result: Option<i64>) -> Evaluated {
        match (self, result) {
            (Domain::Range { low, high, .. }, Some(result)) if low <= result && result <= high => {
                Value(result)
            }
            (Domain::Range { .. }, _) => Undefined,
            (_, Some(result)) => Value(result),
            (_, None) => Beyond,
        }
    }
}

fn unary(op: UnOp, domain: Domain, value: i64) -> Evaluated {
    match (op, domain) {
        (UnOp::Not, _) => Value(1 - value),
        (UnOp::Neg, Domain::Wrap { mask, .. }) => {
            Value((value.wrapping_neg() as u64 & mask) as i64)
        }
        (UnOp::Neg, _) => domain.exact(value.checked_neg()),
        (UnOp::BitNot, Domain::Wrap { mask, .. }) => Value((!value as u64 & mask) as i64),
        // Of `bool`: neither `!0` nor `!1` is zero.
        (UnOp::BitNot, Domain::Range { width: 0, .. }) => Value(1),
        (UnOp::BitNot, _) => Value(!value),
    }
}

fn binary(op: BinOp, domain: Domain, left: i64, right: i64) -> Evaluated {
    match op {
        BinOp::Eq => return truth(left == right),
        BinOp::Ne => return truth(left != right),
        BinOp::BitAnd => return Value(left & right),
        BinOp::BitOr => return Value(left | right),
        BinOp::BitXor => return Value(left ^ right),
        BinOp::And => return truth(left != 0 && right != 0),
        BinOp::Or => return truth(left != 0 || right != 0),
        BinOp::Div | BinOp::Rem if right == 0 => return Undefined,
        _ => {}
    }
    match domain {
        Domain::Wrap { mask, width } => unsigned(op, mask, width, left as u64, right as u64),
        _ => signed(op, domain, left, right),
    }
}

fn unsigned(op: BinOp, mask: u64, width: u8, left: u64, right: u64) -> Evaluated {
    let result = match op {
        BinOp::Add => left.wrapping_add(right),
        BinOp::Sub => left.wrapping_sub(right),
        BinOp::Mul => left.wrapping_mul(right),
        BinOp::Div => left / right,
        BinOp::Rem => left % right,
        BinOp::Shl | BinOp::Shr if right >= u64::from(width) => return Undefined,
        BinOp::Shl => left << right,
        BinOp::Shr => left >> right,
        BinOp::Lt => u64::from(left < right),
        _ => u64::from(left <= right),
    };
    Value((result & mask) as i64)
}

fn signed(op: BinOp, domain: Domain, left: i64, right: i64) -> Evaluated {
    match op {
        BinOp::Add => domain.exact(left.checked_add(right)),
        BinOp::Sub => domain.exact(left.checked_sub(right)),
        BinOp::Mul => domain.exact(left.checked_mul(right)),
        BinOp::Div => domain.exact(left.checked_div(right)),
        // C: if the quotient overflows, so does the remainder.
        BinOp::Rem => match domain.exact(left.checked_div(right)) {
            Value(_) => domain.exact(left.checked_rem(right)),
            other => other,
        },
        BinOp::Lt => truth(left < right),
        BinOp::Le => truth(left <= right),
        _ => match domain {
            Domain::Range { width, .. } if (right as u64) < u64::from(width) => {
                let spare = 64 - u32::from(width);
                Value(match op {
                    BinOp::Shl => left << right << spare >> spare,
                    _ => left >> right,
                })
            }
            _ => Undefined,
        },
    }
}

fn cast(from: Domain, to: Type, value: i64) -> Evaluated {
    match to {
        Type::Bool => truth(value != 0),
        Type::Int => match from {
            Domain::Wrap { .. } if value < 0 => Beyond,
            _ => Value(value),
        },
        Type::Bits { width, signed } => {
            let spare = 64 - width;
            let high = (value as u64) << spare;
            Value(if signed { (high as i64) >> spare } else { (high >> spare) as i64 })
        }
    }
}
