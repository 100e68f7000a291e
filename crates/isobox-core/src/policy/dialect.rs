//! The dialects of JSON Schema. Validators skip keywords that a dialect does not have, and keywords that have no effect without
//! another one.

use serde_json::{Map, Value};

/// A dialect of JSON Schema, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
}

/// Keywords that no dialect checks. They may stand beside a reference.
const UNCHECKED: [&str; 11] = [
    "$schema",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
];

impl Dialect {
    /// Returns the dialect of a schema: the one that it names, or the newest. None if it names one that is not known.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        let Some(named) = schema.get("$schema") else { return Some(Self::Draft2020) };
        let name = named.as_str()?.trim_end_matches('#');
        match name.strip_prefix("https://").or_else(|| name.strip_prefix("http://"))? {
            "json-schema.org/draft-04/schema" => Some(Self::Draft4),
            "json-schema.org/draft-06/schema" => Some(Self::Draft6),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft2019),
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020),
            _ => None,
        }
    }

    /// Returns why a keyword of a schema is not checked, as the end of a sentence about it.
    pub(super) fn objection(self, key: &str, schema: &Map<String, Value>) -> Option<String> {
        if self < since(key) {
            return Some(format!("has the keyword `{key}`, which the dialect in its `$schema` does not have"));
        }
        if self <= Self::Draft7 && key != "$ref" && schema.contains_key("$ref") && !UNCHECKED.contains(&key) {
            return Some(format!("has the keyword `{key}` beside a `$ref`, where its dialect does not check it"));
        }
        let (partner, is_there) = match key {
            "then" | "else" => ("an `if`", schema.contains_key("if")),
            "minContains" | "maxContains" => ("a `contains`", schema.contains_key("contains")),
            "additionalItems" => ("a list of `items`", schema.get("items").is_some_and(Value::is_array)),
            _ => return None,
        };
        (!is_there).then(|| format!("has the keyword `{key}` without {partner}, so that it is not checked"))
    }
}

/// Returns the first dialect that has a keyword.
fn since(key: &str) -> Dialect {
    match key {
        "const" | "contains" | "propertyNames" => Dialect::Draft6,
        "if" | "then" | "else" => Dialect::Draft7,
        "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "minContains"
        | "maxContains" => Dialect::Draft2019,
        "prefixItems" => Dialect::Draft2020,
        _ => Dialect::Draft4,
    }
}
