//! Memory models by name: when a thread sees what another has written.

use std::fmt;

/// A memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum MemoryModel {
    /// Sequential consistency (Lamport 1979): executions are interleavings.
    #[default]
    Sc,
    /// Total store order: x86 (Sewell, Sarkar, Owens, Zappa Nardelli, Myreen 2010) and SPARC.
    Tso,
    /// Partial store order (SPARC v8): writes to different locations are not ordered either.
    Pso,
    /// Relaxed memory order (SPARC v9).
    Rmo,
    /// IBM Power (Alglave, Maranget, Tautschnig 2014).
    Power,
    /// ARMv8 (Pulte, Flur, Deacon, French, Sarkar, Sewell 2018).
    Armv8,
    /// The language's own model, C11 as repaired by Lahav, Vafeiadis, Kang, Hur, Dreyer 2017 (RC11).
    C11,
}

impl MemoryModel {
    /// All of them, each after those that allow no more than it does (as far as they can be compared).
    pub const ALL: [MemoryModel; 7] = [
        MemoryModel::Sc,
        MemoryModel::Tso,
        MemoryModel::Pso,
        MemoryModel::Rmo,
        MemoryModel::Power,
        MemoryModel::Armv8,
        MemoryModel::C11,
    ];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
            MemoryModel::Rmo => "rmo",
            MemoryModel::Power => "power",
            MemoryModel::Armv8 => "armv8",
            MemoryModel::C11 => "c11",
        }
    }

    /// The model of this name.
    pub fn named(name: &str) -> Option<MemoryModel> {
        MemoryModel::ALL.into_iter().find(|model| model.name() == name)
    }
}

impl fmt::Display for MemoryModel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
