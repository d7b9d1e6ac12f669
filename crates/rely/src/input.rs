//! Reads the program that the command line names: C through `cfront`, models in
//! text form through `ccfa`. Everything that is wrong with it is a complaint
//! with its place.

use crate::console::Console;
use crate::options::{InputOptions, Model, Overflow};
use ccfa::{Program, text};
use cfront::{Bounds, Complaint, DataModel, Property, Purpose};
use std::path::Path;

pub use cfront::BadInput;

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

/// Reads the program. `property` and `bounds` matter for C only: a model says
/// itself what its errors are, and has no bounds.
pub fn load(options: &InputOptions, property: &Property, bounds: Bounds) -> Result<Task, BadInput> {
    load_for(Purpose::Verification, options, property, bounds)
}

/// Reads the program for a purpose.
pub fn load_for(
    purpose: Purpose,
    options: &InputOptions,
    property: &Property,
    bounds: Bounds,
) -> Result<Task, BadInput> {
    let path = &options.file;
    must_be_a_file(path)?;
    must_be_lasting(path)?;
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => load_c(purpose, path, options, property, bounds),
        Some("rely") => load_model(path),
        _ => Err(refuse(path, "rely reads .c, .i and .rely files; this name ends differently")),
    }
}

impl Task {
    /// Remarks on what was read.
    pub fn announce(&self, console: &Console) {
        for note in &self.notes {
            console.note(note);
        }
        if let Some(Bounds { recursion, objects }) = self.bounds {
            console.note(&format!(
                "read with recursion up to {recursion} deep, up to {objects} objects of an allocation"
            ));
        }
        let templates = &self.program.templates;
        console.note(&format!(
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
    options: &InputOptions,
    property: &Property,
    bounds: Bounds,
) -> Result<Task, BadInput> {
    let options = cfront::Options {
        data_model: match options.data_model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        },
        signed_wraps: options.signed_overflow == Overflow::Wrap,
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
