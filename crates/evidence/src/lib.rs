//! Verdicts and what they rest on. A verdict owns its evidence: a `Safe`
//! without a proof or an `Unsafe` without an interleaving cannot be written.
//!
//! Evidence speaks of the program (its threads, edges, variables and their
//! values), never of what an engine has inside.

mod assertions;
mod closed_set;
mod packing;
mod reason;
mod reduction;
mod tree;
mod words;

pub use assertions::{Assertions, Region, Slot, View};
pub use closed_set::{Bits, ClosedSet, Expansion, Layout, MAX_PASSED_STATES, cell_types};
pub use reason::Reason;
pub use reduction::{Reduction, TemplateReduction};
pub use tree::{Reached, Tree, TreeNode};

use ccfa::EdgeId;
use std::sync::Arc;

/// The answer to "can a bad state be reached?" (`ccfa::property`)
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// No; and why.
    Safe(Proof),
    /// Yes; and how.
    Unsafe(Witness),
    /// Not known; and why not.
    Unknown(Reason),
}

/// Why no bad state is reachable, and no model limit.
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// A set of states that contains the initial ones and is closed under steps.
    Closed(ClosedSet),
    /// An abstract reachability tree, closed by covers.
    Tree(Tree),
    /// Assertions about tracked threads, invariant under their own steps and under interference.
    Assertions(Assertions),
    /// Why the program in which races are errors (`ccfa::races`) reaches no bad location.
    RacesAsErrors(Box<Proof>),
    /// Why the program in which deadlocks are errors (`ccfa::deadlocks`) reaches no bad location.
    DeadlocksAsErrors(Box<Proof>),
    /// An order of resources, and why the program in which it is an error to take them out of order (`ccfa::resource_order`) reaches no bad location.
    Ordered(Arc<ccfa::resource_order::ResourceOrder>, Box<Proof>),
    /// A smaller program that reaches a bad location if the program does, and why it reaches none.
    Reduced(Arc<Reduction>, Box<Proof>),
}

/// An interleaving that ends in a bad state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// How many instances each `Count::Any` thread has.
    pub instances: u32,
    /// The values of those cells that are `ANY` in `ccfa`'s initial state, in
    /// the order of the cells.
    pub initial: Vec<i128>,
    /// The steps in order.
    pub steps: Vec<WitnessStep>,
}

/// A step of an interleaving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessStep {
    /// The instance that moves: index into `System::instances`.
    pub instance: usize,
    /// Along which edge of its template.
    pub edge: EdgeId,
    /// The arbitrary values it takes, in the order in which they are written.
    pub havoc: Vec<i128>,
}
