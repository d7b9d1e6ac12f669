//! Property files in the form of SV-COMP: `CHECK( init(main()), LTL(FORMULA) )`, once or several times. The formulas of the
//! competition that are questions of ours are in one table; every other one is refused, with its place, rather than answered wrongly.

mod words;

use crate::bad_input::{self, BadInput, Mistake};
use crate::input;
use crate::question::Question;
use cfront::{Leaks, Property};
use std::collections::BTreeSet;
use std::path::Path;

/// What a property file asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFile {
    /// The questions.
    pub questions: BTreeSet<Question>,
    /// What counts as a failed assertion.
    pub errors: Property,
    /// Which memory counts as leaked, if that is asked.
    pub leaks: Option<Leaks>,
}

/// The formulas that are known, and what each asks. (That a function is not called stands apart: it has a name.)
const FORMULAS: [(&str, Question, Option<Leaks>); 7] = [
    ("G valid-free", Question::Memory, None),
    ("G valid-deref", Question::Memory, None),
    ("G valid-memtrack", Question::Leaks, Some(Leaks::Tracked)),
    ("G valid-memcleanup", Question::Leaks, Some(Leaks::NotFreed)),
    ("G ! overflow", Question::Overflow, None),
    ("G ! data-race", Question::Races, None),
    ("G ! deadlock", Question::Deadlocks, None),
];

/// The formulas that make up memory safety: those that may stand in one file. The first two are one question.
const MEMORY_SAFETY: [&str; 3] = ["G valid-free", "G valid-deref", "G valid-memtrack"];

/// What a property file in the form of SV-COMP asks.
pub fn read_property(path: &Path) -> Result<PropertyFile, BadInput> {
    let (text, file) = (input::read_text(path)?, path.display().to_string());
    if text.trim().is_empty() {
        return Err(bad_input::refuse(&file, "the file states no property"));
    }
    asked(&text).map_err(|mistake| bad_input::in_text(&file, &text, mistake))
}

/// A formula, without white space, and where it stands.
struct StatedFormula {
    at: usize,
    text: String,
}

/// What the formulas of a file ask together, if that is a question of ours.
fn asked(text: &str) -> Result<PropertyFile, Mistake> {
    let mut reader = PropertyReader { text, at: 0 };
    let mut formulas = vec![reader.check()?];
    while !reader.is_at_end() {
        formulas.push(reader.check()?);
    }
    let mut file =
        PropertyFile { questions: BTreeSet::new(), errors: Property::Nothing, leaks: None };
    for formula in &formulas {
        match known(formula)? {
            FormulaMeaning::Listed(question, leaks) => {
                file.questions.insert(question);
                file.leaks = leaks.or(file.leaks);
            }
            FormulaMeaning::Call(function) => {
                file.questions.insert(Question::Assertions);
                file.errors = Property::Unreachable(function);
            }
        }
    }
    belong_together(&formulas)?;
    Ok(file)
}

enum FormulaMeaning {
    Listed(Question, Option<Leaks>),
    Call(String),
}

fn known(formula: &StatedFormula) -> Result<FormulaMeaning, Mistake> {
    let listed = FORMULAS.iter().find(|(name, ..)| squeezed(name) == formula.text);
    if let Some((_, question, leaks)) = listed {
        return Ok(FormulaMeaning::Listed(*question, *leaks));
    }
    let name = formula.text.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())"));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    if let Some(name) = name.filter(|name| !name.is_empty() && name.chars().all(is_part)) {
        return Ok(FormulaMeaning::Call(name.to_string()));
    }
    let names: Vec<&str> = FORMULAS.iter().map(|(name, ..)| *name).collect();
    Err(words::unknown(formula.at, &names))
}

/// Are these the parts of one question?
fn belong_together(formulas: &[StatedFormula]) -> Result<(), Mistake> {
    let parts = MEMORY_SAFETY.map(squeezed);
    let is_part = |formula: &StatedFormula| parts.contains(&formula.text);
    for (number, formula) in formulas.iter().enumerate().skip(1) {
        if formulas[..number].iter().any(|other| other.text == formula.text) {
            return Err(words::repeated(formula.at));
        }
        if !is_part(formula) || !is_part(&formulas[0]) {
            return Err(words::apart(formula.at));
        }
    }
    let has = |part: &str| formulas.iter().find(|formula| formula.text == part);
    match (has(&parts[0]), has(&parts[1])) {
        (Some(one), None) | (None, Some(one)) => Err(words::half(one.at)),
        _ => Ok(()),
    }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Reads the text, whose words may stand apart by any white space.
struct PropertyReader<'t> {
    text: &'t str,
    at: usize,
}

impl PropertyReader<'_> {
    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.text.len()
    }

    fn expect(&mut self, words: &[&str]) -> Result<(), Mistake> {
        for word in words {
            self.skip_space();
            if !self.text[self.at..].starts_with(word) {
                return Err(words::expected(self.at, word));
            }
            self.at += word.len();
        }
        Ok(())
    }

    /// `CHECK( init(main()), LTL(FORMULA) )`
    fn check(&mut self) -> Result<StatedFormula, Mistake> {
        self.expect(&["CHECK", "(", "init", "(", "main", "(", ")", ")", ",", "LTL", "("])?;
        self.skip_space();
        let (at, mut open) = (self.at, 0);
        let closes = |c: char| {
            open += i32::from(c == '(') - i32::from(c == ')');
            open < 0
        };
        let length = self.text[at..].find(closes).unwrap_or(self.text.len() - at);
        self.at += length;
        let text = squeezed(&self.text[at..self.at]);
        self.expect(&[")", ")"])?;
        Ok(StatedFormula { at, text })
    }
}

#[cfg(test)]
mod tests {
    use super::asked;
    use crate::question::Question;
    use cfront::{Leaks, Property};

    fn one(formula: &str) -> String {
        format!("CHECK( init(main()), LTL({formula}) )\n")
    }

    fn check(text: &str, questions: &[Question], errors: &Property, leaks: Option<Leaks>) {
        let file = asked(text).unwrap_or_else(|why| panic!("{text} is refused: {why:?}"));
        let questions = questions.iter().copied().collect();
        assert_eq!(
            (file.questions, &file.errors, file.leaks),
            (questions, errors, leaks),
            "{text}"
        );
    }

    #[test]
    fn white_space_does_not_matter() {
        let function = |name: &str| Property::Unreachable(name.to_string());
        let spread = "CHECK(init(main()),\n  LTL(G ! call(__VERIFIER_error())))";
        let usual = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n";
        check(usual, &[Question::Assertions], &function("reach_error"), None);
        check(spread, &[Question::Assertions], &function("__VERIFIER_error"), None);
    }

    #[test]
    fn formulas_of_the_competition() {
        let nothing = Property::Nothing;
        check(&one("G ! overflow"), &[Question::Overflow], &nothing, None);
        check(&one("G ! data-race"), &[Question::Races], &nothing, None);
        check(&one("G ! deadlock"), &[Question::Deadlocks], &nothing, None);
        let not_freed = Some(Leaks::NotFreed);
        check(&one("G valid-memcleanup"), &[Question::Leaks], &nothing, not_freed);
        let tracked = Some(Leaks::Tracked);
        check(&one("G valid-memtrack"), &[Question::Leaks], &nothing, tracked);
        let memory = one("G valid-free") + &one("G valid-deref");
        check(&memory, &[Question::Memory], &nothing, None);
        let all = memory + &one("G valid-memtrack");
        check(&all, &[Question::Memory, Question::Leaks], &nothing, tracked);
    }

    #[test]
    fn other_properties_are_refused_with_their_place() {
        let reach = one("G ! call(reach_error())");
        let free = one("G valid-free");
        for (text, at, word) in [
            ("", 0, "`CHECK` is expected"),
            (&one("F end"), 25, "not one of those that rely knows"),
            (&one("G ! call(())"), 25, "not one of those"),
            (&free, 25, "ask both"),
            (&format!("{reach}{}", one("F end")), reach.len() + 25, "not one of those"),
            (&format!("{reach}{reach}"), reach.len() + 25, "twice"),
            (&format!("{free}{}", one("G valid-memcleanup")), free.len() + 25, "one by one"),
            (&format!("{free}{reach}"), free.len() + 25, "one by one"),
            ("CHECK( init(start()), LTL(G ! overflow) )", 12, "`main` is expected"),
            ("CHECK( init(main()), LTL(G ! overflow)", 38, "`)` is expected"),
            (&format!("{free}x"), free.len(), "`CHECK` is expected"),
        ] {
            let refused = asked(text).expect_err(text);
            assert_eq!(refused.at, at, "{text}: {}", refused.message);
            assert!(refused.message.contains(word), "{text}: {}", refused.message);
        }
    }
}
