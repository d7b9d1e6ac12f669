//! What every engine must pass, with and without the preference for modular proofs.

use engine_suite::Expect;
use rely_guarantee::{RelyGuarantee, Rule};

/// Some programs need more than three threads in view, or predicates that are not found.
const EXPECT: Expect = Expect { complete: false };

#[test]
fn modular_proofs_first() {
    engine_suite::run_all(&mut RelyGuarantee::default(), EXPECT);
}

#[test]
fn environment_transitions() {
    engine_suite::run_all(&mut RelyGuarantee { bias: true, rule: Rule::ReachEnv }, EXPECT);
}

#[test]
fn all_threads_in_view() {
    engine_suite::run_all(&mut RelyGuarantee { bias: false, rule: Rule::Auto }, EXPECT);
}
