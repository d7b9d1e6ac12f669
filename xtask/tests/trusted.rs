//! What must be right for an answer to be right stays small, and ARCHITECTURE.md says how small.

use xtask::trusted::Trusted;

#[test]
#[ignore = "for .ci/run, which takes ignored tests, too: while work is under way, lines come and go"]
fn the_trusted_base_is_small_and_architecture_says_so() {
    let complaints = Trusted::count().complaints();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
