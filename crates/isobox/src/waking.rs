//! Wakes the executions that are due, once.

use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{FutureExt, StreamExt, stream};
use isobox_core::store::{DueExecution, ErrorKind};
use isobox_core::{ExecutionId, Failure, Means, Outcome, RequestError, Timestamp};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{CancellationToken, Isobox};

/// The number of executions that are read from the store at once.
pub(crate) const PAGE: u32 = 500;
/// The number of executions that are restored at the same time. Those that continue are not counted: how many of them are
/// in memory is a matter of the capacity.
pub(crate) const AT_ONCE: usize = 32;

/// An execution that was due, and what became of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Woken {
    /// The execution.
    pub id: ExecutionId,
    /// The time at which it was due.
    pub due: Timestamp,
    /// The outcome, once it has ended or rests again. After an error it is unchanged, and still due.
    pub outcome: Result<Outcome, Failure>,
}

impl Isobox {
    /// Wakes all executions that are due now, each once, and reports what became of each. Executions that other processes
    /// wake at the same time are left to them. Stops early when the token is cancelled: executions that are not over then
    /// can be woken later.
    ///
    /// # Errors
    ///
    /// `STORE`, and `CONFIG` without a store.
    pub async fn wake_due(&self, token: &CancellationToken, mut told: impl FnMut(Woken)) -> Result<(), Failure> {
        let store = self.store()?;
        let moment = self.host.clock.now();
        let slots = Arc::new(Semaphore::new(AT_ONCE));
        let mut after = None;
        loop {
            let agenda = store.due(moment, after, PAGE).await?;
            after = agenda.after;
            let wake = |due: DueExecution| {
                let slots = Arc::clone(&slots);
                async move {
                    let slot = slots.acquire_owned().await.expect("the slots are never closed");
                    let woken = self.wake(&due.id, slot).await;
                    (due, woken)
                }
            };
            let at_once = agenda.due.len().max(1);
            let mut woken = std::pin::pin!(stream::iter(agenda.due).map(wake).buffer_unordered(at_once));
            loop {
                let next = tokio::select! {
                    biased;
                    () = token.cancelled() => return Ok(()),
                    next = woken.next() => next,
                };
                let Some((DueExecution { id, at: due }, woken)) = next else { break };
                match woken {
                    Err(error) if is_anothers(&error) => {}
                    woken => told(Woken { id, due, outcome: woken.map_err(Failure::from) }),
                }
            }
            if after.is_none() {
                return Ok(());
            }
        }
    }

    /// Resumes an execution that is due. The slot is free again once the program is restored: how long the program then
    /// waits for its tools delays no other one.
    pub(crate) async fn wake(&self, id: &ExecutionId, slot: OwnedSemaphorePermit) -> Result<Outcome, RequestError> {
        let slot = Mutex::new(Some(slot));
        let leave = || {
            drop(slot.lock().unwrap_or_else(PoisonError::into_inner).take());
            ready(Ok(())).boxed()
        };
        let means = Means { before: Some(&leave), ..Means::default() };
        self.resume_now(id, means, std::future::pending()).await
    }
}

/// Tells whether another process has woken, ended or deleted the execution.
pub(crate) fn is_anothers(error: &RequestError) -> bool {
    error.is_elsewhere() || error.store_kind() == Some(ErrorKind::NotFound)
}
