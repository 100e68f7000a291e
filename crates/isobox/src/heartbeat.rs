//! Where a process keeps executions, and how it says that it is alive for as long as it runs them.

use std::sync::Arc;
use std::time::Duration;

use isobox_core::store::{Error, Node, Store};
use isobox_core::{Keeper, Timing};
use tokio::sync::OnceCell;
use tokio::task::AbortHandle;

use crate::chosen_id::Claims;
use crate::random_numbers;
use crate::real_clock::RealClock;

/// How soon a heartbeat that failed is sent again.
const AGAIN: Duration = Duration::from_secs(1);
/// So long a process that ends waits for its store. Where it does not answer, others know when the process is taken to be dead.
#[cfg(feature = "config")]
const PATIENCE: Duration = Duration::from_secs(2);

/// Where executions are kept, and by whom. Clones are the same holder.
#[derive(Clone)]
pub(crate) struct DurableHome {
    pub(crate) keeper: Keeper,
    pub(crate) heartbeat: Arc<Heartbeat>,
}

impl DurableHome {
    /// By a holder that nobody else is.
    pub(crate) fn new(store: Arc<dyn Store>, timing: Timing) -> Self {
        let node = Node(format!("node_{:032x}", random_numbers().0).into());
        let keeper = Keeper::new(store, node, Arc::new(RealClock::new()), timing);
        Self { heartbeat: Arc::new(Heartbeat::new(keeper.clone())), keeper }
    }
}

pub(crate) struct Heartbeat {
    keeper: Keeper,
    beating: OnceCell<AbortHandle>,
    pub(crate) claims: Claims,
}

impl Heartbeat {
    fn new(keeper: Keeper) -> Self {
        Self { keeper, beating: OnceCell::new(), claims: Claims::default() }
    }

    /// Begins where it has not: what this process holds is held only while it is known to be alive.
    pub(crate) async fn beat(&self) -> Result<(), Error> {
        self.beating
            .get_or_try_init(|| async {
                self.keeper.keep_alive().await?;
                let keeper = self.keeper.clone();
                let task = tokio::spawn(async move {
                    let usual = keeper.timing.heartbeat;
                    let mut pause = usual;
                    loop {
                        tokio::time::sleep(pause).await;
                        pause = match keeper.keep_alive().await {
                            Ok(()) => usual,
                            Err(error) => {
                                tracing::error!(%error, "the store could not be told that this process is alive");
                                usual.min(AGAIN)
                            }
                        };
                    }
                });
                Ok::<_, Error>(task.abort_handle())
            })
            .await?;
        Ok(())
    }

    /// Says that this process holds nothing any more: it must not run executions when this is called, nor afterwards.
    #[cfg(feature = "config")]
    pub(crate) async fn stop(&self) {
        let Some(task) = self.beating.get() else { return };
        task.abort();
        let stopped = tokio::time::timeout(PATIENCE, self.keeper.stop()).await;
        if !matches!(stopped, Ok(Ok(()))) {
            tracing::warn!("the store could not be told that this process ends");
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        if let Some(task) = self.beating.get() {
            task.abort();
        }
    }
}
