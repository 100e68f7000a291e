//! Translates schemas of a document to JSON Schemas that stand alone: shared and circular parts are in `$defs`.
//!
//! Only known keywords with values of the right type are kept, so that the result is always a valid schema. What a
//! schema would need beyond the budget is left open, with the place where the document describes it.

mod kinds;
mod values;

use std::collections::{HashMap, HashSet, VecDeque};

use isobox_core::{brief, identifier_of, shorten};
use serde_json::{Map, Value, json};

use super::document::Node;
use super::model::Dialect;
pub(super) use kinds::binary;
use kinds::{is_binary, or_null, types};
use values::{fitting, is_linear, is_plain, small_size};

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
    /// The number of parts that may be named beyond that, without their schemas.
    spare: usize,
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
/// The number of parts that may be named without their schemas.
const SPARE: usize = 100;
/// The number of bytes of names and values that count as another part.
const BYTES_PER_PART: usize = 200;
/// The maximum number of keywords of a schema, and of names of required properties.
const MAX_KEYWORDS: usize = 200;
const MAX_REQUIRED: usize = 2_000;

const NUMBERS: [&str; 4] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const COUNTS: [&str; 6] = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

impl<'d> Translator<'d> {
    /// Creates a translator with room for this many parts of schemas.
    pub(super) fn new(dialect: Dialect, direction: Direction, room: usize) -> Self {
        Self {
            dialect,
            direction,
            room,
            spare: SPARE,
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
            Value::Bool(truth) => {
                self.charge(1);
                Value::Bool(*truth)
            }
            Value::Object(_) if self.room == 0 => Value::Object(Map::new()),
            Value::Object(_) if depth > MAX_DEPTH => open_at(&format!("#{}", node.pointer)),
            Value::Object(_) => {
                self.room -= 1;
                match node.reference() {
                    Some(reference) => self.referred(node, reference, depth),
                    None => self.object(node, depth),
                }
            }
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                self.charge(1);
                Value::Object(Map::new())
            }
        }
    }

    fn charge(&mut self, parts: usize) {
        self.room = self.room.saturating_sub(parts);
    }

    /// Charges names and values of this many bytes. Returns false if there is no room for them.
    fn affords(&mut self, bytes: usize) -> bool {
        let left = self.room.checked_sub(bytes / BYTES_PER_PART);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    /// Tells whether another part can be named. A document may have millions of them, and each schema that refers to them names
    /// them again.
    fn has_place(&mut self) -> bool {
        if self.room == 0 {
            let Some(spare) = self.spare.checked_sub(1) else { return false };
            self.spare = spare;
        }
        true
    }

    /// Translates a list of schemas. Returns whether all of it is there.
    fn list(&mut self, list: &Node<'d>, depth: usize) -> (Vec<Value>, bool) {
        let mut parts = Vec::new();
        for part in list.items() {
            if !self.has_place() {
                return (parts, false);
            }
            parts.push(self.schema(&part, depth + 1));
        }
        (parts, true)
    }

    fn referred(&mut self, node: &Node<'d>, reference: &'d str, depth: usize) -> Value {
        self.charge(reference.len() / BYTES_PER_PART);
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
        if keywords.len() > MAX_KEYWORDS {
            return open_at(&format!("#{}", node.pointer));
        }
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
                    self.charge(text.len().min(MAX_DESCRIPTION) / BYTES_PER_PART);
                    schema.insert(key.clone(), text_of(text));
                }
                ("default" | "const", value) => {
                    let size = small_size(value).filter(|_| is_plain(value));
                    if size.is_some_and(|size| self.affords(size)) {
                        schema.insert(key.clone(), fitting(value, &types));
                    }
                }
                ("enum", Value::Array(allowed)) if !allowed.is_empty() => {
                    let size = small_size(value).filter(|_| is_plain(value));
                    if size.is_some_and(|size| self.affords(size)) {
                        self.charge(allowed.len() / 8);
                        let allowed: Vec<Value> = allowed.iter().map(|value| fitting(value, &types)).collect();
                        schema.insert(key.clone(), Value::Array(allowed));
                    }
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
        let mut has_all_properties = true;
        if let Some(properties) = node.get("properties") {
            has_all_properties = self.properties(node, &properties, depth, schema);
        } else if let Some(required) = self.required(node).filter(|required| !required.is_empty()) {
            schema.insert("required".to_owned(), json!(required));
        }
        if let Some(additional) = node.get("additionalProperties") {
            let translated = self.schema(&additional, depth + 1);
            // Nothing that is sent or received is wrong because of one property more, or because of one that is not named here.
            let is_closed = self.direction == Direction::Input && has_all_properties;
            if is_closed || (has_all_properties && translated != Value::Bool(false)) {
                schema.insert("additionalProperties".to_owned(), translated);
            }
        }
        match node.get("items") {
            Some(items) if items.value.is_array() => {
                let (first, _) = self.list(&items, depth);
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
            let (mut parts, is_whole) = self.list(&list, depth);
            match key {
                // A value may be one of those that are not there.
                "anyOf" | "oneOf" if !is_whole => parts.push(Value::Object(Map::new())),
                "prefixItems" if !is_whole => {
                    schema.remove("items");
                }
                _ => {}
            }
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
            let is_open = self.room == 0;
            let says_anything =
                translated.as_object().is_some_and(|schema| schema.keys().any(|key| key != "description"));
            if says_anything && !is_open {
                schema.insert("not".to_owned(), translated);
            }
        }
    }

    /// Adds the properties. Returns whether all of them are there.
    fn properties(
        &mut self,
        node: &Node<'d>,
        properties: &Node<'d>,
        depth: usize,
        schema: &mut Map<String, Value>,
    ) -> bool {
        let direction = self.direction;
        let is_other = |property: &Node<'d>| match direction {
            Direction::Input => property.truth("readOnly") == Some(true),
            Direction::Output => property.truth("writeOnly") == Some(true),
        };
        let (mut translated, mut left_out, mut has_all) = (Map::new(), HashSet::new(), true);
        for (name, property) in properties.entries() {
            if !self.has_place() || !self.affords(name.len()) {
                has_all = false;
                break;
            }
            if is_other(&property) {
                self.charge(1);
                left_out.insert(name);
            } else {
                translated.insert(name.to_owned(), self.schema(&property, depth + 1));
            }
        }
        let required: Vec<&str> = self.required(node).filter(|_| has_all).unwrap_or_default();
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
        has_all
    }

    /// Returns the names of the required properties. None if there are none, or too many to be named.
    fn required(&mut self, node: &Node<'d>) -> Option<Vec<&'d str>> {
        let names = node.value.get("required")?.as_array().filter(|names| names.len() <= MAX_REQUIRED)?;
        let mut required: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        required.sort_unstable();
        required.dedup();
        self.affords(required.iter().map(|name| name.len()).sum()).then_some(required)
    }
}

/// Returns a schema that allows everything and says where the real one is.
fn open_at(reference: &str) -> Value {
    json!({ "description": format!("See spec({{ pointer: {:?} }}).", shorten(reference, MAX_DESCRIPTION)) })
}

fn is_limit(key: &str) -> bool {
    NUMBERS.contains(&key) || COUNTS.contains(&key) || matches!(key, "multipleOf" | "uniqueItems" | "pattern")
}

fn text_of(text: &str) -> Value {
    Value::String(shorten(text.trim(), MAX_DESCRIPTION))
}

#[cfg(test)]
mod tests;
