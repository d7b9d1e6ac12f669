//! A machine whose conditions are always defined. **Trusted.**
//!
//! The checker computes which abstract states are candidates in the same step that the
//! thread makes, and the model takes no step in which something is undefined. A condition of the
//! machine that is undefined would make the thread's step vanish, and with it the
//! error that we look for. Machines should not have such conditions; here it need not be believed
//! that: where it cannot be seen at once that a condition is defined, it gets the
//! condition that it is, in front.

use crate::formula::{self, Symbols, defined};
use crate::machine::Machine;
use ccfa::fold::refold;
use ccfa::{BinOp, Expr, Place, Program, Rhs, UnOp};

/// The same machine: what is undefined in it is false.
pub(crate) fn completed(program: &Program, machine: &Machine) -> Result<Machine, String> {
    let symbols = Symbols { program, locals: &machine.params };
    let mut completed = machine.clone();
    for failure in completed.failures_mut() {
        failure.condition = total(&failure.condition, &[], &symbols)?;
    }
    for step in &mut completed.moves {
        let mut guard = total(&step.guard, &[], &symbols)?;
        for expr in step.effects.iter().flat_map(computed) {
            if !is_defined(&expr, &guard.conjuncts(), &symbols)? {
                guard = Expr::and(guard, defined(&expr, &symbols)?);
            }
        }
        step.ensure = total(&step.ensure, &guard.conjuncts(), &symbols)?;
        step.guard = guard;
    }
    Ok(completed)
}

/// What an assignment computes.
fn computed(effect: &ccfa::Assign) -> Vec<Expr> {
    let value = if let Rhs::Expr(value) = &effect.value { Some(value.clone()) } else { None };
    let element = match &effect.place {
        Place::Element(var, index) => Some(Expr::Index(*var, Box::new(index.clone()))),
        Place::Var(_) => None,
    };
    value.into_iter().chain(element).collect()
}

/// The condition, and false where it is not defined.
fn total(condition: &Expr, known: &[&Expr], symbols: &Symbols) -> Result<Expr, String> {
    match is_defined(condition, known, symbols)? {
        true => Ok(condition.clone()),
        false => formula::total(condition, symbols),
    }
}

/// Is it plain that an expression is defined where these facts hold?
fn is_defined(expr: &Expr, known: &[&Expr], symbols: &Symbols) -> Result<bool, String> {
    let under = |condition: &Expr, part: &Expr| {
        is_defined(part, &[known, &condition.conjuncts()].concat(), symbols)
    };
    let again = |part: &Expr| is_defined(part, known, symbols);
    match expr {
        Expr::Unary(UnOp::Not, operand) => again(operand),
        Expr::Binary(BinOp::And, left, right) => Ok(again(left)? && under(left, right)?),
        Expr::Binary(BinOp::Or, left, right) => {
            Ok(again(left)? && under(&Expr::negate((**left).clone()), right)?)
        }
        Expr::Ite(condition, then, otherwise) => Ok(again(condition)?
            && under(condition, then)?
            && under(&Expr::negate((**condition).clone()), otherwise)?),
        expr => {
            let needed = refold(&defined(expr, symbols)?);
            Ok(needed.conjuncts().iter().all(|part| known.contains(part)))
        }
    }
}
