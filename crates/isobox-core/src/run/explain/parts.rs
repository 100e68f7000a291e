//! Describes the parts of an error beside its name, message and stack: its cause, the errors of an `AggregateError`, and its
//! own properties.

use serde_json::{Map, Value};

use super::{MAX_MESSAGE, MAX_NAME, frames_of};
use crate::program::Prepared;
use crate::text::{brief, shorten};

/// The maximum number of errors below each other.
const MAX_DEPTH: usize = 4;
/// The maximum number of errors of an `AggregateError`.
const MAX_ERRORS: usize = 10;

/// Returns the parts of an error as the details of its failure have them. The program controls what is told, except its size,
/// which is bounded.
pub(super) fn parts_of(told: &Map<String, Value>, program: &Prepared) -> Map<String, Value> {
    parts_at(told, program, 0)
}

fn parts_at(told: &Map<String, Value>, program: &Prepared, depth: usize) -> Map<String, Value> {
    let mut parts = Map::new();
    if depth < MAX_DEPTH {
        if let Some(cause) = told.get("cause").and_then(Value::as_object) {
            parts.insert("cause".to_owned(), error(cause, program, depth + 1));
        }
        let errors = told.get("errors").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let errors = errors.iter().filter_map(Value::as_object).take(MAX_ERRORS);
        let errors: Vec<Value> = errors.map(|told| error(told, program, depth + 1)).collect();
        if !errors.is_empty() {
            parts.insert("errors".to_owned(), Value::Array(errors));
        }
    }
    if let Some(properties) = told.get("properties").and_then(Value::as_object).filter(|it| !it.is_empty()) {
        parts.insert("properties".to_owned(), Value::Object(properties.clone()));
    }
    parts
}

/// Returns an error that is a part of another one, with its place in the author's text.
fn error(told: &Map<String, Value>, program: &Prepared, depth: usize) -> Value {
    let text = |key: &str| told.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut error = Map::new();
    if !text("name").is_empty() {
        error.insert("name".to_owned(), brief(text("name"), MAX_NAME).into());
    }
    error.insert("message".to_owned(), shorten(text("message"), MAX_MESSAGE).into());
    let frames = frames_of(text("stack"), program);
    if let Some(first) = frames.first() {
        error.insert("line".to_owned(), first.line.into());
        error.insert("column".to_owned(), first.column.into());
        if program.files.len() > 1 {
            error.insert("file".to_owned(), first.file.into());
        }
        let stack: Vec<&str> = frames.iter().map(|frame| frame.text).collect();
        error.insert("stack".to_owned(), stack.join("\n").into());
    }
    error.extend(parts_at(told, program, depth));
    Value::Object(error)
}

#[cfg(test)]
mod tests {
    use isobox_program::{Kind, PreparedFile};
    use serde_json::json;

    use super::*;

    fn parts(told: &Value) -> Value {
        let file = PreparedFile {
            path: "main.ts".to_owned(),
            code: String::new(),
            first_line: 0,
            segments: Vec::new(),
            imports: Vec::new(),
        };
        let program = Prepared { kind: Kind::Script, files: vec![file] };
        Value::Object(parts_of(told.as_object().expect("an object"), &program))
    }

    #[test]
    fn an_error_within_another_has_its_place_and_no_frames_of_others() {
        let stack = "    at f (main.ts:3:7)\n    at host (/srv/x.js:1:1)\n";
        let told = json!({ "cause": { "name": "A", "message": "m", "stack": stack, "secret": 1 }, "stack": "x" });
        let cause = json!({ "name": "A", "message": "m", "line": 3, "column": 7, "stack": "at f (main.ts:3:7)" });
        assert_eq!(parts(&told), json!({ "cause": cause }));
    }

    #[test]
    fn parts_of_another_form_are_left_out_and_many_are_bounded() {
        let told = json!({ "cause": "c", "errors": { "0": 1 }, "properties": [1], "other": 1 });
        assert_eq!(parts(&told), json!({}));
        assert_eq!(
            parts(&json!({ "cause": {}, "errors": [1, null], "properties": {} })),
            json!({ "cause": { "message": "" } })
        );
        let errors = parts(&json!({ "errors": vec![json!({}); 50] }));
        assert_eq!(errors["errors"].as_array().map(Vec::len), Some(MAX_ERRORS));
        let deep = (0..50).fold(json!({}), |inner, _| json!({ "cause": inner }));
        assert_eq!(parts(&deep).to_string().matches("cause").count(), MAX_DEPTH);
    }
}
