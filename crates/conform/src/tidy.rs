//! Makes a suggested machine readable: conditions in their simplest form, assertions
//! where they matter.
//!
//! A state in which the thread always goes wrong is no state: a thread that could go there
//! goes wrong already. That is earlier than before, which an abstract thread may do.

use crate::comparison::Comparison;
use crate::formula::{Symbols, type_of};
use crate::machine::{Machine, MachineFailure, MachineState, Move};
use ccfa::{BinOp, Expr, LocKind, Program, Type, VarRef};

/// The same machine, to be read by people.
pub(crate) fn tidy(program: &Program, mut machine: Machine) -> Machine {
    let params = machine.params.clone();
    let symbols = Symbols { program, locals: &params };
    machine.nodes.iter_mut().for_each(|node| tidy_node(node, &symbols));
    for step in &mut machine.moves {
        step.guard = simpler(&step.guard, &symbols);
    }
    machine.moves.retain(|step| step.guard != Expr::FALSE);
    make_dead_ends_failures(&mut machine, &symbols);
    let mut machine = used(machine);
    leave_asserting_to_states(&mut machine, &symbols);
    machine
}

fn tidy_node(node: &mut MachineState, symbols: &Symbols) {
    let mut failures: Vec<MachineFailure> = Vec::new();
    for mut failure in node.failures.drain(..) {
        failure.condition = as_failure(simpler(&failure.condition, symbols));
        let known = failures.iter().any(|other| other.condition == failure.condition);
        if !known && failure.condition != Expr::FALSE {
            failures.push(failure);
        }
    }
    node.failures = failures;
}

/// A bit that must not be 1 must be 0: `b != 0` is a failure of the assertion `b == 0`.
fn as_failure(condition: Expr) -> Expr {
    match Comparison::of(&condition) {
        Some(bit) if bit.op == BinOp::Eq && bit.ty == Type::unsigned(1) => {
            Comparison { op: BinOp::Ne, constant: 1 - bit.constant, ..bit }.expr()
        }
        _ => condition,
    }
}

/// Moves need not ask for what their state asserts: where that does not hold, the thread has gone
/// wrong already.
fn leave_asserting_to_states(machine: &mut Machine, symbols: &Symbols) {
    let asserted = |node: &MachineState| -> Vec<Expr> {
        let holds = |failure: &MachineFailure| Expr::negate(failure.condition.clone());
        node.failures.iter().map(|failure| solved(&holds(failure), symbols)).collect()
    };
    for step in &mut machine.moves {
        let known = asserted(&machine.nodes[step.from]);
        let parts = step.guard.conjuncts().into_iter().filter(|part| !known.contains(*part));
        step.guard = parts.cloned().fold(Expr::TRUE, Expr::and);
    }
}

/// A move to a state that always fails becomes a failure.
fn make_dead_ends_failures(machine: &mut Machine, symbols: &Symbols) {
    let always = |node: &MachineState| {
        let certain = |failure: &&MachineFailure| failure.condition == Expr::TRUE;
        node.failures.iter().find(certain).map(|failure| failure.kind.clone())
    };
    let dead: Vec<Option<LocKind>> = machine.nodes.iter().map(always).collect();
    for step in std::mem::take(&mut machine.moves) {
        match &dead[step.to] {
            Some(kind) if step.ensure == Expr::TRUE => {
                let failure =
                    MachineFailure { condition: step.guard, kind: kind.clone(), span: step.span };
                machine.nodes[step.from].failures.push(failure);
            }
            _ => machine.moves.push(step),
        }
    }
    machine.nodes.iter_mut().for_each(|node| tidy_node(node, symbols));
}

/// The machine without states that nothing leads to.
fn used(mut machine: Machine) -> Machine {
    let mut found = machine.initial.clone();
    let mut next = 0;
    while let Some(from) = found.get(next).copied() {
        for step in machine.moves.iter().filter(|step| step.from == from) {
            if !found.contains(&step.to) {
                found.push(step.to);
            }
        }
        next += 1;
    }
    found.sort_unstable();
    let number = |node: usize| found.iter().position(|kept| *kept == node);
    let numbered = |mut step: Move| {
        (step.from, step.to) = (number(step.from)?, number(step.to)?);
        Some(step)
    };
    let mut place = 0..;
    machine.nodes.retain(|_| place.next().is_some_and(|node| number(node).is_some()));
    Machine {
        initial: machine.initial.iter().filter_map(|node| number(*node)).collect(),
        moves: machine.moves.into_iter().filter_map(numbered).collect(),
        ..machine
    }
}

/// An equivalent condition: comparisons of variables with constants first (they are
/// always defined, so that this order does no harm), those that follow from others left out.
fn simpler(condition: &Expr, symbols: &Symbols) -> Expr {
    let parts: Vec<Expr> = condition.conjuncts().iter().map(|part| solved(part, symbols)).collect();
    let (facts, others): (Vec<Expr>, Vec<Expr>) =
        parts.into_iter().partition(|part| RangeFact::of(part).is_some());
    let known: Vec<RangeFact> = facts.iter().filter_map(RangeFact::of).collect();
    if known.iter().any(|fact| known.iter().any(|other| fact.excludes(other))) {
        return Expr::FALSE;
    }
    let kept = facts.iter().enumerate().filter(|(number, _)| {
        let follows = |(other, fact): (usize, &RangeFact)| {
            other != *number
                && fact.implies(&known[*number])
                && (other < *number || !known[*number].implies(fact))
        };
        !known.iter().enumerate().any(follows)
    });
    let kept = kept.map(|(_, part)| part.clone());
    let mut seen: Vec<Expr> = Vec::new();
    for part in kept.chain(others) {
        if !seen.contains(&part) {
            seen.push(part);
        }
    }
    seen.into_iter().fold(Expr::TRUE, Expr::and)
}

/// A comparison with a constant, of as simple a term as possible: `x - 1 == 0` is
/// `x == 1` where it is defined, and `b != 0` is `b == 1` for a bit.
fn solved(part: &Expr, symbols: &Symbols) -> Expr {
    let Some(mut comparison) = Comparison::of(part) else { return part.clone() };
    while let Some(simpler) = of_less(comparison, symbols) {
        comparison = simpler;
    }
    comparison.expr()
}

/// The same of a smaller term.
fn of_less<'e>(comparison: Comparison<'e>, symbols: &Symbols) -> Option<Comparison<'e>> {
    let equates = matches!(comparison.op, BinOp::Eq | BinOp::Ne);
    match comparison.term {
        Expr::Binary(sum @ (BinOp::Add | BinOp::Sub), term, amount) => {
            let Expr::Const(amount, _) = **amount else { return None };
            let amount = if *sum == BinOp::Sub { amount } else { -amount };
            let constant = comparison.constant + amount;
            let wraps = matches!(comparison.ty, Type::Bits { signed: false, .. });
            let exact = comparison.ty.contains(constant) && (equates || !wraps);
            exact.then_some(Comparison { term, constant, ..comparison })
        }
        Expr::Cast(ty, term) => {
            let inner = type_of(term, symbols);
            let (low, high) = inner.bounds()?;
            let exact =
                ty.contains(low) && ty.contains(high) && inner.contains(comparison.constant);
            exact.then_some(Comparison { term, ty: inner, ..comparison })
        }
        Expr::Var(_) if comparison.op == BinOp::Ne && comparison.ty == Type::unsigned(1) => {
            Some(Comparison { op: BinOp::Eq, constant: 1 - comparison.constant, ..comparison })
        }
        _ => None,
    }
}

/// A comparison of a variable with a constant: the values between these, or all but
/// one.
struct RangeFact {
    var: VarRef,
    range: (i128, i128),
    except: Option<i128>,
}

impl RangeFact {
    fn of(part: &Expr) -> Option<RangeFact> {
        let Comparison { op, term: Expr::Var(var), constant, ty, on_left } = Comparison::of(part)?
        else {
            return None;
        };
        let (low, high) = ty.bounds()?;
        let (range, except) = match (op, on_left) {
            (BinOp::Eq, _) => ((constant, constant), None),
            (BinOp::Lt, true) => ((low, constant - 1), None),
            (BinOp::Le, true) => ((low, constant), None),
            (BinOp::Lt, false) => ((constant + 1, high), None),
            (BinOp::Le, false) => ((constant, high), None),
            _ => ((low, high), Some(constant)),
        };
        Some(RangeFact { var: *var, range, except })
    }

    /// Can the two not hold together?
    fn excludes(&self, other: &RangeFact) -> bool {
        let empty = self.range.1 < other.range.0 || other.range.1 < self.range.0;
        let is = |fact: &RangeFact, value| fact.range == (value, value);
        let except = self.except.is_some_and(|value| is(other, value));
        self.var == other.var && (empty || except)
    }

    fn implies(&self, other: &RangeFact) -> bool {
        let inside = other.range.0 <= self.range.0 && self.range.1 <= other.range.1;
        let avoids = match other.except {
            None => true,
            Some(value) => {
                self.except == Some(value) || !(self.range.0..=self.range.1).contains(&value)
            }
        };
        self.var == other.var && inside && avoids
    }
}
