//! Executions that are kept: looking at them, and deciding about them.

use isobox_core::journal::Instruction;
use isobox_core::store::{Error, ErrorKind, Filter, Page, Part, Store, Stored};
use isobox_core::{Code, ExecutionId, Failure, Inspected, Paused, Right, decide, inspect, state};

use crate::Isobox;
use crate::decisions::{Decisions, already_decided};

/// Reads the messages in the inbox of an execution, oldest first, without those that count for nothing.
pub(crate) async fn inbox(store: &dyn Store, id: &ExecutionId) -> Result<Vec<Instruction>, Error> {
    let Stored { beginning, inbox, .. } = store.load(id, Part::SinceCheckpoint).await?;
    Ok(inbox.iter().filter_map(|message| Instruction::of(message, store.key(), &beginning.seal)).collect())
}

impl Isobox {
    /// What waits for somebody outside in an execution; `CONFLICT` where it is over.
    pub async fn pending(&self, id: &ExecutionId) -> Result<Paused, Failure> {
        let state = state(self.store()?, id).await?;
        if state.ended.is_some() {
            return Err(Failure::new(Code::Conflict, format!("execution {id} is over: nothing waits for anybody")));
        }
        Ok(Paused::of(id, &state, self.policy()))
    }

    /// Decides about calls that wait. What was decided is kept when this returns, and takes effect when the execution is
    /// resumed: [`Isobox::resume`]. Where it is refused, nothing of it counts.
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
            Err(error) if error.store_kind() == Some(ErrorKind::AlreadyDecided) => {
                let inbox = self.inbox(id).await?;
                Err(wanted.anticipated_by(&inbox).map_or(error.into(), |before| already_decided(id, before)))
            }
            decided => Ok(decided?),
        }
    }

    /// Returns the messages that wait in the inbox of an execution, oldest first. They take effect when it is resumed.
    pub async fn inbox(&self, id: &ExecutionId) -> Result<Vec<Instruction>, Failure> {
        Ok(inbox(self.store()?, id).await?)
    }

    /// All that is known of an execution.
    pub async fn inspect(&self, id: &ExecutionId) -> Result<Inspected, Failure> {
        Ok(inspect(self.store()?, id).await?)
    }

    /// Lists the executions that are kept, newest first.
    pub async fn executions(&self, filter: Filter) -> Result<Page, Failure> {
        Ok(self.store()?.list(filter).await?)
    }

    pub(crate) fn store(&self) -> Result<&dyn Store, Failure> {
        match &self.host.keeper {
            Some(keeper) => Ok(&*keeper.store),
            None => Err(Failure::new(Code::Config, "this runtime has no store, so that it keeps no executions")),
        }
    }

    pub(crate) async fn keep_alive(&self) -> Result<(), Failure> {
        match &self.heartbeat {
            Some(heartbeat) => Ok(heartbeat.beat().await?),
            None => Ok(()),
        }
    }
}
