//! The parts of an uncaught error beside its name and message, in words.

use serde_json::{Map, Value};

use super::value::shown_within;
use crate::text::{brief, json_without_escapes};
use crate::{Code, Failure};

/// The maximum number of lines.
const LINES: usize = 12;
/// The maximum number of characters of a message.
const MESSAGE: usize = 300;
/// The maximum size of the properties of an error in bytes.
const PROPERTIES: usize = 400;

/// Returns the parts of an uncaught error of a program for people and models, one line each: its properties, its chain of
/// causes, and the errors of an `AggregateError`. Other failures have none.
///
/// ```
/// use isobox_core::{Code, Failure, error_parts};
/// use serde_json::json;
///
/// let cause = json!({ "name": "TypeError", "message": "no id", "line": 2, "column": 9, "properties": { "row": 7 } });
/// let failure = Failure::new(Code::Thrown, "import failed").detail("cause", cause);
/// assert_eq!(error_parts(&failure), ["cause: TypeError: no id (line 2, column 9) {\"row\":7}"]);
/// ```
pub fn error_parts(failure: &Failure) -> Vec<String> {
    let mut lines = Vec::new();
    if failure.code == Code::Thrown {
        if let Some(properties) = failure.details.get("properties") {
            lines.push(format!("properties: {}", json_in_a_line(properties)));
        }
        add_parts(&failure.details, &mut lines);
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines.push("…".to_owned());
    }
    lines
}

fn add_parts(parts: &Map<String, Value>, lines: &mut Vec<String>) {
    if let Some(cause) = parts.get("cause").and_then(Value::as_object) {
        lines.push(format!("cause: {}", error_in_a_line(cause)));
        add_parts(cause, lines);
    }
    let errors = parts.get("errors").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (index, error) in errors.iter().filter_map(Value::as_object).enumerate() {
        lines.push(format!("error {}: {}", index + 1, error_in_a_line(error)));
        add_parts(error, lines);
    }
}

fn error_in_a_line(error: &Map<String, Value>) -> String {
    let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
    let (name, message) = (brief(text("name"), 100), brief(text("message"), MESSAGE));
    let parts = [name, message].into_iter().filter(|part| !part.is_empty());
    let mut line = parts.collect::<Vec<_>>().join(": ");
    let number = |key: &str| error.get(key).and_then(Value::as_u64);
    if let (Some(at), Some(column)) = (number("line"), number("column")) {
        line.push_str(&format!(" (line {at}, column {column})"));
    }
    if let Some(properties) = error.get("properties") {
        line.push_str(&format!(" {}", json_in_a_line(properties)));
    }
    line
}

fn json_in_a_line(value: &Value) -> String {
    let shown = shown_within(value, PROPERTIES).unwrap_or_else(|| "{…}".to_owned());
    json_without_escapes(&shown).replace('\n', " ")
}
