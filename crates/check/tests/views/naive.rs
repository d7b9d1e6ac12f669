//! Brute force: all reachable states, what views see of them, and the strongest
//! assertions that this gives.

use crate::asked;
use ccfa::semantics::{State, System, Value};
use ccfa::{Count, Edge, Expr, LocId, LocalId, Program, SharedId, ThreadId, Type, VarRef};
use engine_suite::oracle::{initial_states, steps};
use evidence::{Assertions, Region, Slot, View};
use std::collections::HashSet;

/// All that a program can do with some number of instances.
pub struct Reachable<'p> {
    system: System<'p>,
    states: Vec<State>,
}

/// More states than these are too many.
const MAX_STATES: usize = 60;

impl<'p> Reachable<'p> {
    pub fn new(program: &'p Program, instances: u32) -> Option<Reachable<'p>> {
        let system = System::new(program, instances);
        let mut states = initial_states(&system)?;
        let mut seen: HashSet<State> = states.iter().cloned().collect();
        let mut next = 0;
        while let Some(state) = states.get(next).cloned() {
            let ended = asked::has_ended(&system, &state);
            let may_move = |i: &usize| !ended && system.may_move(&state, *i);
            for instance in (0..state.locations.len()).filter(may_move) {
                let leaves = |edge: &&Edge| edge.source == state.locations[instance];
                for edge in system.template(instance).edges.iter().filter(leaves) {
                    for (_, after) in steps(&system, &state, instance, edge)? {
                        if seen.insert(after.clone()) {
                            states.push(after.clone());
                        }
                    }
                }
            }
            if states.len() > MAX_STATES {
                return None;
            }
            next += 1;
        }
        Some(Reachable { system, states })
    }

    /// Is something wrong among them?
    pub fn is_bad(&self) -> bool {
        self.states.iter().any(|state| self.bad(state))
    }

    fn bad(&self, state: &State) -> bool {
        asked::wrong(&self.system, state).is_some()
    }

    /// The strongest assertions about these slots that hold wherever nothing bad is.
    pub fn strongest(&self, slots: Vec<Slot>) -> Sketch {
        let ways = self.ways(&slots);
        let fine = |state: &&State| !self.bad(state);
        let seen =
            |state: &State| -> Vec<Seen> { ways.iter().map(|way| self.seen(state, way)).collect() };
        let mut regions: Vec<Seen> = self.states.iter().filter(fine).flat_map(seen).collect();
        sort(&mut regions);
        Sketch { slots, regions }
    }

    /// Is what the sketch says true in all states?
    pub fn satisfies(&self, sketch: &Sketch) -> bool {
        let ways = self.ways(&sketch.slots);
        self.states.iter().all(|state| {
            let holds = |way: &Vec<usize>| {
                let seen = self.seen(state, way);
                sketch.regions.iter().any(|region| region.contains(&seen))
            };
            ways.iter().all(holds)
        })
    }

    fn seen(&self, state: &State, way: &[usize]) -> Seen {
        let shared = self.system.program.shared.iter().map(|var| var.cells()).sum();
        let mut cells = state.cells[..shared].to_vec();
        for instance in way {
            for (number, var) in self.system.template(*instance).locals.iter().enumerate() {
                let local = VarRef::Local(LocalId(number as u32));
                let first = self.system.offset(*instance, local);
                cells.extend(&state.cells[first..first + var.cells()]);
            }
        }
        Seen { at: way.iter().map(|i| Some(state.locations[*i])).collect(), cells }
    }

    /// All ways to fill slots with different instances.
    fn ways(&self, slots: &[Slot]) -> Vec<Vec<usize>> {
        let mut ways = vec![vec![]];
        for slot in slots {
            let plays = |i: &usize| {
                let instance = self.system.instances[*i];
                instance.thread == slot.thread && slot.index.is_none_or(|n| n == instance.index)
            };
            let longer = |way: &Vec<usize>| {
                let next = (0..self.system.instances.len()).filter(plays);
                let next: Vec<usize> = next.filter(|i| !way.contains(i)).collect();
                let way = way.clone();
                next.into_iter().map(move |i| [&way[..], &[i]].concat())
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        ways
    }
}

/// A view that is easily looked at: values of cells, `None` where nothing is said.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    pub slots: Vec<Slot>,
    pub regions: Vec<Seen>,
}

/// What is seen of a state, or of several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    pub at: Vec<Option<LocId>>,
    pub cells: Vec<Value>,
}

impl Seen {
    fn contains(&self, other: &Seen) -> bool {
        self.at.iter().zip(&other.at).all(|(a, b)| a.is_none() || a == b)
            && self.cells.iter().zip(&other.cells).all(|(a, b)| a.is_none() || a == b)
    }

    fn at(&self) -> Vec<Option<Vec<LocId>>> {
        self.at.iter().map(|at| at.map(|at| vec![at])).collect()
    }
}

impl Sketch {
    pub fn view(&self, program: &Program) -> View {
        let mut view = View { slots: self.slots.clone(), regions: vec![] };
        let cells = cells(program, &view, 0);
        let region = |seen: &Seen| Region { at: seen.at(), holds: holds(&cells, &seen.cells) };
        view.regions = self.regions.iter().map(region).collect();
        view
    }
}

pub fn proof(program: &Program, sketches: &[Sketch]) -> Assertions {
    Assertions { views: sketches.iter().map(|sketch| sketch.view(program)).collect() }
}

/// Slots for all instances of a program that is not parameterised; by name or not.
pub fn everyone(program: &Program, named: bool) -> Vec<Slot> {
    let slot = |instance: &ccfa::Instance| Slot {
        thread: instance.thread,
        index: named.then_some(instance.index),
    };
    program.instances(0).iter().map(slot).collect()
}

/// The slots of all views of one or two instances.
pub fn small_views(program: &Program) -> Vec<Vec<Slot>> {
    let any = |thread: u32| Slot { thread: ThreadId(thread), index: None };
    let threads = 0..program.threads.len() as u32;
    let count = |thread: u32| match program.threads[thread as usize].count {
        Count::Exactly(count) => count,
        Count::Any => u32::MAX,
    };
    let ones = threads.clone().filter(|thread| count(*thread) > 0);
    let mut views: Vec<Vec<Slot>> = ones.map(|thread| vec![any(thread)]).collect();
    for a in threads.clone() {
        for b in threads.clone() {
            if count(a) > u32::from(a == b) && count(b) > 0 {
                views.push(vec![any(a), any(b)]);
            }
        }
    }
    views
}

/// The cells of a view with their types; locals are numbered from `first`.
fn cells(program: &Program, view: &View, first: u32) -> Vec<(Expr, Type)> {
    let shared = program.shared.iter().enumerate();
    let shared = shared.map(|(n, var)| (VarRef::Shared(SharedId(n as u32)), var.clone()));
    let locals = view.scope(program).locals.into_iter().enumerate();
    let locals = locals.map(|(n, var)| (VarRef::Local(LocalId(first + n as u32)), var));
    let mut cells = Vec::new();
    for (id, var) in shared.chain(locals) {
        for number in 0..var.cells() {
            let index = Box::new(Expr::constant(number as i128, Type::signed(32)));
            let read = if var.len.is_some() { Expr::Index(id, index) } else { Expr::Var(id) };
            cells.push((read, var.ty));
        }
    }
    cells
}

fn holds(cells: &[(Expr, Type)], values: &[Value]) -> Vec<Expr> {
    let said = cells.iter().zip(values);
    said.filter_map(|((cell, ty), value)| {
        Some(Expr::eq(cell.clone(), Expr::constant((*value)?, *ty)))
    })
    .collect()
}

/// In some order that depends on nothing else, none twice.
fn sort<T: std::fmt::Debug>(items: &mut Vec<T>) {
    items.sort_by_cached_key(|item| format!("{item:?}"));
    items.dedup_by_key(|item| format!("{item:?}"));
}
