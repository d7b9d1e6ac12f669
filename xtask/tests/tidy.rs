//! The house rules. Each test lists everything that breaks its rule.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use xtask::source::{Source, sources};
use xtask::{crates, dependencies, reachable, read, relative, root, rust_files};

/// Which crates of ours a crate may depend on; nothing else may.
const ARROWS: [(&str, &[&str]); 19] = [
    ("ccfa", &[]),
    ("cfront", &["ccfa"]),
    ("axioms", &["ccfa"]),
    ("litmus", &["axioms", "ccfa"]),
    ("logic", &["ccfa"]),
    ("solve", &["logic", "ccfa"]),
    ("evidence", &["ccfa"]),
    ("formats", &["ccfa"]),
    ("check", &["evidence", "logic", "ccfa"]),
    ("engine", &["transform", "evidence", "ccfa"]),
    ("explore", &["engine", "evidence", "ccfa"]),
    ("impact", &["engine", "evidence", "solve", "logic", "ccfa"]),
    ("thread-modular", &["engine", "evidence", "ccfa"]),
    ("values", &["engine", "evidence", "ccfa"]),
    ("conform", &["ccfa"]),
    ("transform", &["evidence", "ccfa"]),
    ("rely-guarantee", &["engine", "evidence", "solve", "logic", "ccfa"]),
    ("engine-suite", &["engine", "check", "evidence", "solve", "ccfa"]),
    (
        "rely",
        &[
            "axioms",
            "cfront",
            "conform",
            "check",
            "engine",
            "explore",
            "formats",
            "impact",
            "litmus",
            "thread-modular",
            "values",
            "transform",
            "rely-guarantee",
            "solve",
            "logic",
            "evidence",
            "ccfa",
        ],
    ),
];

/// What tests may use beyond that.
const ARROWS_OF_TESTS: [(&str, &[&str]); 9] = [
    ("logic", &["solve"]),
    ("check", &["engine-suite", "solve"]),
    ("explore", &["engine-suite", "check"]),
    ("impact", &["engine-suite", "check", "cfront", "transform"]),
    ("thread-modular", &["engine-suite", "check", "solve"]),
    ("values", &["engine-suite", "check"]),
    (
        "transform",
        &[
            "engine-suite",
            "engine",
            "explore",
            "impact",
            "rely-guarantee",
            "thread-modular",
            "check",
            "solve",
        ],
    ),
    ("conform", &["check", "engine", "evidence", "explore", "impact", "solve"]),
    ("rely-guarantee", &["engine-suite", "check", "cfront"]),
];

/// Files that are longer than usual because they are tables.
const LONG_TABLES: [&str; 0] = [];

/// The folder of the only binary.
const COMMAND_LINE: &str = "crates/rely/src/bin/rely/";

/// Lines that a file should not exceed.
const LONG: usize = 1000;

fn nothing_wrong(rule: &str, wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{rule}:\n  {}", wrong.join("\n  "));
}

fn allowed(table: &[(&str, &[&str])], name: &str) -> BTreeSet<String> {
    let row = table.iter().find(|(crate_name, _)| *crate_name == name);
    row.map_or(BTreeSet::new(), |(_, may)| may.iter().map(ToString::to_string).collect())
}

#[test]
fn dependencies_follow_the_arrows() {
    let mut wrong = Vec::new();
    for (name, used) in dependencies("dependencies") {
        let may = allowed(&ARROWS, &name);
        wrong.extend(used.difference(&may).map(|other| format!("{name} -> {other}")));
    }
    for (name, used) in dependencies("dev-dependencies") {
        let may = &allowed(&ARROWS, &name) | &allowed(&ARROWS_OF_TESTS, &name);
        wrong.extend(used.difference(&may).map(|other| format!("tests of {name} -> {other}")));
    }
    nothing_wrong("a crate uses what it may not use (see ARROWS)", wrong);
}

#[test]
fn the_checker_is_on_its_own() {
    let reached = reachable(&dependencies("dependencies"), "check");
    let trusted = BTreeSet::from(["ccfa", "evidence", "logic"].map(String::from));
    assert_eq!(reached, trusted, "`check` may reach the model, evidence and logic, nothing else");
}

#[test]
fn reading_orders_name_files_there_are() {
    let mut wrong = Vec::new();
    let mut named = 0;
    for source in sources() {
        let path = root().join(&source.path);
        let folders = [path.with_extension(""), path.with_file_name("")];
        for name in reading_order(source) {
            named += 1;
            let is_there = |folder: &PathBuf| {
                folder.join(format!("{name}.rs")).exists() || folder.join(&name).is_dir()
            };
            if !folders.iter().any(is_there) {
                wrong.push(format!("{}: {name}", source.path));
            }
        }
    }
    nothing_wrong("a reading order names a file that is not there", wrong);
    assert!(named > 50, "only {named} files were found in reading orders");
}

/// The names in the paragraph of the head of a file that says in which order to read.
fn reading_order(source: &Source) -> Vec<String> {
    let head = source.text().map_while(|line| line.strip_prefix("//!"));
    let from = head.skip_while(|line| !line.to_lowercase().contains("reading order"));
    let paragraph: Vec<&str> = from.take_while(|line| !line.trim().is_empty()).collect();
    let is_name = |word: &&str| {
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
    };
    let text = paragraph.join(" ");
    text.split('`').skip(1).step_by(2).filter(is_name).map(String::from).collect()
}

#[test]
fn the_code_map_names_every_crate() {
    let map = read(&root().join("ARCHITECTURE.md"));
    let heading = |line: &str| {
        let name = line.strip_prefix("### `crates/")?.split('`').next()?;
        Some(name.to_string())
    };
    let mapped: BTreeSet<String> = map.lines().filter_map(heading).collect();
    assert_eq!(mapped, crates(), "code map of ARCHITECTURE.md (left) and crates/ (right)");
}

#[test]
fn every_file_begins_with_an_essay() {
    let files = rust_files().into_iter();
    let wrong = files.filter(|path| !read(path).starts_with("//! ")).map(|path| relative(&path));
    nothing_wrong("these files do not begin with `//!`", wrong.collect());
}

#[test]
fn files_are_short() {
    let long = |source: &Source| {
        let lines = source.production().count();
        let is_table = LONG_TABLES.contains(&source.path.as_str());
        (lines > LONG && !is_table).then(|| format!("{}: {lines}", source.path))
    };
    nothing_wrong("these files are too long", sources().iter().filter_map(long).collect());
}

/// Files outside tests in which one of `words` occurs, with the line.
fn occurrences(words: &[String], looked_at: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources().iter().filter(|source| looked_at(&source.path)) {
        for (number, line) in source.code() {
            let code = line.split("//").next().unwrap_or(line);
            if words.iter().any(|word| code.contains(word.as_str())) {
                found.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    found
}

#[test]
fn only_the_command_line_prints() {
    let words = [
        "print!(",
        "println!(",
        "stdout()",
        "stderr()",
        "stdin()",
        "process::exit",
        "env::args",
        "signal_hook",
        "clap",
    ];
    let library = |path: &str| {
        path.starts_with("crates/") && path.contains("/src/") && !path.starts_with(COMMAND_LINE)
    };
    let found = occurrences(&words.map(String::from), library);
    nothing_wrong("only the binary `rely` prints, reads arguments and exits", found);
}

#[test]
fn nothing_is_left_for_later() {
    let words = ["todo", "unimplemented", "dbg"].map(|word| format!("{word}!("));
    nothing_wrong("unfinished code", occurrences(&words, |_| true));
    let glob = ["use crate::*".to_string()];
    nothing_wrong("name what you use", occurrences(&glob, |path| !path.starts_with("xtask")));
}

/// What is declared is what is tested: the compiler at work is the pinned one, and no newer one is
/// needed than the manifest says.
#[test]
fn the_declared_toolchain_is_the_one_at_work() {
    let value = |file: &str, key: &str| {
        let text = read(&root().join(file));
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
        line.expect("the file has the key").trim_end_matches('"').to_string()
    };
    let pinned = value("rust-toolchain.toml", "channel");
    let declared = value("Cargo.toml", "rust-version");
    assert_eq!(
        pinned,
        format!("{declared}.0"),
        "rust-toolchain.toml (left) and Cargo.toml (right)"
    );
    let rustc = std::process::Command::new("rustc").arg("--version").output();
    let version = rustc.expect("rustc can be run").stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    assert!(version.starts_with(&format!("rustc {pinned} ")), "{version} is not {pinned}");
}

#[test]
fn there_is_one_binary() {
    let is_binary = |path: &String| match path.split_once("/src/bin/") {
        Some((_, inside)) => !inside.contains('/') || inside.ends_with("/main.rs"),
        None => path.ends_with("src/main.rs"),
    };
    let binaries: Vec<String> =
        rust_files().iter().map(|path| relative(path)).filter(is_binary).collect();
    assert_eq!(binaries, [format!("{COMMAND_LINE}main.rs")], "`cargo run` must know what to run");
}

#[test]
fn the_changelog_has_a_place_for_the_next_change() {
    let changelog = read(&root().join("CHANGELOG.md"));
    assert!(changelog.lines().any(|line| line == "## Unreleased"));
}

/// The entries of a folder that begin with the same number.
fn namesakes(folder: &Path) -> Vec<String> {
    let mut by_number: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder can be listed") {
        let name = entry.expect("it has entries").file_name().to_string_lossy().into_owned();
        let number = name.split('-').next().unwrap_or(&name).to_string();
        by_number.entry(number).or_default().push(format!("{}/{name}", relative(folder)));
    }
    by_number.into_values().filter(|names| names.len() > 1).flatten().collect()
}

#[test]
#[ignore = "for .ci/run, which takes ignored tests, too: branches under way count on by themselves"]
fn a_number_of_a_regression_program_stands_once() {
    let topics = root().join("tests/regression");
    let mut wrong = namesakes(&topics);
    for topic in std::fs::read_dir(&topics).expect("there are regression programs") {
        wrong.extend(namesakes(&topic.expect("it has entries").path()));
    }
    nothing_wrong("programs or topics with the same number", wrong);
}

#[test]
fn links_in_documents_lead_somewhere() {
    let documents =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/guide.md"];
    let mut wrong = Vec::new();
    for document in documents {
        let path = root().join(document);
        for link in read(&path).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or(link);
            let target = path.parent().expect("a file lies in a folder").join(file);
            if !link.starts_with("http") && !target.exists() {
                wrong.push(format!("{document}: {link}"));
            }
        }
    }
    nothing_wrong("links without target", wrong);
}
