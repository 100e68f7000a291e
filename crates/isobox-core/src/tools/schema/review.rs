//! Reviews whether a schema of a connector can be used for checks.

use std::collections::HashMap;

use serde_json::Value;

use super::effort::target;

/// The maximum size of a schema with all references expanded.
struct Bounds {
    parts: u64,
    depth: usize,
}

const MAX_DEPTH: usize = 500;
const USUAL: Bounds = Bounds { parts: 10_000_000, depth: MAX_DEPTH };
/// The bounds if the schema has unevaluated parts: a validator expands those.
const LEFT_OVER: Bounds = Bounds { parts: 2_000, depth: 100 };
/// The maximum number of patterns. Each compiled pattern takes memory.
const MAX_PATTERNS: usize = 200;

/// Returns why an untrusted schema cannot be used, as the end of a sentence about it.
pub(crate) fn objection(schema: &Value) -> Option<String> {
    let mut review = Review { root: schema, patterns: 0, has_left_over: false };
    if let Err(objection) = review.read(schema, schema, 0) {
        return Some(objection);
    }
    too_large(schema, if review.has_left_over { &LEFT_OVER } else { &USUAL })
}

/// Returns why checks against a condition of the host cannot be bounded, as the end of a sentence about it.
pub(crate) fn unfolding_objection(schema: &Value) -> Option<String> {
    too_large(schema, if has_left_over(schema) { &LEFT_OVER } else { &USUAL })
}

fn too_large(schema: &Value, bounds: &Bounds) -> Option<String> {
    let mut unfolding = Unfolding { root: schema, known: HashMap::new() };
    let Extent { parts, depth } = unfolding.extent(schema, 0);
    if depth > bounds.depth {
        return Some(format!("is more than {} levels deep with what it refers to", bounds.depth));
    }
    (parts > bounds.parts).then(|| format!("has more than {} parts with what it refers to", bounds.parts))
}

fn is_left_over(keyword: &str) -> bool {
    matches!(keyword, "unevaluatedProperties" | "unevaluatedItems")
}

fn has_left_over(value: &Value) -> bool {
    match value {
        Value::Object(entries) => entries.iter().any(|(key, entry)| is_left_over(key) || has_left_over(entry)),
        Value::Array(items) => items.iter().any(has_left_over),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Checks every part of a schema.
struct Review<'s> {
    root: &'s Value,
    patterns: usize,
    has_left_over: bool,
}

impl<'s> Review<'s> {
    fn read(&mut self, value: &'s Value, root: &'s Value, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(format!("is more than {MAX_DEPTH} levels deep"));
        }
        match value {
            Value::Object(entries) => {
                for (key, entry) in entries {
                    self.entry(key, entry, std::ptr::eq(value, root))?;
                    self.read(entry, root, depth + 1)?;
                }
                Ok(())
            }
            Value::Array(items) => items.iter().try_for_each(|item| self.read(item, root, depth + 1)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        }
    }

    fn entry(&mut self, key: &str, entry: &Value, is_root: bool) -> Result<(), String> {
        match (key, entry) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                let is_inside = reference == "#" || reference.starts_with("#/");
                if !is_inside || target(self.root, reference).is_none() {
                    let reference = crate::text::brief(reference, 80);
                    return Err(format!("refers to `{reference}`, which is not a place in it"));
                }
            }
            // References below an `$id` would refer to another document.
            ("$id", Value::String(_)) if !is_root => return Err("has parts with a `$id`".to_owned()),
            ("id", Value::String(_)) if !is_root && self.is_of_draft_4() => {
                return Err("has parts with an `id`".to_owned());
            }
            ("pattern", Value::String(pattern)) => self.pattern(pattern)?,
            ("patternProperties", Value::Object(patterns)) => {
                patterns.keys().try_for_each(|pattern| self.pattern(pattern))?;
            }
            _ => self.has_left_over |= is_left_over(key),
        }
        Ok(())
    }

    fn is_of_draft_4(&self) -> bool {
        self.root.get("$schema").and_then(Value::as_str).is_some_and(|dialect| dialect.contains("draft-04"))
    }

    /// Refuses patterns that need backtracking, which may take for ever.
    fn pattern(&mut self, pattern: &str) -> Result<(), String> {
        self.patterns += 1;
        if self.patterns > MAX_PATTERNS {
            return Err(format!("has more than {MAX_PATTERNS} patterns"));
        }
        let looks_around = ["(?=", "(?!", "(?<=", "(?<!", "\\k<"].iter().any(|mark| pattern.contains(mark));
        let mut escapes = pattern.split('\\').skip(1);
        let refers_back = escapes.any(|rest| rest.starts_with(|first: char| matches!(first, '1'..='9')));
        if looks_around || refers_back {
            let pattern = crate::text::brief(pattern, 80);
            return Err(format!("has the pattern `{pattern}`, which looks around or back"));
        }
        Ok(())
    }
}

/// The size of a schema with all references expanded.
struct Unfolding<'s> {
    root: &'s Value,
    /// The extent by reference. Empty while it is computed, so that a cycle is followed once.
    known: HashMap<&'s str, Extent>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Extent {
    parts: u64,
    depth: usize,
}

impl<'s> Unfolding<'s> {
    fn extent(&mut self, value: &'s Value, depth: usize) -> Extent {
        let mut sum = Extent { parts: 1, depth: 0 };
        if depth > MAX_DEPTH {
            return Extent { parts: 1, depth: MAX_DEPTH + 1 };
        }
        match value {
            Value::Object(entries) => {
                for (key, entry) in entries {
                    match (key.as_str(), entry) {
                        ("$defs" | "definitions" | "components", _) => {}
                        ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                            sum.add(self.referred(reference, depth + 1));
                        }
                        _ => sum.add(self.extent(entry, depth + 1)),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| sum.add(self.extent(item, depth + 1))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        sum
    }

    fn referred(&mut self, reference: &'s str, depth: usize) -> Extent {
        if let Some(extent) = self.known.get(reference) {
            return *extent;
        }
        self.known.insert(reference, Extent::default());
        let extent = target(self.root, reference).map_or_else(Extent::default, |target| self.extent(target, depth));
        self.known.insert(reference, extent);
        extent
    }
}

impl Extent {
    fn add(&mut self, part: Self) {
        self.parts = self.parts.saturating_add(part.parts);
        self.depth = self.depth.max(part.depth.saturating_add(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns nested definitions.
    fn chain(length: usize, link: impl Fn(Value) -> Value) -> Value {
        let mut definitions = serde_json::Map::new();
        for number in 0..length {
            let next = json!({ "$ref": format!("#/$defs/a{}", number + 1) });
            definitions.insert(format!("a{number}"), link(next));
        }
        definitions.insert(format!("a{length}"), json!({ "type": "string" }));
        json!({ "$defs": definitions, "$ref": "#/$defs/a0" })
    }

    #[test]
    fn what_unfolds_without_end_is_objected_to() {
        let doubling = |length| chain(length, |next| json!({ "anyOf": [next.clone(), next] }));
        assert_eq!(objection(&doubling(10)), None);
        let reason = "has more than 10000000 parts with what it refers to".to_owned();
        assert_eq!(objection(&doubling(40)), Some(reason.clone()));
        assert_eq!(objection(&doubling(100)), Some(reason));
        let endless = chain(20_000, |next| json!({ "not": next }));
        assert_eq!(objection(&endless), Some("is more than 500 levels deep with what it refers to".to_owned()));
    }

    #[test]
    fn what_is_about_the_rest_has_to_be_small() {
        let strict = |next| json!({ "allOf": [next], "unevaluatedProperties": false });
        assert_eq!(objection(&chain(10, strict)), None);
        let reason = "is more than 100 levels deep with what it refers to".to_owned();
        assert_eq!(objection(&chain(400, strict)), Some(reason));
    }

    #[test]
    fn a_usual_schema_is_fine() {
        let tree = json!({ "$id": "https://example.com/tree", "$ref": "#/definitions/node", "definitions": {
            "node": { "properties": { "children": { "items": { "$ref": "#/definitions/node" } }, "id": { "type": "string" } },
                      "patternProperties": { "^x-\\w+$": true } } }, "examples": [{ "id": "a" }] });
        assert_eq!(objection(&tree), None);
    }

    #[test]
    fn what_cannot_be_followed_or_bounded_is_objected_to() {
        for (schema, reason) in [
            (json!({ "$ref": "https://example.com/x.json" }), "refers to `https://example.com/x.json`"),
            (json!({ "items": { "$ref": "#/nowhere" } }), "refers to `#/nowhere`"),
            (json!({ "items": { "$ref": "#anchor" } }), "refers to `#anchor`"),
            (json!({ "items": { "$id": "x" } }), "has parts with a `$id`"),
            (json!({ "pattern": "^(?=(a+)+$)" }), "has the pattern `^(?=(a+)+$)`"),
            (json!({ "patternProperties": { "(a)\\1": {} } }), "has the pattern `(a)\\1`"),
            (json!({ "allOf": vec![json!({ "pattern": "a" }); 201] }), "has more than 200 patterns"),
        ] {
            let objection = objection(&schema).expect("it is not fine");
            assert!(objection.starts_with(reason), "{objection}");
        }
    }
}
