//! The interface of connectors: an MCP server, an OpenAPI service, or anything else that offers tools.

mod error;
mod service_log;

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use error::{Error, ErrorKind};
pub use service_log::{ServiceLevel, ServiceLog, ServiceLogSink};

use crate::text::digest;
use crate::tools::hints::ToolHints;
use crate::{ExecutionId, ToolCall, ToolError, store};

/// A source of tools. Programs find them under its name: `tools.<name>.<tool>`.
///
/// A connector that starts nothing and always offers the same tools implements only [`Connector::name`],
/// [`Connector::offer`] and [`Connector::call`].
pub trait Connector: Send + Sync {
    /// Returns its name, as the host configured it. The name need not be an identifier.
    fn name(&self) -> &str;

    /// Returns the tools that it offers now. Starts its service if needed.
    ///
    /// The connector bounds the time that this takes: a runtime waits for all its connectors before it is ready.
    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>>;

    /// Calls a tool by its offered name. Dropping the future abandons the call.
    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>>;

    /// Returns the calls that a call of a [general](OfferedTool::is_general) tool amounts to: each has the name of
    /// another tool of this connector, and its input. The policy decides about all these calls, and the strictest
    /// decision counts.
    ///
    /// Returns nothing if there is no such tool. The connector must then refuse the call itself.
    fn equivalents(&self, tool: &str, input: &Value) -> Vec<(String, Value)> {
        let _ = (tool, input);
        Vec::new()
    }

    /// Returns a number that changes whenever the offer may have changed. An offer is outdated once the generation
    /// differs from the one that was read before [`Connector::offer`] was called.
    fn generation(&self) -> u64 {
        0
    }

    /// Waits until the [generation](Connector::generation) is another one than this. The default waits for ever, as for
    /// an offer that never changes.
    fn changed(&self, generation: u64) -> BoxFuture<'_, ()> {
        let _ = generation;
        Box::pin(std::future::pending())
    }

    /// Passes the log messages of its service to this function from now on, in place of an earlier one. The default
    /// ignores it, as for a service that reports no messages.
    fn log_to(&self, sink: Arc<ServiceLogSink>) {
        let _ = sink;
    }

    /// Returns the known status without asking the service. Starts nothing, and does not wait.
    fn status(&self) -> ServiceStatus {
        ServiceStatus::OnDemand
    }

    /// Stops everything that it has started, and waits for it. Offers and calls fail afterwards.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// Reports that an execution has stopped running for now, with this status. Resources that are held while it runs
    /// can be released.
    ///
    /// This and [`Connector::execution_ended`] are reported to every connector after the outcome is durable. They may
    /// be reported again, also by another process: rely only on the ID of the execution. The caller waits for a short
    /// time, and ignores failures.
    fn pass_ended<'a>(&'a self, execution: &'a ExecutionId, status: store::Status) -> BoxFuture<'a, ()> {
        let _ = (execution, status);
        Box::pin(std::future::ready(()))
    }

    /// Reports that an execution has ended, so that resources for it can be released. Comes after the end of its last
    /// pass.
    fn execution_ended<'a>(&'a self, execution: &'a ExecutionId, status: store::Status) -> BoxFuture<'a, ()> {
        let _ = (execution, status);
        Box::pin(std::future::ready(()))
    }
}

/// The status of the service behind a connector.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ServiceStatus {
    /// Nothing runs between two requests, so there is no status.
    OnDemand,
    /// The service was not needed yet.
    NotStarted,
    /// The service is being started.
    Starting,
    /// The service runs.
    Running,
    /// The last start failed, or the service has ended. The next request starts it again.
    Failed(Error),
    /// The connector was closed.
    Closed,
}

impl ServiceStatus {
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

impl fmt::Display for ServiceStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The offer of a connector.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Offer {
    /// The tools, in the connector's order.
    pub tools: Vec<OfferedTool>,
    /// Instructions for using the tools together, from the connector.
    pub instructions: String,
    /// The tools that are left out, and why. Each line names the tool, or how much of the list is missing.
    pub warnings: Vec<String>,
    /// Whether the list ends before its end, for instance because the connector did not answer in time. The rest may be
    /// there next time.
    pub is_cut: bool,
}

impl Offer {
    setters! {
        tools: Vec<OfferedTool>,
        instructions: impl Into<String>,
        warnings: Vec<String>,
        is_cut: bool,
    }
}

/// A tool as its connector describes it. It is untrusted: names, texts and schemas may be anything.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[non_exhaustive]
pub struct OfferedTool {
    /// Its name at the connector.
    pub name: String,
    /// Its names at the service, where those differ from `name`: the one that the service uses first. Rules and settings
    /// find the tool by these names too.
    pub own_names: Vec<String>,
    /// Its path below the name of its connector: identifiers joined by dots. None takes the identifier of the first of its
    /// own names, or of `name`.
    pub path: Option<String>,
    /// Its display name.
    pub title: String,
    /// Its description.
    pub description: String,
    /// The things that the tool works with now, such as the names of documents. The text is shown and found with the
    /// description, but is not part of the tool: it may differ in every offer, and approvals stay valid.
    pub inventory: String,
    /// The JSON Schema of its input.
    pub input_schema: Option<Value>,
    /// The JSON Schema of its result.
    pub output_schema: Option<Value>,
    /// Whether `output_schema` only describes results, so that they are not checked against it.
    pub is_output_unchecked: bool,
    /// Whether a call amounts to calls of other tools of the connector: see [`Connector::equivalents`].
    pub is_general: bool,
    /// Whether this is a tool behind the `fetch` of programs: `get` for `GET` and `HEAD`, `send` for other methods. Its input
    /// and its result are those of `WebConnector` in `isobox-connect`.
    pub serves_fetch: bool,
    /// Its hints about effects.
    pub hints: ToolHints,
    /// Identifies what a call goes to, and how its input becomes a request: see [`OfferedTool::bound_to`]. Empty if the
    /// connector does not say.
    pub binding: String,
    /// Tells apart what different offers say about the tool. Calls have the version that their program was shown
    /// ([`CallContext::tool_version`](crate::CallContext::tool_version)).
    #[serde(skip)]
    pub version: u64,
}

impl OfferedTool {
    /// Describes a tool by its name at the connector.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Tells whether this is the same tool as another offer has it, whatever their inventories.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let alone = |tool: &Self| Self { inventory: String::new(), ..tool.clone() };
        self == other || alone(self) == alone(other)
    }

    /// Binds the tool to a service and to the form of its requests: the address or the command, and how parameters are
    /// sent. Only a hash is kept. It is part of the tool's definition: an approval is void if it changes.
    #[must_use]
    pub fn bound_to(self, parts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self { binding: digest(parts), ..self }
    }

    setters! {
        own_names: Vec<String>,
        title: impl Into<String>,
        description: impl Into<String>,
        inventory: impl Into<String>,
        input_schema: impl Into<Option<Value>>,
        output_schema: impl Into<Option<Value>>,
        path: impl Into<Option<String>>,
        is_output_unchecked: bool,
        is_general: bool,
        serves_fetch: bool,
        hints: ToolHints,
        version: u64,
    }
}
