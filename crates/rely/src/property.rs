//! Property files in the form of SV-COMP: `CHECK( init(main()), LTL(FORMULA) )`. Of the formulas of the competition some
//! are questions of ours; every other one is refused rather than answered wrongly.

use crate::bad_input::{self, BadInput};
use crate::input;
use crate::question::Question;
use cfront::Property;
use std::collections::BTreeSet;
use std::path::Path;

/// What a property file asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFile {
    /// The questions.
    pub questions: BTreeSet<Question>,
    /// What counts as a failed assertion.
    pub errors: Property,
}

/// What a property file in the form of SV-COMP asks.
pub fn read_property(path: &Path) -> Result<PropertyFile, BadInput> {
    let text = input::read_text(path)?;
    let refuse = |message: String| bad_input::refuse(&path.display().to_string(), message);
    if text.trim().is_empty() {
        return Err(refuse("the file states no property".to_string()));
    }
    asked(&text).ok_or_else(|| {
        let words: Vec<&str> = text.split_whitespace().collect();
        refuse(format!("this property is not supported: {}", words.join(" ")))
    })
}

/// What the formulas of a file ask together, if that is a question of ours.
fn asked(text: &str) -> Option<PropertyFile> {
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let parts = squeezed.strip_prefix("CHECK(init(main()),LTL(")?.strip_suffix("))")?;
    let formulas: Vec<&str> = parts.split("))CHECK(init(main()),LTL(").collect();
    let (question, errors) = match &formulas[..] {
        ["G!overflow"] => (Question::Overflow, Property::Nothing),
        ["G!data-race"] => (Question::Races, Property::Nothing),
        ["Gvalid-free", "Gvalid-deref"] | ["Gvalid-deref", "Gvalid-free"] => {
            (Question::Memory, Property::Nothing)
        }
        [call] => (Question::Assertions, Property::Unreachable(unreachable_function(call)?)),
        _ => return None,
    };
    Some(PropertyFile { questions: BTreeSet::from([question]), errors })
}

/// The function that `G ! call(function())` speaks of.
fn unreachable_function(formula: &str) -> Option<String> {
    let name = formula.strip_prefix("G!call(")?.strip_suffix("())")?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
    is_name.then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::asked;
    use crate::question::Question;
    use cfront::Property;

    fn check(text: &str, question: Question, errors: &Property) {
        let file = asked(text).unwrap_or_else(|| panic!("{text} is refused"));
        assert_eq!((file.questions, &file.errors), ([question].into(), errors), "{text}");
    }

    #[test]
    fn white_space_does_not_matter() {
        let function = |name: &str| Property::Unreachable(name.to_string());
        let spread = "CHECK(init(main()),\n  LTL(G ! call(__VERIFIER_error())))";
        let usual = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n";
        check(usual, Question::Assertions, &function("reach_error"));
        check(spread, Question::Assertions, &function("__VERIFIER_error"));
    }

    #[test]
    fn formulas_of_the_competition() {
        let one = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )\n");
        check(&one("G ! overflow"), Question::Overflow, &Property::Nothing);
        check(&one("G ! data-race"), Question::Races, &Property::Nothing);
        let memory = one("G valid-free") + &one("G valid-deref");
        check(&memory, Question::Memory, &Property::Nothing);
    }

    #[test]
    fn other_properties_are_refused() {
        let reach = "CHECK(init(main()), LTL(G ! call(reach_error())))";
        for text in [
            "",
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(main()), LTL(G ! call(())) )",
            "CHECK( init(main()), LTL(G valid-memtrack) )",
            "CHECK( init(main()), LTL(G valid-free) )",
            &format!("{reach}\nCHECK(init(main()), LTL(F end))"),
            &format!("{reach}\n{reach}"),
        ] {
            assert_eq!(asked(text), None, "{text}");
        }
    }
}
