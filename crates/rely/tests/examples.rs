//! Runs `examples/*.c`, which say in comments what is to be expected, as the
//! programs of `regression.rs` do.

mod support;

#[test]
fn examples_are_answered_as_they_say() {
    support::check_programs(&support::root().join("examples"));
}
