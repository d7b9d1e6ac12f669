//! What a run has found, as data ([`run`]), and its writers for other tools: a report in JSON ([`report`]), SARIF ([`sarif`]) for editors and
//! code review, and witnesses for other verifiers ([`witness`]). The crate exists for an invariant: formats live at the edge, so nothing that decides knows of them.
//!
//! Writers make texts and do no I/O. What they are given was confirmed before; a defect here can spoil a file, not an answer.

pub mod explanations;
pub mod report;
pub mod reproducer;
pub mod run;
pub mod sarif;
pub mod value;
pub mod witness;

pub use run::{
    AnswerData, Assumed, Change, Failure, Interleaving, ReachedLimit, Row, RunData, SourcePlace,
};
