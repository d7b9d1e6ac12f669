//! Candidate executions: events, and what relates them (Alglave, Maranget, Tautschnig, "Herding cats",
//! TOPLAS 2014, Section 3). Program order, dependencies and pairs of read-modify-writes come from the
//! threads; reads-from and coherence say how they communicate. Everything else is derived here.

use crate::relation::{EventRelation, EventSet};

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventAction {
    /// Reads its location.
    Read,
    /// Writes its location.
    Write,
    /// A fence.
    Fence,
}

/// What models distinguish besides: kinds of fences, strengths of accesses. Each is a set of events in
/// the language of axioms, under its [name](EventTag::name).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum EventTag {
    /// The write that gives a location its first value.
    Initial,
    /// Part of an instruction of x86 that locks the bus.
    Locked,
    /// x86: orders everything.
    Mfence,
    /// x86: orders writes.
    Sfence,
    /// x86: orders reads.
    Lfence,
    /// Power: orders everything.
    Sync,
    /// Power: orders everything but writes with later reads.
    Lwsync,
    /// Power: orders writes.
    Eieio,
    /// Power: after a branch, orders reads.
    Isync,
    /// ARMv8: `DMB SY` and its like.
    DmbFull,
    /// ARMv8: `DMB LD`.
    DmbLoad,
    /// ARMv8: `DMB ST`.
    DmbStore,
    /// ARMv8: after a branch, orders reads.
    Isb,
    /// ARMv8: a load-acquire.
    LoadAcquire,
    /// ARMv8: a load-acquire of the weaker kind (RCpc).
    LoadAcquirePc,
    /// ARMv8: a store-release.
    StoreRelease,
    /// ARMv8: the read of an atomic instruction that returns nothing.
    NoReturn,
    /// C11: not atomic.
    NonAtomic,
    /// C11: relaxed or stronger.
    Relaxed,
    /// C11: acquire or stronger.
    Acquire,
    /// C11: release or stronger.
    Release,
    /// C11: sequentially consistent.
    SeqCst,
}

/// Several tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventTags(u32);

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryEvent {
    /// Its thread. (Initial writes have none.)
    pub thread: Option<usize>,
    /// What it does.
    pub action: EventAction,
    /// What it accesses. (Fences access nothing.)
    pub location: Option<usize>,
    /// What else models distinguish.
    pub tags: EventTags,
}

/// A candidate execution.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Its events.
    pub events: Vec<MemoryEvent>,
    /// Program order, transitive. Initial writes are not in it.
    pub po: EventRelation,
    /// From a read to the accesses whose address depends on what it read,
    pub addr: EventRelation,
    /// to the writes whose value does,
    pub data: EventRelation,
    /// and to all events after a branch that does.
    pub ctrl: EventRelation,
    /// The read and the write of a read-modify-write.
    pub rmw: EventRelation,
    /// Those of them that are one instruction.
    pub amo: EventRelation,
    /// From each write to the reads that read from it.
    pub rf: EventRelation,
    /// The order of the writes to each location, transitive, initial writes first.
    pub co: EventRelation,
}

/// The relations that models are made of.
pub(crate) const BASE_RELATIONS: [&str; 19] = [
    "po", "po-loc", "loc", "ext", "addr", "data", "ctrl", "rmw", "amo", "rf", "rfe", "rfi", "co",
    "coe", "coi", "fr", "fre", "fri", "0",
];

impl EventTag {
    /// All of them.
    pub const ALL: [EventTag; 22] = [
        EventTag::Initial,
        EventTag::Locked,
        EventTag::Mfence,
        EventTag::Sfence,
        EventTag::Lfence,
        EventTag::Sync,
        EventTag::Lwsync,
        EventTag::Eieio,
        EventTag::Isync,
        EventTag::DmbFull,
        EventTag::DmbLoad,
        EventTag::DmbStore,
        EventTag::Isb,
        EventTag::LoadAcquire,
        EventTag::LoadAcquirePc,
        EventTag::StoreRelease,
        EventTag::NoReturn,
        EventTag::NonAtomic,
        EventTag::Relaxed,
        EventTag::Acquire,
        EventTag::Release,
        EventTag::SeqCst,
    ];

    /// How axioms write the set of events with this tag.
    pub fn name(self) -> &'static str {
        match self {
            EventTag::Initial => "INIT",
            EventTag::Locked => "LOCK",
            EventTag::Mfence => "MFENCE",
            EventTag::Sfence => "SFENCE",
            EventTag::Lfence => "LFENCE",
            EventTag::Sync => "SYNC",
            EventTag::Lwsync => "LWSYNC",
            EventTag::Eieio => "EIEIO",
            EventTag::Isync => "ISYNC",
            EventTag::DmbFull => "DMB.SY",
            EventTag::DmbLoad => "DMB.LD",
            EventTag::DmbStore => "DMB.ST",
            EventTag::Isb => "ISB",
            EventTag::LoadAcquire => "A",
            EventTag::LoadAcquirePc => "Q",
            EventTag::StoreRelease => "L",
            EventTag::NoReturn => "NORET",
            EventTag::NonAtomic => "NA",
            EventTag::Relaxed => "RLX",
            EventTag::Acquire => "ACQ",
            EventTag::Release => "REL",
            EventTag::SeqCst => "SC",
        }
    }
}

impl EventTags {
    /// These tags.
    pub fn of(tags: &[EventTag]) -> EventTags {
        EventTags(tags.iter().fold(0, |bits, tag| bits | 1 << *tag as u32))
    }

    /// Is it one of them?
    pub fn contains(self, tag: EventTag) -> bool {
        self.0 >> tag as u32 & 1 == 1
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = EventTag> {
        EventTag::ALL.into_iter().filter(move |tag| self.contains(*tag))
    }
}

impl Execution {
    /// The relation that axioms call so.
    pub(crate) fn relation(&self, name: &str) -> Option<EventRelation> {
        Some(match name {
            "po" => self.po.clone(),
            "po-loc" => self.po.intersection(&self.same_location()),
            "loc" => self.same_location(),
            "ext" => self.between_threads(),
            "addr" => self.addr.clone(),
            "data" => self.data.clone(),
            "ctrl" => self.ctrl.clone(),
            "rmw" => self.rmw.clone(),
            "amo" => self.amo.clone(),
            "rf" => self.rf.clone(),
            "rfe" => self.rf.intersection(&self.between_threads()),
            "rfi" => self.rf.difference(&self.between_threads()),
            "co" => self.co.clone(),
            "coe" => self.co.intersection(&self.between_threads()),
            "coi" => self.co.difference(&self.between_threads()),
            "fr" => self.from_reads(),
            "fre" => self.from_reads().intersection(&self.between_threads()),
            "fri" => self.from_reads().difference(&self.between_threads()),
            "0" => EventRelation::empty(self.events.len()),
            _ => return None,
        })
    }

    /// From each read to the writes that come, in coherence, after the one it reads from.
    pub fn from_reads(&self) -> EventRelation {
        self.rf.inverse().then(&self.co)
    }

    /// The set that axioms call so: `R`, `W`, `M` (both), `F` or the name of a tag.
    pub(crate) fn set(&self, name: &str) -> Option<EventSet> {
        let having = |holds: &dyn Fn(&MemoryEvent) -> bool| {
            let events = self.events.iter().enumerate();
            Some(events.filter(|(_, event)| holds(event)).map(|(index, _)| index).collect())
        };
        match name {
            "R" => having(&|event| event.action == EventAction::Read),
            "W" => having(&|event| event.action == EventAction::Write),
            "M" => having(&|event| event.action != EventAction::Fence),
            "F" => having(&|event| event.action == EventAction::Fence),
            _ => {
                let tag = EventTag::ALL.into_iter().find(|tag| tag.name() == name)?;
                having(&|event| event.tags.contains(tag))
            }
        }
    }

    fn same_location(&self) -> EventRelation {
        let of = |event: usize| self.events[event].location;
        EventRelation::of(self.events.len(), |from, to| of(from).is_some() && of(from) == of(to))
    }

    fn between_threads(&self) -> EventRelation {
        let of = |event: usize| self.events[event].thread;
        EventRelation::of(self.events.len(), |from, to| of(from) != of(to))
    }
}
