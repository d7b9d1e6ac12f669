//! The rules that are held by ratchets: how long functions are, how limits are named and explained,
//! which words are not used, and how many types have the same name.

use crate::ratchet::Counts;
use crate::source::{Number, Source, sources};

/// A rule.
pub struct Rule {
    /// The name of its ratchet.
    pub name: &'static str,
    /// What it says.
    pub text: &'static str,
    /// What breaks it today.
    pub broken: fn() -> Counts,
}

/// All of them.
pub const RULES: [Rule; 4] = [
    Rule {
        name: "functions",
        text: "a function has at most 60 lines of code",
        broken: long_functions,
    },
    Rule {
        name: "limits",
        text: "a limit is called MAX_ or MIN_ and what it counts (`MAX_NODES`), and its comment also says \
               why: after a colon or semicolon, with `since`, `so that`, `would`, or in a second sentence",
        broken: unexplained_limits,
    },
    Rule {
        name: "words",
        text: "the field has a word for it: see the glossary in ARCHITECTURE.md",
        broken: own_words,
    },
    Rule { name: "types", text: "not more than two types have the same name", broken: namesakes },
];

/// Lines of code that a function has at most, so that it is seen at one glance.
const MAX_FUNCTION_LINES: usize = 60;

/// Types that may share a name, since two that are never met together confuse nobody.
const MAX_NAMESAKES: usize = 2;

/// Words of our own for what has a name in the literature: the beginnings of words, or whole ones,
/// or several words in a row.
const OWN_WORDS: [&str; 23] = [
    "disturb*",
    "suffer*",
    "stranger*",
    "casting*",
    "actor*",
    "scene*",
    "stage*",
    "seat",
    "seats",
    "outlook*",
    "blur*",
    "whoever",
    "somebody",
    "nobody moves",
    "nobody can move",
    "nobody is at",
    "in view",
    "in sight",
    "go on",
    "Setting",
    "Room",
    "Maybe",
    "Stuck",
];

/// The lengths of the functions of our crates.
pub fn function_lengths() -> Vec<usize> {
    let functions = production().flat_map(|source| &source.functions);
    functions.map(|function| function.lines).collect()
}

/// Our crates: what is shipped.
fn production() -> impl Iterator<Item = &'static Source> {
    sources().iter().filter(|source| source.path.starts_with("crates/"))
}

fn long_functions() -> Counts {
    let functions = production().flat_map(|source| &source.functions);
    let long = functions.filter(|function| function.lines > MAX_FUNCTION_LINES);
    long.map(|function| (function.name.clone(), function.lines)).collect()
}

fn unexplained_limits() -> Counts {
    let numbers = production().flat_map(|source| &source.numbers);
    count(numbers.filter(|number| !is_explained(number)).map(|number| number.name.clone()))
}

/// Is the number documented and, if it is a limit, named by what it counts and given with a reason?
fn is_explained(number: &Number) -> bool {
    let doc = number.doc.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| doc.contains(word));
    let reason = [": ", "; ", "since ", "because", "so that", "otherwise", "would", ". "];
    let has_bound = number.name.starts_with("MAX_") || number.name.starts_with("MIN_");
    let is_limit = has_bound
        || says(&[
            "more ", "at most", "so many", "of so", "larger", "longer", "shorter", "deeper",
            "wider", "narrower", "too many", "fewer ", "how many", "how long", "how much",
            "after so", "up to",
        ]);
    let named = has_bound && (number.is_duration || number.name.ends_with('S'));
    !doc.is_empty() && (!is_limit || (named && says(&reason)))
}

fn own_words() -> Counts {
    let mut found = Vec::new();
    for source in sources().iter().filter(|source| !source.path.starts_with("xtask")) {
        // The keyword of a loop is no word: `for slot in view.slots`.
        for line in source.text().filter(|line| !line.trim_start().starts_with("for ")) {
            let words = words(line);
            found.extend(
                OWN_WORDS.iter().flat_map(|own| vec![own.to_string(); occurrences(own, &words)]),
            );
        }
    }
    count(found.into_iter())
}

/// How often one of our words occurs in a row of words.
fn occurrences(own: &str, words: &[String]) -> usize {
    let parts: Vec<&str> = own.split(' ').collect();
    let is = |part: &str, word: &String| match part.strip_suffix('*') {
        Some(beginning) => word.to_lowercase().starts_with(beginning),
        // A word that is written with a capital letter is the name of a type.
        None if part.starts_with(char::is_uppercase) => word == part,
        None => word.to_lowercase() == part,
    };
    let matches = |row: &&[String]| parts.iter().zip(*row).all(|(part, word)| is(part, word));
    words.windows(parts.len()).filter(matches).count()
}

/// The words of a line: `MostCastings`, `most_castings` and "most castings" have the same two.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut small = false;
    for letter in line.chars() {
        if !letter.is_alphabetic() || (small && letter.is_uppercase()) {
            words.push(String::new());
        }
        words
            .last_mut()
            .expect("there is one from the start")
            .extend(Some(letter).filter(|l| l.is_alphabetic()));
        small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

fn namesakes() -> Counts {
    let names = production().flat_map(|source| source.types.iter().cloned());
    count(names).into_iter().filter(|(_, number)| *number > MAX_NAMESAKES).collect()
}

fn count(names: impl Iterator<Item = String>) -> Counts {
    let mut counts = Counts::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::{is_explained, occurrences, words};
    use crate::source::Number;

    #[test]
    fn words_are_found_in_names_and_sentences() {
        assert_eq!(
            words("fn most_castings(&MostCastings) // in view"),
            ["fn", "most", "castings", "Most", "Castings", "in", "view"]
        );
        let found = |own: &str, line: &str| occurrences(own, &words(line));
        assert_eq!(found("casting*", "let most_castings = MOST_CASTINGS; // a casting"), 3);
        assert_eq!(found("in view", "threads in view, in a view, in_view"), 2);
        assert_eq!(found("seat", "the seat is not in Seattle"), 1);
        assert_eq!(found("Room", "struct Room; // room, NodeRoom"), 2);
    }

    #[test]
    fn limits_have_a_unit_and_a_reason() {
        let explained = |name: &str, doc: &str| {
            is_explained(&Number { name: name.into(), doc: doc.into(), is_duration: false })
        };
        assert!(explained("MAX_NODES", "Larger trees are not searched: they would not fit."));
        assert!(explained("FIRST_ADDRESS", "Addresses below belong to functions."));
        assert!(!explained("MAX_NODES", "Larger trees are not searched."));
        assert!(!explained("MAX_NODES", ""));
        assert!(!explained("PATIENCE", "After so many nodes it ends: more would not fit."));
        assert!(!explained("MAX_SIZE", "Larger trees are not searched: they would not fit."));
    }
}
