//! The parser of C: any text gives a tree or a complaint within the text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(diagnostic) = cfront::syntax::parse(text) {
        assert!(diagnostic.range.lo <= diagnostic.range.hi);
        assert!(diagnostic.range.hi as usize <= text.len());
        assert!(!diagnostic.message.is_empty());
    }
});
