//! From text to the words of a command line: as a shell quotes them, or as gcc does in the files of `@file`.

use crate::preprocess;
use std::path::Path;

/// Files of arguments that name others: so many are read, since one may name itself (gcc's number).
const MAX_ARGUMENT_FILES: usize = 2000;

/// Who quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// A shell (POSIX, "Shell Command Language", 2.2).
    Shell,
    /// gcc, in a file of arguments (libiberty's `buildargv`): a backslash stands before any character, also between single quotes.
    ArgumentFile,
}

/// Why a text is no row of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfinishedWord {
    /// A quote has no end.
    OpenQuote,
    /// A shell would do something else here than read a word.
    ForShell(char),
}

/// The words of a text.
///
/// ```
/// use cfront::{Quoting, split};
///
/// let words = split(r#"cc -DNAME='"a b"' -c x\ y.c"#, Quoting::Shell).expect("it is closed");
/// assert_eq!(words, ["cc", r#"-DNAME="a b""#, "-c", "x y.c"]);
/// ```
pub fn split(text: &str, quoting: Quoting) -> Result<Vec<String>, UnfinishedWord> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if quoting == Quoting::Shell && is_for_shell(character, quote) {
            return Err(UnfinishedWord::ForShell(character));
        }
        match (character, quote) {
            ('\\', _) if is_escape(quoting, quote, characters.peek()) => {
                word.get_or_insert_default().extend(characters.next());
            }
            (_, Some(open)) if character == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(character),
            ('"' | '\'', None) => {
                word.get_or_insert_default();
                quote = Some(character);
            }
            (_, None) if character.is_ascii_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(UnfinishedWord::OpenQuote) } else { Ok(words) }
}

/// Does a backslash stand for the character behind it?
fn is_escape(quoting: Quoting, quote: Option<char>, next: Option<&char>) -> bool {
    match (quoting, quote) {
        (Quoting::ArgumentFile, _) | (Quoting::Shell, None) => next.is_some(),
        (Quoting::Shell, Some('"')) => matches!(next, Some('"' | '\\' | '$' | '`')),
        (Quoting::Shell, Some(_)) => false,
    }
}

/// Would a shell expand something here, or begin another command?
fn is_for_shell(character: char, quote: Option<char>) -> bool {
    match quote {
        Some('"') => matches!(character, '$' | '`'),
        Some(_) => false,
        None => matches!(character, '$' | '`' | ';' | '&' | '|' | '<' | '>' | '(' | ')'),
    }
}

/// The words with those of files of arguments (`@file`) in their place, and for each the number of the one it stands for. A file that is not there is
/// a word like others; the names of files begin in `directory`.
pub fn expand(words: &[String], directory: &Path) -> Result<Vec<(usize, String)>, (usize, String)> {
    let mut waiting: Vec<(usize, String)> = words.iter().cloned().enumerate().rev().collect();
    let (mut expanded, mut files) = (Vec::new(), 0);
    while let Some((number, word)) = waiting.pop() {
        let path = word.strip_prefix('@').map(|name| directory.join(name));
        let Some(path) = path.filter(|path| path.is_file()) else {
            expanded.push((number, word));
            continue;
        };
        files += 1;
        if files > MAX_ARGUMENT_FILES {
            return Err((number, format!("`{word}` has too many files of arguments within")));
        }
        let inner = words_of(&path).map_err(|why| (number, format!("`{word}`: {why}")))?;
        waiting.extend(inner.into_iter().rev().map(|inner| (number, inner)));
    }
    Ok(expanded)
}

fn words_of(path: &Path) -> Result<Vec<String>, &'static str> {
    let file = std::fs::File::open(path).map_err(|_| "this file cannot be read")?;
    let text = preprocess::read_text(file).map_err(|_| "this file is no text")?;
    split(&text, Quoting::ArgumentFile).map_err(|_| "a quote is not closed in this file")
}
