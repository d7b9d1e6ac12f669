//! SPARC's relaxed memory order as the manual defines it (SPARC v9, Appendix D): all memory orders of the events are tried, and a read has
//! the value of the latest write that is before it in memory order or in program order. No reads-from, no coherence.

use super::States;
use super::program::{Kind, Program};

struct Event {
    thread: usize,
    step: usize,
    location: usize,
    is_write: bool,
    value: i64,
    is_swap: bool,
}

/// All final states.
pub fn states(program: &Program) -> States {
    let mut events = Vec::new();
    for (thread, steps) in program.threads.iter().enumerate() {
        for (number, step) in steps.iter().enumerate() {
            let (location, value, is_swap) = (step.location, step.value, step.kind == Kind::Swap);
            let event =
                |is_write| Event { thread, step: number, location, is_write, value, is_swap };
            if step.reads() {
                events.push(event(false));
            }
            if step.writes() {
                events.push(event(true));
            }
        }
    }
    let count = events.len();
    let row = |first: usize| -> Vec<bool> {
        let in_order = |second| first < second && in_memory_order(program, &events, first, second);
        (0..count).map(in_order).collect()
    };
    let before: Vec<Vec<bool>> = (0..count).map(row).collect();
    let mut found = States::new();
    orders(program, &events, &before, &mut Vec::new(), &mut found);
    found
}

/// Is the earlier event of a thread before the later one in every memory order?
fn in_memory_order(program: &Program, events: &[Event], first: usize, second: usize) -> bool {
    let (a, b) = (&events[first], &events[second]);
    if a.thread != b.thread {
        return false;
    }
    let steps = &program.threads[a.thread];
    let fence = |mark: &str| (a.step..b.step).any(|step| steps[step].mark == mark);
    let same_location_then_write = a.location == b.location && b.is_write;
    let fenced = fence("MFENCE")
        || (fence("SFENCE") && a.is_write && b.is_write)
        || (fence("LFENCE") && !a.is_write && !b.is_write);
    same_location_then_write
        || fenced
        || a.is_swap
        || b.is_swap
        || (!a.is_write && depends(program, events, first, second))
}

/// Does the later event depend on the earlier one, through registers, branches and memory (D.3.3)?
fn depends(program: &Program, events: &[Event], first: usize, second: usize) -> bool {
    let directly = |a: usize, b: usize| {
        let (earlier, later) = (&events[a], &events[b]);
        if earlier.thread != later.thread || a >= b {
            return false;
        }
        let steps = &program.threads[later.thread];
        let step = &steps[later.step];
        let reads = |read: Option<usize>| !earlier.is_write && read == Some(earlier.step);
        let branches = (0..=later.step).any(|step| reads(steps[step].ctrl));
        reads(step.addr)
            || (later.is_write && reads(step.data))
            || (later.is_write && branches)
            || (earlier.is_write && !later.is_write && earlier.location == later.location)
    };
    directly(first, second)
        || (first + 1..second)
            .any(|middle| directly(first, middle) && depends(program, events, middle, second))
}

/// Tries all orders that begin with this one.
fn orders(
    program: &Program,
    events: &[Event],
    before: &[Vec<bool>],
    order: &mut Vec<usize>,
    found: &mut States,
) {
    if order.len() == events.len() {
        found.extend(state(program, events, order));
        return;
    }
    for next in 0..events.len() {
        let must_wait = |other: usize| before[other][next] && !order.contains(&other);
        if !order.contains(&next) && !(0..events.len()).any(must_wait) {
            order.push(next);
            orders(program, events, before, order, found);
            order.pop();
        }
    }
}

/// The final state of a memory order, unless a read-modify-write is torn apart.
fn state(program: &Program, events: &[Event], order: &[usize]) -> Option<Vec<i64>> {
    let position = |event: usize| order.iter().position(|other| *other == event);
    for (event, swap) in
        events.iter().enumerate().filter(|(_, event)| event.is_swap && !event.is_write)
    {
        let (from, to) = (position(event)?, position(event + 1)?);
        let between = &order[from + 1..to];
        let tears =
            |other: &usize| events[*other].is_write && events[*other].location == swap.location;
        if between.iter().any(tears) {
            return None;
        }
    }
    let mut registers = vec![Vec::new(); program.threads.len()];
    for (number, event) in events.iter().enumerate().filter(|(_, event)| !event.is_write) {
        let seen = |other: &&usize| {
            let write = &events[**other];
            let in_program_order = write.thread == event.thread && **other < number;
            write.is_write
                && write.location == event.location
                && (in_program_order || position(**other) < position(number))
        };
        let latest = order.iter().rev().find(seen);
        registers[event.thread].push(latest.map_or(0, |write| events[*write].value));
    }
    let last = |location: usize| {
        let writes = order
            .iter()
            .rev()
            .find(|event| events[**event].is_write && events[**event].location == location);
        writes.map_or(0, |write| events[*write].value)
    };
    let memory = (0..program.locations()).map(last);
    Some(registers.concat().into_iter().chain(memory).collect())
}
