//! Values inside schemas: defaults, constants, allowed values, patterns.

use std::io;

use serde_json::Value;

/// The maximum size of a default and of a list of allowed values, in bytes of JSON.
const MAX_VALUE: usize = 4_000;

/// Converts a value that YAML has read as another type than the schema has: `enum: [1, 2]` of a string.
pub(super) fn fitting(value: &Value, types: &[&str]) -> Value {
    match (value, types) {
        (Value::Number(number), ["string"]) => Value::String(number.to_string()),
        (Value::Bool(truth), ["string"]) => Value::String(truth.to_string()),
        (Value::String(text), ["integer" | "number"]) => {
            text.parse::<serde_json::Number>().map_or_else(|_| value.clone(), Value::Number)
        }
        (Value::String(text), ["boolean"]) => text.parse().map_or_else(|_| value.clone(), Value::Bool),
        _ => value.clone(),
    }
}

/// Tells whether a pattern can be checked in time linear in the text.
pub(super) fn is_linear(pattern: &str) -> bool {
    let looks_around = ["(?=", "(?!", "(?<=", "(?<!", "\\k<", "(?>"].iter().any(|mark| pattern.contains(mark));
    let mut escapes = pattern.split('\\').skip(1);
    pattern.len() <= 1_000
        && !looks_around
        && !escapes.any(|rest| rest.starts_with(|first: char| matches!(first, '1'..='9')))
}

/// Tells whether a value has no keys that look like keywords to a reader that does not tell values from schemas.
pub(super) fn is_plain(value: &Value) -> bool {
    match value {
        Value::Object(entries) => entries.iter().all(|(key, entry)| {
            !key.starts_with('$') && key != "pattern" && key != "patternProperties" && is_plain(entry)
        }),
        Value::Array(items) => items.iter().all(is_plain),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// Returns the size of a value in bytes of JSON, if it is small. Reads no more of a large one than needed.
pub(super) fn small_size(value: &Value) -> Option<usize> {
    struct Counter(usize);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            if self.0 <= MAX_VALUE { Ok(bytes.len()) } else { Err(io::ErrorKind::FileTooLarge.into()) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, value).ok().map(|()| counter.0)
}
