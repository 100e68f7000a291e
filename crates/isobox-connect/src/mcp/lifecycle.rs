//! Starts a server when it is first needed, and again after it has ended.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use isobox_core::Offer;
use isobox_core::connector::{Error, ErrorKind, ServiceLogSink, ServiceStatus};
use rmcp::model::ErrorCode;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::McpOptions;
use super::complaint::{Ending, clean, error};
use super::context::Context;
use super::extras::{Extras, extras};
use super::listener::changed;
use super::listing::Listing;
use super::opening::open;
use super::parked::{Parked, ParkedCall};
use super::send_error::SendError;
use super::session::{RequestError, Session};
use super::target::McpTarget;
use super::tasks::CancelOnDrop;
use crate::oauth::{Authorizer, LoginNeeded};

/// A server and its consecutive runs.
pub(super) struct Lifecycle {
    context: Arc<Context>,
    /// The latest run. At most one run is starting or usable at any time.
    latest: Mutex<Option<Opening>>,
    /// The calls that wait for the answer of a person.
    parked: Parked<ParkedCall>,
    /// The tasks of durable executions that no call follows at the moment.
    left_tasks: Parked<CancelOnDrop>,
    _stop: DropGuard,
}

/// A run that several callers may wait for. The start continues when they stop waiting, so that a slow server is ready
/// for the next caller.
type Opening = Shared<BoxFuture<'static, Result<Arc<Session>, Error>>>;

impl Lifecycle {
    pub(super) fn new(name: String, target: McpTarget, options: McpOptions) -> Self {
        let stop = CancellationToken::new();
        let context = Context::new(name, target, options, stop.clone());
        Self {
            context: Arc::new(context),
            latest: Mutex::new(None),
            parked: Parked::default(),
            left_tasks: Parked::default(),
            _stop: stop.drop_guard(),
        }
    }

    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    pub(super) fn parked(&self) -> &Parked<ParkedCall> {
        &self.parked
    }

    pub(super) fn left_tasks(&self) -> &Parked<CancelOnDrop> {
        &self.left_tasks
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

    pub(super) fn status(&self) -> ServiceStatus {
        if self.context.stop.is_cancelled() {
            return ServiceStatus::Closed;
        }
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(run) = latest else { return ServiceStatus::NotStarted };
        // The future may not have been polled since the server became ready.
        match run.now_or_never() {
            None => ServiceStatus::Starting,
            Some(Err(error)) => ServiceStatus::Failed(error),
            Some(Ok(session)) => match session.ending() {
                None => ServiceStatus::Running,
                Some(ending) => {
                    ServiceStatus::Failed(self.error(ErrorKind::Unavailable, &ending.describe(), Some(&ending)))
                }
            },
        }
    }

    pub(super) async fn close(&self) {
        drop(self.parked.take_all());
        // Another process can continue with the tasks.
        self.left_tasks.take_all().into_iter().for_each(CancelOnDrop::release);
        self.context.stop.cancel();
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(run) = latest
            && let Ok(session) = run.await
        {
            session.ended().await;
        }
    }

    pub(super) async fn login(&self) -> Result<Option<LoginNeeded>, Error> {
        self.authorizer()?;
        match self.offer().await {
            Ok(_) => Ok(None),
            Err(error) => match LoginNeeded::of(&error) {
                Some(needed) if needed.url().is_some() => Ok(Some(needed.clone())),
                Some(needed) => Err(self.error(ErrorKind::Refused, &needed.why, None)),
                None => Err(error),
            },
        }
    }

    fn authorizer(&self) -> Result<&Authorizer, Error> {
        self.context.authorizer().map_err(|problem| self.error(ErrorKind::Refused, &problem, None))
    }

    pub(super) async fn logged_in(&self) -> Result<(), Error> {
        let completed = self.authorizer()?.completed().await;
        completed.map_err(|problem| self.error(ErrorKind::Refused, &format!("cannot be used: {problem}"), None))
    }

    pub(super) async fn logout(&self) -> Result<bool, Error> {
        let forgotten = self.authorizer()?.forget().await;
        forgotten.map_err(|problem| self.error(ErrorKind::Internal, &problem, None))
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
        let instructions = self.context.secrets.without_credentials(session.instructions());
        Ok(Offer::default().tools(tools).instructions(instructions).warnings(warnings).is_cut(is_late))
    }

    async fn list(&self, session: &Session, listing: &mut Listing) -> Result<(), Error> {
        let mut cursor = None;
        loop {
            let is_first = cursor.is_none();
            let mut page = match session.list(cursor).await {
                Ok(page) => page,
                Err(RequestError::Refused(error)) if is_first && error.code == ErrorCode::METHOD_NOT_FOUND => {
                    return Ok(());
                }
                Err(error) => return Err(self.not_listed(error)),
            };
            self.context.secrets.conceal_descriptions(&mut page);
            match listing.add(page) {
                Ok(None) => return Ok(()),
                Ok(next) => cursor = next,
                Err(problem) => return Err(self.error(ErrorKind::Protocol, &problem, None)),
            }
        }
    }

    /// Returns a usable session, and starts the server if needed.
    pub(super) async fn session(&self) -> Result<Arc<Session>, Error> {
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

    pub(super) fn error(&self, kind: ErrorKind, what: &str, ending: Option<&Ending>) -> Error {
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
            RequestError::Failed(error) => {
                let told = clean(&self.context.secrets.conceal(&error.to_string()));
                let reported = self.error(ErrorKind::Unavailable, &format!("did not list its tools: {told}"), None);
                match error {
                    SendError::LoginNeeded(needed) => reported.hint(needed.advice()).caused_by(needed),
                    other => reported.caused_by(other),
                }
            }
            RequestError::Ended(ending) => {
                let what = format!("{} while it listed its tools", ending.describe());
                self.error(ErrorKind::Unavailable, &what, Some(&ending))
            }
        }
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
