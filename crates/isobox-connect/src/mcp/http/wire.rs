//! Sends messages to a server over HTTP, and opens its streams.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Method, StatusCode, Uri};
use isobox_core::brief;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::timeout;

use super::super::concealing::Concealing;
use super::super::send_error::SendError;
use super::parameters::Parameters;
use crate::http::{HttpClient, HttpError, HttpErrorKind, HttpRequest, HttpStream};
use crate::oauth::{Authorizer, Challenge};

/// The address of a server, and what its requests have in common.
pub(in crate::mcp) struct Wire {
    client: HttpClient,
    url: Uri,
    /// The configured headers.
    headers: HeaderMap,
    authorizer: Option<Arc<Authorizer>>,
    /// What is concealed in messages of the server. Learns the tokens that are sent.
    secrets: Arc<Concealing>,
    /// The address for messages that a server of the protocol of 2024 named, or why there is none.
    pub(super) endpoint: watch::Sender<Option<Result<Uri, String>>>,
    session: OnceLock<HeaderValue>,
    version: Mutex<Option<HeaderValue>>,
    /// The arguments of tools that are also sent as headers.
    pub(super) parameters: Mutex<HashMap<String, Parameters>>,
    pub(super) max_message: usize,
    /// The maximum time until the server begins an answer that is not the answer to a call.
    patience: Duration,
}

/// A response that a message got.
pub(super) enum Answer {
    /// A response without a message, which may have accepted ours. The text describes it.
    Nothing(String),
    /// One message, or another JSON object.
    Message(Bytes),
    /// A message of more than the maximum size: its beginning.
    TooLong(Bytes),
    /// A stream of messages.
    Events(HttpStream),
}

pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const EVENTS: &str = "text/event-stream";

/// The maximum size of the body of a refusal that is read, in bytes.
const MAX_REFUSAL: usize = 64 << 10;

/// The known parts of a message that is sent.
#[derive(Debug, PartialEq)]
pub(super) enum Sent {
    /// The whole message, from which headers are made that servers from 2026-07-28 on require.
    Described(Value),
    /// Its method. Empty for an answer.
    Plain(String),
}

impl Sent {
    /// Reads an encoded message.
    pub(super) fn read(body: &[u8], is_described: bool) -> Self {
        #[derive(Deserialize)]
        struct Head {
            #[serde(default)]
            method: String,
        }
        if is_described {
            return Self::Described(serde_json::from_slice(body).unwrap_or_default());
        }
        Self::Plain(serde_json::from_slice::<Head>(body).map(|head| head.method).unwrap_or_default())
    }

    fn method(&self) -> &str {
        match self {
            Self::Described(message) => message.get("method").and_then(Value::as_str).unwrap_or_default(),
            Self::Plain(method) => method,
        }
    }
}

impl Wire {
    /// Describes the connection to a server. Connects to nothing yet.
    pub(in crate::mcp) fn new(
        client: HttpClient,
        url: Uri,
        headers: HeaderMap,
        authorizer: Option<Arc<Authorizer>>,
        secrets: Arc<Concealing>,
        max_message: usize,
        patience: Duration,
    ) -> Self {
        Self {
            client,
            url,
            headers,
            authorizer,
            secrets,
            endpoint: watch::Sender::new(None),
            session: OnceLock::new(),
            version: Mutex::default(),
            parameters: Mutex::default(),
            max_message,
            patience,
        }
    }

    pub(super) fn url(&self) -> &Uri {
        &self.url
    }

    /// Remembers the protocol version that was agreed on. It is sent with every further message.
    pub(super) fn agree(&self, version: &str) {
        let version = HeaderValue::from_str(version).ok();
        *self.version.lock().unwrap_or_else(PoisonError::into_inner) = version;
    }

    /// Sends a message to an address, and returns the answer. The wait for an answer is bounded unless the message
    /// calls a tool: calls have time-outs of their own.
    pub(super) async fn post(&self, url: &Uri, message: Bytes, sent: &Sent) -> Result<Answer, SendError> {
        let mut headers = self.common_headers();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        let method = sent.method();
        if let Sent::Described(parsed) = sent {
            self.describe(method, parsed, &mut headers);
        }
        let request = HttpRequest { method: Method::POST, url: url.clone(), headers, body: message };
        let response = match method {
            "tools/call" | "tasks/result" | "subscriptions/listen" => self.open(request).await?,
            _ => self.patiently(self.open(request)).await?,
        };
        self.read(response).await
    }

    /// Opens the stream of messages that answer no request, or continues a stream after an event.
    pub(super) async fn listen(&self, after: Option<&str>) -> Result<HttpStream, SendError> {
        let mut headers = self.common_headers();
        headers.insert(ACCEPT, HeaderValue::from_static(EVENTS));
        if let Some(id) = after.and_then(|id| HeaderValue::from_str(id).ok()) {
            headers.insert(LAST_EVENT, id);
        }
        let request = HttpRequest { method: Method::GET, url: self.url.clone(), headers, body: Bytes::new() };
        let response = self.patiently(self.open(request)).await?;
        if !response.status.is_success() {
            return Err(refused(response, &self.secrets).await);
        }
        if !is_of_type(&response, EVENTS) {
            return Err(SendError::Status {
                status: response.status.as_u16(),
                text: "the answer is not a stream of events".to_owned(),
            });
        }
        Ok(response)
    }

    /// Tells the server that the session is over. Servers may ignore it.
    pub(super) async fn end_session(&self) {
        if self.session.get().is_none() {
            return;
        }
        let headers = self.common_headers();
        let request = HttpRequest { method: Method::DELETE, url: self.url.clone(), headers, body: Bytes::new() };
        let _ = timeout(Duration::from_secs(1), self.open(request)).await;
    }

    /// Sends a request. Gets another token if the one that was sent is refused.
    async fn open(&self, mut request: HttpRequest) -> Result<HttpStream, SendError> {
        let Some(authorizer) = &self.authorizer else { return self.open_once(&request).await };
        let mut token = authorizer.token().await.map_err(SendError::LoginNeeded)?;
        let mut is_first = true;
        loop {
            if let Some(token) = &token
                && let Ok(mut value) = HeaderValue::from_str(&format!("Bearer {token}"))
            {
                value.set_sensitive(true);
                self.secrets.add(token);
                request.headers.insert(AUTHORIZATION, value);
            }
            let response = self.open_once(&request).await?;
            let challenge = Challenge::of(&response.headers);
            match response.status {
                StatusCode::UNAUTHORIZED if is_first => {
                    is_first = false;
                    token = Some(authorizer.renew(challenge, token.as_deref()).await.map_err(SendError::LoginNeeded)?);
                }
                StatusCode::FORBIDDEN if is_first && challenge.is_about_scope() && authorizer.needs_no_person() => {
                    is_first = false;
                    token = Some(authorizer.renew(challenge, token.as_deref()).await.map_err(SendError::LoginNeeded)?);
                }
                StatusCode::UNAUTHORIZED => {
                    return Err(SendError::LoginNeeded(authorizer.begin(challenge).await));
                }
                StatusCode::FORBIDDEN if challenge.is_about_scope() => {
                    return Err(SendError::LoginNeeded(authorizer.begin(challenge).await));
                }
                _ => return Ok(response),
            }
        }
    }

    async fn open_once(&self, request: &HttpRequest) -> Result<HttpStream, SendError> {
        let response = self.client.open(request).await?;
        if response.status == StatusCode::NOT_FOUND && request.headers.contains_key(SESSION) {
            return Err(SendError::SessionLost);
        }
        if let Some(session) = response.headers.get(SESSION).filter(|_| response.status.is_success()) {
            // The first one counts.
            let _ = self.session.set(session.clone());
        }
        Ok(response)
    }

    async fn read(&self, mut response: HttpStream) -> Result<Answer, SendError> {
        if !response.status.is_success() {
            return Err(refused(response, &self.secrets).await);
        }
        let shown = described(&response);
        let nothing = || Answer::Nothing(format!("answered with {shown} and without a message"));
        if matches!(response.status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(nothing());
        }
        if is_of_type(&response, EVENTS) {
            return Ok(Answer::Events(response));
        }
        let (body, is_cut) = response.read(self.max_message).await?;
        if is_cut {
            return Ok(Answer::TooLong(body));
        }
        let text = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&body).trim_ascii();
        Ok(match text.first().copied() {
            None => nothing(),
            Some(b'{') => Answer::Message(body),
            Some(_) if is_of_type(&response, "text/html") => {
                Answer::Nothing(format!("answered with {shown}, which is no message"))
            }
            Some(_) => {
                // Secrets are concealed before the text is shortened, so that no part of one remains.
                let quoted = brief(&self.secrets.conceal(&String::from_utf8_lossy(text)), 100);
                Answer::Nothing(format!("answered with {shown}, which is no message: {quoted}"))
            }
        })
    }

    async fn patiently<T>(&self, work: impl Future<Output = Result<T, SendError>>) -> Result<T, SendError> {
        match timeout(self.patience, work).await {
            Ok(done) => done,
            Err(_elapsed) => {
                let message = format!("the server did not answer within {:?}", self.patience);
                Err(HttpError::new(HttpErrorKind::TimedOut, message).into())
            }
        }
    }

    fn common_headers(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        if let Some(session) = self.session.get() {
            headers.insert(SESSION, session.clone());
        }
        if let Some(version) = &*self.version.lock().unwrap_or_else(PoisonError::into_inner) {
            headers.insert(VERSION, version.clone());
        }
        headers
    }

    /// Adds the headers by which intermediaries route messages without reading them.
    fn describe(&self, method: &str, message: &Value, headers: &mut HeaderMap) {
        let params = message.get("params").unwrap_or(&Value::Null);
        let mut add = |name: HeaderName, value: &str| {
            if let Ok(value) = HeaderValue::from_str(&super::parameters::encode(value)) {
                headers.insert(name, value);
            }
        };
        if method.is_empty() {
            return;
        }
        add(METHOD, method);
        let subject = match method {
            "tools/call" | "prompts/get" => params.get("name"),
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => params.get("uri"),
            "tasks/get" | "tasks/update" | "tasks/cancel" => params.get("taskId"),
            _ => None,
        };
        let Some(subject) = subject.and_then(Value::as_str) else { return };
        add(NAME, subject);
        if method == "tools/call"
            && let Some(arguments) = params.get("arguments")
            && let Some(parameters) = self.parameters.lock().unwrap_or_else(PoisonError::into_inner).get(subject)
        {
            for (name, value) in parameters.of(arguments) {
                add(name, &value);
            }
        }
    }
}

async fn refused(mut response: HttpStream, secrets: &Concealing) -> SendError {
    let status = response.status.as_u16();
    let limit = Duration::from_secs(5);
    let body = match timeout(limit, response.read(MAX_REFUSAL)).await {
        Ok(Ok((body, _))) => body,
        Ok(Err(_)) | Err(_) => Bytes::new(),
    };
    // The reason of a JSON-RPC error, or the beginning of a text.
    let parsed: Option<Value> = serde_json::from_slice(&body).ok();
    let reason = parsed.as_ref().and_then(|body| body.get("error")?.get("message")?.as_str());
    let is_page = is_of_type(&response, "text/html");
    // Secrets are concealed before the text is shortened, so that no part of one remains.
    let text = match reason {
        Some(reason) => brief(&secrets.conceal(reason), 200),
        None if is_page => String::new(),
        None => brief(secrets.conceal(&String::from_utf8_lossy(&body)).trim(), 200),
    };
    let text = match response.headers.get(hyper::header::LOCATION).and_then(|location| location.to_str().ok()) {
        Some(location) if response.status.is_redirection() => {
            format!("it redirects to `{}`, which is not followed", brief(&secrets.conceal(location), 200))
        }
        _ => text,
    };
    let challenge = response.headers.contains_key(WWW_AUTHENTICATE);
    let text = match response.status {
        StatusCode::UNAUTHORIZED if text.is_empty() && challenge => "the credentials are missing or wrong".to_owned(),
        _ => text,
    };
    SendError::Status { status, text }
}

/// Describes a response by its status and its media type.
fn described(response: &HttpStream) -> String {
    let status = response.status.as_u16();
    match response.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) {
        Some(media_type) => format!("status {status} (`{}`)", brief(media_type, 80)),
        None => format!("status {status}"),
    }
}

fn is_of_type(response: &HttpStream, expected: &str) -> bool {
    let value = response.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(expected))
}
