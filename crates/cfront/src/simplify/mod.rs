//! Makes a lowered program smaller without changing what it can reach.
//!
//! - `constants`: variables that nobody assigns are their initial value;
//! - `compress`: steps that nobody else can see join their neighbours;
//! - `dead`: a local that will not be read again is zero;
//! - `prune`: what cannot be reached or is not used is gone.
//!
//! Each keeps the reachable error and gap locations exactly.

mod compress;
mod constants;
mod dead;
mod demand;
mod prune;

use crate::lower::fold;
use ccfa::{Expr, Program, Template, Type, VarRef};

/// Simplifies a program.
pub fn simplify(mut program: Program) -> Program {
    prune::prune(&mut program);
    while constants::substitute(&mut program) {
        prune::prune(&mut program);
    }
    compress::compress(&mut program);
    while constants::substitute(&mut program) {
        prune::prune(&mut program);
    }
    dead::reset(&mut program);
    prune::prune(&mut program);
    compress::compress(&mut program);
    dead::reset(&mut program);
    prune::prune(&mut program);
    program
}

/// The types of variables as a template sees them.
fn types<'a>(shared: &'a [ccfa::Var], template: &'a Template) -> impl Fn(VarRef) -> Type + 'a {
    |var| match var {
        VarRef::Shared(id) => shared[id.index()].ty,
        VarRef::Local(id) => template.locals[id.index()].ty,
    }
}

/// The expression built anew, so that constants in it are computed.
fn refold(expr: &Expr, type_of: &impl Fn(VarRef) -> Type) -> Expr {
    match expr {
        Expr::Const(..) | Expr::Var(_) => expr.clone(),
        Expr::Index(var, index) => Expr::Index(*var, Box::new(refold(index, type_of))),
        Expr::Unary(op, operand) => {
            let ty = operand.ty(type_of);
            fold::unary(*op, ty, refold(operand, type_of))
        }
        Expr::Cast(to, operand) => {
            let from = operand.ty(type_of);
            match (to, refold(operand, type_of)) {
                (Type::Bool, Expr::Const(value, _)) => Expr::Const(i128::from(value != 0), Type::Bool),
                (_, operand) => fold::cast(*to, from, operand),
            }
        }
        Expr::Binary(op, left, right) => {
            let ty = left.ty(type_of);
            fold::binary(*op, ty, refold(left, type_of), refold(right, type_of))
        }
        Expr::Ite(condition, then, otherwise) => {
            let (then, otherwise) = (refold(then, type_of), refold(otherwise, type_of));
            Expr::ite(refold(condition, type_of), then, otherwise)
        }
    }
}

/// How many parts an expression has.
fn size(expr: &Expr) -> usize {
    let mut count = 0;
    expr.walk(&mut |_| count += 1);
    count
}
