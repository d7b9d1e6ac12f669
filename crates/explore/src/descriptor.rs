//! The two engines of this crate, for those who list engines.

use crate::{Explorer, Pct};
use engine::Descriptor;

/// Explicit states.
pub const EXPLORE: Descriptor = Descriptor {
    name: "explore",
    about: "lists states; finite programs of moderate size, shortest counterexamples",
    options: &[],
    make: |_| Box::new(Explorer::default()),
};

/// Randomised scheduling.
pub const PCT: Descriptor = Descriptor {
    name: "pct",
    about: "tries interleavings at random; finds errors, proves nothing",
    options: &[],
    make: |_| Box::new(Pct),
};
