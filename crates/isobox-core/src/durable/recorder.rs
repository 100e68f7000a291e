//! Writes the journal of a live execution, and knows what it says so far.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;

use crate::durable::keeper::Presence;
use crate::durable::tenure::TenureNumber;
use crate::journal::{Batch, BatchWriter, Ending, Entry, JournalState, Seal};
use crate::store::enduring::Enduring;
use crate::store::{
    Append, Change, Checkpoint, Error, ErrorKind, Head, Holding, Lease, NewExecution, PendingSummary, Release, Status,
    Store, Written,
};
use crate::text::brief;
use crate::{CallSeq, Clock, Code, Failure, Keeper, Limits, Timestamp};

/// A store that takes longer over something than this keeps its execution waiting: that time is not the program's.
const SLOW: Duration = Duration::from_secs(1);

/// How long is waited before a lease is renewed that has run out before anybody could use it.
const RENEW_AGAIN: Duration = Duration::from_millis(20);

pub(crate) struct Recorder {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) lease: Arc<Lease>,
    keeper: Arc<Keeper>,
    /// The same store, whose short outages are ridden out.
    enduring: Enduring,
    /// The tenure in which the lease was last known to be held.
    proved: TenureNumber,
    clock: Arc<dyn Clock>,
    function: Option<String>,
    state: JournalState,
    status: Status,
    /// The execution itself, until the store has it.
    new: Option<NewExecution>,
    batch: BatchWriter,
    /// The keys of messages whose content is in the batch: they are gone from the inbox when that is in the journal.
    heard: BTreeSet<String>,
    /// The seal of its beginning, for which messages are sealed.
    beginning: Seal,
    /// How many batches were handed over.
    position: u64,
    /// The seal of the last one.
    seal: Seal,
    /// Bytes of all batches.
    size: u64,
    limit: u64,
    /// For how long the program may run.
    timeout: Duration,
    /// What was handed over and is not known to be on disk.
    unconfirmed: VecDeque<Unconfirmed>,
    /// Whether the store is known to have the execution.
    exists: bool,
    /// Why the execution was not created, where the store has another one with its ID.
    collision: Option<Error>,
    /// For how long the store kept the program waiting, beyond what is usual.
    lost: Duration,
    /// Milliseconds of work before this process took it up.
    worked_before: u64,
    is_held: bool,
    /// Whether the end of the execution was noted.
    has_ended: bool,
    /// Nobody else here runs it.
    presence: Option<Presence>,
    /// Whether something could not be written: then nothing more is, and the execution can be resumed from what is there.
    is_broken: bool,
}

/// Something that was handed over to the store.
struct Unconfirmed {
    written: Written<Holding>,
    /// What is written again if that failed in a way that may pass.
    change: Option<Arc<Change>>,
    /// In which tenure: once it is written, the lease is known to have been held in it.
    tenure: TenureNumber,
}

/// An execution that is held: by this process, and here by nobody else.
pub(crate) struct Held {
    pub(crate) lease: Lease,
    pub(crate) presence: Presence,
    /// The tenure in which the lease is known to be held.
    pub(crate) proved: TenureNumber,
}

/// Says whether this process may still do what its journal says that it does.
pub(crate) struct Permission(Option<Proof>);

/// What is known of a lease.
struct Proof {
    keeper: Arc<Keeper>,
    lease: Arc<Lease>,
    /// The tenure in which the lease was last known to be held.
    proved: TenureNumber,
}

impl Permission {
    /// The permission of an execution that is not kept.
    pub(crate) fn always() -> Self {
        Self(None)
    }

    pub(crate) fn holds(&self) -> bool {
        self.0.as_ref().is_none_or(|proof| proof.keeper.still_holds(proof.proved))
    }

    /// Makes sure that the lease is held, by the store.
    pub(crate) async fn renew(&self) -> Result<(), Error> {
        if let Some(proof) = &self.0 {
            proof.keeper.renew(&proof.lease).await?;
        }
        Ok(())
    }
}

/// Where a journal stands when somebody begins to write to it.
pub(crate) struct JournalPosition {
    /// The seal of the beginning.
    pub(crate) beginning: Seal,
    pub(crate) position: u64,
    pub(crate) seal: Seal,
    pub(crate) size: u64,
    pub(crate) state: JournalState,
}

impl JournalPosition {
    /// Right after the beginning.
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
        function: Option<String>,
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
            function,
            state,
            status: Status::Running,
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

    /// Creates the execution with what is handed over first: one that is short is on disk at once.
    pub(crate) fn create(&mut self, new: NewExecution) {
        self.new = Some(new);
        self.exists = false;
    }

    /// Whether the store does not have the execution yet, so that nobody can have said anything to it.
    pub(crate) fn is_new(&self) -> bool {
        self.new.is_some()
    }

    /// Takes a message out of the inbox with the next batch.
    pub(crate) fn has_heard(&mut self, key: String) {
        self.heard.insert(key);
    }

    /// Whether a message was heard that is not gone from the inbox yet.
    pub(crate) fn knows(&self, key: &str) -> bool {
        self.heard.contains(key)
    }

    pub(crate) fn state(&self) -> &JournalState {
        &self.state
    }

    /// Takes the state of an execution with which nothing more happens.
    pub(crate) fn take_state(&mut self) -> JournalState {
        std::mem::take(&mut self.state)
    }

    /// How many batches there are, the seal of the last, and bytes in all; what was not handed over yet does not count.
    pub(crate) fn place(&self) -> (u64, Seal, u64) {
        (self.position, self.seal, self.size)
    }

    /// Returns the seal of its beginning, for which messages to it are sealed.
    pub(crate) fn beginning(&self) -> &Seal {
        &self.beginning
    }

    /// Where the execution stands from the next batch on.
    pub(crate) fn set_status(&mut self, status: Status) {
        self.status = status;
    }

    /// Adds an entry, to be handed over with the next batch.
    pub(crate) fn note(&mut self, entry: Entry) -> Result<(), Failure> {
        let before = self.batch.len();
        self.batch.add(&entry)?;
        let is_end = matches!(entry, Entry::Ended(_));
        if self.state.apply(entry).is_err() {
            let line = self.batch.cut(before);
            let message = format!("an entry of the journal is out of place: {}", brief(&line, 200));
            return Err(Failure::new(Code::Internal, message));
        }
        self.has_ended |= is_end;
        self.size += (self.batch.len() - before) as u64;
        // The end is always written: a journal without one would be resumed.
        if self.size > self.limit && !is_end {
            let limit = crate::ByteSize::bytes(self.limit);
            let message = format!("the execution has recorded more than {limit}");
            return Err(Failure::new(Code::JournalLimit, message)
                .hint("pass less through calls, or raise the limit `journal` of this runtime"));
        }
        Ok(())
    }

    /// Hands over what was noted, without waiting.
    pub(crate) fn send(&mut self) {
        let append = self.next_append();
        if append.is_some() || self.new.is_some() {
            self.hand_over(append, None, None);
        }
    }

    /// Makes a batch of what was noted: it is the next one, though the store does not have it yet.
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

    /// What the store answered. Where it did not, this process does not go on.
    pub(crate) fn heed<T, E>(&mut self, answer: Result<T, E>) -> Result<T, E> {
        self.is_broken |= answer.is_err();
        answer
    }

    fn hand_over(&mut self, append: Option<Append>, checkpoint: Option<Checkpoint>, release: Option<Release>) {
        let (lease, create) = (Arc::clone(&self.lease), self.new.take());
        let change = Arc::new(Change { lease, create, append, checkpoint, release });
        let (written, tenure) = (self.store.write(Arc::clone(&change)), self.keeper.tenure());
        self.unconfirmed.push_back(Unconfirmed { written, change: Some(change), tenure });
    }

    /// Hands over what was noted, and waits until it is on disk, with all before it.
    pub(crate) async fn confirm(&mut self) -> Result<(), Error> {
        self.send();
        self.confirm_all().await?;
        Ok(())
    }

    /// Waits until everything that was handed over is on disk, and says whether the lease is held then.
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
                // In the place of what has failed: this may be given up while it is under way, and taken up again.
                *written = self.enduring.write_again(change, error.clone());
                confirmed = written.await;
            }
            self.unconfirmed.pop_front();
            if let Err(error) = &confirmed
                && error.kind() == ErrorKind::AlreadyExists
            {
                // The other one is held by its own creator.
                (self.collision, self.is_held) = (Some(error.clone()), false);
            }
            holding = self.heed(confirmed)?;
            // What comes first creates the execution.
            (self.proved, self.exists) = (tenure, true);
        }
        if let Some(since) = since {
            self.excuse(since);
        }
        Ok(holding)
    }

    /// Makes sure that this process still holds the lease. That something was written under it says only that it did: a
    /// process that was held up since may have lost it.
    pub(crate) async fn hold(&mut self) -> Result<(), Error> {
        if self.keeper.still_holds(self.proved) {
            return Ok(());
        }
        let since = self.clock.elapsed();
        while !self.keeper.still_holds(self.proved) {
            let tried = self.clock.elapsed().saturating_sub(since);
            if tried > self.keeper.timing.outage {
                let why = "to renew a lease takes longer than the lease lasts";
                return self.heed(Err(Error::unavailable("the store is too slow", why)));
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

    /// What tells, at any later time, whether the lease is still held.
    pub(crate) fn permission(&self) -> Permission {
        let (keeper, lease) = (Arc::clone(&self.keeper), Arc::clone(&self.lease));
        Permission(Some(Proof { keeper, lease, proved: self.proved }))
    }

    /// Asks the store for something that does no harm when it is done twice.
    pub(crate) async fn ask<T, F>(&mut self, ask: impl Fn(Arc<dyn Store>) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let since = self.clock.elapsed();
        let answer = self.enduring.ask(|| ask(Arc::clone(&self.store))).await;
        self.excuse(since);
        answer
    }

    /// A program does not use up its time while its store does not answer.
    fn excuse(&mut self, since: Duration) {
        let took = self.clock.elapsed().saturating_sub(since);
        if took >= SLOW {
            self.lost = self.lost.saturating_add(took);
        }
    }

    /// For how long the store has kept the program waiting since this was last asked.
    pub(crate) fn take_lost(&mut self) -> Duration {
        std::mem::take(&mut self.lost)
    }

    /// Writes what was noted and what the execution can be resumed from after it, and releases the lease unless there are
    /// messages in the inbox: all of it in one transaction.
    pub(crate) async fn rest(&mut self, keep: impl FnOnce(&Self) -> Option<Checkpoint>) -> Result<Holding, Error> {
        let append = self.next_append();
        let checkpoint = keep(self);
        self.hand_over(append, checkpoint, Some(Release::IfNothingWasSaid));
        let holding = self.confirm_all().await?;
        self.is_held = holding != Holding::Free;
        Ok(holding)
    }

    /// Keeps what the execution can be resumed from. All that it covers is on disk.
    pub(crate) async fn keep_checkpoint(&mut self, checkpoint: Checkpoint) -> Result<(), Error> {
        self.store.write(Arc::new(Change::checkpoint(Arc::clone(&self.lease), checkpoint))).await?;
        Ok(())
    }

    /// Whether the store is known to have the execution.
    pub(crate) fn exists(&self) -> bool {
        self.exists
    }

    /// Takes why the execution was not created, where the store has another one with its ID.
    pub(crate) fn take_collision(&mut self) -> Option<Error> {
        self.collision.take()
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    pub(crate) fn worked_before(&self) -> u64 {
        self.worked_before
    }

    /// Until when a call whose process is gone may still take effect. That process may be frozen or cut off rather than dead: it
    /// starts no call once its lease has run out, and gives up what it had started when its time is up.
    pub(crate) fn doubtful_until(&self, seq: CallSeq, now: Timestamp) -> Option<Timestamp> {
        let timing = &self.keeper.timing;
        let left = self.timeout.saturating_sub(Duration::from_millis(self.state.used.wall));
        let doubt = timing.doubt.unwrap_or_else(|| timing.lease.saturating_add(left));
        // Where the clock was set back since, it counts from now.
        let started = self.state.open_call(seq).and_then(|call| call.started).map_or(now, |started| started.min(now));
        let until = started.0.saturating_add(u64::try_from(doubt.as_millis()).unwrap_or(u64::MAX));
        (until > now.0).then_some(Timestamp(until))
    }

    pub(crate) fn head(&self) -> Head {
        let (mut pending, mut pending_calls) = (0, Vec::new());
        let code = match &self.state.ended {
            // What still waited when it ended waits for nobody any more.
            Some(ended) => match &ended.how {
                Ending::Failed(failure) | Ending::Rejected(failure) => Some(failure.code),
                Ending::Completed(_) => None,
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
            function: self.function.clone(),
            code,
        }
    }
}

impl Drop for Recorder {
    /// An execution that is dropped in the middle can be resumed at once by whoever wants to.
    fn drop(&mut self) {
        let is_over = self.has_ended && !self.is_broken && self.unconfirmed.is_empty();
        if self.is_held && !is_over {
            drop(self.store.write(Arc::new(Change::release(Arc::clone(&self.lease), Release::Anyhow))));
        } else if let Some(presence) = self.presence.take() {
            presence.leave();
        }
    }
}
