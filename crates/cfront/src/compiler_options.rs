//! What gcc is told on its command line, as far as it matters to what a program means.
//!
//! Each flag is read as gcc reads it: its value behind it or as the next word, the last of several that contradict each other counts. The table of
//! flags is in `flags`. What is not there may change what a program means: it is refused by its name, never passed over.

mod dialect;
mod flags;
mod words;

use crate::types::DataModel;
use flags::{Flag, FlagMeaning};
use std::path::{Path, PathBuf};

pub use dialect::Dialect;
pub use words::{Quoting, UnfinishedWord, expand, split};

/// How a file is compiled, as far as it matters to what its text means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompilerOptions {
    /// Flags for the preprocessor, in their order.
    preprocessor: Vec<PassedFlag>,
    /// Where the compiler is started, if that is not where we are: paths of its flags begin there.
    pub(crate) directory: Option<PathBuf>,
    /// Sizes of C's types, if a flag says them.
    pub(crate) data_model: Option<DataModel>,
    /// Does signed arithmetic wrap around, if a flag says so?
    pub(crate) wraps: Option<bool>,
    /// Is it the C of 1990, in which large integer constants have other types?
    pub(crate) is_c90: Option<bool>,
}

/// A flag that the preprocessor is given.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PassedFlag {
    name: String,
    value: Option<String>,
    meaning: FlagMeaning,
}

/// A flag that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedFlag {
    /// Which of the words it is.
    pub index: usize,
    /// Its name and the reason.
    pub message: String,
}

impl CompilerOptions {
    /// Reads the words of a command line: flags, and what are none (the names of files).
    ///
    /// ```
    /// use cfront::CompilerOptions;
    ///
    /// let words = ["-O2", "-D", "N=2", "queue.c", "-Iinclude", "-Wall"].map(String::from);
    /// let (options, files) = CompilerOptions::read(&words).expect("these are known");
    /// assert_eq!(files, ["queue.c"]);
    /// assert_ne!(options, CompilerOptions::default()); // `N` is defined
    ///
    /// let refused = CompilerOptions::read(&["-fopenmp".to_string()]).expect_err("it makes threads");
    /// assert!(refused.message.contains("-fopenmp"));
    /// ```
    pub fn read(words: &[String]) -> Result<(CompilerOptions, Vec<String>), RefusedFlag> {
        let (mut options, mut files) = (CompilerOptions::default(), Vec::new());
        let mut index = 0;
        while let Some(word) = words.get(index) {
            let refuse = |message| RefusedFlag { index, message };
            let Some(flag) = flags::find(word).map_err(refuse)? else {
                files.push(word.clone());
                index += 1;
                continue;
            };
            let next = words.get(index + 1);
            let value = flag.value(word, next).map_err(refuse)?;
            options.add(&flag, word, value).map_err(refuse)?;
            index += if flag.takes_next(word) { 2 } else { 1 };
        }
        Ok((options, files))
    }

    /// Is the word behind this one its value (`-include FILE`)?
    pub fn takes_next_word(word: &str) -> bool {
        flags::find(word).ok().flatten().is_some_and(|flag| flag.takes_next(word))
    }

    /// The same with other flags behind them.
    pub fn followed_by(&self, later: &CompilerOptions) -> CompilerOptions {
        CompilerOptions {
            preprocessor: [&self.preprocessor[..], &later.preprocessor].concat(),
            directory: self.directory.clone().or(later.directory.clone()),
            data_model: later.data_model.or(self.data_model),
            wraps: later.wraps.or(self.wraps),
            is_c90: later.is_c90.or(self.is_c90),
        }
    }

    /// The same for a compiler that is started elsewhere: paths that begin `here` still do.
    pub fn started_elsewhere(&self, here: &Path) -> CompilerOptions {
        let moved = |flag: &PassedFlag| {
            let path = flag.value.as_ref().map(|value| here.join(value));
            let is_path = |path: &PathBuf| match flag.meaning {
                FlagMeaning::Directory => true,
                // What is not here is looked for in the directories.
                FlagMeaning::IncludedFile => path.exists(),
                _ => false,
            };
            let path = path.filter(is_path).map(|path| path.display().to_string());
            PassedFlag { value: path.or(flag.value.clone()), ..flag.clone() }
        };
        let preprocessor = self.preprocessor.iter().map(moved).collect();
        CompilerOptions { preprocessor, ..self.clone() }
    }

    /// What the preprocessor is called with.
    pub(crate) fn for_preprocessor(&self) -> impl Iterator<Item = &String> {
        self.preprocessor.iter().flat_map(|flag| [Some(&flag.name), flag.value.as_ref()]).flatten()
    }

    fn add(&mut self, flag: &Flag, word: &str, value: Option<&str>) -> Result<(), String> {
        match flag.meaning {
            FlagMeaning::Nothing => {}
            FlagMeaning::Preprocessor | FlagMeaning::Directory | FlagMeaning::IncludedFile => {
                let name = if value.is_some() { flag.name.trim_end_matches('=') } else { word };
                self.pass(name.to_string(), value, flag.meaning);
            }
            FlagMeaning::Model(model) => self.data_model = Some(model),
            FlagMeaning::Wraps(wraps) => self.wraps = Some(wraps),
            FlagMeaning::Standard => {
                let standard = value.unwrap_or("c90");
                self.is_c90 = Some(flags::is_c90(standard).ok_or_else(|| {
                    format!("`{word}`: rely reads C up to that of 2017 (`-std=gnu17`)")
                })?);
                self.pass(format!("-std={standard}"), None, flag.meaning);
            }
            FlagMeaning::Language if value == Some("c") => {}
            FlagMeaning::Language => return Err(format!("`{word}`: rely reads C only")),
            FlagMeaning::ForPreprocessor => {
                let inner: Vec<String> =
                    value.unwrap_or_default().split(',').map(str::to_string).collect();
                let (inner, _) =
                    CompilerOptions::read(&inner).map_err(|refused| refused.message)?;
                *self = self.followed_by(&inner);
            }
            FlagMeaning::Refused(reason) => return Err(format!("`{word}` {reason}")),
        }
        Ok(())
    }

    fn pass(&mut self, name: String, value: Option<&str>, meaning: FlagMeaning) {
        self.preprocessor.push(PassedFlag { name, value: value.map(str::to_string), meaning });
    }
}
