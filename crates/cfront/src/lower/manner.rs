//! What an access to memory is in the source: plain, atomic with a memory order, an operation of a
//! lock, or nothing because the model does it for itself.
//!
//! A place says it by its type (`_Atomic`), the atomic builtins by their arguments. What the models of
//! the library keep in objects of their own (the owner of a mutex) is no access of the source; there
//! the model says with `__rely_lock` which of its accesses is the operation of the lock.

use super::alternative::Alternative;
use super::{LIBRARY_OFFSET, Lowerer};
use crate::hir::{Place, PlaceKind, Type as CType, TypeId};
use ccfa::{Access, AccessKind, Cell, Direction, Edge, Expr, LockOperation, Mode, Order, VarRef};

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
const LIBRARY_TYPE: &str = "__rely_";

impl Lowerer<'_> {
    /// What an access to a place is.
    pub(super) fn manner(&self, place: &Place) -> Manner {
        if self.is_internal(place) {
            return Manner::Internal;
        }
        match self.unit.types.get(place.ty) {
            CType::Atomic(_) => Manner::atomic(Order::SeqCst),
            _ => Manner::PLAIN,
        }
    }

    /// Does a place belong to the library of models?
    fn is_internal(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Var(var) => self.unit.vars[var.index()].range.lo >= LIBRARY_OFFSET,
            PlaceKind::Field(inner, _) => self.is_library_type(inner.ty) || self.is_internal(inner),
            PlaceKind::Index(inner, ..) => self.is_internal(inner),
            PlaceKind::Deref(_) | PlaceKind::Temporary(_) => false,
        }
    }

    fn is_library_type(&self, ty: TypeId) -> bool {
        match self.unit.types.get(self.unit.types.unatomic(ty)) {
            CType::Record(record) => self.unit.types.record(*record).tag.starts_with(LIBRARY_TYPE),
            _ => false,
        }
    }

    /// The accesses of one way to read or write memory.
    pub(super) fn accesses(
        &self,
        way: &Alternative,
        direction: Direction,
        manner: Manner,
        lock: Option<LockOperation>,
    ) -> Vec<Access> {
        let VarRef::Shared(var) = way.var else { return vec![] };
        if self.shared[var.index()].name.starts_with('.') {
            return vec![];
        }
        let kind = |index: Option<Expr>| {
            let cell = Cell { var, index };
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
        way.indices().into_iter().filter_map(kind).map(access).collect()
    }

    /// The operation that a lock's model has announced, if this access is the one.
    pub(super) fn announced(&mut self, manner: Manner) -> Option<LockOperation> {
        match manner {
            Manner::Internal => self.t.lock.take(),
            Manner::As(_) | Manner::Update(_) => None,
        }
    }

    /// A step that is a fence and nothing else.
    pub(super) fn fence(&mut self, kind: AccessKind) {
        let (source, target) = (self.t.here, self.t.location(ccfa::LocKind::Plain));
        let accesses = vec![Access { kind, span: self.t.span }];
        let edge = Edge::new(source, target, Expr::TRUE, vec![]);
        self.t.access_edge(Edge { accesses, ..edge });
        self.t.here = target;
    }

    /// The memory order that an argument names. Of one that is not constant nothing is known but
    /// that it is one: it is taken as the weakest.
    pub(super) fn order(&self, order: Option<&Expr>) -> Order {
        const ORDERS: [Order; 6] = [
            Order::Relaxed,
            Order::Consume,
            Order::Acquire,
            Order::Release,
            Order::AcqRel,
            Order::SeqCst,
        ];
        match order {
            // Higher bits are hints for hardware that elides locks.
            Some(Expr::Const(value, _)) => {
                ORDERS.get((value & 0xffff) as usize).copied().unwrap_or(Order::SeqCst)
            }
            Some(_) => Order::Relaxed,
            None => Order::SeqCst,
        }
    }
}
