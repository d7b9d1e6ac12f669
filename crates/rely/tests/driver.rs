//! The driver of `regression.rs` and `examples.rs` sees what is wrong.

mod support;

use support::{check_programs, here};

#[test]
fn what_is_right_passes() {
    check_programs(&here().join("driver/right"));
}

#[test]
#[should_panic(expected = "3 of 3 differ")]
fn what_is_wrong_does_not() {
    check_programs(&here().join("driver/wrong"));
}

#[test]
#[should_panic(expected = "no C program")]
fn an_empty_folder_does_not_pass() {
    check_programs(&here().join("driver/nothing"));
}
