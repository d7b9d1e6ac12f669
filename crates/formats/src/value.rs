//! Trees of values, and how they are written as JSON (RFC 8259). Fields keep their order, so that a file reads from what matters to what is long.

use std::fmt::Write;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number without a fraction.
    Integer(i64),
    /// A time in seconds, to the millisecond.
    Seconds(f64),
    /// A text.
    Text(String),
    /// Values in order.
    List(Vec<Value>),
    /// Named values in order; no name occurs twice.
    Object(Vec<(String, Value)>),
}

/// The spaces before what is inside, for each level.
const INDENT: &str = "  ";

/// An object with these fields.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

/// A list of what these become.
pub fn list<T>(items: impl IntoIterator<Item = T>, value: impl FnMut(T) -> Value) -> Value {
    Value::List(items.into_iter().map(value).collect())
}

/// A text.
pub fn text(text: impl ToString) -> Value {
    Value::Text(text.to_string())
}

/// What it becomes, or null.
pub fn optional<T>(item: Option<T>, value: impl FnOnce(T) -> Value) -> Value {
    item.map_or(Value::Null, value)
}

impl Value {
    /// As JSON, with a line for each field, and a line break at the end.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    /// As YAML (1.2), in block style, with texts in quotes.
    pub fn to_yaml(&self) -> String {
        self.yaml_lines().iter().map(|line| format!("{line}\n")).collect()
    }

    fn yaml_lines(&self) -> Vec<String> {
        match self {
            Value::List(values) if !values.is_empty() => values
                .iter()
                .flat_map(|value| {
                    let marked = (0..).zip(value.yaml_lines());
                    marked.map(|(number, line)| {
                        format!("{}{line}", if number == 0 { "- " } else { INDENT })
                    })
                })
                .collect(),
            Value::Object(fields) if !fields.is_empty() => {
                fields.iter().flat_map(|(name, value)| yaml_field(name, value)).collect()
            }
            scalar => {
                let mut out = String::new();
                scalar.write(&mut out, 0);
                vec![out]
            }
        }
    }

    fn is_scalar(&self) -> bool {
        match self {
            Value::List(values) => values.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            _ => true,
        }
    }

    fn write(&self, out: &mut String, level: usize) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Value::Integer(value) => out.push_str(&value.to_string()),
            Value::Seconds(value) => out.push_str(&format!("{value:.3}")),
            Value::Text(text) => quote(out, text),
            Value::List(values) => within(out, '[', ']', level, values, |out, value| {
                value.write(out, level + 1);
            }),
            Value::Object(fields) => within(out, '{', '}', level, fields, |out, (name, value)| {
                quote(out, name);
                out.push_str(": ");
                value.write(out, level + 1);
            }),
        }
    }
}

fn yaml_field(name: &str, value: &Value) -> Vec<String> {
    let mut key = name.to_string();
    if !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        key.clear();
        quote(&mut key, name);
    }
    let lines = value.yaml_lines();
    match value.is_scalar() {
        true => vec![format!("{key}: {}", lines.concat())],
        false => {
            let inside = lines.iter().map(|line| format!("{INDENT}{line}"));
            std::iter::once(format!("{key}:")).chain(inside).collect()
        }
    }
}

/// Items between brackets, each on a line of its own.
fn within<T>(
    out: &mut String,
    open: char,
    close: char,
    level: usize,
    items: &[T],
    mut write: impl FnMut(&mut String, &T),
) {
    out.push(open);
    for (number, item) in items.iter().enumerate() {
        out.push_str(if number == 0 { "\n" } else { ",\n" });
        out.push_str(&INDENT.repeat(level + 1));
        write(out, item);
    }
    if !items.is_empty() {
        out.push('\n');
        out.push_str(&INDENT.repeat(level));
    }
    out.push(close);
}

/// A text in quotes. What could end a line is escaped, too, so that the result is also a text of YAML and of JavaScript.
pub fn quote(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                // Writing to a text cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::{Value, list, object, text};

    #[test]
    fn values_as_json() {
        let value = object([
            ("nothing", Value::Null),
            ("is", Value::Bool(true)),
            ("many", list([1, -2], Value::Integer)),
            ("none", list([0; 0], Value::Integer)),
            ("seconds", Value::Seconds(0.12345)),
            ("inside", object([("empty", object([]))])),
        ]);
        let expected = "{\n  \"nothing\": null,\n  \"is\": true,\n  \"many\": [\n    1,\n    -2\n  ],\n  \
                        \"none\": [],\n  \"seconds\": 0.123,\n  \"inside\": {\n    \"empty\": {}\n  }\n}\n";
        assert_eq!(value.to_json(), expected);
    }

    #[test]
    fn values_as_yaml() {
        let point = |x| object([("x", Value::Integer(x)), ("none", list([0; 0], Value::Integer))]);
        let value = object([("name.c", text("a: \\b")), ("points", list([1, 2], point))]);
        let expected =
            "\"name.c\": \"a: \\\\b\"\npoints:\n  - x: 1\n    none: []\n  - x: 2\n    none: []\n";
        assert_eq!(value.to_yaml(), expected);
    }

    #[test]
    fn texts_are_escaped() {
        let all = "a\"b\\c\nd\te\rf\u{1}\u{85}\u{2028}ü😀";
        let expected = "\"a\\\"b\\\\c\\nd\\te\\rf\\u0001\\u0085\\u2028ü😀\"\n";
        assert_eq!(text(all).to_json(), expected);
    }
}
