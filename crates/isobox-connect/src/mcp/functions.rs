//! The resources and prompts of a server as functions beside its tools: `resources.read`, `prompts.list` and others.

use isobox_core::{OfferedTool, ToolError, ToolHints};
use rmcp::model::{
    ClientRequest, GetPromptRequest, GetPromptRequestParams, JsonObject, ListPromptsRequest,
    ListResourceTemplatesRequest, ListResourcesRequest, PaginatedRequestParams, ReadResourceRequest,
    ReadResourceRequestParams,
};
use serde_json::{Map, Value, json};

use super::complaint::clean;

/// The part of a server that an offered name calls.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target<'a> {
    Tool(&'a str),
    /// A tool that can only be called as a task.
    Task(&'a str),
    Function(Function<'a>),
}

/// A function that is not a tool of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function<'a> {
    ListResources,
    ListTemplates,
    ReadResource,
    ListPrompts,
    GetPrompt(&'a str),
}

/// The functions for resources, in the order in which they are offered.
pub(super) const FOR_RESOURCES: [Function<'static>; 3] =
    [Function::ListResources, Function::ListTemplates, Function::ReadResource];

/// The start of the offered name of a prompt. Sorts after `prompts/list`, so that a prompt `list` does not take its path.
const PROMPT: &str = "prompts/use/";

/// The start of the offered name of a tool that would be mistaken for a function.
const ESCAPE: &str = "tools/call/";

/// The start of the offered name of a tool that can only be called as a task.
const TASK: &str = "tasks/call/";

/// The maximum length of the name of a prompt, in bytes. It is sent back to the server.
const MAX_NAME: usize = 1_000;

/// The maximum number of arguments of a prompt. Further ones are left out, and the input is then open.
const MAX_ARGUMENTS: usize = 200;

impl<'a> Target<'a> {
    /// Finds out what an offered name calls.
    pub(super) fn of(name: &'a str) -> Self {
        if let Some(tool) = name.strip_prefix(ESCAPE) {
            return Self::Tool(tool);
        }
        if let Some(tool) = name.strip_prefix(TASK) {
            return Self::Task(tool);
        }
        Function::of(name).map_or(Self::Tool(name), Self::Function)
    }
}

/// Offers a tool of the server by its name. A name that belongs to a function gets a start that no function has. Rules,
/// settings and programs do not depend on that: its path follows from its own name.
pub(super) fn offered_tool(name: &str) -> OfferedTool {
    if Target::of(name) == Target::Tool(name) {
        return OfferedTool::new(name);
    }
    OfferedTool::new(format!("{ESCAPE}{name}")).own_names(vec![name.to_owned()])
}

/// Offers a tool that can only be called as a task.
pub(super) fn offered_task(name: &str) -> OfferedTool {
    OfferedTool::new(format!("{TASK}{name}")).own_names(vec![name.to_owned()])
}

impl<'a> Function<'a> {
    fn of(name: &'a str) -> Option<Self> {
        Some(match name {
            "resources/list" => Self::ListResources,
            "resources/templates" => Self::ListTemplates,
            "resources/read" => Self::ReadResource,
            "prompts/list" => Self::ListPrompts,
            other => Self::GetPrompt(other.strip_prefix(PROMPT)?),
        })
    }

    /// Returns the request for these arguments, which fit the schema of the function.
    pub(super) fn request(self, mut arguments: JsonObject) -> Result<ClientRequest, ToolError> {
        let mut text = |key: &str| match arguments.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(ToolError::new(format!("`{key}` must be a string"))),
        };
        Ok(match self {
            Self::ListResources => {
                ClientRequest::ListResourcesRequest(ListResourcesRequest::with_param(page(text("cursor")?)))
            }
            Self::ListTemplates => {
                let page = page(text("cursor")?);
                ClientRequest::ListResourceTemplatesRequest(ListResourceTemplatesRequest::with_param(page))
            }
            Self::ReadResource => {
                let uri = text("uri")?.ok_or_else(|| ToolError::new("`uri` is missing"))?;
                ClientRequest::ReadResourceRequest(ReadResourceRequest::new(ReadResourceRequestParams::new(uri)))
            }
            Self::ListPrompts => {
                ClientRequest::ListPromptsRequest(ListPromptsRequest::with_param(page(text("cursor")?)))
            }
            Self::GetPrompt(name) => {
                let mut params = GetPromptRequestParams::new(name);
                if !arguments.is_empty() {
                    params = params.with_arguments(arguments);
                }
                ClientRequest::GetPromptRequest(GetPromptRequest::new(params))
            }
        })
    }

    /// Describes the function. A prompt has a description of its own: see [`offered_prompt`].
    pub(super) fn offered(self) -> OfferedTool {
        match self {
            Self::ListResources => function(
                "resources/list",
                "resources.list",
                "List resources",
                "Lists the resources of this server, a page at a time: pass `nextCursor` of a page as `cursor` for the next.",
                paged(),
                page_of("resources", "uri"),
            ),
            Self::ListTemplates => function(
                "resources/templates",
                "resources.templates",
                "List resource templates",
                "Lists templates for the URIs of resources (RFC 6570), a page at a time. Fill in a template to get a URI for \
                 `resources.read`.",
                paged(),
                page_of("resourceTemplates", "uriTemplate"),
            ),
            Self::ReadResource => function(
                "resources/read",
                "resources.read",
                "Read a resource",
                "Reads a resource of this server by its URI: a file, a document or other data. Text is in `text`, bytes are in \
                 `blob` as base64.",
                object(&json!({ "uri": { "type": "string" } }), &["uri"]),
                read_contents(),
            ),
            Self::ListPrompts | Self::GetPrompt(_) => function(
                "prompts/list",
                "prompts.list",
                "List prompts",
                "Lists the prompts of this server with their arguments, a page at a time. Each is also a function beside this \
                 one.",
                paged(),
                listed_prompts(),
            ),
        }
    }
}

/// Converts a prompt of the server to a function of its arguments, or returns why it is left out.
pub(super) fn offered_prompt(prompt: Value) -> Result<OfferedTool, String> {
    let text = |object: &Value, key: &str| {
        let text = object.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        text.map(str::to_owned)
    };
    if !prompt.is_object() {
        return Err("an entry that is not a prompt is left out".to_owned());
    }
    let Some(name) = text(&prompt, "name") else {
        return Err("a prompt without a name is left out: it could not be used".to_owned());
    };
    if name.len() > MAX_NAME {
        return Err(format!("a prompt whose name has {} bytes is left out: `{}`", name.len(), clean(&name)));
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    let arguments = prompt.get("arguments").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for argument in arguments.iter().take(MAX_ARGUMENTS) {
        let Some(name) = argument.get("name").and_then(Value::as_str).filter(|name| name.len() <= MAX_NAME) else {
            continue;
        };
        let mut schema = json!({ "type": "string" });
        if let Some(words) = text(argument, "description").or_else(|| text(argument, "title")) {
            schema["description"] = Value::String(words);
        }
        if argument.get("required") == Some(&Value::Bool(true)) && !properties.contains_key(name) {
            required.push(name);
        }
        properties.insert(name.to_owned(), schema);
    }
    let mut input = object(&Value::Object(properties), &required);
    if arguments.len() > MAX_ARGUMENTS {
        input["additionalProperties"] = json!({ "type": "string" });
    }
    let title = text(&prompt, "title").unwrap_or_default();
    let description = text(&prompt, "description").or_else(|| text(&prompt, "title"));
    let description = description.unwrap_or_else(|| format!("Returns the messages of the prompt `{}`.", clean(&name)));
    // Without the dots, which would make namespaces.
    let path = format!("prompts.{}", name.replace('.', "-"));
    let offered = function(&format!("{PROMPT}{name}"), &path, &title, &description, input, messages());
    Ok(offered.own_names(vec![format!("prompts.{name}")]))
}

/// Returns the name of a prompt or a tool as its server has it.
pub(super) fn own_name(offered: &str) -> &str {
    match Target::of(offered) {
        Target::Tool(name) | Target::Task(name) | Target::Function(Function::GetPrompt(name)) => name,
        Target::Function(_) => offered,
    }
}

/// Describes a function. The protocol says that these requests change nothing, but only the server knows: like any hint,
/// this one loosens nothing unless the server is trusted.
fn function(name: &str, path: &str, title: &str, description: &str, input: Value, output: Value) -> OfferedTool {
    OfferedTool::new(name)
        .path(path.to_owned())
        .title(title)
        .description(description)
        .input_schema(input)
        .output_schema(output)
        .is_output_unchecked(true)
        .hints(ToolHints::default().read_only(true))
}

fn page(cursor: Option<String>) -> PaginatedRequestParams {
    PaginatedRequestParams::default().with_cursor(cursor)
}

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn paged() -> Value {
    object(&json!({ "cursor": { "type": "string" } }), &[])
}

/// Returns the schema of a page of resources or templates, which are identified by `key`.
fn page_of(list: &str, key: &str) -> Value {
    let text = || json!({ "type": "string" });
    let keys = [key, "name", "title", "description", "mimeType"];
    let mut properties: Map<String, Value> = keys.into_iter().map(|key| (key.to_owned(), text())).collect();
    if key == "uri" {
        properties.insert("size".to_owned(), json!({ "type": "integer", "description": "bytes" }));
    }
    let item = json!({ "type": "object", "properties": properties, "required": [key, "name"] });
    page_with(list, &item)
}

fn page_with(list: &str, item: &Value) -> Value {
    let mut properties = Map::new();
    properties.insert(list.to_owned(), json!({ "type": "array", "items": item }));
    properties.insert("nextCursor".to_owned(), json!({ "type": "string" }));
    json!({ "type": "object", "properties": properties, "required": [list] })
}

fn read_contents() -> Value {
    let text = json!({ "type": "string" });
    let item = json!({
        "type": "object",
        "properties": { "uri": text, "mimeType": text, "text": text, "blob": { "type": "string", "description": "base64" } },
        "required": ["uri"],
    });
    json!({ "type": "object", "properties": { "contents": { "type": "array", "items": item } }, "required": ["contents"] })
}

fn listed_prompts() -> Value {
    let text = json!({ "type": "string" });
    let argument = json!({
        "type": "object",
        "properties": { "name": text, "description": text, "required": { "type": "boolean" } },
        "required": ["name"],
    });
    let prompt = json!({
        "type": "object",
        "properties": {
            "name": text, "title": text, "description": text, "arguments": { "type": "array", "items": argument },
        },
        "required": ["name"],
    });
    page_with("prompts", &prompt)
}

/// Returns the schema of the messages of a prompt. Content is a block: text, an image, audio, a link or a resource.
fn messages() -> Value {
    let text = json!({ "type": "string" });
    let content = json!({
        "type": "object",
        "properties": { "type": text, "text": text, "data": text, "mimeType": text },
        "required": ["type"],
    });
    let message = json!({
        "type": "object",
        "properties": { "role": { "enum": ["user", "assistant"] }, "content": content },
        "required": ["role", "content"],
    });
    json!({
        "type": "object",
        "properties": { "description": { "type": "string" }, "messages": { "type": "array", "items": message } },
        "required": ["messages"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_with_the_name_of_a_function_is_still_called_by_its_own_name() {
        for name in ["resources/read", "prompts/list", "prompts/use/x", "tools/call/x", "tools/call/resources/read"] {
            let offered = offered_tool(name);
            assert_eq!(Target::of(&offered.name), Target::Tool(name));
            assert_eq!(own_name(&offered.name), name);
            assert_eq!((offered.path, offered.own_names), (None, vec![name.to_owned()]));
            let task = offered_task(name);
            assert_eq!(Target::of(&task.name), Target::Task(name));
            assert_eq!((task.path, task.own_names), (None, vec![name.to_owned()]));
        }
        for name in ["read", "resources", "resources.read", "resources/write", "prompts/get", "tools/call"] {
            assert_eq!(offered_tool(name), OfferedTool::new(name));
            assert_eq!(Target::of(name), Target::Tool(name));
        }
    }

    #[test]
    fn every_function_is_found_by_the_name_that_it_is_offered_with() {
        for function in FOR_RESOURCES.into_iter().chain([Function::ListPrompts]) {
            assert_eq!(Target::of(&function.offered().name), Target::Function(function));
        }
        let prompt = offered_prompt(json!({ "name": "code.review" })).unwrap();
        assert_eq!(Target::of(&prompt.name), Target::Function(Function::GetPrompt("code.review")));
        assert_eq!(prompt.path.as_deref(), Some("prompts.code-review"));
        assert_eq!(prompt.own_names, ["prompts.code.review"]);
        assert!(Function::ListPrompts.offered().name < offered_prompt(json!({ "name": "list" })).unwrap().name);
    }

    #[test]
    fn a_prompt_has_the_types_and_words_of_its_arguments() {
        let prompt = json!({ "name": "greet", "title": "Greeting", "description": "Greets.", "arguments": [
            { "name": "who", "description": "The person.", "required": true }, { "name": "tone", "title": "Tone" },
            { "name": 7 }, null,
        ] });
        let offered = offered_prompt(prompt).unwrap();
        assert_eq!((&*offered.title, &*offered.description), ("Greeting", "Greets."));
        assert_eq!(offered.hints, ToolHints::default().read_only(true));
        let expected = json!({
            "type": "object",
            "properties": {
                "who": { "type": "string", "description": "The person." }, "tone": { "type": "string", "description": "Tone" },
            },
            "required": ["who"],
            "additionalProperties": false,
        });
        assert_eq!(offered.input_schema, Some(expected));
        let many: Vec<Value> = (0..1_000).map(|number| json!({ "name": format!("a{number}") })).collect();
        let input = offered_prompt(json!({ "name": "many", "arguments": many })).unwrap().input_schema.unwrap();
        assert_eq!(input["properties"].as_object().map(Map::len), Some(MAX_ARGUMENTS));
        assert_eq!(input["additionalProperties"], json!({ "type": "string" }));
        assert_eq!(
            offered_prompt(json!({ "name": "a" })).unwrap().description,
            "Returns the messages of the prompt `a`."
        );
        for (prompt, expected) in [
            (json!(null), "an entry that is not a prompt is left out"),
            (json!({}), "a prompt without a name is left out: it could not be used"),
            (
                json!({ "name": "n".repeat(2_000) }),
                &*format!("a prompt whose name has 2000 bytes is left out: `{}…`", "n".repeat(200)),
            ),
        ] {
            assert_eq!(offered_prompt(prompt).unwrap_err(), expected);
        }
    }

    #[test]
    fn an_argument_of_the_wrong_type_is_refused_before_anything_is_sent() {
        let object = |value: Value| value.as_object().cloned().unwrap();
        for (function, arguments, expected) in [
            (Function::ReadResource, json!({}), "`uri` is missing"),
            (Function::ReadResource, json!({ "uri": 7 }), "`uri` must be a string"),
            (Function::ListResources, json!({ "cursor": {} }), "`cursor` must be a string"),
        ] {
            assert_eq!(function.request(object(arguments)).unwrap_err().message(), expected);
        }
    }
}
