//! All traces of all threads that can be part of an execution.
//!
//! A read may read whatever is ever written to its location. What can be written is found in rounds: at first
//! memory holds the initial values; each round runs the threads with every value that was found before, and adds what
//! they write. **Why that finds everything:** in every model of the table, what a write depends on (through registers, addresses and
//! branches, and from writes to the reads that read from them) has no cycle: this is `no-thin-air` of Power and C11, and part of
//! `sequential-consistency`, `propagation` and `external` of the others, which order dependencies from reads to
//! writes. So the writes of an execution can be put in an order in which each depends on earlier ones only, and the value of the n-th is found
//! after n rounds. There are no more writes than instructions that write.
//!
//! One exception: on ARMv8, whether a compare-and-swap writes depends on what it expects, and what its own thread reads back from that write is not ordered
//! after this by our axioms. Executions in which values depend on themselves in this way are left out, if no round finds their values;
//! the manual forbids them (B2.3, pick-ordered-before).

use crate::run::{LitmusLimit, ThreadRun, Trace, run};
use crate::test::{Architecture, Datum, LitmusTest, Operation};
use axioms::EventAction;
use ccfa::{Budget, Stop};
use std::collections::BTreeSet;

/// The traces of each thread, and what was met that is beyond us.
pub(crate) struct AllTraces {
    pub threads: Vec<Vec<Trace>>,
    pub limits: BTreeSet<LitmusLimit>,
    /// Were rounds of loops left out?
    pub waits: bool,
}

/// Values by location.
type Written = BTreeSet<(usize, Datum)>;

pub(crate) fn all_traces(test: &LitmusTest, budget: &Budget) -> Result<AllTraces, Stop> {
    let initial = test.locations.iter().enumerate().map(|(place, known)| (place, known.initial));
    let mut values: Written = initial.collect();
    let instructions = test.threads.iter().flat_map(|code| &code.instructions);
    let writes = instructions.filter(|instruction| can_write(&instruction.operation)).count();
    for _ in 0..writes {
        let found = traces_with(test, &values, budget)?;
        let before = values.len();
        values.extend(found.threads.iter().flatten().flat_map(written));
        if values.len() == before {
            break;
        }
    }
    let mut found = traces_with(test, &values, budget)?;
    mixed_sizes(test, &mut found);
    while leave_out(test, &mut found.threads) {}
    Ok(found)
}

/// Is a race undefined behaviour?
pub(crate) fn asks_for_races(test: &LitmusTest) -> bool {
    test.architecture == Architecture::C
}

fn can_write(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Store { .. } | Operation::StoreExclusive { .. } | Operation::Modify(_)
    )
}

/// What a trace writes.
pub(crate) fn written(trace: &Trace) -> impl Iterator<Item = (usize, Datum)> {
    let writes = trace.events.iter().filter(|event| event.action == EventAction::Write);
    writes.filter_map(|event| Some((event.location?, event.value)))
}

/// All traces of threads whose reads read these values.
fn traces_with(test: &LitmusTest, values: &Written, budget: &Budget) -> Result<AllTraces, Stop> {
    let mut found = AllTraces { threads: Vec::new(), limits: BTreeSet::new(), waits: false };
    for code in &test.threads {
        let mut traces = Vec::new();
        let mut open: Vec<Vec<Datum>> = vec![Vec::new()];
        while let Some(choices) = open.pop() {
            budget.check()?;
            let mut choose = |value: Datum| {
                let mut longer = choices.clone();
                longer.push(value);
                open.push(longer);
            };
            match run(code, &choices) {
                Ok(ThreadRun::Complete(trace)) => traces.push(trace),
                Ok(ThreadRun::Reads(location)) => {
                    let of_location = values.iter().filter(|(place, _)| *place == location);
                    of_location.for_each(|(_, value)| choose(*value));
                }
                Ok(ThreadRun::Repeats(place)) if asks_for_races(test) => {
                    let what = "a loop, in a test that asks for races".to_string();
                    found.limits.insert(LitmusLimit { place, what });
                }
                Ok(ThreadRun::Repeats(_)) => found.waits = true,
                Ok(ThreadRun::MayFail) => [0, 1].map(Datum::Number).into_iter().for_each(choose),
                Err(limit) => {
                    found.limits.insert(limit);
                }
            }
        }
        found.threads.push(traces);
    }
    Ok(found)
}

/// Accesses of one location with different sizes see parts of values: that is beyond us.
fn mixed_sizes(test: &LitmusTest, found: &mut AllTraces) {
    let mut sizes = vec![None; test.locations.len()];
    for (code, traces) in test.threads.iter().zip(&found.threads) {
        for event in traces.iter().flat_map(|trace| &trace.events) {
            let Some(location) = event.location else { continue };
            if *sizes[location].get_or_insert(event.bytes) != event.bytes {
                let name = &test.locations[location].name;
                let what = format!("`{name}` is accessed with several sizes");
                let place = code.instructions[event.instruction].place;
                found.limits.insert(LitmusLimit { place, what });
            }
        }
    }
}

/// Leaves out traces with a read that nothing can be read from: not the last write before it in its own thread, no other thread's write, not the
/// initial one (which a thread that has written does not see any more). Every model has coherence at least between a write and a later
/// read of its thread. Returns whether there were any.
fn leave_out(test: &LitmusTest, threads: &mut [Vec<Trace>]) -> bool {
    let written: Vec<Written> =
        threads.iter().map(|traces| traces.iter().flat_map(written).collect()).collect();
    let mut left_out = false;
    for (thread, traces) in threads.iter_mut().enumerate() {
        let others = |wanted: &(usize, Datum)| {
            let mut others = written.iter().enumerate().filter(|(other, _)| *other != thread);
            others.any(|(_, values)| values.contains(wanted))
        };
        let before = traces.len();
        traces.retain(|trace| reads_have_sources(test, trace, &others));
        left_out |= traces.len() < before;
    }
    left_out
}

/// Has each read of the trace a write to read from, in its own thread, at the start or among those of `others`?
pub(crate) fn reads_have_sources(
    test: &LitmusTest,
    trace: &Trace,
    others: &dyn Fn(&(usize, Datum)) -> bool,
) -> bool {
    let mut own: Vec<Datum> = test.locations.iter().map(|place| place.initial).collect();
    trace.events.iter().all(|event| match (event.action, event.location) {
        (EventAction::Read, Some(location)) => {
            own[location] == event.value || others(&(location, event.value))
        }
        (EventAction::Write, Some(location)) => {
            own[location] = event.value;
            true
        }
        _ => true,
    })
}
