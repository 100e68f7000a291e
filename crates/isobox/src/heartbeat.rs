//! The store of a process, and the heartbeats that it sends while it runs executions.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use isobox_core::snippets::SnippetOptions;
use isobox_core::store::{Error, Node, Store};
use isobox_core::{Clock, Keeper, Timing};
use tokio::task::AbortHandle;

use crate::claims::Claims;
use crate::random_numbers::random_numbers;
use crate::real_clock::RealClock;
use crate::task::Task;

/// The delay before a failed heartbeat is sent again.
const AGAIN: Duration = Duration::from_secs(1);
/// The maximum time that an ending process waits for its store. If the store does not answer, the leases expire later.
#[cfg(feature = "config")]
const PATIENCE: Duration = Duration::from_secs(2);

/// The store of durable executions, with the node of this process. Clones are the same node.
#[derive(Clone)]
pub(crate) struct DurableHome {
    pub(crate) keeper: Keeper,
    pub(crate) heartbeat: Arc<Heartbeat>,
}

impl DurableHome {
    /// Registers this process under a unique node id.
    pub(crate) fn new(store: Arc<dyn Store>, timing: Timing, snippets: SnippetOptions) -> Self {
        let node = Node(format!("node_{:032x}", random_numbers().0).into());
        let keeper = Keeper::new(store, node, Arc::new(RealClock::new()), timing).with_snippets(snippets);
        Self { heartbeat: Arc::new(Heartbeat::new(keeper.clone(), Sharing::Shared)), keeper }
    }

    /// Uses a store that only one execution can reach. Its lease is renewed when a call needs it: a task that sends heartbeats
    /// takes longer to start than a short program takes to run.
    #[cfg_attr(not(feature = "continuations"), expect(dead_code, reason = "only continuations have such a store"))]
    pub(crate) fn of_one_execution(store: Arc<dyn Store>, timing: Timing) -> Self {
        let keeper = Keeper::new(store, Node("alone".into()), Arc::new(RealClock::new()), timing);
        Self { heartbeat: Arc::new(Heartbeat::new(keeper.clone(), Sharing::Private)), keeper }
    }
}

/// The access of other processes to the executions of a store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Shared,
    Private,
}

pub(crate) struct Heartbeat {
    keeper: Keeper,
    sharing: Sharing,
    /// Locked while the first heartbeat is sent, so that one task is started.
    beating: tokio::sync::Mutex<Beating>,
    pub(crate) claims: Claims,
    /// The scheduler of this process.
    scheduler: Mutex<Weak<Task>>,
}

/// The state of the heartbeat.
enum Beating {
    /// No heartbeat was sent.
    NotBegun,
    /// The first heartbeat was sent, and nothing depends on further ones.
    Once,
    /// A task sends heartbeats. It ends with the executor that it was started in.
    Task(AbortHandle),
}

impl Beating {
    /// Tells whether no heartbeat has to be sent by a caller.
    fn goes_on(&self) -> bool {
        match self {
            Self::NotBegun => false,
            Self::Once => true,
            Self::Task(task) => !task.is_finished(),
        }
    }
}

impl Heartbeat {
    fn new(keeper: Keeper, sharing: Sharing) -> Self {
        let beating = tokio::sync::Mutex::new(Beating::NotBegun);
        Self { keeper, sharing, beating, claims: Claims::default(), scheduler: Mutex::default() }
    }

    /// Returns the scheduler of this process. Starts it if there is none, or if the executor of the last one is gone.
    pub(crate) fn scheduler(&self, start: impl FnOnce() -> Arc<Task>) -> Arc<Task> {
        let mut scheduler = self.scheduler.lock().unwrap_or_else(PoisonError::into_inner);
        scheduler.upgrade().filter(|task| !task.is_over()).unwrap_or_else(|| {
            let task = start();
            *scheduler = Arc::downgrade(&task);
            task
        })
    }

    /// Starts the heartbeat if it is not running. Leases are held only while the process is known to be alive. A host may use
    /// an executor for each request, so that the next run or resumption starts the heartbeat again if the executor of the last one
    /// is gone. Until then, leases may expire.
    pub(crate) async fn beat(&self) -> Result<(), Error> {
        let mut beating = self.beating.lock().await;
        if beating.goes_on() {
            return Ok(());
        }
        self.keeper.keep_alive().await?;
        *beating = match self.sharing {
            Sharing::Private => Beating::Once,
            Sharing::Shared => Beating::Task(tokio::spawn(keep_beating(self.keeper.clone())).abort_handle()),
        };
        Ok(())
    }

    /// Releases all leases of this process. It must not run executions when this is called, nor afterwards.
    #[cfg(feature = "config")]
    pub(crate) async fn stop(&self) {
        let beating = self.beating.lock().await;
        let Beating::Task(task) = &*beating else { return };
        task.abort();
        let stopped = tokio::time::timeout(PATIENCE, self.keeper.stop()).await;
        if !matches!(stopped, Ok(Ok(()))) {
            tracing::warn!("the leases of this process could not be released");
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        if let Beating::Task(task) = self.beating.get_mut() {
            task.abort();
        }
    }
}

/// Sends heartbeats at regular times, however long each takes.
async fn keep_beating(keeper: Keeper) {
    let (clock, usual) = (RealClock::new(), keeper.timing.heartbeat);
    let mut next = clock.elapsed().saturating_add(usual);
    loop {
        clock.sleep_until(next).await;
        let began = clock.elapsed();
        let pause = match keeper.keep_alive().await {
            Ok(()) => usual,
            Err(error) => {
                tracing::error!(%error, "a heartbeat could not be sent to the store");
                usual.min(AGAIN)
            }
        };
        next = began.saturating_add(pause);
    }
}

#[cfg(test)]
mod tests {
    use tokio::runtime::{Builder, Runtime};

    use super::*;
    use crate::memory_store::memory_store;

    fn executor() -> Runtime {
        Builder::new_current_thread().enable_time().build().unwrap()
    }

    #[test]
    fn a_heartbeat_whose_executor_is_gone_is_started_again() {
        let home = DurableHome::new(memory_store(), Timing::default(), SnippetOptions::default());
        let is_beating = || home.heartbeat.beating.blocking_lock().goes_on();
        for _ in 0..2 {
            let executor = executor();
            executor.block_on(home.heartbeat.beat()).unwrap();
            assert!(is_beating());
            drop(executor);
            assert!(!is_beating());
        }
    }

    #[test]
    fn a_scheduler_whose_executor_is_gone_is_started_again() {
        let home = DurableHome::new(memory_store(), Timing::default(), SnippetOptions::default());
        let start = |executor: &Runtime| {
            home.heartbeat.scheduler(|| Arc::new(Task::started(executor.spawn(std::future::pending()))))
        };
        let (first, second) = (executor(), executor());
        let task = start(&first);
        assert!(Arc::ptr_eq(&task, &start(&second)), "the first one is running");
        drop(first);
        let again = start(&second);
        assert!(task.is_over() && !again.is_over());
    }
}
