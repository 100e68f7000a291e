//! Properties of any schema, and of any value in the place of a schema.

use isobox_core::{Note, Signature, ToolPath, declare_tools, identifier_of, schema_to_typescript, unique_identifiers};
use proptest::prelude::*;

use crate::preparing::declarations_in;
use serde_json::{Map, Value};

/// The maximum output of one schema.
const MAX_TEXT: usize = 64 * 1024;

const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "items",
    "prefixItems",
    "additionalItems",
    "minItems",
    "uniqueItems",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "enum",
    "const",
    "$ref",
    "$dynamicRef",
    "$defs",
    "definitions",
    "$id",
    "$anchor",
    "nullable",
    "deprecated",
    "readOnly",
    "description",
    "title",
    "default",
    "example",
    "examples",
    "format",
    "pattern",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "discriminator",
];

const TEXTS: &[&str] = &[
    "string",
    "number",
    "integer",
    "boolean",
    "object",
    "array",
    "null",
    "file",
    "#",
    "#/$defs/a",
    "#/$defs/b",
    "#/definitions/a",
    "#/properties/a",
    "#a",
    "https://example.com/a.json",
    "a",
    "b",
    "new",
    "get",
    "set",
    "readonly",
    "static",
    "async",
    "constructor",
    "__proto__",
    "a-b",
    "*/ } declare const x: 1; /*",
    "\"; x: \"",
    "// \u{2028} \r\n \u{202e}",
    "\\",
    "`${",
    "",
    "日本",
    "1",
];

/// Generates JSON with keywords of schemas, in any order.
fn schemas() -> impl Strategy<Value = Value> {
    let text = || prop_oneof![4 => prop::sample::select(TEXTS).prop_map(str::to_owned), 1 => ".{0,12}"];
    let key = prop_oneof![
        5 => prop::sample::select(KEYWORDS).prop_map(str::to_owned),
        2 => prop::sample::select(TEXTS).prop_map(str::to_owned),
        1 => ".{0,12}",
    ];
    let leaf = prop_oneof![
        4 => text().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(8, 120, 8, move |inner| {
        prop_oneof![
            4 => prop::collection::vec((key.clone(), inner.clone()), 0..8)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<String, Value>>())),
            1 => prop::collection::vec(inner, 0..6).prop_map(Value::Array),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_schema_gives_a_type_that_parses(schema in schemas()) {
        let rendered = schema_to_typescript(&schema);
        prop_assert!(rendered.text.len() < MAX_TEXT);
        prop_assert_eq!(&rendered, &schema_to_typescript(&schema));
        parses(&format!("type T = {};", rendered.text), 1)?;
    }

    #[test]
    fn any_tools_give_a_declaration_that_parses(
        tools in prop::collection::vec((paths(), ".{0,20}|\\PC*\\*/.*", schemas(), schemas(), types()), 0..6),
    ) {
        let notes = [Note::Deprecated, Note::NeedsApproval, Note::Text("*/")];
        let signatures = || tools.iter().map(|(path, description, input, output, types)| Signature {
            path,
            description,
            input: Some(input),
            output: Some(output),
            observed: Some(output),
            types: *types,
            notes: &notes,
        });
        let rendered = declare_tools(signatures());
        parses(&rendered.text, 1)?;
        prop_assert_eq!(rendered, declare_tools(signatures()));
    }

    #[test]
    fn any_name_gives_an_identifier_of_its_own(names in prop::collection::vec("[ab.-]{0,3}|\\PC{0,8}", 0..20)) {
        let identifiers = unique_identifiers(names.iter().map(String::as_str));
        let mut distinct = identifiers.clone();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), names.len());
        for identifier in &identifiers {
            prop_assert!(identifier.parse::<ToolPath>().is_ok(), "{}", identifier);
            prop_assert_eq!(&identifier_of(identifier), identifier);
        }
    }
}

fn paths() -> impl Strategy<Value = ToolPath> {
    prop::collection::vec(prop::sample::select(&["a", "b", "new", "get", "delete", "constructor"][..]), 1..4)
        .prop_map(|segments| segments.join(".").parse().expect("identifiers joined by dots"))
}

fn types() -> impl Strategy<Value = Option<&'static str>> {
    prop::sample::select(
        &[
            None,
            Some("(input: { a: string }) => Promise<number>"),
            Some("typeof fetch & { x: 1 }"),
            Some("string); type U = (number"),
            Some("string }; declare const x: { a: 1"),
            Some("() => void // comment"),
            Some("a, b"),
            Some(""),
        ][..],
    )
}

/// Checks that a text is this many statements of TypeScript.
fn parses(text: &str, statements: usize) -> Result<(), TestCaseError> {
    prop_assert_eq!(declarations_in(text), Some(statements), "{}", text);
    Ok(())
}
