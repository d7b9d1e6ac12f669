//! The program to work on: C through `cfront`, models in text form through `ccfa`. Everything that is wrong with
//! it is a complaint with its place.

use crate::bad_input::{self, BadInput, must_be_a_file, reading, refuse};
use crate::options::ReadOptions;
use crate::question::{Asked, Question};
use crate::weak_memory::Memory;
use crate::{litmus_test, model_text};
use ccfa::store_buffers::Delays;
use ccfa::{Class, Details, Program};
use cfront::preprocess;
use cfront::{Assumption, Bounds, CProgram, Choices, LowerOptions, Purpose, SignedOverflow};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use transform::{Pipeline, Transformation};

/// A program to work on: a file, or a text in memory.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file's name, or what stands for it in messages.
    pub(crate) name: String,
    pub(crate) content: Content,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Files(Vec<PathBuf>),
    Project(PathBuf, Vec<PathBuf>),
    C(String),
    PreprocessedC(String),
    Model(String),
    Litmus(String),
}

/// A program that was read, once; models for several bounds are made of it.
pub(crate) enum ReadProgram {
    C { program: Box<CProgram>, choices: Choices, memory: Memory },
    Model(Box<Program>),
}

/// Texts of files, by their names.
pub type Texts = BTreeMap<String, String>;

/// A program to verify.
#[derive(Default)]
pub struct Task {
    /// The model, reduced: what engines see, and reports show.
    pub program: Program,
    /// The model as it was read, and the way back to it, if it was reduced.
    pub reduced: Option<Pipeline>,
    /// The texts of its files by their names, as far as we have them, for excerpts.
    pub texts: Texts,
    /// What it answers. (None, if it says itself what is asked.)
    pub questions: BTreeSet<Question>,
    /// Remarks for the user.
    pub notes: Vec<String>,
    /// What it takes for granted.
    pub assumptions: BTreeSet<Assumption>,
    /// What can be said of failures, about the model as it was read.
    pub details: Details,
    /// The bounds it was read with, if there are any.
    pub bounds: Option<Bounds>,
    /// The functions without a body that it may call, for people.
    pub missing: Vec<String>,
    /// Which steps have to do with store buffers.
    pub delays: Delays,
}

impl Input {
    /// A file: C source (`.c`), preprocessed C (`.i`), a model in text form (`.rely`) or a litmus test (`.litmus`). It is read once, so it may
    /// be a pipe; a pipe or device with another name has C source.
    pub fn file(path: impl Into<PathBuf>) -> Input {
        Input::files([path.into()])
    }

    /// The files of a program in C (`.c`, `.i`), at least one: they are linked.
    pub fn files(paths: impl IntoIterator<Item = PathBuf>) -> Input {
        let paths = Vec::from_iter(paths);
        let name = paths.first().map_or(String::new(), |path| path.display().to_string());
        Input { name, content: Content::Files(paths) }
    }

    /// A project, as its `compile_commands.json` says: all its files, or those that are named, each with its own flags.
    pub fn project(database: impl Into<PathBuf>, files: Vec<PathBuf>) -> Input {
        let database = database.into();
        let name = database.display().to_string();
        Input { name, content: Content::Project(database, files) }
    }

    /// C source in memory; `name` stands for its file. `#include "…"` looks in the current directory.
    pub fn c(name: impl Into<String>, text: impl Into<String>) -> Input {
        Input { name: name.into(), content: Content::C(text.into()) }
    }

    /// C in memory that was preprocessed already.
    pub fn preprocessed_c(name: impl Into<String>, text: impl Into<String>) -> Input {
        Input { name: name.into(), content: Content::PreprocessedC(text.into()) }
    }

    /// A model in text form in memory.
    pub fn model(name: impl Into<String>, text: impl Into<String>) -> Input {
        Input { name: name.into(), content: Content::Model(text.into()) }
    }

    /// C source from wherever it can be read: standard input, a socket.
    pub fn read_c(name: impl Into<String>, source: impl Read) -> Result<Input, BadInput> {
        let name = name.into();
        let text = preprocess::read_text(source);
        let text = text.map_err(|problem| bad_input::not_loaded(&name, problem))?;
        Ok(Input::c(name, text))
    }

    /// Its name, for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn read(&self, options: &ReadOptions) -> Result<ReadProgram, BadInput> {
        bad_input::must_be_decidable(&self.name, options.memory_model)?;
        let reading = options.of_c();
        let c = match &self.content {
            Content::Model(text) => return model_text::read(&self.name, text, options),
            Content::Litmus(_) => return Err(refuse(&self.name, litmus_test::NO_PROGRAM)),
            Content::Files(paths) => match model_text::of_files(paths)? {
                Some(model) => return model_text::read(&self.name, &read_text(model)?, options),
                None => CProgram::from_files(paths, &reading),
            },
            Content::Project(database, files) => {
                files.iter().try_for_each(|path| model_text::must_be_c(path))?;
                CProgram::from_project(database, files, &reading)
            }
            Content::C(text) => CProgram::from_text(&self.name, text, &reading),
            Content::PreprocessedC(text) => CProgram::from_preprocessed(&self.name, text, &reading),
        };
        let (program, memory) = (Box::new(c?), Memory::new(options.memory_model));
        let choices = program.choices(options.choices);
        Ok(ReadProgram::C { program, choices, memory })
    }
}

impl ReadProgram {
    /// Is signed overflow undefined behaviour?
    pub fn overflow_is_undefined(&self) -> bool {
        matches!(self, ReadProgram::C { choices, .. } if choices.signed_overflow == SignedOverflow::Undefined)
    }

    /// From here on, something else is chosen where C or the system leave it open.
    pub fn choose(&mut self, choose: impl FnOnce(&mut Choices)) {
        if let ReadProgram::C { choices, .. } = self {
            choose(choices);
        }
    }

    /// The model. `asked` and `bounds` matter for C only: a model says itself what its property is,
    /// and has no bounds.
    pub fn lower(&self, purpose: Purpose, asked: &Asked, bounds: Bounds) -> Result<Task, BadInput> {
        match self {
            ReadProgram::C { program, choices, memory } => {
                let (order, asked) = &memory.asked(asked);
                let deadlocks = asked.questions.contains(&Question::Deadlocks);
                let leaks = asked.questions.contains(&Question::Leaks);
                let leaks = leaks.then(|| choices.leaks.unwrap_or_default());
                let shifts_overflow = asked.undefined().contains(&Class::Overflow);
                let uninitialised = asked.undefined().contains(&Class::Other);
                let mut choices =
                    Choices { deadlocks, leaks, shifts_overflow, uninitialised, ..*choices };
                choices.weak_memory = order.is_some();
                let property = asked.errors();
                let options = LowerOptions { purpose, choices, property, bounds };
                let cfront::Loaded { mut program, texts, notes, assumptions, details, missing } =
                    program.lower(&options)?;
                program.property.undefined = asked.undefined();
                program.property.races = asked.questions.contains(&Question::Races);
                program.property.deadlocks = deadlocks;
                asked.known.leave_out(&mut program);
                let assumptions = memory.assumed(*order, assumptions);
                let delays = memory.buffer(&mut program, *order, bounds);
                let mut list = match purpose {
                    Purpose::Verification => transform::reductions(),
                    Purpose::Conformance => transform::stepwise_reductions(),
                };
                if let Some(errors) = asked.deadlocks_as {
                    list.insert(0, Box::new(errors));
                }
                let reduced = Task::reduced(program, &list, texts);
                let (questions, bounds) = (asked.answered(choices.signed_overflow), Some(bounds));
                let reduced = Task { delays, missing, ..reduced };
                let mut task = Task { questions, notes, assumptions, details, bounds, ..reduced };
                cfront::tidy(&mut task.program);
                Ok(task)
            }
            ReadProgram::Model(program) => {
                let races: [Box<dyn Transformation>; 1] = [Box::new(transform::Races)];
                let task = Task::reduced(Program::clone(program), &races, Texts::new());
                Ok(Task { questions: asked.questions.clone(), ..task })
            }
        }
    }
}

impl Task {
    /// A program that these transformations reduce.
    pub fn reduced(program: Program, list: &[Box<dyn Transformation>], texts: Texts) -> Task {
        let reduced = Pipeline::run(program, list);
        let program = reduced.program().clone();
        Task { reduced: Some(reduced), ..Task::new(program, texts) }
    }

    /// A program as it is.
    pub fn new(program: Program, texts: Texts) -> Task {
        Task { program, texts, ..Task::default() }
    }

    /// The program as it was read.
    pub fn as_read(&self) -> &Program {
        self.reduced.as_ref().map_or(&self.program, Pipeline::before)
    }
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, BadInput> {
    must_be_a_file(path)?;
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| refuse(&name, reading(&error)))?;
    String::from_utf8(bytes).map_err(|error| bad_input::no_text(&name, &error))
}
