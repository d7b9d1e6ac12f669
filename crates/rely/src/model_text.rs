//! Models in text form as input.

use crate::bad_input::{self, BadInput, must_be_a_file, refuse};
use crate::input::ReadProgram;
use crate::litmus_test::NO_PROGRAM;
use crate::options::ReadOptions;
use ccfa::text;
use std::path::{Path, PathBuf};

/// Reads a model. What its steps do is what its text says, in interleavings.
pub fn read(name: &str, text: &str, options: &ReadOptions) -> Result<ReadProgram, BadInput> {
    bad_input::must_interleave(name, options.memory_model)?;
    let program = text::parse(text).map_err(|error| bad_input::no_model(name, text, error))?;
    match program.threads.is_empty() {
        true => Err(refuse(name, "the model has no thread")),
        false => Ok(ReadProgram::Model(Box::new(program))),
    }
}

/// Is it a model in text form, as the file's name says? Pipes and devices contain C if their names say nothing.
fn is_model(path: &Path) -> Result<bool, BadInput> {
    let found = must_be_a_file(path)?;
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => Ok(false),
        Some("rely") => Ok(true),
        Some("litmus") => Err(refuse(&path.display().to_string(), NO_PROGRAM)),
        _ if !found.is_file() => Ok(false),
        _ => Err(refuse(
            &path.display().to_string(),
            "rely reads .c, .i, .rely and .litmus files; this name ends differently",
        )),
    }
}

/// The model that is given, if the files are one; else they are C. A model is by itself.
pub fn of_files(paths: &[PathBuf]) -> Result<Option<&Path>, BadInput> {
    let mut model = None;
    for path in paths {
        model = if is_model(path)? { Some(path.as_path()) } else { model };
    }
    match (model, paths) {
        (Some(model), [_, _, ..]) => Err(refuse(
            &model.display().to_string(),
            "a model is read by itself, without other files",
        )),
        (_, []) => Err(refuse("", "there is no file to read")),
        (model, _) => Ok(model),
    }
}
