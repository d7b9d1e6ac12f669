//! What only searches: whatever it finds is asked of `logic` again, by `check`.
//!
//! Engines ask a [`Decider`]: cheap ways first ([`decide`]), then the bits of `logic` with models
//! ([`bits`]). [`interpolate`] says why formulas fail in fewer words, by the linear reading of them ([`linear`])
//! and the [`simplex`], which also looks for [`integers`](mod@integers) on behalf of the bits.
//! [`express`] writes formulas as expressions of the program, [`show`](mod@show) as text, [`smtlib`] for
//! [`external`] solvers. [`evaluate`](mod@evaluate) gives the value of a term, [`random`] makes terms for tests.

mod batsat;
pub mod bits;
pub mod decide;
pub mod evaluate;
pub mod express;
pub mod external;
pub mod integers;
pub mod interpolate;
mod intervals;
pub mod linear;
pub mod random;
mod rewrite;
pub mod show;
pub mod simplex;
pub mod smtlib;
pub mod solver;

pub use bits::{BitSolver, QuickSolver};
pub use decide::{Counters, Decider, Entailment};
pub use express::{expression, state_expression};
pub use external::External;
pub use integers::integers;
pub use rewrite::terms;
pub use show::show;
pub use solver::{Cores, Models, Solver};
