//! Reads the shape of one result.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::shape::{Field, MAX_FIELDS, MAX_LEVELS, ObjectShape, Shape, Texts, merge_boxed};
use super::words::is_name;

/// The maximum number of values that are read of one result.
const MAX_VALUES: usize = 20_000;
/// The maximum number of items that are read of one array, and of values of one map.
const MAX_ITEMS: usize = 200;
/// The number of entries from which an object whose values have all the same fields is a map.
const LEAST_ENTRIES: usize = 4;

/// The permission to keep short texts, so that they can become an enumeration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Enumerations {
    Forbidden,
    Allowed,
}

impl Shape {
    /// Returns the shape of a value, without texts.
    pub fn of_result(value: &Value) -> Self {
        Self::of(value, Enumerations::Forbidden)
    }

    /// Returns the shape of a value.
    pub(super) fn of(value: &Value, enumerations: Enumerations) -> Self {
        let mut reader = Reader { left: MAX_VALUES, enumerations };
        let mut shape = reader.read(value, MAX_LEVELS);
        shape.fit();
        shape
    }
}

struct Reader {
    /// The number of values that may still be read.
    left: usize,
    enumerations: Enumerations,
}

impl Reader {
    /// Returns the shape of a value: nothing if too much was read before, anything if it is nested too deeply.
    fn read(&mut self, value: &Value, levels: usize) -> Shape {
        let Some(left) = self.left.checked_sub(1) else { return Shape::default() };
        self.left = left;
        let mut shape = Shape::default();
        match value {
            Value::Null => shape.null = true,
            Value::Bool(_) => shape.boolean = true,
            Value::Number(_) => shape.number = true,
            Value::String(text) => shape.text = Some(self.text(text)),
            Value::Array(_) | Value::Object(_) if levels == 0 => shape.anything = true,
            Value::Array(items) => shape.items = Some(Box::new(self.together(items.iter(), levels - 1))),
            Value::Object(entries) => shape.object = Some(Box::new(self.object(entries, levels - 1))),
        }
        shape
    }

    fn text(&self, text: &str) -> Texts {
        match self.enumerations {
            Enumerations::Allowed if is_name(text) => Texts::Of(BTreeMap::from([(text.to_owned(), 1)])),
            Enumerations::Allowed | Enumerations::Forbidden => Texts::Any,
        }
    }

    /// Returns the common shape of several values.
    fn together<'v>(&mut self, values: impl Iterator<Item = &'v Value>, levels: usize) -> Shape {
        let mut shape = Shape::default();
        for value in values.take(MAX_ITEMS) {
            shape.merge(&self.read(value, levels));
        }
        shape
    }

    fn object(&mut self, entries: &Map<String, Value>, levels: usize) -> ObjectShape {
        let mut object = ObjectShape::default();
        if entries.len() > MAX_FIELDS || is_map(entries) {
            object.is_map = true;
            object.others = Some(Box::new(self.together(entries.values(), levels)));
            return object;
        }
        for (key, value) in entries {
            let shape = self.read(value, levels);
            if is_name(key) {
                object.fields.insert(key.clone(), Field { shape, is_optional: false });
            } else {
                merge_boxed(&mut object.others, Some(&shape));
            }
        }
        object.settle();
        object
    }
}

/// Tells whether the values of an object are objects with the same fields, so that its keys are data.
fn is_map(entries: &Map<String, Value>) -> bool {
    let Some(Value::Object(first)) = entries.values().next() else { return false };
    let is_alike = |value: &Value| {
        value
            .as_object()
            .is_some_and(|other| other.len() == first.len() && other.keys().all(|key| first.contains_key(key)))
    };
    entries.len() >= LEAST_ENTRIES && !first.is_empty() && first.len() <= MAX_FIELDS && entries.values().all(is_alike)
}
