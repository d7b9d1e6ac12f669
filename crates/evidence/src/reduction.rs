//! A smaller program, and what ties it to the program before: the certificate of a reduction.
//!
//! Steps are fused (R. J. Lipton, CACM 1975), irrelevant ones left out, constants put in, dead locals and
//! variables that are never read left out. What must hold so that a bad location that is reachable
//! before is reachable after is said where it is checked, in `check::reduction`.

use ccfa::{EdgeId, LocId, LocalId, Program, SharedId};

/// A program *after*, and how it lies in the program *before*. Both have the same threads.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Reduction {
    /// The program after.
    pub program: Program,
    /// By shared variable after: the one before.
    pub shared: Vec<SharedId>,
    /// Shared variables before that always hold their initial values.
    pub constants: Vec<SharedId>,
    /// The irrelevant steps (`ccfa::irrelevant`) of the program before are left out.
    pub irrelevant: bool,
    /// By template.
    pub templates: Vec<TemplateReduction>,
}

/// How a template after lies in the template before.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TemplateReduction {
    /// By local after: the one before.
    pub locals: Vec<LocalId>,
    /// Locals before that always hold their initial values.
    pub constants: Vec<LocalId>,
    /// By location after: the one before. These are *kept*, the others before are *removed*.
    pub locations: Vec<LocId>,
    /// By edge after: the path before that it stands for.
    pub paths: Vec<Vec<EdgeId>>,
}
