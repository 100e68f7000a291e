//! Bridges short outages of a store: retries for a while, and detects changes that were written.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;

use super::{Change, Error, ErrorKind, Holding, Part, Store, Stored, Written};
use crate::{Clock, ExecutionId};

/// The delay before the second attempt. It doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The maximum delay between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A store as a running execution uses it. Operations that fail with [`ErrorKind::Unavailable`] are retried until
/// `patience` is over.
///
/// A write is sent when a method is called, and retried when its future is polled. A writer must await its writes in
/// order, so that each one finds the previous ones written.
#[derive(Clone)]
pub(crate) struct Enduring {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    patience: Duration,
}

/// The result of looking for a change in the store.
enum Found {
    /// The change was written although an error was reported.
    Written,
    /// The change was not written, and can be.
    Missing,
}

impl Enduring {
    pub(crate) fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, patience: Duration) -> Self {
        Self { store, clock, patience }
    }

    /// Retries a change for which the store has failed once.
    pub(crate) fn write_again(&self, change: Arc<Change>, error: Error) -> Written<Holding> {
        let this = self.clone();
        async move { this.write_until_written(&change, error).await }.boxed()
    }

    /// Runs an idempotent operation with retries.
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

    /// Finds out whether a written change has released the lease as requested.
    async fn release_again(&self, change: &Change) -> Result<Holding, Error> {
        let Some(when) = change.release else { return Ok(Holding::Held) };
        let release = Arc::new(Change::release(Arc::clone(&change.lease), when));
        match self.ask(|| self.store.write(Arc::clone(&release))).await {
            // The lease is free, or has expired since.
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

/// Looks for a change in the stored execution.
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
        // Another process has continued the execution, or an earlier change was never written.
        None | Some(_) => Err(Error::lease_lost(id)),
    }
}

/// The attempts of one operation, none of which has succeeded yet.
struct Attempts<'a> {
    store: &'a Enduring,
    /// The time of the last attempt. None before the first has failed.
    until: Option<Duration>,
    pause: Duration,
    refusals: u32,
}

impl<'a> Attempts<'a> {
    fn new(store: &'a Enduring) -> Self {
        Self { store, until: None, pause: FIRST_PAUSE, refusals: 0 }
    }

    /// Tells whether to check again whether the change was written.
    ///
    /// A refusal may mean that an earlier change was not there yet, or that the first attempt was carried out after
    /// all. Two refusals with a check between them are final.
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
        if self.store.patience.is_zero() {
            return Err(error);
        }
        let clock = &*self.store.clock;
        let now = clock.elapsed();
        let until = *self.until.get_or_insert_with(|| {
            tracing::warn!(%error, "the store failed: retrying");
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
