//! Describes the tools that every service has beside its operations.

use isobox_core::{OfferedTool, ToolHints};
use serde_json::{Value, json};

use super::model::{Api, Operation as Described};
use super::naming::Names;

/// The name of the tool that reads the document.
pub(super) const SPEC: &str = "spec";
/// The name of the tool that makes any request.
pub(super) const REQUEST: &str = "request";
/// The last part of the names of tools that read several pages.
pub(super) const PAGES: &str = "pages";

/// Describes the tool that reads several pages of a list.
pub(super) fn pages_tool(
    names: &Names,
    described: &Described<'_>,
    input: &Value,
    output: Option<&Value>,
) -> OfferedTool {
    let mut input = input.clone();
    input["properties"]["maxPages"] = json!({ "type": "integer", "minimum": 1, "maximum": 100,
        "description": "The maximum number of pages to read. By default 10." });
    input["properties"]["nextPage"] =
        json!({ "type": "string", "description": "Where to go on: `next.nextPage` of an earlier result." });
    input["properties"]["pagesRead"] = json!({ "type": "integer", "minimum": 0,
        "description": "How many pages were read before: `next.pagesRead` of an earlier result." });
    let mut page = output.cloned().unwrap_or_else(|| json!({}));
    let definitions = page.as_object_mut().and_then(|page| page.remove("$defs"));
    let mut output = json!({
        "type": "object", "required": ["pages", "next"],
        "properties": {
            "pages": { "type": "array", "items": page },
            "next": { "type": ["object", "null"], "description": "The input for the pages that follow, or null after the last one." },
        },
    });
    if let Some(definitions) = definitions {
        output["$defs"] = definitions;
    }
    let about = if described.summary.is_empty() {
        format!("{} {}", described.method, described.path)
    } else {
        described.summary.clone()
    };
    let name = format!("{}.{PAGES}", names.path);
    OfferedTool::new(name.clone())
        .own_names(names.own.iter().map(|own| format!("{own}.{PAGES}")).collect())
        .path(name)
        .title(format!("{} (pages)", described.summary))
        .description(format!("Reads several pages at once, up to `maxPages`: {about}"))
        .input_schema(input)
        .output_schema(output)
        .is_output_unchecked(true)
        .is_general(true)
        .hints(ToolHints::default().read_only(true).idempotent(true).open_world(true))
}

/// Describes the tool that makes any request of the document. The policy decides by the operation of a request.
pub(super) fn request_tool() -> OfferedTool {
    OfferedTool::new(REQUEST)
        .path(REQUEST.to_owned())
        .title("Any request")
        .description(
            "Makes a request of this service by method and path. Returns the status, the headers and the body, also if \
             the status is an error. The path has to be one of the document.",
        )
        .input_schema(json!({
            "type": "object", "required": ["path"], "additionalProperties": false,
            "properties": {
                "method": { "type": "string", "default": "GET" },
                "path": { "type": "string", "description": "For example `/pets/7`, without the address of the service." },
                "query": { "type": "object" },
                "headers": { "type": "object", "additionalProperties": { "type": "string" } },
                "body": {},
                "contentType": { "type": "string", "description": "The media type of the body, if there are several." },
            },
        }))
        .output_schema(json!({
            "type": "object", "required": ["status", "headers", "body"],
            "properties": {
                "status": { "type": "integer" },
                "headers": { "type": "object", "additionalProperties": { "type": "string" } },
                "body": {},
            },
        }))
        .is_general(true)
        .hints(ToolHints::default().open_world(true))
}

/// Describes the tool that reads the document.
pub(super) fn spec_tool(api: &Api<'_>) -> OfferedTool {
    OfferedTool::new(SPEC)
        .path(SPEC.to_owned())
        .title("The OpenAPI document")
        .description(format!(
            "Reads a part of the OpenAPI document of this service{}. References and large parts are left as \
             `{{ $ref }}`; read them with another call.",
            if api.title.is_empty() { String::new() } else { format!(" ({})", api.title) }
        ))
        .input_schema(json!({
            "type": "object", "additionalProperties": false,
            "properties": { "pointer": { "type": "string",
                "description": "A JSON Pointer such as `#/components/schemas/Pet`, or any `$ref` of the document. By default the whole document." } },
        }))
        .hints(ToolHints::default().read_only(true).idempotent(true).open_world(false))
}
