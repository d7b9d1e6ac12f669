//! Simpler programs, and the way back for what is found out about them.
//!
//! A [`Transformation`] makes of a program a simpler one, and says how evidence about that becomes evidence about the
//! program before: Golem's transformers do the same (`WitnessBackTranslator`). A [`Pipeline`] is a list of them, run
//! once for a program. There are two lists:
//!
//! - [`reductions`] makes races errors, if they are asked for (`as_errors`), and then the program smaller: fewer steps, locations and variables (`reduce`). Proofs
//!   about the smaller program are proofs about the program before by a certificate. Reports show this program.
//! - [`for_engines`] keeps locations and edges, and makes simpler what they mean: what violates the property is an error
//!   location (`errors`), what the property does not need is not computed (`slice`), and where a variable has one value the value stands in its place (`known`). Here
//!   the proofs themselves are carried back.
//!
//! Beside these lists, [`Instances`] makes finite instances of a parameterised program, for engines that need a number of threads.
//!
//! Nothing of this is trusted: `check` confirms what comes back against the program before.
//!
//! Reading order: `pipeline`; `as_errors`, `resource_order`, `orders`; `reduce`; `errors`; `needs`, `slice`, `unslice`; `known`, `facts`, `rewrite`, `back`;
//! `instances`.

mod as_errors;
mod back;
mod errors;
mod facts;
mod instances;
mod known;
mod needs;
pub mod orders;
mod pipeline;
mod reduce;
mod resource_order;
mod rewrite;
mod slice;
mod unslice;

pub use as_errors::{DeadlocksAs, Races};
pub use errors::Errors;
pub use instances::Instances;
pub use known::KnownValues;
pub use pipeline::{Pipeline, Transformation, WayBack};
pub use reduce::{Constants, Dead, Fuse, Irrelevant};
pub use resource_order::resource_order;
pub use slice::Slice;

/// Makes a program smaller that is to be verified as a whole.
pub fn reductions() -> Vec<Box<dyn Transformation>> {
    vec![
        Box::new(Races),
        Box::new(Constants),
        Box::new(Irrelevant),
        Box::new(Fuse { stepwise: false }),
        Box::new(Constants),
        Box::new(Irrelevant),
        Box::new(Dead),
        Box::new(Fuse { stepwise: false }),
        Box::new(Dead),
    ]
}

/// Makes a program smaller whose threads are to be compared with templates that no thread runs, step by step. (So
/// no step is irrelevant.)
pub fn stepwise_reductions() -> Vec<Box<dyn Transformation>> {
    vec![
        Box::new(Constants),
        Box::new(Fuse { stepwise: true }),
        Box::new(Constants),
        Box::new(Dead),
        Box::new(Fuse { stepwise: true }),
        Box::new(Dead),
    ]
}

/// Makes simpler what the steps of a program do.
pub fn for_engines() -> Vec<Box<dyn Transformation>> {
    vec![Box::new(Errors), Box::new(Slice), Box::new(KnownValues)]
}
