//! Witnesses in YAML. Violations have version 2.2, which says of each waypoint in which thread it is: 0, or the number of the thread that the k-th
//! `function_enter` at a creating call has registered. The order of the segments is the order of what happens; the two accesses of a race share one segment, which
//! leaves them unordered. Correctness has version 2.1.

use super::{Claim, EventKind, Point, Violation, WitnessEvent, claim, metadata};
use crate::run::RunData;
use crate::value::{Value, list, object, text};

/// The text of the witness; nothing if there is none to be had.
pub fn write(run: &RunData) -> Option<String> {
    let (claim, specification) = claim(run)?;
    let (kind, version, content) = match claim {
        Claim::Violated(violation) => ("violation_sequence", "2.2", sequence(run, violation)),
        Claim::Correct => ("invariant_set", "2.1", Value::List(Vec::new())),
    };
    let entry = object([
        ("entry_type", text(kind)),
        ("metadata", about(run, version, &specification)?),
        ("content", content),
    ]);
    Some(Value::List(vec![entry]).to_yaml())
}

fn about(run: &RunData, version: &str, specification: &str) -> Option<Value> {
    let task = run.task.as_ref()?;
    let hashes = run.files.iter().zip(&task.hashes);
    let hashes = hashes.map(|(file, hash)| (file.clone(), text(hash))).collect();
    Some(object([
        ("format_version", text(version)),
        ("uuid", text(metadata::uuid(run, task))),
        ("creation_time", text(metadata::time(task.created))),
        ("producer", object([("name", text("Rely")), ("version", text(run.version))])),
        (
            "task",
            object([
                ("input_files", list(&run.files, text)),
                ("input_file_hashes", Value::Object(hashes)),
                ("specification", text(specification)),
                ("data_model", text(run.data_model.to_uppercase())),
                ("language", text("C")),
            ]),
        ),
    ]))
}

fn sequence(run: &RunData, violation: &Violation) -> Value {
    let one = |waypoint: Value| segment(vec![waypoint]);
    let events = violation.events_in(&run.files).map(|event| one(of_event(event)));
    let targets = violation.targets.iter().map(|point| waypoint("target", None, point)).collect();
    Value::List(events.chain([segment(targets)]).collect())
}

fn segment(waypoints: Vec<Value>) -> Value {
    object([("segment", list(waypoints, |waypoint| object([("waypoint", waypoint)])))])
}

fn of_event(event: &WitnessEvent) -> Value {
    match &event.kind {
        EventKind::Reaches => waypoint("assumption", Some(("1", "c_expression")), &event.at),
        EventKind::Creates { .. } => waypoint("function_enter", None, &event.at),
        EventKind::Returns { value, .. } => {
            let constraint = format!("\\result == {value}");
            waypoint("function_return", Some((&constraint, "acsl_expression")), &event.at)
        }
    }
}

fn waypoint(kind: &str, constraint: Option<(&str, &str)>, at: &Point) -> Value {
    let mut location =
        vec![("file_name", text(&at.place.file)), ("line", Value::Integer(at.place.line.into()))];
    location.extend(at.has_column.then_some(("column", Value::Integer(at.place.column.into()))));
    location.extend(at.function.as_ref().map(|name| ("function", text(name))));
    let constraint = constraint.map(|(value, format)| {
        ("constraint", object([("value", text(value)), ("format", text(format))]))
    });
    let fields = [("type", text(kind)), ("action", text("follow"))].into_iter();
    let fields = fields.chain(constraint);
    let fields = fields
        .chain([("location", named(location)), ("thread_id", Value::Integer(at.thread as i64))]);
    named(fields.collect())
}

fn named(fields: Vec<(&str, Value)>) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}
