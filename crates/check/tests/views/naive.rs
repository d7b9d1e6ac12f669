//! Brute force: all reachable states and steps, what views see of them, and the strongest
//! assertions that this gives.

use crate::asked;
use ccfa::semantics::{State, System, Value};
use ccfa::{Count, Edge, Expr, LocId, LocalId, Place, Program, SharedId, ThreadId, Type, VarRef};
use engine_suite::oracle::{initial_states, steps};
use evidence::{Assertions, EnvironmentTransition, Region, Slot, View};
use std::collections::{BTreeSet, HashSet};

/// All that a program can do with some number of instances.
pub struct Reachable<'p> {
    system: System<'p>,
    states: Vec<State>,
    /// From, by whom, along which edge, to.
    steps: Vec<(usize, usize, &'p Edge, State)>,
}

/// More states than these are too many.
const MAX_STATES: usize = 60;

impl<'p> Reachable<'p> {
    pub fn new(program: &'p Program, instances: u32) -> Option<Reachable<'p>> {
        let system = System::new(program, instances);
        let mut states = initial_states(&system)?;
        let mut seen: HashSet<State> = states.iter().cloned().collect();
        let mut all = Vec::new();
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
                        all.push((next, instance, edge, after));
                    }
                }
            }
            if states.len() > MAX_STATES {
                return None;
            }
            next += 1;
        }
        Some(Reachable { system, states, steps: all })
    }

    /// Is something wrong among them?
    pub fn is_bad(&self) -> bool {
        self.states.iter().any(|state| self.bad(state))
    }

    fn bad(&self, state: &State) -> bool {
        asked::wrong(&self.system, state).is_some()
    }

    /// The strongest assertions about these slots that hold wherever nothing bad is.
    pub fn strongest(&self, slots: Vec<Slot>, with_changes: bool) -> Sketch {
        let ways = self.ways(&slots);
        let fine = |state: &&State| !self.bad(state);
        let seen =
            |state: &State| -> Vec<Seen> { ways.iter().map(|way| self.seen(state, way)).collect() };
        let mut regions: Vec<Seen> = self.states.iter().filter(fine).flat_map(seen).collect();
        sort(&mut regions);
        let changes = with_changes.then(|| {
            let mut changes = Vec::new();
            for (before, who, edge, after) in &self.steps {
                let others = ways.iter().filter(|way| way[0] != *who);
                let change = |way: &Vec<usize>| self.change(*before, *who, edge, after, way);
                changes.extend(others.map(change));
            }
            sort(&mut changes);
            changes
        });
        Sketch { slots, regions, changes }
    }

    fn change(
        &self,
        before: usize,
        who: usize,
        edge: &Edge,
        after: &State,
        way: &[usize],
    ) -> SeenChange {
        let assigned = |assign: &ccfa::Assign| {
            let (Place::Var(var) | Place::Element(var, _)) = &assign.place;
            match var {
                VarRef::Shared(_) => Some(*var),
                VarRef::Local(id) => {
                    let slot = way.iter().position(|other| *other == who)?;
                    let locals = |i: &usize| self.system.template(*i).locals.len() as u32;
                    let first: u32 = way[..slot].iter().map(locals).sum();
                    Some(VarRef::Local(LocalId(first + id.0)))
                }
            }
        };
        let writes: BTreeSet<VarRef> = edge.assigns.iter().filter_map(assigned).collect();
        SeenChange {
            before: self.seen(&self.states[before], way),
            after: self.seen(after, way),
            writes: writes.into_iter().collect(),
        }
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
    pub changes: Option<Vec<SeenChange>>,
}

/// What is seen of a state, or of several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    pub at: Vec<Option<LocId>>,
    pub cells: Vec<Value>,
}

/// What is seen of a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeenChange {
    pub before: Seen,
    pub after: Seen,
    pub writes: Vec<VarRef>,
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
        let mut view = View { slots: self.slots.clone(), regions: vec![], environment: None };
        let cells = cells(program, &view, 0);
        let locals = view.scope(program).locals.len() as u32;
        let after = after(program, &cells, locals);
        let region = |seen: &Seen| Region { at: seen.at(), holds: holds(&cells, &seen.cells) };
        view.regions = self.regions.iter().map(region).collect();
        let change = |change: &SeenChange| {
            let mut all = holds(&cells, &change.before.cells);
            all.extend(holds(&after, &change.after.cells));
            let (from, to) = (change.before.at(), change.after.at());
            EnvironmentTransition { from, to, writes: change.writes.clone(), holds: all }
        };
        view.environment = self.changes.as_ref().map(|all| all.iter().map(change).collect());
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

/// The same cells after a step.
fn after(program: &Program, cells: &[(Expr, Type)], locals: u32) -> Vec<(Expr, Type)> {
    let shared = program.shared.len() as u32;
    let later = |var: VarRef| match var {
        VarRef::Shared(id) => VarRef::Local(LocalId(locals + id.0)),
        VarRef::Local(id) => VarRef::Local(LocalId(locals + shared + id.0)),
    };
    let read = |(cell, ty): &(Expr, Type)| match cell {
        Expr::Index(var, index) => (Expr::Index(later(*var), index.clone()), *ty),
        Expr::Var(var) => (Expr::Var(later(*var)), *ty),
        other => (other.clone(), *ty),
    };
    cells.iter().map(read).collect()
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
