//! Rounds of a loop that change nothing. A thread that waits (`while (!flag);`), or tries again to store exclusively, goes back to the head of a
//! loop as it came there: nothing was written since, and every register that is live at the head holds what it held, with the same
//! dependencies. What it can do from there is what it could do the first time.
//!
//! **Why such a round can be left out:** take an execution of which a thread has such a round, and leave out the events of that round. They are reads and fences, so
//! coherence stays as it is, and all relations of the models become smaller: program order, dependencies and reads-from lose pairs and get none. Axioms demand
//! that something is acyclic, irreflexive or empty, of terms that grow with these relations (what stands to the right of a `\` is `loc`, which is
//! given by the locations, or a set), so they still hold. The final state is the same. So all final states are found without such rounds.
//!
//! An execution in which a thread waits for ever has no final state. That it may have a race is not found out here: who asks for races does not leave
//! rounds out.

use crate::test::{Operation, Register, RegisterTerm, ThreadCode};
use std::collections::{BTreeMap, BTreeSet};

/// Stands for the reservation of the last exclusive load, which is live like a register.
pub(crate) const RESERVATION: Register = Register(usize::MAX);

/// The heads of loops, each with the registers that are live there.
pub(crate) fn loop_heads(code: &ThreadCode) -> BTreeMap<usize, BTreeSet<Register>> {
    let numbered = code.instructions.iter().enumerate();
    let heads: BTreeSet<usize> = numbered
        .filter_map(|(number, instruction)| match instruction.operation {
            Operation::Branch { target, .. } if target <= number => Some(target),
            _ => None,
        })
        .collect();
    if heads.is_empty() {
        return BTreeMap::new();
    }
    let live = live(code);
    heads.into_iter().map(|head| (head, live[head].clone())).collect()
}

/// The registers that are live before each instruction, and after the last: those that may be read, or seen in the final state, before they are written.
fn live(code: &ThreadCode) -> Vec<BTreeSet<Register>> {
    let count = code.instructions.len();
    let mut live = vec![BTreeSet::new(); count + 1];
    let registers = (0..code.registers.len()).map(Register);
    live[count] = registers.filter(|it| !code.registers[it.0].starts_with('%')).collect();
    loop {
        let before = live.clone();
        for (number, instruction) in code.instructions.iter().enumerate().rev() {
            let (uses, defines) = uses_and_definitions(&instruction.operation);
            let mut after = BTreeSet::new();
            for next in successors(&instruction.operation, number) {
                after.extend(live[next.min(count)].iter().copied());
            }
            after.retain(|register| !defines.contains(register));
            after.extend(uses);
            live[number] = after;
        }
        if live == before {
            return live;
        }
    }
}

fn successors(operation: &Operation, number: usize) -> Vec<usize> {
    match operation {
        Operation::Branch { condition: None, target } => vec![*target],
        Operation::Branch { condition: Some(_), target } => vec![*target, number + 1],
        _ => vec![number + 1],
    }
}

/// What is read before it is written, and what is written whatever happens.
fn uses_and_definitions(operation: &Operation) -> (BTreeSet<Register>, Vec<Register>) {
    let mut uses = BTreeSet::new();
    let defines = match operation {
        Operation::Set { register, value } => {
            mentioned(value, &mut uses);
            vec![*register]
        }
        Operation::Load { register, access, exclusive } => {
            mentioned(&access.address, &mut uses);
            exclusive.then_some(RESERVATION).into_iter().chain([*register]).collect()
        }
        Operation::Store { value, access } => {
            mentioned(value, &mut uses);
            mentioned(&access.address, &mut uses);
            Vec::new()
        }
        Operation::StoreExclusive { status, value, access, .. } => {
            mentioned(value, &mut uses);
            mentioned(&access.address, &mut uses);
            uses.insert(RESERVATION);
            vec![*status, RESERVATION]
        }
        Operation::Modify(modification) => {
            mentioned(&modification.new, &mut uses);
            modification.when.iter().for_each(|when| mentioned(when, &mut uses));
            // What was read is there when these are computed, but not when the address is.
            uses.remove(&modification.old);
            mentioned(&modification.access.address, &mut uses);
            modification.success.into_iter().chain([modification.old]).collect()
        }
        Operation::Fence(_) => Vec::new(),
        Operation::Branch { condition, .. } => {
            condition.iter().for_each(|condition| mentioned(condition, &mut uses));
            Vec::new()
        }
    };
    (uses, defines)
}

fn mentioned(term: &RegisterTerm, found: &mut BTreeSet<Register>) {
    match term {
        RegisterTerm::Constant(_) => {}
        RegisterTerm::Register(register) => {
            found.insert(*register);
        }
        RegisterTerm::Binary(_, left, right) => {
            mentioned(left, found);
            mentioned(right, found);
        }
    }
}
