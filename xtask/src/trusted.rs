//! How much must be right for an answer to be right: the trusted lines of each part, without tests,
//! comments and blank lines. `PARTS` says what is trusted and why each part is; `ARCHITECTURE.md`
//! shows the table.

use crate::source::sources;
use crate::{c_files, read, relative, root};
use std::collections::BTreeMap;

/// A part of what is trusted.
struct Part {
    name: &'static str,
    /// Files and folders that belong to it,
    paths: &'static [&'static str],
    /// except these.
    except: &'static [&'static str],
    group: Group,
}

/// Which answers a part is trusted for.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    /// Every answer: the core, which is kept below [`MAX_CORE_LINES`].
    Core,
    /// Every answer about C.
    C,
    /// Some answers: the name of the part says which.
    Sometimes,
}

/// The core is at most so many lines: what it was before properties were part of the model. Who adds
/// to it takes something out.
const MAX_CORE_LINES: usize = 7_280;

const fn part(name: &'static str, group: Group, paths: &'static [&'static str]) -> Part {
    Part { name, paths, except: &[], group }
}

const PARTS: [Part; 23] = [
    Part {
        name: "`ccfa` without its text form, what is only shown, and random programs",
        paths: &["crates/ccfa/src"],
        except: &[
            "crates/ccfa/src/text",
            "crates/ccfa/src/random.rs",
            "crates/ccfa/src/build.rs",
            "crates/ccfa/src/definedness.rs",
            "crates/ccfa/src/fold.rs",
            "crates/ccfa/src/reachable.rs",
            "crates/ccfa/src/rename.rs",
            "crates/ccfa/src/resource_order.rs",
            "crates/ccfa/src/store_buffers",
            "crates/ccfa/src/store_buffers.rs",
        ],
        group: Group::Core,
    },
    part("`evidence`", Group::Core, &["crates/evidence/src"]),
    part(
        "`check`: sets of states, replay",
        Group::Core,
        &["crates/check/src/lib.rs", "crates/check/src/closed.rs", "crates/check/src/replay.rs"],
    ),
    part(
        "`check`: trees",
        Group::Core,
        &[
            "crates/check/src/tree.rs",
            "crates/check/src/obligations.rs",
            "crates/check/src/skeleton.rs",
            "crates/check/src/commute.rs",
        ],
    ),
    part(
        "`check`: assertions",
        Group::Core,
        &["crates/check/src/assertions", "crates/check/src/assertions.rs"],
    ),
    part(
        "`check`: reductions",
        Group::Core,
        &["crates/check/src/reduction", "crates/check/src/reduction.rs"],
    ),
    part(
        "`logic`: terms",
        Group::Core,
        &[
            "crates/logic/src/lib.rs",
            "crates/logic/src/term.rs",
            "crates/logic/src/make.rs",
            "crates/logic/src/plain.rs",
            "crates/logic/src/substitute.rs",
        ],
    ),
    part("`logic`: steps", Group::Core, &["crates/logic/src/step.rs"]),
    Part {
        name: "`logic`: bits",
        paths: &["crates/logic/src/bits"],
        except: &["crates/logic/src/bits/integers"],
        group: Group::Core,
    },
    part(
        "`rely`: reading the input, the way of a verdict",
        Group::Core,
        &[
            "crates/rely/src/decided.rs",
            "crates/rely/src/input.rs",
            "crates/rely/src/property.rs",
            "crates/rely/src/question.rs",
        ],
    ),
    part("`cfront`: syntax", Group::C, &["crates/cfront/src/syntax"]),
    part(
        "`cfront`: types",
        Group::C,
        &["crates/cfront/src/sema", "crates/cfront/src/types", "crates/cfront/src/hir.rs"],
    ),
    part(
        "`cfront`: lowering",
        Group::C,
        &[
            "crates/cfront/src/lower",
            "crates/ccfa/src/build.rs",
            "crates/ccfa/src/fold.rs",
            "crates/ccfa/src/reachable.rs",
        ],
    ),
    part("`cfront`: points-to", Group::C, &["crates/cfront/src/points_to"]),
    part("`cfront`: models of library functions, in C", Group::C, &["crates/cfront/library"]),
    part(
        "`cfront`: the rest",
        Group::C,
        &[
            "crates/cfront/src/assumption.rs",
            "crates/cfront/src/attempts.rs",
            "crates/cfront/src/compiler_options.rs",
            "crates/cfront/src/compiler_options",
            "crates/cfront/src/entry.rs",
            "crates/cfront/src/extensions.rs",
            "crates/cfront/src/missing.rs",
            "crates/cfront/src/scopes.rs",
            "crates/cfront/src/source",
            "crates/cfront/src/lib.rs",
            "crates/cfront/src/library.rs",
            "crates/cfront/src/preprocess.rs",
            "crates/cfront/src/project.rs",
            "crates/cfront/src/project",
            "crates/cfront/src/source.rs",
            "crates/cfront/src/spans.rs",
        ],
    ),
    part(
        "models with `int` only, `logic`: integers, certificates",
        Group::Sometimes,
        &[
            "crates/logic/src/bits/integers",
            "crates/logic/src/range.rs",
            "crates/logic/src/certificate.rs",
            "crates/logic/src/constraint.rs",
            "crates/logic/src/rational.rs",
        ],
    ),
    part(
        "deadlock freedom by an order of resources only: `ccfa::resource_order`",
        Group::Sometimes,
        &["crates/ccfa/src/resource_order.rs", "crates/ccfa/src/definedness.rs"],
    ),
    part(
        "`rely conform` only: `conform`'s translations",
        Group::Sometimes,
        &[
            "crates/conform/src/instrument.rs",
            "crates/conform/src/compose.rs",
            "crates/conform/src/count.rs",
            "crates/ccfa/src/rename.rs",
        ],
    ),
    part(
        "`--memory-model` only: store buffers",
        Group::Sometimes,
        &[
            "crates/ccfa/src/store_buffers",
            "crates/ccfa/src/store_buffers.rs",
            "crates/rely/src/weak_memory.rs",
        ],
    ),
    part("litmus tests only: `axioms`", Group::Sometimes, &["crates/axioms/src"]),
    part(
        "litmus tests only: `litmus`, reading them",
        Group::Sometimes,
        &[
            "crates/litmus/src/c",
            "crates/litmus/src/c.rs",
            "crates/litmus/src/compile.rs",
            "crates/litmus/src/decode",
            "crates/litmus/src/decode.rs",
            "crates/litmus/src/parse.rs",
            "crates/litmus/src/test.rs",
            "crates/litmus/src/token.rs",
        ],
    ),
    part(
        "litmus tests only: `litmus`, deciding them",
        Group::Sometimes,
        &[
            "crates/litmus/src/candidate.rs",
            "crates/litmus/src/decide.rs",
            "crates/litmus/src/enumerate.rs",
            "crates/litmus/src/repeat.rs",
            "crates/litmus/src/run.rs",
            "crates/litmus/src/traces.rs",
        ],
    ),
];

/// Files of trusted crates that are not counted: a defect there cannot make an answer wrong. Each with the reason.
const NOT_BELIEVED: [(&str, &str); 16] = [
    ("crates/ccfa/src/budget.rs", "can only stop the work, and then the answer is UNKNOWN"),
    ("crates/ccfa/src/memory_model.rs", "names of memory models"),
    ("crates/ccfa/src/source.rs", "names, places and objects of the C program: only shown"),
    ("crates/ccfa/src/wellformed/source.rs", "whether these fit together"),
    ("crates/ccfa/src/undefined/words.rs", "names and sentences, which are shown"),
    ("crates/evidence/src/reason.rs", "says why an answer is UNKNOWN"),
    ("crates/evidence/src/words.rs", "names, and which part of a proof is shown"),
    ("crates/evidence/src/packing.rs", "what is packed is read again, and compared"),
    ("crates/check/src/members.rs", "what is found in the table is compared"),
    ("crates/check/src/describe.rs", "words for what is refused"),
    ("crates/check/src/observe.rs", "an observer is told what is asked; nothing comes back"),
    ("crates/check/src/tree/told.rs", "words for an observer"),
    ("crates/check/src/reduction/told.rs", "words for an observer"),
    ("crates/check/src/assertions/describe.rs", "words for what is refused, and for an observer"),
    ("crates/logic/src/measure.rs", "only those ask it who search"),
    ("crates/logic/src/bits/model.rs", "a model is a candidate; `check` looks at none"),
];

/// Crates all of whose code is trusted: a file that no part counts would be trusted unseen.
const TRUSTED_CRATES: [&str; 5] = ["ccfa", "evidence", "check", "logic", "cfront"];

const BEGIN: &str = "<!-- cargo xtask trusted --write: begin -->\n";
const END: &str = "<!-- end -->\n";

/// What is trusted, by part.
pub struct Trusted {
    rows: Vec<(&'static Part, usize)>,
    /// What is listed but does not exist.
    missing: Vec<&'static str>,
    /// Files of trusted crates that no part names.
    unseen: Vec<String>,
}

impl Trusted {
    /// Counts the lines of the workspace.
    pub fn count() -> Trusted {
        let lines = code_lines();
        let of_part = |part: &'static Part| {
            let inside = lines.iter().filter(|(path, _)| part.contains(path));
            (part, inside.map(|(_, number)| number).sum())
        };
        let listed = PARTS.iter().flat_map(|part| part.paths.iter().chain(part.except)).copied();
        let listed = listed.chain(NOT_BELIEVED.iter().map(|(file, _)| *file));
        let missing = listed.filter(|path| !root().join(path).exists()).collect();
        let unseen = lines.iter().filter(|(path, number)| **number > 0 && is_unseen(path));
        let unseen = unseen.map(|(path, _)| path.clone()).collect();
        Trusted { rows: PARTS.iter().map(of_part).collect(), missing, unseen }
    }

    /// The table, in Markdown.
    pub fn table(&self) -> String {
        let mut table = "| trusted | lines |\n|---|---:|\n".to_string();
        for (part, lines) in &self.rows {
            table.push_str(&format!("| {} | {} |\n", part.name, grouped(*lines)));
        }
        let sums = [
            ("together, without `cfront`", self.sum(&[Group::Core])),
            ("together, with `cfront`", self.sum(&[Group::Core, Group::C])),
        ];
        for (name, lines) in sums {
            table.push_str(&format!("| **{name}** | **{}** |\n", grouped(lines)));
        }
        table.push_str("\nNot counted, since a defect there cannot make an answer wrong:\n\n");
        table.push_str("| file | why |\n|---|---|\n");
        for (file, why) in NOT_BELIEVED {
            table.push_str(&format!("| `{file}` | {why} |\n"));
        }
        table
    }

    /// What is wrong with what is trusted, and with what `ARCHITECTURE.md` says of it.
    pub fn complaints(&self) -> Vec<String> {
        let core = self.sum(&[Group::Core]);
        let large = (core > MAX_CORE_LINES)
            .then(|| format!("{core} lines without `cfront`, at most {MAX_CORE_LINES} may be"));
        let stale = (shown() != Some(self.table())).then(|| {
            "ARCHITECTURE.md shows another table: `cargo xtask trusted --write`".to_string()
        });
        let missing = self.missing.iter().map(|path| format!("{path} does not exist (see PARTS)"));
        let unseen = self.unseen.iter().map(|path| format!("{path} is in no part (see PARTS)"));
        missing.chain(unseen).chain(large).chain(stale).collect()
    }

    /// Puts the table into `ARCHITECTURE.md`.
    pub fn write(&self) {
        let path = root().join("ARCHITECTURE.md");
        let text = read(&path);
        let (before, rest) = text.split_once(BEGIN).expect("ARCHITECTURE.md has a place for it");
        let (_, after) = rest.split_once(END).expect("ARCHITECTURE.md says where it ends");
        let text = format!("{before}{BEGIN}{}{END}{after}", self.table());
        std::fs::write(&path, text).expect("ARCHITECTURE.md can be written");
    }

    fn sum(&self, groups: &[Group]) -> usize {
        let rows = self.rows.iter().filter(|(part, _)| groups.contains(&part.group));
        rows.map(|(_, lines)| lines).sum()
    }
}

/// Is it a file of a trusted crate that nothing here names, not even as an exception?
fn is_unseen(path: &str) -> bool {
    let of = |name: &&str| lies_in(path, &format!("crates/{name}/src"));
    let named =
        |part: &Part| part.paths.iter().chain(part.except).any(|entry| lies_in(path, entry));
    let not_believed = NOT_BELIEVED.iter().any(|(file, _)| *file == path);
    TRUSTED_CRATES.iter().any(of) && !not_believed && !PARTS.iter().any(named)
}

fn lies_in(path: &str, entry: &str) -> bool {
    path.strip_prefix(entry).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Part {
    fn contains(&self, path: &str) -> bool {
        let lies_in = |entry: &&str| lies_in(path, entry);
        self.paths.iter().any(&lies_in)
            && !self.except.iter().any(lies_in)
            && !NOT_BELIEVED.iter().any(|(file, _)| *file == path)
    }
}

/// The table that `ARCHITECTURE.md` shows.
fn shown() -> Option<String> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let (_, rest) = text.split_once(BEGIN)?;
    Some(rest.split_once(END)?.0.to_string())
}

/// Lines of code of every file that can be trusted, by path.
fn code_lines() -> BTreeMap<String, usize> {
    let rust = sources().iter().map(|source| (source.path.clone(), source.code().count()));
    let c = c_files("crates/cfront/library").into_iter();
    rust.chain(c.map(|path| (relative(&path), c_lines(&read(&path))))).collect()
}

/// Lines of C that are neither empty nor comments.
fn c_lines(text: &str) -> usize {
    let mut inside = false;
    let mut is_code = |line: &&str| {
        let mut rest = *line;
        let mut code = String::new();
        while !rest.is_empty() {
            let (skipped, mark) = if inside { ("", "*/") } else { (rest, "/*") };
            let Some((before, after)) = rest.split_once(mark) else {
                code.push_str(skipped);
                break;
            };
            if !inside {
                code.push_str(before);
            }
            inside = !inside;
            rest = after;
        }
        !code.split("//").next().unwrap_or_default().trim().is_empty()
    };
    text.lines().filter(|line| is_code(line)).count()
}

/// 16873 as 16,873.
fn grouped(number: usize) -> String {
    if number < 1000 {
        return number.to_string();
    }
    format!("{},{:03}", grouped(number / 1000), number % 1000)
}

#[cfg(test)]
mod tests {
    use super::{Group, c_lines, grouped, part};

    #[test]
    fn comments_of_c_are_not_counted() {
        let text =
            "/* a\n b */\nint x; /* c */\n// d\n\n/* e */ int y;\n/* f */ /* g */\nint z; // h\n";
        assert_eq!(c_lines(text), 3);
    }

    #[test]
    fn a_folder_contains_its_files_and_not_its_namesakes() {
        let part = part("", Group::Core, &["a/b"]);
        assert!(part.contains("a/b") && part.contains("a/b/c.rs"));
        assert!(!part.contains("a/bc.rs") && !part.contains("a/b.rs"));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([7, 1024, 1_000_007].map(grouped), ["7", "1,024", "1,000,007"]);
    }
}
