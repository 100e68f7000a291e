//! Finds out whether an argument that is only partly known can fit a schema.
//!
//! Only keywords whose meaning is plain are used. Whatever else a schema demands is checked when the call is made.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::program::{Extent, Literal};
use crate::text::brief;
use crate::tools::schema::{nearest_key, reference_target};
use crate::tools::work;

/// The maximum depth of schemas within schemas.
const MAXIMUM_DEPTH: usize = 24;
/// The maximum number of schemas that are tried.
const MAXIMUM_STEPS: usize = 2000;
/// The number of parts of an argument that take as long as another schema.
const PARTS_PER_STEP: usize = 100;

/// Returns why no value that an argument may have fits a schema.
pub(super) fn misfit(schema: &Value, argument: &Literal, fills_defaults: bool) -> Option<String> {
    let mut search = Search { root: schema, fills_defaults, steps: MAXIMUM_STEPS };
    let why = search.misfit(schema, argument, Way::Start, 0);
    work::spend((MAXIMUM_STEPS - search.steps) as u64 * PARTS_PER_STEP as u64);
    why
}

/// The way from an argument to one of its parts. It is written down only if the part is wrong.
#[derive(Clone, Copy)]
enum Way<'w> {
    Start,
    Property(&'w Way<'w>, &'w str),
    Item(&'w Way<'w>, Option<usize>),
}

impl Way<'_> {
    fn write(&self, text: &mut String) {
        match self {
            Self::Start => {}
            Self::Property(before, name) => {
                before.write(text);
                text.push('/');
                text.push_str(&brief(name, 60));
            }
            Self::Item(before, index) => {
                before.write(text);
                text.push('/');
                match index {
                    Some(index) => text.push_str(&index.to_string()),
                    None => text.push('…'),
                }
            }
        }
    }
}

struct Search<'s> {
    root: &'s Value,
    fills_defaults: bool,
    steps: usize,
}

impl<'s> Search<'s> {
    fn misfit(&mut self, schema: &'s Value, value: &Literal, at: Way<'_>, depth: usize) -> Option<String> {
        self.steps = self.steps.checked_sub(1)?;
        let schema = schema.as_object().filter(|_| depth < MAXIMUM_DEPTH && *value != Literal::Unknown)?;
        if let Some(target) = schema.get("$ref") {
            let target = reference_target(self.root, target.as_str()?)?;
            // Older schemas ignore what is beside a reference.
            return self.misfit(target, value, at, depth + 1);
        }
        let plain = wrong_type(schema, value).or_else(|| wrong_choice(schema, value));
        if let Some(why) = plain {
            return Some(placed(at, &why));
        }
        if let Some(why) = self.wrong_part(schema, value, at, depth) {
            return Some(why);
        }
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            if let Some(why) = self.misfit(part, value, at, depth + 1) {
                return Some(why);
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let Some(alternatives) = schema.get(keyword).and_then(Value::as_array) else { continue };
            let mut reasons = Vec::new();
            for alternative in alternatives {
                match self.misfit(alternative, value, at, depth + 1) {
                    Some(why) => reasons.push(why),
                    None => break,
                }
            }
            if !alternatives.is_empty() && reasons.len() == alternatives.len() {
                return Some(match reasons.as_slice() {
                    [only] => only.clone(),
                    [first, ..] => format!("it fits none of {} alternatives; for the first, {first}", reasons.len()),
                    [] => return None,
                });
            }
        }
        None
    }

    /// Counts parts of an argument that are looked at. Returns none if that is too much.
    fn look_at(&mut self, parts: usize) -> Option<()> {
        let left = self.steps.checked_sub(parts / PARTS_PER_STEP);
        self.steps = left.unwrap_or_default();
        left.map(|_| ())
    }

    fn wrong_part(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &Literal,
        at: Way<'_>,
        depth: usize,
    ) -> Option<String> {
        let whole;
        if let Literal::Value(value) = value {
            self.look_at(size(value))?;
        }
        let value = match value {
            Literal::Value(Value::Object(entries)) => {
                let entries = entries.iter().map(|(name, value)| (name.clone(), Literal::Value(value.clone())));
                whole = Literal::Object(entries.collect(), Extent::Closed);
                &whole
            }
            Literal::Value(Value::Array(items)) => {
                whole = Literal::Array(items.iter().cloned().map(Literal::Value).collect(), Extent::Closed);
                &whole
            }
            other => other,
        };
        match value {
            Literal::Object(entries, extent) => self.wrong_object(schema, entries, *extent, at, depth),
            Literal::Array(items, extent) => self.wrong_array(schema, items, *extent, at, depth),
            Literal::Unknown | Literal::Text | Literal::Value(_) => None,
        }
    }

    fn wrong_object(
        &mut self,
        schema: &'s Map<String, Value>,
        entries: &[(String, Literal)],
        extent: Extent,
        at: Way<'_>,
        depth: usize,
    ) -> Option<String> {
        let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        self.look_at(entries.len() + required.len())?;
        let properties = schema.get("properties").and_then(Value::as_object);
        let property = |name: &str| properties.and_then(|all| all.get(name));
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false))
            && !schema.contains_key("patternProperties");
        let known = || properties.into_iter().flat_map(|all| all.keys().map(String::as_str));
        for (name, value) in entries {
            match property(name) {
                Some(part) => {
                    if let Some(why) = self.misfit(part, value, Way::Property(&at, name), depth + 1) {
                        return Some(why);
                    }
                }
                // A value that is `undefined` leaves the property out.
                None if is_closed && *value != Literal::Unknown => {
                    let meant = nearest_key(name, known());
                    let meant = meant.map(|key| format!(" (did you mean `{}`?)", brief(key, 60))).unwrap_or_default();
                    return Some(placed(at, &format!("there is no property `{}`{meant}", brief(name, 60))));
                }
                None => {}
            }
        }
        if extent == Extent::Open {
            return None;
        }
        if required.is_empty() {
            return None;
        }
        let given: HashSet<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        for name in required.iter().filter_map(Value::as_str) {
            if !(given.contains(name) || self.fills_defaults && self.may_fill(name)) {
                let strange = entries.iter().map(|(name, _)| name.as_str()).filter(|name| property(name).is_none());
                let meant = nearest_key(name, strange);
                let meant = meant.map(|key| format!(" (is `{}` meant to be it?)", brief(key, 60))).unwrap_or_default();
                return Some(placed(at, &format!("\"{}\" is a required property{meant}", brief(name, 60))));
            }
        }
        None
    }

    /// Checks whether a property that is missing may be added at run time: some part of the schema has a default for a property
    /// with its name.
    fn may_fill(&mut self, name: &str) -> bool {
        let mut left = vec![self.root];
        while let Some(schema) = left.pop() {
            let Some(steps) = self.steps.checked_sub(1) else { return true };
            self.steps = steps;
            match schema {
                Value::Object(entries) => {
                    let part = entries.get("properties").and_then(|properties| properties.get(name));
                    if part.is_some_and(|part| self.may_have_default(part)) {
                        return true;
                    }
                    left.extend(entries.values());
                }
                Value::Array(items) => left.extend(items),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        false
    }

    /// Checks whether a schema may have a default: its own, or that of a schema that applies together with it.
    fn may_have_default(&mut self, schema: &'s Value) -> bool {
        let mut left = vec![schema];
        while let Some(schema) = left.pop() {
            let Some(steps) = self.steps.checked_sub(1) else { return true };
            self.steps = steps;
            let Value::Object(schema) = schema else { continue };
            if schema.contains_key("default") {
                return true;
            }
            left.extend(schema.get("allOf").and_then(Value::as_array).into_iter().flatten());
            match schema.get("$ref").and_then(Value::as_str).map(|target| reference_target(self.root, target)) {
                Some(Some(target)) => left.push(target),
                Some(None) => return true,
                None => {}
            }
        }
        false
    }

    fn wrong_array(
        &mut self,
        schema: &'s Map<String, Value>,
        items: &[Literal],
        extent: Extent,
        at: Way<'_>,
        depth: usize,
    ) -> Option<String> {
        let part = schema.get("items").filter(|_| !schema.contains_key("prefixItems"))?;
        for (index, item) in items.iter().enumerate() {
            let index = (extent == Extent::Closed).then_some(index);
            if let Some(why) = self.misfit(part, item, Way::Item(&at, index), depth + 1) {
                return Some(why);
            }
        }
        None
    }
}

/// Returns the number of values in a value.
pub(super) fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(entries) => 1 + entries.values().map(size).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

fn placed(at: Way<'_>, why: &str) -> String {
    let mut way = String::new();
    at.write(&mut way);
    if way.is_empty() { why.to_owned() } else { format!("at {way}: {why}") }
}

/// Returns the types of JSON Schema that a value has. Empty if they are not known.
fn types_of(value: &Literal) -> &'static [&'static str] {
    match value {
        Literal::Unknown => &[],
        Literal::Text | Literal::Value(Value::String(_)) => &["string"],
        Literal::Array(..) | Literal::Value(Value::Array(_)) => &["array"],
        Literal::Object(..) | Literal::Value(Value::Object(_)) => &["object"],
        Literal::Value(Value::Null) => &["null"],
        Literal::Value(Value::Bool(_)) => &["boolean"],
        Literal::Value(Value::Number(number)) if number.is_f64() => match number.as_f64() {
            Some(number) if number.fract() != 0.0 => &["number"],
            _ => &["integer", "number"],
        },
        Literal::Value(Value::Number(_)) => &["integer", "number"],
    }
}

fn wrong_type(schema: &Map<String, Value>, value: &Literal) -> Option<String> {
    let types = types_of(value);
    let allowed = match schema.get("type")? {
        only @ Value::String(_) => std::slice::from_ref(only),
        Value::Array(several) => several.as_slice(),
        _ => return None,
    };
    let is_allowed = |kind: &Value| kind.as_str().is_none_or(|kind| types.contains(&kind));
    if types.is_empty() || allowed.iter().any(is_allowed) {
        return None;
    }
    let names = allowed.iter().filter_map(Value::as_str);
    let allowed: Vec<String> = names.map(|kind| format!("\"{}\"", brief(kind, 20))).collect();
    Some(format!("{} is not of type {}", shown(value, types), allowed.join(", ")))
}

fn wrong_choice(schema: &Map<String, Value>, value: &Literal) -> Option<String> {
    /// The maximum number of choices that are shown.
    const SHOWN: usize = 12;
    let Literal::Value(value) = value else { return None };
    let choices = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(choices)), _) => choices.as_slice(),
        (None, Some(only)) => std::slice::from_ref(only),
        _ => return None,
    };
    if choices.iter().any(|choice| is_same(choice, value)) {
        return None;
    }
    let mut names: Vec<String> =
        choices.iter().take(SHOWN).map(|choice| brief(&choice.to_string(), 60).to_string()).collect();
    if choices.len() > SHOWN {
        names.push(format!("{} more", choices.len() - SHOWN));
    }
    Some(format!("{} is not one of {}", brief(&value.to_string(), 80), names.join(", ")))
}

/// Compares values as JSON Schema does: numbers by their value.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => one == other || one.is_array() || one.is_object(),
    }
}

fn shown(value: &Literal, types: &[&str]) -> String {
    match value {
        Literal::Value(value) if !value.is_object() && !value.is_array() => brief(&value.to_string(), 80).to_string(),
        _ => format!("a value of type \"{}\"", types.first().copied().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn defaults_are_filled_wherever_the_schema_has_them() {
        let argument = Literal::Object(vec![("other".to_owned(), Literal::Unknown)], Extent::Closed);
        let unit = json!({ "type": "string", "default": "C" });
        for (schema, is_filled) in [
            (json!({ "properties": { "unit": unit }, "required": ["unit"] }), true),
            (
                json!({ "properties": { "unit": { "$ref": "#/$defs/unit" } }, "required": ["unit"], "$defs": { "unit": unit } }),
                true,
            ),
            (json!({ "properties": { "unit": { "allOf": [unit] } }, "required": ["unit"] }), true),
            (json!({ "allOf": [{ "properties": { "unit": unit } }, { "required": ["unit"] }] }), true),
            (json!({ "properties": { "unit": unit }, "anyOf": [{ "required": ["unit"] }] }), true),
            (json!({ "properties": { "unit": { "type": "string" } }, "required": ["unit"] }), false),
            (json!({ "properties": { "unit": { "$ref": "#/properties/unit" } }, "required": ["unit"] }), true),
        ] {
            assert!(misfit(&schema, &argument, false).is_some(), "{schema}");
            assert_eq!(misfit(&schema, &argument, true).is_none(), is_filled, "{schema}");
        }
    }

    #[test]
    fn a_large_argument_is_not_looked_at_for_each_of_many_alternatives() {
        let list = Literal::Value((0..10_000).map(|number| json!(number)).collect());
        let argument =
            Literal::Object(vec![("other".to_owned(), Literal::Unknown), ("list".to_owned(), list)], Extent::Closed);
        let texts = json!({ "items": { "type": "string" } });
        for (alternatives, is_found) in [(1, true), (1_500, false)] {
            let schema = json!({ "properties": { "list": { "anyOf": vec![texts.clone(); alternatives] } } });
            assert_eq!(misfit(&schema, &argument, false).is_some(), is_found, "{alternatives}");
        }
    }
}
