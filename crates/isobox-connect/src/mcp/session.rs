//! One run of a server, from its start to its end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use isobox_core::ToolCall;
use isobox_core::connector::{Error, ErrorKind};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest, CustomResult, ErrorData,
    Implementation, JsonObject, ListToolsRequest, MetaObject, PaginatedRequestParams, ProtocolVersion,
    RequestMetaObject, ServerResult, SubscriptionFilter,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, PeerRequestOptions, RequestHandle, RunningService,
    serve_client_with_lifecycle_and_ct,
};
use rmcp::{ClientHandler, ClientLifecycleMode, Peer, RoleClient, ServiceError};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::complaint::{Ending, clean, error};
use super::context::Context;
use super::last_words::LastWords;
use super::process::{Manner, Process};
use super::secrets::Secrets;
use super::transport::{Complaint, LineTransport};

/// A server that runs, or ran.
pub(super) struct Session {
    peer: Peer<RoleClient>,
    runtime: Handle,
    stop: CancellationToken,
    ended: watch::Receiver<Option<Ending>>,
}

/// How a session is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// With `initialize`, as up to 2025-11-25.
    Handshake,
    /// With `server/discover`, as from 2026-07-28 on.
    Discovery,
}

/// Why a session was not opened.
pub(super) enum OpenError {
    /// The server answered, with a refusal. One of the other era does that.
    Refused(Error),
    Failed(Error),
}

/// Why a request was not answered with a result.
pub(super) enum RequestError {
    /// The server answered with an error.
    Refused(ErrorData),
    /// It took too long, and was told that nobody waits any more.
    TimedOut(Duration),
    /// The server never got it: it had ended before.
    NotSent,
    /// The server does not read what it is sent.
    Stuck,
    /// The server ended meanwhile.
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
            LineTransport::new(pipes.stdout, pipes.stdin, context.options.max_message, words, complaint.clone());
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
        let (ending, ended) = watch::channel(None);
        tokio::spawn(supervise(context, running, process, complaint, stop.clone(), ending));
        Self { peer, runtime: Handle::current(), stop, ended }
    }

    /// How the server wants its tools to be used.
    pub(super) fn instructions(&self) -> String {
        self.peer.peer_info().and_then(|info| info.instructions.clone()).unwrap_or_default()
    }

    /// Whether nothing can be sent any more. How it ended may still have to be found out.
    pub(super) fn is_over(&self) -> bool {
        self.ending().is_some()
    }

    /// How it ended, as far as that is known; nothing while it runs.
    pub(super) fn ending(&self) -> Option<Ending> {
        let ending = self.ended.borrow().clone();
        ending.or_else(|| self.peer.is_transport_closed().then(Ending::unknown))
    }

    /// Waits until the server has ended, and everything it started.
    pub(super) async fn ended(&self) -> Ending {
        let mut ended = self.ended.clone();
        let ending = ended.wait_for(Option::is_some).await.ok().and_then(|ending| ending.clone());
        // Only a runtime that ends takes the supervisor with it.
        ending.unwrap_or_else(Ending::unknown)
    }

    /// A page of the server's tools.
    pub(super) async fn list(&self, cursor: Option<String>) -> Result<Value, RequestError> {
        let params = Some(PaginatedRequestParams::default().with_cursor(cursor));
        let request = ListToolsRequest { params, ..ListToolsRequest::default() };
        self.request(ClientRequest::ListToolsRequest(request), RequestMetaObject::new(), None).await
    }

    /// The result of a tool, as the server gave it. Dropping the future tells the server that nobody waits any more.
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
        let mut request = CallToolRequest::new(params);
        // For the transport: it sees the token that the server is to name its progress by.
        request.extensions.insert(call.progress.clone());
        self.request(ClientRequest::CallToolRequest(request), RequestMetaObject(meta), patience).await
    }

    async fn request(
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
            // The transport reads only the answer that opens the session as anything else.
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
        // One that can no longer be written to is of no use, even if it still runs.
        self.stop.cancel();
        RequestError::Ended(self.ended().await)
    }
}

/// Where a call's key is in `_meta`.
const KEY_IN_META: &str = "isobox/idempotencyKey";

/// Where its fencing token is, in executions that are kept.
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

/// What went wrong while a session was opened.
enum OpeningError {
    TimedOut,
    /// The process ended, or closed its standard output.
    Ended,
    /// It answered with an error.
    Refused(String),
    /// It answered with something else.
    Strange(String),
    /// It is no longer wanted.
    Stopped,
}

const LOOK: &str = "run the command in a terminal to see what is wrong with it";

impl OpeningError {
    fn of(error: ClientInitializeError, secrets: &Secrets) -> Self {
        match error {
            ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => Self::Ended,
            ClientInitializeError::JsonRpcError(error) => Self::Refused(clean(&secrets.conceal(&error.message))),
            ClientInitializeError::Cancelled => Self::Stopped,
            other => Self::Strange(clean(&secrets.conceal(&other.to_string()))),
        }
    }

    /// One that ends by itself may do so, to be reported as it ended.
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
                return OpenError::Refused(say(ErrorKind::Refused, &format!("refused to be used: {message}")));
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
            ("there is no such command".to_owned(), "install it, or give the whole path of the program as `command`")
        }
        (_, io::ErrorKind::PermissionDenied) => {
            (cause.to_string(), "`command` has to be a program that this user may run")
        }
        _ => (cause.to_string(), LOOK),
    };
    let what = format!("could not be started: {what}");
    error(ErrorKind::Unavailable, context, &what, None).hint(hint).caused_by(cause)
}

/// Waits for the end of a session, whoever brings it about, and cleans up behind it.
async fn supervise(
    context: Arc<Context>,
    running: RunningService<RoleClient, Listener>,
    process: Process,
    complaint: Complaint,
    stop: CancellationToken,
    ending: watch::Sender<Option<Ending>>,
) {
    /// How long what a server wrote before it ended may take to be read.
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

/// Our side of the protocol: it offers nothing and listens for changes.
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
}

/// Counts one more change of the tools.
pub(super) fn changed(changes: &watch::Sender<u64>) {
    changes.send_modify(|generation| *generation = generation.wrapping_add(1));
}

/// Servers of the newer era tell about changes only those who ask.
async fn listen(peer: Peer<RoleClient>, changes: watch::Sender<u64>) {
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    // One that refuses will not tell; its tools can still be used.
    let Ok(mut subscription) = peer.listen(filter).await else { return };
    while let Ok(Some(_)) = subscription.next().await {
        changed(&changes);
    }
}

/// A request that was sent. Dropped without an answer, it tells the server that nobody waits any more.
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
            self.runtime.spawn(handle.cancel(Some("nobody waits for it any more".to_owned())));
        }
    }
}
