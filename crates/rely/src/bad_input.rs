//! What is said of an input that cannot be taken: complaints with their places. Only shown.

use crate::excerpt;
use cfront::Complaint;
use std::fmt;
use std::fs::Metadata;
use std::path::Path;

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

impl From<cfront::BadInput> for BadInput {
    fn from(bad: cfront::BadInput) -> BadInput {
        BadInput { complaints: bad.complaints }
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

/// Why a file cannot be read.
pub fn reading(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
        _ => format!("cannot read the file: {error}"),
    }
}
