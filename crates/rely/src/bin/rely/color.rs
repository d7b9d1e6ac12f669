//! Colours of the answer: verdicts, headings, and the marks below lines of source. They say nothing that is not said in words.

use clap::ValueEnum;
use rely::Question;
use std::io::IsTerminal;

/// Values of `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

const RESET: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[1;32m";
const YELLOW: &str = "\x1b[1;33m";

/// The colours of verdicts. (`UNSAFE` begins with none of the others.)
const VERDICTS: [(&str, &str); 4] =
    [("SAFE", GREEN), ("UNSAFE", RED), ("REFUSED", RED), ("UNKNOWN", YELLOW)];

impl Color {
    /// Is standard output coloured? Where that is not said: on a terminal, unless the user wants none (<https://no-color.org>).
    pub fn is_wanted(self) -> bool {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => std::io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb,
        }
    }
}

/// The answer with colours.
pub fn paint(answer: &str) -> String {
    answer
        .split_inclusive('\n')
        .map(|line| painted(line).unwrap_or_else(|| line.to_string()))
        .collect()
}

fn painted(line: &str) -> Option<String> {
    if let Some((bar, marks)) = line.split_once('^').filter(|_| is_marked(line)) {
        let marks = marks.trim_end_matches('\n');
        return Some(format!("{bar}{RED}^{marks}{RESET}\n"));
    }
    let (heading, verdict) =
        line.rsplit_once(": ").filter(|(words, _)| is_heading(words)).unwrap_or(("", line));
    let (word, color) = VERDICTS.iter().find(|(word, _)| {
        let rest = verdict.strip_prefix(word);
        rest.is_some_and(|rest| {
            rest.starts_with(['\n', ' ']) && (!heading.is_empty() || rest == "\n")
        })
    })?;
    let colon = if heading.is_empty() { "" } else { ": " };
    let heading = if heading.starts_with("==") {
        format!("{BOLD}{heading}{RESET}")
    } else {
        heading.to_string()
    };
    Some(format!("{heading}{colon}{color}{word}{RESET}{}", &verdict[word.len()..]))
}

/// Marks below a line of source: `   |   ^^^^`.
fn is_marked(line: &str) -> bool {
    let marks = line.trim().strip_prefix('|').map(str::trim);
    marks.is_some_and(|marks| !marks.is_empty() && marks.chars().all(|mark| mark == '^'))
}

/// The questions that are answered: `races`, `== assertions, other races`.
fn is_heading(words: &str) -> bool {
    let names = words.trim_start_matches("== ");
    let is_name = |name: &str| Question::named(name.trim_start_matches("other ")).is_some();
    names == "the rest" || names.split(", ").all(is_name)
}

#[cfg(test)]
mod tests {
    use super::{VERDICTS, paint};
    use rely::{Cause, Verdict};

    #[test]
    fn verdicts_headings_and_marks() {
        let answer = "UNSAFE\nraces: UNSAFE (1, and no other)\nmemory: SAFE\n\n== other races: UNKNOWN\n 9 | a ^ b\n   |   ^\nSAFE is a word\n";
        let expected = "\x1b[1;31mUNSAFE\x1b[0m\nraces: \x1b[1;31mUNSAFE\x1b[0m (1, and no other)\nmemory: \x1b[1;32mSAFE\x1b[0m\n\n\
                        \x1b[1m== other races\x1b[0m: \x1b[1;33mUNKNOWN\x1b[0m\n 9 | a ^ b\n   |   \x1b[1;31m^\x1b[0m\nSAFE is a word\n";
        assert_eq!(paint(answer), expected);
    }

    #[test]
    fn every_verdict_has_a_colour() {
        let all =
            [Verdict::Safe, Verdict::Unsafe, Verdict::Refused, Verdict::Unknown(Cause::Defect)];
        for verdict in all {
            let word = verdict.to_string();
            assert!(VERDICTS.iter().any(|(known, _)| *known == word), "{word}");
        }
    }
}
