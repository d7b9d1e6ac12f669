//! Executions as graphs of events, and the axioms of the memory models: what decides whether a program can behave so
//! under a model. A crate of its own for an invariant: it knows no instruction, no value and no engine, only events and
//! relations between them.
//!
//! - [`Execution`]: events with program order, dependencies, reads-from and coherence.
//! - [`Axioms`]: a model in a small part of the language cat; [`axioms()`] gives those of the table `models`.
//! - [`Axioms::violated`]: the axiom that an execution violates, with events that show it.

mod evaluate;
mod execution;
mod language;
mod models;
mod relation;

pub use evaluate::Violation;
pub use execution::{EventAction, EventTag, EventTags, Execution, MemoryEvent};
pub use language::Axioms;
pub use models::{axioms, no_race, text};
pub use relation::{EventRelation, EventSet, MAX_EVENTS};
