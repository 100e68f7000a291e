//! Describes the tools that every service has beside its functions.

use isobox_core::{OfferedTool, ToolHints};
use serde_json::json;

/// The name of the tool that sends any document.
pub(super) const QUERY: &str = "query";
/// The name of the tool that reads the schema.
pub(super) const SCHEMA: &str = "schema";
/// The property of an input that selects fields. Names of GraphQL have no `$`, so that no argument has this name.
pub(super) const SELECT: &str = "$select";

/// Describes the tool that sends any document. The policy decides by the functions that a document calls.
pub(super) fn query_tool() -> OfferedTool {
    OfferedTool::new(QUERY)
        .path(QUERY.to_owned())
        .title("Any document")
        .description(
            "Sends a GraphQL document, a query or a mutation, and returns `data`, with `errors` if a part of it failed. The \
             document is checked against the schema first.",
        )
        .input_schema(json!({
            "type": "object", "required": ["query"], "additionalProperties": false,
            "properties": {
                "query": { "type": "string", "description": "For example `query($id: ID!) { product(id: $id) { name } }`." },
                "variables": { "type": ["object", "null"] },
                "operationName": { "type": ["string", "null"], "description": "Which operation, if there are several." },
            },
        }))
        .output_schema(json!({
            "type": "object", "required": ["data"],
            "properties": { "data": {}, "errors": { "type": "array", "items": {
                "type": "object", "properties": { "message": { "type": "string" }, "path": { "type": "array" } } } } },
        }))
        .is_output_unchecked(true)
        .is_general(true)
        .hints(ToolHints::default().open_world(true))
}

/// Describes the tool that reads the schema.
pub(super) fn schema_tool() -> OfferedTool {
    OfferedTool::new(SCHEMA)
        .path(SCHEMA.to_owned())
        .title("The schema")
        .description("Reads the schema of this service as SDL: one type, or an overview of all queries and mutations.")
        .input_schema(json!({
            "type": "object", "additionalProperties": false,
            "properties": { "type": { "type": ["string", "null"],
                "description": "The name of a type, such as `Product`. By default the overview." } },
        }))
        .output_schema(json!({ "type": "string" }))
        .hints(ToolHints::default().read_only(true).idempotent(true).open_world(false))
}
