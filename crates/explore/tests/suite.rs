//! The suite of all engines.

use engine_suite::{Decided, Expect, run_all};
use explore::{Explorer, SearchOrder};

/// Of 87,417 programs the oracle decides nearly all: an engine that is complete decides no fewer than
/// one that is not.
const LEAST: Decided = Decided { safe: 29_500, unsafe_: 50_500 };

#[test]
fn breadth_first() {
    run_all(&mut Explorer::default(), Expect { complete: true }, LEAST);
}

#[test]
fn depth_first() {
    let order = SearchOrder::DepthFirst;
    run_all(&mut Explorer { order, ..Explorer::default() }, Expect { complete: true }, LEAST);
}
