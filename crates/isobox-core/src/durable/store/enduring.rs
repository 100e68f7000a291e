//! Rides out short outages of a store: tries again for a while, and recognises what had been written.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;

use super::{Change, Error, ErrorKind, Holding, Part, Store, Stored, Written};
use crate::{Clock, ExecutionId};

/// How long is waited before the second attempt; twice as long before each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// How long is waited at most between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A store as a running execution uses it. What fails with [`ErrorKind::Unavailable`] is tried again until `patience` is over.
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
    pub(crate) fn write_again(&self, change: Arc<Change>, error: Error) -> Written<Holding> {
        let this = self.clone();
        async move { this.write_until_written(&change, error).await }.boxed()
    }

    /// Asks for something that does no harm when it is done twice.
    pub(crate) async fn ask<T, F>(&self, mut ask: impl FnMut() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let mut attempts = Attempts::new(self);
        loop {
            match ask().await {
                Err(error) if error.kind() == ErrorKind::Unavailable => attempts.pause(error).await?,
                answer => return answer,
            }
        }
    }

    async fn write_until_written(&self, change: &Arc<Change>, mut error: Error) -> Result<Holding, Error> {
        if change.create.is_none() && change.append.is_none() {
            return self.ask(|| self.store.write(Arc::clone(change))).await;
        }
        let mut attempts = Attempts::new(self);
        loop {
            attempts.heed(error).await?;
            match self.look(&change.lease.execution).await.and_then(|stored| find(change, stored.as_ref())) {
                Ok(Found::Written) => return self.release_again(change).await,
                Ok(Found::Missing) => match self.store.write(Arc::clone(change)).await {
                    Ok(holding) => return Ok(holding),
                    Err(again) => error = again,
                },
                Err(again) if again.kind() == ErrorKind::Unavailable => error = again,
                Err(other) => return Err(other),
            }
        }
    }

    /// Finds out whether a change that was written has released the lease, as it was to.
    async fn release_again(&self, change: &Change) -> Result<Holding, Error> {
        let Some(when) = change.release else { return Ok(Holding::Held) };
        let release = Arc::new(Change::release(Arc::clone(&change.lease), when));
        match self.ask(|| self.store.write(Arc::clone(&release))).await {
            // It is free, or has run out since.
            Err(error) if error.kind() == ErrorKind::LeaseLost => Ok(Holding::Free),
            holding => holding,
        }
    }

    async fn look(&self, id: &ExecutionId) -> Result<Option<Stored>, Error> {
        match self.store.load(id, Part::Whole).await {
            Ok(stored) => Ok(Some(stored)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Looks for a change in what is stored of its execution.
fn find(change: &Change, stored: Option<&Stored>) -> Result<Found, Error> {
    let id = &change.lease.execution;
    let stored = match (stored, &change.create) {
        (None, Some(_)) => return Ok(Found::Missing),
        (None, None) => return Err(Error::not_found(id)),
        (Some(stored), Some(new)) if stored.beginning.seal != new.beginning.seal => {
            return Err(Error::already_exists(id));
        }
        (Some(stored), _) => stored,
    };
    let Some(append) = &change.append else { return Ok(Found::Written) };
    let position = usize::try_from(append.position).unwrap_or(usize::MAX);
    match stored.batches.get(position) {
        None if stored.batches.len() == position && change.create.is_none() => Ok(Found::Missing),
        Some(batch) if batch.seal == append.batch.seal => Ok(Found::Written),
        // Another process went on with it, or what comes before was never written.
        None | Some(_) => Err(Error::lease_lost(id)),
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
    async fn heed(&mut self, error: Error) -> Result<(), Error> {
        match error.kind() {
            ErrorKind::Unavailable => self.pause(error).await,
            kind if kind.is_refusal() && self.refusals < 2 => {
                self.refusals += 1;
                Ok(())
            }
            _ => Err(error),
        }
    }

    async fn pause(&mut self, error: Error) -> Result<(), Error> {
        let clock = &*self.store.clock;
        let now = clock.elapsed();
        let until = *self.until.get_or_insert_with(|| {
            tracing::warn!(%error, "the store failed, and is tried again");
            now.saturating_add(self.store.patience)
        });
        if now >= until {
            return Err(error);
        }
        clock.sleep_until(now.saturating_add(self.pause).min(until)).await;
        self.pause = self.pause.saturating_mul(2).min(LONGEST_PAUSE);
        Ok(())
    }
}
