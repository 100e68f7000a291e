//! Inspects durable executions, and decides about them.

use std::sync::Arc;

use isobox_core::journal::{Instruction, Verdict};
use isobox_core::store::{Error, ErrorKind, Filter, Page, Part, Store, Stored};
use isobox_core::{
    CallSeq, Code, ConflictKind, ExecutionId, Failure, Inspected, Paused, Principal, Right, decide, inspect, state,
};
use serde_json::Value;

use crate::Isobox;
use crate::decisions::{Decisions, already_decided};

/// Reads the valid messages in the inbox of an execution, oldest first.
pub(crate) async fn inbox(store: &dyn Store, id: &ExecutionId) -> Result<Vec<Instruction>, Error> {
    let Stored { beginning, inbox, .. } = store.load(id, Part::SinceCheckpoint).await?;
    Ok(inbox.iter().filter_map(|message| Instruction::of(message, store.key(), &beginning.seal)).collect())
}

impl Isobox {
    /// Returns the pending calls of an execution. Returns `CONFLICT` if it has ended.
    pub async fn pending(&self, id: &ExecutionId) -> Result<Paused, Failure> {
        let state = state(self.store()?, id).await?;
        if state.ended.is_some() {
            return Err(Failure::conflict(ConflictKind::Over, format!("execution {id} is over: no call is pending")));
        }
        Ok(Paused::of(id, &state, self.policy()))
    }

    /// Decides about pending calls. The decisions are durable when this returns, and take effect when the execution is
    /// resumed: [`Isobox::resume`]. After an error none of them counts, except after an error that
    /// [is unconfirmed](Failure::is_unconfirmed): then it is not known whether they are recorded, and [`Isobox::inbox`] and
    /// [`Isobox::inspect`] tell when the store works again.
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the principal does not have [`Right::Decide`], the store is bound to another credential, or the
    /// execution is their own and the policy denies that ([`OwnDecisions`](crate::policy::OwnDecisions)). `NOT_FOUND`.
    /// `CONFLICT` if a call is not waiting for this verdict or is named twice, if the pending calls have changed since
    /// they were shown, if another principal was faster, or if it is too early to say that a call in doubt did not
    /// happen ([`PendingCall::not_before`](crate::PendingCall::not_before)). `STORE`.
    pub async fn decide(&self, id: &ExecutionId, decisions: Decisions) -> Result<(), Failure> {
        decisions.by.check(Right::Decide, self.store()?).await?;
        let (at, own) = (self.host.clock.now(), self.policy().own_decisions());
        let wanted = decisions.clone();
        let by = decisions.by.clone();
        match decide(self.store()?, id, &by, (at, own), |state| decisions.about(id, state, at)).await {
            Err(error) if error.store_kind() == Some(ErrorKind::AlreadyDecided) => {
                let inbox = self.inbox(id).await?;
                Err(wanted.anticipated_by(&inbox).map_or(error.into(), |before| already_decided(id, before)))
            }
            decided => Ok(decided?),
        }
    }

    /// Passes on the answer of a person to the interrupt of a call, which was shown at this revision. Takes effect as a decision
    /// does.
    ///
    /// Needs no credential: the host vouches that the person was asked the question of the tool. It answers interrupts
    /// only. Approving a call and settling a call in doubt need [`Isobox::decide`].
    ///
    /// # Errors
    ///
    /// `FORBIDDEN` if the person does not have [`Right::Decide`], or the execution is their own and the policy denies that.
    /// `NOT_FOUND`. `CONFLICT` if the call is not waiting for an answer, or has changed since it was shown.
    pub async fn pass_on(
        &self,
        id: &ExecutionId,
        (seq, revision): (CallSeq, u64),
        answer: Value,
        by: impl Into<Principal>,
    ) -> Result<(), Failure> {
        let (at, own, by) = (self.host.clock.now(), self.policy().own_decisions(), by.into());
        by.require(Right::Decide)?;
        let decisions = Decisions::new(by.clone(), [(seq, Verdict::Answer(answer))]).shown_at(revision);
        Ok(decide(self.store()?, id, &by, (at, own), |state| decisions.about(id, state, at)).await?)
    }

    /// Returns the messages in the inbox of an execution, oldest first. They take effect when it is resumed.
    pub async fn inbox(&self, id: &ExecutionId) -> Result<Vec<Instruction>, Failure> {
        Ok(inbox(self.store()?, id).await?)
    }

    /// Returns everything that is recorded of an execution.
    pub async fn inspect(&self, id: &ExecutionId) -> Result<Inspected, Failure> {
        Ok(inspect(self.store()?, id).await?)
    }

    /// Lists durable executions, newest first.
    pub async fn executions(&self, filter: Filter) -> Result<Page, Failure> {
        Ok(self.store()?.list(filter).await?)
    }

    pub(crate) fn store(&self) -> Result<&dyn Store, Failure> {
        self.store_handle().map(|store| &**store)
    }

    pub(crate) fn store_handle(&self) -> Result<&Arc<dyn Store>, Failure> {
        match &self.host.keeper {
            Some(keeper) => Ok(&keeper.store),
            None => Err(Failure::new(Code::Config, "this runtime has no store for durable executions")),
        }
    }

    pub(crate) async fn keep_alive(&self) -> Result<(), Failure> {
        match &self.heartbeat {
            Some(heartbeat) => Ok(heartbeat.beat().await?),
            None => Ok(()),
        }
    }
}
