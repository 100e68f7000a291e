//! The clock of the machine.

use std::time::{Duration, SystemTime};

use futures_util::future::BoxFuture;
use isobox_core::{Clock, Timestamp};
use tokio::time::Instant;

use crate::system;

#[derive(Debug)]
pub(crate) struct RealClock {
    origin: Instant,
}

impl RealClock {
    #[expect(clippy::disallowed_methods, reason = "this is where real time enters")]
    pub(crate) fn new() -> Self {
        Self { origin: Instant::now() }
    }
}

impl Clock for RealClock {
    #[expect(clippy::disallowed_methods, reason = "this is where real time enters")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    fn elapsed(&self) -> Duration {
        self.origin.elapsed()
    }

    fn boot_time(&self) -> Duration {
        system::boot_time()
    }

    fn sleep_until(&self, moment: Duration) -> BoxFuture<'static, ()> {
        match self.origin.checked_add(moment) {
            Some(instant) => Box::pin(tokio::time::sleep_until(instant)),
            None => Box::pin(std::future::pending()),
        }
    }
}
