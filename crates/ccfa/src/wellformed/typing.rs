//! Types of expressions, strictly.
//!
//! Both operands of an operator have one type, and no operator converts.
//! Which operator goes with which type:
//!
//! | operators                    | `bool` | `iN`, `uN` | `int` |
//! |------------------------------|--------|------------|-------|
//! | `+` `-` `*` `/` `%`, `-x`    |        | yes        | yes   |
//! | `<` `<=`                     |        | yes        | yes   |
//! | `==` `!=`                    | yes    | yes        | yes   |
//! | `&` <code>\|</code> `^`      | yes    | yes        |       |
//! | `<<` `>>` (left operand)     |        | yes        |       |
//! | `~x`                         |        | yes        |       |
//! | `&&` <code>\|\|</code> `!x`  | yes    |            |       |
//!
//! The amount of a shift may have any type, an index any type but `bool`, and
//! every type converts to every other.

use crate::expr::{BinOp, Expr, Type, UnOp};
use crate::program::{Program, Template, Var, VarRef};
use crate::text;

/// Expressions are nested at most so deeply: everyone may walk them recursively.
pub const MAX_EXPR_LEVELS: usize = 1000;

/// May `op` stand before an operand of type `ty`?
pub fn unary_allowed(op: UnOp, ty: Type) -> bool {
    match op {
        UnOp::Neg => ty != Type::Bool,
        UnOp::BitNot => matches!(ty, Type::Bits { .. }),
        UnOp::Not => ty == Type::Bool,
    }
}

/// May `op` stand between operands of type `ty` (shifts: after one)?
pub fn binary_allowed(op: BinOp, ty: Type) -> bool {
    use BinOp::*;
    match op {
        Add | Sub | Mul | Div | Rem | Lt | Le => ty != Type::Bool,
        Shl | Shr => matches!(ty, Type::Bits { .. }),
        BitAnd | BitOr | BitXor => ty != Type::Int,
        Eq | Ne => true,
        And | Or => ty == Type::Bool,
    }
}

/// The type of an expression as seen from a template (from none: shared
/// variables only), or what is wrong with it.
pub fn type_of(
    program: &Program,
    template: Option<&Template>,
    expr: &Expr,
) -> Result<Type, String> {
    Typing { program, template }.expr(expr, MAX_EXPR_LEVELS)
}

/// The declaration of a variable, if there is one.
pub(super) fn declaration<'a>(
    program: &'a Program,
    template: Option<&'a Template>,
    var: VarRef,
) -> Result<&'a Var, String> {
    match var {
        VarRef::Shared(id) => program
            .shared
            .get(id.index())
            .ok_or_else(|| format!("there is no shared variable number {}", id.0)),
        VarRef::Local(id) => template
            .ok_or_else(|| format!("local variable number {} where only shared ones are", id.0))?
            .locals
            .get(id.index())
            .ok_or_else(|| format!("there is no local variable number {}", id.0)),
    }
}

/// Complains about widths beyond 1 to 64.
pub(super) fn type_exists(ty: Type) -> Result<(), String> {
    match ty {
        Type::Bits { width, .. } if !(1..=64).contains(&width) => {
            Err(format!("an integer of {width} bits: only 1 to 64 bits exist"))
        }
        _ => Ok(()),
    }
}

/// Complains about values that are not of their type.
pub(super) fn value_fits(value: i128, ty: Type) -> Result<(), String> {
    type_exists(ty)?;
    if ty.contains(value) {
        Ok(())
    } else {
        Err(format!("{value} is not a value of {}", text::type_name(ty)))
    }
}

struct Typing<'a> {
    program: &'a Program,
    template: Option<&'a Template>,
}

impl Typing<'_> {
    fn expr(&self, expr: &Expr, fuel: usize) -> Result<Type, String> {
        let fuel = fuel
            .checked_sub(1)
            .ok_or_else(|| format!("an expression is nested more than {MAX_EXPR_LEVELS} deep"))?;
        match expr {
            Expr::Const(value, ty) => value_fits(*value, *ty).map(|()| *ty),
            Expr::Var(var) => {
                let var = declaration(self.program, self.template, *var)?;
                match var.len {
                    None => Ok(var.ty),
                    Some(_) => Err(format!("the array `{}` is read without index", var.name)),
                }
            }
            Expr::Index(var, index) => self.element(*var, index, fuel),
            Expr::Unary(op, operand) => {
                let ty = self.expr(operand, fuel)?;
                allowed(unary_allowed(*op, ty), text::unary_symbol(*op), ty)
            }
            Expr::Cast(ty, operand) => {
                type_exists(*ty)?;
                self.expr(operand, fuel).map(|_| *ty)
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right, fuel),
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.expr(condition, fuel)?;
                same("the condition of `ite`", Type::Bool, condition)?;
                let ty = self.expr(then, fuel)?;
                same("the last operand of `ite`", ty, self.expr(otherwise, fuel)?)
            }
        }
    }

    /// The type of `var[index]`.
    fn element(&self, var: VarRef, index: &Expr, fuel: usize) -> Result<Type, String> {
        let var = declaration(self.program, self.template, var)?;
        if var.len.is_none() {
            return Err(format!("`{}` has an index but is no array", var.name));
        }
        match self.expr(index, fuel)? {
            Type::Bool => Err(format!("the index of `{}` is a bool", var.name)),
            _ => Ok(var.ty),
        }
    }

    fn binary(&self, op: BinOp, left: &Expr, right: &Expr, fuel: usize) -> Result<Type, String> {
        let symbol = text::binary_symbol(op);
        let ty = self.expr(left, fuel)?;
        let other = self.expr(right, fuel)?;
        if ty != other && !matches!(op, BinOp::Shl | BinOp::Shr) {
            same(&format!("the right operand of `{symbol}`"), ty, other)?;
        }
        allowed(binary_allowed(op, ty), symbol, ty)?;
        Ok(if op.is_predicate() { Type::Bool } else { ty })
    }
}

fn allowed(is_allowed: bool, symbol: &str, ty: Type) -> Result<Type, String> {
    if is_allowed {
        Ok(ty)
    } else {
        Err(format!("`{symbol}` does not apply to {}", text::type_name(ty)))
    }
}

/// Complains unless `found` is the type that is `needed`.
pub(super) fn same(what: &str, needed: Type, found: Type) -> Result<Type, String> {
    if needed == found {
        Ok(needed)
    } else {
        let (needed, found) = (text::type_name(needed), text::type_name(found));
        Err(format!("{what} is {found}, but {needed} is needed"))
    }
}
