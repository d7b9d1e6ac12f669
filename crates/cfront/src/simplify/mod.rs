//! Makes a lowered program smaller without changing what it can reach.
//!
//! - `constants`: variables that nobody assigns are their initial value;
//! - `idle`: what a thread does when it has nothing to do any more is gone;
//! - `compress`: steps that nobody else can see join their neighbours;
//! - `dead`: a local that will not be read again is zero;
//! - `prune`: what cannot be reached or is not used is gone.
//!
//! Each keeps the reachable error and gap locations exactly.

mod compress;
mod constants;
mod dead;
mod demand;
mod idle;
mod prune;
#[cfg(test)]
mod tests;

use crate::Purpose;
use crate::lower::fold;
use ccfa::{Expr, Program, Template, Type, Var, VarRef, definedness};

/// Simplifies a program.
pub fn simplify(mut program: Program, purpose: Purpose) -> Program {
    prune::prune(&mut program);
    while constants::substitute(&mut program) {
        prune::prune(&mut program);
    }
    cut_idle(&mut program, purpose);
    compress::compress(&mut program, purpose);
    while constants::substitute(&mut program) {
        prune::prune(&mut program);
    }
    cut_idle(&mut program, purpose);
    dead::reset(&mut program);
    prune::prune(&mut program);
    compress::compress(&mut program, purpose);
    dead::reset(&mut program);
    prune::prune(&mut program);
    program
}

/// Removes steps that cannot matter. (But whether a thread conforms to another depends on all that it does.)
fn cut_idle(program: &mut Program, purpose: Purpose) {
    while purpose == Purpose::Verification && idle::cut(program) {
        prune::prune(program);
    }
}

/// The variables a template sees.
#[derive(Clone, Copy)]
struct Scope<'a> {
    shared: &'a [Var],
    template: &'a Template,
}

impl<'a> Scope<'a> {
    fn var(self, var: VarRef) -> &'a Var {
        match var {
            VarRef::Shared(id) => &self.shared[id.index()],
            VarRef::Local(id) => &self.template.locals[id.index()],
        }
    }

    fn types(self) -> impl Fn(VarRef) -> Type + 'a {
        move |var| self.var(var).ty
    }

    /// Can the value of an expression be undefined?
    fn may_be_undefined(self, expr: &Expr) -> bool {
        definedness::may_be_undefined(expr, &|var| self.var(var))
    }

    /// Can it be undefined though its operands are defined?
    fn may_fail(self, expr: &Expr) -> bool {
        definedness::may_fail(expr, &|var| self.var(var))
    }
}

/// The expression built anew, so that constants in it are computed.
fn refold(expr: &Expr, type_of: &impl Fn(VarRef) -> Type) -> Expr {
    refold_typed(expr, type_of).0
}

/// The expression built anew, and its type.
fn refold_typed(expr: &Expr, type_of: &impl Fn(VarRef) -> Type) -> (Expr, Type) {
    let again = |part: &Expr| refold_typed(part, type_of);
    match expr {
        Expr::Const(_, ty) => (expr.clone(), *ty),
        Expr::Var(var) => (expr.clone(), type_of(*var)),
        Expr::Index(var, index) => (Expr::Index(*var, Box::new(again(index).0)), type_of(*var)),
        Expr::Unary(op, operand) => {
            let (operand, ty) = again(operand);
            (fold::unary(*op, ty, operand), ty)
        }
        Expr::Cast(to, operand) => {
            let (operand, from) = again(operand);
            (fold::cast(*to, from, operand), *to)
        }
        Expr::Binary(op, left, right) => {
            let (left, ty) = again(left);
            let result = if op.is_predicate() { Type::Bool } else { ty };
            (fold::binary(*op, ty, left, again(right).0), result)
        }
        Expr::Ite(condition, then, otherwise) => {
            let (then, ty) = again(then);
            (Expr::ite(again(condition).0, then, again(otherwise).0), ty)
        }
    }
}

/// How many parts an expression has.
fn size(expr: &Expr) -> usize {
    let mut count = 0;
    expr.walk(&mut |_| count += 1);
    count
}
