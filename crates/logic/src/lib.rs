//! Formulas and how to decide them. **Trusted**: [`term`](mod@term), `simplify`, [`step`], the
//! bit-precise solver and the certificates of [`simplex`]; what finds interpolants, and what
//! finds certificates, is not (`check` asks the bits again, and these verify).
//!
//! Reading order: `term` (what a formula is, and what it means), `simplify` (its
//! constructors), `step` (edges of a program as formulas), [`bits`] (the arbiter), [`decide`]
//! (cheap ways before it). [`evaluate`](mod@evaluate) gives the value of
//! a term, [`random`] makes terms for tests.

pub mod bits;
pub mod decide;
pub mod evaluate;
pub mod external;
mod hash;
pub mod interpolate;
mod intervals;
pub mod linear;
pub mod random;
mod range;
pub mod rational;
mod show;
pub mod simplex;
mod simplify;
pub mod smtlib;
pub mod solve;
pub mod step;
mod substitute;
pub mod term;

pub use bits::{BitSolver, QuickSolver};
pub use decide::{Counters, Decider, Entailment};
pub use external::External;
pub use hash::{FastMap, FastSet};
pub use solve::{Answer, Cores, Interrupt, Models, Solver};
pub use step::{Step, Vocabulary, expression};
pub use term::{ArithOp, Node, Sort, Symbol, Term, Terms};
