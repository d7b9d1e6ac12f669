//! Expressions as written to expressions: names become variables, numbers get
//! their types.
//!
//! Every place knows which type it needs ([`NameScope::typed`]); where it does
//! not, [`NameScope::known`] asks the parts for one that does not depend on the
//! place, and the last resort is `i32`. The printer follows the same rules.

use super::lex::At;
use super::syntax::{Ast, AstNode, Name};
use super::{NUMBER, ParseError, binary_symbol, type_name, unary_symbol};
use crate::expr::{BinOp, Expr, Type, UnOp};
use crate::program::{LocalId, SharedId, Var, VarRef};
use crate::wellformed::typing::{binary_allowed, unary_allowed};
use std::collections::HashMap;

/// Variables by name.
#[derive(Default)]
pub(super) struct Table {
    pub vars: Vec<Var>,
    numbers: HashMap<String, u32>,
}

impl Table {
    /// A table of these.
    pub fn new(vars: &[Var]) -> Table {
        let mut table = Table::default();
        for var in vars {
            table.add(var.clone());
        }
        table
    }

    /// Adds one more.
    pub fn add(&mut self, var: Var) {
        self.numbers.insert(var.name.clone(), self.vars.len() as u32);
        self.vars.push(var);
    }

    /// Is there one of this name?
    pub fn contains(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }
}

/// What names mean.
#[derive(Default)]
pub(super) struct NameScope {
    pub shared: Table,
    pub locals: Table,
    pub constants: HashMap<String, i128>,
}

impl NameScope {
    /// The variable of this name.
    pub fn find(&self, name: &Name) -> Option<(VarRef, &Var)> {
        if let (Some(id), false) = (self.locals.numbers.get(&name.text), name.shared) {
            return Some((VarRef::Local(LocalId(*id)), &self.locals.vars[*id as usize]));
        }
        let id = *self.shared.numbers.get(&name.text)?;
        Some((VarRef::Shared(SharedId(id)), &self.shared.vars[id as usize]))
    }

    /// The variable of this name, or an error.
    pub fn variable(&self, name: &Name) -> Result<(VarRef, &Var), ParseError> {
        self.find(name).ok_or_else(|| match self.constants.contains_key(&name.text) {
            true => name.at.error(format!("`{}` is a constant, not a variable", name.text)),
            false => name.at.error(format!("there is no variable `{}`", name.text)),
        })
    }

    /// The value of a constant expression: numbers, constants, `+`, `-`, `*`.
    pub fn constant(&self, ast: &Ast) -> Result<i128, ParseError> {
        let too_large = || ast.at.error("this number is too large");
        match &ast.node {
            AstNode::Number { negative, magnitude, .. } => {
                signed(*negative, *magnitude).ok_or_else(too_large)
            }
            AstNode::Truth(truth) => Ok(i128::from(*truth)),
            AstNode::Name(name) => match self.constants.get(&name.text) {
                Some(value) => Ok(*value),
                None => Err(name.at.error(format!("there is no constant `{}`", name.text))),
            },
            AstNode::Unary(UnOp::Neg, operand) => {
                self.constant(operand)?.checked_neg().ok_or_else(too_large)
            }
            AstNode::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), left, right) => {
                let (left, right) = (self.constant(left)?, self.constant(right)?);
                let value = match op {
                    BinOp::Add => left.checked_add(right),
                    BinOp::Sub => left.checked_sub(right),
                    _ => left.checked_mul(right),
                };
                value.ok_or_else(too_large)
            }
            _ => Err(ast.at.error("expected a constant: numbers, constants, `+`, `-` and `*`")),
        }
    }

    /// The type an expression has wherever it stands, if it has one.
    pub fn known(&self, ast: &Ast) -> Option<Type> {
        match &ast.node {
            AstNode::Number { suffix, .. } => *suffix,
            AstNode::Truth(_) | AstNode::Unary(UnOp::Not, _) => Some(Type::Bool),
            AstNode::Name(name) | AstNode::Index(name, _) => self.find(name).map(|(_, var)| var.ty),
            AstNode::Cast(ty, _) => Some(*ty),
            AstNode::Unary(_, operand) => self.known(operand),
            AstNode::Binary(op, ..) if op.is_predicate() => Some(Type::Bool),
            AstNode::Binary(BinOp::Shl | BinOp::Shr, left, _) => self.known(left),
            AstNode::Binary(_, left, right) => self.known(left).or_else(|| self.known(right)),
            AstNode::Ite(parts) => self.known(&parts[1]).or_else(|| self.known(&parts[2])),
        }
    }

    /// The expression, where no type is needed.
    pub fn untyped(&self, ast: &Ast) -> Result<(Expr, Type), ParseError> {
        let ty = self.known(ast).unwrap_or(NUMBER);
        Ok((self.typed(ast, ty)?, ty))
    }

    /// The expression, where this type is needed.
    pub fn typed(&self, ast: &Ast, needed: Type) -> Result<Expr, ParseError> {
        let typed = |part: &Ast, ty| self.typed(part, ty).map(Box::new);
        match &ast.node {
            AstNode::Number { negative, magnitude, suffix } => {
                let value = signed(*negative, *magnitude);
                self.number(ast.at, value, suffix.unwrap_or(needed), needed)
            }
            AstNode::Truth(truth) => {
                need(ast.at, "this", Type::Bool, needed)?;
                Ok(Expr::Const(i128::from(*truth), Type::Bool))
            }
            AstNode::Name(name) => self.scalar(name, needed),
            AstNode::Index(name, index) => {
                let (var, ty) = self.array(name)?;
                need(ast.at, &format!("`{}`", name.text), ty, needed)?;
                Ok(Expr::Index(var, Box::new(self.index(index)?)))
            }
            AstNode::Unary(op, operand) => {
                let symbol = unary_symbol(*op);
                if *op == UnOp::Not {
                    need(ast.at, "this", Type::Bool, needed)?;
                }
                allowed(ast.at, unary_allowed(*op, needed), symbol, needed)?;
                Ok(Expr::Unary(*op, typed(operand, needed)?))
            }
            AstNode::Binary(op, left, right) => self.binary(ast.at, *op, left, right, needed),
            AstNode::Cast(ty, operand) => {
                need(ast.at, "this", *ty, needed)?;
                Ok(Expr::Cast(*ty, Box::new(self.untyped(operand)?.0)))
            }
            AstNode::Ite(parts) => {
                let [condition, then, otherwise] = &**parts;
                let condition = typed(condition, Type::Bool)?;
                let then = typed(then, needed)?;
                Ok(Expr::Ite(condition, then, typed(otherwise, needed)?))
            }
        }
    }

    /// The index of an array.
    pub fn index(&self, ast: &Ast) -> Result<Expr, ParseError> {
        match self.untyped(ast)? {
            (_, Type::Bool) => Err(ast.at.error("an index cannot be bool")),
            (index, _) => Ok(index),
        }
    }

    /// The array of this name and the type of its elements.
    pub fn array(&self, name: &Name) -> Result<(VarRef, Type), ParseError> {
        match self.variable(name)? {
            (_, Var { len: None, .. }) => {
                Err(name.at.error(format!("`{}` is not an array", name.text)))
            }
            (var, declared) => Ok((var, declared.ty)),
        }
    }

    /// A scalar variable or a constant.
    fn scalar(&self, name: &Name, needed: Type) -> Result<Expr, ParseError> {
        if let (None, Some(value)) = (self.find(name), self.constants.get(&name.text)) {
            return self.number(name.at, Some(*value), needed, needed);
        }
        let (var, declared) = self.variable(name)?;
        if declared.len.is_some() {
            return Err(name.at.error(format!("`{}` is an array: which element?", name.text)));
        }
        need(name.at, &format!("`{}`", name.text), declared.ty, needed)?;
        Ok(Expr::Var(var))
    }

    fn binary(
        &self,
        at: At,
        op: BinOp,
        left: &Ast,
        right: &Ast,
        needed: Type,
    ) -> Result<Expr, ParseError> {
        let ty = match op {
            BinOp::And | BinOp::Or => Type::Bool,
            _ if op.is_predicate() => {
                self.known(left).or_else(|| self.known(right)).unwrap_or(NUMBER)
            }
            _ => needed,
        };
        if op.is_predicate() {
            need(at, "this", Type::Bool, needed)?;
        }
        allowed(at, binary_allowed(op, ty), binary_symbol(op), ty)?;
        let right_ty = match op {
            BinOp::Shl | BinOp::Shr => self.known(right).unwrap_or(ty),
            _ => ty,
        };
        Ok(Expr::binary(op, self.typed(left, ty)?, self.typed(right, right_ty)?))
    }

    fn number(
        &self,
        at: At,
        value: Option<i128>,
        ty: Type,
        needed: Type,
    ) -> Result<Expr, ParseError> {
        need(at, "this number", ty, needed)?;
        if ty == Type::Bool {
            return Err(at.error("a bool is needed here: `true` or `false`, not a number"));
        }
        Ok(Expr::Const(fitting(at, value, ty)?, ty))
    }
}

/// A value of a type, or an error.
pub(super) fn fitting(at: At, value: Option<i128>, ty: Type) -> Result<i128, ParseError> {
    let value = value.ok_or_else(|| at.error("this number is too large"))?;
    match ty.bounds() {
        Some((low, high)) if !ty.contains(value) => {
            Err(at.error(format!("{value} is not a value of {} ({low} to {high})", type_name(ty))))
        }
        _ => Ok(value),
    }
}

fn signed(negative: bool, magnitude: u128) -> Option<i128> {
    if negative { 0i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() }
}

/// Complains unless `ty` is what is `needed`.
fn need(at: At, what: &str, ty: Type, needed: Type) -> Result<(), ParseError> {
    if ty == needed {
        return Ok(());
    }
    let (ty, needed) = (type_name(ty), type_name(needed));
    Err(at.error(format!("{what} has type {ty}, but {needed} is needed here")))
}

fn allowed(at: At, is_allowed: bool, symbol: &str, ty: Type) -> Result<(), ParseError> {
    if is_allowed {
        return Ok(());
    }
    Err(at.error(format!("`{symbol}` does not apply to {}", type_name(ty))))
}
