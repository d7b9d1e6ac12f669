//! Checks a closed set of states, condition by condition (`evidence::ClosedSet`).
//!
//! # What is shown
//!
//! A *concrete* state has a value in each cell. A member stands for the concrete
//! states that agree with it wherever it is not `ANY`; a concrete state is
//! *covered* if some member stands for it. *Wrong* is a state that is bad in the sense of
//! `ccfa::property`, or in which a thread is at a model limit. A member is wrong
//! (`System::bad`, `System::limit`) if one of the states might be that it stands for. No step
//! leaves a state with a thread at a location that is not plain: there the program or the model has
//! ended. We check of every member, with all its steps found anew,
//!
//! - **(I)** every initial concrete state is covered;
//! - **(B)** the member is not wrong;
//! - **(S)** each step of a thread in the persistent set of the member, from any concrete state
//!   the member stands for, leads to a covered state. `System::step` on a state with `ANY`
//!   covers all these steps at once; instead of `ANY` for a value taken at will,
//!   all values of its type may be covered one by one. The member is found by its value:
//!   it is equal to the state, in which cells that are `ANY` in *every* member have been made `ANY`
//!   (so it stands for no less);
//!
//! and of every member *m* whose persistent set P is not all threads (U: the others)
//!
//! - **(1)** `System::step` gives a state for some edge of a thread in P that leads to a plain
//!   location: the step may be enabled. If deadlocks are asked for, its guard is false in no concrete
//!   state that *m* stands for (`System::may_be_closed`);
//! - **(2)** no thread of *m* is at an atomic location, and no edge of a thread in P
//!   from where it is enters one;
//! - **(3)** no edge of a thread in P from where it is, *enabled or not*, conflicts
//!   with any edge that a thread of U can ever come to from where it is (`ccfa::footprint`);
//! - **(4)** the member found in (S) has a smaller rank than *m*.
//!
//! (2) and (3) make P persistent (Godefroid, 1996, chapter 4); (4) is the proviso against
//! ignoring the threads of U for ever.
//!
//! # Why no wrong state is reachable
//!
//! Claim: for no member *m* and no concrete state *c* that *m* stands for is there
//! a path from *c* to a wrong state. With (I) that is what we want. Suppose there is
//! one. Among all such *m*, *c* and paths π take one with the shortest π, and among
//! those one with the least rank of *m*. By (B), π is not empty; so all threads of *m* are at plain
//! locations.
//!
//! *P is all threads.* The first step of π leads to a covered state (S), from
//! which a shorter path leads to the wrong state: contradiction.
//!
//! *P is not, and a thread in P moves in π.* Let *t* be the first step of a
//! thread in P, u₁…uₖ the steps before it, all of threads in U. The mover has not
//! moved yet, so *t* is along an edge from where it is in *c*, and by (3) it does
//! not conflict with any uᵢ. No uᵢ writes what *t* reads, so *t* is enabled in *c*
//! already (this is why disabled edges count in (3)). By (2) no thread is at an atomic
//! location in *c*, so the mover may move. If *t* leads to a location that is not plain, π ends with
//! it, in a state that is wrong because of that location (the states before have none, and an
//! error that is not asked for is not wrong): so the state after *t* from *c* is wrong; it is
//! covered (S), against (B). Otherwise, since *t* does not lead into an atomic location either,
//! u₁…uₖ may be taken after *t*: at each of them the same threads are at atomic
//! locations as before. (Threads of U may enter and leave atomic sections among the
//! uᵢ.) What they read and write is untouched, so t u₁…uₖ ends in the state in which
//! u₁…uₖ t ended, and the rest of π follows. The new path is as long as π and begins
//! with a thread in P: by (S) its second state is covered, and a shorter path
//! leads from there to the wrong state: contradiction.
//!
//! *P is not, and only threads of U move in π.* Let *s* be the wrong state where π ends. Take the
//! edge *t* of (1) and the state *m'* that `System::step` gives for it. Let *c'* be *c* with the mover at
//! the target of *t* and with some values that *m'* allows in what *t* writes; *m'*
//! equals *m* elsewhere, so *m'* stands for *c'*. (*t* may be disabled in *c*; then
//! *c'* is perhaps not reachable, but the claim is about all that members stand
//! for. So (1) need not be certain.) From *c'*, all of π can be taken: by (3), *t*
//! writes nothing that π reads or writes; by (2), no thread is at an atomic location
//! in *c* and *t* leads to none; and *t* leads to a plain location. It ends in a state *s'*, which differs
//! from *s* in what *t* does. We show that *s'* is wrong, or that *c* is. By (S) and (4), *c'* is
//! covered by a member of smaller rank, with a path of the same length to *s'*: contradiction. *s* is
//! wrong
//!
//! - *because a thread is where the property is violated or the model ends*. It is a thread of U, since
//!   those of P are where they are in *c*; and it is there in *s'*, too.
//! - *because of a deadlock*. The guard of *t* is not false in *c* (1), and no uᵢ writes what it reads: its thread is not blocked in *s*. So
//!   it may not move there: a thread of U is at an atomic location, is blocked, has an edge
//!   and does not rest. All this is so in *s'*: by (3) and since *t* leads to no atomic location. So *s'* is a
//!   deadlock. ∎
//!
//! If *t* itself leads to a wrong state, (B) and (S) cannot both hold.
//! That duplicates in the set have two ranks does no harm: each is checked.

use crate::members::Members;
use crate::{refuse, wrong};
use ccfa::footprint::{AccessSummaries, AccessSummary};
use ccfa::semantics::{ANY, State, System, Value};
use ccfa::{Budget, Edge, LocId, LocKind, Program, Rhs, Type};
use evidence::{Bits, ClosedSet, Layout, Reason, cell_types};

/// Does `set` prove that `program` has its property?
pub(crate) fn check(program: &Program, set: &ClosedSet, budget: &Budget) -> Result<(), Reason> {
    if program.is_parameterised() {
        return refuse("a closed set says nothing about parameterised programs");
    }
    let system = System::new(program, 0);
    if system.instances.is_empty() {
        return Ok(());
    }
    if set.any_cells.len() != system.cell_count() {
        return refuse("the closed set is for another number of cells");
    }
    let layout = Layout::new(&system, &|cell| set.any_cells[cell]);
    let fields = (layout.locations.len(), layout.cells.iter().map(|cell| cell.ty).collect());
    if fields != (system.instances.len(), cell_types(&system)) {
        return refuse("the layout of states has other fields than a state");
    }
    let persistent_sets = persistent_sets(set, system.instances.len())?;
    if set.expansions.len() >= u32::MAX as usize
        || Some(set.states.len()) != set.expansions.len().checked_mul(layout.words)
    {
        return refuse("the closed set has not one expansion for each state");
    }
    let members = Members::new(&set.states, layout.words);
    let abstracted = abstracted(set, &layout);
    let summaries = AccessSummaries::new(&system);
    let checker = ClosedSetChecker {
        system,
        set,
        layout,
        members,
        abstracted,
        summaries,
        persistent_sets,
        budget,
    };
    checker.initial()?;
    (0..set.expansions.len()).try_for_each(|index| checker.member(index))
}

/// The cells that are `ANY` in every member.
fn abstracted(set: &ClosedSet, layout: &Layout) -> Vec<usize> {
    let is_any = |any: Bits| set.states.chunks_exact(layout.words).all(|state| any.get(state) == 1);
    let cells = layout.cells.iter().enumerate();
    cells.filter(|(_, cell)| cell.any.is_some_and(is_any)).map(|(number, _)| number).collect()
}

/// For each persistent set, whether each instance is in it.
fn persistent_sets(set: &ClosedSet, instances: usize) -> Result<Vec<Vec<bool>>, Reason> {
    let mut sets = vec![vec![false; instances]; set.persistent_sets.len()];
    for (contains, threads) in sets.iter_mut().zip(&set.persistent_sets) {
        for &thread in threads {
            match contains.get_mut(thread) {
                Some(contains) => *contains = true,
                None => return refuse("a persistent set has a thread that does not exist"),
            }
        }
    }
    match sets.first() {
        Some(all) if !all.contains(&false) => Ok(sets),
        _ => refuse("the first persistent set is not all threads"),
    }
}

struct ClosedSetChecker<'a> {
    system: System<'a>,
    set: &'a ClosedSet,
    layout: Layout,
    members: Members<'a>,
    /// Cells that are `ANY` in every member.
    abstracted: Vec<usize>,
    summaries: AccessSummaries,
    /// By persistent set and instance.
    persistent_sets: Vec<Vec<bool>>,
    budget: &'a Budget,
}

/// States that must be covered: one for each choice of some arbitrary values.
struct Goal<'g> {
    /// What they are, for people.
    what: &'g dyn Fn() -> String,
    /// The types of the values to choose.
    types: Vec<Type>,
    /// The state for a choice; `None` if there is none.
    state: &'g dyn Fn(&[Value]) -> Option<State>,
    /// The member that covers it must have a smaller rank than this.
    below: Option<u32>,
}

/// Types with at most so many values are tried value by value; all values of larger ones would be too many.
const MAX_TRIED_VALUES: i128 = 256;
/// So many choices at most are tried for one step: more would take longer than the search has.
const MAX_CHOICES: u32 = 1 << 20;

impl ClosedSetChecker<'_> {
    /// (I): the initial states are covered.
    fn initial(&self) -> Result<(), Reason> {
        let open = self.system.initial();
        // Whatever an abstracted cell holds, the member that covers the state has `ANY` there.
        let is_chosen =
            |cell: &usize| open.cells[*cell] == ANY && self.abstracted.binary_search(cell).is_err();
        let chosen: Vec<usize> = (0..open.cells.len()).filter(is_chosen).collect();
        let types = chosen.iter().map(|cell| self.layout.cells[*cell].ty).collect();
        let state = |values: &[Value]| {
            let mut state = open.clone();
            chosen.iter().zip(values).for_each(|(cell, value)| state.cells[*cell] = *value);
            self.system.may_be_initial(&state).then_some(state)
        };
        self.cover(&Goal { what: &|| "an initial state".into(), types, state: &state, below: None })
    }

    /// (B), (S) and (1) to (4) for one member.
    fn member(&self, index: usize) -> Result<(), Reason> {
        let state = self.layout.unpack(self.words(index));
        let exists =
            |i: usize| state.locations[i].index() < self.system.template(i).locations.len();
        let instances = 0..self.system.instances.len();
        if !instances.clone().all(exists) {
            return refuse(format!("state {index} is at a location that does not exist"));
        }
        if let Some(why) = wrong(&self.system, &state) {
            return refuse(format!("state {index} {why}"));
        }
        if instances.clone().any(|i| self.system.location(&state, i).kind != LocKind::Plain) {
            return Ok(());
        }
        let expansion = self.set.expansions[index];
        let Some(persistent) = self.persistent_sets.get(expansion.persistent_set as usize) else {
            return refuse(format!("state {index} names a persistent set that does not exist"));
        };
        let reduced = persistent.contains(&false);
        if reduced {
            self.reduction(&state, persistent)
                .or_else(|why| refuse(format!("state {index} leaves out threads, but {why}")))?;
        }
        let below = reduced.then_some(expansion.rank);
        let atomic = self.system.atomic_instance(&state);
        instances
            .filter(|&i| persistent[i] && atomic.is_none_or(|only| only == i))
            .try_for_each(|i| self.steps(index, &state, i, below))
    }

    /// (S) and (4) for one thread.
    fn steps(
        &self,
        index: usize,
        state: &State,
        instance: usize,
        below: Option<u32>,
    ) -> Result<(), Reason> {
        for edge in self.edges(state, instance) {
            let what = || {
                let name = self.system.program.instance_name(self.system.instances[instance]);
                format!("from state {index}, a successor by {name}")
            };
            let next = |values: &[Value]| {
                let mut values = values.iter();
                let mut choose = |_| values.next().copied().flatten();
                self.system.step(state, instance, edge, &mut choose)
            };
            let types = self.arbitrary(instance, edge);
            self.cover(&Goal { what: &what, types, state: &next, below })?;
        }
        Ok(())
    }

    /// (1) to (3) for a member whose persistent set is not all threads.
    fn reduction(&self, state: &State, persistent: &[bool]) -> Result<(), &'static str> {
        if self.system.atomic_instance(state).is_some() {
            return Err("a thread is in an atomic section");
        }
        let instances = 0..self.system.instances.len();
        let (ours, others): (Vec<usize>, Vec<usize>) = instances.partition(|&i| persistent[i]);
        let summary = |i: usize| self.summary(state, i);
        if ours.iter().any(|&i| summary(i).enters_atomic) {
            return Err("one of its persistent set may enter an atomic section");
        }
        let conflict = |i, other| summary(i).next.conflicts(&summary(other).future);
        if ours.iter().any(|&i| others.iter().any(|&other| conflict(i, other))) {
            return Err("one of these may come to conflict with one of its persistent set");
        }
        let is_plain = |i: usize, at: LocId| {
            self.system.template(i).locations[at.index()].kind == LocKind::Plain
        };
        let deadlocks = self.system.program.property.deadlocks;
        let is_enabled = |i: usize, edge| {
            self.system.may_be_enabled(state, i, edge)
                && !(deadlocks && self.system.may_be_closed(state, i, edge))
        };
        let can_move = |&i: &usize| {
            self.edges(state, i).any(|edge| is_plain(i, edge.target) && is_enabled(i, edge))
        };
        match ours.iter().any(can_move) {
            true => Ok(()),
            false => Err("none of its persistent set can move"),
        }
    }

    /// Is every state of the goal covered?
    fn cover(&self, goal: &Goal) -> Result<(), Reason> {
        let mut values = vec![ANY; goal.types.len()];
        self.cover_from(goal, &mut values, 0, &mut MAX_CHOICES.clone())
    }

    /// The same, with the values before `first` chosen. What is not covered as it
    /// is may still be covered for each value of the next small type.
    fn cover_from(
        &self,
        goal: &Goal,
        values: &mut [Value],
        first: usize,
        choices: &mut u32,
    ) -> Result<(), Reason> {
        self.budget.check()?;
        let Some(mut state) = (goal.state)(values) else { return Ok(()) };
        self.abstracted.iter().for_each(|cell| state.cells[*cell] = ANY);
        if self.is_covered(&state, goal.below) {
            return Ok(());
        }
        let next = (first..values.len()).find_map(|i| Some((i, small(goal.types[i])?)));
        let Some((next, (low, high))) = next else {
            return refuse(format!("{} is not in the set or its rank too high", (goal.what)()));
        };
        for value in low..=high {
            *choices -= 1;
            if *choices == 0 {
                return refuse(format!("{}: too many choices of arbitrary values", (goal.what)()));
            }
            values[next] = Some(value);
            self.cover_from(goal, values, next + 1, choices)?;
        }
        values[next] = ANY;
        Ok(())
    }

    fn is_covered(&self, state: &State, below: Option<u32>) -> bool {
        let mut words = vec![0; self.layout.words];
        let found = self.layout.pack(state, &mut words).and_then(|()| self.members.find(&words));
        let fits = |index: usize| below.is_none_or(|b| self.set.expansions[index].rank < b);
        found.is_some_and(|index| self.layout.unpacks_to(self.words(index), state) && fits(index))
    }

    /// A member, packed.
    fn words(&self, index: usize) -> &[u64] {
        &self.set.states[index * self.layout.words..][..self.layout.words]
    }

    fn edges(&self, state: &State, instance: usize) -> impl Iterator<Item = &Edge> {
        let edges = &self.system.template(instance).edges;
        self.summary(state, instance).edges.iter().map(|edge| &edges[edge.index()])
    }

    fn summary(&self, state: &State, instance: usize) -> &AccessSummary {
        self.summaries.of(instance, state.locations[instance])
    }

    /// The types of the arbitrary values a step takes, in order.
    fn arbitrary(&self, instance: usize, edge: &Edge) -> Vec<Type> {
        let mut types = Vec::new();
        for assign in edge.assigns.iter().filter(|assign| assign.value == Rhs::Havoc) {
            let (var, whole) = match &assign.place {
                ccfa::Place::Var(var) => (var, true),
                ccfa::Place::Element(var, _) => (var, false),
            };
            let var = self.system.var(instance, *var);
            types.extend(std::iter::repeat_n(var.ty, if whole { var.cells() } else { 1 }));
        }
        types
    }
}

/// The values of a type that has few.
fn small(ty: Type) -> Option<(i128, i128)> {
    ty.bounds().filter(|(low, high)| high - low < MAX_TRIED_VALUES)
}
