//! A connector that is asked for its tools once, and afterwards only when one of them is called.

mod offer_file;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt, Shared, WeakShared};
use isobox_connect::LoginNeeded;
use isobox_core::connector::{Error, ErrorKind, ServiceLogSink, ServiceStatus};
use isobox_core::store::Status as ExecutionStatus;
use isobox_core::{Clock, Connector, ExecutionId, Offer, OfferedTool, Timestamp, ToolCall, ToolError, brief};
use serde_json::Value;
use tokio::sync::watch;

pub(super) use offer_file::OfferFile;
use offer_file::as_kept;

use super::outage::{costly, is_outage};
use crate::real_clock::RealClock;

/// The age up to which a kept offer is not refreshed before a tool is called.
const FRESH_FOR: Duration = Duration::from_secs(60 * 60);

/// The age from which a kept offer is reported as old.
const OLD_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The use of the offer of an earlier process, and of what that process learned about servers that do not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Freshness {
    /// The offer of an earlier process is used, if there is one.
    #[default]
    Kept,
    /// The same, and a server or service that did not answer an earlier process in time is left out for five minutes after that,
    /// instead of being waited for. For programs that can be run again: one that is resumed should not go on without a server that works.
    Quick,
    /// Every connector is asked.
    Asked,
}

/// Offers the tools that a connector offered to an earlier process.
///
/// The first call of a tool asks the connector, which starts its service, and compares the tool with the kept one. A
/// tool that has changed is not called: the program, and the person who approved the call, have seen another one.
pub(crate) struct LazyConnector {
    inner: Arc<dyn Connector>,
    shelf: Arc<Shelf>,
    freshness: Freshness,
    /// The time from which a failure is an outage. Not every failure says that nobody answered.
    costly: Duration,
    /// Whether an outage that an earlier process met counts: until this process has asked for the offer.
    recalls: AtomicBool,
    state: Mutex<State>,
    question: Mutex<Option<Question>>,
    /// Counts kept offers that turned out to be outdated.
    changes: watch::Sender<u64>,
}

/// A request for the offer that is under way. All callers that come meanwhile share it, unless the connector's tools have
/// changed since it began.
struct Question {
    generation: u64,
    answer: WeakShared<BoxFuture<'static, Result<Offer, Error>>>,
}

/// The kept offer, and the file that it is kept in.
struct Shelf {
    file: OfferFile,
    kept: OnceLock<Option<KeptOffer>>,
}

/// The versions of tools: of the kept offer, and of offers that this process has received.
const KEPT: u64 = 0;
const FRESH: u64 = 1;

/// An offer that an earlier process has received.
#[derive(Debug, Clone, PartialEq)]
struct KeptOffer {
    offer: Offer,
    listed: Timestamp,
    /// Whether tools differed from the offer before. Such a list may differ at every start, and is not used.
    is_changing: bool,
}

enum State {
    /// The connector was not asked in this process.
    Unconfirmed,
    /// The connector was asked. These tools differ from those of the kept offer, which running programs may still use.
    Confirmed { changed: HashSet<String> },
}

impl LazyConnector {
    /// Wraps the connector of a server. `timeout` is the configured time to answer.
    pub(super) fn new(
        inner: Arc<dyn Connector>,
        file: OfferFile,
        freshness: Freshness,
        timeout: Option<Duration>,
    ) -> Self {
        Self {
            inner,
            shelf: Arc::new(Shelf { file, kept: OnceLock::new() }),
            freshness,
            costly: costly(timeout),
            recalls: AtomicBool::new(freshness == Freshness::Quick),
            state: Mutex::new(State::Unconfirmed),
            question: Mutex::new(None),
            changes: watch::Sender::new(0),
        }
    }

    /// Tells whether the kept offer is in use and not fresh.
    pub(crate) fn may_be_outdated(&self) -> bool {
        self.fresh_for().is_some_and(|left| left.is_zero())
    }

    /// Returns how long the kept offer stays fresh. None if it is not in use.
    pub(crate) fn fresh_for(&self) -> Option<Duration> {
        self.usable().map(|kept| FRESH_FOR.saturating_sub(kept.age(now())))
    }

    /// Tells whether the next offer needs the connector.
    pub(crate) fn needs_asking(&self) -> bool {
        let is_recalled = self.recalls.load(Ordering::Relaxed) && self.shelf.file.outage().recent(now()).is_some();
        self.usable().is_none() && !is_recalled
    }

    /// Asks the connector, unless this process has asked it before. Changes the generation if a kept offer is outdated.
    pub(crate) async fn confirm(&self) -> Result<(), Error> {
        if let State::Confirmed { .. } = *self.state() {
            return Ok(());
        }
        let fresh = self.ask().await?;
        if fresh.is_cut {
            let message = format!("the server `{}` did not list all its tools in time", brief(self.name(), 80));
            return Err(Error::new(ErrorKind::TimedOut, message));
        }
        let fresh = as_kept(&fresh);
        let kept = self.usable();
        let changed = kept.map(|kept| changed_tools(&kept.offer.tools, &fresh.tools)).unwrap_or_default();
        let is_outdated = kept.is_some_and(|kept| kept.offer != fresh || kept.age(now()) >= OLD_AFTER);
        let mut state = self.state();
        if let State::Confirmed { .. } = *state {
            // Another caller has got the same answer.
            return Ok(());
        }
        *state = State::Confirmed { changed };
        drop(state);
        // After the state: a new offer must not be the kept one again.
        if is_outdated {
            self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
        }
        Ok(())
    }

    async fn offer(&self) -> Result<Offer, Error> {
        if let Some(kept) = self.usable() {
            return Ok(kept.shown(now()));
        }
        if self.recalls.swap(false, Ordering::Relaxed)
            && let Some(outage) = self.shelf.file.outage().recent(now())
        {
            return Err(outage);
        }
        let mut fresh = self.ask().await?;
        for tool in &mut fresh.tools {
            tool.version = FRESH;
        }
        let mut state = self.state();
        if let State::Unconfirmed = *state {
            *state = State::Confirmed { changed: HashSet::new() };
        }
        Ok(fresh)
    }

    /// Asks the connector, and keeps its offer for later processes. Callers that come at the same time share one question.
    fn ask(&self) -> Shared<BoxFuture<'static, Result<Offer, Error>>> {
        let mut question = self.question.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = self.inner.generation();
        let under_way = question.as_ref().filter(|question| question.generation == generation);
        if let Some(answer) = under_way.and_then(|question| question.answer.upgrade()) {
            return answer;
        }
        let (inner, shelf, costly) = (Arc::clone(&self.inner), Arc::clone(&self.shelf), self.costly);
        let asking = async move {
            let clock = RealClock::new();
            let answer = inner.offer().await;
            match &answer {
                Ok(fresh) => shelf.keep(fresh),
                Err(error) if is_outage(error, clock.elapsed(), costly) => shelf.file.outage().note(error, now()),
                Err(_) => {}
            }
            answer
        };
        let answer = asking.boxed().shared();
        *question = answer.downgrade().map(|answer| Question { generation, answer });
        answer
    }

    async fn call(&self, tool: &str, call: ToolCall) -> Result<Value, ToolError> {
        let is_confirmed = matches!(*self.state(), State::Confirmed { .. });
        if !is_confirmed {
            self.confirm().await.map_err(|error| match LoginNeeded::of(&error) {
                Some(needed) => needed.interrupt(),
                None => {
                    let message = format!("the server `{}` is not available", brief(self.name(), 80));
                    ToolError::new(message).caused_by(error)
                }
            })?;
        }
        if let State::Confirmed { changed } = &*self.state()
            && call.context.tool_version == KEPT
            && changed.contains(tool)
        {
            return Err(ToolError::new(format!(
                "the server `{}` has changed this tool since its tools were listed; the call was not made; run the \
                 program again",
                brief(self.name(), 80)
            )));
        }
        self.inner.call(tool, call).await
    }

    /// Returns the kept offer, if it is to be used: the connector was not asked in this process.
    fn usable(&self) -> Option<&KeptOffer> {
        let is_usable = self.freshness != Freshness::Asked && matches!(*self.state(), State::Unconfirmed);
        let kept = is_usable.then(|| self.shelf.kept())?;
        kept.filter(|kept| !kept.is_changing)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    /// Returns the offer that an earlier process has kept.
    fn kept(&self) -> Option<&KeptOffer> {
        self.kept.get_or_init(|| self.file.read()).as_ref()
    }

    /// Keeps an offer for later processes.
    fn keep(&self, fresh: &Offer) {
        let is_changing = self.kept().is_some_and(|kept| !are_same(&kept.offer.tools, &as_kept(fresh).tools));
        self.file.write(fresh, now(), is_changing);
    }
}

impl KeptOffer {
    fn age(&self, now: Timestamp) -> Duration {
        // A clock that was set back makes it old, too.
        Duration::from_millis(now.0.abs_diff(self.listed.0))
    }

    /// Returns the offer, with a warning if it is old.
    fn shown(&self, now: Timestamp) -> Offer {
        let mut offer = self.offer.clone();
        let days = self.age(now).as_secs() / OLD_AFTER.as_secs();
        if days > 0 {
            let days = if days == 1 { "a day".to_owned() } else { format!("{days} days") };
            offer.warnings.push(format!("its tools were listed {days} ago and may have changed"));
        }
        offer
    }
}

/// Returns the names of the kept tools that are gone or different now.
fn changed_tools(kept: &[OfferedTool], fresh: &[OfferedTool]) -> HashSet<String> {
    let fresh: HashMap<&str, &OfferedTool> = fresh.iter().map(|tool| (&*tool.name, tool)).collect();
    let is_changed = |tool: &&OfferedTool| !fresh.get(&*tool.name).is_some_and(|fresh| fresh.is_same_as(tool));
    kept.iter().filter(is_changed).map(|tool| tool.name.clone()).collect()
}

/// Tells whether two lists have the same tools in the same order, whatever their inventories.
fn are_same(kept: &[OfferedTool], fresh: &[OfferedTool]) -> bool {
    kept.len() == fresh.len() && kept.iter().zip(fresh).all(|(kept, fresh)| kept.is_same_as(fresh))
}

fn now() -> Timestamp {
    RealClock::new().now()
}

impl Connector for LazyConnector {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
        Box::pin(self.offer())
    }

    fn call<'a>(&'a self, tool: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.call(tool, call))
    }

    fn equivalents(&self, tool: &str, input: &Value) -> Vec<(String, Value)> {
        self.inner.equivalents(tool, input)
    }

    fn generation(&self) -> u64 {
        self.inner.generation().wrapping_add(*self.changes.borrow())
    }

    fn changed(&self, generation: u64) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let mut outdated = self.changes.subscribe();
            loop {
                let inner = self.inner.generation();
                if inner.wrapping_add(*outdated.borrow_and_update()) != generation {
                    return;
                }
                // The sender is a part of this connector, so it is still there.
                tokio::select! {
                    () = self.inner.changed(inner) => {}
                    _ = outdated.changed() => {}
                }
            }
        })
    }

    fn log_to(&self, sink: Arc<ServiceLogSink>) {
        self.inner.log_to(sink);
    }

    fn status(&self) -> ServiceStatus {
        self.inner.status()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.inner.close()
    }

    fn pass_ended<'a>(&'a self, execution: &'a ExecutionId, status: ExecutionStatus) -> BoxFuture<'a, ()> {
        self.inner.pass_ended(execution, status)
    }

    fn execution_ended<'a>(&'a self, execution: &'a ExecutionId, status: ExecutionStatus) -> BoxFuture<'a, ()> {
        self.inner.execution_ended(execution, status)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::config::Config;

    /// Counts how often it is asked, and answers at the second poll.
    #[derive(Default)]
    struct Slow {
        asked: AtomicU64,
        generation: AtomicU64,
    }

    impl Connector for Slow {
        fn name(&self) -> &str {
            "slow"
        }

        fn offer(&self) -> BoxFuture<'_, Result<Offer, Error>> {
            Box::pin(async {
                let asked = self.asked.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
                match asked {
                    0 => Err(Error::new(ErrorKind::TimedOut, "not yet")),
                    _ => {
                        let mut offer = Offer::default();
                        offer.tools.push(OfferedTool::new("a"));
                        Ok(offer)
                    }
                }
            })
        }

        fn call<'a>(&'a self, _: &'a str, call: ToolCall) -> BoxFuture<'a, Result<Value, ToolError>> {
            Box::pin(async move { Ok(call.input) })
        }

        fn generation(&self) -> u64 {
            self.generation.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn callers_that_come_at_the_same_time_share_one_question() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let config = Config::parse(r#"{ "mcpServers": { "slow": { "command": "slow" } } }"#, &|_| None).expect("read");
        let file = OfferFile::new(folder.path(), "slow", &config.mcp_servers["slow"]);
        let slow = Arc::new(Slow::default());
        let lazy = LazyConnector::new(Arc::clone(&slow) as Arc<dyn Connector>, file, Freshness::Kept, None);
        let asked = || slow.asked.load(Ordering::Relaxed);
        let (one, other, confirmed) = tokio::join!(lazy.offer(), lazy.offer(), lazy.confirm());
        assert!(one.is_err() && other.is_err() && confirmed.is_err());
        assert_eq!(asked(), 1, "all share the failure");
        let (one, other, confirmed) = tokio::join!(lazy.offer(), lazy.offer(), lazy.confirm());
        assert_eq!((one.expect("asked"), confirmed.is_ok()), (other.expect("asked"), true));
        assert_eq!(asked(), 2, "a later caller asks again, once");
        let changed = async {
            slow.generation.fetch_add(1, Ordering::Relaxed);
            lazy.offer().await
        };
        let (one, other) = tokio::join!(lazy.offer(), changed);
        assert!(one.is_ok() && other.is_ok());
        assert_eq!(asked(), 4, "an answer from before a change is not shared");
    }

    #[test]
    fn the_age_of_a_kept_offer_is_told_from_a_day_on() {
        let kept = KeptOffer { offer: Offer::default(), listed: Timestamp(0), is_changing: false };
        let told = |hours: u64| kept.shown(Timestamp(hours * 60 * 60 * 1000)).warnings.join("; ");
        assert_eq!([told(0), told(23)], ["", ""]);
        assert_eq!(told(25), "its tools were listed a day ago and may have changed");
        assert_eq!(told(72), "its tools were listed 3 days ago and may have changed");
    }

    #[test]
    fn a_tool_has_changed_if_any_part_of_it_has() {
        let tool = OfferedTool::new("a").description("old");
        let kept = [tool.clone(), OfferedTool::new("b"), OfferedTool::new("c")];
        let fresh = [tool.description("new"), OfferedTool::new("b"), OfferedTool::new("d")];
        assert_eq!(changed_tools(&kept, &fresh), HashSet::from(["a".to_owned(), "c".to_owned()]));
        assert!(changed_tools(&kept, &kept).is_empty());
        let stocked = kept.clone().map(|tool| tool.inventory("other documents"));
        assert!(changed_tools(&kept, &stocked).is_empty(), "an inventory is not part of a tool");
        assert!(are_same(&kept, &stocked) && !are_same(&kept, &fresh) && !are_same(&kept, &kept[1..]));
    }
}
