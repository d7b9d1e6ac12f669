//! What can be chosen: how a program is read, what counts as an error, which engine works. Each has a
//! default; the command line has an option for each.

use crate::question::Question;
use ccfa::MemoryModel;
use cfront::{Choices, CompilerOptions, DataModel, Property};
use engine::{Descriptor, Settings};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// How a program is to be checked.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// How it is read.
    pub read: ReadOptions,
    /// What is asked, at least one question. Without more, that is [`Question::EVERYTHING`]. (Models say it themselves.)
    pub questions: BTreeSet<Question>,
    /// What counts as a failed assertion.
    pub property: Property,
    /// The engine that works; without it, engines take turns.
    pub engine: Option<&'static Descriptor>,
    /// Options of the engines.
    pub settings: Settings,
    /// After SAFE, tell the proof; after UNSAFE, every step.
    pub proof: bool,
    /// After UNSAFE, look for everything else that can happen.
    pub all: bool,
    /// After SAFE for races, say what protects which object.
    pub explain: bool,
    /// After UNSAFE, make a program that fails so whenever it is run.
    pub reproducer: bool,
    /// After SAFE, give the obligations of the proof, for other solvers.
    pub obligations: bool,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            read: ReadOptions::default(),
            questions: BTreeSet::from(Question::EVERYTHING),
            property: Property::default(),
            engine: None,
            settings: Settings::default(),
            proof: false,
            all: false,
            explain: false,
            reproducer: false,
            obligations: false,
        }
    }
}

impl CheckOptions {
    /// These questions; the rest as it is by default.
    pub fn asking(questions: impl Into<BTreeSet<Question>>) -> CheckOptions {
        CheckOptions { questions: questions.into(), ..CheckOptions::default() }
    }
}

/// How threads are to be compared with their abstract threads.
#[derive(Clone, Debug, Default)]
pub struct ConformOptions {
    /// Propose abstract threads for the threads that have none.
    pub suggest: bool,
    /// A file with abstract threads as state machines.
    pub machines: Option<PathBuf>,
    /// How programs are checked.
    pub check: CheckOptions,
}

/// How a program is read. All but the memory model matters for C only.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// When a thread sees what another has written.
    pub memory_model: MemoryModel,
    /// Sizes of C's types. Without it, the compiler's flags say them; LP64 if they do not.
    pub data_model: Option<DataModel>,
    /// What is chosen where C or the system leave it open.
    pub choices: Choices,
    /// What the compiler is told: macros, where to look for `#include` files, and so on.
    pub compiler: CompilerOptions,
    /// The function in which the program begins; without it, `main`.
    pub entry: Option<String>,
}

impl ReadOptions {
    /// What matters for C text.
    pub(crate) fn of_c(&self) -> cfront::ReadOptions {
        cfront::ReadOptions {
            data_model: self.data_model,
            compiler: self.compiler.clone(),
            entry: self.entry.clone(),
        }
    }
}
