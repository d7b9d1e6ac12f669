//! What is said of an input that cannot be taken: complaints with their places. Only shown.

use crate::excerpt;
use ccfa::MemoryModel;
use ccfa::text::ParseError;
use cfront::preprocess::{LoadError, Problem};
use cfront::{Complaint, RefusedFlag};
use std::fmt;
use std::fs::Metadata;
use std::path::Path;
use std::string::FromUtf8Error;

/// The input has mistakes. `Display` says each with its place and the line of source.
#[derive(Clone, Debug)]
pub struct BadInput {
    /// What is wrong, at least one.
    pub complaints: Vec<Complaint>,
}

impl fmt::Display for BadInput {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&excerpt::complaints(self))
    }
}

impl std::error::Error for BadInput {}

impl BadInput {
    /// Something is wrong with a file as a whole.
    pub fn of_file(file: &Path, message: impl Into<String>) -> BadInput {
        refuse(&file.display().to_string(), message)
    }
}

impl From<cfront::BadInput> for BadInput {
    fn from(bad: cfront::BadInput) -> BadInput {
        BadInput { complaints: bad.complaints }
    }
}

impl From<RefusedFlag> for BadInput {
    fn from(refused: RefusedFlag) -> BadInput {
        refuse("command line", refused.message)
    }
}

/// A complaint about a file as a whole.
pub fn refuse(file: &str, message: impl Into<String>) -> BadInput {
    let (message, file) = (message.into(), file.to_string());
    BadInput { complaints: vec![Complaint { message, file, place: None, excerpt: None }] }
}

/// What the system says of a file that can be read.
pub fn must_be_a_file(path: &Path) -> Result<Metadata, BadInput> {
    let name = path.display().to_string();
    match std::fs::metadata(path) {
        Err(error) => Err(refuse(&name, reading(&error))),
        Ok(found) if found.is_dir() => Err(refuse(&name, "this is a directory; name a file")),
        Ok(found) => Ok(found),
    }
}

/// Programs are not decided under every memory model yet.
pub fn must_be_decidable(file: &str, model: MemoryModel) -> Result<(), BadInput> {
    match model {
        MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso => Ok(()),
        _ => {
            let message = format!("programs are not decided under the memory model {model} yet");
            Err(refuse(file, message))
        }
    }
}

/// Models in text form are about interleavings; and threads are compared with abstract threads in these only.
pub fn must_interleave(file: &str, model: MemoryModel) -> Result<(), BadInput> {
    match model {
        MemoryModel::Sc => Ok(()),
        _ => {
            let message =
                format!("this is decided under the memory model sc only, not under {model}");
            Err(refuse(file, message))
        }
    }
}

/// Models and litmus tests say themselves where their threads begin.
pub fn must_begin_by_itself(file: &str, entry: Option<&String>) -> Result<(), BadInput> {
    match entry {
        None => Ok(()),
        Some(_) => Err(refuse(file, "this is no C: no function of it can be the first")),
    }
}

/// Why a file cannot be read.
pub fn reading(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
        _ => format!("cannot read the file: {error}"),
    }
}

/// What was read is no text for the preprocessor.
pub fn not_loaded(name: &str, problem: Problem) -> BadInput {
    refuse(name, LoadError { file: name.to_string(), problem }.to_string())
}

/// The text of a model has a mistake.
pub fn no_model(name: &str, text: &str, error: ParseError) -> BadInput {
    let excerpt = text.lines().nth(error.line as usize - 1).map(str::to_string);
    let place = Some((error.line, error.column, 1));
    let complaint = Complaint { message: error.message, file: name.to_string(), place, excerpt };
    BadInput { complaints: vec![complaint] }
}

/// What is wrong with a text, from which byte on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub at: usize,
    pub message: String,
}

/// A text has a mistake.
pub fn in_text(file: &str, text: &str, Mistake { at, message }: Mistake) -> BadInput {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let place = Some((line as u32 + 1, column as u32, 1));
    let excerpt = text.lines().nth(line).map(str::to_string);
    BadInput { complaints: vec![Complaint { message, file: file.to_string(), place, excerpt }] }
}

/// The bytes of a file are no text.
pub fn no_text(name: &str, error: &FromUtf8Error) -> BadInput {
    let valid = error.utf8_error().valid_up_to();
    let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
    refuse(name, format!("line {line} is not text: its bytes are not UTF-8"))
}
