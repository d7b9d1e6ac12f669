//! From C text to the model. All knowledge of C, POSIX and `__VERIFIER_*` is here.
//!
//! ```text
//! text ─preprocess→ text ─syntax→ tree ─sema→ typed program ─lower→ CCFA ─simplify→ CCFA
//! ```
//!
//! **Trusted**: what is wrong here, no checker finds. So it is written plainly,
//! and what cannot be modelled becomes a gap at its place, never nothing.

pub mod hir;
mod library;
mod lower;
pub mod points_to;
pub mod preprocess;
pub mod sema;
mod simplify;
pub mod source;
mod spans;
pub mod syntax;
pub mod types;

use ccfa::Program;
use preprocess::{PreprocessOptions, Source};
use sema::UnitOptions;
use source::{Diagnostic, SourceMap};
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
    /// What counts as an error.
    pub property: Property,
    /// Bounds of the model.
    pub bounds: Bounds,
}

/// What counts as an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Property {
    /// A failing assertion, or a call of `reach_error` or `__VERIFIER_error`.
    #[default]
    Assertions,
    /// A call of this function, and nothing else.
    Unreachable(String),
}

/// What the model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be verified as a whole.
    Verification,
    /// To be compared with abstract threads, step by step: the functions
    /// [`ABSTRACT_PREFIX`]`NAME` become templates that no thread runs, and no two
    /// accesses to shared variables are joined to one step.
    Conformance,
}

/// How the name of the abstract thread of a start routine begins; the name of the
/// routine follows.
pub const ABSTRACT_PREFIX: &str = "__rely_abstract_";

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

/// Deep programs need a deep stack: trees are walked by recursion.
const STACK_BYTES: usize = 1 << 30;

/// Reads a C file (`.c` through the preprocessor, `.i` as it is).
pub fn load(path: &Path, options: &Options) -> Result<Loaded, BadInput> {
    load_for(Purpose::Verification, path, options)
}

/// Reads a C file for a purpose.
pub fn load_for(purpose: Purpose, path: &Path, options: &Options) -> Result<Loaded, BadInput> {
    let preprocessing = PreprocessOptions {
        ilp32: options.data_model == DataModel::Ilp32,
        include_dirs: options.include.clone(),
        defines: options.define.clone(),
    };
    let source = preprocess::load(path, &preprocessing).map_err(|error| BadInput {
        complaints: vec![Complaint {
            message: error.to_string(),
            file: error.file,
            place: None,
            excerpt: None,
        }],
    })?;
    load_source_for(purpose, &source, options)
}

/// Reads C text that was preprocessed already.
pub fn load_source(source: &Source, options: &Options) -> Result<Loaded, BadInput> {
    load_source_for(Purpose::Verification, source, options)
}

/// The same program with fewer steps and variables: what can be reached stays.
pub fn simplify(program: Program) -> Program {
    simplify::simplify(program, Purpose::Verification)
}

fn load_source_for(
    purpose: Purpose,
    source: &Source,
    options: &Options,
) -> Result<Loaded, BadInput> {
    std::thread::scope(|scope| {
        let work = || model(purpose, source, options);
        let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let worker = worker.expect("the system gives us a thread");
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn model(purpose: Purpose, source: &Source, options: &Options) -> Result<Loaded, BadInput> {
    let map = source.map();
    let bad = |diagnostics: Vec<Diagnostic>| BadInput {
        complaints: diagnostics
            .iter()
            .map(|diagnostic| complaint(source, &map, diagnostic))
            .collect(),
    };
    let library = library::parse();
    let tree = syntax::parse(&source.text).map_err(|diagnostic| bad(vec![diagnostic]))?;
    let units = [
        (&library, UnitOptions { is_model: true, offset: lower::LIBRARY_OFFSET }),
        (&tree, UnitOptions { is_model: false, offset: 0 }),
    ];
    let unit = sema::analyse(&units, options.data_model).map_err(bad)?;
    let program = lower::lower(&unit, &map, options, purpose).map_err(|message| BadInput {
        complaints: vec![Complaint {
            message,
            file: source.name.clone(),
            place: None,
            excerpt: None,
        }],
    })?;
    if purpose == Purpose::Conformance {
        let orphans = orphans(&unit, &program);
        if !orphans.is_empty() {
            return Err(bad(orphans));
        }
    }
    let mut program = simplify::simplify(program, purpose);
    spans::keep_used_files(&mut program);
    let texts: Vec<Option<String>> =
        program.files.iter().map(|file| text_of(source, file)).collect();
    spans::clamp_columns(&mut program, &texts);
    spans::name_labels(&mut program, &texts);
    debug_assert_eq!(ccfa::wellformed::check(&program), Ok(()));
    Ok(Loaded { program, texts, notes: source.notes.clone() })
}

/// The abstract threads that specify nothing: a mistake in the name must not pass for
/// a specification that was checked.
fn orphans(unit: &hir::Unit, program: &Program) -> Vec<Diagnostic> {
    let running: Vec<&str> = program
        .threads
        .iter()
        .map(|thread| program.templates[thread.template.index()].name.as_str())
        .collect();
    let mut found = Vec::new();
    for function in &unit.functions {
        let Some(routine) = function.name.strip_prefix(ABSTRACT_PREFIX) else { continue };
        let exists = unit.functions.iter().any(|other| other.name == routine);
        let trouble = match (running.contains(&routine), function.body.is_some(), exists) {
            (true, true, _) => continue,
            (true, false, _) => "it has no body".to_string(),
            (false, _, true) => format!("no thread runs `{routine}`"),
            (false, _, false) => format!("there is no function `{routine}`"),
        };
        let threads = running.join("`, `");
        let message =
            format!("`{}` specifies no thread: {trouble} (threads run `{threads}`)", function.name);
        found.push(Diagnostic { message, range: function.range });
    }
    found
}

/// The text of a source file, for excerpts.
fn text_of(source: &Source, file: &str) -> Option<String> {
    if file == source.name && !source.honour_linemarkers {
        return Some(source.text.clone());
    }
    std::fs::read_to_string(file).ok()
}

fn complaint(source: &Source, map: &SourceMap, diagnostic: &Diagnostic) -> Complaint {
    let place = map.place(diagnostic.range.lo);
    let width = diagnostic.range.hi.saturating_sub(diagnostic.range.lo).max(1);
    let file = map.files().get(place.file as usize).cloned().unwrap_or_else(|| source.name.clone());
    let excerpt = text_of(source, &file)
        .and_then(|text| text.lines().nth(place.line as usize - 1).map(str::to_string));
    Complaint {
        message: diagnostic.message.clone(),
        file,
        place: Some((place.line, place.column, width)),
        excerpt,
    }
}
