//! What every engine must pass.

use engine_suite::{Decided, Expect};
use values::AbstractValues;

#[test]
fn proofs_are_confirmed() {
    let least = Decided { safe: 1, unsafe_: 0 };
    engine_suite::run_all(&mut AbstractValues, Expect { complete: false }, least);
}
