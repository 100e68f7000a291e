//! Waits for sleeping executions in the foreground.

use std::time::Duration;

use isobox_core::{ExecutionId, Failure, Outcome, Sleeping, Timestamp};

use crate::resume::pause;
use crate::{CancellationToken, Isobox, Resume, Resumed};

/// The maximum time until clock and store are read again: the clock may have been set, and not all stores tell of changes
/// by other processes.
const LOOK: Duration = Duration::from_secs(5);

/// What is waited for.
#[derive(Clone, Copy)]
enum Awaited {
    /// The time at which the execution is due.
    Due(Timestamp),
    /// The process that has run the execution since this moment.
    Other(Duration),
}

impl Isobox {
    /// Waits while an execution sleeps, and resumes it whenever it is due, until it ends or needs a person. Also returns,
    /// with the execution asleep, when the token is cancelled, and if it sleeps for longer than `patience` in total. `told`
    /// receives every sleep before it is waited for.
    ///
    /// Other outcomes are returned as they are. If another process wakes the execution, this waits for its outcome.
    ///
    /// # Errors
    ///
    /// As for [`Isobox::resume`], which gets these options.
    pub async fn sleep_through(
        &self,
        asleep: Resumed,
        options: Resume,
        patience: Duration,
        token: &CancellationToken,
        mut told: impl FnMut(&Sleeping),
    ) -> Result<Resumed, Failure> {
        let clock = &*self.host.clock;
        let give_up_at = clock.elapsed().saturating_add(patience);
        let (mut id, mut known): (Option<ExecutionId>, _) = (None, None);
        let mut elsewhere_since = None;
        let mut current = asleep;
        loop {
            let awaited = match (&current, &id) {
                (Resumed::Here(outcome), _) => match &**outcome {
                    Outcome::Sleeping(sleeping) => {
                        let left = Duration::from_millis(sleeping.until.0.saturating_sub(clock.now().0));
                        if clock.elapsed().saturating_add(left) > give_up_at {
                            return Ok(current);
                        }
                        if known != Some(sleeping.until) {
                            told(sleeping);
                        }
                        (id, known) = (Some(sleeping.execution_id.clone()), Some(sleeping.until));
                        elsewhere_since = None;
                        Awaited::Due(sleeping.until)
                    }
                    _ => return Ok(current),
                },
                (Resumed::Elsewhere, Some(_)) if clock.elapsed() < give_up_at => {
                    Awaited::Other(*elsewhere_since.get_or_insert_with(|| clock.elapsed()))
                }
                (Resumed::Elsewhere, _) => return Ok(current),
            };
            let Some(id) = &id else { return Ok(current) };
            tokio::select! {
                biased;
                () = token.cancelled() => return Ok(current),
                () = self.wait_for_change(id, awaited) => {}
            }
            current = self.resume(id, options.clone().only_if_decided()).await?;
        }
    }

    /// Waits until a time has come, or the execution may have changed.
    async fn wait_for_change(&self, id: &ExecutionId, awaited: Awaited) {
        let (Ok(store), clock) = (self.store(), &*self.host.clock) else { return };
        let mut changes = store.subscribe(id);
        let until = match awaited {
            Awaited::Due(until) => until,
            Awaited::Other(since) => return pause(clock, since, &mut changes).await,
        };
        let left = Duration::from_millis(until.0.saturating_sub(clock.now().0));
        tokio::select! {
            // A person may have ended it.
            () = changes.changed() => {}
            () = clock.sleep_until(clock.elapsed().saturating_add(left.min(LOOK))) => {}
        }
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use std::sync::{Arc, Mutex};

    use futures_util::FutureExt;
    use futures_util::future::{BoxFuture, ready};
    use isobox_core::store::{Claim, Node, Store};
    use isobox_core::{Clock, Limits};
    use isobox_store::DatabaseStore;

    use super::*;
    use crate::Run;

    /// A clock by which everything is due. Every wait ends at once, and is counted.
    #[derive(Default)]
    struct Waits(Mutex<(Duration, u32)>);

    impl Clock for Waits {
        fn now(&self) -> Timestamp {
            Timestamp(4_000_000_000_000)
        }

        fn elapsed(&self) -> Duration {
            self.0.lock().unwrap().0
        }

        fn boot_time(&self) -> Duration {
            self.elapsed()
        }

        fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()> {
            let mut waits = self.0.lock().unwrap();
            *waits = (waits.0.max(moment), waits.1 + 1);
            ready(()).boxed()
        }
    }

    #[tokio::test]
    async fn what_another_process_runs_is_read_less_often_after_two_seconds() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("isobox.db");
        let store: Arc<dyn Store> = Arc::new(DatabaseStore::sqlite(&file).await.unwrap());
        let limits = Limits::default().timeout(Duration::from_millis(900)).lifetime(Duration::from_secs(3600));
        let mut isobox = Isobox::builder().store(Arc::clone(&store)).limits(limits).build().unwrap();
        let nap = Run::from("await new Promise((done) => setTimeout(done, 600_000))").durable();
        let Outcome::Sleeping(sleeping) = isobox.run(nap).await else { panic!("it sleeps") };
        let other = Node("another process".into());
        store.keep_alive(&other, Duration::from_secs(600)).await.unwrap();
        store.acquire(&sleeping.execution_id, &other, Claim::Unfinished).await.unwrap();
        let clock = Arc::<Waits>::default();
        isobox.host.clock = Arc::<Waits>::clone(&clock);
        let (asleep, patience) = (Resumed::Here(Box::new(Outcome::Sleeping(sleeping))), Duration::from_secs(10));
        let token = CancellationToken::new();
        let waited = isobox.sleep_through(asleep, Resume::default(), patience, &token, |_| {}).await;
        assert!(matches!(waited, Ok(Resumed::Elsewhere)), "{waited:?}");
        // 40 times in two seconds, 16 times in the other eight, and once until it was due.
        let (_, waits) = *clock.0.lock().unwrap();
        assert!((50..=60).contains(&waits), "{waits}");
    }
}
