//! The seam to where tools come from: an MCP server, an OpenAPI service, anything that offers tools under names of its own.

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::store::Status;
use crate::tools::hints::ToolHints;
use crate::{ExecutionId, Failure, ToolCall, ToolError};

/// Something that offers tools. Its tools are found under its name: `tools.<name>.<tool>`.
pub trait Connector: Send + Sync {
    /// Its name, as the host configured it; it need not be an identifier.
    fn name(&self) -> &str;

    /// What it offers now. Starts what has to be started.
    fn offer(&self) -> BoxFuture<'_, Result<Offer, Failure>>;

    /// Calls a tool by the name under which it is offered. Dropping the future gives up the call.
    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>>;

    /// An execution stands so, and runs no further for now: what is held for as long as it runs can be let go.
    ///
    /// This and [`Connector::execution_ended`] are told to every connector, after the outcome is on disk, and may be told
    /// again, also by another process: rely on nothing but the name of the execution. The caller waits, but not long, and
    /// nothing that goes wrong here is its matter.
    fn pass_ended<'a>(&'a self, execution: &'a ExecutionId, status: Status) -> BoxFuture<'a, ()> {
        let _ = (execution, status);
        Box::pin(std::future::ready(()))
    }

    /// An execution is over: what is held for it can be let go. Told after the end of its last pass.
    fn execution_ended<'a>(&'a self, execution: &'a ExecutionId, status: Status) -> BoxFuture<'a, ()> {
        let _ = (execution, status);
        Box::pin(std::future::ready(()))
    }
}

/// What a connector offers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Offer {
    /// The tools, in the connector's order.
    pub tools: Vec<OfferedTool>,
    /// How they are meant to be used together, in the connector's words.
    pub instructions: String,
    /// What it has but does not offer, and why: each in one line that names the tool, or how much of the list is missing.
    pub warnings: Vec<String>,
}

/// One tool as its connector describes it. Nothing of it is trusted: names, texts and schemas may be anything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OfferedTool {
    /// Its name at the connector. Dots make namespaces where the host's names do.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it does in words.
    pub description: String,
    /// The JSON Schema of its input.
    pub input_schema: Option<Value>,
    /// The JSON Schema of its result.
    pub output_schema: Option<Value>,
    /// What it says about its effects.
    pub hints: ToolHints,
}
