//! All candidate executions of a test, up to what no model allows.
//!
//! A candidate is a trace of each thread, a write for each read to read from, and an order of the writes of each location.
//! Two things are left out early, since no model allows them:
//!
//! - traces with a read that nothing can be read from, given the traces of the threads so far and all traces of the others;
//! - for each location, reads-from and coherence with a cycle in `rf | co | fr | same`, where `same` is program order between accesses of
//!   the location that are not both reads. Every model has an axiom that forbids it: `sc-per-location` (RMO's is this one, the others' have
//!   more), `internal`, `coherence`, `sequential-consistency`. The cycle is about one location, so the locations are looked
//!   at one by one and all combinations of what is left are candidates.

use crate::candidate::{Candidate, CandidateGraph, add_coherence, graph};
use crate::run::Trace;
use crate::test::{Datum, LitmusTest};
use crate::traces::{reads_have_sources, written};
use axioms::{EventAction, EventRelation};
use ccfa::{Budget, Stop};
use std::collections::BTreeSet;

/// What hears of the candidates: the graph, with communication, and the candidate.
pub(crate) trait CandidateJudge {
    /// A candidate execution.
    fn judge(&mut self, graph: &mut CandidateGraph, candidate: &Candidate);
    /// Executions with too many events were left out.
    fn too_many_events(&mut self);
}

/// Tells of every candidate execution.
pub(crate) fn enumerate(
    test: &LitmusTest,
    traces: &[Vec<Trace>],
    budget: &Budget,
    judge: &mut dyn CandidateJudge,
) -> Result<(), Stop> {
    let writable = traces.iter().map(|traces| traces.iter().flat_map(written).collect()).collect();
    let mut enumeration = Enumeration { test, traces, writable, budget, judge };
    enumeration.threads(&mut Vec::new())
}

struct Enumeration<'e> {
    test: &'e LitmusTest,
    traces: &'e [Vec<Trace>],
    /// What each thread can write.
    writable: Vec<BTreeSet<(usize, Datum)>>,
    budget: &'e Budget,
    judge: &'e mut dyn CandidateJudge,
}

/// How the accesses of a location communicate.
#[derive(Clone)]
struct Communication {
    /// Writes and the reads that read from them.
    reads_from: Vec<(usize, usize)>,
    /// The writes, in order.
    order: Vec<usize>,
}

impl<'e> Enumeration<'e> {
    /// A trace for each thread, one after the other.
    fn threads(&mut self, chosen: &mut Vec<&'e Trace>) -> Result<(), Stop> {
        self.budget.check()?;
        let all = self.traces;
        let Some(traces) = all.get(chosen.len()) else {
            return self.communications(chosen);
        };
        for trace in traces {
            chosen.push(trace);
            if self.can_have_sources(chosen) {
                self.threads(chosen)?;
            }
            chosen.pop();
        }
        Ok(())
    }

    /// Can each read so far read from something, whatever the threads do that are still open?
    fn can_have_sources(&self, chosen: &[&Trace]) -> bool {
        let open = &self.writable[chosen.len()..];
        let is_written: BTreeSet<(usize, usize, Datum)> = (0..)
            .zip(chosen)
            .flat_map(|(thread, trace)| {
                written(trace).map(move |(place, value)| (thread, place, value))
            })
            .collect();
        (0..).zip(chosen).all(|(thread, trace)| {
            let others = |wanted: &(usize, Datum)| {
                let mut others = (0..chosen.len()).filter(|other| *other != thread);
                others.any(|other| is_written.contains(&(other, wanted.0, wanted.1)))
                    || open.iter().any(|values| values.contains(wanted))
            };
            reads_have_sources(self.test, trace, &others)
        })
    }

    /// All ways to communicate between these traces.
    fn communications(&mut self, chosen: &[&Trace]) -> Result<(), Stop> {
        let traces: Vec<Trace> = chosen.iter().map(|trace| (*trace).clone()).collect();
        let choices = traces.iter().map(|trace| trace.choices.clone()).collect();
        let Some(mut graph) = graph(self.test, traces) else {
            self.judge.too_many_events();
            return Ok(());
        };
        let mut ways = Vec::new();
        for location in 0..self.test.locations.len() {
            let found = self.of_location(&graph, location)?;
            if found.is_empty() {
                return Ok(());
            }
            ways.push(found);
        }
        let mut candidate = Candidate { choices, reads_from: Vec::new(), coherence: Vec::new() };
        self.combine(&mut graph, &ways, &mut candidate)
    }

    /// All combinations of what the locations can do.
    fn combine(
        &mut self,
        graph: &mut CandidateGraph,
        ways: &[Vec<Communication>],
        candidate: &mut Candidate,
    ) -> Result<(), Stop> {
        let Some((first, rest)) = ways.split_first() else {
            self.budget.check()?;
            self.judge.judge(graph, candidate);
            return Ok(());
        };
        let known = candidate.reads_from.len();
        for way in first {
            candidate.reads_from.extend(&way.reads_from);
            candidate.coherence.push(way.order.clone());
            self.combine(graph, rest, candidate)?;
            candidate.reads_from.truncate(known);
            candidate.coherence.pop();
        }
        Ok(())
    }

    /// All coherent ways to communicate through a location.
    fn of_location(
        &self,
        graph: &CandidateGraph,
        location: usize,
    ) -> Result<Vec<Communication>, Stop> {
        let events = &graph.execution.events;
        let accesses = (0..events.len()).filter(|event| events[*event].location == Some(location));
        let (reads, writes): (Vec<usize>, Vec<usize>) =
            accesses.partition(|event| events[*event].action == EventAction::Read);
        let mut found = Vec::new();
        let mut coherent = vec![(vec![writes[0]], writes[1..].to_vec())];
        while let Some((order, rest)) = coherent.pop() {
            self.budget.check()?;
            for (position, write) in rest.iter().enumerate() {
                // A write comes after those before it in program order, which have smaller numbers.
                let is_next = |other: &usize| graph.execution.po.contains(*other, *write);
                if !rest[..position].iter().any(is_next) {
                    let (mut longer, mut open) = (order.clone(), rest.clone());
                    longer.push(open.remove(position));
                    coherent.push((longer, open));
                }
            }
            if rest.is_empty() {
                self.sources(graph, &reads, &order, &mut found)?;
            }
        }
        Ok(found)
    }

    /// All ways to read, if the writes are in this order.
    fn sources(
        &self,
        graph: &CandidateGraph,
        reads: &[usize],
        order: &[usize],
        found: &mut Vec<Communication>,
    ) -> Result<(), Stop> {
        let mut open = vec![Vec::new()];
        while let Some(reads_from) = open.pop() {
            self.budget.check()?;
            let way = Communication { reads_from, order: order.to_vec() };
            if !is_coherent(graph, &way) {
                continue;
            }
            let Some(read) = reads.get(way.reads_from.len()) else {
                found.push(way);
                continue;
            };
            for write in order.iter().filter(|write| graph.values[**write] == graph.values[*read]) {
                let mut longer = way.reads_from.clone();
                longer.push((*write, *read));
                open.push(longer);
            }
        }
        Ok(())
    }
}

/// Has it no cycle in `rf | co | fr | same`?
fn is_coherent(graph: &CandidateGraph, way: &Communication) -> bool {
    let execution = &graph.execution;
    let is_read = |event: usize| execution.events[event].action == EventAction::Read;
    let accesses: Vec<usize> =
        way.order.iter().copied().chain(way.reads_from.iter().map(|(_, read)| *read)).collect();
    let mut order = EventRelation::empty(execution.events.len());
    for &from in &accesses {
        for &to in &accesses {
            if execution.po.contains(from, to) && !(is_read(from) && is_read(to)) {
                order.add(from, to);
            }
        }
    }
    add_coherence(&mut order, &way.order);
    for &(write, read) in &way.reads_from {
        order.add(write, read);
        let later = way.order.iter().skip_while(|other| **other != write).skip(1);
        later.for_each(|later| order.add(read, *later));
    }
    order.is_acyclic()
}
