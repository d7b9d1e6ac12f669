//! What an access to memory is in the source: plain, atomic with a memory order, an operation of a
//! lock, or nothing because the model does it for itself.
//!
//! A place says it by its type (`_Atomic`), the atomic builtins by their arguments. What the models of
//! the library keep in objects of their own (the owner of a mutex) is no access of the source; there
//! the model says with `__rely_lock` which of its accesses is the operation of the lock.

use super::Memory;
use super::alternative::{Alternative, CellPart};
use ccfa::{Access, AccessKind, Cell, Direction, LockOperation, Mode, Order, VarRef};

/// What an access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Nothing in the source.
    Internal,
    /// A plain or atomic one, of the direction it has.
    As(Mode),
    /// The write of an atomic operation that has read the cell before.
    Update(Order),
}

impl Manner {
    /// As an ordinary object.
    pub const PLAIN: Manner = Manner::As(Mode::Plain);

    /// Atomically.
    pub fn atomic(order: Order) -> Manner {
        Manner::As(Mode::Atomic(order))
    }
}

/// How names of the library's own types begin.
pub const LIBRARY_TYPE: &str = "__rely_";

impl Memory<'_, '_> {
    /// The accesses of one way to read or write memory.
    pub(super) fn accesses(
        &self,
        way: &Alternative,
        direction: Direction,
        manner: Manner,
        lock: Option<LockOperation>,
    ) -> Vec<Access> {
        let kind = |part: &CellPart| {
            let VarRef::Shared(var) = part.var else { return None };
            if way.is_own {
                return None;
            }
            let cell = Cell { var, index: part.index.clone() };
            match (manner, lock) {
                (Manner::Internal, None) => None,
                (Manner::Internal, Some(operation)) => Some(AccessKind::Lock(operation, cell)),
                (Manner::As(mode), _) => Some(AccessKind::Memory(direction, cell, mode)),
                (Manner::Update(order), _) => {
                    Some(AccessKind::Memory(Direction::Update, cell, Mode::Atomic(order)))
                }
            }
        };
        let access = |kind| Access { kind, span: self.t.span };
        way.parts.iter().filter_map(kind).map(access).collect()
    }
}
