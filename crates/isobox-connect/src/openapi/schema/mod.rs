//! Translates schemas of a document to JSON Schemas that stand alone: shared and circular parts are in `$defs`.
//!
//! Only known keywords with values of the right type are kept, so that the result is always a valid schema. What a
//! schema would need beyond the budget is left open, with the place where the document describes it.

mod values;

use std::collections::{HashMap, HashSet, VecDeque};

use isobox_core::{brief, identifier_of, shorten};
use serde_json::{Map, Value, json};

use super::document::Node;
use super::model::Dialect;
use values::{fitting, is_linear, is_plain, is_small};

/// The direction of the values of a schema: sent or received. Properties for the other direction only are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Input,
    Output,
}

/// The definitions that the schemas of one tool share.
pub(super) struct Translator<'d> {
    dialect: Dialect,
    direction: Direction,
    /// The number of parts that there is room for.
    room: usize,
    /// The names of definitions by document and pointer.
    names: HashMap<(usize, String), String>,
    /// The names of definitions by document and reference, as it is written there.
    written: HashMap<(usize, &'d str), String>,
    taken: HashSet<String>,
    /// The definitions that are not translated yet.
    left: VecDeque<(String, Node<'d>)>,
    definitions: Map<String, Value>,
    patterns: usize,
    warnings: Vec<String>,
}

/// The maximum depth of a schema without references.
const MAX_DEPTH: usize = 40;
/// The maximum length of a description inside a schema, in characters.
const MAX_DESCRIPTION: usize = 200;
/// The maximum number of patterns. Each compiled pattern takes memory.
const MAX_PATTERNS: usize = 50;

const NUMBERS: [&str; 4] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const COUNTS: [&str; 6] = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

impl<'d> Translator<'d> {
    /// Creates a translator with room for this many parts of schemas.
    pub(super) fn new(dialect: Dialect, direction: Direction, room: usize) -> Self {
        Self {
            dialect,
            direction,
            room,
            names: HashMap::new(),
            written: HashMap::new(),
            taken: HashSet::new(),
            left: VecDeque::new(),
            definitions: Map::new(),
            patterns: 0,
            warnings: Vec::new(),
        }
    }

    /// Translates a schema. Its definitions follow with [`Translator::finish`].
    pub(super) fn translate(&mut self, node: &Node<'d>) -> Value {
        self.schema(node, 0)
    }

    /// Returns the definitions of everything that was translated, the warnings, and the room that is left.
    pub(super) fn finish(mut self) -> (Map<String, Value>, Vec<String>, usize) {
        while let Some((name, node)) = self.left.pop_front() {
            let translated = self.schema(&node, 0);
            self.definitions.insert(name, translated);
        }
        (self.definitions, self.warnings, self.room)
    }

    fn schema(&mut self, node: &Node<'d>, depth: usize) -> Value {
        match node.value {
            Value::Bool(truth) => Value::Bool(*truth),
            Value::Object(_) if self.room == 0 => Value::Object(Map::new()),
            Value::Object(_) if depth > MAX_DEPTH => open_at(&format!("#{}", node.pointer)),
            Value::Object(_) => {
                self.room -= 1;
                match node.reference() {
                    Some(reference) => self.referred(node, reference, depth),
                    None => self.object(node, depth),
                }
            }
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => Value::Object(Map::new()),
        }
    }

    fn referred(&mut self, node: &Node<'d>, reference: &'d str, depth: usize) -> Value {
        let name = match self.written.get(&(node.document, reference)) {
            Some(name) => name.clone(),
            // There is no room for another definition.
            None if self.room < 2 => return open_at(reference),
            None => match self.defined(node, reference) {
                Ok(name) => name,
                Err(open) => return open,
            },
        };
        let mut schema = Map::from_iter([("$ref".to_owned(), Value::String(format!("#/$defs/{name}")))]);
        let is_nullable = node.truth("nullable") == Some(true);
        match self.dialect {
            Dialect::Old => {}
            Dialect::New => {
                // Keywords beside a reference count.
                if let Value::Object(beside) = self.object(node, depth) {
                    schema.extend(beside);
                }
            }
        }
        if let (None, Some(text)) = (schema.get("description"), node.text("description")) {
            schema.insert("description".to_owned(), text_of(text));
        }
        if is_nullable && self.dialect == Dialect::Old { or_null(schema) } else { Value::Object(schema) }
    }

    /// Returns the name of the definition that a reference leads to, or a schema that allows everything.
    fn defined(&mut self, node: &Node<'d>, reference: &'d str) -> Result<String, Value> {
        let target = match node.documents.find(node.document, reference) {
            Ok(target) => target,
            Err(why) => {
                let reason = format!("the reference `{}` leads nowhere: {why}", brief(reference, 120));
                self.warnings.push(node.refuse(reason).to_string());
                return Err(Value::Object(Map::new()));
            }
        };
        let key = (target.document, target.pointer.to_string());
        let name = match self.names.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = self.free_name(target.pointer.last().unwrap_or("Document"));
                self.names.insert(key, name.clone());
                self.left.push_back((name.clone(), target));
                name
            }
        };
        self.written.insert((node.document, reference), name.clone());
        Ok(name)
    }

    fn free_name(&mut self, wanted: &str) -> String {
        let wanted = identifier_of(wanted);
        let mut name = wanted.clone();
        let mut number = 2;
        while self.taken.contains(&name) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }

    fn object(&mut self, node: &Node<'d>, depth: usize) -> Value {
        let Some(keywords) = node.value.as_object() else { return Value::Object(Map::new()) };
        let types = types(node);
        if types.contains(&"file") || is_binary(node, &types) {
            let mut binary = binary(self.direction);
            if let (Some(text), Value::Object(entries)) = (node.text("description"), &mut binary) {
                entries.insert("description".to_owned(), text_of(text));
            }
            return binary;
        }
        let mut schema = Map::with_capacity(keywords.len().min(MAX_DEPTH));
        match types.as_slice() {
            [] => {}
            [one] => {
                schema.insert("type".to_owned(), json!(one));
            }
            several => {
                schema.insert("type".to_owned(), json!(several));
            }
        }
        // Most schemas have few keywords, so that looking at them is faster than looking for them.
        let (mut has_limits, mut has_parts, mut is_nullable) = (false, false, false);
        for (key, value) in keywords {
            match (key.as_str(), value) {
                ("title" | "description" | "format", Value::String(text)) if !text.trim().is_empty() => {
                    self.room = self.room.saturating_sub(text.len().min(MAX_DESCRIPTION) / 200);
                    schema.insert(key.clone(), text_of(text));
                }
                ("default" | "const", value) if is_small(value) && is_plain(value) => {
                    schema.insert(key.clone(), fitting(value, &types));
                }
                ("enum", Value::Array(allowed)) if !allowed.is_empty() && is_small(value) && is_plain(value) => {
                    self.room = self.room.saturating_sub(allowed.len() / 8);
                    let allowed: Vec<Value> = allowed.iter().map(|value| fitting(value, &types)).collect();
                    schema.insert(key.clone(), Value::Array(allowed));
                }
                ("deprecated", Value::Bool(true)) => {
                    schema.insert(key.clone(), Value::Bool(true));
                }
                ("nullable" | "x-nullable", _) => is_nullable |= node.truth(key) == Some(true),
                (
                    "properties"
                    | "required"
                    | "additionalProperties"
                    | "items"
                    | "prefixItems"
                    | "allOf"
                    | "anyOf"
                    | "oneOf"
                    | "not",
                    _,
                ) => has_parts = true,
                (other, _) => has_limits |= is_limit(other),
            }
        }
        if has_limits {
            self.limits(node, &mut schema);
        }
        if has_parts {
            self.parts(node, depth, &mut schema);
        }
        if is_nullable && self.dialect == Dialect::Old { or_null(schema) } else { Value::Object(schema) }
    }

    /// Adds the keywords that limit values.
    fn limits(&mut self, node: &Node<'d>, schema: &mut Map<String, Value>) {
        for key in NUMBERS {
            if let Some(Value::Number(number)) = node.value.get(key) {
                schema.insert(key.to_owned(), Value::Number(number.clone()));
            }
        }
        // The older draft has booleans beside the bounds.
        for (key, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            if node.truth(key) == Some(true)
                && let Some(number) = schema.remove(bound)
            {
                schema.insert(key.to_owned(), number);
            }
        }
        if let Some(Value::Number(number)) = node.value.get("multipleOf")
            && number.as_f64().is_some_and(|number| number > 0.0)
        {
            schema.insert("multipleOf".to_owned(), Value::Number(number.clone()));
        }
        for key in COUNTS {
            if let Some(count) = node.value.get(key).and_then(Value::as_u64) {
                schema.insert(key.to_owned(), json!(count));
            }
        }
        if node.truth("uniqueItems") == Some(true) {
            schema.insert("uniqueItems".to_owned(), Value::Bool(true));
        }
        if let Some(pattern) = node.text("pattern").filter(|pattern| is_linear(pattern))
            && self.patterns < MAX_PATTERNS
        {
            self.patterns += 1;
            schema.insert("pattern".to_owned(), json!(pattern));
        }
    }

    /// Adds the keywords that contain schemas.
    fn parts(&mut self, node: &Node<'d>, depth: usize, schema: &mut Map<String, Value>) {
        if let Some(properties) = node.get("properties") {
            self.properties(node, &properties, depth, schema);
        } else if let Some(required) = required(node).filter(|required| !required.is_empty()) {
            schema.insert("required".to_owned(), json!(required));
        }
        if let Some(additional) = node.get("additionalProperties") {
            let translated = self.schema(&additional, depth + 1);
            // Nothing that is sent or received is wrong because of one property more.
            if translated != Value::Bool(false) || self.direction == Direction::Input {
                schema.insert("additionalProperties".to_owned(), translated);
            }
        }
        match node.get("items") {
            Some(items) if items.value.is_array() => {
                let first: Vec<Value> = items.items().map(|item| self.schema(&item, depth + 1)).collect();
                if !first.is_empty() {
                    schema.insert("prefixItems".to_owned(), Value::Array(first));
                }
            }
            Some(items) => {
                let translated = self.schema(&items, depth + 1);
                schema.insert("items".to_owned(), translated);
            }
            None => {}
        }
        for (key, target) in
            [("prefixItems", "prefixItems"), ("allOf", "allOf"), ("anyOf", "anyOf"), ("oneOf", "anyOf")]
        {
            let Some(list) = node.get(key).filter(|list| list.value.is_array()) else { continue };
            let parts: Vec<Value> = list.items().map(|part| self.schema(&part, depth + 1)).collect();
            if parts.is_empty() {
                continue;
            }
            // Alternatives of real documents overlap, so that exactly one is too much to ask for.
            match schema.get(target) {
                Some(_) => {
                    schema.entry("allOf").or_insert_with(|| json!([])).as_array_mut().into_iter().for_each(|all| {
                        all.push(json!({ target: parts }));
                    });
                }
                None => {
                    schema.insert(target.to_owned(), Value::Array(parts));
                }
            }
        }
        if let Some(not) = node.get("not").filter(|not| not.value.is_object()) {
            let translated = self.schema(&not, depth + 1);
            // A schema that was left open would forbid everything.
            if translated.as_object().is_some_and(|schema| schema.keys().any(|key| key != "description")) {
                schema.insert("not".to_owned(), translated);
            }
        }
    }

    fn properties(&mut self, node: &Node<'d>, properties: &Node<'d>, depth: usize, schema: &mut Map<String, Value>) {
        let direction = self.direction;
        let is_other = |property: &Node<'d>| match direction {
            Direction::Input => property.truth("readOnly") == Some(true),
            Direction::Output => property.truth("writeOnly") == Some(true),
        };
        let mut translated = Map::new();
        let mut left_out = Vec::new();
        for (name, property) in properties.entries() {
            if is_other(&property) {
                left_out.push(name);
            } else {
                translated.insert(name.to_owned(), self.schema(&property, depth + 1));
            }
        }
        let required: Vec<&str> = required(node).unwrap_or_default();
        let required: Vec<&str> = required.into_iter().filter(|name| !left_out.contains(name)).collect();
        if !required.is_empty() {
            schema.insert("required".to_owned(), json!(required));
        }
        if !translated.is_empty() {
            schema.insert("properties".to_owned(), Value::Object(translated));
        }
        if schema.get("type").is_none() {
            schema.insert("type".to_owned(), json!("object"));
        }
    }
}

/// Returns a schema that allows everything and says where the real one is.
fn open_at(reference: &str) -> Value {
    json!({ "description": format!("See spec({{ pointer: {:?} }}).", shorten(reference, MAX_DESCRIPTION)) })
}

fn is_limit(key: &str) -> bool {
    NUMBERS.contains(&key) || COUNTS.contains(&key) || matches!(key, "multipleOf" | "uniqueItems" | "pattern")
}

/// Returns the schema of binary content, as programs send and receive it.
pub(super) fn binary(direction: Direction) -> Value {
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

fn is_binary(node: &Node<'_>, types: &[&str]) -> bool {
    let is_text = matches!(types, []) || types.contains(&"string");
    let is_marked = node.text("format") == Some("binary");
    // OpenAPI 3.1 describes raw content by its media type, without an encoding.
    let is_raw = node.text("contentMediaType").is_some() && node.text("contentEncoding").is_none() && types.is_empty();
    (is_text && is_marked) || is_raw
}

/// Returns the types of a schema. Names of other languages are translated, unknown ones are left out.
fn types(node: &Node<'_>) -> Vec<&'static str> {
    let written: Vec<&str> = match node.value.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().map(|one| one.as_str().unwrap_or("null")).collect(),
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

fn required<'d>(node: &Node<'d>) -> Option<Vec<&'d str>> {
    let names = node.value.get("required")?.as_array()?;
    let mut required: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    required.sort_unstable();
    required.dedup();
    Some(required)
}

/// Allows `null` beside what a schema allows.
fn or_null(mut schema: Map<String, Value>) -> Value {
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

fn text_of(text: &str) -> Value {
    Value::String(shorten(text.trim(), MAX_DESCRIPTION))
}

#[cfg(test)]
mod tests;
