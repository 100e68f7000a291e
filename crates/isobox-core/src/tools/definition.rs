//! Tools as data, without their functions: for the journal, and for clients that send tools.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::text::shorten;
use crate::tools::schema::{MAX_SCHEMA, Schema, objection};
use crate::tools::tool_error::ToolError;
use crate::{ApprovalNeed, ByteSize, Code, Defaults, Failure, Tool, ToolCall, ToolHints, ToolPath};

/// A tool without its function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolDefinition {
    /// The path in programs.
    pub path: ToolPath,
    /// The description.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub description: String,
    /// The JSON Schema of its input.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input_schema: Option<Value>,
    /// The JSON Schema of its result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output_schema: Option<Value>,
    /// The type of the function in TypeScript. It replaces the type that is derived from the schemas.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub types: Option<String>,
    /// The hints about its effects.
    #[serde(skip_serializing_if = "is_default", default)]
    pub hints: ToolHints,
    /// Whether the tool is idempotent.
    #[serde(skip_serializing_if = "is_default", default)]
    pub idempotent: bool,
    /// The calls that need approval, unless a rule decides otherwise.
    #[serde(skip_serializing_if = "is_default", default)]
    pub approval: ApprovalNeed,
    /// Whether its results must not be stored.
    #[serde(skip_serializing_if = "is_default", default)]
    pub ephemeral: bool,
    /// The treatment of the defaults of its input schema. Overrides the runtime.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub defaults: Option<Defaults>,
}

impl ToolDefinition {
    /// The maximum size of all definitions of a durable execution together, as JSON.
    pub const MAX_RECORDED: ByteSize = ByteSize::mib(1);

    /// Returns the definitions of these tools, in the order of their paths.
    pub fn of_all(tools: &[Tool]) -> Vec<Self> {
        let mut definitions: Vec<_> = tools.iter().map(Tool::definition).collect();
        definitions.sort_by(|one, other| one.path.cmp(&other.path));
        definitions
    }

    /// Creates the tool with this function. The definition may come from a client and is untrusted. Its schemas are
    /// reviewed like those of connectors, its hints can tighten the policy and never loosen it, and a tool whose
    /// approval depends on a function of another process needs approval for every call.
    ///
    /// # Errors
    ///
    /// `CONFIG` if a schema is too large or cannot be checked in bounded time.
    pub fn into_tool<F, R>(self, handler: F) -> Result<Tool, Failure>
    where
        F: Fn(ToolCall) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        let Self {
            path,
            description,
            input_schema,
            output_schema,
            types,
            hints,
            idempotent,
            approval,
            ephemeral,
            defaults,
        } = self;
        let mut tool = Tool::with_call(path.as_str(), handler)?.hints(hints, false).idempotent(idempotent);
        tool = tool.description(description);
        if let Some(schema) = input_schema {
            tool = tool.offered_input_schema(reviewed(&path, "input", schema)?);
        }
        if let Some(schema) = output_schema {
            tool = tool.offered_output_schema(reviewed(&path, "output", schema)?);
        }
        if let Some(types) = types {
            tool = tool.types(types);
        }
        if approval != ApprovalNeed::Never {
            tool = tool.with_approval();
        }
        if ephemeral {
            tool = tool.ephemeral();
        }
        if let Some(defaults) = defaults {
            tool = tool.defaults(defaults);
        }
        Ok(tool)
    }
}

impl Tool {
    /// Returns the definition of the tool, without its function and its trust.
    pub fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            path: self.path().clone(),
            description: self.description_text().to_owned(),
            input_schema: self.input_schema_text().cloned(),
            output_schema: self.output_schema_text().cloned(),
            types: self.types_text().map(str::to_owned),
            hints: self.subject().hints,
            idempotent: self.is_idempotent(),
            approval: self.approval_need(),
            ephemeral: self.is_ephemeral(),
            defaults: self.own_defaults(),
        }
    }
}

/// Compiles an untrusted schema, unless it cannot be used for checks.
fn reviewed(path: &ToolPath, which: &str, schema: Value) -> Result<Schema, Failure> {
    let wrong = |why: &str| {
        let why = shorten(why, 300);
        Failure::new(Code::Config, format!("the {which} schema of tool `{path}` {why}"))
    };
    let size = schema.to_string().len();
    if size > MAX_SCHEMA {
        return Err(wrong(&format!("has {size} bytes, and the limit is {MAX_SCHEMA}")));
    }
    if !schema.is_object() && !schema.is_boolean() {
        return Err(wrong("is neither an object nor a boolean"));
    }
    if let Some(objection) = objection(&schema) {
        return Err(wrong(&objection));
    }
    Schema::compiled(schema).map_err(|error| wrong(&format!("is not a JSON Schema: {error}")))
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn definition(value: Value) -> ToolDefinition {
        serde_json::from_value(value).unwrap()
    }

    fn made(value: Value) -> Result<Tool, Failure> {
        definition(value).into_tool(|_| async { Ok(Value::Null) })
    }

    #[test]
    fn a_definition_is_the_same_after_it_was_made_a_tool_and_written_down() {
        let whole = json!({
            "path": "client.show", "description": "shows", "inputSchema": { "type": "object" }, "outputSchema": true,
            "types": "() => Promise<void>", "hints": { "destructive": true }, "idempotent": true, "approval": "always",
            "ephemeral": true, "defaults": "fill",
        });
        for value in [whole, json!({ "path": "client.show" })] {
            let again = made(value.clone()).unwrap().definition();
            assert_eq!(json!(again), value);
            assert_eq!(definition(json!(again)), again);
        }
    }

    #[test]
    fn what_a_client_cannot_say_is_refused() {
        for wrong in [json!({ "path": "a b" }), json!({}), json!({ "path": "a", "trusted": true })] {
            assert!(serde_json::from_value::<ToolDefinition>(wrong.clone()).is_err(), "{wrong}");
        }
        let mut deep = json!({ "type": "string" });
        for _ in 0..600 {
            deep = json!({ "items": deep });
        }
        let endless = json!({ "$ref": "https://example.com/schema" });
        for schema in
            [deep, endless, json!("no schema"), json!({ "type": 7 }), json!({ "const": "x".repeat(MAX_SCHEMA) })]
        {
            let failure = made(json!({ "path": "a", "inputSchema": schema })).unwrap_err();
            assert_eq!(failure.code, Code::Config);
            assert!(failure.message.len() < 500, "{failure}");
        }
    }

    #[test]
    fn a_tool_of_a_client_is_not_trusted_and_needs_approval_where_a_function_would_have_picked_calls() {
        let tool = made(json!({ "path": "a", "approval": "byInput", "hints": { "readOnly": true } })).unwrap();
        assert!(!tool.subject().is_trusted);
        assert!(tool.subject_of(&json!(1)).wants_approval);
    }
}
