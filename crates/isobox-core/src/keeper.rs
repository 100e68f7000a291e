//! Where a process keeps executions, and which of them it holds.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::store::failures::held_elsewhere;
use crate::store::{Node, Release, Store};
use crate::{Code, ExecutionId, Failure};

/// Where executions are kept, and by whom they are held. Clones are the same holder.
///
/// A lease is held for as long as its node is alive, so that a process that lives has to let go of what it no longer runs:
/// what could not be let go of at once, because the store failed or because nobody waited for it, is let go of by
/// [`Keeper::keep_alive`].
#[derive(Clone)]
pub struct Keeper {
    /// Where.
    pub store: Arc<dyn Store>,
    /// This process, which has to say that it is alive for as long as it runs executions.
    pub node: Node,
    here: Arc<Mutex<Here>>,
}

/// The executions of this process.
#[derive(Default)]
struct Here {
    running: HashSet<ExecutionId>,
    /// Not running any more, and perhaps still held.
    left: Vec<ExecutionId>,
}

impl Keeper {
    /// A holder that nobody else is.
    pub fn new(store: Arc<dyn Store>, node: Node) -> Self {
        Self { store, node, here: Arc::default() }
    }

    /// Says that this process is alive, for so long from now on, and lets go of what it no longer runs.
    pub async fn keep_alive(&self, time: Duration) -> Result<(), Failure> {
        self.store.keep_alive(&self.node, time).await?;
        let left = std::mem::take(&mut self.lock().left);
        for id in left {
            // Somebody goes on with it here.
            let Ok(presence) = self.enter(&id) else { continue };
            if self.let_go(&id).await.is_ok() {
                presence.leave();
            }
        }
        Ok(())
    }

    /// Nobody else here runs the execution for as long as this is there; `CONFLICT` where somebody does.
    pub(crate) fn enter(&self, id: &ExecutionId) -> Result<Presence, Failure> {
        if !self.lock().running.insert(id.clone()) {
            return Err(held_elsewhere(id));
        }
        Ok(Presence { here: Arc::clone(&self.here), id: id.clone(), has_let_go: false })
    }

    async fn let_go(&self, id: &ExecutionId) -> Result<(), Failure> {
        let released = match self.store.acquire(id, &self.node).await {
            Ok(lease) => self.store.release(&lease, Release::Anyhow).await.map(drop),
            Err(failure) => Err(failure),
        };
        match released {
            // It is over or gone, or somebody else has it.
            Err(failure) if matches!(failure.code, Code::Conflict | Code::NotFound) => Ok(()),
            released => released,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Here> {
        lock(&self.here)
    }
}

/// An execution runs here for as long as this is there.
pub(crate) struct Presence {
    here: Arc<Mutex<Here>>,
    id: ExecutionId,
    has_let_go: bool,
}

impl Presence {
    /// The execution is over, or somebody else may have it.
    pub(crate) fn leave(mut self) {
        self.has_let_go = true;
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut here = lock(&self.here);
        here.running.remove(&self.id);
        if !self.has_let_go {
            here.left.push(self.id.clone());
        }
    }
}

fn lock(here: &Mutex<Here>) -> MutexGuard<'_, Here> {
    // Every change is made whole before the lock is given back.
    here.lock().unwrap_or_else(PoisonError::into_inner)
}
