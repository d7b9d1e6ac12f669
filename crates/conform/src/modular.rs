//! Thread-modular specifications as abstract threads: Appendix A of the paper.
//!
//! Such a specification has a precondition, an invariant, what the thread assumes
//! its environment to do in one step, and the steps the thread takes (in this order,
//! with any number of idle ones between them). The abstract thread is in the n-th step *and remembers the shared values
//! after its own last step*. So it can tell when the environment has done what is not
//! assumed: it goes wrong then, and it goes wrong where the invariant or the precondition
//! does not hold. Its size is linear in the steps and quadratic in the shared states, which
//! must therefore be few.
//!
//! One difference: in the appendix the remembered values are at first any that fulfil
//! the precondition, whatever the shared variables are, so that a specification fails
//! unless the environment can get from each such state to each other. Here
//! nothing is remembered before the first step, and the precondition has to hold until then.
//! There are no postconditions: what a thread establishes at its end it can assert there.
//!
//! The thread itself goes wrong outside of the invariant as well, and outside of the
//! precondition at its start: [`translate`] gives it these errors.

use crate::explain::show;
use crate::formula::{all, any};
use crate::machine::{Machine, MachineFailure, MachineState, Move};
use crate::relation::{Cell, cells, read};
use ccfa::fold::refold;
use ccfa::{
    Edge, ErrorKind, Expr, LocId, LocKind, Location, Program, SharedId, Template, Type, VarRef,
};

/// A thread-modular specification. Conditions are always defined.
#[derive(Clone, Debug, PartialEq)]
pub struct Modular {
    /// Gives the name, the arguments and the steps: its moves, in order.
    pub steps: Machine,
    /// Holds when the thread starts.
    pub pre: Expr,
    /// Holds always.
    pub invariant: Expr,
    /// One step of the environment: a condition on old and new values.
    pub environment: Expr,
}

/// Shared states that are told apart; each is a state of the machine.
const MAX_STATES: usize = 64;

/// The template with the errors of the specification, and the abstract thread.
pub fn translate(
    program: &Program,
    template: &Template,
    spec: &Modular,
) -> Result<(Template, Machine), String> {
    let states = States::of(program)?;
    Ok((instrumented(template, spec), Translator { program, spec, states }.machine()))
}

/// The thread that goes wrong outside of the invariant and, at its start, of the
/// precondition.
fn instrumented(template: &Template, spec: &Modular) -> Template {
    let mut result = template.clone();
    let mut fail = |source: LocId, condition: &Expr, what: &str| {
        let target = LocId(result.locations.len() as u32);
        let kind = LocKind::Error(ErrorKind::Assertion(what.into()));
        result.locations.push(Location { kind, ..Location::default() });
        let guard = Expr::negate(condition.clone());
        result.edges.push(Edge::new(source, target, guard, vec![]));
    };
    fail(template.entry, &spec.pre, "precondition");
    for (number, location) in template.locations.iter().enumerate() {
        if location.kind == LocKind::Plain && !location.atomic {
            fail(LocId(number as u32), &spec.invariant, "invariant");
        }
    }
    result
}

/// All values of the shared variables together.
struct States {
    cells: Vec<(SharedId, Cell, Type)>,
    values: Vec<Vec<i128>>,
}

impl States {
    fn of(program: &Program) -> Result<States, String> {
        let mut list = Vec::new();
        for (number, var) in program.shared.iter().enumerate() {
            let id = SharedId(number as u32);
            list.extend(cells(program, id).into_iter().map(|cell| (id, cell, var.ty)));
        }
        let mut values: Vec<Vec<i128>> = vec![Vec::new()];
        for (_, _, ty) in &list {
            let bounds = ty.bounds().filter(|(low, high)| high - low < MAX_STATES as i128);
            let (low, high) = bounds.ok_or_else(too_many)?;
            let with = |before: &Vec<i128>, value| [before.as_slice(), &[value]].concat();
            values =
                values.iter().flat_map(|v| (low..=high).map(move |value| with(v, value))).collect();
            if values.len() > MAX_STATES {
                return Err(too_many());
            }
        }
        Ok(States { cells: list, values })
    }
}

fn too_many() -> String {
    format!(
        "a thread-modular specification needs at most {MAX_STATES} states of the shared variables"
    )
}

struct Translator<'p> {
    program: &'p Program,
    spec: &'p Modular,
    states: States,
}

impl Translator<'_> {
    /// Are the shared variables (the new ones, if `after`) in this state?
    fn is(&self, state: usize, after: bool) -> Expr {
        let cells = self.states.cells.iter().zip(&self.states.values[state]);
        all(cells.map(|((id, cell, ty), value)| {
            let id = if after { self.spec.steps.after(*id) } else { *id };
            Expr::eq(read(VarRef::Shared(id), cell), Expr::Const(*value, *ty))
        }))
    }

    /// Does a condition hold of these old and new states?
    fn holds(&self, condition: &Expr, old: usize, new: usize) -> bool {
        let value = |id: SharedId, cell: &Cell, state: usize| {
            let same =
                |(other, at, _): &(SharedId, Cell, Type)| *other == id && same_cell(at, cell);
            let number = self.states.cells.iter().position(same)?;
            Some(Expr::Const(self.states.values[state][number], self.states.cells[number].2))
        };
        let known = condition.map_reads(&mut |place| {
            let (var, cell) = match &place {
                Expr::Var(var) => (*var, None),
                Expr::Index(var, index) => (*var, Some(refold(index))),
                _ => return place,
            };
            let found = match (var, self.spec.steps.is_after(var)) {
                (_, Some(id)) => value(id, &cell, new),
                (VarRef::Shared(id), None) => value(id, &cell, old),
                _ => None,
            };
            found.unwrap_or(place)
        });
        refold(&known) == Expr::TRUE
    }

    /// What the environment can do in any number of steps.
    fn environment(&self) -> Vec<Vec<bool>> {
        let count = self.states.values.len();
        let once = |old| {
            (0..count).map(move |new| old == new || self.holds(&self.spec.environment, old, new))
        };
        let mut reach: Vec<Vec<bool>> = (0..count).map(|old| once(old).collect()).collect();
        for middle in 0..count {
            for old in 0..count {
                for new in 0..count {
                    reach[old][new] |= reach[old][middle] && reach[middle][new];
                }
            }
        }
        reach
    }

    fn machine(&self) -> Machine {
        let reach = self.environment();
        let (steps, count) = (&self.spec.steps.moves, self.states.values.len());
        let node = |step_number: usize, memory: usize| step_number * count + memory;
        let mut machine =
            Machine { nodes: vec![], moves: vec![], initial: vec![], ..self.spec.steps.clone() };
        for step_number in 0..steps.len() + 1 {
            for (memory, allowed) in reach.iter().enumerate() {
                machine.nodes.push(self.node(step_number, memory, allowed));
                for next in 0..count {
                    let from = node(step_number, memory);
                    machine.moves.push(self.remember(from, node(step_number, next), next));
                    machine.moves.extend(self.advance(
                        step_number,
                        from,
                        node(step_number + 1, next),
                        next,
                    ));
                }
            }
        }
        self.start(&mut machine);
        machine
    }

    /// The initial state: like those before the first step, but nothing is remembered.
    fn start(&self, machine: &mut Machine) {
        let start = machine.nodes.len();
        machine.nodes.push(MachineState { name: "start".into(), ..self.node(0, 0, &[]) });
        machine.initial.push(start);
        let mut moves = machine.moves.clone();
        moves.retain(|step| step.from == 0);
        machine.moves.extend(moves.into_iter().map(|step| Move { from: start, ..step }));
    }

    fn node(&self, step_number: usize, memory: usize, allowed: &[bool]) -> MachineState {
        let state = show(self.program, &self.spec.steps, &self.is(memory, false));
        let failure = |condition: Expr, what: &str| MachineFailure {
            condition,
            kind: LocKind::Error(ErrorKind::Assertion(what.into())),
            span: None,
        };
        let surprising = (0..allowed.len()).filter(|state| !allowed[*state]);
        let mut failures = vec![
            failure(Expr::negate(self.spec.invariant.clone()), "invariant"),
            failure(
                any(surprising.map(|state| self.is(state, false))),
                "what the environment is assumed to do",
            ),
        ];
        if step_number == 0 {
            failures.push(failure(Expr::negate(self.spec.pre.clone()), "precondition"));
        }
        failures.retain(|failure| failure.condition != Expr::FALSE);
        MachineState { name: format!("{step_number} after {state}"), span: None, failures }
    }

    /// An idle step after which the shared values are remembered.
    fn remember(&self, from: usize, to: usize, state: usize) -> Move {
        let guard = self.is(state, false);
        Move { from, to, guard, effects: vec![], ensure: Expr::TRUE, span: None }
    }

    /// The step of this number, which leads to `state`.
    fn advance(&self, step_number: usize, from: usize, to: usize, state: usize) -> Option<Move> {
        let step = self.spec.steps.moves.get(step_number)?;
        let ensure = Expr::and(step.ensure.clone(), self.is(state, true));
        Some(Move { from, to, ensure, ..step.clone() })
    }
}

fn same_cell(a: &Cell, b: &Cell) -> bool {
    match (a, b) {
        (Some(Expr::Const(a, _)), Some(Expr::Const(b, _))) => a == b,
        (a, b) => a == b,
    }
}
