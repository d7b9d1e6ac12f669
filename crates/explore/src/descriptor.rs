//! The two engines of this crate, for those who list engines.

use crate::{Explorer, Walker};
use engine::Descriptor;

/// Explicit states.
pub const EXPLORE: Descriptor = Descriptor {
    name: "explore",
    about: "lists states; finite programs of moderate size, shortest counterexamples",
    options: &[],
    make: |_| Box::new(Explorer::default()),
};

/// Randomised scheduling.
pub const WALK: Descriptor = Descriptor {
    name: "walk",
    about: "tries interleavings at random; finds errors, proves nothing",
    options: &[],
    make: |_| Box::new(Walker),
};
