//! Transcripts of durable executions, forks, and stores that were restored from a backup.

use isobox_core::{
    ExecutionId, Failure, Fork, Principal, ReplayUntil, Replayed, Restoration, Right, Secrets, Transcript, fork,
    mark_restored, replay_transcript,
};

use crate::random_numbers::random_numbers;
use crate::{Isobox, Resume, Resumed};

impl Isobox {
    /// Exports everything that is recorded of an execution. [`Transcript::to_json`] makes one document of it, and
    /// [`Transcript::read`] reads that anywhere.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, `STORE`, and `CONFIG` without a store.
    pub async fn export(&self, id: &ExecutionId, secrets: Secrets) -> Result<Transcript, Failure> {
        let transcript = Transcript::of(id.clone(), self.inspect(id).await?, self.host.clock.now());
        match secrets {
            Secrets::Hidden => transcript.without_secrets(&*self.host.driver, &*self.host.clock, self.policy()).await,
            Secrets::Included => Ok(transcript),
        }
    }

    /// Replays a transcript without tools and without a store, and compares what the program does with what is recorded. The
    /// limits of this runtime apply.
    ///
    /// # Errors
    ///
    /// `DIVERGED` if the program does something else, or needs a result that is not recorded. `NOT_FOUND` if it never made
    /// the call to stop before. `CONFIG` if the transcript is redacted. `TIMEOUT`, `BUSY`.
    pub async fn replay(&self, transcript: &Transcript, until: ReplayUntil) -> Result<Replayed, Failure> {
        // Boxed, because it is rare and large.
        Box::pin(replay_transcript(&self.host, transcript, &self.limits, until)).await
    }

    /// Forks an execution: creates a new one with the history before a call, and runs it from there. No call of the history
    /// whose result is recorded is made again. One that had started without a recorded result is in doubt, unless its tool only
    /// reads or is [ephemeral](crate::Tool::ephemeral): then it is made again. Decisions of the original do not count for the fork.
    ///
    /// # Errors
    ///
    /// As [`isobox_core::fork`]: after such an error nothing is stored. As [`Isobox::resume`] once the fork is stored:
    /// `details.executionId` names it then, and it can be resumed. The same applies if the store does not say whether it has
    /// the fork.
    pub async fn fork(&self, transcript: &Transcript, options: Fork, resume: Resume) -> Result<Resumed, Failure> {
        self.keep_alive().await?;
        let id = ExecutionId::new(self.host.clock.now().0, random_numbers().0);
        Box::pin(fork(&self.host, &id, transcript, options, &self.limits)).await?;
        let resumed = self.resume(&id, resume).await;
        resumed.map_err(|failure| failure.detail("executionId", id.as_str()))
    }

    /// Marks every unfinished execution of a store that was restored from a backup. Each is held: it is not resumed before a
    /// person releases it ([`Resume::restored`]), and its open calls are in doubt, because the original may have made them
    /// since. Call this before any other use of a restored store.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the principal does not have [`Right::Admin`] or the store is bound to another credential, `STORE`,
    /// `CONFIG` without a store.
    pub async fn mark_restored(&self, by: impl Into<Principal>) -> Result<Restoration, Failure> {
        let by = by.into();
        by.check(Right::Admin, self.store()?).await?;
        self.keep_alive().await?;
        mark_restored(&self.host, &by).await
    }
}
