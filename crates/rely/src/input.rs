//! The program to work on: C through `cfront`, models in text form through `ccfa`. Everything that is wrong with
//! it is a complaint with its place.

use crate::control::Control;
use crate::excerpt;
use crate::options::{ReadOptions, SignedOverflow};
use ccfa::{Program, text};
use cfront::{Bounds, Complaint, Property, Purpose};
use std::fmt;
use std::path::{Path, PathBuf};

/// A program to work on.
#[derive(Clone, Debug)]
pub struct Input {
    path: PathBuf,
}

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

/// A program to verify.
pub struct Task {
    /// The model.
    pub program: Program,
    /// The texts of its files, as far as we have them, for excerpts.
    pub texts: Vec<Option<String>>,
    /// Remarks for the user.
    pub notes: Vec<String>,
    /// The bounds it was read with, if there are any.
    pub bounds: Option<Bounds>,
}

impl Input {
    /// A file: C source (`.c`), preprocessed C (`.i`) or a model in text form (`.rely`).
    pub fn file(path: impl Into<PathBuf>) -> Input {
        Input { path: path.into() }
    }

    /// The file's name, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the program. `property` and `bounds` matter for C only: a model says
    /// itself what its errors are, and has no bounds.
    pub(crate) fn load(
        &self,
        options: &ReadOptions,
        property: &Property,
        bounds: Bounds,
    ) -> Result<Task, BadInput> {
        self.load_for(Purpose::Verification, options, property, bounds)
    }

    /// Reads the program for a purpose.
    pub(crate) fn load_for(
        &self,
        purpose: Purpose,
        options: &ReadOptions,
        property: &Property,
        bounds: Bounds,
    ) -> Result<Task, BadInput> {
        let path = &self.path;
        must_be_a_file(path)?;
        must_be_lasting(path)?;
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("c" | "i") => load_c(purpose, path, options, property, bounds),
            Some("rely") => load_model(path),
            _ => Err(refuse(path, "rely reads .c, .i and .rely files; this name ends differently")),
        }
    }
}

impl Task {
    /// Remarks on what was read.
    pub fn announce(&self, control: &mut Control) {
        for note in &self.notes {
            control.remark(note);
        }
        if let Some(Bounds { recursion, objects }) = self.bounds {
            control.remark(&format!(
                "read with recursion up to {recursion} deep, up to {objects} objects of an allocation"
            ));
        }
        let templates = &self.program.templates;
        control.remark(&format!(
            "the model: threads: {}, locations: {}, steps: {}, shared variables: {}",
            self.program.threads.len(),
            templates.iter().map(|template| template.locations.len()).sum::<usize>(),
            templates.iter().map(|template| template.edges.len()).sum::<usize>(),
            self.program.shared.len(),
        ));
    }
}

fn load_c(
    purpose: Purpose,
    path: &Path,
    options: &ReadOptions,
    property: &Property,
    bounds: Bounds,
) -> Result<Task, BadInput> {
    let options = cfront::Options {
        data_model: options.data_model,
        signed_wraps: options.signed_overflow == SignedOverflow::Wrap,
        include: options.include.clone(),
        define: options.define.clone(),
        property: property.clone(),
        bounds,
    };
    let cfront::Loaded { program, texts, notes } = cfront::load_for(purpose, path, &options)?;
    Ok(Task { program, texts, notes, bounds: Some(bounds) })
}

fn load_model(path: &Path) -> Result<Task, BadInput> {
    let text = read_text(path)?;
    let program = text::parse(&text).map_err(|error| BadInput {
        complaints: vec![Complaint {
            message: error.message,
            file: path.display().to_string(),
            place: Some((error.line, error.column, 1)),
            excerpt: text.lines().nth(error.line as usize - 1).map(str::to_string),
        }],
    })?;
    if program.threads.is_empty() {
        return Err(refuse(path, "the model has no thread"));
    }
    let texts = vec![None; program.files.len()];
    Ok(Task { program, texts, notes: Vec::new(), bounds: None })
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, BadInput> {
    must_be_a_file(path)?;
    let bytes = std::fs::read(path).map_err(|error| refuse(path, reading(&error)))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count() + 1;
        refuse(path, format!("line {line} is not text: its bytes are not UTF-8"))
    })
}

/// A complaint about a file as a whole.
pub fn refuse(path: &Path, message: impl Into<String>) -> BadInput {
    let (message, file) = (message.into(), path.display().to_string());
    BadInput { complaints: vec![Complaint { message, file, place: None, excerpt: None }] }
}

fn must_be_a_file(path: &Path) -> Result<(), BadInput> {
    match std::fs::metadata(path) {
        Err(error) => Err(refuse(path, reading(&error))),
        Ok(found) if found.is_dir() => Err(refuse(path, "this is a directory; name a file")),
        Ok(_) => Ok(()),
    }
}

/// The program is read more than once: a pipe has nothing to say the second time.
fn must_be_lasting(path: &Path) -> Result<(), BadInput> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(refuse(
            path,
            "this is a pipe or a device; rely needs a file that can be read twice",
        )),
        _ => Ok(()),
    }
}

fn reading(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
        _ => format!("cannot read the file: {error}"),
    }
}
