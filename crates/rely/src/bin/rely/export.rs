//! What a run has found, for other tools: which formats are wanted, where they go, and what is wrong if they cannot be written.
//!
//! Files are created before the work begins: who cannot write there learns it at once and not after an hour, and what an earlier run has left does
//! not pass for the answer of this one.

use crate::options::CheckCommand;
use crate::proof_dir::ProofDir;
use clap::Args;
use formats::RunData;
use formats::witness::{self, Task};
use rely::{Answers, BadInput, Complaint, DataModel, Phase};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The name that stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// The option that asks for a program.
const REPRODUCER: &str = "--reproducer";

/// What is written for other tools.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "For other tools")]
pub struct ExportOptions {
    /// Write a report in JSON: verdicts, evidence, interleavings, places, times. A
    /// dash (-) is standard output, which then has nothing else
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub json: Option<PathBuf>,

    /// Write what is found in SARIF 2.1.0, for editors and code review
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write a witness in the formats of SV-COMP, for other verifiers. The name
    /// says in which: .yml for YAML (version 2.2), .graphml for GraphML (1.0)
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub witness: Option<PathBuf>,

    /// After UNSAFE, write a C program that fails so every time it is run: this
    /// program under a scheduler that forces the interleaving. `rely replay`
    /// builds and runs it
    #[arg(long, value_name = "FILE.c", verbatim_doc_comment)]
    pub reproducer: Option<PathBuf>,

    /// After SAFE, write each obligation of the proof as a script in SMT-LIB 2 into
    /// this folder, with an index and a script that runs a solver over all of them
    #[arg(long, value_name = "FOLDER", verbatim_doc_comment)]
    pub proof_dir: Option<PathBuf>,
}

/// A writer of a format: a text, or nothing where the format has nothing to say of the answer.
type Format = fn(&RunData) -> Option<String>;

impl ExportOptions {
    /// The formats that are wanted, with the options that ask for them, and where they go.
    fn wanted(&self) -> impl Iterator<Item = (&'static str, Format, &Path)> {
        let graphml = self.witness.as_ref().is_some_and(|path| ends_with(path, &["graphml"]));
        let witness: Format = if graphml { witness::graphml::write } else { witness::yaml::write };
        let all: [(_, Format, _); 4] = [
            ("--json", |run| Some(formats::report::write(run)), &self.json),
            ("--sarif", |run| Some(formats::sarif::write(run)), &self.sarif),
            ("--witness", witness, &self.witness),
            (REPRODUCER, formats::reproducer::write, &self.reproducer),
        ];
        all.into_iter()
            .filter_map(|(option, format, path)| Some((option, format, path.as_deref()?)))
    }
}

/// Where the formats go.
#[derive(Default)]
pub struct Exports {
    targets: Vec<ExportTarget>,
    proof_dir: Option<ProofDir>,
    /// What is said of the run as a whole.
    files: Vec<String>,
    memory_model: &'static str,
    data_model: DataModel,
    /// What a witness says of the task, if one is wanted.
    task: Option<Task>,
}

struct ExportTarget {
    /// For messages.
    name: String,
    format: Format,
    /// Is it to be compiled?
    is_program: bool,
    /// Standard output, if there is none.
    file: Option<File>,
}

impl Exports {
    /// Opens the files that are wanted.
    pub fn open(command: &CheckCommand) -> Result<Exports, BadInput> {
        let input = &command.options.input;
        let witness = command.exports.witness.as_deref();
        let task = witness.map(|path| task(command, path)).transpose()?;
        let mut targets: Vec<ExportTarget> = Vec::new();
        for (option, format, path) in command.exports.wanted() {
            let is_stdout = path.as_os_str() == STANDARD_OUTPUT;
            if is_stdout && targets.iter().any(|target| target.file.is_none()) {
                return Err(refuse(
                    option,
                    "standard output takes one format; name a file for the others",
                ));
            }
            let taken = targets.iter().map(|target| Path::new(&target.name));
            let taken: Vec<&Path> = input.files.iter().map(PathBuf::as_path).chain(taken).collect();
            let file = if is_stdout { None } else { Some(create(path, &taken)?) };
            let (name, is_program) = (path.display().to_string(), option == REPRODUCER);
            targets.push(ExportTarget { name, format, is_program, file });
        }
        Ok(Exports {
            task,
            proof_dir: command.exports.proof_dir.as_deref().map(ProofDir::open).transpose()?,
            targets,
            files: input.files.iter().map(|file| file.display().to_string()).collect(),
            memory_model: input.memory_model.name(),
            data_model: DataModel::default(),
        })
    }

    /// A program was read, with these sizes of its types.
    pub fn read_with(&mut self, model: DataModel) {
        self.data_model = model;
    }

    /// Does a format take the place of the answer in words?
    pub fn takes_stdout(&self) -> bool {
        self.targets.iter().any(|target| target.file.is_none())
    }

    /// Writes everything. What cannot be written is returned, with the reason.
    pub fn write(
        &mut self,
        answers: &Answers,
        code: u8,
        elapsed: Duration,
        times: &[(Phase, Duration)],
    ) -> Vec<String> {
        let phase = |(phase, time): &(Phase, Duration)| (phase.to_string(), time.as_secs_f64());
        let run = RunData {
            version: env!("CARGO_PKG_VERSION"),
            files: self.files.clone(),
            memory_model: self.memory_model,
            data_model: self.data_model.name(),
            task: self.task.clone(),
            verdict: answers.worst().verdict.to_string(),
            exit_code: code,
            seconds: elapsed.as_secs_f64(),
            phases: times.iter().map(phase).collect(),
            answers: answers.data(),
        };
        let written = self.targets.iter_mut().map(|target| target.write(&run));
        let proof = self.proof_dir.iter().map(|folder| folder.write(answers));
        written.chain(proof).filter_map(Result::err).collect()
    }
}

impl ExportTarget {
    fn write(&mut self, run: &RunData) -> Result<(), String> {
        let Some(text) = (self.format)(run) else {
            // An empty file is no program. If it cannot be removed, it is still empty.
            let is_file = |name| std::fs::metadata(name).is_ok_and(|file| file.is_file());
            if self.is_program && self.file.is_some() && is_file(&self.name) {
                let _ = std::fs::remove_file(&self.name);
            }
            return Ok(());
        };
        let written = match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()).and_then(|()| file.flush()),
            None => crate::console::print(&text),
        };
        let name = if self.file.is_some() { &self.name } else { "standard output" };
        written.map_err(|error| format!("{name}: {error}"))
    }
}

/// How the names of witnesses end.
const WITNESSES: [&str; 3] = ["yml", "yaml", "graphml"];

fn ends_with(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known))
}

/// What a witness says of the program: other tools must be able to recognise it.
fn task(command: &CheckCommand, witness: &Path) -> Result<Task, BadInput> {
    if !ends_with(witness, &WITNESSES) {
        let why = "a witness is written to a file with the ending .yml or .graphml";
        return Err(refuse(&witness.display().to_string(), why));
    }
    let hash = |path: &PathBuf| {
        if path.exists() && !(path.is_file() && ends_with(path, &["c", "i"])) {
            let why = "a witness is about files of C (.c, .i) that can be read again";
            return Err(refuse(&path.display().to_string(), why));
        }
        // Who reads the program says what is wrong with a file.
        Ok(std::fs::read(path).map(|bytes| witness::sha256(&bytes)).unwrap_or_default())
    };
    let hashes: Result<Vec<String>, BadInput> =
        command.options.input.files.iter().map(hash).collect();
    let property =
        command.options.property.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Ok(Task {
        hashes: hashes?,
        specification: property.map(|text| text.trim().to_string()),
        created: since.map_or(0, |since| since.as_secs()),
    })
}

/// An empty file, which must be none of those that are taken: read, or written already.
fn create(path: &Path, taken: &[&Path]) -> Result<File, BadInput> {
    let name = path.display().to_string();
    let real = |path: &Path| path.canonicalize().ok();
    if path.is_file() && taken.iter().any(|other| real(path) == real(other)) {
        let why = "this file is read, or written in another format; name another one";
        return Err(refuse(&name, why));
    }
    File::create(path).map_err(|error| refuse(&name, &format!("cannot write the file: {error}")))
}

/// A complaint about a file, or what is named instead of one.
pub fn refuse(file: &str, message: &str) -> BadInput {
    let (message, file) = (message.to_string(), file.to_string());
    BadInput { complaints: vec![Complaint { message, file, place: None, excerpt: None }] }
}
