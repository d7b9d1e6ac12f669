//! Models written by hand: `data/*.rely`. The first line of each says what it
//! expects: `// expect: SAFE`, `UNSAFE` or `UNKNOWN(limit)`.

use ccfa::Program;
use std::path::Path;

/// A model.
#[derive(Clone, Debug)]
pub struct NamedModel {
    /// The name of its file.
    pub name: String,
    /// The program.
    pub program: Program,
    /// What its author expects.
    pub expected: Expected,
}

/// What a model expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// No error and no model limit is reachable.
    Safe,
    /// An error is reachable.
    Unsafe,
    /// A model limit is reachable, but no error.
    Limit,
}

/// All models, by name. Panics if one is not a program.
pub fn all() -> Vec<NamedModel> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let entries = std::fs::read_dir(&folder).expect("the folder of models should be readable");
    let paths = entries.map(|entry| entry.expect("an entry should be readable").path());
    let mut models: Vec<NamedModel> = paths.map(|path| model(&path)).collect();
    models.sort_by(|a, b| a.name.cmp(&b.name));
    models
}

fn model(path: &Path) -> NamedModel {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let text = std::fs::read_to_string(path).expect("a model should be readable");
    let first = text.lines().next().unwrap_or_default();
    let expected = match first.strip_prefix("// expect: ") {
        Some("SAFE") => Expected::Safe,
        Some("UNSAFE") => Expected::Unsafe,
        Some("UNKNOWN(limit)") => Expected::Limit,
        _ => panic!("{name}: what does `{first}` expect?"),
    };
    let program = ccfa::text::parse(&text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    NamedModel { name, program, expected }
}
