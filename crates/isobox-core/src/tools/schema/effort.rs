//! Estimates the effort of a check before it runs.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::tools::work;

/// The effort of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Small enough to also report the mismatches.
    Little,
    Much,
    /// Large enough to block other work, or deeper than a stack.
    TooMuch,
}

/// The maximum effort, in visits of a schema part to a value part. A visit takes up to a hundred nanoseconds.
const MOST: u64 = 5_000_000;
/// The maximum of a small effort.
const LITTLE: u64 = 50_000;
/// How many times as long reporting mismatches takes as finding that there is one.
const REPORTING: u64 = 100;
/// The maximum length of all places of a small effort, in bytes. Each mismatch has its place, written out.
const LITTLE_WRITING: u64 = 16 << 20;
/// The maximum depth of nested visits.
const DEEPEST: usize = 1_000;

/// Estimates the effort of checking a value. All alternatives are counted, and repeated visits are counted each time,
/// as validators do.
pub(super) fn effort(schema: &Value, value: &Value) -> Effort {
    let most = work::allowed(MOST);
    let mut walk = Walk::new(schema, most);
    if let Err(Exhausted) = walk.meet(schema, value, 0) {
        if walk.is_too_deep {
            work::spend(most - walk.left);
        } else {
            work::exceed(most, MOST);
        }
        return Effort::TooMuch;
    }
    let steps = most - walk.left;
    work::spend(steps);
    if steps <= LITTLE && walk.written <= LITTLE_WRITING { Effort::Little } else { Effort::Much }
}

/// Counts the effort of reporting the mismatches of a value.
pub(super) fn spend_on_report(schema: &Value, value: &Value) {
    let mut walk = Walk::new(schema, MOST);
    // What is too much is not reported.
    let _ = walk.meet(schema, value, 0);
    work::spend(REPORTING * (MOST - walk.left));
}

/// Returns the part that a reference inside a schema points to.
pub(crate) fn target<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let pointer = reference.strip_prefix('#')?;
    let pointer: Cow<'_, str> = percent_decode_str(pointer).decode_utf8().ok()?;
    root.pointer(&pointer)
}

struct Walk<'s> {
    root: &'s Value,
    targets: HashMap<&'s str, Option<&'s Value>>,
    left: u64,
    is_too_deep: bool,
    /// The length of the place of the value that is visited: the keys on the way to it.
    place: u64,
    /// The length of the places of all mismatches, if nothing fits.
    written: u64,
}

struct Exhausted;

impl<'s> Walk<'s> {
    fn new(root: &'s Value, steps: u64) -> Self {
        Self { root, targets: HashMap::new(), left: steps, is_too_deep: false, place: 0, written: 0 }
    }

    fn spend(&mut self, work: usize) -> Result<(), Exhausted> {
        self.left = self.left.checked_sub(work as u64).ok_or(Exhausted)?;
        Ok(())
    }

    /// Counts a comparison with a value, or reading all of it.
    fn spend_on(&mut self, value: &Value) -> Result<(), Exhausted> {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => self.spend(1),
            Value::String(text) => self.spend(1 + text.len() / 64),
            Value::Array(items) => {
                self.spend(1)?;
                items.iter().try_for_each(|item| self.spend_on(item))
            }
            Value::Object(entries) => {
                self.spend(1 + entries.len())?;
                entries.iter().try_for_each(|(key, entry)| {
                    self.spend_on_key(key)?;
                    self.spend_on(entry)
                })
            }
        }
    }

    fn spend_on_key(&mut self, key: &str) -> Result<(), Exhausted> {
        self.spend(key.len() / 64)
    }

    /// Counts looking for two equal items. Items with the same hash are compared with each other.
    fn spend_on_unique(&mut self, items: &[Value]) -> Result<(), Exhausted> {
        let mut alike: HashMap<u64, (&Value, u64)> = HashMap::new();
        for item in items {
            let before = self.left;
            self.spend_on(item)?;
            let size = before - self.left;
            let mut hasher = DefaultHasher::new();
            hash_as_validators_do(item, &mut hasher);
            let (first, count) = alike.entry(hasher.finish()).or_insert((item, 0));
            if *count > 0 && *first == item {
                return Ok(());
            }
            self.left = self.left.checked_sub(size.saturating_mul(*count)).ok_or(Exhausted)?;
            *count += 1;
        }
        Ok(())
    }

    /// Visits an entry of an object.
    fn meet_entry(&mut self, schema: &'s Value, key: &str, value: &Value, depth: usize) -> Result<(), Exhausted> {
        self.place += key.len() as u64;
        let met = self.meet(schema, value, depth);
        self.place -= key.len() as u64;
        met
    }

    fn meet(&mut self, schema: &'s Value, value: &Value, depth: usize) -> Result<(), Exhausted> {
        self.spend(1)?;
        if depth == DEEPEST {
            self.is_too_deep = true;
            return Err(Exhausted);
        }
        let Value::Object(keywords) = schema else { return Ok(()) };
        // Validators find unevaluated parts by trying everything else again.
        let rounds = if ["unevaluatedProperties", "unevaluatedItems"].iter().any(|key| keywords.contains_key(*key)) {
            2
        } else {
            1
        };
        for _ in 0..rounds {
            for (keyword, part) in keywords {
                self.keyword(keyword, part, value, depth + 1)?;
            }
        }
        Ok(())
    }

    fn keyword(&mut self, keyword: &str, part: &'s Value, value: &Value, depth: usize) -> Result<(), Exhausted> {
        let mismatches = if keyword == "required" { part.as_array().map_or(1, Vec::len) as u64 } else { 1 };
        self.written = self.written.saturating_add(self.place.saturating_mul(mismatches));
        match (keyword, part) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                let root = self.root;
                let target = *self.targets.entry(reference).or_insert_with(|| target(root, reference));
                target.map_or(Ok(()), |target| self.meet(target, value, depth))
            }
            ("not" | "if" | "then" | "else", _) => self.meet(part, value, depth),
            ("allOf" | "anyOf" | "oneOf", Value::Array(parts)) => {
                parts.iter().try_for_each(|part| self.meet(part, value, depth))
            }
            ("dependentSchemas" | "dependencies", Value::Object(parts)) => {
                parts.values().try_for_each(|part| self.meet(part, value, depth))
            }
            ("enum" | "const" | "required" | "dependentRequired", _) => self.spend_on(part),
            ("pattern", Value::String(pattern)) => match value {
                Value::String(text) => self.spend(matching(pattern, text)),
                _ => Ok(()),
            },
            ("uniqueItems", Value::Bool(true)) => self.spend_on_unique(value.as_array().map_or(&[][..], Vec::as_slice)),
            _ => match value {
                Value::Object(entries) => self.of_object(keyword, part, entries, depth),
                Value::Array(items) => self.of_array(keyword, part, items, depth),
                Value::String(text) => self.spend(text.len() / 256),
                Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
            },
        }
    }

    fn of_object(
        &mut self,
        keyword: &str,
        part: &'s Value,
        entries: &Map<String, Value>,
        depth: usize,
    ) -> Result<(), Exhausted> {
        match (keyword, part) {
            ("properties", Value::Object(parts)) => {
                self.spend(parts.len())?;
                let both = parts.iter().filter_map(|(key, part)| Some((key, part, entries.get(key)?)));
                both.into_iter().try_for_each(|(key, part, entry)| self.meet_entry(part, key, entry, depth))
            }
            ("patternProperties", Value::Object(parts)) => {
                for (pattern, part) in parts {
                    for (key, entry) in entries {
                        self.spend(matching(pattern, key))?;
                        self.meet_entry(part, key, entry, depth)?;
                    }
                }
                Ok(())
            }
            ("additionalProperties" | "unevaluatedProperties", _) => entries.iter().try_for_each(|(key, entry)| {
                self.spend_on_key(key)?;
                self.meet_entry(part, key, entry, depth)
            }),
            ("propertyNames", _) => entries.keys().try_for_each(|key| {
                self.spend_on_key(key)?;
                self.meet(part, &Value::String(key.clone()), depth)
            }),
            _ => Ok(()),
        }
    }

    fn of_array(&mut self, keyword: &str, part: &'s Value, items: &[Value], depth: usize) -> Result<(), Exhausted> {
        match (keyword, part) {
            ("items" | "prefixItems", Value::Array(parts)) => {
                parts.iter().zip(items).try_for_each(|(part, item)| self.meet(part, item, depth))
            }
            ("items" | "additionalItems" | "unevaluatedItems" | "contains", _) => {
                items.iter().try_for_each(|item| self.meet(part, item, depth))
            }
            _ => Ok(()),
        }
    }
}

/// Hashes a value as validators do: they do not see where a list inside of a value begins and ends.
fn hash_as_validators_do(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Null => 0_u32.hash(hasher),
        Value::Bool(flag) => flag.hash(hasher),
        Value::Number(number) => number.as_f64().map(f64::to_bits).hash(hasher),
        Value::String(text) => text.hash(hasher),
        Value::Array(items) => items.iter().for_each(|item| hash_as_validators_do(item, hasher)),
        Value::Object(entries) => {
            let of_entry = |(key, entry): (&String, &Value)| {
                let mut hasher = DefaultHasher::new();
                key.hash(&mut hasher);
                hash_as_validators_do(entry, &mut hasher);
                hasher.finish()
            };
            entries.iter().map(of_entry).fold(0, std::ops::BitXor::bitxor).hash(hasher);
        }
    }
}

/// Returns the effort of matching a pattern: linear in the text, and in the pattern with its repetitions written out.
fn matching(pattern: &str, text: &str) -> usize {
    /// The maximum number of states within the size limit of a compiled pattern.
    const STATES: usize = 5_000;
    let repetitions = pattern.split('{').skip(1).map(|rest| {
        let digits = |part: &str| part.bytes().take_while(u8::is_ascii_digit).count();
        let least = digits(rest);
        let most = rest[least..].strip_prefix(',').map_or("", |rest| &rest[..digits(rest)]);
        most.parse().or_else(|_| rest[..least].parse()).unwrap_or(1_usize).max(1)
    });
    let states = repetitions.fold(pattern.len(), usize::saturating_mul).min(STATES);
    1 + text.len().saturating_mul(states) / 50
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn spent(schema: &Value, value: &Value) -> u64 {
        let mut walk = Walk::new(schema, MOST);
        assert!(walk.meet(schema, value, 0).is_ok());
        MOST - walk.left
    }

    #[test]
    fn every_keyword_that_applies_a_schema_is_followed() {
        let long = json!({ "enum": (0..1_000).collect::<Vec<_>>() });
        let (object, array) = (json!({ "a": 1 }), json!([1]));
        for (schema, value) in [
            (json!({ "$ref": "#/x", "x": long }), &object),
            (json!({ "not": long }), &object),
            (json!({ "then": long }), &object),
            (json!({ "oneOf": [long] }), &object),
            (json!({ "dependentSchemas": { "a": long } }), &object),
            (json!({ "properties": { "a": long } }), &object),
            (json!({ "patternProperties": { "b": long } }), &object),
            (json!({ "additionalProperties": long }), &object),
            (json!({ "unevaluatedProperties": long }), &object),
            (json!({ "propertyNames": long }), &object),
            (json!({ "items": long }), &array),
            (json!({ "items": [long] }), &array),
            (json!({ "prefixItems": [long] }), &array),
            (json!({ "additionalItems": long }), &array),
            (json!({ "contains": long }), &array),
        ] {
            assert!((1_000..2_100).contains(&spent(&schema, value)), "{} for {schema}", spent(&schema, value));
        }
        assert!(spent(&json!({ "properties": { "b": long } }), &object) < 10);
        let mut nested = long;
        for _ in 0..10 {
            nested = json!({ "allOf": [nested], "unevaluatedProperties": false });
        }
        assert_eq!(effort(&nested, &object), Effort::Much, "each level is tried twice");
    }

    #[test]
    fn items_that_only_comparing_tells_apart_weigh_as_their_comparisons() {
        /// Returns lists that have nothing but lists inside, each in another form.
        fn forms(size: usize) -> Vec<Value> {
            if size == 0 {
                return vec![json!([])];
            }
            let pairs = (0..size).flat_map(|first| {
                let rest = forms(size - 1 - first);
                forms(first)
                    .into_iter()
                    .flat_map(move |first| rest.clone().into_iter().map(move |rest| (first.clone(), rest)))
            });
            pairs
                .map(|(first, rest)| [vec![first], rest.as_array().cloned().unwrap_or_default()].concat().into())
                .collect()
        }
        let unique = json!({ "uniqueItems": true });
        assert_eq!(effort(&unique, &json!(forms(9))), Effort::TooMuch);
        assert_eq!(effort(&unique, &json!(vec![json!([[]]); 20_000])), Effort::Little, "the second ends the search");
        let rows: Vec<Value> =
            (0..20_000).map(|number| json!({ "id": number, "tags": [], "at": [number, 1] })).collect();
        assert_eq!(effort(&unique, &json!(rows)), Effort::Much);
    }

    #[test]
    fn long_places_of_mismatches_are_not_written_a_thousand_times() {
        let schema = json!({ "additionalProperties": { "items": { "type": "integer" } } });
        let rows = |key: &str| json!({ key: vec!["x"; 5_000] });
        assert_eq!(effort(&schema, &rows("rows")), Effort::Little);
        assert_eq!(effort(&schema, &rows(&"x".repeat(100_000))), Effort::Much);
        let strict =
            json!({ "additionalProperties": { "required": (0..1_000).map(|n| n.to_string()).collect::<Vec<_>>() } });
        assert_eq!(effort(&strict, &json!({ "x".repeat(100_000): {} })), Effort::Much);
    }

    #[test]
    fn texts_and_patterns_weigh_by_their_length() {
        let pattern = |pattern: &str| json!({ "pattern": pattern });
        let text = json!("x".repeat(10_000));
        assert!(spent(&pattern("^[a-z]+$"), &text) < 3_000);
        assert!(spent(&pattern("^([a-z]{1,100}){1,100}$"), &text) > 500_000);
        assert_eq!(spent(&pattern("("), &json!(1)), 1);
        assert_eq!(matching("a{2}{,7}{x", ""), 1);
        let twice = json!({ "uniqueItems": true });
        assert!(spent(&twice, &json!([text, text])) > 300);
        let long_key = json!({ "x".repeat(64_000): 1 });
        for schema in [
            json!({ "additionalProperties": false }),
            json!({ "unevaluatedProperties": false }),
            json!({ "propertyNames": { "type": "string" } }),
            json!({ "const": long_key }),
        ] {
            assert!(spent(&schema, &long_key) > 1_000);
        }
    }
}
