//! Store buffers: a program whose interleavings are the executions of another one under total or partial store order. **Trusted**, for answers
//! about these memory models: it *defines* them.
//!
//! The models are operational: x86-TSO (P. Sewell, S. Sarkar, S. Owens, F. Zappa Nardelli, M. O. Myreen: x86-TSO: a rigorous and usable programmer's model for x86
//! multiprocessors. CACM 2010) and, for partial store order, SPARC's PSO (The SPARC architecture manual, version 8, Appendix K). Each thread has a buffer of writes that
//! others do not see yet. A write goes into it; a read looks there first, for the newest write to its cell; and at any
//! time a write may leave the buffer and become *visible*: the oldest one (total), or any that no older one of the same cell is before (partial). Locked
//! instructions, fences and what synchronises threads wait until the buffer is empty.
//! That engines for interleavings decide programs of such models so is from J. Alglave, D. Kroening, V. Nimal, M. Tautschnig (Software verification for weak memory
//! via program transformation. ESOP 2013). There buffers are data. Here **which writes wait is part of the location**: a location of the new template is one of
//! the old, together with a [`Buffer`](buffer::Buffer); only the values (and indices, of arrays) that wait are data, in locals of the thread. So threads in any
//! number have theirs, a read knows where to look, and a proof need not find out how much is in a buffer.
//!
//! # What a step is on the machine
//!
//! | step, by its accesses | total | partial |
//! |---|---|---|
//! | a read of any kind | looks into the buffer, then at memory | the same |
//! | a plain, `volatile`, relaxed write | goes into the buffer | the same |
//! | a write that releases | the same | the same, behind a mark: what is before it becomes visible first |
//! | a write that is `seq_cst` (`xchg`) | waits for an empty buffer, is visible at once | the same |
//! | an update (locked instructions), an operation of a lock | the same | the same |
//! | a fence: `seq_cst` | waits for an empty buffer | the same |
//! | … `release`, `acq_rel` | nothing | a mark |
//! | … others; a signal fence | nothing | nothing |
//! | an atomic section with one of those that wait | waits at its beginning: nothing leaves the buffer inside | the same |
//! | a section that a `seq_cst` fence begins | as under sequential consistency | the same |
//! | what only the model does (without access) | is seen at once | the same |
//!
//! Only cells that accesses say are *written* are memory. Every expression that reads such a variable looks into the buffer, whether an access says so or not. Who makes the program puts
//! fences where threads are created, joined and end, since these steps have no accesses.
//!
//! The buffer's capacity is a bound of the model: one write more is a [`Limit::Bound`](crate::program::Limit::Bound), so no proof depends on it. A variable that steps without
//! accesses assign, too, is one of an object that comes and goes; what such steps assign together is its contents and its life. What waits for an object when its life begins or ends
//! could become visible in the next object at that place, which no allocator allows. There the model ends. (Only errors that are none are avoided so: whatever waits may
//! become visible before that, too.)
//!
//! # Abstract buffers
//!
//! Where a loop needs more room than any bound, [`Capacity::Abstracts`] makes a program that does at least what the machine does: a proof about it is a proof, an error
//! need not be one. When the room is used up, the buffer keeps only the last write to each variable (for the thread's own reads) and says nothing of the others, and of their order. Let a write
//! become visible on the machine. If it is the last one to its variable that waits, it leaves the buffer here, too, where all of them may, in any order; else it
//! is one of which nothing is said, and here any value that the template writes to the variable may become visible at any time. So each state of the machine has one here, with the same memory, the same
//! locals, and the last write to each variable that waits.
//!
//! # What is left out, and why nothing is lost
//!
//! **Variables of one thread.** What no other instance reads or writes is not buffered: no other thread can tell.
//!
//! **Writes that no observation follows** ([`steps`]). If a thread's buffer is empty, it writes *w*, and on no path from there to the next step that waits does it *observe* (read what others
//! write, or do what others see at once; for partial order also write what others access), then *w* is visible at once. Take an execution in which *w* waits. The thread's
//! steps from *w* on, until *w* becomes visible, depend on its own locals only, and others see nothing of them but what leaves the buffer, which is after *w* (total), or there is nothing but *w* (partial). So they can
//! all be taken later, at the time when *w* becomes visible, or, if it never does, at the end. A write whose own step reads what others write is not such a *w*.
//! This is a part of what critical cycles say (D. Shasha, M. Snir: Efficient and correct execution of parallel programs that share memory. TOPLAS 1988): a delay matters only before another access.
//!
//! **Places where writes become visible.** If deadlocks are not asked for, a write leaves the buffer only where the thread comes by a step that touches shared variables, or out of an atomic section. If it leaves at
//! another location *A*, the thread came there by a local step, which can be taken after it as well: so it
//! may leave before that step; and so on, back to such a location, since the buffer is empty at the entry. (Where deadlocks are asked for, a thread must not seem to be stuck: there it may be anywhere but inside atomic sections.) Inside an
//! atomic section no other thread moves, and whatever becomes visible there may do so after it: sections in which something waits for the buffer begin with an empty one.

pub mod buffer;
mod product;
pub mod steps;

use crate::memory_model::MemoryModel;
use crate::program::{EdgeId, Program, TemplateId};
use crate::sharing::Sharing;
use product::Product;
use std::collections::BTreeSet;

/// In which order the writes of a thread become visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreOrder {
    /// In the order of the program.
    Total,
    /// In any order, but for those to one cell.
    Partial,
}

impl StoreOrder {
    /// The order that a memory model has, if it differs from sequential consistency by that alone.
    pub fn of(model: MemoryModel) -> Option<StoreOrder> {
        match model {
            MemoryModel::Tso => Some(StoreOrder::Total),
            MemoryModel::Pso => Some(StoreOrder::Partial),
            _ => None,
        }
    }
}

/// How many writes a store buffer has room for, and what happens if there is one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// The model ends: it is a bound.
    Ends(u32),
    /// Of an abstract buffer only the last write to each variable is known: the program may do more than the one before. (With elements of arrays, the model ends.)
    Abstracts(u32),
}

/// A program with store buffers, and which of its steps are about these.
#[derive(Clone, Debug)]
pub struct Buffered {
    /// The program.
    pub program: Program,
    /// For people.
    pub delays: Delays,
}

/// Steps that have to do with store buffers.
#[derive(Clone, Debug, Default)]
pub struct Delays {
    /// With these a write goes into the buffer.
    pub delayed: BTreeSet<(TemplateId, EdgeId)>,
    /// With these a write becomes visible.
    pub visible: BTreeSet<(TemplateId, EdgeId)>,
    /// Buffers may be abstract, so that the program may do more than the machine.
    pub is_abstract: bool,
}

/// The program whose interleavings are the executions of `program` with store buffers; or more than these, if buffers are abstract.
pub fn with_store_buffers(program: &Program, order: StoreOrder, capacity: Capacity) -> Buffered {
    let sharing = Sharing::of(program, &|_, _| true);
    let lives = steps::lives(program);
    let is_abstract = matches!(capacity, Capacity::Abstracts(_));
    let delays = Delays { is_abstract, ..Delays::default() };
    let mut after = Buffered { program: program.clone(), delays };
    for (template, id) in program.templates.iter().zip((0..).map(TemplateId)) {
        let effects = steps::effects(template, id, order, &sharing);
        if effects.iter().any(|effect| effect.may_delay()) {
            let product = Product::new(program, template, order, capacity, &effects, &lives);
            let (template, delayed, visible) = product.make();
            after.program.templates[id.index()] = template;
            after.delays.delayed.extend(delayed.into_iter().map(|edge| (id, edge)));
            after.delays.visible.extend(visible.into_iter().map(|edge| (id, edge)));
        }
    }
    after
}
