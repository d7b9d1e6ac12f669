//! What is asked of a program: which of its states are **bad**. **Trusted.**
//!
//! There is one definition, [`System::bad`]; every kind of proof and the replay of witnesses are
//! checked against it. A program has the property if no reachable state is bad and none is a limit.
//! For a state, in this order:
//!
//! 1. **Limit.** Some instance is at a location that is a model limit ([`LocKind::Limit`]), or undefined
//!    behaviour of a class that is not asked for. What the program does from there on is not known. The
//!    state is not bad, whatever the others do, but SAFE is no answer where it can be reached
//!    ([`System::limit`]).
//! 2. **Error.** Some instance is at an error location. If errors are asked for, the state is bad. If
//!    not, the program has ended there, as `abort` ends it: nothing after it is looked at.
//! 3. **Undefined behaviour** of a class that is asked for, at the location of some instance: bad.
//! 4. **Race**, if asked for: two different instances, of which one can move now and the other is at a location that is
//!    not atomic; each has an edge that can be taken now (if it were its turn); and an access of the one conflicts with an access
//!    of the other ([`Access::conflicts`]) and is to the same cell, with indices evaluated in this state. So what is accessed in
//!    an atomic section races with what others access outside of one, and two atomic sections do not race. This is the
//!    "type 1" data race of Boehm and Adve (PLDI 2008): conflicting accesses that are adjacent in a
//!    sequentially consistent execution. For programs whose atomics are sequentially consistent it is the
//!    race of C11 (5.1.2.4), provided that each access is a step of its own. A race between accesses at two places of the source that is
//!    known already ([`Property::known_races`]) is not asked for: the execution goes on, and another one may follow. Proofs speak of the program in which
//!    races are errors ([`crate::races`]).
//! 5. **Deadlock**, if asked for: every instance that may move (the one at an atomic location, if there is one; else all) is *blocked*: the
//!    guards of all edges from where it is are defined and false. And one of them *waits*: it has not *ended* (its location has edges) and
//!    does not *rest* ([`Location::resting`]: a thread that was never created waits for ever, and
//!    that is no fault). Of each parameterised thread, some instance is at its entry: there are always more of them, and if these could begin, it would be no
//!    deadlock. So an atomic location without edges, which is the end of the program, is no deadlock. Nor is an edge that is not
//!    taken because something it evaluates has no value: who makes the program sees to it that undefined behaviour is reached before.
//!    Proofs speak of this program, of the one in which deadlocks are errors ([`crate::deadlocks`]), or of one in which it is an error to take
//!    resources out of order ([`crate::resource_order`]).
//!
//! No step leaves a state in which some instance is at a location that is not plain: nothing that
//! comes later is looked at.
//!
//! On concrete states all of this is exact. A state with `ANY` stands for many, and is bad if one of them might
//! be: an edge that *may* be enabled can race, indices that *may* be equal are the same cell, and edges
//! whose guards *may* be false, each by itself, do not prevent a deadlock, unless one of them can be taken whatever the values are, since conjuncts
//! of theirs are opposite ([`System::may_be_blocked`]).

use crate::access::Access;
use crate::deadlocks::one_is_open;
use crate::expr::Expr;
use crate::program::{Count, Edge, EdgeId, LocKind, Location, ThreadId};
use crate::semantics::{ANY, State, System};
use crate::source::Span;
use crate::undefined::Class;
use std::collections::BTreeSet;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Is an error location bad?
    pub errors: bool,
    /// Undefined behaviour of these classes is bad.
    pub undefined: BTreeSet<Class>,
    /// Is a data race bad?
    pub races: bool,
    /// Is a deadlock bad?
    pub deadlocks: bool,
    /// Races between accesses at these two places, the smaller first, are known and not bad.
    pub known_races: BTreeSet<[Span; 2]>,
}

impl Default for Property {
    /// Error locations only.
    fn default() -> Property {
        let (undefined, known_races) = (BTreeSet::new(), BTreeSet::new());
        Property { errors: true, undefined, races: false, deadlocks: false, known_races }
    }
}

/// Why a state is bad. Instances are indices into `System::instances`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bad {
    /// This instance is at an error location.
    Error {
        /// Who.
        instance: usize,
    },
    /// This instance is at undefined behaviour that is asked for.
    Undefined {
        /// Who.
        instance: usize,
    },
    /// Two accesses that conflict are both next.
    Race([Racing; 2]),
    /// No instance can move.
    Deadlock,
}

/// One side of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Racing {
    /// Who.
    pub instance: usize,
    /// With which step.
    pub edge: EdgeId,
    /// With which of the step's accesses: index into `Edge::accesses`.
    pub access: usize,
}

impl Property {
    /// Is a race between accesses at these places known?
    pub fn knows_race(&self, one: Option<Span>, other: Option<Span>) -> bool {
        let pair = one.zip(other).map(|(one, other)| [one.min(other), one.max(other)]);
        pair.is_some_and(|pair| self.known_races.contains(&pair))
    }

    /// Is a state bad because an instance is at a location of this kind?
    pub fn is_violated_at(&self, kind: &LocKind) -> bool {
        match kind {
            LocKind::Plain | LocKind::Limit(..) => false,
            LocKind::Error(_) => self.errors,
            LocKind::Undefined(kind) => self.undefined.contains(&kind.class()),
        }
    }

    /// Must no instance come to a location of this kind, if the property is to hold?
    pub fn forbids(&self, kind: &LocKind) -> bool {
        self.is_violated_at(kind) || self.is_limit(kind)
    }

    /// Is it not known what the program does from a location of this kind on?
    pub fn is_limit(&self, kind: &LocKind) -> bool {
        match kind {
            LocKind::Plain | LocKind::Error(_) => false,
            LocKind::Limit(..) => true,
            LocKind::Undefined(_) => !self.is_violated_at(kind),
        }
    }
}

impl System<'_> {
    /// Why a state is bad, if it is.
    pub fn bad(&self, state: &State) -> Option<Bad> {
        let property = &self.program.property;
        if self.limit(state).is_some() {
            return None;
        }
        let is_error = |at: &Location| matches!(at.kind, LocKind::Error(_));
        if let Some(instance) = self.find(state, is_error) {
            return property.errors.then_some(Bad::Error { instance });
        }
        if let Some(instance) = self.find(state, |at| property.is_violated_at(&at.kind)) {
            return Some(Bad::Undefined { instance });
        }
        let race = || property.races.then(|| self.race(state)).flatten();
        let deadlock = || (property.deadlocks && self.is_deadlock(state)).then_some(Bad::Deadlock);
        race().map(Bad::Race).or_else(deadlock)
    }

    /// An instance that is where the model ends, if one is.
    pub fn limit(&self, state: &State) -> Option<usize> {
        self.find(state, |at| self.program.property.is_limit(&at.kind))
    }

    /// The first instance whose location is such.
    fn find(&self, state: &State, is_such: impl Fn(&Location) -> bool) -> Option<usize> {
        (0..self.instances.len()).find(|instance| is_such(self.location(state, *instance)))
    }

    /// The location of an instance.
    pub fn location(&self, state: &State, instance: usize) -> &Location {
        &self.template(instance).locations[state.locations[instance].index()]
    }

    /// The edges that leave the location of an instance.
    pub fn next(&self, state: &State, instance: usize) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let at = state.locations[instance];
        let edges = self.template(instance).edges.iter().enumerate();
        edges
            .filter(move |(_, edge)| edge.source == at)
            .map(|(number, edge)| (EdgeId(number as u32), edge))
    }

    /// Two conflicting accesses that are both next.
    fn race(&self, state: &State) -> Option<[Racing; 2]> {
        let instances = 0..self.instances.len();
        let next: Vec<(Racing, &Access)> =
            instances.flat_map(|instance| self.next_accesses(state, instance)).collect();
        let races = |(one, a): (Racing, &Access), (other, b): (Racing, &Access)| {
            let may_move = |racing: Racing| self.may_move(state, racing.instance);
            let apart = one.instance != other.instance && (may_move(one) || may_move(other));
            let is_known = self.program.property.knows_race(a.span, b.span);
            apart && a.conflicts(b) && !is_known && self.meet(state, one, other, a, b)
        };
        let second = |number: usize| {
            let mut others = next[number + 1..].iter();
            others.find(|other| races(next[number], **other)).map(|other| [next[number].0, other.0])
        };
        (0..next.len()).find_map(second)
    }

    /// The accesses of the steps that an instance may take next.
    fn next_accesses(&self, state: &State, instance: usize) -> Vec<(Racing, &Access)> {
        let mut accesses = Vec::new();
        for (id, edge) in self.next(state, instance) {
            if edge.accesses.is_empty() || !self.may_be_enabled(state, instance, edge) {
                continue;
            }
            let racing = |access| Racing { instance, edge: id, access };
            accesses.extend(edge.accesses.iter().enumerate().map(|(n, a)| (racing(n), a)));
        }
        accesses
    }

    /// May two accesses to one variable be to the same cell of it?
    fn meet(&self, state: &State, one: Racing, other: Racing, a: &Access, b: &Access) -> bool {
        let index = |racing: Racing, access: &Access| {
            let index = access.cell()?.index.as_ref()?;
            Some(self.eval(state, racing.instance, index))
        };
        match (index(one, a), index(other, b)) {
            (Some(Ok(Some(a))), Some(Ok(Some(b)))) => a == b,
            // An index without value is none; anything else may be any element.
            (a, b) => !matches!(a, Some(Err(_))) && !matches!(b, Some(Err(_))),
        }
    }

    /// Are all instances that may move blocked, though one of them has neither ended nor rests?
    fn is_deadlock(&self, state: &State) -> bool {
        let may_move = |i: &usize| self.may_move(state, *i);
        let has_ended = |i| self.next(state, i).next().is_none();
        let waits = |i| !has_ended(i) && !self.location(state, i).resting;
        // Who waits for others to end most often comes first: the others are asked before.
        let instances = || (0..self.instances.len()).rev().filter(may_move);
        let waiting = instances().all(|i| self.may_be_blocked(state, i)) && instances().any(waits);
        let rests = |i: &usize| state.locations[*i] == self.template(*i).entry;
        let spares = || (0..self.instances.len()).filter(rests).map(|i| self.instances[i].thread);
        let mut threads = self.program.threads.iter().zip((0..).map(ThreadId));
        waiting && threads.all(|(t, id)| t.count != Count::Any || spares().any(|s| s == id))
    }

    /// May the guards of all edges from where an instance is be defined and false? Exact on concrete states.
    pub fn may_be_blocked(&self, state: &State, instance: usize) -> bool {
        let value = |part: &Expr| self.eval(state, instance, part);
        let is_open = |part: &&Expr| !matches!(value(part), Ok(Some(0) | ANY));
        let mut unknown = Vec::new();
        for (_, Edge { guard, .. }) in self.next(state, instance) {
            let parts = || guard.conjuncts().into_iter().filter(|part| !is_open(part));
            match value(guard) {
                Ok(Some(0)) => {}
                Ok(ANY) => unknown.push(parts().collect()),
                _ => return false,
            }
        }
        !one_is_open(unknown)
    }

    /// May this edge of an instance be taken, if the instance is there and may move? Exact on concrete states.
    pub fn may_be_enabled(&self, state: &State, instance: usize, edge: &Edge) -> bool {
        self.step(state, instance, edge, &mut |_| ANY).is_some()
    }
}
