//! Tiny random threads and machines over two shared bits, and the paper's
//! definitions on them, word by word: what a thread can do, what a phased
//! execution is, when one abstracts another.

#![allow(dead_code)] // Each test file uses its own part of this.

use ccfa::fold::refold;
use ccfa::random::Rng;
use ccfa::semantics::{State, System};
use ccfa::{
    Assign, BinOp, Count, Edge, ErrorKind, Expr, Init, LocId, LocKind, LocalId, Location, Place,
    Program, Rhs, SharedId, Template, TemplateId, Thread, Type, Var, VarRef,
};
use conform::{Machine, MachineFailure, MachineState, Move};

pub const BIT: Type = Type::unsigned(1);
pub const BITS: u32 = 2;

/// Values of the shared bits.
pub type Global = [i128; BITS as usize];

pub fn globals() -> Vec<Global> {
    (0..1 << BITS).map(|number: i128| [number & 1, number >> 1]).collect()
}

fn shared(id: u32) -> VarRef {
    VarRef::Shared(SharedId(id))
}

/// A condition on one of these variables.
fn condition(rng: &mut Rng, vars: &[VarRef]) -> Expr {
    let is = |rng: &mut Rng| {
        let value = Expr::Const(rng.value(BIT), BIT);
        Expr::eq(Expr::Var(*rng.pick(vars)), value)
    };
    match rng.below(4) {
        0 => Expr::TRUE,
        1 => Expr::eq(Expr::Var(*rng.pick(vars)), Expr::Var(*rng.pick(vars))),
        2 => Expr::and(is(rng), is(rng)),
        _ => is(rng),
    }
}

fn value(rng: &mut Rng, vars: &[VarRef]) -> Rhs {
    match rng.below(5) {
        0 => Rhs::Havoc,
        1 => Rhs::Expr(Expr::Const(rng.value(BIT), BIT)),
        2 => {
            Rhs::Expr(Expr::binary(BinOp::BitXor, Expr::Var(*rng.pick(vars)), Expr::Const(1, BIT)))
        }
        _ => Rhs::Expr(Expr::Var(*rng.pick(vars))),
    }
}

/// A thread without loops, with a bit of its own; some of its locations are atomic,
/// some edges fail.
pub fn thread(rng: &mut Rng, name: &str) -> Template {
    let vars = [shared(0), shared(1), VarRef::Local(LocalId(0))];
    let count = 3 + rng.below(2);
    let mut locations: Vec<Location> = vec![Location::default(); count];
    for location in &mut locations[1..] {
        location.atomic = rng.one_in(5);
    }
    locations[count - 1].atomic = false;
    locations.push(Location {
        kind: LocKind::Error(ErrorKind::Assertion("wrong".into())),
        ..Location::default()
    });
    let mut edges = Vec::new();
    for source in 0..count - 1 {
        for _ in 0..1 + rng.below(2) {
            let target =
                if rng.one_in(6) { count } else { source + 1 + rng.below(count - 1 - source) };
            let mut assigns = Vec::new();
            if rng.one_in(2) {
                assigns
                    .push(Assign { place: Place::Var(*rng.pick(&vars)), value: value(rng, &vars) });
            }
            let (source, target) = (LocId(source as u32), LocId(target as u32));
            edges.push(Edge::new(source, target, condition(rng, &vars), assigns));
        }
    }
    let own = Var::new("x", BIT, None, Init::Value(0));
    Template { name: name.into(), params: 0, locals: vec![own], locations, edges, entry: LocId(0) }
}

/// The type of a number: too many values for a machine to remember each.
pub const NUMBER: Type = Type::unsigned(5);

/// A thread without loops that computes a number from the shared bits and compares it
/// with constants.
pub fn counting_thread(rng: &mut Rng, name: &str) -> Template {
    let number = VarRef::Local(LocalId(0));
    let constant = |rng: &mut Rng| Expr::Const(rng.below(4) as i128, NUMBER);
    let count = 4;
    let mut locations = vec![Location::default(); count];
    locations.push(Location {
        kind: LocKind::Error(ErrorKind::Assertion("wrong".into())),
        ..Location::default()
    });
    let mut edges = Vec::new();
    for source in 0..count - 1 {
        for _ in 0..1 + rng.below(2) {
            let target = if rng.one_in(6) { count } else { source + 1 };
            let compared = match rng.below(4) {
                0 => Expr::eq(Expr::Var(number), constant(rng)),
                1 => Expr::binary(BinOp::Lt, constant(rng), Expr::Var(number)),
                2 => Expr::binary(BinOp::Le, Expr::Var(number), constant(rng)),
                _ => condition(rng, &[shared(0), shared(1)]),
            };
            let bit = |rng: &mut Rng| Expr::Var(shared(rng.below(2) as u32));
            let assign = match rng.below(4) {
                0 => Assign {
                    place: Place::Var(shared(rng.below(2) as u32)),
                    value: Rhs::Expr(Expr::Cast(BIT, Box::new(Expr::Var(number)))),
                },
                1 => Assign {
                    place: Place::Var(number),
                    value: Rhs::Expr(Expr::binary(BinOp::Add, Expr::Var(number), constant(rng))),
                },
                _ => {
                    let wide = Expr::Cast(NUMBER, Box::new(bit(rng)));
                    let sum = Expr::binary(BinOp::Add, wide, constant(rng));
                    Assign { place: Place::Var(number), value: Rhs::Expr(sum) }
                }
            };
            let (source, target) = (LocId(source as u32), LocId(target as u32));
            edges.push(Edge::new(source, target, compared, vec![assign]));
        }
    }
    let own = Var::new("n", NUMBER, None, Init::Value(0));
    Template { name: name.into(), params: 0, locals: vec![own], locations, edges, entry: LocId(0) }
}

/// A program of these threads, from these values.
pub fn program(threads: &[Template], from: Global) -> Program {
    let var = |(number, value): (usize, &i128)| {
        Var::new(format!("g{number}"), BIT, None, Init::Value(*value))
    };
    let thread = |(number, template): (usize, &Template)| Thread {
        name: template.name.clone(),
        template: TemplateId(number as u32),
        args: vec![],
        count: Count::Exactly(1),
    };
    Program {
        shared: from.iter().enumerate().map(var).collect(),
        templates: threads.to_vec(),
        threads: threads.iter().enumerate().map(thread).collect(),
        ..Program::default()
    }
}

/// A machine that has something to do with the thread: nodes for its locations (or
/// only one), moves for its edges, some of them changed.
pub fn machine(rng: &mut Rng, thread: &Template) -> Machine {
    let nodes = 1 + rng.below(3);
    let node_of = |at: LocId| at.index() % nodes;
    let vars = [shared(0), shared(1)];
    let after: Vec<VarRef> = (0..2 * BITS).map(shared).collect();
    let mut machine = Machine {
        name: format!("abstract {}", thread.name),
        shared: BITS,
        params: vec![],
        nodes: (0..nodes)
            .map(|number| MachineState { name: format!("n{number}"), span: None, failures: vec![] })
            .collect(),
        initial: if rng.one_in(4) { (0..nodes).collect() } else { vec![0] },
        moves: vec![],
    };
    for edge in &thread.edges {
        let fails = thread.locations[edge.target.index()].kind != LocKind::Plain;
        if fails || rng.one_in(8) {
            let condition =
                if rng.one_in(3) { condition(rng, &vars) } else { global_part(&edge.guard) };
            let failure = MachineFailure {
                condition,
                kind: LocKind::Error(ErrorKind::Assertion("abstractly wrong".into())),
                span: None,
            };
            machine.nodes[node_of(edge.source)].failures.push(failure);
        }
        if rng.one_in(12) {
            continue;
        }
        let guard = if rng.one_in(4) { condition(rng, &vars) } else { global_part(&edge.guard) };
        let effects: Vec<Assign> = edge
            .assigns
            .iter()
            .filter(|assign| matches!(assign.place, Place::Var(VarRef::Shared(_))))
            .map(|assign| Assign {
                place: assign.place.clone(),
                value: global_value(rng, &assign.value),
            })
            .collect();
        let ensure = match effects.iter().any(|effect| effect.value == Rhs::Havoc) && rng.one_in(2)
        {
            true => condition(rng, &after),
            false => Expr::TRUE,
        };
        let (from, to) = (node_of(edge.source), node_of(edge.target));
        machine.moves.push(Move { from, to, guard, effects, ensure, span: None });
    }
    machine
}

/// The condition if it speaks of shared variables only.
fn global_part(guard: &Expr) -> Expr {
    if mentions_local(guard) { Expr::TRUE } else { guard.clone() }
}

fn global_value(rng: &mut Rng, value: &Rhs) -> Rhs {
    match value {
        Rhs::Expr(value) if !mentions_local(value) && !rng.one_in(5) => Rhs::Expr(value.clone()),
        _ => Rhs::Havoc,
    }
}

fn mentions_local(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part, Expr::Var(VarRef::Local(_))));
    found
}

/// A local state of a thread: its location and its bit.
pub type Local = (LocId, i128);

/// What a thread can do from a global and a local state: its transitions, and
/// whether it is wrong there. An atomic section is one transition.
pub struct Steps {
    pub transitions: Vec<(Global, Local)>,
    pub wrong: bool,
}

pub fn steps(program: &Program, global: Global, local: Local) -> Steps {
    let system = System::new(program, 0);
    let cells = global.iter().copied().chain([local.1]).map(Some).collect();
    let mut waiting = vec![State { locations: vec![local.0], cells }];
    let mut found = Steps { transitions: vec![], wrong: false };
    let template = &program.templates[0];
    while let Some(state) = waiting.pop() {
        for edge in template.edges.iter().filter(|edge| edge.source == state.locations[0]) {
            for bit in [0, 1] {
                let Some(next) = system.step(&state, 0, edge, &mut |_| Some(bit)) else { continue };
                let target = &template.locations[edge.target.index()];
                match (&target.kind, target.atomic) {
                    (LocKind::Plain, true) => waiting.push(next),
                    (LocKind::Plain, false) => {
                        let value = |cell: usize| next.cells[cell].expect("all is known");
                        found.transitions.push(([value(0), value(1)], (edge.target, value(2))));
                    }
                    _ => found.wrong = true,
                }
            }
        }
    }
    found.transitions.sort();
    found.transitions.dedup();
    found
}

/// The truth of a condition of a machine.
fn holds(condition: &Expr, old: Global, new: Global) -> bool {
    let known = condition.map_reads(&mut |read| match read {
        Expr::Var(VarRef::Shared(SharedId(id))) if id < BITS => Expr::Const(old[id as usize], BIT),
        Expr::Var(VarRef::Shared(SharedId(id))) => Expr::Const(new[(id - BITS) as usize], BIT),
        other => other,
    });
    refold(&known) == Expr::TRUE
}

/// Is the abstract thread wrong in this state?
pub fn wrong(machine: &Machine, global: Global, node: usize) -> bool {
    machine.nodes[node].failures.iter().any(|failure| holds(&failure.condition, global, global))
}

/// The states that the abstract thread can be in after a step that changes the
/// shared variables like this.
pub fn follow(machine: &Machine, old: Global, new: Global, node: usize) -> Vec<usize> {
    let mut targets: Vec<usize> = if old == new { vec![node] } else { vec![] };
    for step in machine.moves.iter().filter(|step| step.from == node) {
        let mut allowed = holds(&step.guard, old, new) && holds(&step.ensure, old, new);
        for id in 0..BITS {
            let effect = step.effects.iter().find(|effect| effect.place == Place::Var(shared(id)));
            let number = id as usize;
            allowed &= match effect.map(|effect| &effect.value) {
                None => old[number] == new[number],
                Some(Rhs::Havoc) => true,
                Some(Rhs::Expr(value)) => {
                    holds(&Expr::eq(value.clone(), Expr::Const(new[number], BIT)), old, new)
                }
            };
        }
        if allowed {
            targets.push(step.to);
        }
    }
    targets
}

/// A phased execution: old and new values of each step, the last old values, and
/// whether the thread is wrong at the end.
pub struct Execution {
    pub steps: Vec<(Global, Global)>,
    pub last: Global,
    pub wrong: bool,
}

/// Calls `visit` for every phased execution of the only thread of `program`.
pub fn executions(program: &Program, visit: &mut impl FnMut(&Execution)) {
    extend(program, (LocId(0), 0), &mut Vec::new(), visit);
}

fn extend(
    program: &Program,
    local: Local,
    before: &mut Vec<(Global, Global)>,
    visit: &mut impl FnMut(&Execution),
) {
    for global in globals() {
        let found = steps(program, global, local);
        visit(&Execution { steps: before.clone(), last: global, wrong: found.wrong });
        if found.wrong {
            continue;
        }
        for (new, next) in found.transitions {
            before.push((global, new));
            extend(program, next, before, visit);
            before.pop();
        }
    }
}

/// Is the execution abstracted by one of the machine's? (The definition of Section 2.)
pub fn is_abstracted(machine: &Machine, execution: &Execution) -> bool {
    machine.initial.iter().any(|node| matches(machine, execution, 0, *node))
}

fn matches(machine: &Machine, execution: &Execution, position: usize, node: usize) -> bool {
    match execution.steps.get(position) {
        None => wrong(machine, execution.last, node) || !execution.wrong,
        Some((old, new)) => {
            wrong(machine, *old, node)
                || follow(machine, *old, *new, node)
                    .into_iter()
                    .any(|next| matches(machine, execution, position + 1, next))
        }
    }
}

/// Is the machine an abstraction of the only thread of `program`?
pub fn is_abstraction(program: &Program, machine: &Machine) -> bool {
    let mut all = true;
    executions(program, &mut |execution| all &= is_abstracted(machine, execution));
    all
}
