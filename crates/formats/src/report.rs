//! A run as a report in JSON. `docs/report.schema.json` says what each field means and holds; the version changes with the schema: its first
//! number where what was there changes or goes away, the second where something is added.

use crate::run::{
    AnswerData, Assumed, Change, Interleaving, ReachedLimit, Row, RunData, SourcePlace,
};
use crate::value::{Value, list, object, optional, text};

/// The version of the schema.
pub const FORMAT_VERSION: &str = "1.0";

/// The text of the report.
pub fn write(run: &RunData) -> String {
    object([
        ("format", text("rely-report")),
        ("format_version", text(FORMAT_VERSION)),
        ("tool", object([("name", text("rely")), ("version", text(run.version))])),
        ("files", list(&run.files, text)),
        ("memory_model", text(run.memory_model)),
        ("data_model", text(run.data_model)),
        ("verdict", text(&run.verdict)),
        ("exit_code", Value::Integer(run.exit_code.into())),
        ("seconds", Value::Seconds(run.seconds)),
        ("phases", list(&run.phases, phase)),
        ("answers", list(&run.answers, answer)),
    ])
    .to_json()
}

fn phase((name, seconds): &(String, f64)) -> Value {
    object([("name", text(name)), ("seconds", Value::Seconds(*seconds))])
}

fn answer(answer: &AnswerData) -> Value {
    object([
        ("questions", list(&answer.questions, text)),
        ("is_rest", Value::Bool(answer.is_rest)),
        ("verdict", text(&answer.verdict)),
        ("cause", optional(answer.cause, text)),
        ("engine", optional(answer.engine, text)),
        ("error", optional(answer.interleaving, |it| error(it, answer.subproperty))),
        ("limits", list(answer.limits, limit)),
        ("assumptions", list(&answer.assumptions, assumed)),
        ("never_reached", list(answer.never_reached, place)),
        ("notes", list(answer.notes, text)),
        ("evidence", text(answer.evidence)),
        ("interleaving", optional(answer.interleaving, interleaving)),
    ])
}

fn error(Interleaving { failure, .. }: &Interleaving, property: Option<&str>) -> Value {
    let related =
        |(what, at): &(String, SourcePlace)| object([("what", text(what)), ("place", place(at))]);
    object([
        ("id", text(failure.id)),
        ("what", text(&failure.what)),
        ("thread", text(&failure.thread)),
        ("place", optional(failure.place.as_ref(), place)),
        ("property", optional(property, text)),
        ("related", list(&failure.related, related)),
    ])
}

fn limit(limit: &ReachedLimit) -> Value {
    object([
        ("id", text(limit.id)),
        ("what", text(&limit.what)),
        ("place", optional(limit.place.as_ref(), place)),
    ])
}

fn assumed(assumed: &Assumed) -> Value {
    object([("id", text(assumed.id)), ("text", text(assumed.text))])
}

fn place(place: &SourcePlace) -> Value {
    object([
        ("file", text(&place.file)),
        ("line", Value::Integer(place.line.into())),
        ("column", Value::Integer(place.column.into())),
    ])
}

fn interleaving(interleaving: &Interleaving) -> Value {
    object([
        ("threads", list(&interleaving.threads, text)),
        ("initially", list(&interleaving.initially, change)),
        ("steps", list(&interleaving.rows, step)),
    ])
}

fn step(row: &Row) -> Value {
    object([
        ("thread", Value::Integer(row.thread as i64)),
        ("function", optional(row.function.as_ref(), text)),
        ("place", optional(row.place.as_ref(), place)),
        ("text", text(&row.text)),
        ("is_shared", Value::Bool(row.is_shared)),
        ("values", list(&row.changes, change)),
    ])
}

fn change(change: &Change) -> Value {
    object([("name", text(&change.name)), ("old", text(&change.old)), ("new", text(&change.new))])
}
