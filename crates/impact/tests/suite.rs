//! What every engine must pass, in each of the paper's four configurations.

use engine_suite::Expect;
use impact::{Configuration, Impact, Reduction};

/// Some random programs take arbitrary values in a way for which no interpolant is found.
const EXPECT: Expect = Expect { complete: false };

fn engine(reduction: Reduction, force_cover: bool) -> Impact {
    Impact { configuration: Configuration { reduction, force_cover } }
}

#[test]
fn static_reduction() {
    engine_suite::run_all(&mut engine(Reduction::Static, false), EXPECT);
}

#[test]
fn static_reduction_with_forced_covers() {
    engine_suite::run_all(&mut engine(Reduction::Static, true), EXPECT);
}

#[test]
fn dynamic_reduction() {
    engine_suite::run_all(&mut engine(Reduction::Dynamic, false), EXPECT);
}

#[test]
fn dynamic_reduction_with_forced_covers() {
    engine_suite::run_all(&mut engine(Reduction::Dynamic, true), EXPECT);
}
