//! A run in the Static Analysis Results Interchange Format (SARIF), version 2.1.0, by OASIS: what editors and code review show.
//!
//! A result is an error that can be reached (section 3.27): its rule is the kind of the error, its code flow (3.36) the interleaving, with a thread flow (3.37) for each
//! thread that moves; `executionOrder` says how these interleave. Why a question is not answered is a notification of the tool (3.58), not a result: it is no
//! defect of the program. SAFE has neither; verdicts are in the property bag of the run.

use crate::explanations::explain;
use crate::run::{AnswerData, Change, Interleaving, Row, RunData, SourcePlace};
use crate::value::{Value, list, object, text};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The text of the log.
pub fn write(run: &RunData) -> String {
    let failures: Vec<(&AnswerData, &Interleaving)> =
        run.answers.iter().filter_map(|answer| Some((answer, answer.interleaving?))).collect();
    let mut rules: Vec<&str> = failures.iter().map(|(_, it)| it.failure.id).collect();
    rules.sort_unstable();
    rules.dedup();
    let driver = object([
        ("name", text("rely")),
        ("version", text(run.version)),
        ("rules", list(&rules, |id| rule(id))),
    ]);
    let log = object([
        ("tool", object([("driver", driver)])),
        ("columnKind", text("unicodeCodePoints")),
        ("invocations", Value::List(vec![invocation(run)])),
        ("results", list(&failures, |(answer, it)| result(answer, it, &rules))),
        (
            "properties",
            object([("verdict", text(&run.verdict)), ("answers", list(&run.answers, verdict))]),
        ),
    ]);
    object([
        ("$schema", text(SCHEMA)),
        ("version", text("2.1.0")),
        ("runs", Value::List(vec![log])),
    ])
    .to_json()
}

fn message(words: impl ToString) -> Value {
    object([("text", text(words))])
}

fn rule(id: &str) -> Value {
    let explanation = explain(id);
    Value::Object(
        [
            ("id", Some(text(id))),
            ("shortDescription", explanation.map(|it| message(it.summary))),
            ("help", explanation.map(|it| message(it.more.replace('\n', " ")))),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_string(), value?)))
        .collect(),
    )
}

/// How the run went: it is no success if something in the tool is wrong.
fn invocation(run: &RunData) -> Value {
    let open = run.answers.iter().filter(|answer| answer.cause.is_some());
    let has_defect = run.answers.iter().any(|answer| answer.cause == Some("defect"));
    object([
        ("executionSuccessful", Value::Bool(!has_defect)),
        ("exitCode", Value::Integer(run.exit_code.into())),
        ("toolExecutionNotifications", Value::List(open.flat_map(notifications).collect())),
    ])
}

/// Why questions are not answered: the limits, each at its place, or the cause.
fn notifications(answer: &AnswerData) -> Vec<Value> {
    let notification = |id: &str, words: &str, place: Option<&SourcePlace>| {
        let asked = answer.questions.join(", ");
        let words = if asked.is_empty() { words.to_string() } else { format!("{asked}: {words}") };
        object([
            ("descriptor", object([("id", text(id))])),
            ("level", text(if id == "defect" { "error" } else { "warning" })),
            ("message", message(format!("UNKNOWN. {words}"))),
            ("locations", list(place, |place| object([("physicalLocation", physical(place))]))),
        ])
    };
    if let ([], Some(cause)) = (answer.limits, answer.cause) {
        return vec![notification(cause, answer.evidence.trim_end(), None)];
    }
    let limits = answer.limits.iter();
    limits.map(|limit| notification(limit.id, &limit.what, limit.place.as_ref())).collect()
}

fn verdict(answer: &AnswerData) -> Value {
    object([
        ("questions", list(&answer.questions, text)),
        ("verdict", text(&answer.verdict)),
        ("isRest", Value::Bool(answer.is_rest)),
    ])
}

fn result(answer: &AnswerData, it: &Interleaving, rules: &[&str]) -> Value {
    let failure = &it.failure;
    let index = rules.iter().position(|rule| *rule == failure.id).unwrap_or_default();
    let related = |(number, (what, place)): (usize, &(String, SourcePlace))| {
        object([
            ("id", Value::Integer(number as i64)),
            ("message", message(what)),
            ("physicalLocation", physical(place)),
        ])
    };
    object([
        ("ruleId", text(failure.id)),
        ("ruleIndex", Value::Integer(index as i64)),
        ("level", text("error")),
        ("message", message(answer.evidence.lines().next().unwrap_or(&failure.what))),
        (
            "locations",
            list(&failure.place, |place| object([("physicalLocation", physical(place))])),
        ),
        ("relatedLocations", list(failure.related.iter().enumerate(), related)),
        ("codeFlows", Value::List(vec![object([("threadFlows", thread_flows(it))])])),
    ])
}

/// What each thread does, if it does something, and where it goes wrong.
fn thread_flows(it: &Interleaving) -> Value {
    let rows = || it.rows.iter().zip(1..);
    let end = |thread: &String| (*thread == it.failure.thread).then(|| last_location(it));
    let flow = |(number, thread): (usize, &String)| {
        let own = rows().filter(|(row, _)| row.thread == number);
        let locations: Vec<Value> =
            own.map(|(row, order)| flow_location(row, order)).chain(end(thread)).collect();
        let flow = object([("id", text(thread)), ("locations", Value::List(locations.clone()))]);
        (!locations.is_empty()).then_some(flow)
    };
    Value::List(it.threads.iter().enumerate().filter_map(flow).collect())
}

fn flow_location(row: &Row, order: i64) -> Value {
    let value = |change: &Change| (change.name.clone(), message(&change.new));
    let mut state: Vec<(String, Value)> = Vec::new();
    for change in &row.changes {
        state.retain(|(name, _)| *name != change.name);
        state.push(value(change));
    }
    object([
        ("location", location(row.place.as_ref(), &row.text)),
        ("state", Value::Object(state)),
        ("executionOrder", Value::Integer(order)),
        ("importance", text(if row.is_shared { "important" } else { "unimportant" })),
    ])
}

fn last_location(it: &Interleaving) -> Value {
    object([
        ("location", location(it.failure.place.as_ref(), &it.failure.what)),
        ("executionOrder", Value::Integer(it.rows.len() as i64 + 1)),
        ("importance", text("essential")),
    ])
}

fn location(place: Option<&SourcePlace>, words: &str) -> Value {
    let mut fields = vec![("message".to_string(), message(words))];
    fields.extend(place.map(|place| ("physicalLocation".to_string(), physical(place))));
    Value::Object(fields)
}

fn physical(place: &SourcePlace) -> Value {
    object([
        ("artifactLocation", object([("uri", text(uri(&place.file)))])),
        (
            "region",
            object([
                ("startLine", Value::Integer(place.line.into())),
                ("startColumn", Value::Integer(place.column.into())),
            ]),
        ),
    ])
}

/// A file name as a URI (RFC 3986): absolute ones with their scheme, all others relative.
fn uri(file: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let mut uri = if file.starts_with('/') { "file://".to_string() } else { String::new() };
    for byte in file.bytes() {
        match is_plain(byte) {
            true => uri.push(char::from(byte)),
            false => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn files_as_uris() {
        assert_eq!(uri("a/b-1.c"), "a/b-1.c");
        assert_eq!(uri("/tmp/x y.c"), "file:///tmp/x%20y.c");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        assert_eq!(uri("a:b/ü#?.c"), "a%3Ab/%C3%BC%23%3F.c");
    }
}
