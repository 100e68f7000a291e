//! Compares the published JSON Schema of `isobox.json` with what is read.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::reader::Keys;
use super::{
    Config, answer, continuations, experience, fetch, graphql, limits, modules, policy, retention, rules, servers,
    services, sessions, snippets, store, tools, validation,
};

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn schema() -> Value {
    serde_json::from_str(&read("docs/isobox.schema.json")).unwrap()
}

#[test]
fn the_schema_has_the_keys_that_are_read() {
    let schema = schema();
    let expected: [(&str, &Keys); 25] = [
        ("", &super::KEYS),
        ("/$defs/server", &servers::KEYS),
        ("/$defs/login", &servers::OAUTH),
        ("/$defs/service", &services::KEYS),
        ("/$defs/graphql", &graphql::KEYS),
        ("/$defs/auth", &services::AUTH),
        ("/$defs/auth/properties/basic", &services::BASIC),
        ("/$defs/auth/properties/oauth", &services::OAUTH),
        ("/$defs/fetch", &fetch::KEYS),
        ("/$defs/fetch/properties/secrets/additionalProperties", &fetch::SECRET),
        ("/$defs/rule", &policy::KEYS),
        ("/$defs/tool", &tools::KEYS),
        ("/$defs/tool/properties/revert", &tools::REVERT),
        ("/$defs/limits", &limits::KEYS),
        ("/$defs/answer", &answer::KEYS),
        ("/$defs/validation", &validation::KEYS),
        ("/$defs/syntaxRule", &rules::KEYS),
        ("/$defs/module", &modules::KEYS),
        ("/$defs/experience", &experience::KEYS),
        ("/$defs/snippets", &snippets::KEYS),
        ("/$defs/store/anyOf/1", &store::KEYS),
        ("/$defs/sessions", &sessions::KEYS),
        ("/$defs/continuations", &continuations::KEYS),
        ("/$defs/continuations/properties/earlierKeys/items/anyOf/1", &continuations::EARLIER),
        ("/$defs/retention", &retention::KEYS),
    ];
    let mut objects = 0;
    count_closed(&schema, &mut objects);
    assert_eq!(objects, expected.len(), "every object of the schema with known keys is compared");
    for (pointer, keys) in expected {
        let properties = schema.pointer(&format!("{pointer}/properties")).and_then(Value::as_object);
        let properties: BTreeSet<&str> = properties.expect(pointer).keys().map(String::as_str).collect();
        let read: BTreeSet<&str> = keys.known.iter().chain(keys.tolerated).copied().collect();
        assert_eq!(properties, read, "{pointer}");
    }
}

/// Counts the objects that allow no further keys.
fn count_closed(value: &Value, count: &mut usize) {
    match value {
        Value::Object(object) => {
            *count += usize::from(object.get("additionalProperties") == Some(&json!(false)));
            object.values().for_each(|part| count_closed(part, count));
        }
        Value::Array(parts) => parts.iter().for_each(|part| count_closed(part, count)),
        _ => {}
    }
}

#[test]
fn the_examples_of_the_documents_fit_the_schema() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let mut examples = 0;
    for page in [
        "docs/configuration.md",
        "docs/guides/openapi.md",
        "docs/guides/graphql.md",
        "docs/guides/several-servers.md",
        "docs/getting-started.md",
    ] {
        for block in read(page).split("```json").skip(1) {
            let text = block.split_once('\n').map(|(_, rest)| rest).unwrap_or_default();
            let text = text.split("```").next().unwrap_or_default();
            if Config::parse(text, &|name| Some(format!("the value of {name}"))).is_err() {
                continue;
            }
            let value = json_of(&super::syntax::parse(text).unwrap());
            let problems: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(problems.is_empty(), "{page}: {problems:?}\n{text}");
            examples += 1;
        }
    }
    assert!(examples >= 10, "only {examples} examples were found");
}

fn json_of(value: &super::syntax::Value<'_>) -> Value {
    use super::syntax::Value as Parsed;
    match value {
        Parsed::StringLit(text) => json!(text.value),
        Parsed::NumberLit(number) => number.value.parse().unwrap(),
        Parsed::BooleanLit(truth) => json!(truth.value),
        Parsed::Object(object) => {
            object.properties.iter().map(|entry| (entry.name.as_str().to_owned(), json_of(&entry.value))).collect()
        }
        Parsed::Array(array) => array.elements.iter().map(json_of).collect(),
        Parsed::NullKeyword(_) => Value::Null,
    }
}

#[test]
fn what_is_not_read_does_not_fit_the_schema() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for wrong in [
        json!({ "mcpServer": {} }),
        json!({ "mcpServers": { "a": { "comand": "x" } } }),
        json!({ "policy": [{ "tool": "*" }] }),
        json!({ "limits": { "timeout": 30 } }),
        json!({ "limits": { "memory": "64 apples" } }),
        json!({ "fetch": { "allow": [] } }),
        json!({ "openapi": { "a": { "baseUrl": "https://a.example" } } }),
        json!({ "graphql": { "a": { "schema": "a.graphql" } } }),
        json!({ "graphql": { "a": { "url": "https://a.example", "auth": { "apiKey": "k" } } } }),
        json!({ "store": { "key": "x" } }),
        json!({ "ownDecisions": "maybe" }),
        json!({ "checks": "maybe" }),
        json!({ "continuations": { "key": "too short" } }),
        json!({ "continuations": { "earlierKeys": ["too short"] } }),
        json!({ "continuations": { "earlierKeys": [{ "until": "2026-12-01" }] } }),
        json!({ "continuations": { "earlierKeys": [{ "key": "k".repeat(32), "until": "soon" }] } }),
        json!({ "rules": [{ "deny": "globals" }] }),
        json!({ "rules": [{ "deny": "words", "names": ["x"] }] }),
        json!({ "modules": { "csv": { "file": "csv.ts" } } }),
    ] {
        assert!(!validator.is_valid(&wrong), "{wrong}");
        assert!(Config::parse(&wrong.to_string(), &|_| None).is_err(), "{wrong}");
    }
}
