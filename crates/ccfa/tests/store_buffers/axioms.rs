//! The models as axioms: all candidate executions of a litmus test, those that are consistent, their outcomes. Written apart from the transformation, after
//! J. Alglave, L. Maranget, M. Tautschnig (Herding cats. TOPLAS 2014, Section 4): an execution is who reads from whom (*rf*) and in which order each place
//! is written (*co*); a read comes before the writes that follow its own (*fr*).
//!
//! - Per place, program order, rf, co and fr have no cycle.
//! - Between the read and the write of an exchange no other thread writes.
//! - The global order: co, fr, rf between threads, and what the model keeps of program order, has no cycle.

use crate::litmus::{Instruction, Litmus, Outcome};
use ccfa::access::{Mode, Order};
use ccfa::store_buffers::StoreOrder;
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug)]
struct Event {
    /// `None`: the first value of a place.
    thread: Option<usize>,
    /// In the order of the program; the parts of an exchange have the same number.
    number: usize,
    place: usize,
    /// `None`: it reads.
    writes: Option<i128>,
    /// Part of an exchange, or a `seq_cst` write.
    is_locked: bool,
}

/// All outcomes of consistent executions.
pub fn outcomes(litmus: &Litmus, order: StoreOrder) -> BTreeSet<Outcome> {
    let mut search = Search { events: events(litmus), litmus, order, found: BTreeSet::new() };
    let reads: Vec<usize> = search.numbers(|event| event.writes.is_none());
    search.read(&reads, &mut Vec::new());
    search.found
}

fn events(litmus: &Litmus) -> Vec<Event> {
    let none = Event { thread: None, number: 0, place: 0, writes: Some(0), is_locked: false };
    let mut events: Vec<Event> = (0..litmus.places).map(|place| Event { place, ..none }).collect();
    for (thread, code) in litmus.threads.iter().enumerate() {
        for (number, instruction) in code.iter().enumerate() {
            let event = Event { thread: Some(thread), number, ..none };
            match *instruction {
                Instruction::Fence(_) => {}
                Instruction::Read(place) => events.push(Event { place, writes: None, ..event }),
                Instruction::Write(place, value, mode) => events.push(Event {
                    place,
                    writes: Some(value),
                    is_locked: mode == Mode::Atomic(Order::SeqCst),
                    ..event
                }),
                Instruction::Exchange(place, value) => {
                    let event = Event { place, is_locked: true, ..event };
                    events.push(Event { writes: None, ..event });
                    events.push(Event { writes: Some(value), ..event });
                }
            }
        }
    }
    events
}

struct Search<'l> {
    events: Vec<Event>,
    litmus: &'l Litmus,
    order: StoreOrder,
    found: BTreeSet<Outcome>,
}

type Pair = (usize, usize);

impl Search<'_> {
    fn numbers(&self, is_such: impl Fn(&Event) -> bool) -> Vec<usize> {
        (0..self.events.len()).filter(|number| is_such(&self.events[*number])).collect()
    }

    /// Chooses for each read whom it reads from.
    fn read(&mut self, reads: &[usize], rf: &mut Vec<Pair>) {
        let Some(&read) = reads.get(rf.len()) else {
            return self.order_writes(0, rf, &mut Vec::new());
        };
        let place = self.events[read].place;
        for write in self.numbers(|event| event.place == place && event.writes.is_some()) {
            rf.push((write, read));
            self.read(reads, rf);
            rf.pop();
        }
    }

    /// Chooses for each place in which order it is written.
    fn order_writes(&mut self, place: usize, rf: &[Pair], co: &mut Vec<Vec<usize>>) {
        if place == self.litmus.places {
            return self.judge(rf, co);
        }
        let is_write = |event: &Event| {
            event.place == place && event.writes.is_some() && event.thread.is_some()
        };
        for mut order in permutations(&self.numbers(is_write)) {
            order.insert(0, place);
            co.push(order);
            self.order_writes(place + 1, rf, co);
            co.pop();
        }
    }

    fn judge(&mut self, rf: &[Pair], co: &[Vec<usize>]) {
        let after = |write: usize| {
            let order = &co[self.events[write].place];
            let at = order.iter().position(|one| *one == write).expect("it is written");
            order[at + 1..].to_vec()
        };
        let mut common: Vec<Pair> = Vec::new();
        for order in co {
            common.extend(
                order.iter().flat_map(|one| after(*one).into_iter().map(|two| (*one, two))),
            );
        }
        for &(write, read) in rf {
            let own = |other: &usize| self.is_same_exchange(read, *other);
            let later = after(write);
            // The write of an exchange follows what it has read at once.
            if later.iter().position(own).is_some_and(|at| at > 0) {
                return;
            }
            common.extend(later.into_iter().filter(|other| !own(other)).map(|two| (read, two)));
        }
        let inside = |(one, two): &Pair| self.events[*one].thread == self.events[*two].thread;
        let program_order = self.program_order();
        let same_place = |&&(one, two): &&Pair| self.events[one].place == self.events[two].place;
        let per_place = program_order.iter().filter(same_place).chain(rf).chain(&common);
        let kept = program_order.iter().filter(|(one, two)| self.is_kept(*one, *two));
        let global = kept.chain(rf.iter().filter(|pair| !inside(pair))).chain(&common);
        if self.has_no_cycle(per_place) && self.has_no_cycle(global) {
            let value = |write: usize| self.events[write].writes.unwrap_or_default();
            let read = rf.iter().map(|(write, _)| value(*write));
            let last = co.iter().map(|order| order.last().map_or(0, |write| value(*write)));
            let outcome = read.chain(last).collect();
            self.found.insert(outcome);
        }
    }

    fn is_same_exchange(&self, one: usize, two: usize) -> bool {
        let (one, two) = (&self.events[one], &self.events[two]);
        one.thread.is_some() && (one.thread, one.number) == (two.thread, two.number)
    }

    fn program_order(&self) -> Vec<Pair> {
        let is_before = |&(one, two): &Pair| {
            self.events[one].thread.is_some()
                && self.events[one].thread == self.events[two].thread
                && one < two
        };
        let numbers = 0..self.events.len();
        numbers
            .clone()
            .flat_map(|one| numbers.clone().map(move |two| (one, two)))
            .filter(is_before)
            .collect()
    }

    /// Does the model keep the order of two accesses of a thread?
    fn is_kept(&self, one: usize, two: usize) -> bool {
        let (one, two) = (&self.events[one], &self.events[two]);
        let both_write = one.writes.is_some() && two.writes.is_some();
        let code = &self.litmus.threads[one.thread.expect("it is in the program")];
        let between = &code[one.number + 1..=two.number];
        let is_release = |order: &Order| matches!(order, Order::Release | Order::AcqRel);
        // A write that releases is a fence for writes, and the write.
        let orders_writes = |instruction: &Instruction| match instruction {
            Instruction::Fence(order) => is_release(order),
            Instruction::Write(_, _, Mode::Atomic(order)) => is_release(order),
            _ => false,
        };
        let stores_in_order = self.order == StoreOrder::Total || between.iter().any(orders_writes);
        one.writes.is_none()
            || (both_write && stores_in_order)
            || one.is_locked
            || two.is_locked
            || between.contains(&Instruction::Fence(Order::SeqCst))
    }

    fn has_no_cycle<'a>(&self, pairs: impl Iterator<Item = &'a Pair>) -> bool {
        let mut pairs: Vec<Pair> = pairs.copied().collect();
        let mut left: BTreeSet<usize> = (0..self.events.len()).collect();
        loop {
            let first = left.iter().copied().find(|one| pairs.iter().all(|(_, two)| two != one));
            let Some(first) = first else { return left.is_empty() };
            left.remove(&first);
            pairs.retain(|(one, _)| *one != first);
        }
    }
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (number, first) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(number);
        for mut order in permutations(&rest) {
            order.insert(0, *first);
            all.push(order);
        }
    }
    all
}
