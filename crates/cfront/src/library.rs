//! Our own library of models: thread and C library functions, written in C in
//! terms of a few intrinsics (`library/10-core.c` declares them) and lowered
//! together with the user's program.

use crate::syntax::ast::TranslationUnit;

const TEXTS: [&str; 9] = [
    include_str!("../library/10-core.c"),
    include_str!("../library/20-mutex.c"),
    include_str!("../library/30-cond-barrier-sem.c"),
    include_str!("../library/40-threads.c"),
    include_str!("../library/50-c11.c"),
    include_str!("../library/60-win32.c"),
    include_str!("../library/70-libc.c"),
    include_str!("../library/80-format.c"),
    include_str!("../library/90-bits.c"),
];

/// The library's syntax tree.
pub fn parse() -> TranslationUnit {
    let text = TEXTS.concat();
    match crate::syntax::parse(&text) {
        Ok(unit) => unit,
        Err(error) => {
            let line = text[..error.range.lo as usize].lines().count();
            panic!("the library of models should parse: line {line}: {}", error.message)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TEXTS;
    use ccfa::Undefined;

    /// A kind that is not known would be "not supported" instead of undefined.
    #[test]
    fn undefined_behaviour_is_of_known_kinds() {
        let mut named = 0;
        for text in TEXTS {
            for rest in text.split("__rely_undefined(\"").skip(1) {
                let name = rest.split('"').next().unwrap_or_default();
                assert!(Undefined::named(name).is_some(), "`{name}` is no kind");
                named += 1;
            }
        }
        assert!(named > 50, "only {named} found");
    }
}
