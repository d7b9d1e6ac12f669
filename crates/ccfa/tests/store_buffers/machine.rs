//! The machine itself: states of a program with a queue of writes for each instance, explored naively. For programs with loops, arrays and
//! indices that are computed, where the axioms have nothing to say.

use ccfa::access::{Access, AccessKind, Cell, Direction, Mode, Order};
use ccfa::random::Rng;
use ccfa::semantics::{ANY, State, System};
use ccfa::store_buffers::StoreOrder;
use ccfa::{
    Assign, BinOp, Count, Edge, Expr, Init, LocId, LocalId, Location, Place, Program, Rhs,
    SharedId, Template, TemplateId, Thread, Type, Var, VarRef,
};
use std::collections::HashSet;

const VALUE: Type = Type::unsigned(1);
/// Programs with more states are left alone: a test that decides many small ones says more.
pub const MAX_STATES: usize = 40_000;
const LOCATIONS: usize = 4;
/// An array with two elements, two scalars, and one that the model alone writes.
const ARRAY: SharedId = SharedId(0);
const MODEL: SharedId = SharedId(3);

/// A write that waits: to which cells of the state, and what. `None` is a mark.
type DelayedWrite = Option<Vec<(usize, Option<i128>)>>;

/// The states with empty buffers that a machine whose buffers hold so many writes can come to, if there are few enough.
pub fn reached(program: &Program, order: StoreOrder, capacity: usize) -> Option<HashSet<State>> {
    let system = System::new(program, 1);
    let none: Vec<Vec<DelayedWrite>> = vec![Vec::new(); system.instances.len()];
    let mut waiting = vec![(system.initial(), none)];
    let mut seen = HashSet::new();
    while let Some((state, buffers)) = waiting.pop() {
        if !seen.insert((state.clone(), buffers.clone())) {
            continue;
        }
        if seen.len() > MAX_STATES {
            return None;
        }
        for (instance, buffer) in buffers.iter().enumerate() {
            let with = |buffer: Vec<DelayedWrite>| {
                let mut buffers = buffers.clone();
                buffers[instance] = buffer;
                buffers
            };
            for (state, rest) in visible(&state, buffer, order) {
                waiting.push((state, with(rest)));
            }
            for (_, edge) in system.next(&state, instance) {
                let next = step(&system, &state, instance, edge, buffer, order);
                let fits = |(_, buffer): &(State, Vec<DelayedWrite>)| {
                    buffer.iter().flatten().count() <= capacity
                };
                waiting.extend(next.filter(fits).map(|(state, buffer)| (state, with(buffer))));
            }
        }
    }
    let is_empty = |buffers: &Vec<Vec<DelayedWrite>>| buffers.iter().all(Vec::is_empty);
    let states = seen.into_iter().filter(|(_, buffers)| is_empty(buffers));
    Some(states.map(|(state, _)| state).collect())
}

/// What becomes visible next.
fn visible(
    state: &State,
    buffer: &[DelayedWrite],
    order: StoreOrder,
) -> Vec<(State, Vec<DelayedWrite>)> {
    let mut next = Vec::new();
    for (number, write) in buffer.iter().enumerate() {
        let Some(cells) = write else { break };
        let is_own = |other: &(usize, Option<i128>)| cells.iter().any(|own| own.0 == other.0);
        let is_older = |other: &DelayedWrite| other.iter().flatten().any(is_own);
        let is_first =
            number == 0 || (order == StoreOrder::Partial && !buffer[..number].iter().any(is_older));
        if is_first {
            let (mut state, mut rest) = (state.clone(), buffer.to_vec());
            for (cell, value) in cells {
                state.cells[*cell] = *value;
            }
            rest.remove(number);
            next.push((state, without_first_marks(rest)));
        }
    }
    next
}

fn without_first_marks(mut buffer: Vec<DelayedWrite>) -> Vec<DelayedWrite> {
    while buffer.first() == Some(&None) {
        buffer.remove(0);
    }
    buffer
}

/// A step, in the memory that its thread sees.
fn step(
    system: &System,
    state: &State,
    instance: usize,
    edge: &Edge,
    buffer: &[DelayedWrite],
    order: StoreOrder,
) -> Option<(State, Vec<DelayedWrite>)> {
    let mut seen = state.clone();
    for (cell, value) in buffer.iter().flatten().flatten() {
        seen.cells[*cell] = *value;
    }
    let next = system.step(&seen, instance, edge, &mut |_| ANY)?;
    let kind = edge.accesses.first().map(|access| &access.kind);
    let (is_write, waits, marks) = match kind {
        None => (false, false, false),
        Some(AccessKind::Memory(Direction::Write, _, Mode::Atomic(Order::SeqCst)))
        | Some(AccessKind::Memory(Direction::Update, ..))
        | Some(AccessKind::Fence(Order::SeqCst)) => (false, true, false),
        Some(AccessKind::Memory(Direction::Write, _, mode)) => {
            (true, false, *mode == Mode::Atomic(Order::Release))
        }
        Some(AccessKind::Fence(order)) => (false, false, *order == Order::Release),
        Some(_) => (false, false, false),
    };
    if waits && !buffer.is_empty() {
        return None;
    }
    let mut after = buffer.to_vec();
    if marks && order == StoreOrder::Partial && after.last() != Some(&None) {
        after.push(None);
    }
    let memory: usize = system.program.shared.iter().map(Var::cells).sum();
    let mut real = State { locations: next.locations.clone(), cells: next.cells.clone() };
    for cell in 0..memory {
        let is_model = cell == memory - 1;
        if !is_model && !waits {
            real.cells[cell] = state.cells[cell];
        }
    }
    if is_write {
        after.push(Some(written(system, &seen, instance, edge)?));
    }
    Some((real, without_first_marks(after)))
}

/// The cells that a step writes, and the values.
fn written(
    system: &System,
    seen: &State,
    instance: usize,
    edge: &Edge,
) -> Option<Vec<(usize, Option<i128>)>> {
    let is_shared = |assign: &&Assign| matches!(assign.place.parts().0, VarRef::Shared(_));
    let written = |assign: &Assign| {
        let (var, index) = assign.place.parts();
        let index = match index {
            None => 0,
            Some(index) => system.eval(seen, instance, index).ok()?? as usize,
        };
        let Rhs::Expr(value) = &assign.value else { return None };
        Some((system.offset(instance, var) + index, system.eval(seen, instance, value).ok()?))
    };
    edge.assigns.iter().filter(is_shared).map(written).collect()
}

/// Two threads with loops over a small memory.
pub fn random(rng: &mut Rng) -> Program {
    let mut program = Program { name: "machine".into(), ..Program::default() };
    program.shared.push(Var::new("a", VALUE, Some(2), Init::Value(0)));
    for name in ["x", "y", "model"] {
        program.shared.push(Var::new(name, VALUE, None, Init::Value(0)));
    }
    for number in 0..2 {
        let mut template = Template { name: format!("T{number}"), ..Template::default() };
        for name in ["r", "s"] {
            template.locals.push(Var::new(name, VALUE, None, Init::Value(0)));
        }
        template.locations = vec![Location::default(); LOCATIONS];
        for at in 0..LOCATIONS as u32 - 1 {
            let (source, target) = (LocId(at), LocId(at + 1));
            template.edges.push(Edge { source, target, guard: Expr::TRUE, ..edge(rng) });
        }
        for _ in 0..rng.below(3) {
            let source = LocId(rng.below(LOCATIONS) as u32);
            template.edges.push(Edge { source, ..edge(rng) });
        }
        program.templates.push(template);
        program.threads.push(Thread {
            name: format!("t{number}"),
            template: TemplateId(number),
            args: Vec::new(),
            count: Count::Exactly(1),
        });
    }
    program
}

fn edge(rng: &mut Rng) -> Edge {
    let target = LocId(rng.below(LOCATIONS) as u32);
    let register = |number: usize| VarRef::Local(LocalId(number as u32));
    let (r, s) = (register(rng.below(2)), register(rng.below(2)));
    let constant = Expr::Const(rng.below(2) as i128, VALUE);
    let guard = match rng.below(4) {
        0 => Expr::eq(Expr::Var(s), constant.clone()),
        _ => Expr::TRUE,
    };
    let var = SharedId(rng.below(3) as u32);
    let index = (var == ARRAY).then(|| match rng.below(2) {
        0 => Expr::Var(s),
        _ => constant.clone(),
    });
    let place = |index: &Option<Expr>| match index {
        None => Place::Var(VarRef::Shared(var)),
        Some(index) => Place::Element(VarRef::Shared(var), index.clone()),
    };
    let read = match &index {
        None => Expr::Var(VarRef::Shared(var)),
        Some(index) => Expr::Index(VarRef::Shared(var), Box::new(index.clone())),
    };
    let set = |place, value| Assign { place, value: Rhs::Expr(value) };
    let more = Expr::binary(BinOp::Add, Expr::Var(r), Expr::Const(1, VALUE));
    let cell = Cell { var, index: index.clone() };
    let memory = |direction, mode| Some(AccessKind::Memory(direction, cell.clone(), mode));
    let model = VarRef::Shared(MODEL);
    let both =
        [SharedId(1), SharedId(2)].map(|var| set(Place::Var(VarRef::Shared(var)), more.clone()));
    let of_both = |var| {
        let cell = Cell { var, index: None };
        Access { kind: AccessKind::Memory(Direction::Write, cell, Mode::Plain), span: None }
    };
    if rng.one_in(10) {
        let accesses = vec![of_both(SharedId(1)), of_both(SharedId(2))];
        return Edge { accesses, ..Edge::new(LocId(0), target, guard, both.to_vec()) };
    }
    let other = Expr::Var(VarRef::Shared(*rng.pick(&[SharedId(1), SharedId(2)])));
    let (assigns, kind) = match rng.below(13) {
        12 => (vec![set(place(&index), other)], memory(Direction::Write, Mode::Plain)),
        0 => (vec![set(place(&index), more)], memory(Direction::Write, Mode::Plain)),
        1..4 => (vec![set(place(&index), constant)], memory(Direction::Write, Mode::Plain)),
        4 => (
            vec![set(place(&index), constant)],
            memory(Direction::Write, Mode::Atomic(*rng.pick(&[Order::Release, Order::SeqCst]))),
        ),
        5 => (
            vec![set(Place::Var(r), read), set(place(&index), constant)],
            memory(Direction::Update, Mode::Atomic(Order::SeqCst)),
        ),
        6 => (vec![], Some(AccessKind::Fence(*rng.pick(&[Order::Release, Order::SeqCst])))),
        7 => (vec![set(Place::Var(model), Expr::Var(r))], None),
        8 => (vec![set(Place::Var(r), Expr::Var(model))], None),
        9 => (vec![set(Place::Var(r), more)], None),
        _ => (vec![set(Place::Var(r), read)], memory(Direction::Read, Mode::Plain)),
    };
    let accesses = kind.map(|kind| Access { kind, span: None }).into_iter().collect();
    Edge { accesses, ..Edge::new(LocId(0), target, guard, assigns) }
}
