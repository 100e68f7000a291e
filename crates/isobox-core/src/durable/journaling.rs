//! Keeps the journal of an execution, or none. The run loop is the same in both cases.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::Value;

use crate::durable::permission::Permission;
use crate::durable::recorder::Recorder;
use crate::durable::resumption::{Inspected, Resumption, inspect};
use crate::journal::{CallPlace, Entry, Instruction, JournalState, Pause, Remembered, Seal, Used, Verdict, checkpoint};
use crate::store::{Checkpoint, Error, ErrorKind, ExpectedState, Holding, Lease, Message, Status, Subscription};
use crate::{CallSeq, ExecutionId, Failure, Snapshot, Timestamp};

/// The state of an execution that has no journal.
static NOTHING: LazyLock<JournalState> = LazyLock::new(JournalState::default);

/// Records what happens in an execution, if the execution is durable.
pub(crate) enum Journaling {
    /// The execution is not durable. Nothing is recorded.
    Off,
    /// The execution is durable.
    On(Box<Recorder>),
}

impl Journaling {
    pub(crate) fn on(recorder: Recorder) -> Self {
        Self::On(Box::new(recorder))
    }

    pub(crate) fn is_on(&self) -> bool {
        matches!(self, Self::On(_))
    }

    /// Returns the state that the journal describes.
    pub(crate) fn state(&self) -> &JournalState {
        match self {
            Self::Off => &NOTHING,
            Self::On(recorder) => recorder.state(),
        }
    }

    /// Returns the lease under which calls are made.
    pub(crate) fn lease(&self) -> Option<&Arc<Lease>> {
        match self {
            Self::Off => None,
            Self::On(recorder) => Some(&recorder.lease),
        }
    }

    /// Returns a permission that tells, at any later time, whether this process may still start a call.
    pub(crate) fn permission(&self) -> Permission {
        match self {
            Self::Off => Permission::always(),
            Self::On(recorder) => recorder.permission(),
        }
    }

    /// Returns a permission that ends when others may take this process for dead, counted from now.
    pub(crate) fn liveness(&self) -> Permission {
        match self {
            Self::Off => Permission::always(),
            Self::On(recorder) => recorder.liveness(),
        }
    }

    /// Adds an entry to the next batch.
    pub(crate) fn note(&mut self, entry: impl FnOnce(&Recorder) -> Result<Entry, Failure>) -> Result<(), Failure> {
        match self {
            Self::Off => Ok(()),
            Self::On(recorder) => {
                let entry = entry(recorder)?;
                recorder.note(entry)
            }
        }
    }

    /// Sends the recorded entries to the store, without waiting.
    pub(crate) fn send(&mut self) {
        if let Self::On(recorder) = self {
            recorder.send();
        }
    }

    /// Waits until all recorded entries are durable.
    pub(crate) async fn confirm(&mut self) -> Result<(), Failure> {
        match self {
            Self::Off => Ok(()),
            Self::On(recorder) => Ok(recorder.confirm().await?),
        }
    }

    /// Ensures that this process still holds the lease.
    pub(crate) async fn hold(&mut self) -> Result<(), Failure> {
        match self {
            Self::Off => Ok(()),
            Self::On(recorder) => Ok(recorder.hold().await?),
        }
    }

    /// Passes on an answer. After an error this process writes nothing more, and a durable execution does not end.
    pub(crate) fn heed<T, E>(&mut self, answer: Result<T, E>) -> Result<T, E> {
        match self {
            Self::Off => answer,
            Self::On(recorder) => recorder.heed(answer),
        }
    }

    /// Returns and resets the time that the program has spent waiting for the store.
    pub(crate) fn take_lost(&mut self) -> Duration {
        match self {
            Self::Off => Duration::ZERO,
            Self::On(recorder) => recorder.take_lost(),
        }
    }

    /// Tells whether calls are pending.
    pub(crate) fn is_asking(&self) -> bool {
        self.state().pending().next().is_some()
    }

    /// Tells whether the store can hold messages for the execution: it is durable, and the store has it.
    pub(crate) fn has_inbox(&self) -> bool {
        match self {
            Self::Off => false,
            Self::On(recorder) => !recorder.is_new(),
        }
    }

    /// Reads the inbox.
    pub(crate) async fn inbox(&mut self, id: &ExecutionId) -> Result<Vec<Message>, Error> {
        match self {
            Self::On(recorder) if !recorder.is_new() => recorder.store.inbox(id).await,
            Self::On(_) | Self::Off => Ok(Vec::new()),
        }
    }

    /// Reads the inbox. Returns none after a transient failure of the store: the inbox is read again soon, and running
    /// calls must not wait for it.
    pub(crate) async fn inbox_if_reachable(&mut self, id: &ExecutionId) -> Result<Option<Vec<Message>>, Failure> {
        match self.inbox(id).await {
            Err(error) if error.kind() == ErrorKind::Unavailable => Ok(None),
            messages => Ok(self.heed(messages).map(Some)?),
        }
    }

    /// Reads the inbox before something that must not happen without knowing it. Bridges a short outage.
    pub(crate) async fn inbox_first(&mut self, id: &ExecutionId) -> Result<Vec<Message>, Failure> {
        match self {
            Self::On(recorder) if !recorder.is_new() => {
                let messages = recorder.ask(|store| async move { store.inbox(id).await }).await;
                Ok(recorder.heed(messages)?)
            }
            Self::On(_) | Self::Off => Ok(Vec::new()),
        }
    }

    /// Subscribes to changes that others make to the execution.
    pub(crate) fn subscribe(&self, id: &ExecutionId) -> Subscription {
        match self {
            Self::Off => Subscription::never(),
            Self::On(recorder) => recorder.store.subscribe(id),
        }
    }

    /// Returns the instruction in a message, unless it was sealed with another key or for another execution.
    pub(crate) fn instruction(&self, message: &Message) -> Option<Instruction> {
        match self {
            Self::Off => None,
            Self::On(recorder) => Instruction::of(message, recorder.store.key(), recorder.beginning()),
        }
    }

    /// Tells whether a message was handled that is still in the inbox.
    pub(crate) fn knows(&self, key: &str) -> bool {
        match self {
            Self::Off => false,
            Self::On(recorder) => recorder.knows(key),
        }
    }

    /// Removes a message from the inbox with the next batch.
    pub(crate) fn has_heard(&mut self, key: String) {
        if let Self::On(recorder) = self {
            recorder.has_heard(key);
        }
    }

    /// Posts an instruction to the inbox of the execution, as another process would. An earlier message about the same
    /// call takes precedence. If the inbox is full, the call stays pending.
    pub(crate) async fn say(&mut self, id: &ExecutionId, instruction: &Instruction) -> Result<(), Failure> {
        let Self::On(recorder) = self else { return Ok(()) };
        let messages = &[instruction.message(recorder.store.key(), recorder.beginning())?];
        let posted =
            recorder.ask(|store| async move { store.post(id, messages.to_vec(), ExpectedState::Anyhow).await }).await;
        match posted {
            Err(error) if error.kind() == ErrorKind::AlreadyDecided => Ok(()),
            Err(error) if error.kind() == ErrorKind::InboxFull => {
                tracing::warn!(execution = %id, %error, "the decision of the approver is lost: the call stays pending");
                Ok(())
            }
            posted => Ok(recorder.heed(posted)?),
        }
    }

    /// Returns the decision that was remembered for the same call, with the name of the principal that made it, if its
    /// decisions are accepted.
    pub(crate) async fn recall(
        &mut self,
        session: Option<&str>,
        path: &str,
        definition: &str,
        input: &Value,
        is_accepted: impl Fn(&str) -> bool,
    ) -> Result<Option<(Verdict, String)>, Failure> {
        match self {
            Self::Off => Ok(None),
            Self::On(recorder) => Ok(recorder.recall(session, path, definition, input, is_accepted).await?),
        }
    }

    /// Stores a decision for a session.
    pub(crate) async fn remember(&mut self, session: &str, remembered: &Remembered) -> Result<(), Failure> {
        match self {
            Self::Off => Ok(()),
            Self::On(recorder) => recorder.remember(session, remembered).await,
        }
    }

    /// Runs an idempotent operation on the store. If the execution is durable, it is retried during a short outage.
    pub(crate) async fn ask<T, F>(&mut self, ask: impl Fn() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        match self {
            Self::Off => ask().await,
            Self::On(recorder) => recorder.ask(|_| ask()).await,
        }
    }

    /// Pauses the execution, or lets it sleep until its next timer is due: writes all entries and a checkpoint, and
    /// releases the lease unless the inbox has messages.
    pub(crate) async fn pause(
        &mut self,
        id: &ExecutionId,
        (at, used, until): (Timestamp, Used, Option<Timestamp>),
        counted: BTreeMap<String, u32>,
        snapshot: Option<Snapshot>,
    ) -> Result<Holding, Failure> {
        let Self::On(recorder) = self else { return Ok(Holding::Held) };
        recorder.note(Entry::Paused(Pause { at, used, restored_by: None, until }))?;
        recorder.set_status(recorder.state().resting_status(until));
        recorder.set_due(until);
        let holding = recorder.rest(|recorder| checkpoint_of(recorder, id, counted, &snapshot?)).await?;
        if holding != Holding::Free {
            recorder.set_status(Status::Running);
        }
        Ok(holding)
    }

    /// Writes a checkpoint. Returns whether the store has it.
    pub(crate) async fn keep_state(
        &mut self,
        id: &ExecutionId,
        counted: BTreeMap<String, u32>,
        snapshot: &Snapshot,
    ) -> Result<bool, Failure> {
        let Self::On(recorder) = self else { return Ok(false) };
        if recorder.state().is_ephemeral {
            return Ok(false);
        }
        recorder.confirm().await?;
        let Some(checkpoint) = checkpoint_of(recorder, id, counted, snapshot) else { return Ok(false) };
        let saved = recorder.keep_checkpoint(checkpoint).await;
        if let Err(error) = &saved {
            tracing::warn!(execution = %id, %error, "the checkpoint could not be stored: the program stays in memory");
        }
        Ok(saved.is_ok())
    }

    /// Loads the state of the program from the store.
    pub(crate) async fn load(&mut self, id: &ExecutionId) -> Result<Resumption, Error> {
        let Self::On(recorder) = self else { return Err(Error::not_found(id)) };
        recorder.confirm().await?;
        let loaded = recorder.ask(|store| async move { Resumption::load(&*store, id).await }).await?;
        check_seal(recorder, id, loaded.place.seal)?;
        Ok(loaded)
    }

    /// Loads the whole journal from the store.
    pub(crate) async fn inspect(&mut self, id: &ExecutionId) -> Result<Inspected, Error> {
        let Self::On(recorder) = self else { return Err(Error::not_found(id)) };
        recorder.confirm().await?;
        let whole = recorder.ask(|store| async move { inspect(&*store, id).await }).await?;
        check_seal(recorder, id, whole.seal)?;
        Ok(whole)
    }

    /// Returns the place of a call in the program, if the journal has it.
    pub(crate) async fn place_of(&mut self, id: &ExecutionId, seq: CallSeq) -> Result<Option<CallPlace>, Failure> {
        if !self.is_on() {
            return Ok(None);
        }
        let whole = match self.inspect(id).await {
            // The execution ends without the place, rather than not at all.
            Err(error) if error.kind() == ErrorKind::Unavailable => return Ok(None),
            whole => self.heed(whole)?,
        };
        let mut entries = whole.entries.into_iter();
        Ok(entries.find_map(|entry| match entry {
            Entry::Step(step) => step.calls.into_iter().find(|call| call.seq == seq)?.at,
            _ => None,
        }))
    }
}

/// Refuses a journal that another process has continued: it no longer describes the program of this process.
fn check_seal(recorder: &Recorder, id: &ExecutionId, found: Seal) -> Result<(), Error> {
    let (_, known, _) = recorder.place();
    if found == known { Ok(()) } else { Err(Error::lease_lost(id)) }
}

fn checkpoint_of(
    recorder: &Recorder,
    id: &ExecutionId,
    counted: BTreeMap<String, u32>,
    snapshot: &Snapshot,
) -> Option<Checkpoint> {
    let (key, place, state) = (recorder.store.key(), recorder.place(), recorder.state());
    checkpoint::encode(key, id, place, (state, counted), snapshot)
}
