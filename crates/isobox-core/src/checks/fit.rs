//! Finds out whether an argument that is only partly known can fit a schema.
//!
//! Only keywords whose meaning is plain are used. Whatever else a schema demands is checked when the call is made.

use serde_json::{Map, Value};

use crate::program::{Extent, Literal};
use crate::text::brief;
use crate::tools::schema::{nearest_key, reference_target};

/// The maximum depth of schemas within schemas.
const MAXIMUM_DEPTH: usize = 24;
/// The maximum number of schemas that are tried.
const MAXIMUM_STEPS: usize = 2000;

/// Returns why no value that an argument may have fits a schema.
pub(super) fn misfit(schema: &Value, argument: &Literal, fills_defaults: bool) -> Option<String> {
    let mut search = Search { root: schema, fills_defaults, steps: MAXIMUM_STEPS };
    search.misfit(schema, argument, Way::Start, 0)
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

    fn wrong_part(
        &mut self,
        schema: &'s Map<String, Value>,
        value: &Literal,
        at: Way<'_>,
        depth: usize,
    ) -> Option<String> {
        let whole;
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
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for name in required {
            let is_filled = self.fills_defaults && property(name).is_some_and(|part| part.get("default").is_some());
            if !is_filled && entries.iter().all(|(other, _)| other != name) {
                let strange = entries.iter().map(|(name, _)| name.as_str()).filter(|name| property(name).is_none());
                let meant = nearest_key(name, strange);
                let meant = meant.map(|key| format!(" (is `{}` meant to be it?)", brief(key, 60))).unwrap_or_default();
                return Some(placed(at, &format!("\"{}\" is a required property{meant}", brief(name, 60))));
            }
        }
        None
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
