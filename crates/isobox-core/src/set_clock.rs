//! A clock for tests.

use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::{Clock, Timestamp};

/// A clock that stands still, except that it is set forwards. It counts milliseconds since 1970.
#[derive(Default)]
pub(crate) struct SetClock(AtomicU64);

impl SetClock {
    pub(crate) fn advance(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_millis()).expect("a short time"), Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.now().0)
    }

    fn boot_time(&self) -> Duration {
        self.elapsed()
    }

    fn sleep_until(&self, _moment: Duration) -> BoxFuture<'static, ()> {
        Box::pin(pending())
    }
}
