//! Other programs that tests compare with (z3, a C compiler). Tests of several crates include this file
//! by its path; the arrows between crates do not allow them to depend on `engine-suite`.

use std::io::Write;

/// To be called where a tool does not work, before the comparison is left out. In CI (`CI=true`) a
/// comparison that does not take place is a failure; elsewhere it is said, past the test harness,
/// which would keep it to itself.
pub fn skip(tool: &str, why: &str) {
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!in_ci, "{tool} does not work, and CI must not do without: {why}");
    let _ = writeln!(std::io::stderr(), "SKIPPED, since {tool} does not work here: {why}");
}
