//! The oracle: visits every reachable state, without reduction, packing or any
//! other cleverness, so that it is obviously right. What it cannot visit in
//! full (arbitrary values of large types, unbounded threads, too many steps)
//! it does not answer.

use ccfa::semantics::{ANY, State, System, Value};
use ccfa::{BinOp, Edge, Expr, Place, Program, Rhs, Type, Var};
use std::collections::HashSet;

/// What can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// A bad state, before any model limit.
    pub error: bool,
    /// A model limit, or undefined behaviour that is not asked for.
    pub limit: bool,
}

/// Steps that the oracle makes: it is naive, and thousands of programs are put before it.
const MAX_STEPS: usize = 30_000;
/// Choices of arbitrary values in one step; each is a state of its own.
const MAX_CHOICES: usize = 1 << 12;

/// What the program can reach, if that can be found out here.
pub fn truth(program: &Program) -> Option<Truth> {
    let system = System::new(program, 0);
    if program.is_parameterised() || system.instances.is_empty() || has_large_products(program) {
        return None;
    }
    let mut truth = Truth { error: false, limit: false };
    let mut waiting = initial_states(&system)?;
    let mut taken = 0;
    let mut seen: HashSet<State> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        truth.error |= system.bad(&state).is_some();
        if system.limit(&state).is_some() {
            truth.limit = true;
            continue;
        }
        for next in successors(&system, &state)? {
            taken += 1;
            if next.cells.contains(&ANY) || taken > MAX_STEPS {
                return None;
            }
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    Some(truth)
}

/// Mathematical integers are exact up to 128 bits, which only products leave.
fn has_large_products(program: &Program) -> bool {
    let is_int = |var: &Var| var.ty == Type::Int;
    let locals = program.templates.iter().flat_map(|template| &template.locals);
    let is_product = |expr: &Expr| {
        let mut found = false;
        expr.walk(&mut |part| found |= matches!(part, Expr::Binary(BinOp::Mul, ..)));
        found
    };
    let multiplies = |edge: &Edge| {
        is_product(&edge.guard)
            || edge.assigns.iter().any(|assign| {
                matches!(&assign.value, Rhs::Expr(value) if is_product(value))
                    || matches!(&assign.place, Place::Element(_, index) if is_product(index))
            })
    };
    program.shared.iter().chain(locals).any(is_int)
        && program.templates.iter().flat_map(|template| &template.edges).any(multiplies)
}

/// All concrete initial states.
pub fn initial_states(system: &System) -> Option<Vec<State>> {
    let open = system.initial();
    let locals = (0..system.instances.len()).flat_map(|i| &system.template(i).locals);
    let types = system.program.shared.iter().chain(locals);
    let types = types.flat_map(|var| std::iter::repeat_n(var.ty, var.cells()));
    let cells = open.cells.iter().zip(types);
    let arbitrary: Vec<Type> = cells.filter(|(cell, _)| **cell == ANY).map(|(_, ty)| ty).collect();
    let mut states = Vec::new();
    for values in choices(&arbitrary)? {
        let mut state = open.clone();
        let cells = state.cells.iter_mut().filter(|cell| **cell == ANY);
        cells.zip(values).for_each(|(cell, value)| *cell = Some(value));
        if system.may_be_initial(&state) {
            states.push(state);
        }
    }
    Some(states)
}

/// All states after one step.
fn successors(system: &System, state: &State) -> Option<Vec<State>> {
    let mut next = Vec::new();
    for instance in (0..state.locations.len()).filter(|&i| system.may_move(state, i)) {
        let leaves = |edge: &&Edge| edge.source == state.locations[instance];
        for edge in system.template(instance).edges.iter().filter(leaves) {
            next.extend(steps(system, state, instance, edge)?.into_iter().map(|(_, next)| next));
        }
    }
    Some(next)
}

/// All ways to take an edge: the arbitrary values and the state after.
pub fn steps(
    system: &System,
    state: &State,
    instance: usize,
    edge: &Edge,
) -> Option<Vec<(Vec<i128>, State)>> {
    let mut types = Vec::new();
    let mut note = |ty: Type| -> Value {
        types.push(ty);
        ANY
    };
    if system.step(state, instance, edge, &mut note).is_none() {
        return Some(Vec::new());
    }
    let step = |values: Vec<i128>| {
        let mut supply = values.iter().copied();
        let next = system.step(state, instance, edge, &mut |_| supply.next());
        next.map(|next| (values, next))
    };
    Some(choices(&types)?.into_iter().filter_map(step).collect())
}

/// Every choice of one value for each type, if there are not too many.
fn choices(types: &[Type]) -> Option<Vec<Vec<i128>>> {
    let mut choices: Vec<Vec<i128>> = vec![vec![]];
    for ty in types {
        let (low, high) = ty.bounds().filter(|(low, high)| high - low < 256)?;
        let longer =
            |value: i128| choices.iter().map(move |choice| [choice.as_slice(), &[value]].concat());
        choices = (low..=high).flat_map(longer).collect();
        if choices.len() > MAX_CHOICES {
            return None;
        }
    }
    Some(choices)
}
