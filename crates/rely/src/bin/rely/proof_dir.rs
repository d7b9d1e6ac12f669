//! `--proof-dir`: a folder with the obligations of proofs, an index and a script that runs a solver over them.
//!
//! The folder is ours if it was empty, or if its index says so; in it, only files that the index names are touched. As with other
//! exports, it is made ready before the work begins: what an earlier run has left does not pass for a proof of this one.

use crate::export::refuse;
use rely::{Answers, BadInput, Obligation, Report, Script, Verdict};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The index. By its first line a later run knows that the folder is ours.
const INDEX: &str = "obligations.txt";
const MARK: &str = "Proof obligations written by rely (format 1)";
/// What stands beside the index.
const OTHERS: [(&str, &str); 2] =
    [("README.txt", include_str!("proof_dir.txt")), ("check.sh", include_str!("check.sh"))];
/// How scripts end.
const ENDING: &str = ".smt2";

/// The folder.
pub struct ProofDir {
    path: PathBuf,
}

impl ProofDir {
    /// An empty folder, or one that rely has written before, from which everything of that is taken out.
    pub fn open(path: &Path) -> Result<ProofDir, BadInput> {
        let name = path.display().to_string();
        let trouble =
            |error: io::Error| refuse(&name, &format!("cannot write the folder: {error}"));
        fs::create_dir_all(path).map_err(trouble)?;
        let is_empty = fs::read_dir(path).map_err(trouble)?.next().is_none();
        let index = fs::read_to_string(path.join(INDEX)).unwrap_or_default();
        if !is_empty && index.lines().next() != Some(MARK) {
            let why =
                "the folder for a proof must be empty, or one that --proof-dir has written before";
            return Err(refuse(&name, why));
        }
        let folder = ProofDir { path: path.to_path_buf() };
        folder
            .clear(&index)
            .and_then(|()| folder.write_index("No answer yet.\n"))
            .map_err(trouble)?;
        Ok(folder)
    }

    /// Takes out the scripts that the index names, and folders that are empty then.
    fn clear(&self, index: &str) -> io::Result<()> {
        for script in index.lines().filter_map(script_of) {
            match fs::remove_file(self.path.join(&script)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            // What else is in the folder keeps it.
            let _ = script.parent().map(|folder| fs::remove_dir(self.path.join(folder)));
        }
        Ok(())
    }

    /// Writes the proofs of all answers that are SAFE.
    pub fn write(&self, answers: &Answers) -> Result<(), String> {
        self.write_all(answers).map_err(|error| format!("{}: {error}", self.path.display()))
    }

    fn write_all(&self, answers: &Answers) -> io::Result<()> {
        let mut index = String::new();
        for report in answers.reports() {
            index += &self.write_answer(report)?;
        }
        if answers.reports().iter().any(|report| report.verdict == Verdict::Safe) {
            for (name, text) in OTHERS {
                fs::write(self.path.join(name), text)?;
            }
            let script = self.path.join(OTHERS[1].0);
            fs::set_permissions(script, fs::Permissions::from_mode(0o755))?;
        }
        self.write_index(&index)
    }

    fn write_index(&self, text: &str) -> io::Result<()> {
        fs::write(self.path.join(INDEX), format!("{MARK}\n\n{text}"))
    }

    /// The scripts of an answer; its part of the index.
    fn write_answer(&self, report: &Report) -> io::Result<String> {
        let names = report.questions.iter().map(|question| question.name());
        let mut names: Vec<&str> = names.collect();
        if names.is_empty() {
            names.push("answer");
        }
        let first = report.evidence.lines().next().unwrap_or_default();
        let mut index = format!("== {}: {}\n{first}\n", names.join(", "), report.verdict);
        let rest = if report.is_rest { "other-" } else { "" };
        let folder = format!("{rest}{}", names.join("-"));
        let mut obligations: Vec<&Obligation> = report.obligations.iter().collect();
        obligations.sort_by_key(|one| match one.script {
            Script::Missing(_) => 0,
            Script::Written(..) => 1,
            Script::Plain => 2,
        });
        let mut number = 0;
        for obligation in obligations {
            number += usize::from(matches!(obligation.script, Script::Written(..)));
            index += &self.write_obligation(&folder, number, obligation)?;
        }
        index += match report.verdict {
            Verdict::Safe if report.obligations.is_empty() => {
                "MISSING: this answer has no proof by formulas\n"
            }
            Verdict::Safe => "",
            _ => "No proof.\n",
        };
        Ok(index + "\n")
    }

    /// A script, if there is one; its line of the index.
    fn write_obligation(
        &self,
        folder: &str,
        number: usize,
        one: &Obligation,
    ) -> io::Result<String> {
        let place = one.place.as_ref().map_or(String::new(), |place| format!(" [{place}]"));
        let what = format!("{}: {}{place}", one.rule, one.words);
        Ok(match &one.script {
            Script::Plain => format!("plain: {what}\n"),
            Script::Missing(why) => format!("MISSING: {what}; {why}\n"),
            Script::Written(text, cases) => {
                let rule = one.rule.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
                let name = format!("{folder}/{number:05}-{rule}{ENDING}");
                fs::create_dir_all(self.path.join(folder))?;
                fs::write(self.path.join(&name), with_head(text, *cases, &what))?;
                format!("{name}: {what}\n")
            }
        })
    }
}

/// A script with what it is about.
fn with_head(text: &str, cases: usize, what: &str) -> String {
    let parts = match cases {
        1 => "If it does not hold, all of the formulas below can hold together.".to_string(),
        _ => format!(
            "If it does not hold, one of the {cases} cases below can: each is a question that was asked."
        ),
    };
    let what = what.replace(['\n', '\r'], " ");
    format!("; {what}\n; {parts}\n{text}")
}

/// The script that a line of the index names: in a folder in ours, not elsewhere.
fn script_of(line: &str) -> Option<PathBuf> {
    let (name, _) = line.split_once(": ")?;
    let (folder, file) = name.split_once('/')?;
    let is_plain = |part: &str| {
        !part.starts_with('.')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
    };
    (is_plain(folder) && is_plain(file) && file.ends_with(ENDING)).then(|| PathBuf::from(name))
}
