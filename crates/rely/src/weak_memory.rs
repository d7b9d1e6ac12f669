//! Weak memory models: the program whose interleavings are the executions under the model takes the place of the one that was read. **Trusted**, for answers
//! about these models.
//!
//! Data races are asked of sequentially consistent executions under every model (`ccfa::property`, clause 4; a program without races in these has no others
//! on a machine with store buffers, since what orders its accesses are locks and atomic accesses that drain them or release). So they are asked by themselves.

use crate::question::{Asked, Question};
use ccfa::store_buffers::{Buffered, Delays, StoreOrder, with_store_buffers};
use ccfa::{MemoryModel, Program};
use cfront::Assumption;
use std::collections::BTreeSet;

/// What is asked of a program with store buffers, and how these are ordered; `None` if it is asked of interleavings.
pub fn asked(model: MemoryModel, asked: &Asked) -> Option<(StoreOrder, Asked)> {
    let mut others = asked.clone();
    others.questions.remove(&Question::Races);
    let order = StoreOrder::of(model).filter(|_| !others.questions.is_empty());
    order.map(|order| (order, others))
}

/// Gives the threads of a program store buffers for so many writes.
pub fn buffer(program: &mut Program, order: StoreOrder, capacity: u32) -> Delays {
    let Buffered { program: buffered, delays } = with_store_buffers(program, order, capacity);
    let problems = ccfa::wellformed::check(&buffered);
    assert_eq!(problems, Ok(()), "a program with store buffers should be well-formed");
    *program = buffered;
    delays
}

/// What is assumed of memory where it was sequential consistency.
pub fn assume(order: StoreOrder, assumptions: &mut BTreeSet<Assumption>) {
    if assumptions.remove(&Assumption::SequentialConsistency) {
        assumptions.insert(match order {
            StoreOrder::Total => Assumption::TotalStoreOrder,
            StoreOrder::Partial => Assumption::PartialStoreOrder,
        });
    }
}
