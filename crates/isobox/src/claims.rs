//! Claims of IDs: no two runs of a process create an execution with the same ID at the same time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use isobox_core::ExecutionId;
use tokio::sync::OwnedMutexGuard;

/// The IDs for which this process may be about to create an execution.
#[derive(Default)]
pub(crate) struct Claims(Mutex<HashMap<ExecutionId, Weak<tokio::sync::Mutex<()>>>>);

impl Claims {
    /// Waits until no other run of this process claims the ID, and claims it for as long as the guard exists.
    pub(crate) async fn claim(&self, id: &ExecutionId) -> OwnedMutexGuard<()> {
        self.lock_of(id).lock_owned().await
    }

    fn lock_of(&self, id: &ExecutionId) -> Arc<tokio::sync::Mutex<()>> {
        let mut claimed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        claimed.retain(|_, lock| lock.strong_count() > 0);
        claimed.get(id).and_then(Weak::upgrade).unwrap_or_else(|| {
            let lock = Arc::default();
            claimed.insert(id.clone(), Arc::downgrade(&lock));
            lock
        })
    }
}
