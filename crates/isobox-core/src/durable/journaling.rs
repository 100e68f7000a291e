//! Keeps the journal of an execution, or none: the loop does the same either way.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::Value;

use crate::durable::recorder::{Permission, Recorder};
use crate::durable::resumption::{Inspected, Resumption, inspect};
use crate::journal::{Entry, Instruction, JournalState, Pause, Remembered, Seal, Used, Verdict, checkpoint};
use crate::store::{Checkpoint, Error, ErrorKind, Expected, Holding, Lease, Message, Status, Subscription};
use crate::{ExecutionId, Failure, Snapshot, Timestamp};

/// What is known of an execution that has no journal.
static NOTHING: LazyLock<JournalState> = LazyLock::new(JournalState::default);

/// Writes what happens in an execution to its journal, where it has one.
pub(crate) enum Journaling {
    /// The execution is not kept. Nothing is written, and nothing is known of it.
    Off,
    /// The execution is kept.
    On(Box<Recorder>),
}

impl Journaling {
    pub(crate) fn on(recorder: Recorder) -> Self {
        Self::On(Box::new(recorder))
    }

    pub(crate) fn is_on(&self) -> bool {
        matches!(self, Self::On(_))
    }

    /// Returns what the journal says so far.
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

    /// Returns what tells, at any later time, whether this process may still make a call.
    pub(crate) fn permission(&self) -> Permission {
        match self {
            Self::Off => Permission::always(),
            Self::On(recorder) => recorder.permission(),
        }
    }

    /// Adds an entry, to be written with the next batch.
    pub(crate) fn note(&mut self, entry: impl FnOnce(&Recorder) -> Result<Entry, Failure>) -> Result<(), Failure> {
        match self {
            Self::Off => Ok(()),
            Self::On(recorder) => {
                let entry = entry(recorder)?;
                recorder.note(entry)
            }
        }
    }

    /// Hands over what was noted, without waiting.
    pub(crate) fn send(&mut self) {
        if let Self::On(recorder) = self {
            recorder.send();
        }
    }

    /// Waits until everything that was noted is durable.
    pub(crate) async fn confirm(&mut self) -> Result<(), Failure> {
        match self {
            Self::Off => Ok(()),
            Self::On(recorder) => Ok(recorder.confirm().await?),
        }
    }

    /// Makes sure that this process still holds the lease.
    pub(crate) async fn hold(&mut self) -> Result<(), Failure> {
        match self {
            Self::Off => Ok(()),
            Self::On(recorder) => Ok(recorder.hold().await?),
        }
    }

    /// Passes an answer on. After a failure this process writes nothing more, and an execution that is kept is not over.
    pub(crate) fn heed<T, E>(&mut self, answer: Result<T, E>) -> Result<T, E> {
        match self {
            Self::Off => answer,
            Self::On(recorder) => recorder.heed(answer),
        }
    }

    /// Returns for how long the store has kept the program waiting since this was last asked.
    pub(crate) fn take_lost(&mut self) -> Duration {
        match self {
            Self::Off => Duration::ZERO,
            Self::On(recorder) => recorder.take_lost(),
        }
    }

    /// Whether calls wait for a person.
    pub(crate) fn is_asking(&self) -> bool {
        self.state().pending().next().is_some()
    }

    /// Whether the store can hold messages for the execution: it is kept, and the store has it.
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

    /// Reads the inbox. Returns none where the store fails in a way that may pass: it is read again soon, and calls that are
    /// under way must not wait for it.
    pub(crate) async fn inbox_if_reachable(&mut self, id: &ExecutionId) -> Result<Option<Vec<Message>>, Failure> {
        match self.inbox(id).await {
            Err(error) if error.kind() == ErrorKind::Unavailable => Ok(None),
            messages => Ok(self.heed(messages).map(Some)?),
        }
    }

    /// Subscribes to what others do to the execution.
    pub(crate) fn subscribe(&self, id: &ExecutionId) -> Subscription {
        match self {
            Self::Off => Subscription::never(),
            Self::On(recorder) => recorder.store.subscribe(id),
        }
    }

    /// Returns what a message says, unless another key or another execution is behind it.
    pub(crate) fn instruction(&self, message: &Message) -> Option<Instruction> {
        match self {
            Self::Off => None,
            Self::On(recorder) => Instruction::of(message, recorder.store.key(), recorder.beginning()),
        }
    }

    /// Whether a message was heard that is still in the inbox.
    pub(crate) fn knows(&self, key: &str) -> bool {
        match self {
            Self::Off => false,
            Self::On(recorder) => recorder.knows(key),
        }
    }

    /// Takes a message out of the inbox with the next batch.
    pub(crate) fn has_heard(&mut self, key: String) {
        if let Self::On(recorder) = self {
            recorder.has_heard(key);
        }
    }

    /// Leaves a message in the inbox of the execution, as others would. One about the same that is there already counts instead. An
    /// inbox that is full leaves the call to others: the execution takes the messages out as it goes on.
    pub(crate) async fn say(&mut self, id: &ExecutionId, instruction: &Instruction) -> Result<(), Failure> {
        let Self::On(recorder) = self else { return Ok(()) };
        let messages = &[instruction.message(recorder.store.key(), recorder.beginning())?];
        let posted =
            recorder.ask(|store| async move { store.post(id, messages.to_vec(), Expected::Anyhow).await }).await;
        match posted {
            Err(error) if error.kind() == ErrorKind::AlreadyDecided => Ok(()),
            Err(error) if error.kind() == ErrorKind::InboxFull => {
                tracing::warn!(execution = %id, %error, "what the approver decided is lost, and the call waits for others");
                Ok(())
            }
            posted => Ok(recorder.heed(posted)?),
        }
    }

    /// Returns what was decided before about the same call, and is to hold for this one: by a principal whose decisions are
    /// accepted.
    pub(crate) async fn recall(
        &mut self,
        session: Option<&str>,
        path: &str,
        definition: &str,
        input: &Value,
        is_accepted: impl Fn(&str) -> bool,
    ) -> Result<Option<Verdict>, Failure> {
        match self {
            Self::Off => Ok(None),
            Self::On(recorder) => Ok(recorder.recall(session, path, definition, input, is_accepted).await?),
        }
    }

    /// Keeps a decision for a session.
    pub(crate) async fn remember(&mut self, session: &str, remembered: &Remembered) -> Result<(), Failure> {
        match self {
            Self::Off => Ok(()),
            Self::On(recorder) => recorder.remember(session, remembered).await,
        }
    }

    /// Puts the execution to rest: writes everything down, keeps the state of the program, and releases the lease unless there are
    /// messages.
    pub(crate) async fn pause(
        &mut self,
        id: &ExecutionId,
        (at, used): (Timestamp, Used),
        counted: BTreeMap<String, u32>,
        snapshot: Option<Snapshot>,
    ) -> Result<Holding, Failure> {
        let Self::On(recorder) = self else { return Ok(Holding::Held) };
        recorder.note(Entry::Paused(Pause { at, used }))?;
        recorder.set_status(Status::Paused);
        let holding = recorder.rest(|recorder| checkpoint_of(recorder, id, counted, &snapshot?)).await?;
        if holding != Holding::Free {
            recorder.set_status(Status::Running);
        }
        Ok(holding)
    }

    /// Whether the state of the program is in the store now.
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
            tracing::warn!(execution = %id, %error, "its state is kept in memory");
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
        let whole = recorder.ask(|store| async move { inspect(&*store, id).await }).await?;
        check_seal(recorder, id, whole.seal)?;
        Ok(whole)
    }
}

/// Refuses a journal with which another process has gone on: it says nothing about the program of this one.
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
