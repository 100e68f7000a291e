//! Ends executions: rejects, cancels, deletes and expires them.

use std::time::Duration;

use isobox_core::journal::Instruction;
use isobox_core::store::{ErrorKind, ExpectedState, Filter, Part, State, Status, all, prune, stale, watch_clock};
use isobox_core::{Code, ExecutionId, Failure, Host, Means, Principal, Right, Timestamp, expire, stop, tell_end};

use crate::decisions::already_decided;
use crate::executions::inbox;
use crate::resume::{Goal, Resumed, pause};
use crate::{CancellationToken, Isobox};

/// The time after the expiry of a lease for which an unresponsive process is waited for.
const SPARE: Duration = Duration::from_secs(5);
/// The number of executions per page.
const PAGE: u32 = 500;

/// The result of [`Isobox::expire`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expired {
    /// The executions that have expired.
    pub executions: Vec<ExecutionId>,
    /// Executions that look stale only because the clock is far ahead of the last use of the store.
    pub postponed: Option<Postponed>,
}

/// Executions that were not expired, because the clock may have jumped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Postponed {
    /// The executions.
    pub executions: Vec<ExecutionId>,
    /// The time by which the clock is ahead of the accepted time.
    pub ahead: Duration,
}

impl Isobox {
    /// Rejects an execution: a person refuses what the program is about to do. The execution ends with `REJECTED`; its
    /// effects are not undone. The rejection is recorded when this returns, and takes effect when a process continues
    /// the execution: [`Isobox::see_ended`].
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` as for [`Isobox::decide`], `NOT_FOUND`, `CONFLICT` if it has ended, or was already rejected or cancelled,
    /// and `STORE`, after which the rejection may be recorded if the failure [is unconfirmed](Failure::is_unconfirmed).
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

    /// Cancels an execution that is no longer wanted. The execution ends with `ABORTED`; its effects are not undone.
    /// The cancellation is recorded when this returns, and takes effect as a rejection does.
    ///
    /// The principal that runs an execution may cancel it with [`Right::Run`] and without a credential. Other
    /// principals need the rights for [`Isobox::reject`].
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
                // The name in a credential that the store refuses proves nothing.
                if !is_own || by.has_credential() || by.require(Right::Run).is_err() {
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

    /// Posts a message that ends an execution.
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

    /// Waits until a rejected or cancelled execution has ended. A process that runs it ends it itself. If that process
    /// does not respond until its lease has expired, the execution is ended here. Cancelling the token does not undo
    /// the rejection or cancellation: the next process that continues the execution ends it.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, `STORE`, `CONFIG` without a store, and `ABORTED` if the token is cancelled before the execution has
    /// ended.
    pub async fn see_ended(&self, id: &ExecutionId, token: &CancellationToken) -> Result<Resumed, Failure> {
        let patience = self.ending_patience();
        tokio::select! {
            biased;
            () = token.cancelled() => {
                let message = format!("the end of execution {id} is recorded, and takes effect when the execution continues");
                Err(Failure::new(Code::Aborted, message))
            }
            resumed = self.resume_until(id, Means::default(), std::future::pending(), patience, Goal::Ended) => resumed,
        }
    }

    /// Returns the maximum time that [`Isobox::see_ended`] and [`Isobox::delete`] wait for an unresponsive process.
    pub fn ending_patience(&self) -> Duration {
        let lease = self.host.keeper.as_ref().map_or(Duration::ZERO, |keeper| keeper.timing.lease);
        lease.saturating_add(SPARE)
    }

    /// Ends rejected or cancelled executions that no live process holds, because the process that held them has died.
    /// Returns the ended ones.
    pub async fn end_stopped(&self) -> Result<Vec<ExecutionId>, Failure> {
        let store = self.store()?;
        // The observer of this runtime is for other executions.
        let quiet = Self { host: Host { observer: None, ..self.host.clone() }, ..self.clone() };
        let filter = Filter::newest(PAGE).with(State::Orphaned).with(State::Decided);
        let mut ended = Vec::new();
        for listed in all(store, filter).await?.into_iter().filter(|listed| listed.messages > 0) {
            let inbox = match inbox(store, &listed.id).await {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) if error.kind() == ErrorKind::Broken => {
                    tracing::warn!(execution = %listed.id, %error, "its inbox cannot be read");
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
                // A cancellation needs no journal, so it also ends an execution that cannot be read.
                Err(_) => inbox.iter().any(|message| matches!(message, Instruction::Cancel { .. })),
            };
            if !is_stopped {
                continue;
            }
            match quiet.resume_now(&listed.id, Means::default(), std::future::pending()).await {
                Ok(_) => ended.push(listed.id),
                // Another process has resumed, ended or deleted the execution.
                Err(error) if error.is_elsewhere() || error.store_kind() == Some(ErrorKind::NotFound) => {}
                Err(error) => {
                    tracing::warn!(execution = %listed.id, %error, "a rejected or cancelled execution could not be ended");
                }
            }
        }
        Ok(ended)
    }

    /// Deletes an execution: program, values, journal and checkpoint. If it runs, here or in another process, it is
    /// first cancelled by this principal.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the principal does not have [`Right::Admin`] or the store is bound to another credential,
    /// `NOT_FOUND`, `STORE`, and `CONFLICT` if the process that runs it keeps its lease for longer than
    /// [`Isobox::ending_patience`].
    pub async fn delete(&self, id: &ExecutionId, by: impl Into<Principal>) -> Result<(), Failure> {
        let (by, store) = (by.into(), self.store()?);
        by.check(Right::Admin, store).await?;
        // An execution that cannot be read can still be deleted.
        let was_over = store.load(id, Part::SinceCheckpoint).await.is_ok_and(|loaded| loaded.head.status.is_over());
        match store.delete(id, ExpectedState::Anyhow).await {
            Err(error) if error.kind() == ErrorKind::HeldElsewhere => self.delete_once_ended(id, &by).await?,
            deleted => deleted?,
        }
        if !was_over {
            tell_end(&self.host, id, Status::Failed).await;
        }
        tracing::info!(execution = %id, by = by.name(), "deleted");
        Ok(())
    }

    /// Ends an execution that a process runs, and deletes it.
    async fn delete_once_ended(&self, id: &ExecutionId, by: &Principal) -> Result<(), Failure> {
        let (store, clock) = (self.store()?, &*self.host.clock);
        let cancellation = self.cancellation(by, Some("it is being deleted"));
        match stop(store, id, by, self.policy().own_decisions(), &cancellation).await {
            // The execution has ended by itself, or was rejected or cancelled before.
            Err(error) if matches!(error.store_kind(), Some(ErrorKind::Over(_) | ErrorKind::AlreadyDecided)) => {}
            posted => posted?,
        }
        let since = clock.elapsed();
        let patience = since.saturating_add(self.ending_patience());
        let mut changes = store.subscribe(id);
        loop {
            match store.delete(id, ExpectedState::Anyhow).await {
                Err(error) if error.kind() == ErrorKind::HeldElsewhere && clock.elapsed() < patience => {}
                deleted => return Ok(deleted?),
            }
            pause(clock, since, &mut changes).await;
        }
    }

    /// Deletes ended executions, except the `keep` that ended last. Returns the deleted ones. Never deletes a running
    /// or paused execution.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the principal does not have [`Right::Admin`] or the store is bound to another credential, `STORE`,
    /// `CONFIG` without a store. [`Principal::host`] needs no credential: the retention of the host is not a decision.
    pub async fn prune(&self, by: impl Into<Principal>, keep: usize) -> Result<Vec<ExecutionId>, Failure> {
        let by = by.into();
        self.check_removal(&by).await?;
        Ok(prune(self.store()?, &by, keep).await?)
    }

    /// Checks that a principal may prune and expire.
    async fn check_removal(&self, by: &Principal) -> Result<(), Failure> {
        match by.is_host() {
            true => by.require(Right::Admin),
            false => by.check(Right::Admin, self.store()?).await,
        }
    }

    /// Expires executions that no process runs, and that have neither changed nor received a message for `older_than`:
    /// paused ones, running ones whose process died, and sleeping ones that were not woken. They fail with `TIMEOUT`, and
    /// their journals name the principal.
    ///
    /// A clock that jumped ahead expires nothing at once: see [`Expired::postponed`].
    ///
    /// # Errors
    ///
    /// As for [`Isobox::prune`].
    pub async fn expire(&self, by: impl Into<Principal>, older_than: Duration) -> Result<Expired, Failure> {
        let by = by.into();
        self.check_removal(&by).await?;
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
