//! Executions that are kept: looking at them, deciding about them, going on with them.

use std::time::Duration;

use isobox_core::journal::{Decision, Remember, Said, Standing, Verdict};
use isobox_core::store::{Expected, Filter, Listed, Part, Status, Store, prune};
use isobox_core::{
    CallSeq, Code, Decider, ExecutionId, Failure, Inspected, Outcome, Paused, Timestamp, decide, expire, inspect,
    resume, standing, tell_end,
};

use crate::{CancellationToken, Isobox};

/// So long whoever deletes an execution waits for the process that runs it. That looks once a second whether somebody has ended
/// it while it waits, and not while it computes.
const DELETE_PATIENCE: Duration = Duration::from_secs(30);
/// So long whoever carries on waits for the process that runs an execution to hear what was said to it.
const HEARD_WITHIN: Duration = Duration::from_secs(2);
/// How often they try.
const AGAIN: Duration = Duration::from_millis(50);

/// What somebody decides about calls of an execution.
#[derive(Debug, Clone)]
pub struct Decisions {
    shown: Option<u64>,
    about: About,
    by: Decider,
    reason: Option<String>,
    remember: Remember,
}

#[derive(Debug, Clone)]
enum About {
    All(Verdict),
    Calls(Vec<(CallSeq, Verdict)>),
}

impl Decisions {
    /// These verdicts, by this person. A name alone is that of a person whom the host has identified.
    pub fn new(by: impl Into<Decider>, verdicts: impl IntoIterator<Item = (CallSeq, Verdict)>) -> Self {
        let about = About::Calls(verdicts.into_iter().collect());
        Self { shown: None, about, by: by.into(), reason: None, remember: Remember::Nothing }
    }

    /// This verdict about everything that was pending at a revision; `CONFLICT` where that has changed since.
    pub fn about_all(by: impl Into<Decider>, revision: u64, verdict: Verdict) -> Self {
        let about = About::All(verdict);
        Self { shown: Some(revision), about, by: by.into(), reason: None, remember: Remember::Nothing }
    }

    /// On what was shown at this revision; `CONFLICT` where one of the calls has changed since.
    #[must_use]
    pub fn shown_at(mut self, revision: u64) -> Self {
        self.shown = Some(revision);
        self
    }

    /// Why, for whoever looks at the journal later. What the program of a call that is denied or fails may read is in the verdict.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// They hold for further calls of the same tools with the same inputs.
    #[must_use]
    pub fn remember(mut self, remember: Remember) -> Self {
        self.remember = remember;
        self
    }

    /// What is decided about each call, where the execution stands so.
    fn about(self, id: &ExecutionId, standing: &Standing, now: Timestamp) -> Result<Vec<Decision>, Failure> {
        let Self { shown, about, by, reason, remember } = self;
        let verdicts = match about {
            About::Calls(verdicts) => verdicts,
            About::All(verdict) => {
                if shown != Some(standing.revision) {
                    let message = format!("what is pending has changed: it is at revision {}", standing.revision);
                    return Err(Failure::new(Code::Conflict, message).hint("look at what is pending again"));
                }
                standing.pending().map(|(call, _)| (call.seq, verdict.clone())).collect()
            }
        };
        if verdicts.is_empty() {
            return Err(Failure::new(Code::Conflict, format!("nothing waits for anybody in execution {id}")));
        }
        let shown = shown.unwrap_or(standing.revision);
        let mut decisions: Vec<Decision> = Vec::new();
        for (seq, verdict) in verdicts {
            if decisions.iter().any(|decision| decision.seq == seq) {
                return Err(Failure::new(Code::Conflict, format!("call {seq} is decided about twice at once")));
            }
            let asked = standing.check_verdict(seq, shown, &verdict, now)?;
            decisions.push(Decision {
                seq,
                asked,
                verdict,
                by: by.name().to_owned(),
                reason: reason.clone(),
                remember,
            });
        }
        Ok(decisions)
    }
}

/// Who carries on after a decision.
#[derive(Debug)]
pub enum CarriedOn {
    /// This process did, or it is over: the outcome.
    Here(Box<Outcome>),
    /// Another process runs the execution, and has been told.
    Elsewhere,
}

impl Isobox {
    /// Goes on with an execution that is kept, until it ends or waits for somebody outside again.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`; `CONFLICT` where another process runs it or where it is over; `STORE`; `CONFIG` without a store.
    pub async fn resume(&self, id: &ExecutionId) -> Result<Outcome, Failure> {
        self.resume_unless(id, std::future::pending()).await
    }

    async fn resume_unless(
        &self,
        id: &ExecutionId,
        cancelled: impl Future<Output = ()> + Send,
    ) -> Result<Outcome, Failure> {
        self.keep_alive().await?;
        // It holds what a whole execution needs, and moves through many callers.
        Box::pin(resume(&self.host, id, cancelled)).await
    }

    /// What waits for somebody outside in an execution; `CONFLICT` where it is over.
    pub async fn pending(&self, id: &ExecutionId) -> Result<Paused, Failure> {
        let standing = standing(self.store()?, id).await?;
        if standing.ended.is_some() {
            return Err(Failure::new(Code::Conflict, format!("execution {id} is over: nothing waits for anybody")));
        }
        Ok(Paused::of(id, &standing, self.policy()))
    }

    /// Decides about calls that wait. What was decided is kept when this returns, and takes effect when the execution goes
    /// on: [`Isobox::carry_on`]. Where it is refused, nothing of it counts.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` where the person may not decide about executions of this store (see [`Decider`]), `NOT_FOUND`, and
    /// `CONFLICT` where a call does not wait for this or is named twice, where what was shown has changed, where somebody
    /// else was faster, or where it is too early to say that a call in doubt did not happen
    /// ([`PendingCall::not_before`](crate::PendingCall::not_before)).
    pub async fn decide(&self, id: &ExecutionId, decisions: Decisions) -> Result<(), Failure> {
        decisions.by.check(self.store()?).await?;
        let at = self.host.clock.now();
        decide(self.store()?, id, at, |standing| decisions.about(id, standing, at)).await
    }

    /// Ends an execution; nothing that it did is undone. `FORBIDDEN` as for [`Isobox::decide`].
    pub async fn reject(&self, id: &ExecutionId, by: impl Into<Decider>, reason: Option<&str>) -> Result<(), Failure> {
        let (by, store) = (by.into(), self.store()?);
        by.check(store).await?;
        let said =
            Said::Reject { by: by.name().to_owned(), reason: reason.map(str::to_owned), at: self.host.clock.now() };
        said.check_texts()?;
        store.post(id, vec![said.message(store.key(), id)?], Expected::Anyhow).await
    }

    /// Goes on with an execution about which something was decided, or leaves that to the process that runs it. Where that
    /// has come to the end already, the outcome is what it came to.
    pub async fn carry_on(&self, id: &ExecutionId) -> Result<CarriedOn, Failure> {
        self.carry_on_unless(id, std::future::pending()).await
    }

    /// The same until the token is cancelled: the execution is over then, with `ABORTED`.
    pub async fn carry_on_until(&self, id: &ExecutionId, token: &CancellationToken) -> Result<CarriedOn, Failure> {
        self.carry_on_unless(id, token.cancelled()).await
    }

    /// What has become of an execution: how it ended, or what it waits for. Where somebody has decided something, or where the
    /// process that ran it has died, it goes on first, until the token is cancelled. That ends nothing: whoever collects next
    /// goes on with it.
    ///
    /// # Errors
    ///
    /// `NOT_FOUND`, `STORE`, `CONFIG` without a store, and `ABORTED` where the token is cancelled before there is an outcome.
    pub async fn collect(&self, id: &ExecutionId, token: &CancellationToken) -> Result<CarriedOn, Failure> {
        let standing = self.inspect(id).await?.outcome(id, self.policy());
        match standing {
            // To go on with it would only make its journal longer.
            Some(outcome @ Outcome::Paused(_)) if self.store()?.inbox(id).await?.is_empty() => {
                return Ok(CarriedOn::Here(Box::new(outcome)));
            }
            Some(Outcome::Paused(_)) | None => {}
            Some(outcome) => return Ok(CarriedOn::Here(Box::new(outcome))),
        }
        tokio::select! {
            biased;
            () = token.cancelled() => {
                let message = format!("nobody waits for execution {id} any more; it can be resumed");
                Err(Failure::new(Code::Aborted, message))
            }
            carried_on = self.carry_on(id) => carried_on,
        }
    }

    async fn carry_on_unless(
        &self,
        id: &ExecutionId,
        cancelled: impl Future<Output = ()> + Send,
    ) -> Result<CarriedOn, Failure> {
        let (mut cancelled, clock) = (std::pin::pin!(cancelled), &*self.host.clock);
        let patience = clock.elapsed().saturating_add(HEARD_WITHIN);
        loop {
            match self.resume_unless(id, cancelled.as_mut()).await {
                Ok(outcome) => return Ok(CarriedOn::Here(Box::new(outcome))),
                Err(failure) if failure.code != Code::Conflict => return Err(failure),
                Err(_) => {}
            }
            let inspected = self.inspect(id).await?;
            if inspected.standing.ended.is_some()
                && let Some(outcome) = inspected.outcome(id, self.policy())
            {
                return Ok(CarriedOn::Here(Box::new(outcome)));
            }
            // Whoever holds it may let go of it without having heard what was said.
            if clock.elapsed() >= patience || self.store()?.inbox(id).await?.is_empty() {
                return Ok(CarriedOn::Elsewhere);
            }
            clock.sleep_until(clock.elapsed().saturating_add(AGAIN)).await;
        }
    }

    /// What people have said to an execution, oldest first, and what has not taken effect: nobody has gone on with it since.
    pub async fn said(&self, id: &ExecutionId) -> Result<Vec<Said>, Failure> {
        let store = self.store()?;
        let messages = store.inbox(id).await?;
        Ok(messages.iter().filter_map(|message| Said::of(message, store.key(), id)).collect())
    }

    /// All that is known of an execution.
    pub async fn inspect(&self, id: &ExecutionId) -> Result<Inspected, Failure> {
        inspect(self.store()?, id).await
    }

    /// The executions that are kept, newest first.
    pub async fn executions(&self, filter: Filter) -> Result<Vec<Listed>, Failure> {
        self.store()?.list(filter).await
    }

    /// Removes all of an execution: program, values, journal and snapshot. One that runs, here or in another process, is
    /// rejected before, by this person.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` as for [`Isobox::decide`], `NOT_FOUND`, `STORE`, and `CONFLICT` where the process that runs it has not let go of it within half a minute.
    pub async fn delete(&self, id: &ExecutionId, by: impl Into<Decider>) -> Result<(), Failure> {
        let (by, store) = (by.into(), self.store()?);
        by.check(store).await?;
        // What cannot be read can still be removed.
        let was_over = store.load(id, Part::SinceCheckpoint).await.is_ok_and(|loaded| loaded.head.status.is_over());
        if let Err(failure) = store.delete(id, Expected::Anyhow).await {
            if failure.code != Code::Conflict {
                return Err(failure);
            }
            self.delete_once_ended(id, &by).await?;
        }
        if !was_over {
            tell_end(&self.host, id, Status::Rejected).await;
        }
        Ok(())
    }

    /// Ends an execution that somebody runs, and removes it.
    async fn delete_once_ended(&self, id: &ExecutionId, by: &Decider) -> Result<(), Failure> {
        let (store, clock) = (self.store()?, &*self.host.clock);
        match self.reject(id, by, Some("it is to be deleted")).await {
            // It has come to its end by itself.
            Err(failure) if failure.code == Code::Conflict => {}
            said => said?,
        }
        let patience = clock.elapsed().saturating_add(DELETE_PATIENCE);
        loop {
            match store.delete(id, Expected::Anyhow).await {
                Err(failure) if failure.code == Code::Conflict && clock.elapsed() < patience => {}
                deleted => return deleted,
            }
            clock.sleep_until(clock.elapsed().saturating_add(AGAIN)).await;
        }
    }

    /// Removes executions that are over, but for those that ended last, and says which. Never one that runs or is paused.
    pub async fn prune(&self, keep: usize) -> Result<Vec<ExecutionId>, Failure> {
        prune(self.store()?, keep).await
    }

    /// Ends executions that nobody runs, that have not changed for so long, and to which nobody has said anything for so long:
    /// paused ones, and running ones whose process died. They fail with `TIMEOUT`. Says which.
    pub async fn expire(&self, older_than: Duration) -> Result<Vec<ExecutionId>, Failure> {
        self.keep_alive().await?;
        let age = u64::try_from(older_than.as_millis()).unwrap_or(u64::MAX);
        expire(&self.host, Timestamp(self.host.clock.now().0.saturating_sub(age))).await
    }

    fn store(&self) -> Result<&dyn Store, Failure> {
        match &self.host.keeper {
            Some(keeper) => Ok(&*keeper.store),
            None => Err(Failure::new(Code::Config, "this runtime has no store, so that it keeps no executions")),
        }
    }

    pub(crate) async fn keep_alive(&self) -> Result<(), Failure> {
        match &self.heart {
            Some(heart) => heart.beat().await,
            None => Ok(()),
        }
    }
}
