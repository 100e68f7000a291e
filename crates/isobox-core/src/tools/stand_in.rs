//! Makes a value that stands in for the result of a call that was not made. Decisions only.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

/// The maximum depth of a stand-in.
const MAX_DEPTH: usize = 8;
/// The maximum number of values in a stand-in.
const MAX_VALUES: usize = 500;
/// The maximum length of a text in a stand-in, in characters.
const MAX_TEXT: usize = 200;
/// The maximum number of items in an array.
const MAX_ITEMS: u64 = 10;
/// The maximum number of references that are followed from one schema to the next.
const MAX_REFERENCES: usize = 32;

/// Words in the names of properties that tell of more pages, or of an error. A program that finds one would ask for the next
/// page for ever, so optional ones are left out.
const MORE: [&str; 6] = ["next", "cursor", "more", "continuation", "truncated", "error"];

/// Returns a value that fits a JSON Schema as well as a value can without knowing the data. Texts name the value that they
/// stand for (`‹2.items[0].id›`), so that inputs that are made of them can be read.
///
/// Arrays have one item, so that loops over them run. Constants, enums, defaults, examples and bounds of the schema are heeded.
pub(crate) fn stand_in(schema: &Value, origin: &str) -> Value {
    StandIn { root: schema, left: MAX_VALUES }.value(schema, &mut format!("‹{origin}"), 0)
}

struct StandIn<'s> {
    root: &'s Value,
    /// The number of values that may still be made.
    left: usize,
}

impl<'s> StandIn<'s> {
    /// Makes a value. `name` is its place in the result.
    fn value(&mut self, schema: &'s Value, name: &mut String, depth: usize) -> Value {
        let Some(schema) = self.resolved(schema).and_then(Value::as_object) else { return Value::Object(Map::new()) };
        if depth >= MAX_DEPTH || self.left == 0 {
            return Value::Null;
        }
        self.left -= 1;
        if let Some(given) = given(schema) {
            return given.clone();
        }
        if let Some(alternative) = self.alternative(schema) {
            return self.value(alternative, name, depth);
        }
        match kind(schema) {
            Some("object") => self.object(schema, name, depth),
            Some("array") => self.array(schema, name, depth),
            Some("string") => Value::String(text(schema, name)),
            Some("integer" | "number") => Value::Number(number(schema)),
            Some("boolean") => Value::Bool(!tells_of_more(name)),
            Some("null") => Value::Null,
            Some(_) | None => self.object(schema, name, depth),
        }
    }

    fn object(&mut self, schema: &'s Map<String, Value>, name: &mut String, depth: usize) -> Value {
        let mut object = Map::new();
        for part in self.parts(schema) {
            let required: HashSet<&str> = part
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            for (key, property) in part.get("properties").and_then(Value::as_object).into_iter().flatten() {
                if tells_of_more(key) && !required.contains(key.as_str()) {
                    continue;
                }
                if self.left == 0 {
                    break;
                }
                let length = name.len();
                name.push('.');
                name.push_str(key);
                object.insert(key.clone(), self.value(property, name, depth + 1));
                name.truncate(length);
            }
        }
        Value::Object(object)
    }

    fn array(&mut self, schema: &'s Map<String, Value>, name: &mut String, depth: usize) -> Value {
        let fixed = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let item = schema.get("items").filter(|items| items.is_object());
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
        let wanted = least.max(1).max(fixed.len() as u64).min(most).min(MAX_ITEMS);
        let mut items = Vec::new();
        for index in 0..usize::try_from(wanted).unwrap_or_default() {
            let Some(schema) = fixed.get(index).or(item).filter(|_| self.left > 0) else { break };
            let length = name.len();
            name.push_str(&format!("[{index}]"));
            items.push(self.value(schema, name, depth + 1));
            name.truncate(length);
        }
        Value::Array(items)
    }

    /// Returns the first alternative that is more than `null`.
    fn alternative(&self, schema: &'s Map<String, Value>) -> Option<&'s Value> {
        let alternatives = schema.get("anyOf").or_else(|| schema.get("oneOf"))?.as_array()?;
        let is_something = |one: &&Value| self.resolved(one).and_then(|one| one.get("type")) != Some(&"null".into());
        alternatives.iter().find(is_something).or(alternatives.first())
    }

    /// Returns the parts that an object is described by: the schema itself, and those of its `allOf`.
    fn parts(&self, schema: &'s Map<String, Value>) -> Vec<&'s Map<String, Value>> {
        let all = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        let further = all.filter_map(|part| self.resolved(part)?.as_object());
        std::iter::once(schema).chain(further).take(MAX_REFERENCES).collect()
    }

    /// Follows references inside the schema. Returns none if one leads elsewhere, nowhere or in a circle.
    fn resolved(&self, mut schema: &'s Value) -> Option<&'s Value> {
        for _ in 0..MAX_REFERENCES {
            let Some(reference) = schema.get("$ref").and_then(Value::as_str) else { return Some(schema) };
            schema = self.root.pointer(reference.strip_prefix('#')?)?;
        }
        None
    }
}

/// Returns a value that the schema itself names.
fn given(schema: &Map<String, Value>) -> Option<&Value> {
    let first = |key: &str| schema.get(key)?.as_array()?.first();
    schema.get("const").or_else(|| first("enum")).or_else(|| schema.get("default")).or_else(|| first("examples"))
}

/// Returns the type that a schema names, or the one that its keywords are for. Of several types, the first that is not `null`.
fn kind(schema: &Map<String, Value>) -> Option<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => Some(kind),
        Some(Value::Array(kinds)) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str);
            kinds.clone().find(|kind| *kind != "null").or_else(|| kinds.next())
        }
        _ if schema.contains_key("items") || schema.contains_key("prefixItems") => Some("array"),
        _ => None,
    }
}

fn text(schema: &Map<String, Value>, name: &str) -> String {
    let text = match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => "2000-01-01T00:00:00Z".to_owned(),
        Some("date") => "2000-01-01".to_owned(),
        Some("time") => "00:00:00Z".to_owned(),
        Some("uri" | "url") => "https://example.com/".to_owned(),
        Some("email") => "person@example.com".to_owned(),
        Some("uuid") => "00000000-0000-4000-8000-000000000000".to_owned(),
        Some(_) | None => format!("{name}›"),
    };
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    let most = bound("maxLength").unwrap_or(MAX_TEXT).min(MAX_TEXT);
    let least = bound("minLength").unwrap_or(0).min(most);
    let text: String = text.chars().take(most).collect();
    let missing = least.saturating_sub(text.chars().count());
    text + &".".repeat(missing)
}

fn number(schema: &Map<String, Value>) -> Number {
    let bound = |key: &str, by: f64| schema.get(key).and_then(Value::as_f64).map(|bound| bound + by);
    let least = bound("minimum", 0.0).or_else(|| bound("exclusiveMinimum", 1.0));
    let most = bound("maximum", 0.0).or_else(|| bound("exclusiveMaximum", -1.0));
    let wanted = least.map_or(1.0, |least| least.max(1.0));
    let wanted = most.map_or(wanted, |most| wanted.min(most));
    if wanted.fract() == 0.0 && wanted.abs() < 9e15 {
        #[expect(clippy::cast_possible_truncation, reason = "it is a whole number of this size")]
        return Number::from(wanted as i64);
    }
    Number::from_f64(wanted).unwrap_or_else(|| Number::from(1))
}

/// Tells whether the last part of a name tells of more pages or of an error.
fn tells_of_more(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    MORE.iter().any(|word| last.contains(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_stand_in_has_every_declared_property_and_names_its_texts() {
        let schema = json!({
            "type": "object",
            "required": ["items"],
            "properties": {
                "items": { "type": "array", "items": {
                    "type": "object",
                    "properties": { "id": { "type": "string" }, "size": { "type": "integer", "minimum": 4 } },
                } },
                "nextCursor": { "type": "string" },
                "hasMore": { "type": "boolean" },
                "isOpen": { "type": ["null", "boolean"] },
            },
        });
        let expected = json!({ "items": [{ "id": "‹2.items[0].id›", "size": 4 }], "isOpen": true });
        assert_eq!(stand_in(&schema, "2"), expected);
    }

    #[test]
    fn values_that_the_schema_names_are_taken() {
        let schema = json!({ "properties": {
            "a": { "const": 7 }, "b": { "enum": ["x", "y"] }, "c": { "default": null }, "d": { "examples": [[1]] },
            "e": { "type": "string", "format": "date" }, "f": { "type": "string", "maxLength": 3 },
            "g": { "type": "string", "minLength": 12 }, "h": { "type": "number", "maximum": 0.5 },
            "i": { "anyOf": [{ "type": "null" }, { "type": "integer" }] }, "j": { "type": "null" },
        } });
        let expected = json!({
            "a": 7, "b": "x", "c": null, "d": [1], "e": "2000-01-01", "f": "‹0.", "g": "‹0.g›.......", "h": 0.5, "i": 1,
            "j": null,
        });
        assert_eq!(stand_in(&schema, "0"), expected);
    }

    #[test]
    fn required_properties_are_there_whatever_their_name() {
        let schema = json!({ "required": ["more"], "properties": { "more": { "type": "boolean" } } });
        assert_eq!(stand_in(&schema, "0"), json!({ "more": false }));
    }

    #[test]
    fn references_are_followed_and_circles_end() {
        let schema = json!({
            "$ref": "#/$defs/node",
            "$defs": { "node": { "type": "object", "properties": {
                "name": { "type": "string" }, "child": { "$ref": "#/$defs/node" },
            } }, "loop": { "$ref": "#/$defs/loop" } },
        });
        let value = stand_in(&schema, "0");
        assert_eq!(value["child"]["child"]["name"], json!("‹0.child.child.name›"));
        assert!(value.to_string().len() < 2_000);
        let looping = json!({ "properties": { "a": { "$ref": "#/$defs/loop" } }, "$defs": { "loop": { "$ref": "#/$defs/loop" } } });
        assert_eq!(stand_in(&looping, "0"), json!({ "a": {} }));
    }

    #[test]
    fn what_the_schema_combines_is_combined() {
        let schema = json!({ "type": "object", "allOf": [
            { "properties": { "a": { "type": "integer" } } }, { "properties": { "b": { "type": "integer" } } },
        ] });
        assert_eq!(stand_in(&schema, "0"), json!({ "a": 1, "b": 1 }));
    }

    #[test]
    fn a_schema_that_doubles_at_every_level_stays_small() {
        let mut schema = json!({ "type": "integer" });
        for _ in 0..30 {
            schema = json!({ "properties": { "a": schema.clone(), "b": { "type": "array", "minItems": 1000, "items": schema } } });
            if schema.to_string().len() > 1 << 20 {
                break;
            }
        }
        assert!(stand_in(&schema, "0").to_string().len() < 64 << 10);
    }

    #[test]
    fn an_unknown_result_is_an_object() {
        for schema in [json!(true), json!({}), json!({ "$ref": "https://example.com/other" })] {
            assert_eq!(stand_in(&schema, "0"), json!({}));
        }
    }
}
