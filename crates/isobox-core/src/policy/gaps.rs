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
/// depth. A property with a `default` may be absent, and so may those that only a pattern names. Knows nothing of `not`, `if`
/// and the keywords that depend on them.
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
        for (path, schemas) in unnamed(place, &together) {
            self.another_type(&path, &schemas);
            self.place(&path, &schemas, &BTreeSet::new());
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
        let Typing::Open(Some(kind)) = self.typing(schemas) else { return };
        let other = if kind == "string" { "a number" } else { "a text" };
        let path = shorten(path, 80);
        self.found.push(format!(
            "its `when` also fits an `{path}` of another type, such as {other}: add \"type\": \"{kind}\""
        ));
    }

    /// Tells whether schemas that all apply to one value fix its type. Each of the alternatives of one of them may do so.
    fn typing(&mut self, schemas: &[&'s Value]) -> Typing {
        let mut together = Vec::new();
        schemas.iter().for_each(|schema| self.collect(schema, &mut together));
        let is_typed =
            |schema: &&Value| **schema == Value::Bool(false) || schema.get("type").is_some() || is_exact(schema);
        if together.iter().any(is_typed) {
            return Typing::Fixed;
        }
        let mut kind = together.iter().find_map(|schema| type_of_keywords(schema));
        for list in together.iter().flat_map(|schema| [schema.get("anyOf"), schema.get("oneOf")]).flatten() {
            let mut is_fixed = true;
            for alternative in list.as_array().into_iter().flatten() {
                if let Typing::Open(of_alternative) = self.typing(&[alternative]) {
                    is_fixed = false;
                    kind = kind.or(of_alternative);
                }
            }
            if is_fixed {
                return Typing::Fixed;
            }
        }
        Typing::Open(kind)
    }
}

/// The types that a value may have.
enum Typing {
    /// Those that the schema lists.
    Fixed,
    /// Any, although the schema has keywords about this one, if about any.
    Open(Option<&'static str>),
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

/// Returns the parts of a value that have no name of their own, each with what schemas say about it.
fn unnamed<'s>(place: &str, schemas: &[&'s Value]) -> BTreeMap<String, Vec<&'s Value>> {
    let mut all = BTreeMap::<String, Vec<&Value>>::new();
    let dot = if place.is_empty() { "" } else { "." };
    for &schema in schemas {
        for (pattern, part) in schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten() {
            all.entry(format!("{place}{dot}/{pattern}/")).or_default().push(part);
        }
        for part in
            ["additionalProperties", "unevaluatedProperties"].into_iter().filter_map(|keyword| schema.get(keyword))
        {
            all.entry(format!("{place}{dot}*")).or_default().push(part);
        }
        for part in
            ["items", "additionalItems", "unevaluatedItems"].into_iter().filter_map(|keyword| schema.get(keyword))
        {
            all.entry(format!("{place}[]")).or_default().push(part);
        }
        for keyword in ["prefixItems", "items"] {
            for (index, part) in list(schema, keyword).enumerate() {
                all.entry(format!("{place}[{index}]")).or_default().push(part);
            }
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
    fn each_alternative_has_to_fix_the_type() {
        let open = |path: &str| format!("`{path}` of another type, such as a text: add \"type\": \"number\"");
        let when = |amount: Value| json!({ "properties": { "amount": amount }, "required": ["amount"] });
        for alternatives in [
            json!({ "anyOf": [{ "maximum": 10 }] }),
            json!({ "oneOf": [{ "type": "number", "maximum": 5 }, { "maximum": 10 }] }),
            json!({ "anyOf": [{ "type": "number" }, true], "maximum": 10 }),
            json!({ "allOf": [{ "anyOf": [{ "oneOf": [{ "maximum": 10 }] }] }] }),
        ] {
            assert_eq!(found(&when(alternatives.clone())), [open("amount")], "{alternatives}");
        }
        for alternatives in [
            json!({ "anyOf": [{ "type": "number", "maximum": 5 }, { "const": 7 }, false] }),
            json!({ "anyOf": [{ "maximum": 5 }], "oneOf": [{ "type": "integer" }, { "enum": [1.5] }] }),
            json!({ "anyOf": [{ "anyOf": [{ "type": "number" }] }], "maximum": 10 }),
            json!({ "anyOf": [{ "type": "number", "maximum": 5 }, true] }),
        ] {
            assert_eq!(found(&when(alternatives.clone())), [""; 0], "{alternatives}");
        }
    }

    #[test]
    fn parts_without_a_name_have_a_type_of_their_own() {
        let open = |path: &str| format!("`{path}` of another type, such as a text: add \"type\": \"number\"");
        let small = || json!({ "maximum": 10 });
        assert_eq!(found(&json!({ "patternProperties": { "^amount": small() } })), [open("/^amount/")]);
        assert_eq!(found(&json!({ "additionalProperties": small() })), [open("*")]);
        let lists = |list: Value| json!({ "properties": { "a": list }, "required": ["a"] });
        assert_eq!(found(&lists(json!({ "type": "array", "prefixItems": [small()] }))), [open("a[0]")]);
        assert_eq!(found(&lists(json!({ "type": "array", "items": small() }))), [open("a[]")]);
        let closed = json!({ "patternProperties": { "^amount": amount() }, "additionalProperties": false });
        assert_eq!(found(&closed), [""; 0]);
        let within = json!({ "patternProperties": { "^a": { "type": "object", "properties": { "b": amount() } } } });
        assert_eq!(found(&within), ["input without `/^a/.b`: name it under \"required\" of `/^a/`"]);
    }

    #[test]
    fn a_condition_that_refers_to_itself_ends() {
        let alternatives = json!({ "properties": { "a": { "anyOf": [{ "$ref": "#/properties/a" }, { "maximum": 1 }] } }, "required": ["a"] });
        assert!(found(&alternatives).len() <= MAX_GAPS);
        let branch = json!({ "properties": { "next": { "$ref": "#" }, "x": { "maximum": 1 } }, "allOf": [{ "required": ["x"] }] });
        assert!(found(&branch).len() <= MAX_GAPS);
        let tree = json!({ "properties": { "a": { "$ref": "#" }, "b": { "$ref": "#" } }, "required": ["a", "b"], "type": "object" });
        assert!(found(&tree).is_empty());
    }
}
