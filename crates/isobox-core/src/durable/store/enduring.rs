//! Rides out short outages of a store: tries again for a while, and recognises what had been written.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;

use super::failures::{ErrorKind, already_there, lease_lost, not_found};
use super::{Change, Holding, Part, Store, Stored, Written};
use crate::{Clock, Code, ExecutionId, Failure};

/// How long is waited before the second attempt; twice as long before each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// How long is waited at most between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A store as a running execution uses it. What fails with [`ErrorKind::Transient`] is tried again until `patience` is over.
///
/// A write is handed over when a method is called, as everywhere; it is tried again when its future is polled. A writer
/// therefore awaits its writes in their order: each then finds everything written that comes before it.
#[derive(Clone)]
pub(crate) struct Enduring {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    patience: Duration,
}

/// Whether something is in the store.
enum Found {
    /// It was written, though somebody was told otherwise.
    Written,
    /// It was not, and can be.
    Missing,
}

impl Enduring {
    pub(crate) fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, patience: Duration) -> Self {
        Self { store, clock, patience }
    }

    /// Writes a change for which the store has failed once.
    pub(crate) fn write_again(&self, change: Arc<Change>, failure: Failure) -> Written<Holding> {
        let this = self.clone();
        async move { this.write_until_written(&change, failure).await }.boxed()
    }

    /// Asks for something that does no harm when it is done twice.
    pub(crate) async fn ask<T, F>(&self, mut ask: impl FnMut() -> F) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let mut attempts = Attempts::new(self);
        loop {
            match ask().await {
                Err(failure) if ErrorKind::of(&failure) == ErrorKind::Transient => attempts.pause(failure).await?,
                answer => return answer,
            }
        }
    }

    async fn write_until_written(&self, change: &Arc<Change>, mut failure: Failure) -> Result<Holding, Failure> {
        if change.create.is_none() && change.append.is_none() {
            return self.ask(|| self.store.write(Arc::clone(change))).await;
        }
        let mut attempts = Attempts::new(self);
        loop {
            attempts.heed(failure).await?;
            match self.look(&change.lease.execution).await.and_then(|stored| find(change, stored.as_ref())) {
                Ok(Found::Written) => return self.release_again(change).await,
                Ok(Found::Missing) => match self.store.write(Arc::clone(change)).await {
                    Ok(holding) => return Ok(holding),
                    Err(again) => failure = again,
                },
                Err(again) if ErrorKind::of(&again) == ErrorKind::Transient => failure = again,
                Err(other) => return Err(other),
            }
        }
    }

    /// Finds out whether a change that was written has released the lease, as it was to.
    async fn release_again(&self, change: &Change) -> Result<Holding, Failure> {
        let Some(when) = change.release else { return Ok(Holding::Held) };
        let release = Arc::new(Change::release(Arc::clone(&change.lease), when));
        match self.ask(|| self.store.write(Arc::clone(&release))).await {
            // It is free, or has run out since.
            Err(failure) if failure.code == Code::Conflict => Ok(Holding::Free),
            holding => holding,
        }
    }

    async fn look(&self, id: &ExecutionId) -> Result<Option<Stored>, Failure> {
        match self.store.load(id, Part::Whole).await {
            Ok(stored) => Ok(Some(stored)),
            Err(failure) if failure.code == Code::NotFound => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}

/// Looks for a change in what is stored of its execution.
fn find(change: &Change, stored: Option<&Stored>) -> Result<Found, Failure> {
    let id = &change.lease.execution;
    let stored = match (stored, &change.create) {
        (None, Some(_)) => return Ok(Found::Missing),
        (None, None) => return Err(not_found(id)),
        (Some(stored), Some(new)) if stored.beginning.seal != new.beginning.seal => return Err(already_there(id)),
        (Some(stored), _) => stored,
    };
    let Some(append) = &change.append else { return Ok(Found::Written) };
    let position = usize::try_from(append.position).unwrap_or(usize::MAX);
    match stored.batches.get(position) {
        None if stored.batches.len() == position && change.create.is_none() => Ok(Found::Missing),
        Some(batch) if batch.seal == append.batch.seal => Ok(Found::Written),
        // Another process went on with it, or what comes before was never written.
        None | Some(_) => Err(lease_lost(id)),
    }
}

/// Attempts to do one thing, of which none has succeeded yet.
struct Attempts<'a> {
    store: &'a Enduring,
    /// When the last one is made; not known before the first has failed.
    until: Option<Duration>,
    pause: Duration,
    refusals: u32,
}

impl<'a> Attempts<'a> {
    fn new(store: &'a Enduring) -> Self {
        Self { store, until: None, pause: FIRST_PAUSE, refusals: 0 }
    }

    /// Whether it is worth looking again whether something was written.
    ///
    /// A refusal may mean that what comes before was not there yet, or that the first attempt was carried out after all. Two of
    /// them, with a look between, mean what they say.
    async fn heed(&mut self, failure: Failure) -> Result<(), Failure> {
        match (ErrorKind::of(&failure), failure.code) {
            (ErrorKind::Transient, _) => self.pause(failure).await,
            (ErrorKind::Permanent, Code::Conflict | Code::NotFound) if self.refusals < 2 => {
                self.refusals += 1;
                Ok(())
            }
            (ErrorKind::Permanent, _) => Err(failure),
        }
    }

    async fn pause(&mut self, failure: Failure) -> Result<(), Failure> {
        let clock = &*self.store.clock;
        let now = clock.elapsed();
        let until = *self.until.get_or_insert_with(|| {
            tracing::warn!(%failure, "the store failed, and is tried again");
            now.saturating_add(self.store.patience)
        });
        if now >= until {
            return Err(failure);
        }
        clock.sleep_until(now.saturating_add(self.pause).min(until)).await;
        self.pause = self.pause.saturating_mul(2).min(LONGEST_PAUSE);
        Ok(())
    }
}
