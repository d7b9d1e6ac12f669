//! What the checker believes of formulas. **Trusted**, all of it; what only searches is in `solve`.
//!
//! Reading order: [`term`](mod@term) (what a formula is, and what it means), `make` and `plain` (how
//! terms are made), [`step`] (edges of a program as formulas), [`bits`] (decides that formulas cannot
//! hold together), [`constraint`] and [`certificate`] (the same for integers without bounds, which have no
//! bits: a search proposes, this verifies).

pub mod bits;
pub mod certificate;
pub mod constraint;
mod make;
mod measure;
mod plain;
mod range;
mod rational;
pub mod step;
mod substitute;
pub mod term;

pub use bits::Answer;
pub use range::Range;
pub use rational::Rational;
pub use rustc_hash::{FxHashMap as FastMap, FxHashSet as FastSet};
pub use step::{Step, Vocabulary};
pub use term::{ArithOp, Node, Rules, Sort, Symbol, Term, Terms};
