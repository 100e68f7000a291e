//! The tools of an MCP server: a child process that communicates over standard input and output, or a remote server.

mod address;
mod approach;
mod back_off;
mod calling;
mod complaint;
mod concealing;
mod context;
mod elicitation;
mod environment;
mod extras;
mod footprint;
mod functions;
mod host;
mod http;
mod inbox;
mod inventory;
mod last_words;
mod lifecycle;
mod line_transport;
mod lines;
mod link;
mod listener;
mod listing;
mod logs;
mod opening;
mod parked;
mod process;
mod progress;
mod questions;
mod reply;
mod send_error;
mod session;
mod target;
mod tasks;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use isobox_core::connector::{Error, ServiceLevel, ServiceLogSink, ServiceStatus};
use isobox_core::{ByteSize, Connector, ExecutionId, Limits, Offer, ToolCall, ToolError, store};
use serde_json::Value;
use tokio::sync::watch;

use crate::oauth::{LogIn, LoginNeeded, TokenStore};
pub use host::{McpRoot, Sampler};
use lifecycle::Lifecycle;
pub use target::{McpRemote, McpServer, McpTarget, McpTransport};

/// The time-outs and size limits of a connector.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct McpOptions {
    /// The maximum time until the server is ready, and until it has listed a page of its tools.
    pub start_timeout: Duration,
    /// The maximum time of a call. `None` means no limit: executions have their own time-outs and cancel a call by
    /// dropping it.
    pub call_timeout: Option<Duration>,
    /// Whether the time of a call starts again when the server reports progress.
    pub progress_prolongs: bool,
    /// The maximum size of a message from the server. Its parsed values may take twelve times as much memory.
    pub max_message: ByteSize,
    /// The place in which logins to remote servers are kept. Without one, a server that asks for a login cannot be used.
    pub tokens: Option<Arc<dyn TokenStore>>,
    /// The places that the server may work in. Servers learn them only if there are any.
    pub roots: Vec<McpRoot>,
    /// Answers servers that ask for the text of a model. Without one they are told that there is none.
    pub sampler: Option<Arc<dyn Sampler>>,
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
        Self {
            start_timeout: Duration::from_secs(30),
            call_timeout: None,
            progress_prolongs: false,
            max_message,
            tokens: None,
            roots: Vec::new(),
            sampler: None,
            log_level: None,
        }
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

    /// Sets `progress_prolongs`.
    #[must_use]
    pub fn progress_prolongs(mut self, progress_prolongs: bool) -> Self {
        self.progress_prolongs = progress_prolongs;
        self
    }

    /// Sets `tokens`.
    #[must_use]
    pub fn tokens(mut self, tokens: impl Into<Option<Arc<dyn TokenStore>>>) -> Self {
        self.tokens = tokens.into();
        self
    }

    /// Sets `max_message`.
    #[must_use]
    pub fn max_message(mut self, max_message: ByteSize) -> Self {
        self.max_message = max_message;
        self
    }

    /// Sets `roots`.
    #[must_use]
    pub fn roots(mut self, roots: Vec<McpRoot>) -> Self {
        self.roots = roots;
        self
    }

    /// Sets `sampler`.
    #[must_use]
    pub fn sampler(mut self, sampler: impl Into<Option<Arc<dyn Sampler>>>) -> Self {
        self.sampler = sampler.into();
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
    /// The parts of the target that identify the server.
    identity: Vec<String>,
}

impl McpConnector {
    /// Creates a connector with a name. Does not start the server, and connects to nothing.
    pub fn new(name: impl Into<String>, server: impl Into<McpTarget>, options: McpOptions) -> Self {
        let server = server.into();
        let identity = server.identity();
        Self { lifecycle: Lifecycle::new(name.into(), server, options), identity }
    }

    /// Begins a login to a remote server, if it asks for one. Returns the login that a person has to complete, or none if
    /// the server can be used as it is.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or no login can begin.
    pub async fn login(&self) -> Result<Option<LoginNeeded>, Error> {
        self.lifecycle.login().await
    }

    /// Waits until the login that has [begun](Self::login) is completed.
    ///
    /// # Errors
    ///
    /// If the login fails, or is not completed in time.
    pub async fn logged_in(&self) -> Result<(), Error> {
        self.lifecycle.logged_in().await
    }

    /// Forgets the login to a remote server. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the kept login cannot be removed.
    pub async fn logout(&self) -> Result<bool, Error> {
        self.lifecycle.logout().await
    }

    /// Returns the [generation](Connector::generation) as a channel, to wait for changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.lifecycle.changes()
    }
}

impl LogIn for McpConnector {
    fn login(&self) -> BoxFuture<'_, Result<Option<LoginNeeded>, Error>> {
        Box::pin(self.lifecycle.login())
    }

    fn logged_in(&self) -> BoxFuture<'_, Result<(), Error>> {
        Box::pin(self.lifecycle.logged_in())
    }

    fn logout(&self) -> BoxFuture<'_, Result<bool, Error>> {
        Box::pin(self.lifecycle.logout())
    }
}

impl Connector for McpConnector {
    fn name(&self) -> &str {
        self.lifecycle.name()
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(async {
            let mut offer = self.lifecycle.offer().await?;
            offer.tools = offer.tools.into_iter().map(|tool| tool.bound_to(&self.identity)).collect();
            Ok(offer)
        })
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.lifecycle.call(tool, call))
    }

    /// Changes whenever the server reports that its tools, prompts or resources have changed, whenever it is restarted,
    /// and whenever its reports go on after an interruption of the subscription to them.
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

    fn status(&self) -> ServiceStatus {
        self.lifecycle.status()
    }

    /// Cancels the calls of the execution that wait for a person, and the tasks that it has left.
    fn execution_ended<'a>(&'a self, execution: &'a ExecutionId, _status: store::Status) -> BoxFuture<'a, ()> {
        self.lifecycle.parked().forget(execution);
        self.lifecycle.left_tasks().forget(execution);
        Box::pin(std::future::ready(()))
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
