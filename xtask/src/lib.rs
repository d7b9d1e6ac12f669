//! The house rules, as far as a program can check them. The rules themselves
//! are tests (`tests/tidy.rs`); here is what they look at: the files of the
//! workspace and the dependencies that manifests state.

pub mod ratchet;
pub mod rules;
pub mod source;
pub mod trusted;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the workspace that each crate may use, by name.
pub type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_path_buf()
}

/// The text of a file of the workspace.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the folders in `crates/`.
pub fn crates() -> BTreeSet<String> {
    let folders = entries(&root().join("crates")).into_iter().filter(|path| path.is_dir());
    folders.map(|path| file_name(&path)).collect()
}

/// All Rust files of the workspace.
pub fn rust_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["crates", "xtask", "bench", "fuzz"] {
        collect(&root().join(folder), "rs", &mut found);
    }
    found
}

/// All C files below a folder of the workspace.
pub fn c_files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&root().join(folder), "c", &mut found);
    found
}

/// The path as seen from the root, for messages.
pub fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Which crates of the workspace each crate depends on: `section` is
/// `dependencies` or `dev-dependencies`.
pub fn dependencies(section: &str) -> Arrows {
    let ours = crates();
    let of = |name: &String| {
        let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
        let used = section_keys(&manifest, section);
        (name.clone(), used.into_iter().filter(|key| ours.contains(key)).collect())
    };
    ours.iter().map(of).collect()
}

/// Everything that `from` reaches.
pub fn reachable(arrows: &Arrows, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from.to_string()];
    while let Some(name) = waiting.pop() {
        for next in arrows.get(&name).into_iter().flatten() {
            if reached.insert(next.clone()) {
                waiting.push(next.clone());
            }
        }
    }
    reached
}

/// The keys of a section of a manifest: `name = …`, `name.workspace = …`, and
/// subsections `[dependencies.name]`.
fn section_keys(manifest: &str, section: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_end_matches(']');
            let part = header.rsplit_once(&format!("{section}."));
            keys.extend(part.map(|(_, name)| name.to_string()));
            inside = header == section || header.ends_with(&format!(".{section}"));
        } else if let Some((key, _)) = line.split_once('=').filter(|_| inside) {
            let key = key.trim();
            keys.push(key.split('.').next().unwrap_or(key).to_string());
        }
    }
    keys
}

fn collect(path: &Path, kind: &str, found: &mut Vec<PathBuf>) {
    if path.is_dir() && file_name(path) != "target" {
        entries(path).iter().for_each(|entry| collect(entry, kind, found));
    } else if path.extension().is_some_and(|extension| extension == kind) {
        found.push(path.to_path_buf());
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::section_keys;

    #[test]
    fn all_ways_to_state_a_dependency() {
        let manifest = "[dependencies]\na = \"1\"\nb.workspace = true\n[dev-dependencies]\nc = { path = \"c\" }\n\
                        [dependencies.d]\npath = \"d\"\n[target.'cfg(unix)'.dependencies]\ne = \"1\"\n";
        assert_eq!(section_keys(manifest, "dependencies"), ["a", "b", "d", "e"]);
        assert_eq!(section_keys(manifest, "dev-dependencies"), ["c"]);
    }
}
