//! What every engine must pass.

use engine_suite::{Decided, Expect};
use values::AbstractValues;

#[test]
fn proofs_are_confirmed() {
    // It proved 29,818 of 87,417 when this was written; more than half of them have errors, which it does not look for.
    let least = Decided { safe: 29_800, unsafe_: 0 };
    engine_suite::run_all(&mut AbstractValues, Expect { complete: false }, least);
}
