//! Sends and receives the messages of a remote server: streamable HTTP, and the older HTTP with server-sent events.
//!
//! The transport of rmcp bounds neither answers nor waits as needed, and needs another HTTP client. This one uses ours,
//! with its bounds on addresses, and reads messages like those of a child process.

mod answers;
mod events;
mod parameters;
mod wire;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use hyper::Uri;
use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::sleep;

use super::back_off::{MAX_RETRY, MIN_RETRY, Renewals};
use super::inbox::{Inbox, lost_answer};
use super::line_transport::Complaint;
use super::lines::Line;
use super::send_error::{SendError, encode};
use crate::http::{HttpStream, Origin, join_url};
use answers::Answers;
use events::Events;
use parameters::Parameters;
use wire::{Answer, Sent};

pub(super) use wire::Wire;

/// The way in which messages travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Streamable HTTP of protocol versions with a handshake (2025-03-26 to 2025-11-25).
    Sessions,
    /// Streamable HTTP without sessions (from 2026-07-28 on).
    Stateless,
    /// One stream of events for all answers (2024-11-05).
    OneStream,
}

/// The transport between rmcp and a remote server.
pub(super) struct HttpTransport {
    dialect: Dialect,
    wire: Arc<Wire>,
    inbox: Inbox,
    complaint: Complaint,
    incoming: mpsc::Receiver<Incoming>,
    feed: mpsc::Sender<Incoming>,
    /// The requests that are not answered yet.
    pending: HashMap<RequestId, Pending>,
    /// The last subscription to changes, and the task that reads its stream.
    subscription: Option<(RequestId, AbortHandle)>,
    answers: Answers,
    /// The tasks that read streams which answer no request.
    listening: Vec<AbortHandle>,
}

/// A request that is not answered yet.
struct Pending {
    task: AbortHandle,
    /// The number of times that its stream was opened again.
    continued: u32,
}

/// A report of a task that reads a stream.
enum Incoming {
    /// A message, or a line that is too long to be one, and the request whose stream it came by.
    Line(Line, Option<RequestId>),
    /// A request was not accepted, and its sender knows it.
    NotSent(RequestId),
    /// The response to a request ended.
    Ended { request: RequestId, end: StreamEnd },
    /// The one stream of all answers ended.
    Closed(String),
}

/// The maximum number of messages that wait to be read. Streams wait when there are more.
const WAITING: usize = 16;
/// The maximum number of times that the stream of an answer is opened again.
const MAX_CONTINUED: u32 = 20;

impl HttpTransport {
    /// Creates the transport. Connects to nothing yet, except for the one stream of old servers.
    pub(super) fn new(dialect: Dialect, wire: Wire, inbox: Inbox, complaint: Complaint) -> Self {
        let (feed, incoming) = mpsc::channel(WAITING);
        let wire = Arc::new(wire);
        let mut listening = Vec::new();
        match dialect {
            Dialect::Sessions => {}
            Dialect::Stateless => wire.agree(rmcp::model::ProtocolVersion::V_2026_07_28.as_str()),
            Dialect::OneStream => {
                let task = tokio::spawn(read_all_answers(Arc::clone(&wire), feed.clone()));
                listening.push(task.abort_handle());
            }
        }
        Self {
            dialect,
            wire,
            inbox,
            complaint,
            incoming,
            feed,
            pending: HashMap::new(),
            subscription: None,
            answers: Answers::default(),
            listening,
        }
    }

    /// Sends a message in its own task, so that dropping the result does not stop it, but ending the request does.
    fn start(&mut self, message: &ClientJsonRpcMessage) -> Result<oneshot::Receiver<Result<(), SendError>>, SendError> {
        let body = Bytes::from(encode(message)?);
        let known = match message {
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {
                Sent::read(&body, self.dialect == Dialect::Stateless)
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => Sent::Plain(String::new()),
        };
        let request = match message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            JsonRpcMessage::Notification(_) | JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => None,
        };
        let (sent, result) = oneshot::channel();
        let courier = Courier { dialect: self.dialect, wire: Arc::clone(&self.wire), feed: self.feed.clone() };
        let delivery = courier.deliver(body, known, request, sent);
        match message {
            JsonRpcMessage::Request(request) => {
                let task = tokio::spawn(delivery).abort_handle();
                if matches!(request.request, ClientRequest::SubscriptionsListenRequest(_)) {
                    self.replace_subscription(request.id.clone(), task.clone());
                }
                self.pending.insert(request.id.clone(), Pending { task, continued: 0 });
            }
            JsonRpcMessage::Notification(_) => drop(tokio::spawn(delivery)),
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => self.answers.send(delivery)?,
        }
        Ok(result)
    }

    /// Closes the stream of the subscription before: a server may have ended it and left the stream open.
    fn replace_subscription(&mut self, request: RequestId, task: AbortHandle) {
        if let Some((before, task)) = self.subscription.replace((request, task)) {
            task.abort();
            if let Some(pending) = self.pending.remove(&before) {
                pending.task.abort();
            }
        }
    }

    /// Handles the end of the stream of an answer: continues it, or answers for the server.
    fn ended(&mut self, request: RequestId, end: StreamEnd) -> Option<ServerJsonRpcMessage> {
        let StreamEnd { last_id, retry, problem } = end;
        let pending = self.pending.get_mut(&request)?;
        if let Some(last_id) = last_id
            && pending.continued < MAX_CONTINUED
        {
            pending.continued += 1;
            let retry = retry.unwrap_or(MIN_RETRY).clamp(MIN_RETRY, MAX_RETRY);
            let courier = Courier { dialect: self.dialect, wire: Arc::clone(&self.wire), feed: self.feed.clone() };
            let task = tokio::spawn(async move { courier.resume(request, last_id, retry).await });
            pending.task = task.abort_handle();
            return None;
        }
        self.pending.remove(&request);
        let problem = problem.as_deref().unwrap_or("closed the connection before it answered");
        Some(lost_answer(request, format!("the server {problem}")))
    }

    /// Keeps what later messages depend on.
    fn note(&mut self, message: &ServerJsonRpcMessage) {
        match message {
            JsonRpcMessage::Response(response) => {
                self.pending.remove(&response.id);
                match &response.result {
                    ServerResult::InitializeResult(result) => self.wire.agree(result.protocol_version.as_str()),
                    ServerResult::CustomResult(result) if self.dialect == Dialect::Stateless => {
                        if let Some(tools) = result.0.get("tools").and_then(Value::as_array) {
                            self.remember_parameters(tools);
                        }
                    }
                    _ => {}
                }
            }
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.pending.remove(id);
                }
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
    }

    fn remember_parameters(&self, tools: &[Value]) {
        /// The maximum number of tools whose arguments are sent as headers.
        const MAX_TOOLS: usize = 20_000;
        let mut all = self.wire.parameters.lock().unwrap_or_else(PoisonError::into_inner);
        for tool in tools {
            let Some(name) = tool.get("name").and_then(Value::as_str) else { continue };
            let parameters = Parameters::find(tool.get("inputSchema").unwrap_or(&Value::Null));
            if parameters.is_empty() {
                all.remove(name);
            } else if all.len() < MAX_TOOLS {
                all.insert(name.to_owned(), parameters);
            }
        }
    }

    /// Opens the stream of messages that answer no request.
    fn listen(&mut self) {
        let task = tokio::spawn(listen(Arc::clone(&self.wire), self.feed.clone()));
        self.listening.push(task.abort_handle());
    }
}

impl Transport<RoleClient> for HttpTransport {
    type Error = SendError;

    /// Begins to send the message when called, not when first polled.
    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = Result<(), SendError>> + Send + 'static {
        self.inbox.expect(&message);
        let cancelled = cancelled_request(&message).and_then(|request| self.pending.remove(&request));
        // Without sessions, a request is cancelled by closing its connection.
        let is_sent = cancelled.is_none() || self.dialect != Dialect::Stateless;
        let started = if is_sent { self.start(&message).map(Some) } else { Ok(None) };
        if matches!(&message, JsonRpcMessage::Notification(notification)
            if matches!(notification.notification, ClientNotification::InitializedNotification(_)))
            && self.dialect == Dialect::Sessions
        {
            self.listen();
        }
        async move {
            let result = match started? {
                Some(sent) => sent.await.unwrap_or(Err(SendError::Closed)),
                None => Ok(()),
            };
            if let Some(pending) = cancelled {
                pending.task.abort();
            }
            result
        }
    }

    /// Receives the next message. Cancellation safe.
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let message = match self.incoming.recv().await? {
                // A message that is too long and answers nothing is dropped. The others are not affected.
                Incoming::Line(line, origin) => self.inbox.read(line, origin.as_ref()).unwrap_or_default(),
                Incoming::NotSent(request) => {
                    self.pending.remove(&request);
                    None
                }
                Incoming::Ended { request, end } => self.ended(request, end),
                Incoming::Closed(problem) => {
                    let _ = self.complaint.set(problem);
                    return None;
                }
            };
            if let Some(message) = message {
                self.note(&message);
                return Some(message);
            }
        }
    }

    /// Ends the session at the server, and closes all connections.
    async fn close(&mut self) -> Result<(), SendError> {
        self.abandon();
        self.wire.end_session().await;
        Ok(())
    }
}

impl HttpTransport {
    fn abandon(&mut self) {
        let tasks = self.pending.drain().map(|(_, pending)| pending.task).chain(self.listening.drain(..));
        tasks.for_each(|task| task.abort());
        self.answers.abandon();
    }
}

impl Drop for HttpTransport {
    fn drop(&mut self) {
        self.abandon();
    }
}

fn cancelled_request(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    let JsonRpcMessage::Notification(notification) = message else { return None };
    match &notification.notification {
        ClientNotification::CancelledNotification(cancelled) => cancelled.params.request_id.clone(),
        _ => None,
    }
}

/// Delivers one message and reads its answer.
struct Courier {
    dialect: Dialect,
    wire: Arc<Wire>,
    feed: mpsc::Sender<Incoming>,
}

impl Courier {
    async fn deliver(
        self,
        body: Bytes,
        known: Sent,
        request: Option<RequestId>,
        sent: oneshot::Sender<Result<(), SendError>>,
    ) {
        let posted = match self.address().await {
            Ok(url) => self.wire.post(&url, body, &known).await,
            Err(error) => Err(error),
        };
        let answer = match posted {
            Ok(answer) => answer,
            Err(error) => {
                // The caller may have stopped waiting.
                let _ = sent.send(Err(error));
                if let Some(request) = request {
                    self.tell(Incoming::NotSent(request)).await;
                }
                return;
            }
        };
        let _ = sent.send(Ok(()));
        let mut problem = "sent a message that does not answer the request".to_owned();
        match answer {
            Answer::Nothing(shown) => problem = shown,
            Answer::Message(message) => {
                self.tell(Incoming::Line(Line::Whole(BytesMut::from(message)), request.clone())).await
            }
            Answer::TooLong(head) => {
                let line = Line::TooLong { head: head[..head.len().min(256)].to_vec(), tail: Vec::new() };
                self.tell(Incoming::Line(line, None)).await;
            }
            Answer::Events(stream) => {
                let end = pump(stream, self.wire.max_message, request.as_ref(), &self.feed).await;
                self.tell_end(request, end).await;
                return;
            }
        }
        // The answers of old servers come by the one stream.
        if self.dialect != Dialect::OneStream {
            self.tell_end(request, StreamEnd { problem: Some(problem), ..StreamEnd::default() }).await;
        }
    }

    /// Continues the stream of an answer after an event.
    async fn resume(self, request: RequestId, last_id: String, retry: Duration) {
        sleep(retry).await;
        let end = match self.wire.listen(Some(&last_id)).await {
            Ok(stream) => {
                let mut end = pump(stream, self.wire.max_message, Some(&request), &self.feed).await;
                end.last_id = end.last_id.or(Some(last_id));
                end
            }
            // A server that cannot be reached may be there again in a moment.
            Err(error) if error.may_pass() => {
                StreamEnd { last_id: Some(last_id), retry: Some(retry.saturating_mul(2)), problem: None }
            }
            Err(_) => StreamEnd::default(),
        };
        self.tell_end(Some(request), end).await;
    }

    async fn address(&self) -> Result<Uri, SendError> {
        if self.dialect != Dialect::OneStream {
            return Ok(self.wire.url().clone());
        }
        let mut endpoint = self.wire.endpoint.subscribe();
        let known = endpoint.wait_for(Option::is_some).await.ok().and_then(|url| url.clone());
        match known {
            Some(Ok(url)) => Ok(url),
            Some(Err(problem)) => Err(SendError::Http { message: format!("the server {problem}"), was_sent: false }),
            None => Err(SendError::Closed),
        }
    }

    async fn tell_end(&self, request: Option<RequestId>, end: StreamEnd) {
        if let Some(request) = request {
            self.tell(Incoming::Ended { request, end }).await;
        }
    }

    async fn tell(&self, incoming: Incoming) {
        // The receiver is gone only if the session is over.
        let _ = self.feed.send(incoming).await;
    }
}

/// The end of a stream. It can be continued after the event with the last id.
#[derive(Default)]
struct StreamEnd {
    last_id: Option<String>,
    retry: Option<Duration>,
    /// The reason why there is no answer, if the response was no stream.
    problem: Option<String>,
}

/// Passes on the messages of a stream until it ends.
async fn pump(
    mut stream: HttpStream,
    max_message: usize,
    request: Option<&RequestId>,
    feed: &mpsc::Sender<Incoming>,
) -> StreamEnd {
    let mut events = Events::new(max_message);
    // A stream that fails has ended.
    while let Ok(Some(piece)) = stream.next().await {
        events.add(&piece);
        while let Some(event) = events.next() {
            if event.kind == "message" && feed.send(Incoming::Line(event.data, request.cloned())).await.is_err() {
                return StreamEnd::default();
            }
        }
    }
    StreamEnd { last_id: events.last_id, retry: events.retry.map(Duration::from_millis), problem: None }
}

/// Reads the messages that answer no request, for as long as the server offers them.
async fn listen(wire: Arc<Wire>, feed: mpsc::Sender<Incoming>) {
    let (mut last_id, mut renewals) = (None::<String>, Renewals::new());
    loop {
        let retry = match wire.listen(last_id.as_deref()).await {
            Ok(stream) => {
                let end = pump(stream, wire.max_message, None, &feed).await;
                last_id = end.last_id.or(last_id);
                end.retry
            }
            Err(error) if error.may_pass() => None,
            // The server has no such stream, or the session is over.
            Err(_) => return,
        };
        if feed.is_closed() {
            return;
        }
        renewals.wait(retry).await;
    }
}

/// Reads the one stream of an old server, whose first event is the address for messages.
async fn read_all_answers(wire: Arc<Wire>, feed: mpsc::Sender<Incoming>) {
    let problem = match wire.listen(None).await {
        Ok(stream) => match read_addressed_stream(&wire, stream, &feed).await {
            Ok(()) => "closed the connection".to_owned(),
            Err(problem) => problem,
        },
        Err(error) => format!("did not open its stream of events: {error}"),
    };
    wire.endpoint.send_replace(Some(Err(problem.clone())));
    let _ = feed.send(Incoming::Closed(problem)).await;
}

async fn read_addressed_stream(
    wire: &Wire,
    mut stream: HttpStream,
    feed: &mpsc::Sender<Incoming>,
) -> Result<(), String> {
    let mut events = Events::new(wire.max_message);
    while let Ok(Some(piece)) = stream.next().await {
        events.add(&piece);
        while let Some(event) = events.next() {
            if event.kind == "endpoint" {
                wire.endpoint.send_replace(Some(Ok(endpoint(wire.url(), &event.data)?)));
            } else if event.kind == "message" && feed.send(Incoming::Line(event.data, None)).await.is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Reads the address for messages. It must have the origin of the server: credentials are sent to it.
fn endpoint(base: &Uri, data: &Line) -> Result<Uri, String> {
    let Line::Whole(data) = data else { return Err("sent an address for messages that is too long".to_owned()) };
    let text = String::from_utf8_lossy(data);
    let url = join_url(base, text.trim()).map_err(|why| format!("sent a wrong address for messages: {why}"))?;
    if Origin::of(&url) != Origin::of(base) {
        return Err("sent an address for messages that belongs to another origin".to_owned());
    }
    Ok(url)
}
