//! Typed tools: the part of their types that a model reads.

use std::collections::BTreeMap;

use isobox_core::{Rendered, Signature, Tool, declare_tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Plans a trip.
///
/// Nothing is booked.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Plan {
    /// Where it goes.
    to: Place,
    /// When it starts, if that is known.
    start: Option<String>,
    #[serde(default)]
    travellers: u8,
    class: Option<Class>,
    legs: Vec<Leg>,
    budgets: BTreeMap<String, f64>,
    #[serde(rename = "avoid-tolls")]
    avoid_tolls: bool,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Place {
    city: String,
    /// Latitude and longitude.
    position: (f64, f64),
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Class {
    First,
    Second,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Leg {
    /// Walks so many kilometres.
    Foot {
        kilometres: u32,
    },
    Train {
        number: String,
    },
}

/// The plan as a tree.
#[derive(Serialize, JsonSchema)]
struct Node {
    name: String,
    children: Vec<Node>,
}

#[derive(Serialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Answer {
    Nothing,
    /// So many.
    Number(u64),
    Text {
        text: String,
    },
}

fn declared(tool: &Tool) -> Rendered {
    declare_tool(&Signature {
        path: tool.path(),
        description: tool.description_text(),
        input: tool.input_schema_text(),
        output: tool.output_schema_text(),
        observed: None,
        types: None,
        notes: &[],
    })
}

#[test]
fn a_model_reads_the_types_and_their_doc_comments() {
    let tool = Tool::typed("trips.plan", |_: Plan| async { Ok(Node { name: String::new(), children: Vec::new() }) });
    let rendered = declared(&tool.expect("a tool"));
    assert_eq!(rendered.warnings, Vec::<String>::new());
    insta::assert_snapshot!(rendered.text);
}

#[test]
fn a_union_with_values_of_every_kind_is_a_union_of_types() {
    let tool = Tool::typed("answers.get", |_: BTreeMap<String, Class>| async { Ok(Answer::Nothing) });
    let rendered = declared(&tool.expect("a tool"));
    assert_eq!(rendered.warnings, Vec::<String>::new());
    insta::assert_snapshot!(rendered.text);
}

#[test]
fn a_tool_over_nothing_takes_no_argument() {
    let tool = Tool::typed("clock.reset", |(): ()| async { Ok(()) }).expect("a tool");
    assert!(declared(&tool).text.contains("reset(): Promise<null>;"), "{}", declared(&tool).text);
}

#[test]
fn the_schemas_name_neither_the_draft_nor_types_of_the_host() {
    let tool = Tool::typed("answers.get", |_: Place| async { Ok(Value::Null) }).expect("a tool");
    let schema = tool.input_schema_text().expect("a schema");
    assert_eq!((schema.get("$schema"), schema.get("title")), (None, None));
    assert_eq!(schema["required"], json!(["city", "position"]));
    assert_eq!(tool.description_text(), "");
}

#[test]
fn a_description_takes_the_place_of_the_doc_comment() {
    let tool = Tool::typed("trips.plan", |_: Plan| async { Ok(()) }).expect("a tool");
    assert_eq!(tool.description_text(), "Plans a trip.\n\nNothing is booked.");
    assert_eq!(tool.description("Plans.").description_text(), "Plans.");
}

#[test]
fn a_clone_of_a_tool_that_is_changed_leaves_the_other_as_it_is() {
    let tool = Tool::typed("trips.plan", |_: Plan| async { Ok(()) }).expect("a tool");
    let changed = tool.clone().description("Plans.").idempotent(true);
    assert_eq!((tool.is_idempotent(), changed.is_idempotent()), (false, true));
    assert!(tool.description_text().starts_with("Plans a trip."));
}
