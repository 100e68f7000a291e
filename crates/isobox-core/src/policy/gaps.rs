//! Finds inputs that a condition probably fits by mistake: those that lack what it speaks about.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::text::shorten;
use crate::tools::schema::reference_target;

/// The maximum number of gaps that are described.
const MAX_GAPS: usize = 10;
/// The maximum number of schemas that are looked at. A schema may refer to itself.
const MAX_SCHEMAS: usize = 1000;

/// Describes inputs that fit a condition although it constrains a property that they lack, or have with another type, at any
/// depth. A property with a `default` may be absent. Knows nothing of `not`, `if` and the keywords that depend on them.
pub(super) fn gaps(condition: &Value) -> Vec<String> {
    let mut search = Search { root: condition, found: Vec::new(), left: MAX_SCHEMAS };
    search.place("", &[condition], &BTreeSet::new());
    search.found.truncate(MAX_GAPS);
    search.found
}

struct Search<'s> {
    root: &'s Value,
    found: Vec<String>,
    left: usize,
}

impl<'s> Search<'s> {
    /// Looks at the schemas that all apply to one place of the input. `above` are names that are required there anyway.
    fn place(&mut self, place: &str, schemas: &[&'s Value], above: &BTreeSet<&'s str>) {
        if self.found.len() >= MAX_GAPS {
            return;
        }
        let mut together = Vec::new();
        schemas.iter().for_each(|schema| self.collect(schema, &mut together));
        if together.iter().any(|schema| is_exact(schema)) {
            return;
        }
        let alternatives: Vec<&'s Value> = together.iter().copied().flat_map(alternatives).collect();
        let mut required = above.clone();
        required.extend(together.iter().copied().flat_map(names));
        let mut somewhere = required.clone();
        let mut parts = Vec::new();
        alternatives.iter().for_each(|schema| self.collect(schema, &mut parts));
        somewhere.extend(parts.into_iter().flat_map(names));
        for (name, schemas) in properties(&together) {
            let path = if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
            if !somewhere.contains(name) && !schemas.iter().any(|schema| schema.get("default").is_some()) {
                self.absent(place, &path);
            }
            self.another_type(&path, &schemas);
            self.place(&path, &schemas, &BTreeSet::new());
        }
        let items: Vec<&'s Value> =
            together.iter().filter_map(|schema| schema.get("items")).filter(|items| items.is_object()).collect();
        if !items.is_empty() {
            let path = format!("{place}[]");
            self.another_type(&path, &items);
            self.place(&path, &items, &BTreeSet::new());
        }
        alternatives.iter().for_each(|schema| self.place(place, &[*schema], &required));
    }

    /// Collects a schema, and those that apply wherever it does.
    fn collect(&mut self, schema: &'s Value, together: &mut Vec<&'s Value>) {
        let Some(left) = self.left.checked_sub(1) else { return };
        self.left = left;
        together.push(schema);
        for part in list(schema, "allOf") {
            self.collect(part, together);
        }
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|to| reference_target(self.root, to));
        if let Some(target) = target {
            self.collect(target, together);
        }
    }

    fn absent(&mut self, place: &str, path: &str) {
        let (path, place) = (shorten(path, 80), shorten(place, 80));
        let of = if place.is_empty() { String::new() } else { format!(" of `{place}`") };
        self.found.push(format!("its `when` also fits an input without `{path}`: name it under \"required\"{of}"));
    }

    fn another_type(&mut self, path: &str, schemas: &[&'s Value]) {
        let mut together = Vec::new();
        schemas.iter().for_each(|schema| self.collect(schema, &mut together));
        let is_typed = |schema: &&Value| {
            ["type", "const", "enum", "anyOf", "oneOf"].into_iter().any(|keyword| schema.get(keyword).is_some())
        };
        if together.iter().any(is_typed) {
            return;
        }
        let Some(kind) = together.iter().find_map(|schema| type_of_keywords(schema)) else { return };
        let other = if kind == "string" { "a number" } else { "a text" };
        let path = shorten(path, 80);
        self.found.push(format!(
            "its `when` also fits an `{path}` of another type, such as {other}: add \"type\": \"{kind}\""
        ));
    }
}

/// Returns the properties that schemas constrain, each with what they say about it. Words about a property are no constraint,
/// and a property that must not be there may be absent.
fn properties<'s>(schemas: &[&'s Value]) -> BTreeMap<&'s str, Vec<&'s Value>> {
    let mut all = BTreeMap::<&str, Vec<&Value>>::new();
    for (name, schema) in schemas.iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten() {
        let words = ["$comment", "title", "description", "examples", "default", "deprecated", "readOnly", "writeOnly"];
        let is_constraint = |keyword: &String| !words.contains(&keyword.as_str());
        if schema.as_object().is_some_and(|keywords| keywords.keys().any(is_constraint)) {
            all.entry(name).or_default().push(schema);
        }
    }
    all
}

fn names(schema: &Value) -> impl Iterator<Item = &str> {
    list(schema, "required").filter_map(Value::as_str)
}

fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    list(schema, "anyOf").chain(list(schema, "oneOf"))
}

fn list<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s Value> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

/// Tells whether a schema lists the values that fit.
fn is_exact(schema: &Value) -> bool {
    schema.get("const").is_some() || schema.get("enum").is_some()
}

/// Returns the type that the keywords of a schema are about.
fn type_of_keywords(schema: &Value) -> Option<&'static str> {
    const BY_KEYWORD: [(&str, &str); 20] = [
        ("minimum", "number"),
        ("maximum", "number"),
        ("exclusiveMinimum", "number"),
        ("exclusiveMaximum", "number"),
        ("multipleOf", "number"),
        ("minLength", "string"),
        ("maxLength", "string"),
        ("pattern", "string"),
        ("format", "string"),
        ("minItems", "array"),
        ("maxItems", "array"),
        ("items", "array"),
        ("prefixItems", "array"),
        ("contains", "array"),
        ("uniqueItems", "array"),
        ("properties", "object"),
        ("required", "object"),
        ("patternProperties", "object"),
        ("additionalProperties", "object"),
        ("propertyNames", "object"),
    ];
    BY_KEYWORD.into_iter().find(|(keyword, _)| schema.get(keyword).is_some()).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns the gaps without the words that all of them share.
    fn found(schema: &Value) -> Vec<String> {
        gaps(schema).iter().map(|gap| gap.replace("its `when` also fits an ", "")).collect()
    }

    fn amount() -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 10 })
    }

    #[test]
    fn every_property_that_may_be_absent_is_named() {
        let schema = json!({ "properties": { "amount": amount(), "currency": { "const": "EUR" }, "note": { "title": "a" } },
                             "required": ["amount"] });
        assert_eq!(found(&schema), ["input without `currency`: name it under \"required\""]);
        let none = json!({ "properties": { "a": amount(), "b": amount() }, "minProperties": 1 });
        let expected = ["a", "b"].map(|name| format!("input without `{name}`: name it under \"required\""));
        assert_eq!(found(&none), expected);
    }

    #[test]
    fn properties_of_properties_are_looked_at_whatever_the_type_of_these() {
        let account = |more: &Value| {
            let mut account = json!({ "properties": { "id": { "const": 7 } } });
            account.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            json!({ "properties": { "account": account }, "required": ["account"] })
        };
        let typed = "`account` of another type, such as a text: add \"type\": \"object\"";
        let absent = "input without `account.id`: name it under \"required\" of `account`";
        assert_eq!(found(&account(&json!({}))), [typed, absent]);
        assert_eq!(found(&account(&json!({ "required": ["id"] }))), [typed]);
        assert_eq!(found(&account(&json!({ "type": "object" }))), [absent]);
        assert!(found(&account(&json!({ "type": "object", "required": ["id"] }))).is_empty());
        let rows = json!({ "properties": { "rows": { "type": "array", "items": { "type": "object", "properties": { "a": amount() } } } },
                           "required": ["rows"] });
        assert_eq!(found(&rows), ["input without `rows[].a`: name it under \"required\" of `rows[]`"]);
    }

    #[test]
    fn what_is_required_in_another_part_of_the_condition_is_no_gap() {
        let amount = json!({ "properties": { "amount": amount() } });
        let required = json!({ "required": ["amount"] });
        for schema in [
            json!({ "allOf": [amount, required] }),
            json!({ "$defs": { "all": { "allOf": [amount, { "allOf": [required] }] } }, "$ref": "#/$defs/all" }),
            json!({ "properties": amount["properties"], "anyOf": [required, { "required": ["other"] }] }),
            json!({ "required": ["amount"], "oneOf": [amount, { "maxProperties": 1 }] }),
            json!({ "properties": { "currency": { "const": "EUR", "default": "EUR" }, "admin": false } }),
            json!({ "properties": { "account": { "const": { "id": 7 }, "properties": { "id": { "const": 7 } } } },
                    "required": ["account"] }),
            json!({ "maxProperties": 0 }),
        ] {
            assert_eq!(found(&schema), [""; 0], "{schema}");
        }
        let open = json!({ "anyOf": [{ "properties": amount["properties"], "required": ["amount"] }, amount] });
        assert_eq!(found(&open), ["input without `amount`: name it under \"required\""]);
    }

    #[test]
    fn a_condition_that_refers_to_itself_ends() {
        let branch = json!({ "properties": { "next": { "$ref": "#" }, "x": { "maximum": 1 } }, "allOf": [{ "required": ["x"] }] });
        assert!(found(&branch).len() <= MAX_GAPS);
        let tree = json!({ "properties": { "a": { "$ref": "#" }, "b": { "$ref": "#" } }, "required": ["a", "b"], "type": "object" });
        assert!(found(&tree).is_empty());
    }
}
