//! Litmus tests in herd's format, for x86, Power, ARMv8 and C, decided under every memory model. A crate of its own for an independent reader:
//! the format and the instructions are known here and nowhere else.
//!
//! 1. [`parse`] reads a test; `decode` and `c` say what instructions mean, in a few operations ([`Operation`]).
//!    [`compile`] brings a test in C to a machine.
//! 2. `traces` finds what each thread can do by itself, `enumerate` all candidate executions.
//! 3. [`decide`] asks the axioms of the model for each candidate. That is a proof by cases: what no candidate reaches cannot be reached.
//! 4. [`verify`] confirms an execution that was found, by itself: it runs the threads again.
//!
//! What is beyond us (loops that do more than wait, accesses of several sizes, arithmetic on addresses) is a [`LitmusLimit`] with its place.
//!
//! [`Operation`]: test::Operation

mod c;
mod candidate;
mod compile;
mod decide;
mod decode;
mod enumerate;
mod parse;
mod repeat;
mod run;
pub mod test;
mod token;
mod traces;

pub use candidate::{Candidate, CandidateGraph, verify};
pub use compile::compile;
pub use decide::{Decision, decide};
pub use parse::{NO_CONDITION, parse};
pub use run::{LitmusLimit, Trace, TraceEvent};
pub use token::LitmusMistake;
