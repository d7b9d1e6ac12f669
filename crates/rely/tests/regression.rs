//! Runs `tests/regression/NN-topic/NN-name.c`. Each program says in comments
//! what is to be expected: `//EXPECT: SAFE|UNSAFE|UNKNOWN`, optionally
//! `//ARGS: …` for the command line and `//REASON: …` for words of the output.

mod support;

#[test]
fn programs_are_answered_as_they_say() {
    support::check_programs(&support::root().join("tests/regression"));
}
