//! The parser of models: any text gives a complaint with its place, or a program
//! that is well-formed and survives being printed and parsed.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match ccfa::text::parse(text) {
        Err(error) => assert!(error.line >= 1 && error.column >= 1 && !error.message.is_empty()),
        Ok(program) => {
            assert_eq!(ccfa::wellformed::check(&program), Ok(()));
            assert_eq!(ccfa::text::parse(&ccfa::text::print(&program)), Ok(program));
        }
    }
});
