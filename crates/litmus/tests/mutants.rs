//! Defects in the table of models are noticed: each axiom left out, each part of a union, each member of a set. A mutant must give another set of
//! final states for some test. Those that cannot are listed, each with the reason.

mod support;

use axioms::Axioms;
use ccfa::MemoryModel;
use ccfa::random::Rng;
use support::program::{language_of, random};
use support::published::{SHAPES, combinations, named, spelled};
use support::{States, states_with};

/// Mutants that mean the same as the model: the model, what is left out, and why that makes no difference.
const EQUIVALENT: [(&str, &str, &str); 0] = [];

/// The texts that tell mutants apart.
fn texts(model: MemoryModel) -> Vec<String> {
    let mut texts = Vec::new();
    let lines = include_str!("spelled.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (head, text) = line.split_once(": ").expect("a line is `MODELS VERDICT NAME: TEST`");
        let models = head.split(' ').next().unwrap_or_default();
        if models.split(',').any(|name| name == model.name()) {
            texts.push(spelled(model, text).program.text());
        }
    }
    for (shape, _) in SHAPES {
        let all = combinations(model, shape);
        let few = all.iter().filter(|links| links.len() < 3);
        texts.extend(few.map(|links| named(model, shape, links).program.text()));
    }
    for seed in 0..400 {
        texts.push(random(language_of(model), 3 + seed as usize % 5, &mut Rng::new(seed)).text());
    }
    texts
}

/// All mutants of a text: what is left out, and what remains.
fn mutants(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let statement = line.trim_end();
        let is_axiom =
            ["acyclic", "irreflexive", "empty"].iter().any(|word| line.starts_with(word));
        if is_axiom {
            let without = format!("{}{}", &text[..start], &text[start + line.len()..]);
            found.push((statement.to_string(), without));
        }
        for (from, to) in operands(statement) {
            let inside_set =
                statement[..from].matches('[').count() > statement[..from].matches(']').count();
            // A set without members: one that the test has not.
            let nothing = if inside_set { "R&W" } else { "0" };
            let changed = format!("{}{nothing}{}", &statement[..from], &statement[to..]);
            let rest = &text[start + statement.len()..];
            let what = format!("{} of {statement}", statement[from..to].trim());
            found.push((what, format!("{}{changed}{rest}", &text[..start])));
        }
        start += line.len();
    }
    found
}

/// Where the parts of unions are, in a statement.
fn operands(statement: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let begin = statement
        .find('=')
        .map_or_else(|| statement.find(' ').map_or(0, |space| space + 1), |equals| equals + 1);
    let end = statement.rfind(" as ").unwrap_or(statement.len());
    if statement.is_empty() {
        return found;
    }
    // Open groups: where the part begins, and the parts so far.
    let mut groups: Vec<(usize, Vec<(usize, usize)>)> = vec![(begin, Vec::new())];
    let close = |group: (usize, Vec<(usize, usize)>), at: usize, found: &mut Vec<_>| {
        let (begin, mut parts) = group;
        parts.push((begin, at));
        // A group with one part is no union.
        if parts.len() > 1 {
            found.extend(parts);
        }
    };
    for (at, letter) in statement.char_indices().filter(|(at, _)| (begin..end).contains(at)) {
        match letter {
            '(' | '[' => groups.push((at + 1, Vec::new())),
            ')' | ']' => {
                let group = groups.pop().expect("groups are closed once");
                close(group, at, &mut found);
            }
            '|' => {
                let group = groups.last_mut().expect("the statement is a group");
                let part = (group.0, at);
                group.1.push(part);
                group.0 = at + 1;
            }
            _ => {}
        }
    }
    let group = groups.pop().expect("the statement is a group");
    close(group, end, &mut found);
    found
}

fn every_defect_is_noticed(model: MemoryModel) {
    let original = axioms::axioms(model);
    let texts = texts(model);
    let expected: Vec<States> = texts.iter().map(|text| states_with(text, &original)).collect();
    let (mut killed, mut wrong) = (0, Vec::new());
    for (what, text) in mutants(axioms::text(model)) {
        let mutant = Axioms::parse(&text).unwrap_or_else(|why| panic!("{what}: {why}\n{text}"));
        let differs = |(text, states): (&String, &States)| states_with(text, &mutant) != *states;
        let is_noticed = texts.iter().zip(&expected).any(differs);
        let is_listed =
            EQUIVALENT.iter().any(|(name, part, _)| *name == model.name() && *part == what);
        killed += usize::from(is_noticed);
        if is_noticed == is_listed {
            wrong.push(format!("{model}: {what}"));
        }
    }
    println!("{model}: {killed} mutants are noticed");
    assert!(wrong.is_empty(), "not noticed (or listed, and noticed):\n{}", wrong.join("\n"));
}

#[test]
fn sequential_consistency() {
    every_defect_is_noticed(MemoryModel::Sc);
}

#[test]
fn total_store_order() {
    every_defect_is_noticed(MemoryModel::Tso);
}

#[test]
fn partial_store_order() {
    every_defect_is_noticed(MemoryModel::Pso);
}

#[test]
fn relaxed_memory_order() {
    every_defect_is_noticed(MemoryModel::Rmo);
}

#[test]
fn power() {
    every_defect_is_noticed(MemoryModel::Power);
}

#[test]
fn armv8() {
    every_defect_is_noticed(MemoryModel::Armv8);
}

#[test]
fn c11() {
    every_defect_is_noticed(MemoryModel::C11);
}
