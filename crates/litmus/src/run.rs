//! What a thread does by itself, if it is told what its reads read: its events in program order with
//! their dependencies ("Herding cats", Section 3.1, instruction semantics). Each register remembers the reads on
//! which its value depends, through whatever was computed: `xor r,r` is zero and depends on `r`.
//!
//! After a compare-and-swap of ARMv8 that succeeds, the result is what was expected: it does not depend on what was read as data does, but
//! as if there were a branch (Arm Architecture Reference Manual, B2.3, pick dependencies). Such reads are *picked*: they order later writes
//! that use the result, all writes after an access whose address uses it, and nothing else.

use crate::repeat::{RESERVATION, loop_heads};
use crate::test::{
    Datum, Instruction, LitmusAccess, Modification, Operation, Register, RegisterTerm, TextPlace,
    ThreadCode, WordOperator,
};
use axioms::{EventAction, EventSet, EventTags, MAX_EVENTS};
use std::collections::{BTreeMap, BTreeSet};

/// What happens if a thread runs with these choices.
#[derive(Clone, Debug)]
pub enum ThreadRun {
    /// It ends.
    Complete(Trace),
    /// It reads this location, and no choice is left that says what.
    Reads(usize),
    /// Something may fail or not: 1 or 0 is to be chosen.
    MayFail,
    /// It comes back to the head of a loop as it came there (see `repeat`), by the branch at this place.
    Repeats(TextPlace),
}

/// A thread from its beginning to its end.
#[derive(Clone, Debug)]
pub struct Trace {
    /// What was chosen: the values of its reads, and 1 or 0 for what may fail.
    pub choices: Vec<Datum>,
    /// Its events, in program order.
    pub events: Vec<TraceEvent>,
    /// What its registers hold in the end.
    pub registers: Vec<Datum>,
}

/// An event of a thread. Sets of events are of this thread's, by their numbers.
#[derive(Clone, Debug)]
pub struct TraceEvent {
    /// What it does.
    pub action: EventAction,
    /// What it accesses.
    pub location: Option<usize>,
    /// What it reads or writes.
    pub value: Datum,
    /// How many bytes it accesses.
    pub bytes: u8,
    /// What else models distinguish.
    pub tags: EventTags,
    /// The reads that its address depends on,
    pub addr: EventSet,
    /// its value depends on,
    pub data: EventSet,
    /// and branches before it depend on.
    pub ctrl: EventSet,
    /// If it is the write of a read-modify-write: the read, and whether both are one instruction.
    pub rmw: Option<(usize, bool)>,
    /// The number of its instruction.
    pub instruction: usize,
}

/// What a test does that is beyond us, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LitmusLimit {
    /// Where.
    pub place: TextPlace,
    /// What.
    pub what: String,
}

/// Numbers beyond this are not computed with: registers of 32 bits would wrap around.
const MAX_NUMBERS: i64 = i32::MAX as i64;

/// Runs a thread. It goes as far as the choices say.
pub fn run(code: &ThreadCode, choices: &[Datum]) -> Result<ThreadRun, LitmusLimit> {
    let registers = code.start.iter().map(|start| (*start, Taint::default())).collect();
    let mut thread = Running {
        choices,
        used: 0,
        registers,
        events: Vec::new(),
        branches: EventSet::default(),
        reservation: None,
        next: 0,
        heads: loop_heads(code),
        arrivals: BTreeMap::new(),
    };
    while let Some(instruction) = code.instructions.get(thread.next) {
        let limit = |what: String| LitmusLimit { place: instruction.place, what };
        thread.pass();
        match thread.step(instruction) {
            Ok(()) => {}
            Err(Pause::Reads(location)) => return Ok(ThreadRun::Reads(location)),
            Err(Pause::MayFail) => return Ok(ThreadRun::MayFail),
            Err(Pause::Repeats) => return Ok(ThreadRun::Repeats(instruction.place)),
            Err(Pause::Limit(what)) => return Err(limit(what)),
        }
        if thread.events.len() >= MAX_EVENTS {
            return Err(limit(format!("a thread has more than {MAX_EVENTS} events")));
        }
    }
    let registers = thread.registers.iter().map(|(value, _)| value.unwrap_or(Datum::Number(0)));
    let registers = registers.collect();
    Ok(ThreadRun::Complete(Trace { choices: choices.to_vec(), events: thread.events, registers }))
}

/// Why a step is not taken.
enum Pause {
    Reads(usize),
    MayFail,
    Repeats,
    Limit(String),
}

/// The reads that a value depends on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Taint {
    /// Its bits do.
    direct: EventSet,
    /// Only whether it is this value does.
    picked: EventSet,
}

impl Taint {
    fn all(self) -> EventSet {
        self.direct | self.picked
    }
}

/// A value, and the reads that it depends on.
type Tainted = (Datum, Taint);

struct Running<'c> {
    choices: &'c [Datum],
    /// How many choices are used up.
    used: usize,
    registers: Vec<(Option<Datum>, Taint)>,
    events: Vec<TraceEvent>,
    /// The reads that the branches so far depend on.
    branches: EventSet,
    /// The last exclusive load, and its location.
    reservation: Option<(usize, usize)>,
    /// The number of the next instruction.
    next: usize,
    /// The heads of loops, and the registers that are live there.
    heads: BTreeMap<usize, BTreeSet<Register>>,
    /// How the thread came to these so far: once, since it stops before it comes there again.
    arrivals: BTreeMap<usize, Arrival>,
}

/// How a thread came to the head of a loop.
struct Arrival {
    /// The registers that are live there,
    registers: Vec<(Option<Datum>, Taint)>,
    /// and the reservation, if it is.
    reservation: Option<(usize, usize)>,
    /// How many events there were.
    events: usize,
}

impl Running<'_> {
    fn step(&mut self, instruction: &Instruction) -> Result<(), Pause> {
        let here = self.next;
        match &instruction.operation {
            Operation::Set { register, value } => {
                let (value, taint) = self.evaluate(value)?;
                self.set(*register, value, taint);
            }
            Operation::Load { register, access, exclusive } => {
                let (event, location) = self.read(access, access.tags)?;
                self.reservation =
                    if *exclusive { Some((event, location)) } else { self.reservation };
                self.set(*register, self.events[event].value, direct(event));
            }
            Operation::Store { value, access } => {
                let value = self.evaluate(value)?;
                self.write(access, access.tags, value, None)?;
            }
            Operation::StoreExclusive { status, success, failure, value, access } => {
                let stored = self.store_exclusive(value, access)?;
                let status_value = if stored { *success } else { *failure };
                self.set(*status, Datum::Number(status_value), Taint::default());
            }
            Operation::Modify(modification) => self.modify(modification)?,
            Operation::Fence(tags) => {
                self.event(EventAction::Fence, None, Datum::Number(0), *tags);
            }
            Operation::Branch { condition, target } => return self.branch(condition, *target),
        }
        self.next = here + 1;
        Ok(())
    }

    /// At the head of a loop, remembers how it came there.
    fn pass(&mut self) {
        if let Some(arrival) = self.arrival(self.next) {
            self.arrivals.insert(self.next, arrival);
        }
    }

    fn arrival(&self, instruction: usize) -> Option<Arrival> {
        let live = self.heads.get(&instruction)?;
        let named = live.iter().filter(|register| **register != RESERVATION);
        let registers = named.map(|register| self.registers[register.0]).collect();
        let reservation = self.reservation.filter(|_| live.contains(&RESERVATION));
        Some(Arrival { registers, reservation, events: self.events.len() })
    }

    /// Is everything at the head of a loop as it was the first time, and was nothing written since?
    fn repeats(&self, head: usize) -> bool {
        let (Some(before), Some(now)) = (self.arrivals.get(&head), self.arrival(head)) else {
            return false;
        };
        let since = &self.events[before.events..];
        before.registers == now.registers
            && before.reservation == now.reservation
            && since.iter().all(|event| event.action != EventAction::Write)
    }

    fn branch(&mut self, condition: &Option<RegisterTerm>, target: usize) -> Result<(), Pause> {
        let taken = match condition {
            None => true,
            Some(condition) => {
                let (value, taint) = self.evaluate(condition)?;
                self.branches = self.branches | taint.all();
                value != Datum::Number(0)
            }
        };
        if taken && target <= self.next {
            let what = "a loop whose rounds change something: only loops that wait are decided";
            let limit = Pause::Limit(what.into());
            return Err(if self.repeats(target) { Pause::Repeats } else { limit });
        }
        self.next = if taken { target } else { self.next + 1 };
        Ok(())
    }

    /// A store to another location than the reserved one may do anything on some machines: a limit.
    fn store_exclusive(
        &mut self,
        value: &RegisterTerm,
        access: &LitmusAccess,
    ) -> Result<bool, Pause> {
        let value = self.evaluate(value)?;
        let (location, _) = self.address(access)?;
        let Some((read, reserved)) = self.reservation else {
            return Ok(false);
        };
        if reserved != location {
            let what = "an exclusive store to another location than the last exclusive load";
            return Err(Pause::Limit(what.into()));
        }
        let stored = self.choice().ok_or(Pause::MayFail)? != Datum::Number(0);
        self.reservation = None;
        if stored {
            self.write(access, access.tags, value, Some((read, false)))?;
        }
        Ok(stored)
    }

    fn modify(&mut self, modification: &Modification) -> Result<(), Pause> {
        let access = &modification.access;
        let (read, _) = self.read(access, access.tags)?;
        let value = self.events[read].value;
        self.set(modification.old, value, direct(read));
        let (holds, taint) = match &modification.when {
            Some(when) => self.evaluate(when)?,
            None => (Datum::Number(1), Taint::default()),
        };
        let mut written = holds != Datum::Number(0);
        if written && modification.may_fail {
            written = self.choice().ok_or(Pause::MayFail)? != Datum::Number(0);
        }
        if written {
            let new = self.evaluate(&modification.new)?;
            let event = self.write(access, modification.write_tags, new, Some((read, true)))?;
            // Whether it is written depends on what is compared, as if there were a branch.
            self.events[event].ctrl = self.events[event].ctrl | taint.all();
        } else {
            self.events[read].tags = modification.failure_tags;
        }
        if written && modification.picks {
            let picked = EventSet::from_iter([read]);
            self.set(modification.old, value, Taint { picked, ..Taint::default() });
        }
        if let Some(success) = modification.success {
            let taint = Taint { direct: direct(read).direct | taint.direct, ..taint };
            self.set(success, Datum::Number(written.into()), taint);
        }
        Ok(())
    }

    fn read(&mut self, access: &LitmusAccess, tags: EventTags) -> Result<(usize, usize), Pause> {
        let (location, addr) = self.address(access)?;
        let value = self.choice().ok_or(Pause::Reads(location))?;
        let event = self.event(EventAction::Read, Some(location), value, tags);
        (self.events[event].addr, self.events[event].bytes) = (addr.direct, access.bytes);
        self.branches = self.branches | addr.picked;
        Ok((event, location))
    }

    fn write(
        &mut self,
        access: &LitmusAccess,
        tags: EventTags,
        (value, data): Tainted,
        rmw: Option<(usize, bool)>,
    ) -> Result<usize, Pause> {
        let (location, addr) = self.address(access)?;
        let event = self.event(EventAction::Write, Some(location), value, tags);
        let written = &mut self.events[event];
        (written.addr, written.data, written.rmw) = (addr.direct, data.direct, rmw);
        written.ctrl = written.ctrl | addr.picked | data.picked;
        written.bytes = access.bytes;
        self.branches = self.branches | addr.picked;
        Ok(event)
    }

    fn event(
        &mut self,
        action: EventAction,
        location: Option<usize>,
        value: Datum,
        tags: EventTags,
    ) -> usize {
        let none = EventSet::default();
        let (ctrl, instruction) = (self.branches, self.next);
        let (addr, data, rmw, bytes) = (none, none, None, 0);
        let event =
            TraceEvent { action, location, value, bytes, tags, addr, data, ctrl, rmw, instruction };
        self.events.push(event);
        self.events.len() - 1
    }

    fn choice(&mut self) -> Option<Datum> {
        self.used += 1;
        self.choices.get(self.used - 1).copied()
    }

    fn address(&self, access: &LitmusAccess) -> Result<(usize, Taint), Pause> {
        match self.evaluate(&access.address)? {
            (Datum::Address(location), taint) => Ok((location, taint)),
            (Datum::Number(number), _) => {
                Err(Pause::Limit(format!("{number} is used as an address; it is none")))
            }
        }
    }

    fn set(&mut self, register: Register, value: Datum, taint: Taint) {
        self.registers[register.0] = (Some(value), taint);
    }

    fn evaluate(&self, term: &RegisterTerm) -> Result<Tainted, Pause> {
        match term {
            RegisterTerm::Constant(value) => Ok((*value, Taint::default())),
            RegisterTerm::Register(register) => match self.registers[register.0] {
                (Some(value), taint) => Ok((value, taint)),
                (None, _) => Err(Pause::Limit("a variable is read that was not set".into())),
            },
            RegisterTerm::Binary(operator, left, right) => {
                let (left, a) = self.evaluate(left)?;
                let (right, b) = self.evaluate(right)?;
                let value = compute(*operator, left, right).map_err(Pause::Limit)?;
                let (direct, picked) = (a.direct | b.direct, a.picked | b.picked);
                Ok((value, Taint { direct, picked }))
            }
        }
    }
}

/// On this read, and as data.
fn direct(read: usize) -> Taint {
    Taint { direct: EventSet::from_iter([read]), ..Taint::default() }
}

/// An operation.
fn compute(operator: WordOperator, left: Datum, right: Datum) -> Result<Datum, String> {
    let (Datum::Number(a), Datum::Number(b)) = (left, right) else {
        let computed = compute_with_address(operator, left, right);
        return computed.ok_or_else(|| "arithmetic on an address".to_string());
    };
    let result = match operator {
        WordOperator::Add => a + b,
        WordOperator::Subtract => a - b,
        WordOperator::Multiply => a * b,
        WordOperator::Xor => a ^ b,
        WordOperator::And => a & b,
        WordOperator::Or => a | b,
        WordOperator::AndNot => a & !b,
        WordOperator::Equal => i64::from(a == b),
        WordOperator::Different => i64::from(a != b),
        WordOperator::Less => i64::from(a < b),
        WordOperator::LessOrEqual => i64::from(a <= b),
    };
    match result.abs() > MAX_NUMBERS {
        true => Err(format!("{result} does not fit a register of 32 bits")),
        false => Ok(Datum::Number(result)),
    }
}

/// Addresses are compared with each other and with zero, and zero is added to them. What else is done with them is
/// beyond us.
fn compute_with_address(operator: WordOperator, left: Datum, right: Datum) -> Option<Datum> {
    use WordOperator::{Add, And, Different, Equal, Or, Subtract, Xor};
    let zero = Datum::Number(0);
    let has_number = [left, right].iter().any(|side| matches!(side, Datum::Number(n) if *n != 0));
    match operator {
        _ if has_number => None,
        Equal => Some(Datum::Number((left == right).into())),
        Different => Some(Datum::Number((left != right).into())),
        Add | Subtract | Xor | Or if right == zero => Some(left),
        Add | Xor | Or if left == zero => Some(right),
        And if left == zero || right == zero => Some(zero),
        Subtract | Xor if left == right => Some(zero),
        And | Or if left == right => Some(left),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::compute;
    use crate::test::{Datum, WordOperator};

    #[test]
    fn addresses_are_compared_and_offset_by_zero_only() {
        use WordOperator::{Add, And, Different, Equal, Less, Multiply, Or, Subtract, Xor};
        let (x, y) = (Datum::Address(0), Datum::Address(1));
        let number = Datum::Number;
        for (operator, left, right, expected) in [
            (Add, x, number(0), x),
            (Add, number(0), x, x),
            (Subtract, x, number(0), x),
            (Xor, x, x, number(0)),
            (Subtract, x, x, number(0)),
            (And, x, number(0), number(0)),
            (And, x, x, x),
            (Or, x, x, x),
            (Equal, x, x, number(1)),
            (Equal, x, y, number(0)),
            (Equal, x, number(0), number(0)),
            (Different, x, y, number(1)),
            (Add, number(3), number(4), number(7)),
            (Less, number(-1), number(0), number(1)),
        ] {
            assert_eq!(compute(operator, left, right), Ok(expected), "{operator:?} {left:?}");
        }
        for (operator, left, right) in [
            (Add, x, number(4)),
            (Add, x, x),
            (Multiply, x, number(0)),
            (Multiply, x, x),
            (Less, x, y),
            (Less, x, x),
            (Xor, x, y),
            (Equal, x, number(4)),
            (Add, number(i64::from(i32::MAX)), number(1)),
        ] {
            assert!(compute(operator, left, right).is_err(), "{operator:?} {left:?}");
        }
    }
}
