//! Adds the defaults of a schema to a value: pure, and bounded for any schema.

use serde_json::{Map, Value};

use crate::json::{MAX_DEPTH, is_nested_within};
use crate::tools::declarations::{Document, Target};
use crate::tools::work;

/// Returns the value with the defaults that it lacks. Returns none if nothing changes.
///
/// Handles properties of objects at every level, items of arrays, references within the schema, and `allOf`.
/// Alternatives (`anyOf`, `oneOf`, `if`) are ignored, because it is unknown which one applies. Present values are never
/// overwritten, not even `null`. The operation is idempotent.
///
/// If the defaults are infinite, larger than 1 MiB of JSON or deeper than [`MAX_DEPTH`] levels, nothing is added.
pub fn fill_defaults(schema: &Value, value: &Value) -> Option<Value> {
    if !is_nested_within(value, MAX_DEPTH) {
        return None;
    }
    let steps = work::allowed(MAX_STEPS);
    let mut filler = Filler { document: Document::new(schema), steps, room: MAX_INSERTED };
    let mut filled = value.clone();
    if let Err(TooMuch) = filler.fill(&[schema], &mut filled, MAX_DEPTH) {
        if filler.steps == 0 {
            work::exceed(steps, MAX_STEPS);
        } else {
            work::spend(steps - filler.steps);
        }
        return None;
    }
    work::spend(steps - filler.steps);
    (filler.room < MAX_INSERTED).then_some(filled)
}

/// The maximum number of visited schema parts, counting repeats.
const MAX_STEPS: u64 = 1_000_000;
/// The maximum size of the added values, in bytes of JSON.
const MAX_INSERTED: usize = 1 << 20;

struct Filler<'s> {
    document: Document<'s>,
    steps: u64,
    room: usize,
}

/// The defaults exceed a limit.
struct TooMuch;

impl<'s> Filler<'s> {
    /// Adds defaults to a value to which all of the schemas apply. It may have this many levels.
    fn fill(&mut self, schemas: &[&'s Value], value: &mut Value, levels: usize) -> Result<(), TooMuch> {
        match value {
            Value::Object(entries) => {
                let layers = self.layers(schemas)?;
                let levels = levels.checked_sub(1).ok_or(TooMuch)?;
                self.insert_missing(&layers, entries, levels)?;
                for (key, entry) in entries.iter_mut().filter(|(_, entry)| is_container(entry)) {
                    let schemas = self.of_property(&layers, key)?;
                    self.fill(&schemas, entry, levels)?;
                }
            }
            Value::Array(items) if items.iter().any(is_container) => {
                let layers = self.layers(schemas)?;
                let levels = levels.checked_sub(1).ok_or(TooMuch)?;
                for (index, item) in items.iter_mut().enumerate().filter(|(_, item)| is_container(item)) {
                    let schemas = self.of_item(&layers, index)?;
                    self.fill(&schemas, item, levels)?;
                }
            }
            Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        Ok(())
    }

    fn insert_missing(
        &mut self,
        layers: &[&'s Map<String, Value>],
        entries: &mut Map<String, Value>,
        levels: usize,
    ) -> Result<(), TooMuch> {
        for (key, schema) in layers.iter().filter_map(|layer| properties(layer)).flatten() {
            self.step()?;
            if entries.contains_key(key) {
                continue;
            }
            let layers = self.layers(&[schema])?;
            let Some(default) = layers.iter().find_map(|layer| layer.get("default")) else { continue };
            if !is_nested_within(default, levels) {
                return Err(TooMuch);
            }
            let size = default.to_string().len() + key.len() + r#""":,"#.len();
            self.room = self.room.checked_sub(size).ok_or(TooMuch)?;
            entries.insert(key.clone(), default.clone());
        }
        Ok(())
    }

    /// Returns everything that applies together with the schemas: themselves, the targets of references and `allOf`.
    /// Each part appears once, so that cycles end.
    fn layers(&mut self, schemas: &[&'s Value]) -> Result<Vec<&'s Map<String, Value>>, TooMuch> {
        let mut layers: Vec<&'s Map<String, Value>> = Vec::new();
        let mut left: Vec<&'s Value> = schemas.iter().rev().copied().collect();
        while let Some(schema) = left.pop() {
            self.step()?;
            let Value::Object(layer) = schema else { continue };
            if layers.iter().any(|known| std::ptr::eq(*known, layer)) {
                continue;
            }
            self.steps = self.steps.saturating_sub(layers.len() as u64);
            layers.push(layer);
            if let Some(Value::Array(all)) = layer.get("allOf") {
                left.extend(all.iter().rev());
            }
            if let Some(Value::String(reference)) = layer.get("$ref")
                && let Target::Found(target) = self.document.resolve(reference)
            {
                left.push(target);
            }
        }
        Ok(layers)
    }

    fn of_property(&mut self, layers: &[&'s Map<String, Value>], key: &str) -> Result<Vec<&'s Value>, TooMuch> {
        let mut schemas = Vec::new();
        for layer in layers {
            self.step()?;
            let named = properties(layer).and_then(|properties| properties.get(key));
            // Only a validator knows which keys a pattern matches.
            let other =
                || if layer.contains_key("patternProperties") { None } else { layer.get("additionalProperties") };
            schemas.extend(named.or_else(other));
        }
        Ok(schemas)
    }

    fn of_item(&mut self, layers: &[&'s Map<String, Value>], index: usize) -> Result<Vec<&'s Value>, TooMuch> {
        let mut schemas = Vec::new();
        for layer in layers {
            self.step()?;
            // There are two notations: `prefixItems` with `items` for the rest, or a list of `items` with
            // `additionalItems` for the rest.
            let (first, rest) = match (layer.get("prefixItems"), layer.get("items")) {
                (Some(Value::Array(first)), rest) => (first.as_slice(), rest),
                (_, Some(Value::Array(first))) => (first.as_slice(), layer.get("additionalItems")),
                (_, rest) => (&[][..], rest),
            };
            schemas.extend(first.get(index).or(rest));
        }
        Ok(schemas)
    }

    fn step(&mut self) -> Result<(), TooMuch> {
        self.steps = self.steps.checked_sub(1).ok_or(TooMuch)?;
        Ok(())
    }
}

fn properties(layer: &Map<String, Value>) -> Option<&Map<String, Value>> {
    layer.get("properties").and_then(Value::as_object)
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Array(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_missing_is_filled_in_at_every_level_and_what_is_there_stays() {
        let schema = json!({
            "properties": {
                "limit": { "type": "integer", "default": 10 },
                "sort": { "$ref": "#/$defs/sort" },
                "page": { "$ref": "#/$defs/page" },
                "rows": { "items": { "$ref": "#/$defs/page" } },
                "pair": { "prefixItems": [{ "properties": { "a": { "default": 1 } } }], "items": { "$ref": "#/$defs/page" } },
                "old": { "items": [true, { "properties": { "b": { "default": 2 } } }], "additionalItems": { "$ref": "#/$defs/page" } },
                "map": { "additionalProperties": { "$ref": "#/$defs/page" } },
                "whole": { "default": {}, "properties": { "deep": { "default": { "x": 1 } } } },
                "none": { "properties": { "never": { "default": 1 } } },
            },
            "allOf": [{ "properties": { "also": { "default": true } } }],
            "anyOf": [{ "properties": { "perhaps": { "default": true } } }],
            "$defs": {
                "sort": { "enum": ["up", "down"], "default": "up" },
                "page": { "properties": { "size": { "default": 5 } } },
            },
        });
        let value = json!({
            "limit": null, "page": { "size": 7 }, "rows": [{}, { "size": 1 }, 3], "pair": [{}, {}], "old": [{}, {}, {}],
            "map": { "x": {} },
        });
        let expected = json!({
            "limit": null, "page": { "size": 7 }, "rows": [{ "size": 5 }, { "size": 1 }, 3], "pair": [{ "a": 1 }, { "size": 5 }],
            "old": [{}, { "b": 2 }, { "size": 5 }], "map": { "x": { "size": 5 } }, "sort": "up",
            "whole": { "deep": { "x": 1 } }, "also": true,
        });
        assert_eq!(fill_defaults(&schema, &value), Some(expected));
    }

    #[test]
    fn the_default_beside_a_reference_counts_more_than_the_one_behind_it() {
        let schema = json!({
            "properties": { "a": { "$ref": "#/$defs/a", "default": 1 } }, "$defs": { "a": { "default": 2 } },
        });
        assert_eq!(fill_defaults(&schema, &json!({})), Some(json!({ "a": 1 })));
    }

    #[test]
    fn nothing_is_filled_in_where_nothing_is_missing_or_nothing_is_known() {
        let schema = json!({ "properties": { "a": { "default": 1 } } });
        for value in [json!({ "a": 2 }), json!([{}]), json!("a"), json!(null)] {
            assert_eq!(fill_defaults(&schema, &value), None, "{value}");
        }
        for schema in [json!(true), json!({ "$ref": "#/nowhere" }), json!({ "$ref": "https://example.com/a.json" })] {
            assert_eq!(fill_defaults(&schema, &json!({})), None, "{schema}");
        }
    }

    #[test]
    fn defaults_that_do_not_end_or_are_too_much_are_left_out_altogether() {
        let endless = json!({ "properties": { "child": { "$ref": "#", "default": {} } } });
        let twice =
            json!({ "properties": { "a": { "$ref": "#", "default": {} }, "b": { "$ref": "#", "default": {} } } });
        let large = json!({ "additionalProperties": { "properties": { "text": { "default": "x".repeat(600_000) } } } });
        for schema in [endless, twice, large] {
            assert_eq!(fill_defaults(&schema, &json!({ "x": {}, "y": {} })), None);
        }
        let circle = json!({ "$ref": "#", "allOf": [{ "$ref": "#" }, { "$ref": "#" }], "properties": { "a": { "default": 1 } } });
        assert_eq!(fill_defaults(&circle, &json!({})), Some(json!({ "a": 1 })));
        let wide: Map<String, Value> = (0..2_000).map(|number| (format!("p{number}"), json!({}))).collect();
        let wide = json!({ "items": { "properties": wide } });
        let many = Value::Array(vec![json!({}); 10_000]);
        assert_eq!(fill_defaults(&wide, &many), None);
        let mut deep = json!(1);
        for _ in 0..500_000 {
            deep = Value::Array(vec![deep]);
        }
        assert_eq!(fill_defaults(&json!({}), &deep), None);
        crate::json::dismantle(deep);
    }
}
