//! What identifiers stand for: kinds of errors, reasons for UNKNOWN, assumptions. The texts are data, in `explanations.txt`: a heading for each
//! identifier, below it a sentence that says what it is, then what it means and what can be done.

const TEXTS: &str = include_str!("explanations.txt");

/// What an identifier stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The identifier: stable, one word.
    pub id: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What it means, and what can be done: whole lines.
    pub more: &'static str,
}

/// All of them.
pub fn explanations() -> impl Iterator<Item = Explanation> {
    TEXTS.split("## ").skip(1).map(|section| {
        let (id, text) = section.split_once('\n').unwrap_or((section, ""));
        let (summary, more) = text.split_once('\n').unwrap_or((text, ""));
        Explanation { id, summary, more: more.trim_end() }
    })
}

/// That of one identifier.
pub fn explain(id: &str) -> Option<Explanation> {
    explanations().find(|explanation| explanation.id == id)
}

#[cfg(test)]
mod tests {
    use super::{explain, explanations};
    use std::collections::BTreeSet;

    /// Texts are read in terminals of this width.
    const MAX_COLUMNS: usize = 100;

    #[test]
    fn every_text_is_whole() {
        let mut seen = BTreeSet::new();
        for one in explanations() {
            assert!(seen.insert(one.id), "{} is explained twice", one.id);
            assert!(one.summary.ends_with('.'), "{}: {}", one.id, one.summary);
            assert!(
                one.more.ends_with('.') && !one.more.contains("\n\n"),
                "{}: {}",
                one.id,
                one.more
            );
            let longest = one.more.lines().map(|line| line.chars().count()).max();
            assert!(
                longest.is_some_and(|columns| columns <= MAX_COLUMNS),
                "{}: {longest:?}",
                one.id
            );
        }
    }

    #[test]
    fn every_kind_of_undefined_behaviour_has_one() {
        for kind in ccfa::Undefined::ALL {
            assert!(explain(kind.name()).is_some(), "{} is not explained", kind.name());
        }
        assert_eq!(explain("nothing"), None);
    }
}
