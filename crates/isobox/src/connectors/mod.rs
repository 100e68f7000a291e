//! A runtime whose tools come from connectors, and change with them.

#[cfg(feature = "config")]
mod configured;
mod knowledge;
#[cfg(feature = "config")]
mod lazy;
#[cfg(feature = "config")]
mod outage;
#[cfg(feature = "config")]
mod remembering;
mod service_logs;
#[cfg(feature = "config")]
mod token_files;

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use futures_util::FutureExt;
use futures_util::future::{join_all, select_all};
use isobox_core::connector::{Error, ErrorKind, ServiceStatus};
use isobox_core::{Catalogue, Connector, ConnectorSettings, Failure, Offer, Strictness, Tool, ToolSettings, brief};
use tokio::task::JoinHandle;
use tokio::time::{Duration, Instant};

#[cfg(feature = "config")]
pub use configured::KeptOffers;
#[cfg(feature = "config")]
pub(crate) use configured::{Configured, configured};
#[cfg(feature = "config")]
pub use lazy::Freshness;
#[cfg(feature = "config")]
pub(crate) use lazy::LazyConnector;
#[cfg(feature = "config")]
pub use token_files::TokenFiles;

use crate::Isobox;
use knowledge::{Awaited, Knowledge, Next};

/// A runtime with connectors, built by [`Builder::build_connected`](crate::Builder::build_connected).
///
/// The connectors are asked for their tools concurrently, when the runtime is first needed. When the offer of one
/// changes, only that one is asked again, and a new catalogue is built with the last offers of the others. If it does not
/// answer within five seconds, its last offer is used until it does. A connector that fails is left out and retried in
/// the background, so that no caller waits for it twice.
pub struct Connected {
    bare: Isobox,
    connectors: Vec<Entry>,
    recipe: Recipe,
    /// The runtime with the latest offers. Locked while connectors are asked, so that each is asked once for all
    /// callers.
    current: tokio::sync::Mutex<Option<Isobox>>,
}

/// A runtime with the tools of all connectors that work.
#[derive(Clone)]
#[non_exhaustive]
pub struct Ready {
    /// The runtime.
    pub isobox: Isobox,
    /// The reasons why the tools of some connectors are missing.
    pub problems: Arc<[Failure]>,
}

/// The status of a connector, for people.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ConnectorReport {
    /// The configured name.
    pub name: String,
    /// The status that the connector reports.
    pub status: ServiceStatus,
    /// The reason why its tools are missing, if they are: the error of its last offer.
    pub problem: Option<Error>,
    /// The number of tools of its last offer. None if it was not asked yet, or if that failed.
    pub offered: Option<usize>,
    /// The time until the last offer arrived or failed. None if the connector was not asked yet.
    pub took: Option<Duration>,
}

/// The parts of a catalogue beside the offers of connectors.
pub(crate) struct Recipe {
    pub(crate) tools: Box<dyn Fn() -> Result<Vec<Tool>, Failure> + Send + Sync>,
    pub(crate) settings: BTreeMap<String, ToolSettings>,
    /// The names of disabled connectors.
    pub(crate) disabled: Vec<String>,
    pub(crate) strictness: Strictness,
}

struct Entry {
    connector: Arc<dyn Connector>,
    settings: ConnectorSettings,
    /// Whether there are other connectors, so that offers are kept. That takes as much memory as their schemas.
    has_others: bool,
    /// Changes only while `current` is locked, or when the connector is closed. Never locked for long.
    state: Mutex<State>,
}

struct State {
    knowledge: Knowledge,
    /// The last offer, if it can be needed again: when another connector changes, or until a catalogue has it.
    kept: Option<Offer>,
    /// The question that runs in the background.
    question: Option<JoinHandle<Answer>>,
    /// Whether the latest catalogue lacks the last answer.
    has_news: bool,
    offered: Option<usize>,
    took: Option<Duration>,
}

/// The answer of a connector to the question for its tools.
struct Answer {
    offer: Result<Offer, Error>,
    /// The generation before the question, so that a change meanwhile is not missed.
    generation: u64,
    took: Duration,
}

impl Connected {
    pub(crate) fn new(
        bare: Isobox,
        connectors: impl IntoIterator<Item = (Arc<dyn Connector>, ConnectorSettings)>,
        recipe: Recipe,
    ) -> Self {
        let mut connectors: Vec<Entry> =
            connectors.into_iter().map(|(connector, settings)| Entry::new(connector, settings)).collect();
        let has_others = connectors.len() > 1;
        connectors.iter_mut().for_each(|entry| entry.has_others = has_others);
        service_logs::observe(connectors.iter().map(|entry| &*entry.connector), &bare.host);
        Self { bare, connectors, recipe, current: tokio::sync::Mutex::default() }
    }

    /// Returns the runtime with the current tools of the connectors. Call it before every run, because changes are
    /// noticed only here. If nothing has changed, no connector is asked. A connector that has changed and does not answer is
    /// waited for once, for five seconds.
    ///
    /// # Errors
    ///
    /// `CONFIG` if the runtime is [strict](crate::Builder::strict) and a rule or setting matches no tool.
    pub async fn ready(&self) -> Result<Ready, Failure> {
        let mut current = self.current.lock().await;
        // Every connector must be checked, because the check starts questions in the background.
        let asked: Vec<&Entry> = self.connectors.iter().filter(|entry| entry.check()).collect();
        if !asked.is_empty() {
            let answered = join_all(asked.iter().map(|entry| poll_fn(move |context| entry.poll_answer(context))));
            if tokio::time::timeout(ANSWERED_AGAIN_WITHIN, answered).await.is_err() {
                asked.iter().for_each(|entry| entry.tell_if_late());
            }
        }
        // Every connector must be looked at, because the look takes its news.
        let changed = self.connectors.iter().filter(|entry| entry.take_news()).count();
        if changed > 0 {
            *current = None;
        }
        let isobox = match &*current {
            Some(isobox) => isobox.clone(),
            None => {
                let offers = join_all(self.connectors.iter().map(Entry::offer)).await;
                let catalogue = self.catalogue(offers)?;
                let isobox =
                    self.bare.with_catalogue_checked(catalogue, self.recipe.strictness)?.informed_at_start().await;
                current.insert(isobox).clone()
            }
        };
        let problems = self.connectors.iter().filter_map(Entry::problem).map(Failure::from).collect();
        Ok(Ready { isobox, problems })
    }

    /// Waits until the tools may be others than those of the last [`Connected::ready`]: a connector has changed its offer,
    /// or one that failed can be asked again. Starts nothing.
    pub async fn changed(&self) {
        if self.connectors.is_empty() {
            return std::future::pending().await;
        }
        select_all(self.connectors.iter().map(|entry| Box::pin(entry.changed()))).await;
    }

    /// Lists the connectors with their status. Starts nothing, and does not wait.
    pub fn connectors(&self) -> Vec<ConnectorReport> {
        let report = |entry: &Entry| {
            let (name, status, problem) =
                (entry.connector.name().to_owned(), status(&*entry.connector), entry.problem());
            let State { offered, took, .. } = *entry.state();
            ConnectorReport { name, status, problem, offered, took }
        };
        self.connectors.iter().map(report).collect()
    }

    /// Closes all connectors, and waits until everything they started has stopped. Ends questions for their tools that run in the
    /// background.
    pub async fn close(&self) {
        join_all(self.connectors.iter().map(Entry::close)).await;
    }

    /// Returns the runtime without the tools of connectors.
    #[cfg(feature = "config")]
    pub(crate) fn bare(&self) -> &Isobox {
        &self.bare
    }

    /// Builds the catalogue. Absent connectors are included, because the order decides about names.
    fn catalogue(&self, offers: Vec<Option<Offer>>) -> Result<Catalogue, Failure> {
        let Recipe { tools, settings, disabled, strictness: _ } = &self.recipe;
        let mut builder = Catalogue::builder();
        for (path, settings) in settings {
            builder.settings(path.clone(), settings.clone());
        }
        tools()?.into_iter().try_for_each(|tool| builder.tool(tool))?;
        for (Entry { connector, settings, .. }, offer) in self.connectors.iter().zip(offers) {
            match offer {
                Some(offer) => builder.connector(connector, offer, settings),
                None => builder.absent_connector(connector.name()),
            }
        }
        disabled.iter().for_each(|name| builder.disabled_connector(name));
        Ok(builder.build())
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(question) = &self.question {
            question.abort();
        }
    }
}

impl State {
    /// Takes over an answer. A question whose answer was lost is asked again.
    fn take_over(&mut self, answer: Option<Answer>) {
        let was_usable = self.knowledge.is_usable();
        let answered = match answer {
            Some(Answer { offer, generation, took }) => {
                (self.offered, self.took) = (offer.as_ref().ok().map(|offer| offer.tools.len()), Some(took));
                match offer {
                    Ok(offer) => {
                        self.kept = Some(offer);
                        Some(Ok(generation))
                    }
                    Err(error) => {
                        self.kept = None;
                        Some(Err(error))
                    }
                }
            }
            None => {
                self.kept = None;
                None
            }
        };
        self.knowledge.answered(answered, now());
        // That a connector is still broken is none.
        self.has_news |= was_usable || self.knowledge.is_usable();
    }

    /// Returns the last offer, and keeps it if it can be needed again.
    fn kept(&mut self, is_needed_again: bool) -> Option<Offer> {
        if is_needed_again { self.kept.clone() } else { self.kept.take() }
    }
}

impl Entry {
    fn new(connector: Arc<dyn Connector>, settings: ConnectorSettings) -> Self {
        let state = State {
            knowledge: Knowledge::NotAsked,
            kept: None,
            question: None,
            has_news: false,
            offered: None,
            took: None,
        };
        Self { connector, settings, has_others: false, state: Mutex::new(state) }
    }

    /// Takes over the answer to a question in the background, and begins one if the connector has changed or is worth a retry.
    /// Returns whether the answer is worth a moment.
    fn check(&self) -> bool {
        let _ = self.poll_answer(&mut Context::from_waker(Waker::noop()));
        let current = generation(&*self.connector);
        let mut state = self.state();
        let next = state.knowledge.next(current, now());
        if next == Next::Nothing {
            return false;
        }
        state.knowledge.ask_again();
        let connector = Arc::clone(&self.connector);
        state.question = Some(tokio::spawn(async move { ask(&*connector).await }));
        next == Next::AskAgain
    }

    /// Waits for the answer to the question in the background, if there is one, and takes it over. Cancellation safe, for one
    /// caller at a time.
    fn poll_answer(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state();
        let Some(question) = &mut state.question else { return Poll::Ready(()) };
        let answer = ready!(question.poll_unpin(context));
        state.question = None;
        state.take_over(answer.ok());
        Poll::Ready(())
    }

    fn tell_if_late(&self) {
        if self.state().question.is_some() {
            tracing::warn!(
                connector = brief(self.connector.name(), 80),
                "a connector has changed and does not say what it offers now; its last tools are used until it does"
            );
        }
    }

    /// Tells whether there was an answer that the latest catalogue lacks.
    fn take_news(&self) -> bool {
        std::mem::take(&mut self.state().has_news)
    }

    /// Returns the offer of the connector: the last one, if that is kept. None if the connector fails or is known to be broken.
    async fn offer(&self) -> Option<Offer> {
        {
            let mut state = self.state();
            if !state.knowledge.is_usable() {
                return None;
            }
            if let Some(kept) = state.kept(self.has_others) {
                return Some(kept);
            }
        }
        let answer = ask(&*self.connector).await;
        let mut state = self.state();
        state.take_over(Some(answer));
        // The catalogue that is being built has it.
        state.has_news = false;
        if let Some(question) = state.question.take() {
            question.abort();
        }
        state.kept(self.has_others)
    }

    /// Waits until the connector has another offer, or may have one.
    async fn changed(&self) {
        let awaited = self.state().knowledge.awaited();
        let generation = match awaited {
            Awaited::Generation(generation) => generation,
            Awaited::Time(time) => return tokio::time::sleep(time).await,
        };
        let changed = AssertUnwindSafe(async { self.connector.changed(generation).await }).catch_unwind();
        if changed.await.is_err() {
            let connector = brief(self.connector.name(), 80);
            tracing::warn!(connector, "a connector panicked when it was asked for changes");
            std::future::pending().await
        }
    }

    /// Ends the question in the background, and closes the connector.
    async fn close(&self) {
        let question = {
            let mut state = self.state();
            let question = state.question.take();
            // Its answer is lost.
            if question.is_some() {
                state.take_over(None);
            }
            question
        };
        if let Some(question) = question {
            question.abort();
            // A question that blocks its thread is not waited for.
            let _ = tokio::time::timeout(CLOSED_WITHIN, question).await;
        }
        close(&*self.connector).await;
    }

    fn problem(&self) -> Option<Error> {
        self.state().knowledge.problem().cloned()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The maximum time of an offer. The time-outs of connectors themselves are shorter.
const OFFERED_WITHIN: Duration = Duration::from_secs(180);

/// The time for which a connector that has changed is waited for before its last offer is used.
const ANSWERED_AGAIN_WITHIN: Duration = Duration::from_secs(5);

/// The maximum time of closing a connector. Servers are killed before.
const CLOSED_WITHIN: Duration = Duration::from_secs(30);

/// Asks a connector for its tools.
async fn ask(connector: &dyn Connector) -> Answer {
    let (generation, begun) = (generation(connector), now());
    let offer = offer(connector).await;
    Answer { offer, generation, took: begun.elapsed() }
}

/// Returns the offer of a connector. A panic or a missing answer affects only its own tools.
async fn offer(connector: &dyn Connector) -> Result<Offer, Error> {
    let asked = AssertUnwindSafe(async { connector.offer().await }).catch_unwind();
    let name = || brief(connector.name(), 80);
    match tokio::time::timeout(OFFERED_WITHIN, asked).await {
        Ok(Ok(offered)) => offered,
        Ok(Err(_panic)) => {
            let message = format!("the connector `{}` panicked when it was asked for its tools", name());
            Err(Error::new(ErrorKind::Internal, message))
        }
        Err(_) => {
            let message = format!("the connector `{}` did not offer its tools within {OFFERED_WITHIN:?}", name());
            Err(Error::new(ErrorKind::TimedOut, message))
        }
    }
}

/// Returns the generation of a connector's offer. It never changes if the connector panics.
fn generation(connector: &dyn Connector) -> u64 {
    let current = catch_unwind(AssertUnwindSafe(|| connector.generation()));
    current.unwrap_or_else(|_panic| {
        tracing::warn!(
            connector = brief(connector.name(), 80),
            "a connector panicked when it was asked for its generation"
        );
        0
    })
}

/// Returns the status of a connector. It has failed if it panics.
fn status(connector: &dyn Connector) -> ServiceStatus {
    catch_unwind(AssertUnwindSafe(|| connector.status())).unwrap_or_else(|_panic| {
        let message =
            format!("the connector `{}` panicked when it was asked for its status", brief(connector.name(), 80));
        ServiceStatus::Failed(Error::new(ErrorKind::Internal, message))
    })
}

/// Closes a connector. A panic or a hang does not prevent others from being closed.
async fn close(connector: &dyn Connector) {
    let closed = AssertUnwindSafe(async { connector.close().await }).catch_unwind();
    if !matches!(tokio::time::timeout(CLOSED_WITHIN, closed).await, Ok(Ok(()))) {
        tracing::warn!(connector = brief(connector.name(), 80), "a connector panicked, or did not close in time");
    }
}

#[expect(clippy::disallowed_methods, reason = "services take real time to start")]
fn now() -> Instant {
    Instant::now()
}
