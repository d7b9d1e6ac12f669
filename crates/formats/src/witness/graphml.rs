//! Witnesses in GraphML, version 1.0: an automaton whose transitions are matched with steps of the program. For a violation it is a chain, with `threadId` and
//! `createThread` at its edges; a transition for a new thread comes with the function that it enters.

use super::{Claim, EventKind, Point, Violation, claim, metadata};
use crate::run::RunData;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The keys: what they are for, their types, and the values that hold where nothing is said.
const KEYS: [(&str, &str, &str, &str); 19] = [
    ("witness-type", "graph", "string", ""),
    ("sourcecodelang", "graph", "string", ""),
    ("producer", "graph", "string", ""),
    ("specification", "graph", "string", ""),
    ("programfile", "graph", "string", ""),
    ("programhash", "graph", "string", ""),
    ("architecture", "graph", "string", ""),
    ("creationtime", "graph", "string", ""),
    ("witness-format-version", "graph", "string", ""),
    ("entry", "node", "boolean", "false"),
    ("violation", "node", "boolean", "false"),
    ("originfile", "edge", "string", ""),
    ("startline", "edge", "int", ""),
    ("assumption", "edge", "string", ""),
    ("assumption.resultfunction", "edge", "string", ""),
    ("assumption.scope", "edge", "string", ""),
    ("enterFunction", "edge", "string", ""),
    ("threadId", "edge", "string", ""),
    ("createThread", "edge", "string", ""),
];

/// The text of the witness; nothing if there is none to be had.
pub fn write(run: &RunData) -> Option<String> {
    let (claim, specification) = claim(run)?;
    let task = run.task.as_ref()?;
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    KEYS.iter().for_each(|key| out += &declare(key));
    out += "  <graph edgedefault=\"directed\">\n";
    let kind = match claim {
        Claim::Violated(_) => "violation_witness",
        Claim::Correct => "correctness_witness",
    };
    for (key, value) in [
        ("witness-type", kind),
        ("witness-format-version", "1.0"),
        ("sourcecodelang", "C"),
        ("producer", &format!("Rely {}", run.version)),
        ("specification", &specification),
        ("programfile", run.files.first()?),
        ("programhash", task.hashes.first()?),
        ("architecture", if run.data_model == "ilp32" { "32bit" } else { "64bit" }),
        ("creationtime", &metadata::time(task.created)),
    ] {
        data(&mut out, 4, key, value);
    }
    node(&mut out, 0, Some("entry"));
    if let Claim::Violated(violation) = claim {
        chain(&mut out, run, violation);
    }
    out += "  </graph>\n</graphml>\n";
    Some(out)
}

fn declare((name, of, kind, default): &(&str, &str, &str, &str)) -> String {
    let open =
        format!("  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{of}\"");
    match *default {
        "" => format!("{open}/>\n"),
        default => format!("{open}>\n    <default>{default}</default>\n  </key>\n"),
    }
}

/// The transitions, each to a node of its own; the last node is the violation.
fn chain(out: &mut String, run: &RunData, violation: &Violation) {
    // Threads that have not entered their first function yet.
    let mut new: BTreeMap<usize, &str> = BTreeMap::new();
    let mut nodes = 0;
    let mut edge = |out: &mut String, at: &Point, more: &[(&str, &str)], enter: Option<&str>| {
        let _ = writeln!(out, "    <edge source=\"n{nodes}\" target=\"n{}\">", nodes + 1);
        nodes += 1;
        if at.place.line > 0 {
            data(out, 6, "originfile", &at.place.file);
            data(out, 6, "startline", &at.place.line.to_string());
        }
        data(out, 6, "threadId", &at.thread.to_string());
        more.iter()
            .chain(&enter.map(|name| ("enterFunction", name)))
            .for_each(|(key, value)| data(out, 6, key, value));
        *out += "    </edge>\n";
        nodes
    };
    let start = Point {
        thread: 0,
        function: None,
        place: crate::SourcePlace { file: String::new(), line: 0, column: 0 },
        has_column: false,
    };
    let first = edge(out, &start, &[("createThread", "0")], Some("main"));
    node(out, first, None);
    for event in violation.events_in(&run.files) {
        let enter = new.remove(&event.at.thread);
        let last = match &event.kind {
            EventKind::Reaches => edge(out, &event.at, &[], enter),
            EventKind::Creates { thread, routine } => {
                new.insert(*thread, routine);
                edge(out, &event.at, &[("createThread", &thread.to_string())], enter)
            }
            EventKind::Returns { function, value } => {
                let scope = event.at.function.as_deref().map(|scope| ("assumption.scope", scope));
                let assumed = format!("\\result == {value}");
                let fields =
                    [("assumption", assumed.as_str()), ("assumption.resultfunction", function)];
                edge(out, &event.at, &fields.into_iter().chain(scope).collect::<Vec<_>>(), enter)
            }
        };
        node(out, last, None);
    }
    for (number, point) in (1..).zip(&violation.targets) {
        let last = edge(out, point, &[], new.remove(&point.thread));
        node(out, last, (number == violation.targets.len()).then_some("violation"));
    }
}

fn node(out: &mut String, number: usize, flag: Option<&str>) {
    match flag {
        None => *out += &format!("    <node id=\"n{number}\"/>\n"),
        Some(flag) => {
            *out += &format!("    <node id=\"n{number}\">\n");
            data(out, 6, flag, "true");
            *out += "    </node>\n";
        }
    }
}

fn data(out: &mut String, indent: usize, key: &str, value: &str) {
    let value = escaped(value);
    *out += &format!("{:indent$}<data key=\"{key}\">{value}</data>\n", "");
}

/// A text between tags. What XML cannot have at all is left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' | '\n' => out.push(letter),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => out.push(letter),
        }
    }
    out
}
