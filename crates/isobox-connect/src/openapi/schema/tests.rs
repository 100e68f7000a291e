use super::super::document::documents_of;
use super::*;

fn translated(dialect: Dialect, direction: Direction, schema: Value) -> Value {
    let documents = documents_of(json!({ "schema": schema, "components": { "schemas": {
        "Pet": { "type": "object", "properties": { "name": { "type": "string" }, "parent": { "$ref": "#/components/schemas/Pet" } } },
    } } }));
    let mut translator = Translator::new(dialect, direction, 1_000);
    let mut schema = translator.translate(&documents.root().get("schema").unwrap());
    let (definitions, ..) = translator.finish();
    if !definitions.is_empty() {
        schema["$defs"] = Value::Object(definitions);
    }
    schema
}

#[test]
fn quirks_of_documents_become_json_schema() {
    let pet = json!({ "Pet": { "type": "object", "properties": { "name": { "type": "string" },
        "parent": { "$ref": "#/$defs/Pet" } } } });
    for (schema, expected) in [
        (json!({ "type": "string", "nullable": true }), json!({ "type": ["string", "null"] })),
        (
            json!({ "type": "string", "x-nullable": true, "enum": ["a"] }),
            json!({ "type": ["string", "null"], "enum": ["a", null] }),
        ),
        (
            json!({ "type": "integer", "minimum": 1, "exclusiveMinimum": true }),
            json!({ "type": "integer", "exclusiveMinimum": 1 }),
        ),
        (
            json!({ "type": "integer", "minimum": 1, "exclusiveMinimum": false }),
            json!({ "type": "integer", "minimum": 1 }),
        ),
        (json!({ "$ref": "#/components/schemas/Pet" }), json!({ "$ref": "#/$defs/Pet", "$defs": pet })),
        (
            json!({ "nullable": true, "$ref": "#/components/schemas/Pet" }),
            json!({ "anyOf": [{ "$ref": "#/$defs/Pet" }, { "type": "null" }], "$defs": pet }),
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
        ),
        (
            json!({ "anyOf": [{ "type": "string" }], "oneOf": [{ "type": "integer" }] }),
            json!({ "anyOf": [{ "type": "string" }], "allOf": [{ "anyOf": [{ "type": "integer" }] }] }),
        ),
        (json!({ "type": "string", "enum": [1, true, "x"] }), json!({ "type": "string", "enum": ["1", "true", "x"] })),
        (json!({ "type": "integer", "enum": ["1", "x"] }), json!({ "type": "integer", "enum": [1, "x"] })),
        (
            json!({ "type": "float", "required": true, "minLength": "3", "enum": "x", "pattern": 7 }),
            json!({ "type": "number" }),
        ),
        (
            json!({ "type": "any", "items": 3, "properties": 4, "x-odd": 1, "example": 1 }),
            json!({ "items": {}, "type": "object" }),
        ),
        (
            json!({ "type": "array", "items": [{ "type": "string" }] }),
            json!({ "type": "array", "prefixItems": [{ "type": "string" }] }),
        ),
        (json!({ "type": "string", "pattern": "^(?!a)" }), json!({ "type": "string" })),
        (json!({ "$id": "x", "$schema": "y", "id": "z", "$anchor": "a" }), json!({})),
        (json!({ "default": { "$ref": "x" }, "const": [{ "$id": "y" }], "enum": [{ "pattern": "(?=a)" }] }), json!({})),
        (json!({ "not": { "$ref": "#/nowhere" } }), json!({})),
        (json!({ "$ref": "#/nowhere" }), json!({})),
        (json!(null), json!({})),
        (json!(["x"]), json!({})),
    ] {
        assert_eq!(translated(Dialect::Old, Direction::Input, schema.clone()), expected, "{schema}");
    }
}

#[test]
fn properties_of_the_other_direction_are_left_out() {
    let schema = json!({ "required": ["id", "password", "name"], "properties": {
        "id": { "readOnly": true }, "password": { "writeOnly": true }, "name": { "type": "string" } } });
    let names = |direction| {
        let translated = translated(Dialect::Old, direction, schema.clone());
        (
            translated["required"].clone(),
            translated["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>(),
        )
    };
    assert_eq!(names(Direction::Input), (json!(["name", "password"]), vec!["password".into(), "name".into()]));
    assert_eq!(names(Direction::Output), (json!(["id", "name"]), vec!["id".into(), "name".into()]));
}

#[test]
fn keywords_beside_a_reference_count_from_3_1_on() {
    let schema = json!({ "$ref": "#/components/schemas/Pet", "description": "Mine", "minProperties": 1 });
    let old = translated(Dialect::Old, Direction::Input, schema.clone());
    assert_eq!((old.get("description"), old.get("minProperties")), (Some(&json!("Mine")), None));
    let new = translated(Dialect::New, Direction::Input, schema);
    assert_eq!((new.get("description"), new.get("minProperties")), (Some(&json!("Mine")), Some(&json!(1))));
    let types = json!({ "type": ["string", "null"], "exclusiveMinimum": 3 });
    assert_eq!(translated(Dialect::New, Direction::Input, types.clone()), types);
}

#[test]
fn what_has_no_room_is_left_open_and_says_where_it_is() {
    let mut schemas = Map::new();
    for number in 0..1_000 {
        let next = format!("#/components/schemas/S{}", (number + 1) % 1_000);
        schemas.insert(format!("S{number}"), json!({ "properties": { "next": { "$ref": next } } }));
    }
    let documents = documents_of(json!({ "components": { "schemas": schemas } }));
    let first = documents.find(0, "#/components/schemas/S0").unwrap();
    let mut translator = Translator::new(Dialect::Old, Direction::Output, 20);
    translator.translate(&first);
    let (definitions, ..) = translator.finish();
    assert!(definitions.len() <= 10, "{}", definitions.len());
    assert!(json!(definitions).to_string().contains("See spec("), "{definitions:?}");
    let mut deep = json!({ "type": "string" });
    for _ in 0..50 {
        deep = json!({ "items": deep });
    }
    assert!(translated(Dialect::Old, Direction::Output, deep).to_string().contains("See spec("));
}

#[test]
fn what_many_schemas_may_share_is_named_in_bounds() {
    let many: Map<String, Value> = (0..100_000).map(|number| (format!("p{number}"), json!(true))).collect();
    let (names, long) = (many.keys().cloned().collect::<Vec<_>>(), "n".repeat(1_000_000));
    let sent = |schema: Value| translated(Dialect::New, Direction::Input, schema);
    for schema in [
        json!({ "properties": many, "required": names, "additionalProperties": false }),
        json!({ "properties": { long.clone(): {} }, "required": [long] }),
        json!({ "required": names }),
        json!({ "anyOf": vec![json!({}); 100_000] }),
        json!({ "allOf": vec![json!(1); 100_000] }),
        json!({ "type": vec!["string"; 100_000] }),
        json!({ "default": long, "const": names, "enum": names }),
        Value::Object(many.clone()),
    ] {
        let keywords: Vec<String> = schema.as_object().unwrap().keys().take(3).cloned().collect();
        let size = sent(schema).to_string().len();
        assert!(size < 50_000, "{keywords:?}: {size}");
    }
    let cut = sent(json!({ "properties": many, "required": ["p1"], "additionalProperties": false }));
    assert_eq!((cut.get("additionalProperties"), cut.get("required")), (None, None), "others are allowed");
    let cut = sent(json!({ "prefixItems": vec![json!(true); 100_000], "items": false }));
    assert_eq!(cut.get("items"), None, "others are allowed");
    let cut = sent(json!({ "anyOf": vec![json!({ "type": "string" }); 100_000] }));
    assert_eq!(cut["anyOf"].as_array().unwrap().last(), Some(&json!({})), "others are allowed");
}

#[test]
fn definitions_of_the_same_name_stay_apart() {
    let documents = documents_of(json!({
        "a": { "allOf": [{ "$ref": "#/x/Pet" }, { "$ref": "#/y/Pet" }, { "$ref": "#/x/Pet" }] },
        "x": { "Pet": { "type": "string" } }, "y": { "Pet": { "type": "integer" } },
    }));
    let mut translator = Translator::new(Dialect::Old, Direction::Output, 100);
    let schema = translator.translate(&documents.root().get("a").unwrap());
    let (definitions, ..) = translator.finish();
    assert_eq!(
        schema,
        json!({ "allOf": [{ "$ref": "#/$defs/Pet" }, { "$ref": "#/$defs/Pet_2" }, { "$ref": "#/$defs/Pet" }] })
    );
    assert_eq!(json!(definitions), json!({ "Pet": { "type": "string" }, "Pet_2": { "type": "integer" } }));
}

#[test]
fn binary_content_is_a_typed_value() {
    let received = translated(Dialect::Old, Direction::Output, json!({ "type": "string", "format": "binary" }));
    assert_eq!(received["required"], json!(["type", "data", "mimeType"]));
    let sent = translated(Dialect::Old, Direction::Input, json!({ "type": "file", "description": "A photo." }));
    assert_eq!((&sent["description"], sent["anyOf"].as_array().unwrap().len()), (&json!("A photo."), 2));
    let text = json!({ "type": "string", "format": "byte" });
    assert_eq!(translated(Dialect::Old, Direction::Input, text.clone()), text);
}
