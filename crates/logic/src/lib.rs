//! What the checker believes of formulas. **Trusted**, all of it; what only searches is in `solve`.
//!
//! Reading order: [`term`](mod@term) (what a formula is, and what it means), `simplify` (its
//! constructors), [`step`] (edges of a program as formulas), [`bits`] (decides that formulas cannot
//! hold together), [`constraint`] and [`certificate`] (the same for integers without bounds, which have no
//! bits: a search proposes, this verifies).

pub mod bits;
pub mod certificate;
pub mod constraint;
mod hash;
mod range;
mod rational;
mod simplify;
pub mod step;
mod substitute;
pub mod term;

pub use bits::Answer;
pub use hash::{FastMap, FastSet};
pub use range::Range;
pub use rational::Rational;
pub use step::{Step, Vocabulary};
pub use term::{ArithOp, Node, Sort, Symbol, Term, Terms};
