//! Models in text form as input.

use crate::bad_input::{self, BadInput, refuse};
use crate::input::ReadProgram;
use crate::options::ReadOptions;
use ccfa::text;

/// Reads a model. What its steps do is what its text says, in interleavings.
pub fn read(name: &str, text: &str, options: &ReadOptions) -> Result<ReadProgram, BadInput> {
    bad_input::must_interleave(name, options.memory_model)?;
    let program = text::parse(text).map_err(|error| bad_input::no_model(name, text, error))?;
    match program.threads.is_empty() {
        true => Err(refuse(name, "the model has no thread")),
        false => Ok(ReadProgram::Model(Box::new(program))),
    }
}
