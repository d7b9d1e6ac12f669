//! Our own library of models: thread and C library functions, written in C in
//! terms of a few intrinsics (`library/10-core.c` declares them) and lowered
//! together with the user's program.

use crate::syntax::ast::TranslationUnit;

const TEXTS: [&str; 7] = [
    include_str!("../library/10-core.c"),
    include_str!("../library/20-mutex.c"),
    include_str!("../library/30-cond-barrier-sem.c"),
    include_str!("../library/40-threads.c"),
    include_str!("../library/50-c11.c"),
    include_str!("../library/60-win32.c"),
    include_str!("../library/70-libc.c"),
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
