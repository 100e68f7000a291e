//! JSON inside a configuration.

use jsonc_parser::common::Ranged;
use serde_json::Value as Json;

use super::reader::ConfigReader;
use super::syntax::Value;

/// Converts the value to JSON, with its variables substituted.
pub(super) fn json(
    reader: &mut ConfigReader<'_>,
    (owner, key): (&str, &str),
    value: &Value<'_>,
    depth: usize,
    has_variables: &mut bool,
) -> Option<Json> {
    if depth > isobox_core::MAX_DEPTH {
        reader.problem(value.start(), owner, format!("`{key}` is nested too deeply"));
        return None;
    }
    Some(match value {
        Value::NullKeyword(_) => Json::Null,
        Value::BooleanLit(literal) => Json::Bool(literal.value),
        Value::NumberLit(literal) => match serde_json::from_str(literal.value) {
            Ok(number) => Json::Number(number),
            Err(_) => {
                reader.problem(value.start(), owner, format!("`{key}` has a number that is too large"));
                return None;
            }
        },
        Value::StringLit(literal) => {
            let text = reader.resolve(owner, key, literal)?;
            *has_variables |= text.has_variables();
            Json::String(text.value)
        }
        Value::Array(array) => {
            let element = |element: &Value<'_>| json(reader, (owner, key), element, depth + 1, has_variables);
            Json::Array(array.elements.iter().map(element).collect::<Option<_>>()?)
        }
        Value::Object(object) => {
            let mut entries = serde_json::Map::new();
            for property in &object.properties {
                let value = json(reader, (owner, key), &property.value, depth + 1, has_variables)?;
                entries.insert(property.name.as_str().to_owned(), value);
            }
            Json::Object(entries)
        }
    })
}
