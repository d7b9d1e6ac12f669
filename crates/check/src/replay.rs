//! Replays a witness, step by step, on concrete states.
//!
//! Concrete semantics is exact, so a witness that gets through is an execution
//! of the program, and its last state is bad in the sense of `ccfa::property`. (It may pass
//! other bad states, but none where the program or the model ends.) One exception: a mathematical
//! integer too large for `ccfa` becomes `ANY`, and a guard over it *may* hold. So we refuse a step in
//! which any part of any expression is `ANY`; without, every operator sees values.

use ccfa::semantics::{ANY, State, System, Value};
use ccfa::{Access, Bad, Edge, Expr, Instance, LocKind, Program, Type};
use evidence::{Witness, WitnessStep, cell_types};

/// A witness that was replayed: what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The instances that `WitnessStep::instance` counts.
    pub instances: Vec<Instance>,
    /// The initial state and the one after each step, without `ANY`.
    pub states: Vec<State>,
    /// Why the last state is bad.
    pub bad: Bad,
}

/// More instances of a thread than any witness needs; a forged number would fill the memory.
const MAX_INSTANCES: u32 = 1 << 16;
const TOO_LARGE: &str = "an integer grows too large to replay";

/// Runs the program as the witness says; an error says in plain words what
/// is wrong with the witness.
pub fn replay(program: &Program, witness: &Witness) -> Result<Replay, String> {
    let (system, states) = execute(program, witness)?;
    let bad = bad(&system, &states[states.len() - 1])?;
    Ok(Replay { instances: system.instances, states, bad })
}

/// The initial state and the one after each step, whether or not the last one is bad.
pub fn execute<'p>(
    program: &'p Program,
    witness: &Witness,
) -> Result<(System<'p>, Vec<State>), String> {
    if witness.instances > MAX_INSTANCES {
        return Err(format!("the witness has {} instances of a thread", witness.instances));
    }
    let system = System::new(program, witness.instances);
    let mut states = vec![initial(&system, &witness.initial)?];
    for (number, step) in witness.steps.iter().enumerate() {
        let next = take(&system, &states[number], step)
            .map_err(|why| format!("step {} of the witness: {why}", number + 1))?;
        states.push(next);
    }
    Ok((system, states))
}

fn initial(system: &System, values: &[i128]) -> Result<State, String> {
    let mut state = system.initial();
    let types = cell_types(system);
    let mut supply = Supply::new(values);
    for (cell, ty) in state.cells.iter_mut().zip(types).filter(|(cell, _)| **cell == ANY) {
        *cell = supply.next(ty);
    }
    supply.finish().map_err(|why| format!("initial values of the witness: {why}"))?;
    match &system.program.initial {
        Some(_) if system.instances.is_empty() => Err("the witness has no threads".into()),
        Some(condition) if !is_exact(system, &state, 0, condition) => Err(TOO_LARGE.into()),
        Some(_) if !system.may_be_initial(&state) => {
            Err("the initial condition does not hold in the witness".into())
        }
        _ => Ok(state),
    }
}

fn take(system: &System, state: &State, step: &WitnessStep) -> Result<State, String> {
    let instance = step.instance;
    let at = *state.locations.get(instance).ok_or("there is no such thread")?;
    let edge: &Edge =
        system.template(instance).edges.get(step.edge.index()).ok_or("there is no such edge")?;
    let goes_on =
        |kind: &LocKind| *kind == LocKind::Plain || system.program.property.is_violated_at(kind);
    if !(0..state.locations.len()).all(|i| goes_on(&system.location(state, i).kind)) {
        return Err("a thread is where the program or the model ends".into());
    }
    if !system.may_move(state, instance) {
        return Err("another thread is in an atomic section".into());
    }
    if at != edge.source {
        return Err("the thread is not where the edge starts".into());
    }
    if !expressions(edge).all(|expr| is_exact(system, state, instance, expr)) {
        return Err(TOO_LARGE.into());
    }
    let mut supply = Supply::new(&step.havoc);
    let next = system.step(state, instance, edge, &mut |ty| supply.next(ty));
    let next = next.ok_or("the edge is not enabled")?;
    supply.finish()?;
    Ok(next)
}

/// Every expression that a step and its accesses evaluate.
fn expressions(edge: &Edge) -> impl Iterator<Item = &Expr> {
    let cells = edge.accesses.iter().filter_map(Access::cell);
    edge.expressions().chain(cells.filter_map(|cell| cell.index.as_ref()))
}

fn is_exact(system: &System, state: &State, instance: usize, expr: &Expr) -> bool {
    let mut exact = true;
    expr.walk(&mut |part| exact &= system.eval(state, instance, part) != Ok(ANY));
    exact
}

/// Why the last state is bad. Whether steps from there race or can be taken must be exact, too.
fn bad(system: &System, last: &State) -> Result<Bad, String> {
    let is_exact = |i: usize| {
        let mut next = system.next(last, i);
        next.all(|(_, edge)| expressions(edge).all(|expr| is_exact(system, last, i, expr)))
    };
    match system.bad(last) {
        None => Err("the witness does not end in a bad state".into()),
        Some(Bad::Race(_) | Bad::Deadlock) if !(0..last.locations.len()).all(is_exact) => {
            Err(TOO_LARGE.into())
        }
        Some(bad) => Ok(bad),
    }
}

/// Hands out the arbitrary values of a witness, and notes what is wrong with them.
struct Supply<'a> {
    values: std::slice::Iter<'a, i128>,
    wrong: Option<String>,
}

impl<'a> Supply<'a> {
    fn new(values: &'a [i128]) -> Supply<'a> {
        Supply { values: values.iter(), wrong: None }
    }

    /// The next value; `ANY` once something is wrong.
    fn next(&mut self, ty: Type) -> Value {
        let value = self.values.next().copied();
        match value {
            None => self.wrong = Some("too few values".into()),
            Some(value) if !ty.contains(value) => {
                self.wrong = Some(format!("{value} is not a value of type {ty:?}"));
            }
            Some(_) => return value,
        }
        ANY
    }

    /// All values were right, and none is left?
    fn finish(self) -> Result<(), String> {
        match (self.wrong, self.values.len()) {
            (Some(wrong), _) => Err(wrong),
            (None, 0) => Ok(()),
            (None, left) => Err(format!("{left} values too many")),
        }
    }
}
