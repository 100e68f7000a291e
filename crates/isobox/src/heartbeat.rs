//! The store of a process, and the heartbeats that it sends while it runs executions.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use isobox_core::snippets::SnippetOptions;
use isobox_core::store::{Error, Node, Store};
use isobox_core::{Keeper, Timing};
use tokio::sync::OnceCell;
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
    /// The task that sends heartbeats, once the first was sent. None if nothing depends on further ones.
    beating: OnceCell<Option<AbortHandle>>,
    pub(crate) claims: Claims,
    /// The scheduler of this process.
    scheduler: Mutex<Weak<Task>>,
}

impl Heartbeat {
    fn new(keeper: Keeper, sharing: Sharing) -> Self {
        Self { keeper, sharing, beating: OnceCell::new(), claims: Claims::default(), scheduler: Mutex::default() }
    }

    /// Returns the scheduler of this process. Starts it if there is none.
    pub(crate) fn scheduler(&self, start: impl FnOnce() -> Arc<Task>) -> Arc<Task> {
        let mut scheduler = self.scheduler.lock().unwrap_or_else(PoisonError::into_inner);
        scheduler.upgrade().unwrap_or_else(|| {
            let task = start();
            *scheduler = Arc::downgrade(&task);
            task
        })
    }

    /// Starts the heartbeat if it is not running. Leases are held only while the process is known to be alive.
    pub(crate) async fn beat(&self) -> Result<(), Error> {
        self.beating
            .get_or_try_init(|| async {
                self.keeper.keep_alive().await?;
                if self.sharing == Sharing::Private {
                    return Ok(None);
                }
                let keeper = self.keeper.clone();
                let task = tokio::spawn(async move {
                    let usual = keeper.timing.heartbeat;
                    let mut pause = usual;
                    loop {
                        tokio::time::sleep(pause).await;
                        pause = match keeper.keep_alive().await {
                            Ok(()) => usual,
                            Err(error) => {
                                tracing::error!(%error, "a heartbeat could not be sent to the store");
                                usual.min(AGAIN)
                            }
                        };
                    }
                });
                Ok::<_, Error>(Some(task.abort_handle()))
            })
            .await?;
        Ok(())
    }

    /// Releases all leases of this process. It must not run executions when this is called, nor afterwards.
    #[cfg(feature = "config")]
    pub(crate) async fn stop(&self) {
        let Some(Some(task)) = self.beating.get() else { return };
        task.abort();
        let stopped = tokio::time::timeout(PATIENCE, self.keeper.stop()).await;
        if !matches!(stopped, Ok(Ok(()))) {
            tracing::warn!("the leases of this process could not be released");
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        if let Some(Some(task)) = self.beating.get() {
            task.abort();
        }
    }
}
