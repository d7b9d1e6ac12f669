//! Abstract threads: the specification of a thread is another thread.
//!
//! After Lahiri, Malkis, Qadeer, *Abstract Threads* (TACAS 2010). The author of the
//! program writes, beside a thread, a simpler one: its *abstract thread*. Then n
//! sequential checks ([`checker()`]) show that each thread conforms to its
//! abstract thread, and one check of the abstract threads together ([`compose()`]) shows
//! that the program has no error. All of them are ordinary programs of the model: any
//! engine decides them and any evidence about them is checked as always.
//!
//! **Trusted**: [`instrument`], [`mod@compose`], [`count`], and what they use: [`formula`],
//! [`relation`], `effect`, `total`; Theorems 1 and 2 of the paper are tested by brute force. How an abstract
//! thread is read ([`read`]) is not: whatever it is read as is both checked
//! and composed.
//!
//! Reading order: [`machine`] (what an abstract thread is), [`read`] (where it comes
//! from), [`instrument`] (what conformance means), [`mod@compose`], [`mod@explain`].

mod arbitrary;
mod argument;
mod casts;
mod classes;
mod comparison;
pub mod compose;
pub mod count;
mod effect;
pub mod explain;
pub mod formula;
pub mod instrument;
pub mod machine;
pub mod modular;
pub mod read;
pub mod relation;
mod run;
pub mod suggest;
pub mod text;
mod tidy;
mod total;

pub use compose::compose;
pub use count::compose_counted;
pub use explain::{Explanation, explain};
pub use instrument::{Checker, CheckerEdge, checker};
pub use machine::{Machine, MachineFailure, MachineState, Move};
pub use read::{Unreadable, read_machine};
pub use suggest::suggest;
