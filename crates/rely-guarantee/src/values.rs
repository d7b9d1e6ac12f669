//! Is there a modular proof at all, and if so, which one?
//!
//! Where few values occur, this is decided by thread-modular reachability with explicit values
//! (`explicit`). What is reached so belongs to every modular proof. If an error is reached, there is none, and
//! no time need be lost on looking for it. Otherwise what was reached is a proof; and mostly a weaker one
//! will do, in which a thread does not track all variables. So we try to do without many at once, and if
//! that fails, without half of them, and so on (as in delta debugging). States that differ in one variable alone are said together.
//!
//! This is no step of the paper. Predicates say more with less where there are many values, so it is
//! their turn first; but where the values of several variables depend on each other, more states can be told apart by
//! predicates than there are.

use crate::context::Context;
use crate::explicit::{Explicit, Incomplete, ReachedStates, ThreadState, TrackedCells};
use crate::ids::{Id, InstanceId, TrackedId, ViewId};
use ccfa::{EdgeId, LocId, Type, VarRef};
use logic::{FastMap, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// More states are not computed: predicates would do better where values are many,
const MAX_STATES: usize = 20_000;

/// nor states with more cells than this together: they would not fit into memory.
const MAX_CELLS: usize = 4_000_000;

/// So many times it is tried to do without variables: each time takes as long as the whole computation.
const MAX_TRIES: usize = 300;

/// A proof with more regions is not made: `check` would take longer than another proof.
const MAX_REGIONS: usize = 2_000;

/// What explicit values say.
pub(crate) enum Modular {
    /// There is no modular proof.
    No,
    /// This is one.
    Proof(Vec<ValueRegion>),
    /// There are too many values, or some that are not known.
    Undecided,
}

/// What may hold of the tracked thread of a view at a location.
pub(crate) struct ValueRegion {
    pub view: ViewId,
    pub at: LocId,
    pub literals: Vec<Term>,
}

/// With one tracked thread.
pub(crate) fn modular(context: &mut Context) -> Modular {
    let threads = threads(context);
    let mut tracked = tracked_cells(context, &threads);
    let most = MAX_STATES.min(MAX_CELLS / context.system.cell_count().max(1));
    let reached = loop {
        match Explicit::new(context, &threads, &tracked, most).reach() {
            Ok(reached) => break reached,
            Err(Incomplete::AnyValue(cell)) => untrack(context, &threads, &mut tracked, cell),
            Err(Incomplete::Error { definite: true }) => return Modular::No,
            Err(Incomplete::Error { definite: false } | Incomplete::TooMany) => {
                return Modular::Undecided;
            }
        }
    };
    // Parameterised threads have more instances than were tracked.
    if context.system.program.is_parameterised() {
        return Modular::Undecided;
    }
    let reached = with_less(context, &threads, tracked, reached);
    let products = products(&reached);
    match products.len() > MAX_REGIONS {
        true => Modular::Undecided,
        false => Modular::Proof(regions(context, products)),
    }
}

/// One instance of each class, and a second one of parameterised threads.
fn threads(context: &Context) -> Vec<InstanceId> {
    let classes = context.classes();
    classes.flat_map(|class| context.representatives(class).iter().take(2).copied()).collect()
}

/// All that each thread can access, but for shared variables that may be anything at the start.
fn tracked_cells(context: &Context, threads: &[InstanceId]) -> TrackedCells {
    let start = context.system.initial();
    let mut all = Vec::new();
    for thread in threads {
        let mut tracked = vec![false; start.cells.len()];
        for var in context.variables(*thread) {
            for cell in cells(context, *thread, var) {
                tracked[cell] = matches!(var, VarRef::Local(_)) || start.cells[cell].is_some();
            }
        }
        all.push(tracked);
    }
    all
}

/// No thread tracks the shared variable to which a cell belongs any longer.
fn untrack(context: &Context, threads: &[InstanceId], tracked: &mut TrackedCells, cell: usize) {
    for var in context.variables(threads[0]) {
        let cells = cells(context, threads[0], var);
        if cells.contains(&cell) {
            tracked.iter_mut().for_each(|tracked| tracked[cells.clone()].fill(false));
        }
    }
}

/// What is reached if threads track less, as long as that excludes errors.
fn with_less(
    context: &Context,
    threads: &[InstanceId],
    mut tracked: TrackedCells,
    mut reached: ReachedStates,
) -> ReachedStates {
    let mut groups = groups(context, threads, &tracked, &reached);
    for _ in 0..MAX_TRIES {
        let Some(group) = groups.pop().filter(|_| context.check_budget().is_ok()) else { break };
        let mut fewer = tracked.clone();
        for (thread, cell) in &group {
            fewer[thread.index()][*cell] = false;
        }
        match Explicit::new(context, threads, &fewer, reached.states.len()).reach() {
            Ok(smaller) => (tracked, reached) = (fewer, smaller),
            Err(_) if group.len() > 1 => {
                let (one, other) = group.split_at(group.len() / 2);
                groups.extend([one.to_vec(), other.to_vec()]);
            }
            Err(_) => {}
        }
    }
    reached
}

/// What to try to do without, by thread and cell: first (they stand at the end) those that have one value
/// all the time, and those that a thread does not use.
fn groups(
    context: &Context,
    threads: &[InstanceId],
    tracked: &TrackedCells,
    reached: &ReachedStates,
) -> Vec<Vec<(TrackedId, usize)>> {
    let mut values: FastMap<(TrackedId, usize), BTreeSet<Option<i128>>> = FastMap::default();
    for state in &reached.states {
        for (cell, value) in reached.cells(state) {
            values.entry((state.thread, cell)).or_default().insert(value);
        }
    }
    let (mut used, mut unused, mut constant) = (Vec::new(), Vec::new(), Vec::new());
    for (number, instance) in threads.iter().enumerate() {
        let is_used = used_cells(context, *instance);
        let cells = (0..tracked[number].len()).filter(|cell| tracked[number][*cell]);
        let (fixed, others): (Vec<_>, Vec<_>) =
            cells.map(|cell| (TrackedId(number), cell)).partition(|place| values[place].len() == 1);
        let (own, foreign) = others.into_iter().partition(|(_, cell)| is_used.contains(cell));
        used.push(own);
        unused.push(foreign);
        constant.extend(fixed);
    }
    let mut groups = [used, unused, vec![constant]].concat();
    groups.retain(|group| !group.is_empty());
    groups
}

/// The cells of the variables that the steps of an instance mention.
fn used_cells(context: &Context, instance: InstanceId) -> BTreeSet<usize> {
    let mut symbols: BTreeSet<Symbol> = BTreeSet::new();
    for edge in 0..context.template(instance).edges.len() {
        let transition = context.transition(instance, EdgeId(edge as u32));
        symbols.extend(transition.assigns.keys());
        for term in transition.guards.iter().chain(transition.assigns.values()) {
            symbols.extend(context.terms.symbols_of(*term));
        }
    }
    let mut used = context.variables(instance);
    used.retain(|var| symbols.contains(&context.symbol(instance, *var)));
    used.into_iter().flat_map(|var| cells(context, instance, var)).collect()
}

/// The cells of a variable.
fn cells(context: &Context, instance: InstanceId, var: VarRef) -> std::ops::Range<usize> {
    let offset = context.system.offset(instance.index(), var);
    offset..offset + context.var(instance, var).cells()
}

/// States at one location: each of these cells has one of these values.
#[derive(PartialEq, Eq, Hash)]
struct Product {
    thread: TrackedId,
    at: LocId,
    cells: BTreeMap<usize, Vec<i128>>,
}

/// Few products of which the states are those reached.
fn products(reached: &ReachedStates) -> Vec<Product> {
    let product = |state: &ThreadState| {
        let known = reached.cells(state).filter_map(|(cell, value)| Some((cell, vec![value?])));
        Product { thread: state.thread, at: state.at, cells: known.collect() }
    };
    let mut products: Vec<Product> = reached.states.iter().map(product).collect();
    let cells = products.iter().flat_map(|product| product.cells.keys().copied());
    let cells: BTreeSet<usize> = cells.collect();
    loop {
        let before = products.len();
        for cell in &cells {
            products = merged(products, *cell);
        }
        if products.len() == before {
            return products;
        }
    }
}

/// Those that differ in this cell alone, together.
fn merged(products: Vec<Product>, cell: usize) -> Vec<Product> {
    let mut together: Vec<Product> = Vec::new();
    let mut values: Vec<Vec<i128>> = Vec::new();
    let mut same: FastMap<Product, usize> = FastMap::default();
    for mut product in products {
        let Some(more) = product.cells.remove(&cell) else {
            together.push(product);
            continue;
        };
        let number = *same.entry(product).or_insert(values.len());
        values.resize(values.len().max(number + 1), Vec::new());
        values[number].extend(more);
    }
    let mut same: Vec<(Product, usize)> = same.into_iter().collect();
    same.sort_by_key(|(_, number)| *number);
    for (mut product, number) in same {
        values[number].sort();
        values[number].dedup();
        product.cells.insert(cell, std::mem::take(&mut values[number]));
        together.push(product);
    }
    together
}

/// What the products say, of a program without parameterised threads: each view tracks the thread with its number.
fn regions(context: &mut Context, products: Vec<Product>) -> Vec<ValueRegion> {
    let mut regions = Vec::new();
    for Product { thread: TrackedId(number), at, cells: values } in products {
        let instance = InstanceId(number);
        let mut literals = Vec::new();
        for var in context.variables(instance) {
            let is_array = context.var(instance, var).len.is_some();
            let symbol = context.symbol(instance, var);
            let variable = context.terms.symbol(symbol);
            for (place, cell) in cells(context, instance, var).enumerate() {
                let Some(values) = values.get(&cell) else { continue };
                let index = context.terms.constant(place as i128, Type::unsigned(32));
                let term = match is_array {
                    true => context.terms.select(variable, index),
                    false => variable,
                };
                let ty = context.var(instance, var).ty;
                literals.push(one_of(context, term, ty, values));
            }
        }
        regions.push(ValueRegion { view: ViewId(number), at, literals });
    }
    regions
}

/// That a term has one of some values, which are in order.
fn one_of(context: &mut Context, term: Term, ty: Type, values: &[i128]) -> Term {
    let terms = &mut context.terms;
    let mut ways = Vec::new();
    for run in values.chunk_by(|one, next| one + 1 == *next) {
        let (low, high) = (terms.constant(run[0], ty), terms.constant(run[run.len() - 1], ty));
        let bounds = [terms.le(low, term), terms.le(term, high)];
        ways.push(if low == high { terms.eq(term, low) } else { terms.and(bounds) });
    }
    terms.or(ways)
}
