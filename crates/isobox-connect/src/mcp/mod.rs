//! Tools of an MCP server that runs as a child process and speaks over its standard input and output.

mod back_off;
mod complaint;
mod context;
mod environment;
mod footprint;
mod last_words;
mod lifecycle;
mod lines;
mod listing;
mod process;
mod progress;
mod reply;
mod secrets;
mod session;
mod transport;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_core::connector::{Error, Status};
use isobox_core::{ByteSize, Connector, Limits, Offer, ToolCall, ToolError};
use serde_json::Value;
use tokio::sync::watch;

use lifecycle::Lifecycle;

/// How an MCP server is started: one entry of `mcpServers`, parsed and with its variables filled in.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpServer {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment, beside the few variables that every program needs. Nothing else of ours reaches it. Values of
    /// at least six bytes are taken for secrets, and concealed where what it says is quoted in an error.
    pub env: BTreeMap<String, String>,
    /// The folder it runs in; ours where there is none.
    pub cwd: Option<PathBuf>,
    /// What else is concealed there, from four bytes on: values that the configuration took from our environment.
    pub secrets: Vec<String>,
}

/// How patient and how generous a connector is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpOptions {
    /// How long the server may take to be ready, and to list a page of its tools.
    pub start_timeout: Duration,
    /// How long a call may take. There is no limit where there is none: executions have time-outs of their own, and give a
    /// call up by dropping it.
    pub call_timeout: Option<Duration>,
    /// The longest message that the server may send. Its values may take twelve times as much once they are read.
    pub max_message: ByteSize,
}

impl McpOptions {
    /// As by default, for a runtime whose tools may give results of this size.
    pub fn for_output(limit: ByteSize) -> Self {
        /// A result comes as it is and as a text in which every quotation mark is escaped.
        const FORMS: u64 = 4;
        /// What is around it; also enough for a page of tools where results are small.
        const ENVELOPE: ByteSize = ByteSize::mib(4);
        let max_message = ByteSize::bytes(limit.get().saturating_mul(FORMS).saturating_add(ENVELOPE.get()));
        Self { start_timeout: Duration::from_secs(30), call_timeout: None, max_message }
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
}

impl Default for McpOptions {
    fn default() -> Self {
        Self::for_output(Limits::default().output)
    }
}

/// The tools of one MCP server.
///
/// The server is started by the first `offer` or `call`, once however many come at the same time, and again by the first
/// one after it has died. Calls that were under way when it died fail: whether they had an effect is not known, so that they
/// are never repeated here. When the connector is dropped, the server is asked to end and then killed, with everything it
/// started; that takes a runtime that goes on, as does [`Connector::close`], which waits for it. A runtime that ends kills
/// at once.
///
/// The guarantee ends where the server leaves its process group.
pub struct McpConnector {
    lifecycle: Lifecycle,
}

impl McpConnector {
    /// A connector under a name. Starts nothing yet.
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

    /// Changes whenever the server says that its tools have changed, and whenever it is started again.
    fn generation(&self) -> u64 {
        *self.lifecycle.changes().borrow()
    }

    fn status(&self) -> Status {
        self.lifecycle.status()
    }

    /// Asks the server to end, and kills it where it has not ended after a moment.
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.lifecycle.close())
    }
}

impl fmt::Debug for McpConnector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("McpConnector").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// Without arguments and values: they may be secrets.
impl fmt::Debug for McpServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("McpServer").field("command", &self.command).finish_non_exhaustive()
    }
}
