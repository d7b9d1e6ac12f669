//! `compile_commands.json`: which files a project has and how each is compiled ("JSON Compilation Database Format Specification" of clang's
//! documentation). An entry has a `file`, the `directory` in which its compiler is started, and its words, as `arguments` or as the text of a `command`.

mod json;

use crate::compiler_options::{CompilerOptions, Quoting, UnfinishedWord, expand, split};
use crate::preprocess::{Source, read_text};
use crate::source::Diagnostic;
use crate::syntax::ast::Range;
use crate::{BadInput, SourceFile, bad, of_file};
use json::{JsonKind, JsonValue};
use std::path::{Path, PathBuf};

/// The files of a project: all of them, or those that are chosen. `later` are flags behind those of each. A file that is chosen and is none of the
/// project's (a harness, stubs) is compiled with these only.
pub fn read(
    database: &Path,
    chosen: &[PathBuf],
    later: &CompilerOptions,
) -> Result<Vec<SourceFile>, BadInput> {
    let name = database.display().to_string();
    let problem = |message: String| of_file(&name, message);
    let file = std::fs::File::open(database).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => problem("there is no such file".to_string()),
        _ => problem(format!("cannot read the file: {error}")),
    })?;
    let text = read_text(file).map_err(|_| problem("this file is no text".to_string()))?;
    let sources = [Source::from_text(&name, &text)];
    let complain = |errors: &[Diagnostic]| bad(&sources, &sources[0].map(), errors);
    let root = json::read(&text)
        .map_err(|(message, range)| complain(&[Diagnostic::new(message, range)]))?;
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = std::path::absolute(folder.unwrap_or(Path::new(".")));
    let folder = folder.map_err(|error| problem(format!("cannot be found: {error}")))?;
    let here = std::env::current_dir().map_err(|error| problem(error.to_string()))?;
    let project = Project { folder, later: later.started_elsewhere(&here) };
    let (entries, mut errors) = project.entries(&root);
    if !errors.is_empty() {
        return Err(complain(&errors));
    }
    let mut files = Vec::new();
    match chosen {
        [] => project.add_all(&entries.iter().collect::<Vec<_>>(), &mut files, &mut errors),
        chosen => {
            for path in chosen {
                let same = |entry: &&Entry| is_same(&entry.path(), path);
                let own: Vec<&Entry> = entries.iter().filter(same).collect();
                match own.is_empty() {
                    true => files.push(beside(path, later, &name)),
                    false => project.add_all(&own, &mut files, &mut errors),
                }
            }
        }
    }
    if errors.is_empty() { Ok(files) } else { Err(complain(&errors)) }
}

/// A file that is none of the project's.
fn beside(path: &Path, options: &CompilerOptions, database: &str) -> SourceFile {
    let note = format!(
        "`{}` is not in `{database}`: it is read with the flags of the command line alone",
        path.display()
    );
    SourceFile { path: path.to_path_buf(), options: options.clone(), notes: vec![note] }
}

/// What all entries have in common.
struct Project {
    /// Directories begin here.
    folder: PathBuf,
    later: CompilerOptions,
}

/// A command that compiles a file.
struct Entry<'j> {
    directory: PathBuf,
    directory_range: Range,
    file: &'j str,
    file_range: Range,
    command: Command<'j>,
}

/// Its words.
enum Command<'j> {
    Words(Vec<(&'j str, Range)>),
    Text(&'j str, Range),
}

type Res<T> = Result<T, Diagnostic>;

impl Project {
    /// The entries that are well-formed, and what is wrong with the others.
    fn entries<'j>(&self, root: &'j JsonValue) -> (Vec<Entry<'j>>, Vec<Diagnostic>) {
        let JsonKind::List(list) = &root.kind else {
            let message = "a list of commands is expected: `[ … ]`";
            return (Vec::new(), vec![Diagnostic::new(message, root.range)]);
        };
        if list.is_empty() {
            return (Vec::new(), vec![Diagnostic::new("no file is named here", root.range)]);
        }
        let (mut entries, mut errors) = (Vec::new(), Vec::new());
        for value in list {
            match self.entry(value) {
                Ok(entry) => entries.push(entry),
                Err(error) => errors.push(error),
            }
        }
        (entries, errors)
    }

    fn entry<'j>(&self, value: &'j JsonValue) -> Res<Entry<'j>> {
        let JsonKind::Object(members) = &value.kind else {
            return Err(Diagnostic::new("an object is expected: `{ … }`", value.range));
        };
        let member = |name: &str| members.iter().find(|(known, _)| known == name);
        let required = |name: &str| {
            let missing = || Diagnostic::new(format!("this has no \"{name}\""), value.range);
            member(name).map(|(_, value)| value).ok_or_else(missing)
        };
        let (directory, directory_range) = text_of(required("directory")?)?;
        let (file, file_range) = text_of(required("file")?)?;
        let command = match member("arguments") {
            Some((_, JsonValue { kind: JsonKind::List(words), .. })) => {
                Command::Words(words.iter().map(text_of).collect::<Res<_>>()?)
            }
            Some((_, other)) => return Err(Diagnostic::new("a list is expected", other.range)),
            None if member("command").is_none() => {
                let message = "this has neither \"arguments\" nor a \"command\"";
                return Err(Diagnostic::new(message, value.range));
            }
            None => {
                let (text, range) = text_of(required("command")?)?;
                Command::Text(text, range)
            }
        };
        let directory = self.folder.join(directory);
        Ok(Entry { directory, directory_range, file, file_range, command })
    }

    /// Adds the files of these entries, each once.
    fn add_all(
        &self,
        entries: &[&Entry],
        files: &mut Vec<SourceFile>,
        errors: &mut Vec<Diagnostic>,
    ) {
        let mut added: Vec<(PathBuf, SourceFile, Range)> = Vec::new();
        for entry in entries {
            let file = match self.source_file(entry) {
                Ok(file) => file,
                Err(error) => {
                    errors.push(error);
                    continue;
                }
            };
            let known = added.iter().find(|(path, ..)| is_same(path, &entry.path()));
            match known {
                None => added.push((entry.path(), file, entry.file_range)),
                Some((_, other, _)) if other.options == file.options => {}
                Some((.., other)) => {
                    let message = format!("`{}` is compiled twice, with other flags", entry.file);
                    let twice = Diagnostic::new(message, entry.file_range);
                    errors.push(Diagnostic { other: Some(*other), ..twice });
                }
            }
        }
        files.extend(added.into_iter().map(|(_, file, _)| file));
    }

    fn source_file(&self, entry: &Entry) -> Res<SourceFile> {
        if !entry.directory.is_dir() {
            return Err(Diagnostic::new("there is no such directory", entry.directory_range));
        }
        if !entry.path().is_file() {
            return Err(Diagnostic::new("there is no such file", entry.file_range));
        }
        if !entry.path().extension().is_some_and(|end| end == "c" || end == "i") {
            let message = "rely reads C (.c, .i): name the files it should read";
            return Err(Diagnostic::new(message, entry.file_range));
        }
        let mut options = entry.options()?.followed_by(&self.later);
        options.directory = Some(entry.directory.clone());
        Ok(SourceFile { path: PathBuf::from(entry.file), options, notes: Vec::new() })
    }
}

impl Entry<'_> {
    fn path(&self) -> PathBuf {
        self.directory.join(self.file)
    }

    fn options(&self) -> Res<CompilerOptions> {
        let (words, ranges): (Vec<String>, Vec<Range>) = self.words()?.into_iter().unzip();
        let at = |index: usize, message: String| Diagnostic::new(message, ranges[index]);
        let words =
            expand(&words, &self.directory).map_err(|(index, message)| at(index, message))?;
        let (origins, words): (Vec<usize>, Vec<String>) = words.into_iter().unzip();
        if let Some(index) = words.iter().position(|word| word.starts_with('@')) {
            let message = format!("`{}`: there is no such file of arguments", words[index]);
            return Err(at(origins[index], message));
        }
        let Some((_, flags)) = words.split_first() else {
            return Err(Diagnostic::new("there is no compiler in this command", self.file_range));
        };
        // Another program may call the compiler: `ccache gcc`.
        let programs = words.iter().take_while(|word| !word.starts_with('-')).enumerate();
        for (index, program) in programs.filter(|(_, word)| *word != self.file) {
            if let Some(message) = other_language(program) {
                return Err(at(origins[index], message));
            }
        }
        let read = CompilerOptions::read(flags);
        let (options, _) = read.map_err(|bad| at(origins[bad.index + 1], bad.message))?;
        Ok(options)
    }

    /// Its words, each with its place.
    fn words(&self) -> Res<Vec<(String, Range)>> {
        match &self.command {
            Command::Words(words) => {
                Ok(words.iter().map(|(word, range)| (word.to_string(), *range)).collect())
            }
            Command::Text(text, range) => {
                let words = split(text, Quoting::Shell).map_err(|error| {
                    let message = match error {
                        UnfinishedWord::OpenQuote => "a quote is not closed here".to_string(),
                        UnfinishedWord::ForShell(character) => {
                            format!("a shell would be needed for `{character}` in this command")
                        }
                    };
                    Diagnostic::new(message, *range)
                })?;
                Ok(words.into_iter().map(|word| (word, *range)).collect())
            }
        }
    }
}

/// Why what a compiler makes of a file is not what we read there, as far as its name says: it compiles C++, or for another machine.
fn other_language(compiler: &str) -> Option<String> {
    let name = Path::new(compiler).file_name()?.to_str()?;
    if name.contains("++") {
        return Some(format!("`{name}` compiles C++, and rely reads C"));
    }
    let ends = ["-gcc", "-cc", "-clang"];
    let target = ends.iter().find_map(|end| Some(name.split_once(end)?.0))?;
    let is_known = target.starts_with("x86_64-") && target.contains("linux");
    let is_other = target.contains('-') && !is_known;
    is_other.then(|| format!("`{name}` compiles for another machine than rely knows"))
}

fn text_of(value: &JsonValue) -> Res<(&str, Range)> {
    match &value.kind {
        JsonKind::Text(text) => Ok((text, value.range)),
        _ => Err(Diagnostic::new("a string is expected", value.range)),
    }
}

/// Do two paths lead to one file?
fn is_same(one: &Path, other: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
