//! Writes the journal of a live execution, and tracks the state that it describes.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;

use crate::durable::keeper::{Held, Presence};
use crate::durable::permission::{Permission, renewed_too_late};
use crate::durable::tenure::TenureNumber;
use crate::journal::{Batch, BatchWriter, Ending, Entry, JournalState, Seal};
use crate::store::enduring::Enduring;
use crate::store::{
    Append, Change, Checkpoint, Error, ErrorKind, Head, Holding, Lease, NewExecution, Part, PendingSummary, Release,
    Status, Store, Written,
};
use crate::text::brief;
use crate::{CallSeq, Clock, Code, Failure, Keeper, Limits, Timestamp};

/// A store operation that takes longer than this does not count towards the time limit of the program.
const SLOW: Duration = Duration::from_secs(1);

/// The delay before a lease is renewed again, after one that expired before it could be used.
const RENEW_AGAIN: Duration = Duration::from_millis(20);

/// The facts about an execution that its head repeats.
#[derive(Debug, Clone)]
pub(crate) struct Caption {
    /// The function of the host that started the execution.
    pub(crate) function: Option<Arc<str>>,
    /// The name of the principal that runs the execution.
    pub(crate) owner: Arc<str>,
}

pub(crate) struct Recorder {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) lease: Arc<Lease>,
    keeper: Arc<Keeper>,
    /// The same store, with retries that bridge short outages.
    enduring: Enduring,
    /// The tenure in which the lease was last known to be held.
    proved: TenureNumber,
    clock: Arc<dyn Clock>,
    caption: Caption,
    state: JournalState,
    status: Status,
    /// The time at which the execution is to be woken.
    due: Option<Timestamp>,
    /// The execution to create, until it has been sent to the store.
    new: Option<NewExecution>,
    batch: BatchWriter,
    /// The keys of messages whose content is in the batch. The transaction that appends the batch removes them from the
    /// inbox.
    heard: BTreeSet<String>,
    /// The seal of the beginning of the journal. Messages are sealed for it.
    beginning: Seal,
    /// The number of batches sent to the store.
    position: u64,
    /// The seal of the last batch.
    seal: Seal,
    /// The size of all batches in bytes.
    size: u64,
    limit: u64,
    /// The time limit of the program.
    timeout: Duration,
    /// The changes that were sent to the store and are not confirmed as durable.
    unconfirmed: VecDeque<Unconfirmed>,
    /// Whether the store is known to have the execution.
    exists: bool,
    /// The error of the creation, if the store has another execution with the same ID.
    collision: Option<Error>,
    /// The time that the program has spent waiting for a slow store.
    lost: Duration,
    /// The milliseconds of work before this process resumed the execution.
    worked_before: u64,
    is_held: bool,
    /// Whether the end of the execution was recorded.
    has_ended: bool,
    /// Ensures that this process runs the execution only once.
    presence: Option<Presence>,
    /// Whether a write failed. Nothing more is written then, and the execution can be resumed from its journal.
    is_broken: bool,
}

/// A change that was sent to the store.
struct Unconfirmed {
    written: Written<Holding>,
    /// The change to write again, if the failure is transient.
    change: Option<Arc<Change>>,
    /// The tenure in which the change was sent. A confirmed write proves that the lease was held in it.
    tenure: TenureNumber,
}

/// Whether the store has an execution that this process has created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existence {
    /// The store has it.
    Stored,
    /// The store does not answer, and may have it.
    Unknown,
    /// The store does not have it. Nothing of it took effect.
    Missing,
}

/// The state of a journal when writing to it begins.
pub(crate) struct JournalPosition {
    /// The seal of the beginning.
    pub(crate) beginning: Seal,
    pub(crate) position: u64,
    pub(crate) seal: Seal,
    pub(crate) size: u64,
    pub(crate) state: JournalState,
}

impl JournalPosition {
    /// Returns the position right after the beginning.
    pub(crate) fn first(beginning: &Batch) -> Self {
        let (seal, size) = (beginning.seal, beginning.bytes.len() as u64);
        Self { beginning: seal, position: 0, seal, size, state: JournalState::default() }
    }
}

impl Recorder {
    pub(crate) fn new(
        keeper: &Keeper,
        held: Held,
        clock: Arc<dyn Clock>,
        limits: &Limits,
        caption: Caption,
        place: JournalPosition,
    ) -> Self {
        let JournalPosition { beginning, position, seal, size, state } = place;
        let Held { lease, presence, proved } = held;
        let store = Arc::clone(&keeper.store);
        Self {
            enduring: Enduring::new(Arc::clone(&store), Arc::clone(&clock), keeper.timing.outage),
            keeper: Arc::new(keeper.clone()),
            proved,
            exists: true,
            collision: None,
            lost: Duration::ZERO,
            worked_before: state.used.wall,
            is_held: true,
            has_ended: state.ended.is_some(),
            presence: Some(presence),
            is_broken: false,
            store,
            lease: Arc::new(lease),
            clock,
            caption,
            state,
            status: Status::Running,
            due: None,
            new: None,
            batch: BatchWriter::default(),
            heard: BTreeSet::new(),
            beginning,
            position,
            seal,
            size,
            limit: limits.journal.get(),
            timeout: limits.timeout,
            unconfirmed: VecDeque::new(),
        }
    }

    /// Creates the execution in the same transaction as its first batch, so that a short execution takes one flush.
    pub(crate) fn create(&mut self, new: NewExecution) {
        self.new = Some(new);
        self.exists = false;
    }

    /// Tells whether the store does not have the execution yet, so that its inbox must be empty.
    pub(crate) fn is_new(&self) -> bool {
        self.new.is_some()
    }

    /// Removes a message from the inbox with the next batch.
    pub(crate) fn has_heard(&mut self, key: String) {
        self.heard.insert(key);
    }

    /// Tells whether a message was handled that is still in the inbox.
    pub(crate) fn knows(&self, key: &str) -> bool {
        self.heard.contains(key)
    }

    pub(crate) fn state(&self) -> &JournalState {
        &self.state
    }

    /// Takes the state of an execution that has ended.
    pub(crate) fn take_state(&mut self) -> JournalState {
        std::mem::take(&mut self.state)
    }

    /// Returns the number of batches, the seal of the last, and their size in bytes. Unsent entries do not count.
    pub(crate) fn place(&self) -> (u64, Seal, u64) {
        (self.position, self.seal, self.size)
    }

    /// Returns the seal of the beginning. Messages to the execution are sealed for it.
    pub(crate) fn beginning(&self) -> &Seal {
        &self.beginning
    }

    /// Sets the status that the next batch records.
    pub(crate) fn set_status(&mut self, status: Status) {
        self.status = status;
    }

    /// Returns the time at which the execution is to be woken.
    pub(crate) fn due(&self) -> Option<Timestamp> {
        self.due
    }

    /// Sets the time at which the execution is to be woken, from the next batch on.
    pub(crate) fn set_due(&mut self, due: Option<Timestamp>) {
        self.due = due;
    }

    /// Adds an entry to the next batch.
    pub(crate) fn note(&mut self, entry: Entry) -> Result<(), Failure> {
        let before = self.batch.len();
        self.batch.add(&entry)?;
        let is_end = matches!(entry, Entry::Ended(_));
        let is_new_phase = matches!(entry, Entry::Rollback(_));
        if self.state.apply(entry).is_err() {
            let line = self.batch.cut(before);
            let message = format!("a journal entry is out of order: {}", brief(&line, 200));
            return Err(Failure::new(Code::Internal, message));
        }
        self.has_ended = (self.has_ended && !is_new_phase) || is_end;
        if let Some(status) = self.state.final_status() {
            self.status = status;
        }
        self.size += (self.batch.len() - before) as u64;
        // The end is always written: an execution without one would be resumed.
        if self.size > self.limit && !is_end {
            let limit = crate::ByteSize::bytes(self.limit);
            let message = format!("the execution has recorded more than {limit}");
            return Err(Failure::new(Code::JournalLimit, message)
                .hint("pass less through calls, or raise the limit `journal` of this runtime"));
        }
        Ok(())
    }

    /// Sends the recorded entries to the store, without waiting.
    pub(crate) fn send(&mut self) {
        let append = self.next_append();
        if append.is_some() || self.new.is_some() {
            self.hand_over(append, None, None);
        }
    }

    /// Makes a batch of the recorded entries and counts it, before the store has it.
    fn next_append(&mut self) -> Option<Append> {
        if self.batch.is_empty() {
            return None;
        }
        let batch = self.batch.take(self.store.key(), &self.seal);
        let position = self.position;
        self.seal = batch.seal;
        self.position += 1;
        let heard = std::mem::take(&mut self.heard).into_iter().collect();
        Some(Append { position, batch, head: self.head(), heard })
    }

    /// Passes on an answer of the store. After an error nothing more is written.
    pub(crate) fn heed<T, E>(&mut self, answer: Result<T, E>) -> Result<T, E> {
        self.is_broken |= answer.is_err();
        answer
    }

    fn hand_over(&mut self, append: Option<Append>, checkpoint: Option<Checkpoint>, release: Option<Release>) {
        let (lease, create) = (Arc::clone(&self.lease), self.new.take());
        let change = Arc::new(Change { lease, create, append, checkpoint, release });
        // The tenure comes first: a process that freezes between the two proves nothing for the one in which it thaws.
        let (tenure, written) = (self.keeper.tenure(), self.store.write(Arc::clone(&change)));
        self.unconfirmed.push_back(Unconfirmed { written, change: Some(change), tenure });
    }

    /// Sends the recorded entries, and waits until they and all earlier ones are durable.
    pub(crate) async fn confirm(&mut self) -> Result<(), Error> {
        self.send();
        self.confirm_all().await?;
        Ok(())
    }

    /// Waits until all changes that were sent are durable. Returns whether the lease is held then.
    async fn confirm_all(&mut self) -> Result<Holding, Error> {
        let mut since = None;
        let mut holding = Holding::Held;
        while let Some(Unconfirmed { written, change, tenure }) = self.unconfirmed.front_mut() {
            let (at_once, tenure) = (written.as_mut().now_or_never(), *tenure);
            let mut confirmed = match at_once {
                Some(confirmed) => confirmed,
                None => {
                    since.get_or_insert_with(|| self.clock.elapsed());
                    written.as_mut().await
                }
            };
            if let (Err(error), Some(change)) = (&confirmed, change.take()) {
                since.get_or_insert_with(|| self.clock.elapsed());
                // Stored in the queue, so that a caller that was dropped meanwhile can continue with it.
                *written = self.enduring.write_again(change, error.clone());
                confirmed = written.await;
            }
            self.unconfirmed.pop_front();
            if let Err(error) = &confirmed
                && error.kind() == ErrorKind::AlreadyExists
            {
                // The other execution is held by its own creator.
                (self.collision, self.is_held) = (Some(error.clone()), false);
            }
            holding = self.heed(confirmed)?;
            // The first change creates the execution.
            (self.proved, self.exists) = (tenure, true);
        }
        if let Some(since) = since {
            self.excuse(since);
        }
        Ok(holding)
    }

    /// Ensures that this process still holds the lease. An earlier write is no proof: a process that was suspended
    /// since may have lost the lease.
    pub(crate) async fn hold(&mut self) -> Result<(), Error> {
        if self.keeper.still_holds(self.proved) {
            return Ok(());
        }
        let since = self.clock.elapsed();
        while !self.keeper.still_holds(self.proved) {
            let tried = self.clock.elapsed().saturating_sub(since);
            if tried > self.keeper.timing.outage {
                return self.heed(Err(renewed_too_late()));
            }
            if !tried.is_zero() {
                self.clock.sleep_until(self.clock.elapsed().saturating_add(RENEW_AGAIN)).await;
            }
            let renewed = self.enduring.ask(|| self.keeper.renew(&self.lease)).await;
            self.proved = self.heed(renewed)?;
        }
        self.excuse(since);
        Ok(())
    }

    /// Returns a permission that tells, at any later time, whether the lease is still held.
    pub(crate) fn permission(&self) -> Permission {
        Permission::of(Arc::clone(&self.keeper), Arc::clone(&self.lease), self.proved)
    }

    /// Returns a permission that ends when others may take this process for dead, counted from now.
    pub(crate) fn liveness(&self) -> Permission {
        Permission::of(Arc::clone(&self.keeper), Arc::clone(&self.lease), self.keeper.tenure())
    }

    /// Runs an idempotent operation on the store, with retries.
    pub(crate) async fn ask<T, F>(&mut self, ask: impl Fn(Arc<dyn Store>) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let since = self.clock.elapsed();
        let answer = self.enduring.ask(|| ask(Arc::clone(&self.store))).await;
        self.excuse(since);
        answer
    }

    /// Excludes the time of a slow store operation from the time limit of the program.
    fn excuse(&mut self, since: Duration) {
        let took = self.clock.elapsed().saturating_sub(since);
        if took >= SLOW {
            self.lost = self.lost.saturating_add(took);
        }
    }

    /// Returns and resets the time that the program has spent waiting for the store.
    pub(crate) fn take_lost(&mut self) -> Duration {
        std::mem::take(&mut self.lost)
    }

    /// Writes the recorded entries and a checkpoint, and releases the lease unless the inbox has messages. All of this
    /// is one transaction.
    pub(crate) async fn rest(&mut self, keep: impl FnOnce(&Self) -> Option<Checkpoint>) -> Result<Holding, Error> {
        let append = self.next_append();
        let checkpoint = keep(self);
        self.hand_over(append, checkpoint, Some(Release::IfNothingWasSaid));
        let holding = self.confirm_all().await?;
        self.is_held = holding != Holding::Free;
        Ok(holding)
    }

    /// Writes a checkpoint. The batches that it covers are durable.
    pub(crate) async fn keep_checkpoint(&mut self, checkpoint: Checkpoint) -> Result<(), Error> {
        self.store.write(Arc::new(Change::checkpoint(Arc::clone(&self.lease), checkpoint))).await?;
        Ok(())
    }

    /// Finds out whether the store has the execution. A creation whose answer was lost may have been carried out.
    pub(crate) async fn existence(&mut self) -> Existence {
        if self.exists {
            return Existence::Stored;
        }
        if self.new.is_some() || self.collision.is_some() {
            return Existence::Missing;
        }
        match self.store.load(&self.lease.execution, Part::SinceCheckpoint).await {
            Ok(stored) if stored.beginning.seal == self.beginning => Existence::Stored,
            Ok(_) => Existence::Missing,
            Err(error) if error.kind() == ErrorKind::NotFound => Existence::Missing,
            Err(_) => Existence::Unknown,
        }
    }

    /// Takes the error of the creation, if the store has another execution with the same ID.
    pub(crate) fn take_collision(&mut self) -> Option<Error> {
        self.collision.take()
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    pub(crate) fn worked_before(&self) -> u64 {
        self.worked_before
    }

    /// Returns until when a call whose process is gone may still take effect. That process may be suspended or
    /// disconnected rather than dead. It starts no call once its lease has expired, and cancels its running calls when
    /// its time is up.
    pub(crate) fn doubtful_until(&self, seq: CallSeq, now: Timestamp) -> Option<Timestamp> {
        let timing = &self.keeper.timing;
        let left = self.timeout.saturating_sub(Duration::from_millis(self.state.used.wall));
        let doubt = timing.doubt.unwrap_or_else(|| timing.lease.saturating_add(left));
        // If the clock was set back since, the time counts from now.
        let start = |seq| self.state.open_call(seq).and_then(|call| call.started);
        let started = start(seq).or_else(|| start(self.state.doubtful_revert(seq)?));
        let started = started.map_or(now, |started| started.min(now));
        let until = started.0.saturating_add(u64::try_from(doubt.as_millis()).unwrap_or(u64::MAX));
        (until > now.0).then_some(Timestamp(until))
    }

    pub(crate) fn head(&self) -> Head {
        let (mut pending, mut pending_calls) = (0, Vec::new());
        let code = match &self.state.ended {
            // A call that was pending when the execution ended is no longer pending.
            Some(ended) => match &ended.how {
                Ending::Failed(failure) | Ending::Rejected(failure) => Some(failure.code),
                Ending::Completed(_) | Ending::RolledBack(_) => None,
            },
            None => {
                for (call, asked) in self.state.pending() {
                    pending += 1;
                    if pending <= PendingSummary::MOST {
                        pending_calls.push(PendingSummary::of(call, asked));
                    }
                }
                None
            }
        };
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Head {
            status: self.status,
            revision: self.state.revision,
            pending: count(pending),
            pending_calls,
            calls: count(self.state.calls.len()),
            updated: self.clock.now(),
            function: self.caption.function.clone(),
            owner: Some(Arc::clone(&self.caption.owner)),
            code,
            due: self.due.filter(|_| self.state.ended.is_none()),
        }
    }
}

impl Drop for Recorder {
    /// Releases the lease of an unfinished execution, so that it can be resumed at once.
    fn drop(&mut self) {
        let is_over = self.has_ended && !self.is_broken && self.unconfirmed.is_empty();
        if self.is_held && !is_over {
            drop(self.store.write(Arc::new(Change::release(Arc::clone(&self.lease), Release::Anyhow))));
        } else if let Some(presence) = self.presence.take() {
            presence.leave();
        }
    }
}
