//! Asks a service for its schema, and writes the answer as SDL. Decisions only; no I/O.
//!
//! The query asks only for what every service knows. Default values are told in descriptions, because services write
//! them in forms that are not GraphQL; an argument with a default value is therefore never required.

use std::fmt::Write;

use isobox_core::{brief, shorten};
use serde_json::Value;

/// The query for the schema.
pub(super) const QUERY: &str = "query Introspection { __schema { \
    queryType { name } mutationType { name } subscriptionType { name } \
    types { kind name description \
      fields(includeDeprecated: true) { name description args { ...Input } type { ...Type } isDeprecated deprecationReason } \
      inputFields { ...Input } interfaces { name } \
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { name } } \
    directives { name locations args { ...Input } } } } \
  fragment Input on __InputValue { name description type { ...Type } defaultValue } \
  fragment Type on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name \
    ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } }";

/// The maximum nesting of a type. The query asks for as much.
const MAX_WRAPPERS: usize = 8;
/// The maximum length of a description, in characters.
const MAX_DESCRIPTION: usize = 4_000;
/// The places of directives in documents. Directives of schemas are not part of an introspection.
const PLACES: [&str; 8] = [
    "QUERY",
    "MUTATION",
    "SUBSCRIPTION",
    "FIELD",
    "FRAGMENT_DEFINITION",
    "FRAGMENT_SPREAD",
    "INLINE_FRAGMENT",
    "VARIABLE_DEFINITION",
];
const BUILT_IN_SCALARS: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];
const BUILT_IN_DIRECTIVES: [&str; 5] = ["skip", "include", "deprecated", "specifiedBy", "oneOf"];

/// Writes the result of an introspection as SDL. Returns why it is refused.
pub(super) fn sdl(value: &Value) -> Result<String, String> {
    let schema = value.get("__schema").or_else(|| value.get("data")?.get("__schema"));
    let schema = schema.filter(|schema| schema.is_object());
    let schema = schema.ok_or("it has no `__schema`, which the result of an introspection has")?;
    let mut out = String::from("schema {");
    for (key, root) in [("queryType", "query"), ("mutationType", "mutation"), ("subscriptionType", "subscription")] {
        if let Some(Value::Object(root_type)) = schema.get(key) {
            let _ = write!(out, " {root}: {}", name_of(root_type.get("name"))?);
        }
    }
    out.push_str(" }\n");
    for described in list(schema, "types") {
        let name = name_of(described.get("name"))?;
        if !name.starts_with("__") && !BUILT_IN_SCALARS.contains(&name) {
            definition(&mut out, described, name).map_err(|why| format!("the type `{name}`: {why}"))?;
        }
    }
    for described in list(schema, "directives") {
        let name = name_of(described.get("name"))?;
        if !BUILT_IN_DIRECTIVES.contains(&name) {
            directive(&mut out, described, name).map_err(|why| format!("the directive `@{name}`: {why}"))?;
        }
    }
    Ok(out)
}

fn definition(out: &mut String, described: &Value, name: &str) -> Result<(), String> {
    describe(out, described, None);
    let kind = described.get("kind").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "SCALAR" => out.push_str(&format!("scalar {name}\n")),
        "OBJECT" | "INTERFACE" => {
            out.push_str(&format!("{} {name}", if kind == "OBJECT" { "type" } else { "interface" }));
            let interfaces = list(described, "interfaces").map(|one| name_of(one.get("name")));
            let interfaces: Vec<&str> = interfaces.collect::<Result<_, _>>()?;
            if !interfaces.is_empty() {
                out.push_str(&format!(" implements {}", interfaces.join(" & ")));
            }
            out.push_str(" {\n");
            for field in list(described, "fields") {
                describe(out, field, None);
                out.push_str(name_of(field.get("name"))?);
                arguments(out, field)?;
                out.push_str(&format!(": {}", type_of(field.get("type"), MAX_WRAPPERS)?));
                deprecation(out, field);
            }
            out.push_str("}\n");
        }
        "UNION" => {
            let members = list(described, "possibleTypes").map(|one| name_of(one.get("name")));
            let members: Vec<&str> = members.collect::<Result<_, _>>()?;
            out.push_str(&format!("union {name} = {}\n", members.join(" | ")));
        }
        "ENUM" => {
            out.push_str(&format!("enum {name} {{\n"));
            for value in list(described, "enumValues") {
                describe(out, value, None);
                out.push_str(name_of(value.get("name"))?);
                deprecation(out, value);
            }
            out.push_str("}\n");
        }
        "INPUT_OBJECT" => {
            out.push_str(&format!("input {name} {{\n"));
            for field in list(described, "inputFields") {
                input_value(out, field)?;
            }
            out.push_str("}\n");
        }
        other => return Err(format!("its kind `{}` is not known", brief(other, 40))),
    }
    Ok(())
}

fn directive(out: &mut String, described: &Value, name: &str) -> Result<(), String> {
    let places = list(described, "locations").filter_map(Value::as_str).filter(|place| PLACES.contains(place));
    let places: Vec<&str> = places.collect();
    if places.is_empty() {
        return Ok(());
    }
    out.push_str(&format!("directive @{name}"));
    arguments(out, described)?;
    out.push_str(&format!(" repeatable on {}\n", places.join(" | ")));
    Ok(())
}

fn arguments(out: &mut String, described: &Value) -> Result<(), String> {
    let mut all = list(described, "args").peekable();
    if all.peek().is_some() {
        out.push_str("(\n");
        for argument in all {
            input_value(out, argument)?;
        }
        out.push(')');
    }
    Ok(())
}

fn input_value(out: &mut String, described: &Value) -> Result<(), String> {
    let default = described.get("defaultValue").and_then(Value::as_str);
    describe(out, described, default);
    let ty = type_of(described.get("type"), MAX_WRAPPERS)?;
    let ty = if default.is_some() { ty.trim_end_matches('!') } else { &ty };
    out.push_str(&format!("{}: {ty}\n", name_of(described.get("name"))?));
    Ok(())
}

fn describe(out: &mut String, described: &Value, default: Option<&str>) {
    let text = described.get("description").and_then(Value::as_str).unwrap_or_default();
    let mut text = shorten(text.trim(), MAX_DESCRIPTION);
    if let Some(default) = default {
        let separator = if text.is_empty() { "" } else { " " };
        text.push_str(&format!("{separator}By default `{}`.", brief(default, 200)));
    }
    if !text.is_empty() {
        out.push_str(&format!("{}\n", quoted(&text)));
    }
}

fn deprecation(out: &mut String, described: &Value) {
    if described.get("isDeprecated").and_then(Value::as_bool) == Some(true) {
        let reason = described.get("deprecationReason").and_then(Value::as_str).unwrap_or_default();
        out.push_str(&format!(" @deprecated(reason: {})", quoted(&shorten(reason, 500))));
    }
    out.push('\n');
}

/// Writes a text as a string of GraphQL: the escapes of JSON are a part of its escapes.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn type_of(described: Option<&Value>, wrappers: usize) -> Result<String, String> {
    let described = described.ok_or("a type is missing")?;
    let inner = || match wrappers {
        0 => Err("a type has too many wrappers".to_owned()),
        left => type_of(described.get("ofType"), left - 1),
    };
    match described.get("kind").and_then(Value::as_str) {
        Some("NON_NULL") => Ok(format!("{}!", inner()?)),
        Some("LIST") => Ok(format!("[{}]", inner()?)),
        Some(_) | None => name_of(described.get("name")).map(str::to_owned),
    }
}

/// Returns a name, which is checked because it becomes a part of the SDL.
fn name_of(name: Option<&Value>) -> Result<&str, String> {
    let name = name.and_then(Value::as_str).ok_or("a name is missing")?;
    if apollo_compiler::Name::is_valid_syntax(name) {
        Ok(name)
    } else {
        Err(format!("`{}` is not a name of GraphQL", brief(name, 80)))
    }
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use apollo_compiler::{ExecutableDocument, Schema};
    use serde_json::json;

    use super::*;

    fn named(kind: &str, name: &str) -> Value {
        json!({ "kind": kind, "name": name, "ofType": null })
    }

    fn wrapped(kind: &str, inner: Value) -> Value {
        json!({ "kind": kind, "name": null, "ofType": inner })
    }

    fn with_types(types: Value) -> Value {
        json!({ "data": { "__schema": { "queryType": { "name": "Q" }, "mutationType": null, "types": types,
            "directives": [{ "name": "include", "locations": ["FIELD"], "args": [] },
                { "name": "live", "locations": ["QUERY", "SCHEMA"],
                  "args": [{ "name": "if", "type": named("SCALAR", "Boolean"), "defaultValue": "true" }] }] } } })
    }

    #[test]
    fn the_query_is_valid() {
        let schema = Schema::parse_and_validate("type Query { a: Int }", "schema").unwrap();
        let checked = ExecutableDocument::parse_and_validate(&schema, QUERY, "query");
        assert!(checked.is_ok(), "{}", checked.unwrap_err().errors);
    }

    #[test]
    fn every_kind_of_type_is_written() {
        let tags = wrapped("NON_NULL", wrapped("LIST", wrapped("NON_NULL", named("SCALAR", "String"))));
        let first =
            json!({ "name": "first", "type": wrapped("NON_NULL", named("SCALAR", "Int")), "defaultValue": "10" });
        let types = json!([
            { "kind": "OBJECT", "name": "Q", "interfaces": [{ "name": "N" }], "fields": [
                { "name": "a", "description": "says \"\"\" \\ and\nmore", "args": [first], "type": tags,
                  "isDeprecated": true, "deprecationReason": "use `b`" },
                { "name": "b", "args": [{ "name": "in", "type": named("INPUT_OBJECT", "I") }], "type": named("UNION", "U") },
                { "name": "when", "args": [], "type": named("SCALAR", "Date") }] },
            { "kind": "INTERFACE", "name": "N", "interfaces": null, "fields": [{ "name": "when", "type": named("SCALAR", "Date") }] },
            { "kind": "UNION", "name": "U", "possibleTypes": [{ "name": "Q" }] },
            { "kind": "ENUM", "name": "E", "enumValues": [{ "name": "X", "isDeprecated": true, "deprecationReason": null }] },
            { "kind": "INPUT_OBJECT", "name": "I", "inputFields": [{ "name": "e", "type": named("ENUM", "E"), "defaultValue": "[object Object]" }] },
            { "kind": "SCALAR", "name": "Date" }, { "kind": "SCALAR", "name": "String" },
            { "kind": "OBJECT", "name": "__Type", "fields": [] },
        ]);
        let sdl = sdl(&with_types(types)).unwrap();
        let schema = Schema::parse_and_validate(sdl.as_str(), "schema").unwrap();
        let shown = schema.to_string();
        for part in [
            "implements N",
            "): [String!]! @deprecated(reason: \"use `b`\")",
            "first: Int",
            "By default `10`.",
            "union U = Q",
            "X @deprecated",
            "e: E",
            "By default `[object Object]`.",
            "directive @live",
            "on QUERY\n",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert!(!shown.contains("first: Int!"), "{shown}");
        assert_eq!(
            schema.get_object("Q").unwrap().fields["a"].description.as_deref(),
            Some("says \"\"\" \\ and\nmore")
        );
    }

    #[test]
    fn what_is_not_an_introspection_is_refused() {
        let object = |name: &str, ty: Value| json!([{ "kind": "OBJECT", "name": name, "fields": [{ "name": "a", "type": ty }] }]);
        let deep = (0..20).fold(named("SCALAR", "Int"), |inner, _| wrapped("LIST", inner));
        for (value, expected) in [
            (json!([]), "it has no `__schema`"),
            (json!({ "data": { "__schema": null } }), "it has no `__schema`"),
            (with_types(object("Q { b: Int } type X", named("SCALAR", "Int"))), "is not a name of GraphQL"),
            (with_types(object("Q", json!({ "kind": "LIST" }))), "the type `Q`: a type is missing"),
            (with_types(object("Q", deep)), "the type `Q`: a type has too many wrappers"),
            (with_types(json!([{ "kind": "PARTY", "name": "Q" }])), "the type `Q`: its kind `PARTY` is not known"),
            (with_types(json!([{ "kind": "SCALAR" }])), "a name is missing"),
        ] {
            let refused = sdl(&value).unwrap_err();
            assert!(refused.contains(expected), "{value}: {refused}");
        }
    }
}
