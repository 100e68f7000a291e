//! Reads the state of a durable execution.

use crate::durable::recorder::JournalPosition;
use crate::journal::checkpoint::{self, CheckpointContent};
use crate::journal::{Beginning, Ended, Ending, Entry, JournalState, Seal, damaged, decode_batch, decode_beginning};
use crate::policy::Policy;
use crate::report::kept_details::KeptDetails;
use crate::report::outcome::Account;
use crate::store::{Batch, Error, Head, Message, Part, State, Store, Stored};
use crate::{ExecutionId, Failure, Outcome};

/// An execution as read from its journal.
pub(crate) struct Resumption {
    pub(crate) beginning: Beginning<'static>,
    /// The checkpoint: the memory of the program, and the state at that time.
    pub(crate) kept: Option<CheckpointContent>,
    /// The entries after the checkpoint, or all of them without one.
    pub(crate) entries: Vec<Entry>,
    pub(crate) place: JournalPosition,
    pub(crate) head: Head,
    /// The messages that are not in the journal yet.
    pub(crate) inbox: Vec<Message>,
}

impl Resumption {
    pub(crate) async fn load(store: &dyn Store, id: &ExecutionId) -> Result<Self, Error> {
        Self::read(store, id, store.load(id, Part::SinceCheckpoint).await?).await
    }

    /// Loads an execution with its whole journal.
    pub(crate) async fn load_whole(store: &dyn Store, id: &ExecutionId) -> Result<Self, Error> {
        Self::read(store, id, store.load(id, Part::Whole).await?).await
    }

    /// Loads an execution that is continued. A rollback needs the whole journal.
    pub(crate) async fn load_to_continue(store: &dyn Store, id: &ExecutionId) -> Result<Self, Error> {
        let loaded = Self::load(store, id).await?;
        if loaded.place.state.is_rolling_back() { Self::load_whole(store, id).await } else { Ok(loaded) }
    }

    /// Tells whether the execution has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.place.state.ended.is_some()
    }

    /// Reads an execution from its checkpoint, or from the whole journal if the checkpoint cannot be used.
    pub(crate) async fn read(store: &dyn Store, id: &ExecutionId, stored: Stored) -> Result<Self, Error> {
        let beginning = decode_beginning(store.key(), id, &stored.beginning)?;
        if let Some(checkpoint) = &stored.checkpoint {
            match checkpoint::decode(store.key(), id, checkpoint) {
                Some(mut kept) => {
                    let open = kept.state.without_what_is_done();
                    let place = JournalPosition {
                        beginning: stored.beginning.seal,
                        position: checkpoint.position,
                        seal: checkpoint.seal,
                        size: kept.journal_size,
                        state: std::mem::replace(&mut kept.state, open),
                    };
                    let (entries, place) = read(store, id, place, &stored.batches)?;
                    let Stored { head, inbox, .. } = stored;
                    return Ok(Self { beginning, kept: Some(kept), entries, place, head, inbox });
                }
                None => tracing::warn!(execution = %id, "the checkpoint cannot be used: the journal is replayed"),
            }
        }
        let stored = match stored.checkpoint {
            Some(_) => store.load(id, Part::Whole).await?,
            None => stored,
        };
        let (entries, place) = read(store, id, JournalPosition::first(&stored.beginning), &stored.batches)?;
        let Stored { head, inbox, .. } = stored;
        Ok(Self { beginning, kept: None, entries, place, head, inbox })
    }
}

/// Reads the batches that follow a position. Returns their entries and the new position.
fn read(
    store: &dyn Store,
    id: &ExecutionId,
    mut place: JournalPosition,
    batches: &[Batch],
) -> Result<(Vec<Entry>, JournalPosition), Error> {
    let mut entries = Vec::new();
    for batch in batches {
        for entry in decode_batch(store.key(), id, &place.seal, batch)? {
            place.state.apply(entry.clone()).map_err(|_| damaged(id))?;
            entries.push(entry);
        }
        place.seal = batch.seal;
        place.position += 1;
        place.size += batch.bytes.len() as u64;
    }
    Ok((entries, place))
}

/// Returns the state of an execution. Reads no more of its journal than needed.
pub async fn state(store: &dyn Store, id: &ExecutionId) -> Result<JournalState, Error> {
    Ok(Resumption::load(store, id).await?.place.state)
}

/// Reads the whole journal of an execution.
pub async fn inspect(store: &dyn Store, id: &ExecutionId) -> Result<Inspected, Error> {
    let stored = store.load(id, Part::Whole).await?;
    let beginning = decode_beginning(store.key(), id, &stored.beginning)?;
    let (entries, place) = read(store, id, JournalPosition::first(&stored.beginning), &stored.batches)?;
    Ok(Inspected { beginning, entries, state: place.state, is_held: stored.is_held, seal: place.seal })
}

/// The whole record of an execution.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Inspected {
    /// The beginning of the journal.
    pub beginning: Beginning<'static>,
    /// All entries.
    pub entries: Vec<Entry>,
    /// The state after the entries.
    pub state: JournalState,
    /// Whether a live process runs the execution.
    pub is_held: bool,
    /// The seal of the last batch.
    pub(crate) seal: Seal,
}

impl Inspected {
    /// Returns how the execution ended, or what it is waiting for. Returns none if a process runs it, or ran it and
    /// died.
    pub fn outcome(&self, id: &ExecutionId, policy: &Policy) -> Option<Outcome> {
        let mut outcome = match &self.state.ended {
            Some(Ended { how: Ending::RolledBack(stopped), .. }) => {
                Outcome::of_rollback(id, &self.state, stopped.as_deref().cloned())?
            }
            Some(over) => {
                let account = Account::of(&self.state);
                Outcome::ended(id.clone(), over.how.clone(), over.hints.clone(), account, over.duration)
            }
            None => match self.entries.last() {
                Some(Entry::Paused(pause)) => Outcome::at_rest(id, &self.state, pause.until, policy),
                Some(_) | None => return None,
            },
        };
        let Beginning { details, limits, .. } = &self.beginning;
        let mut known = KeptDetails::new(*details, policy, limits);
        if !known.is_unwanted() {
            known.learn(&self.entries);
        }
        known.complete_all(&mut outcome);
        Some(outcome)
    }

    /// Returns the outcome for a process that cannot continue the execution, which has not ended.
    pub fn interrupted(&self, id: &ExecutionId, error: Failure) -> Outcome {
        Outcome::interrupted(id.clone(), error, &self.state, self.state.used.wall)
    }

    /// Derives the state that lists show for an execution with this many messages in its inbox.
    pub fn state(&self, messages: usize) -> State {
        let status = self.state.status(self.entries.last());
        State::of(status, self.is_held, u32::try_from(messages).unwrap_or(u32::MAX))
    }
}
