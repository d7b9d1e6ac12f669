//! Weak memory models: the program whose interleavings are the executions under the model takes the place of the one that was read. **Trusted**, for answers
//! about these models.
//!
//! Data races are asked of sequentially consistent executions under every model (`ccfa::property`, clause 4; a program without races in these has no others
//! on a machine with store buffers, since what orders its accesses are locks and atomic accesses that drain them or release). So they are asked by themselves.

use crate::question::{Asked, Question};
use ccfa::store_buffers::{Buffered, Delays, StoreOrder, with_store_buffers};
use ccfa::{MemoryModel, Program};
use cfront::{Assumption, Bounds};
use std::collections::BTreeSet;

/// What is asked, and how store buffers are ordered; there are none if interleavings are asked.
pub fn asked(model: MemoryModel, asked: &Asked) -> (Option<StoreOrder>, Asked) {
    let mut others = asked.clone();
    others.questions.remove(&Question::Races);
    match StoreOrder::of(model) {
        Some(order) if !others.questions.is_empty() => (Some(order), others),
        _ => (None, asked.clone()),
    }
}

/// Gives the threads of a program store buffers, if they have some.
pub fn buffer(program: &mut Program, order: Option<StoreOrder>, bounds: Bounds) -> Delays {
    let Some(order) = order else { return Delays::default() };
    let buffered = with_store_buffers(program, order, bounds.delayed_writes);
    let Buffered { program: buffered, delays } = buffered;
    let problems = ccfa::wellformed::check(&buffered);
    assert_eq!(problems, Ok(()), "a program with store buffers should be well-formed");
    *program = buffered;
    delays
}

/// What is assumed of memory, where without store buffers it would be sequential consistency.
pub fn assumed(
    order: Option<StoreOrder>,
    mut assumptions: BTreeSet<Assumption>,
) -> BTreeSet<Assumption> {
    let instead = match order {
        None => return assumptions,
        Some(StoreOrder::Total) => Assumption::TotalStoreOrder,
        Some(StoreOrder::Partial) => Assumption::PartialStoreOrder,
    };
    if assumptions.remove(&Assumption::SequentialConsistency) {
        assumptions.insert(instead);
    }
    assumptions
}
