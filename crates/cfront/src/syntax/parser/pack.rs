//! `#pragma pack`: the largest alignment of members, at each place of the text. As gcc, a record takes what is set where
//! its definition ends.

use crate::extensions;
use crate::syntax::lexer::PragmaToken;

/// What the pragmas of a text set.
#[derive(Debug, Default)]
pub struct Packs {
    /// From the token with this index on; ascending.
    changes: Vec<(usize, Option<u64>)>,
    /// Pragmas that we do not understand, by their number.
    pub unclear: Vec<usize>,
}

/// What `push` has stored, with the name that it was given.
type Stack = Vec<(Option<String>, Option<u64>)>;

impl Packs {
    pub fn new(pragmas: &[PragmaToken]) -> Packs {
        let mut packs = Packs::default();
        let (mut present, mut stack) = (None, Stack::new());
        for (number, pragma) in pragmas.iter().enumerate() {
            let Some(rest) = pragma.text.trim_start().strip_prefix("pack") else { continue };
            if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            match change(rest.trim(), present, &mut stack) {
                Some(next) => present = next,
                None => packs.unclear.push(number),
            }
            packs.changes.push((pragma.before, present));
        }
        packs
    }

    /// What is set at the token with this index.
    pub fn at(&self, token: usize) -> Option<u64> {
        let last = self.changes.partition_point(|(from, _)| *from <= token).checked_sub(1)?;
        self.changes[last].1
    }
}

/// What `pack(…)` sets; `None` if we do not understand it.
fn change(rest: &str, present: Option<u64>, stack: &mut Stack) -> Option<Option<u64>> {
    let inside = rest.strip_prefix('(')?.strip_suffix(')')?;
    let words: Vec<&str> = extensions::words(inside).collect();
    match words[..] {
        [] => Some(None),
        ["push", ref rest @ ..] => {
            let (name, size) = match *rest {
                [] => (None, present),
                [only] => named_or_size(only, present)?,
                [name, size] => (Some(name.to_string()), alignment(size)?),
                _ => return None,
            };
            stack.push((name, present));
            Some(size)
        }
        ["pop"] => Some(stack.pop().and_then(|(_, stored)| stored)),
        ["pop", name] if !name.starts_with(|c: char| c.is_ascii_digit()) => {
            let at = stack.iter().rposition(|(known, _)| known.as_deref() == Some(name));
            // gcc ignores a name that nothing was pushed with.
            Some(at.map_or(present, |at| stack.drain(at..).next().and_then(|(_, stored)| stored)))
        }
        [size] => alignment(size),
        _ => None,
    }
}

/// `push, name` or `push, size`.
fn named_or_size(word: &str, present: Option<u64>) -> Option<(Option<String>, Option<u64>)> {
    match word.starts_with(|c: char| c.is_ascii_digit()) {
        true => Some((None, alignment(word)?)),
        false => Some((Some(word.to_string()), present)),
    }
}

fn alignment(word: &str) -> Option<Option<u64>> {
    match word.parse().ok()? {
        0 => Some(None),
        size @ (1 | 2 | 4 | 8 | 16) => Some(Some(size)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::ast::Range;

    fn packs(texts: &[&str]) -> Packs {
        let pragma = |(before, text): (usize, &&str)| PragmaToken {
            before,
            text: text.to_string(),
            range: Range::default(),
        };
        Packs::new(&texts.iter().enumerate().map(pragma).collect::<Vec<_>>())
    }

    #[test]
    fn every_form_sets_what_gcc_sets() {
        let forms = [
            ("pack(1)", Some(1)),
            ("pack(push, 2)", Some(2)),
            ("pack ( push )", Some(2)),
            ("pack(4)", Some(4)),
            ("pack(pop)", Some(2)),
            ("pack(pop)", Some(1)),
            ("pack(push, here, 8)", Some(8)),
            ("pack(push, 16)", Some(16)),
            ("pack(pop, nowhere)", Some(16)),
            ("pack(pop, here)", Some(1)),
            ("pack()", None),
            ("pack(pop)", None),
            ("pack(push, here)", None),
            ("pack(0)", None),
        ];
        let packs = packs(&forms.map(|(text, _)| text));
        assert_eq!(packs.unclear, Vec::<usize>::new());
        for (number, (text, expected)) in forms.into_iter().enumerate() {
            assert_eq!(packs.at(number), expected, "{number}: {text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        assert_eq!(
            packs(&["pack(1)", "pack(3)", "pack", "pack(a, b, c)", "package(1)"]).unclear,
            [1, 2, 3]
        );
    }
}
