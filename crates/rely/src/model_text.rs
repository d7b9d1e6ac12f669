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
    bad_input::must_begin_by_itself(name, options.entry.as_ref())?;
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

/// The model that is given, if the files are one; else they are C. Only files of C are read together.
pub fn of_files(paths: &[PathBuf]) -> Result<Option<&Path>, BadInput> {
    match paths {
        [] => Err(refuse("", "there is no file to read")),
        [path] => Ok(is_model(path)?.then_some(path)),
        paths => paths.iter().try_for_each(|path| must_be_c(path)).map(|()| None),
    }
}

/// A file that is read with others, as part of a program.
pub fn must_be_c(path: &Path) -> Result<(), BadInput> {
    let by_itself = match path.extension().and_then(|extension| extension.to_str()) {
        Some("rely") => "a model",
        Some("litmus") => "a litmus test",
        _ if path.as_os_str() == "-" => "standard input",
        _ => return is_model(path).map(|_| ()),
    };
    let message = format!("{by_itself} is read by itself, without other files");
    Err(refuse(&path.display().to_string(), message))
}
