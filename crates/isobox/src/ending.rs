//! Ending executions: by rejecting, cancelling, deleting and expiring them.

use std::time::Duration;

use isobox_core::journal::Instruction;
use isobox_core::store::{ErrorKind, Expected, Filter, Part, State, Status, all, prune, stale, watch_clock};
use isobox_core::{Code, ExecutionId, Failure, Host, Principal, Right, Timestamp, expire, stop, tell_end};

use crate::decisions::already_decided;
use crate::executions::inbox;
use crate::resume::{Goal, Resumed, pause};
use crate::{CancellationToken, Isobox};

/// How long after a lease may have run out a process that does not react is waited for.
const SPARE: Duration = Duration::from_secs(5);
/// How many executions are looked at together.
const PAGE: u32 = 500;

/// What [`Isobox::expire`] did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expired {
    /// The executions that have ended.
    pub executions: Vec<ExecutionId>,
    /// Executions that look stale only because the clock is far ahead of when the store was last used.
    pub postponed: Option<Postponed>,
}

/// Executions that were not ended, because the clock may have jumped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Postponed {
    /// Which.
    pub executions: Vec<ExecutionId>,
    /// How far the clock is ahead of the time that is believed.
    pub ahead: Duration,
}

impl Isobox {
    /// Rejects an execution: a person refuses what the program wants to do. The execution ends with `REJECTED`; nothing that it
    /// did is undone. The rejection is recorded when this returns, and takes effect when a process goes on with the execution:
    /// [`Isobox::see_ended`].
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` as for [`Isobox::decide`], `NOT_FOUND`, `STORE`, and `CONFLICT` where it is over, or was rejected or cancelled
    /// already.
    pub async fn reject(
        &self,
        id: &ExecutionId,
        by: impl Into<Principal>,
        reason: Option<&str>,
    ) -> Result<(), Failure> {
        let by = by.into();
        by.check(Right::Decide, self.store()?).await?;
        let (name, reason) = (by.name().to_owned(), reason.map(str::to_owned));
        self.stop(id, &by, Instruction::Reject { by: name, reason, at: self.host.clock.now() }).await
    }

    /// Cancels an execution: it is no longer wanted. The execution ends with `ABORTED`; nothing that it did is undone. The
    /// cancellation is recorded when this returns, and takes effect as a rejection does.
    ///
    /// The principal that runs an execution may cancel it with [`Right::Run`] and without a credential. Everybody else needs
    /// what [`Isobox::reject`] asks for.
    ///
    /// # Errors
    ///
    /// As for [`Isobox::reject`].
    pub async fn cancel(
        &self,
        id: &ExecutionId,
        by: impl Into<Principal>,
        reason: Option<&str>,
    ) -> Result<(), Failure> {
        let by = by.into();
        match by.check(Right::Decide, self.store()?).await {
            Err(failure) if failure.code == Code::Forbidden => {
                let is_own = self.inspect(id).await?.beginning.principal().name() == by.name();
                if !is_own || by.require(Right::Run).is_err() {
                    return Err(failure);
                }
            }
            checked => checked?,
        }
        self.stop(id, &by, self.cancellation(&by, reason)).await
    }

    fn cancellation(&self, by: &Principal, reason: Option<&str>) -> Instruction {
        let (by, reason) = (by.name().to_owned(), reason.map(str::to_owned));
        Instruction::Cancel { by, reason, at: self.host.clock.now() }
    }

    /// Leaves a message that ends an execution.
    async fn stop(&self, id: &ExecutionId, by: &Principal, said: Instruction) -> Result<(), Failure> {
        match stop(self.store()?, id, by, self.policy().own_decisions(), &said).await {
            Err(error) if error.store_kind() == Some(ErrorKind::AlreadyDecided) => {
                let inbox = self.inbox(id).await?;
                let before = inbox.iter().find(|message| message.is_end());
                Err(before.map_or(error.into(), |before| already_decided(id, before)))
            }
            posted => Ok(posted?),
        }
    }

    /// Sees to it that an execution ends that was rejected or cancelled. A process that runs it does that itself; one that does not react is
    /// waited for until its lease has run out, and then the execution is ended here. That the token is cancelled takes
    /// nothing back: the next process that goes on with the execution ends it.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, `STORE`, `CONFIG` without a store, and `ABORTED` where the token is cancelled before it has ended.
    pub async fn see_ended(&self, id: &ExecutionId, token: &CancellationToken) -> Result<Resumed, Failure> {
        let patience = self.ending_patience();
        tokio::select! {
            biased;
            () = token.cancelled() => {
                let message = format!("what ends execution {id} is recorded, and takes effect when it goes on");
                Err(Failure::new(Code::Aborted, message))
            }
            resumed = self.resume_until(id, &[], std::future::pending(), patience, Goal::Ended) => resumed,
        }
    }

    /// Returns how long [`Isobox::see_ended`] and [`Isobox::delete`] wait at most for a process that does not react.
    pub fn ending_patience(&self) -> Duration {
        let lease = self.host.keeper.as_ref().map_or(Duration::ZERO, |keeper| keeper.timing.lease);
        lease.saturating_add(SPARE)
    }

    /// Ends executions that were rejected or cancelled and that no live process holds: the process that held them has died since.
    /// Returns which.
    pub async fn end_stopped(&self) -> Result<Vec<ExecutionId>, Failure> {
        let store = self.store()?;
        // The observer of this runtime watches other executions.
        let quiet = Self { host: Host { observer: None, ..self.host.clone() }, ..self.clone() };
        let filter = Filter::newest(PAGE).with(State::Orphaned).with(State::Decided);
        let mut ended = Vec::new();
        for listed in all(store, filter).await?.into_iter().filter(|listed| listed.messages > 0) {
            let inbox = match inbox(store, &listed.id).await {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) if error.kind() == ErrorKind::Broken => {
                    tracing::warn!(execution = %listed.id, %error, "whether it was rejected or cancelled cannot be read");
                    continue;
                }
                inbox => inbox?,
            };
            if !inbox.iter().any(Instruction::is_end) {
                continue;
            }
            let is_stopped = match self.inspect(&listed.id).await {
                Ok(found) => {
                    let (own, owner) = (self.policy().own_decisions(), found.beginning.principal());
                    inbox.iter().any(|message| message.is_end() && message.check_principal(own, owner.name()).is_ok())
                }
                Err(failure) if failure.code == Code::NotFound => false,
                // An execution that cannot be read can still be ended by what is no decision about it.
                Err(_) => inbox.iter().any(|message| matches!(message, Instruction::Cancel { .. })),
            };
            if !is_stopped {
                continue;
            }
            match quiet.resume_now(&listed.id, &[], std::future::pending()).await {
                Ok(_) => ended.push(listed.id),
                // Another process goes on with it, or has ended or removed it.
                Err(error) if error.is_elsewhere() || error.store_kind() == Some(ErrorKind::NotFound) => {}
                Err(error) => {
                    tracing::warn!(execution = %listed.id, %error, "it was rejected or cancelled, and cannot be ended");
                }
            }
        }
        Ok(ended)
    }

    /// Removes all of an execution: program, values, journal and snapshot. One that runs, here or in another process, is
    /// cancelled before, by this principal.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` where the principal does not have [`Right::Admin`] or the store is bound to another credential, `NOT_FOUND`, `STORE`, and `CONFLICT` where the process that runs it keeps its
    /// lease and does not let go of it for [`Isobox::ending_patience`].
    pub async fn delete(&self, id: &ExecutionId, by: impl Into<Principal>) -> Result<(), Failure> {
        let (by, store) = (by.into(), self.store()?);
        by.check(Right::Admin, store).await?;
        // What cannot be read can still be removed.
        let was_over = store.load(id, Part::SinceCheckpoint).await.is_ok_and(|loaded| loaded.head.status.is_over());
        match store.delete(id, Expected::Anyhow).await {
            Err(error) if error.kind() == ErrorKind::HeldElsewhere => self.delete_once_ended(id, &by).await?,
            deleted => deleted?,
        }
        if !was_over {
            tell_end(&self.host, id, Status::Failed).await;
        }
        tracing::info!(execution = %id, by = by.name(), "deleted");
        Ok(())
    }

    /// Ends an execution that a process runs, and removes it.
    async fn delete_once_ended(&self, id: &ExecutionId, by: &Principal) -> Result<(), Failure> {
        let (store, clock) = (self.store()?, &*self.host.clock);
        let cancellation = self.cancellation(by, Some("it is to be deleted"));
        match stop(store, id, by, self.policy().own_decisions(), &cancellation).await {
            // It has come to its end by itself, or was rejected or cancelled before.
            Err(error) if matches!(error.store_kind(), Some(ErrorKind::Over(_) | ErrorKind::AlreadyDecided)) => {}
            posted => posted?,
        }
        let since = clock.elapsed();
        let patience = since.saturating_add(self.ending_patience());
        let mut changes = store.subscribe(id);
        loop {
            match store.delete(id, Expected::Anyhow).await {
                Err(error) if error.kind() == ErrorKind::HeldElsewhere && clock.elapsed() < patience => {}
                deleted => return Ok(deleted?),
            }
            pause(clock, since, &mut changes).await;
        }
    }

    /// Removes executions that are over, but for those that ended last, and says which. Never one that runs or is paused.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` where the principal does not have [`Right::Admin`], `STORE`, `CONFIG` without a store.
    pub async fn prune(&self, by: impl Into<Principal>, keep: usize) -> Result<Vec<ExecutionId>, Failure> {
        let by = by.into();
        by.require(Right::Admin)?;
        Ok(prune(self.store()?, &by, keep).await?)
    }

    /// Expires executions that no process runs, that have not changed for so long, and to which nothing was said for so long:
    /// paused ones, and running ones whose process died. They fail with `TIMEOUT`, and their journals name the principal.
    ///
    /// A clock that jumped ahead expires nothing at once: see [`Expired::postponed`].
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` where the principal does not have [`Right::Admin`], `STORE`, `CONFIG` without a store.
    pub async fn expire(&self, by: impl Into<Principal>, older_than: Duration) -> Result<Expired, Failure> {
        let by = by.into();
        by.require(Right::Admin)?;
        self.keep_alive().await?;
        let store = self.store()?;
        let watched = watch_clock(store, self.host.clock.now()).await?;
        let age = u64::try_from(older_than.as_millis()).unwrap_or(u64::MAX);
        let before = |moment: Timestamp| Timestamp(moment.0.saturating_sub(age));
        let executions = expire(&self.host, &by, before(watched.believed)).await?;
        if watched.believed >= watched.now {
            return Ok(Expired { executions, postponed: None });
        }
        let postponed: Vec<_> = stale(store, before(watched.now)).await?.into_iter().map(|listed| listed.id).collect();
        let ahead = Duration::from_millis(watched.now.0 - watched.believed.0);
        let postponed = (!postponed.is_empty()).then_some(Postponed { executions: postponed, ahead });
        Ok(Expired { executions, postponed })
    }
}
