//! The published tests with the published verdicts. `published.txt` has a line for each way in which a model forbids a shape: for each thread
//! with two accesses, the links that suffice together. What no line forbids is allowed. Every combination of links is a test.

mod support;

use ccfa::MemoryModel;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use support::published::{Named, SHAPES, combinations, named, spelled};
use support::{naive_states, states_with};

const TABLE: &str = include_str!("published.txt");
const SPELLED: &str = include_str!("spelled.txt");

/// Tests that are decided here, at least: so that none is lost.
const MIN_TESTS: usize = 3000;
/// A test takes no longer: people have thousands of them.
const MAX_TIME: Duration = Duration::from_millis(200);

/// Ways in which a model forbids a shape: links of the first thread, of the second, and so on.
fn ways(model: MemoryModel, shape: &str) -> Vec<Vec<BTreeSet<&'static str>>> {
    let mut found = Vec::new();
    let mut is_known = false;
    for line in TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (head, links) = line.split_once(':').expect("a line is `MODEL SHAPE: LINKS ; …`");
        if head != format!("{model} {shape}") {
            continue;
        }
        is_known = true;
        if links.trim() != "allowed" {
            let of_thread = |links: &'static str| links.split_whitespace().collect();
            found.push(links.split(';').map(of_thread).collect());
        }
    }
    assert!(is_known, "{model} {shape} is not in the table");
    found
}

/// What the product says, and how long it takes.
fn can_happen(test: &Named, model: MemoryModel, name: &str) -> bool {
    let text = test.program.text();
    let start = Instant::now();
    let axioms = axioms::axioms(model);
    let can_happen = test.is_in(&states_with(&text, &axioms));
    assert!(start.elapsed() < MAX_TIME, "{name} under {model}: {:?}", start.elapsed());
    // The same question as a condition.
    let asked = text.replace("exists (true)", &format!("exists ({})", test.condition()));
    let parsed = litmus::parse(&asked).unwrap_or_else(|mistake| panic!("{mistake:?} in\n{asked}"));
    let decision = litmus::decide(&parsed, &axioms, &Default::default()).expect("nobody stops it");
    let violated = decision.states.keys().any(|state| parsed.condition.is_violated_by(state));
    assert_eq!(violated, can_happen, "{asked}");
    can_happen
}

#[test]
fn shapes_with_links() {
    let (mut tests, mut wrong) = (0, Vec::new());
    for model in MemoryModel::ALL {
        for (shape, _) in SHAPES {
            let ways = ways(model, shape);
            for links in combinations(model, shape) {
                let suffices = |way: &Vec<BTreeSet<&str>>| {
                    assert_eq!(way.len(), links.len(), "{model} {shape}: a set for each thread");
                    way.iter()
                        .zip(&links)
                        .all(|(set, link)| set.contains(link) || set.contains("*"))
                };
                let is_forbidden = ways.iter().any(suffices);
                let name = format!("{shape}+{}", links.join("+"));
                tests += 1;
                let test = named(model, shape, &links);
                let second = test.is_in(&naive_states(&test.program, model));
                assert_eq!(second, !is_forbidden, "{name} under {model}: the second opinion");
                if can_happen(&test, model, &name) == is_forbidden {
                    wrong.push(format!("{model}: {name} is not {}", verdict(!is_forbidden)));
                }
            }
        }
    }
    println!("{tests} tests");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tests >= MIN_TESTS, "only {tests} tests");
}

fn verdict(allowed: bool) -> &'static str {
    if allowed { "allowed" } else { "forbidden" }
}

/// Tests that are spelled out: `MODEL VERDICT NAME: TEST`. The second opinion is asked, too.
#[test]
fn spelled_out() {
    let mut tests = 0;
    for line in SPELLED.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (head, text) = line.split_once(": ").expect("a line is `MODELS VERDICT NAME: TEST`");
        let [models, expected, name] = head.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{head} is no `MODELS VERDICT NAME`");
        };
        for model in models.split(',') {
            let model = MemoryModel::named(model).expect("the model is known");
            let test = spelled(model, text);
            let found = can_happen(&test, model, name);
            assert_eq!(verdict(found), expected, "{name} under {model}:\n{}", test.program.text());
            let second = test.is_in(&naive_states(&test.program, model));
            assert_eq!(second, found, "{name} under {model}: the second opinion");
            tests += 1;
        }
    }
    println!("{tests} tests");
    assert!(tests >= 60, "only {tests} tests");
}
