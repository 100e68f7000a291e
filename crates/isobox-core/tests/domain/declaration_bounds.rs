//! Oversized schemas: the output stays small, and a warning names the omitted parts.

use isobox_core::{Rendered, Signature, ToolPath, declare_tool, declare_tools, schema_to_typescript};
use serde_json::{Map, Value, json};

use crate::preparing::declarations_in;

/// The maximum output of one schema.
const MAX_TEXT: usize = 48 * 1024;

#[test]
fn definitions_that_double_at_every_step_are_cut() {
    let definitions: Map<String, Value> = (0..60)
        .map(|index| {
            let next = json!({"$ref": format!("#/$defs/D{}", index + 1)});
            (format!("D{index}"), json!({"properties": {"left": next, "right": next}}))
        })
        .chain([("D60".to_owned(), json!({"type": "string"}))])
        .collect();
    let rendered = small(&json!({"$ref": "#/$defs/D0", "$defs": definitions}));
    assert!(rendered.text.contains("right?: unknown /* not shown: D"), "{}", rendered.text);
    assert!(rendered.warnings[0].contains("too deep for a schema of this size"), "{:?}", rendered.warnings);
    let definitions: Map<String, Value> = (0..60)
        .map(|index| {
            let next = json!({"$ref": format!("#/$defs/D{}", index + 1), "description": index.to_string()});
            (format!("D{index}"), json!({"anyOf": [{"allOf": [next, next]}, {"items": next}, next]}))
        })
        .chain([("D60".to_owned(), json!({"type": "string"}))])
        .collect();
    small(&json!({"$ref": "#/$defs/D0", "$defs": definitions}));
}

#[test]
fn depth_is_cut_near_the_bottom_and_not_at_the_side() {
    let deep = |levels| (0..levels).fold(json!({"type": "string"}), |inner, _| json!({"properties": {"a": inner}}));
    assert_eq!(schema_to_typescript(&deep(12)).warnings, Vec::<String>::new());
    let rendered = small(&deep(13));
    assert!(rendered.text.contains("a?: unknown /* not shown */"), "{}", rendered.text);
    assert_eq!(
        rendered.warnings,
        ["schema.a.a.a.a.a.a.a.a.a.a.a.a: too deep for a schema of this size, so it is `unknown`"],
    );
    for key in ["items", "not", "additionalProperties"] {
        let mut schema = json!({});
        for _ in 0..100_000 {
            let mut outer = Map::new();
            outer.insert(key.to_owned(), schema);
            schema = Value::Object(outer);
        }
        small(&schema);
        dismantle(schema);
    }
    let mut schema = json!({});
    for _ in 0..100_000 {
        schema = Value::Array(vec![schema]);
        let mut outer = Map::new();
        outer.insert("allOf".to_owned(), schema);
        schema = Value::Object(outer);
    }
    small(&schema);
    let constant = json!({"const": null, "default": null});
    let Value::Object(mut constant) = constant else { unreachable!() };
    constant.insert("default".to_owned(), schema);
    let schema = Value::Object(constant);
    small(&schema);
    dismantle(schema);
}

#[test]
fn of_many_properties_those_that_are_required_are_shown() {
    let properties: Map<String, Value> = (0..100_000).map(|index| (format!("p{index}"), json!({}))).collect();
    let rendered = small(&json!({"properties": properties, "required": ["p99999"]}));
    assert!(rendered.text.contains("p0?: unknown;") && rendered.text.contains("p99999: unknown;"), "{}", rendered.text);
    assert!(rendered.text.contains("/* and 99800 more properties */"), "{}", rendered.text);
    assert_eq!(rendered.warnings, ["schema: 99800 of its 100000 properties are not shown"]);
    small(&json!({"type": "object", "required": (0..100_000).map(|index| index.to_string()).collect::<Vec<_>>()}));
    small(&json!({"properties": {"x".repeat(1_000_000): {}}}));
}

#[test]
fn a_large_definition_is_not_read_wherever_it_is_referred_to() {
    let large: Map<String, Value> = (0..50_000).map(|index| (format!("p{index}"), json!({}))).collect();
    let required: Vec<&String> = large.keys().collect();
    let properties: Map<String, Value> =
        (0..200).map(|index| (format!("q{index}"), json!({"$ref": "#/$defs/Large"}))).collect();
    let definitions = json!({"Large": {"properties": large, "required": required}});
    let rendered = small(&json!({"properties": properties, "$defs": definitions}));
    let is_told = rendered.warnings.iter().any(|warning| warning.contains("too large to be shown whole"));
    assert!(is_told, "{:?}", rendered.warnings);
}

#[test]
fn long_lists_end_in_how_much_is_missing() {
    let values: Vec<String> = (0..10_000).map(|index| format!("v{index}")).collect();
    let rendered = small(&json!({"enum": values}));
    assert!(rendered.text.ends_with(r#" | "v59" | string /* and 9940 more values */"#), "{}", rendered.text);
    let branches: Vec<Value> = (0..10_000).map(|index| json!({"properties": {format!("p{index}"): {}}})).collect();
    let rendered = small(&json!({"oneOf": branches}));
    assert!(rendered.text.ends_with("| unknown /* and 9940 more alternatives */"), "{}", rendered.text);
    small(&json!({"allOf": branches}));
    small(&json!({"prefixItems": branches}));
    small(
        &json!({"patternProperties": (0..10_000).map(|index| (index.to_string(), json!({}))).collect::<Map<_, _>>()}),
    );
    small(&json!({"type": (0..10_000).map(|_| "string").collect::<Vec<_>>()}));
}

#[test]
fn megabytes_of_text_are_cut() {
    let text = "*/ \n".repeat(2_500_000);
    let schema = json!({"properties": {"a": {
        "description": text, "title": text, "default": text, "pattern": text, "format": text, "enum": [text], "$ref": text,
    }}});
    assert!(small(&schema).text.len() < 2_000);
    let path: ToolPath = "a".parse().unwrap();
    let signature = Signature {
        path: &path,
        description: &text,
        input: None,
        output: Some(&schema),
        observed: None,
        types: Some(&text),
        notes: &[],
    };
    let rendered = declare_tool(&signature);
    assert!(rendered.text.len() < 6_000, "{}", rendered.text.len());
    assert!(rendered.warnings.iter().all(|warning| warning.len() < 500), "{:?}", rendered.warnings);
}

#[test]
fn constants_and_notes_count_as_well() {
    let wide = |inner: Value| json!((0..20).map(|index| (index.to_string(), inner.clone())).collect::<Map<_, _>>());
    let constant = wide(wide(wide(json!("x".repeat(200)))));
    assert_eq!(small(&json!({"const": constant})).text, "unknown /* a large constant */");
    small(&json!({"enum": vec![constant; 50]}));
    let note = "ü".repeat(100);
    let noted: Vec<Value> = (0..60).map(|index| json!({"const": index, "title": note})).collect();
    let every = json!(["string", "number", "boolean", "object", "array", "null"]);
    let mut properties: Map<String, Value> =
        (0..150).map(|index| (format!("p{index}"), json!({"type": every, "$ref": format!("#/{note}")}))).collect();
    properties.extend((0..50).map(|index| (format!("q{index}"), json!({"oneOf": noted}))));
    small(&json!({"properties": properties}));
}

#[test]
fn warnings_do_not_pile_up() {
    let properties: Map<String, Value> = (0..150).map(|index| (format!("p{index}"), json!({"type": "x"}))).collect();
    let warnings = small(&json!({"properties": properties})).warnings;
    assert_eq!(warnings.len(), 9);
    assert_eq!(warnings[8], "schema: and 142 more");
}

#[test]
fn of_two_tools_at_one_path_the_first_counts() {
    let path: ToolPath = "a".parse().unwrap();
    let signature = |description| Signature {
        path: &path,
        description,
        input: None,
        output: None,
        observed: None,
        types: None,
        notes: &[],
    };
    let rendered = declare_tools([signature("One."), signature("Two.")]);
    assert_eq!(rendered.text, "declare const tools: {\n  /** One. */\n  a(input?: unknown): Promise<unknown>;\n};\n");
    assert_eq!(rendered.warnings, ["tool `a`: there are two of this path, and the first is shown"]);
}

fn small(schema: &Value) -> Rendered {
    let rendered = schema_to_typescript(schema);
    assert!(rendered.text.len() < MAX_TEXT, "{} bytes", rendered.text.len());
    let text = format!("type T = {};", rendered.text);
    assert!(declarations_in(&text).is_some(), "{text}");
    assert!(rendered.warnings.len() < 12 && rendered.warnings.iter().all(|warning| warning.len() < 5_000));
    rendered
}

/// Drops a value that is too deep for the usual recursive drop.
fn dismantle(value: Value) {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(entries) => left.extend(entries.into_iter().map(|(_, value)| value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}
