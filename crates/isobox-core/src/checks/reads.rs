//! Finds properties that a result cannot have, because the schema of the tool closes the object.

use serde_json::Value;

use crate::program::Name;
use crate::text::brief;
use crate::tools::schema::{nearest_key, reference_target};

/// The maximum depth of schemas within schemas.
const MAXIMUM_DEPTH: usize = 24;

/// A property that a result cannot have.
pub(super) struct Missing<'s> {
    /// The index of its name.
    pub(super) index: usize,
    pub(super) name: String,
    known: Vec<&'s str>,
}

impl Missing<'_> {
    /// Returns `; did you mean …?`, or nothing.
    pub(super) fn advice(&self) -> String {
        let meant = nearest_key(&self.name, self.known.iter().copied());
        meant.map(|key| format!("; did you mean `{}`?", brief(key, 60))).unwrap_or_default()
    }

    /// Returns the properties that there are.
    pub(super) fn hint(&self) -> Option<String> {
        /// The maximum number of properties that are shown.
        const SHOWN: usize = 12;
        let mut names: Vec<String> =
            self.known.iter().take(SHOWN).map(|name| format!("`{}`", brief(name, 60))).collect();
        if self.known.len() > SHOWN {
            names.push(format!("{} more", self.known.len() - SHOWN));
        }
        (!names.is_empty()).then(|| format!("its properties are {}", names.join(", ")))
    }
}

/// Returns the first name that leads to nothing, if the schema says so for certain.
pub(super) fn missing_property<'s>(schema: &'s Value, names: &[Name]) -> Option<Missing<'s>> {
    let mut at = schema;
    for (index, name) in names.iter().enumerate() {
        at = match step(schema, at, name, 0)? {
            Step::To(part) => part,
            Step::Missing(known) => {
                let Name::Property(name) = name else { return None };
                return Some(Missing { index, name: name.clone(), known });
            }
        };
    }
    None
}

enum Step<'s> {
    To(&'s Value),
    Missing(Vec<&'s str>),
}

fn step<'s>(root: &'s Value, schema: &'s Value, name: &Name, depth: usize) -> Option<Step<'s>> {
    /// The keywords that may allow or demand other properties.
    const OTHERS: [&str; 9] = [
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "patternProperties",
        "dependentSchemas",
        "unevaluatedProperties",
        "$dynamicRef",
    ];
    let schema = schema.as_object().filter(|_| depth < MAXIMUM_DEPTH)?;
    if let Some(target) = schema.get("$ref") {
        return step(root, reference_target(root, target.as_str()?)?, name, depth + 1);
    }
    if let Some(only) = only_object(schema.get("anyOf").or(schema.get("oneOf"))) {
        return step(root, only, name, depth + 1);
    }
    if OTHERS.iter().any(|keyword| schema.contains_key(*keyword)) {
        return None;
    }
    let is_of = |kind: &str| match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(several)) => several.iter().all(|one| one == kind || one == "null") && !several.is_empty(),
        _ => false,
    };
    match name {
        Name::Item if is_of("array") && !schema.contains_key("prefixItems") => schema.get("items").map(Step::To),
        Name::Item => None,
        Name::Property(name) if is_of("object") => {
            let properties = schema.get("properties").and_then(Value::as_object);
            if let Some(part) = properties.and_then(|properties| properties.get(name)) {
                return Some(Step::To(part));
            }
            let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
            let known = || properties.into_iter().flat_map(|all| all.keys().map(String::as_str)).collect();
            (is_closed && !is_of_every_object(name)).then(|| Step::Missing(known()))
        }
        Name::Property(_) => None,
    }
}

/// Returns the only alternative that is not `null`.
fn only_object(alternatives: Option<&Value>) -> Option<&Value> {
    let is_null = |one: &&Value| one.get("type").is_some_and(|kind| kind == "null");
    let mut others = alternatives?.as_array()?.iter().filter(|one| !is_null(one));
    others.next().filter(|_| others.next().is_none())
}

/// Checks whether every object has a property.
fn is_of_every_object(name: &str) -> bool {
    matches!(
        name,
        "constructor"
            | "hasOwnProperty"
            | "isPrototypeOf"
            | "propertyIsEnumerable"
            | "toLocaleString"
            | "toString"
            | "valueOf"
            | "then"
            | "__proto__"
            | "__defineGetter__"
            | "__defineSetter__"
            | "__lookupGetter__"
            | "__lookupSetter__"
    )
}
