//! Explains why a value does not fit a schema, so that the author of a program can act on it.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

use crate::text::brief;

/// The maximum number of mismatches in a message. The first ones help the most.
const SHOWN: usize = 3;
/// The maximum number of counted mismatches. A large value may have any number.
const COUNTED: usize = 100;
/// The maximum length of each, in characters.
const MAX_LENGTH: usize = 300;
/// The maximum number of unexpected keys for which another key is suggested.
const MAX_SUGGESTED: usize = 8;

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
    let declared = declared(schema, error);
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let known = || declared.into_iter().flat_map(|all| all.keys().map(String::as_str));
            let meant = unexpected.iter().take(MAX_SUGGESTED).find_map(|key| nearest(key, known()));
            meant.map(|key| format!(" (did you mean `{}`?)", brief(key, 60))).unwrap_or_default()
        }
        ValidationErrorKind::Required { property } => {
            let Some(missing) = property.as_str() else { return String::new() };
            let given = error.instance().as_object().into_iter().flat_map(|all| all.keys().map(String::as_str));
            let is_strange = |key: &&str| declared.is_none_or(|all| !all.contains_key(*key));
            let meant = nearest(missing, given.filter(is_strange));
            meant.map(|key| format!(" (is `{}` meant to be it?)", brief(key, 60))).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Returns the properties that the part of the schema declares which the error is about.
fn declared<'a>(schema: &'a Value, error: &ValidationError<'_>) -> Option<&'a Map<String, Value>> {
    let path = error.schema_path().to_string();
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    schema.pointer(parent)?.get("properties")?.as_object()
}

/// Returns the key that is most like a wanted one, if it is like it.
pub(crate) fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LIKE: f64 = 0.8;
    /// The maximum length for comparisons, which take time. A longer key is not a typing error.
    const MAX_KEY: usize = 100;
    /// The maximum number of keys that are compared.
    const MAX_KEYS: usize = 1_000;
    if wanted.len() > MAX_KEY {
        return None;
    }
    let wanted = wanted.to_lowercase();
    known
        .take(MAX_KEYS)
        .filter(|key| key.len() <= MAX_KEY)
        .map(|key| (strsim::jaro_winkler(&wanted, &key.to_lowercase()), key))
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
    fn only_a_bounded_number_of_short_keys_is_compared() {
        let (short, long) = ("a".repeat(100), "a".repeat(101));
        assert_eq!(nearest(&short, [long.as_str(), short.as_str()].into_iter()), Some(short.as_str()));
        assert_eq!(nearest(&long, [long.as_str(), short.as_str()].into_iter()), None);
        let mut compared = 0;
        let many = std::iter::repeat_n("b", 5_000).inspect(|_| compared += 1);
        assert_eq!(nearest("a", many), None);
        assert_eq!(compared, 1_000);
        let schema = json!({ "properties": { "city": {} }, "additionalProperties": false });
        let strange = |count: usize| (0..count).map(|number| (number.to_string(), json!(1)));
        for (count, is_suggested) in [(7, true), (8, false)] {
            let value: Value = strange(count).chain([("citty".to_owned(), json!(1))]).collect();
            assert_eq!(of(&schema, &value).contains("did you mean `city`?"), is_suggested, "{count}");
        }
    }

    #[test]
    fn many_mismatches_are_counted_and_a_long_one_is_cut() {
        let schema = json!({ "items": { "type": "integer" } });
        let message = of(&schema, &json!(["a", "b", "c", "d", "e"]));
        assert!(message.ends_with("; and 2 more"), "{message}");
        assert!(of(&schema, &json!(["x".repeat(10_000)])).chars().count() <= MAX_LENGTH + 1);
    }
}
