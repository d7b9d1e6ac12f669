//! The example of the README is what the tool answers.

mod support;

use std::path::Path;

/// The text of the first block with this language.
fn block<'t>(text: &'t str, language: &str) -> &'t str {
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("the block begins");
    rest.split_once("```").expect("the block ends").0
}

#[test]
fn the_example_is_real() {
    let path = support::root().join("README.md");
    let readme = std::fs::read_to_string(&path).expect("a README");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("lost_update.c"), block(&readme, "c")).expect("a folder for tests");
    let run = support::rely(folder, &["check", "lost_update.c"]);
    let expected = block(&readme, "text");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let fenced = |text: &str| format!("```text\n{text}```");
        let updated = readme.replace(&fenced(expected), &fenced(&run.stdout));
        std::fs::write(&path, updated).expect("a README");
    }
    assert!(run.stdout == expected, "expected:\n{expected}\ngot:\n{}", run.all());
}
