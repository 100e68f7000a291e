//! One session with a server, from its start to its end.

use std::sync::Arc;
use std::time::Duration;

use isobox_core::connector::ServiceLevel;
use isobox_core::{Progress, ToolCall};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, CustomRequest, CustomResult, ErrorCode, ErrorData,
    GetExtensions, ListToolsRequest, MetaObject, PaginatedRequestParams, RequestMetaObject, ServerCapabilities,
    ServerResult, SubscriptionFilter,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, RunningService};
use rmcp::{Peer, RoleClient, ServiceError};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::McpOptions;
use super::back_off::Renewals;
use super::complaint::Ending;
use super::context::Context;
use super::inbox::{Caller, is_lost};
use super::link::Link;
use super::listener::{Listener, changed};
use super::process::Manner;
use super::questions::{Desk, Question, Questions};
use super::send_error::SendError;

/// A server that is running or has ended.
pub(super) struct Session {
    peer: Peer<RoleClient>,
    runtime: Handle,
    stop: CancellationToken,
    ended: watch::Receiver<Option<Ending>>,
    /// The log messages that each call asks for.
    log_level: Option<ServiceLevel>,
    questions: Arc<Questions>,
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
    /// The request did not get a usable answer over HTTP.
    Failed(SendError),
}

impl RequestError {
    /// Tells whether the server may have carried out the request.
    pub(super) fn leaves_effect_unknown(&self) -> bool {
        match self {
            Self::TimedOut(_) | Self::Ended(_) => true,
            Self::Failed(error) => error.leaves_effect_unknown(),
            Self::Refused(error) => is_lost(error),
            Self::NotSent | Self::Stuck => false,
        }
    }
}

impl Session {
    /// Takes over a session that has been opened.
    pub(super) fn watch(
        context: Arc<Context>,
        running: RunningService<RoleClient, Listener>,
        link: Link,
        stop: CancellationToken,
    ) -> Self {
        let peer = running.peer().clone();
        let is_modern = peer.peer_info().is_some_and(|info| !info.protocol_version.has_initialize());
        if is_modern {
            let listening = listen(peer.clone(), context.changes.clone());
            tokio::spawn(stop.clone().run_until_cancelled_owned(listening));
        }
        let log_level = context.options.log_level.filter(|_| is_modern);
        if let Some(level) = context.options.log_level
            && !is_modern
            && peer.peer_info().is_some_and(|info| info.capabilities.logging.is_some())
        {
            tokio::spawn(ask_for_logs(peer.clone(), level));
        }
        let questions = Arc::clone(running.service().questions());
        let (ending, ended) = watch::channel(None);
        tokio::spawn(supervise(context, running, link, stop.clone(), ending));
        Self { peer, runtime: Handle::current(), stop, ended, log_level, questions }
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
        self.request(ClientRequest::ListToolsRequest(request), RequestMetaObject::new(), Patience::Endless).await
    }

    /// Sends the call of a tool.
    pub(super) async fn begin_call(
        &self,
        params: CallToolRequestParams,
        call: &ToolCall,
        options: &McpOptions,
    ) -> Result<Running, RequestError> {
        let mut request = CallToolRequest::new(params);
        let (caller, patience, questions) = caller(call, options);
        request.extensions.insert(caller);
        self.begin(ClientRequest::CallToolRequest(request), self.meta(call), patience, questions).await
    }

    /// Sends a request that belongs to the call of a tool, and that rmcp does not know.
    pub(super) async fn begin_custom(
        &self,
        method: &str,
        params: Value,
        call: &ToolCall,
        options: &McpOptions,
    ) -> Result<Running, RequestError> {
        let mut request = CustomRequest::new(method.to_owned(), Some(params));
        let (caller, patience, questions) = caller(call, options);
        request.extensions.insert(caller);
        self.begin(ClientRequest::CustomRequest(request), self.meta(call), patience, questions).await
    }

    fn meta(&self, call: &ToolCall) -> RequestMetaObject {
        let mut meta = MetaObject::new();
        meta.0.insert(KEY_IN_META.to_owned(), call.context.key().into());
        if let Some(token) = call.context.fencing_token {
            meta.0.insert(TOKEN_IN_META.to_owned(), token.into());
        }
        if let Some(level) = self.log_level {
            meta.0.insert(LOG_LEVEL_IN_META.to_owned(), level.as_str().into());
        }
        RequestMetaObject(meta)
    }

    /// Sends a request of a program that calls no tool, and returns the raw result. Dropping the future cancels the
    /// request at the server.
    pub(super) async fn call_function(
        &self,
        mut request: ClientRequest,
        patience: Patience,
    ) -> Result<Value, RequestError> {
        let (desk, questions) = Desk::unattended();
        request.extensions_mut().insert(Caller { progress: Progress::default(), beat: watch::Sender::new(()), desk });
        let running = self.begin(request, RequestMetaObject::new(), patience, questions).await?;
        self.result_of(running).await
    }

    /// Counts a task among the calls that a question may be about, for as long as the receiver exists.
    pub(super) fn expect_questions_about(&self, task: &str) -> mpsc::Receiver<Question> {
        self.questions.register_task(task)
    }

    /// Sends a request and returns the raw result. Dropping the future cancels the request at the server.
    pub(super) async fn request(
        &self,
        request: ClientRequest,
        meta: RequestMetaObject,
        patience: Patience,
    ) -> Result<Value, RequestError> {
        let (_, nobody_asks) = mpsc::channel(1);
        let running = self.begin(request, meta, patience, nobody_asks).await?;
        self.result_of(running).await
    }

    async fn result_of(&self, mut running: Running) -> Result<Value, RequestError> {
        loop {
            if let Reached::Answered(answer) = self.next(&mut running).await {
                return answer;
            }
        }
    }

    async fn begin(
        &self,
        request: ClientRequest,
        meta: RequestMetaObject,
        patience: Patience,
        questions: mpsc::Receiver<Question>,
    ) -> Result<Running, RequestError> {
        let options = PeerRequestOptions::no_options().with_meta(meta);
        let handle = match self.peer.send_request_with_option(request, options).await {
            Ok(handle) => handle,
            Err(ServiceError::TransportClosed) => return Err(RequestError::NotSent),
            Err(error) => return Err(self.lost(error).await),
        };
        let awaited = Awaited { handle: Some(handle), runtime: self.runtime.clone() };
        Ok(Running { awaited, questions, patience })
    }

    /// Waits for the answer to a request, or for a question of the server about it. The time starts again with every
    /// question.
    pub(super) async fn next(&self, running: &mut Running) -> Reached {
        let Running { awaited, questions, patience } = running;
        let answer = tokio::select! {
            answer = awaited.answer() => answer,
            Some(question) = questions.recv() => return Reached::Asked(question),
            time = patience.is_over() => return Reached::Answered(Err(RequestError::TimedOut(time))),
        };
        Reached::Answered(match answer {
            Ok(ServerResult::CustomResult(CustomResult(value))) => Ok(value),
            // The transport returns raw values for all answers except the one that opens the session.
            Ok(other) => Ok(serde_json::to_value(other).unwrap_or_default()),
            Err(ServiceError::McpError(error)) => Err(RequestError::Refused(error)),
            Err(error) => Err(self.lost(error).await),
        })
    }

    async fn lost(&self, error: ServiceError) -> RequestError {
        if let ServiceError::TransportSend(error) = &error
            && let Some(error) = error.error.downcast_ref::<SendError>()
        {
            match error {
                SendError::Closed => {}
                SendError::Stuck => return RequestError::Stuck,
                SendError::SessionLost => {
                    self.stop.cancel();
                    self.ended().await;
                    return RequestError::NotSent;
                }
                SendError::LoginNeeded(_) | SendError::Status { .. } | SendError::Http { .. } => {
                    return RequestError::Failed(error.clone());
                }
            }
        }
        // A server that does not read its input is useless, even if it still runs.
        self.stop.cancel();
        RequestError::Ended(self.ended().await)
    }
}

/// A request that was sent. Dropping it before the answer cancels it at the server.
pub(super) struct Running {
    awaited: Awaited,
    questions: mpsc::Receiver<Question>,
    patience: Patience,
}

/// An event while a request runs.
pub(super) enum Reached {
    Answered(Result<Value, RequestError>),
    /// The server asks a question, and waits for the answer.
    Asked(Question),
}

/// Prepares what the caller of a tool hears while it waits. Only a durable execution can wait for a person.
fn caller(call: &ToolCall, options: &McpOptions) -> (Caller, Patience, mpsc::Receiver<Question>) {
    let (patience, beat) = Patience::for_call(options);
    let (desk, questions) = match call.context.fencing_token {
        Some(_) => Desk::attended(),
        None => Desk::unattended(),
    };
    (Caller { progress: call.progress.clone(), beat, desk }, patience, questions)
}

/// The maximum time of the wait for an answer.
pub(super) enum Patience {
    Endless,
    Limited(Duration),
    /// The time starts again whenever there is progress.
    Renewed(Duration, watch::Receiver<()>),
}

impl From<Option<Duration>> for Patience {
    fn from(time: Option<Duration>) -> Self {
        time.map_or(Self::Endless, Self::Limited)
    }
}

impl Patience {
    /// Returns the patience for a call, and the sender that reports progress to it.
    pub(super) fn for_call(options: &McpOptions) -> (Self, watch::Sender<()>) {
        let beat = watch::Sender::new(());
        let patience = match options.call_timeout {
            None => Self::Endless,
            Some(time) if options.progress_prolongs => Self::Renewed(time, beat.subscribe()),
            Some(time) => Self::Limited(time),
        };
        (patience, beat)
    }

    /// Returns the time when it is over.
    pub(super) async fn is_over(&mut self) -> Duration {
        match self {
            Self::Endless => std::future::pending().await,
            Self::Limited(time) => {
                sleep(*time).await;
                *time
            }
            Self::Renewed(time, beat) => {
                while let Ok(beat) = timeout(*time, beat.changed()).await {
                    if beat.is_err() {
                        // There is no more progress, because the answer is about to arrive.
                        sleep(*time).await;
                        break;
                    }
                }
                *time
            }
        }
    }
}

/// The key of the idempotency key in `_meta`.
const KEY_IN_META: &str = "isobox/idempotencyKey";

/// The key of the log level in `_meta`, for servers of the newer era.
const LOG_LEVEL_IN_META: &str = "io.modelcontextprotocol/logLevel";

/// The key of the fencing token in `_meta`, for stored executions.
const TOKEN_IN_META: &str = "isobox/fencingToken";

/// Waits for the end of a session, whatever its cause, and cleans up.
async fn supervise(
    context: Arc<Context>,
    running: RunningService<RoleClient, Listener>,
    link: Link,
    stop: CancellationToken,
    ending: watch::Sender<Option<Ending>>,
) {
    /// The time for which the remaining output of an ended server is read.
    const LAST_MESSAGES: Duration = Duration::from_millis(500);

    let mut service = std::pin::pin!(running.waiting());
    let manner = tokio::select! {
        _quit = &mut service => Manner::Politely,
        () = link.exited() => {
            let _ = timeout(LAST_MESSAGES, &mut service).await;
            stop.cancel();
            Manner::AtOnce
        }
    };
    let ended = link.end(manner, &context).await;
    if !context.stop.is_cancelled() {
        context.back_off.failed();
    }
    ending.send_replace(Some(ended));
}

/// Subscribes to changes of lists, which servers of the newer era report only to subscribers. Subscribes again when a
/// subscription ends, until the server refuses it.
async fn listen(peer: Peer<RoleClient>, changes: watch::Sender<u64>) {
    let filter =
        SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().resources_list_changed().build();
    let (mut renewals, mut is_first) = (Renewals::new(), true);
    loop {
        let listening = async {
            let mut subscription = peer.listen(filter.clone()).await?;
            if !is_first {
                // What changed since the last subscription is not reported.
                changed(&changes);
            }
            while subscription.next().await?.is_some() {
                changed(&changes);
            }
            Ok::<_, ServiceError>(())
        };
        // A server that refuses will not report changes; its tools can still be used.
        if listening.await.is_err_and(|error| !may_be_renewed(&error)) {
            return;
        }
        is_first = false;
        renewals.wait(None).await;
    }
}

/// Tells whether a server may accept another subscription after an error.
fn may_be_renewed(error: &ServiceError) -> bool {
    match error {
        // The transport reports a stream that breaks off as such an error.
        ServiceError::McpError(error) => error.code == ErrorCode::INTERNAL_ERROR,
        ServiceError::TransportSend(error) => error.error.downcast_ref::<SendError>().is_some_and(SendError::may_pass),
        ServiceError::TransportClosed => false,
        // Among them the final result of a subscription, which rmcp does not recognise: the transport returns raw values.
        _ => true,
    }
}

/// Asks a server for log messages. One that refuses sends what it likes. Servers of the newer era are asked with each call.
async fn ask_for_logs(peer: Peer<RoleClient>, level: ServiceLevel) {
    let request = CustomRequest::new("logging/setLevel", Some(json!({ "level": level })));
    let _ = peer.send_request(ClientRequest::CustomRequest(request)).await;
}

/// The answer to a request.
struct Awaited {
    handle: Option<RequestHandle<RoleClient>>,
    runtime: Handle,
}

impl Awaited {
    async fn answer(&mut self) -> Result<ServerResult, ServiceError> {
        let Some(handle) = &mut self.handle else { return Err(ServiceError::TransportClosed) };
        let answer = (&mut handle.rx).await.unwrap_or(Err(ServiceError::TransportClosed));
        self.handle = None;
        answer
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            self.runtime.spawn(handle.cancel(Some("the caller no longer waits for the answer".to_owned())));
        }
    }
}
