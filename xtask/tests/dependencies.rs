//! What we depend on is what `deny.toml` allows: licences, one version of each crate, one registry.
//! Advisories need a database from the network and are not looked at.

use std::collections::BTreeMap;
use std::process::Command;
use xtask::{read, root};

/// The strings of a list in `deny.toml`: `key = ["a", "b"]`, over one line or several.
fn list(deny: &str, key: &str) -> Vec<String> {
    let (_, rest) = deny.split_once(&format!("\n{key} = [")).expect("deny.toml has this list");
    let (inside, _) = rest.split_once(']').expect("the list ends");
    inside.split('"').skip(1).step_by(2).map(str::to_string).collect()
}

fn allowed(key: &str) -> Vec<String> {
    list(&read(&root().join("deny.toml")), key)
}

/// The packages of `Cargo.lock`: name, version, and where they come from if it is not here.
fn locked() -> Vec<(String, String, Option<String>)> {
    let lock = read(&root().join("Cargo.lock"));
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")))?;
        Some(line.trim_end_matches('"').to_string())
    };
    let package =
        |text: &str| Some((value(text, "name")?, value(text, "version")?, value(text, "source")));
    lock.split("[[package]]")
        .skip(1)
        .map(|text| package(text).expect("a package has a name"))
        .collect()
}

/// Is one of the alternatives allowed, in every part of `(A OR B) AND C`?
fn is_allowed(licence: &str, allowed: &[String]) -> bool {
    let one = |name: &str| allowed.iter().any(|other| other == name.trim());
    let part = |part: &str| {
        let part = part.trim().trim_start_matches('(').trim_end_matches(')');
        part.replace('/', " OR ").split(" OR ").any(one)
    };
    licence.split(" AND ").all(part)
}

/// What is built here: crates for other systems alone are not on this machine.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc can be run");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc says what it builds for").to_string()
}

#[test]
fn licences() {
    let allowed = allowed("allow");
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_string());
    let mut tree = Command::new(cargo);
    tree.current_dir(root()).args(["tree", "--workspace", "--locked", "--offline"]);
    tree.args(["--target", &host(), "--prefix", "none", "--format", "{p}|{l}|"]);
    let output = tree.output().expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.split_once('|'))
        .map(|(package, rest)| (package, rest.split('|').next().unwrap_or_default()))
        .collect();
    assert!(rows.len() > 100, "only {} packages: {text}", rows.len());
    for (package, licence) in rows {
        assert!(is_allowed(licence, &allowed), "{package}: {licence} is not in deny.toml");
    }
}

#[test]
fn one_version_of_each_crate() {
    let several = allowed("skip");
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, version, _) in locked() {
        versions.entry(name).or_default().push(version);
    }
    versions.retain(|name, versions| versions.len() > 1 && !several.contains(name));
    assert_eq!(versions, BTreeMap::new(), "several versions (see deny.toml)");
}

#[test]
fn everything_comes_from_one_registry() {
    let registries = allowed("allow-registry");
    let packages = locked();
    assert!(packages.len() > 50);
    for (name, _, source) in packages {
        let registry =
            source.as_ref().map(|source| source.trim_start_matches("registry+").to_string());
        let known = registry.is_none_or(|registry| registries.contains(&registry));
        assert!(known, "{name} comes from {source:?}, which is not in deny.toml");
    }
}

#[test]
fn expressions_of_licences() {
    let allowed = ["MIT", "Zlib"].map(String::from);
    for fine in ["MIT", "MIT OR X", "X/MIT", "(X OR MIT) AND Zlib"] {
        assert!(is_allowed(fine, &allowed), "{fine}");
    }
    for refused in ["", "X", "MIT AND X", "(MIT OR Zlib) AND X", "X OR Y"] {
        assert!(!is_allowed(refused, &allowed), "{refused}");
    }
}
