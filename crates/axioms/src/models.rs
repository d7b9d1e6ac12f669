//! The models, in one table. Each is written in the [language](crate::language) of axioms, after the
//! publication it names. What differs is said beside it, and why that forbids or allows nothing else.
//!
//! Conventions: a fence is an event in program order, so "in order by a fence" is `po;[F];po`. Initial writes
//! belong to no thread, come first in coherence and are not in `po`. A read-modify-write is a read and a
//! write, related by `rmw`.

use crate::language::Axioms;
use ccfa::MemoryModel;

/// Lamport 1979; as axioms: Alglave, Maranget, Tautschnig 2014, Section 4.1.
const SC: &str = "
acyclic po | rf | co | fr as sequential-consistency
empty rmw & (fre;coe) as atomicity
";

/// x86-TSO: Sewell, Sarkar, Owens, Zappa Nardelli, Myreen 2010; as axioms: Alglave, Maranget, Tautschnig
/// 2014, Section 4.3 and Figure 21. A locked instruction drains the store buffer before and after it: it is a full fence,
/// also if it writes nothing (a `CMPXCHG` that fails).
const TSO: &str = "
acyclic po-loc | rf | co | fr as sc-per-location
empty rmw & (fre;coe) as atomicity
let ppo = [R];po;[M] | [W];po;[W]
let fence = po;[MFENCE];po
let locked = po;[LOCK] | [LOCK];po
acyclic ppo | fence | locked | rfe | co | fr as propagation
";

/// SPARC v8, Appendix K (partial store order): as TSO, with writes to different locations out of order. Tests
/// are in the syntax of x86: `SFENCE` is SPARC's `STBAR`; a locked instruction stays the full fence that it is on x86.
const PSO: &str = "
acyclic po-loc | rf | co | fr as sc-per-location
empty rmw & (fre;coe) as atomicity
let ppo = [R];po;[M]
let fence = po;[MFENCE];po | [W];po;[SFENCE];po;[W]
let locked = po;[LOCK] | [LOCK];po
acyclic ppo | fence | locked | rfe | co | fr as propagation
";

/// SPARC v9, Appendix D (relaxed memory order). Dependence order (D.3.3): dependencies through registers, from branches to writes,
/// and through memory, from a write to a later read of its location. What depends on a read, and a write after an access of its location, is in
/// memory order (D.4). Two reads of one location may be out of order, so reads of one thread are not in
/// `sc-per-location` (Alglave, Maranget, Tautschnig 2014, Section 4.8, load-load hazards). A read takes the latest write that comes before it in memory
/// order or in program order: that is `rfe`, `fr` and `sc-per-location`. `LFENCE` is `MEMBAR #LoadLoad`, `SFENCE` `MEMBAR #StoreStore`.
const RMO: &str = "
let same = [W];po-loc;[M] | [R];po-loc;[W]
acyclic same | rf | co | fr as sc-per-location
empty rmw & (fre;coe) as atomicity
let dependence = addr | data | ctrl;[W] | [W];po-loc;[R]
let ppo = [R];dependence+ | po-loc;[W]
let fence = po;[MFENCE];po | [W];po;[SFENCE];po;[W] | [R];po;[LFENCE];po;[R]
let locked = po;[LOCK] | [LOCK];po
acyclic ppo | fence | locked | rfe | co | fr as propagation
";

/// Power: Alglave, Maranget, Tautschnig 2014, Figures 18 and 25. `eieio` is taken for `lwsync` between writes (Section 4.7).
const POWER: &str = "
let com = rf | co | fr
acyclic po-loc | com as sc-per-location
empty rmw & (fre;coe) as atomicity

let dp = addr | data
let rdw = po-loc & (fre;rfe)
let detour = po-loc & (coe;rfe)
let ii0 = dp | rdw | rfi
let ci0 = ctrl;[ISYNC];po | detour
let cc0 = dp | po-loc | ctrl | addr;po
let rec ii = ii0 | ci | ic;ci | ii;ii
and ic = ii | cc | ic;cc | ii;ic
and ci = ci0 | ci;ii | cc;ci
and cc = cc0 | ci | ci;ic | cc;cc
let ppo = [R];ii;[R] | [R];ic;[W]

let full = [M];po;[SYNC];po;[M]
let light = [R];po;[LWSYNC];po;[M] | [W];po;[LWSYNC|EIEIO];po;[W]
let fences = full | light
let hb = ppo | fences | rfe
acyclic hb as no-thin-air
let base = (fences | rfe;fences);hb*
let prop = [W];base;[W] | com*;base*;full;hb*
irreflexive fre;prop;hb* as observation
acyclic co | prop as propagation
";

/// ARMv8: Pulte, Flur, Deacon, French, Sarkar, Sewell 2018, Section 4 and the Arm Architecture Reference
/// Manual, B2.3. The part of `bob` with `amo` is from the manual: an atomic instruction that acquires and releases is a
/// fence between what comes before and after it. So is `NORET`: the read of an atomic instruction without a
/// result is not ordered by `DMB LD`. The paper's `ctrl;coi` is part of `ctrl;[W]`, since `ctrl` leads to all later events.
const ARMV8: &str = "
acyclic po-loc | rf | co | fr as internal
empty rmw & (fre;coe) as atomicity
let obs = rfe | fre | coe
let dob = addr | data | ctrl;[W] | (ctrl | addr;po);[ISB];po;[R] | addr;po;[W] | data;coi | (addr | data);rfi
let exclusive-write = rmw^-1;rmw
let aob = rmw | exclusive-write;rfi;[A|Q]
let bob = po;[DMB.SY];po | [L];po;[A] | [R\\NORET];po;[DMB.LD];po | [A|Q];po | [W];po;[DMB.ST];po;[W] | po;[L] | po;[L];coi | po;[A];amo;[L];po
acyclic obs | dob | aob | bob as external
";

/// What C11 and the definition of a race share: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017 (RC11), Section 3.2.
macro_rules! happens_before {
    () => {
        "
let rs = [W];(po & loc)?;[W & RLX];(rf;rmw)*
let sw = [REL];([F];po)?;rs;rf;[R & RLX];(po;[F])?;[ACQ]
let hb = (po | sw)+
"
    };
}

/// RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Definition 1. There, initial writes come before all events
/// in program order; here they do not, which makes no difference: nothing leads to an initial write, so no
/// cycle has one.
const C11: &str = concat!(
    happens_before!(),
    "
let eco = (rf | co | fr)+
irreflexive hb;eco? as coherence
empty rmw & (fr;co) as atomicity
let elsewhere = po \\ loc
let scb = po | elsewhere;hb;elsewhere | hb & loc | co | fr
let psc-base = ([SC] | [F & SC];hb?);scb;([SC] | hb?;[F & SC])
let psc-fence = [F & SC];(hb | hb;eco;hb);[F & SC]
acyclic psc-base | psc-fence as sc
acyclic po | rf as no-thin-air
"
);

/// A data race in C: two threads access one location, one of them writes, not both accesses are atomic, and neither
/// happens before the other (C11 5.1.2.4, 25). The initial value is there before the threads are.
const RACE: &str = concat!(
    happens_before!(),
    "
let conflict = [W\\INIT];(loc & ext);[M\\INIT] | [M\\INIT];(loc & ext);[W\\INIT]
let plain = [NA];conflict | conflict;[NA]
empty plain \\ (hb | hb^-1) as data-race
"
);

/// The text of a model.
pub fn text(model: MemoryModel) -> &'static str {
    match model {
        MemoryModel::Sc => SC,
        MemoryModel::Tso => TSO,
        MemoryModel::Pso => PSO,
        MemoryModel::Rmo => RMO,
        MemoryModel::Power => POWER,
        MemoryModel::Armv8 => ARMV8,
        MemoryModel::C11 => C11,
    }
}

/// A model.
pub fn axioms(model: MemoryModel) -> Axioms {
    Axioms::parse(text(model)).expect("the table can be read")
}

/// What a program in C must not do, under any model: an execution that violates it has undefined behaviour.
pub fn no_race() -> Axioms {
    Axioms::parse(RACE).expect("the table can be read")
}

#[cfg(test)]
mod tests {
    use super::{axioms, no_race};
    use ccfa::MemoryModel;

    /// An execution with fewer reads and fences is consistent if the larger one is, since terms only grow with their relations: nothing is
    /// taken away but `loc`, and sets of events. (Who leaves out rounds of loops relies on it.)
    #[test]
    fn terms_are_monotone() {
        for model in MemoryModel::ALL {
            let text = super::text(model);
            for (at, _) in text.match_indices('\\') {
                let in_set = text[..at].rfind('[') > text[..at].rfind(']');
                assert!(in_set || text[at..].starts_with("\\ loc"), "{model}: {}", &text[at..]);
            }
        }
    }

    #[test]
    fn every_model_can_be_read_and_names_its_axioms() {
        for model in MemoryModel::ALL {
            assert!(axioms(model).names().count() >= 2, "{model}");
        }
        assert_eq!(no_race().names().collect::<Vec<_>>(), ["data-race"]);
    }
}
