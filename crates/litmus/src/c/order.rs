//! Memory orders of C11, and what they are as tags of events (Lahav et al. 2017, Section 3.1): a stronger order has the tags of the weaker
//! ones that it includes.

use axioms::{EventTag, EventTags};

/// A memory order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomicOrder {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SeqCst,
}

impl AtomicOrder {
    pub fn named(name: &str) -> Option<AtomicOrder> {
        Some(match name {
            "memory_order_relaxed" => AtomicOrder::Relaxed,
            "memory_order_acquire" => AtomicOrder::Acquire,
            "memory_order_release" => AtomicOrder::Release,
            "memory_order_acq_rel" => AtomicOrder::AcquireRelease,
            "memory_order_seq_cst" => AtomicOrder::SeqCst,
            _ => return None,
        })
    }

    fn acquires(self) -> bool {
        matches!(self, AtomicOrder::Acquire | AtomicOrder::AcquireRelease | AtomicOrder::SeqCst)
    }

    fn releases(self) -> bool {
        matches!(self, AtomicOrder::Release | AtomicOrder::AcquireRelease | AtomicOrder::SeqCst)
    }

    /// May a load have it?
    pub fn fits_load(self) -> bool {
        !matches!(self, AtomicOrder::Release | AtomicOrder::AcquireRelease)
    }

    /// May a store have it?
    pub fn fits_store(self) -> bool {
        !matches!(self, AtomicOrder::Acquire | AtomicOrder::AcquireRelease)
    }

    /// Of a read, alone or in a read-modify-write.
    pub fn read_tags(self) -> EventTags {
        self.tags(&[EventTag::Relaxed], true, false)
    }

    /// Of a write, alone or in a read-modify-write.
    pub fn write_tags(self) -> EventTags {
        self.tags(&[EventTag::Relaxed], false, true)
    }

    /// Of a fence.
    pub fn fence_tags(self) -> EventTags {
        self.tags(&[], true, true)
    }

    fn tags(self, always: &[EventTag], reads: bool, writes: bool) -> EventTags {
        let mut tags = always.to_vec();
        tags.extend((reads && self.acquires()).then_some(EventTag::Acquire));
        tags.extend((writes && self.releases()).then_some(EventTag::Release));
        tags.extend((self == AtomicOrder::SeqCst).then_some(EventTag::SeqCst));
        EventTags::of(&tags)
    }
}
