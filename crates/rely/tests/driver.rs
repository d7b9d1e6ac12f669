//! The driver of `regression.rs` sees what is wrong.

mod support;

use support::here;
use support::programs::{Program, programs};

#[test]
fn what_is_right_passes() {
    for program in programs(&here().join("driver/right"), 2) {
        assert_eq!(program.judge(), Ok(()));
    }
}

#[test]
fn what_is_wrong_does_not() {
    let wrong = programs(&here().join("driver/wrong"), 3);
    let passed = wrong.iter().filter(|program: &&Program| program.judge().is_ok()).count();
    assert_eq!(passed, 0);
}

#[test]
#[should_panic(expected = "0 programs")]
fn an_empty_folder_does_not_pass() {
    programs(&here().join("driver/nothing"), 1);
}
