//! The seam to where tools come from: an MCP server, an OpenAPI service, anything that offers tools under names of its own.

mod error;

use std::fmt;

use futures_util::future::BoxFuture;
use serde_json::Value;

pub use error::{Error, ErrorKind};

use crate::tools::hints::ToolHints;
use crate::{ExecutionId, ToolCall, ToolError, store};

/// Something that offers tools. Its tools are found under its name: `tools.<name>.<tool>`.
///
/// A connector that starts nothing and always offers the same implements [`Connector::name`], [`Connector::offer`] and
/// [`Connector::call`] only.
pub trait Connector: Send + Sync {
    /// Returns its name, as the host configured it. The name need not be an identifier.
    fn name(&self) -> &str;

    /// Returns what it offers now. Starts what has to be started.
    ///
    /// The connector bounds the time that this takes: a runtime waits for all its connectors before it is ready.
    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>>;

    /// Calls a tool by the name under which it is offered. Dropping the future gives up the call.
    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>>;

    /// Returns a number that changes whenever what it offers may have changed. An offer is outdated once the generation
    /// differs from the one that was read before [`Connector::offer`] was called.
    fn generation(&self) -> u64 {
        0
    }

    /// Returns what is known about it without asking its service: this starts nothing, and does not wait.
    fn status(&self) -> Status {
        Status::OnDemand
    }

    /// Ends everything it has started, and waits until that is gone. Offers and calls fail afterwards.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// An execution stands so, and runs no further for now: what is held for as long as it runs can be let go.
    ///
    /// This and [`Connector::execution_ended`] are told to every connector, after the outcome is on disk, and may be told
    /// again, also by another process: rely on nothing but the name of the execution. The caller waits, but not long, and
    /// nothing that goes wrong here is its matter.
    fn pass_ended<'a>(&'a self, execution: &'a ExecutionId, status: store::Status) -> BoxFuture<'a, ()> {
        let _ = (execution, status);
        Box::pin(std::future::ready(()))
    }

    /// An execution is over: what is held for it can be let go. Told after the end of its last pass.
    fn execution_ended<'a>(&'a self, execution: &'a ExecutionId, status: store::Status) -> BoxFuture<'a, ()> {
        let _ = (execution, status);
        Box::pin(std::future::ready(()))
    }
}

/// What a connector knows about the service behind it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Status {
    /// Nothing runs between two requests, so that there is nothing to tell.
    OnDemand,
    /// The service was not needed yet.
    NotStarted,
    /// The service is being started.
    Starting,
    /// The service runs.
    Running,
    /// The last start came to nothing, or the service has ended. The next request starts it again.
    Failed(Error),
    /// The connector was closed.
    Closed,
}

impl Status {
    /// Returns the status in one word or two, without the reason for a failure.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::OnDemand => "on demand",
            Self::NotStarted => "not started",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Failed(_) => "failed",
            Self::Closed => "closed",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What a connector offers.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Offer {
    /// The tools, in the connector's order.
    pub tools: Vec<OfferedTool>,
    /// How they are meant to be used together, in the connector's words.
    pub instructions: String,
    /// What it has but does not offer, and why: each in one line that names the tool, or how much of the list is missing.
    pub warnings: Vec<String>,
}

impl Offer {
    setters! {
        tools: Vec<OfferedTool>,
        instructions: impl Into<String>,
        warnings: Vec<String>,
    }
}

/// One tool as its connector describes it. Nothing of it is trusted: names, texts and schemas may be anything.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
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

impl OfferedTool {
    /// Describes a tool by its name at the connector.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    setters! {
        title: impl Into<String>,
        description: impl Into<String>,
        input_schema: impl Into<Option<Value>>,
        output_schema: impl Into<Option<Value>>,
        hints: ToolHints,
    }
}
