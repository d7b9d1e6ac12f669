//! A search and a checker that nobody could get wrong: sets of `ccfa` states,
//! steps by `ccfa::semantics`, no packing, no reduction, no table computed
//! ahead. What `explore` does is compared with this.

use ccfa::semantics::{State, System, Value};
use ccfa::{Edge, Expr, LocKind, Place, Program, Rhs, Type, VarRef};
use evidence::{ClosedSet, Layout};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What the naive search finds.
#[derive(Debug, Default)]
pub struct Reachable {
    /// All states before errors and model limits.
    pub states: HashSet<State>,
    /// The fewest steps to an error.
    pub nearest_error: Option<usize>,
    /// Is a model limit reachable?
    pub model_end: bool,
}

/// Everything reachable; `None` if there are more than `most` states.
pub fn reachable(program: &Program, most: usize) -> Option<Reachable> {
    let system = System::new(program, 0);
    let mut found = Reachable::default();
    let mut layer = initial_states(&system, most)?;
    for depth in 0.. {
        layer.retain(|state| match ending(&system, state) {
            Some(LocKind::Error(_)) => {
                found.nearest_error.get_or_insert(depth);
                false
            }
            Some(_) => {
                found.model_end = true;
                false
            }
            None => found.states.insert(state.clone()),
        });
        if layer.is_empty() {
            return Some(found);
        }
        if found.states.len() > most {
            return None;
        }
        let all = 0..system.instances.len();
        let mut next = Vec::new();
        for state in &layer {
            for instance in all.clone() {
                next.extend(successors(&system, state, instance, most)?);
            }
        }
        layer = next;
    }
    None
}

/// A model limit if an instance is at one, else an error if an instance is at one.
fn ending<'p>(system: &System<'p>, state: &State) -> Option<&'p LocKind> {
    let kinds = state.locations.iter().enumerate();
    let kinds = kinds.map(|(i, at)| &system.template(i).locations[at.index()].kind);
    let ends: Vec<_> = kinds.filter(|kind| **kind != LocKind::Plain).collect();
    ends.iter()
        .copied()
        .find(|kind| matches!(kind, LocKind::Limit(..) | LocKind::Undefined(_)))
        .or(ends.first().copied())
}

/// All ways to choose arbitrary values of these types; large ones are `ANY`.
fn choices(types: &[Type], most: usize) -> Option<Vec<Vec<Value>>> {
    let mut all = vec![Vec::new()];
    for ty in types {
        let values: Vec<Value> = match ty.bounds() {
            Some((low, high)) if high - low < 256 => (low..=high).map(Some).collect(),
            _ => vec![None],
        };
        if all.len() * values.len() > most.min(1 << 12) {
            return None;
        }
        let longer = |chosen: Vec<Value>| {
            let extend = move |value: &Value| [&chosen[..], &[*value]].concat();
            values.iter().map(extend).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    Some(all)
}

fn initial_states(system: &System, most: usize) -> Option<Vec<State>> {
    let open = system.initial();
    let layout = Layout::new(system, &|_| true);
    let types: Vec<Type> = layout.cells.iter().map(|cell| cell.ty).collect();
    let arbitrary = || (0..types.len()).filter(|&cell| open.cells[cell].is_none());
    let types: Vec<Type> = arbitrary().map(|cell| types[cell]).collect();
    let states = choices(&types, most)?.into_iter().map(|values| {
        let mut state = open.clone();
        arbitrary().zip(values).for_each(|(cell, value)| state.cells[cell] = value);
        state
    });
    let may_be = |state: &State| system.instances.is_empty() || system.may_be_initial(state);
    Some(states.filter(may_be).collect())
}

fn successors(system: &System, state: &State, instance: usize, most: usize) -> Option<Vec<State>> {
    let mut found = Vec::new();
    if !system.may_move(state, instance) {
        return Some(found);
    }
    for edge in edges(system, state, instance) {
        for values in choices(&havoc_types(system, instance, edge), most)? {
            let mut values = values.into_iter();
            found.extend(system.step(state, instance, edge, &mut |_| values.next().flatten()));
        }
    }
    Some(found)
}

fn edges<'p>(
    system: &System<'p>,
    state: &State,
    instance: usize,
) -> impl Iterator<Item = &'p Edge> {
    let at = state.locations[instance];
    system.template(instance).edges.iter().filter(move |edge| edge.source == at)
}

fn havoc_types(system: &System, instance: usize, edge: &Edge) -> Vec<Type> {
    let mut types = Vec::new();
    for assign in edge.assigns.iter().filter(|assign| assign.value == Rhs::Havoc) {
        match &assign.place {
            Place::Var(var) => {
                let var = system.var(instance, *var);
                types.extend(vec![var.ty; var.cells()]);
            }
            Place::Element(var, _) => types.push(system.var(instance, *var).ty),
        }
    }
    types
}

/// Checks a closed set by the words of `evidence::ClosedSet`.
pub fn check_closed(program: &Program, set: &ClosedSet) -> Result<(), String> {
    let system = System::new(program, 0);
    let layout = Layout::new(&system, &|cell| set.any_cells[cell]);
    let states: Vec<State> = set.states.chunks(layout.words).map(|s| layout.unpack(s)).collect();
    let numbers: HashMap<&State, usize> = states.iter().zip(0..).collect();
    let most = usize::MAX;
    for state in initial_states(&system, most).expect("no limit") {
        numbers.get(&state).ok_or_else(|| format!("initial {state:?} is missing"))?;
    }
    for (number, state) in states.iter().enumerate() {
        if ending(&system, state).is_some() {
            return Err(format!("{state:?} is at an error or a model limit"));
        }
        let expansion = set.expansions[number];
        let named = &set.persistent_sets[expansion.persistent_set as usize];
        let reduced = named.len() < system.instances.len();
        if reduced {
            check_reduced(&system, state, named).map_err(|why| format!("{why}: {state:?}"))?;
        }
        let has_rank = |number: usize| {
            set.expansions[number].rank > 0 || system.atomic_instance(&states[number]).is_none()
        };
        let falls = reduced || system.atomic_instance(state).is_some() && has_rank(number);
        let mut moves = false;
        for &instance in named {
            for next in successors(&system, state, instance, most).expect("no limit") {
                let next = *numbers.get(&next).ok_or_else(|| format!("{next:?} is missing"))?;
                moves = true;
                if falls && (set.expansions[next].rank >= expansion.rank || !has_rank(next)) {
                    return Err(format!("(4) the rank of {next} is not below that of {number}"));
                }
            }
        }
        if falls && !moves {
            return Err(format!("(1) no thread can move from {state:?}"));
        }
    }
    Ok(())
}

/// Conditions (2) and (3), by following all that the others can do together while the named stay where they are.
fn check_reduced(system: &System, state: &State, named: &[usize]) -> Result<(), &'static str> {
    if system.atomic_instance(state).is_some() {
        return Err("(2) an instance is in an atomic section");
    }
    let mut first = Touched::default();
    for &ours in named {
        follow(system, state, &[ours], &mut |before, _, edge, after| {
            first.add(system, before, ours, edge);
            after.is_some_and(|after| system.atomic_instance(after).is_some())
        });
    }
    let others: Vec<usize> = (0..system.instances.len()).filter(|i| !named.contains(i)).collect();
    let mut conflict = false;
    follow(system, state, &others, &mut |before, other, edge, after| {
        if after.is_some() || system.atomic_instance(before) == Some(other) {
            let mut touched = Touched::default();
            touched.add(system, before, other, edge);
            conflict |= touched.conflicts(&first);
        }
        true
    });
    if conflict { Err("(3) conflict") } else { Ok(()) }
}

/// Sees an edge: the state before, whose it is, and the state after if it can be taken. Is it followed?
type Visit<'v> = dyn FnMut(&State, usize, &Edge, Option<&State>) -> bool + 'v;

/// Takes all steps of some instances from a state, and from where `visit` says so.
fn follow(system: &System, state: &State, movers: &[usize], visit: &mut Visit) {
    let (mut waiting, mut seen) = (vec![state.clone()], HashSet::new());
    while let Some(before) = waiting.pop() {
        if !seen.insert(before.clone()) {
            continue;
        }
        for &mover in movers.iter().filter(|i| system.may_move(&before, **i)) {
            for edge in edges(system, &before, mover) {
                let after = system.step(&before, mover, edge, &mut |_| None);
                let goes_on = visit(&before, mover, edge, after.as_ref());
                waiting.extend(after.filter(|_| goes_on));
            }
        }
    }
}

/// Shared cells that steps read and write.
#[derive(Default)]
struct Touched {
    reads: BTreeSet<usize>,
    writes: BTreeSet<usize>,
}

impl Touched {
    fn add(&mut self, system: &System, state: &State, instance: usize, edge: &Edge) {
        let cells = |var: VarRef, index: Option<&Expr>| {
            let first = system.offset(instance, var);
            let all: Vec<usize> = (first..first + system.var(instance, var).cells()).collect();
            match index.map(|index| system.eval(state, instance, index)) {
                _ if matches!(var, VarRef::Local(_)) => Vec::new(),
                Some(Ok(Some(index))) if 0 <= index && index < all.len() as i128 => {
                    vec![all[index as usize]]
                }
                _ => all,
            }
        };
        let mut exprs = vec![&edge.guard];
        for assign in &edge.assigns {
            if let Rhs::Expr(value) = &assign.value {
                exprs.push(value);
            }
            match &assign.place {
                Place::Var(var) => self.writes.extend(cells(*var, None)),
                Place::Element(var, index) => {
                    exprs.push(index);
                    self.writes.extend(cells(*var, Some(index)));
                }
            }
        }
        for expr in exprs {
            expr.walk(&mut |part| match part {
                Expr::Var(var) => self.reads.extend(cells(*var, None)),
                Expr::Index(var, index) => self.reads.extend(cells(*var, Some(index))),
                _ => {}
            });
        }
    }

    fn conflicts(&self, other: &Touched) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }
}
