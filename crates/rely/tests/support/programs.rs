//! Programs that say in comments what is to be expected of them: `//EXPECT: SAFE|UNSAFE|UNKNOWN`,
//! optionally `//ARGS: …` for the command line (what to check; if it does not say so, assertions, or everything in `examples`), `//REASON: …` for words of the output, `//SLOW: …`
//! for those that are too slow with debug assertions, and `//VACUOUS: …` why assertions that are never
//! reached, or a `main` that never ends, are right.

use super::{Run, rely, root};
use std::path::{Path, PathBuf};

/// What is reported of SAFE programs that are safe since they do nothing. A model that has lost steps looks like one.
const VACUOUS: [&str; 2] = ["Never reached: ", "main never ends"];

/// A program with its expectations.
pub struct Program {
    file: PathBuf,
    text: String,
}

impl Program {
    /// The name of the file as seen from a folder.
    pub fn name(&self, folder: &Path) -> String {
        let inside = self.file.strip_prefix(folder).expect("it was found there");
        inside.display().to_string()
    }

    /// Is it too slow with debug assertions?
    pub fn is_slow(&self) -> bool {
        self.stated("SLOW").next().is_some()
    }

    /// Is the answer what the program says itself? Otherwise, what is wrong with it.
    pub fn judge(&self) -> Result<(), String> {
        let expected = self.stated("EXPECT").next();
        let expected = expected.ok_or("no line `//EXPECT: SAFE|UNSAFE|UNKNOWN`")?;
        let code = match expected {
            "SAFE" => 0,
            "UNSAFE" => 10,
            "UNKNOWN" => 20,
            _ => return Err(format!("what does `//EXPECT: {expected}` mean?")),
        };
        let run = self.run();
        let all = run.all();
        if run.stdout.lines().next() != Some(expected) || run.code != code {
            return Err(format!("expected {expected}, got {all}"));
        }
        if let Some(reason) = self.stated("REASON").find(|reason| !all.contains(reason)) {
            return Err(format!("\"{reason}\" does not occur in {all}"));
        }
        match VACUOUS.iter().find(|words| all.contains(**words) && !self.is_vacuous()) {
            Some(words) => Err(format!("\"{words}\" is not expected: {all}")),
            None => Ok(()),
        }
    }

    /// Is it said to be safe because little of it is reached?
    fn is_vacuous(&self) -> bool {
        self.stated("VACUOUS").next().is_some()
    }

    fn run(&self) -> Run {
        self.run_with(&[])
    }

    /// What is it said to be?
    pub fn is_expected(&self, verdict: &str) -> bool {
        self.stated("EXPECT").next() == Some(verdict)
    }

    /// Runs `rely check` as the program says, with these options, too.
    pub fn run_with(&self, more: &[&str]) -> Run {
        let name = self.file.display().to_string();
        let mut args = vec!["check", &name];
        args.extend(self.stated("ARGS").next().unwrap_or("").split_whitespace());
        // Programs that show how rely is used are asked what it asks by itself; the others are about assertions, unless they say it.
        let shows_use = self.file.parent() == Some(&root().join("examples"));
        if !shows_use && !args.contains(&"--check") && !args.contains(&"--property") {
            args.extend(["--check", "assertions"]);
        }
        if !args.contains(&"--timeout") {
            args.extend(["--timeout", "60"]);
        }
        args.extend(more);
        rely(self.file.parent().expect("a file lies in a folder"), &args)
    }

    /// The texts of the lines `//KEY: text`.
    fn stated<'t>(&'t self, key: &'t str) -> impl Iterator<Item = &'t str> {
        self.text.lines().filter_map(move |line| {
            let line = line.trim().strip_prefix("//")?.trim_start();
            Some(line.strip_prefix(key)?.strip_prefix(':')?.trim())
        })
    }
}

/// All programs (.c, .i or .rely) below a folder, which are `least` or more: a folder that is not
/// found must not pass.
pub fn programs(folder: &Path, least: usize) -> Vec<Program> {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let number = files.len();
    assert!(number >= least, "{number} programs in {}, not {least}", folder.display());
    files.into_iter().map(program).collect()
}

/// The program in a file.
pub fn program(file: PathBuf) -> Program {
    let text = std::fs::read(&file).expect("a file that was listed can be read");
    let text = String::from_utf8_lossy(&text).into_owned();
    Program { file, text }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "c" || end == "i" || end == "rely") {
            files.push(path);
        }
    }
}
