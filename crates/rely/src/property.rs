//! Property files in the form of SV-COMP. The properties rely decides say that
//! a function is never called; every other one is refused rather than answered
//! wrongly.

use crate::bad_input::{self, BadInput};
use crate::input;
use cfront::Property;
use std::path::Path;

/// What counts as an error, as a property file in the form of SV-COMP says it.
pub fn read_property(path: &Path) -> Result<Property, BadInput> {
    let text = input::read_text(path)?;
    if let Some(function) = unreachable_function(&text) {
        return Ok(Property::Unreachable(function));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let message = match words.is_empty() {
        true => "the file states no property".to_string(),
        false => format!("this property is not supported: {}", words.join(" ")),
    };
    Err(bad_input::refuse(&path.display().to_string(), message))
}

/// The function that `CHECK( init(main()), LTL(G ! call(function())) )` speaks of.
fn unreachable_function(text: &str) -> Option<String> {
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let rest = squeezed.strip_prefix("CHECK(init(main()),LTL(G!call(")?;
    let name = rest.strip_suffix("())))")?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
    is_name.then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::unreachable_function;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(unreachable_function(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn white_space_does_not_matter() {
        let spread = "CHECK(init(main()),\n  LTL(G ! call(__VERIFIER_error())))";
        check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", Some("reach_error"));
        check(spread, Some("__VERIFIER_error"));
    }

    #[test]
    fn other_properties_are_refused() {
        let reach = "CHECK(init(main()), LTL(G ! call(reach_error())))";
        check("", None);
        check("CHECK( init(main()), LTL(G ! overflow) )", None);
        check("CHECK( init(main()), LTL(F end) )", None);
        check("CHECK( init(main()), LTL(G ! call(())) )", None);
        check(&format!("{reach}\nCHECK(init(main()), LTL(F end))"), None);
        check(&format!("{reach}\n{reach}"), None);
    }
}
