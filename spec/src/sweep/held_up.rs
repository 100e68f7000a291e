//! Processes whose writes are not acknowledged until others have taken over and finished.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::future::LocalBoxFuture;
use isobox::journal::{Entry, Inspected};
use isobox::{Code, Failure, Outcome};
use tokio::time::Sleep;

use super::child::Next;
use crate::Fate;

/// The work of a process. It gives no outcome if the process dies.
pub(super) type Running<'a> = LocalBoxFuture<'a, Result<Option<Result<Outcome, Failure>>, String>>;

/// A process that waits for an acknowledgement. It is not polled.
pub(super) struct HeldUp<'a> {
    pub(super) fate: Arc<Fate>,
    /// How it continues the execution. None if it has begun it.
    pub(super) next: Option<Next>,
    /// The journal when it was held up, if the execution was stored.
    pub(super) journal: Option<Inspected>,
    /// Completes when its leases have expired.
    pub(super) expiry: Pin<Box<Sleep>>,
    pub(super) running: Running<'a>,
}

impl HeldUp<'_> {
    /// Tells whether the process rolls the execution back.
    pub(super) fn rolls_back(&self) -> bool {
        self.next == Some(Next::RollBack)
    }

    /// Tells whether the process had recorded the end of its work.
    pub(super) fn was_over(&self) -> bool {
        let is_over = |journal: &Inspected| {
            journal.state.ended.is_some() && (!self.rolls_back() || journal.state.rollback.is_some())
        };
        self.journal.as_ref().is_some_and(is_over)
    }

    /// Acknowledges what the process has written, and lets it end. Returns the end that it reports, if it reports one.
    ///
    /// It may report an end or a pause that it had recorded, or the end that is stored. Otherwise it has to say that it cannot
    /// continue, or that another process has taken over.
    pub(super) async fn go_on(self, stored: &Outcome) -> Result<Option<Outcome>, String> {
        let was_over = self.was_over();
        let Self { fate, journal, expiry, running, .. } = self;
        expiry.await;
        fate.release();
        let outcome = match running.await? {
            Some(Ok(outcome)) => outcome,
            Some(Err(failure)) if matches!(failure.code, Code::Conflict | Code::Store) => return Ok(None),
            other => return Err(format!("it ended with {other:?}")),
        };
        let last = journal.as_ref().and_then(|journal| journal.entries.last());
        match outcome {
            Outcome::Interrupted(_) => Ok(None),
            Outcome::Paused(_) | Outcome::Sleeping(_) if matches!(last, Some(Entry::Paused(_))) => Ok(None),
            Outcome::Completed(_) | Outcome::Failed(_) | Outcome::RolledBack(_) if was_over || outcome == *stored => {
                Ok(Some(outcome))
            }
            other => Err(format!("others have taken over, and it ended with {other:?}")),
        }
    }
}
