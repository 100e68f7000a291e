//! Writes the journal of a live execution, and knows what it says so far.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::journal::{Batch, BatchWriter, Ending, Entry, Seal, Standing};
use crate::store::{Head, Lease, Release, Released, Status, Store, Written};
use crate::{Clock, Code, Failure, Limits};

pub(crate) struct Recorder {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) lease: Lease,
    clock: Arc<dyn Clock>,
    function: Option<String>,
    standing: Standing,
    status: Status,
    batch: BatchWriter,
    /// How many batches were handed over.
    position: u64,
    /// The seal of the last one.
    seal: Seal,
    /// Bytes of all batches.
    size: u64,
    limit: u64,
    /// What was handed over and is not known to be on disk.
    unconfirmed: VecDeque<Written<()>>,
    /// Milliseconds of work before this process took it up.
    worked_before: u64,
    is_held: bool,
    /// Whether something could not be written: then nothing more is, and the execution can be resumed from what is there.
    is_broken: bool,
}

/// Where a journal stands when somebody begins to write to it.
pub(crate) struct Place {
    pub(crate) position: u64,
    pub(crate) seal: Seal,
    pub(crate) size: u64,
    pub(crate) standing: Standing,
}

impl Place {
    /// Right after the beginning.
    pub(crate) fn first(beginning: &Batch) -> Self {
        Self { position: 0, seal: beginning.seal, size: beginning.bytes.len() as u64, standing: Standing::default() }
    }
}

impl Recorder {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        lease: Lease,
        clock: Arc<dyn Clock>,
        limits: &Limits,
        function: Option<String>,
        place: Place,
    ) -> Self {
        let Place { position, seal, size, standing } = place;
        Self {
            worked_before: standing.used.wall,
            is_held: true,
            is_broken: false,
            store,
            lease,
            clock,
            function,
            standing,
            status: Status::Running,
            batch: BatchWriter::default(),
            position,
            seal,
            size,
            limit: limits.journal.get(),
            unconfirmed: VecDeque::new(),
        }
    }

    /// Has to be on disk as well before anything else is confirmed.
    pub(crate) fn await_also(&mut self, written: Written<()>) {
        self.unconfirmed.push_back(written);
    }

    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// How many batches there are, the seal of the last, and bytes in all; what was not handed over yet does not count.
    pub(crate) fn place(&self) -> (u64, Seal, u64) {
        (self.position, self.seal, self.size)
    }

    /// Where the execution stands from the next batch on.
    pub(crate) fn set_status(&mut self, status: Status) {
        self.status = status;
    }

    /// Adds an entry, to be handed over with the next batch.
    pub(crate) fn note(&mut self, entry: &Entry) -> Result<(), Failure> {
        self.standing
            .apply(entry)
            .map_err(|_| Failure::new(Code::Internal, format!("an entry of the journal is out of place: {entry:?}")))?;
        let before = self.batch.len();
        self.batch.add(entry)?;
        self.size += (self.batch.len() - before) as u64;
        // The end is always written: a journal without one would be resumed.
        if self.size > self.limit && !matches!(entry, Entry::Ended(_)) {
            let limit = crate::ByteSize::bytes(self.limit);
            let message = format!("the execution has recorded more than {limit}");
            return Err(Failure::new(Code::JournalLimit, message)
                .hint("pass less through calls, or raise the limit `journal` of this runtime"));
        }
        Ok(())
    }

    /// Hands over what was noted, without waiting.
    pub(crate) fn send(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let batch = self.batch.take(self.store.key(), &self.seal);
        self.seal = batch.seal;
        let head = self.head();
        self.unconfirmed.push_back(self.store.append(&self.lease, self.position, batch, head));
        self.position += 1;
    }

    /// Hands over what was noted, and waits until it is on disk, with all before it.
    pub(crate) async fn confirm(&mut self) -> Result<(), Failure> {
        self.send();
        while let Some(written) = self.unconfirmed.front_mut() {
            let confirmed = written.await;
            self.unconfirmed.pop_front();
            if let Err(failure) = confirmed {
                self.is_broken = true;
                return Err(failure);
            }
        }
        Ok(())
    }

    /// Gives up the lease, unless there are messages in the inbox.
    pub(crate) async fn release(&mut self) -> Result<Released, Failure> {
        let released = self.store.release(&self.lease, Release::IfNothingWasSaid).await?;
        self.is_held = released == Released::HasMessages;
        Ok(released)
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    pub(crate) fn worked_before(&self) -> u64 {
        self.worked_before
    }

    pub(crate) fn head(&self) -> Head {
        let code = match &self.standing.ended {
            Some(ended) => match &ended.how {
                Ending::Failed(failure) | Ending::Rejected(failure) => Some(failure.code),
                Ending::Completed(_) => None,
            },
            None => None,
        };
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Head {
            status: self.status,
            revision: self.standing.revision,
            pending: count(self.standing.pending().count()),
            calls: count(self.standing.calls.len()),
            updated: self.clock.now(),
            function: self.function.clone(),
            code,
        }
    }
}

impl Drop for Recorder {
    /// An execution that is dropped in the middle can be resumed at once by whoever wants to.
    fn drop(&mut self) {
        if self.is_held && self.standing.ended.is_none() {
            drop(self.store.release(&self.lease, Release::Anyhow));
        }
    }
}
