//! The suite of all engines.

use engine_suite::{Expect, run_all};
use explore::{Explorer, SearchOrder};

#[test]
fn breadth_first() {
    run_all(&mut Explorer::default(), Expect { complete: true });
}

#[test]
fn depth_first() {
    let order = SearchOrder::DepthFirst;
    run_all(&mut Explorer { order, reduce: true }, Expect { complete: true });
}
