//! The memory of the source that a step accesses, and how.
//!
//! `assigns` and `guard` of an edge say what happens; its accesses say what of that the *source* does
//! to memory, which is what data races and weak memory models speak of: which cell, whether it is read
//! or written, whether as a plain, a `volatile` or an atomic access and with which memory order;
//! fences; operations of locks. What only the model reads or writes (whether an object is alive, whether a
//! thread was created, a thread's own registers) is no access.
//!
//! An access speaks of the state **before** its step: the index of its cell is evaluated there. A step
//! that was joined of several has the accesses of all of them, in their order, with indices that are
//! rewritten so that this holds.

use crate::expr::Expr;
use crate::program::{SharedId, VarRef};
use crate::read_write::collect_reads;
use crate::source::Span;
use std::collections::BTreeSet;

/// One access of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// What is done.
    pub kind: AccessKind,
    /// The expression of the source that does it.
    pub span: Option<Span>,
}

/// What an access does.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessKind {
    /// Reads or writes memory.
    Memory(Direction, Cell, Mode),
    /// `atomic_thread_fence`.
    Fence(Order),
    /// `atomic_signal_fence`: orders a thread and its signal handlers only.
    SignalFence(Order),
    /// An operation of a lock that lies in this cell.
    Lock(LockOperation, Cell),
}

/// A cell of shared memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The variable.
    pub var: SharedId,
    /// Which element, if it is an array; `None` is the scalar, or all elements.
    pub index: Option<Expr>,
}

/// In which direction values go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// From memory.
    Read,
    /// To memory.
    Write,
    /// Both, at once (`atomic_fetch_add`).
    Update,
}

/// As what the source accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// As an ordinary object.
    Plain,
    /// As a `volatile` object.
    Volatile,
    /// Atomically.
    Atomic(Order),
}

/// A memory order (C11, 7.17.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// `memory_order_relaxed`
    Relaxed,
    /// `memory_order_consume`
    Consume,
    /// `memory_order_acquire`
    Acquire,
    /// `memory_order_release`
    Release,
    /// `memory_order_acq_rel`
    AcqRel,
    /// `memory_order_seq_cst`
    SeqCst,
}

/// What is done with a lock: a mutex, read-write lock, spin lock, semaphore, condition variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LockOperation {
    /// Take it (a semaphore: count down).
    Acquire,
    /// Take it for reading.
    AcquireShared,
    /// Give it back (a semaphore: count up).
    Release,
    /// Wait at a condition variable or a barrier.
    Wait,
    /// Wake one thread that waits.
    Signal,
    /// Wake all threads that wait.
    Broadcast,
}

impl Access {
    /// The cell, if there is one.
    pub fn cell(&self) -> Option<&Cell> {
        match &self.kind {
            AccessKind::Memory(_, cell, _) | AccessKind::Lock(_, cell) => Some(cell),
            AccessKind::Fence(_) | AccessKind::SignalFence(_) => None,
        }
    }

    /// The variables it mentions: the one it accesses, and those of the index.
    pub fn variables(&self) -> BTreeSet<VarRef> {
        let mut variables = BTreeSet::new();
        if let Some(cell) = self.cell() {
            variables.insert(VarRef::Shared(cell.var));
            cell.index.iter().for_each(|index| collect_reads(index, &mut variables));
        }
        variables
    }

    /// Does it change memory?
    pub fn writes(&self) -> bool {
        match &self.kind {
            AccessKind::Memory(direction, ..) => *direction != Direction::Read,
            AccessKind::Lock(..) => true,
            AccessKind::Fence(_) | AccessKind::SignalFence(_) => false,
        }
    }

    /// Is it one that may happen at the same time as others? (Operations of locks are.)
    pub fn is_atomic(&self) -> bool {
        !matches!(self.kind, AccessKind::Memory(_, _, Mode::Plain | Mode::Volatile))
    }

    /// May two accesses of different threads not happen at the same time, if they are to the same
    /// cell: of one variable, one of them a write, one of them not atomic (C11, 5.1.2.4)?
    pub fn conflicts(&self, other: &Access) -> bool {
        let same = match (self.cell(), other.cell()) {
            (Some(a), Some(b)) => a.var == b.var,
            _ => false,
        };
        same && (self.writes() || other.writes()) && !(self.is_atomic() && other.is_atomic())
    }
}
