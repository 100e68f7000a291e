//! The delays before a failing server is started again, and before a stream is opened again.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// Counts consecutive failures: failed starts, and servers that died before they answered a call.
#[derive(Debug, Default)]
pub(super) struct BackOff(Mutex<Failures>);

#[derive(Debug, Default)]
struct Failures {
    count: u32,
    last: Option<Instant>,
}

const FIRST_DELAY: Duration = Duration::from_millis(250);
const LONGEST_DELAY: Duration = Duration::from_secs(10);

impl BackOff {
    /// Records a failure.
    pub(super) fn failed(&self) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        failures.count = failures.count.saturating_add(1);
        failures.last = Some(now());
    }

    /// Resets the count after a success.
    pub(super) fn worked(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Failures::default();
    }

    /// Waits until the server may be started again.
    pub(super) async fn wait(&self) {
        let until = {
            let failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            failures.last.map(|last| last + delay(failures.count))
        };
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
    }
}

/// Returns no delay for the first failure, then a doubling delay up to a bound.
fn delay(failures: u32) -> Duration {
    match failures.checked_sub(2) {
        None => Duration::ZERO,
        Some(doublings) => {
            FIRST_DELAY.saturating_mul(1_u32.checked_shl(doublings).unwrap_or(u32::MAX)).min(LONGEST_DELAY)
        }
    }
}

/// The bounds of the wait before a stream is opened again.
pub(super) const MIN_RETRY: Duration = Duration::from_millis(100);
pub(super) const MAX_RETRY: Duration = Duration::from_secs(30);

/// The waits before a stream is opened again. Each is twice as long as the one before, up to a bound, until a stream lasts.
#[derive(Debug)]
pub(super) struct Renewals {
    wait: Duration,
    /// The time at which the stream was requested.
    since: Instant,
}

impl Renewals {
    /// Begins with a stream that is asked for now.
    pub(super) fn new() -> Self {
        Self { wait: MIN_RETRY, since: now() }
    }

    /// Waits until the stream may be opened again: for the time that the server asks for, if it does.
    pub(super) async fn wait(&mut self, asked: Option<Duration>) {
        let wait = self.next(asked, now().saturating_duration_since(self.since));
        sleep(wait).await;
        self.since = now();
    }

    fn next(&mut self, asked: Option<Duration>, lasted: Duration) -> Duration {
        let usual = if lasted < MAX_RETRY { self.wait } else { MIN_RETRY };
        let wait = asked.unwrap_or(usual).clamp(MIN_RETRY, MAX_RETRY);
        self.wait = wait.saturating_mul(2).min(MAX_RETRY);
        wait
    }
}

#[expect(clippy::disallowed_methods, reason = "delays between starts and streams use real time; no execution sees it")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_doubles_from_the_second_failure_on_and_is_bounded() {
        let delays: Vec<u128> = (0..8).map(|failures| delay(failures).as_millis()).collect();
        assert_eq!(delays, [0, 0, 250, 500, 1_000, 2_000, 4_000, 8_000]);
        for failures in [8, 33, 34, 35, 1_000, u32::MAX] {
            assert_eq!(delay(failures), LONGEST_DELAY, "{failures}");
        }
    }

    #[test]
    fn the_wait_before_a_stream_doubles_until_one_lasts_or_the_server_asks_for_another() {
        let mut renewals = Renewals::new();
        let mut wait = |asked: Option<u64>, lasted: u64| {
            renewals.next(asked.map(Duration::from_millis), Duration::from_secs(lasted)).as_millis()
        };
        let waits: Vec<u128> = (0..11).map(|_| wait(None, 29)).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
        assert_eq!([wait(None, 30), wait(None, 0)], [100, 200]);
        assert_eq!([wait(Some(3_000), 0), wait(None, 0), wait(None, 0)], [3_000, 6_000, 12_000]);
        assert_eq!([wait(Some(0), 0), wait(Some(u64::MAX), 0)], [100, 30_000]);
    }
}
