//! Where a process keeps executions, and how it says that it is alive for as long as it runs them.

use std::sync::Arc;
use std::time::Duration;

use isobox_core::store::{Node, Store};
use isobox_core::{Failure, Keeper};
use tokio::sync::OnceCell;
use tokio::task::AbortHandle;

use crate::random_numbers;

/// So long others take this process to be alive after it last said so.
const ALIVE: Duration = Duration::from_secs(30);
/// So often it says so.
const BEAT: Duration = Duration::from_secs(10);
/// So long a process that ends waits for its store. Where it does not answer, others know when the process is taken to be dead.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where executions are kept, and by whom. Clones are the same holder.
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) keeper: Keeper,
    pub(crate) heart: Arc<Heart>,
}

impl Kept {
    /// By a holder that nobody else is.
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        let node = Node(format!("node_{:032x}", random_numbers().0));
        let keeper = Keeper::new(store, node);
        Self { heart: Arc::new(Heart::new(keeper.clone())), keeper }
    }
}

pub(crate) struct Heart {
    keeper: Keeper,
    beating: OnceCell<AbortHandle>,
}

impl Heart {
    fn new(keeper: Keeper) -> Self {
        Self { keeper, beating: OnceCell::new() }
    }

    /// Begins where it has not: what this process holds is held only while it is known to be alive.
    pub(crate) async fn beat(&self) -> Result<(), Failure> {
        self.beating
            .get_or_try_init(|| async {
                self.keeper.keep_alive(ALIVE).await?;
                let keeper = self.keeper.clone();
                let task = tokio::spawn(async move {
                    loop {
                        tokio::time::sleep(BEAT).await;
                        if let Err(failure) = keeper.keep_alive(ALIVE).await {
                            tracing::error!(%failure, "the store could not be told that this process is alive");
                        }
                    }
                });
                Ok::<_, Failure>(task.abort_handle())
            })
            .await?;
        Ok(())
    }

    /// Says that this process holds nothing any more: it must not run executions when this is called, nor afterwards.
    pub(crate) async fn stop(&self) {
        let Some(task) = self.beating.get() else { return };
        task.abort();
        let stopped = tokio::time::timeout(PATIENCE, self.keeper.keep_alive(Duration::ZERO)).await;
        if !matches!(stopped, Ok(Ok(()))) {
            tracing::warn!("the store could not be told that this process ends");
        }
    }
}

impl Drop for Heart {
    fn drop(&mut self) {
        if let Some(task) = self.beating.get() {
            task.abort();
        }
    }
}
