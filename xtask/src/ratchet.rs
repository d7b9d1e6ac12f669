//! Rules, and what breaks them. A rule without a file in `xtask/ratchets` is absolute: nothing breaks it.
//! A file says how much may still break a rule, by name: `NAME NUMBER` in each line. Together it may not
//! become more, so that what breaks a rule can be renamed or moved; less is welcome, and `cargo xtask
//! tighten` writes it down: the file of a rule that nothing breaks any more is removed. No number in
//! these files grows by hand.

use crate::{read, root};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How much breaks a rule, by name.
pub type Counts = BTreeMap<String, usize>;

/// What breaks the rule more than the file allows, if all together does.
pub fn exceeding(rule: &str, found: &Counts) -> Vec<String> {
    excess(&allowed(rule), found)
}

fn excess(allowed: &Counts, found: &Counts) -> Vec<String> {
    if found.values().sum::<usize>() <= allowed.values().sum() {
        return Vec::new();
    }
    let may = |name: &String| allowed.get(name).copied().unwrap_or(0);
    let more = found.iter().filter(|(name, number)| **number > may(name));
    more.map(|(name, number)| format!("{name}: {number}, allowed {}", may(name))).collect()
}

/// Allows what was found and no more. Panics if that is more than before.
pub fn tighten(rule: &str, found: &Counts) {
    let more = exceeding(rule, found);
    assert!(more.is_empty(), "{rule}: mend this first: {more:?}");
    let text: String = found.iter().map(|(name, number)| format!("{name} {number}\n")).collect();
    if !text.is_empty() {
        std::fs::write(file(rule), text).expect("ratchets can be written");
    } else if file(rule).exists() {
        std::fs::remove_file(file(rule)).expect("ratchets can be removed");
    }
}

fn allowed(rule: &str) -> Counts {
    if !file(rule).exists() {
        return Counts::new();
    }
    let text = read(&file(rule));
    let row = |line: &str| {
        let (name, number) = line.rsplit_once(' ').expect("a line is `NAME NUMBER`");
        (name.to_string(), number.parse().expect("the last word of a line is a number"))
    };
    text.lines().map(row).collect()
}

fn file(rule: &str) -> PathBuf {
    root().join("xtask/ratchets").join(format!("{rule}.txt"))
}

#[cfg(test)]
mod tests {
    use super::{Counts, excess};

    fn counts(rows: &[(&str, usize)]) -> Counts {
        rows.iter().map(|(name, number)| (name.to_string(), *number)).collect()
    }

    #[test]
    fn less_and_renamed_is_fine_and_more_is_not() {
        let allowed = counts(&[("a", 3), ("b", 1)]);
        for fine in [&[("a", 3), ("b", 1)][..], &[("a", 2)], &[("c", 3), ("b", 1)], &[]] {
            assert_eq!(excess(&allowed, &counts(fine)), [""; 0]);
        }
        assert_eq!(excess(&allowed, &counts(&[("a", 3), ("c", 2)])), ["c: 2, allowed 0"]);
        assert_eq!(excess(&allowed, &counts(&[("a", 4), ("b", 1)])), ["a: 4, allowed 3"]);
    }
}
