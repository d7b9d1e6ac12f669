//! Memory orders that are weaker than `seq_cst`: with them a program can do what no interleaving does.
//!
//! Whether two accesses race is decided on interleavings (`ccfa::property`, clause 4). If all atomics are sequentially consistent, that is C11's
//! answer (H.-J. Boehm, S. V. Adve: Foundations of the C++ concurrency memory model. PLDI 2008). A race that is found is one with
//! weaker orders, too: they order less. But that none is found says little where a thread learns of a write by a relaxed flag, or where
//! two threads may each miss what the other has written. So it is an answer only where weaker orders make no difference:
//!
//! - while no other thread can move (`atomic_init` before threads are created); or
//! - all other atomic accesses are to one cell, and those that read acquire, those that write release. Then each that reads
//!   what another has written happens after it, and by coherence (C11, 5.1.2.4) happens-before never goes
//!   against the one order in which the cell is written: an interleaving does the same.

use ccfa::semantics::System;
use ccfa::sharing::instances;
use ccfa::{Access, AccessKind, Cell, Direction, Edge, Expr, Mode, Order, Program, TemplateId};
use ccfa::{LocId, SharedId, Template};
use std::collections::BTreeSet;

/// An access by which the program may do what no interleaving does, if there is one.
pub fn weaker(program: &Program) -> Option<&Access> {
    let mut atomics = Vec::new();
    for (template, id) in program.templates.iter().zip((0..).map(TemplateId)) {
        if instances(program, id) == 0 {
            continue;
        }
        let exclusive = exclusive_steps(program, template, id);
        let others = template.edges.iter().filter(|edge| !exclusive.contains(&edge.source));
        let accesses = others.flat_map(|edge| &edge.accesses);
        atomics.extend(accesses.filter_map(|access| Some((access, operation(access)?))));
    }
    let (weak, _) = atomics.iter().find(|(_, (.., order))| *order != Order::SeqCst)?;
    let cell = atomics[0].1.1;
    let is_one = program.shared[cell.var.index()].len.is_none()
        || matches!(cell.index, Some(Expr::Const(..)));
    let suffices = |&(direction, of, order): &(Direction, &Cell, Order)| {
        of == cell
            && (direction == Direction::Write || acquires(order))
            && (direction == Direction::Read || releases(order))
    };
    let makes_no_difference = is_one && atomics.iter().all(|(_, operation)| suffices(operation));
    (!makes_no_difference).then_some(*weak)
}

fn operation(access: &Access) -> Option<(Direction, &Cell, Order)> {
    match &access.kind {
        AccessKind::Memory(direction, cell, Mode::Atomic(order)) => {
            Some((*direction, cell, *order))
        }
        _ => None,
    }
}

fn acquires(order: Order) -> bool {
    matches!(order, Order::Acquire | Order::AcqRel | Order::SeqCst)
}

fn releases(order: Order) -> bool {
    matches!(order, Order::Release | Order::AcqRel | Order::SeqCst)
}

/// The locations of a thread whose steps are taken while no other thread can move: at the start the others wait, and
/// nothing was written since that they wait for.
fn exclusive_steps(program: &Program, template: &Template, id: TemplateId) -> BTreeSet<LocId> {
    let system = System::new(program, 2);
    let initial = system.initial();
    let is_other = |instance: &usize| {
        program.threads[system.instances[*instance].thread.index()].template != id
    };
    let others = || (0..system.instances.len()).filter(is_other);
    let mut awaited: BTreeSet<SharedId> = BTreeSet::new();
    for instance in others() {
        for (_, edge) in system.next(&initial, instance) {
            if system.may_be_enabled(&initial, instance, edge) {
                return BTreeSet::new();
            }
            awaited.extend(edge.read_write_sets().shared_reads());
        }
    }
    if instances(program, id) > 1 {
        return BTreeSet::new();
    }
    let wakes =
        |edge: &&Edge| edge.read_write_sets().shared_writes().any(|var| awaited.contains(&var));
    let after = template.reachable(template.edges.iter().filter(wakes).map(|edge| edge.target));
    (0..).map(LocId).zip(after).filter_map(|(at, is_after)| (!is_after).then_some(at)).collect()
}
