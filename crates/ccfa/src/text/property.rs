//! What is asked: `property error, memory, race`, read and written. Error locations alone are not
//! written. A race that is known follows with its places: `race, known @0:7:3 @0:9:3`.

use super::ParseError;
use super::lex::Kind;
use super::parse::Parser;
use super::print::Printer;
use crate::property::Property;
use crate::undefined::Class;
use std::collections::BTreeSet;

const NOTHING: Property = Property {
    errors: false,
    undefined: BTreeSet::new(),
    races: false,
    deadlocks: false,
    known_races: BTreeSet::new(),
};

impl Parser {
    /// After the word `property`.
    pub(super) fn property(&mut self) -> Result<(), ParseError> {
        self.program.property = NOTHING;
        loop {
            self.question()?;
            if !self.reader.accept(",") {
                return Ok(());
            }
        }
    }

    /// One thing that is asked.
    fn question(&mut self) -> Result<(), ParseError> {
        const WHAT: &str =
            "`error`, `undefined`, a class of undefined behaviour, `race`, `deadlock` or `nothing`";
        let Kind::Word(word) = self.reader.peek().clone() else {
            return self.reader.expected(WHAT);
        };
        let property = &mut self.program.property;
        match word.as_str() {
            "error" => property.errors = true,
            "undefined" => property.undefined.extend(Class::UNDEFINED),
            "race" => property.races = true,
            "deadlock" => property.deadlocks = true,
            "nothing" => {}
            "known" => return self.known_race(),
            _ => match Class::ALL.iter().copied().find(|class| class.name() == word) {
                Some(class) => drop(property.undefined.insert(class)),
                None => return self.reader.expected(WHAT),
            },
        }
        self.reader.advance();
        Ok(())
    }

    /// `known @0:7:3 @0:9:3`: the smaller place stands first.
    fn known_race(&mut self) -> Result<(), ParseError> {
        self.reader.advance();
        let at = self.reader.at();
        match (self.span()?, self.span()?) {
            (Some(one), Some(other)) if one <= other => {
                self.program.property.known_races.insert([one, other]);
                Ok(())
            }
            _ => Err(at.error("two places of a race are expected, the smaller first".to_string())),
        }
    }
}

impl Printer<'_> {
    pub(super) fn property(&mut self, property: &Property) {
        if *property == Property::default() {
            return;
        }
        let mut words = Vec::new();
        words.extend(property.errors.then_some("error"));
        let asked = |class: &&Class| property.undefined.contains(class);
        let all = Class::UNDEFINED.iter().all(|class| asked(&class));
        words.extend(all.then_some("undefined"));
        let single = Class::ALL.iter().filter(asked);
        let single = single.filter(|class| !all || !Class::UNDEFINED.contains(class));
        words.extend(single.map(|class| class.name()));
        words.extend(property.races.then_some("race"));
        words.extend(property.deadlocks.then_some("deadlock"));
        if words.is_empty() {
            words.push("nothing");
        }
        self.put(format_args!("property {}", words.join(", ")));
        for [one, other] in &property.known_races {
            self.put(", known");
            self.span(Some(*one));
            self.span(Some(*other));
        }
        self.put("\n");
    }
}
