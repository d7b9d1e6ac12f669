//! What is said of property files that are refused.

use crate::bad_input::Mistake;

/// Another word stands here.
pub fn expected(at: usize, word: &str) -> Mistake {
    let form = "a property is `CHECK( init(main()), LTL(FORMULA) )`";
    Mistake { at, message: format!("`{word}` is expected here: {form}") }
}

/// No formula of ours.
pub fn unknown(at: usize, known: &[&str]) -> Mistake {
    let known = known.join("`, `");
    let message = format!(
        "this formula is not one of those that rely knows: `G ! call(FUNCTION())`, `{known}`"
    );
    Mistake { at, message }
}

/// It stood there before.
pub fn repeated(at: usize) -> Mistake {
    Mistake { at, message: "this is asked twice".to_string() }
}

/// It is no part of a question with the others.
pub fn apart(at: usize) -> Mistake {
    let message = "several formulas belong together only if they are `G valid-free`, `G valid-deref` and \
                   `G valid-memtrack`; ask others one by one";
    Mistake { at, message: message.to_string() }
}

/// It is half of a question.
pub fn half(at: usize) -> Mistake {
    let message = "`G valid-free` and `G valid-deref` are one question: ask both";
    Mistake { at, message: message.to_string() }
}
