//! Waits for sleeping executions in the foreground.

use std::time::Duration;

use isobox_core::{ExecutionId, Failure, Outcome, Sleeping, Timestamp};

use crate::resume::pause;
use crate::{CancellationToken, Isobox, Resume, Resumed};

/// The maximum time until clock and store are read again: the clock may have been set, and not all stores tell of changes
/// by other processes.
const LOOK: Duration = Duration::from_secs(5);

impl Isobox {
    /// Waits while an execution sleeps, and resumes it whenever it is due, until it ends or needs a person. Also returns,
    /// with the execution asleep, when the token is cancelled, and if it sleeps for longer than `patience` in total. `told`
    /// receives every sleep before it is waited for.
    ///
    /// Other outcomes are returned as they are. If another process wakes the execution, this waits for its outcome.
    ///
    /// # Errors
    ///
    /// As for [`Isobox::resume`], which gets these options.
    pub async fn sleep_through(
        &self,
        asleep: Resumed,
        options: Resume,
        patience: Duration,
        token: &CancellationToken,
        mut told: impl FnMut(&Sleeping),
    ) -> Result<Resumed, Failure> {
        let clock = &*self.host.clock;
        let give_up_at = clock.elapsed().saturating_add(patience);
        let (mut id, mut known): (Option<ExecutionId>, _) = (None, None);
        let mut current = asleep;
        loop {
            let until = match (&current, &id) {
                (Resumed::Here(outcome), _) => match &**outcome {
                    Outcome::Sleeping(sleeping) => {
                        let left = Duration::from_millis(sleeping.until.0.saturating_sub(clock.now().0));
                        if clock.elapsed().saturating_add(left) > give_up_at {
                            return Ok(current);
                        }
                        if known != Some(sleeping.until) {
                            told(sleeping);
                        }
                        (id, known) = (Some(sleeping.execution_id.clone()), Some(sleeping.until));
                        Some(sleeping.until)
                    }
                    _ => return Ok(current),
                },
                (Resumed::Elsewhere, Some(_)) if clock.elapsed() < give_up_at => None,
                (Resumed::Elsewhere, _) => return Ok(current),
            };
            let Some(id) = &id else { return Ok(current) };
            tokio::select! {
                biased;
                () = token.cancelled() => return Ok(current),
                () = self.wait_for_change(id, until) => {}
            }
            current = self.resume(id, options.clone().only_if_decided()).await?;
        }
    }

    /// Waits until a time has come, or the execution may have changed.
    async fn wait_for_change(&self, id: &ExecutionId, until: Option<Timestamp>) {
        let (Ok(store), clock) = (self.store(), &*self.host.clock) else { return };
        let mut changes = store.subscribe(id);
        let Some(until) = until else { return pause(clock, clock.elapsed(), &mut changes).await };
        let left = Duration::from_millis(until.0.saturating_sub(clock.now().0));
        tokio::select! {
            // A person may have ended it.
            () = changes.changed() => {}
            () = clock.sleep_until(clock.elapsed().saturating_add(left.min(LOOK))) => {}
        }
    }
}
