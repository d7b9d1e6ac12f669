//! What the guide shows of the examples is what the tool answers. A block that begins with `$ rely check …` shows the first lines of the
//! output; `UPDATE_GOLDEN=1` writes as many of them anew.

mod support;

/// The names of the sections whose blocks are compared, and how many each has at least.
const SECTIONS: [(&str, usize); 5] = [
    ("## Everything that can happen", 1),
    ("## Data races and deadlocks", 33),
    ("## Memory errors, overflow and leaks", 11),
    ("## Weak memory", 2),
    ("## Litmus tests", 5),
];

/// Lines of code stand four characters to the right.
const INDENT: &str = "    ";

#[test]
fn the_examples_are_real() {
    for (section, least) in SECTIONS {
        compare(section, least);
    }
}

fn compare(name: &str, least: usize) {
    let path = support::root().join("docs/guide.md");
    let guide = std::fs::read_to_string(&path).expect("a guide");
    let (before, rest) = guide.split_once(name).expect("the section begins");
    let end = rest.find("\n## ").expect("another section follows");
    let (section, after) = rest.split_at(end);
    let (mut shown, mut wrong, mut blocks) = (String::new(), Vec::new(), 0);
    let mut lines = section.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        shown += line;
        let command = line.strip_prefix(&format!("{INDENT}$ rely ")).map(str::trim_end);
        let Some(command) = command else { continue };
        blocks += 1;
        let args: Vec<&str> = command.split_whitespace().collect();
        let run = support::rely(&support::root(), &args);
        let mut answer = run.stdout.lines();
        while let Some(expected) = lines.next_if(|line| line.starts_with(INDENT)) {
            let actual = format!("{INDENT}{}", answer.next().unwrap_or_default());
            if actual.trim_end() != expected.trim_end() {
                wrong.push(format!("{command}:\nexpected {expected}got      {actual}"));
            }
            shown += &format!("{}\n", actual.trim_end());
        }
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, format!("{before}{name}{shown}{after}")).expect("a guide");
    }
    assert!(blocks >= least, "only {blocks} examples in {name}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
