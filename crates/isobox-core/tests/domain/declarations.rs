//! Schemas and tools, with the exact TypeScript for them.

use isobox_core::{Note, Rendered, Signature, ToolPath, declare_tool, declare_tools, schema_to_typescript};
use serde_json::{Value, json};

fn check(cases: &[(Value, &str)]) {
    for (schema, expected) in cases {
        let rendered = schema_to_typescript(schema);
        assert_eq!(rendered.text, *expected, "{schema}");
        assert_eq!(rendered.warnings, Vec::<String>::new(), "{schema}");
    }
}

/// Checks schemas of one property `a`, by its comment and its type.
fn check_property(cases: &[(Value, &str)]) {
    for (schema, expected) in cases {
        let rendered = schema_to_typescript(&json!({"properties": {"a": schema}}));
        let inner = rendered.text.strip_prefix("{\n").and_then(|text| text.strip_suffix(";\n}"));
        let lines: Vec<&str> = inner.unwrap_or(&rendered.text).lines().map(str::trim).collect();
        assert_eq!(lines.join(" "), *expected, "{schema}");
    }
}

#[test]
fn types_and_boolean_schemas() {
    check(&[
        (json!(true), "unknown"),
        (json!(false), "never"),
        (json!({}), "unknown"),
        (json!({"type": "string"}), "string"),
        (json!({"type": "integer"}), "number"),
        (json!({"type": "null"}), "null"),
        (json!({"type": ["string", "null"]}), "string | null"),
        (json!({"type": ["null", "array", "integer"], "items": {"type": "string"}}), "number | string[] | null"),
        (json!({"type": "string", "nullable": true}), "string | null"),
        (json!({"type": "string", "x-nullable": true}), "string | null"),
        (json!({"type": "object"}), "Record<string, unknown>"),
        (json!({"type": "array"}), "unknown[]"),
        (json!({"allOf": [{"type": "string"}, {"type": "number"}]}), "never"),
    ]);
}

#[test]
fn constants_and_enumerations() {
    check(&[
        (json!({"const": "a"}), r#""a""#),
        (json!({"const": null}), "null"),
        (json!({"const": {"a": [1, "x"], "b-c": true}}), r#"{ a: [1, "x"]; "b-c": true }"#),
        (json!({"enum": ["a", 1, -2.5, true, null]}), r#""a" | 1 | -2.5 | true | null"#),
        (json!({"type": "string", "enum": ["a", "a"], "nullable": true}), r#""a" | null"#),
        (json!({"enum": ["\"; }", "\u{202e}\n"]}), r#""\"; }" | "\u{202e}\n""#),
        (json!({"enum": ["x".repeat(1_000)]}), "string /* a text of 1000 bytes */"),
        (
            json!({"oneOf": [{"const": "a", "title": "First"}, {"const": "b", "description": "*/ Second"}]}),
            r#""a" /* First */ | "b" /* *\/ Second */"#,
        ),
    ]);
}

#[test]
fn arrays_and_tuples() {
    let union = json!({"anyOf": [{"type": "string"}, {"type": "number"}]});
    check(&[
        (json!({"type": "array", "items": {"type": "string"}}), "string[]"),
        (json!({"items": union}), "(string | number)[]"),
        (json!({"items": {"items": {"enum": [1, 2]}}}), "(1 | 2)[][]"),
        (json!({"items": {"$ref": "#"}}), "(unknown /* circular: the whole */)[]"),
        (json!({"prefixItems": [{"type": "string"}, union]}), "[string, string | number]"),
        (json!({"prefixItems": [{"type": "string"}, union], "minItems": 1}), "[string, (string | number)?]"),
        (json!({"prefixItems": [{"type": "string"}], "items": union}), "[string, ...(string | number)[]]"),
        (json!({"prefixItems": [{"type": "string"}], "items": false}), "[string]"),
        (json!({"items": [{"type": "string"}], "additionalItems": {"type": "null"}}), "[string, ...null[]]"),
        (json!({"items": [{"type": "string"}], "additionalItems": false}), "[string]"),
        (json!({"items": []}), "[]"),
    ]);
}

#[test]
fn objects_and_records() {
    check(&[
        (
            json!({"properties": {"a": {"type": "string"}, "b-c": {}}, "required": ["a"]}),
            r#"{ a: string; "b-c"?: unknown }"#,
        ),
        (
            json!({"properties": {"*/": {}, "\"\n": {}, "ü": {}, "new": {}}}),
            r#"{ "*/"?: unknown; "\"\n"?: unknown; "ü"?: unknown; new?: unknown }"#,
        ),
        (json!({"type": "object", "required": ["a"]}), "{ a: unknown }"),
        (json!({"type": "object", "additionalProperties": {"type": "number"}}), "Record<string, number>"),
        (json!({"type": "object", "additionalProperties": true}), "Record<string, unknown>"),
        (json!({"type": "object", "additionalProperties": false}), "Record<string, never>"),
        (
            json!({"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "number"}}),
            "{ a?: string } & Record<string, number>",
        ),
        (
            json!({"properties": {"a": {"type": "string"}}, "additionalProperties": true}),
            "{\n  a?: string;\n  [key: string]: unknown;\n}",
        ),
        (json!({"properties": {"a": {"type": "string"}}, "additionalProperties": false}), "{ a?: string }"),
        (
            json!({"patternProperties": {"^x-": {"type": "string"}, "*/": {"type": "null"}}}),
            r"Record<string /* ^x-, *\/ */, string | null>",
        ),
        (
            json!({"propertyNames": {"pattern": "^[a-z]+$"}, "additionalProperties": {"type": "string"}}),
            "Record<string /* ^[a-z]+$ */, string>",
        ),
        (
            json!({"properties": {"a": {"properties": {"b": {"type": "string", "description": "Deep."}}}}}),
            "{\n  a?: {\n    /** Deep. */\n    b?: string;\n  };\n}",
        ),
    ]);
}

#[test]
fn unions_and_intersections() {
    let (a, b) =
        (json!({"properties": {"a": {"type": "string"}}, "required": ["a"]}), json!({"properties": {"b": {}}}));
    check(&[
        (json!({"oneOf": [a, b, a]}), "{ a: string } | { b?: unknown }"),
        (json!({"nullable": true, "oneOf": [a, b]}), "{ a: string } | { b?: unknown } | null"),
        (json!({"anyOf": [{"type": "null"}, {"type": "string"}]}), "string | null"),
        (json!({"anyOf": [{"type": "string"}, {}]}), "unknown"),
        (json!({"anyOf": [{"type": "string"}, false]}), "string"),
        (json!({"type": "object", "oneOf": [a, b]}), "{ a: string } | { b?: unknown }"),
        (json!({"properties": {"c": {}}, "oneOf": [a, b]}), "{ c?: unknown } & ({ a: string } | { b?: unknown })"),
        (
            json!({"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
            "{ a?: unknown; b?: unknown }",
        ),
        (
            json!({"anyOf": [a, b], "oneOf": [{"type": "string"}, {"type": "null"}]}),
            "({ a: string } | { b?: unknown }) & (string | null)",
        ),
    ]);
}

#[test]
fn all_of_is_merged() {
    check(&[
        (
            json!({
                "allOf": [{"$ref": "#/definitions/Base"}, {"properties": {"b": {"type": "number"}}, "required": ["b", "id"]}],
                "definitions": {"Base": {"type": "object", "properties": {"id": {"type": "string"}}}},
            }),
            "{ id: string; b: number }",
        ),
        (
            json!({"allOf": [{"properties": {"a": {"type": ["string", "null"]}}}, {"properties": {"a": {"enum": ["x"]}}}]}),
            r#"{ a?: "x" }"#,
        ),
        (
            json!({"nullable": true, "allOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": {"type": "string"}}}),
            "string | null",
        ),
        (
            json!({"allOf": [{"properties": {"a": {}}}, {"oneOf": [{"properties": {"b": {}}}, {"properties": {"c": {}}}]}]}),
            "{ a?: unknown } & ({ b?: unknown } | { c?: unknown })",
        ),
    ]);
}

#[test]
fn references_are_followed_inside_the_schema() {
    check(&[
        (json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "string"}}}), "string"),
        (json!({"$ref": "#/definitions/a~1b%20c", "definitions": {"a/b c": {"type": "string"}}}), "string"),
        (json!({"$ref": "#/components/schemas/A", "components": {"schemas": {"A": {"type": "null"}}}}), "null"),
        (json!({"$ref": "#here", "$defs": {"A": {"$anchor": "here", "type": "string"}}}), "string"),
        (json!({"properties": {"a": {"$ref": "#"}}}), "{ a?: unknown /* circular: the whole */ }"),
        (
            json!({"$ref": "#/$defs/Node", "$defs": {"Node": {"properties": {
                "next": {"$ref": "#/$defs/Node"}, "children": {"items": {"$ref": "#/$defs/Node"}}}}}}),
            "{\n  next?: unknown /* circular: Node */;\n  children?: (unknown /* circular: Node */)[];\n}",
        ),
        (json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}), "unknown /* circular: A */"),
        (
            json!({
                "allOf": [{"$ref": "#/$defs/A"}, {"properties": {"parent": {"$ref": "#/$defs/A"}}}],
                "$defs": {"A": {"properties": {"id": {"type": "string"}}}},
            }),
            "{ id?: string; parent?: { id?: string } }",
        ),
    ]);
}

#[test]
fn what_cannot_be_followed_is_unknown_and_a_warning() {
    let path: ToolPath = "pets.add".parse().unwrap();
    for (schema, expected, warning) in [
        (
            json!({"properties": {"a": {"items": {"$ref": "https://example.com/pet.json"}}}}),
            "{ a?: (unknown /* elsewhere: pet */)[] }",
            "input.a[]: `https://example.com/pet.json` is not part of the schema and is not fetched, so it is `unknown`",
        ),
        (
            json!({"properties": {"a": {"$ref": "#/$defs/Pet"}}}),
            "{ a?: unknown /* missing: Pet */ }",
            "input.a: `#/$defs/Pet` is not in the schema, so it is `unknown`",
        ),
        (
            json!({"properties": {"a": {"type": "file"}}}),
            "{ a?: unknown }",
            "input.a: there is no type `file`, so it is `unknown`",
        ),
        (
            json!({"properties": {"a": 7}}),
            "{ a?: unknown }",
            "input.a: there is something that is not a schema, so it is `unknown`",
        ),
    ] {
        let rendered = declare_tool(&Signature { input: Some(&schema), ..signature(&path) });
        assert_eq!(
            rendered.text,
            format!("declare const tools: {{ pets: {{\n  add(input?: {expected}): Promise<unknown>;\n}} }};\n")
        );
        assert_eq!(rendered.warnings, [format!("tool `pets.add`: {warning}")]);
    }
}

#[test]
fn what_a_type_cannot_say_is_a_comment() {
    check_property(&[
        (json!({"type": "string", "description": "A */ b\n\tc"}), r"/** A *\/ b c */ a?: string"),
        (
            json!({"type": "integer", "minimum": 1, "maximum": 100, "default": 10}),
            "/** @integer @minimum 1 @maximum 100 @default 10 */ a?: number",
        ),
        (json!({"type": "number", "minimum": 0, "exclusiveMinimum": true}), "/** @exclusiveMinimum 0 */ a?: number"),
        (
            json!({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}),
            "/** @exclusiveMinimum 0 @multipleOf 0.5 */ a?: number",
        ),
        (
            json!({"type": "integer", "format": "int64", "maximum": 9_007_199_254_740_991_u64}),
            "/** @integer */ a?: number",
        ),
        (
            json!({"type": "string", "format": "date-time", "deprecated": true}),
            "/** @format date-time @deprecated */ a?: string",
        ),
        (
            json!({"type": "string", "pattern": "^a*/", "minLength": 0, "maxLength": 3}),
            r"/** @pattern ^a*\/ @maxLength 3 */ a?: string",
        ),
        (json!({"type": "string", "example": "x", "readOnly": true}), "/** @example \"x\" @readonly */ a?: string"),
        (
            json!({"items": {"type": "string", "format": "uuid"}, "minItems": 1, "uniqueItems": true}),
            "/** @minItems 1 @uniqueItems @items @format uuid */ a?: string[]",
        ),
        (
            json!({"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}], "default": null, "title": "A"}),
            "/** @default null @format uuid */ a?: string | null",
        ),
        (json!({"type": "string", "title": "Another name"}), "/** Another name */ a?: string"),
        (
            json!({"oneOf": [{"properties": {"k": {"const": 1}}}, {"properties": {"k": {"const": 2}}}], "discriminator": {"propertyName": "k"}}),
            "/** @discriminator k */ a?: { k?: 1 } | { k?: 2 }",
        ),
        (json!({"type": "string", "default": {"a": ["*/\n"]}}), r#"/** @default {"a":["*\/\n"]} */ a?: string"#),
        (
            json!({"allOf": [{"$ref": "#/x"}], "description": "Mine.", "minLength": 1}),
            "/** Mine. @minLength 1 */ a?: unknown /* missing: x */",
        ),
    ]);
}

#[test]
fn tools_are_nested_by_namespace() {
    let paths: Vec<ToolPath> = ["mail.send", "github.issues.list", "github.issues", "ping", "github.new", "mail.old"]
        .map(|it| it.parse().unwrap())
        .into();
    let list = json!({"type": "object", "properties": {"owner": {"type": "string", "description": "Whose."}}, "required": ["owner"]});
    let issues = json!({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}, "description": "The newest first."});
    let optional = json!({"type": "object", "properties": {"deep": {"type": "boolean"}}});
    let nothing = json!({"type": "object", "properties": {}});
    let all = [
        Signature {
            description: "Sends a mail.\n\nTo anyone */ at all.",
            notes: &[Note::NeedsApproval, Note::Deprecated, Note::Text("Slow.")],
            ..signature(&paths[0])
        },
        Signature { description: "Lists issues.", input: Some(&list), output: Some(&issues), ..signature(&paths[1]) },
        Signature { input: Some(&optional), ..signature(&paths[2]) },
        Signature { input: Some(&nothing), output: Some(&json!({"type": "null"})), ..signature(&paths[3]) },
        Signature { input: Some(&nothing), ..signature(&paths[4]) },
        Signature { description: "By hand.", types: Some("<T>(input: T) => Promise<T[]>"), ..signature(&paths[5]) },
    ];
    let expected = r#"declare const tools: {
  github: {
    issues: {
      (input?: { deep?: boolean }): Promise<unknown>;
      /**
       * Lists issues.
       * @returns The newest first.
       */
      list(input: {
        /** Whose. */
        owner: string;
      }): Promise<{
        /** @integer */
        id: number;
      }[]>;
    };
    "new"(): Promise<unknown>;
  };
  mail: {
    /** By hand. */
    old: <T>(input: T) => Promise<T[]>;
    /**
     * Sends a mail.
     * To anyone *\/ at all.
     * Needs approval by a person.
     * @deprecated
     * Slow.
     */
    send(input?: unknown): Promise<unknown>;
  };
  ping(): Promise<null>;
};
"#;
    assert_eq!(declare_tools(all), Rendered { text: expected.to_owned(), warnings: Vec::new() });
    let mut backwards = all;
    backwards.reverse();
    assert_eq!(declare_tools(backwards).text, expected);
    assert_eq!(declare_tools([]).text, "declare const tools: {};\n");
}

#[test]
fn types_written_by_hand_have_to_be_types() {
    let (path, below): (ToolPath, ToolPath) = ("a.b".parse().unwrap(), "a.b.c".parse().unwrap());
    let both = [Signature { types: Some(" (input: { x: 1 }) => Promise<2> "), ..signature(&path) }, signature(&below)];
    assert_eq!(
        declare_tools(both).text,
        "declare const tools: { a: {\n  b: ((input: { x: 1 }) => Promise<2>) & {\n    c(input?: unknown): Promise<unknown>;\n  };\n} };\n",
    );
    for broken in ["", "string); type U = (number", "string]; type U = [1", "a, b", "=>", "x // y", "1;", "}"] {
        let rendered = declare_tool(&Signature { types: Some(broken), ..signature(&path) });
        assert_eq!(
            rendered.text, "declare const tools: { a: {\n  b(input?: unknown): Promise<unknown>;\n} };\n",
            "{broken}"
        );
        assert_eq!(rendered.warnings, ["tool `a.b`: the type written for it is not one type, and is not used"]);
    }
}

#[test]
fn pages_can_be_iterated_over() {
    let (path, other): (ToolPath, ToolPath) = ("shop.list.pages".parse().unwrap(), "shop.list.all".parse().unwrap());
    let output = |required: Value| {
        json!({
            "type": "object", "required": required, "$defs": { "Pet": { "type": "object", "properties": { "name": { "type": "string" } } } },
            "properties": { "pages": { "type": "array", "items": { "type": "array", "items": { "$ref": "#/$defs/Pet" } } },
                            "next": { "type": ["object", "null"] } },
        })
    };
    let paged = output(json!(["pages", "next"]));
    assert_eq!(
        declare_tool(&Signature { output: Some(&paged), ..signature(&path) }).text,
        "declare const tools: { shop: { list: {\n  /** Can be iterated over: `for await (const page of …)`. */\n  \
         pages<Page = { name?: string }[]>(input?: unknown): Promise<{ pages: Page[]; next: Record<string, unknown> | null }> \
         & AsyncIterable<Page>;\n} } };\n"
    );
    let plain = [
        (&other, output(json!(["pages", "next"]))),
        (&path, output(json!(["pages"]))),
        (&path, json!({ "type": "array" })),
    ];
    for (path, output) in plain {
        let text = declare_tool(&Signature { output: Some(&output), ..signature(path) }).text;
        assert!(!text.contains("AsyncIterable"), "{text}");
    }
}

fn signature(path: &ToolPath) -> Signature<'_> {
    Signature { path, description: "", input: None, output: None, observed: None, types: None, notes: &[] }
}

#[test]
fn results_that_were_observed_are_marked_and_never_replace_what_the_tool_says() {
    let path: ToolPath = "a.b".parse().unwrap();
    let observed = json!({ "type": "string", "description": "Observed in one result, not promised by the tool." });
    let own = json!({ "type": "number" });
    let shown = Signature { observed: Some(&observed), ..signature(&path) };
    assert_eq!(
        declare_tool(&shown).text,
        "declare const tools: { a: {\n  /** @returns Observed in one result, not promised by the tool. */\n  \
         b(input?: unknown): Promise</* observed */ string>;\n} };\n"
    );
    let both = Signature { output: Some(&own), ..shown };
    assert_eq!(declare_tool(&both).text, "declare const tools: { a: {\n  b(input?: unknown): Promise<number>;\n} };\n");
}
