//! A search and a checker that nobody could get wrong: sets of `ccfa` states,
//! steps by `ccfa::semantics`, no packing, no reduction, no table computed
//! ahead. What `explore` does is compared with this.

use ccfa::semantics::{State, System, Value};
use ccfa::{Edge, LocKind, Place, Program, Rhs, SharedId, Type};
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
        for &instance in named {
            for next in successors(&system, state, instance, most).expect("no limit") {
                let next = numbers.get(&next).ok_or_else(|| format!("{next:?} is missing"))?;
                if reduced && set.expansions[*next].rank >= expansion.rank {
                    return Err(format!("(4) the rank of {next} is not below that of {number}"));
                }
            }
        }
    }
    Ok(())
}

/// Conditions (1) to (3).
fn check_reduced(system: &System, state: &State, named: &[usize]) -> Result<(), &'static str> {
    let moves =
        |&i: &usize| !successors(system, state, i, usize::MAX).expect("no limit").is_empty();
    if !named.iter().any(moves) {
        return Err("(1) nobody can move");
    }
    if system.atomic_instance(state).is_some() {
        return Err("(2) an instance is in an atomic section");
    }
    for &ours in named {
        for edge in edges(system, state, ours) {
            if system.template(ours).locations[edge.target.index()].atomic {
                return Err("(2) a named thread may enter an atomic section");
            }
            for other in (0..system.instances.len()).filter(|other| !named.contains(other)) {
                let later = reachable_edges(system, state, other);
                if later.into_iter().any(|later| conflict(edge, later)) {
                    return Err("(3) conflict");
                }
            }
        }
    }
    Ok(())
}

/// Every edge an instance may ever come to.
fn reachable_edges<'p>(system: &System<'p>, state: &State, instance: usize) -> Vec<&'p Edge> {
    let template = system.template(instance);
    let mut open = vec![state.locations[instance]];
    let mut seen = BTreeSet::new();
    while let Some(at) = open.pop() {
        if seen.insert(at) {
            open.extend(template.edges.iter().filter(|e| e.source == at).map(|e| e.target));
        }
    }
    template.edges.iter().filter(|edge| seen.contains(&edge.source)).collect()
}

fn conflict(left: &Edge, right: &Edge) -> bool {
    let (left, right) = (left.read_write_sets(), right.read_write_sets());
    let set = |ids: &mut dyn Iterator<Item = SharedId>| ids.collect::<BTreeSet<_>>();
    let (left_reads, left_writes) = (set(&mut left.shared_reads()), set(&mut left.shared_writes()));
    let (right_reads, right_writes) =
        (set(&mut right.shared_reads()), set(&mut right.shared_writes()));
    !left_writes.is_disjoint(&right_writes)
        || !left_writes.is_disjoint(&right_reads)
        || !left_reads.is_disjoint(&right_writes)
}
