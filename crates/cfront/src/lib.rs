//! From C text to the model. All knowledge of C, POSIX and `__VERIFIER_*` is here.
//!
//! ```text
//! text ─preprocess→ text ─syntax→ tree ─sema→ typed program ─points_to, lower→ CCFA
//! ```
//!
//! **Trusted**: what is wrong here, no checker finds. So it is written plainly,
//! and what cannot be modelled becomes a model limit at its place, never nothing.

mod assumption;
mod attempts;
mod compiler_options;
mod entry;
mod extensions;
pub mod hir;
mod library;
mod lower;
mod missing;
pub mod points_to;
pub mod preprocess;
mod project;
mod scopes;
pub mod sema;
pub mod source;
mod spans;
pub mod syntax;
pub mod types;

use ccfa::{Details, Program};
use compiler_options::Dialect;
use library::Library;
use missing::MissingFunction;
use points_to::PointsTo;
use preprocess::{LoadError, PreprocessOptions, Source, Written};
use sema::UnitOptions;
use source::{Diagnostic, Position, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub use assumption::Assumption;
pub use attempts::attempt_at_a_lock;
pub use compiler_options::{CompilerOptions, Quoting, RefusedFlag, UnfinishedWord, expand, split};
pub use types::DataModel;

/// How C text is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Sizes of C's types. Without it, the compiler's flags say them; [`DataModel::default`] if they do not.
    pub data_model: Option<DataModel>,
    /// What the compiler is told.
    pub compiler: CompilerOptions,
    /// The function in which the program begins; without it, `main`.
    pub entry: Option<String>,
}

/// A file of a program, and how it is compiled.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its path, from where the compiler is started.
    pub path: PathBuf,
    /// What the compiler is told.
    pub options: CompilerOptions,
    /// What the user should know about it.
    pub notes: Vec<String>,
}

/// How a program that was read becomes a model.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// What the model is for.
    pub purpose: Purpose,
    /// What is chosen where C or the system leave it open.
    pub choices: Choices,
    /// What counts as an error.
    pub property: Property,
    /// Bounds of the model.
    pub bounds: Bounds,
}

/// What is chosen where C or the system leave it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// What signed arithmetic does when it overflows.
    pub signed_overflow: SignedOverflow,
    /// `malloc` and its relatives may return a null pointer.
    pub allocation_may_fail: bool,
    /// `pthread_create` and its relatives may return an error.
    pub creation_may_fail: bool,
    /// Deadlocks are asked for: a thread that waits at a condition variable may wait until it is woken (else it always
    /// wakes up by itself, sooner or later), and an assumption that does not hold ends the program.
    pub deadlocks: bool,
    /// An attempt to take a lock (`pthread_mutex_trylock` and its like) may fail though no thread has it. So it cannot; but it is not said that one that
    /// fails synchronises, and whether there is a race without that is asked so: who fails then knows nothing of others.
    pub attempts_fail: bool,
    /// Overflow is asked for: then a left shift overflows whose result C leaves undefined. (Compilers give the shifted bits; where
    /// overflow is not asked for, so do we.)
    pub shifts_overflow: bool,
    /// It is asked whether a variable is read before it was written. Else it has some value then.
    pub uninitialised: bool,
    /// Another memory model than sequential consistency is asked for: what synchronises threads, or is one atomic section of the program's own, says that
    /// it is a fence, too, and so does assembly.
    pub weak_memory: bool,
    /// Which memory counts as leaked, if leaks are asked for.
    pub leaks: Option<Leaks>,
    /// What a function does that has no body.
    pub missing: MissingFunctions,
}

/// What a function does that has no body, and for which no stub stands (`rely_stub_NAME`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingFunctions {
    /// Unknown: where one is called, the model ends.
    #[default]
    Unknown,
    /// It returns any value, and does nothing else. (One that returns a pointer or a record, or that does not return, is not known all the same.)
    AnyValue,
}

/// Which memory counts as leaked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaks {
    /// What is allocated when the program ends (`main` returns, or `exit`), and nothing that lives as long as the program leads there.
    #[default]
    Lost,
    /// What is allocated at any time, and no variable leads there: SV-COMP's `valid-memtrack`.
    Tracked,
    /// What is allocated when the program ends: SV-COMP's `valid-memcleanup`.
    NotFreed,
}

/// What signed arithmetic does when it overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignedOverflow {
    /// Behaviour is undefined there, as in C.
    #[default]
    Undefined,
    /// The result is any value of its type, a new one each time. So is what is read outside the bounds of an object: what is undefined
    /// is followed where that is possible.
    AnyValue,
    /// It wraps around, in two's complement.
    Wrap,
}

/// What counts as an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Property {
    /// A failing assertion, or a call of `reach_error` or `__VERIFIER_error`.
    #[default]
    Assertions,
    /// A call of this function, and nothing else.
    Unreachable(String),
    /// Nothing is: a failing assertion ends the program.
    Nothing,
}

impl Property {
    /// Does a call of this function end the program, as an error or without being one?
    fn ends_at_call_of(&self, name: &str) -> bool {
        match self {
            Property::Assertions | Property::Nothing => {
                matches!(name, "reach_error" | "__VERIFIER_error")
            }
            Property::Unreachable(function) => function == name,
        }
    }
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
    /// How many writes of a thread may wait to become visible, under a weak memory model. (The model of C has them all visible at
    /// once; who makes another of it for a weaker memory model has this bound.)
    pub delayed_writes: u32,
}

/// A program that was preprocessed, parsed and typed, once. Models of it are made as often as
/// needed: with larger bounds, or for another purpose.
#[derive(Debug)]
pub struct CProgram {
    sources: Vec<Source>,
    map: SourceMap,
    unit: hir::Unit,
    points_to: PointsTo,
    missing: Vec<MissingFunction>,
    dialect: Dialect,
}

/// The model of a program.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub program: Program,
    /// The texts of the files of the model that we have, by their names, for excerpts.
    pub texts: BTreeMap<String, String>,
    /// What the model takes for granted.
    pub assumptions: BTreeSet<Assumption>,
    /// Remarks for the user on how the text was read.
    pub notes: Vec<String>,
    /// What can be said of failures beyond their kinds.
    pub details: Details,
    /// The functions without a body that the program may call, each with the place of a call, for people.
    pub missing: Vec<String>,
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

impl CProgram {
    /// Reads C files, `.i` as they are, others through the preprocessor, and links them.
    pub fn from_files(paths: &[PathBuf], options: &ReadOptions) -> Result<CProgram, BadInput> {
        let compiled = |path: &PathBuf| SourceFile {
            path: path.clone(),
            options: options.compiler.clone(),
            notes: Vec::new(),
        };
        let files: Vec<SourceFile> = paths.iter().map(compiled).collect();
        CProgram::from_compiled(&files, options)
    }

    /// Reads the files of a project, as its `compile_commands.json` says: all of them, or those that are chosen.
    pub fn from_project(
        database: &Path,
        chosen: &[PathBuf],
        options: &ReadOptions,
    ) -> Result<CProgram, BadInput> {
        let files = project::read(database, chosen, &options.compiler)?;
        CProgram::from_compiled(&files, options)
    }

    fn from_compiled(files: &[SourceFile], options: &ReadOptions) -> Result<CProgram, BadInput> {
        let dialect = Dialect::of_files(files, options)?;
        let read = |file: &SourceFile| {
            let options = preprocessing(&file.options, dialect.data_model);
            let mut source = preprocess::load(&file.path, &options)?;
            source.notes.extend(file.notes.iter().cloned());
            Ok(source)
        };
        let sources: Result<Vec<Source>, LoadError> = files.iter().map(read).collect();
        CProgram::link(sources.map_err(unreadable)?, dialect, options.entry.as_deref())
    }

    /// Reads C text through the preprocessor; `name` stands for its file.
    pub fn from_text(name: &str, text: &str, options: &ReadOptions) -> Result<CProgram, BadInput> {
        let dialect = Dialect::new(name, &options.compiler, options.data_model)?;
        let preprocessing = preprocessing(&options.compiler, dialect.data_model);
        let source = preprocess::load_text(name, text, &preprocessing).map_err(unreadable)?;
        CProgram::link(vec![source], dialect, options.entry.as_deref())
    }

    /// Reads C text that was preprocessed already; `name` stands for its file.
    pub fn from_preprocessed(
        name: &str,
        text: &str,
        options: &ReadOptions,
    ) -> Result<CProgram, BadInput> {
        let dialect = Dialect::new(name, &options.compiler, options.data_model)?;
        let sources = vec![Source::from_text(name, text)];
        CProgram::link(sources, dialect, options.entry.as_deref())
    }

    /// Reads C text that was preprocessed already.
    pub fn from_source(source: Source, data_model: DataModel) -> Result<CProgram, BadInput> {
        CProgram::link(vec![source], Dialect { data_model, ..Dialect::default() }, None)
    }

    /// The translation units of a program, at least one.
    fn link(
        mut sources: Vec<Source>,
        dialect: Dialect,
        entry: Option<&str>,
    ) -> Result<CProgram, BadInput> {
        // A text that does not end with a line would share its last one with the next.
        let has_next = sources.len() > 1;
        sources.iter_mut().filter(|_| has_next).for_each(|source| source.text.push('\n'));
        on_deep_stack(|| {
            let (map, starts) = map_of(&sources)?;
            let complain = |errors: &[Diagnostic]| bad(&sources, &map, errors);
            let (mut trees, mut mentioned) = (Vec::new(), syntax::Mentions::default());
            for (source, start) in sources.iter().zip(&starts) {
                let (tree, mentions) =
                    syntax::parse_with_mentions(&source.text).map_err(|error| {
                        let range = error.range.moved(*start);
                        complain(&[Diagnostic { range, ..error }])
                    })?;
                trees.push(tree);
                mentioned.extend(mentions);
            }
            let library = Library::parse(&mentioned);
            let model = UnitOptions { is_model: true, offset: lower::LIBRARY_OFFSET };
            let mut units = vec![(&library.unit, model)];
            let user = |start: &u32| UnitOptions { is_model: false, offset: *start };
            units.extend(trees.iter().zip(starts.iter().map(user)));
            let mut unit =
                sema::analyse(&units, dialect.data_model).map_err(|errors| complain(&errors))?;
            missing::add_stubs(&mut unit).map_err(|errors| complain(&errors))?;
            if let Some(name) = entry.filter(|name| !entry::exists(&unit, name)) {
                let message = format!("there is no function `{name}` in which it could begin");
                return Err(of_file(&sources[0].name, message));
            }
            entry::begin(&mut unit, entry).map_err(|errors| complain(&errors))?;
            library.mark(&mut unit);
            let points_to = points_to::analyse(&unit);
            let missing = missing::find(&unit);
            Ok(CProgram { sources, map, unit, points_to, missing, dialect })
        })
    }

    /// Sizes of C's types, as the user or the compiler's flags say.
    pub fn data_model(&self) -> DataModel {
        self.dialect.data_model
    }

    /// The texts as they were parsed, one for each file.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Where the texts stand, one behind the other.
    pub fn map(&self) -> &SourceMap {
        &self.map
    }

    /// What is chosen, where the compiler's flags do not say it.
    pub fn choices(&self, chosen: Choices) -> Choices {
        match self.dialect.wraps {
            true => Choices { signed_overflow: SignedOverflow::Wrap, ..chosen },
            false => chosen,
        }
    }

    /// Makes a model of it.
    pub fn lower(&self, options: &LowerOptions) -> Result<Loaded, BadInput> {
        on_deep_stack(|| self.model(options))
    }

    fn model(&self, options: &LowerOptions) -> Result<Loaded, BadInput> {
        let CProgram { sources, map, unit, points_to, .. } = self;
        let (mut program, assumptions, details) = lower::lower(unit, points_to, map, options)
            .map_err(|message| of_file(&sources[0].name, message))?;
        if options.purpose == Purpose::Conformance {
            let orphans = orphans(unit, &program);
            if !orphans.is_empty() {
                return Err(bad(sources, map, &orphans));
            }
        }
        spans::keep_used_calls(&mut program);
        spans::keep_used_files(&mut program);
        let named = |file: &String| Some((file.clone(), text_of(sources, file)?));
        let texts = program.files.iter().filter_map(named).collect();
        // Everybody else takes this for granted: a model that is none would be decided all the same.
        assert_eq!(ccfa::wellformed::check(&program), Ok(()), "the model should be well-formed");
        let notes = sources.iter().flat_map(|source| source.notes.clone()).collect();
        let missing = self.missing(options.choices.missing);
        Ok(Loaded { program, texts, assumptions, details, notes, missing })
    }

    /// The functions without a body that stand in the way: "`f` (prog.c:7)".
    fn missing(&self, choice: MissingFunctions) -> Vec<String> {
        let is_known =
            |one: &&MissingFunction| choice == MissingFunctions::AnyValue && one.may_be_arbitrary;
        let tell = |one: &MissingFunction| {
            let place = self.map.place(one.call.lo);
            format!("`{}` ({}:{})", one.name, self.map.files()[place.file as usize], place.line)
        };
        self.missing.iter().filter(|one| !is_known(one)).map(tell).collect()
    }
}

/// Deep trees are dropped by recursion, too.
impl Drop for CProgram {
    fn drop(&mut self) {
        let deep = (std::mem::take(&mut self.unit.functions), std::mem::take(&mut self.unit.vars));
        let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(|| drop(deep));
        // Where there is no thread, they were dropped here.
        let _ = worker.map(std::thread::JoinHandle::join);
    }
}

/// What people read of a program that has become smaller names only the calls and files that still occur.
pub fn tidy(program: &mut Program) {
    spans::keep_used_calls(program);
    spans::keep_used_files(program);
}

fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        let worker = worker.expect("the system gives us a thread");
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn preprocessing(compiler: &CompilerOptions, data_model: DataModel) -> PreprocessOptions {
    PreprocessOptions { ilp32: data_model == DataModel::Ilp32, compiler: compiler.clone() }
}

fn unreadable(error: LoadError) -> BadInput {
    of_file(&error.file, error.to_string())
}

/// A complaint about a file as a whole.
fn of_file(file: &str, message: String) -> BadInput {
    let file = file.to_string();
    BadInput { complaints: vec![Complaint { message, file, place: None, excerpt: None }] }
}

fn bad(sources: &[Source], map: &SourceMap, diagnostics: &[Diagnostic]) -> BadInput {
    let complaints = diagnostics.iter().map(|diagnostic| complaint(sources, map, diagnostic));
    BadInput { complaints: complaints.collect() }
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
        found.push(Diagnostic::new(message, function.range));
    }
    found
}

/// Where all texts stand, one behind the other, and where each begins.
fn map_of(sources: &[Source]) -> Result<(SourceMap, Vec<u32>), BadInput> {
    let (mut joined, mut starts, mut length) = (None::<SourceMap>, Vec::new(), 0_u64);
    for source in sources {
        if length + source.text.len() as u64 >= u64::from(lower::LIBRARY_OFFSET) {
            return Err(of_file(&source.name, "all files together are too large".to_string()));
        }
        let mut map = source.map();
        map.compare(&source.text, |file| text_of(sources, file));
        starts.push(length as u32);
        length += source.text.len() as u64;
        match &mut joined {
            None => joined = Some(map),
            Some(joined) => joined.append(map),
        }
    }
    Ok((joined.expect("there is a text"), starts))
}

/// The text of a source file, for excerpts.
fn text_of(sources: &[Source], file: &str) -> Option<String> {
    let source = sources.iter().find(|source| source.name == file);
    match source.map(|source| (&source.written, &source.text)) {
        Some((Written::AsItIs, text)) | Some((Written::InMemory(text), _)) => Some(text.clone()),
        Some((Written::InFile, _)) | None => read_lossy(file),
    }
}

fn read_lossy(file: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned())
}

fn complaint(sources: &[Source], map: &SourceMap, diagnostic: &Diagnostic) -> Complaint {
    let place = map.place(diagnostic.range.lo);
    let width = diagnostic.range.hi.saturating_sub(diagnostic.range.lo).max(1);
    let file_of = |place: Position| {
        let file = map.files().get(place.file as usize).cloned();
        file.unwrap_or_else(|| sources[0].name.clone())
    };
    let file = file_of(place);
    let excerpt = text_of(sources, &file)
        .and_then(|text| text.lines().nth(place.line as usize - 1).map(str::to_string));
    let other = diagnostic.other.map(|other| map.place(other.lo));
    let other =
        other.map(|at| format!("; the other is at {}:{}:{}", file_of(at), at.line, at.column));
    Complaint {
        message: format!("{}{}", diagnostic.message, other.unwrap_or_default()),
        file,
        place: Some((place.line, place.column, width)),
        excerpt,
    }
}
