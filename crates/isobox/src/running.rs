//! The kept executions that a runtime runs now, so that one can be stopped by its name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use isobox_core::ExecutionId;
use tokio_util::sync::CancellationToken;

#[derive(Clone, Default)]
pub(crate) struct Running(Arc<Mutex<HashMap<ExecutionId, Handle>>>);

#[derive(Clone, Default)]
struct Handle {
    stop: CancellationToken,
    stopped: CancellationToken,
}

/// An execution is running for as long as this is there.
pub(crate) struct Presence {
    running: Running,
    id: ExecutionId,
    handle: Handle,
    /// Not where it runs already: then the store will say so.
    is_entered: bool,
}

impl Running {
    pub(crate) fn enter(&self, id: &ExecutionId) -> Presence {
        let handle = Handle::default();
        let mut running = self.lock();
        let is_entered = !running.contains_key(id);
        if is_entered {
            running.insert(id.clone(), handle.clone());
        }
        Presence { running: self.clone(), id: id.clone(), handle, is_entered }
    }

    /// Stops an execution, if it runs here, and waits until it has come to its end.
    pub(crate) async fn stop(&self, id: &ExecutionId) {
        let handle = self.lock().get(id).cloned();
        if let Some(Handle { stop, stopped }) = handle {
            stop.cancel();
            stopped.cancelled().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ExecutionId, Handle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Presence {
    /// Completes when the execution is to be stopped.
    pub(crate) async fn is_to_stop(&self) {
        self.handle.stop.cancelled().await;
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        if self.is_entered {
            self.running.lock().remove(&self.id);
            self.handle.stopped.cancel();
        }
    }
}
