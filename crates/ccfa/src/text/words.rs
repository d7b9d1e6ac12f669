//! The words of the text form for what is one of a few: printer and parser share these tables.

use crate::access::{Direction, LockOperation, Order};
use crate::program::Limit;

/// Why the model ends.
pub(super) const LIMITS: [(&str, Limit); 2] =
    [("unsupported", Limit::Unsupported), ("bound", Limit::Bound)];

/// Directions of accesses.
pub(super) const DIRECTIONS: [(&str, Direction); 3] =
    [("read", Direction::Read), ("write", Direction::Write), ("update", Direction::Update)];

/// Memory orders.
pub(super) const ORDERS: [(&str, Order); 6] = [
    ("relaxed", Order::Relaxed),
    ("consume", Order::Consume),
    ("acquire", Order::Acquire),
    ("release", Order::Release),
    ("acq_rel", Order::AcqRel),
    ("seq_cst", Order::SeqCst),
];

/// Operations of locks.
pub(super) const LOCK_OPERATIONS: [(&str, LockOperation); 6] = [
    ("acquire", LockOperation::Acquire),
    ("acquire_shared", LockOperation::AcquireShared),
    ("release", LockOperation::Release),
    ("wait", LockOperation::Wait),
    ("signal", LockOperation::Signal),
    ("broadcast", LockOperation::Broadcast),
];

/// The word for one of them.
pub(super) fn word<T: PartialEq>(table: &[(&'static str, T)], item: &T) -> &'static str {
    table.iter().find(|(_, other)| other == item).map_or("?", |(word, _)| word)
}
