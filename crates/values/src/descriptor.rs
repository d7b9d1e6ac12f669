//! The engine, for those who list engines.

use crate::AbstractValues;
use engine::Descriptor;

/// Abstract interpretation.
pub const VALUES: Descriptor = Descriptor {
    name: "values",
    about: "follows which values variables can have, one thread at a time; finds simple invariants of large programs, and no errors",
    options: &[],
    make: |_| Box::new(AbstractValues),
};
