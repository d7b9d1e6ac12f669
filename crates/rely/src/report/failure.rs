//! What is wrong with the last state of an execution, in words: which assertion fails, which accesses race and with which locks,
//! who waits for what.

use super::undefined;
use super::{Failure, SourcePlace};
use ccfa::semantics::{State, System};
use ccfa::{
    Access, AccessKind, Bad, Call, CallId, Cell, Class, Details, Direction, ErrorKind, LocKind,
    LockOperation, Program, Span,
};
use evidence::Witness;
use std::collections::{BTreeSet, HashSet};

/// The kinds of errors that are no undefined behaviour: stable, one word.
pub const ASSERTION: &str = "assertion";
/// A function is called that must not be.
pub const CALL: &str = "call";
/// Two conflicting accesses are next.
pub const RACE: &str = "race";
/// No thread can move.
pub const DEADLOCK: &str = "deadlock";

/// What is wrong, the sentence that says it, and the places to show, each with what stands above it.
pub struct Told {
    pub failure: Failure,
    pub sentence: String,
    pub places: Vec<(String, Option<Span>)>,
    /// The property of SV-COMP that is violated, where its name says more than the question.
    pub subproperty: Option<&'static str>,
}

/// An execution that was replayed.
pub struct Replayed<'a> {
    pub system: &'a System<'a>,
    pub witness: &'a Witness,
    pub states: &'a [State],
    pub details: &'a Details,
}

/// Tells why the last state is bad.
pub fn tell(run: &Replayed, bad: &Bad) -> Option<Told> {
    let mut told = tell_bad(run, bad)?;
    let related = told.places.iter().skip(1).filter_map(|(above, span)| {
        let place = SourcePlace::of(run.system.program, (*span)?);
        Some((above.trim_end().trim_end_matches(':').to_string(), place))
    });
    told.failure.related = related.collect();
    Some(told)
}

fn tell_bad(run: &Replayed, bad: &Bad) -> Option<Told> {
    let last = run.states.last()?;
    match bad {
        Bad::Error { instance } | Bad::Undefined { instance } => at_location(run, last, *instance),
        Bad::Race(sides) => {
            let sides = sides.map(|side| {
                let (_, edge) =
                    run.system.next(last, side.instance).find(|(id, _)| *id == side.edge)?;
                let access = edge.accesses.get(side.access)?;
                Some((side.instance, access, access.span.or(edge.span), edge.call))
            });
            let [Some(one), Some(other)] = sides else { return None };
            race(run, last, one, other)
        }
        Bad::Deadlock => deadlock(run, last),
    }
}

/// What a bad location is called: stable, one word.
fn kind_id(kind: &LocKind) -> Option<&'static str> {
    match kind {
        LocKind::Error(ErrorKind::Assertion(_)) => Some(ASSERTION),
        LocKind::Error(ErrorKind::Call(_)) => Some(CALL),
        LocKind::Undefined(kind) => Some(kind.name()),
        LocKind::Plain | LocKind::Limit(..) => None,
    }
}

fn at_location(run: &Replayed, last: &State, instance: usize) -> Option<Told> {
    let location = run.system.location(last, instance);
    let (can, what, more, subproperty) = match &location.kind {
        LocKind::Error(what) => ("An error can be reached", what.to_string(), Vec::new(), None),
        LocKind::Undefined(kind) => {
            let is_leak = kind.class() == Class::Leaks;
            let can = if is_leak { "Memory can leak" } else { "Behaviour can be undefined" };
            let words = undefined::words(run, last, instance, *kind);
            (can, words.what, words.places, undefined::subproperty(*kind))
        }
        LocKind::Plain | LocKind::Limit(..) => return None,
    };
    let last_edge = run.witness.steps.last();
    let last_edge =
        last_edge.map(|step| &run.system.template(step.instance).edges[step.edge.index()]);
    let span = location.span.or(last_edge.and_then(|edge| edge.span));
    let failure = run.failure(kind_id(&location.kind)?, what, instance, span);
    let at = failure.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
    let sentence = format!("{can}: {}, in thread {}{at}", failure.what, failure.thread);
    let places = std::iter::once((String::new(), span)).chain(more).collect();
    Some(Told { failure, sentence, places, subproperty })
}

/// Who accesses what, where, in which call.
type Side<'a> = (usize, &'a Access, Option<Span>, Option<CallId>);

/// ", in f, called at a.c:7:3 in g, called at a.c:9:3": the calls that lead from the start of a thread to a step.
fn call_path(program: &Program, call: CallId) -> String {
    let called = |call: &Call| {
        let site = call.site.filter(|_| call.caller.is_some())?;
        Some(format!(" in {}, called at {}", call.function, SourcePlace::of(program, site)))
    };
    let calls: Vec<String> = program.call_path(call).filter_map(called).collect();
    if calls.is_empty() { String::new() } else { format!(",{}", calls.join(",")) }
}

fn race(run: &Replayed, last: &State, one: Side, other: Side) -> Option<Told> {
    // The one that writes is named first.
    let [first, second] = if one.1.writes() { [one, other] } else { [other, one] };
    let (instance, access, span, _) = first;
    let cell = run.cell_name(last, instance, access.cell()?);
    let told = |side: Side| {
        let at = side.2.map(|span| format!(" at {}", SourcePlace::of(run.system.program, span)));
        format!("thread {} {}{}", run.name(side.0), verb(side.1), at.unwrap_or_default())
    };
    let program = run.system.program;
    let sentence =
        format!("A data race can happen on {cell}: {}, and {}", told(first), told(second));
    let held = run.held();
    let above = |side: Side| {
        let locks: Vec<&str> = held[side.0].iter().map(String::as_str).collect();
        let locks = if locks.is_empty() { "no lock".to_string() } else { locks.join(", ") };
        let calls = side.3.map(|call| call_path(program, call)).unwrap_or_default();
        (format!("thread {}, which holds {locks}{calls}:\n", run.name(side.0)), side.2)
    };
    let failure = run.failure(RACE, format!("data race on {cell}"), instance, span);
    let places = vec![above(first), above(second)];
    Some(Told { failure, sentence, places, subproperty: None })
}

/// What an access does.
fn verb(access: &Access) -> &'static str {
    match &access.kind {
        AccessKind::Memory(Direction::Read, ..) if access.is_atomic() => "reads it atomically",
        AccessKind::Memory(Direction::Read, ..) => "reads it",
        AccessKind::Memory(..) if access.is_atomic() => "writes it atomically",
        AccessKind::Memory(..) => "writes it",
        AccessKind::Lock(..) => "uses it as a lock",
        AccessKind::Fence(_) | AccessKind::SignalFence(_) => "passes a fence",
    }
}

fn deadlock(run: &Replayed, last: &State) -> Option<Told> {
    let held = run.held();
    let waits = |instance: &usize| {
        let at = run.system.location(last, *instance);
        !at.resting && run.system.next(last, *instance).next().is_some()
    };
    let waiting: Vec<usize> = (0..run.system.instances.len()).filter(waits).collect();
    let place = |instance: &usize| {
        let lock = run.awaited_lock(last, *instance);
        let holder = lock.as_ref().and_then(|lock| held.iter().position(|all| all.contains(lock)));
        let whose = match holder {
            Some(holder) if holder == *instance => ", which it holds itself".to_string(),
            Some(holder) => format!(", which thread {} holds", run.name(holder)),
            None => String::new(),
        };
        let what = lock.map(|lock| format!(" for {lock}{whose}")).unwrap_or_default();
        let edge_span = || run.system.next(last, *instance).find_map(|(_, edge)| edge.span);
        let span = run.system.location(last, *instance).span.or_else(edge_span);
        (format!("thread {} waits{what}:\n", run.name(*instance)), span)
    };
    let places: Vec<(String, Option<Span>)> = waiting.iter().map(place).collect();
    let first = *waiting.first()?;
    let names: Vec<String> = waiting.iter().map(|instance| run.name(*instance)).collect();
    let waits = if names.len() == 1 { "waits" } else { "wait" };
    let failure = run.failure(DEADLOCK, "deadlock".to_string(), first, places[0].1);
    let sentence = format!(
        "A deadlock can happen: {} {waits} for ever, and no thread can move",
        names.join(", ")
    );
    Some(Told { failure, sentence, places, subproperty: None })
}

/// How the name of the part of a semaphore ends in which its model keeps how often it can be passed.
pub const COUNT_OF_SEMAPHORE: &str = ".value";

/// The lock, without the part of it in which we keep its state.
pub fn lock_name(cell: &str) -> String {
    cell.rsplit_once('.').map_or(cell, |(lock, _)| lock).to_string()
}

impl Replayed<'_> {
    pub fn name(&self, instance: usize) -> String {
        self.system.program.instance_name(self.system.instances[instance])
    }

    fn failure(
        &self,
        id: &'static str,
        what: String,
        instance: usize,
        span: Option<Span>,
    ) -> Failure {
        let place = span.map(|span| SourcePlace::of(self.system.program, span));
        let related = Vec::new();
        Failure { id, what, thread: self.name(instance), place, related }
    }

    fn cell_name(&self, state: &State, instance: usize, cell: &Cell) -> String {
        let program = self.system.program;
        let declared = &program.shared[cell.var.index()];
        match cell.index.as_ref().map(|index| self.system.eval(state, instance, index)) {
            Some(Ok(Some(index))) => program.cell_name(declared, index as u64),
            None if declared.len.is_none() => program.cell_name(declared, 0),
            _ => program.source_name(declared),
        }
    }

    /// The lock that an instance waits for: the one on which the atomic section operates that it waits to enter. `None` if
    /// there is none, or if it may be one of several.
    fn awaited_lock(&self, state: &State, instance: usize) -> Option<String> {
        let template = self.system.template(instance);
        let (mut waiting, mut seen) = (vec![state.locations[instance]], HashSet::new());
        let mut locks = BTreeSet::new();
        while let Some(at) = waiting.pop() {
            let is_new = seen.insert(at);
            for edge in template.edges.iter().filter(|edge| is_new && edge.source == at) {
                let cell = edge.accesses.iter().find_map(|access| match &access.kind {
                    AccessKind::Lock(_, cell) => Some(cell),
                    _ => None,
                });
                let name = cell.map(|cell| lock_name(&self.cell_name(state, instance, cell)));
                let goes_on = name.is_none() && template.locations[edge.target.index()].atomic;
                waiting.extend(goes_on.then_some(edge.target));
                locks.extend(name);
            }
        }
        if locks.len() == 1 { locks.pop_first() } else { None }
    }

    /// By instance: the locks it has taken and not given back. (A semaphore has no owner.)
    pub fn held(&self) -> Vec<Vec<String>> {
        let mut held = vec![Vec::new(); self.system.instances.len()];
        for (step, state) in self.witness.steps.iter().zip(self.states) {
            let edge = &self.system.template(step.instance).edges[step.edge.index()];
            for access in &edge.accesses {
                let AccessKind::Lock(operation, cell) = &access.kind else { continue };
                let cell = self.cell_name(state, step.instance, cell);
                if cell.ends_with(COUNT_OF_SEMAPHORE) {
                    continue;
                }
                let lock = lock_name(&cell);
                let own = &mut held[step.instance];
                match operation {
                    LockOperation::Acquire | LockOperation::AcquireShared => own.push(lock),
                    LockOperation::Release => {
                        own.iter().rposition(|other| *other == lock).map(|at| own.remove(at));
                    }
                    LockOperation::Wait | LockOperation::Signal | LockOperation::Broadcast => {}
                }
            }
        }
        held
    }
}
