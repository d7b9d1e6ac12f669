//! C's integers on x86-64: their types, conversions (C11, 6.3.1) and operators (6.5), as gcc defines what C leaves to
//! it: conversions to a signed type wrap, `>>` of a negative number keeps the sign, `<<` of a signed one loses bits.

use ccfa::Undefined;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

/// A binary operator that evaluates both operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    Minus,
    Complement,
    Not,
}

impl Kind {
    pub const ALL: [Kind; 9] = [
        Kind::Bool,
        Kind::I8,
        Kind::U8,
        Kind::I16,
        Kind::U16,
        Kind::I32,
        Kind::U32,
        Kind::I64,
        Kind::U64,
    ];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Bool => "_Bool",
            Kind::I8 => "signed char",
            Kind::U8 => "unsigned char",
            Kind::I16 => "short",
            Kind::U16 => "unsigned short",
            Kind::I32 => "int",
            Kind::U32 => "unsigned",
            Kind::I64 => "long",
            Kind::U64 => "unsigned long",
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64)
    }

    fn bits(self) -> u32 {
        match self {
            Kind::Bool => 1,
            Kind::I8 | Kind::U8 => 8,
            Kind::I16 | Kind::U16 => 16,
            Kind::I32 | Kind::U32 => 32,
            Kind::I64 | Kind::U64 => 64,
        }
    }

    pub fn max(self) -> i128 {
        (1 << (self.bits() - u32::from(self.is_signed()))) - 1
    }

    pub fn min(self) -> i128 {
        if self.is_signed() { -self.max() - 1 } else { 0 }
    }

    /// What a number becomes in this type.
    pub fn convert(self, number: i128) -> i128 {
        if self == Kind::Bool {
            return i128::from(number != 0);
        }
        let low = number & ((1 << self.bits()) - 1);
        if low > self.max() { low - (1 << self.bits()) } else { low }
    }

    /// The integer promotions.
    pub fn promoted(self) -> Kind {
        if self.bits() < 32 { Kind::I32 } else { self }
    }

    /// The usual arithmetic conversions.
    fn common(self, other: Kind) -> Kind {
        let (left, right) = (self.promoted(), other.promoted());
        match left.bits().cmp(&right.bits()) {
            std::cmp::Ordering::Less => right,
            std::cmp::Ordering::Greater => left,
            std::cmp::Ordering::Equal if left.is_signed() => right,
            std::cmp::Ordering::Equal => left,
        }
    }
}

impl BinOp {
    fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le)
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::And => "&",
            BinOp::Or => "|",
            BinOp::Xor => "^",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
        }
    }

    /// The type of the result.
    pub fn kind(self, left: Kind, right: Kind) -> Kind {
        match self {
            _ if self.is_comparison() => Kind::I32,
            BinOp::Shl | BinOp::Shr => left.promoted(),
            _ => left.common(right),
        }
    }

    /// The result, in the type of [`BinOp::kind`].
    pub fn apply(
        self,
        (left_kind, left): (Kind, i128),
        (right_kind, right): (Kind, i128),
    ) -> Result<i128, Undefined> {
        if matches!(self, BinOp::Shl | BinOp::Shr) {
            return self.shift(left_kind.promoted(), left, right);
        }
        let kind = left_kind.common(right_kind);
        let (left, right) = (kind.convert(left), kind.convert(right));
        let exact = match self {
            BinOp::Div | BinOp::Rem if right == 0 => return Err(Undefined::DivisionByZero),
            BinOp::Rem if kind.is_signed() && left == kind.min() && right == -1 => {
                return Err(Undefined::SignedOverflow);
            }
            BinOp::Add => left + right,
            BinOp::Sub => left - right,
            BinOp::Mul => left.wrapping_mul(right),
            BinOp::Div => left / right,
            BinOp::Rem => left % right,
            BinOp::And => left & right,
            BinOp::Or => left | right,
            BinOp::Xor => left ^ right,
            BinOp::Eq => i128::from(left == right),
            BinOp::Ne => i128::from(left != right),
            BinOp::Lt => i128::from(left < right),
            BinOp::Le => i128::from(left <= right),
            BinOp::Shl | BinOp::Shr => unreachable!("shifts were dealt with"),
        };
        in_range(kind, exact)
    }

    fn shift(self, kind: Kind, left: i128, amount: i128) -> Result<i128, Undefined> {
        if !(0..i128::from(kind.bits())).contains(&amount) {
            return Err(Undefined::ShiftAmount);
        }
        Ok(kind.convert(if self == BinOp::Shl { left << amount } else { left >> amount }))
    }
}

impl UnOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnOp::Minus => "-",
            UnOp::Complement => "~",
            UnOp::Not => "!",
        }
    }

    /// The type of the result.
    pub fn kind(self, operand: Kind) -> Kind {
        if self == UnOp::Not { Kind::I32 } else { operand.promoted() }
    }

    /// The result, in the type of [`UnOp::kind`].
    pub fn apply(self, kind: Kind, operand: i128) -> Result<i128, Undefined> {
        match self {
            UnOp::Not => Ok(i128::from(operand == 0)),
            UnOp::Complement => Ok(kind.promoted().convert(!operand)),
            UnOp::Minus => in_range(kind.promoted(), -operand),
        }
    }
}

/// A result that fits, or wraps since its type is unsigned.
fn in_range(kind: Kind, exact: i128) -> Result<i128, Undefined> {
    match kind.convert(exact) {
        wrapped if wrapped != exact && kind.is_signed() => Err(Undefined::SignedOverflow),
        wrapped => Ok(wrapped),
    }
}
