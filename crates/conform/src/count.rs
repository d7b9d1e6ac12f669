//! Counter abstraction: instances of one abstract thread are counted instead of told apart (compare A. Pnueli, J. Xu and L. D. Zuck,
//! *Liveness with (0, 1, ∞)-Counter Abstraction*, CAV 2002). **Trusted.**
//!
//! An abstract thread has finitely many states. If nothing depends on which instance it
//! is, all that matters of n instances is how many are in each state: one thread with a
//! counter for each state does exactly what they do, one step for each of theirs. So
//! the number of program states grows as a polynomial in n and not exponentially.
//!
//! Of a *parameterised* thread only few instances are counted in each state: a state that three of
//! them have reached is taken to hold any number from then on. Moves ask whether a state is
//! occupied, never whether it is empty, so more instances can do all that fewer can. A counter
//! that is right or says "many" is so after every move: no step of any number of instances is missed.
//!
//! What does depend on the instance (its arguments) is first *abstracted*: conditions on
//! it are dropped and values that need it become arbitrary. That only adds behaviour and
//! failures, so no error in the result means none in the composition; an
//! error means nothing. (Each instance of a C thread waits for its creation in a
//! cell of its own; counted ones may start at any time.)

use crate::compose::{Replacement, compose_with};
use crate::formula::all;
use crate::machine::{Machine, MachineState};
use ccfa::{
    Assign, BinOp, Count, Expr, Init, Place, Program, Rhs, SharedId, ThreadId, Type, Var, VarRef,
    set,
};
use std::collections::BTreeSet;

/// The composition in which instances are counted. Nothing if there are no instances to
/// count. If it has no error, neither has the one of [`crate::compose()`].
pub fn compose_counted(program: &Program, machines: &[(ThreadId, &Machine)]) -> Option<Program> {
    let counted = |id: ThreadId, machine: &Machine| {
        let count = program.threads[id.index()].count;
        let several = !matches!(count, Count::Exactly(0 | 1));
        (several && machine.initial.len() == 1).then_some(count)
    };
    let replacements: Vec<(ThreadId, Replacement)> = machines
        .iter()
        .map(|(id, machine)| match counted(*id, machine) {
            Some(count) => (*id, Replacement::Counted(abstracted(machine), count)),
            None => (*id, Replacement::Same((*machine).clone())),
        })
        .collect();
    let counts = machines.iter().any(|(id, machine)| counted(*id, machine).is_some());
    counts.then(|| compose_with(program, &replacements))
}

/// The machine in which nothing depends on the thread's arguments any more: it can do
/// all that the old one could.
pub fn abstracted(machine: &Machine) -> Machine {
    let mut machine = Machine { params: Vec::new(), ..machine.clone() };
    for failure in machine.failures_mut() {
        failure.condition = without_arguments(&failure.condition);
    }
    for step in &mut machine.moves {
        step.guard = without_arguments(&step.guard);
        step.effects = abstracted_effects(std::mem::take(&mut step.effects));
        step.ensure = without_arguments(&step.ensure);
    }
    machine
}

fn uses_arguments(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part, Expr::Var(VarRef::Local(_))));
    found
}

/// The conjuncts that do not depend on arguments.
fn without_arguments(condition: &Expr) -> Expr {
    // In the old order: a part may say that a later one is defined.
    let parts = condition.conjuncts().into_iter().filter(|part| !uses_arguments(part));
    parts.cloned().fold(Expr::TRUE, Expr::and)
}

/// Effects that depend on arguments assign arbitrary values instead; if it is open
/// which element of an array is meant, to all of them.
fn abstracted_effects(mut effects: Vec<Assign>) -> Vec<Assign> {
    let whole: BTreeSet<VarRef> = effects
        .iter()
        .filter_map(|effect| match &effect.place {
            Place::Element(var, index) if uses_arguments(index) => Some(*var),
            _ => None,
        })
        .collect();
    effects
        .retain(|effect| !matches!(&effect.place, Place::Element(var, _) if whole.contains(var)));
    for effect in &mut effects {
        if matches!(&effect.value, Rhs::Expr(value) if uses_arguments(value)) {
            effect.value = Rhs::Havoc;
        }
    }
    let arbitrary = |var| Assign { place: Place::Var(var), value: Rhs::Havoc };
    effects.extend(whole.into_iter().map(arbitrary));
    effects
}

/// The counters of a machine's states: the variables, and where they will be.
pub(crate) struct Counters {
    pub vars: Vec<Var>,
    first: u32,
    ty: Type,
    /// Are they no longer changed once they are `MAX_COUNTED_INSTANCES`?
    saturate: bool,
}

/// Instances that are counted in a state of a parameterised thread; so many stand for any number. Every
/// limit is sound (see above): a larger one tells more apart, and has more states.
const MAX_COUNTED_INSTANCES: u32 = 3;

impl Counters {
    /// For `count` instances; the variables come behind `shared` others.
    pub fn new(machine: &Machine, count: Count, shared: usize) -> Counters {
        let (count, saturate) = match count {
            Count::Exactly(count) => (count, false),
            Count::Any => (MAX_COUNTED_INSTANCES, true),
        };
        let ty = Type::unsigned((u32::BITS - count.leading_zeros()) as u8);
        let starts = machine.initial.first().copied();
        let var = |(number, node): (usize, &MachineState)| {
            let first = if starts == Some(number) { i128::from(count) } else { 0 };
            let name = format!("{} at {}", machine.name, node.name);
            Var::new(name, ty, None, Init::Value(first))
        };
        let vars = machine.nodes.iter().enumerate().map(var).collect();
        Counters { vars, first: shared as u32, ty, saturate }
    }

    fn var(&self, node: usize) -> VarRef {
        VarRef::Shared(SharedId(self.first + node as u32))
    }

    /// Is an instance in this state?
    pub fn occupied(&self, node: usize) -> Expr {
        Expr::binary(BinOp::Lt, Expr::Const(0, self.ty), Expr::Var(self.var(node)))
    }

    /// An instance goes from one state to another.
    pub fn transfer(&self, from: usize, to: usize) -> Vec<Assign> {
        let changed = |node: usize, op: BinOp| {
            let now = Expr::Var(self.var(node));
            let next = Expr::binary(op, now.clone(), Expr::Const(1, self.ty));
            let many = Expr::Const(i128::from(MAX_COUNTED_INSTANCES), self.ty);
            let value = match self.saturate {
                true => Expr::ite(Expr::eq(now, many.clone()), many, next),
                false => next,
            };
            set(self.var(node), value)
        };
        match from == to {
            true => Vec::new(),
            false => vec![changed(from, BinOp::Sub), changed(to, BinOp::Add)],
        }
    }
}

/// `guard`, for an instance in this state.
pub(crate) fn guarded(counters: &Counters, node: usize, guard: &Expr) -> Expr {
    all([counters.occupied(node), guard.clone()])
}
