//! Starts a server when it is first needed, and again after it has ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use isobox_core::connector::{Error, ErrorKind, ServiceLogSink, Status};
use isobox_core::{Offer, ToolCall, ToolError};
use rmcp::model::{ErrorCode, JsonObject, RequestMetaObject};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::back_off::BackOff;
use super::complaint::{Ending, clean, error};
use super::context::Context;
use super::extras::{Extras, extras};
use super::functions::Target;
use super::listing::Listing;
use super::logs::Logs;
use super::reply;
use super::session::{Era, OpenError, RequestError, Session, changed};
use super::{McpOptions, McpServer};
use crate::secrets::Secrets;

/// A server and its consecutive runs.
pub(super) struct Lifecycle {
    context: Arc<Context>,
    /// The latest run. At most one run is starting or usable at any time.
    latest: Mutex<Option<Opening>>,
    _stop: DropGuard,
}

/// A run that several callers may wait for. The start continues when they stop waiting, so that a slow server is ready
/// for the next caller.
type Opening = Shared<BoxFuture<'static, Result<Arc<Session>, Error>>>;

impl Lifecycle {
    pub(super) fn new(name: String, server: McpServer, options: McpOptions) -> Self {
        let stop = CancellationToken::new();
        let context = Context {
            name,
            secrets: Secrets::new(&server.secrets, server.env.values()),
            server,
            options,
            changes: watch::Sender::new(0),
            back_off: BackOff::default(),
            logs: Logs::default(),
            stop: stop.clone(),
            is_modern: AtomicBool::new(false),
        };
        Self { context: Arc::new(context), latest: Mutex::new(None), _stop: stop.drop_guard() }
    }

    pub(super) fn name(&self) -> &str {
        &self.context.name
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.context.changes.subscribe()
    }

    pub(super) fn log_to(&self, sink: Arc<ServiceLogSink>) {
        self.context.logs.send_to(sink);
    }

    pub(super) fn status(&self) -> Status {
        if self.context.stop.is_cancelled() {
            return Status::Closed;
        }
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(run) = latest else { return Status::NotStarted };
        // The future may not have been polled since the server became ready.
        match run.now_or_never() {
            None => Status::Starting,
            Some(Err(error)) => Status::Failed(error),
            Some(Ok(session)) => match session.ending() {
                None => Status::Running,
                Some(ending) => Status::Failed(self.error(ErrorKind::Unavailable, &ending.describe(), Some(&ending))),
            },
        }
    }

    pub(super) async fn close(&self) {
        self.context.stop.cancel();
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(run) = latest
            && let Ok(session) = run.await
        {
            session.ended().await;
        }
    }

    /// Returns the current tools of the server, then its prompts and resources as functions. The whole list of tools must
    /// arrive within the start time-out; tools that arrived by then are used.
    pub(super) async fn offer(&self) -> Result<Offer, Error> {
        let session = self.session().await?;
        let patience = self.context.options.start_timeout;
        let mut listing = Listing::new();
        let mut is_late = false;
        match timeout(patience, self.list(&session, &mut listing)).await {
            Ok(listed) => listed?,
            Err(_elapsed) if listing.is_empty() => {
                return Err(self.not_listed(RequestError::TimedOut(patience)));
            }
            Err(_elapsed) => {
                listing.cut(&format!("it did not list all its tools within {patience:?}"));
                is_late = true;
            }
        }
        let (mut tools, mut warnings) = listing.into_parts();
        let Extras { functions, warnings: others } = extras(&session, &self.context.secrets, patience).await;
        tools.extend(functions);
        warnings.extend(others);
        Ok(Offer::default().tools(tools).instructions(session.instructions()).warnings(warnings).is_cut(is_late))
    }

    async fn list(&self, session: &Session, listing: &mut Listing) -> Result<(), Error> {
        let mut cursor = None;
        loop {
            let is_first = cursor.is_none();
            let page = match session.list(cursor).await {
                Ok(page) => page,
                Err(RequestError::Refused(error)) if is_first && error.code == ErrorCode::METHOD_NOT_FOUND => {
                    return Ok(());
                }
                Err(error) => return Err(self.not_listed(error)),
            };
            match listing.add(page) {
                Ok(None) => return Ok(()),
                Ok(next) => cursor = next,
                Err(problem) => return Err(self.error(ErrorKind::Protocol, &problem, None)),
            }
        }
    }

    /// Calls a tool or another function. A call is sent at most once.
    pub(super) async fn call(&self, name: &str, mut call: ToolCall) -> Result<Value, ToolError> {
        let arguments = arguments(std::mem::take(&mut call.input))?;
        let target = Target::of(name);
        let patience = self.context.options.call_timeout;
        let mut is_first = true;
        loop {
            let session = self.session().await.map_err(|error| self.unavailable(error))?;
            let answer = match target {
                Target::Tool(tool) => session.call(tool, arguments.clone(), &call, patience).await,
                Target::Function(function) => {
                    let request = function.request(arguments.clone())?;
                    session.request(request, RequestMetaObject::new(), patience).await
                }
            };
            match answer {
                Ok(result) => {
                    self.context.back_off.worked();
                    let secrets = &self.context.secrets;
                    let value = match target {
                        Target::Tool(_) => reply::unwrap(result),
                        Target::Function(_) => reply::unwrap_function(result),
                    };
                    return value.map_err(|error| ToolError::new(secrets.conceal(error.message())));
                }
                Err(RequestError::NotSent) if is_first => is_first = false,
                Err(error) => return Err(self.not_called(error)),
            }
        }
    }

    /// Returns a usable session, and starts the server if needed.
    async fn session(&self) -> Result<Arc<Session>, Error> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(Ok(session)) = latest.as_ref().and_then(Shared::peek)
            && session.is_over()
        {
            // The way the server ended determines when it is started again.
            session.ended().await;
        }
        let run = {
            let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
            match &*latest {
                Some(run) if is_worth_waiting_for(run) => run.clone(),
                Some(_) | None => {
                    if latest.is_some() {
                        changed(&self.context.changes);
                    }
                    latest.insert(start(Arc::clone(&self.context))).clone()
                }
            }
        };
        run.await
    }

    fn error(&self, kind: ErrorKind, what: &str, ending: Option<&Ending>) -> Error {
        error(kind, &self.context, what, ending)
    }

    fn not_listed(&self, error: RequestError) -> Error {
        match error {
            RequestError::Refused(error) => {
                let what = format!("did not list its tools: {}", clean(&self.context.secrets.conceal(&error.message)));
                self.error(ErrorKind::Refused, &what, None)
            }
            RequestError::TimedOut(patience) => {
                self.error(ErrorKind::TimedOut, &format!("did not list its tools within {patience:?}"), None)
            }
            RequestError::Stuck => self.error(ErrorKind::Unavailable, "does not read its standard input", None),
            RequestError::NotSent => self.error(ErrorKind::Unavailable, "ended before it listed its tools", None),
            RequestError::Ended(ending) => {
                let what = format!("{} while it listed its tools", ending.describe());
                self.error(ErrorKind::Unavailable, &what, Some(&ending))
            }
        }
    }

    /// Converts a request error for the program. The message names the server but quotes neither its output nor its
    /// command.
    fn not_called(&self, error: RequestError) -> ToolError {
        let name = clean(&self.context.name);
        match error {
            RequestError::Refused(error) => {
                self.context.back_off.worked();
                let message = reply::bounded(&self.context.secrets.conceal(&error.message));
                ToolError::new(if message.trim().is_empty() { "the tool failed without a message" } else { &message })
                    .caused_by(self.error(ErrorKind::Refused, &format!("answered with error {}", error.code.0), None))
            }
            RequestError::TimedOut(patience) => ToolError::new(format!("the tool did not answer within {patience:?}")),
            RequestError::Stuck => ToolError::new(format!("the MCP server `{name}` does not read its standard input")),
            RequestError::NotSent => ToolError::new(format!(
                "the MCP server `{name}` ended before the call was sent; the call can be repeated"
            )),
            RequestError::Ended(ending) => {
                let what = ending.describe();
                let message = format!(
                    "the MCP server `{name}` {what} during the call; it is unknown whether the call had an effect"
                );
                let what = format!("{what} during a call");
                ToolError::new(message).caused_by(self.error(ErrorKind::Unavailable, &what, Some(&ending)))
            }
        }
    }

    fn unavailable(&self, error: Error) -> ToolError {
        let name = clean(&self.context.name);
        ToolError::new(format!("the MCP server `{name}` is not available")).caused_by(error)
    }
}

/// Tells whether a run is starting or usable.
fn is_worth_waiting_for(run: &Opening) -> bool {
    match run.peek() {
        None => true,
        Some(Ok(session)) => !session.is_over(),
        Some(Err(_)) => false,
    }
}

fn start(context: Arc<Context>) -> Opening {
    let stop = context.stop.clone();
    let name = clean(&context.name);
    let run = tokio::spawn(async move {
        let started = stop.run_until_cancelled(open(&context)).await;
        started.unwrap_or_else(|| {
            Err(Error::new(
                ErrorKind::Closed,
                format!("the connection to the MCP server `{}` is closed", clean(&context.name)),
            ))
        })
    });
    async move {
        run.await.unwrap_or_else(|cause| {
            let message = format!("starting the MCP server `{name}` failed: {cause}");
            Err(Error::new(ErrorKind::Internal, message).caused_by(cause))
        })
    }
    .boxed()
    .shared()
}

/// Opens a session. Most servers use the older handshake, and some cannot handle the newer discovery request. So
/// discovery is tried only with a server that refuses the handshake, and the server is started anew for it.
async fn open(context: &Arc<Context>) -> Result<Arc<Session>, Error> {
    context.back_off.wait().await;
    let is_modern = context.is_modern.load(Ordering::Relaxed);
    let first = if is_modern { Era::Discovery } else { Era::Handshake };
    let error = match Session::open(context, first, context.stop.child_token()).await {
        Ok(session) => return Ok(Arc::new(session)),
        Err(OpenError::Refused(error)) if !is_modern => {
            match Session::open(context, Era::Discovery, context.stop.child_token()).await {
                Ok(session) => {
                    context.is_modern.store(true, Ordering::Relaxed);
                    return Ok(Arc::new(session));
                }
                Err(OpenError::Refused(_) | OpenError::Failed(_)) => error,
            }
        }
        Err(OpenError::Refused(error) | OpenError::Failed(error)) => error,
    };
    context.back_off.failed();
    Err(error)
}

fn arguments(input: Value) -> Result<JsonObject, ToolError> {
    match input {
        Value::Object(arguments) => Ok(arguments),
        Value::Null => Ok(JsonObject::new()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(ToolError::new("the input of this tool must be an object"))
        }
    }
}
