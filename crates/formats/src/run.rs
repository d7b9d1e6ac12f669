//! What a run has found, as data: what all formats are written from. Verdicts, questions and engines are names here, so that no format
//! depends on the types that decide.

use crate::reproducer::Reproducer;
use crate::witness::{Task, Violation};
use ccfa::{Program, Span};
use std::fmt;

/// A run of the tool.
#[derive(Clone, Debug, PartialEq)]
pub struct RunData<'a> {
    /// The version of the tool.
    pub version: &'static str,
    /// The files that were read, as they were named.
    pub files: Vec<String>,
    /// The memory model.
    pub memory_model: &'static str,
    /// Sizes of C's types: `lp64` or `ilp32`.
    pub data_model: &'static str,
    /// What witnesses say of the task, if one is wanted.
    pub task: Option<Task>,
    /// The worst answer.
    pub verdict: String,
    /// What the process ends with.
    pub exit_code: u8,
    /// How long it took.
    pub seconds: f64,
    /// How long its parts took.
    pub phases: Vec<(String, f64)>,
    /// The answers, the worst first.
    pub answers: Vec<AnswerData<'a>>,
}

/// The answer to some questions.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerData<'a> {
    /// The names of the questions; none, if it is about a model as a whole.
    pub questions: Vec<&'static str>,
    /// Is it about what else can happen than what other answers tell?
    pub is_rest: bool,
    /// `SAFE`, `UNSAFE`, `REFUSED` or `UNKNOWN`.
    pub verdict: String,
    /// After UNKNOWN: why, in a word.
    pub cause: Option<&'static str>,
    /// The engine that has found the answer, or that came nearest to one.
    pub engine: Option<&'static str>,
    /// The evidence or the reason in words: whole lines.
    pub evidence: &'a str,
    /// After UNSAFE: what the threads do, and what is wrong at the end.
    pub interleaving: Option<&'a Interleaving>,
    /// After UNSAFE: the execution for other verifiers, if it can be told.
    pub violation: Option<&'a Violation>,
    /// After UNSAFE: the program that fails so whenever it is run, if it is wanted and can be made.
    pub reproducer: Option<&'a Reproducer>,
    /// After UNSAFE: the property of SV-COMP that is violated, where it says more than the question.
    pub subproperty: Option<&'static str>,
    /// After UNKNOWN: where the model ends, or behaviour is undefined though nobody asked for that.
    pub limits: &'a [ReachedLimit],
    /// After SAFE: what it takes for granted.
    pub assumptions: Vec<Assumed>,
    /// After SAFE: assertions that no execution reaches, as far as that was found out.
    pub never_reached: &'a [SourcePlace],
    /// What the user should know about how the program was read.
    pub notes: &'a [String],
}

/// Something that SAFE takes for granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// Its short name: stable, one word.
    pub id: &'static str,
    /// In words.
    pub text: &'static str,
}

/// Something that stands in the way of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachedLimit {
    /// Its kind: `unsupported`, `bound`, or the name of a kind of undefined behaviour.
    pub id: &'static str,
    /// What is there, in words.
    pub what: String,
    /// Where.
    pub place: Option<SourcePlace>,
}

/// An interleaving: what the threads do, in order, and where it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interleaving {
    /// Values chosen at the start.
    pub initially: Vec<Change>,
    /// The names of all threads, by instance.
    pub threads: Vec<String>,
    /// What happens, in order.
    pub rows: Vec<Row>,
    /// Where it ends.
    pub failure: Failure,
}

/// Something that a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Who: index into the threads.
    pub thread: usize,
    /// In which function of the source, if that is known.
    pub function: Option<String>,
    /// Where, as shown to the user: a line number, with the file's name if it is not the first file; empty if
    /// there is no source.
    pub line: String,
    /// Where.
    pub place: Option<SourcePlace>,
    /// What, as the source says it.
    pub text: String,
    /// What this writes.
    pub changes: Vec<Change>,
    /// Does it read or write what other threads see?
    pub is_shared: bool,
}

/// A value that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable.
    pub name: String,
    /// What it held before.
    pub old: String,
    /// What it holds now.
    pub new: String,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its kind: stable, one word. `assertion`, `call`, `race`, `deadlock`, or the name of a kind of undefined behaviour.
    pub id: &'static str,
    /// What was asserted, in which way behaviour is undefined, what races, or who waits for what.
    pub what: String,
    /// In which thread. (Of a race: one of the two; of a deadlock: one that waits.)
    pub thread: String,
    /// Where.
    pub place: Option<SourcePlace>,
    /// Further places that belong to it (the other access of a race, the other threads of a deadlock, where an object was freed), each with what is there.
    pub related: Vec<(String, SourcePlace)>,
}

/// A place in a source file, as an editor shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

impl SourcePlace {
    /// Where a piece of the source of a program begins.
    pub fn of(program: &Program, span: Span) -> SourcePlace {
        let file = program.files.get(span.file as usize).map_or("?", String::as_str);
        SourcePlace { file: file.to_string(), line: span.line, column: span.column }
    }
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}
