//! Explains why a value does not fit a schema, so that the author of a program can act on it.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use crate::text::brief;

/// The maximum number of mismatches in a message. The first ones help the most.
const SHOWN: usize = 3;
/// The maximum number of counted mismatches. A large value may have any number.
const COUNTED: usize = 100;
/// The maximum length of each, in characters.
const MAX_LENGTH: usize = 300;

/// Describes the first mismatches: the place, the expected and the actual value, and the nearest key for a misspelt
/// one.
pub(crate) fn mismatches(schema: &Value, validator: &Validator, value: &Value) -> String {
    let mut shown = Vec::new();
    let mut more = 0_usize;
    for error in validator.iter_errors(value).take(COUNTED) {
        if shown.len() == SHOWN {
            more += 1;
            continue;
        }
        let place = error.instance_path().to_string();
        let place = if place.is_empty() { String::new() } else { format!("at {place}: ") };
        let advice = advice(schema, &error);
        shown.push(brief(&format!("{place}{error}{advice}"), MAX_LENGTH));
    }
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("{}{more}", shown.join("; "))
}

/// Suggests a key for one that is unexpected or missing.
fn advice(schema: &Value, error: &ValidationError<'_>) -> String {
    let (known, given): (Vec<&str>, Vec<&str>) = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            (declared(schema, error), unexpected.iter().map(String::as_str).collect())
        }
        ValidationErrorKind::Required { property } => {
            let Some(missing) = property.as_str() else { return String::new() };
            let given: Option<Vec<&str>> =
                error.instance().as_object().map(|entries| entries.keys().map(String::as_str).collect());
            let declared = declared(schema, error);
            let is_strange = |key: &&str| !declared.contains(key);
            return match nearest(missing, given.unwrap_or_default().into_iter().filter(is_strange)) {
                Some(key) => format!(" (is `{}` meant to be it?)", brief(key, 60)),
                None => String::new(),
            };
        }
        _ => return String::new(),
    };
    let meant = given.iter().find_map(|key| nearest(key, known.iter().copied()));
    meant.map(|key| format!(" (did you mean `{}`?)", brief(key, 60))).unwrap_or_default()
}

/// Returns the properties that the part of the schema declares which the error is about.
fn declared<'a>(schema: &'a Value, error: &ValidationError<'_>) -> Vec<&'a str> {
    let path = error.schema_path().to_string();
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    let properties = schema.pointer(parent).and_then(|part| part.get("properties")).and_then(Value::as_object);
    properties.map(|entries| entries.keys().map(String::as_str).collect()).unwrap_or_default()
}

/// Returns the key that is most like a wanted one, if it is like it.
pub(crate) fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LIKE: f64 = 0.8;
    const MAX_KEY: usize = 100;
    known
        .filter(|key| key.len() <= MAX_KEY)
        .map(|key| (strsim::jaro_winkler(&wanted.to_lowercase(), &key.to_lowercase()), key))
        .filter(|(score, _)| *score >= LIKE)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(schema: &Value, value: &Value) -> String {
        mismatches(schema, &jsonschema::validator_for(schema).expect("a schema"), value)
    }

    #[test]
    fn a_mismatch_says_where_what_was_expected_and_what_came() {
        let schema = json!({ "properties": { "rows": { "items": { "type": "integer" } } } });
        assert_eq!(of(&schema, &json!({ "rows": [1, "two"] })), "at /rows/1: \"two\" is not of type \"integer\"");
    }

    #[test]
    fn for_a_misspelt_key_the_nearest_is_named() {
        let schema = json!({ "properties": { "to": { "properties": { "city": {} }, "additionalProperties": false } } });
        let message = of(&schema, &json!({ "to": { "citty": 1 } }));
        assert!(message.ends_with("(did you mean `city`?)"), "{message}");
        let schema = json!({ "properties": { "userName": {}, "age": {} }, "required": ["userName"] });
        let message = of(&schema, &json!({ "username": "x", "age": 1 }));
        assert!(message.ends_with("(is `username` meant to be it?)"), "{message}");
    }

    #[test]
    fn many_mismatches_are_counted_and_a_long_one_is_cut() {
        let schema = json!({ "items": { "type": "integer" } });
        let message = of(&schema, &json!(["a", "b", "c", "d", "e"]));
        assert!(message.ends_with("; and 2 more"), "{message}");
        assert!(of(&schema, &json!(["x".repeat(10_000)])).chars().count() <= MAX_LENGTH + 1);
    }
}
