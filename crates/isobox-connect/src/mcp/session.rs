//! One run of a server, from its start to its end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use isobox_core::ToolCall;
use isobox_core::connector::{Error, ErrorKind, ServiceLevel};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest, CustomRequest,
    CustomResult, ErrorData, Implementation, JsonObject, ListToolsRequest, MetaObject, PaginatedRequestParams,
    ProtocolVersion, RequestMetaObject, ServerCapabilities, ServerResult, SubscriptionFilter,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, PeerRequestOptions, RequestHandle, RunningService,
    serve_client_with_lifecycle_and_ct,
};
use rmcp::{ClientHandler, ClientLifecycleMode, Peer, RoleClient, ServiceError};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::complaint::{Ending, clean, error};
use super::context::Context;
use super::last_words::LastWords;
use super::process::{Manner, Process};
use super::transport::{Complaint, LineTransport};
use crate::secrets::Secrets;

/// A server that is running or has ended.
pub(super) struct Session {
    peer: Peer<RoleClient>,
    runtime: Handle,
    stop: CancellationToken,
    ended: watch::Receiver<Option<Ending>>,
    /// The log messages that each call asks for.
    log_level: Option<ServiceLevel>,
}

/// The protocol that opens a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// `initialize`, as in protocol versions up to 2025-11-25.
    Handshake,
    /// `server/discover`, as in protocol versions from 2026-07-28 on.
    Discovery,
}

/// The reason why a session was not opened.
pub(super) enum OpenError {
    /// The server answered with a refusal, as a server of the other era does.
    Refused(Error),
    Failed(Error),
}

/// The reason why a request was not answered with a result.
pub(super) enum RequestError {
    /// The server answered with an error.
    Refused(ErrorData),
    /// The request took too long and was cancelled.
    TimedOut(Duration),
    /// The server had ended before the request was sent.
    NotSent,
    /// The server does not read its standard input.
    Stuck,
    /// The server ended during the request.
    Ended(Ending),
}

impl Session {
    /// Starts the server and waits until it is ready.
    pub(super) async fn open(context: &Arc<Context>, era: Era, stop: CancellationToken) -> Result<Self, OpenError> {
        let words = LastWords::default();
        let complaint = Complaint::default();
        let (process, pipes) = Process::spawn(&context.server, words.clone())
            .map_err(|cause| OpenError::Failed(not_started(context, cause)))?;
        let transport =
            LineTransport::new(pipes.stdout, pipes.stdin, context.options.max_message, words, complaint.clone())
                .logging(Arc::clone(context));
        let listener = Listener { changes: context.changes.clone() };
        let error = tokio::select! {
            opened = serve_client_with_lifecycle_and_ct(listener, transport, era.lifecycle(), stop.clone()) => match opened {
                Ok(running) => return Ok(Self::watch(Arc::clone(context), running, process, complaint, stop)),
                Err(error) => OpeningError::of(error, &context.secrets),
            },
            () = process.exited() => OpeningError::Ended,
            () = sleep(context.options.start_timeout) => OpeningError::TimedOut,
        };
        let ended = process.end(error.manner()).await;
        let ending = Ending::new(&context.server, complaint.get().cloned(), ended);
        Err(error.report(context, &ending))
    }

    fn watch(
        context: Arc<Context>,
        running: RunningService<RoleClient, Listener>,
        process: Process,
        complaint: Complaint,
        stop: CancellationToken,
    ) -> Self {
        let peer = running.peer().clone();
        let is_modern = peer.peer_info().is_some_and(|info| !info.protocol_version.has_initialize());
        if is_modern {
            tokio::spawn(listen(peer.clone(), context.changes.clone()));
        }
        let log_level = context.options.log_level.filter(|_| is_modern);
        if let Some(level) = context.options.log_level
            && !is_modern
            && peer.peer_info().is_some_and(|info| info.capabilities.logging.is_some())
        {
            tokio::spawn(ask_for_logs(peer.clone(), level));
        }
        let (ending, ended) = watch::channel(None);
        tokio::spawn(supervise(context, running, process, complaint, stop.clone(), ending));
        Self { peer, runtime: Handle::current(), stop, ended, log_level }
    }

    /// Returns the instructions of the server for its tools.
    pub(super) fn instructions(&self) -> String {
        self.peer.peer_info().and_then(|info| info.instructions.clone()).unwrap_or_default()
    }

    /// Returns what the server declares to have.
    pub(super) fn capabilities(&self) -> ServerCapabilities {
        self.peer.peer_info().map(|info| info.capabilities.clone()).unwrap_or_default()
    }

    /// Tells whether the session is closed for requests. The ending may not be known yet.
    pub(super) fn is_over(&self) -> bool {
        self.ending().is_some()
    }

    /// Returns how the server ended, as far as known. Returns `None` while it runs.
    pub(super) fn ending(&self) -> Option<Ending> {
        let ending = self.ended.borrow().clone();
        ending.or_else(|| self.peer.is_transport_closed().then(Ending::unknown))
    }

    /// Waits until the server and everything it started have ended.
    pub(super) async fn ended(&self) -> Ending {
        let mut ended = self.ended.clone();
        let ending = ended.wait_for(Option::is_some).await.ok().and_then(|ending| ending.clone());
        // The supervisor is missing only if the runtime shuts down.
        ending.unwrap_or_else(Ending::unknown)
    }

    /// Requests a page of the tool list.
    pub(super) async fn list(&self, cursor: Option<String>) -> Result<Value, RequestError> {
        let params = Some(PaginatedRequestParams::default().with_cursor(cursor));
        let request = ListToolsRequest { params, ..ListToolsRequest::default() };
        self.request(ClientRequest::ListToolsRequest(request), RequestMetaObject::new(), None).await
    }

    /// Calls a tool and returns the raw result. Dropping the future cancels the request at the server.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: JsonObject,
        call: &ToolCall,
        patience: Option<Duration>,
    ) -> Result<Value, RequestError> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let mut meta = MetaObject::new();
        meta.0.insert(KEY_IN_META.to_owned(), call.context.key().into());
        if let Some(token) = call.context.fencing_token {
            meta.0.insert(TOKEN_IN_META.to_owned(), token.into());
        }
        if let Some(level) = self.log_level {
            meta.0.insert(LOG_LEVEL_IN_META.to_owned(), level.as_str().into());
        }
        let mut request = CallToolRequest::new(params);
        // The transport needs the reporter, because only it sees the progress token of the request.
        request.extensions.insert(call.progress.clone());
        self.request(ClientRequest::CallToolRequest(request), RequestMetaObject(meta), patience).await
    }

    /// Sends a request and returns the raw result. Dropping the future cancels the request at the server.
    pub(super) async fn request(
        &self,
        request: ClientRequest,
        meta: RequestMetaObject,
        patience: Option<Duration>,
    ) -> Result<Value, RequestError> {
        let options = PeerRequestOptions::no_options().with_meta(meta);
        let handle = match self.peer.send_request_with_option(request, options).await {
            Ok(handle) => handle,
            Err(ServiceError::TransportClosed) => return Err(RequestError::NotSent),
            Err(error) => return Err(self.lost(error).await),
        };
        let mut awaited = Awaited { handle: Some(handle), runtime: &self.runtime };
        let answer = match patience {
            None => awaited.answer().await,
            Some(patience) => match timeout(patience, awaited.answer()).await {
                Ok(answer) => answer,
                Err(_elapsed) => return Err(RequestError::TimedOut(patience)),
            },
        };
        match answer {
            Ok(ServerResult::CustomResult(CustomResult(value))) => Ok(value),
            // The transport returns raw values for all answers except the one that opens the session.
            Ok(other) => Ok(serde_json::to_value(other).unwrap_or_default()),
            Err(ServiceError::McpError(error)) => Err(RequestError::Refused(error)),
            Err(error) => Err(self.lost(error).await),
        }
    }

    async fn lost(&self, error: ServiceError) -> RequestError {
        if let ServiceError::TransportSend(error) = &error
            && error.error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::Other)
        {
            return RequestError::Stuck;
        }
        // A server that does not read its input is useless, even if it still runs.
        self.stop.cancel();
        RequestError::Ended(self.ended().await)
    }
}

/// The key of the idempotency key in `_meta`.
const KEY_IN_META: &str = "isobox/idempotencyKey";

/// The key of the log level in `_meta`, for servers of the newer era.
const LOG_LEVEL_IN_META: &str = "io.modelcontextprotocol/logLevel";

/// The key of the fencing token in `_meta`, for stored executions.
const TOKEN_IN_META: &str = "isobox/fencingToken";

impl Era {
    fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Self::Handshake => ClientLifecycleMode::Initialize,
            Self::Discovery => {
                ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
            }
        }
    }
}

/// An error while a session is opened.
enum OpeningError {
    TimedOut,
    /// The process ended, or closed its standard output.
    Ended,
    /// The server answered with an error.
    Refused(String),
    /// The server answered with something unexpected.
    Strange(String),
    /// The start was cancelled.
    Stopped,
}

const LOOK: &str = "run the command in a terminal to see the problem";

impl OpeningError {
    fn of(error: ClientInitializeError, secrets: &Secrets) -> Self {
        match error {
            ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => Self::Ended,
            ClientInitializeError::JsonRpcError(error) => Self::Refused(clean(&secrets.conceal(&error.message))),
            ClientInitializeError::Cancelled => Self::Stopped,
            other => Self::Strange(clean(&secrets.conceal(&other.to_string()))),
        }
    }

    /// A server that ends by itself gets the time for it, so that its exit status is reported.
    fn manner(&self) -> Manner {
        match self {
            Self::Ended => Manner::Politely,
            Self::TimedOut | Self::Refused(_) | Self::Strange(_) | Self::Stopped => Manner::AtOnce,
        }
    }

    fn report(self, context: &Context, ending: &Ending) -> OpenError {
        let say = |kind, what: &str| error(kind, context, what, Some(ending)).hint(LOOK);
        OpenError::Failed(match self {
            Self::TimedOut => {
                say(ErrorKind::TimedOut, &format!("was not ready within {:?}", context.options.start_timeout))
                    .hint(format!("{LOOK}; if it needs longer, raise its time-out"))
            }
            Self::Ended => say(ErrorKind::Unavailable, &format!("{} before it was ready", ending.describe())),
            Self::Refused(message) => {
                return OpenError::Refused(say(ErrorKind::Refused, &format!("refused the connection: {message}")));
            }
            Self::Strange(what) => say(ErrorKind::Protocol, &format!("does not speak MCP as expected: {what}")),
            Self::Stopped => say(ErrorKind::Closed, "was stopped before it was ready"),
        })
    }
}

fn not_started(context: &Context, cause: io::Error) -> Error {
    let (what, hint) = match (&context.server.cwd, cause.kind()) {
        (Some(folder), _) if !folder.is_dir() => {
            (format!("there is no folder `{}`", clean(&folder.display().to_string())), "correct its `cwd`")
        }
        (_, io::ErrorKind::NotFound) => {
            ("the command was not found".to_owned(), "install it, or use the full path of the program as `command`")
        }
        (_, io::ErrorKind::PermissionDenied) => {
            (cause.to_string(), "`command` must be a program that this user may run")
        }
        _ => (cause.to_string(), LOOK),
    };
    let what = format!("could not be started: {what}");
    error(ErrorKind::Unavailable, context, &what, None).hint(hint).caused_by(cause)
}

/// Waits for the end of a session, whatever its cause, and cleans up.
async fn supervise(
    context: Arc<Context>,
    running: RunningService<RoleClient, Listener>,
    process: Process,
    complaint: Complaint,
    stop: CancellationToken,
    ending: watch::Sender<Option<Ending>>,
) {
    /// How long the remaining output of an ended server is read.
    const LAST_MESSAGES: Duration = Duration::from_millis(500);

    let mut service = std::pin::pin!(running.waiting());
    let manner = tokio::select! {
        _quit = &mut service => Manner::Politely,
        () = process.exited() => {
            let _ = timeout(LAST_MESSAGES, &mut service).await;
            stop.cancel();
            Manner::AtOnce
        }
    };
    let ended = process.end(manner).await;
    if !context.stop.is_cancelled() {
        context.back_off.failed();
    }
    ending.send_replace(Some(Ending::new(&context.server, complaint.get().cloned(), ended)));
}

/// The client side of the protocol: offers nothing and listens for changes.
struct Listener {
    changes: watch::Sender<u64>,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(ClientCapabilities::default(), Implementation::new("isobox", env!("CARGO_PKG_VERSION")))
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        changed(&self.changes);
    }

    async fn on_prompt_list_changed(&self, _context: NotificationContext<RoleClient>) {
        changed(&self.changes);
    }

    async fn on_resource_list_changed(&self, _context: NotificationContext<RoleClient>) {
        changed(&self.changes);
    }
}

/// Counts a change of the tools, prompts or resources.
pub(super) fn changed(changes: &watch::Sender<u64>) {
    changes.send_modify(|generation| *generation = generation.wrapping_add(1));
}

/// Subscribes to changes of lists, which servers of the newer era report only to subscribers.
async fn listen(peer: Peer<RoleClient>, changes: watch::Sender<u64>) {
    let filter =
        SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().resources_list_changed().build();
    // A server that refuses will not report changes; its tools can still be used.
    let Ok(mut subscription) = peer.listen(filter).await else { return };
    while let Ok(Some(_)) = subscription.next().await {
        changed(&changes);
    }
}

/// Asks a server for log messages. One that refuses sends what it likes. Servers of the newer era are asked with each call.
async fn ask_for_logs(peer: Peer<RoleClient>, level: ServiceLevel) {
    let request = CustomRequest::new("logging/setLevel", Some(json!({ "level": level })));
    let _ = peer.send_request(ClientRequest::CustomRequest(request)).await;
}

/// A request that was sent. Dropping it before the answer cancels it at the server.
struct Awaited<'a> {
    handle: Option<RequestHandle<RoleClient>>,
    runtime: &'a Handle,
}

impl Awaited<'_> {
    async fn answer(&mut self) -> Result<ServerResult, ServiceError> {
        let Some(handle) = &mut self.handle else { return Err(ServiceError::TransportClosed) };
        let answer = (&mut handle.rx).await.unwrap_or(Err(ServiceError::TransportClosed));
        self.handle = None;
        answer
    }
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            self.runtime.spawn(handle.cancel(Some("the caller no longer waits for the answer".to_owned())));
        }
    }
}
