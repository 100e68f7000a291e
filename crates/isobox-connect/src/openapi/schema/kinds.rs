//! The types of schemas: those of other languages, binary content, and `null` beside others.

use serde_json::{Map, Value, json};

use super::super::document::Node;
use super::Direction;

/// The maximum number of types of a schema.
const MAX_TYPES: usize = 20;

/// Returns the schema of binary content, as programs send and receive it.
pub(in crate::openapi) fn binary(direction: Direction) -> Value {
    let content = json!({
        "type": "object", "title": "Binary",
        "properties": {
            "data": { "type": "string", "contentEncoding": "base64", "description": "The bytes in base64." },
            "mimeType": { "type": "string" },
        },
        "required": ["data"],
    });
    match direction {
        Direction::Output => {
            let mut content = content;
            content["properties"]["type"] = json!({ "enum": ["image", "audio", "blob"] });
            content["required"] = json!(["type", "data", "mimeType"]);
            content
        }
        Direction::Input => {
            let mut content = content;
            content["properties"]["fileName"] = json!({ "type": "string" });
            json!({ "anyOf": [{ "type": "string", "description": "Text, sent as UTF-8." }, content] })
        }
    }
}

pub(super) fn is_binary(node: &Node<'_>, types: &[&str]) -> bool {
    let is_text = matches!(types, []) || types.contains(&"string");
    let is_marked = node.text("format") == Some("binary");
    // OpenAPI 3.1 describes raw content by its media type, without an encoding.
    let is_raw = node.text("contentMediaType").is_some() && node.text("contentEncoding").is_none() && types.is_empty();
    (is_text && is_marked) || is_raw
}

/// Returns the types of a schema. Names of other languages are translated, unknown ones are left out.
pub(super) fn types(node: &Node<'_>) -> Vec<&'static str> {
    let written: Vec<&str> = match node.value.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) if several.len() <= MAX_TYPES => {
            several.iter().map(|one| one.as_str().unwrap_or("null")).collect()
        }
        _ => Vec::new(),
    };
    let known = |written: &str| {
        Some(match written.to_ascii_lowercase().as_str() {
            "string" | "str" | "date" | "datetime" | "date-time" | "uuid" | "uri" | "password" => "string",
            "number" | "float" | "double" | "decimal" => "number",
            "integer" | "int" | "int32" | "int64" | "long" => "integer",
            "boolean" | "bool" => "boolean",
            "array" | "list" => "array",
            "object" | "map" | "dict" => "object",
            "null" | "none" => "null",
            "file" => "file",
            _ => return None,
        })
    };
    let mut types: Vec<&'static str> = Vec::new();
    for name in written.into_iter().map(known) {
        match name {
            Some(name) if !types.contains(&name) => types.push(name),
            Some(_) => {}
            // One of several is unknown: the value may be anything.
            None => return Vec::new(),
        }
    }
    types
}

/// Allows `null` beside what a schema allows.
pub(super) fn or_null(mut schema: Map<String, Value>) -> Value {
    let is_simple = !["$ref", "allOf", "anyOf", "const"].iter().any(|key| schema.contains_key(*key));
    let is_open = schema.keys().all(|key| matches!(key.as_str(), "description" | "title" | "default"));
    match schema.get("type") {
        Some(Value::String(one)) if is_simple => {
            let types = json!([one, "null"]);
            schema.insert("type".to_owned(), types);
            if let Some(Value::Array(allowed)) = schema.get_mut("enum")
                && !allowed.contains(&Value::Null)
            {
                allowed.push(Value::Null);
            }
            Value::Object(schema)
        }
        Some(_) if is_simple => Value::Object(schema),
        None if is_open => Value::Object(schema),
        _ => {
            let description = schema.remove("description");
            let mut either = json!({ "anyOf": [schema, { "type": "null" }] });
            if let Some(description) = description {
                either["description"] = description;
            }
            either
        }
    }
}
