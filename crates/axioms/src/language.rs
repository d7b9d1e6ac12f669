//! The language in which the axioms are written: a small part of cat (Alglave, Cousot, Maranget, "Syntax and
//! semantics of the weak consistency model specification language cat", 2016), so that a reader with a
//! published model beside the table can compare them line by line.
//!
//! ```text
//! let NAME = TERM                              a name for a relation
//! let rec NAME = TERM and NAME = TERM …        the least relations that satisfy these equations
//! acyclic TERM as NAME                         the axioms
//! irreflexive TERM as NAME
//! empty TERM as NAME
//! ```
//!
//! Terms, by growing precedence: `a | b` union, `a ; b` sequence, `a & b` intersection and `a \ b`
//! difference, `a+ a* a? a^-1` closures and inverse, `[S]` the identity on a set of events. Sets have `|`, `&`
//! and `\`, of one precedence, from left to right. A `#` begins a comment.
//!
//! Differences from cat: no functions, no products of sets, `let rec` must be monotone (that is, without
//! what it defines on the right of a `\`; the table has no such term).

use crate::execution::{BASE_RELATIONS, EventTag};

/// A model, read.
#[derive(Clone, Debug)]
pub struct Axioms {
    pub(crate) statements: Vec<ModelStatement>,
}

#[derive(Clone, Debug)]
pub(crate) enum ModelStatement {
    /// Definitions, in the order of their numbers; recursive ones are a group.
    Let {
        definitions: Vec<RelationTerm>,
        recursive: bool,
    },
    Axiom {
        demand: Demand,
        term: RelationTerm,
        name: String,
    },
}

/// What an axiom demands of its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// It has no cycle.
    Acyclic,
    /// It relates no event to itself.
    Irreflexive,
    /// It relates nothing.
    Empty,
}

#[derive(Clone, Debug)]
pub(crate) enum RelationTerm {
    Base(&'static str),
    /// The definition of this number.
    Defined(usize),
    Identity(SetTerm),
    Union(Box<RelationTerm>, Box<RelationTerm>),
    Sequence(Box<RelationTerm>, Box<RelationTerm>),
    Intersection(Box<RelationTerm>, Box<RelationTerm>),
    Difference(Box<RelationTerm>, Box<RelationTerm>),
    Plus(Box<RelationTerm>),
    Star(Box<RelationTerm>),
    Optional(Box<RelationTerm>),
    Inverse(Box<RelationTerm>),
}

#[derive(Clone, Debug)]
pub(crate) enum SetTerm {
    Named(String),
    Union(Box<SetTerm>, Box<SetTerm>),
    Intersection(Box<SetTerm>, Box<SetTerm>),
    Difference(Box<SetTerm>, Box<SetTerm>),
}

impl Axioms {
    /// Reads a model. The error says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Axioms, String> {
        let mut reader = ModelReader { words: words(text), next: 0, names: Vec::new() };
        let mut statements = Vec::new();
        while let Some(word) = reader.take() {
            statements.push(reader.statement(&word)?);
        }
        Ok(Axioms { statements })
    }
}

/// Names, and signs of one or three letters.
fn words(text: &str) -> Vec<String> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '.';
    let mut words = Vec::new();
    for line in text.lines() {
        let mut rest = line.split('#').next().unwrap_or_default().trim_start();
        while !rest.is_empty() {
            let end = match rest.find(|letter| !is_name(letter)) {
                Some(0) if rest.starts_with("^-1") => 3,
                Some(0) => rest.chars().next().map_or(0, char::len_utf8),
                Some(end) => end,
                None => rest.len(),
            };
            words.push(rest[..end].to_string());
            rest = rest[end..].trim_start();
        }
    }
    words
}

struct ModelReader {
    words: Vec<String>,
    next: usize,
    /// What is defined so far.
    names: Vec<String>,
}

impl ModelReader {
    fn peek(&self) -> &str {
        self.words.get(self.next).map_or("", String::as_str)
    }

    fn take(&mut self) -> Option<String> {
        self.next += 1;
        self.words.get(self.next - 1).cloned()
    }

    fn accept(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        match self.accept(word) {
            true => Ok(()),
            false => Err(format!("`{word}` is expected, not `{}`", self.peek())),
        }
    }

    fn statement(&mut self, word: &str) -> Result<ModelStatement, String> {
        let demand = match word {
            "let" => return self.definitions(),
            "acyclic" => Demand::Acyclic,
            "irreflexive" => Demand::Irreflexive,
            "empty" => Demand::Empty,
            _ => return Err(format!("`{word}` begins no statement")),
        };
        let term = self.union()?;
        self.expect("as")?;
        let name = self.take().ok_or("an axiom has a name")?;
        Ok(ModelStatement::Axiom { demand, term, name })
    }

    /// What follows `let`.
    fn definitions(&mut self) -> Result<ModelStatement, String> {
        let recursive = self.accept("rec");
        if recursive {
            self.announce();
        }
        let mut definitions = Vec::new();
        loop {
            let name = self.take().ok_or("a definition has a name")?;
            self.expect("=")?;
            definitions.push(self.union()?);
            if !recursive {
                self.names.push(name);
            } else if self.accept("and") {
                continue;
            }
            return Ok(ModelStatement::Let { definitions, recursive });
        }
    }

    /// The names of a recursive group are known in it.
    fn announce(&mut self) {
        let group: Vec<&[String]> = self.words[self.next..].windows(2).collect();
        let is_end = |word: &str| ["let", "acyclic", "irreflexive", "empty"].contains(&word);
        let group = group.into_iter().take_while(|pair| !is_end(&pair[0]));
        let names = group.filter(|pair| pair[1] == "=").map(|pair| pair[0].clone());
        let names: Vec<String> = names.collect();
        self.names.extend(names);
    }

    fn union(&mut self) -> Result<RelationTerm, String> {
        let mut term = self.sequence()?;
        while self.accept("|") {
            term = RelationTerm::Union(Box::new(term), Box::new(self.sequence()?));
        }
        Ok(term)
    }

    fn sequence(&mut self) -> Result<RelationTerm, String> {
        let mut term = self.intersection()?;
        while self.accept(";") {
            term = RelationTerm::Sequence(Box::new(term), Box::new(self.intersection()?));
        }
        Ok(term)
    }

    fn intersection(&mut self) -> Result<RelationTerm, String> {
        let mut term = self.closure()?;
        loop {
            if self.accept("&") {
                term = RelationTerm::Intersection(Box::new(term), Box::new(self.closure()?));
            } else if self.accept("\\") {
                term = RelationTerm::Difference(Box::new(term), Box::new(self.closure()?));
            } else {
                return Ok(term);
            }
        }
    }

    fn closure(&mut self) -> Result<RelationTerm, String> {
        let mut term = self.atom()?;
        loop {
            let make = match self.peek() {
                "+" => RelationTerm::Plus,
                "*" => RelationTerm::Star,
                "?" => RelationTerm::Optional,
                "^-1" => RelationTerm::Inverse,
                _ => return Ok(term),
            };
            self.next += 1;
            term = make(Box::new(term));
        }
    }

    fn atom(&mut self) -> Result<RelationTerm, String> {
        if self.accept("(") {
            let term = self.union()?;
            self.expect(")")?;
            return Ok(term);
        }
        if self.accept("[") {
            let set = self.set()?;
            self.expect("]")?;
            return Ok(RelationTerm::Identity(set));
        }
        let word = self.take().unwrap_or_default();
        // A later definition of a name hides an earlier one.
        if let Some(number) = self.names.iter().rposition(|name| *name == word) {
            return Ok(RelationTerm::Defined(number));
        }
        let base = BASE_RELATIONS.into_iter().find(|name| *name == word);
        base.map(RelationTerm::Base).ok_or(format!("`{word}` is no relation"))
    }

    fn set(&mut self) -> Result<SetTerm, String> {
        let mut set = self.named_set()?;
        loop {
            if self.accept("|") {
                set = SetTerm::Union(Box::new(set), Box::new(self.named_set()?));
            } else if self.accept("&") {
                set = SetTerm::Intersection(Box::new(set), Box::new(self.named_set()?));
            } else if self.accept("\\") {
                set = SetTerm::Difference(Box::new(set), Box::new(self.named_set()?));
            } else {
                return Ok(set);
            }
        }
    }

    fn named_set(&mut self) -> Result<SetTerm, String> {
        let word = self.take().unwrap_or_default();
        let is_tag = EventTag::ALL.iter().any(|tag| tag.name() == word);
        match is_tag || ["R", "W", "M", "F"].contains(&word.as_str()) {
            true => Ok(SetTerm::Named(word)),
            false => Err(format!("`{word}` is no set of events")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axioms, words};

    #[test]
    fn texts_are_taken_apart() {
        let text = "let a-b = rf^-1;[A|Q]+ # a comment\nempty 0 as DMB.SY";
        let expected =
            "let a-b = rf ^-1 ; [ A | Q ] + empty 0 as DMB.SY".split(' ').collect::<Vec<_>>();
        assert_eq!(words(text), expected);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("show rf", "`show` begins no statement"),
            ("let a rf", "`=` is expected, not `rf`"),
            ("let a = rf | b", "`b` is no relation"),
            ("empty [X] as a", "`X` is no set of events"),
            ("empty (rf as a", "`)` is expected, not `as`"),
            ("empty [R as a", "`]` is expected, not `as`"),
            ("empty rf", "`as` is expected, not ``"),
            ("empty rf as", "an axiom has a name"),
            ("let", "a definition has a name"),
        ] {
            assert_eq!(Axioms::parse(text).err().as_deref(), Some(expected), "{text}");
        }
    }
}
