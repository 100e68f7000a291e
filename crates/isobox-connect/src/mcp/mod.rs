//! The tools of an MCP server that runs as a child process and communicates over standard input and output.

mod back_off;
mod complaint;
mod context;
mod environment;
mod extras;
mod footprint;
mod functions;
mod inventory;
mod last_words;
mod lifecycle;
mod lines;
mod listing;
mod logs;
mod process;
mod progress;
mod reply;
mod session;
mod transport;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_core::connector::{Error, ServiceLevel, ServiceLogSink, Status};
use isobox_core::{ByteSize, Connector, Limits, Offer, ToolCall, ToolError};
use serde_json::Value;
use tokio::sync::watch;

use lifecycle::Lifecycle;

/// The command that starts an MCP server: one entry of `mcpServers`, parsed, with variables substituted.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpServer {
    /// The program.
    pub command: String,
    /// The arguments of the program.
    pub args: Vec<String>,
    /// The environment of the server, in addition to the few variables that every program needs. Nothing else is
    /// inherited. Values of at least six bytes are treated as secrets and concealed where output of the server is
    /// quoted in an error.
    pub env: BTreeMap<String, String>,
    /// The working folder of the server. `None` uses the folder of this process.
    pub cwd: Option<PathBuf>,
    /// Further values to conceal, from four bytes on: the values that the configuration took from the environment.
    pub secrets: Vec<String>,
}

/// The time-outs and size limits of a connector.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpOptions {
    /// How long the server may take to become ready, and to list a page of its tools.
    pub start_timeout: Duration,
    /// How long a call may take. `None` means no limit: executions have their own time-outs and cancel a call by
    /// dropping it.
    pub call_timeout: Option<Duration>,
    /// The maximum size of a message from the server. Its parsed values may take twelve times as much memory.
    pub max_message: ByteSize,
    /// The least severe log messages that the server is asked to send. `None` asks for nothing: the server decides.
    /// Messages are received in either case, see [`Connector::log_to`].
    pub log_level: Option<ServiceLevel>,
}

impl McpOptions {
    /// Returns the default options for a runtime whose tools may return results of this size.
    pub fn for_output(limit: ByteSize) -> Self {
        /// A result is sent as structured content and as a text in which every quotation mark is escaped.
        const FORMS: u64 = 4;
        /// The size of the rest of the message. Also enough for a page of tools if results are small.
        const ENVELOPE: ByteSize = ByteSize::mib(4);
        let max_message = ByteSize::bytes(limit.get().saturating_mul(FORMS).saturating_add(ENVELOPE.get()));
        Self { start_timeout: Duration::from_secs(30), call_timeout: None, max_message, log_level: None }
    }
}

impl McpServer {
    /// Describes a server that this program is.
    pub fn new(command: impl Into<String>) -> Self {
        Self { command: command.into(), ..Self::default() }
    }

    /// Sets `args`.
    #[must_use]
    pub fn args(mut self, args: Vec<String>) -> Self {
        self.args = args;
        self
    }

    /// Sets `env`.
    #[must_use]
    pub fn env(mut self, env: BTreeMap<String, String>) -> Self {
        self.env = env;
        self
    }

    /// Sets `cwd`.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<Option<PathBuf>>) -> Self {
        self.cwd = cwd.into();
        self
    }

    /// Sets `secrets`.
    #[must_use]
    pub fn secrets(mut self, secrets: Vec<String>) -> Self {
        self.secrets = secrets;
        self
    }
}

impl McpOptions {
    /// Sets `start_timeout`.
    #[must_use]
    pub fn start_timeout(mut self, start_timeout: Duration) -> Self {
        self.start_timeout = start_timeout;
        self
    }

    /// Sets `call_timeout`.
    #[must_use]
    pub fn call_timeout(mut self, call_timeout: impl Into<Option<Duration>>) -> Self {
        self.call_timeout = call_timeout.into();
        self
    }

    /// Sets `max_message`.
    #[must_use]
    pub fn max_message(mut self, max_message: ByteSize) -> Self {
        self.max_message = max_message;
        self
    }

    /// Sets `log_level`.
    #[must_use]
    pub fn log_level(mut self, log_level: impl Into<Option<ServiceLevel>>) -> Self {
        self.log_level = log_level.into();
        self
    }
}

impl Default for McpOptions {
    fn default() -> Self {
        Self::for_output(Limits::default().output)
    }
}

/// The tools of one MCP server. Its resources and prompts are functions beside them: `resources.list`,
/// `resources.templates`, `resources.read`, `prompts.list`, and one function for each prompt.
///
/// The first `offer` or `call` starts the server, once for concurrent callers. After the server has died, the next one
/// starts it again. Calls that were running when it died fail and are never repeated here, because it is unknown
/// whether they had an effect. Dropping the connector asks the server to end and then kills it with everything it
/// started. That needs a running runtime, as does [`Connector::close`], which waits for the end. A runtime that shuts
/// down kills the server at once.
///
/// The guarantee does not cover processes that leave the process group of the server.
pub struct McpConnector {
    lifecycle: Lifecycle,
}

impl McpConnector {
    /// Creates a connector with a name. Does not start the server.
    pub fn new(name: impl Into<String>, server: McpServer, options: McpOptions) -> Self {
        Self { lifecycle: Lifecycle::new(name.into(), server, options) }
    }

    /// Returns the [generation](Connector::generation) as a channel, to wait for changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.lifecycle.changes()
    }
}

impl Connector for McpConnector {
    fn name(&self) -> &str {
        self.lifecycle.name()
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(self.lifecycle.offer())
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.lifecycle.call(tool, call))
    }

    /// Changes whenever the server reports that its tools, prompts or resources have changed, and whenever it is
    /// restarted.
    fn generation(&self) -> u64 {
        *self.lifecycle.changes().borrow()
    }

    fn changed(&self, generation: u64) -> BoxFuture<'_, ()> {
        let mut changes = self.lifecycle.changes();
        // The sender is a part of this connector, so it is still there.
        Box::pin(async move { drop(changes.wait_for(|current| *current != generation).await) })
    }

    fn log_to(&self, sink: Arc<ServiceLogSink>) {
        self.lifecycle.log_to(sink);
    }

    fn status(&self) -> Status {
        self.lifecycle.status()
    }

    /// Asks the server to end, and kills it if it has not ended after a moment.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.lifecycle.close())
    }
}

impl fmt::Debug for McpConnector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("McpConnector").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// Omits arguments and values, which may be secrets.
impl fmt::Debug for McpServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("McpServer").field("command", &self.command).finish_non_exhaustive()
    }
}
