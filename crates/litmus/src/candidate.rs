//! Candidate executions as evidence: what each thread was told, who reads from whom, and the coherence order. [`build`] makes
//! the graph of events of it, by running the threads again; [`verify`] believes nothing else.

use crate::run::{ThreadRun, Trace, run};
use crate::test::{Datum, LitmusTest, Observable};
use axioms::{
    Axioms, EventAction, EventRelation, EventTag, EventTags, Execution, MAX_EVENTS, MemoryEvent,
};

/// A candidate execution. Events are numbered: first the initial write of each location, then the events of the first thread, and so on.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What each thread was told, in the order in which it asked.
    pub choices: Vec<Vec<Datum>>,
    /// The write that each read reads from: write and read.
    pub reads_from: Vec<(usize, usize)>,
    /// For each location its writes, in coherence order.
    pub coherence: Vec<Vec<usize>>,
}

/// The graph of a candidate execution.
#[derive(Clone, Debug)]
pub struct CandidateGraph {
    /// Events and relations.
    pub execution: Execution,
    /// What each event reads or writes.
    pub values: Vec<Datum>,
    /// The instruction of each event: thread and number. (Initial writes have none.)
    pub origins: Vec<Option<(usize, usize)>>,
    /// The threads.
    pub traces: Vec<Trace>,
}

/// Builds the graph of events that these traces have: without communication.
pub(crate) fn graph(test: &LitmusTest, traces: Vec<Trace>) -> Option<CandidateGraph> {
    let initial = test.locations.len();
    let count = initial + traces.iter().map(|trace| trace.events.len()).sum::<usize>();
    if count > MAX_EVENTS {
        return None;
    }
    let none = EventRelation::empty(count);
    let mut events: Vec<MemoryEvent> = (0..initial).map(initial_write).collect();
    let mut values: Vec<Datum> = test.locations.iter().map(|place| place.initial).collect();
    let mut origins = vec![None; initial];
    let (mut addr, mut data, mut ctrl) = (none.clone(), none.clone(), none.clone());
    let (mut rmw, mut amo) = (none.clone(), none.clone());
    for (thread, trace) in traces.iter().enumerate() {
        let first = events.len();
        for (number, event) in trace.events.iter().enumerate() {
            let here = first + number;
            event.addr.iter().for_each(|read| addr.add(first + read, here));
            event.data.iter().for_each(|read| data.add(first + read, here));
            event.ctrl.iter().for_each(|read| ctrl.add(first + read, here));
            if let Some((read, one_instruction)) = event.rmw {
                rmw.add(first + read, here);
                one_instruction.then(|| amo.add(first + read, here));
            }
            let (action, location, tags) = (event.action, event.location, event.tags);
            events.push(MemoryEvent { thread: Some(thread), action, location, tags });
            values.push(event.value);
            origins.push(Some((thread, event.instruction)));
        }
    }
    let thread = |event: usize| events[event].thread;
    let po = EventRelation::of(count, |from, to| {
        from < to && thread(from).is_some() && thread(from) == thread(to)
    });
    let (rf, co) = (none.clone(), none);
    let execution = Execution { events, po, addr, data, ctrl, rmw, amo, rf, co };
    Some(CandidateGraph { execution, values, origins, traces })
}

fn initial_write(location: usize) -> MemoryEvent {
    MemoryEvent {
        thread: None,
        action: EventAction::Write,
        location: Some(location),
        tags: EventTags::of(&[EventTag::Initial]),
    }
}

/// Adds the pairs of a chain of writes: each comes before all later ones.
pub(crate) fn add_coherence(co: &mut EventRelation, order: &[usize]) {
    for (position, write) in order.iter().enumerate() {
        order[position + 1..].iter().for_each(|later| co.add(*write, *later));
    }
}

impl CandidateGraph {
    /// The final state: what the observables are.
    pub fn final_state(&self, test: &LitmusTest, coherence: &[Vec<usize>]) -> Vec<Datum> {
        let value = |observable: &Observable| match *observable {
            Observable::Register(thread, register) => self.traces[thread].registers[register.0],
            Observable::Location(location) => {
                let last = coherence[location].last();
                self.values[*last.expect("the initial write is in coherence order")]
            }
        };
        test.observed.iter().map(value).collect()
    }
}

/// Confirms that the candidate is an execution of the test that the axioms allow. Returns its graph, and the
/// final state. The threads are run again with the choices; each read has one write to read from, of the same location and value; coherence
/// is an order of all writes of each location, the initial one first; the axioms hold.
pub fn verify(
    test: &LitmusTest,
    axioms: &Axioms,
    candidate: &Candidate,
) -> Result<(CandidateGraph, Vec<Datum>), String> {
    if candidate.choices.len() != test.threads.len() {
        return Err("each thread has its choices".to_string());
    }
    let mut traces = Vec::new();
    for (code, choices) in test.threads.iter().zip(&candidate.choices) {
        match run(code, choices) {
            Ok(ThreadRun::Complete(trace)) => traces.push(trace),
            Ok(_) => return Err("a thread does not come to its end".to_string()),
            Err(limit) => return Err(limit.what),
        }
    }
    let mut graph = graph(test, traces).ok_or("there are too many events")?;
    communicate(&mut graph, candidate)?;
    if let Some(violation) = axioms.violated(&graph.execution) {
        return Err(format!("the axiom `{}` does not hold", violation.axiom));
    }
    let state = graph.final_state(test, &candidate.coherence);
    Ok((graph, state))
}

/// Adds reads-from and coherence, if they are what they should be.
fn communicate(graph: &mut CandidateGraph, candidate: &Candidate) -> Result<(), String> {
    let events = &graph.execution.events;
    let kind = |event: usize| events.get(event).map(|event| (event.action, event.location));
    let mut rf = EventRelation::empty(events.len());
    let mut has_source = vec![false; events.len()];
    for &(write, read) in &candidate.reads_from {
        let location = events.get(read).and_then(|event| event.location);
        let fits = kind(write) == Some((EventAction::Write, location))
            && kind(read) == Some((EventAction::Read, location));
        if !fits || graph.values[write] != graph.values[read] || has_source[read] {
            return Err("a read reads what was not written".to_string());
        }
        has_source[read] = true;
        rf.add(write, read);
    }
    let reads = (0..events.len()).filter(|event| events[*event].action == EventAction::Read);
    if !reads.clone().all(|read| has_source[read]) {
        return Err("a read reads from nowhere".to_string());
    }
    let mut co = EventRelation::empty(events.len());
    for (location, order) in candidate.coherence.iter().enumerate() {
        let written = |event: &usize| kind(*event) == Some((EventAction::Write, Some(location)));
        let writes = (0..events.len()).filter(written);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if order.first() != Some(&location) || !writes.eq(sorted) {
            return Err("coherence is no order of the writes of a location".to_string());
        }
        add_coherence(&mut co, order);
    }
    if candidate.coherence.len() != graph.values.len() - events_of_threads(graph) {
        return Err("each location has its coherence order".to_string());
    }
    (graph.execution.rf, graph.execution.co) = (rf, co);
    Ok(())
}

fn events_of_threads(graph: &CandidateGraph) -> usize {
    graph.traces.iter().map(|trace| trace.events.len()).sum()
}
