//! Reading C text: `.i` files as they are, `.c` and `.h` files, pipes and texts in memory through the
//! system's preprocessor.
//!
//! Everything that can go wrong between a file's name and its text is a
//! `LoadError` in plain words that names the file. Memory is bounded: neither
//! a file nor the output of the preprocessor may exceed `MAX_BYTES`.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::compiler_options::CompilerOptions;
use crate::source::SourceMap;

/// No text longer than this is read: it would not fit into memory with what is made of it.
pub const MAX_BYTES: u64 = 256 << 20;

/// How much of the preprocessor's complaints is shown: the first ones are the cause of the others.
const MAX_COMPLAINT_BYTES: u64 = 16 << 10;

/// A C text, ready to be parsed.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file's name as the user gave it.
    pub name: String,
    /// The text after preprocessing.
    pub text: String,
    /// Where the text before preprocessing is.
    pub written: Written,
    /// Where the compiler was started, if that is not where we are: names in the text begin there.
    pub directory: Option<PathBuf>,
    /// What the user should know about how the text was made.
    pub notes: Vec<String>,
}

impl Source {
    /// A text that needs no preprocessing.
    pub fn from_text(name: &str, text: &str) -> Self {
        Source {
            name: name.to_string(),
            text: text.to_string(),
            written: Written::AsItIs,
            directory: None,
            notes: Vec::new(),
        }
    }

    /// The map from offsets of the text to places.
    pub fn map(&self) -> SourceMap {
        // The preprocessor says with line markers where the lines come from.
        let mut map = SourceMap::new(&self.name, &self.text, self.written != Written::AsItIs);
        if let Some(directory) = &self.directory {
            map.rename(|name| seen_from_here(directory, name));
        }
        map
    }
}

/// Where the text of a [`Source`] is as it was before preprocessing, to be shown to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// In the file of its name.
    InFile,
    /// Here: it came through a pipe, or was never in a file.
    InMemory(String),
    /// There was no preprocessing: it is the text itself.
    AsItIs,
}

/// The name that a file has for us, which a compiler that was started in a directory calls so.
pub fn seen_from_here(directory: &Path, name: &str) -> String {
    if name.starts_with('<') {
        return name.to_string();
    }
    let path = directory.join(name);
    let path = std::fs::canonicalize(&path).unwrap_or(path);
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    path.strip_prefix(here).unwrap_or(&path).display().to_string()
}

/// How to preprocess.
#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    /// `int`, `long` and pointers have 32 bits.
    pub ilp32: bool,
    /// What the compiler is told.
    pub compiler: CompilerOptions,
}

impl PreprocessOptions {
    /// A path, as the compiler that is started elsewhere takes it.
    fn path(&self, path: &Path) -> PathBuf {
        match &self.compiler.directory {
            Some(directory) => directory.join(path),
            None => path.to_path_buf(),
        }
    }
}

/// Why there is no text. `Display` gives one plain sentence.
#[derive(Debug)]
pub struct LoadError {
    /// The file's name as the user gave it.
    pub file: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// There is no such file.
    Missing,
    /// It is a directory.
    Directory,
    /// It, or what the preprocessor makes of it, has more than `MAX_BYTES`.
    TooLarge,
    /// There is nothing in it.
    Empty,
    /// The system refuses to read it.
    Unreadable(io::Error),
    /// It is not UTF-8, where that matters; the place (1-based) of the first bad byte.
    NotUtf8 {
        /// Line of the bad byte.
        line: usize,
        /// Column of the bad byte, in characters.
        column: usize,
    },
    /// None of these compilers can be started.
    NoPreprocessor(Vec<String>),
    /// The preprocessor failed and said this.
    Preprocessor(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.file;
        match &self.problem {
            Problem::Missing => write!(out, "there is no file `{file}`"),
            Problem::Directory => write!(out, "`{file}` is a directory, not a C file"),
            Problem::TooLarge => write!(out, "`{file}` is larger than {} MB", MAX_BYTES >> 20),
            Problem::Empty => {
                write!(out, "`{file}` is empty; a C program with a function `main` is needed")
            }
            Problem::Unreadable(error) => write!(out, "cannot read `{file}`: {error}"),
            Problem::NotUtf8 { line, column } => {
                write!(out, "`{file}` is not UTF-8 text: bad byte in line {line}, column {column}")
            }
            Problem::NoPreprocessor(tried) => write!(
                out,
                "cannot preprocess `{file}`: no C compiler found (tried {}); \
                 preprocess it yourself and pass the `.i` file",
                tried.join(", ")
            ),
            Problem::Preprocessor(complaint) => {
                write!(out, "the preprocessor rejects `{file}`:\n{complaint}")
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// Reads `path`; a `.c` or `.h` file is preprocessed, any other is taken as it is. What is no regular
/// file (a pipe, a device) is read once, and preprocessed unless it is called `.i`.
pub fn load(path: &Path, options: &PreprocessOptions) -> Result<Source, LoadError> {
    let name = path.display().to_string();
    let name = match &options.compiler.directory {
        Some(directory) => seen_from_here(directory, &name),
        None => name,
    };
    read_source(path, &name, options).map_err(|problem| LoadError { file: name, problem })
}

fn read_source(path: &Path, name: &str, options: &PreprocessOptions) -> Result<Source, Problem> {
    let found = options.path(path);
    let metadata = std::fs::metadata(&found).map_err(from_io)?;
    if metadata.is_dir() {
        return Err(Problem::Directory);
    }
    if metadata.len() > MAX_BYTES {
        return Err(Problem::TooLarge);
    }
    let file = File::open(&found).map_err(from_io)?;
    let has_end =
        |ends: &[&str]| path.extension().is_some_and(|own| ends.iter().any(|e| own == *e));
    let (bytes, written, notes) = if metadata.is_file() && has_end(&["c", "h"]) {
        let (bytes, notes) = preprocess(Unprocessed::File(path), options)?;
        (bytes, Written::InFile, notes)
    } else if metadata.is_file() || has_end(&["i"]) {
        (read_bounded(file)?, Written::AsItIs, Vec::new())
    } else {
        return read_raw(name, &read_text(file)?, options);
    };
    let directory = options.compiler.directory.clone();
    Ok(Source { name: name.to_string(), text: utf8(bytes)?, written, directory, notes })
}

/// Preprocesses a text that is in no file; `name` stands for the file.
pub fn load_text(name: &str, text: &str, options: &PreprocessOptions) -> Result<Source, LoadError> {
    let name: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    read_raw(&name, text, options).map_err(|problem| LoadError { file: name, problem })
}

fn read_raw(name: &str, text: &str, options: &PreprocessOptions) -> Result<Source, Problem> {
    if text.trim().is_empty() {
        return Err(Problem::Empty);
    }
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    let named = format!("#line 1 \"{quoted}\"\n{text}");
    let (bytes, notes) = preprocess(Unprocessed::Text(&named), options)?;
    let written = Written::InMemory(text.to_string());
    Ok(Source { name: name.to_string(), text: utf8(bytes)?, written, directory: None, notes })
}

/// Reads all of a text.
pub fn read_text(input: impl Read) -> Result<String, Problem> {
    utf8(read_bounded(input)?)
}

fn from_io(error: io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::NotFound => Problem::Missing,
        _ => Problem::Unreadable(error),
    }
}

fn read_bounded(input: impl Read) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let mut bounded = input.take(MAX_BYTES + 1);
    bounded.read_to_end(&mut bytes).map_err(from_io)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Problem::TooLarge);
    }
    Ok(bytes)
}

/// The text without the mark that some editors put before it. Bytes that are not UTF-8 may stand in literals and comments:
/// they become escape sequences, which mean the same.
fn utf8(mut bytes: Vec<u8>) -> Result<String, Problem> {
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).or_else(|error| escaped(error.as_bytes()))
}

fn escaped(bytes: &[u8]) -> Result<String, Problem> {
    let mut text = String::new();
    let mut place = Around::Code;
    for chunk in bytes.utf8_chunks() {
        place = chunk.valid().chars().fold(place, Around::behind);
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            if matches!(place, Around::Code | Around::Slash) {
                let line = text.rsplit('\n').next().unwrap_or_default();
                return Err(Problem::NotUtf8 {
                    line: 1 + text.matches('\n').count(),
                    column: 1 + line.chars().count(),
                });
            }
            text.push_str(&format!("\\{byte:03o}"));
        }
    }
    Ok(text)
}

/// What stands around a character of a text.
#[derive(Clone, Copy)]
enum Around {
    Code,
    /// Perhaps the beginning of a comment.
    Slash,
    LineComment,
    Comment,
    /// Perhaps the end of a comment.
    Star,
    /// A literal that ends with this quote.
    Literal(char),
    /// Behind a backslash in it.
    Escape(char),
}

impl Around {
    fn behind(self, next: char) -> Around {
        match (self, next) {
            (Around::LineComment, '\n') | (Around::Star, '/') => Around::Code,
            (Around::LineComment, _) => Around::LineComment,
            (Around::Comment | Around::Star, '*') => Around::Star,
            (Around::Comment | Around::Star, _) => Around::Comment,
            (Around::Escape(quote), _) => Around::Literal(quote),
            (Around::Literal(quote), '\\') => Around::Escape(quote),
            (Around::Literal(_), '\n') => Around::Code,
            (Around::Literal(quote), _) if next == quote => Around::Code,
            (Around::Literal(quote), _) => Around::Literal(quote),
            (Around::Slash, '/') => Around::LineComment,
            (Around::Slash, '*') => Around::Comment,
            (_, '/') => Around::Slash,
            (_, '"' | '\'') => Around::Literal(next),
            (Around::Code | Around::Slash, _) => Around::Code,
        }
    }
}

/// Runs the first compiler that can be started. Where 32-bit headers are not
/// installed, the 64-bit ones stand in and a note says so: the C library
/// describes the two models in the same files, and asks macros of the compiler which it is.
fn preprocess(
    from: Unprocessed,
    options: &PreprocessOptions,
) -> Result<(Vec<u8>, Vec<String>), Problem> {
    let mut tried = Vec::new();
    for compiler in compilers() {
        match run(&compiler, from, options, None) {
            Err(Failure::NotStarted) => tried.push(compiler.join(" ")),
            Err(Failure::Rejected(complaint)) if options.ilp32 && lacks_header(&complaint) => {
                let stand_in = StandIn::new(&compiler);
                let found = stand_in.map(|headers| run(&compiler, from, options, Some(&headers)));
                return match found {
                    Ok(Ok(text)) => Ok((text, vec![NO_32_BIT_HEADERS.to_string()])),
                    _ => Err(Problem::Preprocessor(complaint)),
                };
            }
            Err(Failure::Rejected(complaint)) => return Err(Problem::Preprocessor(complaint)),
            Err(Failure::Problem(problem)) => return Err(problem),
            Ok(text) => return Ok((text, Vec::new())),
        }
    }
    Err(Problem::NoPreprocessor(tried))
}

const NO_32_BIT_HEADERS: &str = "the 32-bit headers of the C library are not installed; \
     those for 64 bits stand in, read as for 32 bits";

/// Where headers for 64 bits are found for a compiler that makes code for 32.
struct StandIn {
    /// Of the machine, if the system keeps headers of machines apart.
    machine: Option<PathBuf>,
    /// Has the one header of glibc (which functions are stubs) that only a system with 32 bits has, empty.
    stubs: PathBuf,
}

/// How many there were in this process: each has a directory of its own.
static STAND_INS: AtomicU32 = AtomicU32::new(0);

impl StandIn {
    fn new(compiler: &[String]) -> io::Result<StandIn> {
        let mut asked = Command::new(program(&compiler[0]));
        let answer = asked.args(&compiler[1..]).arg("-print-multiarch").output()?;
        let name = String::from_utf8_lossy(&answer.stdout).trim().to_string();
        let machine = (!name.is_empty()).then(|| Path::new("/usr/include").join(name));
        let number = STAND_INS.fetch_add(1, Ordering::Relaxed);
        let stubs = std::env::temp_dir().join(format!("rely-{}-{number}", std::process::id()));
        std::fs::create_dir(&stubs)?;
        let stand_in = StandIn { machine, stubs };
        std::fs::create_dir(stand_in.stubs.join("gnu"))?;
        File::create(stand_in.stubs.join("gnu/stubs-32.h"))?;
        Ok(stand_in)
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        // What is left is an empty file: nothing to complain about.
        let _ = std::fs::remove_dir_all(&self.stubs);
    }
}

fn lacks_header(complaint: &str) -> bool {
    complaint.contains("No such file or directory") || complaint.contains("file not found")
}

/// `$CC` (with its arguments) if set, else the usual names.
fn compilers() -> Vec<Vec<String>> {
    let chosen = std::env::var("CC").unwrap_or_default();
    let chosen: Vec<String> = chosen.split_whitespace().map(str::to_string).collect();
    if chosen.is_empty() {
        ["cc", "gcc", "clang"].map(|name| vec![name.to_string()]).to_vec()
    } else {
        vec![chosen]
    }
}

/// What is to be preprocessed.
#[derive(Clone, Copy)]
enum Unprocessed<'a> {
    File(&'a Path),
    Text(&'a str),
}

/// Why a compiler gave no text.
enum Failure {
    NotStarted,
    Rejected(String),
    Problem(Problem),
}

fn run(
    compiler: &[String],
    from: Unprocessed,
    options: &PreprocessOptions,
    stand_in: Option<&StandIn>,
) -> Result<Vec<u8>, Failure> {
    let mut command = Command::new(program(&compiler[0]));
    command.args(&compiler[1..]).args(["-E", "-std=gnu11"]);
    // Functions for characters stay calls instead of look-ups in glibc's tables.
    command.arg("-D__NO_CTYPE");
    if options.ilp32 {
        command.arg("-m32");
    }
    command.args(options.compiler.for_preprocessor());
    for directory in stand_in.iter().flat_map(|it| it.machine.iter().chain([&it.stubs])) {
        command.arg("-idirafter").arg(directory);
    }
    if let Some(directory) = &options.compiler.directory {
        command.current_dir(directory);
    }
    let text = match from {
        Unprocessed::File(path) => {
            command.arg(not_an_option(path)).stdin(Stdio::null());
            ""
        }
        Unprocessed::Text(text) => {
            command.args(["-x", "c", "-"]).stdin(Stdio::piped());
            text
        }
    };
    command.env("LC_ALL", "C").stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|_| Failure::NotStarted)?;
    converse(child, text)
}

/// What a name of a compiler stands for, wherever that is started.
fn program(name: &str) -> PathBuf {
    let absolute = || std::path::absolute(name).ok();
    let is_path = name.contains(std::path::MAIN_SEPARATOR);
    is_path.then(absolute).flatten().unwrap_or_else(|| PathBuf::from(name))
}

/// A path that starts with `-` would be taken for an option.
fn not_an_option(path: &Path) -> OsString {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path).into()
    } else {
        path.into()
    }
}

/// Writes the text and reads both outputs, all at once, so that the child never waits for us.
fn converse(mut child: Child, text: &str) -> Result<Vec<u8>, Failure> {
    let (input, output, complaints) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (output, complaint) = std::thread::scope(|scope| {
        // A child that does not read to the end says why, or fails.
        scope.spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
        let listener = scope.spawn(move || complaints.map(first_complaints).unwrap_or_default());
        let output = output.map_or(Ok(Vec::new()), read_bounded);
        if output.is_err() {
            // It may have ended already; then there is nothing to stop.
            let _ = child.kill();
        }
        (output, listener.join().unwrap_or_default())
    });
    let status = child.wait().map_err(|error| Failure::Problem(from_io(error)))?;
    match output {
        Err(problem) => Err(Failure::Problem(problem)),
        Ok(text) if status.success() => Ok(text),
        Ok(_) if complaint.is_empty() => Err(Failure::Rejected(format!("it ended with {status}"))),
        Ok(_) => Err(Failure::Rejected(complaint)),
    }
}

/// The beginning of what the child writes; the rest is read and dropped.
fn first_complaints(mut output: impl Read) -> String {
    let mut bytes = Vec::new();
    let mut beginning = output.by_ref().take(MAX_COMPLAINT_BYTES);
    if beginning.read_to_end(&mut bytes).is_ok() {
        // Only the child could notice a failure here, and it is told by its exit status.
        let _ = io::copy(&mut output, &mut io::sink());
    }
    String::from_utf8_lossy(&bytes).trim_end().to_string()
}
