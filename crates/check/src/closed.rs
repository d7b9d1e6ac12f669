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
//!   (so it stands for no less). Or the state is *between* members (below);
//!
//! of every member *m* whose persistent set P is not all threads (U: the others)
//!
//! - **(1)** `System::step` gives a state for some edge of a thread in P that leads to a plain
//!   location: the step may be enabled. If deadlocks are asked for, this thread is blocked in no concrete
//!   state that *m* stands for (`System::may_be_blocked`): it has an edge whose guard is not false there;
//! - **(2)** no thread of *m* is at an atomic location;
//! - **(3)** P is persistent in *m* (Godefroid, 1996, chapter 4; `ccfa::lookahead`): no edge of the first block of a thread in P,
//!   *enabled or not*, conflicts with a step that U can take while P stays where it is, or with an edge from an
//!   atomic location that U can come to so. A *block* is a step, and those that follow it as long as their thread is at an atomic location;
//! - **(4)** each member found in (S) has a smaller rank than *m*, and is *ranked*: no instance is at an atomic location, or its
//!   rank is not 0;
//!
//! and of every ranked member with a thread at an atomic location
//!
//! - **(5)** (1) and (4), of that thread, with no regard to deadlocks.
//!
//! (4) and (5) are the proviso against ignoring the threads of U for ever.
//!
//! # Why no wrong state is reachable
//!
//! Call a state *free* if no instance is at an atomic location. The *length* of a path is the number of its steps from free states. A path
//! from a free state is a sequence of blocks of one thread each, since only a thread at an atomic location may move.
//!
//! Claim: for no free member *m* and no concrete state *c* that *m* stands for is there
//! a path from *c* to a wrong state. That is what we want: an initial state is covered (I), and from one that
//! is not free all steps are followed (S), so that a wrong state is covered, against (B), or a free one on the way to it. Suppose there is
//! a path. Among all such *m*, *c* and paths π take one with the shortest π, and among
//! those one with the least rank of *m*. By (B), π is not empty; so all threads of *m* are at plain
//! locations.
//!
//! *π begins with a block of a thread in P.* By (S), for all steps of P from *m* and all steps from members that are not free, each state of
//! the block is covered. If π ends with it, a wrong state is, against (B). Else its last state is free, and a shorter path leads from there
//! to the wrong state: contradiction. So P is not all threads.
//!
//! *A thread in P moves in π, later.* Let *b* be the block of the first that does,
//! u₁…uₖ the steps before it, all of threads in U. The mover has not
//! moved yet, so *b* begins where it is in *c*. By (3) no uᵢ writes what an edge of a first block reads; so the steps of *b*, one after the other,
//! can be taken from *c* already (this is why disabled edges count in (3)), with the same values; by (2) no thread is at an atomic
//! location in *c*, so the mover may move. If π ends where the mover is at an atomic location or at one that is not plain, its last state is wrong because of
//! that, or because the mover is blocked there; so is the state after *b* from *c*, and *b* alone is a path that is no longer than π and begins with a block of P: that was
//! excluded. Otherwise *b* ends at a plain location that is not atomic, and
//! u₁…uₖ may be taken after it: at each of them the same threads are at atomic
//! locations as before. What they read and write is untouched, so b u₁…uₖ ends in the state in which
//! u₁…uₖ b ended, and the rest of π follows. The new path is as long as π, and begins
//! with a block of P: excluded.
//!
//! *Only threads of U move in π.* Let *s* be the wrong state where π ends. Take the
//! edge *t* of (1) and a member that covers what `System::step` gives for it; if it is not free, it is ranked: take the edge of (5) and a member that covers what that gives, and
//! so on. Ranks become smaller, so we come to a free member *m''*.
//! Let *c''* be *c* with the mover where it is in *m''*
//! and with some values that *m''* allows in what these edges write; *m''*
//! stands for *c''*. (Perhaps the edges are disabled in *c*; then
//! *c''* is perhaps not reachable, but the claim is about all that members stand
//! for. So (1) need not be certain.) These edges are of a first block as `ccfa::lookahead` follows it, with `ANY` in the cells that are so in every
//! member. From *c''*, all of π can be taken: by (3), what they
//! write π neither reads nor writes; by (2), no thread is at an atomic location
//! in *c*, nor the mover in *c''*, where it is at a plain location. π ends in a state *s''* then, which differs
//! from *s* in what the mover did. We show that *s''* is wrong; then *m''*, of smaller rank, and a path of the same length stand against the choice of *m*
//! and π. *s* is wrong
//!
//! - *because a thread is where the property is violated or the model ends*. It is a thread of U, since
//!   those of P are where they are in *c*; and it is there in *s''*, too.
//! - *because of a deadlock*. The thread of *t* has an edge whose guard is not false in *c* (1), and no uᵢ writes what this reads (3): the thread is not blocked in *s*. So
//!   it may not move there: a thread of U is at an atomic location, is blocked, has an edge
//!   and does not rest. All this is so in *s''*, since by (3) its edges, though disabled, read nothing that was written. So *s''* is a
//!   deadlock. ∎
//!
//! That duplicates in the set have two ranks does no harm: each is checked.
//!
//! # Between members
//!
//! A state to which a step of thread *i* leads may be left out of the set, if it fulfils all that is asked of a ranked member with the persistent set {*i*}, or at an
//! atomic location of *i* with all threads; if *i* can take one step there; and if that leads to a member, or to another state that is left out, of which
//! there are at most [`MAX_PASSED_STATES`] in a row. Add these states to the set: a closed one. For their ranks, take pairs, compared by their first numbers first. A member of rank
//! *r* has (*r*, 0), a state that is left out (*r*, *d*), where *d* is the number of steps to the next member and *r* the rank of that, which is ranked. So (4) and (5) hold of states that are left
//! out, and if they hold of the member before with regard to that next one, so they do with regard to the states between: (*r*, *d*) is less than (*s*, 0) where *r* is less than *s*.

use crate::describe::{uncovered, wrong};
use crate::members::Members;
use crate::refuse;
use ccfa::lookahead::Lookahead;
use ccfa::semantics::{ANY, State, System, Value};
use ccfa::{Budget, Edge, LocId, LocKind, Program, Rhs, Type};
use evidence::{Bits, ClosedSet, Expansion, Layout, MAX_PASSED_STATES, Reason, cell_types};

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
    if set.expansions.len() >= u32::MAX as usize
        || Some(set.states.len()) != set.expansions.len().checked_mul(layout.words)
    {
        return refuse("the closed set has not one expansion for each state");
    }
    let members = Members::new(&set.states, layout.words);
    let abstracted = abstracted(set, &layout);
    let ahead = Lookahead::new(&system, &abstracted);
    let checker = ClosedSetChecker { system, set, layout, members, abstracted, ahead, budget };
    checker.initial()?;
    (0..set.expansions.len()).try_for_each(|index| checker.member(index))
}

/// The cells that are `ANY` in every member.
fn abstracted(set: &ClosedSet, layout: &Layout) -> Vec<usize> {
    let is_any = |any: Bits| set.states.chunks_exact(layout.words).all(|state| any.get(state) == 1);
    let cells = layout.cells.iter().enumerate();
    cells.filter(|(_, cell)| cell.any.is_some_and(is_any)).map(|(number, _)| number).collect()
}

struct ClosedSetChecker<'a> {
    system: System<'a>,
    set: &'a ClosedSet,
    layout: Layout,
    members: Members<'a>,
    /// Cells that are `ANY` in every member.
    abstracted: Vec<usize>,
    ahead: Lookahead<'a>,
    budget: &'a Budget,
}

/// States that must be covered: one for each choice of some arbitrary values.
struct Goal<'g> {
    /// The member and the instance whose step leads there; `None` for initial states.
    from: Option<(usize, usize)>,
    /// The types of the values to choose.
    types: Vec<Type>,
    /// The state for a choice; `None` if there is none.
    state: &'g dyn Fn(&[Value]) -> Option<State>,
    /// The member that covers it must be ranked, below this.
    below: Option<u32>,
}

/// Types with at most so many values are tried value by value; all values of larger ones would be too many.
const MAX_TRIED_VALUES: i128 = 256;

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
        let goal = Goal { from: None, types, state: &state, below: None };
        self.cover(&goal, &mut vec![ANY; chosen.len()], 0)
    }

    /// (B), (S) and (1) to (5) for one member.
    fn member(&self, index: usize) -> Result<(), Reason> {
        let state = self.layout.unpack(self.words(index));
        let exists =
            |i: usize| state.locations[i].index() < self.system.template(i).locations.len();
        let instances = 0..self.system.instances.len();
        if !instances.clone().all(exists) {
            return refuse(format!("state {index} is at a location that does not exist"));
        }
        let Expansion { persistent_set, rank } = self.set.expansions[index];
        let Some(ours) = self.set.persistent_sets.get(persistent_set as usize) else {
            return refuse(format!("state {index} names a persistent set that does not exist"));
        };
        let (movers, others): (Vec<usize>, Vec<usize>) = instances.partition(|i| ours.contains(i));
        let is_ranked = || rank > 0 && self.system.atomic_instance(&state).is_some();
        let below = (!others.is_empty() || is_ranked()).then_some(rank);
        let movers = self.movers(index, &state, (&movers, &others), below.is_some())?;
        movers.into_iter().try_for_each(|i| self.steps(index, &state, i, below))
    }

    /// (B), (1), (2), (3) and (5) for a state from which some threads are followed and others are not. Who of them may move?
    fn movers(
        &self,
        index: usize,
        state: &State,
        (ours, others): (&[usize], &[usize]),
        is_ranked: bool,
    ) -> Result<Vec<usize>, Reason> {
        let system = &self.system;
        if system.limit(state).is_some() || system.bad(state).is_some() {
            return refuse(format!("state {index} {}", wrong(system, state)));
        }
        let ends = |i| system.location(state, i).kind != LocKind::Plain;
        if (0..system.instances.len()).any(ends) {
            return Ok(Vec::new());
        }
        let reduced = !others.is_empty();
        let is_atomic = || system.atomic_instance(state).is_some();
        if reduced && (is_atomic() || !self.ahead.is_persistent(state, ours, others)) {
            return refuse(format!(
                "state {index} is in an atomic section or leaves out conflicts"
            ));
        }
        let certain = reduced && system.program.property.deadlocks;
        let movers = ours.iter().copied().filter(|i| system.may_move(state, *i));
        if is_ranked && !movers.clone().any(|i| self.can_move(state, i, certain)) {
            return refuse(format!("state {index} has a rank, but no thread can move"));
        }
        Ok(movers.collect())
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
            let next = |values: &[Value]| {
                let mut values = values.iter();
                let mut choose = |_| values.next().copied().flatten();
                self.system.step(state, instance, edge, &mut choose)
            };
            let types = self.arbitrary(instance, edge);
            let goal = Goal { from: Some((index, instance)), types, state: &next, below };
            self.cover(&goal, &mut vec![ANY; goal.types.len()], 0)?;
        }
        Ok(())
    }

    /// (1): may a thread take a step to a plain location, and if `certain` is asked for, is it blocked in no concrete state?
    fn can_move(&self, state: &State, i: usize, certain: bool) -> bool {
        let is_plain =
            |at: LocId| self.system.template(i).locations[at.index()].kind == LocKind::Plain;
        let may_step = |edge| self.system.may_be_enabled(state, i, edge);
        self.edges(state, i).any(|edge| is_plain(edge.target) && may_step(edge))
            && !(certain && self.system.may_be_blocked(state, i))
    }

    /// Is every state of the goal covered, with the values before `first` chosen? What is not covered as it
    /// is may still be covered for each value of the next small type.
    fn cover(&self, goal: &Goal, values: &mut [Value], first: usize) -> Result<(), Reason> {
        self.budget.check()?;
        let Some(mut state) = (goal.state)(values) else { return Ok(()) };
        self.abstracted.iter().for_each(|cell| state.cells[*cell] = ANY);
        if self.is_covered(&state, goal.below) {
            return Ok(());
        }
        let few = |ty: Type| ty.bounds().filter(|(low, high)| high - low < MAX_TRIED_VALUES);
        let next = (first..values.len()).find_map(|i| Some((i, few(goal.types[i])?)));
        let Some((next, (low, high))) = next else {
            let between = |(_, by)| {
                self.is_between(&state, by, goal.below.unwrap_or(u32::MAX), MAX_PASSED_STATES)
            };
            return match goal.from.is_some_and(between) {
                true => Ok(()),
                false => refuse(uncovered(&self.system, goal.from)),
            };
        };
        for value in low..=high {
            values[next] = Some(value);
            self.cover(goal, values, next + 1)?;
        }
        values[next] = ANY;
        Ok(())
    }

    /// Is a state, to which a step of this instance has led, between members?
    fn is_between(&self, state: &State, by: usize, below: u32, left: u32) -> bool {
        let is_free = self.system.atomic_instance(state).is_none();
        let instances = 0..self.system.instances.len();
        let others: Vec<usize> = instances.filter(|i| is_free && *i != by).collect();
        let step = |edge| self.system.step(state, by, edge, &mut |_| ANY);
        let mut steps = self.edges(state, by).filter_map(step);
        let (Some(mut next), None) = (steps.next(), steps.next()) else { return false };
        self.abstracted.iter().for_each(|cell| next.cells[*cell] = ANY);
        left > 0
            && self.movers(0, state, (&[by], &others), true).is_ok_and(|movers| !movers.is_empty())
            && (self.is_covered(&next, Some(below)) || self.is_between(&next, by, below, left - 1))
    }

    fn is_covered(&self, state: &State, below: Option<u32>) -> bool {
        let mut words = vec![0; self.layout.words];
        let found = self.layout.pack(state, &mut words).and_then(|()| self.members.find(&words));
        let rank = |index: usize| self.set.expansions[index].rank;
        let has_rank = |index| rank(index) > 0 || self.system.atomic_instance(state).is_none();
        let fits = |index| below.is_none_or(|below| rank(index) < below && has_rank(index));
        found.is_some_and(|index| self.layout.unpacks_to(self.words(index), state) && fits(index))
    }

    /// A member, packed.
    fn words(&self, index: usize) -> &[u64] {
        &self.set.states[index * self.layout.words..][..self.layout.words]
    }

    fn edges(&self, state: &State, instance: usize) -> impl Iterator<Item = &Edge> {
        let edges = &self.system.template(instance).edges;
        let next = &self.ahead.summaries.of(instance, state.locations[instance]).edges;
        next.iter().map(|edge| &edges[edge.index()])
    }

    /// The types of the arbitrary values a step takes, in order.
    fn arbitrary(&self, instance: usize, edge: &Edge) -> Vec<Type> {
        let mut types = Vec::new();
        for assign in edge.assigns.iter().filter(|assign| assign.value == Rhs::Havoc) {
            let (var, index) = assign.place.parts();
            let var = self.system.var(instance, var);
            let cells = if index.is_none() { var.cells() } else { 1 };
            types.extend(std::iter::repeat_n(var.ty, cells));
        }
        types
    }
}
