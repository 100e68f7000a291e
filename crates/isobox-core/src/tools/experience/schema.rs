//! A shape as JSON Schema, for declarations.

use serde_json::{Map, Value, json};

use super::shape::{ObjectShape, Shape, Texts};

impl Shape {
    /// Returns the JSON Schema of the values. None if nothing is known about them.
    pub(super) fn schema(&self) -> Option<Map<String, Value>> {
        if self.is_unknown() {
            return None;
        }
        let plain = [("boolean", self.boolean), ("number", self.number), ("null", self.null)];
        let mut alternatives: Vec<Map<String, Value>> = Vec::new();
        alternatives.extend(self.object.as_deref().map(ObjectShape::schema));
        alternatives
            .extend(self.items.as_deref().map(|items| object(json!({ "type": "array", "items": part(items) }))));
        alternatives.extend(self.text.as_ref().map(Texts::schema));
        let plain = plain.into_iter().filter(|(_, is_seen)| *is_seen);
        alternatives.extend(plain.map(|(name, _)| object(json!({ "type": name }))));
        match alternatives.len() {
            1 => alternatives.pop(),
            _ => Some(object(json!({ "anyOf": alternatives }))),
        }
    }
}

impl Texts {
    fn schema(&self) -> Map<String, Value> {
        match self.enumeration() {
            Some(texts) => object(json!({ "enum": texts.collect::<Vec<_>>() })),
            None => object(json!({ "type": "string" })),
        }
    }
}

impl ObjectShape {
    fn schema(&self) -> Map<String, Value> {
        let mut schema = object(json!({ "type": "object" }));
        if !self.fields.is_empty() {
            let properties: Map<String, Value> =
                self.fields.iter().map(|(name, field)| (name.clone(), part(&field.shape))).collect();
            let required: Vec<&String> =
                self.fields.iter().filter(|(_, field)| !field.is_optional).map(|(name, _)| name).collect();
            schema.insert("properties".to_owned(), properties.into());
            schema.insert("required".to_owned(), json!(required));
        }
        if let Some(others) = &self.others {
            // The type of other keys would have to hold for the fields as well.
            let others = if self.fields.is_empty() { part(others) } else { json!(true) };
            schema.insert("additionalProperties".to_owned(), others);
        }
        schema
    }
}

/// Returns the schema of a part, which any value fits if nothing is known.
fn part(shape: &Shape) -> Value {
    shape.schema().map_or(json!({}), Value::Object)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
