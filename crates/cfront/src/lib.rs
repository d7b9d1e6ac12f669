//! From C text to the model. All knowledge of C, POSIX and `__VERIFIER_*` is here.
//!
//!     text ─preprocess→ text ─syntax→ tree ─sema→ typed program ─lower→ CCFA
//!
//! **Trusted**: what is wrong here, no checker finds. So it is written plainly,
//! and what cannot be modelled becomes a gap at its place, never nothing.

pub mod hir;
pub mod preprocess;
pub mod sema;
pub mod source;
pub mod syntax;
pub mod types;

use ccfa::Program;
use std::path::{Path, PathBuf};

pub use types::DataModel;

/// How a program is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes of C's types.
    pub data_model: DataModel,
    /// Signed arithmetic wraps instead of ending the execution when it overflows.
    pub signed_wraps: bool,
    /// `-I` for the preprocessor.
    pub include: Vec<PathBuf>,
    /// `-D` for the preprocessor.
    pub define: Vec<String>,
    /// Bounds of the model.
    pub bounds: Bounds,
}

/// Bounds of the model. Reaching one is reported, never ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How often a function may be active at once in a thread.
    pub recursion: u32,
    /// How many objects one allocation in the program text may create.
    pub objects: u32,
}

/// A program that was read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub program: Program,
    /// The text of each file of `Program::files` that we have, for excerpts.
    pub texts: Vec<Option<String>>,
    /// Remarks for the user: what was assumed, what was bounded.
    pub notes: Vec<String>,
}

/// The input cannot be read.
#[derive(Clone, Debug)]
pub struct BadInput {
    /// What is wrong, at least one.
    pub complaints: Vec<Complaint>,
}

/// One thing that is wrong with the input.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// In plain words.
    pub message: String,
    /// The file.
    pub file: String,
    /// Line and column (from 1) and the width in characters, where known.
    pub place: Option<(u32, u32, u32)>,
    /// The text of that line.
    pub excerpt: Option<String>,
}

/// Reads a C file (`.c` through the preprocessor, `.i` as it is).
pub fn load(path: &Path, options: &Options) -> Result<Loaded, BadInput> {
    let _ = (path, options);
    Err(BadInput { complaints: Vec::new() })
}
