//! Typed expressions: bit-precise integers, booleans and, for models written
//! by hand, mathematical integers.
//!
//! Both operands of an operator have one type; conversions are explicit
//! [`Expr::Cast`]s. Unsigned arithmetic wraps. **Signed arithmetic that
//! overflows is undefined**, and so are division by zero, shifting by a
//! negative amount or by the width or more, and reading an array out of its
//! bounds; a step with an undefined expression cannot be taken (see
//! [`crate::semantics`]). `&&`, `||` and `ite` evaluate only what they need.

use crate::program::VarRef;

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// `bool`, values 0 and 1.
    Bool,
    /// `i1`…`i64` and `u1`…`u64`: two's complement.
    Bits {
        /// 1 to 64.
        width: u8,
        /// Two's complement if signed.
        signed: bool,
    },
    /// `int`: a mathematical integer.
    Int,
}

impl Type {
    /// Signed integer of `width` bits.
    pub const fn signed(width: u8) -> Type {
        Type::Bits { width, signed: true }
    }

    /// Unsigned integer of `width` bits.
    pub const fn unsigned(width: u8) -> Type {
        Type::Bits { width, signed: false }
    }

    /// The smallest and the largest value; `Int` has neither.
    pub fn bounds(self) -> Option<(i128, i128)> {
        match self {
            Type::Bool => Some((0, 1)),
            Type::Bits { width, signed: false } => Some((0, (1i128 << width) - 1)),
            Type::Bits { width, signed: true } => {
                Some((-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1))
            }
            Type::Int => None,
        }
    }

    /// Is `value` a value of this type?
    pub fn contains(self, value: i128) -> bool {
        self.bounds().is_none_or(|(low, high)| low <= value && value <= high)
    }

    /// The value of this type that is congruent to `value` (for `Bool`:
    /// whether it is not zero).
    pub fn wrap(self, value: i128) -> i128 {
        match self {
            Type::Bool => i128::from(value != 0),
            Type::Int => value,
            Type::Bits { width, signed } => {
                let low = value & ((1i128 << width) - 1);
                if signed && low >> (width - 1) != 0 { low - (1i128 << width) } else { low }
            }
        }
    }
}

/// An expression. `true` and `false` are constants of type `Bool`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A value of a type.
    Const(i128, Type),
    /// A scalar variable.
    Var(VarRef),
    /// An element of an array variable.
    Index(VarRef, Box<Expr>),
    /// An operator on one operand.
    Unary(UnOp, Box<Expr>),
    /// An operator on two operands.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// Conversion: the value of the new type congruent to the old value; to
    /// `bool`: is it not zero?
    Cast(Type, Box<Expr>),
    /// `ite(c, a, b)`: `a` if `c`, else `b`.
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// `-`, undefined for the smallest signed value.
    Neg,
    /// `~`
    BitNot,
    /// `!`, on `bool`.
    Not,
}

/// Operators on two operands. `>` and `>=` are written with swapped operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, towards zero.
    Div,
    /// `%`, with the sign of the dividend.
    Rem,
    /// `<<`; bits that leave are lost, also for signed types. The amount may
    /// have any type.
    Shl,
    /// `>>`; arithmetic for signed types. The amount may have any type.
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `&&`, on `bool`; the second operand counts only if the first is true.
    And,
    /// `||`, on `bool`; the second operand counts only if the first is false.
    Or,
}

impl BinOp {
    /// Does it give `bool`?
    pub fn is_predicate(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::And | BinOp::Or)
    }
}

impl Expr {
    /// `true`
    pub const TRUE: Expr = Expr::Const(1, Type::Bool);
    /// `false`
    pub const FALSE: Expr = Expr::Const(0, Type::Bool);

    /// The type, given the types of the variables.
    pub fn ty(&self, type_of: &impl Fn(VarRef) -> Type) -> Type {
        match self {
            Expr::Const(_, ty) | Expr::Cast(ty, _) => *ty,
            Expr::Var(var) | Expr::Index(var, _) => type_of(*var),
            Expr::Unary(_, operand) => operand.ty(type_of),
            Expr::Binary(op, left, _) => {
                if op.is_predicate() {
                    Type::Bool
                } else {
                    left.ty(type_of)
                }
            }
            Expr::Ite(_, then, _) => then.ty(type_of),
        }
    }

    /// Calls `visit` for this expression and every part of it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        match self {
            Expr::Const(..) | Expr::Var(_) => {}
            Expr::Index(_, part) | Expr::Unary(_, part) | Expr::Cast(_, part) => part.walk(visit),
            Expr::Binary(_, left, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            Expr::Ite(condition, then, otherwise) => {
                condition.walk(visit);
                then.walk(visit);
                otherwise.walk(visit);
            }
        }
    }
}
