//! Clocks for tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::{BoxFuture, pending, ready};
use isobox_core::{Clock, Timestamp};

/// The time of day at which the clocks begin.
const BEGINNING: Timestamp = Timestamp(1_780_000_000_000);

/// A clock that stands still, except that it is set forwards. It counts milliseconds.
#[derive(Default)]
pub(super) struct SetClock(AtomicU64);

impl SetClock {
    pub(super) fn advance(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_millis()).expect("a short time"), Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp(BEGINNING.0 + self.0.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }

    fn boot_time(&self) -> Duration {
        self.elapsed()
    }

    fn sleep_until(&self, _moment: Duration) -> BoxFuture<'static, ()> {
        Box::pin(pending())
    }
}

pub(super) fn shared(clock: &Arc<SetClock>) -> Arc<dyn Clock> {
    Arc::<SetClock>::clone(clock)
}

/// A clock that stands still, and whose timers fire at once.
#[derive(Default)]
pub(super) struct HastyClock(SetClock);

impl Clock for HastyClock {
    fn now(&self) -> Timestamp {
        self.0.now()
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn boot_time(&self) -> Duration {
        self.0.boot_time()
    }

    fn sleep_until(&self, _moment: Duration) -> BoxFuture<'static, ()> {
        Box::pin(ready(()))
    }
}
