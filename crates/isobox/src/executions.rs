//! Executions that are kept: looking at them, deciding about them, going on with them.

use std::time::Duration;

use isobox_core::journal::Instruction;
use isobox_core::store::{Coverage, Filter, Page, Store, Subscription};
use isobox_core::{
    Clock, Code, ExecutionId, Failure, Inspected, Outcome, Paused, Right, decide, inspect, resume, state,
};

use crate::decisions::{Decisions, already_decided};
use crate::{CancellationToken, Isobox};

/// So long whoever carries on waits for the process that runs an execution to hear what was said to it.
const HEARD_WITHIN: Duration = Duration::from_secs(2);
/// How often they try at first, where they are not told of all changes; how often otherwise.
const AGAIN: Duration = Duration::from_millis(50);
const AGAIN_LATER: Duration = Duration::from_millis(500);

/// What is waited for in an execution that another process holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// That it has taken up what was said to the execution.
    Heard,
    /// That the execution has ended.
    Ended,
}

/// Waits before the next try: until the execution changes, or for a while. That a lease expires is not told.
pub(crate) async fn pause(clock: &dyn Clock, since: Duration, changes: &mut Subscription) {
    let now = clock.elapsed();
    let again = match changes.coverage() {
        Coverage::Partial if now.saturating_sub(since) < HEARD_WITHIN => AGAIN,
        Coverage::Partial | Coverage::Complete => AGAIN_LATER,
    };
    tokio::select! {
        () = changes.changed() => {}
        () = clock.sleep_until(now.saturating_add(again)) => {}
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

    pub(crate) async fn resume_unless(
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
        let state = state(self.store()?, id).await?;
        if state.ended.is_some() {
            return Err(Failure::new(Code::Conflict, format!("execution {id} is over: nothing waits for anybody")));
        }
        Ok(Paused::of(id, &state, self.policy()))
    }

    /// Decides about calls that wait. What was decided is kept when this returns, and takes effect when the execution goes
    /// on: [`Isobox::carry_on`]. Where it is refused, nothing of it counts.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` where the principal does not have [`Right::Decide`], the store is bound to another credential, or the execution is
    /// their own and the policy denies that ([`OwnDecisions`](crate::policy::OwnDecisions)); `NOT_FOUND`; and
    /// `CONFLICT` where a call does not wait for this or is named twice, where what was shown has changed, where somebody
    /// else was faster, or where it is too early to say that a call in doubt did not happen
    /// ([`PendingCall::not_before`](crate::PendingCall::not_before)).
    pub async fn decide(&self, id: &ExecutionId, decisions: Decisions) -> Result<(), Failure> {
        decisions.by.check(Right::Decide, self.store()?).await?;
        let (at, own) = (self.host.clock.now(), self.policy().own_decisions());
        let wanted = decisions.clone();
        let by = decisions.by.clone();
        match decide(self.store()?, id, &by, (at, own), |state| decisions.about(id, state, at)).await {
            Err(failure) if failure.code == Code::Conflict => {
                let said = self.said(id).await?;
                Err(wanted.anticipated_by(&said).map_or(failure, |before| already_decided(id, before)))
            }
            decided => decided,
        }
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
        let state = self.inspect(id).await?.outcome(id, self.policy());
        match state {
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
        self.carry_on_within(id, cancelled, HEARD_WITHIN, Goal::Heard).await
    }

    pub(crate) async fn carry_on_within(
        &self,
        id: &ExecutionId,
        cancelled: impl Future<Output = ()> + Send,
        patience: Duration,
        goal: Goal,
    ) -> Result<CarriedOn, Failure> {
        let (mut cancelled, clock) = (std::pin::pin!(cancelled), &*self.host.clock);
        let since = clock.elapsed();
        let patience = since.saturating_add(patience);
        let mut changes = self.store()?.subscribe(id);
        loop {
            match self.resume_unless(id, cancelled.as_mut()).await {
                Ok(outcome) => return Ok(CarriedOn::Here(Box::new(outcome))),
                Err(failure) if failure.code != Code::Conflict => return Err(failure),
                Err(_) => {}
            }
            let inspected = self.inspect(id).await?;
            if inspected.state.ended.is_some()
                && let Some(outcome) = inspected.outcome(id, self.policy())
            {
                return Ok(CarriedOn::Here(Box::new(outcome)));
            }
            // The process that holds it may let go of it without having heard what was said.
            let is_reached = match goal {
                Goal::Heard => self.store()?.inbox(id).await?.is_empty(),
                Goal::Ended => false,
            };
            if clock.elapsed() >= patience || is_reached {
                return Ok(CarriedOn::Elsewhere);
            }
            pause(clock, since, &mut changes).await;
        }
    }

    /// What people have said to an execution, oldest first, and what has not taken effect: nobody has gone on with it since.
    pub async fn said(&self, id: &ExecutionId) -> Result<Vec<Instruction>, Failure> {
        let store = self.store()?;
        let messages = store.inbox(id).await?;
        Ok(messages.iter().filter_map(|message| Instruction::of(message, store.key(), id)).collect())
    }

    /// All that is known of an execution.
    pub async fn inspect(&self, id: &ExecutionId) -> Result<Inspected, Failure> {
        inspect(self.store()?, id).await
    }

    /// Lists the executions that are kept, newest first.
    pub async fn executions(&self, filter: Filter) -> Result<Page, Failure> {
        self.store()?.list(filter).await
    }

    pub(crate) fn store(&self) -> Result<&dyn Store, Failure> {
        match &self.host.keeper {
            Some(keeper) => Ok(&*keeper.store),
            None => Err(Failure::new(Code::Config, "this runtime has no store, so that it keeps no executions")),
        }
    }

    pub(crate) async fn keep_alive(&self) -> Result<(), Failure> {
        match &self.heartbeat {
            Some(heartbeat) => heartbeat.beat().await,
            None => Ok(()),
        }
    }
}
