//! Congruences: what the low bits of variables always are.
//!
//! A variable that starts at 1 and only ever grows by 2 is odd. Refinement would have to tell
//! its values apart one by one; here it is found at once, by a flow-insensitive analysis in P. Granger's domain of
//! congruences (Int. J. Computer Mathematics 30, 1989), restricted to powers of two: each variable has a remainder modulo a power of two that its initial value and all
//! that is assigned to it have in common. Modulo powers of two, wrapping does no harm.

use crate::context::Context;
use crate::ids::InstanceId;
use ccfa::semantics::System;
use ccfa::{BinOp, Expr, Init, LocalId, Place, Rhs, SharedId, Type, UnOp, Var, VarRef};
use logic::{ArithOp, Term};
use std::collections::BTreeMap;

/// Remainders modulo larger powers are not computed: the low bits that loops keep are few.
const MAX_BITS: u32 = 16;

/// The low bits of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Low {
    /// So many of them are known.
    bits: u32,
    value: i128,
}

impl Low {
    const UNKNOWN: Low = Low { bits: 0, value: 0 };

    fn new(bits: u32, value: i128) -> Low {
        Low { bits, value: value & ((1 << bits) - 1) }
    }

    fn join(self, other: Low) -> Low {
        let same = (self.value ^ other.value).trailing_zeros();
        Low::new(self.bits.min(other.bits).min(same), self.value)
    }
}

/// A variable: of a template, or a shared one.
type Name = (Option<usize>, VarRef);

/// Predicates that say what the low bits of scalar variables are, where something is known of
/// some of them but not of all.
pub(crate) fn predicates(context: &mut Context) -> Vec<Term> {
    let known = known(&context.system);
    let mut found = Vec::new();
    for ((template, var), low) in known {
        let instance = (0..context.system.instances.len()).find(|instance| match template {
            None => true,
            Some(template) => template_of(&context.system, *instance) == template,
        });
        let Some(instance) = instance.map(InstanceId) else { continue };
        let declared = context.var(instance, var);
        let is_number =
            matches!(declared.ty, Type::Bits { width, .. } if u32::from(width) > low.bits);
        if low.bits == 0 || !is_number || declared.len.is_some() {
            continue;
        }
        if low.bits < MAX_BITS {
            let symbol = context.symbol(instance, var);
            let terms = &mut context.terms;
            let variable = terms.symbol(symbol);
            let mask = terms.constant((1 << low.bits) - 1, declared.ty);
            let bits = terms.arith(ArithOp::BitAnd, variable, mask);
            let value = terms.constant(low.value, declared.ty);
            found.push(terms.eq(bits, value));
        }
    }
    found
}

fn template_of(system: &System, instance: usize) -> usize {
    let thread = system.instances[instance].thread;
    system.program.threads[thread.index()].template.index()
}

/// The low bits of all variables: arrays count as one.
fn known(system: &System) -> BTreeMap<Name, Low> {
    let program = system.program;
    let mut known = BTreeMap::new();
    for (number, var) in program.shared.iter().enumerate() {
        known.insert((None, VarRef::Shared(SharedId(number as u32))), initial(var));
    }
    for (template, declared) in program.templates.iter().enumerate() {
        for (number, var) in declared.locals.iter().enumerate() {
            let var_ref = VarRef::Local(LocalId(number as u32));
            known.insert((Some(template), var_ref), initial(var));
        }
    }
    loop {
        let before = known.clone();
        for (template, declared) in program.templates.iter().enumerate() {
            for assign in declared.edges.iter().flat_map(|edge| &edge.assigns) {
                let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
                let value = match &assign.value {
                    Rhs::Havoc => Low::UNKNOWN,
                    Rhs::Expr(expr) => low(&known, template, expr),
                };
                let place = place(template, *var);
                let joined = known[&place].join(value);
                known.insert(place, joined);
            }
        }
        if known == before {
            return known;
        }
    }
}

fn place(template: usize, var: VarRef) -> Name {
    match var {
        VarRef::Shared(_) => (None, var),
        VarRef::Local(_) => (Some(template), var),
    }
}

fn initial(var: &Var) -> Low {
    match &var.init {
        Init::Any | Init::Param(_) => Low::UNKNOWN,
        Init::Value(value) => Low::new(MAX_BITS, *value),
        Init::Values(values) => {
            let lows = values.iter().map(|value| Low::new(MAX_BITS, *value));
            lows.reduce(Low::join).unwrap_or(Low::UNKNOWN)
        }
    }
}

fn low(known: &BTreeMap<Name, Low>, template: usize, expr: &Expr) -> Low {
    let go = |expr: &Expr| low(known, template, expr);
    match expr {
        Expr::Const(value, _) => Low::new(MAX_BITS, *value),
        Expr::Var(var) | Expr::Index(var, _) => known[&place(template, *var)],
        Expr::Cast(Type::Bits { width, .. }, operand) => {
            let low = go(operand);
            Low::new(low.bits.min(u32::from(*width)), low.value)
        }
        Expr::Unary(UnOp::Neg, operand) => {
            let low = go(operand);
            Low::new(low.bits, -low.value)
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (go(a), go(b));
            let bits = a.bits.min(b.bits);
            match op {
                BinOp::Add => Low::new(bits, a.value + b.value),
                BinOp::Sub => Low::new(bits, a.value - b.value),
                BinOp::Mul => Low::new(bits, a.value * b.value),
                _ => Low::UNKNOWN,
            }
        }
        Expr::Ite(_, a, b) => go(a).join(go(b)),
        _ => Low::UNKNOWN,
    }
}
