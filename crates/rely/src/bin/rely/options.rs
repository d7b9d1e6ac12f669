//! All options of the command line: name, meaning, values and help in one
//! table. Help texts and error messages are generated from it. Engines bring their own options (`engine_options`).

use crate::color::Color;
use crate::engine_options::{EngineOptions, engine_names, find_engine};
use crate::export::ExportOptions;
use crate::generate::{GeneratedText, products};
use crate::limits::Limits;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use rely::{
    BadInput, Choices, CompilerOptions, DataModel, Descriptor, Format, Input, MemoryModel,
    MissingFunctions, PropertyFile, Question, ReadOptions, RefusedFlag, SignedOverflow,
};
use std::path::PathBuf;
use std::time::Duration;

const ABOUT: &str = "\
Decides whether a multi-threaded C program can go wrong, whatever the order
in which its threads take their steps: an assertion that fails, undefined
behaviour, a data race, a deadlock.";

const EXAMPLES: &str = "\
Examples:
  rely check prog.c                  can prog.c go wrong?
  rely check prog.c --timeout 60     ... answer within a minute
  rely check prog.c --check races    ... can there be a data race?
  generate | rely check -            a C program from a pipe
  rely check prog.i --data-model ilp32
                                     a preprocessed program for a 32-bit machine
  rely show prog.c                   the threads of prog.c, as the engines see them
  rely show prog.c --format dot | dot -Tsvg > prog.svg
                                     ... as a picture

The first line of `rely check` is the answer, the exit code says the same:
  SAFE      0   nothing that is looked for can happen; the proof was checked
  UNSAFE   10   it can happen; the interleaving that follows was replayed
  UNKNOWN  20   no answer; the reason follows
An input or a command line with mistakes ends with exit code 2.";

const CONFORM: &str = "\
A function __rely_abstract_NAME is the abstract thread of the start routine NAME.
The first line of the answer, and the exit code:
  SAFE      0   all threads conform, and no assertion can fail; the proofs were checked
  UNSAFE   10   an assertion of the program can fail; the interleaving was replayed
  REFUSED  11   a thread does not conform; the execution that shows it was replayed
  UNKNOWN  20   no answer; the reason follows";

const REPLAY: &str = "\
The first line of the answer, and the exit code:
  REPRODUCED       0   it has failed as expected, in every run
  NOT REPRODUCED  20   a run ended otherwise, or not at all";

/// The name that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "rely", version, about = ABOUT, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Colour the answer. auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto, hide_possible_values = true)]
    pub color: Color,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide whether a program can go wrong
    #[command(after_help = EXAMPLES)]
    Check(CheckCommand),
    /// Compare threads with their abstract threads and decide with these
    #[command(after_help = CONFORM)]
    Conform(ConformOptions),
    /// Print the threads as the engines see them
    Show(ShowOptions),
    /// Build and run a reproducer, which `rely check --reproducer` has written, and tell whether it fails
    #[command(after_help = REPLAY)]
    Replay(ReplayOptions),
    /// Tell what an identifier stands for: a kind of error, a reason for UNKNOWN, an assumption
    Explain(ExplainOptions),
    /// Print a manual page, or completions for a shell
    Generate(GenerateOptions),
}

/// `rely replay`.
#[derive(Debug, Args)]
pub struct ReplayOptions {
    /// The reproducer. It is compiled and run as any program: with your rights
    #[arg(value_name = "FILE.c")]
    pub file: PathBuf,

    /// How often it is run
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,

    /// End a run after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30")]
    pub timeout: Duration,
}

/// `rely explain`.
#[derive(Debug, Args)]
pub struct ExplainOptions {
    /// The identifier, as --json and --sarif have it; without it, all are listed
    #[arg(value_name = "ID")]
    pub id: Option<String>,
}

/// `rely generate`.
#[derive(Debug, Args)]
pub struct GenerateOptions {
    /// What to print: a manual page (man, man-check, ...) or completions for a shell
    #[arg(value_name = "WHAT", value_parser = products())]
    pub product: GeneratedText,
}

/// `rely check`.
#[derive(Clone, Debug, Args)]
pub struct CheckCommand {
    /// What to look for, separated by commas: assertions, memory, overflow,
    /// undefined (all undefined behaviour, memory and overflow included),
    /// races (data races), deadlocks, leaks. Without this option:
    /// assertions, undefined, races, deadlocks
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = question_names(), hide_possible_values = true, conflicts_with = "property", verbatim_doc_comment)]
    pub check: Vec<Question>,

    /// After UNSAFE, look for every other assertion that can fail, place where
    /// behaviour can be undefined, and pair of accesses that can race; and say
    /// whether these are all
    #[arg(long, verbatim_doc_comment)]
    pub all: bool,

    /// After SAFE for races, say for each object that several threads access
    /// what protects it: a lock, that one thread uses it only, and so on
    #[arg(long, verbatim_doc_comment)]
    pub explain: bool,

    #[command(flatten)]
    pub exports: ExportOptions,

    #[command(flatten)]
    pub options: CheckOptions,
}

/// Options of `rely check` and of `rely conform`.
#[derive(Clone, Debug, Args)]
pub struct CheckOptions {
    /// How to search for the answer; without this option, rely chooses
    #[arg(long, value_name = "ENGINE", value_parser = engine_names().map(find_engine))]
    pub engine: Option<&'static Descriptor>,

    #[command(flatten)]
    pub engine_options: EngineOptions,

    /// Give up after this time and answer UNKNOWN
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Give up when this much memory is in use and answer UNKNOWN
    #[arg(long, value_name = "MEGABYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory_limit: Option<u64>,

    /// A file that states the property to check, in the form used by SV-COMP:
    /// unreach-call, no-data-race, valid-memsafety, valid-memcleanup, no-overflow, no-deadlock.
    /// Without it, an error is a failing assertion or a call of reach_error
    /// or __VERIFIER_error
    #[arg(long, value_name = "FILE.prp", verbatim_doc_comment)]
    pub property: Option<PathBuf>,

    /// After SAFE, print the proof: for each thread what it guarantees, what it
    /// relies on, and what holds at the lines that matter. After UNSAFE, every step
    #[arg(long, verbatim_doc_comment)]
    pub proof: bool,

    /// Tell on standard error what is being done and how long it takes
    #[arg(long, short)]
    pub verbose: bool,

    #[command(flatten)]
    pub input: InputOptions,
}

/// Options of `rely conform`.
#[derive(Debug, Args)]
pub struct ConformOptions {
    /// Propose abstract threads for the threads that have none, and check them
    #[arg(long)]
    pub suggest: bool,

    /// A file with abstract threads as state machines, beside those in the program
    #[arg(long, value_name = "FILE")]
    pub machines: Option<PathBuf>,

    #[command(flatten)]
    pub check: CheckOptions,
}

/// Options of `rely show`.
#[derive(Debug, Args)]
pub struct ShowOptions {
    /// What to print. text: the model's text form, a .rely file;
    /// dot: a graph for Graphviz
    #[arg(long, value_enum, default_value_t = FormatName::Text, hide_possible_values = true, verbatim_doc_comment)]
    pub format: FormatName,

    #[command(flatten)]
    pub input: InputOptions,
}

/// How a program is read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "How the program is read")]
pub struct InputOptions {
    /// The program: files of C source (.c) or preprocessed C (.i), which are linked;
    /// or a model in text form (.rely), or a litmus test (.litmus);
    /// a dash (-) is C source from standard input
    #[arg(required_unless_present = "project", value_name = "FILE", help_heading = None::<&str>, verbatim_doc_comment)]
    pub files: Vec<PathBuf>,

    /// When a thread sees what another has written. sc: at once; tso: later, in
    /// the order of the writes (x86); pso: later, in any order. The names rmo,
    /// power, armv8 and c11 are known, but programs are not decided under these yet
    #[arg(long, value_name = "MODEL", value_parser = memory_model_names(), default_value = "sc", hide_possible_values = true, verbatim_doc_comment)]
    pub memory_model: MemoryModel,

    /// Sizes of C's types. ilp32: int, long and pointers have 32 bits;
    /// lp64: long and pointers have 64 bits (the default, if no flag of the compiler says them)
    #[arg(
        long,
        value_enum,
        value_name = "MODEL",
        hide_possible_values = true,
        verbatim_doc_comment
    )]
    pub data_model: Option<Model>,

    /// When signed arithmetic overflows. undefined: undefined behaviour;
    /// wrap: two's complement
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Overflow::Undefined, hide_possible_values = true, verbatim_doc_comment)]
    pub signed_overflow: Overflow,

    /// Allocating memory may fail: malloc and its relatives may return NULL
    #[arg(long)]
    pub allocation_may_fail: bool,

    /// Creating a thread may fail: pthread_create may return EAGAIN
    #[arg(long)]
    pub creation_may_fail: bool,

    /// What a function does that has no body. error: that is not known;
    /// havoc: it returns any value and does nothing else
    #[arg(long, value_enum, value_name = "HOW", default_value_t = OnMissing::Error, hide_possible_values = true, verbatim_doc_comment)]
    pub missing: OnMissing,

    /// A project's compile_commands.json: its files, or those of them that are named,
    /// are read as they are compiled there
    #[arg(long, value_name = "FILE.json", verbatim_doc_comment)]
    pub project: Option<PathBuf>,

    /// Begin in this function instead of main. Its arguments are any numbers;
    /// variables hold what they are initialised with
    #[arg(long, value_name = "FUNCTION", verbatim_doc_comment)]
    pub entry: Option<String>,

    /// A flag that gcc compiles the program with. It may stand by itself: -I DIR, -D NAME[=VALUE],
    /// -U NAME, -include FILE, -isystem DIR, -std=STANDARD, -m32, -fwrapv, and so on; @FILE
    /// has arguments. Flags that change nothing (-O2, -Wall, -g) are passed over,
    /// those that are not modelled are refused
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true, verbatim_doc_comment)]
    pub compiler_flag: Vec<String>,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    Text,
    Dot,
}

/// Values of `--data-model`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    Ilp32,
    Lp64,
}

/// Values of `--signed-overflow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Overflow {
    Undefined,
    Wrap,
}

/// Values of `--missing`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnMissing {
    Error,
    Havoc,
}

impl Command {
    /// Does the user want to be told what happens?
    pub fn verbose(&self) -> bool {
        match self {
            Command::Check(command) => command.options.verbose,
            Command::Conform(options) => options.check.verbose,
            Command::Replay(_) | Command::Show(_) | Command::Explain(_) | Command::Generate(_) => {
                false
            }
        }
    }
}

impl CheckCommand {
    /// What the library is asked.
    pub fn question(&self) -> Result<rely::CheckOptions, BadInput> {
        let mut asked = self.options.question()?;
        if !self.check.is_empty() {
            asked.questions = self.check.iter().copied().collect();
        }
        (asked.all, asked.explain) = (self.all, self.explain);
        asked.reproducer = self.exports.reproducer.is_some();
        asked.obligations = self.exports.proof_dir.is_some();
        Ok(asked)
    }
}

impl CheckOptions {
    /// What the run may use.
    pub fn limits(&self) -> Limits {
        let memory = self.memory_limit.map(|megabytes| megabytes.saturating_mul(1_000_000));
        Limits { time: self.timeout, memory }
    }

    /// What the library is asked. The property is read from its file.
    pub fn question(&self) -> Result<rely::CheckOptions, BadInput> {
        let default = rely::CheckOptions::default();
        let asked = match &self.property {
            Some(file) => rely::read_property(file)?,
            None => {
                PropertyFile { questions: default.questions, errors: default.property, leaks: None }
            }
        };
        let mut read = self.input.options()?;
        if let (Some(file), Some(_)) = (&self.property, &read.entry) {
            return Err(BadInput::of_file(
                file,
                "this property is about `main`, not about --entry",
            ));
        }
        read.choices.leaks = asked.leaks;
        Ok(rely::CheckOptions {
            read,
            questions: asked.questions,
            property: asked.errors,
            engine: self.engine,
            settings: self.engine_options.settings.clone(),
            proof: self.proof,
            all: false,
            explain: false,
            reproducer: false,
            obligations: false,
        })
    }
}

impl ConformOptions {
    /// What the library is asked.
    pub fn question(&self) -> Result<rely::ConformOptions, BadInput> {
        let (suggest, machines) = (self.suggest, self.machines.clone());
        Ok(rely::ConformOptions { suggest, machines, check: self.check.question()? })
    }
}

impl InputOptions {
    /// The program. What comes from standard input is read here, and only here.
    pub fn program(&self) -> Result<Input, BadInput> {
        match &self.files[..] {
            files if let Some(project) = &self.project => {
                Ok(Input::project(project, files.to_vec()))
            }
            [only] if only.as_os_str() == STANDARD_INPUT => {
                Input::read_c("<stdin>", std::io::stdin().lock())
            }
            files => Ok(Input::files(files.iter().cloned())),
        }
    }

    /// How it is read.
    pub fn options(&self) -> Result<ReadOptions, BadInput> {
        let (compiler, no_flags) = CompilerOptions::read(&self.compiler_flag)?;
        if let Some(word) = no_flags.first() {
            let message = format!("`{word}` is no flag of a compiler");
            return Err(RefusedFlag { index: 0, message }.into());
        }
        Ok(ReadOptions {
            memory_model: self.memory_model,
            data_model: self.data_model.map(|model| match model {
                Model::Ilp32 => DataModel::Ilp32,
                Model::Lp64 => DataModel::Lp64,
            }),
            choices: Choices {
                signed_overflow: match self.signed_overflow {
                    Overflow::Undefined => SignedOverflow::Undefined,
                    Overflow::Wrap => SignedOverflow::Wrap,
                },
                allocation_may_fail: self.allocation_may_fail,
                creation_may_fail: self.creation_may_fail,
                attempts_fail: false,
                deadlocks: false,
                shifts_overflow: false,
                uninitialised: false,
                weak_memory: false,
                leaks: None,
                missing: match self.missing {
                    OnMissing::Error => MissingFunctions::Unknown,
                    OnMissing::Havoc => MissingFunctions::AnyValue,
                },
            },
            compiler,
            entry: self.entry.clone(),
        })
    }
}

impl FormatName {
    /// What it means.
    pub fn format(self) -> Format {
        match self {
            FormatName::Text => Format::Text,
            FormatName::Dot => Format::Dot,
        }
    }
}

/// The names of the questions, and what they mean.
fn question_names() -> impl TypedValueParser<Value = Question> {
    let names = PossibleValuesParser::new(Question::ALL.map(Question::name));
    names.map(|name| Question::named(&name).expect("it is the name of a question"))
}

/// The names of the memory models, and what they mean.
fn memory_model_names() -> impl TypedValueParser<Value = MemoryModel> {
    let names = PossibleValuesParser::new(MemoryModel::ALL.map(MemoryModel::name));
    names.map(|name| MemoryModel::named(&name).expect("it is the name of a memory model"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("it must be a number of seconds above zero".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::{Arg, CommandFactory};

    const GUIDE: &str = include_str!("../../../../../docs/guide.md");

    fn spellings(arg: &Arg) -> Vec<String> {
        let long = arg.get_long().map(|long| format!("--{long}"));
        let short = arg.get_short().map(|short| format!("-{short}"));
        long.or(short).into_iter().collect()
    }

    fn options() -> Vec<String> {
        let cli = Cli::command();
        let commands = cli.get_subcommands().chain([&cli]);
        commands.flat_map(|command| command.get_arguments().flat_map(spellings)).collect()
    }

    #[test]
    fn the_table_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_guide_explains_every_option() {
        for option in options() {
            assert!(GUIDE.contains(&format!("| `{option}")), "{option} is not in docs/guide.md");
        }
    }

    #[test]
    fn the_guide_explains_no_other_option() {
        let options = options();
        for row in GUIDE.lines().filter_map(|line| line.strip_prefix("| `-")) {
            let name = format!("-{}", row.split(['`', ' ']).next().unwrap_or_default());
            let known = ["--help", "--version"].contains(&name.as_str());
            let example = row.split('`').next().unwrap_or_default();
            let words: Vec<String> = format!("-{example}").split(' ').map(str::to_string).collect();
            let is_flag = rely::CompilerOptions::read(&words).is_ok();
            assert!(known || is_flag || options.contains(&name), "docs/guide.md explains {name}");
        }
    }
}
